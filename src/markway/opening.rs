//! How a page that is Markdown already becomes a page of the site: what goes before it, and what of
//! its own beginning goes away.

use super::front_matter::FrontMatter;
use super::outline::Outline;
use super::{Document, Site, escape};

/// What is done to the beginning of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opening {
    /// What is written before the page.
    pub(super) prefix: String,
    /// How many bytes of the page are left out.
    pub(super) skip: usize,
}

impl Opening {
    /// How much of a page is looked at, in bytes: a title that begins later is not found.
    pub(super) const LIMIT: usize = 16 * 1024;

    /// The opening of the page whose first bytes are `head`, or `None` if more of it must be known.
    /// `whole` says that nothing follows, or that no more will be shown. What is decided never
    /// depends on how much more than necessary is known.
    ///
    /// `name` becomes the title of a page that has none.
    pub(super) fn of(head: &str, whole: bool, site: &Site, name: &str) -> Option<Self> {
        let preamble = site.preamble();
        if head.starts_with(&preamble) {
            return Some(Self {
                prefix: String::new(),
                skip: 0,
            });
        }
        if !whole && preamble.starts_with(head) {
            return None;
        }
        // The byte order mark would stand in the middle of the answer.
        let mark = if head.starts_with('\u{feff}') {
            '\u{feff}'.len_utf8()
        } else {
            0
        };
        let text = &head[mark..];
        // With other words, in other lines: an agent reads it all the same.
        if !whole && may_be_url(text) {
            return None;
        }
        if Document::parse(text).is_ok_and(|document| {
            document.base_url() == site.base_url() && document.mode() == Some(site.mode())
        }) {
            return Some(Self {
                prefix: String::new(),
                skip: mark,
            });
        }

        let matter = FrontMatter::read(text);
        if !whole && matter.end == 0 && may_be_matter(text) {
            return None;
        }
        // The page begins with its first line that is not empty.
        let page = text[matter.end..].trim_start_matches(['\n', '\r']);
        let skip = head.len() - page.len();
        if let Some((line, _)) = page.split_once('\n')
            && is_title(line)
        {
            // A name of the site tells the pages of the site apart from nothing.
            if let Some(title) = matter.title.filter(|title| ends_with_site(title, line)) {
                return Some(Self {
                    prefix: format!("{preamble}# {}", escape::heading(&one_line(&title))),
                    skip: skip + line.trim_end_matches('\r').len(),
                });
            }
            return Some(Self {
                prefix: preamble,
                skip,
            });
        }
        if !whole {
            return None;
        }
        let title = Outline::read(page, 1).title;
        if title.as_ref().is_some_and(|title| title.first) {
            return Some(Self {
                prefix: preamble,
                skip,
            });
        }
        let text = matter
            .title
            .or(title.map(|title| title.text))
            .filter(|text| !text.trim().is_empty());
        let line = one_line(text.as_deref().unwrap_or(name));
        Some(Self {
            prefix: format!("{preamble}# {}\n\n", escape::heading(&line)),
            skip,
        })
    }
}

/// Whether `title` is that of a page, followed by the text of the heading `line`, as in
/// `Page - Site`: the heading is then the name of the site, from a bar above the page.
fn ends_with_site(title: &str, line: &str) -> bool {
    let Some(site) = Outline::read(line, 1).title else {
        return false;
    };
    one_line(title)
        .strip_suffix(one_line(&site.text).as_str())
        .map(str::trim_end)
        .is_some_and(|page| page.ends_with(|c: char| !c.is_alphanumeric()))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a whole line is surely an ATX heading of level 1 with a text.
fn is_title(line: &str) -> bool {
    line.strip_prefix("# ")
        .is_some_and(|text| !text.trim_matches(['#', ' ', '\t', '\r']).is_empty())
}

fn may_be_url(text: &str) -> bool {
    ["https://", "http://"]
        .iter()
        .any(|scheme| text.starts_with(scheme) || scheme.starts_with(text))
}

fn may_be_matter(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.trim_end() == "---" || "---".starts_with(first.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markway::{Language, check};

    fn site() -> Site {
        Site::static_site("https://example.com".parse().unwrap())
    }

    /// The whole answer, and a check that the decision does not depend on how much is known.
    #[track_caller]
    fn opened(page: &str) -> String {
        let opening = Opening::of(page, true, &site(), "name").unwrap();
        for (end, _) in page.char_indices() {
            if let Some(early) = Opening::of(&page[..end], false, &site(), "name") {
                assert_eq!(early, opening, "{:?} of {page:?}", &page[..end]);
            }
        }
        format!("{}{}", opening.prefix, &page[opening.skip..])
    }

    #[test]
    fn every_page_gets_the_preamble_and_a_title() {
        let preamble = site().preamble();
        for (page, expected) in [
            ("# T\n\nText\n", "# T\n\nText\n"),
            ("# T", "# T"),
            ("\n\n# T\n", "# T\n"),
            ("\u{feff}# T\n", "# T\n"),
            ("T\n===\n", "T\n===\n"),
            ("---\ntitle: F\n---\n\n# T\n", "# T\n"),
            ("---\ntitle: F\n---\n\nText\n", "# F\n\nText\n"),
            ("---\r\ntitle: F\r\n---\r\nText\r\n", "# F\n\nText\r\n"),
            ("Text\n\n# Later\n", "# Later\n\nText\n\n# Later\n"),
            // The name of the site in a bar above the page.
            (
                "---\ntitle: P - S *s*\n---\n\n# S \\*s\\*\n\n## P\n",
                "# P - S \\*s\\*\n\n## P\n",
            ),
            ("---\ntitle: P | S\n---\n\n# P\n", "# P\n"),
            ("---\ntitle: A S\n---\n\n# S\n", "# S\n"),
            ("---\ntitle: S\n---\n\n# S\n", "# S\n"),
            ("---\n\nText\n", "# name\n\n---\n\nText\n"),
            ("#\n\nText\n", "#\n\nText\n"),
            ("# #\n", "# #\n"),
            ("    # code\n", "# name\n\n    # code\n"),
            ("```\n# code\n```\n", "# name\n\n```\n# code\n```\n"),
            (
                "https://example.org\n\nText\n",
                "# name\n\nhttps://example.org\n\nText\n",
            ),
            ("", "# name\n\n"),
            ("h", "# name\n\nh"),
        ] {
            assert_eq!(opened(page), format!("{preamble}{expected}"), "{page:?}");
        }
    }

    #[test]
    fn a_preamble_that_is_there_stays_the_only_one() {
        let own = site().answer("# T\n");
        assert_eq!(opened(&own), own);
        let other = site().in_language(Language::English).answer("# T\n");
        assert_eq!(opened(&other), other);
        assert_eq!(opened(&format!("\u{feff}{own}")), own);
        // That of another site is no preamble of this one.
        let foreign = Site::static_site("https://example.org".parse().unwrap()).answer("# T\n");
        assert_eq!(
            opened(&foreign),
            format!("{}# T\n\n{foreign}", site().preamble())
        );
    }

    #[test]
    fn a_title_from_elsewhere_is_one_line_of_text() {
        let answer = opened("---\ntitle: \"a\\n# *b*\"\n---\n\nText\n");
        assert_eq!(
            answer,
            format!("{}# a # \\*b\\*\n\nText\n", site().preamble())
        );
        assert_eq!(check(&answer), []);
    }
}
