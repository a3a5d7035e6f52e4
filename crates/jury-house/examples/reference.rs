//! Makes `src/reference/table.rs`, the quantiles that percentiles are read from, out of the pages in
//! `JURY_TRUTH_DIR/pages`: `JURY_TRUTH_DIR=... cargo run --release -p jury-house --example reference >
//! crates/jury-house/src/reference/table.rs`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool for developers")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use jury_eye::Beside;

/// Fewer pages than this say nothing about others.
const LEAST: usize = 10;

fn main() -> ExitCode {
    let Some(truth) = std::env::var_os("JURY_TRUTH_DIR") else {
        eprintln!("JURY_TRUTH_DIR is not set: there are no pages to take the figures from");
        return ExitCode::FAILURE;
    };
    let mut pages = Vec::new();
    collect(&Path::new(&truth).join("pages"), &mut pages);
    pages.sort();
    let mut scores: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut measured = 0;
    for path in &pages {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Ok(report) = jury_house::report(&String::from_utf8_lossy(&bytes), None, &Beside::nothing())
        else {
            eprintln!("{} cannot be measured", path.display());
            continue;
        };
        // What was seen in part is no measure for others.
        if report.coverage.js_rendered || report.coverage.external_css {
            continue;
        }
        measured += 1;
        for check in report.checks {
            scores.entry(check.id).or_default().extend(check.score.map(|span| span.low));
        }
        for seat in report.seats {
            scores.entry(format!("seat {}", seat.role)).or_default().extend(seat.score.map(|span| span.low));
        }
    }
    println!("//! Made by `cargo run -p jury-house --example reference`; not edited by hand.\n");
    println!("/// How many pages the figures are of.\npub(crate) const PAGES: usize = {measured};\n");
    println!(
        "/// For each check and panelist the scores at 0, 5, 10 ... 100 % of the pages that had something to measure."
    );
    println!("#[rustfmt::skip]\npub(super) const QUANTILES: &[(&str, [f32; 21])] = &[");
    for (key, mut list) in scores.into_iter().filter(|(_, list)| list.len() >= LEAST) {
        list.sort_by(f64::total_cmp);
        let quantiles: Vec<String> = (0..=20)
            .map(|step| {
                let at = (list.len() - 1) * step / 20;
                let score = list.get(at).copied().unwrap_or_default();
                format!("{:.1}", ((score * 10.0) + 1e-9).floor() / 10.0)
            })
            .collect();
        println!("    ({key:?}, [{}]),", quantiles.join(", "));
    }
    println!("];");
    ExitCode::SUCCESS
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(path);
        }
    }
}
