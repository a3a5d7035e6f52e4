//! The cross-check: what was measured on a draft, set beside what the panel says of it.
//!
//! A score within one tenth of the scale of what was measured is consistent. A panelist's own score may lie lower
//! without being underrated, because there is more to a page than can be measured; a dimension of the same name may
//! not. What was not decided counts for the panelist.

use super::alias::span_of;
use super::claim::{ClaimFigure, ClaimFill, ClaimReader, PanelClaim};
use super::naming::{Named, named};
use super::{MustFix, Review, RoundBoard};
use crate::event::RunStarted;
use crate::evidence::{
    ClaimVerdict, Evidence, EvidenceKind, EvidenceMode, Failure, Measurement, PARTIAL, Span, TextMeasure,
};
use crate::finding::FindingId;
use crate::loss::LossKind;
use crate::role::Role;
use crate::score::{EPSILON, Score};
use crate::seat::PlayedBy;
use crate::unit::{ContrastRatio, Round};

/// How far a score may be off, on a scale of 10.
const TOLERANCE: f64 = 1.0;

/// How far a contrast ratio may be off.
const RATIO_TOLERANCE: f64 = 0.1;

/// How far one may be off that is not given to the tenth.
const ROUGH_RATIO_TOLERANCE: f64 = 0.5;

/// How far a size or a distance may be off, in pixels.
const PIXEL_TOLERANCE: f64 = 0.6;

/// How far a size may be off that is only about so large, as a share of it.
const ROUGH_SHARE: f64 = 0.1;

/// The size of the root element's type where a page says nothing else.
const USUAL_ROOT: f64 = 16.0;

/// What the fill of an action needs against what is around it: WCAG 1.4.11.
const FILL_BOUND: &str = "3:1";

const NOTHING_NAMED: &str = "nothing on the page says what this is about";
const NOT_CERTAIN: &str = "it is not certain what on the page this is about";

/// How many figures of one panelist are checked in a round.
const MOST_CLAIMS: usize = 8;

/// How many dimensions of one panelist are held against what was measured in a round.
const MOST_DIMENSIONS: usize = 24;

/// How many measured failures are put down in a round.
const MOST_FAILURES: usize = 24;

/// What is to be said of a round.
pub(super) fn cross_check(
    board: &RoundBoard,
    result: &Result<Measurement, String>,
    run: &RunStarted,
    reader: ClaimReader,
) -> Vec<Evidence> {
    let measurement = match result {
        Ok(measurement) => measurement,
        Err(why) => return vec![gap(board.round, why.clone())],
    };
    let mut evidence = Vec::new();
    if let Some(why) = &measurement.partial {
        evidence.push(gap(board.round, why.clone()));
    }
    let checker = Checker { round: board.round, measurement, unit: run.scale.0 / 10.0, claims: reader.0 };
    // What jury measured itself is no claim of anybody.
    for review in board.reviews.iter().filter(|review| run.player(review.role) == PlayedBy::Agent) {
        checker.scores(review, &mut evidence);
        checker.figures(review, &mut evidence);
    }
    for failure in measurement.failures.iter().take(MOST_FAILURES) {
        evidence.push(checker.failure(failure, board));
    }
    evidence
}

/// What a panel that does nothing but measure says is what was measured. What it saw of the page it says in its notes.
pub(super) fn own_words(board: &RoundBoard) -> Vec<Evidence> {
    let partial = board.reviews.iter().find(|review| review.notes.trim_start().starts_with(PARTIAL));
    let partial = partial.map(|review| gap(board.round, review.notes.trim().to_owned()));
    let scored = board.reviews.iter().filter_map(|review| review.score.map(|score| (review.role, score)));
    let scored = scored.map(|(role, score)| Evidence {
        role: Some(role),
        measured: score.to_string(),
        value: Some(score.0),
        claim: Some(score.to_string()),
        standing: ClaimVerdict::Consistent,
        ..blank(board.round, EvidenceKind::Score, "score")
    });
    partial.into_iter().chain(scored).collect()
}

/// What of the page that was handed in is missing. Where nothing is measured, only that it was replaced is said.
pub(super) fn lost(
    round: Round,
    result: &Result<Measurement, String>,
    mode: EvidenceMode,
    gap_is_said: bool,
) -> Vec<Evidence> {
    match result {
        Ok(measurement) => {
            let losses = measurement.losses.iter();
            losses
                .filter(|loss| !mode.is_off() || loss.kind == LossKind::Page)
                .map(|loss| loss.evidence(round))
                .collect()
        }
        Err(_) if mode.is_off() || gap_is_said => Vec::new(),
        Err(why) => vec![gap(round, format!("the draft was not compared with the given page: {why}"))],
    }
}

fn blank(round: Round, kind: EvidenceKind, check: &str) -> Evidence {
    Evidence {
        round,
        kind,
        role: None,
        dimension: None,
        check: check.to_owned(),
        measured: String::new(),
        value: None,
        bound: None,
        criterion: None,
        place: None,
        line: None,
        claim: None,
        finding: None,
        standing: ClaimVerdict::Unverifiable,
    }
}

pub(super) fn gap(round: Round, why: String) -> Evidence {
    Evidence { measured: why, ..blank(round, EvidenceKind::Measurement, "measurement") }
}

struct Checker<'a> {
    round: Round,
    measurement: &'a Measurement,
    /// A point of the measurement on the scale of the run.
    unit: f64,
    claims: fn(&str, Option<&str>) -> Vec<PanelClaim>,
}

impl Checker<'_> {
    fn scores(&self, review: &Review, out: &mut Vec<Evidence>) {
        let measured = self.measurement.roles.iter().find(|measured| measured.role == review.role);
        if let Some(score) = review.score {
            let item = self.score(review.role, None, score, measured.map(|measured| measured.score));
            out.push(item);
        }
        for dimension in review.dimensions.iter().take(MOST_DIMENSIONS) {
            let Some(score) = dimension.score else { continue };
            let span = measured.and_then(|measured| span_of(measured, &dimension.name));
            out.push(self.score(review.role, Some(&dimension.name), score, span));
        }
    }

    fn score(&self, role: Role, dimension: Option<&str>, score: Score, span: Option<Span>) -> Evidence {
        let item = Evidence {
            role: Some(role),
            dimension: dimension.map(str::to_owned),
            claim: Some(score.to_string()),
            ..blank(self.round, EvidenceKind::Score, "score")
        };
        if self.measurement.partial.is_some() {
            return Evidence { measured: "only a part of the page was seen".to_owned(), ..item };
        }
        let Some(Span { low, high }) = span else {
            let why = if dimension.is_some() {
                "a dimension that is not measured"
            } else {
                "nothing that could be measured"
            };
            return Evidence { measured: why.to_owned(), ..item };
        };
        let (low, high) = (low * self.unit, high * self.unit);
        let room = TOLERANCE * self.unit + EPSILON;
        let (value, standing) = if score.0 > high + room {
            (high, ClaimVerdict::Overrated)
        } else if dimension.is_some() && score.0 < low - room {
            (low, ClaimVerdict::Underrated)
        } else {
            (score.0.clamp(low, high), ClaimVerdict::Consistent)
        };
        let measured = if (high - low).abs() < 0.05 {
            Score(low).to_string()
        } else {
            format!("{} to {}", Score(low), Score(high))
        };
        let bound = Some(format!("within {:.1}", TOLERANCE * self.unit));
        Evidence { measured, value: Some(value), bound, standing, ..item }
    }

    /// Figures of must-fixes come first: what is asked for is to rest on them.
    fn figures(&self, review: &Review, out: &mut Vec<Evidence>) {
        let asked = review.must_fix.iter().map(|MustFix { finding, text }| (None, Some(finding), text));
        let notes = review.dimensions.iter().map(|dimension| (Some(&dimension.name), None, &dimension.note));
        let texts = asked.chain(notes).chain([(None, None, &review.notes)]);
        let found = texts.flat_map(|(dimension, finding, text)| {
            let dimension = dimension.map(String::as_str);
            (self.claims)(text, dimension).into_iter().map(move |claim| (dimension, finding, claim))
        });
        let checked = found
            .filter_map(|(dimension, finding, claim)| self.figure(review.role, dimension, finding, &claim));
        out.extend(checked.take(MOST_CLAIMS));
    }

    /// None for a row of numbers that are nothing.
    fn figure(
        &self,
        role: Role,
        dimension: Option<&str>,
        finding: Option<&FindingId>,
        claim: &PanelClaim,
    ) -> Option<Evidence> {
        let check = match claim.figure {
            ClaimFigure::Ratio(_) => "contrast ratio",
            ClaimFigure::Size(_) | ClaimFigure::Roots(_) => "type size",
            ClaimFigure::Distances(_) => "distances",
            ClaimFigure::Sizes(_) => "type sizes",
            ClaimFigure::Several(_) => return None,
        };
        let item = Evidence {
            role: Some(role),
            dimension: dimension.map(str::to_owned),
            finding: finding.cloned(),
            claim: Some(claim.said.clone()),
            ..blank(self.round, EvidenceKind::Claim, check)
        };
        let why_not = self.measurement.partial.as_deref().or(claim.unusable);
        if let Some(why) = why_not {
            return Some(Evidence { measured: why.to_owned(), ..item });
        }
        let root = self.measurement.root.unwrap_or(USUAL_ROOT);
        match &claim.figure {
            ClaimFigure::Ratio(ratio) => Some(self.ratio(*ratio, claim, item)),
            ClaimFigure::Size(size) => Some(self.size(*size, claim, &item)),
            ClaimFigure::Roots(size) => Some(self.size(size * root, claim, &item)),
            ClaimFigure::Distances(steps) => Some(self.distances(steps, claim, item)),
            ClaimFigure::Sizes(sizes) => Some(self.sizes(sizes, item)),
            ClaimFigure::Several(_) => None,
        }
    }

    fn ratio(&self, claimed: f64, claim: &PanelClaim, item: Evidence) -> Evidence {
        let unknown = |why: &str| Evidence { measured: why.to_owned(), ..item.clone() };
        let room = if claim.exact { RATIO_TOLERANCE } else { ROUGH_RATIO_TOLERANCE } + EPSILON;
        let Named { shown, alike, certain, any } = named(&self.measurement.texts, &claim.about);
        let fill = self.measurement.action_fill.filter(|_| shown.iter().any(|text| text.is_action));
        let fill = fill.filter(|fill| (fill - claimed).abs() <= room);
        let of_fill = |fill: f64| {
            let action = shown.iter().copied().find(|text| text.is_action);
            at(action, fill, Some(FILL_BOUND.to_owned()), ClaimVerdict::Consistent, item.clone())
        };
        if let Some(fill) = fill.filter(|_| claim.fill == ClaimFill::Named) {
            return of_fill(fill);
        }
        let off = |text: &&TextMeasure| text.ratio.map_or(f64::INFINITY, |ratio| (ratio - claimed).abs());
        let nearest = |texts: &[&TextMeasure]| -> Option<(TextMeasure, f64)> {
            let near = texts.iter().copied().min_by(|one, other| off(one).total_cmp(&off(other)))?;
            Some((near.clone(), near.ratio?))
        };
        let bound = |text: &TextMeasure| Some(format!("{}:1", text.required));
        if let Some((text, ratio)) = nearest(&alike).filter(|(_, ratio)| (ratio - claimed).abs() <= room) {
            return at(Some(&text), ratio, bound(&text), ClaimVerdict::Consistent, item);
        }
        if let Some(fill) = fill {
            return of_fill(fill);
        }
        if alike.is_empty() {
            return unknown(NOTHING_NAMED);
        }
        if alike.iter().any(|text| text.ratio.is_none()) {
            return unknown("the contrast of some of this text could not be decided");
        }
        let button = shown.iter().any(|text| text.is_action || text.tag == "button");
        let fill_meant = match claim.fill {
            ClaimFill::No => false,
            ClaimFill::OfButton => button,
            ClaimFill::Named => true,
        };
        if !claim.firm || !certain || fill_meant {
            return unknown(if claim.about.is_empty() { NOTHING_NAMED } else { NOT_CERTAIN });
        }
        let lowest = alike.iter().filter_map(|text| text.ratio).fold(f64::INFINITY, f64::min);
        if any && (claimed >= lowest || self.measurement.cut) {
            return unknown(NOTHING_NAMED);
        }
        match nearest(&shown) {
            Some((text, ratio)) => at(Some(&text), ratio, bound(&text), ClaimVerdict::Contradicted, item),
            None => unknown(NOTHING_NAMED),
        }
    }

    fn size(&self, claimed: f64, claim: &PanelClaim, item: &Evidence) -> Evidence {
        let unknown = |why: &str| Evidence { measured: why.to_owned(), ..item.clone() };
        let room = if claim.exact { PIXEL_TOLERANCE } else { PIXEL_TOLERANCE.max(claimed * ROUGH_SHARE) };
        if claim.about.is_empty() {
            return unknown(NOTHING_NAMED);
        }
        let Named { shown, alike, certain, any } = named(&self.measurement.texts, &claim.about);
        let off = |text: &&TextMeasure| (text.size - claimed).abs();
        let nearest = |texts: &[&TextMeasure]| -> Option<TextMeasure> {
            texts.iter().copied().min_by(|one, other| off(one).total_cmp(&off(other))).cloned()
        };
        let found = |text: TextMeasure, standing: ClaimVerdict| Evidence {
            measured: format!("{} px", tenths(text.size)),
            value: Some(text.size),
            bound: None,
            place: Some(text.selector),
            line: text.line,
            standing,
            ..item.clone()
        };
        if let Some(text) = nearest(&alike).filter(|text| (text.size - claimed).abs() <= room) {
            return found(text, ClaimVerdict::Consistent);
        }
        match nearest(&shown) {
            None => unknown(NOTHING_NAMED),
            Some(_) if !claim.firm || !certain || any => unknown(NOT_CERTAIN),
            Some(text) => found(text, ClaimVerdict::Contradicted),
        }
    }

    /// A row of type sizes, of which nobody says whose they are.
    fn sizes(&self, sizes: &[f64], item: Evidence) -> Evidence {
        let there = |size: &f64| {
            self.measurement.texts.iter().any(|text| (text.size - size).abs() <= PIXEL_TOLERANCE)
        };
        if !sizes.iter().all(there) {
            return Evidence { measured: NOT_CERTAIN.to_owned(), ..item };
        }
        let mut used: Vec<f64> = self.measurement.texts.iter().map(|text| text.size).collect();
        used.sort_by(f64::total_cmp);
        let mut used: Vec<String> = used.into_iter().map(tenths).collect();
        used.dedup();
        let measured = format!("{} px", used.join("/"));
        Evidence { measured, standing: ClaimVerdict::Consistent, ..item }
    }

    fn distances(&self, steps: &[f64], claim: &PanelClaim, item: Evidence) -> Evidence {
        let used = &self.measurement.distances;
        if used.is_empty() {
            return Evidence { measured: "the page has no distances".to_owned(), ..item };
        }
        let there = |step: &f64| used.iter().any(|one| (one - step).abs() <= PIXEL_TOLERANCE);
        let standing = if steps.iter().all(there) {
            ClaimVerdict::Consistent
        } else if claim.firm && claim.exact && !self.measurement.cut {
            ClaimVerdict::Contradicted
        } else {
            return Evidence { measured: NOT_CERTAIN.to_owned(), ..item };
        };
        let mut listed: Vec<f64> = used.iter().take(8).copied().collect();
        listed.sort_by(f64::total_cmp);
        let listed: Vec<String> = listed.into_iter().map(tenths).collect();
        Evidence { measured: format!("{} px", listed.join("/")), standing, ..item }
    }

    fn failure(&self, failure: &Failure, board: &RoundBoard) -> Evidence {
        let asked = board.reviews.iter().flat_map(|review| &review.must_fix).find(|must_fix| {
            let text = must_fix.text.to_lowercase();
            failure.words.iter().any(|word| mentions(&text, word))
        });
        Evidence {
            role: Some(failure.role),
            dimension: Some(failure.dimension.clone()),
            measured: failure.measured.clone(),
            value: failure.value,
            bound: failure.bound.clone(),
            criterion: Some(failure.criterion.clone()),
            place: failure.place.clone(),
            line: failure.line,
            claim: asked.map(|must_fix| must_fix.text.clone()),
            finding: asked.map(|must_fix| must_fix.finding.clone()),
            standing: if asked.is_some() { ClaimVerdict::Consistent } else { ClaimVerdict::Overrated },
            ..blank(self.round, EvidenceKind::Failure, &failure.check)
        }
    }
}

/// A ratio at a place. Whoever is not text has a bound of its own.
fn at(
    text: Option<&TextMeasure>,
    ratio: f64,
    bound: Option<String>,
    standing: ClaimVerdict,
    item: Evidence,
) -> Evidence {
    let ratio = ContrastRatio(ratio);
    Evidence {
        measured: ratio.to_string(),
        value: Some(ratio.cut()),
        bound,
        place: text.map(|text| text.selector.clone()),
        line: text.and_then(|text| text.line),
        standing,
        ..item
    }
}

/// How a word may end and still be the same: `labels`, `labelled`, `clipped`.
const ENDINGS: &[&str] = &["", "s", "es", "d", "ed", "ing", "led", "ling", "ped", "ping", "ally"];

/// Whether a text has this word or phrase, and not only its letters: `alt` is not in `although`.
fn mentions(text: &str, word: &str) -> bool {
    let starts_inside = word.starts_with(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let rest = text.get(at + word.len()..).unwrap_or_default();
        let ending = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        !(starts_inside && before.is_some_and(char::is_alphanumeric)) && ENDINGS.contains(&ending)
    })
}

fn tenths(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_word_is_a_word_and_not_its_letters() {
        for (text, word) in [
            ("give the image an alt text", "alt"),
            ("alt=\"\" on the logo", "alt"),
            ("the fields are not labelled", "label"),
            ("text is clipped at 200 %", "clip"),
            ("raise it to 4.5:1.", ":1"),
            ("the icon has no name", "no name"),
            ("lists are semantically wrong", "list"),
            ("use aria-label", "aria"),
        ] {
            assert!(mentions(text, word), "{word} in {text}");
        }
        for (text, word) in [
            ("although it is fine", "alt"),
            ("an acceptable result", "table"),
            ("a stylistic choice", "list"),
            ("slang in the lead", "lang"),
            ("16:10 is odd", ":1"),
            ("the subtitle is long", "title"),
            ("", "alt"),
        ] {
            assert!(!mentions(text, word), "{word} in {text}");
        }
    }
}
