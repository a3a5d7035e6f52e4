//! Declarations in style sheets and where they stand. Reads just enough CSS to find the place where a
//! value was written.

use std::ops::Range;

use jury_core::line;

use crate::selector;

/// One declaration. Offsets are relative to the page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Declaration {
    /// The selector list of the rule around it, white space collapsed and nesting resolved; empty in a `style`
    /// attribute.
    pub(crate) selector: String,
    /// The at-rules around it, outermost first, such as `@media print`; mostly empty.
    pub(crate) within: String,
    /// Lower-case property name; custom properties keep their case.
    pub(crate) property: String,
    /// The value as written, trimmed.
    pub(crate) value: String,
    /// Where the value stands.
    pub(crate) span: Range<usize>,
}

/// The declarations of a style sheet that begins at `offset` of the page.
pub(crate) fn declarations(css: &str, offset: usize) -> Vec<Declaration> {
    let mut found = Vec::new();
    let bytes = css.as_bytes();
    // Each open block has the text in front of its brace; at-rules that only group keep the outer one.
    let mut open: Vec<Block> = Vec::new();
    let mut piece_start = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = css
                    .get(at + 2..)
                    .and_then(|rest| rest.find("*/"))
                    .map_or(css.len(), |end| at + 2 + end + 2);
                // A comment in front of a selector or property is no part of it.
                if css.get(piece_start..at).is_some_and(|piece| piece.trim().is_empty()) {
                    piece_start = end;
                }
                at = end;
                continue;
            }
            b'"' | b'\'' => {
                at += 1;
                while bytes.get(at).is_some_and(|next| *next != byte && *next != b'\n') {
                    at += if bytes.get(at) == Some(&b'\\') { 2 } else { 1 };
                }
            }
            // Addresses may hold semicolons; in quotes they end with the quote.
            b'(' if css
                .get(at.saturating_sub(3)..at)
                .is_some_and(|word| word.eq_ignore_ascii_case("url"))
                && !css.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(['"', '\''])) =>
            {
                at = css.get(at..).and_then(|rest| rest.find(')')).map_or(css.len(), |end| at + end);
            }
            b'{' => {
                let head = line::joined(css.get(piece_start..at).unwrap_or_default());
                open.push(Block::inside(open.last(), head));
                piece_start = at + 1;
            }
            b'}' => {
                push(css, piece_start..at, offset, open.last(), &mut found);
                open.pop();
                piece_start = at + 1;
            }
            b';' => {
                push(css, piece_start..at, offset, open.last(), &mut found);
                piece_start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Selectors longer than this are not spelled out any further: each level of nesting could double them.
const LONGEST_SELECTOR: usize = 2_000;

/// What holds for the declarations of an open block.
#[derive(Debug, Default)]
struct Block {
    selector: String,
    within: String,
}

impl Block {
    fn inside(outer: Option<&Self>, head: String) -> Self {
        let (selector, within) =
            outer.map_or(("", ""), |outer| (outer.selector.as_str(), outer.within.as_str()));
        if head.starts_with('@') {
            let within = match within {
                "" => head,
                outer if outer.len() < LONGEST_SELECTOR => format!("{outer} {head}"),
                outer => outer.to_owned(),
            };
            return Self { selector: selector.to_owned(), within };
        }
        let resolved = if selector.is_empty() || selector.len() + head.len() > LONGEST_SELECTOR {
            head
        } else {
            nested(selector, &head)
        };
        Self { selector: resolved, within: within.to_owned() }
    }
}

/// A selector inside a rule, as it would be written outside of it.
fn nested(outer: &str, inner: &str) -> String {
    let outer = if outer.contains(',') { format!(":is({outer})") } else { outer.to_owned() };
    selector::split_list(inner)
        .into_iter()
        .map(|part| {
            let part = part.trim();
            if part.contains('&') { part.replace('&', &outer) } else { format!("{outer} {part}") }
        })
        .collect::<Vec<_>>()
        .join(", ")
}

/// The declarations of a `style` attribute whose value begins at `offset` of the page.
pub(crate) fn inline_declarations(css: &str, offset: usize) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut start = 0;
    let top = Block::default();
    for piece in css.split(';') {
        push(css, start..start + piece.len(), offset, Some(&top), &mut found);
        start += piece.len() + 1;
    }
    found
}

fn push(css: &str, piece: Range<usize>, offset: usize, block: Option<&Block>, found: &mut Vec<Declaration>) {
    let (Some(block), Some(text)) = (block, css.get(piece.clone())) else {
        return;
    };
    let Some((property, value)) = text.split_once(':') else {
        return;
    };
    let name = property.rsplit("*/").next().unwrap_or(property).trim();
    let well_formed =
        !name.is_empty() && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '-' | '_'));
    if !well_formed {
        return;
    }
    let lead = value.len() - value.trim_start().len();
    let start = offset + piece.start + property.len() + 1 + lead;
    let trimmed = value.trim();
    found.push(Declaration {
        selector: block.selector.clone(),
        within: block.within.clone(),
        property: if name.starts_with("--") { name.to_owned() } else { name.to_ascii_lowercase() },
        value: trimmed.to_owned(),
        span: start..start + trimmed.len(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_keep_their_selector_and_their_place() {
        let css = "/* x */ :root{--ink: #333;}\n@media (min-width:1px){ .a > b { color : red ; background:url(a;b) } }";
        let found = declarations(css, 100);
        let seen: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|found| (found.selector.as_str(), found.property.as_str(), found.value.as_str()))
            .collect();
        assert_eq!(
            seen,
            [(":root", "--ink", "#333"), (".a > b", "color", "red"), (".a > b", "background", "url(a;b)"),]
        );
        for declaration in &found {
            let local = declaration.span.start - 100..declaration.span.end - 100;
            assert_eq!(css.get(local), Some(declaration.value.as_str()));
        }
    }

    #[test]
    fn nesting_is_resolved_and_at_rules_are_kept() {
        let found =
            declarations(".a, .b { color: red; &:focus { outline: 0 } @media print { i { top: 0 } } }", 0);
        let seen: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|found| (found.within.as_str(), found.selector.as_str(), found.property.as_str()))
            .collect();
        assert_eq!(
            seen,
            [
                ("", ".a, .b", "color"),
                ("", ":is(.a, .b):focus", "outline"),
                ("@media print", ":is(.a, .b) i", "top"),
            ]
        );
    }

    #[test]
    fn quotes_end_an_address_and_functions_hold_lists() {
        let found = declarations(
            ".i{background:url( \"data:image/svg+xml,%3csvg stroke='rgba(0,0,0,.5)'/%3e\" ) no-repeat}.b:focus{top:0}\
             .c{&:is(:hover,:focus),&.d{left:0}}",
            0,
        );
        let seen: Vec<(&str, &str)> =
            found.iter().map(|found| (found.selector.as_str(), found.property.as_str())).collect();
        assert_eq!(seen, [(".i", "background"), (".b:focus", "top"), (".c:is(:hover,:focus), .c.d", "left")]);
    }

    #[test]
    fn inline_styles_are_read_the_same_way() {
        let found = inline_declarations("color:#999; margin: 0", 10);
        assert_eq!(
            found.iter().map(|found| (found.value.as_str(), found.span.clone())).collect::<Vec<_>>(),
            [("#999", 16..20), ("0", 30..31)]
        );
    }
}
