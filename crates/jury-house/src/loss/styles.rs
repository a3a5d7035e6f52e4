//! What new styles of a draft do to the parts of the page in ways that the engine does not compute.
//!
//! A style whose effect is computed is seen in the boxes and colours. One whose effect is not could take a part away unnoticed:
//! then it is not known whether the part can be seen, and that is said. So the properties that are computed, or that change no
//! more than the looks of what stays where it is, are listed; any other is unread where it reaches a part of the page.

use std::collections::BTreeSet;

use jury_eye::{Node, Snapshot};
use jury_text::css_colour;
use jury_text::loss::{Sight, plain_words};

use crate::css::{Declaration, inline_declarations};
use crate::rules::{Rules, plain};
use crate::selector::{Match, State};

use super::sight::Seeing;
use super::unread::{FAINT_SHARE, first, inside, number};

/// Properties that the engine computes, and those that leave what they are given to where it is, as it is. A name with a hyphen
/// at its end stands for all that begin with it.
const READ: &str = "accent-color align- animation animation- appearance aspect-ratio backdrop-filter backface-visibility \
    background background- block-size border border- bottom box-sizing break- caption-side caret-color clear color color-scheme \
    column- columns container container- counter- cursor direction display empty-cells fill flex flex- float flood- flow font font- \
    forced-color-adjust gap grid grid- hanging-punctuation height hyphenate- hyphens image-rendering inline-size inset inset- \
    interpolate-size field-sizing isolation justify- left letter-spacing lighting-color line-break line-height list-style \
    list-style- margin margin- marker max- min- object-fit opacity order orphans osx-font-smoothing outline outline- overflow \
    overflow- overscroll-behavior overscroll-behavior- padding padding- page page- paint-order place- position print-color-adjust \
    quotes resize right rotate row-gap ruby- scale scroll- scrollbar- shape- stop- stroke stroke- tab-size table-layout \
    tap-highlight-color text-align text-align- text-combine-upright text-decoration text-decoration- text-emphasis text-emphasis- \
    text-fill-color text-indent text-justify text-orientation text-overflow text-rendering text-shadow text-size-adjust \
    text-stroke text-stroke- text-transform text-underline- text-wrap text-wrap- top touch-action transform-origin \
    transform-box transform-style transition transition- translate unicode-bidi user-drag user-select vertical-align visibility \
    overflow-scrolling white-space white-space- widows width will-change font-smoothing word-break word-wrap writing-mode \
    box-orient z-index zoom text-security filter clip clip-path mask mask-image";

/// A shadow or an outline that reaches so far, in pixels, lies over what is beside its element.
const FAR_SHADOW: f32 = 100.0;

/// Words that stand closer than this share of the size of their letters run together.
const CLOSE_WORDS: f32 = -0.2;

/// Columns narrower than this, in pixels, hold no words.
const NARROW_COLUMN: f32 = 60.0;

/// Further than this, in pixels, a picture is out of its own box.
const FAR_PICTURE: f32 = 100.0;

/// What new styles do.
#[derive(Debug, Default)]
pub(super) struct Styled {
    /// Parts of the page of which it is not known whether they can be seen, by the property that is not computed.
    pub(super) unread: Vec<(String, String)>,
    /// Words that a style writes beside parts of the page.
    pub(super) written: Vec<String>,
    /// Links, fields and buttons that nothing can be done with any more.
    pub(super) dead: Vec<String>,
}

/// What the declarations that the page did not have do in a draft.
pub(super) fn added(given: &[Declaration], draft: &[Declaration], seeing: &Seeing<'_>) -> Styled {
    let known: BTreeSet<(&str, &str)> =
        given.iter().map(|own| (own.property.as_str(), plain(&own.value))).collect();
    let is_new = |own: &Declaration| !known.contains(&(own.property.as_str(), plain(&own.value)));
    let suspect = |own: &Declaration| is_new(own) && Effect::of(own).is_some();
    let mut styled = Styled::default();
    let inline =
        |node: &Node| node.attribute("style").map(|style| inline_declarations(style, 0)).unwrap_or_default();
    let snapshot = seeing.snapshot;
    let has_inline = snapshot.nodes.iter().any(|node| inline(node).iter().any(suspect));
    if !has_inline && !draft.iter().any(suspect) {
        return styled;
    }
    let rules = Rules::among(draft, suspect);
    for node in &snapshot.nodes {
        let own = inline(node);
        let own = own.iter().filter(|own| suspect(own)).map(|own| (own.clone(), false));
        let reaching = rules.reaching(snapshot, node, State::Rest).into_iter();
        let reaching = reaching
            .filter(|(found, _)| *found != Match::No)
            .map(|(_, rule)| (rule.declaration.clone(), rule.selector.pseudo_element));
        for (declaration, beside) in reaching.chain(own) {
            styled.note(seeing, node, &declaration, beside);
        }
    }
    styled
}

/// What a declaration may do to the part that it reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It is not computed.
    Unread,
    /// It writes words.
    Writes,
    /// Nothing can be pointed at any more.
    Deadens,
}

impl Effect {
    fn of(declaration: &Declaration) -> Option<Self> {
        let (property, value) = (bare(&declaration.property), plain(&declaration.value).to_ascii_lowercase());
        match property {
            "pointer-events" => (value == "none").then_some(Self::Deadens),
            "content" if value.contains("url(") || value.contains("gradient(") => Some(Self::Unread),
            "content" => says_something(&value).then_some(Self::Writes),
            _ => (!is_read(property, &value)).then_some(Self::Unread),
        }
    }
}

impl Styled {
    fn note(&mut self, seeing: &Seeing<'_>, node: &Node, declaration: &Declaration, beside: bool) {
        let property = bare(&declaration.property);
        match Effect::of(declaration) {
            Some(Effect::Deadens) if !beside => {
                for inner in around(seeing.snapshot, node) {
                    let name = match inner.tag.as_str() {
                        "a" if inner.attribute("href").is_some() => &inner.name,
                        "button" | "input" | "select" | "textarea" => &inner.name,
                        _ => continue,
                    };
                    push(&mut self.dead, name.clone());
                }
            }
            Some(Effect::Writes) if beside && part(seeing, node).is_some() => {
                push(&mut self.written, plain(&declaration.value).to_owned());
            }
            // What a box beside the words does to itself is its own affair; what it paints is computed.
            Some(Effect::Unread) if !beside => {
                if let Some(part) = part(seeing, node) {
                    push(&mut self.unread, (property.to_owned(), part));
                }
            }
            Some(Effect::Deadens | Effect::Writes | Effect::Unread) | None => {}
        }
    }
}

fn push<T: PartialEq>(list: &mut Vec<T>, one: T) {
    if !list.contains(&one) {
        list.push(one);
    }
}

fn around<'a>(snapshot: &'a Snapshot, node: &'a Node) -> impl Iterator<Item = &'a Node> {
    std::iter::once(node).chain(snapshot.descendants(node).filter(move |inner| inner.id != node.id))
}

/// What of the page an element holds: its first words, or a picture.
fn part(seeing: &Seeing<'_>, node: &Node) -> Option<String> {
    let has_words =
        |inner: &&Node| !plain_words(&inner.text).is_empty() && seeing.text(inner) == Sight::Shown;
    let is_picture = |inner: &&Node| {
        matches!(inner.tag.as_str(), "img" | "svg" | "video" | "canvas" | "iframe") && inner.shown
    };
    around(seeing.snapshot, node).find(|inner| has_words(inner) || is_picture(inner)).map(|inner| {
        if inner.text.is_empty() { format!("{} {}", inner.tag, inner.name) } else { inner.text.clone() }
    })
}

/// The name of a property without the mark of a maker.
fn bare(property: &str) -> &str {
    let makers = ["-webkit-", "-moz-", "-ms-", "-o-"];
    makers.iter().find_map(|maker| property.strip_prefix(maker)).unwrap_or(property)
}

fn is_read(property: &str, value: &str) -> bool {
    if property.starts_with("--") {
        return true;
    }
    let listed =
        READ.split_whitespace().any(|own| own == property || own.ends_with('-') && property.starts_with(own));
    let usual = matches!(
        value,
        "none" | "normal" | "auto" | "initial" | "inherit" | "unset" | "revert" | "0" | "visible"
    );
    // What a variable holds is not read here; where it matters, that is said.
    let known = !value.contains("var(") && !value.contains("url(");
    match property {
        _ if usual => true,
        "filter" | "clip-path" | "mask" | "mask-image" => known && !is_far_away(property, value),
        "box-shadow" => lengths(value).all(|size| size.abs() < FAR_SHADOW),
        // A number alone is one of columns.
        "column-width" | "columns" => {
            let sized = value.split_whitespace().filter(|word| word.parse::<u32>().is_err());
            sized.flat_map(lengths).all(|size| size >= NARROW_COLUMN)
        }
        "word-spacing" => is_wide(value, CLOSE_WORDS),
        "transform" => known && !["3d", "translatez", "perspective"].iter().any(|name| value.contains(name)),
        "object-position" => {
            lengths(value).all(|size| size.abs() < FAR_PICTURE)
                && shares(value).all(|share| (0.0..=100.0).contains(&share))
        }
        "mix-blend-mode" => false,
        "contain" => !value.split_whitespace().any(|word| matches!(word, "size" | "strict" | "inline-size")),
        // Text that is cut to a number of lines is not shown whole.
        "line-clamp" => false,
        _ => listed,
    }
}

/// Shapes, masks and filters that are not worked out, beside those that leave nothing for certain.
fn is_far_away(property: &str, value: &str) -> bool {
    match property {
        "clip-path" => {
            ["path(", "shape(", "xywh("].iter().any(|shape| value.contains(shape)) || is_mostly_cut(value)
        }
        "mask" | "mask-image" => !value.contains("gradient(") || !lets_through(value),
        // Turned black; turned white by `invert` behind it, a sign is still one.
        _ => {
            let dark = inside(value, "brightness").and_then(first);
            let share = |(size, unit): (f32, &str)| if unit == "%" { size / 100.0 } else { size };
            dark.is_some_and(|size| share(size) <= FAINT_SHARE) && !value.contains("invert")
        }
    }
}

/// The whole of a box, in per cent.
const WHOLE: f32 = 100.0;

/// A shape that leaves less than half of a box, or whose size is not told in shares of it.
fn is_mostly_cut(value: &str) -> bool {
    if let Some(inset) = inside(value, "inset") {
        let sides: Vec<f32> = inset
            .split("round")
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .filter_map(number)
            // Of a length it is not known how much of the box it is.
            .map(|(size, unit)| if unit == "%" || size == 0.0 { size } else { WHOLE })
            .collect();
        let side = |at: usize, or: usize| {
            sides.get(at).or_else(|| sides.get(or)).or_else(|| sides.first()).copied().unwrap_or_default()
        };
        let (across, down) = (side(1, 0) + side(3, 1), side(0, 0) + side(2, 0));
        return across >= WHOLE / 2.0 || down >= WHOLE / 2.0;
    }
    if let Some(points) = inside(value, "polygon") {
        let points: Option<Vec<(f32, f32)>> = points
            .split(',')
            .map(|point| {
                let share = |(size, unit): (f32, &str)| (unit == "%" || size == 0.0).then_some(size);
                let mut sizes = point.split_whitespace().filter_map(number).map(share);
                Some((sizes.next()??, sizes.next()??))
            })
            .collect();
        let Some(points) = points else { return true };
        let next = points.iter().skip(1).chain(points.first());
        let twice: f32 = points.iter().zip(next).map(|((x, y), (to_x, to_y))| x * to_y - to_x * y).sum();
        return twice.abs() < WHOLE * WHOLE;
    }
    ["circle", "ellipse"].iter().any(|shape| {
        inside(value, shape).and_then(first).is_some_and(|(size, unit)| !(unit == "%" && size >= 40.0))
    })
}

/// Whether a mask of gradients lets half of what it is given to through: one of its colours covers.
fn lets_through(value: &str) -> bool {
    let stops = css_colour::find_all(value);
    stops.iter().any(|(_, _, written)| written.alpha > 0.5)
}

/// The lengths in a value, in pixels as far as a number tells.
fn lengths(value: &str) -> impl Iterator<Item = f32> {
    let words =
        value.split(|ch: char| ch.is_whitespace() || matches!(ch, ',' | '(' | ')')).filter_map(number);
    words.filter_map(|(size, unit)| match unit {
        "px" | "" => Some(size),
        "em" | "rem" | "ch" | "lh" => Some(size * 16.0),
        "vw" | "vh" | "vmin" | "vmax" | "dvh" | "svh" => Some(size * 8.0),
        _ => None,
    })
}

fn shares(value: &str) -> impl Iterator<Item = f32> {
    value.split_whitespace().filter_map(number).filter(|(_, unit)| *unit == "%").map(|(size, _)| size)
}

/// Whether a spacing is not closer than this share of the size of letters.
fn is_wide(value: &str, closest: f32) -> bool {
    number(value).is_none_or(|(size, unit)| match unit {
        "em" | "rem" | "ch" => size > closest,
        "%" => size / 100.0 > closest,
        _ => size / 16.0 > closest,
    })
}

/// Whether what a style writes has words: letters or digits in quotes that are no sign of a font.
fn says_something(value: &str) -> bool {
    let mut quoted = value.split(['"', '\'']).skip(1).step_by(2);
    quoted.any(|text| {
        let text = without_escapes(text);
        text.chars().any(char::is_alphanumeric)
    }) || value.contains("attr(")
}

/// A text without characters that are written by their number, which are signs.
fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        plain.push_str(before);
        let digits = behind.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        let code = u32::from_str_radix(behind.get(..digits).unwrap_or_default(), 16).ok();
        plain.extend(code.and_then(char::from_u32));
        rest = behind.get(digits..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_that_could_take_a_part_away_is_unread() {
        for (property, value) in [
            ("offset-path", "path('m-9999 -9999')"),
            ("mix-blend-mode", "screen"),
            ("box-shadow", "0 0 0 9999px #fff"),
            ("transform", "translatez(-9999px)"),
            ("column-width", "1px"),
            ("word-spacing", "-1em"),
            ("contain", "size"),
            ("mask", "linear-gradient(#0000,#0000)"),
            ("mask", "linear-gradient(rgba(0,0,0,0),rgba(0,0,0,0))"),
            ("mask", "url('data:image/svg+xml,<svg/>')"),
            ("clip-path", "path('M0 0')"),
            ("clip-path", "inset(0 100% 0 0)"),
            ("clip-path", "polygon(0 0,1px 0,1px 1px)"),
            ("filter", "var(--x)"),
            ("filter", "brightness(0)"),
            ("object-position", "9999px 0"),
            ("line-clamp", "1"),
            ("something-new", "1"),
        ] {
            assert!(!is_read(property, value), "{property}: {value}");
        }
        for (property, value) in [
            ("color", "red"),
            ("margin-top", "4px"),
            ("box-shadow", "0 2px 8px rgba(0,0,0,.2)"),
            ("transform", "translatey(-2px) scale(1.02)"),
            ("mask-image", "linear-gradient(#000, transparent)"),
            ("clip-path", "polygon(0 0, 100% 0, 100% 90%, 0 100%)"),
            ("clip-path", "inset(0 0 5% 0)"),
            ("filter", "drop-shadow(0 1px 2px #000)"),
            ("filter", "brightness(0) invert(1)"),
            ("object-position", "center top"),
            ("object-position", "50% 20%"),
            ("contain", "layout paint"),
            ("columns", "2"),
            ("offset-path", "none"),
        ] {
            assert!(is_read(property, value), "{property}: {value}");
        }
    }

    #[test]
    fn signs_say_nothing_and_words_do() {
        for value in ["''", "'→ '", "\"\\201C\"", "\"\\f0c9\"", "counter(step) '. '", "none"] {
            assert!(!says_something(value), "{value}");
        }
        for value in ["' and up'", "\"24\"", "attr(data-x)", "'\\41'"] {
            assert!(says_something(value), "{value}");
        }
    }
}
