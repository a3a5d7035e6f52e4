//! Whether things of one kind look alike: what has the same place in the source and the same classes has the same type,
//! the same colours and the same box.

use std::collections::BTreeMap;

use jury_eye::{Node, NodeId, Style};

use crate::finding::{Finding, Measure, Outcome, Severity, count};
use crate::page::Page;

/// A kind has at least this many members.
const LEAST_MEMBERS: usize = 3;

/// A quarter of all members unlike the others of their kind is where no kind is left.
const ZERO_AT: f64 = 0.25;

/// Elements looked at.
const MOST: usize = 4_000;

/// What is compared. Colours may tell members apart on purpose, so they count less.
const PARTS: [(&str, f64); 5] =
    [("size", 1.0), ("typeface", 1.0), ("alignment", 0.5), ("box", 0.7), ("colour", 0.5)];

/// The parts of a style that members of a kind share, as keys.
fn parts(style: &Style) -> [String; 5] {
    let box_of = {
        let [top, right, bottom, left] = style.padding.sides();
        let edge = style.border.sides();
        format!("{top:.0} {right:.0} {bottom:.0} {left:.0} {edge:.1?}")
    };
    let colour = |colour: jury_eye::Rgba| {
        format!("{:.2} {:.2} {:.2} {:.2}", colour.red, colour.green, colour.blue, colour.alpha)
    };
    [
        format!("{:.1}", style.font_size),
        format!("{} {:.0}", style.font_families.first().map_or("", String::as_str), style.font_weight),
        format!("{:?}", style.text_align),
        box_of,
        format!("{} {}", colour(style.color), colour(style.backdrop.color)),
    ]
}

/// The kind of an element: its tag and classes, and those of the element around it.
fn kind(page: &Page<'_>, node: &Node) -> String {
    let own = |node: &Node| format!("{}.{}", node.tag, node.attribute("class").unwrap_or_default());
    let around = node.parent.and_then(|parent| page.node(parent)).map(own).unwrap_or_default();
    format!("{around}>{}", own(node))
}

/// Members that look unlike most of their kind.
pub(crate) fn likeness(page: &Page<'_>) -> Outcome {
    let mut kinds: BTreeMap<String, Vec<(NodeId, [String; 5])>> = BTreeMap::new();
    let seen = page.snapshot.nodes.iter().filter(|node| node.shown && node.rect.is_some()).take(MOST);
    for node in seen {
        // A break in a line has no looks, and neither has what only holds others together.
        if let Some(style) =
            node.style.as_ref().filter(|_| !matches!(node.tag.as_str(), "br" | "html" | "body"))
        {
            kinds.entry(kind(page, node)).or_default().push((node.id, parts(style)));
        }
    }
    let (mut all, mut unlike) = (0.0, 0.0);
    let mut by_part = [0_usize; 5];
    let mut nodes = Vec::new();
    for members in kinds.values().filter(|members| members.len() >= LEAST_MEMBERS) {
        for (part, (_, weight)) in PARTS.iter().enumerate() {
            let mut values: BTreeMap<&str, usize> = BTreeMap::new();
            for (_, parts) in members {
                if let Some(value) = parts.get(part) {
                    *values.entry(value).or_default() += 1;
                }
            }
            all += weight * count(members.len());
            // Two or three looks of a kind are variants; a member that looks like no second one was missed.
            let odd: Vec<&str> =
                values.iter().filter(|(_, uses)| **uses == 1).map(|(value, _)| *value).collect();
            let single_looks = odd.len();
            // One of a kind is often the first or the last on purpose.
            if single_looks < 2 {
                continue;
            }
            unlike += weight * count(single_looks);
            if let Some(known) = by_part.get_mut(part) {
                *known += single_looks;
            }
            let of_odd =
                |parts: &[String; 5]| parts.get(part).is_some_and(|value| odd.contains(&value.as_str()));
            nodes.extend(members.iter().filter(|(_, parts)| of_odd(parts)).map(|(id, _)| *id));
        }
    }
    if all < 10.0 {
        return Outcome::not_applicable();
    }
    nodes.sort_unstable();
    nodes.dedup();
    let told: Vec<String> = PARTS
        .iter()
        .zip(by_part)
        .filter(|(_, unlike)| *unlike > 0)
        .map(|((name, _), unlike)| format!("{name} {unlike}"))
        .collect();
    let share = unlike / all;
    let note = if told.is_empty() {
        "things of one kind look alike".to_owned()
    } else {
        format!("{:.0} % of what is of one kind looks unlike all others: {}", 100.0 * share, told.join(", "))
    };
    let findings = (share > 0.05)
        .then(|| {
            let what = format!(
                "things of one kind look unlike each other: {} ({})",
                told.join(", "),
                page.places(&nodes)
            );
            Finding::page(Severity::Minor, what).because("unlike their kind").figure(
                "unlike",
                100.0 * share,
                "%",
            )
        })
        .into_iter()
        .collect();
    Outcome {
        measure: Measure::Share { failing: unlike.min(all), unknown: 0.0, total: all, zero_at: ZERO_AT },
        note,
        findings,
        undecided: Vec::new(),
    }
}
