//! Grammars, and parsing within bounds. What is counted is bytes, operations and nodes, never time: the same text is
//! parsed or given up on every machine. Whoever gets nothing falls back to the scanner in [`super::code`].

use std::ops::ControlFlow;

use tree_sitter::{Language, ParseOptions, Parser, Tree};

/// The most bytes of one text that are parsed.
const MOST_BYTES: usize = 1 << 20;

/// The most bytes that are parsed of one change, attempts that are given up included.
const MOST_OF_CHANGE: usize = 4 << 20;

/// The most nodes of a tree that is looked at.
const MOST_NODES: usize = 1_000_000;

/// The parser asks whether to go on once in a hundred operations. Code takes some dozens of operations for a hundred bytes; a
/// text that takes ten times that is not worth it.
const ASKED_FREELY: usize = 64;
const BYTES_PER_ASKING: usize = 32;

/// The languages that are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grammar {
    Rust,
    Python,
    /// JavaScript and TypeScript, with and without elements in it: one grammar reads all four. What it cannot place is a type in
    /// angle brackets before a value.
    Script,
    Go,
    Java,
}

impl Grammar {
    /// The grammar for the file at a path. The scanner knows more languages than there are grammars.
    pub(super) fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        Some(match name.rsplit_once('.')?.1 {
            "rs" => Self::Rust,
            "py" | "pyi" => Self::Python,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "tsx" => Self::Script,
            "go" => Self::Go,
            "java" => Self::Java,
            _ => return None,
        })
    }

    fn language(self) -> Language {
        match self {
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::Script => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
        }
    }
}

/// What may still be parsed of a change.
#[derive(Debug)]
pub(super) struct Allowance {
    bytes: usize,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { bytes: MOST_OF_CHANGE }
    }
}

impl Allowance {
    /// An allowance with which nothing is parsed.
    pub(super) fn none() -> Self {
        Self { bytes: 0 }
    }

    /// The tree of a text, with its errors in it; none beyond the bounds.
    pub(super) fn parse(&mut self, grammar: Grammar, text: &str) -> Option<Tree> {
        if text.len() > MOST_BYTES || text.len() > self.bytes {
            return None;
        }
        self.bytes -= text.len();
        let mut parser = Parser::new();
        parser.set_language(&grammar.language()).ok()?;
        let mut askings = ASKED_FREELY + text.len() / BYTES_PER_ASKING;
        let mut go_on = |_: &tree_sitter::ParseState| match askings.checked_sub(1) {
            Some(left) => {
                askings = left;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut go_on);
        let bytes = text.as_bytes();
        let mut read = |at: usize, _: tree_sitter::Point| bytes.get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut read, None, Some(options))?;
        (tree.root_node().descendant_count() <= MOST_NODES).then_some(tree)
    }
}
