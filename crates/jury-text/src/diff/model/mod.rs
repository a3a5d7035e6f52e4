//! Both versions of each file of a change as programs, and which test of the one is which of the other. Where the caller has the
//! files they are read whole; else what the hunks show of them is.

mod assertion;
mod builder;
mod dialect;
mod head;
mod pairs;
mod program;
mod ranks;
mod token;

use std::collections::{BTreeMap, HashSet};

use super::path::FileKind;
use super::{Diff, File, LineChange, Side};

pub(super) use assertion::{Assertion, NOTHING, assertion, same};
pub(super) use dialect::{Dialect, is_test_file};
pub(super) use head::matching;
pub(super) use pairs::{Pairs, Test, pairs, values_of};
pub(super) use program::{Line, Program, Statement, Unit, UnitKind};
pub(super) use token::{Kind, Token};

/// The most bytes of all files that are read as programs.
const MOST_OF_CHANGE: usize = 8 << 20;

/// A line of a version of a file.
#[derive(Debug, Clone)]
pub(super) struct TextLine {
    pub(super) text: String,
    pub(super) number: u64,
    pub(super) changed: bool,
}

/// A version of a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Version {
    pub(super) lines: Vec<TextLine>,
    pub(super) program: Program,
    /// All of it is there.
    pub(super) whole: bool,
}

impl Version {
    /// The text of a line.
    pub(super) fn line(&self, number: u64) -> &str {
        self.lines
            .binary_search_by_key(&number, |line| line.number)
            .ok()
            .and_then(|at| self.lines.get(at))
            .map_or("", |line| line.text.as_str())
    }

    pub(super) fn changed(&self) -> impl Iterator<Item = &TextLine> {
        self.lines.iter().filter(|line| line.changed)
    }
}

/// A file before and after.
#[derive(Debug)]
pub(super) struct FileChange<'a> {
    pub(super) file: &'a File,
    pub(super) path: &'a str,
    pub(super) old_path: &'a str,
    pub(super) dialect: Option<Dialect>,
    /// It is a test, or what tests use.
    pub(super) test: bool,
    pub(super) kind: FileKind,
    pub(super) old: Version,
    pub(super) new: Version,
}

impl FileChange<'_> {
    pub(super) fn version(&self, side: Side) -> &Version {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }

    /// Both versions are there whole.
    pub(super) fn is_whole(&self) -> bool {
        self.old.whole && self.new.whole
    }

    /// The statements that are new.
    pub(super) fn added(&self) -> impl Iterator<Item = (usize, &Statement)> {
        self.new.program.statements.iter().enumerate().filter(|(_, statement)| statement.changed)
    }

    /// Code of the product.
    pub(super) fn is_source(&self) -> bool {
        !self.test
            && self.kind == FileKind::Source
            && self.dialect.is_some_and(|dialect| dialect != Dialect::Settings)
    }
}

/// A change as two versions of a program.
#[derive(Debug)]
pub(super) struct Change<'a> {
    pub(super) files: Vec<FileChange<'a>>,
    pub(super) pairs: Pairs,
    /// Names that the product had in what was touched, and has no more.
    pub(super) gone: HashSet<String>,
    /// Names of the product whose meaning changed, and of what uses them.
    pub(super) altered: HashSet<String>,
    /// What stood in the old versions, in one spelling, and how often; to tell what moved from what is new.
    before: BTreeMap<String, usize>,
    /// The same of what is new.
    after: BTreeMap<String, usize>,
    /// Something of the product changed.
    pub(super) product_changed: bool,
}

impl<'a> Change<'a> {
    pub(super) fn new(diff: &'a Diff, whole: &dyn Fn(&str, Side) -> Option<Vec<u8>>) -> Self {
        let mut left = MOST_OF_CHANGE;
        let files: Vec<FileChange<'a>> = diff
            .files
            .iter()
            .filter(|file| !file.binary)
            .map(|file| of_file(file, whole, &mut left))
            .collect();
        let pairs = pairs(&files);
        let mut change = Self {
            gone: gone(&files),
            altered: altered(&files),
            before: said(&files, Side::Old),
            after: said(&files, Side::New),
            product_changed: files.iter().any(|file| file.is_source() && is_altered(file)),
            files,
            pairs,
        };
        change.gone.retain(|word| word.len() > 2);
        change
    }

    /// The statement stood somewhere before the change, and stands there no more: it moved.
    pub(super) fn moved_here(&self, statement: &Statement) -> bool {
        self.before.contains_key(&statement.text)
    }

    /// The statement comes back somewhere.
    pub(super) fn comes_back(&self, text: &str) -> bool {
        self.after.contains_key(text)
    }

    /// Something that it names is gone from the product.
    pub(super) fn is_obsolete(&self, statements: &[Statement]) -> bool {
        statements.iter().flat_map(|statement| &statement.tokens).any(|token| match token.kind {
            Kind::Word | Kind::Text => self.gone.contains(&token.text),
            Kind::Number | Kind::Mark | Kind::Directive => false,
        })
    }

    /// Something that it names has another meaning now.
    pub(super) fn is_altered(&self, statements: &[Statement]) -> bool {
        statements
            .iter()
            .flat_map(|statement| &statement.tokens)
            .any(|token| token.kind == Kind::Word && self.altered.contains(&token.text))
    }
}

fn of_file<'a>(
    file: &'a File,
    whole: &dyn Fn(&str, Side) -> Option<Vec<u8>>,
    left: &mut usize,
) -> FileChange<'a> {
    let path = file.path();
    let old_path = file.old_path.as_deref().unwrap_or(path);
    let kind = file.kind();
    let dialect = Dialect::of(path);
    let mut version = |mine: LineChange, path: Option<&String>, side: Side| {
        let mut version = lines(file, mine, path.and_then(|path| whole(path, side)));
        let bytes: usize = version.lines.iter().map(|line| line.text.len() + 1).sum();
        if kind.is_machine_made() || bytes > *left {
            return version;
        }
        *left -= bytes;
        if let (Some(path), Some(dialect)) = (path, dialect) {
            let lines: Vec<Line<'_>> = version
                .lines
                .iter()
                .map(|line| Line { text: &line.text, number: line.number, changed: line.changed })
                .collect();
            version.program = Program::read(dialect, path, &lines);
        }
        version
    };
    let old = version(LineChange::Removed, file.old_path.as_ref(), Side::Old);
    let new = version(LineChange::Added, file.new_path.as_ref(), Side::New);
    FileChange { file, path, old_path, dialect, test: is_test_file(path), kind, old, new }
}

/// The lines of one side: of the whole file, if it has those of the hunks.
fn lines(file: &File, mine: LineChange, whole: Option<Vec<u8>>) -> Version {
    let of_hunks: Vec<TextLine> = file
        .hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.change == mine || line.change == LineChange::Context)
        .map(|line| TextLine {
            text: line.text.clone(),
            number: if mine == LineChange::Removed { line.old } else { line.new },
            changed: line.change == mine,
        })
        .collect();
    // A file that is new or gone stands in its hunks.
    let alone = of_hunks.iter().all(|line| line.changed)
        && !of_hunks.is_empty()
        && of_hunks.first().is_some_and(|line| line.number == 1);
    let none = match mine {
        LineChange::Removed => file.old_path.is_none(),
        LineChange::Added => file.new_path.is_none(),
        LineChange::Context => false,
    };
    let is_all = none || (alone && (file.old_path.is_none() || file.new_path.is_none()));
    let Some(text) = whole.and_then(|bytes| String::from_utf8(bytes).ok()) else {
        return Version { lines: of_hunks, program: Program::default(), whole: is_all };
    };
    let mut all: Vec<TextLine> = (1_u64..)
        .zip(text.lines())
        .map(|(number, line)| TextLine { text: line.to_owned(), number, changed: false })
        .collect();
    for line in &of_hunks {
        let own = usize::try_from(line.number).ok().and_then(|number| all.get_mut(number.checked_sub(1)?));
        match own {
            Some(own) if own.text == line.text || own.text.starts_with(&line.text) => {
                own.changed = line.changed
            }
            _ => return Version { lines: of_hunks, program: Program::default(), whole: is_all },
        }
    }
    Version { lines: all, program: Program::default(), whole: true }
}

/// Whether what it says differs, comments and formats aside.
fn is_altered(file: &FileChange<'_>) -> bool {
    let texts = |version: &Version| -> Vec<String> {
        version.program.statements.iter().map(|statement| statement.text.clone()).collect()
    };
    texts(&file.old) != texts(&file.new)
}

fn said(files: &[FileChange<'_>], side: Side) -> BTreeMap<String, usize> {
    let mut said = BTreeMap::new();
    for file in files {
        for statement in file.version(side).program.statements.iter().filter(|statement| statement.changed) {
            *said.entry(statement.text.clone()).or_default() += 1;
        }
    }
    said
}

/// The names that only the old versions of the product have.
fn gone(files: &[FileChange<'_>]) -> HashSet<String> {
    let product = || {
        files.iter().filter(|file| !file.test && !matches!(file.kind, FileKind::Lock | FileKind::Document))
    };
    let kept: HashSet<&str> = product()
        .flat_map(|file| &file.new.program.statements)
        .flat_map(|statement| &statement.tokens)
        .map(|token| token.text.as_str())
        .collect();
    product()
        .flat_map(|file| &file.old.program.statements)
        .filter(|statement| statement.changed)
        .flat_map(|statement| &statement.tokens)
        .filter(|token| matches!(token.kind, Kind::Word | Kind::Text) && !kept.contains(token.text.as_str()))
        .map(|token| token.text.clone())
        .collect()
}

/// Functions, classes and constants of the product that say something else now, and those that use them in the same change.
fn altered(files: &[FileChange<'_>]) -> HashSet<String> {
    let mut altered: HashSet<String> = HashSet::new();
    for file in files.iter().filter(|file| !file.test) {
        let bodies = |program: &Program| -> BTreeMap<String, String> {
            let mut bodies: BTreeMap<String, String> = BTreeMap::new();
            for unit in program.units.iter().filter(|unit| unit.kind == UnitKind::Function) {
                let head = program.head(unit).map_or("", |head| head.text.as_str());
                let body = bodies.entry(unit.name.clone()).or_default();
                body.push_str(head);
                for statement in program.body(unit) {
                    body.push_str(&statement.text);
                    body.push('\n');
                }
            }
            bodies
        };
        let (old, new) = (bodies(&file.old.program), bodies(&file.new.program));
        altered.extend(
            old.iter().filter(|(name, body)| new.get(*name) != Some(*body)).map(|(name, _)| name.clone()),
        );
        altered.extend(new.keys().filter(|name| !old.contains_key(*name)).cloned());
        // What is set outside of functions: constants, tables, fields.
        for side in [Side::Old, Side::New] {
            let program = &file.version(side).program;
            for statement in
                program.statements.iter().filter(|own| own.changed && program.owner(own).is_none())
            {
                let names = statement
                    .tokens
                    .iter()
                    .filter(|token| token.kind == Kind::Word && token.text.len() > 2)
                    .take(6);
                altered.extend(names.map(|token| token.text.clone()));
            }
        }
    }
    let direct = altered.clone();
    for file in files.iter().filter(|file| !file.test) {
        let program = &file.new.program;
        for unit in &program.units {
            let uses = program
                .body(unit)
                .iter()
                .flat_map(|statement| &statement.tokens)
                .any(|token| direct.contains(&token.text));
            if uses {
                altered.insert(unit.name.clone());
            }
        }
    }
    altered
}
