//! `--watch`: a page is measured again when it or what it is made of changes, and what came of the change is told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jury_house::ReportedFinding;

use super::batch::{Asking, Batch};
use super::mark::Mark;
use super::{Checked, Rules, judge, pages};
use crate::document;
use crate::output::{self, Output};
use crate::refusal::Refusal;
use crate::render::check::watch as render;

/// How often files are looked at. People do not notice less; a machine does not notice this.
const INTERVAL: Duration = Duration::from_millis(300);

/// Looking takes at most this part of the time, however large the folder.
const SHARE: u32 = 20;

/// A page as it was when it was measured last.
struct Known {
    /// The page and what it is made of.
    marks: BTreeMap<PathBuf, Mark>,
    checked: Checked,
}

/// Measures the pages, then waits for changes. Only a wish to stop ends it.
pub(super) async fn watch(
    given: &[PathBuf],
    asking: Asking,
    design: Option<&Path>,
    rules: &Rules,
    output: Output,
) -> Result<u8, Refusal> {
    let mut known: BTreeMap<PathBuf, Known> = BTreeMap::new();
    let mut asking = asking;
    let mut design_mark = design.map(Mark::of);
    let mut first = true;
    loop {
        let begun = Instant::now();
        let present = match pages::expand(given) {
            Ok(present) => present,
            Err(refusal) if first => return Err(refusal),
            // Whoever saves a file may take it away for a moment.
            Err(_) => Vec::new(),
        };
        let design_now = design.map(Mark::of);
        if design_now != design_mark {
            design_mark = design_now;
            match design.map(document::read_design).transpose() {
                Ok(design) => asking.design = design,
                // Half a file, or none for a moment: what was read before goes on until it is whole.
                Err(refusal) => output.note(&refusal.message),
            }
            for page in known.values_mut() {
                page.marks.clear();
            }
        }
        for page in gone(&known, &present) {
            known.remove(&page);
            Output::result(&render::gone(&page));
        }
        let changed: Vec<PathBuf> =
            present.into_iter().filter(|page| known.get(page).is_none_or(Known::has_changed)).collect();
        let looking = begun.elapsed();
        if !changed.is_empty() {
            measure(changed, &asking, rules, &mut known, output).await;
        }
        if first {
            Output::result(&render::waiting(known.len(), output));
            first = false;
        }
        output::delivered(0)?;
        tokio::time::sleep(pause(looking)).await;
    }
}

/// How long to wait after looking for so long. How long pages took to be measured does not matter: whoever works on
/// them waits for the next one.
fn pause(looking: Duration) -> Duration {
    INTERVAL.max(looking.min(INTERVAL) * SHARE)
}

/// The pages that are there no more. Nobody takes all of them away: a folder that is empty is being written.
fn gone(known: &BTreeMap<PathBuf, Known>, present: &[PathBuf]) -> Vec<PathBuf> {
    if present.is_empty() {
        return Vec::new();
    }
    let present: BTreeSet<&PathBuf> = present.iter().collect();
    known.keys().filter(|page| !present.contains(page) && !page.is_file()).cloned().collect()
}

async fn measure(
    changed: Vec<PathBuf>,
    asking: &Asking,
    rules: &Rules,
    known: &mut BTreeMap<PathBuf, Known>,
    output: Output,
) {
    // Taken before the page is read, as those of what it loads are: what changes meanwhile is seen as a change.
    let mut before: BTreeMap<PathBuf, Mark> =
        changed.iter().map(|page| (page.clone(), Mark::of(page))).collect();
    let mut batch = Batch::start(changed, asking.clone());
    while let Some((path, answer)) = batch.next().await {
        let mut marks = answer.loaded.clone();
        marks.insert(path.clone(), before.remove(&path).unwrap_or_default());
        let checked = judge(&path, answer, rules, None);
        let previous = known.remove(&path);
        Output::result(&match &previous {
            Some(previous) => render::changed(&Change::between(&previous.checked, &checked), output),
            None => render::first(&checked, rules.shown, output),
        });
        known.insert(path, Known { marks, checked });
    }
}

impl Known {
    fn has_changed(&self) -> bool {
        self.marks.is_empty() || self.marks.iter().any(|(file, before)| Mark::of(file) != *before)
    }
}

/// What a change of the page came to.
pub(crate) struct Change<'a> {
    pub(crate) before: &'a Checked,
    pub(crate) after: &'a Checked,
    /// Findings that are gone.
    pub(crate) fixed: Vec<&'a ReportedFinding>,
    /// Findings that were not there.
    pub(crate) new: Vec<&'a ReportedFinding>,
}

impl<'a> Change<'a> {
    fn between(before: &'a Checked, after: &'a Checked) -> Self {
        let findings = |page: &'a Checked| page.report.as_ref().map_or(&[][..], |report| &report.findings);
        let missing = |of: &'a [ReportedFinding], from: &'a [ReportedFinding]| -> Vec<&'a ReportedFinding> {
            let ids: BTreeSet<&str> = from.iter().map(|found| found.id.as_str()).collect();
            of.iter().filter(|found| !ids.contains(found.id.as_str())).collect()
        };
        let (old, new) = (findings(before), findings(after));
        // Without figures nothing is known to be fixed.
        let fixed = if after.report.is_ok() { missing(old, new) } else { Vec::new() };
        Self { before, after, fixed, new: missing(new, old) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_at_many_files_takes_a_small_part_of_the_time() {
        for (looking, expected) in [(0, 300), (10, 300), (40, 800), (300, 6_000), (5_000, 6_000)] {
            assert_eq!(pause(Duration::from_millis(looking)), Duration::from_millis(expected), "{looking}");
        }
    }
}
