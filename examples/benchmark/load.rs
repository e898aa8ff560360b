//! The pages to measure on.

use crate::pages::PAGES;
use bytes::Bytes;
use std::{fs, io, path::Path};

pub(crate) struct Corpus {
    pub(crate) name: String,
    pub(crate) pages: Vec<Bytes>,
}

pub(crate) fn embedded() -> Corpus {
    Corpus {
        name: "embedded pages".into(),
        pages: PAGES
            .iter()
            .map(|(_, page)| Bytes::from_static(page.as_bytes()))
            .collect(),
    }
}

/// All `.html` and `.htm` files below the folder.
pub(crate) fn folder(folder: &Path) -> io::Result<Corpus> {
    let mut pages = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html" || e == "htm") {
                pages.push(Bytes::from(fs::read(path)?));
            }
        }
    }
    if pages.is_empty() {
        let message = format!("no HTML files below {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(Corpus {
        name: folder.display().to_string(),
        pages,
    })
}

/// The page of median length.
pub(crate) fn typical(corpus: &Corpus) -> Bytes {
    let mut pages: Vec<&Bytes> = corpus.pages.iter().collect();
    pages.sort_by_key(|page| page.len());
    pages[pages.len() / 2].clone()
}
