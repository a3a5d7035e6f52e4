//! The files of the project: everything but what is built, installed or left by a run.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold no source, by name.
const SKIPPED: &[&str] = &[".git", ".od", "demo", "node_modules", "target"];

/// A file by its path from the root, with `/` between its parts.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: String,
    bytes: Vec<u8>,
}

impl File {
    /// The file as text, wherever it is some.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub(super) fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    pub(super) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }

    /// Transcripts of agents and inputs of the fuzzer: data that is meant to be odd.
    pub(super) fn is_test_data(&self) -> bool {
        self.path.contains("/fixtures/")
            || self.path.starts_with("fuzz/corpus/")
            || self.path.starts_with("redteam/")
            || self.path.contains("/tests/recorded/")
            || self.path.contains("/tests/documents/")
            || self.path.contains("/tests/diffs/")
            || self.is_picture()
    }

    /// Not text at all.
    fn is_picture(&self) -> bool {
        self.has_extension("webp") || self.has_extension("png")
    }

    /// Tests and benchmarks, by their place.
    pub(super) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.contains("/benches/") || self.path.ends_with("/tests.rs")
    }

    /// The crate it belongs to.
    pub(super) fn crate_name(&self) -> Option<&str> {
        self.path.strip_prefix("crates/")?.split('/').next()
    }
}

/// The root of the project.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file, in the order of their paths.
pub(super) fn files() -> Vec<File> {
    let mut files = Vec::new();
    collect(&root(), "", &mut files);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(files.len() > 100, "only {} files found below {}", files.len(), root().display());
    files
}

/// Every file of Rust.
pub(super) fn rust_files() -> Vec<File> {
    files().into_iter().filter(File::is_rust).collect()
}

/// One file as text; empty when there is none.
pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).expect("a folder of the project can be read") {
        let entry = entry.expect("an entry of a folder can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().expect("an entry of a folder has a type");
        if kind.is_dir() {
            if !SKIPPED.contains(&name.as_str()) && path != "fuzz/artifacts" {
                collect(&entry.path(), &format!("{path}/"), files);
            }
        // In a linked work tree, `.git` is a file.
        } else if kind.is_file() && name != ".git" && !name.ends_with(".snap.new") {
            // A file that others remove while the tests run is no file of the project.
            if let Ok(bytes) = fs::read(entry.path()) {
                files.push(File { path, bytes });
            }
        }
    }
}
