//! Which page a `.md` address stands for.

/// Translates between the paths of pages and their `.md` addresses. Paths are those of the request:
/// they begin with `/`, are percent-encoded, and have no query.
pub trait Mapping {
    /// The path of the page that an address stands for; `None` if it is no `.md` address.
    fn page(&self, address: &str) -> Option<String>;

    /// The `.md` address of a page; `None` if it has none.
    fn address(&self, page: &str) -> Option<String>;
}

/// The suffix `.md` behind the path of the page, and `index.md` for a directory.
///
/// | address | page |
/// |---|---|
/// | `/a/b.md` | `/a/b` |
/// | `/a/index.md` | `/a/` |
/// | `/x.html.md` | `/x.html` |
///
/// ```
/// use markdown_for_agents::md_suffix::{DefaultMapping, Mapping};
///
/// assert_eq!(DefaultMapping.page("/a/index.md").as_deref(), Some("/a/"));
/// assert_eq!(DefaultMapping.address("/a/b").as_deref(), Some("/a/b.md"));
/// assert_eq!(DefaultMapping.page("/a/b"), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DefaultMapping;

impl Mapping for DefaultMapping {
    fn page(&self, address: &str) -> Option<String> {
        let page = address.strip_suffix(".md")?;
        match page.rsplit_once('/')? {
            (_, "") => None,
            (directory, "index") => Some(format!("{directory}/")),
            _ => Some(page.to_owned()),
        }
    }

    fn address(&self, page: &str) -> Option<String> {
        if page.ends_with(".md") {
            return None;
        }
        Some(if page.ends_with('/') {
            format!("{page}index.md")
        } else {
            format!("{page}.md")
        })
    }
}

/// Whether a path that a mapping made can be asked for: absolute, below the root and nothing but a
/// path. Taking `.md` off `/...md` makes a dot segment that the client did not send.
pub(super) fn is_plain(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(['?', '#', '\\'])
        && path.split('/').all(|segment| {
            let segment = segment.to_ascii_lowercase();
            let encoded_slash = segment.contains("%2f") || segment.contains("%5c");
            !encoded_slash && !matches!(&*segment.replace("%2e", "."), "." | "..")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_pages_are_inverse() {
        for (address, page) in [
            ("/a/b.md", "/a/b"),
            ("/a/index.md", "/a/"),
            ("/index.md", "/"),
            ("/x.html.md", "/x.html"),
        ] {
            assert_eq!(DefaultMapping.page(address).as_deref(), Some(page));
            assert_eq!(DefaultMapping.address(page).as_deref(), Some(address));
        }
    }

    #[test]
    fn what_has_no_name_before_the_suffix_is_no_address() {
        for address in ["/.md", "/a/.md", "/a/b", "/a.mdx", "/a.md/", "/a.MD"] {
            assert_eq!(DefaultMapping.page(address), None, "{address}");
        }
        assert_eq!(DefaultMapping.address("/a.md"), None);
    }

    #[test]
    fn only_plain_paths_are_asked_for() {
        for path in ["/", "/a/b", "/a/..b", "/a/...", "/%41"] {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "",
            "a",
            "//host/a",
            "/a/..",
            "/./a",
            "/%2e%2E/a",
            "/a/.%2e",
            "/a%2F..",
            "/a%5cb",
            "/a?b",
            "/a#b",
            "/a\\b",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }
}
