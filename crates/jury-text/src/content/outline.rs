//! A foundation document as lines under headings. People write these in many ways, so they are read leniently: headings,
//! entries of lists, rows of tables, `Label: value`, and lines in bold that stand for a heading.

use jury_core::fence::{CodeLine, Fences};

use crate::markdown::line;

/// A line of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The headings above it, the nearest last, in lower case.
    pub(crate) above: Vec<String>,
    /// What stands before a colon, or in the first cell of a row, in lower case.
    pub(crate) label: Option<String>,
    /// The rest, without markup.
    pub(crate) text: String,
    /// An entry of a list, a row, or a heading below the one that matters.
    pub(crate) item: bool,
    /// It is a heading itself.
    pub(crate) heading: bool,
}

/// The lines of a document that have something in them. What goes on in the next line is one.
pub(crate) fn read(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut fences = Fences::default();
    // The last line is a paragraph or an entry that may go on.
    let mut open = false;
    let body = text.get(super::front_matter::read(text).end..).unwrap_or_default();
    for raw in body.lines() {
        let raw = raw.trim();
        if fences.line(raw) != CodeLine::Outside || !raw.chars().any(char::is_alphanumeric) {
            open = false;
            continue;
        }
        if let Some((level, title)) = heading(raw) {
            while above.last().is_some_and(|(known, _)| *known >= level) {
                above.pop();
            }
            lines.push(Line {
                above: names(&above),
                label: None,
                text: title.clone(),
                item: true,
                heading: true,
            });
            above.push((level, title.to_lowercase()));
            open = false;
            continue;
        }
        if raw.starts_with('|') {
            row(raw, &above, &mut lines);
            open = false;
            continue;
        }
        let (item, content) = entry(raw);
        let content = plain(content);
        let (label, text) = labelled(&content);
        let begins =
            item || raw.starts_with('>') || label.is_some() && content.starts_with(char::is_uppercase);
        if let Some(last) = lines.last_mut().filter(|_| open && !begins) {
            last.text.push(' ');
            last.text.push_str(&content);
            continue;
        }
        lines.push(Line { above: names(&above), label, text, item, heading: false });
        open = true;
    }
    lines
}

fn names(above: &[(usize, String)]) -> Vec<String> {
    above.iter().map(|(_, name)| name.clone()).collect()
}

/// `## Title`; below every one of those, a line that is bold as a whole, or that is nothing but `Label:`.
fn heading(raw: &str) -> Option<(usize, String)> {
    if let Some((level, title)) = line::heading(raw) {
        return Some((level, plain(title)));
    }
    if let Some(label) = raw.strip_suffix(':')
        && label.split_whitespace().count() <= 6
        && !entry(raw).0
    {
        return Some((7, plain(label)));
    }
    line::bold(raw).map(|title| (7, plain(title)))
}

fn entry(raw: &str) -> (bool, &str) {
    let Some(text) = line::item(raw).map(|item| item.text).or_else(|| raw.strip_prefix("• ")) else {
        return (false, raw.trim_start_matches("> "));
    };
    (true, ["[ ] ", "[x] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text))
}

fn row(raw: &str, above: &[(usize, String)], lines: &mut Vec<Line>) {
    let cells = cells(raw);
    let [first, rest @ ..] = cells.as_slice() else { return };
    let text = rest.first().cloned().unwrap_or_default();
    let label = Some(first.to_lowercase()).filter(|label| !label.is_empty());
    lines.push(Line { above: names(above), label, text, item: true, heading: false });
}

/// A short beginning before a colon, and what follows it.
fn labelled(text: &str) -> (Option<String>, String) {
    if let Some((label, rest)) =
        text.split_once(": ").or_else(|| text.strip_suffix(':').map(|label| (label, "")))
        && label.split_whitespace().count() <= 6
        && !label.contains(['"', '“', '.'])
    {
        return (Some(label.trim().to_lowercase()), rest.trim().to_owned());
    }
    (None, text.to_owned())
}

/// A table: what its columns are called, and its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// The tables of a document, with every cell.
pub(crate) fn tables(text: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut before = "";
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if line::is_table_rule(line) {
            let header = if before.contains('|') { cells(before) } else { Vec::new() };
            let rows = std::iter::from_fn(|| lines.next_if(|line| line.contains('|')));
            tables.push(Table { header, rows: rows.map(cells).collect() });
        }
        before = line;
    }
    tables
}

fn cells(row: &str) -> Vec<String> {
    line::cells(row).into_iter().map(plain).collect()
}

/// Text without the marks of emphasis, code and links.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        rest = after.get(2..).and_then(|after| after.split_once(')')).map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.retain(|c| !matches!(c, '*' | '`' | '[' | ']'));
    out.trim().trim_matches('_').to_owned()
}

/// What is in quotation marks.
pub(crate) fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut start: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match (start, c) {
            (None, '"') => start = Some((at + 1, '"')),
            (None, '“') => start = Some((at + c.len_utf8(), '”')),
            (Some((from, closing)), c) if c == closing => {
                found.extend(
                    text.get(from..at).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned),
                );
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_what_stands_above_them() {
        let text = "---\ntitle: x\n---\n# A\n\n## Who it is **for**\n\n- [Freelancers](x.md): *busy* ones\n\n**Not for:**\n\n1. Banks\n\n| Primary | tax app |\n|---|---|\n\n```\n# no\n```\n";
        let lines = read(text);
        let seen: Vec<(Vec<&str>, Option<&str>, &str)> = lines
            .iter()
            .map(|line| {
                (line.above.iter().map(String::as_str).collect(), line.label.as_deref(), line.text.as_str())
            })
            .collect();
        assert_eq!(
            seen,
            [
                (vec![], None, "A"),
                (vec!["a"], None, "Who it is for"),
                (vec!["a", "who it is for"], Some("freelancers"), "busy ones"),
                (vec!["a", "who it is for"], None, "Not for"),
                (vec!["a", "who it is for", "not for"], None, "Banks"),
                (vec!["a", "who it is for", "not for"], Some("primary"), "tax app"),
            ]
        );
    }

    #[test]
    fn what_goes_on_in_the_next_line_is_one() {
        let texts =
            |text: &str| read(text).into_iter().map(|line| (line.label, line.text)).collect::<Vec<_>>();
        let plain = |text: &str| (None, text.to_owned());
        assert_eq!(
            texts("- one\n  more\n- two\n\nA long\nline.\n\nNot like this:\n\n> So\n"),
            [plain("one more"), plain("two"), plain("A long line."), plain("Not like this"), plain("So"),]
        );
        assert_eq!(
            texts("Main: a\nOther: b\n"),
            [(Some("main".to_owned()), "a".to_owned()), (Some("other".to_owned()), "b".to_owned()),]
        );
    }

    #[test]
    fn code_is_no_line_and_a_bar_in_a_cell_divides_nothing() {
        let text = "````md\n```sh\nMain: a\n```\nOther: b\n````\n#tag of a line\n";
        let texts: Vec<String> = read(text).into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["#tag of a line"]);
        let table = |text| tables(text).pop().map(|table| (table.header, table.rows));
        let wanted = (vec!["Plan".to_owned(), "a\\|b".to_owned()], vec![vec!["x".to_owned(), String::new()]]);
        assert_eq!(table("| Plan | a\\|b |\n|---|---|\n| x | |\n"), Some(wanted));
    }

    #[test]
    fn a_row_belongs_to_one_table() {
        let hostile = "|-|\n".repeat(100_000);
        assert_eq!(tables(&hostile).iter().map(|table| table.rows.len()).sum::<usize>(), 99_999);
    }

    #[test]
    fn quotations_are_found() {
        assert_eq!(quoted("Say \"use\" or “help”, not \"\"."), ["use", "help"]);
        assert_eq!(quoted("one \" alone"), [""; 0]);
    }
}
