//! Panels of judges: several seats, one judgement. A seat is one judge and one repeat; one that stays empty is counted.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::JudgeAnswer;
use super::bead::Bead;
use super::judgement::{
    Confidence, Dimensions, JudgeCost, JudgeDimension, JudgeIssue, JudgeStamp, JudgeVerdict, Judgement,
    SCHEMA_VERSION,
};
use super::number::{length, plain, rounded};
use crate::critic::Choice;
use crate::finding::FindingId;

/// Up to this range of scores a unanimous panel is sure.
pub const CLOSE_SCORE_RANGE: f64 = 0.15;
/// Beyond this range of scores no panel is sure of anything.
pub const WIDE_SCORE_RANGE: f64 = 0.35;

/// One place on the panel, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeSeat {
    /// The agent and model that sit there.
    pub judge: JudgeStamp,
    /// Which repeat of this judge it is, from 1.
    pub repeat: u32,
    /// What the judge answered, or why there is nothing.
    pub answer: Result<JudgeAnswer, String>,
}

/// A seat as the record keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeatRecord {
    /// The name of the judge.
    pub judge: String,
    /// Which repeat, from 1.
    pub repeat: u32,
    /// The verdict of this seat; none when it stayed empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verdict: Option<JudgeVerdict>,
    /// The marks of this seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dimensions: Option<Dimensions>,
    /// Why it stayed empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub absent: Option<String>,
    /// Tokens and money of the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cost: Option<JudgeCost>,
}

/// How far apart the seats are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = JudgeSpread)]
pub struct Spread {
    /// Between the lowest and the highest score.
    #[serde(serialize_with = "plain")]
    pub score: f64,
    /// Between the lowest and the highest mark of each dimension.
    pub dimensions: Dimensions,
    /// The part of all seats that has the commonest verdict.
    #[serde(serialize_with = "plain")]
    pub agreement: f64,
}

/// The panel of a judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PanelRecord {
    /// Every seat, also those without an answer.
    pub seats: Vec<SeatRecord>,
    /// How far apart they are.
    pub spread: Spread,
    /// The verdict of more than half of all seats; none when there is no such verdict, and a person is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub majority: Option<JudgeVerdict>,
}

/// What a panel says.
#[derive(Debug, Clone, PartialEq)]
pub enum Conclusion {
    /// More than half of all seats have one verdict.
    Agreed(Judgement),
    /// Most seats judged, and no verdict has more than half of all: the record says `partial`, and a person decides.
    Disagreed(Judgement, Dispute),
    /// Half of the seats or more stayed empty: there is no judgement.
    Inconclusive {
        /// The seats that answered.
        answered: usize,
        /// How many seats there are.
        seats: usize,
        /// Why the others did not, each with its judge.
        reasons: Vec<String>,
    },
}

/// What a person is asked when the panel cannot agree, in the form of the inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgeDispute)]
pub struct Dispute {
    /// What it is about, however often it is asked.
    pub finding: FindingId,
    /// The question to the person.
    pub question: String,
    /// How the seats stand.
    pub issue: String,
    /// Why nobody but a person can settle it.
    pub why: String,
    /// One for each verdict that has a seat.
    pub options: Vec<Choice>,
}

/// What these seats say about a run. The order of the seats changes the order of the record and nothing else.
pub fn convene(bead: &Bead, seats: &[JudgeSeat], now: Timestamp) -> Conclusion {
    let answers: Vec<&JudgeAnswer> = seats.iter().filter_map(|seat| seat.answer.as_ref().ok()).collect();
    if answers.len() * 2 <= seats.len() {
        let reasons = seats.iter().filter_map(|seat| {
            seat.answer.as_ref().err().map(|reason| format!("{}: {reason}", seat.judge.model))
        });
        return Conclusion::Inconclusive {
            answered: answers.len(),
            seats: seats.len(),
            reasons: reasons.collect(),
        };
    }
    let mut votes: BTreeMap<JudgeVerdict, usize> = BTreeMap::new();
    for answer in &answers {
        *votes.entry(answer.dimensions.verdict()).or_default() += 1;
    }
    let majority = votes.iter().find(|(_, count)| **count * 2 > seats.len()).map(|(verdict, _)| *verdict);
    let most = votes.values().copied().max().unwrap_or(0);
    let spread = Spread {
        score: range(answers.iter().map(|answer| answer.dimensions.score())),
        dimensions: Dimensions::from_fn(|dimension| {
            range(answers.iter().map(|answer| answer.dimensions.of(dimension)))
        }),
        agreement: rounded(length(most) / length(seats.len()), 4),
    };
    let dimensions = Dimensions::from_fn(|dimension| {
        median(answers.iter().map(|answer| answer.dimensions.of(dimension)).collect())
    });
    let record = PanelRecord { seats: seats.iter().map(kept).collect(), spread, majority };
    let judgement = Judgement {
        schema_version: SCHEMA_VERSION.to_owned(),
        bead: bead.clone(),
        verdict: majority.unwrap_or(JudgeVerdict::Partial),
        score: dimensions.score(),
        issues: issues(&answers),
        summary: summary(&answers, &dimensions),
        confidence: confidence(&answers, seats.len(), majority, &spread),
        dimensions,
        judged_at: Some(now),
        judge: Some(stamp(seats)),
        warnings: seats.iter().flat_map(warnings).collect(),
        panel: (seats.len() > 1).then_some(record),
    };
    if majority.is_some() {
        Conclusion::Agreed(judgement)
    } else {
        let dispute = dispute(bead, seats, &votes, &spread);
        Conclusion::Disagreed(judgement, dispute)
    }
}

/// One seat has no spread: its own word counts. Of several, only the spread does.
fn confidence(
    answers: &[&JudgeAnswer],
    seats: usize,
    majority: Option<JudgeVerdict>,
    spread: &Spread,
) -> Confidence {
    if let ([answer], 1) = (answers, seats) {
        return answer.confidence;
    }
    let unanimous = majority.is_some() && spread.agreement >= 1.0;
    if unanimous && spread.score <= CLOSE_SCORE_RANGE {
        Confidence::High
    } else if majority.is_some() && spread.score <= WIDE_SCORE_RANGE {
        Confidence::Medium
    } else {
        Confidence::Low
    }
}

fn kept(seat: &JudgeSeat) -> SeatRecord {
    let dimensions = seat.answer.as_ref().ok().map(|answer| answer.dimensions);
    SeatRecord {
        judge: seat.judge.model.clone(),
        repeat: seat.repeat,
        verdict: dimensions.map(|dimensions| dimensions.verdict()),
        dimensions,
        absent: seat.answer.as_ref().err().cloned(),
        cost: None,
    }
}

/// The issues of all seats, each once: the strictest severity, and how many seats raised it. Those that most seats
/// raised come first.
fn issues(answers: &[&JudgeAnswer]) -> Vec<JudgeIssue> {
    if let [answer] = answers {
        return answer.issues.clone();
    }
    let mut merged: Vec<(FindingId, usize, JudgeIssue)> = Vec::new();
    for (seat, answer) in answers.iter().enumerate() {
        for issue in &answer.issues {
            let id = FindingId::of("judge", &issue.description);
            match merged.iter_mut().find(|(known, _, _)| *known == id) {
                None => merged.push((id, seat, JudgeIssue { seats: Some(1), ..issue.clone() })),
                Some((_, last, known)) => {
                    known.severity = known.severity.max(issue.severity);
                    known.dimension = known.dimension.or(issue.dimension);
                    if known.evidence.is_none() {
                        known.evidence.clone_from(&issue.evidence);
                    }
                    // A seat that says a thing twice is still one seat.
                    if *last != seat {
                        *last = seat;
                        known.seats = known.seats.map(|seats| seats + 1);
                    }
                }
            }
        }
    }
    merged.sort_by_key(|(_, _, issue)| std::cmp::Reverse((issue.seats, issue.severity)));
    merged.into_iter().map(|(_, _, issue)| issue).collect()
}

/// The words of the seat that is nearest to what the panel says.
fn summary(answers: &[&JudgeAnswer], panel: &Dimensions) -> String {
    let distance = |answer: &JudgeAnswer| -> f64 {
        JudgeDimension::ALL.iter().map(|d| (answer.dimensions.of(*d) - panel.of(*d)).abs()).sum()
    };
    let nearest = answers.iter().min_by(|one, two| {
        distance(one).total_cmp(&distance(two)).then_with(|| one.summary.cmp(&two.summary))
    });
    nearest.map(|answer| answer.summary.clone()).unwrap_or_default()
}

/// The judges as one name, and what they share.
fn stamp(seats: &[JudgeSeat]) -> JudgeStamp {
    let mut models: Vec<&str> = seats.iter().map(|seat| seat.judge.model.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    let shared = |part: fn(&JudgeStamp) -> &String| {
        let mut parts = seats.iter().map(|seat| part(&seat.judge));
        let first = parts.next().cloned().unwrap_or_default();
        if parts.all(|other| *other == first) { first } else { String::new() }
    };
    JudgeStamp {
        model: models.join("+"),
        prompt: shared(|stamp| &stamp.prompt),
        context: shared(|stamp| &stamp.context),
        rubric: shared(|stamp| &stamp.rubric),
        version: shared(|stamp| &stamp.version),
    }
}

fn warnings(seat: &JudgeSeat) -> Vec<String> {
    let name = format!("{} ({})", seat.judge.model, seat.repeat);
    match &seat.answer {
        Ok(answer) => answer.warnings.iter().map(|warning| format!("{name}: {warning}")).collect(),
        Err(reason) => vec![format!("{name}: did not judge: {reason}")],
    }
}

fn dispute(
    bead: &Bead,
    seats: &[JudgeSeat],
    votes: &BTreeMap<JudgeVerdict, usize>,
    spread: &Spread,
) -> Dispute {
    let empty = seats.iter().filter(|seat| seat.answer.is_err()).count();
    let mut standing: Vec<String> =
        votes.iter().map(|(verdict, count)| format!("{count} of {} say {verdict}", seats.len())).collect();
    if empty > 0 {
        standing.push(format!("{empty} did not judge"));
    }
    let options = votes.iter().map(|(verdict, count)| {
        let said = seats.iter().find_map(|seat| {
            seat.answer.as_ref().ok().filter(|answer| answer.dimensions.verdict() == *verdict)
        });
        Choice {
            label: verdict.as_str().to_owned(),
            description: said.map(|answer| answer.summary.clone()).unwrap_or_default(),
            pro: format!("{count} of {} judges say so", seats.len()),
            con: format!("{} of {} do not", seats.len() - count, seats.len()),
        }
    });
    Dispute {
        finding: FindingId::of("judge", bead.as_str()),
        question: format!("What is the verdict on {bead}?"),
        issue: format!("{}; their scores lie {} apart", standing.join(", "), rounded(spread.score, 2)),
        why: "no verdict has more than half of the seats".to_owned(),
        options: options.collect(),
    }
}

fn range(values: impl Iterator<Item = f64>) -> f64 {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high { 0.0 } else { rounded(high - low, 4) }
}

/// The middle value; of two, what lies between them.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let upper = values.get(values.len() / 2).copied().unwrap_or(0.0);
    if values.len() % 2 == 1 {
        return upper;
    }
    let lower = (values.len() / 2).checked_sub(1).and_then(|index| values.get(index)).copied();
    lower.map_or(upper, |lower| rounded(f64::midpoint(lower, upper), 6))
}
