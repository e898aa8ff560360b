//! What links and images point to: absolute addresses of schemes that an agent can follow.

use super::options::Options;
use super::rewrite::LinkRewriter;
use super::search;
use std::borrow::Cow;
use url::Url;

/// Resolves the addresses of one page (RFC 3986 §5, WHATWG URL).
#[derive(Debug)]
pub(super) struct Addresses {
    page: Option<Url>,
    /// From `<base href>`.
    base: Option<Url>,
    resolve: bool,
    any_scheme: bool,
    rewriter: Option<LinkRewriter>,
    /// Links to places on the page itself stay as they are.
    keep_places: bool,
}

/// Schemes that links keep.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

impl Addresses {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            page: None,
            base: None,
            resolve: options.resolves_links(),
            any_scheme: options.keeps_all_links(),
            rewriter: options.link_rewriter().cloned(),
            keep_places: options.link_rewriter().is_some() || options.link_list_columns().is_some(),
        }
    }

    /// The address of the page; one that is not absolute is ignored.
    pub(super) fn set_page(&mut self, url: &str) {
        self.page = Url::parse(url).ok();
    }

    pub(super) fn page(&self) -> Option<&Url> {
        self.page.as_ref()
    }

    /// The first `<base href>` counts (WHATWG HTML §4.2.3).
    pub(super) fn set_base(&mut self, href: &str) {
        if self.base.is_none() {
            self.base = match &self.page {
                Some(page) => page.join(href).ok(),
                None => Url::parse(href).ok(),
            }
            .filter(|base| matches!(base.scheme(), "http" | "https"));
        }
    }

    /// The address that a link points to, or `None` if it is not to be followed.
    pub(super) fn link<'a>(&self, href: &'a str) -> Option<Cow<'a, str>> {
        let address = self.resolve(href, |scheme| {
            self.any_scheme || SCHEMES.iter().any(|s| s.eq_ignore_ascii_case(scheme))
        })?;
        if self.keep_places && self.base.is_none() {
            let place = trimmed(href);
            if place.starts_with('#') {
                return Some(Cow::Borrowed(place));
            }
        }
        let Some(rewriter) = &self.rewriter else {
            return Some(address);
        };
        let is_absolute = scheme(&address)
            .is_some_and(|s| s.eq_ignore_ascii_case("http") || s.eq_ignore_ascii_case("https"));
        let rewritten = is_absolute.then(|| rewriter.rewrite(&address)).flatten();
        Some(rewritten.map_or(address, Cow::Owned))
    }

    /// The address of an image, which is not to be data of its own.
    pub(super) fn image<'a>(&self, src: &'a str) -> Option<Cow<'a, str>> {
        if trimmed(src).is_empty() && !self.any_scheme {
            return None;
        }
        self.resolve(src, |scheme| {
            self.any_scheme
                || scheme.eq_ignore_ascii_case("http")
                || scheme.eq_ignore_ascii_case("https")
        })
    }

    /// An absolute http(s) address for the front matter.
    pub(super) fn absolute(&self, href: &str) -> Option<String> {
        let base = self.base.as_ref().or(self.page.as_ref());
        let url = match base {
            Some(base) => base.join(href).ok()?,
            None => Url::parse(href).ok()?,
        };
        matches!(url.scheme(), "http" | "https").then(|| url.into())
    }

    fn resolve<'a>(&self, raw: &'a str, allowed: impl Fn(&str) -> bool) -> Option<Cow<'a, str>> {
        // "Remove any leading and trailing C0 control or space, all ASCII tab or newline."
        let trimmed = trimmed(raw);
        let mut clean = Cow::Borrowed(trimmed);
        // Most have no scheme, and no colon either.
        if search::contains_control_or(b':', trimmed.as_bytes()) {
            if trimmed.contains(['\t', '\n', '\r']) {
                clean = Cow::Owned(trimmed.replace(['\t', '\n', '\r'], ""));
            }
            if let Some(scheme) = scheme(&clean) {
                if !allowed(scheme) {
                    return None;
                }
                let special =
                    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
                // An absolute address stays as the page has it.
                if !special || clean[scheme.len() + 1..].starts_with("//") {
                    return Some(clean);
                }
            }
        }
        if !self.resolve {
            return Some(clean);
        }
        let Some(base) = self.base.as_ref().or(self.page.as_ref()) else {
            return Some(clean);
        };
        let url = base.join(&clean).ok()?;
        allowed(url.scheme()).then(|| Cow::Owned(url.into()))
    }
}

/// Without C0 controls and spaces at both ends. Most addresses have none.
fn trimmed(address: &str) -> &str {
    match address.as_bytes() {
        [first, .., last] if *first > b' ' && *last > b' ' => address,
        _ => address.trim_matches(|c| c <= ' '),
    }
}

/// The scheme of an absolute address (RFC 3986 §3.1).
fn scheme(address: &str) -> Option<&str> {
    let scheme = &address[..address.find(':')?];
    let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    valid.then_some(scheme)
}

/// The best image of a `srcset`: the last candidate, which by custom is the largest.
pub(super) fn srcset_candidate(srcset: &str) -> Option<&str> {
    let mut best = None;
    let mut rest = srcset;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return best;
        }
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        let url_only = url.trim_end_matches(',');
        if !url_only.is_empty() {
            best = Some(url_only);
        }
        rest = if url_only.len() < url.len() {
            after
        } else {
            // The descriptors reach to a comma outside of parentheses.
            let mut depth = 0_u32;
            let end = after
                .find(|c| {
                    match c {
                        '(' => depth += 1,
                        ')' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    c == ',' && depth == 0
                })
                .unwrap_or(after.len());
            &after[end..]
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(page: &str, base: Option<&str>) -> Addresses {
        let mut addresses = Addresses::new(&Options::new());
        addresses.set_page(page);
        if let Some(base) = base {
            addresses.set_base(base);
        }
        addresses
    }

    #[test]
    fn relative_addresses_become_absolute() {
        let a = addresses("https://example.com/docs/page?x=1", None);
        for (href, absolute) in [
            ("b", "https://example.com/docs/b"),
            ("/b", "https://example.com/b"),
            ("//cdn.test/c", "https://cdn.test/c"),
            ("#f", "https://example.com/docs/page?x=1#f"),
            ("", "https://example.com/docs/page?x=1"),
            ("https://example.com", "https://example.com"),
            ("https:/odd", "https://example.com/odd"),
            (" \n/a\tb ", "https://example.com/ab"),
        ] {
            assert_eq!(a.link(href).as_deref(), Some(absolute), "{href:?}");
        }
        let based = addresses("https://example.com/docs/page", Some("/v2/"));
        assert_eq!(based.link("b").as_deref(), Some("https://example.com/v2/b"));
    }

    #[test]
    fn only_schemes_to_follow_survive_in_any_disguise() {
        let a = addresses("https://example.com/", None);
        for href in [
            "javascript:x",
            "JavaScript:x",
            " java\tscript:x",
            "\u{1}javascript:x",
            "data:text/html,x",
            "vbscript:x",
            "file:///x",
        ] {
            assert_eq!(a.link(href), None, "{href:?}");
        }
        assert_eq!(
            a.link("MAILTO:a@b.test").as_deref(),
            Some("MAILTO:a@b.test")
        );
        assert_eq!(a.image("data:image/png;base64,AA"), None);
        assert_eq!(a.image(" "), None);
    }

    #[test]
    fn without_an_address_of_the_page_relative_ones_stay() {
        let a = Addresses::new(&Options::new());
        assert_eq!(a.link("a/b#c").as_deref(), Some("a/b#c"));
    }

    #[test]
    fn srcset_commas_inside_addresses_and_descriptors_are_no_ends() {
        assert_eq!(
            srcset_candidate("/p-1x.jpg?crop=1,2 1x, /p-2x.jpg 2x"),
            Some("/p-2x.jpg")
        );
        assert_eq!(srcset_candidate("a.jpg, b.jpg 2x (x,y)"), Some("b.jpg"));
        assert_eq!(srcset_candidate("  "), None);
    }
}
