//! What every file looks like.

use super::settle;
use super::tree::{File, files, rust_files};
use super::{rust, tree};

/// The most lines of a file that is not a test.
const LONGEST_FILE_LINES: usize = 600;

/// Other languages with comments.
const SCRIPTS: &[&str] = &["js", "mjs", "py", "sh", "sql", "toml", "ts", "yml"];

#[test]
fn every_rust_file_begins_by_saying_what_it_is_for() {
    let breaches: Vec<String> = rust_files()
        .iter()
        .filter(|file| !file.text().starts_with("//! "))
        .map(|file| format!("{}:1: begin with `//!` and one sentence: what the file is for", file.path))
        .collect();
    settle("a file says what it is for", &breaches);
}

#[test]
fn no_file_is_too_long_to_read() {
    let breaches: Vec<String> = rust_files()
        .iter()
        .filter(|file| !file.is_test())
        .map(|file| (file, file.text().lines().count()))
        .filter(|(_, count)| *count > LONGEST_FILE_LINES)
        .map(|(file, count)| {
            format!(
                "{}:{LONGEST_FILE_LINES}: {count} lines; split it along the headings of its documentation",
                file.path
            )
        })
        .collect();
    settle("a file has at most 600 lines; tests may have more", &breaches);
}

#[test]
fn nothing_unfinished_skipped_or_left_from_debugging() {
    let attributes = ["ignore", "should_panic"];
    let macros = ["todo", "unimplemented", "dbg"];
    let mut breaches = breaches_by_line(&rust_files(), |_, line| {
        if let Some(attribute) = attributes.iter().find(|attribute| has_attribute(&line.code, attribute)) {
            return Some(format!("#[{attribute}]: make the test run, and assert what it expects"));
        }
        if let Some(name) = macros.iter().find(|name| calls_macro(&line.code, name)) {
            return Some(format!("{name}!: finish it or take it out"));
        }
        note_to_oneself(&line.comment)
            .map(|word| format!("a {word} comment: do it now, or write down what is true today"))
    });
    let scripts = files().into_iter().filter(|file| SCRIPTS.iter().any(|kind| file.has_extension(kind)));
    for file in scripts.filter(|file| !file.is_test_data()) {
        for (index, line) in file.text().lines().enumerate() {
            let comment = ["//", "#", "--"].iter().find_map(|mark| line.split_once(mark));
            if let Some(word) = comment.and_then(|(_, comment)| note_to_oneself(comment)) {
                breaches.push(format!(
                    "{}:{}: a {word} comment: do it now, or take it out",
                    file.path,
                    index + 1
                ));
            }
        }
    }
    settle("what is committed is finished", &breaches);
}

#[test]
fn tests_wait_for_events_and_not_for_time() {
    // A benchmark lets time pass on purpose: it is what it measures in.
    let is_test = |file: &File| file.is_test() && !file.path.contains("/benches/");
    let tests: Vec<File> = rust_files().into_iter().filter(is_test).collect();
    let breaches = breaches_by_line(&tests, |_, line| {
        (rust::names(&line.code, "sleep") && !line.code.contains("fn sleep"))
            .then(|| "a sleep in a test: wait for what it waits for, or give the time as a value".to_owned())
    });
    settle("tests do not sleep", &breaches);
}

#[test]
fn white_space_is_plain() {
    let mut breaches = breaches_by_line(&rust_files(), |raw, line| {
        if line.code.contains('\t') || line.comment.contains('\t') {
            return Some("a tab: use spaces, and \\t in texts".to_owned());
        }
        (raw.ends_with([' ', '\t']) && !line.in_literal).then(|| "white space at the end: cut it".to_owned())
    });
    // Snapshots hold what a program printed.
    let others = files()
        .into_iter()
        .filter(|file| !file.is_rust() && !file.is_test_data() && !file.has_extension("snap"));
    for file in others {
        for (index, line) in file.text().lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                breaches.push(format!("{}:{}: white space at the end: cut it", file.path, index + 1));
            }
        }
    }
    settle("no tabs, no white space at the end of a line", &breaches);
}

#[test]
fn every_file_ends_with_a_line_break() {
    let breaches: Vec<String> = files()
        .iter()
        .filter(|file| !file.is_test_data() && !file.text().is_empty() && !file.text().ends_with('\n'))
        .map(|file| format!("{}:{}: end it with a line break", file.path, file.text().lines().count()))
        .collect();
    settle("a file ends with a line break", &breaches);
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    // Put together here, so that this file does not name them.
    let places = ["work", "root", "home", "Users"].map(|place| format!("/{place}/"));
    let mut breaches = Vec::new();
    for file in files() {
        for (index, line) in file.text().lines().enumerate() {
            if let Some(place) = places.iter().find(|place| names_place(line, place)) {
                breaches.push(format!(
                    "{}:{}: {place}…: use a path from the root of the project",
                    file.path,
                    index + 1
                ));
            }
        }
    }
    settle("no paths of one machine", &breaches);
}

#[test]
fn lock_files_name_no_mirror() {
    let mut breaches = Vec::new();
    for file in files() {
        let is_npm = file.path.ends_with("package-lock.json");
        let is_cargo = file.path.ends_with("Cargo.lock");
        for (index, line) in file.text().lines().enumerate() {
            let line = line.trim();
            if is_npm && line.starts_with("\"resolved\"") {
                breaches.push(format!(
                    "{}:{}: an address: set omit-lockfile-registry-resolved and lock again",
                    file.path,
                    index + 1
                ));
            }
            let public = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
            if is_cargo && line.starts_with("source = ") && line != public {
                breaches.push(format!("{}:{}: {line}: only crates.io is a source", file.path, index + 1));
            }
        }
    }
    assert!(!tree::read("Cargo.lock").is_empty(), "Cargo.lock is committed");
    settle("lock files name packages and not the places they came from", &breaches);
}

fn breaches_by_line(files: &[File], rule: impl Fn(&str, &rust::Line) -> Option<String>) -> Vec<String> {
    let mut breaches = Vec::new();
    for file in files {
        let text = file.text();
        for (index, (raw, line)) in text.lines().zip(rust::lines(&text)).enumerate() {
            if let Some(what) = rule(raw, &line) {
                breaches.push(format!("{}:{}: {what}", file.path, index + 1));
            }
        }
    }
    breaches
}

fn has_attribute(code: &str, name: &str) -> bool {
    code.split("#[").skip(1).any(|rest| {
        let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
        end.map_or(rest, |end| rest.get(..end).unwrap_or_default()) == name
    })
}

fn calls_macro(code: &str, name: &str) -> bool {
    rust::names(code, name) && code.contains(&format!("{name}!"))
}

/// The word with which a comment puts something off: at its start, or with a colon or a bracket behind it. A
/// comment that speaks *about* such notes, as the checks of pages do, quotes the word.
fn note_to_oneself(comment: &str) -> Option<&'static str> {
    ["TODO", "FIXME", "XXX", "HACK"].into_iter().find(|word| {
        let text = comment.trim_start_matches(['/', '!', '*', ' ']);
        text.starts_with(word) || text.contains(&format!("{word}:")) || text.contains(&format!("{word}("))
    })
}

fn names_place(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(start, _)| {
        let before = line.get(..start).and_then(|before| before.chars().next_back());
        // Behind a letter it is the middle of a relative path or of an address.
        !before
            .is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | '-' | '.' | '}' | '*'))
    })
}

#[test]
fn notes_to_oneself_are_told_from_sentences_about_them() {
    assert_eq!(note_to_oneself(" TODO later"), Some("TODO"));
    assert_eq!(note_to_oneself("/ FIXME"), Some("FIXME"));
    assert_eq!(note_to_oneself(" works, TODO: check"), Some("TODO"));
    assert_eq!(note_to_oneself(" \"TODO\" alone is a column of a board"), None);
    assert!(has_attribute("#[ignore = \"\"]", "ignore"));
    assert!(!has_attribute("#[ignored]", "ignore"));
}
