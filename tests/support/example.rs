//! An example of this crate as a program of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds an example with the features of this test, and gives its path.
pub(crate) fn program(name: &str) -> PathBuf {
    let features = [
        ("decompression", cfg!(feature = "decompression")),
        ("agents-md", cfg!(feature = "agents-md")),
        ("markway", cfg!(feature = "markway")),
        ("tracing", cfg!(feature = "tracing")),
        ("full", cfg!(feature = "full")),
    ];
    let features: Vec<_> = features
        .into_iter()
        .filter_map(|(name, on)| on.then_some(name))
        .collect();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the folder for tests is in that of the target");
    let mut build = Command::new(env!("CARGO"));
    build
        .args(["build", "--quiet", "--locked", "--example", name])
        .arg("--features")
        .arg(features.join(","))
        .arg("--manifest-path")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .arg("--target-dir")
        .arg(target);
    // What cargo tells a test of its package would be news to the build scripts of others, which would
    // be built again.
    for (name, _) in std::env::vars_os() {
        let told = [
            "CARGO_PKG_",
            "CARGO_MANIFEST_",
            "CARGO_CRATE_",
            "CARGO_BIN_",
        ];
        if name
            .to_str()
            .is_some_and(|n| told.iter().any(|t| n.starts_with(t)))
        {
            build.env_remove(name);
        }
    }
    let mut profile = "debug";
    if !cfg!(debug_assertions) {
        profile = "release";
        build.arg("--release");
    }
    let status = build.status().expect("cargo runs");
    assert!(status.success(), "{name} is built");
    target.join(profile).join("examples").join(name)
}
