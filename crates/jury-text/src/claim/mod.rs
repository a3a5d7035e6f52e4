//! Figures in what a panelist writes: contrast ratios, type sizes, rows of distances. Only figures that say how the
//! page is are claims; those that say how it should be are not.
//!
//! Saying of a true sentence that it is false costs more than saying of a false one that it cannot be checked. So a claim
//! is firm, and can be contradicted, only when nothing but the figure in it could be meant otherwise: the figure is tied to
//! a thing by words that tie, in the state and the window that are measured.

mod lexer;
mod matter;
mod words;

#[cfg(test)]
mod tests;

use jury_core::theater::{ClaimFigure, ClaimFill, PanelClaim};
use lexer::{Part, Sentence, sentences};
use words::has;

/// The longest part of a text that is repeated in evidence.
const LONGEST_QUOTE_CHARS: usize = 120;

/// Type is hardly ever larger, in pixels; what is, is a width.
const LARGEST_TYPE: f64 = 240.0;

/// Windows are hardly ever narrower.
const NARROWEST: f64 = 240.0;

/// What WCAG demands of text. Who names one of these mostly means the bar.
const BARS: [f64; 3] = [3.0, 4.5, 7.0];

/// The bar that no sentence asks to go below.
const TEXT_BAR: f64 = 4.5;

const OTHER_STATE: &str = "it is about a state of the page that is not measured";
const OTHER_WINDOW: &str = "it is about another window than the one that is measured";
const NOT_TEXT: &str = "the contrast of what is not text was not measured";

/// The claims in a text, in order. The name of the dimension that it is a note to says what rows of numbers are.
pub fn claims(text: &str, dimension: Option<&str>) -> Vec<PanelClaim> {
    let dimension = dimension.unwrap_or_default().to_lowercase();
    sentences(text).iter().flat_map(|sentence| in_sentence(sentence, &dimension)).collect()
}

/// Parts of a sentence that speak of one thing: where they begin and end.
fn clauses(parts: &[Part]) -> Vec<(usize, usize)> {
    let mut clauses = Vec::new();
    let mut from = 0;
    for (index, part) in parts.iter().enumerate() {
        let breaks = part.is_mark(&[',', '(', ')', '[', ']', '–', '—'])
            || matches!(
                part.word(),
                Some("but" | "while" | "whereas" | "yet" | "although" | "aber" | "während")
            );
        if breaks {
            clauses.push((from, index));
            from = index + 1;
        }
    }
    clauses.push((from, parts.len()));
    clauses.retain(|(from, to)| from < to);
    clauses
}

fn in_sentence(sentence: &Sentence<'_>, dimension: &str) -> Vec<PanelClaim> {
    let parts = &sentence.parts;
    let clauses = clauses(parts);
    let mut claims = Vec::new();
    for (number, &(from, to)) in clauses.iter().enumerate() {
        for at in from..to {
            let Some(Part::Figure { figure, exact }) = parts.get(at) else { continue };
            let reader = Reader { parts, from, to, at, dimension };
            let Some(figure) = reader.kind(figure) else { continue };
            let asked_before =
                clauses.iter().take(number).any(|(from, to)| asks(parts.get(*from..*to).unwrap_or_default()));
            if let Some(claim) = reader.claim(figure, *exact, asked_before) {
                let span = (sentence.spans.get(from), sentence.spans.get(to - 1));
                let said = if let (Some((start, _)), Some((_, end))) = span {
                    sentence.text.get(*start..*end).unwrap_or_default()
                } else {
                    ""
                };
                let said = said.trim().chars().take(LONGEST_QUOTE_CHARS).collect();
                claims.push(PanelClaim { said, ..claim });
            }
        }
    }
    claims
}

/// Whether these words ask for something.
fn asks(parts: &[Part]) -> bool {
    let mut words = parts.iter().filter_map(Part::word).skip_while(|word| words::LEADING.contains(word));
    words.next().is_some_and(|first| words::ASKED.contains(&first) || words::WISHED.contains(&first))
        || words.any(|word| words::WISHED.contains(&word))
}

/// Reads what stands around one figure.
struct Reader<'a> {
    parts: &'a [Part],
    /// The part at which the clause begins.
    from: usize,
    to: usize,
    /// The part that is the figure.
    at: usize,
    dimension: &'a str,
}

/// What a figure is tied to.
#[derive(Debug, Default)]
struct Tie {
    about: Vec<String>,
    firm: bool,
    /// Nothing stands between them that would let a bar be meant.
    close: bool,
}

impl<'a> Reader<'a> {
    fn part(&self, index: usize) -> Option<&'a Part> {
        self.parts.get(index)
    }

    fn word(&self, index: usize) -> Option<&'a str> {
        self.part(index).and_then(Part::word)
    }

    /// The words of the clause between the figures on both sides of this one.
    fn around(&self) -> impl Iterator<Item = &'a str> + Clone {
        let is_figure = |index: &usize| matches!(self.part(*index), Some(Part::Figure { .. }));
        let from = (self.from..self.at).rev().find(is_figure).map_or(self.from, |index| index + 1);
        let to = (self.at + 1..self.to).find(is_figure).unwrap_or(self.to);
        self.parts.get(from..to).unwrap_or_default().iter().filter_map(Part::word)
    }

    fn clause(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.parts.get(self.from..self.to).unwrap_or_default().iter().filter_map(Part::word)
    }

    fn before(&self) -> impl DoubleEndedIterator<Item = &'a str> + Clone {
        self.parts.get(self.from..self.at).unwrap_or_default().iter().filter_map(Part::word)
    }

    /// What kind of figure it is; none if it is about something that is not measured at all.
    fn kind(&self, figure: &ClaimFigure) -> Option<ClaimFigure> {
        let any = |stems: &[&str]| self.clause().any(|word| has(stems, word));
        match figure {
            ClaimFigure::Ratio(_) => {
                let contrast = any(words::CONTRAST) || has(words::CONTRAST, self.dimension);
                (contrast || !any(matter::NOT_CONTRAST)).then(|| figure.clone())
            }
            ClaimFigure::Several(steps) => {
                let spaced = any(matter::DISTANCES) && !any(matter::NOT_DISTANCES);
                let of_space = has(&["spac", "rhythm", "abstand", "abständ"], self.dimension)
                    && self.clause().next().is_none();
                if spaced || of_space {
                    return Some(ClaimFigure::Distances(steps.clone()));
                }
                let typed = any(matter::SIZES) && !any(matter::NOT_TYPE);
                typed.then(|| ClaimFigure::Sizes(steps.clone()))
            }
            ClaimFigure::Size(size) if *size > LARGEST_TYPE => None,
            ClaimFigure::Size(_) | ClaimFigure::Roots(_) => {
                let other =
                    |word: &str| has(matter::NOT_TYPE, word) || matter::NOT_TYPE_WORDS.contains(&word);
                let away = matches!(self.word(self.at + 1), Some("from" | "of" | "von"));
                (!self.around().any(other) && !away && !self.is_width()).then(|| figure.clone())
            }
            ClaimFigure::Distances(_) | ClaimFigure::Sizes(_) => Some(figure.clone()),
        }
    }

    /// `At 360px the H1 overflows`: nothing before it that it could be the size of.
    fn is_width(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).and_then(|index| self.word(index)) else { return false };
        let Some(Part::Figure { figure: ClaimFigure::Size(size), .. }) = self.part(self.at) else {
            return false;
        };
        let at = matter::AT_WIDTH.contains(&before);
        at && (self.before().count() == 1 || *size >= NARROWEST)
    }

    fn claim(&self, figure: ClaimFigure, exact: bool, asked_before: bool) -> Option<PanelClaim> {
        let before = self.at.checked_sub(1).filter(|index| *index >= self.from);
        let behind = self.word(self.at + 1).filter(|_| self.at + 1 < self.to);
        let from_to =
            before.and_then(|index| self.word(index)).is_some_and(|word| matches!(word, "from" | "von"));
        let (asked, done) =
            (asks(self.parts.get(self.from..self.at).unwrap_or_default()), self.before().any(is_done));
        if from_to && (done || self.before().any(is_past)) {
            return None;
        }
        let rises = from_to && asked;
        let reached = !asked && done && self.after_from();
        if !rises && !reached {
            let bar_mark =
                before.and_then(|index| self.part(index)).is_some_and(|part| part.is_mark(words::BAR_MARKS));
            // `(4.5:1)` behind AA, `WCAG: 4.5:1`.
            let before_mark = before
                .filter(|index| self.part(*index).is_some_and(|part| part.is_mark(&[':', '='])))
                .and_then(|index| index.checked_sub(1));
            let named = before
                .and_then(|index| self.word(index))
                .or_else(|| before_mark.and_then(|index| self.word(index)));
            let barred = named.is_some_and(|word| words::BAR_BEFORE.contains(&word))
                || behind.is_some_and(|word| words::BAR_BEHIND.contains(&word));
            let more = self.part(self.at + 1).is_some_and(|part| part.is_mark(&['+']));
            if asked || bar_mark || barred || more {
                return None;
            }
        }
        let tie = self.tie();
        let bar =
            matches!(figure, ClaimFigure::Ratio(ratio) if BARS.iter().any(|bar| (bar - ratio).abs() < 0.001));
        if bar && !tie.close {
            return None;
        }
        let approx = before.is_some_and(|index| {
            self.part(index).is_some_and(|part| part.is_mark(&['~', '≈']))
                || matches!(
                    self.word(index),
                    Some("about" | "around" | "roughly" | "approx" | "approximately")
                )
                || matches!(self.word(index), Some("etwa" | "ca" | "rund" | "circa"))
        });
        // Nobody asks for less than the bar, so this says how it is: `Raise the contrast of the CTA (3.9:1)`.
        let low = matches!(figure, ClaimFigure::Ratio(ratio) if ratio < TEXT_BAR && !bar);
        let changes = self.part(self.at + 1).is_some_and(|part| part.is_mark(&['→', '-', '–', '>']));
        let two = self.is_between_two_things(&figure);
        let thought = self.around().any(|word| matter::THOUGHT.contains(&word));
        let box_ = !matches!(figure, ClaimFigure::Ratio(_)) && self.may_be_a_box(&tie);
        let firm = tie.firm && !reached && !changes && !two && !thought && !box_ && (!asked_before || low);
        Some(PanelClaim {
            exact: exact && !approx,
            unusable: self.unusable(&figure),
            fill: self.fill(),
            firm: firm
                || matches!(figure, ClaimFigure::Distances(_)) && !asked_before && !changes && !reached,
            about: tie.about,
            figure,
            said: String::new(),
        })
    }

    fn fill(&self) -> ClaimFill {
        if self.clause().any(|word| matter::FILL.contains(&word)) {
            ClaimFill::Named
        } else if self.clause().any(|word| matter::AROUND.contains(&word)) {
            ClaimFill::OfButton
        } else {
            ClaimFill::No
        }
    }

    /// `button 44px` is the height of a box as often as not, and a class may be of anything.
    fn may_be_a_box(&self, tie: &Tie) -> bool {
        let typed = self.around().any(|word| matter::TYPE.contains(&word));
        let of_text = |thing: &String| {
            let tag = thing.split(['.', '#']).next().unwrap_or_default();
            matches!(
                tag,
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p" | "span" | "small" | "em" | "strong" | "body"
            ) || matter::THINGS.contains(&tag) && !matter::MANY.contains(&tag)
        };
        !typed && !tie.about.iter().all(of_text)
    }

    /// `raised from 2.1:1 to 5.2:1`: this is the second.
    fn after_from(&self) -> bool {
        let to = self.at.checked_sub(1).and_then(|index| self.word(index));
        matches!(to, Some("to" | "auf")) && self.before().any(|word| matches!(word, "from" | "von"))
    }

    /// A ratio of two things on the page is one of sizes as often as not: `H1 4:1 to body`.
    fn is_between_two_things(&self, figure: &ClaimFigure) -> bool {
        let contrast =
            self.clause().any(|word| has(words::CONTRAST, word)) || has(words::CONTRAST, self.dimension);
        let of_size = has(&["type", "typo", "hierarch", "scale", "rhythm", "spac", "layout"], self.dimension);
        let mut things: Vec<&str> = self.around().filter(|word| is_hard_thing(word)).collect();
        things.dedup();
        matches!(figure, ClaimFigure::Ratio(_)) && !contrast && (of_size || things.len() > 1)
    }

    /// Why the figure cannot be held against the measurement.
    fn unusable(&self, figure: &ClaimFigure) -> Option<&'static str> {
        let earlier = self.parts.get(..self.at).unwrap_or_default().iter().filter_map(Part::word);
        let ours = self.clause().any(|word| matter::OUR_WINDOW.contains(&word));
        let narrow = |word: &str| has(matter::WINDOWS, word);
        let whole = self.parts.iter().filter_map(Part::word);
        if !ours && (whole.clone().any(narrow) || self.names_a_width()) {
            return Some(OTHER_WINDOW);
        }
        let stated = |word: &str| matter::STATES.contains(&word);
        let ratio = matches!(figure, ClaimFigure::Ratio(_));
        // `focus` and `active` speak of outlines too, which is the better reason.
        let not_text = |word: &str| has(matter::NOT_TEXT, word) || matter::NOT_TEXT_WORDS.contains(&word);
        if ratio && self.around().any(not_text) {
            return Some(NOT_TEXT);
        }
        (earlier.chain(self.clause()).any(stated)).then_some(OTHER_STATE)
    }

    /// Whether the sentence speaks of a width: `at 360px`, `on 768px screens`.
    fn names_a_width(&self) -> bool {
        self.parts.iter().enumerate().any(|(index, part)| {
            let Part::Figure { figure: ClaimFigure::Size(size), .. } = part else { return false };
            let at = index.checked_sub(1).and_then(|index| self.word(index));
            let of = self.word(index + 1);
            *size >= NARROWEST
                && (at.is_some_and(|word| matter::AT_WIDTH.contains(&word))
                    || of.is_some_and(|word| matter::OF_WIDTH.contains(&word)))
        })
    }

    /// What the figure is tied to.
    fn tie(&self) -> Tie {
        self.tie_before().or_else(|| self.tie_behind()).unwrap_or_else(|| Tie {
            about: self.around().filter(|word| is_thing(word)).map(str::to_owned).collect(),
            firm: false,
            close: false,
        })
    }

    /// `the contrast of p.lead is only 3.9:1`, `the CTA (3.9:1)`.
    fn tie_before(&self) -> Option<Tie> {
        let mut soft: Option<usize> = None;
        let mut close = true;
        let mut index = self.at;
        let thing = loop {
            let Some(before) = index.checked_sub(1) else { break None };
            index = before;
            match self.part(index)? {
                Part::Word(word) if is_hard_thing(word) => break Some(index),
                Part::Word(word) if matter::SOFT_THINGS.contains(&word.as_str()) => {
                    soft = soft.or(Some(index));
                }
                // A thing that the text is of stands right before it.
                Part::Word(word) if soft.is_some() && !has(words::CONTRAST, word) => break None,
                Part::Word(word) if words::TIES.contains(&word.as_str()) => {
                    close &= words::CLOSE_TIES.contains(&word.as_str());
                }
                // Out of brackets, and not back over what closed them.
                Part::Mark('(' | '[') => close = false,
                Part::Mark(':' | '=' | '~' | '≈') => {}
                Part::Mark('-') if self.from <= index => {}
                Part::Word(_) | Part::Mark(_) | Part::Figure { .. } | Part::Number => break None,
            }
        };
        let index = thing.or(soft)?;
        let mut about = vec![self.word(index)?.to_owned()];
        let mut firm = self.is_the_thing(index);
        // `H1 and H2 are 48px`.
        if let Some(joint) = index.checked_sub(1)
            && (self.part(joint).is_some_and(|part| part.is_mark(&['/', '&', ',', '+']))
                || matches!(self.word(joint), Some("and" | "or" | "und")))
            && let Some(other) =
                joint.checked_sub(1).and_then(|other| self.word(other)).filter(|word| is_thing(word))
        {
            about.push(other.to_owned());
            firm = false;
        }
        Some(Tie { about, firm, close: close && firm })
    }

    /// Whether the thing is what is meant, and not the place of something else: `the badge on the CTA`.
    fn is_the_thing(&self, index: usize) -> bool {
        let mut place = index;
        while let Some(before) = place.checked_sub(1)
            && matches!(
                self.word(before),
                Some(
                    "the"
                        | "a"
                        | "an"
                        | "its"
                        | "main"
                        | "primary"
                        | "hero"
                        | "der"
                        | "die"
                        | "das"
                        | "dem"
                        | "des"
                        | "den"
                )
            )
        {
            place = before;
        }
        let Some(before) = place.checked_sub(1) else { return true };
        let Some(word) = self.word(before) else { return true };
        if matter::WHICH.contains(&word) {
            return false;
        }
        if !words::PARTS_OF.contains(&word) {
            // There are many buttons and labels, and a word before one says which.
            return !self.word(index).is_some_and(|thing| matter::MANY.contains(&thing))
                || words::TIES.contains(&word)
                || words::TRAITS.contains(&word);
        }
        before.checked_sub(1).and_then(|index| self.part(index)).is_none_or(|part| match part {
            Part::Word(word) => words::TRAITS.contains(&word.as_str()),
            Part::Mark(_) | Part::Figure { .. } => true,
            Part::Number => false,
        })
    }

    /// `3.9:1 on the CTA`, `64px H1`.
    fn tie_behind(&self) -> Option<Tie> {
        let mut soft = None;
        let mut index = self.at;
        let thing = loop {
            index += 1;
            match self.part(index).filter(|_| index < self.to) {
                Some(Part::Word(word)) if is_hard_thing(word) => break Some(index),
                Some(Part::Word(word)) if matter::SOFT_THINGS.contains(&word.as_str()) => {
                    soft = Some(index);
                    if !matches!(self.word(index + 1), Some("of" | "on" | "in" | "von")) {
                        break None;
                    }
                }
                Some(Part::Word(word))
                    if matches!(
                        word.as_str(),
                        "on" | "in" | "for" | "of" | "at" | "the" | "a" | "as" | "fill" | "its"
                    ) || matches!(
                        word.as_str(),
                        "ratio" | "für" | "im" | "beim" | "am" | "der" | "die" | "das"
                    ) || has(words::CONTRAST, word) => {}
                Some(Part::Word(_) | Part::Mark(_) | Part::Figure { .. } | Part::Number) | None => {
                    break None;
                }
            }
        };
        let index = thing.or(soft)?;
        let alone = match self.part(index + 1) {
            Some(Part::Word(word)) => index + 1 >= self.to || words::GOES_ON.contains(&word.as_str()),
            Some(Part::Mark(mark)) => !matches!(mark, '/' | '&' | '-'),
            Some(Part::Figure { .. } | Part::Number) => false,
            None => true,
        };
        Some(Tie { about: vec![self.word(index)?.to_owned()], firm: alone, close: false })
    }
}

fn is_done(word: &str) -> bool {
    words::DONE.contains(&word)
}

fn is_past(word: &str) -> bool {
    matches!(word, "was" | "were" | "previously" | "earlier" | "war" | "vorher")
}

/// An element by its name, or a selector.
fn is_hard_thing(word: &str) -> bool {
    matter::THINGS.contains(&word) || word.contains(['.', '#']) && !matches!(word, "e.g" | "i.e" | "z.b")
}

fn is_thing(word: &str) -> bool {
    is_hard_thing(word) || matter::SOFT_THINGS.contains(&word)
}
