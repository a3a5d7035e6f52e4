//! The windows, devices and states that the styles of a draft name, and in which a part of the page could be hidden.
//!
//! Two windows are always looked at. A rule that holds only in others (`@media`, `@container`, `:hover`) is looked at as well,
//! where it is not what the page had: in a window of the size that it names, with whatever else it asks for taken as given.

use jury_core::line;
use jury_core::loss::{Loss, LossKind};
use jury_eye::{Snapshot, look_at};

use super::inventory::Inventory;
use super::sight::Seeing;
use super::{Comparison, VIEWPORTS};
use crate::HouseError;
use crate::conditions::{Condition, by_condition, condition, under};
use crate::css::Declaration;

/// A page is looked at in no more conditions than this; that there are more is said.
const MOST_CONDITIONS: usize = 10;

/// Below this width, in pixels, a page may fold its menus away.
const FOLDING_PIXELS: u32 = 800;

impl Comparison<'_> {
    /// What is missing in windows and states that only the draft's own rules know, and is not known to be missing already.
    pub(super) fn window_losses(
        &self,
        declared: &[Vec<Declaration>; 2],
        known: &[Loss],
    ) -> Result<Vec<Loss>, HouseError> {
        let [given, draft] = declared;
        let conditions = differing(given, draft);
        if known.iter().any(|loss| loss.kind == LossKind::Page) {
            return Ok(Vec::new());
        }
        let mut losses: Vec<Loss> = Vec::new();
        for condition in conditions.iter().take(MOST_CONDITIONS) {
            let [before, after] = self.sources.map(|html| under(html, condition));
            let (before, after) = (self.see(&before, condition)?, self.see(&after, condition)?);
            let told = |kind: LossKind| known.iter().chain(&losses).any(|loss| loss.kind == kind);
            let new =
                self.losses_between([&before, &after], condition).into_iter().filter(|loss| !told(loss.kind));
            let named = line::shortened(&condition.named, 60);
            let new: Vec<Loss> =
                new.map(|loss| Loss { said: format!("{} (under {named})", loss.said), ..loss }).collect();
            losses.extend(new);
        }
        if conditions.len() > MOST_CONDITIONS {
            let more: Vec<String> =
                conditions.iter().skip(MOST_CONDITIONS).map(|condition| condition.named.clone()).collect();
            losses.extend(Loss::unknown(&more));
        }
        Ok(losses)
    }

    fn see(&self, html: &str, condition: &Condition) -> Result<(Snapshot, String), HouseError> {
        let viewports = [condition.viewport];
        let seen =
            look_at(jury_eye::Sight { html, beside: self.beside, viewports: &viewports, pixels: None })?;
        let snapshot = seen.into_iter().next();
        let snapshot =
            snapshot.ok_or_else(|| HouseError::Request { reason: "no window to look through".to_owned() })?;
        Ok((snapshot, html.to_owned()))
    }

    /// What of the texts, links, forms and pictures of the page in one condition is missing in the draft in the same.
    fn losses_between(&self, [before, after]: [&(Snapshot, String); 2], condition: &Condition) -> Vec<Loss> {
        let (before_seen, after_seen) = (Seeing::of(&before.0, &before.1), Seeing::of(&after.0, &after.1));
        if condition.viewport.width < FOLDING_PIXELS {
            let blocks = [Inventory::main_blocks(&before_seen), Inventory::of(&after_seen).blocks];
            return self.narrow_losses(blocks, &[]);
        }
        let there = Comparison {
            given: Inventory::of(&before_seen),
            draft: Inventory::of(&after_seen),
            sources: self.sources,
            snapshots: [&before.0, &after.0],
            language: self.language,
            beside: self.beside,
            permit: self.permit.clone(),
        };
        there.seen_losses()
    }
}

/// The conditions under which the draft says something else than the page does.
fn differing(given: &[Declaration], draft: &[Declaration]) -> Vec<Condition> {
    let (before, after) = (by_condition(given), by_condition(draft));
    let changed = after.iter().filter(|(named, rules)| before.get(*named) != Some(rules));
    changed.filter_map(|(named, _)| condition(named, &VIEWPORTS)).collect()
}
