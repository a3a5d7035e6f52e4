//! What the documents of an idea know: figures, words and sentences that a draft may repeat.
//!
//! A document is read whole: prose, lists, every cell of a table with its row and its column, front matter and code. Only
//! what it gives as an example of how not to write supports nothing.

use std::collections::{BTreeSet, HashMap, HashSet};

use jury_core::content::Foundation;
use jury_core::fence::{CodeLine, Fences};

use super::benefit::Measured;
use super::claims::{Figure, Unit, figure};
use super::prose::{self, Word};
use super::{front_matter, outline, voice};

/// The most places of one number that are compared. Beyond them it counts as unknown.
const MOST_PLACES: usize = 512;

/// What the documents know.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// Where each number stands.
    numbers: HashMap<String, Vec<Known>>,
    /// Lines, as what they are about with every little word.
    lines: Vec<HashSet<String>>,
    /// Every word, in lower case.
    words: HashSet<String>,
    /// All of it in one line, words between single spaces.
    text: String,
    /// Whether a row of stars stands anywhere.
    stars: bool,
    /// The words of the product's name, in lower case.
    product: BTreeSet<String>,
    /// What is measured.
    measured: Measured,
}

/// A figure of the documents.
#[derive(Debug)]
struct Known {
    figure: Figure,
    /// It stands in a table, in front matter or in code: what it counts is said by its row and column, not beside it.
    in_a_table: bool,
}

impl References {
    /// What all documents of an idea know.
    pub(crate) fn read(foundation: &Foundation) -> Self {
        let mut references = Self { text: " ".to_owned(), ..Self::default() };
        for (kind, text) in foundation.iter() {
            references.stars |= has_stars(text);
            for (at, line) in outline::read(text).into_iter().enumerate() {
                if at == 0 && line.heading {
                    references
                        .product
                        .extend(line.text.rsplit_once(':').map(|(_, name)| lower(name)).unwrap_or_default());
                }
                if matches!(line.label.as_deref(), Some("product" | "name" | "product name" | "brand")) {
                    references.product.extend(lower(&line.text));
                }
                if voice::is_warned_against(kind.as_str(), &line) {
                    continue;
                }
                let whole = line
                    .label
                    .as_deref()
                    .map_or_else(|| line.text.clone(), |label| format!("{label} {}", line.text));
                references.add(&whole);
            }
            for table in outline::tables(text) {
                references.add_table(&table);
            }
            for line in aside(text) {
                references.add(&line);
                references.add_numbers(&line, true);
            }
        }
        references
    }

    /// What the documents measure.
    pub(crate) fn measured(&self) -> &Measured {
        &self.measured
    }

    fn add(&mut self, line: &str) {
        self.measured.add(line, false);
        self.add_numbers(line, false);
        let words = prose::words(line);
        self.lines.push(words.iter().flat_map(|word| [word.lower.clone(), word.stem.clone()]).collect());
        for word in words {
            self.text.push_str(&word.lower);
            self.text.push(' ');
            self.words.insert(word.lower);
        }
    }

    fn add_numbers(&mut self, line: &str, in_a_table: bool) {
        let words = prose::words(line);
        for at in 0..words.len() {
            if let Some(mut figure) = figure(line, &words, at) {
                if in_a_table {
                    figure.near = about(&words);
                }
                self.know(figure, in_a_table);
            }
        }
    }

    fn know(&mut self, figure: Figure, in_a_table: bool) {
        self.numbers.entry(figure.number.clone()).or_default().push(Known { figure, in_a_table });
    }

    /// Every row as it is read, and every cell with what its row and its column are called.
    fn add_table(&mut self, table: &outline::Table) {
        for row in &table.rows {
            self.add(&row.join(" "));
            self.measured.add(&row.join(" | "), true);
            let label = row.first().map_or("", String::as_str);
            for (column, cell) in row.iter().enumerate() {
                let header = table.header.get(column).map_or("", String::as_str);
                let names = format!("{label} {header}");
                let words = prose::words(cell);
                for at in 0..words.len() {
                    let Some(mut figure) = figure(cell, &words, at) else { continue };
                    figure.near = about(&prose::words(&format!("{names} {cell}")));
                    if figure.unit == Unit::Plain
                        && let Some(unit) = unit_of(&names)
                    {
                        self.know(Figure { unit, ..figure.clone() }, true);
                    }
                    self.know(figure, true);
                }
            }
        }
    }

    pub(crate) fn knows_word(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Whether this is a word of what the product is called.
    pub(crate) fn is_product(&self, word: &str) -> bool {
        self.product.contains(word)
    }

    /// Whether a row of stars stands in a document.
    pub(crate) fn has_stars(&self) -> bool {
        self.stars
    }

    /// Whether the number stands somewhere and counts the same: the words beside it are the same, or, where a table or
    /// little words stand beside it, what it is about.
    pub(crate) fn knows(&self, figure: &Figure) -> bool {
        let bare = figure.before.is_none() && figure.after.is_none();
        let same = |known: &Known| {
            let (of, alike) = (&known.figure, |a: &Option<String>, b: &Option<String>| a.is_some() && a == b);
            let is_about =
                || !of.near.is_disjoint(&figure.near) || of.near.is_empty() && figure.near.is_empty();
            of.unit == figure.unit
                && (figure.unit != Unit::Plain
                    || alike(&of.after, &figure.after)
                    || alike(&of.before, &figure.before)
                    || (bare || known.in_a_table) && is_about())
        };
        self.places(&figure.number).any(same)
    }

    /// Whether the number stands somewhere beside one of the words that say who is counted.
    pub(crate) fn knows_count(&self, number: &str, of: &[&Word]) -> bool {
        let is_near = |word: &&&Word| !word.stop;
        self.places(number)
            .any(|known| of.iter().filter(is_near).any(|word| known.figure.near.contains(&word.stem)))
    }

    fn places(&self, number: &str) -> impl Iterator<Item = &Known> {
        self.numbers.get(number).into_iter().flatten().take(MOST_PLACES)
    }

    /// Whether a line of the documents has this word and most of what the sentence is about.
    pub(crate) fn supports(&self, key: &str, about: &[&Word]) -> bool {
        let about: BTreeSet<&str> =
            about.iter().filter(|word| !word.stop).map(|word| word.stem.as_str()).collect();
        let needed = about.len().min(2).max(about.len().div_ceil(2));
        let holds = |line: &HashSet<String>| {
            (key.is_empty() || line.contains(key))
                && about.iter().filter(|stem| line.contains(**stem)).count() >= needed
        };
        !about.is_empty() && self.lines.iter().any(holds)
    }

    /// Whether one line of the documents has all of what a sentence is about.
    pub(crate) fn has_all(&self, about: &[&Word]) -> bool {
        !about.is_empty() && self.lines.iter().any(|line| about.iter().all(|word| line.contains(&word.stem)))
    }

    /// Whether these words stand in the documents, one after the other.
    pub(crate) fn has_words(&self, words: &[Word]) -> bool {
        let mut wanted = String::from(" ");
        for word in words {
            wanted.push_str(&word.lower);
            wanted.push(' ');
        }
        !words.is_empty() && self.text.contains(&wanted)
    }
}

/// Whether three stars stand together.
pub(crate) fn has_stars(text: &str) -> bool {
    let mut row = 0;
    text.chars().any(|c| {
        row = match c {
            '★' | '⭐' | '🌟' | '✭' | '✮' | '✯' => row + 1,
            // Signs that choose a picture, and spaces between.
            '\u{fe0e}' | '\u{fe0f}' | ' ' => row,
            _ => 0,
        };
        row >= 3
    })
}

/// The lines that are no prose: front matter and code.
fn aside(text: &str) -> Vec<String> {
    let end = front_matter::read(text).end;
    let front = text.get(..end).unwrap_or_default().lines().map(str::to_owned);
    let mut fences = Fences::default();
    let code = text.get(end..).unwrap_or_default().lines();
    let code = code.filter(move |line| fences.line(line) == CodeLine::Inside);
    front.chain(code.map(str::to_owned)).filter(|line| line.chars().any(char::is_alphanumeric)).collect()
}

/// What a number in a cell counts by the names of its row and column.
fn unit_of(names: &str) -> Option<Unit> {
    let lower = names.to_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|sign| lower.contains(sign));
    if has(&["€", "$", "£", "price", "cost", "fee", "euro", "dollar", "eur", "usd", "gbp"]) {
        Some(Unit::Money)
    } else if has(&["%", "percent", "per cent", "share", "rate"]) {
        Some(Unit::Percent)
    } else {
        None
    }
}

/// What words are about: the stems of those that say something and are no numbers.
fn about(words: &[Word]) -> BTreeSet<String> {
    let says = |word: &&Word| !word.stop && !word.lower.starts_with(|c: char| c.is_ascii_digit());
    words.iter().filter(says).map(|word| word.stem.clone()).collect()
}

fn lower(text: &str) -> Vec<String> {
    prose::words(text).into_iter().map(|word| word.lower).collect()
}
