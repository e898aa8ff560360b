//! Pages of the kinds that converters meet, written for this purpose.

/// Each page with the name of its kind.
pub(crate) const PAGES: [(&str, &str); 6] = [
    ("article", include_str!("article.html")),
    ("api-docs", include_str!("api-docs.html")),
    ("tables", include_str!("tables.html")),
    ("code", include_str!("code.html")),
    ("lists", include_str!("lists.html")),
    ("scripts", include_str!("scripts.html")),
];
