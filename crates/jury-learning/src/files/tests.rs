//! A process that dies between any two writes loses nothing and counts nothing twice.

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use jury_core::judge::{RecordReading, RunRecord};
use serde_json::{Value, json};

use super::collect::{Batch, collect, collect_many, enter};
use super::paths::LearningPaths;
use super::records::{Found, files, look};
use super::registry::{PatternRegistryFile, count, mitigate, read_registry};
use crate::{FeedbackLine, JudgingResult, PatternRegistry, Sightings};

fn now() -> Timestamp {
    Timestamp::from_second(1_770_000_000).unwrap()
}

fn paths(folder: &Path) -> LearningPaths {
    LearningPaths::read(|_| None, folder)
}

fn run(bead: &str, over: &Value) -> RunRecord {
    let mut record = json!({"bead": bead, "status": "done", "exit_code": 0, "finished_at": "2026-02-20T10:00:00Z",
        "verification": {"tests": "fail", "lint": "pass", "ubs": "clean", "truthsayer": "pass"}});
    for (key, value) in over.as_object().unwrap() {
        record[key] = value.clone();
    }
    match RunRecord::of(&record).unwrap() {
        RecordReading::Finished(run) => *run,
        RecordReading::Running => panic!("it goes on"),
    }
}

/// What all records make, read one by one.
fn fold(paths: &LearningPaths) -> PatternRegistry {
    let mut all = Sightings::default();
    for file in files(paths).unwrap().unwrap() {
        match look(&file) {
            Found::Line(line) => all.of(&line),
            other @ (Found::Other | Found::Broken(_)) => panic!("{}: {other:?}", file.display()),
        }
    }
    all.registry(&PatternRegistry::default())
}

fn registry(paths: &LearningPaths) -> PatternRegistry {
    match read_registry(&paths.registry).unwrap() {
        PatternRegistryFile::Read(registry) => registry,
        other @ (PatternRegistryFile::Missing | PatternRegistryFile::Broken(_)) => panic!("{other:?}"),
    }
}

/// Collects a run up to, and without, the write of this number; true if there was none left.
fn dies_before(paths: &LearningPaths, run: &RunRecord, write: usize) -> bool {
    let mut warnings = Vec::new();
    fs::create_dir_all(&paths.feedback).unwrap();
    let _lock = enter(paths, &mut warnings).unwrap();
    let mut batch = Batch::begin(paths, warnings).unwrap();
    // Another run of the same batch, and one that is new to it.
    for run in [&self::run("bd-two", &json!({"attempt": 2})), &self::run("bd-new", &json!({})), run] {
        batch.add(run, &JudgingResult::Not, now()).unwrap();
    }
    let steps = batch.steps().unwrap();
    for step in steps.iter().take(write) {
        step.take().unwrap();
    }
    write >= steps.len()
}

#[test]
fn a_death_between_any_two_writes_is_mended_by_whoever_comes_next() {
    let before = [None, Some(json!({})), Some(json!({"attempt": 2, "finished_at": "2026-02-20T09:00:00Z"}))];
    let second_try = json!({"attempt": 3, "verification": {"tests": "pass", "lint": "fail", "ubs": "clean"}});
    for before in &before {
        for write in 0.. {
            // The same run again, another run, or somebody who only looks after patterns.
            let mut done = false;
            for next in 0..3 {
                let folder = tempfile::tempdir().unwrap();
                let paths = paths(folder.path());
                for other in ["bd-one", "bd-two"] {
                    collect(&paths, &run(other, &json!({})), &JudgingResult::Not, now()).unwrap();
                }
                if let Some(before) = before {
                    collect(&paths, &run("bd-x", before), &JudgingResult::Not, now()).unwrap();
                }
                done = dies_before(&paths, &run("bd-x", &second_try), write);
                let collected = match next {
                    0 => collect(&paths, &run("bd-x", &second_try), &JudgingResult::Not, now()).unwrap(),
                    1 => collect(&paths, &run("bd-other", &json!({})), &JudgingResult::Not, now()).unwrap(),
                    _ => {
                        mitigate(&paths, "scope-creep", "less of it", now()).unwrap();
                        collect(&paths, &run("bd-x", &second_try), &JudgingResult::Not, now()).unwrap()
                    }
                };
                assert_eq!(collected.warnings, Vec::<String>::new());
                assert_eq!(registry(&paths), fold(&paths), "died before write {write}, then {next}");
                // Once more changes nothing, not even a byte.
                let bytes = || (fs::read(&paths.registry).unwrap(), files(&paths).unwrap().unwrap().len());
                let once = bytes();
                collect(&paths, &run("bd-one", &json!({})), &JudgingResult::Not, now()).unwrap();
                assert_eq!(bytes(), once);
                assert!(!paths.feedback.join(".collecting").exists());
            }
            if done {
                assert!(write >= 6, "only {write} writes");
                break;
            }
        }
    }
}

#[test]
fn a_power_cut_that_empties_files_costs_what_was_in_them_and_nothing_else() {
    for name in ["bd-one.json", "pattern-registry.json", ".collecting"] {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(folder.path());
        for other in ["bd-one", "bd-two", "bd-three"] {
            collect(&paths, &run(other, &json!({})), &JudgingResult::Not, now()).unwrap();
        }
        mitigate(&paths, "test-failure-after-completion", "run them", now()).unwrap();
        for garbage in ["", "{\"bead\":", "\0\0\0\0", "[1,2]"] {
            fs::write(paths.feedback.join(name), garbage).unwrap();
            let collected = collect(&paths, &run("bd-one", &json!({})), &JudgingResult::Not, now()).unwrap();
            assert!(!collected.warnings.is_empty(), "{name} {garbage:?}");
            let kept = registry(&paths);
            assert_eq!(kept.0["test-failure-after-completion"].count, 3, "{name} {garbage:?}");
            if name != "pattern-registry.json" {
                assert!(kept.0["test-failure-after-completion"].mitigation.is_some());
            }
        }
        assert_eq!(fs::read_dir(paths.feedback.join("quarantine")).unwrap().count(), 4, "nothing is deleted");
    }
}

#[test]
fn runs_that_are_collected_together_are_collected_as_if_one_by_one() {
    let one = tempfile::tempdir().unwrap();
    let all = tempfile::tempdir().unwrap();
    let (one, all) = (paths(one.path()), paths(all.path()));
    let runs: Vec<RunRecord> = (0..150)
        .map(|number| {
            // The same names again and again, with other endings.
            let over = json!({"attempt": 1 + number % 2, "duration_seconds": number % 7 * 500,
                "finished_at": format!("2026-02-20T10:{:02}:00Z", number * 7 % 60)});
            run(&format!("bd-{}", number * 13 % 40), &over)
        })
        .collect();
    for run in &runs {
        collect(&one, run, &JudgingResult::Not, now()).unwrap();
    }
    for part in runs.chunks(64) {
        let part: Vec<_> = part.iter().map(|run| (run, JudgingResult::Not)).collect();
        let (results, warnings) = collect_many(&all, &part, now()).unwrap();
        assert!(results.iter().all(Result::is_ok) && warnings.is_empty());
    }
    assert_eq!(registry(&all), registry(&one));
    assert_eq!(registry(&all), fold(&all));
    for (a, b) in files(&one).unwrap().unwrap().iter().zip(files(&all).unwrap().unwrap()) {
        assert_eq!(fs::read(a).unwrap(), fs::read(b).unwrap());
    }
}

#[test]
fn an_inherited_registry_keeps_what_it_counted() {
    let folder = tempfile::tempdir().unwrap();
    let paths = paths(folder.path());
    fs::create_dir_all(&paths.feedback).unwrap();
    let inherited = json!({"scope-creep": {"count": 40, "first_seen": "2025-01-010T00:00:00Z", "last_seen": "2026-01-01T00:00:00Z",
        "last_beads": ["a", "b"], "owner": "eve"}});
    fs::write(&paths.registry, inherited.to_string()).unwrap();
    collect(&paths, &run("bd-one", &json!({"duration_seconds": 2000})), &JudgingResult::Not, now()).unwrap();
    collect(&paths, &run("bd-one", &json!({"duration_seconds": 2000})), &JudgingResult::Not, now()).unwrap();
    let entry = registry(&paths).0.remove("scope-creep").unwrap();
    assert_eq!((entry.count, entry.last_beads.len()), (41, 3));
    assert_eq!(entry.rest["owner"], "eve");
    collect(&paths, &run("bd-one", &json!({})), &JudgingResult::Not, now()).unwrap();
    assert_eq!(registry(&paths).0["scope-creep"].count, 40);
}

#[test]
fn who_only_detects_counts_a_run_once() {
    let folder = tempfile::tempdir().unwrap();
    let paths = paths(folder.path());
    let seen = run("bd-one", &json!({"duration_seconds": 2000}));
    let feedback = crate::Feedback::collect(&seen, &JudgingResult::Not, None, now());
    let line = FeedbackLine::from(&feedback);
    for _ in 0..2 {
        count(&paths, &seen.bead, &line).unwrap();
        assert_eq!(registry(&paths).0["scope-creep"].count, 1);
    }
    collect(&paths, &seen, &JudgingResult::Not, now()).unwrap();
    assert_eq!(registry(&paths), fold(&paths));
    count(&paths, &seen.bead, &line).unwrap();
    assert_eq!(registry(&paths), fold(&paths));
}

#[test]
fn the_newest_judgement_is_merged_and_an_invalid_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let paths = paths(folder.path());
    fs::create_dir_all(&paths.judgements).unwrap();
    let file = paths.judgements.join("bd-one.json");
    let judgement = |mark: f64, at: &str| {
        json!({"schema_version": "1.0.0", "bead": "bd-one", "verdict": "pass", "score": 1, "issues": [],
            "dimensions": {"correctness": mark, "scope_adherence": mark, "code_quality": mark, "completeness": mark},
            "summary": "s", "confidence": "high", "judged_at": at})
    };
    let seen = run("bd-one", &json!({}));
    let score = || collect(&paths, &seen, &JudgingResult::Not, now()).unwrap().feedback.opus_quality_score;
    assert_eq!(score(), None);
    fs::write(&file, judgement(0.5, "2026-02-20T10:00:00Z").to_string()).unwrap();
    assert_eq!(score(), Some(0.5), "the marks count, and not the score that is given");
    fs::write(&file, judgement(0.9, "2026-02-19T10:00:00Z").to_string()).unwrap();
    assert_eq!(score(), Some(0.5), "an older one does not come back");
    fs::remove_file(&file).unwrap();
    assert_eq!(score(), Some(0.5), "what was merged stays");
    for bad in ["", "{}", "[", &judgement(7.0, "2026-02-21T10:00:00Z").to_string()] {
        fs::write(&file, bad).unwrap();
        let collected = collect(&paths, &seen, &JudgingResult::Not, now()).unwrap();
        assert_eq!(collected.feedback.opus_quality_score, Some(0.5));
        assert!(collected.warnings[0].contains("bd-one.json"), "{:?}", collected.warnings);
    }
}

#[test]
fn a_run_cannot_take_the_place_of_the_registry() {
    let folder = tempfile::tempdir().unwrap();
    let paths = paths(folder.path());
    for name in ["pattern-registry", "Pattern-Registry"] {
        let error = collect(&paths, &run(name, &json!({})), &JudgingResult::Not, now()).unwrap_err();
        assert!(error.to_string().contains("cannot be called"), "{error}");
    }
}

#[test]
fn many_emptied_records_are_counted_again_once() {
    let folder = tempfile::tempdir().unwrap();
    let paths = paths(folder.path());
    let runs: Vec<RunRecord> = (0..60).map(|n| run(&format!("bd-{n:03}"), &json!({}))).collect();
    let all: Vec<_> = runs.iter().map(|run| (run, JudgingResult::Not)).collect();
    collect_many(&paths, &all, now()).unwrap();
    let whole = fs::read(&paths.registry).unwrap();
    for run in runs.iter().step_by(3) {
        fs::write(paths.feedback.join(format!("{}.json", run.bead)), "").unwrap();
    }
    let mut said = Vec::new();
    for some in all.chunks(8) {
        said.append(&mut collect_many(&paths, some, now()).unwrap().1);
    }
    let again = said.iter().filter(|line| line.contains("was made again")).count();
    assert_eq!((again, said.len()), (1, 21), "{said:#?}");
    assert_eq!(fs::read(&paths.registry).unwrap(), whole);
    assert_eq!(collect_many(&paths, &all, now()).unwrap().1, Vec::<String>::new());
}

#[test]
fn many_changed_records_read_the_others_once() {
    let folder = tempfile::tempdir().unwrap();
    let paths = paths(folder.path());
    let runs = |over: &Value| (0..40).map(|n| run(&format!("bd-{n:03}"), over)).collect::<Vec<RunRecord>>();
    let (first, second) = (runs(&json!({})), runs(&json!({"finished_at": "2026-02-19T10:00:00Z"})));
    let judged = |runs: &[RunRecord]| {
        let all: Vec<_> = runs.iter().map(|run| (run, JudgingResult::Not)).collect();
        collect_many(&paths, &all, now()).unwrap();
    };
    judged(&first);
    judged(&second);
    assert_eq!(registry(&paths), fold(&paths));
}

#[test]
fn what_somebody_with_another_registry_had_begun_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = paths(folder.path());
    let ours = LearningPaths { registry: folder.path().join("elsewhere/patterns.json"), ..theirs.clone() };
    collect(&theirs, &run("bd-one", &json!({})), &JudgingResult::Not, now()).unwrap();
    collect(&ours, &run("bd-one", &json!({})), &JudgingResult::Not, now()).unwrap();
    // They die with nothing but the journal written.
    assert!(!dies_before(&theirs, &run("bd-x", &json!({})), 1));
    collect(&ours, &run("bd-other", &json!({})), &JudgingResult::Not, now()).unwrap();
    for bead in ["bd-x", "bd-two", "bd-new"] {
        assert!(theirs.feedback.join(format!("{bead}.json")).exists(), "{bead} is lost");
    }
    assert!(!theirs.feedback.join("quarantine").exists());
    assert_eq!(registry(&ours), fold(&theirs));
    // Theirs was not touched; their next collector makes it again.
    collect(&theirs, &run("bd-one", &json!({})), &JudgingResult::Not, now()).unwrap();
    assert_eq!(registry(&theirs), fold(&theirs));
    let left: Vec<_> =
        fs::read_dir(&theirs.feedback).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".recount")), "{left:?}");
}

#[test]
fn what_a_panel_or_a_person_said_reaches_the_feedback() {
    for (majority, verdict) in [(json!("partial"), "partial"), (Value::Null, "fail")] {
        let folder = tempfile::tempdir().unwrap();
        let paths = paths(folder.path());
        let marks =
            json!({"correctness": 0.9, "scope_adherence": 0.9, "code_quality": 0.9, "completeness": 0.9});
        let judgement = json!({"schema_version": "1.0.0", "bead": "bd-one", "verdict": verdict, "score": 0.9,
            "dimensions": marks, "issues": [], "summary": "Mixed.", "confidence": "low",
            "judged_at": "2026-02-20T11:00:00Z",
            "panel": {"seats": [], "majority": majority,
                "spread": {"score": 0.2, "dimensions": marks, "agreement": 0.5}}});
        fs::create_dir_all(&paths.judgements).unwrap();
        fs::write(paths.judgements.join("bd-one.json"), judgement.to_string()).unwrap();
        let collected = collect(&paths, &run("bd-one", &json!({})), &JudgingResult::Not, now()).unwrap();
        let written = serde_json::to_value(&collected.feedback).unwrap();
        assert_eq!(written["judgment"]["verdict"], verdict);
        assert_eq!(written["opus_judge"]["verdict"], verdict);
    }
}
