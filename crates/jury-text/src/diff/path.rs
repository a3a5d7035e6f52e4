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
        } else if within(&[
            "tests",
            "test",
            "__tests__",
            "testdata",
            "fixtures",
            "spec",
            "specs",
            "e2e",
            "testing",
        ]) || is_test_name(name)
        {
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

fn is_test_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    name.contains(".test.")
        || name.contains(".spec.")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.starts_with("test_")
        || matches!(stem, "tests" | "conftest")
        || (ends(name, &[".java"]) && (stem.ends_with("test") || stem.ends_with("tests")))
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
