//! Which of the two representations an `Accept` field prefers (RFC 9110 §12.5.1).

use crate::fields;
use http::header::{ACCEPT, HeaderMap};
use memchr::memchr_iter;

/// What wins when `Accept` gives Markdown and HTML the same weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TiePolicy {
    /// Markdown: agents send `text/markdown, text/html, */*` and mean Markdown.
    #[default]
    Markdown,
    /// The one whose media range stands first in the field.
    FirstListed,
    /// HTML.
    Html,
}

/// What the inner service sees as `Accept` when the client prefers Markdown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AcceptShaping {
    /// The client's own field, and `text/html` with a weight just below that of Markdown if the
    /// field does not admit HTML: a service that negotiates by itself may answer with Markdown of
    /// its own, and does not answer 406. Where the field refuses HTML with `q=0`, or
    /// does not ask for Markdown, it becomes these two.
    #[default]
    Widen,
    /// `text/html` alone, for a service whose own Markdown is not wanted.
    HtmlOnly,
    /// The client's own field as it is.
    Unchanged,
}

/// A weight in thousandths, and where its media range stands in the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    weight: u16,
    position: usize,
}

/// The weight of a range without one, in thousandths.
const FULL_WEIGHT: u16 = 1000;

/// The media ranges of an `Accept` field that bear on the choice between Markdown and HTML.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Accept {
    markdown: Option<Range>,
    x_markdown: Option<Range>,
    html: Option<Range>,
    xhtml: Option<Range>,
    any_text: Option<Range>,
    any: Option<Range>,
    /// No well-formed media range at all: no field, an empty one, or junk. Anything is acceptable.
    absent: bool,
}

impl Accept {
    /// Whether the field can prefer Markdown at all. That of a browser cannot, and need not be read:
    /// either Markdown is named, and nothing else that browsers name has a `k`, or HTML is refused.
    pub(crate) fn may_prefer_markdown(headers: &HeaderMap) -> bool {
        headers.get_all(ACCEPT).iter().any(|line| {
            let line = line.as_bytes();
            // To look at all bytes is faster than to stop at the first hit: it becomes vector code.
            let has_k = line
                .iter()
                .fold(false, |found, byte| found | (byte | 0x20 == b'k'));
            has_k || !line.starts_with(b"text/html,") && may_refuse(line)
        })
    }

    /// Reads all lines of the field. A range with a malformed weight is ignored.
    pub(crate) fn parse(headers: &HeaderMap) -> Self {
        let mut accept = Self {
            absent: true,
            ..Self::default()
        };
        for (position, member) in fields::members(headers, ACCEPT).enumerate() {
            let Some((weight, hinted)) = weight(member) else {
                continue;
            };
            accept.absent = false;
            let essence = fields::essence(member);
            let slot = if essence == b"*/*" && hinted.none() {
                &mut accept.any
            } else if essence.eq_ignore_ascii_case(b"text/*") && hinted.none() {
                &mut accept.any_text
            } else if essence.eq_ignore_ascii_case(b"text/markdown") && hinted.markdown() {
                &mut accept.markdown
            } else if essence.eq_ignore_ascii_case(b"text/x-markdown") && hinted.markdown() {
                &mut accept.x_markdown
            } else if essence.eq_ignore_ascii_case(b"text/html") && hinted.html() {
                &mut accept.html
            } else if essence.eq_ignore_ascii_case(b"application/xhtml+xml") && hinted.html() {
                &mut accept.xhtml
            } else {
                continue;
            };
            if slot.is_none_or(|range| range.weight < weight) {
                *slot = Some(Range { weight, position });
            }
        }
        accept
    }

    /// Whether the client would rather have Markdown than HTML.
    pub(crate) fn prefers_markdown(&self, ties: TiePolicy) -> bool {
        let Some(markdown) = self.for_markdown().filter(|range| range.weight > 0) else {
            return false;
        };
        let Some(html) = self.for_html() else {
            return true;
        };
        match markdown.weight.cmp(&html.weight) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => match ties {
                TiePolicy::Markdown => true,
                TiePolicy::FirstListed => markdown.position < html.position,
                TiePolicy::Html => false,
            },
        }
    }

    /// Whether the client named Markdown with the weight 0.
    pub(crate) fn refuses_markdown(&self) -> bool {
        self.named_markdown().is_some_and(|range| range.weight == 0)
    }

    /// Whether an answer in HTML would be acceptable.
    pub(crate) fn admits_html(&self) -> bool {
        self.absent || self.for_html().is_some_and(|range| range.weight > 0)
    }

    /// Whether HTML is named with the weight 0.
    pub(crate) fn refuses_html(&self) -> bool {
        self.html
            .or(self.xhtml)
            .is_some_and(|range| range.weight == 0)
    }

    /// The weight of Markdown in thousandths, full if the field does not say.
    pub(crate) fn markdown_weight(&self) -> u16 {
        self.for_markdown()
            .filter(|range| range.weight > 0)
            .map_or(FULL_WEIGHT, |range| range.weight)
    }

    fn named_markdown(&self) -> Option<Range> {
        self.markdown.or(self.x_markdown)
    }

    /// A wildcard alone never asks for Markdown: browsers, crawlers and command line clients send
    /// it. Only where HTML is refused can a wildcard mean nothing else.
    fn for_markdown(&self) -> Option<Range> {
        self.named_markdown().or_else(|| {
            if self.refuses_html() {
                self.any_text.or(self.any)
            } else {
                None
            }
        })
    }

    /// The most specific range that matches HTML.
    fn for_html(&self) -> Option<Range> {
        self.html.or(self.xhtml).or(self.any_text).or(self.any)
    }
}

/// The parameters of a media range that stand before its weight.
#[derive(Debug, Clone, Copy, Default)]
struct Hints {
    charset: bool,
    variant: bool,
    other: bool,
}

impl Hints {
    fn none(self) -> bool {
        !self.charset && !self.variant && !self.other
    }

    /// `charset` and `variant` (RFC 7763) are wishes about Markdown that change nothing here.
    fn markdown(self) -> bool {
        !self.other
    }

    /// Our HTML has no level, profile or version, so that a range which asks for one does not match it.
    fn html(self) -> bool {
        !self.variant && !self.other
    }
}

/// The weight of a media range and its parameters; `None` if the weight is malformed.
fn weight(range: &[u8]) -> Option<(u16, Hints)> {
    let mut hints = Hints::default();
    for (name, value) in fields::parameters(range) {
        if name.eq_ignore_ascii_case(b"q") {
            return Some((qvalue(value)?, hints));
        } else if name.eq_ignore_ascii_case(b"charset") {
            hints.charset = true;
        } else if name.eq_ignore_ascii_case(b"variant") {
            hints.variant = true;
        } else {
            hints.other = true;
        }
    }
    Some((FULL_WEIGHT, hints))
}

/// Whether any parameter could be a weight of 0.
fn may_refuse(line: &[u8]) -> bool {
    memchr_iter(b'=', line).any(|equals| {
        let digit = line[equals + 1..]
            .iter()
            .find(|byte| !matches!(byte, b'0' | b'.'));
        !digit.is_some_and(|byte| matches!(byte, b'1'..=b'9'))
    })
}

/// A weight in thousandths by the strict grammar of RFC 9110 §12.4.2: 0 to 1 with at most three decimals.
pub(crate) fn qvalue(value: &[u8]) -> Option<u16> {
    let (whole, decimals) = match value {
        [whole @ (b'0' | b'1')] => (*whole, &[][..]),
        [whole @ (b'0' | b'1'), b'.', decimals @ ..] if decimals.len() <= 3 => (*whole, decimals),
        _ => return None,
    };
    let mut thousandths = u16::from(whole - b'0') * FULL_WEIGHT;
    for (&digit, unit) in decimals.iter().zip([100, 10, 1]) {
        if !digit.is_ascii_digit() {
            return None;
        }
        thousandths += u16::from(digit - b'0') * unit;
    }
    (thousandths <= FULL_WEIGHT).then_some(thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(value: &str) -> Accept {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, value.parse().unwrap());
        Accept::parse(&headers)
    }

    #[test]
    fn weights_follow_the_strict_grammar() {
        for (value, expected) in [
            ("0", 0),
            ("1", 1000),
            ("0.", 0),
            ("1.", 1000),
            ("0.5", 500),
            ("0.05", 50),
            ("0.001", 1),
            ("1.000", 1000),
        ] {
            assert_eq!(qvalue(value.as_bytes()), Some(expected), "{value}");
        }
        for value in [
            "", ".5", "00", "0.0001", "1.001", "1.5", "2", "1e-1", "+0.5", "-0", "0,5", "0.5 ",
            "\"1\"", "abc", "0.x",
        ] {
            assert_eq!(qvalue(value.as_bytes()), None, "{value}");
        }
    }

    #[test]
    fn a_quoted_weight_is_malformed() {
        assert!(accept(r#"text/markdown;q="1""#).absent);
    }

    #[test]
    fn parameters_after_the_weight_are_ignored() {
        assert!(
            accept("text/markdown;q=0.9;level=1, text/html;q=0.8")
                .prefers_markdown(TiePolicy::Markdown)
        );
    }

    #[test]
    fn ties_follow_the_policy() {
        let html_first = accept("text/html, text/markdown");
        assert!(html_first.prefers_markdown(TiePolicy::Markdown));
        assert!(!html_first.prefers_markdown(TiePolicy::FirstListed));
        assert!(!html_first.prefers_markdown(TiePolicy::Html));
        let markdown_first = accept("text/markdown, */*");
        assert!(markdown_first.prefers_markdown(TiePolicy::FirstListed));
        assert!(!markdown_first.prefers_markdown(TiePolicy::Html));
    }

    #[test]
    fn no_policy_takes_markdown_from_a_client_that_admits_nothing_else() {
        assert!(accept("text/markdown").prefers_markdown(TiePolicy::Html));
    }

    #[test]
    fn admitting_html_is_not_preferring_it() {
        assert!(accept("text/markdown, text/html;q=0.1").admits_html());
        assert!(accept("").admits_html());
        assert!(!accept("text/markdown").admits_html());
        assert!(!accept("text/html;q=0, text/*").admits_html());
    }

    #[test]
    fn no_field_that_prefers_markdown_is_left_unread() {
        let types = [
            "text/html",
            "TEXT/HTML",
            "Text/MarKdown",
            "text/x-markdown",
            "application/xhtml+xml",
            "text/*",
            "*/*",
        ];
        let weights = [
            "", ";q=0", "; Q=0.", ";q=0.000", ";q=0.05", ";q=0.8", ";q=1.0",
        ];
        let ranges: Vec<String> = types
            .iter()
            .flat_map(|name| weights.iter().map(move |weight| format!("{name}{weight}")))
            .collect();
        let mut preferring = 0;
        for first in &ranges {
            for second in &ranges {
                let mut headers = HeaderMap::new();
                headers.insert(ACCEPT, format!("{first},{second}").parse().unwrap());
                if Accept::parse(&headers).prefers_markdown(TiePolicy::Markdown) {
                    assert!(Accept::may_prefer_markdown(&headers), "{headers:?}");
                    preferring += 1;
                }
            }
        }
        assert!(preferring > 500, "{preferring}");
    }

    #[test]
    fn fields_of_browsers_are_not_read() {
        for value in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,\
             */*;q=0.8,application/signed-exchange;v=b3;q=0.7",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5",
            "*/*",
            "",
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, value.parse().unwrap())]);
            assert!(!Accept::may_prefer_markdown(&headers), "{value}");
        }
        assert!(!Accept::may_prefer_markdown(&HeaderMap::new()));
    }
}
