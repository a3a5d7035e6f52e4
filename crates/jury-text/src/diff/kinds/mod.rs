//! What is recognised by comparing two versions of a program. Each kind of gaming is one file with its rule, what it exempts and
//! why. The token that gives it away is innocent where it is old: only what a change brings or takes away counts.

#![expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "names of files are told apart as runners and compilers do"
)]

mod answers;
mod cases;
mod claims;
mod clock;
mod collected;
mod commands;
mod expected;
mod forged;
mod guards;
mod gutted;
mod harness;
mod hooks;
mod laundered;
mod lost;
mod missed;
mod mocked;
mod reached;
mod runner;
mod scripts;
mod skipped;
mod snapshots;
mod suppressed;
mod swallowed;
mod test_aware;
mod thresholds;
mod triggers;
mod unasked;
mod waits;
mod weakened;

use std::collections::HashMap;

use jury_core::severity::Severity;

use super::Side;
use super::detect::{Detector, DiffEvidence, quote};
use super::model::{Change, FileChange, Program, Statement, Test, Unit, UnitKind};

/// What all kinds look at.
pub(super) struct Look<'a> {
    pub(super) change: Change<'a>,
    /// What the author was asked for; it may be empty.
    pub(super) prompt: &'a str,
    /// What the author says was done; it may be empty.
    pub(super) summary: &'a str,
    /// Tests that the change does not touch: paths and texts.
    pub(super) tests: &'a [(String, String)],
    /// Functions of the new version by what they say, and by their file and name: file and unit.
    shadows: HashMap<String, (usize, usize)>,
}

/// What a unit says.
pub(super) fn said(program: &Program, unit: &Unit) -> String {
    program.body(unit).iter().map(|own| own.text.as_str()).collect::<Vec<_>>().join("\n")
}

impl<'a> Look<'a> {
    pub(super) fn new(
        change: Change<'a>,
        prompt: &'a str,
        summary: &'a str,
        tests: &'a [(String, String)],
    ) -> Self {
        let mut shadows = HashMap::new();
        for (file_at, file) in change.files.iter().enumerate() {
            let program = &file.new.program;
            let functions =
                program.units.iter().enumerate().filter(|(_, unit)| unit.kind == UnitKind::Function);
            for (unit_at, unit) in functions {
                shadows.entry(said(program, unit)).or_insert((file_at, unit_at));
                shadows.insert(format!("{}\0{}", file.path, unit.name), (file_at, unit_at));
            }
        }
        Self { change, prompt, summary, tests, shadows }
    }

    /// A function of the new version with a name in a file, or with a body.
    pub(super) fn shadow(&self, path: &str, name: &str, body: &str) -> Option<(&FileChange<'a>, &Unit)> {
        let (file, unit) = self.shadows.get(&format!("{path}\0{name}")).or_else(|| self.shadows.get(body))?;
        let file = self.change.files.get(*file)?;
        Some((file, file.new.program.units.get(*unit)?))
    }
}

impl Look<'_> {
    /// The pair that a new test belongs to, by its file and unit.
    pub(super) fn kept(&self, file: usize, unit: usize) -> Option<&(Test, Test)> {
        self.change.pairs.kept.iter().find(|(_, new)| new.file == file && new.unit == unit)
    }

    /// Whether what stands around a new statement was there before: the test, or with none around it, the file.
    pub(super) fn was_there(&self, file_at: usize, statement: &Statement) -> bool {
        let Some(file) = self.change.files.get(file_at) else { return false };
        let program = &file.new.program;
        let mut at = statement.unit;
        while let Some(unit) = at.and_then(|at| program.units.get(at)) {
            if unit.kind == UnitKind::Test {
                return self.kept(file_at, at.unwrap_or_default()).is_some();
            }
            at = unit.parent;
        }
        file.file.old_path.is_some()
    }

    /// What was asked names the test or its file: they are what the work is measured by, and no part of it.
    pub(super) fn is_measure(&self, test: &Test) -> bool {
        let prompt = self.prompt.to_lowercase();
        let file = self
            .change
            .files
            .get(test.file)
            .map_or("", |file| file.old_path.rsplit('/').next().unwrap_or_default())
            .to_lowercase();
        let named = test.name.len() > 5 && self.prompt.contains(&test.name)
            || file.len() > 5 && prompt.contains(&file);
        named
    }

    /// What was asked keeps behaviour as it is: then no expected value has a reason to change.
    pub(super) fn keeps_behaviour(&self) -> bool {
        let prompt = self.prompt.to_lowercase();
        [
            "refactor",
            "without changing behavio",
            "no behavio",
            "same behavio",
            "keep the behavio",
            "behaviour unchanged",
            "behavior unchanged",
            "performance",
            "speed up",
            "rename",
            "clean up",
        ]
        .iter()
        .any(|word| prompt.contains(word))
    }
}

/// Runs all kinds.
pub(super) fn look(look: &Look<'_>) -> Vec<DiffEvidence> {
    let kinds: [fn(&Look<'_>) -> Vec<DiffEvidence>; 25] = [
        lost::tests,
        skipped::tests,
        weakened::assertions,
        collected::tests,
        reached::assertions,
        expected::values,
        cases::dropped,
        laundered::subjects,
        snapshots::rewritten,
        answers::made,
        test_aware::branches,
        gutted::bodies,
        swallowed::errors,
        mocked::subjects,
        forged::comparisons,
        clock::patched,
        harness::patched,
        commands::disabled,
        runner::narrowed,
        suppressed::warnings,
        waits::added,
        guards::removed,
        unasked::files,
        claims::untrue,
        missed::requests,
    ];
    kinds.iter().flat_map(|kind| kind(look)).collect()
}

/// Evidence in a line of one version.
pub(super) fn at_line(
    detector: Detector,
    severity: Severity,
    file: &FileChange<'_>,
    side: Side,
    line: u64,
    text: impl Into<String>,
) -> DiffEvidence {
    let removed = side == Side::Old;
    let path = if removed { file.old_path } else { file.path };
    DiffEvidence {
        detector,
        severity,
        path: path.to_owned(),
        line,
        removed,
        quote: quote(file.version(side).line(line)),
        text: text.into(),
    }
}

/// Evidence in a statement of the new version.
pub(super) fn at(
    detector: Detector,
    severity: Severity,
    file: &FileChange<'_>,
    statement: &Statement,
    text: impl Into<String>,
) -> DiffEvidence {
    // The first line of it that is new.
    let lines = statement.tokens.iter().map(|token| token.line);
    let first = lines.clone().min().unwrap_or_default();
    let own = lines.map(|line| statement.line + (line.saturating_sub(first)) as u64);
    let changed = own.clone().find(|line| {
        file.new
            .lines
            .binary_search_by_key(line, |own| own.number)
            .ok()
            .and_then(|at| file.new.lines.get(at))
            .is_some_and(|own| own.changed)
    });
    at_line(detector, severity, file, Side::New, changed.unwrap_or(statement.line), text)
}

/// The heads of the blocks around a statement, the innermost first.
pub(super) fn outer(program: &Program, at: usize) -> impl Iterator<Item = &Statement> {
    let mut depth = program.statements.get(at).map_or(0, |own| own.depth);
    program.statements.get(..at).unwrap_or_default().iter().rev().filter(move |own| {
        let is_outer = own.depth < depth && own.opens;
        if is_outer {
            depth = own.depth;
        }
        is_outer
    })
}

/// The statements in the block that a statement opens.
pub(super) fn inner(program: &Program, at: usize) -> &[Statement] {
    let rest = program.statements.get(at + 1..).unwrap_or_default();
    let Some(head) = program.statements.get(at) else { return &[] };
    let end = rest.iter().position(|own| own.depth <= head.depth).unwrap_or(rest.len());
    if head.opens { rest.get(..end).unwrap_or_default() } else { &[] }
}

/// A comment with a reason on the lines from one above to the last, which have to be new or old alike.
pub(super) fn has_reason(file: &FileChange<'_>, first: u64, last: u64) -> bool {
    file.new.program.comments.iter().any(|(comment, line, _)| {
        *line + 1 >= first && *line <= last && comment.text.split_whitespace().count() >= 4
    })
}
