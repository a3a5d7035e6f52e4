//! The cross-check: what was measured on a draft, set beside what the panel says of it.
//!
//! A score within one tenth of the scale of what was measured is consistent. A panelist's own score may lie lower
//! without being underrated, because there is more to a page than can be measured; a dimension of the same name may
//! not. What was not decided counts for the panelist.

use super::claim::{Claim, Figure, claims};
use super::{MustFix, Review, RoundBoard};
use crate::evidence::{
    Evidence, EvidenceKind, Failure, Measurement, RoleMeasure, Span, Standing, TextMeasure,
};
use crate::finding::FindingId;
use crate::role::Role;
use crate::score::{EPSILON, Scale, Score};
use crate::unit::Round;

/// How far a score may be off, on a scale of 10.
const TOLERANCE: f64 = 1.0;

/// How far a contrast ratio may be off.
const RATIO_TOLERANCE: f64 = 0.1;

/// How far a size or a distance may be off, in pixels.
const PIXEL_TOLERANCE: f64 = 0.6;

/// How many figures of one panelist are checked in a round.
const MOST_CLAIMS: usize = 8;

/// How many measured failures are put down in a round.
const MOST_FAILURES: usize = 24;

/// Things that have a contrast and are not text.
const NOT_TEXT: &[&str] =
    &["icon", "icons", "border", "borders", "outline", "focus", "ring", "placeholder", "graph"];

/// What is to be said of a round.
pub(super) fn cross_check(
    board: &RoundBoard,
    result: &Result<Measurement, String>,
    scale: Scale,
) -> Vec<Evidence> {
    let measurement = match result {
        Ok(measurement) => measurement,
        Err(why) => return vec![gap(board.round, why.clone())],
    };
    let mut evidence = Vec::new();
    if let Some(why) = &measurement.partial {
        evidence.push(gap(board.round, why.clone()));
    }
    let checker = Checker { round: board.round, measurement, unit: scale.0 / 10.0 };
    for review in &board.reviews {
        checker.scores(review, &mut evidence);
        checker.figures(review, &mut evidence);
    }
    for failure in measurement.failures.iter().take(MOST_FAILURES) {
        evidence.push(checker.failure(failure, board));
    }
    evidence
}

/// What a panel that does nothing but measure says is what was measured.
pub(super) fn own_words(board: &RoundBoard) -> Vec<Evidence> {
    let scored = board.reviews.iter().filter_map(|review| review.score.map(|score| (review.role, score)));
    scored
        .map(|(role, score)| Evidence {
            role: Some(role),
            measured: score.to_string(),
            value: Some(score.0),
            claim: Some(score.to_string()),
            standing: Standing::Consistent,
            ..blank(board.round, EvidenceKind::Score, "score")
        })
        .collect()
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
        standing: Standing::Unverifiable,
    }
}

fn gap(round: Round, why: String) -> Evidence {
    Evidence { measured: why, ..blank(round, EvidenceKind::Measurement, "measurement") }
}

/// Whether a word names a text.
type Names<'a> = &'a dyn Fn(&TextMeasure, &str) -> bool;

struct Checker<'a> {
    round: Round,
    measurement: &'a Measurement,
    /// A point of the measurement on the scale of the run.
    unit: f64,
}

impl Checker<'_> {
    fn scores(&self, review: &Review, out: &mut Vec<Evidence>) {
        let measured = self.measurement.roles.iter().find(|measured| measured.role == review.role);
        if let Some(score) = review.score {
            let item = self.score(review.role, None, score, measured.map(|measured| measured.score));
            out.push(item);
        }
        for dimension in &review.dimensions {
            let Some(score) = dimension.score else { continue };
            let Some(span) = measured.and_then(|measured| span_of(measured, &dimension.name)) else {
                continue;
            };
            out.push(self.score(review.role, Some(&dimension.name), score, Some(span)));
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
            return Evidence { measured: "nothing that could be measured".to_owned(), ..item };
        };
        let (low, high) = (low * self.unit, high * self.unit);
        let room = TOLERANCE * self.unit + EPSILON;
        let (value, standing) = if score.0 > high + room {
            (high, Standing::Overrated)
        } else if dimension.is_some() && score.0 < low - room {
            (low, Standing::Underrated)
        } else {
            (score.0.clamp(low, high), Standing::Consistent)
        };
        let measured =
            if (high - low).abs() < 0.05 { format!("{low:.1}") } else { format!("{low:.1} to {high:.1}") };
        let bound = Some(format!("within {:.1}", TOLERANCE * self.unit));
        Evidence { measured, value: Some(value), bound, standing, ..item }
    }

    fn figures(&self, review: &Review, out: &mut Vec<Evidence>) {
        let notes = review.dimensions.iter().map(|dimension| (Some(&dimension.name), None, &dimension.note));
        let asked = review.must_fix.iter().map(|MustFix { finding, text }| (None, Some(finding), text));
        let texts = notes.chain(asked).chain([(None, None, &review.notes)]);
        let found = texts.flat_map(|(dimension, finding, text)| {
            claims(text).into_iter().map(move |claim| (dimension, finding, claim))
        });
        let checked = found.filter_map(|(dimension, finding, claim)| {
            self.figure(review.role, dimension.map(String::as_str), finding, &claim)
        });
        out.extend(checked.take(MOST_CLAIMS));
    }

    fn figure(
        &self,
        role: Role,
        dimension: Option<&str>,
        finding: Option<&FindingId>,
        claim: &Claim,
    ) -> Option<Evidence> {
        let check = match claim.figure {
            Figure::Ratio(_) => "contrast ratio",
            Figure::Size(_) => "type size",
            Figure::Distances(_) => "distances",
        };
        let item = Evidence {
            role: Some(role),
            dimension: dimension.map(str::to_owned),
            finding: finding.cloned(),
            claim: Some(claim.said.clone()),
            ..blank(self.round, EvidenceKind::Claim, check)
        };
        if let Some(why) = &self.measurement.partial {
            return Some(Evidence { measured: why.clone(), ..item });
        }
        match &claim.figure {
            Figure::Ratio(ratio) => Some(self.ratio(*ratio, &claim.words, item)),
            Figure::Size(size) => self.size(*size, &claim.words, item),
            Figure::Distances(steps) => Some(self.distances(steps, item)),
        }
    }

    fn ratio(&self, claimed: f64, words: &[String], item: Evidence) -> Evidence {
        let unknown = |why: &str| Evidence { measured: why.to_owned(), ..item.clone() };
        if words.iter().any(|word| NOT_TEXT.contains(&word.as_str())) {
            return unknown("the contrast of what is not text was not measured");
        }
        let named = self.named(words);
        let texts = if named.is_empty() { self.measurement.texts.iter().collect() } else { named.clone() };
        let off = |text: &&TextMeasure| text.ratio.map_or(f64::INFINITY, |ratio| (ratio - claimed).abs());
        let Some(nearest) = texts.iter().copied().min_by(|one, other| off(one).total_cmp(&off(other))) else {
            return unknown("there is no text");
        };
        if let Some(ratio) =
            nearest.ratio.filter(|ratio| (ratio - claimed).abs() <= RATIO_TOLERANCE + EPSILON)
        {
            return at(nearest, ratio, Standing::Consistent, item);
        }
        let fill = self.measurement.action_fill.filter(|_| named.iter().any(|text| text.is_action));
        if let Some(fill) = fill.filter(|fill| (fill - claimed).abs() <= RATIO_TOLERANCE + EPSILON) {
            return at(nearest, fill, Standing::Consistent, item);
        }
        if texts.iter().any(|text| text.ratio.is_none()) {
            return unknown("the contrast of some of this text could not be decided");
        }
        let lowest = texts.iter().copied().min_by(|one, other| {
            one.ratio.unwrap_or(f64::INFINITY).total_cmp(&other.ratio.unwrap_or(f64::INFINITY))
        });
        match (named.is_empty(), lowest.and_then(|text| Some((text, text.ratio?)))) {
            (false, _) => at(nearest, nearest.ratio.unwrap_or_default(), Standing::Contradicted, item),
            (true, Some((text, lowest))) if claimed < lowest => {
                at(text, lowest, Standing::Contradicted, item)
            }
            (true, _) => unknown("nothing on the page says what this is about"),
        }
    }

    fn size(&self, claimed: f64, words: &[String], item: Evidence) -> Option<Evidence> {
        let named = self.named(words);
        let off = |text: &&TextMeasure| (text.size - claimed).abs();
        let nearest = named.into_iter().min_by(|one, other| off(one).total_cmp(&off(other)))?;
        let standing =
            if off(&nearest) <= PIXEL_TOLERANCE { Standing::Consistent } else { Standing::Contradicted };
        Some(Evidence {
            measured: format!("{} px", tenths(nearest.size)),
            value: Some(nearest.size),
            bound: None,
            place: Some(nearest.selector.clone()),
            line: nearest.line,
            standing,
            ..item
        })
    }

    fn distances(&self, steps: &[f64], item: Evidence) -> Evidence {
        let used = &self.measurement.distances;
        if used.is_empty() {
            return Evidence { measured: "the page has no distances".to_owned(), ..item };
        }
        let there = |step: &f64| used.iter().any(|one| (one - step).abs() <= PIXEL_TOLERANCE);
        let standing = if steps.iter().all(there) { Standing::Consistent } else { Standing::Contradicted };
        let mut listed: Vec<f64> = used.iter().take(8).copied().collect();
        listed.sort_by(f64::total_cmp);
        let listed: Vec<String> = listed.into_iter().map(tenths).collect();
        Evidence { measured: format!("{} px", listed.join("/")), standing, ..item }
    }

    /// The texts that these words name, by the best name that they give.
    fn named(&self, words: &[String]) -> Vec<&TextMeasure> {
        let texts = &self.measurement.texts;
        let by = |matches: Names<'_>| -> Vec<&TextMeasure> {
            texts.iter().filter(|text| words.iter().any(|word| matches(text, word))).collect()
        };
        let ways: [Names<'_>; 5] = [
            &|text, word| text.selector.contains(['.', '#']) && text.selector.eq_ignore_ascii_case(word),
            &|text, word| {
                word.len() > 1
                    && word.starts_with(['.', '#'])
                    && text.selector.to_lowercase().match_indices(word).any(|(at, _)| {
                        let rest = text.selector.get(at + word.len()..).unwrap_or_default();
                        rest.is_empty() || rest.starts_with('.')
                    })
            },
            &|text, word| text.is_action && matches!(word, "cta" | "ctas" | "action"),
            &|text, word| {
                matches!(
                    word,
                    "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "button" | "footer" | "nav" | "label" | "li"
                ) && text.tag == word
            },
            &|text, word| text.tag == "p" && matches!(word, "body" | "paragraph" | "paragraphs"),
        ];
        ways.iter().map(|way| by(way)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn failure(&self, failure: &Failure, board: &RoundBoard) -> Evidence {
        let asked = board.reviews.iter().flat_map(|review| &review.must_fix).find(|must_fix| {
            let text = must_fix.text.to_lowercase();
            failure.words.iter().any(|word| text.contains(word.as_str()))
        });
        Evidence {
            role: Some(failure.role),
            dimension: Some(failure.dimension.clone()),
            measured: failure.measured.clone(),
            bound: failure.bound.clone(),
            criterion: Some(failure.criterion.clone()),
            place: failure.place.clone(),
            line: failure.line,
            claim: asked.map(|must_fix| must_fix.text.clone()),
            finding: asked.map(|must_fix| must_fix.finding.clone()),
            standing: if asked.is_some() { Standing::Consistent } else { Standing::Overrated },
            ..blank(self.round, EvidenceKind::Failure, &failure.check)
        }
    }
}

fn at(text: &TextMeasure, ratio: f64, standing: Standing, item: Evidence) -> Evidence {
    let cut = (ratio * 100.0 + EPSILON).floor() / 100.0;
    Evidence {
        measured: format!("{cut:.2}:1"),
        value: Some(cut),
        bound: Some(format!("{}:1", text.required)),
        place: Some(text.selector.clone()),
        line: text.line,
        standing,
        ..item
    }
}

/// The measured dimension that a panelist's dimension speaks of.
fn span_of(measured: &RoleMeasure, name: &str) -> Option<Span> {
    let name = name.trim().to_lowercase();
    let name = match name.as_str() {
        "typography" => "type",
        "color" | "colours" | "colors" => "colour",
        "spacing" => "space",
        "completeness" => "complete",
        "clarity" => "clear",
        other => other,
    };
    measured.dimensions.iter().find(|(known, _)| known == name).map(|(_, span)| *span)
}

fn tenths(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    rounded.to_string()
}
