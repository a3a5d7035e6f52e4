//! How the checks score a folder of pages: the spread of each check's score, how many findings of each severity, and,
//! with `--list CHECK`, every finding of a check; with `--list all`, what must be fixed and what is open.
//!
//! `cargo run -p jury-house --example panel -- FOLDER [--list CHECK|all]`

use jury_core::severity::Severity;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::{env, fs};

use jury_eye::Beside;
use jury_house::report;

#[derive(Default)]
struct Row {
    scores: Vec<f64>,
    /// Findings and pages with one, from minor to critical.
    findings: [(usize, usize); 4],
    undecided: usize,
}

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let listed = if arguments.next().as_deref() == Some("--list") { arguments.next() } else { None };
    let mut pages: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "html"))
        .collect();
    pages.sort();
    let mut out = io::stdout().lock();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for path in &pages {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let page = String::from_utf8_lossy(&fs::read(path)?).into_owned();
        let report = match report(&page, None, &Beside::nothing()) {
            Ok(report) => report,
            Err(error) => {
                writeln!(out, "{name}: {error}")?;
                continue;
            }
        };
        for check in &report.checks {
            let row = rows.entry(check.id.clone()).or_default();
            row.scores.extend(check.score.map(|span| span.low));
            for (index, severity) in
                [Severity::Minor, Severity::Moderate, Severity::Serious, Severity::Critical]
                    .into_iter()
                    .enumerate()
            {
                let count = report
                    .findings
                    .iter()
                    .filter(|found| found.check == check.id && found.severity == severity)
                    .count();
                if let Some((findings, pages)) = row.findings.get_mut(index) {
                    *findings += count;
                    *pages += usize::from(count > 0);
                }
            }
            row.undecided += report.undecided.iter().filter(|found| found.check == check.id).count();
        }
        let found = report.findings.iter().map(|found| (format!("{:?}", found.severity), found));
        let open = report.undecided.iter().map(|found| ("Open".to_owned(), found));
        for (kind, found) in found.chain(open) {
            let wanted = match listed.as_deref() {
                Some("all") => found.severity >= Severity::Serious || kind == "Open",
                Some(check) => found.check.starts_with(check),
                None => false,
            };
            if wanted {
                writeln!(out, "{name}\t{kind}\t{}\t{}\t{}", found.check, found.cause, found.what)?;
            }
        }
    }
    writeln!(
        out,
        "{:24} {:>5}  {:>5} {:>5} {:>5}  {:>9} {:>9} {:>9} {:>9} {:>5}",
        "check", "pages", "p10", "p50", "p90", "minor", "moderate", "serious", "critical", "open"
    )?;
    for (id, row) in &mut rows {
        row.scores.sort_by(f64::total_cmp);
        let at = |tenths: usize| {
            row.scores.get(row.scores.len().saturating_sub(1) * tenths / 10).copied().unwrap_or(f64::NAN)
        };
        write!(out, "{id:24} {:>5}  {:>5.1} {:>5.1} {:>5.1} ", row.scores.len(), at(1), at(5), at(9))?;
        for (findings, pages) in row.findings {
            write!(out, " {:>9}", format!("{findings}/{pages}"))?;
        }
        writeln!(out, " {:>5}", row.undecided)?;
    }
    Ok(())
}
