//! Measures documents: what each check finds in the files that are named, or, with `--cost`, how long all checks
//! take for one and for four megabytes of the documents under `tests/documents`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use jury_text::document::{Document, NearbyFiles, measure_all};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    if arguments.iter().any(|argument| argument == "--cost") {
        return cost(&mut out);
    }
    for file in &arguments {
        let text = fs::read_to_string(file)?;
        let surroundings = around(Path::new(file), &text);
        for measurement in measure_all(&Document::read(&text, &surroundings)) {
            writeln!(out, "{file}: {}: {}", measurement.check.as_str(), measurement.summary)?;
            for finding in &measurement.affected {
                writeln!(
                    out,
                    "{file}:{}:{}: {} ({})",
                    finding.line, finding.column, finding.text, finding.suggestion
                )?;
            }
        }
    }
    Ok(())
}

/// What the disk says about the paths that a document names.
fn around(file: &Path, text: &str) -> NearbyFiles {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut paths = BTreeSet::new();
    let mut anchors = BTreeMap::new();
    for target in NearbyFiles::targets(text) {
        let path = folder.join(&target);
        if path.exists() {
            let markdown = path.extension().is_some_and(|extension| extension == "md");
            if let (true, Ok(sibling)) = (markdown, fs::read_to_string(&path)) {
                anchors.insert(target.clone(), NearbyFiles::anchors_of(&sibling));
            }
            paths.insert(target);
        }
    }
    NearbyFiles::Known { paths, anchors }
}

/// The time that this thread had a core, where the system tells it: other programs do not count.
fn time() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.as_deref().and_then(|text| text.split(' ').next()?.parse().ok());
    told.map_or_else(|| BEGAN.get_or_init(Instant::now).elapsed(), Duration::from_nanos)
}

fn cost(out: &mut impl io::Write) -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let mut files: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    // The numbers of a changelog are not compared, and neither are those of a document with one in it.
    files.retain(|file| {
        file.extension().is_some_and(|kind| kind == "md") && !file.to_string_lossy().contains("changelog")
    });
    files.sort();
    let texts = files.iter().map(fs::read_to_string).collect::<io::Result<Vec<_>>>()?;
    let once = texts.join("\n");
    let mut first = None;
    for megabytes in [1_usize, 4] {
        let text = once.repeat(megabytes * 1_000_000 / once.len() + 1);
        let surroundings = NearbyFiles::known(["plan.md"]);
        let best = (0..5)
            .map(|_| {
                let start = time();
                let measured = measure_all(&Document::read(&text, &surroundings));
                drop(measured);
                time().saturating_sub(start)
            })
            .min()
            .unwrap_or_default();
        let before = *first.get_or_insert(best);
        let ratio = best.as_secs_f64() / before.as_secs_f64();
        let size = text.len();
        writeln!(out, "{size} bytes: {} ms of a core, {ratio:.1} times the first", best.as_millis())?;
    }
    Ok(())
}
