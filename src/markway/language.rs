//! The words of the protocol in the languages that its agents know.

/// The language of what the protocol itself adds to a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// The words of the protocol's specification.
    #[default]
    Chinese,
    /// Their English form.
    English,
}

impl Language {
    /// Every language, for readers that must know them all.
    pub const ALL: [Self; 2] = [Self::Chinese, Self::English];

    /// What stands in the declaration before the protocol's URL.
    #[must_use]
    pub const fn declaration(self) -> &'static str {
        match self {
            Self::Chinese => "本站遵循MarkWay协议：",
            Self::English => "This site follows the MarkWay Protocol: ",
        }
    }

    /// The name of the column of addresses.
    #[must_use]
    pub const fn address(self) -> &'static str {
        match self {
            Self::Chinese => "地址",
            Self::English => "Address",
        }
    }

    /// The name of the column of descriptions.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Chinese => "说明",
            Self::English => "Description",
        }
    }

    /// The name of the optional column of names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chinese => "名称",
            Self::English => "Name",
        }
    }

    /// The heading of the table of addresses that the navigation of a page names.
    #[must_use]
    pub const fn navigation(self) -> &'static str {
        match self {
            Self::Chinese => "导航",
            Self::English => "Navigation",
        }
    }

    /// The names of the two columns of a table made from one JSON object.
    pub(super) const fn field_and_value(self) -> [&'static str; 2] {
        match self {
            Self::Chinese => ["字段", "值"],
            Self::English => ["Field", "Value"],
        }
    }

    /// What joins a title to its description.
    pub(super) const fn colon(self) -> &'static str {
        match self {
            Self::Chinese => "：",
            Self::English => ": ",
        }
    }
}
