//! Judgements and the throttle on real folders: nothing said is lost, and nobody spends twice.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use jiff::{SignedDuration, Timestamp};
use jury_core::judge::{
    Admission, Allowance, Bead, Confidence, Dimensions, JudgeIssue, JudgeStamp, Judgement, SCHEMA_VERSION,
    ThrottleBound,
};
use jury_core::severity::Severity;
use jury_learning::files::judgement::{KeptJudgement, all, beads, keep, newest, of_template};
use jury_learning::files::throttle::{admit, settle, spent};

fn bead(name: &str) -> Bead {
    name.parse().unwrap()
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

fn kept(name: &str, template: &str, mark: f64, when: i64) -> KeptJudgement {
    let dimensions = Dimensions::from_fn(|_| mark);
    let issue = |severity, text: &str| JudgeIssue {
        severity,
        description: text.to_owned(),
        dimension: None,
        evidence: None,
        seats: None,
    };
    KeptJudgement {
        judgement: Judgement {
            schema_version: SCHEMA_VERSION.to_owned(),
            bead: bead(name),
            verdict: dimensions.verdict(),
            score: dimensions.score(),
            dimensions,
            issues: vec![
                issue(Severity::Minor, "small"),
                issue(Severity::Serious, &format!("large\nof {name}")),
            ],
            summary: "s".to_owned(),
            confidence: Confidence::High,
            judged_at: Some(at(when)),
            judge: Some(JudgeStamp {
                model: "m".to_owned(),
                rubric: "1".to_owned(),
                ..JudgeStamp::default()
            }),
            warnings: Vec::new(),
            panel: None,
        },
        template: template.to_owned(),
        mode: "model".to_owned(),
        run: None,
        coverage: None,
        cost: None,
    }
}

#[test]
fn everything_said_is_kept_and_the_newest_stands_where_everybody_looks() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("state/judgments");
    assert_eq!(newest(&folder, &bead("bd-1")).unwrap().value, None);
    assert_eq!(
        (all(&folder, &bead("bd-1")).unwrap().value, beads(&folder).unwrap()),
        (Vec::new(), Vec::new())
    );
    let (first, second, late) =
        (kept("bd-1", "fix", 0.3, 1), kept("bd-1", "fix", 0.9, 5), kept("bd-1", "fix", 0.5, 3));
    for one in [&first, &second, &late] {
        keep(&folder, one).unwrap();
    }
    assert_eq!(
        newest(&folder, &bead("bd-1")).unwrap().value,
        Some(second.clone()),
        "a late one is not the newest"
    );
    assert_eq!(all(&folder, &bead("bd-1")).unwrap().value, [first, second, late]);
    let text = std::fs::read_to_string(folder.join("bd-1.json")).unwrap();
    let keys = [
        "schema_version",
        "bead",
        "verdict",
        "score",
        "dimensions",
        "issues",
        "summary",
        "confidence",
        "judged_at",
        "template",
    ];
    let paths: Vec<usize> = keys.iter().map(|key| text.find(&format!("\n  \"{key}\"")).unwrap()).collect();
    assert!(paths.is_sorted(), "the native shape comes first: {text}");
    assert!(text.contains("\"score\": 0.9"));
    assert_eq!(beads(&folder).unwrap(), [bead("bd-1")]);
}

#[test]
fn the_native_shape_alone_is_a_judgement() {
    let dir = tempfile::tempdir().unwrap();
    let native = r#"{"schema_version":"1.0.0","bead":"bd-7","verdict":"pass","score":1,"dimensions":{"correctness":1,"scope_adherence":1,
        "code_quality":1,"completeness":1},"issues":[],"summary":"x","confidence":"low"}"#;
    std::fs::write(dir.path().join("bd-7.json"), native).unwrap();
    let found = newest(dir.path(), &bead("bd-7")).unwrap();
    assert!(found.value.unwrap().template.is_empty() && found.warnings.is_empty());
}

#[test]
fn a_file_that_cannot_be_read_is_set_aside_and_the_history_answers() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let one = kept("bd-1", "fix", 0.9, 1);
    for (damage, round) in [("{\"bead\":", 0), ("[]", 1), ("", 2)] {
        keep(folder, &one).unwrap();
        std::fs::write(folder.join("bd-1.json"), damage).unwrap();
        let found = newest(folder, &bead("bd-1")).unwrap();
        assert_eq!(found.value, Some(one.clone()));
        assert!(
            found.warnings[0].contains("moved to") && !found.warnings[0].contains('\n'),
            "{:?}",
            found.warnings
        );
        let aside = std::fs::read_dir(folder.join("quarantine")).unwrap().count();
        assert_eq!(aside, round + 1);
        assert!(!folder.join("bd-1.json").exists());
    }
    // That of another run is none of this one.
    std::fs::write(folder.join("bd-2.json"), serde_json::to_vec(&one).unwrap()).unwrap();
    let found = newest(folder, &bead("bd-2")).unwrap();
    assert!(found.value.is_none() && found.warnings[0].contains("it is about bd-1"));
}

#[test]
fn a_line_that_a_crash_cut_off_takes_nothing_along() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    keep(folder, &kept("bd-1", "fix", 0.9, 1)).unwrap();
    let history = folder.join("history/bd-1.ndjson");
    let mut text = std::fs::read_to_string(&history).unwrap();
    text.push_str("{\"schema_version\":\"1.0");
    std::fs::write(&history, text).unwrap();
    keep(folder, &kept("bd-1", "fix", 0.5, 2)).unwrap();
    let found = all(folder, &bead("bd-1")).unwrap();
    assert_eq!(found.value.len(), 2);
    assert!(found.warnings[0].contains("1 line cannot be read"), "{:?}", found.warnings);
}

#[test]
fn what_was_found_for_a_template_is_short_newest_first_and_each_run_once() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    for number in 0..300 {
        keep(folder, &kept(&format!("bd-{}", number % 150), "../../fix\0", 0.9, number)).unwrap();
    }
    keep(folder, &kept("bd-x", "docs", 0.1, 900)).unwrap();
    let found = of_template(folder, "../../fix\0", 3).unwrap();
    let names: Vec<&str> = found.value.iter().map(|past| past.bead.as_str()).collect();
    assert_eq!((names, found.warnings), (vec!["bd-149", "bd-148", "bd-147"], Vec::new()));
    assert_eq!(found.value[0].issues, ["major: large of bd-149", "minor: small"]);
    assert_eq!(of_template(folder, "docs", 9).unwrap().value.len(), 1);
    assert_eq!(of_template(folder, "nothing", 9).unwrap().value.len(), 0);
}

#[test]
fn many_writers_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    thread::scope(|scope| {
        for writer in 0..8 {
            scope.spawn(move || {
                for number in 0..10 {
                    keep(folder, &kept("bd-1", "fix", 0.9, writer * 10 + number)).unwrap();
                }
            });
        }
    });
    assert_eq!(all(folder, &bead("bd-1")).unwrap().value.len(), 80);
    assert_eq!(newest(folder, &bead("bd-1")).unwrap().value.unwrap().judgement.judged_at, Some(at(79)));
}

fn admitted(folder: &Path, now: Timestamp, allowance: &Allowance) -> bool {
    admit(folder, now, 1, allowance).unwrap().value == Admission::Now
}

#[test]
fn all_processes_share_one_window_and_one_budget() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let allowance = Allowance::default();
    let count = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let own = (0..5).filter(|_| admitted(folder, at(0), &allowance)).count();
                count.fetch_add(own, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(count.into_inner(), 20);
    let wait = admit(folder, at(60), 1, &allowance).unwrap().value;
    let bound = ThrottleBound::PerHour;
    assert_eq!(wait, Admission::NotBefore { at: at(3600), bound });
    assert!(admitted(folder, at(3600), &allowance));
    // Of the 21 that nobody said a price of each counts 0.15.
    let budget = Allowance { per_hour: 100, dollars_per_day: Some(3.3) };
    assert!(admitted(folder, at(3601), &budget));
    settle(folder, at(3601), Some(0.1), &budget).unwrap();
    let held = admit(folder, at(3602), 1, &budget).unwrap().value;
    assert!(matches!(held, Admission::NotBefore { bound: ThrottleBound::Budget, .. }), "{held:?}");
    let total: f64 =
        spent(folder, at(3602), &budget).unwrap().value.spent.iter().map(|one| one.dollars).sum();
    assert!((total - 3.25).abs() < 1e-9, "{total}");
}

#[test]
fn a_throttle_that_cannot_be_read_is_full() {
    let hour = SignedDuration::from_hours(1);
    for damage in ["{", "", "[]", "{\"spent\":[{\"at\":\"2027-01-01T00:00:00Z\",\"dollars\":-5}]}", "\u{0}"] {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        std::fs::write(folder.join(".throttle.json"), damage).unwrap();
        let allowance = Allowance::default();
        let first = admit(folder, at(0), 1, &allowance).unwrap();
        assert_eq!(
            first.value,
            Admission::NotBefore { at: at(0) + hour, bound: ThrottleBound::PerHour },
            "{damage:?}"
        );
        assert!(first.warnings[0].contains("nothing is admitted for an hour"), "{:?}", first.warnings);
        assert!(folder.join("quarantine/.throttle.json").exists());
        let second = admit(folder, at(3599), 1, &allowance).unwrap();
        assert!(second.warnings.is_empty() && second.value != Admission::Now, "the hour began once");
        assert!(admitted(folder, at(3600), &allowance));
        // What a budget had left is not known for a day.
        std::fs::write(folder.join(".throttle.json"), damage).unwrap();
        let budget = Allowance { per_hour: 5, dollars_per_day: Some(2.0) };
        let held = admit(folder, at(9000), 3, &budget).unwrap();
        assert_eq!(held.value, Admission::NotBefore { at: at(9000 + 86_400), bound: ThrottleBound::Budget });
        // Whoever only looks leaves it full for whoever asks next.
        std::fs::write(folder.join(".throttle.json"), damage).unwrap();
        assert_eq!(spent(folder, at(9100), &budget).unwrap().warnings.len(), 1, "{damage:?}");
        let held = admit(folder, at(9100), 1, &budget).unwrap();
        assert_eq!(held.value, Admission::NotBefore { at: at(9100 + 86_400), bound: ThrottleBound::Budget });
        // And what was begun before it broke makes no room in it.
        std::fs::write(folder.join(".throttle.json"), damage).unwrap();
        settle(folder, at(9200), Some(0.0), &budget).unwrap();
        assert!(!admitted(folder, at(9200), &budget), "{damage:?}");
    }
}

#[test]
fn no_run_has_the_name_of_what_else_is_in_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let one = Allowance { per_hour: 1, dollars_per_day: None };
    assert!(admitted(folder, at(0), &one));
    for name in ["throttle", "Throttle", "redispatch", "history", "templates", "quarantine", "judging"] {
        let before = newest(folder, &bead(name)).unwrap();
        assert!(before.value.is_none() && before.warnings.is_empty(), "{name}: {:?}", before.warnings);
        keep(folder, &kept(name, "bug-fix", 0.8, 0)).unwrap();
        assert!(newest(folder, &bead(name)).unwrap().value.is_some(), "{name}");
    }
    assert!(!admitted(folder, at(1), &one), "what was spent is still known");
    assert_eq!(beads(folder).unwrap().len(), 7);
}
