//! What of a document is missing in another version of it.
//!
//! Somebody who was asked to mend a document hands all of it back. A heading, a sentence, an entry, a figure, a name, a link or
//! a line of code that is gone is a loss, and so is a statement that says the opposite or something else, unless that was asked
//! for. A section in another place, what is added, and what takes the place of something unfinished are none.

mod asked;
mod elided;
mod matching;
pub(super) mod opposite;
pub(in crate::loss) mod passage;
mod signs;
mod unasked;

use std::collections::BTreeSet;
use std::fmt;

use super::words::{Word, WordKind};
use crate::document::Outline;
use asked::Asked;
pub(crate) use elided::stands_for_the_rest as is_elision;
use matching::{Fate, around, fates};
use passage::{Sentence, sentences_of};

/// So many of each kind are named.
const NAMED: usize = 3;

/// The longest quotation, in characters.
const LONGEST: usize = 60;

/// What is missing in a new version of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentLoss {
    /// Headings that are none any more.
    pub headings: Vec<String>,
    /// Sentences, entries of lists and cells without one that is alike.
    pub sentences: Vec<String>,
    /// Sentences that say the opposite, or less.
    pub turned: Vec<String>,
    /// Sentences that have other words, although nobody asked for it.
    pub reworded: Vec<String>,
    /// Entries in another order or under another heading, and headings that are there twice.
    pub moved: Vec<String>,
    /// Figures that are gone or others.
    pub figures: Vec<String>,
    /// Names that are gone or others.
    pub names: Vec<String>,
    /// Addresses that nothing leads to any more, and links that lead elsewhere.
    pub links: Vec<String>,
    /// Lines of code, and words that were set as code.
    pub code: Vec<String>,
    /// Marks that stand for text which was left out, and texts that were struck out.
    pub elisions: Vec<String>,
}

impl DocumentLoss {
    fn kinds(&self) -> [(&'static str, &'static str, &[String]); 10] {
        [
            ("heading", "headings", &self.headings),
            ("sentence", "sentences", &self.sentences),
            ("statement turned around", "statements turned around", &self.turned),
            ("sentence reworded", "sentences reworded", &self.reworded),
            ("entry moved", "entries moved", &self.moved),
            ("figure", "figures", &self.figures),
            ("name", "names", &self.names),
            ("link", "links", &self.links),
            ("line of code", "lines of code", &self.code),
            ("mark of text that was left out", "marks of text that was left out", &self.elisions),
        ]
    }

    /// Whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.kinds().iter().all(|(_, _, missing)| missing.is_empty())
    }
}

impl fmt::Display for DocumentLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.kinds();
        let some = kinds.iter().filter(|(_, _, missing)| !missing.is_empty());
        for (index, (one, several, missing)) in some.enumerate() {
            if index > 0 {
                write!(f, ", ")?;
            }
            let named: Vec<String> =
                missing.iter().take(NAMED).map(|text| format!("'{}'", quoted(text))).collect();
            let more = if missing.len() > NAMED { ", …" } else { "" };
            let kind = if missing.len() == 1 { one } else { several };
            write!(f, "{} {kind} ({}{more})", missing.len(), named.join(", "))?;
        }
        Ok(())
    }
}

fn quoted(text: &str) -> String {
    jury_core::line::printable(&jury_core::line::spaced(text.trim()), LONGEST)
}

/// What of a document is missing in a new version of it. What was asked to be changed may be missing.
pub fn document_loss(before: &str, after: &str, asked: &[String]) -> DocumentLoss {
    let mut loss = DocumentLoss::default();
    if before == after {
        return loss;
    }
    let asked = Asked::of(asked);
    let (was, is) = (Outline::of(before), Outline::of(after));
    let (old, new) = (sentences_of(&was), sentences_of(&is));
    // What went away as it was asked to takes its links with it.
    let mut let_go: BTreeSet<usize> = BTreeSet::new();
    let mut told: BTreeSet<String> = BTreeSet::new();
    let fates = fates(&old, &new);
    let headings: BTreeSet<&str> =
        old.iter().filter(|own| own.heading).map(|own| own.text.as_str()).collect();
    for (index, (sentence, fate)) in old.iter().zip(&fates).enumerate() {
        if let Fate::Same(place) | Fate::Alike(place) = fate
            && let Some(own) = new.get(*place)
            && !sentence.open
            && !asked.changes(sentence)
            && unasked::stands_elsewhere(sentence, own, &headings)
        {
            loss.moved.push(sentence.text.clone());
        }
        match *fate {
            Fate::Same(_) => {}
            Fate::Alike(place) => {
                changed(sentence, place, &new, &asked, &mut loss);
                let of = if sentence.heading { &sentence.text } else { &sentence.under };
                let may = sentence.open || may_differ(sentence, &asked) && asked.changes(sentence);
                if !may && unasked::says_else(&old, &fates, index, &new, place, asked.speaks_of_entry(of)) {
                    loss.reworded.push(sentence.text.clone());
                }
            }
            Fate::Replaced if sentence.open || may_differ(sentence, &asked) || asked.removes(sentence) => {
                let_go.insert(sentence.passage);
            }
            Fate::Gone if sentence.open || asked.removes(sentence) => {
                let_go.insert(sentence.passage);
            }
            Fate::Replaced | Fate::Gone if told.insert(sentence.text.clone()) => {
                let kind = if sentence.heading { &mut loss.headings } else { &mut loss.sentences };
                kind.push(sentence.text.clone());
            }
            Fate::Replaced | Fate::Gone => {}
        }
    }
    for sentence in matching::fresh(&old, &new) {
        // Beside what it takes back nothing else has to change.
        let takes_back = opposite::takes_back(&sentence.words) || unasked::takes_force(sentence);
        if takes_back && !asked.removes(sentence) {
            loss.turned.push(sentence.text.clone());
        }
    }
    let moved = unasked::reordered(&old, &fates, &new).into_iter().chain(unasked::doubled(&old, &new));
    loss.moved.extend(moved.map(|sentence| sentence.text.clone()));
    let tasks = signs::tasks(after);
    for (task, done) in signs::tasks(before) {
        if tasks.get(task).is_some_and(|now| *now != done) && !asked.speaks_of(task) {
            loss.turned.push(task.to_owned());
        }
    }
    loss.links = links(&was, &is, &asked, &let_go);
    let marks = signs::marks(after);
    let gone = signs::marks(before).into_iter().filter(|mark| !marks.contains(mark));
    let gone = gone.filter(|mark| {
        !asked.names(mark)
            && !old.iter().any(|sentence| let_go.contains(&sentence.passage) && sentence.text.contains(mark))
    });
    loss.links.extend(gone.map(str::to_owned));
    loss.code = code(&was, &is, &asked, &let_go);
    loss.elisions = elided::elisions(before, after);
    let data: BTreeSet<&str> = signs::front_matter(before).collect();
    let came = signs::front_matter(after).filter(|line| !data.contains(line) && !asked.names(line));
    loss.moved.extend(came.map(str::to_owned));
    let hidden = signs::hidings(before);
    let more = |(mark, count): &(&'static str, usize)| *count > hidden.get(mark).copied().unwrap_or(0);
    loss.elisions.extend(signs::hidings(after).into_iter().filter(more).map(|(mark, _)| mark.to_owned()));
    if after.matches("~~").count() > before.matches("~~").count() && !asked.names("strike") {
        loss.elisions.push("~~".to_owned());
    }
    loss
}

/// Whether something else may stand in the place of a sentence.
fn may_differ(sentence: &Sentence, asked: &Asked) -> bool {
    if sentence.heading { asked.renames(sentence) } else { asked.rewrites(sentence) }
}

/// What a sentence that is still there does not say any more.
fn changed(sentence: &Sentence, place: usize, new: &[Sentence], asked: &Asked, loss: &mut DocumentLoss) {
    let Some(own) = new.get(place) else { return };
    // Whoever asks for a step under a heading has not asked to take back what stands under it.
    if sentence.heading && opposite::revokes(&sentence.words, &own.words) && !asked.removes(sentence) {
        loss.turned.push(sentence.text.clone());
    }
    if sentence.open {
        return;
    }
    if asked.changes(sentence) {
        // Whoever asks for more in a sentence has not asked for the opposite of it.
        let own_words = |word: &Word| sentence.words.iter().any(|was| was.form == word.form);
        let mut came = own.words.iter().filter(|word| !own_words(word));
        if opposite::is_swapped(&sentence.words, &own.words) && !came.any(|word| asked.has_word(&word.form)) {
            loss.turned.push(sentence.text.clone());
        }
        return;
    }
    let is_asked_now = own.text.ends_with('?') && !sentence.text.ends_with('?');
    if opposite::is_turned(&sentence.words, &own.words) || is_asked_now {
        loss.turned.push(sentence.text.clone());
    }
    let near = || new.get(around(place, new.len())).unwrap_or_default().iter().flat_map(|near| &near.words);
    for figure in figures(&sentence.words) {
        let agrees = |word: &Word| word.kind == figure.kind && word.agrees(figure);
        // A word that may say something else is a figure when another one stands in its place.
        let swapped = || {
            figures(&own.words).any(|word| !word.soft && !sentence.words.iter().any(|was| was.agrees(word)))
        };
        let stays = if figure.soft { own.words.iter().any(agrees) } else { near().any(agrees) };
        if !stays && (!figure.soft || swapped()) && !asked.mentions(figure, sentence) {
            loss.figures.push(figure.raw.clone());
        }
    }
    let everywhere =
        |name: &Word| new.iter().any(|sentence| sentence.words.iter().any(|word| word.form == name.form));
    for name in names(&sentence.words) {
        let stays = near().any(|word| word.form == name.form);
        let swapped =
            || names(&own.words).any(|word| !sentence.words.iter().any(|was| was.form == word.form));
        if !stays && (swapped() || !everywhere(name)) && !asked.mentions(name, sentence) {
            loss.names.push(name.raw.clone());
        }
    }
}

/// In front of a number these name a place in the document, which is another one when something is added before it.
const PLACES: &[&str] = &[
    "step", "steps", "section", "sections", "chapter", "chapters", "figure", "table", "item", "point",
    "appendix", "part", "phase",
];

fn figures(words: &[Word]) -> impl Iterator<Item = &Word> {
    let before = std::iter::once(None).chain(words.iter().map(Some));
    let own = words.iter().zip(before).filter(|(word, before)| {
        let is_place = before.is_some_and(|before| PLACES.contains(&before.form.as_str()));
        word.kind == WordKind::Figure && !word.idle && !is_place
    });
    own.map(|(word, _)| word)
}

/// Words with a capital inside of running text. Where many have one, it makes no name.
fn names(words: &[Word]) -> impl Iterator<Item = &Word> {
    let is_name = |word: &&Word| {
        word.kind == WordKind::Plain
            && !word.opens
            && word.raw.chars().count() > 1
            && word.raw.starts_with(char::is_uppercase)
    };
    let (all, capital) = (words.len(), words.iter().filter(is_name).count());
    words.iter().filter(is_name).filter(move |_| capital * 5 <= all * 2)
}

fn links(was: &Outline, is: &Outline, asked: &Asked, let_go: &BTreeSet<usize>) -> Vec<String> {
    let targets: BTreeSet<&str> = is.links.iter().map(|link| link.target.as_str()).collect();
    let texts: BTreeSet<&str> = is.links.iter().map(|link| link.text.as_str()).collect();
    let pairs: BTreeSet<(&str, &str)> =
        is.links.iter().map(|link| (link.text.as_str(), link.target.as_str())).collect();
    let mut told = BTreeSet::new();
    let mut missing = Vec::new();
    for link in &was.links {
        let (text, target) = (link.text.as_str(), link.target.as_str());
        let leads_elsewhere = !text.is_empty() && texts.contains(text) && !pairs.contains(&(text, target));
        let is_lost = !targets.contains(target) || leads_elsewhere;
        let may_go = link.passage.is_some_and(|passage| let_go.contains(&passage))
            || asked.names(target)
            || asked.names(text);
        if is_lost && !may_go && told.insert(target) {
            missing.push(link.target.clone());
        }
    }
    missing
}

fn code(was: &Outline, is: &Outline, asked: &Asked, let_go: &BTreeSet<usize>) -> Vec<String> {
    let spaced = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: BTreeSet<String> = is.code.iter().map(|code| spaced(&code.line)).collect();
    let mut told = BTreeSet::new();
    let mut missing = Vec::new();
    let about_code = asked.is_about_code();
    for code in &was.code {
        let line = spaced(&code.line);
        let may_go = about_code || asked.names(&line) || asked.removes_under(&code.under);
        if line.chars().any(char::is_alphanumeric)
            && !lines.contains(&line)
            && !may_go
            && told.insert(line.clone())
        {
            missing.push(line);
        }
    }
    let mut spans: BTreeSet<&str> =
        is.passages.iter().flat_map(|passage| &passage.spans).map(String::as_str).collect();
    spans.extend(is.links.iter().map(|link| link.target.as_str()));
    let texts: String = is
        .passages
        .iter()
        .map(|passage| passage.text.as_str())
        .chain(lines.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join("\n");
    for (index, passage) in was.passages.iter().enumerate().filter(|(index, _)| !let_go.contains(index)) {
        for span in passage.spans.iter().filter(|span| span.chars().any(char::is_alphanumeric)) {
            let stays = spans.contains(span.as_str()) || texts.contains(span.as_str());
            if !stays && !asked.names(span) && told.insert(format!("{index} {span}")) {
                missing.push(span.clone());
            }
        }
    }
    missing
}

#[cfg(test)]
mod tests;
