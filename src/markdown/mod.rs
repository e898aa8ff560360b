//! Writes Markdown (CommonMark 0.31 with GFM tables, strikethrough and task lists) as its content
//! comes in: what was put out is never revised.
//!
//! The [`Writer`] takes blocks and inline content in reading order. Text of the block that is open
//! waits on a [`tape`], so that marks and escapes are decided with both neighbours in sight; a
//! table waits on one of its own until its columns are known.

pub(crate) mod address;
mod block;
mod code;
mod collapse;
mod container;
mod escape;
mod inline;
mod link_list;
mod output;
mod style;
mod table;
mod tape;
mod writer;

pub(crate) use self::block::{Alignment, Block, Cell, RowGroup};
pub(crate) use self::link_list::Columns;
pub(crate) use self::style::Mark;
pub(crate) use self::writer::{Settings, Writer};
