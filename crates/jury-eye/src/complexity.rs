//! How much work a page would be, estimated from its source before the engine sees it.
//!
//! The engine takes every page as it comes. A few kilobytes can ask for gigabytes: rules that all match everything,
//! variables that double each other, formatting that is opened again in every paragraph. Such a page is refused
//! here, in time that grows with its length and no faster.

use std::collections::HashMap;

use crate::EyeError;
use crate::tags::tags;

/// More elements than this are not laid out: in four windows they would take seconds and half a gigabyte. Long articles have
/// some thousands.
const MOST_ELEMENTS: usize = 40_000;

/// More rules than this are not read. Large frameworks have some thousands.
const MOST_RULES: usize = 100_000;

/// Rules times elements: in the worst case each rule is held against each element.
const MOST_MATCHES: usize = 60_000_000;

/// Bytes of all variables of a style sheet, put in for each other.
const MOST_VARIABLE_BYTES: usize = 4 * 1024 * 1024;

/// Elements that the parser opens again in the next paragraph when they were not closed in this one.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// So many of them around an element are nothing to worry about.
const USUAL_FORMATTING: usize = 8;

/// Refuses a page that would be too much. `sheets` are the style sheets beside it.
pub(crate) fn check<'a>(html: &'a str, sheets: impl Iterator<Item = &'a str>) -> Result<(), EyeError> {
    let elements = elements(html);
    let refuse = |what, count: usize, limit: usize| {
        if count > limit { Err(EyeError::TooComplex { what, count, limit }) } else { Ok(()) }
    };
    refuse("elements", elements, MOST_ELEMENTS)?;
    let mut rules = 0_usize;
    let styles: Vec<&str> =
        tags(html).map(|tag| tag.content).filter(|css| !css.is_empty()).chain(sheets).collect();
    for css in &styles {
        rules = rules.saturating_add(css.bytes().filter(|byte| *byte == b'{').count());
    }
    refuse("style rules", rules, MOST_RULES)?;
    refuse("rules times elements", rules.saturating_mul(elements), MOST_MATCHES)?;
    // Variables of one style sheet are used in another, so they are looked at together. Those of `style` attributes
    // are in the page itself.
    let mut css = styles.join("\n");
    for style in tags(html).filter_map(|tag| tag.value("style")).filter(|style| style.contains("--")) {
        css.push_str(style);
        css.push(';');
    }
    refuse("bytes in variables", expanded(&css), MOST_VARIABLE_BYTES)
}

/// How many elements the parser makes of a source.
fn elements(html: &str) -> usize {
    let mut count = 0_usize;
    let mut open = 0_usize;
    // Of links only one is ever open: the next one ends it, wherever it stands.
    let mut link_open = false;
    let mut seen = 0;
    for tag in tags(html) {
        count = count.saturating_add(1);
        // End tags since the last start tag; what stands in scripts and texts is passed over with its tag.
        let between = html.get(seen..tag.start).unwrap_or_default();
        for end in between.split("</").skip(1) {
            let name = end.split(|ch: char| !ch.is_ascii_alphanumeric()).next().unwrap_or_default();
            if name.eq_ignore_ascii_case("a") {
                open = open.saturating_sub(usize::from(link_open));
                link_open = false;
            } else if FORMATTING.iter().any(|formatting| formatting.eq_ignore_ascii_case(name)) {
                open = open.saturating_sub(1);
            }
        }
        seen = tag.content_start + tag.content.len();
        if tag.name == "a" {
            open += usize::from(!link_open);
            link_open = true;
        } else if FORMATTING.contains(&tag.name.as_str()) {
            open += 1;
        } else {
            count = count.saturating_add(open.saturating_sub(USUAL_FORMATTING));
        }
    }
    count
}

/// The length of all custom properties when the variables in them are put in.
fn expanded(css: &str) -> usize {
    let mut properties: HashMap<&str, (usize, Vec<&str>)> = HashMap::new();
    let mut rest = css;
    while let Some((_, after)) = rest.split_once("--") {
        rest = after;
        let length =
            after.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte)).count();
        let Some((name, tail)) = after.split_at_checked(length) else {
            break;
        };
        let Some(value) = tail.trim_start().strip_prefix(':') else {
            continue;
        };
        let value = value.split([';', '}']).next().unwrap_or_default();
        let uses = value.split("var(").skip(1).filter_map(|used| {
            let used = used.trim_start().strip_prefix("--")?;
            used.split(|ch: char| !(ch.is_ascii_alphanumeric() || "-_".contains(ch))).next()
        });
        // Of several definitions any may be the one that counts: the longest stands for all.
        let (known, used) = properties.entry(name).or_default();
        *known = (*known).max(value.len());
        let more: Vec<&str> = uses.collect();
        if more.len() > used.len() {
            *used = more;
        }
        rest = tail;
    }
    let mut sizes: HashMap<&str, Option<usize>> = HashMap::new();
    let mut total = 0_usize;
    let mut names: Vec<&str> = properties.keys().copied().collect();
    names.sort_unstable();
    for name in names {
        total = total.saturating_add(size_of(name, &properties, &mut sizes));
    }
    total
}

/// The expanded length of one property. One that uses itself is invalid and has none.
fn size_of<'a>(
    name: &'a str,
    properties: &HashMap<&'a str, (usize, Vec<&'a str>)>,
    sizes: &mut HashMap<&'a str, Option<usize>>,
) -> usize {
    let mut stack = vec![(name, false)];
    while let Some((name, done)) = stack.pop() {
        let Some((own, uses)) = properties.get(name) else {
            continue;
        };
        if done {
            let of = |used: &&str| sizes.get(*used).copied().flatten().unwrap_or(0);
            let size = uses.iter().map(of).fold(*own, usize::saturating_add);
            sizes.insert(name, Some(size));
        } else if !sizes.contains_key(name) {
            sizes.insert(name, None);
            stack.push((name, true));
            stack.extend(uses.iter().map(|used| (*used, false)));
        }
    }
    sizes.get(name).copied().flatten().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(html: &str) -> Option<&'static str> {
        match check(html, std::iter::empty()) {
            Err(EyeError::TooComplex { what, .. }) => Some(what),
            _ => None,
        }
    }

    fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
        (0..count).map(piece).collect::<Vec<_>>().concat()
    }

    #[test]
    fn too_much_is_refused_by_what_it_is() {
        assert_eq!(refused(&"<i></i>".repeat(100_001)), Some("elements"));
        assert_eq!(refused(&format!("<style>{}</style>", "a{}".repeat(100_001))), Some("style rules"));
        let both = format!("<style>{}</style>{}", "a{}".repeat(10_000), "<hr>".repeat(10_000));
        assert_eq!(refused(&both), Some("rules times elements"));
        let again: String = numbered(400, |n| format!("<font size={n}>"));
        assert_eq!(refused(&format!("{again}{}", "<p>".repeat(1_000))), Some("elements"));
        assert_eq!(refused(&"<p><b>x</b></p>".repeat(20_000)), None);
        let anchors = numbered(4_000, |n| format!("<h2><a id=\"s{n}\"/>A part</h2><p>x</p>"));
        assert_eq!(refused(&anchors), None);
    }

    #[test]
    fn variables_that_double_each_other_are_refused() {
        let laughs: String = numbered(40, |n| format!("--v{n}:var(--v{}) var(--v{});", n + 1, n + 1));
        assert_eq!(
            refused(&format!("<style>:root{{{laughs}--v40:haha}}</style>")),
            Some("bytes in variables")
        );
        assert_eq!(refused("<style>:root{--a:var(--b);--b:var(--a);--c:var(--c)}</style>"), None);
        assert_eq!(refused("<style>:root{--a:red}p{--b:var(--a) var(--a);color:var(--b)}</style>"), None);
    }
}
