//! A page measured without being reviewed: what the panel of somebody else can be held against.

use std::collections::BTreeMap;

use jury_core::evidence::{Failure, Measurement, RoleMeasure, SeatDimension, SeatMeasure, Span, TextMeasure};
use jury_core::role::Role;
use jury_core::seat::MeasuredSeat;
use jury_eye::{Beside, Viewport};
use jury_text::brand::Brand;

use crate::HouseError;
use crate::checks::{distances, main_action};
use crate::criterion;
use crate::finding::{Figure, Panelist};
use crate::loss::{GivenPage, losses, losses_seen};
use crate::page::{Page, selector};
use crate::score::{Examination, Unconfirmed, examine, examine_seats};
use crate::subject::Subject;
use crate::text_run::Verdict;

/// How many kinds of text are told apart.
const MOST_TEXTS: usize = 400;

/// The name of the figure that says what a finding needs, and the words for it.
const NEEDS: &str = "needs";
const NEEDS_WORDS: &str = ", needs ";

/// How many distances are listed.
const MOST_DISTANCES: usize = 64;

/// Measures a page, and the brand it should follow.
pub fn measure(page: &str, design: Option<&str>) -> Result<Measurement, HouseError> {
    measure_beside(page, design, &Beside::nothing())
}

/// Measures a page with the files it may load.
pub fn measure_beside(page: &str, design: Option<&str>, beside: &Beside) -> Result<Measurement, HouseError> {
    measure_task(&MeasureTask { page, design, beside, given: None, figures: true, seats: false })
}

/// A draft to be measured, and what it is compared with.
#[derive(Debug, Clone, Copy)]
pub struct MeasureTask<'a> {
    /// The draft.
    pub page: &'a str,
    /// The text of DESIGN.md, if there is one.
    pub design: Option<&'a str>,
    /// The files that it may load.
    pub beside: &'a Beside,
    /// The page that was handed in, if one was.
    pub given: Option<GivenPage<'a>>,
    /// Whether it is measured, and not only compared.
    pub figures: bool,
    /// Whether the measured seats are asked.
    pub seats: bool,
}

/// Measures a draft and compares it with the page that was handed in.
pub fn measure_task(task: &MeasureTask<'_>) -> Result<Measurement, HouseError> {
    let MeasureTask { page, design, beside, given, figures, seats } = *task;
    if !figures {
        let losses = given.map(|given| losses(given, page, beside)).transpose()?.unwrap_or_default();
        let seats = if seats {
            let subject = Subject { brand: None, beside };
            seat_measures(&Page::measure(page.to_owned(), subject)?)
        } else {
            Vec::new()
        };
        return Ok(Measurement { losses, seats, ..Measurement::default() });
    }
    let brand = Brand::of(design, |name| beside.get(name), page);
    let subject = Subject { brand: brand.as_ref(), beside };
    let page = Page::measure(page.to_owned(), subject)?;
    let examination = examine(&page);
    let (texts, more_texts) = texts(&page);
    let (distances, more_distances) = common(distances(&page));
    let root = page.snapshot.nodes.iter().find(|node| node.tag == "html");
    let narrow = page.at(Viewport::PHONE).unwrap_or(&page.snapshot);
    let losses = match given {
        Some(given) => losses_seen(given, &page.html, [&page.snapshot, narrow], beside)?,
        None => Vec::new(),
    };
    let seats = if seats { seat_measures(&page) } else { Vec::new() };
    Ok(Measurement {
        losses,
        seats,
        roles: roles(&examination),
        failures: failures(&page, &examination),
        texts,
        action_fill: main_action(&page).map(|(_, fill)| fill),
        distances,
        partial: examination.remark().map(str::to_owned),
        root: root.and_then(|root| root.style.as_ref()).map(|style| f64::from(style.font_size)),
        cut: more_texts || more_distances,
    })
}

fn role_of(panelist: Panelist) -> Role {
    match panelist {
        Panelist::Critic => Role::Critic,
        Panelist::Brand => Role::Brand,
        Panelist::A11y => Role::A11y,
        Panelist::Copy => Role::Copy,
        Panelist::Perf => MeasuredSeat::Perf.role(),
        Panelist::I18n => MeasuredSeat::I18n.role(),
        Panelist::Motion => MeasuredSeat::Motion.role(),
    }
}

/// What the measured seats say.
fn seat_measures(page: &Page<'_>) -> Vec<SeatMeasure> {
    let reviews = examine_seats(page).seat_reviews();
    reviews
        .into_iter()
        .map(|review| SeatMeasure {
            role: role_of(review.panelist),
            score: review.score,
            dimensions: review
                .dimensions
                .into_iter()
                .map(|one| SeatDimension {
                    name: one.name.to_owned(),
                    score: Some(one.score),
                    note: one.note,
                })
                .collect(),
            must_fix: review.must_fix,
            notes: review.remark.unwrap_or_default(),
        })
        .collect()
}

fn roles(examination: &Examination) -> Vec<RoleMeasure> {
    let low = examination.reviews(&Unconfirmed::new());
    let high = examination.hopeful_reviews();
    low.into_iter()
        .zip(high)
        .filter_map(|(low, high)| {
            let score = Span { low: low.score?, high: high.score? };
            let dimensions = low
                .dimensions
                .iter()
                .zip(&high.dimensions)
                .map(|(low, high)| (low.name.to_owned(), Span { low: low.score, high: high.score }))
                .collect();
            Some(RoleMeasure { role: role_of(low.panelist), score, dimensions })
        })
        .collect()
}

fn failures(page: &Page<'_>, examination: &Examination) -> Vec<Failure> {
    examination
        .findings_with_checks()
        .filter_map(|(check, finding)| {
            let criterion = criterion::failed(check, finding)?;
            let bound = finding.figures.iter().find(|figure| figure.name == NEEDS);
            let value = finding.figures.iter().find(|figure| figure.name != NEEDS).map(|figure| figure.value);
            let first = finding.nodes.first();
            Some(Failure {
                check: check.id.to_owned(),
                criterion: criterion.name(),
                role: role_of(check.panelist),
                dimension: check.dimension.to_owned(),
                measured: said(&finding.what),
                value,
                bound: bound.map(with_unit).or_else(|| needed(&finding.what)),
                place: first.and_then(|id| page.node(*id)).map(selector),
                line: first.and_then(|id| page.line(*id)).map(short),
                words: criterion.words.iter().map(|word| (*word).to_owned()).collect(),
            })
        })
        .collect()
}

/// The figure with its unit, such as `4.5:1` or `24 px`.
fn with_unit(Figure { value, unit, .. }: &Figure) -> String {
    let gap = if unit.is_empty() || unit.starts_with(':') { "" } else { " " };
    format!("{value}{gap}{unit}")
}

/// A finding without its place and without what it needs, which are told beside it.
fn said(what: &str) -> String {
    let what = what.rsplit_once(" (").map_or(what, |(what, _)| what);
    match what.split_once(NEEDS_WORDS) {
        Some((measured, needs)) => match needs.split_once(": ") {
            Some((_, more)) => format!("{measured}: {more}"),
            None => measured.to_owned(),
        },
        None => what.to_owned(),
    }
}

/// What a finding needs that is no number: `a visible focus`.
fn needed(what: &str) -> Option<String> {
    let what = what.rsplit_once(" (").map_or(what, |(what, _)| what);
    what.split_once(NEEDS_WORDS).map(|(_, needs)| needs.to_owned())
}

fn short(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// Visible text, also what is hidden from screen readers, one entry for what looks the same; and whether there is more.
fn texts(page: &Page<'_>) -> (Vec<TextMeasure>, bool) {
    let action = main_action(page).map(|(id, _)| id);
    let mut texts: Vec<TextMeasure> = Vec::new();
    for run in page.texts() {
        let Some(node) = page.node(run.node) else { continue };
        let text = TextMeasure {
            tag: node.tag.clone(),
            selector: selector(node),
            ratio: (run.verdict != Verdict::Unknown && run.ratio.is_finite()).then_some(run.ratio),
            required: run.required,
            size: node.style.as_ref().map_or(0.0, |style| f64::from(style.font_size)),
            is_action: action == Some(run.node),
            line: page.line(run.node).map(short),
        };
        let same = |known: &TextMeasure| {
            known.selector == text.selector
                && known.is_action == text.is_action
                && known.ratio == text.ratio
                && known.size.to_bits() == text.size.to_bits()
        };
        if !texts.iter().any(same) {
            if texts.len() == MOST_TEXTS {
                return (texts, true);
            }
            texts.push(text);
        }
    }
    (texts, false)
}

/// Distances, the commonest first, and whether there are more.
fn common(distances: Vec<f32>) -> (Vec<f64>, bool) {
    let mut uses: BTreeMap<u32, usize> = BTreeMap::new();
    for distance in distances {
        // Quarters of a pixel, as a number that can be a key.
        *uses.entry(((distance * 4.0).round() / 4.0).to_bits()).or_default() += 1;
    }
    let mut common: Vec<(usize, u32)> = uses.into_iter().map(|(distance, uses)| (uses, distance)).collect();
    common.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    let more = common.len() > MOST_DISTANCES;
    let listed = common.into_iter().take(MOST_DISTANCES);
    (listed.map(|(_, bits)| f64::from(f32::from_bits(bits))).collect(), more)
}
