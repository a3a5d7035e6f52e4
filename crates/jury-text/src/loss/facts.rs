//! Figures, names and addresses: what may not be another one, however few words of a page are altered.

use std::collections::BTreeSet;

use super::align::{Alignment, Unit};
use super::words::{Word, WordKind, address_forms};
use super::{BlockKind, Missing, Sight, TextBlock};
use crate::language;

/// Languages in which a capital does not make a name.
const CAPITAL_NOUNS: [&str; 2] = ["de", "lb"];

/// A text in which more than this share of the words inside sentences has a capital is no running text.
const CAPITAL_SHARE: f64 = 0.4;

/// A name is told from a label in texts of at least so many words.
const RUNNING_WORDS: usize = 5;

pub(super) struct Facts<'a> {
    given: &'a [TextBlock],
    draft: &'a [TextBlock],
    language: Option<&'a str>,
    addresses: &'a [String],
    alignment: &'a Alignment,
    /// The words of the draft that are seen, that are seen or folded away, and all of them.
    seen: [BTreeSet<&'a str>; 3],
}

impl<'a> Facts<'a> {
    pub(super) fn of(
        given: &'a [TextBlock],
        draft: &'a [TextBlock],
        language: Option<&'a str>,
        addresses: &'a [String],
        alignment: &'a Alignment,
    ) -> Self {
        let forms = |sight: Sight| {
            let blocks = alignment.blocks.iter().zip(draft).filter(move |(_, block)| block.sight >= sight);
            blocks.flat_map(|(words, _)| words).map(|word| word.form.as_str()).collect()
        };
        let seen = [forms(Sight::Shown), forms(Sight::Folded), forms(Sight::Hidden)];
        Self { given, draft, language, addresses, alignment, seen }
    }

    /// Figures that are nowhere in the draft, and those in whose place another one stands.
    pub(super) fn figures(&self) -> Vec<Missing> {
        let mut missing = Vec::new();
        let mut told = BTreeSet::new();
        for unit in &self.alignment.units {
            for word in unit.words.iter().filter(|word| word.kind == WordKind::Figure && !word.soft) {
                let mut there = self.figures_seen(unit.sight);
                if !there.any(|other| other.agrees(word))
                    && told.insert((word.form.as_str(), word.unit.as_str()))
                {
                    missing.push(self.missing(unit, &word.raw));
                }
            }
        }
        for (unit, was, now) in self.swapped() {
            if told.insert((was.form.as_str(), was.unit.as_str())) {
                missing.push(self.missing(unit, &format!("{} (now {})", was.raw, now.raw)));
            }
        }
        missing
    }

    /// Figures that are somewhere in the draft, but in whose place there is another one: between two passages that follow
    /// each other in the page and in the draft, or inside of one.
    fn swapped(&self) -> Vec<(&Unit, &Word, &Word)> {
        let Alignment { units, fates, blocks } = self.alignment;
        let mut found = Vec::new();
        let anchors: Vec<(usize, usize)> = units
            .iter()
            .zip(fates)
            .enumerate()
            .filter(|(_, (unit, _))| unit.has_letters() && unit.sight == Sight::Shown)
            .filter_map(|(index, (_, fate))| Some((index, fate.block()?)))
            .collect();
        let is_anchor: BTreeSet<usize> = anchors.iter().map(|(_, block)| *block).collect();
        for pair in anchors.windows(2) {
            let [(first, from), (second, to)] = pair else { continue };
            let next = is_anchor.range(from + 1..).next();
            if from < to && next != Some(to) {
                continue;
            }
            let (from, to) = (*from, if from < to { *to } else { from + 1 });
            let given: Vec<(&Unit, &Word)> = units
                .get(*first..*second)
                .unwrap_or_default()
                .iter()
                .flat_map(|unit| figures(&unit.words).map(move |word| (unit, word)))
                .collect();
            // A block may hold several passages of one block, and these have figures of their own.
            let own_block = units.get(*first).map(|unit| unit.block);
            let in_block: Vec<&Word> = units
                .iter()
                .zip(fates)
                .filter(|(unit, fate)| Some(unit.block) == own_block && fate.block() == Some(from))
                .flat_map(|(unit, _)| figures(&unit.words))
                .collect();
            let draft: Vec<&Word> = blocks
                .get(from..to)
                .unwrap_or_default()
                .iter()
                .zip(self.draft.get(from..to).unwrap_or_default())
                .filter(|(_, block)| block.sight == Sight::Shown)
                .flat_map(|(words, _)| figures(words))
                .collect();
            let mut gone = given.iter().filter(|(_, was)| !draft.iter().any(|now| now.agrees(was)));
            // One that stands there more often than before is new, even where its like was.
            let is_new = |now: &&&Word| {
                let before = alike(given.iter().map(|(_, was)| *was), now);
                alike(draft.iter().copied(), now) > before.max(alike(in_block.iter().copied(), now))
            };
            // A word that may say something else is no figure in the place of one.
            let pair = gone.find_map(|(unit, was)| {
                let now = draft.iter().filter(is_new).find(|now| was.soft || !now.soft)?;
                Some((*unit, *was, *now))
            });
            found.extend(pair);
        }
        found
    }

    /// Names that are nowhere in the draft.
    pub(super) fn names(&self) -> Vec<Missing> {
        if self.language.is_some_and(|tag| CAPITAL_NOUNS.contains(&language::primary(tag).as_str())) {
            return Vec::new();
        }
        let shown: Vec<&Unit> =
            self.alignment.units.iter().filter(|unit| unit.sight == Sight::Shown).collect();
        let mut lower: BTreeSet<&str> = BTreeSet::new();
        for unit in &shown {
            let plain = unit.words.iter().filter(|word| word.raw.starts_with(char::is_lowercase));
            lower.extend(plain.map(|word| word.form.as_str()));
        }
        let there = self.forms(Sight::Shown);
        let labels = labels_are_sentences(&shown);
        let mut told = BTreeSet::new();
        let mut missing = Vec::new();
        for unit in shown {
            let running = is_running(unit);
            if !(running || labels && !is_long(unit)) {
                continue;
            }
            let alone = labels && is_name_alone(unit);
            // A label may have all of its letters large.
            let of_name =
                |word: &&Word| is_name(word, alone) && (running || word.raw.contains(char::is_lowercase));
            for word in unit.words.iter().filter(of_name) {
                let bare = word.form.strip_suffix("'s").unwrap_or(&word.form);
                let kept = |form: &str| there.contains(form) || there.contains(format!("{form}'s").as_str());
                if !lower.contains(word.form.as_str()) && !kept(bare) && told.insert(word.form.clone()) {
                    missing.push(self.missing(unit, &word.raw));
                }
            }
        }
        missing
    }

    /// Addresses that are nowhere in the draft.
    pub(super) fn addresses(&self) -> Vec<Missing> {
        let linked: BTreeSet<String> =
            self.addresses.iter().flat_map(|address| address_forms(address)).collect();
        let mut told = BTreeSet::new();
        let mut missing = Vec::new();
        for unit in &self.alignment.units {
            let there = self.forms(unit.sight);
            for word in unit.words.iter().filter(|word| word.kind == WordKind::Address) {
                let kept = there.contains(word.form.as_str()) || linked.contains(&word.form);
                if !kept && told.insert(word.form.clone()) {
                    missing.push(self.missing(unit, &word.raw));
                }
            }
        }
        missing
    }

    /// The figures of the draft that can be seen so well.
    fn figures_seen(&self, sight: Sight) -> impl Iterator<Item = &Word> {
        let blocks =
            self.alignment.blocks.iter().zip(self.draft).filter(move |(_, block)| block.sight >= sight);
        blocks.flat_map(|(words, _)| words).filter(|word| word.kind == WordKind::Figure)
    }

    /// The words of the draft that can be seen so well.
    fn forms(&self, sight: Sight) -> &BTreeSet<&'a str> {
        let [shown, folded, all] = &self.seen;
        match sight {
            Sight::Shown => shown,
            Sight::Folded => folded,
            Sight::Hidden => all,
        }
    }

    fn missing(&self, unit: &Unit, text: &str) -> Missing {
        Missing { text: text.to_owned(), about: format!("{} {}", unit.text, unit.about(self.given)) }
    }
}

/// How many of these say the same as a figure.
fn alike<'w>(words: impl Iterator<Item = &'w Word>, figure: &Word) -> usize {
    words.filter(|word| word.agrees(figure)).count()
}

fn figures(words: &[Word]) -> impl Iterator<Item = &Word> {
    words.iter().filter(|word| word.kind == WordKind::Figure && !word.idle)
}

/// Whether a passage is running text, in which a capital makes a name.
fn is_running(unit: &Unit) -> bool {
    let (inside, capitals) = capitals(unit);
    is_long(unit) && super::share(capitals, inside) <= CAPITAL_SHARE
}

fn is_long(unit: &Unit) -> bool {
    unit.kind == BlockKind::Running
        && unit.words.iter().filter(|word| word.kind == WordKind::Plain).count() >= RUNNING_WORDS
}

/// How many words stand inside a passage, and how many of them have a capital.
fn capitals(unit: &Unit) -> (usize, usize) {
    let inside = || unit.words.iter().filter(|word| word.kind == WordKind::Plain && !word.opens);
    (inside().count(), inside().filter(|word| is_capital(word)).count())
}

fn is_capital(word: &Word) -> bool {
    word.raw.starts_with(char::is_uppercase)
}

/// Whether headings and labels of a page are written like sentences. Then a capital makes a name there too, which it does
/// not where Every Word Has One.
fn labels_are_sentences(units: &[&Unit]) -> bool {
    let labels = units.iter().filter(|unit| !is_long(unit)).map(|unit| capitals(unit));
    let (inside, capitals) =
        labels.fold((0, 0), |(all, big), (inside, capitals)| (all + inside, big + capitals));
    inside >= LABEL_WORDS && super::share(capitals, inside) <= CAPITAL_SHARE
}

/// So many words inside headings and labels show how they are written.
const LABEL_WORDS: usize = 6;

/// Words inside names that have no capital.
const JOINING: [&str; 16] =
    ["and", "of", "the", "for", "de", "la", "le", "du", "der", "von", "van", "y", "e", "et", "und", "in"];

/// Whether a label is a name and nothing else: two capitals at least, and none missing.
fn is_name_alone(unit: &Unit) -> bool {
    let plain = || unit.words.iter().filter(|word| word.kind == WordKind::Plain);
    !is_long(unit)
        && plain().filter(|word| is_capital(word)).count() >= 2
        && plain().all(|word| is_capital(word) || JOINING.contains(&word.form.as_str()))
}

/// Whether a word is one of a name. The first word of a sentence has a capital anyway; that of a name alone is its own.
fn is_name(word: &Word, alone: bool) -> bool {
    word.kind == WordKind::Plain && (alone || !word.opens) && is_capital(word) && word.raw.chars().count() > 1
}
