//! The rules of the protocol, held against an answer.

use super::address::{Address, AddressKind};
use super::document::NumberedLines;
use super::outline::{Link, Outline, Table};
use super::{BaseUrl, Language, Mode, paths};
use std::fmt;
use url::Url;

/// Every rule of the protocol that an answer to GET breaks, in the order of its lines. An answer
/// without faults gives an empty list.
///
/// The mode is told by the declaration: the rules for addresses differ.
///
/// ```
/// use markdown_for_agents::markway::{Rule, check};
///
/// let faults = check(
///     "https://example.com\n\n\
///      > 本站遵循MarkWay协议：https://example.com/protocol.md\n\n\
///      ## Title\n\nSee [the guide](/guide.html).\n",
/// );
/// assert_eq!(faults.len(), 1);
/// assert_eq!((faults[0].rule(), faults[0].line()), (Rule::AddressEnding, 7));
/// ```
#[must_use]
pub fn check(answer: &str) -> Vec<Fault> {
    Check::default().answer(answer, false)
}

/// As [`check`], and the rules of an `index.md`: it has a table of addresses.
///
/// ```
/// use markdown_for_agents::markway::{Rule, check_index};
///
/// let faults = check_index("https://example.com\n\n> 本站遵循MarkWay协议：https://example.com/protocol.md\n\n# Title\n");
/// assert_eq!(faults[0].rule(), Rule::IndexTable);
/// ```
#[must_use]
pub fn check_index(answer: &str) -> Vec<Fault> {
    Check::default().answer(answer, true)
}

/// A rule that an answer breaks, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    rule: Rule,
    line: usize,
    found: String,
}

impl Fault {
    /// The rule.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The line of the answer, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// What was found there, cut to its first 100 characters.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.rule)?;
        if !self.found.is_empty() {
            write!(f, ": {}", self.found)?;
        }
        Ok(())
    }
}

/// The rules that [`check`] knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The first line is the base URL: absolute, http(s), without a trailing slash, in its normal
    /// form, and nothing else.
    BaseUrl,
    /// An empty line follows the base URL, and another one the declaration.
    EmptyLine,
    /// The third line is a quote in the words of the protocol, with the URL of the document.
    Declaration,
    /// The protocol document is at `/protocol.md` or `/protocol` under the base URL, and named by
    /// its absolute URL.
    ProtocolUrl,
    /// The preamble stands once in an answer.
    PreambleOnce,
    /// No front matter stands before the page.
    FrontMatter,
    /// The page begins with a heading of level 1.
    Title,
    /// In static mode every address of the site ends in `.md`.
    AddressEnding,
    /// No address of the site has a query string.
    AddressQuery,
    /// An address is relative (`./`, `../`), absolute (`/`) or a full URL; in dynamic mode it is
    /// not relative.
    AddressForm,
    /// A table of addresses has a column of descriptions, and no description is empty.
    Description,
    /// In dynamic mode a list of addresses is a table.
    ListOfAddresses,
    /// An `index.md` has a table with the columns of addresses and descriptions.
    IndexTable,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::BaseUrl => "the first line is not the base URL",
            Self::EmptyLine => "an empty line is missing",
            Self::Declaration => "the third line does not declare the protocol",
            Self::ProtocolUrl => "the protocol document is not where the mode has it",
            Self::PreambleOnce => "the preamble is repeated",
            Self::FrontMatter => "front matter stands before the page",
            Self::Title => "the page does not begin with a title",
            Self::AddressEnding => "an address of the site does not end in .md",
            Self::AddressQuery => "an address of the site has a query string",
            Self::AddressForm => "an address has none of the forms of the protocol",
            Self::Description => "an address is not described",
            Self::ListOfAddresses => "a list of addresses is not a table",
            Self::IndexTable => "the index has no table of addresses and descriptions",
        })
    }
}

#[derive(Debug, Default)]
struct Check {
    base_url: Option<BaseUrl>,
    mode: Option<Mode>,
    faults: Vec<Fault>,
}

impl Check {
    fn answer(mut self, answer: &str, index: bool) -> Vec<Fault> {
        let mut lines = NumberedLines::new(answer);
        self.preamble(&mut lines);
        let (first_line, page) = lines.left();
        self.page(page, first_line, index);
        self.faults.sort_by_key(|fault| fault.line);
        self.faults
    }

    fn fault(&mut self, rule: Rule, line: usize, found: &str) {
        self.faults.push(Fault {
            rule,
            line,
            found: found.chars().take(100).collect(),
        });
    }

    /// The four lines before the page. A line that is missing leaves those after it where they are.
    fn preamble(&mut self, lines: &mut NumberedLines<'_>) {
        let first = lines.peek().unwrap_or_default();
        match first.parse::<BaseUrl>() {
            Ok(base_url) => {
                if base_url.as_str() != first {
                    self.fault(Rule::BaseUrl, 1, first);
                }
                self.base_url = Some(base_url);
                lines.next();
            }
            Err(_) => {
                self.fault(Rule::BaseUrl, 1, first);
                // A wrong base URL is skipped, but a page that begins at once is not.
                if first.contains("://") && !first.starts_with(['>', '#', '|']) || first.is_empty()
                {
                    lines.next();
                }
            }
        }
        self.empty_line(lines);
        let (number, line) = (lines.number(), lines.peek().unwrap_or_default());
        if self.declaration(number, line) {
            lines.next();
            self.empty_line(lines);
        }
    }

    fn empty_line(&mut self, lines: &mut NumberedLines<'_>) {
        match lines.peek() {
            Some("") => {
                lines.next();
            }
            found => {
                let number = lines.number();
                self.fault(Rule::EmptyLine, number, found.unwrap_or_default());
            }
        }
    }

    /// Whether the line is the declaration, right or wrong.
    fn declaration(&mut self, number: usize, line: &str) -> bool {
        let Some(url) = Language::ALL.iter().find_map(|language| {
            line.strip_prefix("> ")?
                .strip_prefix(language.declaration())
        }) else {
            self.fault(Rule::Declaration, number, line);
            return line.starts_with('>');
        };
        let Ok(absolute) = Url::parse(url) else {
            self.fault(Rule::ProtocolUrl, number, url);
            return true;
        };
        self.mode = [Mode::Static, Mode::Dynamic]
            .into_iter()
            .find(|mode| absolute.path().ends_with(mode.protocol_path()));
        let expected = self
            .base_url
            .as_ref()
            .zip(self.mode)
            .map(|(base, mode)| format!("{base}{}", mode.protocol_path()));
        // Without a base URL the declaration cannot be judged, and that fault is already told.
        if self.base_url.is_some() && expected.as_deref() != Some(url) {
            self.fault(Rule::ProtocolUrl, number, url);
        }
        true
    }

    fn page(&mut self, page: &str, first_line: usize, index: bool) {
        let outline = Outline::read(page, first_line);
        if page.starts_with("---\n") || page.starts_with("---\r\n") {
            self.fault(Rule::FrontMatter, first_line, "---");
        }
        let first = page.lines().next().unwrap_or_default();
        // The page follows the empty line at once, and its title begins the page.
        if !outline.title.as_ref().is_some_and(|title| title.first) || first.trim().is_empty() {
            self.fault(Rule::Title, first_line, first);
        }
        for line in &outline.declarations {
            self.fault(Rule::PreambleOnce, *line, "");
        }
        for Link { destination, line } in &outline.links {
            self.link(destination, *line);
        }
        let mut tables = 0;
        for table in &outline.tables {
            tables += usize::from(self.table(table));
        }
        if index && tables == 0 {
            self.fault(Rule::IndexTable, first_line, "");
        }
        if self.mode == Some(Mode::Dynamic) {
            for line in &outline.link_lists {
                self.fault(Rule::ListOfAddresses, *line, "");
            }
        }
    }

    /// Whether it is a table of addresses with descriptions.
    fn table(&mut self, table: &Table) -> bool {
        let Some(address) = table.column(Language::address) else {
            return false;
        };
        let description = table.column(Language::description);
        if description.is_none() {
            self.fault(Rule::Description, table.line, "");
        }
        for row in &table.rows {
            if let Some(cell) = row.cells.get(address) {
                // A link in the cell has been checked among all links.
                match cell.address().parse::<Address>() {
                    Err(_) => self.fault(Rule::AddressForm, row.line, cell.address()),
                    Ok(_) if cell.link.is_some() => {}
                    Ok(_) => self.address(cell.address(), row.line),
                }
            }
            if let Some(cell) = description.and_then(|at| row.cells.get(at))
                && cell.text.trim().is_empty()
            {
                self.fault(Rule::Description, row.line, "");
            }
        }
        description.is_some()
    }

    /// A link in the page: unlike an address in a table it may lead to a place on the page, to a
    /// mailbox or to a telephone.
    fn link(&mut self, destination: &str, line: usize) {
        if destination.starts_with('#') {
            return;
        }
        if let Ok(url) = Url::parse(destination)
            && !matches!(url.scheme(), "http" | "https")
        {
            return;
        }
        self.address(destination, line);
    }

    fn address(&mut self, text: &str, line: usize) {
        let Ok(address) = text.parse::<Address>() else {
            return self.fault(Rule::AddressForm, line, text);
        };
        let local = match address.kind() {
            AddressKind::External => {
                let url = Url::parse(text).ok();
                let Some((base_url, url)) = self.base_url.as_ref().zip(url.as_ref()) else {
                    return;
                };
                if base_url.path_of(url).is_none() {
                    return;
                }
                text
            }
            AddressKind::Relative
                if self.mode == Some(Mode::Dynamic) || !text.trim_start().starts_with('.') =>
            {
                return self.fault(Rule::AddressForm, line, text);
            }
            AddressKind::Relative | AddressKind::Absolute => text,
        };
        let without_fragment = local.split('#').next().unwrap_or_default();
        let (path, query) = without_fragment
            .split_once('?')
            .map_or((without_fragment, None), |(path, query)| {
                (path, Some(query))
            });
        if paths::is_asset(path) {
            return;
        }
        if query.is_some() {
            self.fault(Rule::AddressQuery, line, text);
        }
        if self.mode == Some(Mode::Static) && !path.ends_with(".md") {
            self.fault(Rule::AddressEnding, line, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(answer: &str) -> Vec<(Rule, usize)> {
        check(answer)
            .into_iter()
            .map(|fault| (fault.rule, fault.line))
            .collect()
    }

    fn in_static(page: &str) -> String {
        format!(
            "https://example.com\n\n> 本站遵循MarkWay协议：https://example.com/protocol.md\n\n{page}"
        )
    }

    fn in_dynamic(page: &str) -> String {
        format!(
            "https://example.com\n\n> This site follows the MarkWay Protocol: https://example.com/protocol\n\n{page}"
        )
    }

    #[test]
    fn a_right_answer_has_no_faults() {
        let page = "# T\n\n[a](./a.md) [b](../b/index.md#c) [c](/c.md) [d](https://example.com/d.md) [e](https://example.org/e?f)\n\
            [g](#g) [h](mailto:h@example.com) <h@example.com> [i](/i.png?j) ![k](/k) <https://example.org>\n\n- [l](/l.md)\n\n`[m](/m)`\n\n```\n[n](/n)\n```\n\n\
            | Address | Description |\n|---|---|\n| ./o.md | o |\n";
        assert_eq!(faults(&in_static(page)), []);
        assert_eq!(check_index(&in_static(page)), []);
        assert_eq!(faults(&in_static(page).replace('\n', "\r\n")), []);
        let page = "# T\n\n[a](/a) [b](https://example.com/b#c) [d](https://example.org/d?e)\n\n- [f](#f)\n\n* [m](mailto:m@example.com)\n\n1. See [g](/g).\n\n| 地址 | 说明 |\n|--|--|\n| /h | h |\n";
        assert_eq!(faults(&in_dynamic(page)), []);
    }

    #[test]
    fn every_rule_of_the_preamble_is_told_with_its_line() {
        use Rule as R;
        let declaration = "> 本站遵循MarkWay协议：https://a.b/protocol.md";
        for (answer, expected) in [
            (
                String::new(),
                vec![
                    (R::BaseUrl, 1),
                    (R::EmptyLine, 1),
                    (R::Declaration, 1),
                    (R::Title, 1),
                ],
            ),
            (
                format!("https://a.b/\n\n{declaration}\n\n# T\n"),
                vec![(R::BaseUrl, 1)],
            ),
            (
                format!("https://A.b\n\n{declaration}\n\n# T\n"),
                vec![(R::BaseUrl, 1)],
            ),
            (
                format!("\u{feff}https://a.b\n\n{declaration}\n\n# T\n"),
                vec![(R::BaseUrl, 1)],
            ),
            (
                format!("https://a.b?x\n\n{declaration}\n\n# T\n"),
                vec![(R::BaseUrl, 1)],
            ),
            (
                format!("https://a.b\n{declaration}\n\n# T\n"),
                vec![(R::EmptyLine, 2)],
            ),
            (
                format!("https://a.b\n\n{declaration}\n# T\n"),
                vec![(R::EmptyLine, 4)],
            ),
            (
                format!("https://a.b\n\n{declaration}\n\n\n# T\n"),
                vec![(R::Title, 5)],
            ),
            ("https://a.b\n\n# T\n".into(), vec![(R::Declaration, 3)]),
            (
                "https://a.b\n\n> MarkWay: https://a.b/protocol.md\n\n# T\n".into(),
                vec![(R::Declaration, 3)],
            ),
            (
                "https://a.b\n\n> 本站遵循MarkWay协议：/protocol.md\n\n# T\n".into(),
                vec![(R::ProtocolUrl, 3)],
            ),
            (
                "https://a.b\n\n> 本站遵循MarkWay协议：https://c.d/protocol.md\n\n# T\n".into(),
                vec![(R::ProtocolUrl, 3)],
            ),
            (
                "https://a.b\n\n> 本站遵循MarkWay协议：https://a.b/rules\n\n# T\n".into(),
                vec![(R::ProtocolUrl, 3)],
            ),
            (
                "---\ntitle: T\n---\n# T\n".into(),
                vec![
                    (R::BaseUrl, 1),
                    (R::EmptyLine, 1),
                    (R::Declaration, 1),
                    (R::FrontMatter, 1),
                    (R::Title, 1),
                ],
            ),
        ] {
            assert_eq!(faults(&answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn every_rule_of_a_page_is_told_with_its_line() {
        use Rule as R;
        for (page, expected) in [
            ("Text\n\n# T\n", vec![(R::Title, 5)]),
            ("## T\n", vec![(R::Title, 5)]),
            ("", vec![(R::Title, 5)]),
            (
                "---\na: b\n---\n\n# T\n",
                vec![(R::FrontMatter, 5), (R::Title, 5)],
            ),
            (
                "# T\n\n> 本站遵循MarkWay协议：https://example.com/protocol.md\n",
                vec![(R::PreambleOnce, 7)],
            ),
            (
                "# T\n\n[a](/a)\n[b](/b.html)\n",
                vec![(R::AddressEnding, 7), (R::AddressEnding, 8)],
            ),
            ("# T\n\n[a](/a.md?b)\n", vec![(R::AddressQuery, 7)]),
            (
                "# T\n\n[a](https://example.com/a)\n",
                vec![(R::AddressEnding, 7)],
            ),
            ("# T\n\n[a](a.md)\n", vec![(R::AddressForm, 7)]),
            (
                "# T\n\n[a](//example.com/a.md)\n",
                vec![(R::AddressForm, 7)],
            ),
            (
                "# T\n\n| 地址 |\n|---|\n| ./a.md |\n",
                vec![(R::Description, 7)],
            ),
            (
                "# T\n\n| 地址 | 说明 |\n|---|---|\n| ./a.md | |\n| ./b | b |\n| | c |\n| ftp://d/ | d |\n",
                vec![
                    (R::Description, 9),
                    (R::AddressEnding, 10),
                    (R::AddressForm, 11),
                    (R::AddressForm, 12),
                ],
            ),
        ] {
            assert_eq!(faults(&in_static(page)), expected, "{page:?}");
        }
        for (page, expected) in [
            (
                "# T\n\n- [a](/a)\n- [b](/b): text\n",
                vec![(R::ListOfAddresses, 7)],
            ),
            (
                "# T\n\n1. text\n   * [a](/a)\n",
                vec![(R::ListOfAddresses, 8)],
            ),
            ("# T\n\n- [a](/a)\n- text\n", vec![]),
            ("# T\n\n[a](./a)\n", vec![(R::AddressForm, 7)]),
            ("# T\n\n[a](/a?b=c)\n", vec![(R::AddressQuery, 7)]),
        ] {
            assert_eq!(faults(&in_dynamic(page)), expected, "{page:?}");
        }
    }

    #[test]
    fn an_index_without_its_table_is_a_fault_of_its_own() {
        let index = |page: &str| {
            check_index(&in_static(page))
                .into_iter()
                .map(|fault| (fault.rule, fault.line))
                .collect::<Vec<_>>()
        };
        assert_eq!(index("# T\n"), [(Rule::IndexTable, 5)]);
        assert_eq!(
            index("# T\n\n| a | b |\n|---|---|\n"),
            [(Rule::IndexTable, 5)]
        );
        assert_eq!(index("# T\n\n| 地址 | 说明 |\n|---|---|\n"), []);
    }
}
