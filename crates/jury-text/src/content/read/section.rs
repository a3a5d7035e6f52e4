//! A section of a page: of the kind that stands behind its heading in braces, or else of the kind that it looks like.

use jury_core::content::page::{Item, PageQuestion, Quote, Section};

use super::Remark;
use super::links;
use super::page::in_brackets;
use crate::markdown::blocks::{Block, Kind};
use crate::markdown::line::heading_text;

/// A heading of the second level with what stands under it.
pub(super) struct Part {
    line: u32,
    /// The level that the heading was written with.
    level: usize,
    heading: String,
    mark: Option<Mark>,
    pub(super) blocks: Vec<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Text,
    Features,
    Steps,
    Alternatives,
    Proof,
    Faq,
    Action,
}

const MARKS: [(&str, Mark); 7] = [
    ("text", Mark::Text),
    ("features", Mark::Features),
    ("steps", Mark::Steps),
    ("alternatives", Mark::Alternatives),
    ("proof", Mark::Proof),
    ("faq", Mark::Faq),
    ("action", Mark::Action),
];

impl Part {
    pub(super) fn new(line: u32, level: usize, text: &str, remarks: &mut Vec<Remark>) -> Self {
        let braced = text.strip_suffix('}').and_then(|rest| rest.rsplit_once('{'));
        let known = braced.and_then(|(_, word)| MARKS.iter().find(|(name, _)| *name == word));
        let (heading, mark) = match (braced, known) {
            (Some((before, _)), Some((_, mark))) => (heading_text(before, 2).to_owned(), Some(*mark)),
            (Some((_, word)), None) => {
                let kinds = MARKS.map(|(name, _)| name).join(", ");
                remarks
                    .push(Remark { line, what: format!("`{word}` is no kind of section: one of {kinds}") });
                (heading_text(text, 2).to_owned(), None)
            }
            (None, _) => (heading_text(text, 2).to_owned(), None),
        };
        Self { line, level, heading, mark, blocks: Vec::new() }
    }

    /// Whether a heading of this level begins a new section although it is not of the second: when this one was not of
    /// the second either.
    pub(super) fn ends_with(&self, level: usize) -> bool {
        self.level > 2 && level <= self.level
    }

    fn text(&self, blocks: &[Block]) -> Section {
        Section::Text {
            heading: self.heading.clone(),
            paragraphs: blocks.iter().map(Block::source).collect(),
        }
    }
}

/// Reads a section; more than one when something in it fits into no other kind than text.
pub(super) fn read(part: &Part, sections: &mut Vec<Section>, remarks: &mut Vec<Remark>) {
    let mark = part.mark.unwrap_or_else(|| {
        let mark = guess(part);
        if mark != Mark::Text {
            let name = MARKS.iter().find(|(_, known)| *known == mark).map_or("", |(name, _)| *name);
            let what = format!(
                "taken for {name}: write `{{{name}}}` behind the heading to say so, or `{{text}}` if it is plain text"
            );
            remarks.push(Remark { line: part.line, what });
        }
        mark
    });
    let heading = part.heading.clone();
    let (section, left) = match mark {
        Mark::Text => (Some(part.text(&part.blocks)), Vec::new()),
        Mark::Features | Mark::Steps | Mark::Alternatives => {
            let Divided { before, items, after } = items(&part.blocks);
            let intro = sources(&before);
            let section = match mark {
                Mark::Steps => Section::Steps { heading, intro, items },
                Mark::Alternatives => Section::Alternatives { heading, intro, items },
                Mark::Text | Mark::Features | Mark::Proof | Mark::Faq | Mark::Action => {
                    Section::Features { heading, intro, items }
                }
            };
            (Some(section), after)
        }
        Mark::Proof => {
            let (quotes, left) = quotes(part);
            (Some(Section::Proof { heading, quotes }), left)
        }
        Mark::Faq => {
            let Divided { mut before, items, after } = questions(&part.blocks);
            before.extend(after);
            let question = |item: Item| PageQuestion { question: item.title, answer: item.text };
            (Some(Section::Faq { heading, items: items.into_iter().map(question).collect() }), before)
        }
        Mark::Action => action(part, remarks),
    };
    if !left.is_empty() || section.is_none() {
        if let Some(block) = left.first().filter(|_| section.is_some()) {
            let what =
                "this text has no place among the others: it is a section of its own with the same heading";
            remarks.push(Remark { line: block.line, what: what.to_owned() });
        }
        let text = part.text(&left);
        // What stood behind the items of a list stays behind them.
        if let Some(Section::Features { .. } | Section::Steps { .. } | Section::Alternatives { .. }) =
            &section
        {
            sections.extend(section);
            sections.push(text);
            return;
        }
        sections.push(text);
    }
    sections.extend(section);
}

/// What an unmarked section looks like.
fn guess(part: &Part) -> Mark {
    let says = |words: &[&str]| {
        let heading = format!(" {} ", spaced(&part.heading));
        words.iter().any(|word| heading.contains(&format!(" {word} ")))
    };
    let is_faq = says(&["faq", "faqs", "questions", "q a"]);
    let compares = says(&[
        "vs",
        "versus",
        "instead",
        "alternative",
        "alternatives",
        "compare",
        "compared",
        "comparison",
    ]);
    let titles: Vec<&str> = item_level(&part.blocks).map_or_else(Vec::new, |level| {
        let title =
            |block: &'_ Block| matches!(&block.kind, Kind::Heading { level: own, .. } if *own == level);
        part.blocks.iter().filter(|block| title(block)).filter_map(heading_of).collect()
    });
    if !titles.is_empty() {
        let asked = titles.iter().filter(|title| title.ends_with('?')).count();
        return if is_faq || asked * 2 >= titles.len() {
            Mark::Faq
        } else if compares {
            Mark::Alternatives
        } else if says(&["how it works", "steps"]) || titles.iter().all(|title| is_numbered(title)) {
            Mark::Steps
        } else {
            Mark::Features
        };
    }
    if part.blocks.iter().any(|block| bold_question(block).is_some()) {
        return Mark::Faq;
    }
    let quotes = part.blocks.iter().filter(|block| matches!(block.kind, Kind::Quote { .. })).count();
    if quotes > 0 && (quotes == part.blocks.len() || part.blocks.iter().any(has_source)) {
        return Mark::Proof;
    }
    let listed = |of: bool| {
        part.blocks.iter().filter_map(move |block| match &block.kind {
            Kind::List { ordered, items, .. } if *ordered == of => Some(items),
            Kind::List { .. }
            | Kind::Heading { .. }
            | Kind::Paragraph(_)
            | Kind::Quote { .. }
            | Kind::Raw(_) => None,
        })
    };
    if listed(true).flatten().count() > 1 {
        return Mark::Steps;
    }
    let mut bullets = listed(false).flatten().peekable();
    if bullets.peek().is_some() && bullets.all(|item| bold_lead(item).is_some()) {
        return if compares { Mark::Alternatives } else { Mark::Features };
    }
    // A note may stand behind the link, as it does under the headline.
    let mut behind = part.blocks.iter().rev().skip_while(|block| matches!(block.kind, Kind::Quote { .. }));
    match behind.next().map(|block| &block.kind) {
        Some(Kind::Paragraph(text)) if links::alone(text).is_some() => Mark::Action,
        _ => Mark::Text,
    }
}

/// The words in lower case, with one space between them.
pub(in crate::content) fn spaced(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

fn heading_of(block: &Block) -> Option<&str> {
    match &block.kind {
        Kind::Heading { text, .. } => Some(text),
        Kind::Paragraph(_) | Kind::List { .. } | Kind::Quote { .. } | Kind::Raw(_) => None,
    }
}

/// The level of the headings that divide a section: the highest in it.
fn item_level(blocks: &[Block]) -> Option<usize> {
    let levels = blocks.iter().filter_map(|block| match &block.kind {
        Kind::Heading { level, .. } => Some(*level),
        Kind::Paragraph(_) | Kind::List { .. } | Kind::Quote { .. } | Kind::Raw(_) => None,
    });
    levels.min()
}

fn is_numbered(title: &str) -> bool {
    let title = title.strip_prefix("Step ").unwrap_or(title);
    title.starts_with(|c: char| c.is_ascii_digit())
}

fn sources(blocks: &[Block]) -> String {
    blocks.iter().map(Block::source).collect::<Vec<_>>().join("\n\n")
}

/// What is divided into items, with what stands before and behind them.
pub(in crate::content) struct Divided {
    pub(in crate::content) before: Vec<Block>,
    pub(in crate::content) items: Vec<Item>,
    pub(in crate::content) after: Vec<Block>,
}

/// Items under headings, or else those of a list.
pub(in crate::content) fn items(blocks: &[Block]) -> Divided {
    if item_level(blocks).is_some() {
        return under_headings(blocks);
    }
    let is_list = |block: &Block| matches!(block.kind, Kind::List { .. });
    let Some(start) = blocks.iter().position(is_list) else {
        return Divided { before: blocks.to_vec(), items: Vec::new(), after: Vec::new() };
    };
    let length = blocks.iter().skip(start).take_while(|block| is_list(block)).count();
    let mut found = Vec::new();
    for block in blocks.iter().skip(start).take(length) {
        if let Kind::List { items, .. } = &block.kind {
            found.extend(items.iter().map(|item| listed(item)));
        }
    }
    let of = |blocks: &[Block]| blocks.to_vec();
    Divided {
        before: blocks.get(..start).map(of).unwrap_or_default(),
        items: found,
        after: blocks.get(start + length..).map(of).unwrap_or_default(),
    }
}

fn under_headings(blocks: &[Block]) -> Divided {
    let level = item_level(blocks);
    let mut before = Vec::new();
    let mut found: Vec<(String, Vec<Block>)> = Vec::new();
    for block in blocks {
        match (&block.kind, found.last_mut()) {
            (Kind::Heading { level: own, text }, _) if Some(*own) == level => {
                found.push((heading_text(text, 3).to_owned(), Vec::new()));
            }
            (_, Some((_, under))) => under.push(block.clone()),
            (_, None) => before.push(block.clone()),
        }
    }
    let items = found.into_iter().map(|(title, under)| Item { title, text: sources(&under) }).collect();
    Divided { before, items, after: Vec::new() }
}

/// An item of a list: its title is what is bold, or stands before a colon, or is its first sentence, if that is short.
pub(in crate::content) fn listed(item: &str) -> Item {
    let whole = || Item { title: heading_text(item, 3).to_owned(), text: String::new() };
    let (title, text) = if let Some((title, text)) = bold_lead(item) {
        (title, text)
    } else if let Some((title, text)) = item.split_once(": ").filter(|(title, _)| is_short(title)) {
        (title, text)
    } else if let Some((title, text)) = item.split_once(". ").filter(|(title, _)| is_short(title)) {
        (title, text)
    } else {
        return whole();
    };
    let (title, text) = (heading_text(title, 3), text.trim());
    // A text that begins with a mark would be read as something else the next time.
    let is_safe =
        text.is_empty() || text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '“' | '‘'));
    if title.is_empty() || !is_safe {
        whole()
    } else {
        Item { title: title.to_owned(), text: text.to_owned() }
    }
}

fn is_short(title: &str) -> bool {
    (1..=8).contains(&title.split_whitespace().count())
}

/// What an item says in bold at its beginning, and what it says then.
fn bold_lead(item: &str) -> Option<(&str, &str)> {
    let (title, rest) = item.strip_prefix("**")?.split_once("**")?;
    let rest = rest.trim_start();
    let rest = rest.strip_prefix([':', '–', '—', '-', '.']).unwrap_or(rest).trim_start();
    let title = title.trim().trim_end_matches([':', '.']).trim_end();
    (!title.is_empty()).then_some((title, rest))
}

/// Questions under headings, or else in bold at the beginning of a paragraph.
pub(in crate::content) fn questions(blocks: &[Block]) -> Divided {
    if item_level(blocks).is_some() {
        return under_headings(blocks);
    }
    let mut before = Vec::new();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for block in blocks {
        match (bold_question(block), found.last_mut()) {
            (Some((question, answer)), _) => {
                let answer = (!answer.is_empty()).then(|| answer.to_owned());
                found.push((question.to_owned(), answer.into_iter().collect()));
            }
            (None, Some((_, under))) => under.push(block.source()),
            (None, None) => before.push(block.clone()),
        }
    }
    let items = found.into_iter().map(|(title, under)| Item { title, text: under.join("\n\n") }).collect();
    Divided { before, items, after: Vec::new() }
}

pub(in crate::content) fn bold_question(block: &Block) -> Option<(&str, &str)> {
    let Kind::Paragraph(text) = &block.kind else { return None };
    let (question, answer) = text.strip_prefix("**")?.split_once("**")?;
    let (question, answer) = (question.trim(), answer.trim());
    let is_safe = answer.is_empty() || answer.starts_with(char::is_alphabetic);
    (question.ends_with('?') && is_safe).then_some((question, answer))
}

/// Who said it, when a line of its own names them with a dash.
pub(in crate::content) fn attribution(line: &str) -> Option<&str> {
    let name =
        line.strip_prefix("—").or_else(|| line.strip_prefix("–")).or_else(|| line.strip_prefix("-- "))?;
    Some(name.trim()).filter(|name| !name.is_empty())
}

fn has_source(block: &Block) -> bool {
    match &block.kind {
        Kind::Quote { paragraphs, .. } => {
            let mut lines = paragraphs.iter().flatten();
            lines.next().is_some() && lines.next_back().is_some_and(|line| attribution(line).is_some())
        }
        Kind::Paragraph(text) => attribution(text).is_some(),
        Kind::Heading { .. } | Kind::List { .. } | Kind::Raw(_) => false,
    }
}

/// The quotes of a section, and what is none.
fn quotes(part: &Part) -> (Vec<Quote>, Vec<Block>) {
    let mut quotes: Vec<Quote> = Vec::new();
    let mut left = Vec::new();
    let mut follows = false;
    for block in &part.blocks {
        match (&block.kind, quotes.last_mut()) {
            (Kind::Quote { paragraphs, .. }, _) => {
                quotes.push(quote(paragraphs, part.mark.is_some()));
                follows = true;
                continue;
            }
            (Kind::Paragraph(text), Some(quote)) if follows && quote.source.is_empty() => {
                match attribution(text) {
                    Some(source) => source.clone_into(&mut quote.source),
                    None => left.push(block.clone()),
                }
            }
            _ => left.push(block.clone()),
        }
        follows = false;
    }
    (quotes, left)
}

/// A quote: its last paragraph says whose words they are, if it looks like it or the section is marked as proof.
pub(in crate::content) fn quote(paragraphs: &[Vec<String>], is_marked: bool) -> Quote {
    let mut texts: Vec<Vec<String>> = paragraphs.to_vec();
    let mut source = String::new();
    if let [.., _, last] = texts.as_slice() {
        let line = last.join(" ");
        let is_short = line.split_whitespace().count() <= 12 && !line.ends_with(['.', '!', '?']);
        if is_marked || is_short || attribution(&line).is_some() {
            source = if is_marked { line } else { attribution(&line).unwrap_or(&line).to_owned() };
            texts.pop();
        }
    } else if let [only] = texts.as_mut_slice()
        && only.len() > 1
        && let Some(name) = only.last().and_then(|line| attribution(line)).map(str::to_owned)
    {
        source = name;
        only.pop();
    }
    let text = texts.iter().map(|lines| lines.join(" ")).collect::<Vec<_>>().join(" ");
    Quote { text, source }
}

/// A call to action: the last link that stands alone, and everything else as its text.
fn action(part: &Part, remarks: &mut Vec<Remark>) -> (Option<Section>, Vec<Block>) {
    let link = |block: &Block| match &block.kind {
        Kind::Paragraph(text) => links::alone(text),
        Kind::Heading { .. } | Kind::List { .. } | Kind::Quote { .. } | Kind::Raw(_) => None,
    };
    let last = part.blocks.iter().rposition(|block| link(block).is_some());
    let Some((index, cta)) = last.and_then(|index| Some((index, link(part.blocks.get(index)?)?))) else {
        let what = "a call to action needs a link alone in a paragraph, `[what it says](where it leads)`: taken for text";
        remarks.push(Remark { line: part.line, what: what.to_owned() });
        return (None, part.blocks.clone());
    };
    let mut texts = Vec::new();
    for (_, block) in part.blocks.iter().enumerate().filter(|(own, _)| *own != index) {
        texts.push(match (link(block), &block.kind) {
            (Some(link), _) => in_brackets(&link),
            (None, Kind::Quote { paragraphs, .. }) => unquoted(paragraphs).unwrap_or_else(|| block.source()),
            (None, _) => block.source(),
        });
    }
    (Some(Section::Action { heading: part.heading.clone(), text: texts.join("\n\n"), cta }), Vec::new())
}

/// The words of a quote, if they would not be read as something else without its marks.
fn unquoted(paragraphs: &[Vec<String>]) -> Option<String> {
    let texts: Vec<String> = paragraphs.iter().map(|lines| lines.join(" ")).collect();
    let are_plain = texts.iter().all(|text| text.starts_with(char::is_alphabetic));
    are_plain.then(|| texts.join("\n\n"))
}
