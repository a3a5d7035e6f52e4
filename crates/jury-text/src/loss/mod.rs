//! What of the words of a page is missing in another version of it.
//!
//! Words are compared passage by passage, as sets with counts: another order, another wrapping, other white space, quotes
//! or case, and words that were added are no loss. [`compare`] says what is: passages that are gone, headings that are
//! gone, figures, names and addresses that are gone or altered, and how many plain words are.

mod align;
mod brief;
mod document;
mod facts;
mod numerals;
mod otherwise;
mod turned;
mod words;

pub use brief::{Permit, permits};
pub(crate) use document::is_elision;
pub use document::{DocumentLoss, document_loss};
pub use words::{plain_words, same_words, shows_another_address};

use align::{Fate, align};
use facts::Facts;
use turned::Turned;

/// Fewer plain words than this may be altered on any page: a headline or a few labels.
const ALTERED_WORDS: usize = 8;

/// Of a longer page, this share of its words may be altered: typing errors, labels, a sentence here and there.
const ALTERED_SHARE: f64 = 0.1;

/// A page that keeps less than this share of its words is another page.
const SAME_PAGE_SHARE: f64 = 0.5;

/// How well a text can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// It is in the page and not to be seen.
    Hidden,
    /// It is folded away, and the reader can open it.
    Folded,
    /// It is seen.
    Shown,
}

/// What a block of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading.
    Heading,
    /// What a link, a button or a label says.
    Control,
    /// Everything else.
    Running,
}

/// Text that stands together, in the order of the page.
#[derive(Debug, Clone)]
pub struct TextBlock {
    /// How well it can be seen.
    pub sight: Sight,
    /// Its pieces, and what each of them is.
    pub texts: Vec<(BlockKind, String)>,
    /// Words that say which part of the page this is, for what a brief says of that part.
    pub about: String,
}

/// Something that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// As it stood in the page.
    pub text: String,
    /// Words that say which part of the page it was in.
    pub about: String,
}

/// What is missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextLoss {
    /// How many words of the page are seen, and how many of them are still there.
    pub words: usize,
    /// Of these, how many are still there.
    pub kept: usize,
    /// Sentences, list items and other passages without anything in their place.
    pub passages: Vec<Missing>,
    /// Headings without anything in their place.
    pub headings: Vec<Missing>,
    /// Passages in whose place there are other words.
    pub reworded: Vec<Missing>,
    /// Passages in whose place the opposite is said.
    pub turned: Vec<Missing>,
    /// Passages that are there nearly word for word and read otherwise, with what stands there now.
    pub otherwise: Vec<Missing>,
    /// Numbers, prices, dates, or what stands in their place.
    pub figures: Vec<Missing>,
    /// Names.
    pub names: Vec<Missing>,
    /// Addresses of mail and sites, telephone numbers.
    pub addresses: Vec<Missing>,
}

impl TextLoss {
    /// Whether this is another page.
    pub fn is_replaced(&self) -> bool {
        self.words > 0 && share(self.kept, self.words) < SAME_PAGE_SHARE
    }

    /// How many words are altered, when these are more than may be.
    pub fn altered_words(&self) -> Option<usize> {
        let altered = self.words - self.kept;
        (altered > ALTERED_WORDS && share(altered, self.words) > ALTERED_SHARE).then_some(altered)
    }
}

#[expect(clippy::cast_precision_loss, reason = "words of a page are few")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// What of a page is missing in a draft. `language` is that of the page, `addresses` are those that the draft's links
/// lead to.
pub fn compare(
    given: &[TextBlock],
    draft: &[TextBlock],
    language: Option<&str>,
    addresses: &[String],
) -> TextLoss {
    let alignment = align(given, draft, language);
    let mut loss = TextLoss::default();
    for (unit, fate) in alignment.units.iter().zip(&alignment.fates) {
        if unit.sight == Sight::Shown {
            loss.words += unit.words.len();
            loss.kept += fate.kept(unit);
        }
        let missing = || Missing { text: unit.text.clone(), about: unit.about(given) };
        match fate {
            Fate::Kept { .. } => {}
            Fate::Reworded { .. } => loss.reworded.push(missing()),
            Fate::Vanished { .. } if unit.kind == BlockKind::Heading => loss.headings.push(missing()),
            Fate::Vanished { .. } => loss.passages.push(missing()),
        }
    }
    let facts = Facts::of(given, draft, language, addresses, &alignment);
    loss.figures = facts.figures();
    loss.names = facts.names();
    loss.addresses = facts.addresses();
    let Turned { statements, names } = Turned::of(given, draft, language, &alignment);
    loss.turned = statements;
    loss.names.extend(names);
    loss.otherwise = otherwise::otherwise(given, draft, language, &alignment);
    // One cause is told once.
    let told: Vec<String> = [&loss.figures, &loss.names, &loss.addresses, &loss.turned]
        .into_iter()
        .flatten()
        .flat_map(|one| [one.text.clone(), one.about.clone()])
        .filter(|told| !told.trim().is_empty())
        .collect();
    loss.otherwise
        .retain(|one| !told.iter().any(|other| one.text.starts_with(other.as_str()) || *other == one.about));
    loss
}

#[cfg(test)]
mod tests;
