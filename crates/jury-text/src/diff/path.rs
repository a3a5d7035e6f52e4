//! What the path of a file says about it: its language, and whether somebody wrote it by hand.

use serde::{Deserialize, Serialize};

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// Written by hand, part of the product.
    Source,
    /// A test, or what tests use.
    Test,
    /// Prose for people: Markdown and its like.
    Document,
    /// What a package manager wrote.
    Lock,
    /// Code of others that was copied in.
    Vendored,
    /// What a build wrote.
    Generated,
    /// What a test run wrote for the next one to compare with.
    Snapshot,
}

const LOCKS: &[&str] = &[
    "cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "pipfile.lock",
    "go.sum",
    "gemfile.lock",
    "composer.lock",
    "bun.lock",
    "gradle.lockfile",
    "flake.lock",
];

/// The files by hand that a lock file follows.
const MANIFESTS: &[&str] = &[
    "cargo.toml",
    "package.json",
    "pyproject.toml",
    "pipfile",
    "go.mod",
    "gemfile",
    "composer.json",
    "build.gradle",
    "build.gradle.kts",
    "flake.nix",
];

impl FileKind {
    /// The kind of the file at a path.
    pub fn of(path: &str) -> Self {
        let original = path;
        let path = path.to_ascii_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let within = |names: &[&str]| folders.split('/').any(|folder| names.contains(&folder));
        if LOCKS.contains(&name) {
            Self::Lock
        } else if within(&["vendor", "node_modules", "third_party", "site-packages"]) {
            Self::Vendored
        } else if within(&["__snapshots__", "snapshots"]) || ends(name, &[".snap", ".snap.new"]) {
            Self::Snapshot
        } else if within(&["dist", "generated", "__generated__", ".next", "coverage"])
            || ends(name, &[".min.js", ".min.css", ".map", ".pb.go", "_pb2.py", ".g.dart"])
            || name.contains(".gen.")
            || name.contains(".generated.")
        {
            Self::Generated
        } else if is_test_folder(original) || is_test_name(original) {
            Self::Test
        } else if ends(name, &[".md", ".rst", ".txt", ".adoc"]) {
            Self::Document
        } else {
            Self::Source
        }
    }

    /// Nobody wrote it by hand.
    pub fn is_machine_made(self) -> bool {
        match self {
            Self::Lock | Self::Vendored | Self::Generated | Self::Snapshot => true,
            Self::Source | Self::Test | Self::Document => false,
        }
    }
}

fn ends(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

/// What stands behind the last dot of a name, in small letters.
pub(super) fn last_ending(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_owned())
}

/// Folders that hold tests in the layouts of the usual runners and build tools.
const TEST_FOLDERS: &[&str] = &[
    "tests",
    "test",
    "__tests__",
    "testdata",
    "fixtures",
    "spec",
    "specs",
    "e2e",
    "testing",
    "cypress",
    "step_definitions",
];

/// A folder on the way holds tests: by its name, or by the end of it (`Price.Tests`, `unit-tests`, `androidTest`).
fn is_test_folder(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| {
        let lower = folder.to_ascii_lowercase();
        TEST_FOLDERS.contains(&lower.as_str()) || ends_as_word(folder, &lower, &["test", "tests", "specs"])
    })
}

/// The name ends with one of these as a word of its own: behind a dot, a dash or an underscore, or with a capital letter.
fn ends_as_word(name: &str, lower: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        let Some(front) = lower.strip_suffix(word) else { return false };
        let word = name.get(front.len()..).unwrap_or_default();
        front.ends_with(['.', '-', '_']) || (word.starts_with(|c: char| c.is_ascii_uppercase()))
    })
}

/// The endings of languages whose files are named in camel case, and whose runners look for `Test` in it.
const HUMPED: &[&str] = &[
    "java", "kt", "kts", "scala", "groovy", "swift", "php", "cs", "vb", "fs", "m", "mm", "c", "cc", "cpp",
    "cxx", "h", "hh", "hpp", "hs",
];

/// What a test is called in the conventions of the usual runners: `test_price.py`, `price_test.go`, `price.spec.ts`,
/// `price_spec.rb`, `PriceTest.php`, `PriceTests.swift`, `TestPrice.java`, `price_unittest.cc`, `price.bats`, `price.t`.
pub(super) fn is_test_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lower = name.to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or(name);
    let stem_lower = stem.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split('.').collect();
    let within = parts.get(1..parts.len().saturating_sub(1)).unwrap_or_default();
    let ending = if parts.len() > 1 { parts.last().copied().unwrap_or_default() } else { "" };
    within.iter().any(|part| {
        ["test", "tests", "spec", "specs", "cy", "e2e", "e2e-spec", "unit", "integration"].contains(part)
    }) || ["bats", "t", "feature", "phpt", "robot"].contains(&ending)
        || ["test", "tests", "conftest", "runtests", "spec_helper", "rails_helper", "test_helper"]
            .contains(&stem_lower.as_str())
        || ["_unittest", "_unittests", "_suite"].iter().any(|word| stem_lower.ends_with(word))
        || stem_lower.starts_with("test_")
        || stem_lower.starts_with("test-")
        || ["_test", "_tests", "-test", "-tests", "_spec", "_specs", "-spec", "-specs"]
            .iter()
            .any(|word| stem_lower.ends_with(word))
        || HUMPED.contains(&ending) && ends_as_word(stem, &stem_lower, &["test", "tests", "testcase"])
        || HUMPED.contains(&ending)
            && stem.strip_prefix("Test").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        || ["scala", "kt", "groovy", "hs", "js", "mjs"].contains(&ending)
            && ends_as_word(stem, &stem_lower, &["spec", "specs"])
        // Maven and Gradle find these in any case of letters.
        || ending == "java" && (stem_lower.ends_with("test") || stem_lower.ends_with("tests"))
}

/// The path of the file that a lock file follows is among these.
pub(super) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    MANIFESTS.contains(&name.as_str()) || (name.starts_with("requirements") && ends(&name, &[".txt"]))
}

/// What only tests and readers see: a key in it is rarely one that opens something.
pub(super) fn is_example(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    FileKind::of(path) == FileKind::Test
        || lower.contains("example")
        || lower.contains("sample")
        || lower.contains("mock")
        || lower.split('/').any(|folder| matches!(folder, "corpus" | "fuzz"))
}

/// Its name says that people write and read it: a NUL in it does not make it a picture.
pub(super) fn is_text(path: &str) -> bool {
    const WRITTEN: &[&str] = &[
        "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "m", "mm", "rb", "php", "swift", "scala", "sql", "css",
        "scss", "less", "html", "htm", "xml", "json", "toml", "ini", "cfg", "conf", "env", "pl", "pm", "lua",
        "r", "jl", "ex", "exs", "erl", "hs", "ml", "clj", "dart", "zig", "nim", "proto", "graphql", "tf",
        "gradle", "groovy", "ps1", "bat", "cmd", "fish", "vim", "el", "lisp", "j2", "tmpl", "astro", "sol",
        "fs", "vb", "cmake", "mk", "nix",
    ];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    Language::of(path) != Language::Other
        || FileKind::of(path) == FileKind::Document
        || WRITTEN.contains(&extension)
}

/// The languages that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    /// JavaScript and TypeScript alike.
    Script,
    Go,
    Java,
    Shell,
    /// Settings of builds, in YAML.
    Pipeline,
    Other,
}

impl Language {
    pub(super) fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        if matches!(name.as_str(), "makefile" | "dockerfile" | "justfile" | "gnumakefile") {
            return Self::Shell;
        }
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "rs" => Self::Rust,
            "py" | "pyi" => Self::Python,
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" | "svelte" => Self::Script,
            "go" => Self::Go,
            "java" | "kt" | "cs" => Self::Java,
            "sh" | "bash" | "zsh" => Self::Shell,
            "yml" | "yaml" => Self::Pipeline,
            _ => Self::Other,
        }
    }

    /// Blocks are in braces.
    pub(super) fn has_braces(self) -> bool {
        match self {
            Self::Rust | Self::Script | Self::Go | Self::Java => true,
            Self::Python | Self::Shell | Self::Pipeline | Self::Other => false,
        }
    }

    /// The mark of a comment to the end of the line.
    pub(super) fn comment(self) -> Option<&'static str> {
        match self {
            Self::Rust | Self::Script | Self::Go | Self::Java => Some("//"),
            Self::Python | Self::Shell | Self::Pipeline => Some("#"),
            Self::Other => None,
        }
    }
}
