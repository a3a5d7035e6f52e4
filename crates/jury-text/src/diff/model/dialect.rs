//! The languages whose programs are compared, and what their files look like from outside.

#![expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "names of files are told apart as runners and compilers do"
)]

use super::super::path::FileKind;

/// A language as the reader of programs knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::diff) enum Dialect {
    Rust,
    Python,
    /// JavaScript and TypeScript, with elements or without.
    Script,
    Go,
    Java,
    Kotlin,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
    Shell,
    /// Settings in YAML, TOML, INI, JSON and the like.
    Settings,
}

/// How a language says where a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Blocks {
    Braces,
    /// By indentation; languages that end a block with a word are indented by everybody who writes them.
    Indents,
}

impl Dialect {
    /// The language of the file at a path.
    pub(in crate::diff) fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        if name.starts_with("makefile") || name == "gnumakefile" || name == "justfile" || name == "dockerfile"
        {
            return Some(Self::Shell);
        }
        if matches!(name.as_str(), "rakefile" | "gemfile" | "podfile" | "guardfile") {
            return Some(Self::Ruby);
        }
        if name == "jenkinsfile" {
            return Some(Self::Java);
        }
        if name.starts_with(".rspec")
            || name.starts_with(".eslintrc")
            || name.starts_with(".mocharc")
            || matches!(name.as_str(), ".coveragerc" | ".flake8" | ".pylintrc" | "codeowners")
        {
            return Some(Self::Settings);
        }
        Some(match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "rs" => Self::Rust,
            "py" | "pyi" => Self::Python,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "tsx" | "vue" | "svelte" => Self::Script,
            "go" => Self::Go,
            "java" | "groovy" => Self::Java,
            "kt" | "kts" | "gradle" => Self::Kotlin,
            "c" | "h" => Self::C,
            "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "m" | "mm" => Self::Cpp,
            "cs" => Self::CSharp,
            "rb" | "rake" | "gemspec" => Self::Ruby,
            "php" | "phpt" => Self::Php,
            "sh" | "bash" | "zsh" | "bats" | "mk" => Self::Shell,
            "yml" | "yaml" | "toml" | "json" | "jsonc" | "json5" | "ini" | "cfg" | "neon" | "xml"
            | "csproj" | "props" | "conf" | "cmake" => Self::Settings,
            _ => return None,
        })
    }

    pub(super) fn blocks(self) -> Blocks {
        match self {
            Self::Rust
            | Self::Script
            | Self::Go
            | Self::Java
            | Self::Kotlin
            | Self::C
            | Self::Cpp
            | Self::CSharp
            | Self::Php => Blocks::Braces,
            Self::Python | Self::Ruby | Self::Shell | Self::Settings => Blocks::Indents,
        }
    }

    /// A line break can end a statement.
    pub(super) fn breaks_end(self) -> bool {
        matches!(self, Self::Script | Self::Go | Self::Kotlin)
    }

    /// `#` begins a comment.
    pub(super) fn hash_comments(self) -> bool {
        matches!(self, Self::Python | Self::Ruby | Self::Php | Self::Shell | Self::Settings)
    }

    /// `//` and `/*` begin a comment.
    pub(super) fn slash_comments(self) -> bool {
        match self {
            Self::Python | Self::Ruby | Self::Shell | Self::Settings => false,
            Self::Rust
            | Self::Script
            | Self::Go
            | Self::Java
            | Self::Kotlin
            | Self::C
            | Self::Cpp
            | Self::CSharp
            | Self::Php => true,
        }
    }

    /// `$` is part of a name.
    pub(super) fn dollar_names(self) -> bool {
        matches!(self, Self::Script | Self::Php | Self::Shell | Self::Ruby | Self::Java | Self::Settings)
    }

    /// Lines that begin with `#` are for a preprocessor.
    pub(super) fn directives(self) -> bool {
        matches!(self, Self::C | Self::Cpp | Self::CSharp)
    }
}

/// Whether the file is a test, or what tests use: more languages than [`FileKind`] knows by their names.
pub(in crate::diff) fn is_test_file(path: &str) -> bool {
    if FileKind::of(path) == FileKind::Test {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let lower = stem.to_ascii_lowercase();
    let camel = ["Test", "Tests", "Spec", "IT", "TestCase", "TestSuite"].iter().any(|end| {
        stem.strip_suffix(end)
            .is_some_and(|rest| rest.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit()))
    });
    let folders = path.to_ascii_lowercase();
    camel
        || name.to_ascii_lowercase().ends_with(".bats")
        || lower.ends_with("_spec")
        || lower.ends_with("_test")
        || lower.ends_with("-test")
        || lower.starts_with("test-")
        || lower.starts_with("test_")
        || lower.ends_with("_unittest")
        || (lower.starts_with("check_") && name.to_ascii_lowercase().ends_with(".c"))
        || folders.split('/').any(|folder| {
            matches!(folder, "unittests" | "cypress" | "features" | "androidtest" | "integration_test")
                || folder.ends_with(".tests")
                || folder.ends_with("_tests")
                || folder.ends_with("-tests")
        })
}
