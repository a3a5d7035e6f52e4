//! Whether a text is something that these checks can look at: a document in Markdown or plain text, with something in it.
//!
//! Every check counts places that it knows from Markdown. In source code, data or another markup there are none, and zero of
//! zero places would pass. So what is no document is not measured, unless a critic reads it as well.

use jury_core::disclaimer::is_disclaimer;
use jury_core::fence::{CodeLine, Fences};

use super::passage::Kind;
use super::read::Document;

/// A document with fewer words than this, code included, and without a link has nothing in it that could be reviewed.
pub const LEAST_WORDS: usize = 4;

/// Ends of file names that are no documents, by what they are.
const OTHERS: &[(&str, &[&str])] = &[
    (
        "source code",
        &[
            "rs", "py", "pyi", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "go", "java", "kt",
            "kts", "c", "h", "cc", "cpp", "cxx", "hpp", "cs", "rb", "php", "swift", "scala", "sh", "bash",
            "zsh", "fish", "ps1", "bat", "pl", "pm", "lua", "r", "sql", "dart", "ex", "exs", "erl", "hs",
            "ml", "clj", "vue", "svelte", "css", "scss", "sass", "less", "zig", "nim", "jl", "m", "mm",
            "f90", "asm", "s", "proto", "graphql", "tf", "gradle", "groovy", "cmake",
        ],
    ),
    (
        "data",
        &[
            "json",
            "jsonl",
            "ndjson",
            "json5",
            "yaml",
            "yml",
            "toml",
            "xml",
            "csv",
            "tsv",
            "ini",
            "cfg",
            "conf",
            "env",
            "lock",
            "log",
            "properties",
            "plist",
            "ipynb",
            "sarif",
            "svg",
            "pem",
            "key",
            "sqlite",
            "db",
        ],
    ),
    ("HTML", &["html", "htm", "xhtml", "mhtml"]),
    (
        "a markup other than Markdown",
        &["rst", "adoc", "asciidoc", "org", "textile", "wiki", "tex", "typ", "rtf"],
    ),
    ("a change", &["diff", "patch"]),
];

/// What a text is instead of a document; none when it is one. The name is that of its file.
pub fn foreign_kind(name: &str, document: &Document<'_>) -> Option<String> {
    let only_code = document.passages.is_empty() && document.links.is_empty() && !document.blocks.is_empty();
    let is_alone = only_code && document.html.iter().all(|html| words(&without_tags(&html.text)) == 0);
    let kind = by_name(name)
        .or_else(|| by_content(document.text))
        .or_else(|| is_alone.then_some("a block of code and nothing else"))?;
    Some(format!("it is {kind}, and only documents in Markdown or plain text are measured"))
}

/// Why a text is not one document: two versions of it stand in it, with the marks of a merge between them.
pub fn in_conflict(document: &Document<'_>) -> Option<String> {
    let is_mark = |line: &str, mark: &str| {
        line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r']))
    };
    let mut fences = Fences::default();
    let mut expected = ["<<<<<<<", "=======", ">>>>>>>"].into_iter().peekable();
    for line in document.text.lines() {
        // Text about a merge shows its marks in a block of code.
        let is_text = fences.line(line) == CodeLine::Outside;
        expected.next_if(|mark| is_text && is_mark(line, mark));
    }
    expected
        .peek()
        .is_none()
        .then(|| "two versions stand in it, with the marks of a merge between them".to_owned())
}

/// Why there is too little in a text to be reviewed, by anybody: hardly a word, and no link or image that could be followed.
pub fn too_little(document: &Document<'_>) -> Option<String> {
    let words = document.words();
    let said: Vec<&str> = document
        .passages
        .iter()
        .filter(|own| own.kind != Kind::Heading)
        .map(|own| own.text.as_str())
        .collect();
    // Under a heading it is what a document says about such words.
    if let [only] = said.as_slice()
        && document.headings.is_empty()
        && is_disclaimer(only)
    {
        return Some(format!(
            "the document is what a program says in place of a text: {}",
            jury_core::line::fitted(only, 80)
        ));
    }
    if said.is_empty()
        && document.headings.len() > 1
        && document.links.is_empty()
        && document.blocks.is_empty()
        && document.html.is_empty()
    {
        return Some("the document has headings and nothing under them".to_owned());
    }
    let different: std::collections::BTreeSet<String> = document
        .passages
        .iter()
        .flat_map(|passage| passage.text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    // Where no space stands between words, none can be told from another.
    let is_spaced = said.iter().all(|text| text.chars().all(|c| !is_sign(c)));
    if is_spaced
        && document.html.is_empty()
        && words >= LEAST_WORDS
        && different.len() < LEAST_WORDS
        && document.links.is_empty()
        && document.blocks.is_empty()
    {
        return Some(format!(
            "the document says the same {} over and over",
            jury_core::line::counted(different.len() as u64, "word", "words")
        ));
    }
    (words < LEAST_WORDS && document.links.is_empty()).then(|| {
        let words = if words == 1 { "1 word".to_owned() } else { format!("{words} words") };
        format!("the document has {words}, too little to be reviewed")
    })
}

fn by_name(name: &str) -> Option<&'static str> {
    let (stem, end) = name.rsplit_once('.')?;
    let end = end.to_ascii_lowercase();
    // `.env` is a name and not an end.
    let is_end = !stem.is_empty() && !stem.ends_with('/');
    OTHERS.iter().find(|(_, ends)| is_end && ends.contains(&end.as_str())).map(|(kind, _)| *kind)
}

fn by_content(text: &str) -> Option<&'static str> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let head: String = start.chars().take(200).flat_map(char::to_lowercase).collect();
    if text.contains('\0') {
        return Some("binary");
    }
    if start.starts_with(['{', '[']) && serde_json::from_str::<serde_json::Value>(start).is_ok() {
        return Some("JSON");
    }
    if ["<!doctype html", "<html", "<head>", "<body"].iter().any(|tag| head.starts_with(tag)) {
        return Some("HTML");
    }
    if head.starts_with("<?xml") || head.starts_with("<svg") {
        return Some("XML");
    }
    if start.starts_with("#!/") {
        return Some("a script");
    }
    if start.starts_with("diff --git ") || (start.starts_with("--- ") && start.contains("\n+++ ")) {
        return Some("a change");
    }
    is_code(text).then_some("source code")
}

/// Words that a statement begins with.
const STATEMENTS: [&str; 34] = [
    "import ",
    "from ",
    "def ",
    "class ",
    "return ",
    "#include",
    "package ",
    "func ",
    "fn ",
    "use ",
    "let ",
    "const ",
    "var ",
    "pub ",
    "public ",
    "private ",
    "static ",
    "async ",
    "export ",
    "function ",
    "interface ",
    "struct ",
    "enum ",
    "impl ",
    "elif ",
    "else:",
    "except",
    "try:",
    "with ",
    "for ",
    "while ",
    "if ",
    "raise ",
    "print(",
];

/// Most of its lines are statements. Blocks of code in a document stand between fences or are indented, and do not count.
fn is_code(text: &str) -> bool {
    let (mut lines, mut code, mut plain) = (0_usize, 0_usize, 0_usize);
    let (mut fences, mut opened) = (Fences::default(), false);
    for line in text.lines() {
        let bare = line.trim();
        if fences.line(line) != CodeLine::Outside || bare.is_empty() {
            continue;
        }
        lines += 1;
        let ends =
            bare.ends_with([';', '{', '}']) || bare.ends_with("},") || bare.ends_with(");") || bare == ")";
        let begins = STATEMENTS
            .iter()
            .any(|word| bare.starts_with(word) && (bare.ends_with([':', ')', '"', '\'', ']']) || ends));
        // What is indented below the head of a block is a part of it.
        let inside = opened && line.starts_with([' ', '\t']);
        code += usize::from(ends || begins || inside || is_assignment(bare) || is_call(bare));
        // A line that no sentence looks like: a bracket or a sign, and an end of a statement.
        plain += usize::from(bare.contains(['(', '=']) && (ends || begins));
        opened = (ends || begins) && bare.ends_with([':', '{']);
    }
    code * 2 > lines && (code >= 3 || plain > 0 && code == lines)
}

/// `name = value`, with nothing else before the sign.
fn is_assignment(line: &str) -> bool {
    let Some((name, value)) = line.split_once(" = ") else { return false };
    is_identifier(name) && !value.trim().is_empty() && !line.ends_with('.')
}

/// `name(…)` and nothing else. What stands in front of a bracket in a sentence has a space behind it.
fn is_call(line: &str) -> bool {
    let call = line.strip_suffix(')').and_then(|line| line.split_once('('));
    call.is_some_and(|(name, _)| is_identifier(name))
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
}

impl Document<'_> {
    /// The words of its prose, its code and its HTML. A sign of a script without spaces is a word.
    fn words(&self) -> usize {
        let passages = self.passages.iter().map(|passage| words(&passage.text)).sum::<usize>();
        let blocks = self.blocks.iter().map(|block| words(&block.code)).sum::<usize>();
        let html = self.html.iter().map(|html| words(&without_tags(&html.text))).sum::<usize>();
        passages + blocks + html
    }
}

/// A letter of a script without spaces, each of which may be a word.
fn is_sign(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7af)
}

fn words(text: &str) -> usize {
    let signs = text.chars().filter(|c| is_sign(*c)).count();
    let spaced = text.split(|c: char| !c.is_alphanumeric() || is_sign(c));
    signs + spaced.filter(|word| word.chars().any(char::is_alphabetic)).count()
}

pub(super) fn without_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut inside = false;
    for character in html.chars() {
        match character {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            _ if !inside => text.push(character),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::NearbyFiles;
    use super::*;

    fn why(name: &str, text: &str) -> Option<String> {
        let document = Document::read(text, &NearbyFiles::Unknown);
        foreign_kind(name, &document).or_else(|| in_conflict(&document)).or_else(|| too_little(&document))
    }

    #[test]
    fn a_document_is_measured_however_short() {
        for (name, text) in [
            ("README.md", "# Tool\n\nDoes one thing.\n"),
            ("README", "Counts the words of a file.\n"),
            ("README.md", "# tool\n\n[Documentation](https://example.org/tool)\n"),
            ("README.md", "# tool\n\n[![build](https://example.org/a.svg)](https://example.org/a)\n"),
            ("notes.txt", "We meet on Friday at ten.\n"),
            ("plan.v2", "# Plan\n\n1. Build it.\n2. Ship it.\n"),
            ("stdin", "# Tool\n\n```sh\ntool --count file.txt\n```\n"),
            ("a.md", "<div align=\"center\"><h1>Tool</h1><p>Counts words in files.</p></div>\n"),
            ("a.md", "{% raw %} A page of a site generator. {% endraw %}\n"),
            ("a.md", "[a link]: https://example.org\n\nSee [a link] for more.\n"),
            (
                "a.md",
                "Merges\n=======\n\nA conflict looks so:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n```\n",
            ),
            (
                "a.md",
                "Use the tool for three things:\n\nfor bread (and cakes)\nfor tea\n\nIt is done by hand.\n",
            ),
            (
                "a.md",
                "Bread;\ntea;\ncakes for all of us;\nand a walk in the park.\nSee you there.\nAll of you.\n",
            ),
            ("a.md", "# ツール\n\nファイルの単語を数えます。\n"),
            (
                "code.md",
                "# API\n\nCall it so:\n\n```rust\nlet a = 1;\nlet b = 2;\nlet c = 3;\nlet d = 4;\n```\n",
            ),
        ] {
            assert_eq!(why(name, text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_document_is_not_measured() {
        let prose = "# Tool\n\nDoes one thing, and does it well.\n";
        for name in ["main.rs", "data.json", "page.html", "a.yaml", "x.DIFF", "guide.rst", "src/app.tsx"] {
            assert!(why(name, prose).is_some(), "{name}");
        }
        for text in [
            "",
            "x",
            "x\n",
            "1\n",
            "# x\n",
            "---\n",
            "<!-- nothing to see here at all -->\n",
            "---\ntitle: A title of words\n---\n",
            "{\"a\": [1, 2, 3], \"b\": \"words in a text of data\"}\n",
            "<!doctype html>\n<html><body><p>Words on a page of the web.</p></body></html>\n",
            "<?xml version=\"1.0\"?>\n<note>Words in a file of markup.</note>\n",
            "#!/bin/sh\necho words that are printed\n",
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-words\n+other words\n",
            "use std::fs;\n\nfn main() {\n    let a = fs::read(\"x\");\n    drop(a);\n}\n",
            "```\nall of this text is inside of a fence and nothing else\n```\n",
            "```sh\nmake all of it\n```\n\n```sh\nmake test of it\n```\n",
            "def add(first, second):\n    return first + second\n\nprint(add(1, 2))\n",
            "fn main() { println!(\"hello to all of you\"); }\n",
            "total = 0\nfor row in rows:\n    total = total + row\nprint(total)\n",
            "# Plan\n\n<<<<<<< HEAD\nWe meet on Friday at ten.\n=======\nWe meet on Monday at ten.\n>>>>>>> other\n",
            "import os\n\ndef main():\n    return os.getcwd()\n\nclass A:\n    def b(self):\n        return {}\n",
        ] {
            assert!(why("notes.md", text).is_some(), "{text}");
        }
    }
}
