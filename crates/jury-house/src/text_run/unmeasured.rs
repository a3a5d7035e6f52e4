//! Text that is styled by what the engine does not do: rules that depend on the size of a container, on a scope or on a
//! condition in a value, lines that are styled by themselves, content that is not painted. What is measured of such text
//! may be wrong either way, so nothing is said for certain.

use jury_eye::{Node, Snapshot};

use super::{Doubt, TextRun, Verdict};
use crate::css::Declaration;
use crate::rules::{Rules, plain};
use crate::selector::State;

/// At-rules whose rules the engine passes over, or takes without their condition.
const AT_RULES: &[&str] = &["@container", "@scope"];

/// Properties that decide how well text is read, or whether it is there.
const DECIDING: &[&str] = &[
    "color",
    "background",
    "opacity",
    "filter",
    "backdrop-filter",
    "display",
    "visibility",
    "font",
    "mix-blend-mode",
    "all",
];

/// Leaves the verdicts on such text open.
pub(crate) fn leave_open(runs: &mut [TextRun], snapshot: &Snapshot, declarations: &[&Declaration]) {
    let rules = Rules::among(declarations.iter().copied(), is_unmeasured);
    let inline = snapshot.nodes.iter().any(style_says);
    let mut open: Vec<bool> = Vec::new();
    if !rules.is_empty() || inline {
        open.reserve(snapshot.nodes.len());
        for node in &snapshot.nodes {
            let around = node.parent.and_then(|parent| open.get(parent.index())).copied().unwrap_or(false);
            let own = || style_says(node) || !rules.reaching(snapshot, node, State::Rest).is_empty();
            open.push(around || own());
        }
    }
    for run in runs {
        let node = snapshot.node(run.node);
        // Shrunk to a point by a transform.
        let gone = node.is_some_and(|node| {
            !node.lines.is_empty() && node.lines.iter().all(|line| line.width < 0.01 || line.height < 0.01)
        });
        if gone {
            (run.verdict, run.doubt) = (Verdict::Unknown, Some(Doubt::NotPainted));
        } else if open.get(run.node.index()).copied().unwrap_or(false) {
            (run.verdict, run.doubt) = (Verdict::Unknown, Some(Doubt::Unmeasured));
        }
    }
}

fn style_says(node: &Node) -> bool {
    node.attribute("style").is_some_and(|style| {
        style.split(';').filter_map(|one| one.split_once(':')).any(|(property, value)| {
            let property = property.trim().to_ascii_lowercase();
            is_conditional(&property, value) || hides_content(&property, value)
        })
    })
}

fn is_unmeasured(declaration: &Declaration) -> bool {
    let within = declaration.within.to_ascii_lowercase();
    let at_rule = AT_RULES.iter().any(|rule| within.contains(rule)) && decides(&declaration.property);
    let line = declaration.selector.to_ascii_lowercase();
    let line =
        (line.contains(":first-line") || line.contains(":first-letter")) && decides(&declaration.property);
    at_rule
        || line
        || is_conditional(&declaration.property, &declaration.value)
        || hides_content(&declaration.property, &declaration.value)
}

fn decides(property: &str) -> bool {
    DECIDING.iter().any(|known| {
        property.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

/// `if()` in a value, which the engine drops with its declaration.
fn is_conditional(property: &str, value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    (decides(property) || property.starts_with("--"))
        && value.match_indices("if(").any(|(at, _)| {
            !value.get(..at).is_some_and(|before| {
                before.ends_with(|ch: char| ch.is_alphanumeric() || matches!(ch, '-' | '_'))
            })
        })
}

fn hides_content(property: &str, value: &str) -> bool {
    property == "content-visibility" && plain(value).eq_ignore_ascii_case("hidden")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_in_values_are_told_from_words() {
        assert!(is_conditional("color", "if(media(width > 1px): red; else: blue)"));
        assert!(is_conditional("background", "linear-gradient(if(style(--a): red))"));
        assert!(!is_conditional("font-family", "Serif(x)") && !is_conditional("width", "if(x)"));
        assert!(!is_conditional("background", "url(gif(1).png)"));
    }
}
