//! Declarations in style sheets and where they stand. Reads just enough CSS to find the place where a
//! value was written.

use std::ops::Range;

/// One declaration. Offsets are relative to the page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Declaration {
    /// The selector list of the rule around it, white space collapsed; empty in a `style` attribute.
    pub(crate) selector: String,
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
    let mut selectors: Vec<String> = Vec::new();
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
            // Addresses may hold semicolons.
            b'(' if css
                .get(at.saturating_sub(3)..at)
                .is_some_and(|word| word.eq_ignore_ascii_case("url")) =>
            {
                at = css.get(at..).and_then(|rest| rest.find(')')).map_or(css.len(), |end| at + end);
            }
            b'{' => {
                let head = collapse(css.get(piece_start..at).unwrap_or_default());
                let outer = selectors.last().cloned().unwrap_or_default();
                selectors.push(if head.starts_with('@') { outer } else { head });
                piece_start = at + 1;
            }
            b'}' => {
                push(css, piece_start..at, offset, selectors.last(), &mut found);
                selectors.pop();
                piece_start = at + 1;
            }
            b';' => {
                push(css, piece_start..at, offset, selectors.last(), &mut found);
                piece_start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The declarations of a `style` attribute whose value begins at `offset` of the page.
pub(crate) fn inline_declarations(css: &str, offset: usize) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut start = 0;
    let top = String::new();
    for piece in css.split(';') {
        push(css, start..start + piece.len(), offset, Some(&top), &mut found);
        start += piece.len() + 1;
    }
    found
}

fn push(
    css: &str,
    piece: Range<usize>,
    offset: usize,
    selector: Option<&String>,
    found: &mut Vec<Declaration>,
) {
    let (Some(selector), Some(text)) = (selector, css.get(piece.clone())) else {
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
        selector: selector.clone(),
        property: if name.starts_with("--") { name.to_owned() } else { name.to_ascii_lowercase() },
        value: trimmed.to_owned(),
        span: start..start + trimmed.len(),
    });
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    fn inline_styles_are_read_the_same_way() {
        let found = inline_declarations("color:#999; margin: 0", 10);
        assert_eq!(
            found.iter().map(|found| (found.value.as_str(), found.span.clone())).collect::<Vec<_>>(),
            [("#999", 16..20), ("0", 30..31)]
        );
    }
}
