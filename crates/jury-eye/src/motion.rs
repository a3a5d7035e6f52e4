//! The animations an element declares.

use blitz_dom::BaseDocument;
use style::properties::{ComputedValues, PropertyDeclaration};
use style::rule_tree::CascadeOrigin;
use style::values::specified::animation::AnimationIterationCount;

use crate::snapshot::Animation;

/// What the style sheets of the page animate on an element.
pub(crate) fn animations(document: &BaseDocument, values: &ComputedValues) -> Vec<Animation> {
    let ui = values.get_ui();
    let named = ui
        .animation_name_iter()
        .enumerate()
        .filter_map(|(index, name)| Some((index, name.as_atom()?.to_string())));
    let mut rounds = None;
    named
        .filter_map(|(index, name)| {
            let seconds = ui.animation_duration_mod(index).seconds();
            if seconds <= 0.0 {
                return None;
            }
            let declared = rounds.get_or_insert_with(|| declared_rounds(document, values));
            let rounds = match declared.len() {
                0 => Some(1.0),
                count => declared.get(index % count).copied().flatten(),
            };
            Some(Animation { name, seconds, rounds })
        })
        .collect()
}

/// How many rounds the page asks for, for each animation. Computed values do not say: the eye lets each run once.
fn declared_rounds(document: &BaseDocument, values: &ComputedValues) -> Vec<Option<f32>> {
    let guard = document.guard().read();
    let mut rule = Some(values.rules());
    while let Some(node) = rule {
        rule = node.parent();
        if node.cascade_level().origin() == CascadeOrigin::UA {
            continue;
        }
        let Some(source) = node.style_source() else {
            continue;
        };
        let declared = source.read(&guard).declarations().iter().rev().find_map(|declaration| {
            if let PropertyDeclaration::AnimationIterationCount(list) = declaration {
                Some(list)
            } else {
                None
            }
        });
        if let Some(list) = declared {
            return list
                .0
                .iter()
                .map(|count| match count {
                    AnimationIterationCount::Number(number) => Some(number.get().unwrap_or(1.0)),
                    AnimationIterationCount::Infinite => None,
                })
                .collect();
        }
    }
    Vec::new()
}
