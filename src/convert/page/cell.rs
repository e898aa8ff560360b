//! Table cells by their attributes.

use super::elements::number;
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
        style.split(|&b| b == b';').find_map(|declaration| {
            let colon = declaration.iter().position(|&b| b == b':')?;
            let (name, value) = declaration.split_at(colon);
            name.trim_ascii()
                .eq_ignore_ascii_case(b"text-align")
                .then(|| value[1..].trim_ascii())
        })
    });
    let Some(value) = from_style.or_else(|| tag.get(AttributeName::Align)) else {
        return Alignment::None;
    };
    let is = |names: [&[u8]; 2]| names.iter().any(|n| value.eq_ignore_ascii_case(n));
    if is([b"left", b"start"]) {
        Alignment::Left
    } else if value.eq_ignore_ascii_case(b"center") {
        Alignment::Center
    } else if is([b"right", b"end"]) {
        Alignment::Right
    } else {
        Alignment::None
    }
}
