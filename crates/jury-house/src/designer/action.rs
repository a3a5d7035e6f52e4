//! Repairs of the main action: a fill that can hardly be told from the page gets one that can, and its text stays
//! readable on it. Text that cannot be read is repaired as text, wherever it stands.

use jury_eye::Node;
use jury_text::colour::{HEADROOM, Rgb, contrast, nearest_lightness};
use jury_text::css_colour;

use crate::checks::{ActionColours, faint_action};
use crate::css::Declaration;
use crate::page::Page;
use crate::text_run::Verdict;

use super::contrast::{FILL_AREA, is_used_for, may_reach, painted_share, without_important};
use super::edit::Repair;
use super::rule::style_elements;
use super::{Asked, Ways};

const CHECK: &str = "critic/cta";

/// What a fill is declared with.
const FILLS: &[&str] = &["background", "background-color"];

/// Ways to a fill that stands out: a token of the brand if one does, else the fill itself in another lightness; where it
/// is written, else on the action alone; with its text if that cannot stay as it is.
pub(super) fn colours(asked: &Asked<'_>) -> Vec<Ways> {
    let page = asked.page;
    let Some(action) = faint_action(page) else { return Vec::new() };
    let [text] = action.run.foregrounds[..] else { return Vec::new() };
    // What is laid on with an opacity is seen otherwise than it is written.
    if action.run.verdict != Verdict::Passes || action.run.opacity < 0.999 || action.run.alpha < 0.999 {
        return Vec::new();
    }
    let stands_out = |fill: Rgb| action.stands_out(fill, HEADROOM);
    let reads = |text: Rgb, fill: Rgb| contrast(text, fill) >= action.run.required * HEADROOM;
    let tokens = page.brand().map_or(&[][..], |brand| brand.colours.as_slice());
    let nearest = |from: Rgb, fits: &dyn Fn(Rgb) -> bool| {
        let distance = |token: &Rgb| token.oklab().distance(from.oklab());
        tokens
            .iter()
            .copied()
            .filter(|token| fits(*token))
            .min_by(|one, other| distance(one).total_cmp(&distance(other)))
    };
    let alone = |fill: Rgb| stands_out(fill) && reads(text, fill);
    let fills = [nearest(action.fill, &alone), nearest_lightness(action.fill, alone)];
    let mut ways = Ways::new();
    for fill in fills.into_iter().flatten() {
        ways.extend(written(page, &action, fill));
        ways.extend(on_the_action(asked, &action, fill, None));
    }
    let both = [
        nearest(action.fill, &|fill| stands_out(fill) && nearest(text, &|text| reads(text, fill)).is_some())
            .and_then(|fill| Some((fill, nearest(text, &|text| reads(text, fill))?))),
        nearest_lightness(action.fill, stands_out)
            .and_then(|fill| Some((fill, nearest_lightness(text, |text| reads(text, fill))?))),
    ];
    for (fill, text) in both.into_iter().flatten() {
        ways.extend(on_the_action(asked, &action, fill, Some(text)));
    }
    vec![ways]
}

/// The fill changed where it is written: in a property that paints nothing large, else in the rule.
fn written(page: &Page<'_>, action: &ActionColours<'_>, fill: Rgb) -> Option<Repair> {
    let holds = |declaration: &&Declaration| {
        css_colour::parse(without_important(&declaration.value))
            .is_some_and(|written| written.alpha > 0.9 && written.rgb.bytes() == action.fill.bytes())
    };
    let is_surface = |node: &Node| !matches!(node.role.as_deref(), Some("button" | "link"));
    let may_move = painted_share(page, action.fill, is_surface) < FILL_AREA;
    let is_property = |declaration: &&Declaration| {
        may_move && declaration.property.starts_with("--") && is_used_for(page, &declaration.property, FILLS)
    };
    let is_fill = |declaration: &&Declaration| {
        FILLS.contains(&declaration.property.as_str()) && may_reach(page, declaration, action.node.id)
    };
    let mut places: Vec<&Declaration> = page.declarations.iter().filter(holds).filter(is_property).collect();
    if places.is_empty() {
        places = page.declarations.iter().filter(holds).filter(is_fill).collect();
    }
    let first = places.first()?;
    let reason = format!(
        "{} {} to {} so that the main action stands out (line {})",
        first.property,
        action.fill.hex(),
        fill.hex(),
        page.source.line(first.span.start)
    );
    let edits = places
        .iter()
        .map(|declaration| {
            let end = declaration.span.start + without_important(&declaration.value).len();
            (declaration.span.start..end, fill.hex())
        })
        .collect();
    Some(Repair { edits, ..Repair::one(CHECK, 0..0, "", reason) })
}

/// The fill, and the text if need be, of the action alone.
fn on_the_action(asked: &Asked<'_>, action: &ActionColours<'_>, fill: Rgb, text: Option<Rgb>) -> Vec<Repair> {
    let text = text.map_or_else(String::new, |text| format!(";color:{}", text.hex()));
    let declaration = format!("background-color:{}{text}", fill.hex());
    let why = format!("the main action needs 3:1 against {}", action.behind.rounded().hex());
    style_elements(asked, CHECK, &[action.node.id], &declaration, &why)
}
