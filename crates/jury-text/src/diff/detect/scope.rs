//! Files that the prompt does not speak of. Only a prompt that names files or folders draws a line, and only a file of the
//! product that has nothing in common with it lies outside.

use jury_core::severity::Severity;
use std::collections::HashSet;

use super::super::code::is_word;
use super::super::named::{Wish, is_same, named};
use super::super::path::{FileKind, is_manifest};
use super::subject::{Subject, of_file};
use super::{Detector, DiffEvidence};

pub(super) fn outside(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let mut found = kept(subject);
    found.extend(far(subject));
    found
}

/// Files that the prompt says are to stay as they are.
fn kept(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let wishes = named(subject.prompt);
    let is_kept = |path: &str| {
        let mut own = wishes.iter().filter(|(named, _)| is_same(path, named)).peekable();
        own.peek().is_some() && own.all(|(_, wish)| *wish == Wish::Kept)
    };
    let changed = subject
        .diff
        .files
        .iter()
        .filter(|file| [&file.old_path, &file.new_path].into_iter().flatten().any(|path| is_kept(path)));
    changed
        .map(|file| {
            let text = "the prompt says that this file stays as it is, and it is changed";
            of_file(Detector::OutsidePrompt, Severity::Serious, file.path(), text)
        })
        .collect()
}

/// Files that have nothing in common with those that the prompt names.
fn far(subject: &Subject<'_>) -> Vec<DiffEvidence> {
    let named: Vec<&str> =
        subject.prompt.split_whitespace().map(trimmed).filter(|word| is_path(word)).collect();
    if named.is_empty() {
        return Vec::new();
    }
    let told: HashSet<String> = subject.prompt.split(|c: char| !c.is_alphanumeric()).map(stem).collect();
    let folders: HashSet<&str> = named.iter().filter_map(|path| folder(path)).collect();
    let is_near = |path: &str| {
        let near = folder(path).is_some_and(|folder| folders.contains(folder));
        let common = [
            "src", "lib", "app", "main", "index", "mod", "crates", "packages", "internal", "java", "com",
            "org",
        ];
        let mut said = path
            .split('/')
            .map(|part| part.split('.').next().unwrap_or(part))
            .flat_map(|part| part.split(|c: char| !c.is_alphanumeric()))
            .flat_map(humps)
            .filter(|word| word.len() > 2 && !common.contains(&word.as_str()))
            .map(|word| stem(&word));
        near || named.iter().any(|named| path.ends_with(named) || path.starts_with(named))
            || said.any(|word| told.contains(&word))
    };
    let paths = || subject.diff.files.iter().map(|file| (file.path(), file.kind()));
    // A prompt whose files are not touched says too little to judge by.
    if !paths().any(|(path, _)| is_near(path)) {
        return Vec::new();
    }
    let counted = |path: &str, kind: FileKind| {
        let hidden = path.starts_with('.') && !path.starts_with(".github/");
        kind == FileKind::Source && !is_manifest(path) && !hidden && path.contains('/')
    };
    paths()
        .filter(|(path, kind)| counted(path, *kind) && !is_near(path))
        .map(|(path, _)| {
            let text = "the prompt names other files, and this one has nothing in common with it";
            of_file(Detector::OutsidePrompt, Severity::Minor, path, text)
        })
        .collect()
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !is_word(c) && c != '/' && c != '.').trim_end_matches(['.', '/'])
}

/// Looks like a path: a folder, or a name with an ending.
fn is_path(word: &str) -> bool {
    if word.contains("://") || word.len() < 4 {
        return false;
    }
    let ending = word.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.is_empty()
            && (1..=4).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_lowercase())
    });
    ending || word.matches('/').count() >= 1 && word.split('/').all(|part| part.len() > 1)
}

fn folder(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

/// The words of a name in camel case.
fn humps(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        if character.is_uppercase() && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    words
}

/// A word without the endings that make it another form of itself.
fn stem(word: &str) -> String {
    let lower = word.to_lowercase();
    for ending in ["ing", "es", "s", "ed", "er"] {
        if let Some(stem) = lower.strip_suffix(ending)
            && stem.len() > 3
        {
            return stem.to_owned();
        }
    }
    lower
}
