//! A sitting: rounds of presenting, reviewing and repairing, until the page ships or nothing more helps.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use jury_core::score::{Composite, Threshold};
use jury_text::brand::Brand;

use crate::designer::{Ambition, Question, Repair, design_defects, improve, questions};
use crate::finding::counted;
use crate::page::{Page, is_beside};
use crate::score::{Examination, Review, Unconfirmed, examine, mean};
use crate::subject::Subject;
use crate::transcript::{Detail, Scale, Transcript};
use crate::{HouseError, MOST_BESIDE_BYTES, Request};

/// What no measurement can tell, said in every report.
pub const NOT_JUDGED: &str =
    "Not judged by the house panel: beauty, voice, fit to the brief, whether a text alternative is true.";

/// Two composites closer than this are the same.
const EPSILON: f64 = 1e-9;

/// Reviews and repairs the page of a request and writes the transcript of it.
pub(crate) fn sit(request: &Request, out: &mut dyn Write) -> Result<(), HouseError> {
    check(request)?;
    let brand = Brand::of(request.design.as_deref(), |name| request.beside.get(name), &request.page);
    let subject = Subject { brand: brand.as_ref(), beside: &request.beside };
    // Measured before anything is written: a page that cannot be measured has no transcript.
    let mut page = Page::measure(request.page.clone(), subject)?;
    let mut examination = examine(&page);
    let weights = weights(request);
    let mut transcript = Transcript { out, scale: Scale(request.scale) };
    transcript.open(request.max_rounds, request.threshold)?;
    let mut notes = opening_notes(&page, &examination, brand.as_ref());
    let mut unconfirmed = Unconfirmed::new();
    let mut done: Vec<Repair> = Vec::new();
    let mut first_composite = None;
    for round in 1..=request.max_rounds {
        let detail = match round {
            1 => Detail::Full,
            2 => Detail::Brief,
            _ => Detail::Terse,
        };
        transcript.open_round(round)?;
        transcript.designer(&notes, &page.html)?;
        let verdict = review(&mut transcript, &examination, &unconfirmed, &weights, detail)?;
        let first = *first_composite.get_or_insert(verdict.composite);
        let ships = verdict.composite + EPSILON >= request.threshold
            && verdict.must_fix == 0
            && verdict.scored
            && !examination.is_partial()
            // Not with a note to oneself in it: the last look at an artifact would refuse it.
            && crate::lint_among(&page.html, &|address| is_beside(&request.beside, address)).is_empty();
        let next = (!ships && round < request.max_rounds).then(|| {
            let last = round + 1 == request.max_rounds;
            let ambition = if round == 1 && !last { Ambition::MustFix } else { Ambition::Everything };
            improve(&page, &examination, ambition).or_else(|| {
                (ambition == Ambition::MustFix)
                    .then(|| improve(&page, &examination, Ambition::Everything))
                    .flatten()
            })
        });
        let improved = next.flatten();
        let reason = reason(request, &verdict, &examination, ships, round, improved.is_some());
        transcript.close_round(round, verdict.composite, verdict.must_fix, ships, &reason)?;
        if ships {
            let summary = summary(&done, first, verdict.composite);
            transcript.ship(round, verdict.composite, &page.html, &summary)?;
            break;
        }
        let Some(improved) = improved else { break };
        for repair in improved.repairs().filter(|repair| repair.invents_words) {
            examination.doubt(&improved.examination, repair.check, &mut unconfirmed);
        }
        let repairs: Vec<Repair> = improved.repairs().cloned().collect();
        notes = repair_notes(&repairs);
        done.extend(repairs);
        page = improved.page;
        examination = improved.examination;
        notes.push_str(&asked(&questions(&page, &examination)));
    }
    transcript.close()?;
    Ok(())
}

fn check(request: &Request) -> Result<(), HouseError> {
    let problem = if request.max_rounds == 0 {
        "maxRounds is 0"
    } else if !(request.scale.is_finite() && request.scale > 0.0) {
        "scale is not a positive number"
    } else if !(request.threshold.is_finite() && (0.0..=request.scale).contains(&request.threshold)) {
        "threshold is not on the scale"
    } else if request.weights.values().any(|weight| !weight.is_finite() || *weight < 0.0) {
        "a weight is not a number of 0 or more"
    } else if request.beside.bytes() > MOST_BESIDE_BYTES {
        "there is too much beside the page"
    } else {
        return Ok(());
    };
    Err(HouseError::Request { reason: problem.to_owned() })
}

/// The cast with its weights; the usual one when none is given.
fn weights(request: &Request) -> BTreeMap<String, f64> {
    if request.weights.is_empty() {
        return [("critic", 0.4), ("brand", 0.2), ("a11y", 0.2), ("copy", 0.2)]
            .into_iter()
            .map(|(role, weight)| (role.to_owned(), weight))
            .collect();
    }
    request.weights.clone()
}

/// What a round came to.
struct Verdict {
    composite: f64,
    must_fix: usize,
    /// Whether at least half of the weight was scored.
    scored: bool,
}

fn review(
    transcript: &mut Transcript<'_>,
    examination: &Examination,
    unconfirmed: &Unconfirmed,
    weights: &BTreeMap<String, f64>,
    detail: Detail,
) -> Result<Verdict, HouseError> {
    let reviews = examination.reviews(unconfirmed);
    let mut must_fix = 0;
    let mut scores: Vec<(f64, f64)> = Vec::new();
    let cast = |review: &&Review| weights.contains_key(review.panelist.role());
    for review in reviews.iter().filter(cast) {
        transcript.review(review, detail)?;
        must_fix += review.must_fix.len();
        let weight = weights.get(review.panelist.role()).copied().unwrap_or_default();
        if let Some(score) = review.score {
            scores.push((transcript.scale.of(score), weight));
        }
    }
    let known =
        |role: &str| role == "designer" || reviews.iter().any(|review| review.panelist.role() == role);
    for role in weights.keys().filter(|role| !known(role)) {
        transcript.unmeasured(role)?;
    }
    let scored: f64 = scores.iter().map(|(_, weight)| weight).sum();
    let all: f64 = weights.values().sum();
    Ok(Verdict {
        composite: mean(scores.into_iter()).unwrap_or(0.0),
        must_fix,
        scored: scored * 2.0 >= all && scored > 0.0,
    })
}

fn opening_notes(page: &Page<'_>, examination: &Examination, brand: Option<&Brand>) -> String {
    let mut notes = format!(
        "The page as given: {}, {}, {}, measured at {}x{} without scripts or network. {}. ",
        counted(page.html.len(), "byte"),
        counted(page.snapshot.nodes.len(), "element"),
        counted(page.snapshot.page.visible_characters, "visible character"),
        page.snapshot.viewport.width,
        page.snapshot.viewport.height,
        counted(examination.findings().count(), "open finding"),
    );
    if let Some(brand) = brand {
        notes.push_str(&brand.sources());
        notes.push(' ');
    }
    for defect in design_defects(page) {
        let _ = write!(notes, "{defect}. ");
    }
    notes.push_str(NOT_JUDGED);
    notes
}

/// Repairs of one check told one by one; what is beyond is told as a number.
const TOLD_OF_A_CHECK: usize = 3;

fn repair_notes(repairs: &[Repair]) -> String {
    let mut by_check: Vec<(&str, Vec<&Repair>)> = Vec::new();
    for repair in repairs {
        match by_check.iter_mut().find(|(check, _)| *check == repair.check) {
            Some((_, known)) => known.push(repair),
            None => by_check.push((repair.check, vec![repair])),
        }
    }
    let mut told = Vec::new();
    for (check, repairs) in &by_check {
        for repair in repairs.iter().take(TOLD_OF_A_CHECK) {
            let confirm = if repair.invents_words { " (to be confirmed)" } else { "" };
            told.push(format!("{}{confirm}", repair.reason));
        }
        if repairs.len() > TOLD_OF_A_CHECK {
            told.push(format!("{} more for {check}", repairs.len() - TOLD_OF_A_CHECK));
        }
    }
    format!("{}: {}.", counted(repairs.len(), "mechanical repair"), told.join("; "))
}

/// What the designer leaves to a person, as the end of its notes.
fn asked(questions: &[Question]) -> String {
    if questions.is_empty() {
        return String::new();
    }
    let told: Vec<&str> =
        questions.iter().take(TOLD_OF_A_CHECK).map(|question| question.asks.as_str()).collect();
    let more = questions.len() - told.len();
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    format!(" For a person to say: {}{more}", told.join(" "))
}

fn reason(
    request: &Request,
    verdict: &Verdict,
    examination: &Examination,
    ships: bool,
    round: u32,
    goes_on: bool,
) -> String {
    let state = format!(
        "composite {} against {}, {} must-fix open",
        Composite(verdict.composite),
        Threshold(request.threshold),
        verdict.must_fix
    );
    if ships {
        return format!("{state}: the bar is met");
    }
    let mut reason = state;
    if examination.is_partial() {
        reason.push_str("; measured in part only, which cannot ship");
    }
    if verdict.must_fix == 0
        && verdict.scored
        && !examination.is_partial()
        && verdict.composite + EPSILON >= request.threshold
    {
        reason.push_str("; the last look would refuse it");
    }
    if !verdict.scored {
        reason.push_str("; less than half of the weight was scored");
    }
    if round == request.max_rounds {
        reason.push_str("; no round left");
    } else if !goes_on {
        reason.push_str("; nothing more can be repaired mechanically");
    }
    reason
}

fn summary(done: &[Repair], first: f64, last: f64) -> String {
    if done.is_empty() {
        return format!("The page met the bar as given, composite {}. {NOT_JUDGED}", Composite(last));
    }
    let mut by_check: BTreeMap<&str, usize> = BTreeMap::new();
    for repair in done {
        *by_check.entry(repair.check).or_default() += 1;
    }
    let listed: Vec<String> = by_check.iter().map(|(check, repairs)| format!("{check} {repairs}")).collect();
    let unconfirmed = done.iter().filter(|repair| repair.invents_words).count();
    let mut summary = format!(
        "Composite {} to {} by {} ({}).",
        Composite(first),
        Composite(last),
        counted(done.len(), "mechanical repair"),
        listed.join(", ")
    );
    if unconfirmed > 0 {
        let _ = write!(summary, " {unconfirmed} of them put words on the page that a person should confirm.");
    }
    summary.push(' ');
    summary.push_str(NOT_JUDGED);
    summary
}
