//! What the elements of a page mean in Markdown.

mod cell;
mod definition_list;
mod elements;
mod ends;
mod head;
mod link;
mod media;
mod sink;
mod text;

use self::definition_list::DefinitionList;
use self::ends::MainContent;
use self::link::{ClosedLink, OpenLink};
use self::media::Media;
use self::text::{Preformatted, TextTarget};
use super::address::Addresses;
use super::charref::CharacterReferences;
use super::math::Math;
use super::metadata::{Metadata, StructuredData};
use super::navigation::Navigation;
use super::options::Options;
use crate::markdown::{RowGroup, Settings, Writer};
use std::collections::VecDeque;

/// Turns elements and text into blocks and inline content.
#[derive(Debug)]
pub(super) struct Page {
    writer: Writer,
    main_content: MainContent,
    /// As it was written, for when what follows it goes.
    front_matter: String,
    options: Options,
    addresses: Addresses,
    metadata: Metadata,
    structured_data: StructuredData,
    references: CharacterReferences,
    /// Memory for decoded text.
    decoded_text: String,
    target: TextTarget,
    /// Elements that are left out and open.
    skipped: u32,
    navigation: Navigation,
    /// What is left out is navigation whose links are kept.
    in_navigation: bool,
    /// A line end right behind the start tag does not count.
    drop_line_end: bool,
    pre: Preformatted,
    /// The language that an element around code names.
    code_language: Option<String>,
    definition_lists: Vec<DefinitionList>,
    items: u32,
    /// The group that table rows stand in, and whether it has none yet.
    row_group: (RowGroup, bool),
    /// Counts the elements opened, to tell an empty one.
    opened: u32,
    links: Vec<OpenLink>,
    closed_links: VecDeque<ClosedLink>,
    math: Option<Math>,
    media: Media,
    /// A `rp` brings the parentheses around ruby text itself.
    ruby_parentheses: bool,
}

impl Page {
    pub(super) fn new(options: Options) -> Self {
        let main_content = if options.wants_main_content_only() {
            MainContent::Awaited
        } else {
            MainContent::All
        };
        // As a list it takes about as much again.
        let navigation = Navigation::new(options.table_limit() / 2);
        Self {
            writer: writer(&options),
            main_content,
            front_matter: String::new(),
            addresses: Addresses::new(&options),
            options,
            metadata: Metadata::default(),
            structured_data: StructuredData::default(),
            references: CharacterReferences::default(),
            decoded_text: String::new(),
            target: TextTarget::Body,
            skipped: 0,
            navigation,
            in_navigation: false,
            drop_line_end: false,
            pre: Preformatted::default(),
            code_language: None,
            definition_lists: Vec::new(),
            items: 0,
            row_group: (RowGroup::Body, true),
            opened: 0,
            links: Vec::new(),
            closed_links: VecDeque::new(),
            math: None,
            media: Media::None,
            ruby_parentheses: false,
        }
    }

    pub(super) fn set_url(&mut self, url: &str) {
        self.addresses.set_page(url);
    }

    pub(super) fn writer(&mut self) -> &mut Writer {
        &mut self.writer
    }

    fn in_pre(&self) -> bool {
        self.pre.depth > 0
    }
}

fn writer(options: &Options) -> Writer {
    let settings = Settings {
        exact: options.is_exact(),
        code: options.code_limit(),
        table: options.table_limit(),
    };
    Writer::new(settings).link_lists_as_tables(options.link_list_columns(), options.table_limit())
}
