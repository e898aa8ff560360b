//! The `index.md` of a directory that has none.

use super::sandbox::{Sandbox, is_hidden, open_file};
use crate::convert::{Converter, Options};
use crate::markway::front_matter::FrontMatter;
use crate::markway::outline::Outline;
use crate::markway::{Address, Document, Index, Language};
use cap_std::fs::Dir;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

/// How much of each file is read to find its title and description, in bytes.
const HEAD: u64 = 16 * 1024;

/// The longest description, in characters.
const DESCRIPTION: usize = 160;

/// How many pages of a directory are read. Those after it are listed by their names.
const DESCRIBED: usize = 1_000;

/// What a directory has to list, in the order in which it is listed.
#[derive(Debug, Default)]
struct Entries {
    directories: BTreeSet<String>,
    markdown: BTreeSet<String>,
    html: BTreeSet<String>,
    /// Other files, which are not listed.
    others: BTreeSet<String>,
}

/// The index of the directory at `path`: its pages, and the directories below it. Hidden files,
/// files that are no pages and names that are not UTF-8 have no address and are left out.
pub(super) fn index_of(sandbox: &Sandbox, path: &Path, language: Language) -> io::Result<Index> {
    let directory = sandbox.directory(path)?;
    let entries = Entries::read(&directory)?;
    let mut describer = Describer { left: DESCRIBED };

    let fallback = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(match language {
            Language::Chinese => "目录",
            Language::English => "Contents",
        });
    let title = describer
        .directory(&directory)
        .title
        .unwrap_or_else(|| fallback.to_owned());
    let mut index = Index::new(title).in_language(language);
    for name in &entries.html {
        let description = describer.html(&directory, name).text(stem(name), language);
        index = index.row(entries.address_of_html(name), description);
    }
    for name in &entries.markdown {
        let description = describer
            .markdown(&directory, name)
            .text(stem(name), language);
        index = index.row(Address::beside(name), description);
    }
    for name in &entries.directories {
        let about = directory
            .open_dir(name)
            .map(|below| describer.directory(&below))
            .unwrap_or_default();
        let address = Address::beside(name).join("index.md");
        index = index.row(address, about.text(name, language));
    }
    Ok(index)
}

impl Entries {
    fn read(directory: &Dir) -> io::Result<Self> {
        let mut entries = Self::default();
        for entry in directory.entries()? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if is_hidden(name.as_bytes()) || name.contains(|c: char| c.is_control() || c == '\\') {
                continue;
            }
            // Follows links, so that one that leads out of the root is not listed.
            let Ok(metadata) = directory.metadata(&name) else {
                continue;
            };
            if metadata.is_dir() {
                entries.directories.insert(name);
            } else if metadata.is_file() && name.ends_with(".md") {
                // The index does not list itself.
                if name != "index.md" {
                    entries.markdown.insert(name);
                }
            } else if metadata.is_file() && name.ends_with(".html") {
                entries.html.insert(name);
            } else {
                entries.others.insert(name);
            }
        }
        Ok(entries)
    }

    /// `x.html` is `x.md`, unless that address already leads somewhere else.
    fn address_of_html(&self, name: &str) -> Address {
        let stem = stem(name);
        let markdown = format!("{stem}.md");
        let taken = stem == "index"
            || self.markdown.contains(&markdown)
            || self.directories.contains(stem)
            || self.others.contains(stem);
        Address::beside(&if taken {
            format!("{name}.md")
        } else {
            markdown
        })
    }
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".md")
        .or_else(|| name.strip_suffix(".html"))
        .unwrap_or(name)
}

/// What the head of a page says about it.
#[derive(Debug, Default)]
struct About {
    title: Option<String>,
    description: Option<String>,
}

impl About {
    /// A page in Markdown: its heading is its title, its first paragraph says what it is about.
    fn of_markdown(head: &str) -> Self {
        let page = Document::parse(head).map_or(head, |document| document.body());
        let matter = FrontMatter::read(page);
        let outline = Outline::read(&page[matter.end..], 1);
        let heading = outline
            .title
            .map(|title| title.text)
            .filter(|text| !text.is_empty());
        Self {
            title: heading.or(matter.title),
            description: matter.description.or(outline.lead),
        }
    }

    /// A page in HTML, converted: what its head says comes first, because the first heading and the
    /// first paragraph are often those of the whole site.
    fn of_html(markdown: &str) -> Self {
        let matter = FrontMatter::read(markdown);
        let heading = || {
            Outline::read(&markdown[matter.end..], 1)
                .title
                .map(|title| title.text)
        };
        Self {
            title: matter
                .title
                .clone()
                .or_else(heading)
                .filter(|text| !text.is_empty()),
            description: matter.description.clone(),
        }
    }

    /// One line for the table; `name` if nothing is known.
    fn text(self, name: &str, language: Language) -> String {
        let title = self.title.as_deref().unwrap_or(name);
        let line = match self.description {
            Some(description) if description != title => {
                format!("{title}{}{description}", language.colon())
            }
            _ => title.to_owned(),
        };
        let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
        match words.char_indices().nth(DESCRIPTION) {
            Some((end, _)) => format!("{}…", words[..end].trim_end()),
            None => words,
        }
    }
}

/// Reads the heads of pages, as many as it may.
#[derive(Debug)]
struct Describer {
    left: usize,
}

impl Describer {
    fn directory(&mut self, directory: &Dir) -> About {
        let about = self.markdown(directory, "index.md");
        if about.title.is_some() {
            about
        } else {
            self.html(directory, "index.html")
        }
    }

    fn markdown(&mut self, directory: &Dir, name: &str) -> About {
        let Some(head) = self.head(directory, name) else {
            return About::default();
        };
        About::of_markdown(&String::from_utf8_lossy(whole_characters(&head)))
    }

    fn html(&mut self, directory: &Dir, name: &str) -> About {
        let Some(head) = self.head(directory, name) else {
            return About::default();
        };
        let mut converter = Converter::new(Options::new());
        // Half a page that cannot be converted still has a beginning.
        let _ = converter.write(&head);
        let _ = converter.finish();
        About::of_html(&String::from_utf8_lossy(&converter.take()))
    }

    /// The first bytes of a file. A file that cannot be read is known by its name.
    fn head(&mut self, directory: &Dir, name: &str) -> Option<Vec<u8>> {
        self.left = self.left.checked_sub(1)?;
        let file = open_file(directory, Path::new(name)).ok()?;
        let mut head = Vec::new();
        file.take(HEAD).read_to_end(&mut head).ok()?;
        Some(head)
    }
}

/// `bytes` without a character that is cut off at their end.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}
