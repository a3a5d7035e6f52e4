//! What was asked for by name and is not in the change: a file, a flag, a function, tests.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence, of_file};
use super::super::path::FileKind;
use super::Look;

pub(super) fn requests(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    if look.prompt.trim().is_empty() || look.change.files.is_empty() {
        return found;
    }
    let mut miss =
        |text: String| found.push(of_file(Detector::PromptMissed, Severity::Serious, "(prompt)", text));
    let lower = look.prompt.to_lowercase();
    let wants_tests = [
        "add tests",
        "add a test",
        "with tests",
        "with a test",
        "add unit test",
        "write tests",
        "write a test",
        "regression test",
        "include tests",
        "add test",
        "and test it",
        "cover it with",
        "test for it",
        "tests for it",
        "and tests",
        "plus tests",
        "new tests",
    ]
    .iter()
    .any(|word| lower.contains(word));
    let refused = ["no tests", "without tests", "don't add tests", "do not add tests"]
        .iter()
        .any(|word| lower.contains(word));
    let tested = look.change.files.iter().any(|file| {
        (file.test || file.new.program.tests().next().is_some()) && file.new.changed().next().is_some()
    });
    if wants_tests && !refused && !tested {
        miss("tests were asked for, and no test is in the change".to_owned());
    }
    let product: Vec<&str> = look.change.files.iter().map(|file| file.path).collect();
    let paths = paths(look.prompt);
    // All that changed is elsewhere: one of many files may be named for other reasons.
    let touched = |path: &str| product.iter().any(|own| own.ends_with(path) || path.ends_with(own));
    if let Some(first) = paths.first()
        && !paths.iter().any(|path| touched(path))
        && look.change.files.iter().all(|file| {
            matches!(file.kind, FileKind::Document)
                || file.path.rsplit('/').next() != first.rsplit('/').next()
        })
    {
        miss(format!("{first} was asked for, and the change does not touch it"));
    }
    let documents = look.change.files.iter().all(|file| file.kind == FileKind::Document);
    let about_documents = [
        "doc",
        "readme",
        "changelog",
        "guide",
        "comment",
        "typo",
        "wording",
        "text",
        "license",
        ".md",
        "page",
        "translat",
        "spelling",
        "badge",
        "link",
    ]
    .iter()
    .any(|word| lower.contains(word));
    let code = [
        "fix ",
        "bug",
        "implement",
        "function",
        "crash",
        "tests",
        "()",
        ".py",
        ".rs",
        ".ts",
        ".js",
        ".go",
        ".sh",
        ".rb",
        ".c:",
        "method",
        "raise",
        "return",
    ]
    .iter()
    .any(|word| lower.contains(word));
    if documents && code && !about_documents && look.prompt.split_whitespace().count() > 4 {
        miss("only documents changed, and code was asked for".to_owned());
    }
    // Functions that the prompt names with their brackets.
    let words: Vec<&str> =
        look.prompt.split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | ';' | ':')).collect();
    let verbs = ["", "fix", "repair", "implement", "make", "let", "and", "change"];
    let called: Vec<&str> = words
        .iter()
        .enumerate()
        .filter(|(at, _)| {
            let before = at.checked_sub(1).and_then(|before| words.get(before)).copied().unwrap_or_default();
            before.ends_with('.') || verbs.contains(&before.to_lowercase().as_str())
        })
        .filter_map(|(_, word)| {
            word.split_once("()").map(|(name, _)| name.rsplit(['.', ':']).next().unwrap_or(name))
        })
        .filter(|name| name.len() > 2)
        .collect();
    let defined = |name: &str| {
        look.change.files.iter().flat_map(|file| &file.old.program.units).any(|unit| unit.name == name)
    };
    let untouched = |name: &&str| defined(name) && !look.change.altered.contains(*name);
    let whole = look.change.files.iter().all(super::FileChange::is_whole);
    if whole && !called.is_empty() && called.iter().all(|name| untouched(name)) {
        miss(format!(
            "{}() was asked for, and does what it did",
            called.first().copied().unwrap_or_default()
        ));
    }
    for name in look.prompt.split('`').skip(1).step_by(2) {
        let word = name.trim().trim_end_matches("()").split(['=', ' ', '(']).next().unwrap_or(name);
        let bare = word.trim_start_matches('-');
        let plain = bare.len() > 2 && bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let named = look.change.files.iter().any(|file| {
            let spelled = [bare.to_owned(), bare.replace('-', "_"), bare.replace('_', "-"), camel(bare)];
            let says = |text: &str| spelled.iter().any(|own| text.contains(own.as_str()));
            says(file.path) || file.new.lines.iter().chain(&file.old.lines).any(|line| says(&line.text))
        });
        // With hunks alone, what is not shown cannot be missed.
        let whole = look.change.files.iter().all(super::FileChange::is_whole);
        if plain && !named && whole && is_request(look.prompt, name) {
            miss(format!(
                "`{}` was asked for, and is nowhere in what changed",
                bare.chars().take(60).collect::<String>()
            ));
        }
    }
    found
}

fn camel(word: &str) -> String {
    let mut out = String::new();
    let mut up = false;
    for c in word.chars() {
        if matches!(c, '-' | '_') {
            up = true;
        } else if std::mem::take(&mut up) {
            out.extend(c.to_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// The sentence of the name asks for something new.
fn is_request(prompt: &str, name: &str) -> bool {
    let sentence =
        prompt.split(". ").find(|sentence| sentence.contains(name)).unwrap_or(prompt).to_lowercase();
    [
        "add",
        "implement",
        "support",
        "introduce",
        "create",
        "provide",
        "expose",
        "new ",
        "return",
        "emit",
        "write",
    ]
    .iter()
    .any(|word| sentence.contains(word))
        && !["like ", "such as", "similar to", "remove", "delete", "see `"]
            .iter()
            .any(|word| sentence.contains(word))
}

/// Paths of code in a text.
fn paths(prompt: &str) -> Vec<&str> {
    let endings = [
        ".rs", ".py", ".ts", ".tsx", ".js", ".jsx", ".go", ".java", ".kt", ".c", ".cpp", ".cc", ".h", ".cs",
        ".rb", ".php", ".sh", ".yml", ".yaml", ".toml", ".json",
    ];
    prompt
        .split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | ')' | ',' | ';'))
        .map(|word| word.trim_end_matches(['.', ':', '?', '!']))
        .filter(|word| {
            endings.iter().any(|end| word.ends_with(end) && word.len() > end.len() + 1)
                && !word.contains("://")
                && !super::super::model::is_test_file(word)
                && word.len() > 4
        })
        .collect()
}
