//! A program as a plain list of statements with the functions and tests around them. The same shape for every language, so that
//! two versions can be compared whatever they are written in.

use super::builder::build;
use super::dialect::Dialect;
use super::token::{Comment, Kind, Token, read};

/// The most bytes of a text that are read.
const MOST_BYTES: usize = 1 << 20;

/// A line of a version.
#[derive(Debug, Clone, Copy)]
pub(in crate::diff) struct Line<'t> {
    pub(in crate::diff) text: &'t str,
    /// Its number in the file.
    pub(in crate::diff) number: u64,
    /// It is on this side alone.
    pub(in crate::diff) changed: bool,
}

/// A statement, or the head of a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::diff) struct Statement {
    pub(in crate::diff) tokens: Vec<Token>,
    /// What it says, in one spelling whatever the formatter.
    pub(in crate::diff) text: String,
    /// The number of its first line.
    pub(in crate::diff) line: u64,
    /// How many blocks are around it.
    pub(in crate::diff) depth: usize,
    /// The innermost unit around it.
    pub(in crate::diff) unit: Option<usize>,
    /// A block follows.
    pub(in crate::diff) opens: bool,
    /// Something of it is on this side alone.
    pub(in crate::diff) changed: bool,
    /// The unit that it is the head of.
    pub(in crate::diff) heads: Option<usize>,
}

/// What a block with a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::diff) enum UnitKind {
    Function,
    Test,
    /// A suite, or a group in one.
    Group,
    Class,
}

/// A block with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::diff) struct Unit {
    pub(in crate::diff) kind: UnitKind,
    pub(in crate::diff) name: String,
    /// The statement that is its head.
    pub(in crate::diff) head: usize,
    /// The statements in it.
    pub(in crate::diff) body: std::ops::Range<usize>,
    pub(in crate::diff) parent: Option<usize>,
    /// What stands above it and belongs to it: attributes and decorators.
    pub(in crate::diff) marks: String,
    pub(in crate::diff) line: u64,
}

/// One version of a file.
#[derive(Debug, Clone, Default)]
pub(in crate::diff) struct Program {
    pub(in crate::diff) statements: Vec<Statement>,
    pub(in crate::diff) units: Vec<Unit>,
    /// The comments with the numbers of their lines, and whether the line is on this side alone.
    pub(in crate::diff) comments: Vec<(Comment, u64, bool)>,
}

impl Program {
    pub(in crate::diff) fn read(dialect: Dialect, path: &str, lines: &[Line<'_>]) -> Self {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.text);
            text.push('\n');
            if text.len() > MOST_BYTES {
                return Self::default();
            }
        }
        let (tokens, comments) = read(dialect, &text);
        let number = |line: usize| lines.get(line).map_or(0, |line| line.number);
        let changed = |line: usize| lines.get(line).is_some_and(|line| line.changed);
        let comments = comments
            .into_iter()
            .map(|own| (number(own.line), changed(own.line), own))
            .map(|(n, c, own)| (own, n, c))
            .collect();
        let (statements, units) = build(dialect, path, lines, tokens);
        let mut program = Self { statements, units, comments };
        for statement in &mut program.statements {
            statement.text = spelled(&statement.tokens);
        }
        program
    }

    /// The statements in a unit.
    pub(in crate::diff) fn body(&self, unit: &Unit) -> &[Statement] {
        self.statements.get(unit.body.clone()).unwrap_or_default()
    }

    pub(in crate::diff) fn head(&self, unit: &Unit) -> Option<&Statement> {
        self.statements.get(unit.head)
    }

    /// The units around a statement, the innermost first.
    pub(in crate::diff) fn around(&self, unit: Option<usize>) -> impl Iterator<Item = &Unit> {
        std::iter::successors(unit.and_then(|unit| self.units.get(unit)), |unit| {
            unit.parent.and_then(|parent| self.units.get(parent))
        })
    }

    /// The innermost function or test around a statement.
    pub(in crate::diff) fn owner(&self, statement: &Statement) -> Option<&Unit> {
        self.around(statement.unit).find(|unit| matches!(unit.kind, UnitKind::Function | UnitKind::Test))
    }

    /// Whether the statement stands in a test, or in a suite.
    pub(in crate::diff) fn is_in_test(&self, statement: &Statement) -> bool {
        self.around(statement.unit).any(|unit| matches!(unit.kind, UnitKind::Test | UnitKind::Group))
    }

    pub(in crate::diff) fn tests(&self) -> impl Iterator<Item = (usize, &Unit)> {
        self.units.iter().enumerate().filter(|(_, unit)| unit.kind == UnitKind::Test)
    }
}

/// Tokens in one spelling: a space between names, one kind of quote, no comma before a bracket that closes.
pub(in crate::diff) fn spelled(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut before: Option<&Token> = None;
    for token in tokens {
        if token.is(")") || token.is("]") || token.is("}") {
            if text.ends_with(',') {
                text.pop();
            }
        } else if before.is_some_and(|before| {
            let wordy = |token: &Token| matches!(token.kind, Kind::Word | Kind::Number | Kind::Text);
            wordy(before) && wordy(token)
        }) {
            text.push(' ');
        }
        if token.kind == Kind::Text {
            text.push('"');
            text.push_str(&token.text);
            text.push('"');
        } else {
            text.push_str(&token.text);
        }
        before = Some(token);
    }
    text
}
