//! Puts every known defect into every page of this project and counts who noticed, as JSON. With a folder, writes the
//! broken pages into it instead.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

#[path = "../tests/mutations/mod.rs"]
mod mutated;

use mutated::PAGES;
use mutated::defects::{DEFECTS, Defect};
use mutated::judge::{Outcome, design_of, judge, look};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::args_os().nth(1) {
        Some(folder) => write(Path::new(&folder)),
        None => count(),
    }
}

fn write(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut written = 0_usize;
    for (name, page) in PAGES {
        for defect in DEFECTS {
            if let Some(broken) = (defect.put_into)(page) {
                fs::write(folder.join(format!("{name}-{}.html", defect.name.replace(' ', "-"))), broken)?;
                written += 1;
            }
        }
    }
    writeln!(io::stdout().lock(), "{written}")?;
    Ok(())
}

fn count() -> Result<(), Box<dyn std::error::Error>> {
    let mut counts = Counts::default();
    let mut wrong = Vec::new();
    let mut broken_pages = 0_usize;
    for (name, page) in PAGES {
        let design = design_of(page);
        let clean = look(page, &design)?;
        for open in clean.findings.iter().filter(|one| one.severity.is_must_fix()) {
            counts.strange(&open.check);
            wrong.push(format!("{name}: {}: {}", open.check, open.what));
        }
        for defect in DEFECTS {
            let Some(broken) = (defect.put_into)(page) else {
                continue;
            };
            broken_pages += 1;
            let outcome = judge(&clean, &look(&broken, &design)?, defect);
            counts.add(defect, &outcome);
            if !outcome.holds() {
                wrong.push(format!("{name}: {}, for {}: {outcome:?}", defect.name, defect.check));
            }
        }
    }
    let checks: serde_json::Map<String, serde_json::Value> = counts
        .0
        .iter()
        .map(|(check, count)| {
            let value = serde_json::json!({
                "noticed": count.noticed, "missed": count.missed, "strange": count.strange, "weak": count.weak,
            });
            (check.clone(), value)
        })
        .collect();
    let all = serde_json::json!({
        "pages": PAGES.len(), "defects": DEFECTS.len(), "brokenPages": broken_pages, "checks": checks, "wrong": wrong,
    });
    writeln!(io::stdout().lock(), "{all}")?;
    Ok(())
}

/// Counts for one check.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    /// Defects it noticed.
    noticed: usize,
    /// Defects it did not notice.
    missed: usize,
    /// Serious findings that no defect explains.
    strange: usize,
    /// Defects whose panelist lost nothing, or that were called less bad than they are.
    weak: usize,
}

/// Counts by check.
#[derive(Debug, Default)]
struct Counts(BTreeMap<String, Count>);

impl Counts {
    /// Takes in one outcome.
    fn add(&mut self, defect: &Defect, outcome: &Outcome) {
        let count = self.0.entry(defect.check.to_owned()).or_default();
        if outcome.noticed {
            count.noticed += 1;
            count.weak += usize::from(!(outcome.severe && outcome.fell));
        } else {
            count.missed += 1;
        }
        for (check, _) in &outcome.strangers {
            self.strange(check);
        }
    }

    /// Takes in a serious finding that nothing explains.
    fn strange(&mut self, check: &str) {
        self.0.entry(check.to_owned()).or_default().strange += 1;
    }
}
