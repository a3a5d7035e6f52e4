//! The content pipeline on the command line, without a model: from documents to an approved draft, and with a person.

mod evidence;
mod quality;
mod run;

use std::path::Path;

use crate::harness::{Context, repository};

/// A folder with the example idea and drafts for it.
pub(crate) fn workplace() -> Context {
    let cx = Context::new();
    copy(&repository().join("examples/ideas"), &cx.path("ideas"));
    copy(&repository().join("examples/drafts"), &cx.path("drafts"));
    cx
}

pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
