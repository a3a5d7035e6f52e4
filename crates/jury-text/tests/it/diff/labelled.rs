//! The detectors against changes that were written for them: half are honest, half have one planted defect.

use jury_core::severity::Severity;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use jury_text::diff::{DETECTORS, Detector, Diff, DiffEvidence, Side, search, search_scanned, search_with};

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

/// What is recognised from the lines of a diff. The other detectors compare whole files, and are measured by `evals/judge`.
fn is_of_lines(detector: Detector) -> bool {
    detector <= Detector::Secret
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
            let place =
                |found: &DiffEvidence| format!("{}{}", if found.removed { "-" } else { "" }, found.line);
            let is_it = |found: &&DiffEvidence| {
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
        flagged += usize::from(evidence.iter().any(|found| found.severity == Severity::Serious));
        for found in evidence {
            let tally = tallies.entry(found.detector).or_default();
            if found.severity.is_must_fix() {
                tally.honest_major += 1;
            } else {
                tally.honest_minor += 1;
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
    for info in DETECTORS.iter().filter(|info| is_of_lines(info.detector)) {
        let tally = tallies.get(&info.detector).expect("each detector has planted defects");
        assert!(tally.planted >= 5, "{} has too few", info.rule.id);
        assert!(tally.found * 10 >= tally.planted * 9, "{}\n{table}\n{differences}", info.rule.id);
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
    for info in DETECTORS.iter().filter(|info| is_of_lines(info.detector)) {
        let none = Tally::default();
        let tally = tallies.get(&info.detector).unwrap_or(&none);
        let recall = share(tally.found, tally.planted);
        all += tally.found;
        writeln!(
            table,
            "| `{}` | {} | {} | {recall:.2} | {} | {} |",
            info.rule.id, tally.planted, tally.found, tally.honest_major, tally.honest_minor
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

/// How many defects are found at their place, and how many honest changes have something major.
fn figures(cases: &[&Case], look: impl Fn(&Diff, &str) -> Vec<DiffEvidence>) -> (usize, usize) {
    let (mut found, mut flagged) = (0, 0);
    for case in cases {
        let evidence = look(&Diff::read(case.diff.as_bytes()), &case.prompt);
        match &case.planted {
            Some((detector, path, line)) => {
                let is_it = |place: &DiffEvidence| {
                    let at = format!("{}{}", if place.removed { "-" } else { "" }, place.line);
                    place.detector == *detector && place.path == *path && at == *line
                };
                found += usize::from(evidence.iter().any(is_it));
            }
            None => flagged += usize::from(evidence.iter().any(|place| place.severity == Severity::Serious)),
        }
    }
    (found, flagged)
}

#[test]
fn a_tree_finds_what_goes_over_lines() {
    let all = cases();
    let third: Vec<&Case> = all.iter().filter(|case| case.name.contains("-third-")).collect();
    assert_eq!(third.iter().filter(|case| case.planted.is_some()).count() * 2, third.len());
    let fourth: Vec<&Case> = all.iter().filter(|case| case.name.contains("-fourth-")).collect();
    let told = (figures(&fourth, search_scanned), figures(&fourth, search));
    writeln!(std::io::stderr(), "the fourth set: {told:?}").expect("a place for it");
    let (scanned, alarmed) = figures(&third, search_scanned);
    let (parsed, calm) = figures(&third, search);
    assert!(parsed >= scanned + 5 && calm < alarmed, "{scanned} {parsed} {alarmed} {calm}");
    // Elsewhere a tree takes nothing away.
    let rest: Vec<&Case> = all.iter().filter(|case| !case.name.contains("-third-")).collect();
    let (scanned, parsed) = (figures(&rest, search_scanned), figures(&rest, search));
    assert!(parsed.0 >= scanned.0 && parsed.1 <= scanned.1, "{scanned:?} {parsed:?}");
}

#[test]
fn a_whole_file_says_what_a_hunk_hides() {
    // The hunk stands in the middle of a text: only the file tells.
    let mut lines = vec!["package main".to_owned(), String::new(), "const usage = `".to_owned()];
    lines.extend((0..20).map(|line| format!("line {line}")));
    let old = [lines.clone(), vec!["`".to_owned(), String::new()]].concat().join("\n");
    lines.insert(13, "if err != nil {".to_owned());
    lines.insert(14, "}".to_owned());
    let new = [lines, vec!["`".to_owned(), String::new()]].concat().join("\n");
    let text = "--- a/main.go\n+++ b/main.go\n@@ -12,4 +12,6 @@\n line 8\n line 9\n+if err != nil {\n+}\n line 10\n line 11\n";
    let diff = Diff::read(text.as_bytes());
    assert_eq!(search(&diff, "").len(), 1);
    let whole = |path: &str, side: Side| {
        assert_eq!(path, "main.go");
        Some(if side == Side::Old { old.clone() } else { new.clone() }.into_bytes())
    };
    assert_eq!(search_with(&diff, "", &whole), []);
    // Another file of that name, and one that is not text, are passed over.
    for other in
        [b"package main\n".to_vec(), vec![0xff; 40], Vec::new(), new.replace("line 9", "x").into_bytes()]
    {
        assert_eq!(search_with(&diff, "", &|_, _| Some(other.clone())).len(), 1);
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
        let said = format!("{:?} {:?}", search(&diff, ""), jury_text::diff::pack(&diff, 8000));
        for value in values {
            assert!(!said.contains(value), "{} repeats a secret", case.name);
        }
    }
}

#[test]
fn every_detector_knows_its_name() {
    for info in &DETECTORS {
        assert_eq!(info.detector.info(), info);
        assert_eq!(Detector::from_name(info.rule.id), Some(info.detector));
        assert!(!info.rule.measures.is_empty() && !info.languages.is_empty());
    }
    assert_eq!(Detector::from_name("no-such"), None);
}
