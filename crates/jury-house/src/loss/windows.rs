//! The windows, devices and states that the styles of a draft name, and in which a part of the page could be hidden.
//!
//! Two windows are always looked at. A rule that holds only in others (`@media`, `@container`, `:hover`) is looked at as well,
//! where it is not what the page had: in a window of the size that it names, with whatever else it asks for taken as given.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::line;
use jury_core::loss::{Loss, LossKind};
use jury_eye::{Snapshot, Viewport, look_at};

use super::inventory::Inventory;
use super::sight::Seeing;
use super::{Comparison, VIEWPORTS};
use crate::HouseError;
use crate::css::Declaration;

/// A page is looked at in no more conditions than this; that there are more is said.
const MOST_CONDITIONS: usize = 10;

/// Below this width, in pixels, a page may fold its menus away.
const FOLDING_PIXELS: u32 = 800;

/// The name for what holds while somebody points at something or has moved the focus there.
const POINTED: &str = ":hover";

/// States of elements that are gone as soon as somebody moves on.
const STATES: [&str; 5] = [":hover", ":active", ":focus-visible", ":focus-within", ":focus"];

/// A condition under which rules hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Condition {
    /// As it is written, or [`POINTED`].
    named: String,
    viewport: (u32, u32),
    /// Whether it asks for nothing but a size.
    sized: bool,
}

impl Comparison<'_> {
    /// What is missing in windows and states that only the draft's own rules know, and is not known to be missing already.
    pub(super) fn window_losses(
        &self,
        declared: &[Vec<Declaration>; 2],
        known: &[Loss],
    ) -> Result<Vec<Loss>, HouseError> {
        let [given, draft] = declared;
        let conditions = differing(given, draft);
        if known.iter().any(|loss| loss.kind == LossKind::Page) {
            return Ok(Vec::new());
        }
        let mut losses: Vec<Loss> = Vec::new();
        for condition in conditions.iter().take(MOST_CONDITIONS) {
            let [before, after] = self.sources.map(|html| under(html, condition));
            let (before, after) = (self.see(&before, condition)?, self.see(&after, condition)?);
            let told = |kind: LossKind| known.iter().chain(&losses).any(|loss| loss.kind == kind);
            let new =
                self.losses_between([&before, &after], condition).into_iter().filter(|loss| !told(loss.kind));
            let named = line::shortened(&condition.named, 60);
            let new: Vec<Loss> =
                new.map(|loss| Loss { said: format!("{} (under {named})", loss.said), ..loss }).collect();
            losses.extend(new);
        }
        if conditions.len() > MOST_CONDITIONS {
            let more: Vec<String> =
                conditions.iter().skip(MOST_CONDITIONS).map(|condition| condition.named.clone()).collect();
            losses.extend(Loss::unknown(&more));
        }
        Ok(losses)
    }

    fn see(&self, html: &str, condition: &Condition) -> Result<(Snapshot, String), HouseError> {
        let (width, height) = condition.viewport;
        let viewports = [Viewport { width, height }];
        let seen =
            look_at(jury_eye::Sight { html, beside: self.beside, viewports: &viewports, pixels: None })?;
        let snapshot = seen.into_iter().next();
        let snapshot =
            snapshot.ok_or_else(|| HouseError::Request { reason: "no window to look through".to_owned() })?;
        Ok((snapshot, html.to_owned()))
    }

    /// What of the texts, links, forms and pictures of the page in one condition is missing in the draft in the same.
    fn losses_between(&self, [before, after]: [&(Snapshot, String); 2], condition: &Condition) -> Vec<Loss> {
        let (before_seen, after_seen) = (Seeing::of(&before.0, &before.1), Seeing::of(&after.0, &after.1));
        if condition.viewport.0 < FOLDING_PIXELS {
            let blocks = [Inventory::main_blocks(&before_seen), Inventory::of(&after_seen).blocks];
            return self.narrow_losses(blocks, &[]);
        }
        let there = Comparison {
            given: Inventory::of(&before_seen),
            draft: Inventory::of(&after_seen),
            sources: self.sources,
            snapshots: [&before.0, &after.0],
            language: self.language,
            beside: self.beside,
            permit: self.permit.clone(),
        };
        there.seen_losses()
    }
}

/// The conditions under which the draft says something else than the page does.
fn differing(given: &[Declaration], draft: &[Declaration]) -> Vec<Condition> {
    let (before, after) = (by_condition(given), by_condition(draft));
    let changed = after.iter().filter(|(named, rules)| before.get(*named) != Some(rules));
    let conditions: BTreeSet<Condition> = changed.filter_map(|(named, _)| condition(named)).collect();
    conditions.into_iter().collect()
}

/// What is declared under each condition.
fn by_condition(declarations: &[Declaration]) -> BTreeMap<String, BTreeSet<(&str, &str, &str)>> {
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
fn condition(named: &str) -> Option<Condition> {
    let lower = named.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|ch: char| !(ch.is_alphanumeric() || ch == '-')).collect();
    if words.contains(&"print") && !words.contains(&"not") && !words.contains(&"screen") {
        return None;
    }
    let bounds = Bounds::of(&lower);
    let sized = bounds.alone && lower.starts_with("@media");
    if sized && VIEWPORTS.iter().any(|viewport| bounds.hold(viewport.width, viewport.height)) {
        return None;
    }
    let viewport = (within(bounds.width, VIEWPORTS[0].width), within(bounds.height, VIEWPORTS[0].height));
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
fn under(html: &str, condition: &Condition) -> String {
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
        condition(named).map(|condition| condition.viewport)
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
        let dark = condition("@media (prefers-color-scheme: dark)").expect("a condition");
        assert!(under(page, &dark).contains("@media all{p{color:red}}"));
        let pointed = under(page, &Condition { named: POINTED.to_owned(), viewport: (1, 1), sized: false });
        assert!(pointed.contains("}a{x:y}*{z:w}b{}"), "{pointed}");
    }
}
