//! Table cells by their attributes.

use super::number;
use crate::convert::element::Element;
use crate::convert::tag::{AttributeName, StartTag};
use crate::markdown::{Alignment, Cell};

pub(super) fn cell(tag: &StartTag<'_>) -> Cell {
    let columns = number(tag, AttributeName::Colspan)
        .unwrap_or(1)
        .clamp(1, 1000) as u16;
    let rows = number(tag, AttributeName::Rowspan).unwrap_or(1).min(65534) as u16;
    Cell {
        head: tag.element == Element::Th,
        columns,
        rows,
        alignment: alignment(tag),
    }
}

fn alignment(tag: &StartTag<'_>) -> Alignment {
    let from_style = tag.get(AttributeName::Style).and_then(|style| {
        let style = String::from_utf8_lossy(style).to_ascii_lowercase();
        let value = style.split(';').find_map(|d| {
            let (name, value) = d.split_once(':')?;
            (name.trim() == "text-align").then(|| value.trim().to_owned())
        })?;
        Some(value.into_bytes())
    });
    let value = from_style.or_else(|| {
        tag.get(AttributeName::Align)
            .map(<[u8]>::to_ascii_lowercase)
    });
    match value.as_deref() {
        Some(b"left" | b"start") => Alignment::Left,
        Some(b"center") => Alignment::Center,
        Some(b"right" | b"end") => Alignment::Right,
        _ => Alignment::None,
    }
}
