//! Declarations in style sheets with the selectors that they hold for and the places where their values stand.

use std::ops::Range;

use jury_text::css::{self, Sheet};

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
    let sheet = Sheet::read(css);
    let mut blocks: Vec<Block> = Vec::with_capacity(sheet.blocks.len());
    for block in sheet.blocks {
        let outer = block.outer.and_then(|outer| blocks.get(outer));
        let block = Block::inside(outer, block.head);
        blocks.push(block);
    }
    let within = |declaration: css::Declaration<'_>| {
        let block = declaration.block.and_then(|block| blocks.get(block))?;
        Some(placed(declaration, block, offset))
    };
    sheet.declarations.into_iter().filter_map(within).collect()
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
    let top = Block::default();
    let own = Sheet::read(css).declarations.into_iter().filter(|declaration| declaration.block.is_none());
    own.map(|declaration| placed(declaration, &top, offset)).collect()
}

fn placed(declaration: css::Declaration<'_>, block: &Block, offset: usize) -> Declaration {
    let css::Declaration { property, value, span, .. } = declaration;
    Declaration {
        selector: block.selector.clone(),
        within: block.within.clone(),
        property,
        value: value.to_owned(),
        span: offset + span.start..offset + span.end,
    }
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
