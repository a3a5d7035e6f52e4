//! The detectors against changes that were written for them: half are honest, half have one planted defect.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use jury_house::diff::{DETECTORS, Detector, Diff, Severity, search};

/// A change and what is known about it.
struct Case {
    name: String,
    /// The detector, the file and the line of the planted defect; a removed line has a minus.
    planted: Option<(Detector, String, String)>,
    prompt: String,
    diff: String,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diffs");
    let entries = fs::read_dir(folder).expect("there are changes");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| case(path)).collect()
}

fn case(path: &Path) -> Case {
    let text = fs::read_to_string(path).expect("a change");
    let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
    let (head, diff) = text.split_once("\n\n").expect("a head and a diff");
    let known: BTreeMap<&str, &str> =
        head.lines().filter_map(|line| line.strip_prefix("# ")?.split_once(": ")).collect();
    let of = |key: &str| known.get(key).copied().unwrap_or_default().to_owned();
    assert!(!of("why").is_empty(), "{name} says why");
    let is_defect = of("label") == "defect";
    assert!(is_defect || of("label") == "honest", "{name} is neither honest nor a defect");
    let planted = is_defect.then(|| {
        let detector = Detector::from_name(&of("detector")).expect("a detector");
        (detector, of("path"), of("line"))
    });
    Case { name, planted, prompt: of("prompt"), diff: diff.to_owned() }
}

#[derive(Default)]
struct Tally {
    planted: usize,
    found: usize,
    honest_major: usize,
    honest_minor: usize,
}

#[test]
fn detectors_find_what_was_planted_and_leave_honest_changes_alone() {
    let mut tallies: BTreeMap<Detector, Tally> = BTreeMap::new();
    let mut differences = String::new();
    let (mut honest, mut flagged) = (0_usize, 0_usize);
    let cases = cases();
    assert!(cases.len() >= 120, "{} changes", cases.len());
    for case in &cases {
        let diff = Diff::read(case.diff.as_bytes());
        assert_eq!(diff.notes, Vec::<String>::new(), "{} is well-formed", case.name);
        assert!(!diff.files.is_empty(), "{}", case.name);
        let evidence = search(&diff, &case.prompt);
        if let Some((detector, path, line)) = &case.planted {
            let tally = tallies.entry(*detector).or_default();
            tally.planted += 1;
            let place = |found: &jury_house::diff::Evidence| {
                format!("{}{}", if found.removed { "-" } else { "" }, found.line)
            };
            let is_it = |found: &&jury_house::diff::Evidence| {
                found.detector == *detector && found.path == *path && place(found) == *line
            };
            if evidence.iter().any(|found| is_it(&found)) {
                tally.found += 1;
            } else {
                writeln!(differences, "missed {} {path}:{line}: {evidence:#?}", case.name).expect("memory");
            }
            continue;
        }
        honest += 1;
        flagged += usize::from(evidence.iter().any(|found| found.severity == Severity::Major));
        for found in evidence {
            let tally = tallies.entry(found.detector).or_default();
            match found.severity {
                Severity::Major => tally.honest_major += 1,
                Severity::Minor => tally.honest_minor += 1,
            }
            let (severity, name, line) = (found.severity, found.detector.as_str(), found.line);
            writeln!(
                differences,
                "honest {}: {severity:?} {name} {}:{line} {}",
                case.name, found.path, found.quote
            )
            .expect("memory");
        }
    }
    let table = render(&tallies, cases.len() - honest, honest, flagged);
    write!(std::io::stderr(), "{table}\n{differences}").expect("a place for the table");
    for info in &DETECTORS {
        let tally = tallies.get(&info.detector).expect("each detector has planted defects");
        assert!(tally.planted >= 5, "{} has too few", info.name);
        assert!(tally.found * 10 >= tally.planted * 9, "{}\n{table}\n{differences}", info.name);
    }
    assert!(flagged * 20 <= honest, "{flagged} of {honest}\n{table}\n{differences}");
    golden(&table);
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few dozens")]
fn render(tallies: &BTreeMap<Detector, Tally>, defects: usize, honest: usize, flagged: usize) -> String {
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let mut table = String::from(
        "| detector | planted | found | recall | major in honest | minor in honest |\n|---|---|---|---|---|---|\n",
    );
    let mut all = 0;
    for info in &DETECTORS {
        let none = Tally::default();
        let tally = tallies.get(&info.detector).unwrap_or(&none);
        let recall = share(tally.found, tally.planted);
        all += tally.found;
        writeln!(
            table,
            "| `{}` | {} | {} | {recall:.2} | {} | {} |",
            info.name, tally.planted, tally.found, tally.honest_major, tally.honest_minor
        )
        .expect("memory");
    }
    writeln!(
        table,
        "| all | {defects} | {all} | {:.2} | {flagged} of {honest} changes ({:.1} %) | |",
        share(all, defects),
        100.0 * share(flagged, honest)
    )
    .expect("memory");
    table
}

/// The table stands in the design document; `JURY_UPDATE=1` writes it there.
fn golden(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/design/008-judge.md");
    let text = fs::read_to_string(&path).expect("the design document");
    let (before, rest) = text.split_once("| detector | planted |").expect("the table is in the document");
    let (_, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let updated = format!("{before}{table}\n{after}");
    if std::env::var_os("JURY_UPDATE").is_some() {
        fs::write(&path, updated).expect("the design document can be written");
    } else {
        assert_eq!(text, updated, "run it with JURY_UPDATE=1 and look at docs/design/008-judge.md");
    }
}

#[test]
fn no_evidence_repeats_a_secret() {
    let values = [
        "AKIAQ3ZJ7WPLT5RKMB2V",
        "ghp_R7kQz2VtX9mBn4LsYw8HcJ3dFg6PuAe1Ti5o",
        "q8Zt3vLw9XbK2mRs7YpD",
        "sk_live_9fK2mXw7QzRt4LbVn8YcHs3J",
        "v9Kq2mZx7Lw",
    ];
    for case in cases() {
        let diff = Diff::read(case.diff.as_bytes());
        let said = format!("{:?} {:?}", search(&diff, ""), jury_house::diff::pack(&diff, 8000));
        for value in values {
            assert!(!said.contains(value), "{} repeats a secret", case.name);
        }
    }
}

#[test]
fn every_detector_knows_its_name() {
    for info in &DETECTORS {
        assert_eq!(info.detector.info(), info);
        assert_eq!(Detector::from_name(info.name), Some(info.detector));
        assert!(!info.definition.is_empty() && !info.languages.is_empty());
    }
    assert_eq!(Detector::from_name("no-such"), None);
}
