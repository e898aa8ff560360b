//! Tables of addresses: what an `index.md` consists of.

use super::{Address, Language, escape};
use std::fmt;

/// A table of addresses under a title, as the body of an `index.md` or of any other page.
///
/// [`Display`](fmt::Display) writes it. The preamble is not part of it: see
/// [`Site::answer`](super::Site::answer).
///
/// ```
/// use markdown_for_agents::markway::{Index, Language};
///
/// let index = Index::new("Documentation")
///     .in_language(Language::English)
///     .row("./getting-started.md".parse()?, "Install | configure")
///     .row("https://example.org/docs.md".parse()?, "Somebody else's *view*");
/// assert_eq!(
///     index.to_string(),
///     "# Documentation\n\
///      \n\
///      | Address | Description |\n\
///      |------|------|\n\
///      | ./getting-started.md | Install \\| configure |\n\
///      | https://example.org/docs.md | Somebody else's \\*view\\* |\n",
/// );
/// # Ok::<(), markdown_for_agents::markway::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    title: String,
    language: Language,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    address: Address,
    name: Option<String>,
    description: String,
}

impl Index {
    /// An empty table under the title `title`, which is plain text. Without a title only the table
    /// is written.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            language: Language::default(),
            rows: Vec::new(),
        }
    }

    /// The language of the column names.
    ///
    /// ### Default
    ///
    /// [`Language::Chinese`]
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Adds a row. The description is plain text: what Markdown would read as markup is escaped.
    #[must_use]
    pub fn row(mut self, address: Address, description: impl Into<String>) -> Self {
        self.rows.push(Row {
            address,
            name: None,
            description: description.into(),
        });
        self
    }

    /// Adds a row with a name, which brings the optional column of names.
    #[must_use]
    pub fn named_row(
        mut self,
        address: Address,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        self.rows.push(Row {
            address,
            name: Some(name.into()),
            description: description.into(),
        });
        self
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        if !title.is_empty() {
            writeln!(f, "# {}\n", escape::heading(&title))?;
        }
        let (address, description) = (self.language.address(), self.language.description());
        if self.rows.iter().any(|row| row.name.is_some()) {
            writeln!(
                f,
                "| {address} | {} | {description} |\n|------|------|------|",
                self.language.name()
            )?;
            for Row {
                address,
                name,
                description,
            } in &self.rows
            {
                let name = name.as_deref().unwrap_or_default();
                writeln!(
                    f,
                    "| {address} | {} | {} |",
                    escape::cell(name),
                    escape::cell(description)
                )?;
            }
        } else {
            writeln!(f, "| {address} | {description} |\n|------|------|")?;
            for Row {
                address,
                description,
                ..
            } in &self.rows
            {
                writeln!(f, "| {address} | {} |", escape::cell(description))?;
            }
        }
        Ok(())
    }
}

impl Extend<(Address, String)> for Index {
    fn extend<I: IntoIterator<Item = (Address, String)>>(&mut self, rows: I) {
        self.rows
            .extend(rows.into_iter().map(|(address, description)| Row {
                address,
                name: None,
                description,
            }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_the_specification_is_written_byte_for_byte() {
        let index = Index::new("文档目录")
            .row(
                "./getting-started.md".parse().unwrap(),
                "快速开始：安装与基础配置，帮助新用户入门",
            )
            .row(
                "https://example.com/docs.md".parse().unwrap(),
                "外部文档：第三方参考资料，扩展阅读",
            )
            .row(
                "./api/index.md".parse().unwrap(),
                "API 参考：接口文档索引，查看所有 API 说明",
            );
        assert_eq!(
            index.to_string(),
            "# 文档目录\n\n| 地址 | 说明 |\n|------|------|\n\
             | ./getting-started.md | 快速开始：安装与基础配置，帮助新用户入门 |\n\
             | https://example.com/docs.md | 外部文档：第三方参考资料，扩展阅读 |\n\
             | ./api/index.md | API 参考：接口文档索引，查看所有 API 说明 |\n"
        );
    }

    #[test]
    fn one_name_brings_the_column_of_names() {
        let index = Index::new("").row("/a.md".parse().unwrap(), "A").named_row(
            "/b.md".parse().unwrap(),
            "b|b",
            "B\nB",
        );
        assert_eq!(
            index.to_string(),
            "| 地址 | 名称 | 说明 |\n|------|------|------|\n| /a.md |  | A |\n| /b.md | b\\|b | B<br>B |\n"
        );
    }

    #[test]
    fn a_title_stays_one_heading_whatever_it_is() {
        for (title, heading) in [
            ("a\n# b", "# a # b"),
            ("C #", "# C \\#"),
            ("*x*", "# \\*x\\*"),
            ("1. x", "# 1. x"),
        ] {
            assert!(
                Index::new(title)
                    .to_string()
                    .starts_with(&format!("{heading}\n\n")),
                "{title:?}"
            );
        }
    }
}
