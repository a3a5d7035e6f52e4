//! Passages of a page that are still there and say something else now.
//!
//! A passage counts as kept when half of its words are there. One word more or less can turn it around: a negation, or the
//! other side of a pair. So each kept passage is held against the sentence in its place.

use super::align::{Alignment, Fate, NEIGHBOURS, Unit, joined};
use super::document::opposite::contradicts;
use super::words::{Word, sentences, words};
use super::{BlockKind, Missing, Sight, TextBlock};

/// What people do. A word in front of one of these that begins a sentence is somebody's name, unless an article or the like
/// stands there.
const DEEDS: &str = "runs leads teaches says said founded started owns manages cooks bakes plays paints sings writes wrote \
    built designed directs joined studied lives works speaks trains coaches plants sews drives";

/// Words that begin a sentence and are nobody.
const NOBODY: &str = "the a an this that these those it he she we they you who what everybody everyone nobody somebody one our my \
    your his her their each every no";

/// A sentence of the draft.
struct Sentence {
    block: usize,
    sight: Sight,
    words: Vec<Word>,
}

/// What says the opposite now, and what is said of another person.
#[derive(Debug, Default)]
pub(super) struct Turned {
    pub(super) statements: Vec<Missing>,
    pub(super) names: Vec<Missing>,
}

impl Turned {
    pub(super) fn of(
        given: &[TextBlock],
        draft: &[TextBlock],
        language: Option<&str>,
        alignment: &Alignment,
    ) -> Self {
        let there: Vec<Sentence> =
            draft.iter().enumerate().flat_map(|(at, block)| all(at, block, language)).collect();
        let mut turned = Self::default();
        for (unit, fate) in alignment.units.iter().zip(&alignment.fates) {
            let Fate::Kept { block, .. } = *fate else { continue };
            let near: Vec<&Sentence> = there
                .iter()
                .filter(|own| own.block.abs_diff(block) <= NEIGHBOURS && own.sight >= unit.sight)
                .collect();
            if near.iter().any(|own| forms(&own.words).eq(forms(&unit.words))) {
                continue;
            }
            let Some(best) = near.into_iter().max_by_key(|own| shared(unit, own)) else { continue };
            let missing = |text: &str| Missing { text: text.to_owned(), about: unit.about(given) };
            if contradicts(&unit.words, &best.words) {
                turned.statements.push(missing(&unit.text));
            } else if let Some(name) = other_person(&unit.words, &best.words)
                && unit.kind == BlockKind::Running
            {
                turned.names.push(missing(name));
            }
        }
        turned
    }
}

fn all(at: usize, block: &TextBlock, language: Option<&str>) -> Vec<Sentence> {
    let whole = joined(block);
    let parts = whole.split('\n').flat_map(sentences);
    parts.map(|part| Sentence { block: at, sight: block.sight, words: words(part, language) }).collect()
}

fn forms(words: &[Word]) -> impl Iterator<Item = &str> {
    words.iter().filter(|word| !word.idle).map(|word| word.form.as_str())
}

fn shared(unit: &Unit, own: &Sentence) -> usize {
    unit.words.iter().filter(|word| own.words.iter().any(|other| other.form == word.form)).count()
}

/// Who did something, where the same sentence says now that somebody else did.
fn other_person<'a>(old: &'a [Word], new: &[Word]) -> Option<&'a str> {
    let has = |list: &str, form: &str| list.split_whitespace().any(|word| word == form);
    let (was, is) = (old.first()?, new.first()?);
    let person = |word: &Word| word.raw.starts_with(char::is_uppercase) && !has(NOBODY, &word.form);
    let same_rest = forms(old).skip(1).eq(forms(new).skip(1));
    let deed = old.get(1).is_some_and(|word| has(DEEDS, &word.form));
    (person(was) && person(is) && was.form != is.form && same_rest && deed).then_some(was.raw.as_str())
}
