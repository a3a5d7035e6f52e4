//! Movement that nobody asked for and that does not end, WCAG 2.2.2.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::NodeId;

use crate::css::Declaration;
use crate::finding::{Finding, Outcome, Severity, counted};
use crate::page::Page;
use crate::rules::{Rules, plain};
use crate::selector::State;

/// How long something may move before there has to be a way to stop it, WCAG 2.2.2.
const LONGEST_MOTION_SECONDS: f64 = 5.0;

/// Properties whose animation is seen as movement or blinking. A colour that changes slowly is not.
const MOVING: &[&str] = &[
    "transform",
    "translate",
    "rotate",
    "scale",
    "opacity",
    "visibility",
    "top",
    "right",
    "bottom",
    "left",
    "inset",
    "margin",
    "width",
    "height",
    "background-position",
    "clip-path",
    "filter",
    "offset-distance",
    "stroke-dashoffset",
];

/// One animation as declared in one rule.
#[derive(Debug, Default, Clone)]
struct Animation {
    names: Vec<String>,
    seconds: f64,
    times: f64,
}

impl Animation {
    fn lasts(&self) -> f64 {
        self.seconds * self.times
    }
}

pub(super) fn motion(page: &Page<'_>) -> Outcome {
    let all = page.all_declarations();
    let moving = endless(page, &all);
    let elements: Vec<NodeId> = page
        .snapshot
        .nodes
        .iter()
        .filter(|node| match node.tag.as_str() {
            "marquee" | "blink" => node.shown,
            // What sounds as well is a matter of a11y/sound-control: one control stops both.
            "video" => node.shown && plays_by_itself(node) && node.attribute("muted").is_some(),
            _ => false,
        })
        .map(|node| node.id)
        .collect();
    let animated = all.iter().any(|declaration| declaration.property.starts_with("animation"));
    if !animated && elements.is_empty() {
        return Outcome::not_applicable();
    }
    let asked = asks_about_motion(page, &all);
    let mut findings = Vec::new();
    if !asked {
        findings.extend(moving.iter().map(|(name, (length, nodes))| {
            let how_long =
                if length.is_finite() { format!("for {length:.0} s") } else { "without end".to_owned() };
            let what = format!(
                "animation {name} moves {how_long}, needs a prefers-reduced-motion rule or an end within 5 s ({})",
                page.places(nodes)
            );
            let finding = Finding::on(Severity::Moderate, nodes.clone(), what).because(format!("animation {name}"));
            if length.is_finite() { finding.figure("lasts", *length, "s") } else { finding }
        }));
    }
    for id in &elements {
        let tag = page.node(*id).map_or("", |node| node.tag.as_str());
        let what = format!(
            "{tag} plays or moves by itself and cannot be stopped, needs controls ({})",
            page.place(*id)
        );
        findings.push(Finding::on(Severity::Moderate, vec![*id], what).because(format!("{tag} by itself")));
    }
    let note = match (moving.len(), asked) {
        (0, _) => "nothing moves for more than 5 s".to_owned(),
        (many, true) => format!("{} over 5 s, stilled on request", counted(many, "animation")),
        (many, false) => format!("{} over 5 s, not stilled on request", counted(many, "animation")),
    };
    Outcome {
        measure: crate::finding::Measure::Binary { failed: !findings.is_empty() },
        note,
        findings,
        undecided: Vec::new(),
    }
}

fn plays_by_itself(node: &jury_eye::Node) -> bool {
    node.attribute("autoplay").is_some() && node.attribute("controls").is_none()
}

/// Whether the page heeds the wish for less motion, in its styles or in its scripts.
pub(super) fn asks_about_motion(page: &Page<'_>, all: &[&Declaration]) -> bool {
    const FEATURE: &str = "prefers-reduced-motion";
    all.iter().any(|declaration| declaration.within.contains(FEATURE))
        || page
            .source
            .raw_texts
            .iter()
            .any(|span| page.html.get(span.clone()).is_some_and(|text| text.contains(FEATURE)))
}

/// Animations of elements on the page that move for too long, by name, with how long and what they move.
fn endless(page: &Page<'_>, all: &[&Declaration]) -> BTreeMap<String, (f64, Vec<NodeId>)> {
    let moving_names = moving_keyframes(all);
    let rules =
        Rules::among(all.iter().copied(), |declaration| declaration.property.starts_with("animation"));
    let mut found: BTreeMap<String, (f64, Vec<NodeId>)> = BTreeMap::new();
    if moving_names.is_empty() || rules.is_empty() {
        return found;
    }
    let variables = variables(all);
    for node in page.snapshot.nodes.iter().filter(|node| node.shown) {
        let mut animation = Animation { times: 1.0, ..Animation::default() };
        let mut longest: BTreeMap<String, f64> = BTreeMap::new();
        for (_, rule) in rules.reaching(&page.snapshot, node, State::Rest) {
            let value = resolved(plain(&rule.declaration.value), &variables);
            match rule.declaration.property.as_str() {
                "animation" if rule.selector.pseudo_element => {
                    for one in shorthand(&value) {
                        note(&mut longest, &one);
                    }
                }
                "animation" => {
                    let all = shorthand(&value);
                    longest.clear();
                    for one in &all {
                        note(&mut longest, one);
                    }
                    animation = all.into_iter().next_back().unwrap_or_default();
                }
                "animation-name" => {
                    animation.names = value.split(',').map(|name| name.trim().to_owned()).collect();
                }
                "animation-duration" => animation.seconds = seconds(&value).unwrap_or(animation.seconds),
                "animation-iteration-count" => animation.times = times(&value).unwrap_or(animation.times),
                _ => {}
            }
        }
        note(&mut longest, &animation);
        for (name, length) in longest.into_iter().filter(|(name, _)| moving_names.contains(name.as_str())) {
            let (known, nodes) = found.entry(name).or_insert((0.0, Vec::new()));
            *known = known.max(length);
            nodes.push(node.id);
        }
    }
    found
}

fn note(longest: &mut BTreeMap<String, f64>, animation: &Animation) {
    if animation.lasts() <= LONGEST_MOTION_SECONDS {
        return;
    }
    for name in &animation.names {
        let known = longest.entry(name.clone()).or_default();
        *known = known.max(animation.lasts());
    }
}

/// Names of keyframes that move or blink something.
pub(super) fn moving_keyframes(all: &[&Declaration]) -> BTreeSet<String> {
    all.iter()
        .filter_map(|declaration| {
            let (_, after) = declaration.within.split_once("keyframes ")?;
            let moves = MOVING.iter().any(|known| {
                declaration
                    .property
                    .strip_prefix(known)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            });
            moves.then(|| after.trim().trim_matches(['"', '\'']).to_owned())
        })
        .collect()
}

fn variables<'a>(all: &[&'a Declaration]) -> BTreeMap<&'a str, &'a str> {
    all.iter()
        .filter(|declaration| declaration.property.starts_with("--"))
        .map(|declaration| (declaration.property.as_str(), declaration.value.as_str()))
        .collect()
}

/// A value with its custom properties put in, one level deep.
fn resolved(value: &str, variables: &BTreeMap<&str, &str>) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("var(") {
        out.push_str(before);
        let (inside, behind) = after.split_once(')').unwrap_or((after, ""));
        let (name, fallback) = inside.split_once(',').unwrap_or((inside, ""));
        out.push_str(variables.get(name.trim()).copied().unwrap_or(fallback));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// The animations of a shorthand.
fn shorthand(value: &str) -> Vec<Animation> {
    crate::selector::split_list(value)
        .into_iter()
        .map(|part| {
            let mut animation = Animation { times: 1.0, ..Animation::default() };
            let mut timed = false;
            for word in without_functions(part).split_ascii_whitespace() {
                if let Some(length) = seconds(word) {
                    // The second time is the delay.
                    if !timed {
                        animation.seconds = length;
                    }
                    timed = true;
                } else if let Some(count) = times(word) {
                    animation.times = count;
                } else {
                    // Keywords are no names of keyframes, so they do no harm here.
                    animation.names.push(word.trim_matches(['"', '\'']).to_owned());
                }
            }
            animation
        })
        .collect()
}

/// A value without what stands in brackets: the numbers of a curve count no rounds.
fn without_functions(value: &str) -> String {
    let mut depth = 0_usize;
    value
        .chars()
        .filter(|ch| match ch {
            '(' => {
                depth += 1;
                false
            }
            ')' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        })
        .collect()
}

pub(super) fn seconds(word: &str) -> Option<f64> {
    let word = word.split(',').next()?.trim();
    if let Some(number) = word.strip_suffix("ms") {
        return number.parse::<f64>().ok().map(|number| number / 1_000.0);
    }
    word.strip_suffix('s')?.parse().ok()
}

fn times(word: &str) -> Option<f64> {
    let word = word.split(',').next()?.trim();
    if word == "infinite" { Some(f64::INFINITY) } else { word.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorthands_are_read() {
        let lasting = |value: &str| shorthand(value).iter().map(Animation::lasts).collect::<Vec<_>>();
        assert_eq!(lasting("spin 2s linear infinite, fade .4s 1s ease-out both"), [f64::INFINITY, 0.4]);
        assert_eq!(lasting("drift 3000ms 2 cubic-bezier(.1, .2, .3, 1)"), [6.0]);
        assert_eq!(lasting("none"), [0.0]);
        let names = shorthand("1s ease spin");
        assert!(names.first().is_some_and(|one| one.names.contains(&"spin".to_owned())));
    }

    #[test]
    fn variables_are_put_in() {
        let variables = BTreeMap::from([("--speed", "8s")]);
        assert_eq!(resolved("spin var(--speed) var(--x, infinite)", &variables), "spin 8s  infinite");
    }
}
