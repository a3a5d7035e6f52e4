//! Whether the page lets itself be turned: no style that turns it back by a right angle.

use std::f64::consts::{PI, TAU};

use jury_eye::Node;

use crate::css::Declaration;
use crate::finding::{Finding, Outcome, Severity};
use crate::page::Page;
use crate::rules::plain;
use crate::text_run::ends_in;

/// A page has a few rules that turn something in one orientation; of one with more the rest are not looked at.
const MOST_RULES: usize = 40;

pub(super) fn orientation(page: &Page<'_>) -> Outcome {
    let rules = turned_rules(&page.declarations);
    if rules.is_empty() {
        return Outcome::not_applicable();
    }
    let locked = rules.iter().find_map(|rule| {
        let turned_by = rule.angle - angle_otherwise(&page.declarations, &rules, rule);
        (is_right_angle(turned_by) && turns_the_page(page, &rule.place.selector)).then_some((rule, turned_by))
    });
    let finding = locked.map(|(Turned { place, orientation, .. }, turned_by)| {
        let line = page.source.line(place.span.start);
        let degrees = turned_by.to_degrees();
        let what = format!(
            "{} is turned by {degrees:.0}° in {orientation}, needs to follow the device (line {line})",
            place.selector
        );
        Finding::page(Severity::Serious, what)
            .because(format!("{} turned in {orientation}", place.selector))
            .figure("angle", degrees.round(), "°")
    });
    Outcome::binary(if finding.is_some() { "locked to one orientation" } else { "free to turn" }, finding)
}

/// The angle that what a rule turns has in the other orientation: by a rule for that one, else by a rule for both.
fn angle_otherwise(declarations: &[Declaration], rules: &[Turned<'_>], rule: &Turned<'_>) -> f64 {
    let there = rules
        .iter()
        .find(|other| other.place.selector == rule.place.selector && other.orientation != rule.orientation);
    let always = || {
        declarations
            .iter()
            .rev()
            .filter(|other| other.within.is_empty() && other.selector == rule.place.selector)
            .find_map(turn)
    };
    there.map(|other| other.angle).or_else(always).unwrap_or(0.0)
}

/// A rule that turns something in one orientation only.
struct Turned<'a> {
    place: &'a Declaration,
    orientation: &'static str,
    angle: f64,
}

fn turned_rules(declarations: &[Declaration]) -> Vec<Turned<'_>> {
    let mut found: Vec<Turned<'_>> = Vec::new();
    for place in declarations {
        let (Some(angle), Some(orientation)) = (turn(place), orientation_of(&place.within)) else { continue };
        // Of several in one rule the last one counts.
        let same = |last: &&mut Turned<'_>| {
            (&last.place.selector, &last.place.within) == (&place.selector, &place.within)
        };
        let turned = Turned { place, orientation, angle };
        if let Some(last) = found.last_mut().filter(same) {
            *last = turned;
        } else if found.len() < MOST_RULES {
            found.push(turned);
        } else {
            break;
        }
    }
    found
}

/// The orientation that the at-rules around a declaration ask for.
fn orientation_of(within: &str) -> Option<&'static str> {
    let squeezed: String = within.split_whitespace().collect::<String>().to_ascii_lowercase();
    ["portrait", "landscape"].into_iter().find(|name| squeezed.contains(&format!("orientation:{name}")))
}

/// The angle a declaration turns by, when it turns at all.
fn turn(declaration: &Declaration) -> Option<f64> {
    let value = plain(&declaration.value).to_ascii_lowercase();
    match declaration.property.as_str() {
        "rotate" => angle(value.split_whitespace().next_back()?),
        "transform" | "-webkit-transform" => {
            let mut turned = None;
            for call in value.split(')') {
                let Some((name, arguments)) = call.split_once('(') else { continue };
                let parts: Vec<&str> = arguments.split(',').map(str::trim).collect();
                let by = match (name.trim(), parts.as_slice()) {
                    ("rotate" | "rotatez", [by]) => angle(by),
                    ("rotate3d", [x, y, z, by]) if is_zero(x) && is_zero(y) && !is_zero(z) => angle(by),
                    ("matrix" | "matrix3d", [a, b, ..]) => {
                        a.parse::<f64>().ok().zip(b.parse::<f64>().ok()).map(|(a, b)| b.atan2(a))
                    }
                    _ => None,
                };
                if let Some(by) = by {
                    turned = Some(turned.unwrap_or(0.0) + by);
                }
            }
            turned
        }
        _ => None,
    }
}

fn is_zero(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|number| number.abs() < 1e-9)
}

fn angle(text: &str) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|ch: char| ch.is_ascii_alphabetic() && ch != 'e').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(split)?;
    let number: f64 = number.trim().parse().ok()?;
    Some(match unit {
        "deg" => number.to_radians(),
        "grad" => number * PI / 200.0,
        "rad" => number,
        "turn" => number * TAU,
        "" if number == 0.0 => 0.0,
        _ => return None,
    })
}

/// A quarter of a turn, either way, within a degree.
fn is_right_angle(angle: f64) -> bool {
    let quarter = angle.rem_euclid(PI) - PI / 2.0;
    quarter.abs() < PI / 180.0
}

/// Whether a selector reaches an element that holds most of what there is to read.
fn turns_the_page(page: &Page<'_>, selectors: &str) -> bool {
    let total: usize = page.runs.iter().map(|run| run.characters).sum();
    let read = |node: &Node| -> usize {
        let first = page.runs.partition_point(|run| run.node < node.id);
        page.runs
            .iter()
            .skip(first)
            .take_while(|run| run.node < node.subtree_end)
            .map(|run| run.characters)
            .sum()
    };
    selectors.split(',').any(|selector| {
        let last = selector.split([' ', '>', '+', '~']).rfind(|part| !part.is_empty()).unwrap_or_default();
        page.snapshot
            .nodes
            .iter()
            .filter(|node| node.rendered && (ends_in(last, node) || (last == ":root" && node.tag == "html")))
            .take(20)
            .any(|node| total > 0 && read(node) * 2 > total)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::css;

    #[test]
    fn turns_are_read_in_every_form() {
        let quarter = |text: &str| {
            let declarations = css::inline_declarations(text, 0);
            declarations.first().and_then(turn).is_some_and(is_right_angle)
        };
        for locked in [
            "transform: rotate(90deg)",
            "transform: rotateZ(-90deg)",
            "transform: rotate(1.5708rad)",
            "transform: rotate3d(0, 0, 1, 270deg)",
            "transform: matrix(0, 1, -1, 0, 0, 0)",
            "rotate: 0.25turn",
            "transform: rotate(100grad) scale(2)",
        ] {
            assert!(quarter(locked), "{locked}");
        }
        for free in [
            "transform: rotateZ(1turn)",
            "transform: translateX(100px)",
            "transform: matrix(1, 0, 0, 1, 0, 0)",
            "color: red",
        ] {
            assert!(!quarter(free), "{free}");
        }
    }
}
