//! The pages, by groups.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

pub struct Group {
    pub name: String,
    pub pages: Vec<String>,
}

impl Group {
    pub fn bytes(&self) -> usize {
        self.pages.iter().map(String::len).sum()
    }
}

/// The pages that the benches of the crate use.
pub fn embedded() -> Group {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pages");
    Group {
        name: "embedded pages".into(),
        ..self::folder(&folder, usize::MAX)
    }
}

/// The documentation of the standard library, if the local toolchain has it.
pub fn standard_library(limit: usize) -> Option<Group> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    let std = Path::new(sysroot.trim()).join("share/doc/rust/html/std");
    std.is_dir().then(|| Group {
        name: "Rust standard library".into(),
        ..folder(&std, limit)
    })
}

/// All HTML files below a folder; of more than `limit` bytes, a sample spread evenly.
pub fn folder(folder: &Path, limit: usize) -> Group {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    let size = |p: &PathBuf| fs::metadata(p).map_or(0, |m| m.len() as usize);
    let step = paths.iter().map(size).sum::<usize>().div_ceil(limit).max(1);
    let pages = paths
        .iter()
        .step_by(step)
        .filter_map(|path| fs::read(path).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    Group {
        name: folder.display().to_string(),
        pages,
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|e| e == "html" || e == "htm") {
            paths.push(path);
        }
    }
}
