//! Declarations with the selectors that carry them, indexed by what an element must be called to be reached.

use std::cell::Cell;
use std::collections::HashMap;

use jury_eye::{Node, Snapshot};

use crate::css::Declaration;
use crate::selector::{self, Match, Selector, Specificity, State};

/// How many comparisons of a rule with an element a page is worth. Beyond that everything may match, and nothing is
/// said for certain.
const MOST_COMPARISONS: u64 = 3_000_000;

/// One declaration under one selector.
#[derive(Debug)]
pub(crate) struct Rule<'a> {
    pub(crate) selector: Selector,
    pub(crate) declaration: &'a Declaration,
    order: usize,
}

impl Rule<'_> {
    /// What decides between two declarations of the same property.
    pub(crate) fn rank(&self) -> (bool, Specificity, usize) {
        (is_important(&self.declaration.value), self.selector.specificity, self.order)
    }
}

/// Whether a value outranks those that are not marked like it.
pub(crate) fn is_important(value: &str) -> bool {
    value.rsplit_once('!').is_some_and(|(_, word)| word.trim().eq_ignore_ascii_case("important"))
}

/// A value without its mark.
pub(crate) fn plain(value: &str) -> &str {
    if is_important(value) {
        value.rsplit_once('!').map_or(value, |(value, _)| value).trim()
    } else {
        value.trim()
    }
}

/// Rules of a page that somebody wants to know about.
#[derive(Debug)]
pub(crate) struct Rules<'a> {
    all: Vec<Rule<'a>>,
    by_key: HashMap<String, Vec<usize>>,
    /// Rules that may reach any element.
    anywhere: Vec<usize>,
    left: Cell<u64>,
}

impl<'a> Rules<'a> {
    /// The rules among these declarations that `wanted` asks for. Those for print are left out, and so are keyframes.
    pub(crate) fn among(
        declarations: impl IntoIterator<Item = &'a Declaration>,
        wanted: impl Fn(&Declaration) -> bool,
    ) -> Self {
        Self::selecting(declarations, wanted, |declaration| selector::list(&declaration.selector))
    }

    /// The same, by selectors that are made of those of the declarations.
    pub(crate) fn selecting(
        declarations: impl IntoIterator<Item = &'a Declaration>,
        wanted: impl Fn(&Declaration) -> bool,
        selectors: impl Fn(&Declaration) -> Vec<Selector>,
    ) -> Self {
        let mut rules: Vec<Rule<'a>> = Vec::new();
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        let mut anywhere = Vec::new();
        for declaration in declarations {
            if declaration.selector.is_empty() || !applies(&declaration.within) || !wanted(declaration) {
                continue;
            }
            for selector in selectors(declaration) {
                let index = rules.len();
                match selector.key() {
                    Some(key) => by_key.entry(key).or_default().push(index),
                    None => anywhere.push(index),
                }
                rules.push(Rule { selector, declaration, order: index });
            }
        }
        Self { all: rules, by_key, anywhere, left: Cell::new(MOST_COMPARISONS) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The rules that reach an element in this state, the ones that win last.
    pub(crate) fn reaching(&self, snapshot: &Snapshot, node: &Node, state: State) -> Vec<(Match, &Rule<'a>)> {
        let mut keys: Vec<String> = vec![node.tag.clone()];
        keys.extend(node.attribute("id").map(|id| format!("#{id}")));
        keys.extend(node.classes().map(|class| format!(".{class}")));
        let keyed = keys.iter().filter_map(|key| self.by_key.get(key)).flatten();
        let mut found: Vec<(Match, &Rule<'a>)> = self
            .anywhere
            .iter()
            .chain(keyed)
            .filter_map(|index| self.all.get(*index))
            .filter_map(|rule| {
                let Some(left) = self.left.get().checked_sub(1) else {
                    return Some((Match::Maybe, rule));
                };
                self.left.set(left);
                let found = rule.selector.reaches(snapshot, node, state);
                (found != Match::No).then_some((found, rule))
            })
            .collect();
        found.sort_by_key(|(_, rule)| rule.rank());
        found
    }
}

/// Whether rules inside these at-rules can hold on a screen.
fn applies(within: &str) -> bool {
    let lower = within.to_ascii_lowercase();
    let on_paper = |rule: &str| {
        rule.strip_prefix("media").is_some_and(|media| {
            media.split(',').all(|query| {
                let mut words = query.split_ascii_whitespace();
                let first = words.find(|word| *word != "only");
                first == Some("print")
            })
        })
    };
    !lower.split('@').any(on_paper) && !lower.contains("keyframes") && !lower.contains("@font-face")
}

#[cfg(test)]
mod tests {
    use jury_eye::{Viewport, look};

    use super::*;
    use crate::css;

    #[test]
    fn only_what_is_for_paper_alone_is_left_out() {
        for (within, holds) in [
            ("", true),
            ("@media print", false),
            ("@media only print and (color) @supports (x: y)", false),
            ("@media screen, print", true),
            ("@media not print", true),
            ("@media (min-width: 1px) @media print", false),
            ("@layer blueprint", true),
            ("@keyframes print", false),
        ] {
            assert_eq!(applies(within), holds, "{within}");
        }
    }

    #[test]
    fn what_cannot_reach_an_element_is_not_compared_with_it() {
        let rules: Vec<String> = (0..50).map(|index| format!(".x{index}:focus+i{{color:red}}")).collect();
        let sheet = rules.concat();
        let declarations = css::declarations(&sheet, 0);
        let rules = Rules::selecting(
            &declarations,
            |_| true,
            |declaration| declaration.selector.split('+').take(1).flat_map(selector::list).collect(),
        );
        let snapshot =
            look("<a class=x7>a</a><i>b</i>", Viewport::DESKTOP).expect("the page can be measured");
        for node in &snapshot.nodes {
            let reached = rules.reaching(&snapshot, node, State::Focused).len();
            assert_eq!(reached, usize::from(node.tag == "a"));
        }
        assert_eq!(rules.left.get(), MOST_COMPARISONS - 1);
    }
}
