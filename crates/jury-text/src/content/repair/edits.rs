//! The corrections: each finds its own places, and puts something plainer there.

use std::ops::Range;

use jury_core::content::page::{Cta, Section};
use jury_core::content::{ContentIssue, Draft};
use jury_core::front_matter::FrontMatter;

use super::pieces::{self, Place};
use crate::content::read::section::spaced;
use crate::content::seo;
use crate::content::template::sentences::clipped;
use crate::content::width::pixels;

mod headings;
mod phrase;

/// The longest title, in characters.
const TITLE: usize = 60;
/// The widest title, in pixels.
const TITLE_PIXELS: u64 = 600;
/// The longest description, in characters.
const DESCRIPTION: usize = 160;
/// The most things in a row that a reader takes in; more are split.
const MOST_ITEMS: usize = 9;

/// Words on a call to action that say nothing, beside those that no link should have.
const GENERIC: [&str; 2] = ["submit", "continue"];

/// A correction that needs no model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edit {
    ShortenTitle,
    ShortenDescription,
    Phrase { words: String, instead: &'static str },
    RepeatedWord,
    Dashes,
    Exclamations,
    LinkText,
    SplitLists,
    HeadingLevels,
    EmptyHeadings,
}

impl Edit {
    /// The correction that an issue asks for, if there is a safe one.
    pub(super) fn of(issue: &ContentIssue) -> Option<Self> {
        let rule = issue.rule.as_deref()?;
        Some(match rule {
            "seo.title-long" => Self::ShortenTitle,
            "seo.description-length" => Self::ShortenDescription,
            "copy.repeated-word" => Self::RepeatedWord,
            "copy.em-dash" => Self::Dashes,
            "copy.exclamation" => Self::Exclamations,
            "seo.generic-link" | "behaviour.generic-action" => Self::LinkText,
            "behaviour.long-list" => Self::SplitLists,
            "seo.heading-jump" => Self::HeadingLevels,
            "seo.empty-heading" => Self::EmptyHeadings,
            _ if rule.starts_with("copy.") => {
                let words = spaced(issue.quote.as_deref()?);
                let instead = phrase::instead(&words)?;
                Self::Phrase { words, instead }
            }
            _ => return None,
        })
    }

    /// What it does, for people.
    pub(super) fn what(&self) -> String {
        match self {
            Self::ShortenTitle => format!("cut the title to at most {TITLE} characters"),
            Self::ShortenDescription => format!("cut the description to at most {DESCRIPTION} characters"),
            Self::Phrase { words, instead: "" } => format!("left out '{words}'"),
            Self::Phrase { words, instead } => format!("wrote '{instead}' for '{words}'"),
            Self::RepeatedWord => "took out a word that stood there twice".to_owned(),
            Self::Dashes => "put commas and colons for dashes".to_owned(),
            Self::Exclamations => "took exclamation marks out".to_owned(),
            Self::LinkText => "gave a link the words that another link to the same place has".to_owned(),
            Self::SplitLists => format!("split a group of more than {MOST_ITEMS}"),
            Self::HeadingLevels => "closed gaps between the levels of headings".to_owned(),
            Self::EmptyHeadings => "took out headings without words".to_owned(),
        }
    }

    /// Makes the correction wherever `may` allows it; whether anything changed.
    pub(super) fn make(&self, draft: &mut Draft, may: &mut dyn FnMut(&str, &str) -> bool) -> bool {
        match self {
            Self::SplitLists => split(draft, may),
            Self::HeadingLevels => of_text(draft, may, headings::closed),
            Self::EmptyHeadings => of_text(draft, may, headings::without_empty),
            Self::LinkText => link_texts(draft, may),
            Self::ShortenTitle
            | Self::ShortenDescription
            | Self::Phrase { .. }
            | Self::RepeatedWord
            | Self::Dashes
            | Self::Exclamations => pieces::each(draft, &mut |place, text| {
                let Some(better) = self.better(place, text).filter(|better| better != text) else {
                    return false;
                };
                let allowed = may(text, &better);
                if allowed {
                    *text = better;
                }
                allowed
            }),
        }
    }

    fn better(&self, place: Place, text: &str) -> Option<String> {
        match (self, place) {
            (Self::ShortenTitle, Place::Title) => {
                // Letters differ in width: what has few characters may still be too wide.
                let fits = |title: &String| pixels(title) <= TITLE_PIXELS;
                let lengths = (TITLE / 2..=TITLE).rev();
                lengths.filter_map(|most| clipped(text, most)).find(fits)
            }
            (Self::ShortenDescription, Place::Description) => clipped(text, DESCRIPTION),
            (Self::Phrase { words, instead }, _) => {
                Some(replaced(text, phrase::places(text, words, instead)))
            }
            (Self::RepeatedWord, _) => Some(replaced(text, repeated(text))),
            (Self::Dashes, _) => Some(replaced(text, dashes(text))),
            (Self::Exclamations, _) => Some(replaced(text, exclamations(text, place))),
            _ => None,
        }
    }
}

/// The text with other words in these places, but for what must not be touched: addresses, code, tags.
fn replaced(text: &str, places: Vec<(Range<usize>, String)>) -> String {
    if places.is_empty() {
        return text.to_owned();
    }
    let frozen = frozen(text);
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for (range, words) in places {
        let first = frozen.partition_point(|cold| cold.end <= range.start);
        let touches = frozen.get(first).is_some_and(|cold| cold.start < range.end);
        if touches || range.start < end {
            continue;
        }
        out.push_str(text.get(end..range.start).unwrap_or_default());
        out.push_str(&words);
        end = range.end;
    }
    out.push_str(text.get(end..).unwrap_or_default());
    out
}

/// Where addresses, code and tags stand, in order and apart from each other.
fn frozen(text: &str) -> Vec<Range<usize>> {
    let mut cold = Vec::new();
    let mut between = |open: &str, close: &str| {
        let mut from = 0;
        while let Some(start) = text.get(from..).and_then(|rest| rest.find(open)).map(|at| from + at) {
            let inside = start + open.len();
            let Some(length) = text.get(inside..).and_then(|rest| rest.find(close)) else { break };
            from = inside + length + close.len();
            cold.push(start..from);
        }
    };
    between("](", ")");
    between("`", "`");
    between("<", ">");
    for scheme in ["http://", "https://", "www.", "mailto:"] {
        for (start, _) in text.match_indices(scheme) {
            let rest = text.get(start..).unwrap_or_default();
            cold.push(start..start + rest.find(char::is_whitespace).unwrap_or(rest.len()));
        }
    }
    cold.sort_by_key(|range| range.start);
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(cold.len());
    for range in cold {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    apart
}

/// The words of a text where they stand.
fn words(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, inner(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from..at, text.get(from..at).unwrap_or_default()));
                start = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    found
}

/// Words that may well stand there twice.
const MEANT: [&str; 8] = ["had", "that", "so", "bye", "no", "very", "ha", "many"];

fn repeated(text: &str) -> Vec<(Range<usize>, String)> {
    let all = words(text);
    let mut found = Vec::new();
    for pair in all.windows(2) {
        let [(first, one), (second, other)] = pair else { continue };
        let between = text.get(first.end..second.start).unwrap_or_default();
        let same = one.to_lowercase() == other.to_lowercase();
        let is_name = one.starts_with(char::is_uppercase) && other.starts_with(char::is_uppercase);
        let is_apart = !between.is_empty() && between.chars().all(char::is_whitespace);
        // At the beginning of a line it may be a mark: "- a\na".
        let is_meant = MEANT.contains(&one.to_lowercase().as_str()) || !one.chars().all(char::is_alphabetic);
        if same && is_apart && !is_name && !is_meant {
            found.push((first.end..second.end, String::new()));
        }
    }
    found
}

const MOST_DASHES: usize = 500;

/// What goes on with a sentence: a comma stands before it.
const GOES_ON: [&str; 22] = [
    "and", "as", "because", "but", "even", "for", "if", "just", "never", "no", "nor", "not", "or", "so",
    "then", "unless", "when", "which", "while", "who", "without", "yet",
];

fn dashes(text: &str) -> Vec<(Range<usize>, String)> {
    let marks = text.match_indices('—').map(|(at, mark)| at..at + mark.len());
    let typed = text.match_indices(" -- ").map(|(at, _)| at + 1..at + 3);
    let mut all: Vec<Range<usize>> = marks.chain(typed).collect();
    all.sort_by_key(|range| range.start);
    let mut found = Vec::new();
    // Nobody writes that many; the sentence around each is looked at as a whole.
    if all.len() > MOST_DASHES {
        return found;
    }
    for mark in &all {
        let before = text.get(..mark.start).unwrap_or_default();
        let behind = text.get(mark.end..).unwrap_or_default();
        let (said, next) = (before.trim_end_matches(' '), behind.trim_start_matches(' '));
        let ends = |c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '”' | '’' | '%');
        let is_range =
            said.ends_with(|c: char| c.is_ascii_digit()) && next.starts_with(|c: char| c.is_ascii_digit());
        if !said.ends_with(ends)
            || !next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '“' | '('))
            || is_range
        {
            continue;
        }
        let sentence = sentence_around(text, mark.start);
        let many = all.iter().filter(|other| sentence.contains(&other.start)).count() > 1;
        let has_colon = text.get(sentence).is_some_and(|text| text.contains(": "));
        let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        let comma = many || has_colon || GOES_ON.contains(&word.as_str());
        let range = said.len()..text.len() - next.len();
        found.push((range, if comma { ", " } else { ": " }.to_owned()));
    }
    found
}

/// The sentence that a place belongs to, roughly: between the marks that end sentences, or between lines.
fn sentence_around(text: &str, at: usize) -> Range<usize> {
    let ends = ['.', '!', '?', '\n'];
    let start = text.get(..at).and_then(|before| before.rfind(ends)).map_or(0, |end| end + 1);
    let end = text.get(at..).and_then(|behind| behind.find(ends)).map_or(text.len(), |end| at + end);
    start..end
}

fn exclamations(text: &str, place: Place) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(['!', '?'])).map(|at| from + at) {
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c| !matches!(c, '!' | '?')).unwrap_or(rest.len());
        from = start + length;
        let run = text.get(start..from).unwrap_or_default();
        let next = text.get(from..).and_then(|rest| rest.chars().next());
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let ends = next.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '”' | '’' | ')' | '*' | '_'));
        let follows = before.is_some_and(|c| !c.is_whitespace());
        if !run.contains('!') || !ends || !follows {
            continue;
        }
        let words = match place {
            _ if run.contains('?') => "?",
            // Behind the last sentence of a title or a label stands nothing.
            Place::Title | Place::Heading | Place::Label if next.is_none() => "",
            _ if before.is_some_and(|c| matches!(c, '.' | '…')) => "",
            Place::Title | Place::Description | Place::Heading | Place::Label | Place::Prose => ".",
        };
        found.push((start..from, words.to_owned()));
    }
    found
}

fn is_generic(label: &str) -> bool {
    let label = spaced(label);
    GENERIC.contains(&label.as_str()) || seo::GENERIC_LINKS.contains(&label.as_str())
}

/// Links whose words say nothing get those of another link in the draft that leads to the same place.
fn link_texts(draft: &mut Draft, may: &mut dyn FnMut(&str, &str) -> bool) -> bool {
    let mut known: Vec<Cta> = Vec::new();
    if let Draft::Page(page) = draft {
        known.extend(pieces::actions(page).into_iter().map(|cta| cta.clone()));
    }
    pieces::each(&mut draft.clone(), &mut |_, text| {
        known.extend(links(text).into_iter().map(|(_, link)| link));
        false
    });
    known.retain(|link| {
        !is_generic(&link.label) && spaced(&link.label).contains(' ') && !link.href.is_empty()
    });
    let better = |link: &Cta| {
        let same = known.iter().find(|known| known.href == link.href);
        same.filter(|_| is_generic(&link.label)).map(|known| known.label.clone())
    };
    let mut changed = false;
    if let Draft::Page(page) = draft {
        for cta in pieces::actions(page) {
            if let Some(label) = better(cta)
                && may(&cta.label, &label)
            {
                cta.label = label;
                changed = true;
            }
        }
    }
    let in_text = pieces::each(draft, &mut |_, text| {
        let places: Vec<(Range<usize>, String)> = links(text)
            .iter()
            .filter_map(|(range, link)| better(link).map(|label| (range.clone(), label)))
            .collect();
        if places.is_empty() {
            return false;
        }
        let new = replaced(text, places);
        let allowed = new != *text && may(text, &new);
        if allowed {
            *text = new;
        }
        allowed
    });
    changed || in_text
}

/// The links within a text: where their words stand, and what they are.
fn links(text: &str) -> Vec<(Range<usize>, Cta)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(close) = text.get(from..).and_then(|rest| rest.find("](")).map(|at| from + at) {
        let behind = text.get(close + 2..).unwrap_or_default();
        let Some((href, _)) = behind.split_once(')') else { break };
        let open = text.get(from..close).and_then(|before| before.rfind('[')).map(|at| from + at);
        from = close + 2 + href.len() + 1;
        let Some(open) = open else { continue };
        let label = text.get(open + 1..close).unwrap_or_default();
        let is_image = text.get(..open).is_some_and(|before| before.ends_with('!'));
        if !is_image && !label.contains([']', '`', '<']) {
            found.push((open + 1..close, Cta { label: label.to_owned(), href: href.trim().to_owned() }));
        }
    }
    found
}

/// Groups of more than nine become groups of at most seven, the first under the old heading.
fn split(draft: &mut Draft, may: &mut dyn FnMut(&str, &str) -> bool) -> bool {
    let Draft::Page(page) = draft else { return false };
    let mut changed = false;
    let mut sections = Vec::with_capacity(page.sections.len());
    for section in std::mem::take(&mut page.sections) {
        match section {
            // What happens in order is one row, however long it is.
            Section::Features { heading, intro, items }
                if items.len() > MOST_ITEMS && may(&heading, &heading) =>
            {
                changed = true;
                let groups = items.len().div_ceil(7);
                let size = items.len().div_ceil(groups);
                for (index, group) in items.chunks(size).enumerate() {
                    let first = index == 0;
                    sections.push(Section::Features {
                        heading: if first { heading.clone() } else { format!("{heading}, continued") },
                        intro: if first { intro.clone() } else { String::new() },
                        items: group.to_vec(),
                    });
                }
            }
            Section::Text { .. }
            | Section::Features { .. }
            | Section::Steps { .. }
            | Section::Alternatives { .. }
            | Section::Proof { .. }
            | Section::Faq { .. }
            | Section::Action { .. } => sections.push(section),
        }
    }
    page.sections = sections;
    changed
}

/// A correction of the lines of a text.
fn of_text(
    draft: &mut Draft,
    may: &mut dyn FnMut(&str, &str) -> bool,
    correct: fn(&str) -> Option<String>,
) -> bool {
    let Draft::Text(text) = draft else { return false };
    let (front, body) = FrontMatter::split(text);
    let Some(better) = correct(body).map(|body| format!("{front}{body}")) else { return false };
    let allowed = better != *text && may(text, &better);
    if allowed {
        *text = better;
    }
    allowed
}

#[cfg(test)]
mod tests {
    use jury_core::rule::RepairKind;
    use jury_core::severity::Severity;

    use super::*;
    use crate::content::rules;

    #[test]
    fn the_table_of_rules_says_what_is_corrected() {
        let critic = "copy".parse().unwrap();
        for rule in rules() {
            let id = rule.rule.id;
            let issue = ContentIssue::measured(
                &critic,
                id,
                id,
                Severity::Minor,
                "Wrong.".to_owned(),
                "Mend it.".to_owned(),
            );
            // A phrase is corrected where there is another for it; the rest whatever the words are.
            let by_phrase = id.starts_with("copy.") && Edit::of(&issue).is_none();
            assert!(
                by_phrase || Edit::of(&issue).is_some() == (rule.rule.repair == RepairKind::Automatic),
                "{id}"
            );
        }
    }
}
