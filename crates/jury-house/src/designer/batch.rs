//! Trying many repairs with few measurements: all at once, and on refusal each half by itself.

use std::collections::BTreeSet;

use crate::page::Page;
use crate::score::{Examination, examine};

use super::acceptance;
use super::edit::{self, Key, Repair};

/// A page after some repairs.
pub(crate) struct Step<'subject> {
    pub(crate) page: Page<'subject>,
    pub(crate) examination: Examination,
    /// What was done; all of it is made to the text the step began with.
    pub(crate) repairs: Vec<Repair>,
}

/// How much may still be measured.
#[derive(Debug)]
pub(crate) struct Budget(pub(crate) usize);

/// Tries repairs on one page.
pub(crate) struct Batch<'a, 'subject> {
    pub(crate) page: &'a Page<'subject>,
    pub(crate) examination: &'a Examination,
    pub(crate) budget: &'a mut Budget,
    /// Repairs that did not help, by themselves or with what was kept before them.
    pub(crate) refused: &'a mut BTreeSet<Key>,
}

impl<'subject> Batch<'_, 'subject> {
    /// The largest part of the repairs that bisecting finds acceptable.
    pub(crate) fn settle(&mut self, repairs: &[Repair]) -> Option<Step<'subject>> {
        let mut best = None;
        self.part(repairs, &mut best);
        best
    }

    fn part(&mut self, repairs: &[Repair], best: &mut Option<Step<'subject>>) {
        if repairs.is_empty() || self.budget.0 == 0 {
            return;
        }
        if let Some(step) = self.attempt(repairs, best.as_ref()) {
            *best = Some(step);
            return;
        }
        if let [only] = repairs {
            self.refused.insert(only.key(&self.page.html));
            return;
        }
        let (one, other) = repairs.split_at(repairs.len() / 2);
        self.part(one, best);
        self.part(other, best);
    }

    fn attempt(&mut self, repairs: &[Repair], best: Option<&Step<'subject>>) -> Option<Step<'subject>> {
        let kept = best.map_or(&[][..], |best| &best.repairs);
        let together: Vec<Repair> = kept.iter().chain(repairs).cloned().collect();
        let (html, applied) = edit::apply(&self.page.html, &together);
        let unchanged = best.map_or(&self.page.html, |best| &best.page.html);
        if html == *unchanged {
            return None;
        }
        self.budget.0 = self.budget.0.checked_sub(1)?;
        // A page the engine cannot take any more is not an improvement.
        let page = if applied.iter().all(Repair::leaves_pixels) {
            let behind =
                |page: &Page<'_>| acceptance::Counterparts::of(self.page, page, &applied).behind(self.page);
            Page::measure_like(html, self.page.subject, behind).ok()?
        } else {
            Page::measure(html, self.page.subject).ok()?
        };
        let examination = examine(&page);
        // Held against the page as it was before the step, where element positions are known, and against what
        // was already reached.
        let reached = best.map_or(self.examination, |best| &best.examination);
        let falls = acceptance::Potential::of(&examination) < acceptance::Potential::of(reached);
        let accepted =
            falls && acceptance::accepts((self.page, self.examination), (&page, &examination), &applied);
        accepted.then_some(Step { page, examination, repairs: applied })
    }
}
