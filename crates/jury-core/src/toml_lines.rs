//! Where things stand in a file that people write, so that what is wrong with it has a line.
//!
//! The files are TOML, which this crate does not read: whoever has a reader hands over what was read and the text, and
//! the text is for the lines.

use thiserror::Error;

/// A file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct Mistake {
    /// The line of the mistake, from 1.
    pub line: usize,
    /// What is wrong, and what would do.
    pub what: String,
}

/// The line of a byte in a text, from 1: for errors of a reader that counts bytes.
pub fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

/// Where things stand in a file, found by its lines. Good enough to point at them: a key that stands elsewhere than
/// on a line of its own leads to the head of its table.
pub(crate) struct TomlLines<'a> {
    /// The first one is the top of the file.
    tables: Vec<Table<'a>>,
}

/// A table of a file.
struct Table<'a> {
    name: &'a str,
    line: usize,
    /// Its keys and their lines.
    keys: Vec<(&'a str, usize)>,
}

/// What opens and closes a text of several lines.
const MARKS: [&str; 2] = ["\"\"\"", "'''"];

impl<'a> TomlLines<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut tables = vec![Table { name: "", line: 1, keys: Vec::new() }];
        let mut within: Option<&str> = None;
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            // What stands in a text is no key and no table, whatever it looks like.
            if let Some(mark) = within {
                within = (!line.contains(mark)).then_some(mark);
                continue;
            }
            within = MARKS.into_iter().find(|mark| line.matches(mark).count() % 2 == 1);
            if let Some(header) = line.strip_prefix('[') {
                let name = header.trim_start_matches('[').split(']').next().unwrap_or_default().trim();
                tables.push(Table { name, line: number, keys: Vec::new() });
            } else if let Some((key, _)) = line.split_once('=')
                && let Some(table) = tables.last_mut()
            {
                table.keys.push((key.trim(), number));
            }
        }
        Self { tables }
    }

    /// A key above all tables.
    pub(crate) fn top(&self, key: &str) -> usize {
        self.tables.first().map_or(1, |table| table.find(key))
    }

    /// A key of the table of this name.
    pub(crate) fn table(&self, name: &str, key: &str) -> usize {
        self.tables.iter().find(|table| table.name == name).map_or(1, |table| table.find(key))
    }

    /// A key of the so-manieth table of this name, in its own table or in one below it.
    pub(crate) fn entry(&self, name: &str, index: usize, key: &str) -> usize {
        let mut heads = self.tables.iter().enumerate().filter(|(_, table)| table.name == name);
        let Some((start, head)) = heads.nth(index) else { return 1 };
        let below = format!("{name}.{key}");
        let mut rest = self.tables.iter().skip(start + 1).take_while(|table| table.name != name);
        rest.find(|table| table.name == below).map_or_else(|| head.find(key), |table| table.line)
    }
}

impl Table<'_> {
    /// The line of a key; without it, that of the table.
    fn find(&self, key: &str) -> usize {
        self.keys.iter().find(|(own, _)| *own == key).map_or(self.line, |(_, line)| *line)
    }
}
