//! What is changed in a page before the engine reads it, and the few rules added to the engine's own
//! style sheet. The page's own text is never shown to anyone in this form.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::carried::{self, Carried};
use crate::hints;
use crate::references::without_broken_addresses;
use crate::tags::tags;

/// The page as the engine gets it, and the pictures it carries in itself.
pub(crate) fn page(html: &str) -> (String, Vec<String>) {
    let Carried { page, pictures } = carried::cut(html);
    let page = mark_drawings(&without_broken_addresses(&page));
    let page = hints::with_six_digits(keep_text_fill(&rewrite_styles(&prefer_reduced_motion(&page))));
    (page, pictures)
}

/// Rewrites the style sheets of a page and its `style` attributes to what the engine understands.
fn rewrite_styles(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut done = 0;
    for tag in tags(html) {
        if let Some(style) = tag.value("style")
            && let Some(marked) = mark_text_clips(style)
        {
            let start = style.as_ptr() as usize - html.as_ptr() as usize;
            out.push_str(html.get(done..start).unwrap_or_default());
            out.push_str(&marked);
            done = start + style.len();
        }
        if tag.content.is_empty() {
            continue;
        }
        let marked = mark_text_clips(tag.content);
        let media = tag.attribute("media").map(str::trim).filter(|media| !matches!(*media, "" | "all"));
        if marked.is_none() && media.is_none() {
            continue;
        }
        let css = marked.as_deref().unwrap_or(tag.content);
        out.push_str(html.get(done..tag.content_start).unwrap_or_default());
        match media {
            // The engine does not read the media of a `style` element, only those in its rules.
            Some(media) => {
                let _ = write!(out, "@media {media}{{{css}}}");
            }
            None => out.push_str(css),
        }
        done = tag.content_start + tag.content.len();
    }
    out.push_str(html.get(done..).unwrap_or_default());
    out
}

/// A style sheet beside the page as the engine gets it.
pub(crate) fn style_sheet(css: &str) -> String {
    let css = prefer_reduced_motion(css);
    mark_text_clips(&css).unwrap_or(css)
}

/// The property that stands for a background clipped to text.
pub(crate) const CLIPPED_TO_TEXT: &str = "jury-clipped-to-text";

/// The engine does not know a background that is clipped to text. A property of our own says so in its place.
fn mark_text_clips(css: &str) -> Option<String> {
    const NAME: &str = "background-clip";
    let mut out = String::new();
    let mut rest = css;
    while let Some((before, after)) = rest.split_once(NAME) {
        let value = after.trim_start().strip_prefix(':').map(str::trim_start);
        let is_text = value.is_some_and(|value| {
            value.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("text"))
                && !value
                    .get(4..5)
                    .is_some_and(|next| next.starts_with(|ch: char| ch.is_ascii_alphanumeric() || ch == '-'))
        });
        if is_text {
            out.push_str(before.strip_suffix("-webkit-").unwrap_or(before));
            let _ = write!(out, "--{CLIPPED_TO_TEXT}");
        } else {
            out.push_str(before);
            out.push_str(NAME);
        }
        rest = after;
    }
    if out.is_empty() {
        return None;
    }
    out.push_str(rest);
    Some(out)
}

/// Makes reduced motion the preference in force.
///
/// The engine does not know the media feature, so a query for it would never match; a feature that is
/// always true (or never) says the same thing.
pub(crate) fn prefer_reduced_motion(html: &str) -> String {
    const FEATURE: &str = "prefers-reduced-motion";
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once(FEATURE) {
        out.push_str(before);
        let value_end = after.find([')', '{', ';', '\n']).unwrap_or(0);
        let (value, tail) = after.split_at_checked(value_end).unwrap_or(("", after));
        if !tail.starts_with(')') || !before.trim_end().ends_with('(') {
            out.push_str(FEATURE);
            rest = after;
            continue;
        }
        out.push_str(if value.contains("no-preference") { "max-width: 0px" } else { "min-width: 0px" });
        rest = tail;
    }
    out.push_str(rest);
    out
}

/// Hands the fill of text, which the engine does not know, down as one of the author's own properties: it is
/// inherited in the same way.
pub(crate) fn keep_text_fill(css: &str) -> String {
    css.replace("-webkit-text-fill-color", "--webkit-text-fill-color")
}

/// Says the shape of a drawing that does not say both of its sides.
pub(crate) const RATIO: &str = "jury-ratio";

/// Writes the shape that `viewBox` gives a drawing where rules can see it: the engine compares the names of attributes
/// in small letters only, and this one has a large one.
fn mark_drawings(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once("<svg") {
        out.push_str(before);
        out.push_str("<svg");
        let tag = after.split_once('>').map_or("", |(tag, _)| tag);
        if (attribute_value(tag, "width").is_none() || attribute_value(tag, "height").is_none())
            && let Some(view_box) = attribute_value(tag, "viewBox")
            && let [_, _, across, down] =
                view_box.split([' ', ',']).filter_map(|part| part.parse::<f32>().ok()).collect::<Vec<_>>()[..]
            && across > 0.0
            && down > 0.0
        {
            let _ = write!(out, " {RATIO}=\"{across}/{down}\"");
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What a browser paints under a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Canvas {
    Light,
    Dark,
}

/// What a browser gives a page that asks for nothing but dark colours, as Chromium has them.
const DARK_RULES: &str = "html{color:#fff;background-color:#121212}a:link{color:#9e9eff}\
     button,input,select,textarea{color:#fff;background-color:#3b3b3b}\
     button,input[type=submit],input[type=reset],input[type=button]{background-color:#6b6b6b}\
     input[type=checkbox],input[type=radio],input[type=range],input[type=image]{background-color:transparent}";

/// Rules for the engine's own sheet.
///
/// SVG is built without its renderer (it would bring in a dozen crates to draw what is never looked at),
/// so its content is hidden and its box is sized from its attributes, below the author's own rules.
///
/// Motion is over before it begins. Animations are held long after their end, so that they show what they fill
/// forwards, or else the element's own style; one that never ends runs once, because it has no end to be measured
/// at. They are held rather than played to the end because the engine forgets an animation that has ended, and
/// with it what it fills, when the next window changes the style. Transitions would start at each such change.
pub(crate) fn extra_rules(html: &str, canvas: Canvas) -> String {
    let mut rules = String::from(
        "svg{display:inline-block;overflow:hidden;width:300px;height:150px}svg *{display:none!important}\
         button,input,select,textarea{font-size:13.3333px}\
         *,*::before,*::after{transition-property:none!important;animation-play-state:paused!important;\
         animation-delay:-1000000s!important;animation-iteration-count:1!important}",
    );
    let mut sizes = BTreeSet::new();
    for piece in html.split("<svg").skip(1) {
        let Some((tag, _)) = piece.split_once('>') else {
            continue;
        };
        for attribute in ["width", "height"] {
            if let Some(value) = attribute_value(tag, attribute)
                && let Some(length) = length(value)
            {
                sizes.insert(format!("svg[{attribute}=\"{value}\"]{{{attribute}:{length}}}"));
            }
        }
        if let Some(ratio) = attribute_value(tag, RATIO) {
            // A missing side follows from the other; without both, a drawing is as wide as there is room.
            sizes.insert(format!(
                "svg[{RATIO}=\"{ratio}\"]{{aspect-ratio:{ratio}}}\
                 svg[{RATIO}=\"{ratio}\"]:not([height]){{height:auto}}\
                 svg[{RATIO}=\"{ratio}\"]:not([width]){{width:100%}}\
                 svg[{RATIO}=\"{ratio}\"]:not([width])[height]{{width:auto}}"
            ));
        }
    }
    if canvas == Canvas::Dark {
        rules.push_str(DARK_RULES);
    }
    rules.push_str(&hints::rules(html));
    // A picture that is not there has the shape that its attributes say, as in a browser. With `height: auto`, the usual rule
    // for narrow windows, it would otherwise have no height at all.
    for piece in html.split("<img").skip(1) {
        let Some((tag, _)) = piece.split_once('>') else {
            continue;
        };
        let pixels = |name| attribute_value(tag, name)?.parse::<u32>().ok().filter(|pixels| *pixels > 0);
        if let (Some(width), Some(height)) = (pixels("width"), pixels("height")) {
            sizes.insert(format!(
                "img[width=\"{width}\"][height=\"{height}\"]{{aspect-ratio:{width}/{height}}}"
            ));
        }
    }
    for size in sizes {
        // Writing to a string cannot fail.
        let _ = rules.write_str(&size);
    }
    rules
}

/// A length as an attribute has it: in pixels when no unit is written.
fn length(value: &str) -> Option<String> {
    let unit = value.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
    let number: f32 = value.strip_suffix(unit)?.parse().ok()?;
    let known = ["", "px", "em", "rem", "ex", "ch", "pt", "vw", "vh", "%"].contains(&unit);
    known.then(|| format!("{number}{}", if unit.is_empty() { "px" } else { unit }))
}

fn attribute_value<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    while let Some((before, after)) = rest.split_once(name) {
        let starts_word = before.ends_with(|ch: char| ch.is_ascii_whitespace());
        if let Some(value) = after.trim_start().strip_prefix('=')
            && starts_word
        {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|ch| matches!(ch, '"' | '\''))?;
            let value = value.strip_prefix(quote)?.split(quote).next()?;
            // The value goes into a selector, so only what a length or a viewBox needs is let through.
            return value
                .chars()
                .all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '.' | '-' | ' ' | ',' | '%' | '/'))
                .then_some(value);
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduced_motion_becomes_true_and_its_opposite_false() {
        assert_eq!(
            prefer_reduced_motion(
                "@media (prefers-reduced-motion: reduce) {} @media (prefers-reduced-motion:no-preference){} \
                 <p>prefers-reduced-motion"
            ),
            "@media (min-width: 0px) {} @media (max-width: 0px){} <p>prefers-reduced-motion"
        );
    }

    #[test]
    fn long_content_is_cut_and_media_are_heeded() {
        let long = "A".repeat(100_000);
        let (page, pictures) = page(&format!(
            "<img src='data:image/png;base64,{long}'><style media='print'>p{{}}</style>\
             <style media=all>@font-face{{src:url(data:font/ttf;base64,{long})}}</style>"
        ));
        assert!(page.len() < 1_000, "{}", page.len());
        assert_eq!(pictures.len(), 1);
        assert!(page.contains("<style media='print'>@media print{p{}}</style>"));
        assert!(page.ends_with("src:url(data:,)}</style>"));
    }

    #[test]
    fn backgrounds_clipped_to_text_are_marked_in_styles_only() {
        let (page, _) = page(
            "<style>a{-webkit-background-clip: text}b{background-clip:text-x}</style>\
             <i style='background-clip:text;color:red'>background-clip:text</i>",
        );
        assert_eq!(
            page,
            "<style>a{--jury-clipped-to-text: text}b{background-clip:text-x}</style>\
             <i style='--jury-clipped-to-text:text;color:red'>background-clip:text</i>"
        );
    }

    #[test]
    fn svg_boxes_take_the_size_of_their_attributes() {
        let rules =
            extra_rules("<svg width=\"24\" height='24px' viewBox=\"0 0 24 24\"></svg>", Canvas::Light);
        assert!(rules.contains("svg[width=\"24\"]{width:24px}"), "{rules}");
        assert!(rules.contains("svg[height=\"24px\"]{height:24px}"), "{rules}");
        assert!(!rules.contains("aspect-ratio"), "{rules}");
        let (page, _) =
            page("<svg width=\"1em\" height=\"50%\"></svg><svg height=\"24\" viewBox=\"0 0 48 24\">");
        let rules = extra_rules(&page, Canvas::Light);
        assert!(rules.contains("svg[width=\"1em\"]{width:1em}"), "{rules}");
        assert!(rules.contains("svg[height=\"50%\"]{height:50%}"), "{rules}");
        assert!(rules.contains("svg[jury-ratio=\"48/24\"]{aspect-ratio:48/24}"), "{rules}");
        assert!(!extra_rules("<svg width=\"auto\" height=\"1fr\">", Canvas::Light).contains("svg[width"));
    }
}
