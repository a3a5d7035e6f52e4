//! The windows, devices and states that the styles of a page name: `@media`, `@container`, `@scope`, `:hover`.
//!
//! A page is looked at under such a condition in a window of the size that it names, with whatever else it asks for taken as given.

use std::collections::{BTreeMap, BTreeSet};

use jury_eye::Viewport;

use crate::css::Declaration;

/// The name for what holds while somebody points at something or has moved the focus there.
pub(crate) const POINTED: &str = ":hover";

/// States of elements that are gone as soon as somebody moves on.
const STATES: [&str; 5] = [":hover", ":active", ":focus-visible", ":focus-within", ":focus"];

/// A condition under which rules hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition {
    /// As it is written, or [`POINTED`].
    pub(crate) named: String,
    pub(crate) viewport: Viewport,
    /// Whether it asks for nothing but a size.
    sized: bool,
}

/// What is declared under each condition.
pub(crate) fn by_condition<'a>(
    declarations: impl IntoIterator<Item = &'a Declaration>,
) -> BTreeMap<String, BTreeSet<(&'a str, &'a str, &'a str)>> {
    let mut found: BTreeMap<String, BTreeSet<(&str, &str, &str)>> = BTreeMap::new();
    for own in declarations {
        let rule = (own.selector.as_str(), own.property.as_str(), own.value.as_str());
        let heads = own.within.split('@').map(str::trim);
        let conditional = heads.filter(|head| is_conditional(head)).map(|head| format!("@{head}"));
        let named = conditional.collect::<Vec<_>>().join(" ");
        if !named.is_empty() {
            found.entry(named).or_default().insert(rule);
        }
        if STATES.iter().any(|state| own.selector.contains(state)) {
            found.entry(POINTED.to_owned()).or_default().insert(rule);
        }
    }
    found
}

fn is_conditional(head: &str) -> bool {
    ["media", "container", "scope"].iter().any(|name| head.starts_with(name))
}

/// The condition of this name; none for paper, and for a size of window that is looked at anyway.
pub(crate) fn condition(named: &str, looked_at: &[Viewport]) -> Option<Condition> {
    let lower = named.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|ch: char| !(ch.is_alphanumeric() || ch == '-')).collect();
    if words.contains(&"print") && !words.contains(&"not") && !words.contains(&"screen") {
        return None;
    }
    let bounds = Bounds::of(&lower);
    let sized = bounds.alone && lower.starts_with("@media");
    if sized && looked_at.iter().any(|viewport| bounds.hold(viewport.width, viewport.height)) {
        return None;
    }
    let usual = Viewport::DESKTOP;
    let viewport =
        Viewport { width: within(bounds.width, usual.width), height: within(bounds.height, usual.height) };
    Some(Condition { named: named.to_owned(), viewport, sized })
}

/// The sizes of windows that a condition asks for.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    width: [f32; 2],
    height: [f32; 2],
    /// Whether it asks for nothing else.
    alone: bool,
}

impl Bounds {
    fn of(lower: &str) -> Self {
        let mut bounds = Self { width: [0.0, f32::INFINITY], height: [0.0, f32::INFINITY], alone: true };
        for part in lower.split(['(', ')']) {
            let part: String = part.split_whitespace().collect();
            let is_height = part.contains("height");
            if !(part.contains("width") || is_height)
                || part.contains("device-") && !part.contains("device-width")
            {
                let joins = part.split(',').all(|word| {
                    matches!(
                        word,
                        "" | "and"
                            | "@media"
                            | "screenand"
                            | "@mediascreenand"
                            | "@mediaonlyscreenand"
                            | "@mediaalland"
                            | "screen"
                            | "all"
                    )
                });
                bounds.alone &= joins;
                continue;
            }
            let range = if is_height { &mut bounds.height } else { &mut bounds.width };
            let number = |text: &str| length(text.trim_matches(['=', ':']));
            if let Some(value) = part
                .strip_prefix("min-")
                .and_then(|rest| rest.split_once(':'))
                .and_then(|(_, value)| number(value))
            {
                range[0] = range[0].max(value);
            } else if let Some(value) = part
                .strip_prefix("max-")
                .and_then(|rest| rest.split_once(':'))
                .and_then(|(_, value)| number(value))
            {
                range[1] = range[1].min(value);
            } else {
                // `400px <= width < 600px`
                let pieces: Vec<&str> = part.split(['<', '>']).collect();
                let at = pieces
                    .iter()
                    .position(|piece| piece.contains("width") || piece.contains("height"))
                    .unwrap_or(0);
                let descends = part.contains('>');
                for (index, piece) in pieces.iter().enumerate() {
                    let Some(value) = number(piece) else { continue };
                    if (index < at) == descends {
                        range[1] = range[1].min(value);
                    } else {
                        range[0] = range[0].max(value);
                    }
                }
            }
        }
        bounds
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are small")]
    fn hold(&self, width: u32, height: u32) -> bool {
        let holds = |[least, most]: [f32; 2], size: u32| (least..=most).contains(&(size as f32));
        holds(self.width, width) && holds(self.height, height)
    }
}

/// A size between two bounds: the usual one if it is there, else near the middle, else near the one bound that there is.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "windows are small"
)]
fn within([least, most]: [f32; 2], usual: u32) -> u32 {
    let size = if (least..=most).contains(&(usual as f32)) {
        usual as f32
    } else if most.is_infinite() {
        least + 40.0
    } else if least <= 0.0 {
        most - 10.0
    } else {
        f32::midpoint(least, most)
    };
    size.clamp(200.0, 4_000.0) as u32
}

fn length(text: &str) -> Option<f32> {
    let unit = text.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
    let size: f32 = text.strip_suffix(unit)?.parse().ok()?;
    match unit {
        "px" | "" => Some(size),
        "em" | "rem" => Some(size * 16.0),
        _ => None,
    }
}

/// A page with a condition taken as given.
pub(crate) fn under(html: &str, condition: &Condition) -> String {
    if condition.named == POINTED {
        return pointed_at(html);
    }
    if condition.sized {
        return html.to_owned();
    }
    let heads: Vec<String> =
        condition.named.split('@').map(squeezed).filter(|head| !head.is_empty()).collect();
    let mut plain = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, behind)) = rest.split_once('@') {
        plain.push_str(before);
        let head = behind.split('{').next().filter(|head| head.len() < 1_000).unwrap_or_default();
        let is_one = is_conditional(head) && heads.contains(&squeezed(&without_comments(head)));
        if is_one {
            plain.push_str("@media all");
            rest = behind.get(head.len()..).unwrap_or_default();
        } else {
            plain.push('@');
            rest = behind;
        }
    }
    plain.push_str(rest);
    // The condition of a whole sheet stands in an attribute.
    for head in condition.named.split('@').filter_map(|head| head.trim().strip_prefix("media ")) {
        for quote in ['"', '\''] {
            plain =
                plain.replace(&format!("media={quote}{head}{quote}"), &format!("media={quote}all{quote}"));
        }
    }
    plain
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|ch| !ch.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = behind.split_once("*/").map_or("", |(_, behind)| behind);
    }
    plain.push_str(rest);
    plain
}

/// A page in which everything is pointed at and has the focus.
fn pointed_at(html: &str) -> String {
    let mut plain = html.to_owned();
    for state in STATES {
        let mut next = String::with_capacity(plain.len());
        let mut rest = plain.as_str();
        while let Some((before, behind)) = rest.split_once(state) {
            next.push_str(before);
            // `:focus-within` begins like `:focus`, and a state alone stands for any element.
            let longer = behind.starts_with('-');
            let alone =
                before.chars().next_back().is_none_or(|ch| ch.is_whitespace() || ",}>+~(;".contains(ch));
            next.push_str(if longer {
                state
            } else if alone {
                "*"
            } else {
                ""
            });
            rest = behind;
        }
        next.push_str(rest);
        plain = next;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(named: &str) -> Option<(u32, u32)> {
        let looked_at = [Viewport::DESKTOP, Viewport::PHONE];
        condition(named, &looked_at).map(|found| (found.viewport.width, found.viewport.height))
    }

    #[test]
    fn a_condition_is_looked_at_in_a_window_that_it_names() {
        assert_eq!(size("@media (min-width:600px) and (max-width:1100px)"), Some((850, 800)));
        assert_eq!(size("@media (min-width: 1400px)"), Some((1440, 800)));
        assert_eq!(size("@media (max-width:360px)"), Some((350, 800)));
        assert_eq!(size("@media (600px <= width < 1100px)"), Some((850, 800)));
        assert_eq!(size("@media (max-height:600px)"), Some((1280, 590)));
        assert_eq!(size("@media (prefers-color-scheme: dark)"), Some((1280, 800)));
        assert_eq!(size("@media screen and (color)"), Some((1280, 800)));
        for looked_at in [
            "@media (max-width:600px)",
            "@media screen and (min-width: 48em)",
            "@media print",
            "@media (width > 900px)",
        ] {
            assert_eq!(size(looked_at), None, "{looked_at}");
        }
    }

    #[test]
    fn a_page_under_a_condition_has_its_rules_without_it() {
        let page = "<style>@media (prefers-color-scheme:dark){p{color:red}}a:hover{x:y}:focus-visible{z:w}b:focus-within{}</style>";
        let dark = condition("@media (prefers-color-scheme: dark)", &[]).expect("a condition");
        assert!(under(page, &dark).contains("@media all{p{color:red}}"));
        let pointed =
            under(page, &Condition { named: POINTED.to_owned(), viewport: Viewport::PHONE, sized: false });
        assert!(pointed.contains("}a{x:y}*{z:w}b{}"), "{pointed}");
    }
}
