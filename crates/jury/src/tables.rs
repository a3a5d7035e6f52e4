//! Tables in TOML: those that come with the program, and the user's own in a folder beside `jury.toml`.

use std::fmt::Display;
use std::path::PathBuf;

use jury_core::toml_lines::line_at;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// The TOML files of a folder, in the order of their names; none when there is no such folder.
pub(crate) fn files(folder: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    paths.sort();
    paths
}

/// The name of a file without its ending.
pub(crate) fn name(path: &std::path::Path) -> Option<&str> {
    path.file_stem()?.to_str()
}

/// Reads a text that is shown under this name, and checks it; what is wrong has its line.
pub(crate) fn read<F: DeserializeOwned, T, E: Display>(
    text: &str,
    shown: &str,
    check: impl FnOnce(F) -> Result<T, E>,
) -> Result<T, Refusal> {
    let file: F = toml::from_str(text).map_err(|error| {
        let line = line_at(text, error.span().map_or(0, |span| span.start));
        let message = error.message().lines().next().unwrap_or_default().to_owned();
        Refusal::usage(format!("{shown} line {line}: {message}"))
    })?;
    check(file).map_err(|mistake| Refusal::usage(format!("{shown} {mistake}")))
}
