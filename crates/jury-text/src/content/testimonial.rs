//! Words of customers: quotations with somebody under them, and whether a document has the words and the name.
//!
//! A quotation counts when it says whose words it is: a name under it, behind it or before it, a verb of saying beside
//! it, or its place among the proof. Quotation marks that quote nobody (a label, a question that people ask) do not.

use std::ops::Range;

use super::document::{Block, BlockKind, DraftDocument, PagePart};
use super::names::{Token, tokens};
use super::prose::{self, Word};
use super::references::References;

/// The longest line under a quotation that says whose words they are, in words.
const LONGEST_SOURCE_WORDS: usize = 12;

/// Verbs that say that somebody spoke.
const SPEECH: &[&str] = &[
    "admits",
    "dice",
    "dit",
    "erzählt",
    "explained",
    "explains",
    "meint",
    "raconte",
    "raves",
    "recalled",
    "recalls",
    "remembers",
    "sagt",
    "sagte",
    "said",
    "says",
    "schreibt",
    "swears",
    "told",
    "wrote",
];

/// Verbs that say so beside a whole sentence: "adds" may also add a label to a job.
const SOMETIMES_SPEECH: &[&str] =
    &["added", "adds", "put", "puts", "reported", "reports", "shared", "writes"];

/// Somebody without a name who is ours all the same.
const WITNESSES: &[&str] = &[
    "customer of ours",
    "one of our",
    "our client",
    "our customer",
    "our user",
    "told me",
    "told us",
    "wrote to us",
    "wrote us",
];

/// Words of somebody that no document has.
#[derive(Debug)]
pub(super) struct Unproven<'d> {
    pub(super) anchor: String,
    /// What of it is unknown.
    pub(super) what: &'static str,
    pub(super) quote: Option<&'d str>,
}

/// A quotation: its words, and the text that says whose they are.
struct Quotation {
    words: Range<usize>,
    /// Where it says whose they are: in this block, or in the whole of another.
    source: Option<Source>,
}

enum Source {
    /// A name and what belongs to it.
    Here(Range<usize>),
    /// A sentence, whose first word has a capital letter anyway.
    Sentence(Range<usize>),
    Block(usize),
}

/// The quotations of a document that say whose words they are and that no document has.
pub(super) fn unproven<'d>(document: &DraftDocument<'d>, references: &References) -> Vec<Unproven<'d>> {
    let mut found = Vec::new();
    for (at, block) in document.blocks.iter().enumerate() {
        for quotation in quotations(document, at, block, references) {
            let said = block.text.get(quotation.words.clone()).unwrap_or_default();
            let known = pieces(said).iter().all(|piece| references.has_words(piece));
            let (named, is_sentence) = match &quotation.source {
                Some(Source::Here(range)) => (block.text.get(range.clone()), false),
                Some(Source::Sentence(range)) => (block.text.get(range.clone()), true),
                Some(Source::Block(at)) => (document.block(*at).map(|block| block.text.as_str()), false),
                None => (None, false),
            };
            let what = if !known {
                "A quotation"
            } else if named.is_some_and(|text| has_unknown_name(text, is_sentence, references)) {
                "The name beside a quotation"
            } else {
                continue;
            };
            let anchor: Vec<String> = prose::words(said).into_iter().take(6).map(|word| word.lower).collect();
            found.push(Unproven { anchor: anchor.join(" "), what, quote: block.quote(quotation.words) });
        }
    }
    found
}

/// The quotations of a block that say whose words they are.
fn quotations(
    document: &DraftDocument<'_>,
    at: usize,
    block: &Block<'_>,
    references: &References,
) -> Vec<Quotation> {
    if matches!(block.kind, BlockKind::Source | BlockKind::Action) {
        return Vec::new();
    }
    let text = block.text.as_str();
    let all = 0..text.len();
    let next = document.block(at + 1);
    // Beside the first call to action a quotation is a note.
    if matches!(block.kind, BlockKind::Quote | BlockKind::Note) {
        let under = |next: &Block<'_>| {
            next.kind == BlockKind::Source
                || block.kind == BlockKind::Note && next.kind == BlockKind::Note && is_source_block(next)
        };
        if next.is_some_and(under) {
            return vec![Quotation { words: all, source: Some(Source::Block(at + 1)) }];
        }
        if let Some((words, source)) = dashed(text) {
            return vec![Quotation { words, source: Some(Source::Here(source)) }];
        }
        if block.part == PagePart::Proof {
            return vec![Quotation { words: all, source: None }];
        }
    }
    let mut found = Vec::new();
    for Marked { inner, outer } in marked(text) {
        if prose::words(text.get(inner.clone()).unwrap_or_default()).len() < 2 {
            continue;
        }
        let before = text.get(..outer.start).unwrap_or_default();
        let after = text.get(outer.end..).unwrap_or_default();
        let whole = before.trim().is_empty() && is_bare(after);
        let neighbour = |at: Option<usize>| at.filter(|at| document.block(*at).is_some_and(is_source_block));
        let source = if is_source_behind(after, references) {
            Some(Source::Here(outer.end..text.len()))
        } else if let Some(range) = spoken(text, &inner, &outer, references) {
            Some(Source::Sentence(range))
        } else if is_bare(after) && neighbour(Some(at + 1)).is_some() {
            Some(Source::Block(at + 1))
        } else if whole && neighbour(at.checked_sub(1)).is_some() {
            at.checked_sub(1).map(Source::Block)
        } else if block.part == PagePart::Proof {
            None
        } else {
            continue;
        };
        found.push(Quotation { words: inner, source });
    }
    found
}

/// Nothing but marks.
fn is_bare(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}

/// A quotation in its marks.
struct Marked {
    inner: Range<usize>,
    outer: Range<usize>,
}

/// What stands in quotation marks of any kind. A single mark closes only behind the end of a sentence, or it is an
/// apostrophe.
fn marked(text: &str) -> Vec<Marked> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize, char)> = None;
    let mut before: Option<char> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let end = at + c.len_utf8();
        let begins = before.is_none_or(|before| before.is_whitespace() || "([{—–-:*_>/".contains(before));
        match open {
            None => {
                let closing = match c {
                    '"' if begins => Some('"'),
                    '“' => Some('”'),
                    '„' => Some('“'),
                    '«' => Some('»'),
                    '‘' if begins => Some('’'),
                    '\'' if begins => Some('\''),
                    _ => None,
                };
                open = closing.map(|closing| (at, end, closing));
            }
            Some((from, inner, closing)) => {
                // Marks are mixed up more often than not.
                let is_double = matches!(closing, '"' | '”' | '“') && matches!(c, '"' | '”' | '“');
                let is_single = matches!(closing, '’' | '\'') && matches!(c, '’' | '\'');
                let next = characters.peek().map(|(_, next)| *next);
                let ends = next.is_none_or(|next| !next.is_alphanumeric());
                let after_a_sentence = before.is_some_and(|before| ".,!?…".contains(before));
                let fits = if is_single { after_a_sentence } else { c == closing || is_double };
                let closes = ends && fits;
                if closes {
                    found.push(Marked { inner: inner..at, outer: from..end });
                    open = None;
                }
            }
        }
        before = Some(c);
    }
    found
}

/// A text that ends with a dash and whose words it is.
fn dashed(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    let at = ["—", "–", "―", " - ", " -- ", "~"].iter().filter_map(|dash| text.rfind(dash)).max()?;
    let source = text.get(at..)?.trim_start_matches(is_dash);
    is_source(source, 1).then(|| (0..at, text.len() - source.len()..text.len()))
}

fn is_dash(c: char) -> bool {
    matches!(c, '—' | '–' | '―' | '-' | '~' | '(' | '[' | ' ' | '\u{a0}')
}

/// Whether what follows a quotation is whose words it is: a name behind a dash, or two and more of them without one.
fn is_source_behind(after: &str, references: &References) -> bool {
    let trimmed = after.trim_start_matches([',', '.', '"', '”', '*', '_', ' ', '\u{a0}']);
    let rest = trimmed.trim_start_matches(is_dash);
    let behind_a_dash = rest.len() < trimmed.len();
    let words = prose::words(rest);
    let product = words.iter().all(|word| references.is_product(&word.lower));
    !words.is_empty() && !product && is_source(rest, if behind_a_dash { 1 } else { 2 })
}

/// Whether a block is nothing but whose words something is.
fn is_source_block(block: &Block<'_>) -> bool {
    match block.kind {
        BlockKind::Source => true,
        BlockKind::Paragraph | BlockKind::Item | BlockKind::Quote | BlockKind::Note => {
            let rest = block.text.trim_start_matches(is_dash);
            is_source(rest, if rest.len() < block.text.trim_start().len() { 1 } else { 2 })
        }
        // A heading in capital letters is no name; one with a comma is.
        BlockKind::Heading(_) => block.text.contains(',') && is_source(&block.text, 2),
        BlockKind::Action => false,
    }
}

/// A short line that begins with a name: "Ana P., Lisbon", "Jane Doe, owner of Doe Prints".
fn is_source(text: &str, least: usize) -> bool {
    let words = prose::words(text);
    if words.is_empty() || words.len() > LONGEST_SOURCE_WORDS {
        return false;
    }
    let all = tokens(text, &words);
    let comma = text.find([',', '(', '|', '/', ';', '·', '\n']).unwrap_or(text.len());
    let head: Vec<&Token<'_>> = all.iter().filter(|token| token.word.range.start < comma).collect();
    let fits =
        |token: &&Token<'_>| token.is_name() || token.capital && !token.word.stop || token.is_particle();
    let named = head.first().is_some_and(|first| first.capital)
        && head.iter().all(fits)
        && head.iter().any(|token| token.is_name());
    named && all.iter().filter(|token| token.is_name()).count() >= least
}

/// Whether the sentence around a quotation says that somebody in particular spoke, and where it says so.
fn spoken(
    text: &str,
    inner: &Range<usize>,
    outer: &Range<usize>,
    references: &References,
) -> Option<Range<usize>> {
    let before = text.get(..outer.start).unwrap_or_default();
    let after = text.get(outer.end..).unwrap_or_default();
    let said = text.get(inner.clone()).unwrap_or_default();
    let whole = said.trim_end().ends_with(['.', ',', '!', '?', '…']) && prose::words(said).len() >= 4;
    let start = last_sentence(before);
    let lead = before.get(start..).unwrap_or_default();
    if says(lead, whole, references) || is_introduced(lead) {
        return Some(start..outer.start);
    }
    let end = after.find(['.', '!', '?', '\n']).unwrap_or(after.len());
    let tail = after.get(..end).unwrap_or_default();
    says(tail, whole, references).then_some(outer.end..outer.end + end)
}

/// Where the last sentence begins. An initial does not end one.
fn last_sentence(text: &str) -> usize {
    let mut start = 0;
    let mut letters = 0;
    for (at, c) in text.char_indices() {
        let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
        let ends = matches!(c, '.' | '!' | '?') && letters > 1 || c == '\n';
        if ends
            && behind.chars().any(char::is_alphanumeric)
            && (c == '\n' || behind.starts_with(char::is_whitespace))
        {
            start = at + c.len_utf8();
        }
        letters = if c.is_alphanumeric() { letters + 1 } else { 0 };
    }
    start
}

/// "Jane Doe, owner of Doe Prints:" and nothing else before the quotation.
fn is_introduced(lead: &str) -> bool {
    lead.trim_end().trim_end_matches(['*', '_']).strip_suffix(':').is_some_and(|name| is_source(name, 1))
}

/// A verb of saying, with a name beside it or one of our customers.
fn says(text: &str, whole: bool, references: &References) -> bool {
    let words = prose::words(text);
    let is_verb = |word: &Word| {
        let word = word.lower.as_str();
        SPEECH.contains(&word) || whole && SOMETIMES_SPEECH.contains(&word)
    };
    if !words.iter().any(is_verb) {
        return false;
    }
    let line: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    let line = line.join(" ");
    if WITNESSES.iter().any(|witness| line.contains(witness)) {
        return true;
    }
    let all = tokens(text, &words);
    let product = |at: usize| all.get(at).is_some_and(|token| references.is_product(&token.word.lower));
    all.iter().enumerate().any(|(at, token)| {
        let is_ours = product(at) || at.checked_sub(1).is_some_and(product);
        let before = at.checked_sub(1).and_then(|at| all.get(at));
        let beside = [before, all.get(at + 1)];
        let speaks = beside.into_iter().flatten().any(|token| is_verb(token.word));
        // "Jane, a printer in Hull, says".
        let behind = text.get(token.word.range.end..).unwrap_or_default();
        let apart = at <= 2 && behind.starts_with(',');
        let initial = token.word.lower.chars().count() == 1;
        token.is_name() && !is_ours && (speaks || apart) && !(initial && before.is_none())
    })
}

/// The pieces of a quotation that was shortened, each as its words.
fn pieces(said: &str) -> Vec<Vec<Word>> {
    let said = said.replace("[...]", "…").replace("[…]", "…").replace("...", "…");
    let pieces = said.split('…').map(prose::words).filter(|words| !words.is_empty());
    pieces.collect()
}

/// Whether a name stands here that no document has.
fn has_unknown_name(text: &str, is_sentence: bool, references: &References) -> bool {
    let words = prose::words(text);
    let all = tokens(text, &words);
    all.iter().enumerate().any(|(at, token)| {
        let begins = is_sentence && at == 0 && !all.get(1).is_some_and(Token::is_name);
        let initial = token.word.lower.chars().count() == 1;
        let known = references.knows_word(&token.word.lower)
            || token.word.lower.strip_suffix("'s").is_some_and(|word| references.knows_word(word));
        token.is_name() && !begins && !initial && !known
    })
}
