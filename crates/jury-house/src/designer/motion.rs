//! Repairs of motion: what moves without end rests for readers who ask for less of it, in a state that shows it.
//!
//! Taking an animation away is not enough. Bars that have their height, and cards that have their opacity, from keyframes
//! would be gone with them. So the animation stays, held at a keyframe in which there is something to see.

use std::collections::BTreeMap;

use jury_eye::NodeId;

use crate::css::Declaration;
use crate::page::Page;
use crate::rules::plain;

use super::rule::exact_selector;
use super::stylesheet::add_rule;
use super::{Asked, Ways};

const CHECK: &str = "a11y/motion";

/// What the check calls its causes.
const CAUSE: &str = "animation ";

/// Properties by which a keyframe can make something come and go.
const SHOWING: &[&str] = &[
    "opacity",
    "visibility",
    "width",
    "height",
    "max-width",
    "max-height",
    "transform",
    "translate",
    "scale",
    "clip-path",
    "inset",
    "left",
    "right",
    "top",
    "bottom",
];

/// One rule that holds everything that moves without end.
pub(super) fn rests(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let all = page.all_declarations();
    let mut rules: Vec<String> = Vec::new();
    for finding in asked.found(CHECK) {
        let Some(name) = finding.cause.strip_prefix(CAUSE) else { continue };
        let Some(held) = seen_frame(&all, name) else { return Vec::new() };
        let several = |id: &NodeId| {
            page.node(*id)
                .and_then(|node| node.style.as_ref())
                .is_some_and(|style| style.animations.len() > 1)
        };
        // All animations of an element are held at once: one that only lets it appear must be held at its end.
        if held < 1.0 && finding.nodes.iter().any(several) {
            return Vec::new();
        }
        let rule = format!(
            "{}{{animation-duration:1s!important;animation-delay:{}s!important;animation-iteration-count:1!important;\
             animation-direction:normal!important;animation-fill-mode:both!important;animation-play-state:paused!important}}",
            selectors(page, &all, name, &finding.nodes),
            if held > 0.0 { format!("-{held}") } else { "0".to_owned() },
        );
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    if rules.is_empty() {
        return Vec::new();
    }
    let rule = format!("@media (prefers-reduced-motion:reduce){{{}}}", rules.join(""));
    let reason = "what moves without end rests where it can be seen, for readers who ask for less motion";
    vec![vec![add_rule(page, CHECK, &rule, reason)]]
}

/// The selectors that give an animation, or the way to each element that has it.
fn selectors(page: &Page<'_>, all: &[&Declaration], name: &str, nodes: &[NodeId]) -> String {
    let gives = |declaration: &&&Declaration| {
        matches!(declaration.property.as_str(), "animation" | "animation-name")
            && !declaration.within.contains("keyframes")
            && plain(&declaration.value).split([' ', ',']).any(|word| word.trim_matches(['"', '\'']) == name)
    };
    let mut found: Vec<String> = Vec::new();
    let mut add = |selector: String| {
        if !selector.is_empty() && !found.contains(&selector) {
            found.push(selector);
        }
    };
    let in_place = all.iter().filter(gives).any(|declaration| declaration.selector.is_empty());
    all.iter().filter(gives).for_each(|declaration| add(declaration.selector.clone()));
    let known = !in_place && all.iter().any(|declaration| gives(&declaration));
    if !known {
        for node in nodes.iter().filter_map(|id| page.node(*id)) {
            add(exact_selector(page, node));
        }
    }
    found.join(",")
}

/// The last keyframe in which there is something to see, from 0 to 1. Of those that say the most about it, so that nothing
/// has to be what it would be without the animation.
fn seen_frame(all: &[&Declaration], name: &str) -> Option<f64> {
    let mut frames: BTreeMap<u32, (bool, usize)> = BTreeMap::new();
    for declaration in all {
        let Some((_, of)) = declaration.within.split_once("keyframes ") else { continue };
        if of.trim().trim_matches(['"', '\'']) != name {
            continue;
        }
        for stop in declaration.selector.split(',') {
            let Some(at) = stop_of(stop.trim()) else { continue };
            let (seen, says) = frames.entry(at).or_insert((true, 0));
            *seen &= !hides(&declaration.property, plain(&declaration.value));
            *says += usize::from(SHOWING.contains(&declaration.property.as_str()));
        }
    }
    let seen = frames.into_iter().filter(|(_, (seen, _))| *seen);
    let (at, _) = seen.max_by_key(|(at, (_, says))| (*says, *at))?;
    Some(f64::from(at) / 1000.0)
}

/// Where in its round a keyframe is, in thousandths.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1000")]
fn stop_of(stop: &str) -> Option<u32> {
    match stop {
        "from" => Some(0),
        "to" => Some(1000),
        _ => {
            let share = stop.strip_suffix('%')?.trim().parse::<f64>().ok()?;
            (0.0..=100.0).contains(&share).then(|| (share * 10.0).round() as u32)
        }
    }
}

/// Whether a declaration leaves nothing to be seen: no opacity, no size, or a place outside.
fn hides(property: &str, value: &str) -> bool {
    let number = |text: &str| {
        let digits = text.trim().trim_end_matches(|ch: char| ch.is_ascii_alphabetic() || ch == '%');
        digits.parse::<f64>().ok()
    };
    let arguments = |function: &str| -> Vec<f64> {
        value
            .match_indices(function)
            .filter_map(|(at, _)| value.get(at + function.len()..)?.split_once(')'))
            .flat_map(|(inside, _)| inside.split([',', ' ']).filter_map(number).collect::<Vec<_>>())
            .collect()
    };
    match property {
        "opacity" => number(value)
            .is_some_and(|opacity| opacity / if value.ends_with('%') { 100.0 } else { 1.0 } < 0.1),
        "visibility" => value == "hidden",
        "width" | "height" | "max-width" | "max-height" => number(value).is_some_and(|size| size <= 0.0),
        "scale" => value.split(' ').filter_map(number).any(|factor| factor.abs() < 0.05),
        "transform" => {
            ["scale(", "scaleX(", "scaleY("]
                .iter()
                .flat_map(|function| arguments(function))
                .any(|factor| factor.abs() < 0.05)
                || ["translate(", "translateX(", "translateY(", "translate3d("].iter().any(|function| {
                    value.contains(function)
                        && arguments(function).iter().any(|way| way.abs() >= 100.0)
                        && value.contains(['%', 'v'])
                })
        }
        "translate" => value
            .split(' ')
            .any(|way| way.ends_with(['%', 'w', 'h']) && number(way).is_some_and(|way| way.abs() >= 100.0)),
        "left" | "right" | "top" | "bottom" | "inset" => value.split(' ').any(|way| {
            way.ends_with(['%', 'w', 'h']) && number(way).is_some_and(|way| !(0.0..100.0).contains(&way))
        }),
        "clip-path" => value.contains("100%"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_nothing_to_see_is_known() {
        for (property, value) in [
            ("opacity", "0"),
            ("opacity", "5%"),
            ("height", "0"),
            ("transform", "scale(0)"),
            ("transform", "scaleY(0.0) rotate(3deg)"),
            ("transform", "translateX(-100%)"),
            ("transform", "translate(0, 100vh)"),
            ("left", "-20%"),
            ("visibility", "hidden"),
        ] {
            assert!(hides(property, value), "{property}: {value}");
        }
        for (property, value) in [
            ("opacity", "1"),
            ("opacity", ".4"),
            ("height", "40px"),
            ("transform", "rotate(360deg)"),
            ("transform", "translateX(-50%)"),
            ("transform", "translateY(-10px)"),
            ("transform", "translateX(120px)"),
            ("left", "50%"),
            ("color", "#000000"),
        ] {
            assert!(!hides(property, value), "{property}: {value}");
        }
    }
}
