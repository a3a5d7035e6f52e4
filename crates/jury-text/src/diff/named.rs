//! The files that a prompt names, and what it says of each: that it is worked on, that it goes away, that it stays as it is.
//! What it only speaks of (`as in docs/prices.md`, `when config.json is missing`) binds nobody.

use super::path::{FileKind, is_text, last_ending};
use super::{Diff, File, FileStatus};

/// What a prompt says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// It is to be worked on.
    Worked,
    /// It is to go away.
    Gone,
    /// It is to stay as it is.
    Kept,
}

/// Words that change a file, after which its name stands.
const VERBS: &[&str] = &[
    "add",
    "adjust",
    "amend",
    "build",
    "change",
    "clean",
    "complete",
    "convert",
    "correct",
    "create",
    "document",
    "edit",
    "extend",
    "extract",
    "finish",
    "fix",
    "format",
    "give",
    "implement",
    "improve",
    "make",
    "migrate",
    "modify",
    "move",
    "optimise",
    "optimize",
    "patch",
    "port",
    "refactor",
    "rename",
    "reorder",
    "repair",
    "replace",
    "restructure",
    "rewrite",
    "simplify",
    "sort",
    "split",
    "translate",
    "update",
    "write",
    "delete",
    "remove",
    "drop",
    "touch",
    "alter",
    "test",
];

/// Words between a verb and the place of the work.
const PLACES: &[&str] = &["in", "into", "inside", "within", "to", "at", "on", "under"];

/// Words that begin what is only spoken of.
const SUBORDINATE: &[&str] = &[
    "when",
    "if",
    "that",
    "which",
    "because",
    "since",
    "after",
    "before",
    "while",
    "where",
    "whose",
    "as",
    "like",
    "see",
    "per",
    "than",
    "against",
    "following",
    "according",
    "from",
    "using",
    "via",
    "with",
    "by",
    "described",
    "documented",
    "defined",
    "specified",
    "listed",
    "mentioned",
    "shown",
    "explained",
    "read",
    "reads",
    "reading",
    "loads",
    "load",
    "imports",
    "run",
    "running",
    "runs",
    "uses",
    "use",
    "parses",
    "called",
    "names",
    "named",
    "behind",
    "should",
    "must",
    "may",
    "can",
    "could",
    "would",
    "is",
    "are",
    "says",
];

/// Words that stand between a verb and a name and change nothing.
const FILLERS: &[&str] = &[
    "the", "file", "files", "our", "this", "whole", "existing", "new", "a", "an", "anything", "any", "all",
    "of", "code", "contents", "itself",
];

/// The files that a prompt names, with what it wishes of them.
pub(super) fn named(prompt: &str) -> Vec<(String, Wish)> {
    let mut found: Vec<(String, Wish)> = Vec::new();
    // The words of the clause so far, and the wish of the file before, which a list goes on with.
    let mut clause: Vec<String> = Vec::new();
    let mut before: Option<Wish> = None;
    let tokens: Vec<&str> = prompt.split_whitespace().collect();
    for (at, token) in tokens.iter().enumerate() {
        let word = trimmed(token);
        if is_file(word) {
            let behind: Vec<String> = tokens.iter().skip(at + 1).take(4).map(|word| plain(word)).collect();
            let wish = wish(&clause, &behind, before, token.ends_with(':') && at == 0);
            if let Some(wish) = wish {
                found.push((word.trim_start_matches("./").to_owned(), wish));
            }
            before = wish;
        } else {
            let plain = plain(token);
            let joins = ["and", "or", "nor", "the", ""].contains(&plain.as_str());
            before = before.filter(|_| joins);
            clause.push(plain);
        }
        if token.ends_with(['.', ';', '!', '?', ':']) || token.ends_with("),") {
            clause.clear();
            before = None;
        }
    }
    found
}

fn wish(clause: &[String], behind: &[String], before: Option<Wish>, begins: bool) -> Option<Wish> {
    let says = |words: &[&str], from: &[String]| from.iter().any(|word| words.contains(&word.as_str()));
    let behind_is = |words: &[&str]| behind.iter().take(3).any(|word| words.contains(&word.as_str()));
    let negated =
        says(&["not", "never", "don't", "dont", "without", "nothing", "mustn't", "shouldn't"], clause);
    let direct = clause
        .iter()
        .rev()
        .find(|word| !FILLERS.contains(&word.as_str()) && !PLACES.contains(&word.as_str()));
    let verb = direct.map(|word| stem(word)).unwrap_or_default();
    if negated && VERBS.contains(&verb.as_str()) {
        return Some(Wish::Kept);
    }
    // `leave a.rs as it is`, `a.rs stays as it is`, `a.rs must not change`
    let left = matches!(verb.as_str(), "leave" | "keep")
        && behind_is(&["as", "alone", "unchanged", "untouched", "intact"]);
    let first = |index: usize| behind.get(index).map_or("", String::as_str);
    let changed =
        |word: &str| matches!(word, "change" | "changed" | "touched" | "modified" | "edited" | "altered");
    let stays = matches!(first(0), "stays" | "remains" | "stay" | "remain")
        && behind_is(&["as", "unchanged", "untouched", "alone", "intact"])
        || first(1) == "not" && (changed(first(2)) || first(2) == "be" && changed(first(3)));
    if left || stays {
        return Some(Wish::Kept);
    }
    if let Some(before) = before {
        return Some(before);
    }
    if negated {
        return None;
    }
    if matches!(verb.as_str(), "delete" | "remove" | "drop")
        && clause.last().is_some_and(|last| !PLACES.contains(&last.as_str()))
    {
        // `remove a.rs from the build` leaves the file.
        return (!behind_is(&["from", "in"])).then_some(Wish::Gone);
    }
    if begins {
        return Some(Wish::Worked);
    }
    let placed = clause
        .iter()
        .rev()
        .find(|word| !FILLERS.contains(&word.as_str()))
        .is_some_and(|word| PLACES.contains(&word.as_str()) || VERBS.contains(&stem(word).as_str()));
    let commands = clause.iter().take(2).any(|word| VERBS.contains(&word.as_str()))
        || clause.iter().any(|word| word == "and" || word == "then");
    let verbs = clause.iter().any(|word| VERBS.contains(&word.as_str()));
    (placed && verbs && commands && !says(SUBORDINATE, clause)).then_some(Wish::Worked)
}

/// A verb without the endings that make it another form of itself.
fn stem(word: &str) -> String {
    for ending in ["ing", "ed"] {
        if let Some(stem) = word.strip_suffix(ending) {
            let whole = [stem.to_owned(), format!("{stem}e")];
            if let Some(known) = whole.into_iter().find(|stem| VERBS.contains(&stem.as_str())) {
                return known;
            }
        }
    }
    word.to_owned()
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/' | '.' | '-'))
        .trim_end_matches(['.', '/', '-'])
}

/// It is called like a file that somebody writes.
fn is_file(word: &str) -> bool {
    if word.contains("://") || word.contains('*') || word.len() < 4 {
        return false;
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    // `Node.js` is no file, and `process.env` is none either.
    let product = !word.contains('/') && ending == "js" && stem.starts_with(|c: char| c.is_ascii_uppercase());
    let short = ending.len() < 2 && !matches!(ending, "c" | "h");
    let known = is_text(word) || FileKind::of(word) == FileKind::Document;
    !stem.is_empty()
        && ending.bytes().all(|byte| byte.is_ascii_lowercase())
        && known
        && !product
        && !short
        && ending != "env"
}

/// The change touches the file: by its name, or by a test of it, or by the same in another language.
pub(super) fn touches(file: &File, named: &str) -> bool {
    [&file.old_path, &file.new_path]
        .into_iter()
        .flatten()
        .any(|path| is_same(path, named) || is_akin(path, named))
}

/// The path is the one that is named, from the root or from a folder.
pub(super) fn is_same(path: &str, named: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|front| front.is_empty() || front.ends_with('/'))
    };
    ends(path, named) || ends(named, path)
}

fn is_akin(path: &str, named: &str) -> bool {
    let general = ["index", "mod", "main", "lib", "init", "readme", "changelog", "setup", "app", "config"];
    let (one, other) = (bare(path), bare(named));
    !one.is_empty()
        && one == other
        && (!general.contains(&one.as_str()) || last_ending(path) == last_ending(named))
        && !is_prose(named)
}

fn is_prose(path: &str) -> bool {
    FileKind::of(path) == FileKind::Document
}

/// The name without its ending, and without what makes it a test.
fn bare(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    let mut stem: String = stem.chars().filter(|c| c.is_alphanumeric()).collect();
    for word in ["tests", "test", "specs", "spec"] {
        if let Some(rest) = stem.strip_suffix(word).or_else(|| stem.strip_prefix(word)) {
            stem = rest.to_owned();
        }
    }
    stem
}

/// What the prompt wishes of files, and the change does not do: a sentence.
pub(super) fn unmet(diff: &Diff, prompt: &str) -> Option<String> {
    let named = named(prompt);
    let mut untouched: Vec<&str> = Vec::new();
    for (path, wish) in &named {
        let met = match wish {
            Wish::Worked => diff.files.iter().any(|file| touches(file, path)),
            Wish::Gone => diff.files.iter().any(|file| {
                let old = file.old_path.as_deref().is_some_and(|old| is_same(old, path));
                old && matches!(file.status, FileStatus::Deleted | FileStatus::Renamed)
            }),
            Wish::Kept => true,
        };
        if !met && !untouched.contains(&path.as_str()) {
            untouched.push(path);
        }
    }
    let first = untouched.first()?;
    let more = untouched.len() - 1;
    let and_more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let gone = named.iter().any(|(path, wish)| path == first && *wish == Wish::Gone);
    Some(if gone {
        format!(
            "the prompt says that {first} goes away{and_more}, and the change leaves it there; let a model judge it (--agent)"
        )
    } else {
        format!(
            "the prompt names {first}{and_more}, which the change does not touch; let a model judge whether all is done (--agent)"
        )
    })
}
