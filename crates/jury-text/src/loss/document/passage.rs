//! The sentences of a document, in a form in which they can be compared.

use super::super::words::{Word, WordKind, plain, sentences, words};
use crate::document::Outline;

/// Words that say little by themselves: they make two sentences no more alike.
const LITTLE: &str = "a an the is are was were be been being am do does did has have had will would to of in on at for with \
    and or but so it its this that these those by as from into than then there they them their he she his her we our us you \
    your i who which what when where must shall should may can could might not no every each all any some der die das den dem \
    des ein eine einer eines einem einen ist sind war wird werden und oder aber zu im am auf für mit von es sie er nicht le la \
    les un une des est sont et ou de du el los las una es son y o en";

/// A sentence, a heading, an entry or a cell.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) heading: bool,
    pub(super) text: String,
    /// The heading that it stands under.
    pub(super) under: String,
    pub(super) number: Option<usize>,
    /// It is marked as unfinished, or asks something: it is there to be replaced.
    pub(super) open: bool,
    pub(super) words: Vec<Word>,
    /// The stems of what it is about.
    pub(super) stems: Vec<String>,
    /// The passage of the document that it is of.
    pub(super) passage: usize,
}

impl Sentence {
    /// All of its words, one behind the other: two sentences with the same ones are the same.
    pub(super) fn spelled(&self) -> String {
        let forms: Vec<&str> =
            self.words.iter().filter(|word| !word.idle).map(|word| word.form.as_str()).collect();
        forms.join(" ")
    }
}

pub(super) fn is_little(form: &str) -> bool {
    LITTLE.split_whitespace().any(|little| little == form)
}

/// A word without what bends it. The same for `stop`, `stops`, `stopped` and `stopping`.
pub(in crate::loss) fn stem(form: &str) -> String {
    let form = form.strip_suffix("'s").unwrap_or(form);
    if !form.is_ascii() || form.len() < 4 {
        return form.to_owned();
    }
    let cut = ["ing", "ies", "ed", "es", "s", "e", "y"]
        .iter()
        // The s of `pass` bends nothing, and that of `refused` is its own.
        .find_map(|end| {
            let is_whole = |rest: &&str| rest.len() >= 3 && !(*end == "s" && rest.ends_with('s'));
            form.strip_suffix(end).filter(is_whole)
        })
        .unwrap_or(form);
    let cut = cut.strip_suffix('e').filter(|rest| rest.len() >= 3).unwrap_or(cut);
    let mut ends = cut.bytes().rev();
    let is_doubled = ends.next() == ends.next() && cut.len() > 3;
    cut.get(..cut.len() - usize::from(is_doubled)).unwrap_or(cut).to_owned()
}

/// The stems of what words are about; of words that say little, all of them.
pub(super) fn stems(words: &[Word]) -> Vec<String> {
    let told = || words.iter().filter(|word| !word.idle);
    let of = |word: &Word| if word.kind == WordKind::Plain { stem(&word.form) } else { word.form.clone() };
    let found: Vec<String> = told().filter(|word| !is_little(&word.form)).map(of).collect();
    if found.is_empty() { told().map(of).collect() } else { found }
}

pub(super) fn words_of(text: &str) -> Vec<Word> {
    words(&plain(text).replace('\n', " "), None)
}

/// The sentences of a document.
pub(super) fn sentences_of(outline: &Outline) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (index, passage) in outline.passages.iter().enumerate() {
        let text = plain(&passage.text).replace('\n', " ");
        let parts = if passage.heading { vec![text.as_str()] } else { sentences(&text) };
        for part in parts {
            let words = words(part, None);
            let stems = stems(&words);
            if stems.is_empty() {
                continue;
            }
            let part = part.trim();
            found.push(Sentence {
                heading: passage.heading,
                text: part.to_owned(),
                under: passage.under.clone(),
                number: passage.number,
                open: passage.unfinished || part.ends_with('?') || says_open(part),
                words,
                stems,
                passage: index,
            });
        }
    }
    found
}

/// Whether a text says of itself that something is open: `Open: who pays?`, `Open questions`.
fn says_open(text: &str) -> bool {
    let lower = text.to_lowercase();
    let rest = lower.strip_prefix("open").or_else(|| lower.strip_prefix("offen"));
    rest.is_some_and(|rest| {
        rest.trim_start().starts_with(':')
            || ["question", "point", "issue", "item", "e frage", "e punkt"]
                .iter()
                .any(|word| rest.trim_start_matches([' ', '-']).starts_with(word) || rest.starts_with(word))
    })
}
