//! Text contrast, WCAG 1.4.3: 4.5:1, or 3:1 for large text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jury_core::unit::ContrastRatio;
use jury_text::colour::{Rgb, contrast as ratio};
use jury_text::css_colour;

use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::{Page, selector};
use crate::text_run::{Doubt, TextRun, Verdict};

/// The share of characters at which contrast is worth nothing: a third of a page that cannot be read.
const ZERO_AT: f64 = 0.30;

/// Below this ratio text is hardly there.
const HARDLY_THERE: f64 = 2.0;

/// The finding itself, for people with low vision.
pub(super) fn contrast(page: &Page<'_>) -> Outcome {
    let mut outcome = legibility(page);
    let tokens = Tokens::of(page);
    outcome.findings = groups(page, &tokens)
        .into_iter()
        .filter_map(|(cause, group)| finding(page, &cause, &group))
        .collect();
    outcome.undecided = undecided(page);
    outcome
        .findings
        .sort_by(|one, other| other.severity.cmp(&one.severity).then(one.nodes.cmp(&other.nodes)));
    outcome
}

/// The same measurement for the eye of a critic, who scores it but leaves the demand to the other seat.
pub(super) fn legibility(page: &Page<'_>) -> Outcome {
    let total: usize = page.texts().map(|run| run.characters).sum();
    if total == 0 {
        return Outcome::not_applicable();
    }
    let sum = |verdict: Verdict| -> usize {
        page.texts().filter(|run| run.verdict == verdict).map(|run| run.characters).sum()
    };
    let (failing, unknown) = (sum(Verdict::Fails), sum(Verdict::Unknown));
    let worst = page
        .texts()
        .filter(|run| run.verdict == Verdict::Fails)
        .min_by(|one, other| one.ratio.total_cmp(&other.ratio));
    let lowest_passing = page
        .texts()
        .filter(|run| run.verdict == Verdict::Passes)
        .map(|run| run.ratio)
        .fold(f64::INFINITY, f64::min);
    let mut note = match worst {
        Some(run) => format!(
            "{} on {failing} of {}, needs {}:1 ({})",
            ContrastRatio(run.ratio),
            counted(total, "character"),
            run.required,
            page.place(run.node)
        ),
        None if lowest_passing.is_finite() => {
            format!("lowest ratio {} over {}", ContrastRatio(lowest_passing), counted(total, "character"))
        }
        None => format!("no contrast decided over {}", counted(total, "character")),
    };
    if unknown > 0 {
        let _ = write!(note, "; {} undecided", counted(unknown, "character"));
    }
    Outcome {
        measure: Measure::Share {
            failing: count(failing),
            unknown: count(unknown),
            total: count(total),
            zero_at: ZERO_AT,
        },
        note,
        findings: Vec::new(),
        undecided: Vec::new(),
    }
}

/// Custom properties by the colour they hold, as far as text uses them.
struct Tokens<'page>(BTreeMap<Ink, &'page str>);

/// A colour and its opacity, in what is written of them.
type Ink = ([u8; 3], u32);

impl<'page> Tokens<'page> {
    fn of(page: &'page Page<'_>) -> Self {
        let used: BTreeSet<&str> = page
            .declarations
            .iter()
            .filter(|declaration| {
                declaration.property.starts_with("--") || declaration.property.ends_with("color")
            })
            .flat_map(|declaration| declaration.value.split("var(").skip(1))
            .filter_map(|rest| rest.trim_start().split([',', ')', ' ']).next())
            .collect();
        let mut tokens = BTreeMap::new();
        for declaration in &page.declarations {
            if used.contains(declaration.property.as_str())
                && let Some(written) = css_colour::parse(declaration.value.trim())
            {
                // The first that holds it: later ones are of other themes.
                tokens
                    .entry((written.rgb.bytes(), percent(written.alpha)))
                    .or_insert(declaration.property.as_str());
            }
        }
        Self(tokens)
    }

    /// The name of a colour, or the colour itself.
    fn name(&self, colour: Rgb, alpha: f64) -> String {
        if let Some(token) = self.0.get(&(colour.bytes(), percent(alpha))) {
            return (*token).to_owned();
        }
        if alpha >= 0.995 { colour.hex() } else { format!("{} at {}%", colour.hex(), percent(alpha)) }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an opacity is between 0 and 1")]
fn percent(alpha: f64) -> u32 {
    (alpha.clamp(0.0, 1.0) * 100.0).round() as u32
}

/// Failing runs by what causes them: a colour, on one backdrop if it is good enough on others.
fn groups<'a>(page: &'a Page<'_>, tokens: &Tokens<'_>) -> BTreeMap<String, Vec<&'a TextRun>> {
    let key = |run: &TextRun| (colours(run), percent(run.alpha), percent(run.opacity));
    let passing: BTreeSet<_> = page.texts().filter(|run| run.verdict == Verdict::Passes).map(key).collect();
    let mut groups: BTreeMap<String, Vec<&TextRun>> = BTreeMap::new();
    for run in page.texts().filter(|run| run.verdict == Verdict::Fails) {
        let mut cause = run
            .foregrounds
            .iter()
            .map(|colour| tokens.name(*colour, run.alpha))
            .collect::<Vec<_>>()
            .join("/");
        if run.opacity < 0.995 {
            let _ = write!(cause, " under {}% opacity", percent(run.opacity));
        }
        // A colour that passes elsewhere is let down by this backdrop; one that never passes is itself
        // the cause, whatever it stands on.
        if passing.contains(&key(run)) {
            let backdrop = match run.only_backdrop() {
                Some(colour) => tokens.name(colour.rounded(), 1.0),
                None => run.backdrop_of.and_then(|id| page.node(id)).map_or_else(String::new, selector),
            };
            let _ = write!(cause, " on {backdrop}");
        }
        groups.entry(cause).or_default().push(run);
    }
    groups
}

/// What could not be decided, by the reason.
fn undecided(page: &Page<'_>) -> Vec<Finding> {
    let mut groups: BTreeMap<Doubt, Vec<&TextRun>> = BTreeMap::new();
    for run in page.texts().filter(|run| run.verdict == Verdict::Unknown) {
        groups.entry(run.doubt.unwrap_or(Doubt::NotPainted)).or_default().push(run);
    }
    groups
        .into_iter()
        .map(|(doubt, group)| {
            let nodes: Vec<_> = group.iter().map(|run| run.node).collect();
            let characters: usize = group.iter().map(|run| run.characters).sum();
            let what = format!(
                "contrast of {} undecided: {} ({})",
                counted(characters, "character"),
                doubt.words(),
                page.places(&nodes)
            );
            Finding::on(Severity::Moderate, nodes, what).because(doubt.words()).figure(
                "characters",
                count(characters),
                "",
            )
        })
        .collect()
}

fn colours(run: &TextRun) -> Vec<[u8; 3]> {
    run.foregrounds.iter().map(|colour| colour.bytes()).collect()
}

fn finding(page: &Page<'_>, cause: &str, group: &[&TextRun]) -> Option<Finding> {
    let worst = group.iter().min_by(|one, other| one.ratio.total_cmp(&other.ratio))?;
    let severity = if worst.ratio < HARDLY_THERE { Severity::Critical } else { Severity::Serious };
    let nodes: Vec<_> = group.iter().map(|run| run.node).collect();
    let characters: usize = group.iter().map(|run| run.characters).sum();
    let (text, backdrop) = worst
        .painted
        .iter()
        .flat_map(|painted| worst.foregrounds.iter().map(|colour| painted.seen(*colour, worst.alpha)))
        .min_by(|one, other| ratio(one.0, one.1).total_cmp(&ratio(other.0, other.1)))?;
    let what = format!(
        "text contrast {}, needs {}:1: {} on {}, {} ({})",
        ContrastRatio(worst.ratio),
        worst.required,
        text.rounded().hex(),
        backdrop.rounded().hex(),
        counted(characters, "character"),
        page.places(&nodes)
    );
    Some(
        Finding::on(severity, nodes, what)
            .because(cause)
            .figure("ratio", worst.ratio, ":1")
            .figure("needs", worst.required, ":1")
            .figure("characters", count(characters), ""),
    )
}
