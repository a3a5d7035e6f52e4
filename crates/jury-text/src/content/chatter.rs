//! What a model says around a draft: a greeting before it, an offer behind it, a fence around it. None of it is the draft.
//!
//! A draft is what stands between the two lines that its author was asked to print: [`marked`]. An author who prints none of
//! them is read by the words, as far as these tell: [`bare`]. A paragraph is taken off only at the ends, and only when every sentence of it is addressed to whoever asked: it names
//! the piece as a piece ("here is the article"), or offers more work on it. Words to readers stay.

use jury_core::fence::Fence;
use jury_core::legible::has_words;

use super::prose;

/// Names of a fence that holds a draft.
const FENCES: &[&str] = &["", "markdown", "md", "mdx", "text", "txt", "html"];

/// The most words around a fence that are still only words around it.
const MOST_AROUND_WORDS: usize = 80;

/// Words that begin an answer and say nothing.
const GREETINGS: &[&str] = &[
    "absolutely",
    "certainly",
    "excellent",
    "excellent choice",
    "excellent question",
    "glad to",
    "glad to help",
    "good question",
    "got it",
    "great",
    "great choice",
    "great idea",
    "great question",
    "happy to",
    "happy to help",
    "no problem",
    "of course",
    "ok",
    "okay",
    "perfect",
    "right away",
    "sounds good",
    "sure",
    "sure thing",
    "thank you",
    "thanks",
    "understood",
    "will do",
];

/// What begins a sentence that hands something over.
const HANDS_OVER: &[&str] = &[
    "as requested",
    "attached is",
    "below is",
    "below you will find",
    "below you'll find",
    "based on",
    "here are",
    "here comes",
    "here is",
    "here it is",
    "here you go",
    "here's",
    "i have created",
    "i have drafted",
    "i have prepared",
    "i have put together",
    "i have revised",
    "i have rewritten",
    "i have updated",
    "i have written",
    "i rewrote",
    "i wrote",
    "i've created",
    "i've drafted",
    "i've prepared",
    "i've put together",
    "i've revised",
    "i've rewritten",
    "i've updated",
    "i've written",
    "please find",
    "this is the",
];

/// What a piece is called by those who work on it.
const PIECES: &[&str] = &[
    "article", "blog", "content", "copy", "draft", "json", "markdown", "page", "piece", "post", "revision",
    "rewrite", "text", "version",
];

/// What is said of a piece only by those who work on it.
const OF_WORK: &[&str] = &[
    "as requested",
    "below",
    "brief",
    "draft",
    "feedback",
    "for you",
    "markdown",
    "requested",
    "revised",
    "revision",
    "rewritten",
    "updated",
    "version",
    "you asked",
    "your article",
    "your blog",
    "your post",
];

/// What begins a sentence that offers more work.
const OFFERS: &[&str] = &[
    "any changes",
    "do you want me to",
    "don't hesitate to",
    "feel free to",
    "happy to",
    "hope that helps",
    "hope this helps",
    "i can",
    "i could",
    "i hope that helps",
    "i hope this",
    "i'd be happy to",
    "i'm happy to",
    "i'm here",
    "if you need",
    "if you want",
    "if you'd like",
    "if you would like",
    "is there anything else",
    "just let me know",
    "just say",
    "let me know",
    "looking forward to",
    "please let me know",
    "shall i",
    "should i",
    "want me to",
    "would you like",
];

/// What more work is about.
const OF_MORE_WORK: &[&str] = &[
    "adjust",
    "anything else",
    "any questions",
    "change",
    "changes",
    "draft",
    "edit",
    "edits",
    "expand",
    "feedback",
    "help",
    "helps",
    "longer",
    "me to",
    "meets",
    "modif",
    "refine",
    "revis",
    "rewrite",
    "shorten",
    "shorter",
    "tailor",
    "tone",
    "tweak",
    "version",
    "further",
];

/// Sentences of an answer that refuses.
const REFUSES: &[&str] = &[
    "as an ai",
    "i am unable to",
    "i can't assist",
    "i can't help",
    "i can't write",
    "i cannot assist",
    "i cannot help",
    "i cannot write",
    "i'm not able to",
    "i'm unable to",
    "i'm sorry",
    "i am sorry",
];

/// What is left of an answer, and what was taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bared<'t> {
    /// The draft.
    pub draft: &'t str,
    /// The words around it, in order.
    pub around: Vec<String>,
}

/// What an answer has between two lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Marked<'t> {
    /// Neither line is there.
    Absent,
    /// One of the two is missing: the draft has no beginning or no end.
    Half,
    /// The draft, and what stands around it.
    Whole(Bared<'t>),
}

/// What stands between these lines. Of several drafts the last one counts: the others were thought aloud.
pub fn marked<'t>(answer: &'t str, open: &str, close: &str) -> Marked<'t> {
    let is = |line: &str, mark: &str| line.trim().trim_matches(['`', '*', ' ']) == mark;
    let (mut begun, mut whole, mut seen) = (None, None, false);
    for (at, line) in lines(answer) {
        if is(line, open) {
            (begun, seen) = (Some((at, at + line.len())), true);
        } else if is(line, close) {
            seen = true;
            if let Some((before, start)) = begun.take() {
                whole = Some((before, start, at, at + line.len()));
            }
        }
    }
    // One that was begun again and does not end was cut off.
    let (Some((before, start, end, behind)), None) = (whole, begun) else {
        return if seen { Marked::Half } else { Marked::Absent };
    };
    let part = |range: std::ops::Range<usize>| answer.get(range).unwrap_or_default().trim();
    let around = [part(0..before), part(behind..answer.len())];
    let around = around.into_iter().filter(|part| has_words(part)).map(str::to_owned).collect();
    Marked::Whole(Bared { draft: part(start..end), around })
}

/// The draft in an answer, without what its author says around it. It may be empty.
pub fn bare(answer: &str) -> Bared<'_> {
    let mut around = Vec::new();
    let mut text = answer.trim();
    // A fence in a fence, or words inside a fence: each pass takes one layer off.
    for _ in 0..3 {
        let (before, after) = (text.len(), around.len());
        text = unfenced(text, &mut around);
        text = without_preamble(text, &mut around);
        text = without_opening(text, &mut around);
        text = without_ending(text, &mut around);
        if text.len() == before && around.len() == after {
            break;
        }
    }
    Bared { draft: text, around }
}

/// Whether an answer is a refusal and nothing else: no heading, and its first sentence refuses.
pub fn is_refusal(text: &str) -> bool {
    let first = plain(text);
    !text.trim_start().starts_with(['#', '-', '{'])
        && text.split_whitespace().count() <= MOST_AROUND_WORDS
        && REFUSES.iter().any(|words| begins(&first, words))
}

/// What stands in a fence around the whole: nothing but few words without a heading stands outside of it.
fn unfenced<'t>(text: &'t str, around: &mut Vec<String>) -> &'t str {
    let opening = |(at, line): (usize, &'t str)| {
        let (fence, name) = Fence::opening(line)?;
        Some((at, at + line.len(), fence, name.to_ascii_lowercase()))
    };
    let Some((open, inner_start, fence, name)) = lines(text).find_map(opening) else { return text };
    let close = lines(text).filter(|(at, line)| *at >= inner_start && fence.is_closed_by(line)).last();
    let (inner_end, behind) = close.map_or((text.len(), text.len()), |(at, line)| (at, at + line.len()));
    let before = text.get(..open).unwrap_or_default().trim();
    let after = text.get(behind..).unwrap_or_default().trim();
    let inner = text.get(inner_start..inner_end).unwrap_or_default().trim();
    let is_plain = |part: &str| {
        part.lines()
            .all(|line| !line.trim_start().starts_with(['#', '|', '>']) && !line.trim().starts_with("---"))
    };
    let alone = before.is_empty() && after.is_empty();
    let count = |text: &str| text.split_whitespace().count();
    let named = matches!(name.as_str(), "markdown" | "md" | "mdx");
    // Without a name, a fence may be an example in the text: then what stands around it has to be talk.
    let is_talk =
        |part: &str| part.is_empty() || paragraphs(part).all(|(_, text)| is_opening(text) || is_ending(text));
    let wraps = alone
        || FENCES.contains(&name.as_str())
            && is_plain(before)
            && is_plain(after)
            && count(before) + count(after) <= MOST_AROUND_WORDS
            && (named && count(inner) > count(before) + count(after) || is_talk(before) && is_talk(after));
    if !wraps {
        return text;
    }
    around.extend([before, after].into_iter().filter(|part| !part.is_empty()).map(str::to_owned));
    if !alone || !inner.is_empty() { inner } else { "" }
}

/// The text from its title on, when what stands before the title speaks to whoever asked. A piece begins with its title, so
/// fewer words tell talk from copy there than anywhere else.
fn without_preamble<'t>(text: &'t str, around: &mut Vec<String>) -> &'t str {
    let Some((at, _)) = lines(text).find(|(_, line)| line.starts_with("# ")) else { return text };
    let before = text.get(..at).unwrap_or_default();
    let plain_words = !before.contains("```")
        && paragraphs(before).all(|(_, part)| !is_marked(part) || is_rule(part))
        && before.split_whitespace().count() <= MOST_AROUND_WORDS;
    let talks =
        || paragraphs(before).any(|(_, part)| part.trim_end().ends_with(':') || sentences(part).any(speaks));
    if !has_words(before) || !plain_words || !talks() {
        return text;
    }
    around.push(before.trim().to_owned());
    text.get(at..).unwrap_or_default()
}

/// Whether a sentence in front of a title is the author's own word to whoever asked.
fn speaks(sentence: &str) -> bool {
    let own = [
        "here is",
        "here are",
        "here's",
        "below",
        "let me",
        "the following",
        "as requested",
        "this draft",
        "this is",
    ];
    let said = plain(sentence);
    let greeted = GREETINGS.contains(&said.as_str());
    let by_name =
        said.split(' ').next().is_some_and(|word| matches!(word, "i" | "i'll" | "i've" | "i'm" | "i'd"));
    greeted || by_name || own.iter().any(|words| begins(&said, words))
}

fn is_rule(paragraph: &str) -> bool {
    let line = paragraph.trim();
    line.len() >= 3 && ['-', '*', '_'].iter().any(|mark| line.chars().all(|c| c == *mark))
}

/// The text without paragraphs at its beginning that hand it over.
fn without_opening<'t>(mut text: &'t str, around: &mut Vec<String>) -> &'t str {
    while let Some((_, first)) = paragraphs(text).next() {
        if !is_opening(first) {
            break;
        }
        around.push(first.trim().to_owned());
        text = text.get(first.len()..).unwrap_or_default().trim_start();
        // A rule between the talk and the draft, unless it begins front matter.
        if let Some(rest) = text.strip_prefix("---\n").filter(|rest| !rest.contains("\n---")) {
            text = rest.trim_start();
        }
    }
    text
}

/// The text without paragraphs at its end that offer more work.
fn without_ending<'t>(mut text: &'t str, around: &mut Vec<String>) -> &'t str {
    loop {
        let trimmed = text.trim_end();
        let Some((at, last)) = paragraphs(trimmed).last() else { return trimmed };
        if !is_ending(last) {
            return trimmed;
        }
        around.push(last.trim().to_owned());
        text = trimmed.get(..at).unwrap_or_default().trim_end();
        for rule in ["---", "***", "___"] {
            text = text
                .strip_suffix(rule)
                .filter(|rest| rest.is_empty() || rest.ends_with('\n'))
                .unwrap_or(text);
        }
    }
}

/// Paragraphs with where they begin. What begins with a mark of Markdown is none of talk.
fn paragraphs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split("\n\n").filter_map(move |part| {
        let start = at;
        at += part.len() + 2;
        (!part.trim().is_empty()).then_some((start, part))
    })
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

/// A paragraph that hands the piece over: greetings, and sentences that name it as a piece of work.
fn is_opening(paragraph: &str) -> bool {
    if is_marked(paragraph) {
        return false;
    }
    let mut greeted = false;
    let mut all = sentences(paragraph).peekable();
    if all.peek().is_none() {
        return false;
    }
    let mut hands_over = false;
    for sentence in all {
        let words = plain(sentence);
        // "Sure! Here is …" is a greeting; "Sure, paper works." is not.
        if GREETINGS.contains(&words.as_str()) {
            greeted = true;
            continue;
        }
        let rest = GREETINGS.iter().find_map(|greeting| words.strip_prefix(greeting)?.strip_prefix(' '));
        let (said, after_greeting) = rest.map_or((words.as_str(), greeted), |rest| (rest, true));
        let about_a_piece = PIECES.iter().any(|piece| said.split(' ').any(|word| word == *piece));
        let of_work = OF_WORK.iter().any(|words| contains(said, words));
        let ends = sentence.trim_end().ends_with(':');
        let over = HANDS_OVER.iter().any(|words| begins(said, words))
            && about_a_piece
            && (after_greeting || of_work || ends);
        let goes_with_it = hands_over && is_about_work(said);
        if !(over || goes_with_it) {
            return false;
        }
        hands_over = true;
    }
    greeted || hands_over
}

/// A paragraph that offers more work, or tells what was done.
fn is_ending(paragraph: &str) -> bool {
    if is_about_the_piece(paragraph) {
        return true;
    }
    if is_marked(paragraph) {
        return false;
    }
    let all: Vec<String> = sentences(paragraph).map(plain).filter(|words| !words.is_empty()).collect();
    let talks = |said: &String| is_offer(said) || is_about_work(said);
    all.iter().any(talks) && all.iter().all(|said| talks(said) || GREETINGS.contains(&said.as_str()))
}

fn is_offer(said: &str) -> bool {
    let helps = ["hope this helps", "hope that helps", "i hope this helps", "i hope that helps"];
    helps.iter().any(|words| begins(said, words))
        || OFFERS.iter().any(|words| begins(said, words))
            && OF_MORE_WORK
                .iter()
                .any(|words| said.split(' ').any(|word| word.starts_with(words)) || contains(said, words))
}

/// A line that counts the piece or says that it ends: "(Word count: 350)", "[End of draft]".
fn is_about_the_piece(paragraph: &str) -> bool {
    let line = paragraph.trim();
    let said = plain(line);
    let counts = ["word count", "total words", "character count"].iter().any(|words| begins(&said, words))
        && line.contains(|c: char| c.is_ascii_digit());
    let ends = ["end of draft", "end of article", "end of post"].contains(&said.as_str());
    !line.starts_with('#') && line.lines().count() == 1 && said.split(' ').count() <= 6 && (counts || ends)
}

/// "I kept it short, as the brief asked."
fn is_about_work(said: &str) -> bool {
    let told = [
        "i kept",
        "i've kept",
        "i have kept",
        "i made sure",
        "i used",
        "i left",
        "i avoided",
        "note that i",
        "i tried",
    ];
    let of_work =
        ["brief", "draft", "documents", "requested", "you asked", "brand voice", "word count", "revision"];
    told.iter().any(|words| begins(said, words)) && of_work.iter().any(|words| contains(said, words))
}

/// Whether a paragraph is something that Markdown has a mark for.
fn is_marked(paragraph: &str) -> bool {
    let start = paragraph.trim_start();
    start.starts_with(['#', '|', '>', '-', '`', '{', '[', '<'])
        || start.starts_with("* ")
        || start.starts_with("1.")
}

fn sentences(paragraph: &str) -> impl Iterator<Item = &str> {
    prose::sentences(paragraph)
        .into_iter()
        .filter_map(|range| paragraph.get(range))
        .filter(|text| has_words(text))
}

/// The words in lower case between single spaces.
fn plain(text: &str) -> String {
    let words: Vec<String> = prose::words(text).into_iter().take(60).map(|word| word.lower).collect();
    words.join(" ")
}

fn begins(said: &str, words: &str) -> bool {
    said.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn contains(said: &str, words: &str) -> bool {
    format!(" {said} ").contains(&format!(" {words} "))
}
