//! The blocks that a page is made of, as events in reading order.

/// A block begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    /// The line ends here: an element that is a block of its own began or ended.
    Boundary,
    /// A paragraph that the page marks as one begins; it ends at the next event.
    Paragraph,
    Heading(u8),
    EndHeading,
    Quote,
    EndQuote,
    /// A list; ordered ones carry the number of their first item.
    List(Option<u32>),
    EndList,
    /// An item, with the number that the page gives it.
    Item {
        value: Option<u32>,
    },
    /// The item ends. With `keep_empty` its marker is written even if it had no content.
    EndItem {
        keep_empty: bool,
    },
    /// The item is a task.
    Task {
        done: bool,
    },
    Rule,
    /// Text that keeps its blanks and line ends, with the number of its language among the
    /// [`Styles`](super::style::Styles).
    Code {
        language: u32,
    },
    EndCode,
    /// A table; `layout` says that it is no data.
    Table {
        layout: bool,
    },
    EndTable,
    /// A table row; `first` says that its group begins with it.
    Row {
        group: RowGroup,
        first: bool,
    },
    Cell(Cell),
    EndCell,
    Caption,
    EndCaption,
}

/// The part of a table that a row stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum RowGroup {
    Head,
    #[default]
    Body,
    /// Shown last, wherever it stands.
    Foot,
}

/// A table cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) head: bool,
    pub(crate) columns: u16,
    /// Rows that it spans; 0 stands for all that follow in its group.
    pub(crate) rows: u16,
    pub(crate) alignment: Alignment,
}

/// How the text of a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Alignment {
    #[default]
    None,
    Left,
    Center,
    Right,
}
