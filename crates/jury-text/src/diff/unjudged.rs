//! What of a change only an opinion can vouch for. It is no fault: a model may find it right. Without one the work does not
//! pass, because nobody looked at what decides whether it is right.

use super::detect::settings::{Place, touched};
use super::settings::is_asked;
use super::side::{Sides, sides};
use super::tree::Allowance;
use super::{Diff, effect, guards, named};

/// What nobody judged, a sentence each that says what to do.
pub fn unjudged(diff: &Diff, prompt: &str) -> Vec<String> {
    let sides = sides(diff, &|_, _| None, &mut Allowance::default());
    [
        named::unmet(diff, prompt),
        guards::unjudged_tests(diff, &sides, prompt),
        settings(&sides, prompt),
        effect::doubtful(&sides, prompt),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Settings of checks that change: what nobody asked for, and what takes something away although somebody did.
fn settings(sides: &[Sides<'_>], prompt: &str) -> Option<String> {
    let file = sides.iter().find(|file| {
        let asked = is_asked(file.path, prompt);
        match touched(file, prompt) {
            Some(Place::Added) => !asked,
            Some(Place::Changed | Place::LeavesOut(_) | Place::Removed(_) | Place::Gone) => true,
            None => false,
        }
    })?;
    Some(format!(
        "{} decides which checks run or what their failure means, and nobody judged whether they still look at the same; let a \
         model judge it (--agent)",
        file.path
    ))
}
