//! Front matter before a page: what MarkWay answers do not have, and where a page's title and
//! description may stand.

/// A page without its front matter, and what the front matter says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FrontMatter {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    /// Where the page itself begins.
    pub(super) end: usize,
}

impl FrontMatter {
    /// Reads the front matter at the very beginning of `text`: lines between `---` and `---`. None
    /// of it is lost if the second `---` is missing: then it is part of the page.
    pub(super) fn read(text: &str) -> Self {
        let mut matter = Self::default();
        let mut at = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            at += line.len();
            let line = line.trim_end();
            match (number, line) {
                (0, "---") => {}
                (0, _) => return Self::default(),
                (_, "---" | "...") => {
                    // The page begins with its first line that is not empty.
                    let page = text[at..].trim_start_matches(['\n', '\r']);
                    return Self {
                        end: text.len() - page.len(),
                        ..matter
                    };
                }
                _ => {
                    if let Some((key, value)) = line.split_once(':') {
                        match key {
                            "title" => matter.title = scalar(value),
                            "description" => matter.description = scalar(value),
                            _ => {}
                        }
                    }
                }
            }
        }
        Self::default()
    }
}

/// The text of a YAML scalar on one line. Scalars that go on in further lines are none of ours.
fn scalar(value: &str) -> Option<String> {
    let value = value.trim();
    let text = match value.as_bytes().first()? {
        // A double-quoted scalar that writers of front matter produce is a JSON string.
        b'"' => serde_json::from_str(value).ok()?,
        b'\'' => value
            .strip_prefix('\'')?
            .strip_suffix('\'')?
            .replace("''", "'"),
        b'|' | b'>' | b'&' | b'*' | b'!' | b'[' | b'{' => return None,
        _ => value
            .split(" #")
            .next()
            .unwrap_or_default()
            .trim_end()
            .to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_and_description_are_read_in_every_quoting() {
        for (value, expected) in [
            ("Plain: with colon", Some("Plain: with colon")),
            (
                "\"Double \\\"quoted\\\" \\u4e2d\"",
                Some("Double \"quoted\" 中"),
            ),
            ("'Single ''quoted'''", Some("Single 'quoted'")),
            ("Plain # comment", Some("Plain")),
            ("", None),
            ("''", None),
            ("|", None),
            ("\"broken", None),
        ] {
            let text = format!("---\ntitle: {value}\nother: x\n---\n\n# Page\n");
            let matter = FrontMatter::read(&text);
            assert_eq!(matter.title.as_deref(), expected, "{value}");
            assert_eq!(&text[matter.end..], "# Page\n");
        }
    }

    #[test]
    fn what_is_no_front_matter_stays_in_the_page() {
        for text in [
            "",
            "# Page\n",
            "---\n",
            "---\ntitle: x\n\n# Page\n",
            "----\ntitle: x\n---\n",
            "\n---\ntitle: x\n---\n",
        ] {
            assert_eq!(FrontMatter::read(text), FrontMatter::default(), "{text:?}");
        }
        let crlf = "---\r\ntitle: x\r\n---\r\n\r\nPage";
        assert_eq!(&crlf[FrontMatter::read(crlf).end..], "Page");
    }
}
