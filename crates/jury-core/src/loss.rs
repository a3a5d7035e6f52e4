//! What of a page that was handed in is missing in a draft.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::evidence::{ClaimVerdict, Evidence, EvidenceKind};
use crate::line;
use crate::outcome::{UnknownWord, words};
use crate::unit::Round;

/// How many missing things are named.
const NAMED: usize = 6;

/// How much of each is told.
const TOLD_CHARACTERS: usize = 70;

/// How much of a sentence and of another in its place.
const TOLD_OF_TWO: usize = 200;

/// What is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// The page: another one is in its place.
    Page,
    /// Sentences, list items and other passages.
    Words,
    /// So many words that it is another text.
    Wording,
    /// Headings.
    Headings,
    /// Numbers, prices and dates.
    Figures,
    /// Names.
    Names,
    /// Addresses of mail and sites, telephone numbers.
    Addresses,
    /// Links.
    Links,
    /// Forms and their fields.
    Forms,
    /// Pictures, films and drawings.
    Pictures,
    /// Scripts.
    Scripts,
    /// Statements that say the opposite.
    Meaning,
    /// Nothing that is missing: what the draft sends to or loads from out of sight, and nobody asked for.
    Reach,
    /// What scripts of the draft do that those of the page did not, and nobody asked for.
    Acts,
    /// What the head of the page says to search machines, to the tab, to those who listen, and to the browser.
    Head,
}

words!(LossKind {
    Page = "user/replaced",
    Words = "user/lost-words",
    Wording = "user/altered-words",
    Headings = "user/lost-headings",
    Figures = "user/lost-figures",
    Names = "user/lost-names",
    Addresses = "user/lost-addresses",
    Links = "user/lost-links",
    Forms = "user/lost-forms",
    Pictures = "user/lost-pictures",
    Scripts = "user/lost-scripts",
    Meaning = "user/altered-meaning",
    Reach = "user/added-reach",
    Acts = "user/added-acts",
    Head = "user/altered-head",
});

impl LossKind {
    /// One of these and several.
    fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Page => ("page", "pages"),
            Self::Words => ("passage", "passages"),
            Self::Wording => ("word", "words"),
            Self::Headings => ("heading", "headings"),
            Self::Figures => ("figure", "figures"),
            Self::Names => ("name", "names"),
            Self::Addresses => ("address", "addresses"),
            Self::Links => ("link", "links"),
            Self::Forms => ("part of a form", "parts of forms"),
            Self::Pictures => ("picture", "pictures"),
            Self::Scripts => ("script", "scripts"),
            Self::Meaning => ("statement", "statements"),
            Self::Reach => ("place", "places"),
            Self::Acts => ("act of a script", "acts of scripts"),
            Self::Head => ("part of the head", "parts of the head"),
        }
    }
}

/// Things of one kind that are missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// What they are.
    pub kind: LossKind,
    /// What is said of them.
    pub said: String,
    /// How many there are.
    pub count: u32,
}

impl Loss {
    /// Things that are missing, by what they said or where they led; none if there are none.
    pub fn of(kind: LossKind, missing: &[String]) -> Option<Self> {
        if missing.is_empty() {
            return None;
        }
        let (one, several) = kind.nouns();
        let counted = line::counted(missing.len(), one, several);
        let fate = match (kind, missing.len()) {
            (LossKind::Meaning, 1) => "says something else now",
            (LossKind::Meaning, _) => "say something else now",
            (LossKind::Head, 1) => "is another or new",
            (LossKind::Head, _) => "are others or new",
            (_, 1) => "is missing or not in sight",
            (_, _) => "are missing or not in sight",
        };
        let said = format!("{counted} of the given page {fate}: {}", named(missing));
        Some(Self::saying(kind, missing.len(), said))
    }

    /// Things of one kind that the given page did not have and nobody asked for; none if there are none.
    pub fn added(kind: LossKind, added: &[String]) -> Option<Self> {
        if added.is_empty() {
            return None;
        }
        let (one, several) = kind.nouns();
        let does = if kind == LossKind::Reach { "reach" } else { "have" };
        let said = format!(
            "{} that the given page does not {does}, and nobody asked for: {}",
            line::counted(added.len(), one, several),
            named(added)
        );
        Some(Self::saying(kind, added.len(), said))
    }

    /// Parts of the page of which it is not known whether they can be seen; none if there are none.
    pub fn unknown(parts: &[String]) -> Option<Self> {
        let counted = line::counted(parts.len(), "part", "parts");
        let said = format!(
            "it is not known whether {counted} of the given page can be seen, because of styles that are not computed: {}",
            named(parts)
        );
        (!parts.is_empty()).then(|| Self::saying(LossKind::Words, parts.len(), said))
    }

    /// Sentences that read otherwise, each with what stands there now; none if there are none.
    pub fn reworded(sentences: &[String]) -> Option<Self> {
        let counted = line::counted(sentences.len(), "sentence", "sentences");
        let read = if sentences.len() == 1 { "reads" } else { "read" };
        let said =
            format!("{counted} of the given page {read} otherwise: {}", named_in(sentences, TOLD_OF_TWO));
        (!sentences.is_empty()).then(|| Self::saying(LossKind::Wording, sentences.len(), said))
    }

    /// Words that a style writes beside those of the page; none if there are none.
    pub fn written(words: &[String]) -> Option<Self> {
        let counted = line::counted(words.len(), "style writes", "styles write");
        let said = format!("{counted} words beside those of the given page: {}", named(words));
        (!words.is_empty()).then(|| Self::saying(LossKind::Meaning, words.len(), said))
    }

    /// Links, fields and buttons that are there and cannot be used; none if there are none.
    pub fn dead(names: &[String]) -> Option<Self> {
        let counted = line::counted(names.len(), "link, field or button", "links, fields or buttons");
        let said = format!("{counted} of the given page cannot be pointed at any more: {}", named(names));
        (!names.is_empty()).then(|| Self::saying(LossKind::Links, names.len(), said))
    }

    /// One loss of each kind, in their order.
    pub fn merged(mut losses: Vec<Self>) -> Vec<Self> {
        losses.sort_by_key(|loss| loss.kind);
        let mut merged: Vec<Self> = Vec::new();
        for loss in losses {
            match merged.last_mut().filter(|last| last.kind == loss.kind) {
                Some(last) => {
                    last.count = last.count.saturating_add(loss.count);
                    last.said = format!("{}; {}", last.said, loss.said);
                }
                None => merged.push(loss),
            }
        }
        merged
    }

    /// A loss in these words.
    pub fn saying(kind: LossKind, count: usize, said: String) -> Self {
        Self { kind, said, count: u32::try_from(count).unwrap_or(u32::MAX) }
    }

    /// The loss as evidence about a round.
    pub(crate) fn evidence(&self, round: Round) -> Evidence {
        Evidence {
            round,
            kind: EvidenceKind::Loss,
            role: None,
            dimension: None,
            check: self.kind.as_str().to_owned(),
            measured: self.said.clone(),
            value: Some(f64::from(self.count)),
            bound: None,
            criterion: None,
            place: None,
            line: None,
            claim: None,
            finding: None,
            standing: ClaimVerdict::Overrated,
        }
    }
}

/// The first of some things by name, and how many more there are.
fn named(things: &[String]) -> String {
    named_in(things, TOLD_CHARACTERS)
}

/// The same, with so many characters of each.
fn named_in(things: &[String], characters: usize) -> String {
    let told: Vec<String> =
        things.iter().take(NAMED).map(|text| format!("\"{}\"", line::shortened(text, characters))).collect();
    let more = things.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", told.join(", "))
}

impl Evidence {
    /// Whether it says that another page is in the place of the one that was handed in.
    pub(crate) fn is_replacement(&self) -> bool {
        self.kind == EvidenceKind::Loss && self.check == LossKind::Page.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_and_the_rest_is_counted() {
        let of = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            Loss::of(LossKind::Links, &texts).map(|loss| (loss.count, loss.said))
        };
        assert_eq!(of(&[]), None);
        assert_eq!(
            of(&["/book"]),
            Some((1, "1 link of the given page is missing or not in sight: \"/book\"".to_owned()))
        );
        let many = of(&["1", "2", "3", "4", "5", "6", "7", "8"]).unwrap();
        assert!(many.1.ends_with("\"6\" and 2 more"), "{}", many.1);
    }
}
