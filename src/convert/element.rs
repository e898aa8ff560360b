//! The HTML elements that the converter tells apart: one table from tag names to what the tree
//! rules and the Markdown need to know of them.

use super::names::Names;
use crate::byte_set::byte_set;

/// What the rules of the WHATWG HTML standard say of an element, as a set of bits.
mod trait_bits {
    /// Starts and ends a block: its content shares no line with what stands around it.
    pub(super) const BLOCK: u16 = 1 << 0;
    /// Has no content and no end tag (§13.1.2).
    pub(super) const VOID: u16 = 1 << 1;
    /// In the category "special" of the tree builder (§13.2.4.2).
    pub(super) const SPECIAL: u16 = 1 << 2;
    /// Its start tag closes an open `p` in button scope (§13.2.6.4.7).
    pub(super) const CLOSES_P: u16 = 1 << 3;
    /// In the category "formatting": goes on the list of active formatting elements (§13.2.4.3).
    pub(super) const FORMATTING: u16 = 1 << 4;
    /// Bounds the default scope (§13.2.4.2).
    pub(super) const SCOPE: u16 = 1 << 5;
    /// Its content is text to the tokenizer: no tag but its own end tag (§13.2.5).
    pub(super) const RAW_TEXT: u16 = 1 << 6;
    /// May stand in `head` (§13.2.6.4.4).
    pub(super) const METADATA: u16 = 1 << 7;
    /// Its end tag closes it through "generate implied end tags" (§13.2.6.4.7).
    pub(super) const SCOPED_END: u16 = 1 << 8;
    /// A heading, `h1` to `h6`.
    pub(super) const HEADING: u16 = 1 << 9;
    /// Puts a marker on the list of active formatting elements.
    pub(super) const MARKER: u16 = 1 << 10;
    /// A start tag that ends foreign content (§13.2.6.5).
    pub(super) const BREAKS_OUT: u16 = 1 << 11;
    /// A piece of table structure, or a template, which hides those around it.
    pub(super) const TABLE: u16 = 1 << 12;
}
use trait_bits::{
    BLOCK, BREAKS_OUT, CLOSES_P, FORMATTING, HEADING, MARKER, METADATA, RAW_TEXT, SCOPE,
    SCOPED_END, SPECIAL, TABLE, VOID,
};

macro_rules! elements {
    ($($variant:ident $name:literal = $bits:expr;)*) => {
        /// An element by its tag name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Element {
            /// Any name that the table does not have.
            Other,
            $($variant,)*
        }

        const ALL: &[(&str, Element)] = &[$(($name, Element::$variant),)*];

        static BITS: [u16; COUNT] = [0, $($bits,)*];

        /// Number of values of [`Element`].
        pub(super) const COUNT: usize = ALL.len() + 1;
    };
}

const CONTAINER: u16 = BLOCK | SPECIAL | CLOSES_P | SCOPED_END;

elements! {
    A "a" = FORMATTING;
    Abbr "abbr" = 0;
    Address "address" = CONTAINER;
    Annotation "annotation" = 0;
    Applet "applet" = SPECIAL | SCOPE | MARKER | SCOPED_END;
    Area "area" = SPECIAL | VOID;
    Article "article" = CONTAINER;
    Aside "aside" = CONTAINER;
    Audio "audio" = 0;
    B "b" = FORMATTING | BREAKS_OUT;
    Base "base" = SPECIAL | VOID | METADATA;
    Basefont "basefont" = SPECIAL | VOID | METADATA;
    Bdi "bdi" = 0;
    Bgsound "bgsound" = SPECIAL | VOID | METADATA;
    Big "big" = FORMATTING | BREAKS_OUT;
    Blockquote "blockquote" = CONTAINER | BREAKS_OUT;
    Body "body" = SPECIAL | BREAKS_OUT;
    Br "br" = SPECIAL | VOID | BREAKS_OUT;
    Button "button" = SPECIAL | SCOPED_END;
    Canvas "canvas" = 0;
    Caption "caption" = BLOCK | SPECIAL | SCOPE | MARKER | TABLE;
    Center "center" = CONTAINER | BREAKS_OUT;
    Cite "cite" = 0;
    Code "code" = FORMATTING | BREAKS_OUT;
    Col "col" = SPECIAL | VOID;
    Colgroup "colgroup" = SPECIAL | TABLE;
    Datalist "datalist" = 0;
    Dd "dd" = BLOCK | SPECIAL | CLOSES_P | BREAKS_OUT;
    Del "del" = 0;
    Desc "desc" = 0;
    Details "details" = CONTAINER;
    Dfn "dfn" = 0;
    Dialog "dialog" = BLOCK | CLOSES_P | SCOPED_END;
    Dir "dir" = CONTAINER;
    Div "div" = CONTAINER | BREAKS_OUT;
    Dl "dl" = CONTAINER | BREAKS_OUT;
    Dt "dt" = BLOCK | SPECIAL | CLOSES_P | BREAKS_OUT;
    Em "em" = FORMATTING | BREAKS_OUT;
    Embed "embed" = SPECIAL | VOID | BREAKS_OUT;
    Fieldset "fieldset" = CONTAINER;
    Figcaption "figcaption" = CONTAINER;
    Figure "figure" = CONTAINER;
    Font "font" = FORMATTING;
    Footer "footer" = CONTAINER;
    ForeignObject "foreignobject" = 0;
    Form "form" = BLOCK | SPECIAL | CLOSES_P;
    Frame "frame" = SPECIAL | VOID;
    Frameset "frameset" = SPECIAL;
    H1 "h1" = BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKS_OUT;
    H2 "h2" = BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKS_OUT;
    H3 "h3" = BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKS_OUT;
    H4 "h4" = BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKS_OUT;
    H5 "h5" = BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKS_OUT;
    H6 "h6" = BLOCK | SPECIAL | CLOSES_P | HEADING | BREAKS_OUT;
    Head "head" = SPECIAL | BREAKS_OUT;
    Header "header" = CONTAINER;
    Hgroup "hgroup" = CONTAINER;
    Hr "hr" = BLOCK | SPECIAL | CLOSES_P | VOID | BREAKS_OUT;
    Html "html" = SPECIAL | SCOPE;
    I "i" = FORMATTING | BREAKS_OUT;
    Iframe "iframe" = SPECIAL | RAW_TEXT;
    Image "image" = 0;
    Img "img" = SPECIAL | VOID | BREAKS_OUT;
    Input "input" = SPECIAL | VOID;
    Ins "ins" = 0;
    Kbd "kbd" = 0;
    Keygen "keygen" = SPECIAL | VOID;
    Label "label" = 0;
    Legend "legend" = BLOCK;
    Li "li" = BLOCK | SPECIAL | CLOSES_P | BREAKS_OUT;
    Link "link" = SPECIAL | VOID | METADATA;
    Listing "listing" = CONTAINER | BREAKS_OUT;
    Main "main" = CONTAINER;
    Mark "mark" = 0;
    Marquee "marquee" = SPECIAL | SCOPE | MARKER | SCOPED_END;
    Math "math" = 0;
    Menu "menu" = CONTAINER | BREAKS_OUT;
    Meta "meta" = SPECIAL | VOID | METADATA | BREAKS_OUT;
    Mi "mi" = 0;
    Mn "mn" = 0;
    Mo "mo" = 0;
    Ms "ms" = 0;
    Mtext "mtext" = 0;
    Nav "nav" = CONTAINER;
    Nobr "nobr" = FORMATTING | BREAKS_OUT;
    Noembed "noembed" = SPECIAL | RAW_TEXT;
    Noframes "noframes" = SPECIAL | RAW_TEXT | METADATA;
    Noscript "noscript" = SPECIAL | RAW_TEXT | METADATA;
    Object "object" = SPECIAL | SCOPE | MARKER | SCOPED_END;
    Ol "ol" = CONTAINER | BREAKS_OUT;
    Optgroup "optgroup" = BLOCK;
    Option "option" = BLOCK;
    P "p" = BLOCK | SPECIAL | CLOSES_P | BREAKS_OUT;
    Param "param" = SPECIAL | VOID;
    Picture "picture" = 0;
    Plaintext "plaintext" = BLOCK | SPECIAL | CLOSES_P | RAW_TEXT;
    Pre "pre" = CONTAINER | BREAKS_OUT;
    Q "q" = 0;
    Rb "rb" = 0;
    Rp "rp" = 0;
    Rt "rt" = 0;
    Rtc "rtc" = 0;
    Ruby "ruby" = BREAKS_OUT;
    S "s" = FORMATTING | BREAKS_OUT;
    Samp "samp" = 0;
    Script "script" = SPECIAL | RAW_TEXT | METADATA;
    Search "search" = CONTAINER;
    Section "section" = CONTAINER;
    Select "select" = SPECIAL | SCOPE | SCOPED_END;
    Small "small" = FORMATTING | BREAKS_OUT;
    Source "source" = SPECIAL | VOID;
    Span "span" = BREAKS_OUT;
    Strike "strike" = FORMATTING | BREAKS_OUT;
    Strong "strong" = FORMATTING | BREAKS_OUT;
    Style "style" = SPECIAL | RAW_TEXT | METADATA;
    Sub "sub" = BREAKS_OUT;
    Summary "summary" = CONTAINER;
    Sup "sup" = BREAKS_OUT;
    Svg "svg" = 0;
    Table "table" = BLOCK | SPECIAL | CLOSES_P | SCOPE | BREAKS_OUT | TABLE;
    Tbody "tbody" = SPECIAL | TABLE;
    Td "td" = BLOCK | SPECIAL | SCOPE | MARKER | TABLE;
    Template "template" = SPECIAL | SCOPE | MARKER | METADATA | TABLE;
    Textarea "textarea" = SPECIAL | RAW_TEXT;
    Tfoot "tfoot" = SPECIAL | TABLE;
    Th "th" = BLOCK | SPECIAL | SCOPE | MARKER | TABLE;
    Thead "thead" = SPECIAL | TABLE;
    Title "title" = SPECIAL | RAW_TEXT | METADATA;
    Tr "tr" = SPECIAL | TABLE;
    Track "track" = SPECIAL | VOID;
    Tt "tt" = FORMATTING | BREAKS_OUT;
    U "u" = FORMATTING | BREAKS_OUT;
    Ul "ul" = CONTAINER | BREAKS_OUT;
    Var "var" = BREAKS_OUT;
    Video "video" = 0;
    Wbr "wbr" = SPECIAL | VOID;
    Xmp "xmp" = BLOCK | SPECIAL | CLOSES_P | RAW_TEXT;
}

static NAMES: Names<Element, 512> = Names::new(ALL, Element::Other);

/// Bytes that end a tag name (WHATWG HTML §13.2.5.8).
static ENDS_TAG_NAME: [bool; 256] = byte_set(b">/\t\n\x0C\r ");

impl Element {
    /// The element with this tag name, in any case.
    pub(super) fn from_name(name: &[u8]) -> Self {
        NAMES.get(name)
    }

    /// The element whose tag name the bytes begin with, and the length of that name: it ends before
    /// a blank, `/` or `>`.
    #[inline]
    pub(super) fn read(raw: &[u8]) -> (Self, usize) {
        NAMES.read(raw, &ENDS_TAG_NAME)
    }

    /// The tag name; empty for [`Element::Other`].
    pub(super) fn name(self) -> &'static str {
        match (self as usize).checked_sub(1) {
            Some(index) => ALL[index].0,
            None => "",
        }
    }

    fn has(self, bits: u16) -> bool {
        BITS[self as usize] & bits != 0
    }

    pub(super) fn is_block(self) -> bool {
        self.has(BLOCK)
    }

    pub(super) fn is_void(self) -> bool {
        self.has(VOID)
    }

    pub(super) fn is_special(self) -> bool {
        self.has(SPECIAL)
    }

    pub(super) fn closes_p(self) -> bool {
        self.has(CLOSES_P)
    }

    pub(super) fn is_formatting(self) -> bool {
        self.has(FORMATTING)
    }

    pub(super) fn bounds_scope(self) -> bool {
        self.has(SCOPE)
    }

    pub(super) fn is_raw_text(self) -> bool {
        self.has(RAW_TEXT)
    }

    pub(super) fn is_metadata(self) -> bool {
        self.has(METADATA)
    }

    pub(super) fn has_scoped_end(self) -> bool {
        self.has(SCOPED_END)
    }

    pub(super) fn is_heading(self) -> bool {
        self.has(HEADING)
    }

    pub(super) fn is_table_structure(self) -> bool {
        self.has(TABLE)
    }

    pub(super) fn sets_marker(self) -> bool {
        self.has(MARKER)
    }

    pub(super) fn breaks_out_of_foreign(self) -> bool {
        self.has(BREAKS_OUT)
    }

    /// 1 to 6 for `h1` to `h6`.
    pub(super) fn heading_level(self) -> u8 {
        debug_assert!(self.is_heading());
        self as u8 - Self::H1 as u8 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_the_table_finds_its_element_in_any_case() {
        for &(name, element) in ALL {
            assert_eq!(element.name(), name);
            assert_eq!(Element::from_name(name.as_bytes()), element, "{name}");
            assert_eq!(
                Element::from_name(name.to_uppercase().as_bytes()),
                element,
                "{name}"
            );
        }
    }

    #[test]
    fn names_outside_the_table_are_other() {
        for name in [
            "",
            "x-note",
            "o:p",
            "bb",
            "h7",
            "verylongcustomelementname",
            "\0",
        ] {
            assert_eq!(
                Element::from_name(name.as_bytes()),
                Element::Other,
                "{name:?}"
            );
        }
    }

    #[test]
    fn a_name_is_read_as_far_as_it_goes() {
        for (raw, element, length) in [
            ("a>", Element::A, 1),
            ("BR/>", Element::Br, 2),
            ("p", Element::P, 1),
            ("textarea x", Element::Textarea, 8),
            ("blockquote\n", Element::Blockquote, 10),
            ("x=y>", Element::Other, 3),
            (">", Element::Other, 0),
        ] {
            assert_eq!(Element::read(raw.as_bytes()), (element, length), "{raw}");
        }
    }

    #[test]
    fn heading_levels_follow_the_names() {
        assert_eq!(Element::from_name(b"H1").heading_level(), 1);
        assert_eq!(Element::from_name(b"h6").heading_level(), 6);
    }
}
