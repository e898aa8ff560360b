//! The protocol document: what an agent reads to learn how to browse the site.

use super::{Language, Mode, Site};

const ENGLISH: &str = include_str!("protocol/en.md");
const CHINESE: &str = include_str!("protocol/zh.md");

impl Site {
    /// The answer at the address of the protocol document: the preamble, and the whole protocol in
    /// the language of the site, with what holds for this site first.
    ///
    /// ```
    /// use markdown_for_agents::markway::{Language, Site, check};
    ///
    /// let site = Site::dynamic("https://example.com".parse()?).in_language(Language::English);
    /// let document = site.protocol_document();
    /// assert!(document.starts_with(&site.preamble()));
    /// assert!(document.contains("This site is dynamic. Its root is `https://example.com/`."));
    /// assert_eq!(check(&document), []);
    /// # Ok::<(), markdown_for_agents::markway::BaseUrlError>(())
    /// ```
    #[must_use]
    pub fn protocol_document(&self) -> String {
        let text = match self.language() {
            Language::English => ENGLISH,
            Language::Chinese => CHINESE,
        };
        let text = text
            .replace("{this_site}", &self.this_site())
            .replace("{protocol_url}", &self.protocol_url())
            .replace("{base_url}", self.base_url().as_str());
        self.answer(&text)
    }

    fn this_site(&self) -> String {
        let base = self.base_url();
        let root = format!("{base}{}", self.mode().root_path());
        match (self.language(), self.mode()) {
            (Language::English, Mode::Static) => {
                format!("This site is static. Its root is `{root}`. Its base URL is `{base}`.")
            }
            (Language::English, Mode::Dynamic) => {
                format!("This site is dynamic. Its root is `{root}`. Its base URL is `{base}`.")
            }
            (Language::Chinese, Mode::Static) => {
                format!("本站是静态站点，根是 `{root}`，baseURL 是 `{base}`。")
            }
            (Language::Chinese, Mode::Dynamic) => {
                format!("本站是动态站点，根是 `{root}`，baseURL 是 `{base}`。")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markway::{Document, check};

    #[test]
    fn the_document_keeps_the_protocol_that_it_explains() {
        for language in Language::ALL {
            for site in [
                Site::static_site("https://example.com/docs".parse().unwrap()),
                Site::dynamic("http://127.0.0.1:3000".parse().unwrap()),
            ] {
                let site = site.in_language(language);
                let answer = site.protocol_document();
                assert_eq!(check(&answer), [], "{site:?}");
                assert!(
                    !answer.contains("{base_url}")
                        && !answer.contains("{protocol_url}")
                        && !answer.contains("{this_site}")
                );
                let document = Document::parse(&answer).unwrap();
                assert_eq!(document.mode(), Some(site.mode()));
                assert_eq!(document.language(), Some(language));
                assert_eq!(document.base_url(), site.base_url());
            }
        }
    }

    #[test]
    fn the_example_in_the_document_is_itself_a_right_answer() {
        for language in Language::ALL {
            let site =
                Site::static_site("https://example.com".parse().unwrap()).in_language(language);
            let text = site.protocol_document();
            let example = text
                .split("```markdown\n")
                .nth(1)
                .unwrap()
                .split("```")
                .next()
                .unwrap();
            assert_eq!(check(example), [], "{example}");
        }
    }

    #[test]
    fn both_languages_say_the_same_in_the_same_order() {
        let shape = |text: &str| {
            let marks: Vec<_> = text
                .lines()
                .filter(|line| {
                    line.starts_with(['#', '-', '|', '`'])
                        || line.starts_with(|c: char| c.is_ascii_digit())
                })
                .map(|line| {
                    line.split(|c: char| !matches!(c, '#' | '-' | '|' | '`'))
                        .next()
                        .unwrap()
                        .to_owned()
                })
                .collect();
            marks
        };
        assert_eq!(shape(ENGLISH), shape(CHINESE));
    }
}
