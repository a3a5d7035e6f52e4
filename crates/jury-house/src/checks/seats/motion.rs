//! What moves, for how long, and for whom it stops. Movement that scripts make is not seen.

use std::collections::BTreeSet;

use jury_eye::{Node, NodeId};

use crate::checks::motion::{asks_about_motion, moving_keyframes, seconds};
use crate::css::Declaration;
use crate::finding::{Finding, Outcome, Severity, counted};
use crate::page::Page;
use crate::rules::plain;

/// How long an answer to a reader may take, in seconds.
const LONGEST_TRANSITION: f64 = 0.5;

/// How long an entrance may take, in seconds.
const LONGEST_ENTRANCE: f64 = 1.0;

/// How many things may move at once, and at how many more the check is worth nothing.
const MOVING_AT_ONCE: usize = 5;
const MANY_MORE: usize = 15;

/// Transitions that apply to everybody, with their durations in seconds.
fn transitions<'a>(all: &[&'a Declaration]) -> Vec<(&'a str, f64)> {
    let own = all.iter().filter(|declaration| !declaration.within.contains("prefers-reduced-motion"));
    own.filter(|declaration| matches!(declaration.property.as_str(), "transition" | "transition-duration"))
        .flat_map(|declaration| {
            let parts = crate::selector::split_list(plain(&declaration.value));
            // The first time of a part is its duration, the second its delay.
            let times = parts.into_iter().filter_map(|part| part.split_ascii_whitespace().find_map(seconds));
            times
                .filter(|time| *time > 0.0)
                .map(|time| (declaration.selector.as_str(), time))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Animations of visible elements that move something.
fn animated<'a>(page: &'a Page<'_>, all: &[&Declaration]) -> Vec<(&'a Node, &'a jury_eye::Animation)> {
    let moving = moving_keyframes(all);
    let nodes = page.snapshot.nodes.iter().filter(|node| node.shown);
    nodes
        .flat_map(|node| {
            node.style.iter().flat_map(|style| &style.animations).map(move |animation| (node, animation))
        })
        .filter(|(_, animation)| animation.seconds > 0.0 && moving.contains(&animation.name))
        .collect()
}

pub(in crate::checks) fn duration(page: &Page<'_>) -> Outcome {
    let all = page.all_declarations();
    let transitions = transitions(&all);
    let once = animated(page, &all).into_iter().filter(|(_, animation)| animation.rounds.is_some());
    let entrances: Vec<(&Node, f64)> =
        once.map(|(node, animation)| (node, f64::from(animation.seconds))).collect();
    let mut findings: Vec<Finding> = transitions
        .iter()
        .filter(|(_, time)| *time > LONGEST_TRANSITION)
        .map(|(selector, time)| {
            let what =
                format!("transition of {time:.1} s on {selector}, needs {LONGEST_TRANSITION} s or less");
            Finding::page(Severity::Minor, what)
                .because(format!("transition {selector}"))
                .figure("lasts", *time, "s")
        })
        .collect();
    findings.extend(entrances.iter().filter(|(_, time)| *time > LONGEST_ENTRANCE).map(|(node, time)| {
        let what =
            format!("entrance of {time:.1} s, needs {LONGEST_ENTRANCE} s or less ({})", page.place(node.id));
        Finding::on(Severity::Minor, vec![node.id], what).figure("lasts", *time, "s")
    }));
    let total = transitions.len() + entrances.len();
    let note = format!("{} of {} take too long", findings.len(), counted(total, "movement"));
    Outcome::share(findings.len(), total, 1.0, note, findings)
}

pub(in crate::checks) fn amount(page: &Page<'_>) -> Outcome {
    let all = page.all_declarations();
    let moving: BTreeSet<NodeId> = animated(page, &all).into_iter().map(|(node, _)| node.id).collect();
    if moving.is_empty() {
        return Outcome::not_applicable();
    }
    let moving: Vec<NodeId> = moving.into_iter().collect();
    let over = moving.len().saturating_sub(MOVING_AT_ONCE);
    let finding = (over > 0).then(|| {
        let what = format!(
            "{} move at once, needs {MOVING_AT_ONCE} or fewer ({})",
            counted(moving.len(), "element"),
            page.places(&moving)
        );
        Finding::on(Severity::Moderate, moving.clone(), what).because("at once")
    });
    let note = counted(moving.len(), "element");
    Outcome::share(
        over,
        MANY_MORE,
        1.0,
        format!("{note} with movement of their own"),
        finding.into_iter().collect(),
    )
}

pub(in crate::checks) fn reduced(page: &Page<'_>) -> Outcome {
    let all = page.all_declarations();
    let moving = animated(page, &all);
    let slides = all.iter().any(|declaration| {
        let names = ["transform", "translate", "rotate", "scale", "all"];
        declaration.property.starts_with("transition")
            && declaration.value.split(|ch: char| !ch.is_ascii_alphabetic()).any(|word| names.contains(&word))
    });
    if moving.is_empty() && !slides {
        return Outcome::not_applicable();
    }
    let asked = asks_about_motion(page, &all);
    let finding = (!asked).then(|| {
        let what = "things move for readers who asked for less, needs a prefers-reduced-motion rule";
        Finding::page(Severity::Moderate, what).because("reduced motion")
    });
    Outcome::binary(if asked { "stilled on request" } else { "not stilled on request" }, finding)
}
