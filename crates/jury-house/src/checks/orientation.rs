//! Whether the page lets itself be turned: no style that turns it back by a right angle.

use std::f64::consts::{PI, TAU};

use jury_eye::Node;

use crate::finding::{Finding, Outcome, Severity};
use crate::page::Page;
use crate::text_run::ends_in;

/// No media query that people write is longer.
const LONGEST_QUERY: usize = 400;

/// A page has a few of them; one with more is not read to the end.
const MOST_QUERIES: usize = 40;

pub(super) fn orientation(page: &Page<'_>) -> Outcome {
    let mut rules = page.source.styles.iter().flat_map(|span| {
        turned_rules(page.html.get(span.clone()).unwrap_or_default())
            .into_iter()
            .map(move |rule| (span.start, rule))
    });
    let mut any = false;
    let locked = rules.find(|(_, rule)| {
        any = true;
        is_right_angle(rule.angle) && turns_the_page(page, &rule.selector)
    });
    if !any && locked.is_none() {
        return Outcome::not_applicable();
    }
    let finding = locked.map(|(start, rule)| {
        let line = page.source.line(start + rule.offset);
        let what = format!(
            "{} is turned by {:.0}° in {}, needs to follow the device (line {line})",
            rule.selector,
            rule.angle.to_degrees(),
            rule.orientation
        );
        Finding::page(Severity::Serious, what)
            .because(format!("{} turned in {}", rule.selector, rule.orientation))
            .figure("angle", rule.angle.to_degrees().round(), "°")
    });
    Outcome::binary(if finding.is_some() { "locked to one orientation" } else { "free to turn" }, finding)
}

/// A rule that turns something in one orientation only.
struct Turned {
    selector: String,
    orientation: &'static str,
    angle: f64,
    offset: usize,
}

fn turned_rules(css: &str) -> Vec<Turned> {
    let mut found = Vec::new();
    let mut looked_into = 0;
    for (at, _) in css.match_indices("@media") {
        let Some(rest) = css.get(at..) else { continue };
        let brace = rest.bytes().take(LONGEST_QUERY).position(|byte| byte == b'{');
        let Some(prelude) = brace.and_then(|brace| rest.get(..brace)) else { continue };
        let squeezed: String =
            prelude.chars().filter(|ch| !ch.is_whitespace()).collect::<String>().to_ascii_lowercase();
        let orientation = if squeezed.contains("orientation:portrait") {
            "portrait"
        } else if squeezed.contains("orientation:landscape") {
            "landscape"
        } else {
            continue;
        };
        looked_into += 1;
        if looked_into > MOST_QUERIES {
            break;
        }
        let body_start = at + prelude.len() + 1;
        let Some(body) = css.get(body_start..).map(block) else { continue };
        let mut offset = body_start;
        for rule in body.split('}') {
            if let Some((selector, declarations)) = rule.split_once('{')
                && let Some(angle) = declarations.split(';').filter_map(turn).next_back()
            {
                let selector = selector.split_whitespace().collect::<Vec<_>>().join(" ");
                if found.len() < MOST_QUERIES {
                    found.push(Turned { selector, orientation, angle, offset });
                }
            }
            offset += rule.len() + 1;
        }
    }
    found
}

/// The text up to the brace that closes a block.
fn block(text: &str) -> &str {
    let mut depth = 1_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(..at).unwrap_or(text);
        }
    }
    text
}

/// The angle a declaration turns by, when it turns at all.
fn turn(declaration: &str) -> Option<f64> {
    let (property, value) = declaration.split_once(':')?;
    let value = value.to_ascii_lowercase();
    match property.trim().to_ascii_lowercase().as_str() {
        "rotate" => {
            let last = value.split_whitespace().rfind(|word| *word != "!important")?.to_owned();
            angle(&last)
        }
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

    #[test]
    fn turns_are_read_in_every_form() {
        let quarter = |text: &str| turn(text).is_some_and(is_right_angle);
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
