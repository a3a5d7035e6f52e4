//! Markdown as a row of blocks, each with its line: headings, paragraphs, lists, quotes, and the rest as it is.
//!
//! Words within a block are kept as they were written. A page holds text, and whoever renders it decides about the marks
//! in it; so this reads lines, and leaves the inside of a line alone.

use jury_core::fence::{CodeLine, Fence as CodeFence, Fences};

use super::line::{BLANK, Item, heading, heading_text, is_rule, item, underline};

/// A comment that has no end: what it hides cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenComment {
    /// The line that it begins on.
    pub(crate) line: u32,
}

/// A block of Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// The line that it begins with.
    pub(crate) line: u32,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Heading {
        level: usize,
        text: String,
    },
    /// On one line, however it was broken.
    Paragraph(String),
    List {
        ordered: bool,
        /// Each on one line.
        items: Vec<String>,
        /// As it was written.
        raw: String,
    },
    Quote {
        /// The paragraphs, each as its lines.
        paragraphs: Vec<Vec<String>>,
        /// As it was written.
        raw: String,
    },
    /// Code and tables, as they were written.
    Raw(String),
}

impl Block {
    /// The block as it was written, on one line where that says the same.
    pub(crate) fn source(&self) -> String {
        match &self.kind {
            Kind::Heading { level, text } => format!("{} {text}", "#".repeat(*level)),
            Kind::Paragraph(text) | Kind::Raw(text) => text.clone(),
            Kind::List { raw, .. } | Kind::Quote { raw, .. } => raw.clone(),
        }
    }
}

/// The blocks of a text whose first line has this number.
pub(crate) fn blocks(text: &str, first: u32) -> Result<Vec<Block>, OpenComment> {
    let text = without_comments(text, first)?;
    let mut reader = Reader { blocks: Vec::new(), open: None, first };
    for (index, line) in text.split('\n').enumerate() {
        reader.line(index, line);
    }
    reader.close();
    Ok(reader.blocks)
}

/// A block whose end has not come.
enum Open {
    Paragraph { line: u32, lines: Vec<String> },
    List { line: u32, ordered: bool, raw: Vec<String>, blanks: usize },
    Quote { line: u32, raw: Vec<String> },
    Table { line: u32, raw: Vec<String> },
    Fence { line: u32, fence: CodeFence, raw: Vec<String> },
}

struct Reader {
    blocks: Vec<Block>,
    open: Option<Open>,
    first: u32,
}

impl Reader {
    fn line(&mut self, index: usize, whole: &str) {
        let number = line_at(index).saturating_add(self.first.saturating_sub(1));
        let line = whole.trim_matches(BLANK);
        if let Some(Open::Fence { fence, raw, .. }) = &mut self.open {
            raw.push(whole.trim_end_matches(BLANK).to_owned());
            if fence.is_closed_by(line) {
                self.close();
            }
            return;
        }
        if line.is_empty() {
            if let Some(Open::List { blanks, .. }) = &mut self.open {
                *blanks += 1;
            } else {
                self.close();
            }
            return;
        }
        if let Some(Open::List { raw, blanks, .. }) = &mut self.open
            && whole.starts_with(['\t', ' '])
            && (whole.starts_with('\t') || whole.starts_with("  "))
        {
            raw.extend(std::iter::repeat_n(String::new(), *blanks));
            *blanks = 0;
            raw.push(whole.trim_end_matches(BLANK).to_owned());
            return;
        }
        if let Some(Open::List { blanks: 1.., .. }) = &self.open {
            self.close();
        }
        if let Some((fence, _)) = CodeFence::opening(line) {
            self.begin(Open::Fence { line: number, fence, raw: vec![line.to_owned()] });
        } else if let Some((level, text)) = heading(line) {
            self.close();
            let text = text.to_owned();
            self.blocks.push(Block { line: number, kind: Kind::Heading { level, text } });
        } else if let (Some(level), Some(Open::Paragraph { line, lines })) = (underline(line), &self.open) {
            let text = heading_text(&lines.join(" "), level).to_owned();
            let block = Block { line: *line, kind: Kind::Heading { level, text } };
            self.open = None;
            self.blocks.push(block);
        } else if is_rule(line) {
            self.close();
        } else if line.starts_with('>') {
            match &mut self.open {
                Some(Open::Quote { raw, .. }) => raw.push(line.to_owned()),
                _ => self.begin(Open::Quote { line: number, raw: vec![line.to_owned()] }),
            }
        } else if let Some(item) = item(line)
            && self.may_begin(&item)
        {
            let ordered = item.number.is_some();
            match &mut self.open {
                Some(Open::List { raw, ordered: of, .. }) if *of == ordered => raw.push(line.to_owned()),
                _ => self.begin(Open::List { line: number, ordered, raw: vec![line.to_owned()], blanks: 0 }),
            }
        } else if line.starts_with('|') && !matches!(self.open, Some(Open::Paragraph { .. })) {
            match &mut self.open {
                Some(Open::Table { raw, .. }) => raw.push(line.to_owned()),
                _ => self.begin(Open::Table { line: number, raw: vec![line.to_owned()] }),
            }
        } else {
            match &mut self.open {
                Some(Open::Paragraph { lines, .. }) => lines.push(line.to_owned()),
                Some(Open::List { raw, .. } | Open::Quote { raw, .. } | Open::Table { raw, .. }) => {
                    raw.push(line.to_owned());
                }
                Some(Open::Fence { .. }) | None => {
                    self.begin(Open::Paragraph { line: number, lines: vec![line.to_owned()] });
                }
            }
        }
    }

    /// A number other than one goes on with a paragraph: "in the year\n1984. That" is no list.
    fn may_begin(&self, item: &Item<'_>) -> bool {
        !matches!(self.open, Some(Open::Paragraph { .. })) || matches!(item.number, None | Some(1))
    }

    fn begin(&mut self, open: Open) {
        self.close();
        self.open = Some(open);
    }

    fn close(&mut self) {
        let (line, kind) = match self.open.take() {
            None => return,
            Some(Open::Paragraph { line, lines }) => {
                let text = joined(&lines);
                // Marks of emphasis around nothing, over two lines: on one they are a rule.
                if is_rule(&text) {
                    return;
                }
                (line, Kind::Paragraph(text))
            }
            Some(Open::List { line, ordered, raw, .. }) => {
                (line, Kind::List { ordered, items: items(&raw, ordered), raw: raw.join("\n") })
            }
            Some(Open::Quote { line, raw }) => {
                let paragraphs = quoted(&raw);
                // Marks without a word quote nobody.
                if paragraphs.is_empty() {
                    return;
                }
                (line, Kind::Quote { paragraphs, raw: raw.join("\n") })
            }
            Some(Open::Table { line, raw }) => (line, Kind::Raw(raw.join("\n"))),
            Some(Open::Fence { line, fence, mut raw }) => {
                // One that was never closed would swallow what is written behind it the next time.
                if raw.len() < 2 || !raw.last().is_some_and(|last| fence.is_closed_by(last)) {
                    raw.push(fence.marks());
                }
                (line, Kind::Raw(raw.join("\n")))
            }
        };
        self.blocks.push(Block { line, kind });
    }
}

/// Lines as one. A backslash at the end of a line is a mark for a break.
fn joined(lines: &[String]) -> String {
    let last = lines.len().saturating_sub(1);
    let cut = |(index, line): (usize, &String)| {
        let cut = line.strip_suffix('\\').map(|line| line.trim_matches(BLANK));
        cut.filter(|cut| index < last && !cut.is_empty()).unwrap_or(line).to_owned()
    };
    lines.iter().enumerate().map(cut).collect::<Vec<_>>().join(" ")
}

/// The items of a list that was written in these lines, each on one line.
fn items(raw: &[String], ordered: bool) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in raw {
        match item(line) {
            // What is set in belongs to the item above it, whatever it is.
            Some(item) if item.number.is_some() == ordered && !line.starts_with(BLANK) => {
                items.push(item.text.to_owned());
            }
            _ => {
                if let Some(last) = items.last_mut()
                    && !line.trim_matches(BLANK).is_empty()
                {
                    last.push(' ');
                    last.push_str(line.trim_matches(BLANK));
                }
            }
        }
    }
    items
}

/// The paragraphs of a quote that was written in these lines.
fn quoted(raw: &[String]) -> Vec<Vec<String>> {
    let mut paragraphs: Vec<Vec<String>> = vec![Vec::new()];
    for line in raw {
        let inner = line.strip_prefix('>').unwrap_or(line).trim_matches(BLANK);
        if inner.is_empty() {
            paragraphs.push(Vec::new());
        } else if let Some(last) = paragraphs.last_mut() {
            last.push(inner.to_owned());
        }
    }
    paragraphs.retain(|lines| !lines.is_empty());
    paragraphs
}

/// The text without its comments, line by line as before. Within code they are no comments.
fn without_comments(text: &str, first: u32) -> Result<String, OpenComment> {
    let mut out = String::with_capacity(text.len());
    let mut fences = Fences::default();
    let mut within: Option<u32> = None;
    for (index, whole) in text.split('\n').enumerate() {
        let number = line_at(index).saturating_add(first.saturating_sub(1));
        if index > 0 {
            out.push('\n');
        }
        if within.is_none() && fences.line(whole) != CodeLine::Outside {
            out.push_str(whole);
            continue;
        }
        let mut rest = whole;
        loop {
            if within.is_some() {
                let Some((_, behind)) = rest.split_once("-->") else { break };
                within = None;
                // Nothing may grow together over the gap.
                if !behind.is_empty() && !out.ends_with([' ', '\n']) {
                    out.push(' ');
                }
                rest = behind;
            }
            let Some((before, behind)) = rest.split_once("<!--") else {
                out.push_str(rest);
                break;
            };
            out.push_str(before);
            within = Some(number);
            rest = behind;
        }
    }
    match within {
        Some(line) => Err(OpenComment { line }),
        None => Ok(out),
    }
}

/// The number of the line with this index.
pub(crate) fn line_at(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(u32, Kind)> {
        blocks(text, 1).unwrap_or_default().into_iter().map(|block| (block.line, block.kind)).collect()
    }

    #[test]
    fn a_block_of_code_ends_with_a_fence_of_its_own() {
        let code = "````md\n```\n<!-- no comment -->\n# no heading\n```\n````";
        let wanted = [(1, Kind::Raw(code.to_owned())), (8, Kind::Paragraph("a".to_owned()))];
        assert_eq!(kinds(&format!("{code}\n\na")), wanted);
        // One that nobody closed is closed, so that what is written behind it stays outside.
        assert_eq!(kinds("~~~\n```x"), [(1, Kind::Raw("~~~\n```x\n~~~".to_owned()))]);
        assert_eq!(blocks("a\n<!--", 1), Err(OpenComment { line: 2 }));
    }

    #[test]
    fn what_was_made_to_be_slow_is_read_in_one_go() {
        for hostile in
            ["# ", "<!---->", "- ", "> \n", "```\n~~~\n", "| ", "a\n-\n", "**\n", "\\\n", "1. a\n\n  ", "*_"]
        {
            assert!(blocks(&hostile.repeat(200_000), 1).is_ok(), "{hostile:?}");
        }
    }
}
