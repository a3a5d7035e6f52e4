//! `jury label` and `jury calibrate`.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::stage::{NOW, Stage};

fn judgement(bead: &str, marks: [f64; 4], at: &str, model: &str) -> Value {
    let [correctness, scope_adherence, code_quality, completeness] = marks;
    let score = 0.4 * correctness + 0.2 * (scope_adherence + code_quality + completeness);
    let verdict = if marks.iter().all(|mark| *mark >= 0.7) {
        "pass"
    } else if score < 0.45 || correctness < 0.4 {
        "fail"
    } else {
        "partial"
    };
    json!({"schema_version": "1.0.0", "bead": bead, "verdict": verdict, "score": score, "dimensions":
        {"correctness": correctness, "scope_adherence": scope_adherence, "code_quality": code_quality,
        "completeness": completeness}, "issues": [], "summary": "s", "confidence": "high", "judged_at": at,
        "judge": {"model": model, "prompt": "p1"}})
}

fn judge(stage: &Stage, bead: &str, mark: f64) {
    let judged = judgement(bead, [mark; 4], "2026-02-20T10:00:00Z", "opus");
    stage.put(&format!("state/judgments/{bead}.json"), &judged);
    stage.feedback(&json!({"bead": bead, "opus_quality_score": mark, "outcome":
        if bead.ends_with('3') { "partial_pass" } else { "full_pass" }}));
}

fn label(stage: &Stage, bead: &str, verdict: &str, by: &str) {
    stage.ok(&["label", bead, "--verdict", verdict, "--by", by]);
}

#[test]
fn a_label_is_a_line_and_the_newest_counts() {
    let stage = Stage::new();
    judge(&stage, "bd-1", 0.9);
    let said = stage.ok(&[
        "label",
        "bd-1",
        "--verdict",
        "partial",
        "--by",
        "ada",
        "--correctness",
        "0.8",
        "--scope-adherence",
        "1",
        "--code-quality",
        "0.5",
        "--completeness",
        "0.9",
        "--note",
        "Names are poor.",
    ]);
    assert!(said.err.contains("bd-1 is labelled partial by ada"), "{}", said.err);
    let line: Value = serde_json::from_str(stage.text("state/labels.ndjson").trim()).unwrap();
    assert_eq!(
        line,
        json!({"bead": "bd-1", "rater": "ada", "verdict": "partial", "at": NOW, "note": "Names are poor.",
            "dimensions": {"correctness": 0.8, "scope_adherence": 1, "code_quality": 0.5, "completeness": 0.9}})
    );
    label(&stage, "bd-1", "fail", "ada");
    let report = stage.ok(&["calibrate", "--format", "json"]).json();
    assert_eq!((report["labelled_runs"].as_u64(), report["people"].as_u64()), (Some(1), Some(1)));
    assert_eq!(report["calibration"]["confusion"], json!([[0, 0, 0], [0, 0, 0], [1, 0, 0]]));
}

#[test]
fn wrong_labels_are_refused_in_one_line() {
    let stage = Stage::new();
    judge(&stage, "bd-1", 0.9);
    for args in [
        &["label", "bd-1"][..],
        &["label", "bd-1", "--verdict", "fine"],
        &["label", "bd-2", "--verdict", "pass"],
        &["label", "../../etc/passwd", "--verdict", "pass"],
        &["label", "bd-1", "--verdict", "pass", "--correctness", "1.5"],
        &["label", "bd-1", "--verdict", "pass", "--correctness", "0.5"],
        &["label", "bd-1", "--verdict", "pass", "--by", "a\nb"],
    ] {
        let said = stage.run(args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.all());
        assert_eq!(said.err.lines().count(), 1, "{args:?}: {}", said.err);
    }
    assert!(!stage.has("state/labels.ndjson"));
}

/// Twenty-four runs: the judge agrees with a person on most of them, or on few.
fn labelled(stage: &Stage, agrees: bool) {
    for number in 0..24 {
        let bead = format!("bd-{number:02}");
        let (mark, verdict) = match number % 3 {
            0 => (0.9, "pass"),
            1 => (0.6, "partial"),
            _ => (0.2, "fail"),
        };
        judge(stage, &bead, mark);
        let verdict = match (agrees, number) {
            (true, 23) => "partial",
            (true, _) => verdict,
            (false, number) => ["fail", "pass", "partial"][number % 3],
        };
        label(stage, &bead, verdict, "ada");
        if number < 6 {
            label(stage, &bead, verdict, "bob");
        }
    }
}

#[test]
fn a_judge_that_agrees_with_people_counts() {
    let stage = Stage::new();
    labelled(&stage, true);
    let said = stage.ok(&["calibrate"]);
    assert_snapshot!("calibrate", said.out);
    assert_eq!(said.out, stage.ok(&["calibrate"]).out, "the same seed gives the same report");
    let report = stage.ok(&["calibrate", "--format", "json", "--seed", "7"]).json();
    assert_eq!(report["influence"]["counts"], true);
    assert!(report["calibration"]["kappa"]["value"].as_f64().unwrap() > 0.9, "{report}");
    assert!(report["calibration"]["alpha_of_people"]["value"].is_number(), "{report}");
    assert!(report["prediction"]["difference"]["low"].as_f64().unwrap() > 0.0, "{report}");
    // Where they count, selection says so.
    stage.ok(&["templates", "score"]);
    let chosen = stage.ok(&["templates", "select", "Update the README"]).json();
    assert!(chosen["reasoning"].as_str().unwrap().contains("judgements count: κ"), "{chosen}");
    assert!(chosen["reasoning"].as_str().unwrap().contains("blended score"), "{chosen}");
}

#[test]
fn one_that_does_not_does_not_unless_it_is_forced() {
    let stage = Stage::new();
    labelled(&stage, false);
    let report = stage.ok(&["calibrate", "--format", "json"]).json();
    assert_eq!(report["influence"]["counts"], false);
    stage.ok(&["templates", "score"]);
    let why = |args: &[&str]| {
        let args = [&["templates", "select", "Update the README"], args].concat();
        stage.ok(&args).json()["reasoning"].as_str().unwrap().to_owned()
    };
    assert!(
        why(&[]).contains("judgements do not count") && why(&[]).contains("mechanical score"),
        "{}",
        why(&[])
    );
    for flag in ["--force-judges", "--with-judges"] {
        let why = why(&[flag]);
        assert!(why.contains("because it was asked for") && why.contains("blended score"), "{why}");
    }
}

#[test]
fn what_a_person_settled_is_no_merit_of_the_judges() {
    let stage = Stage::new();
    labelled(&stage, true);
    for number in 0..24 {
        let place = format!("state/judgments/bd-{number:02}.json");
        let mut kept = stage.get(&place);
        kept["panel"] = json!({"seats": [], "spread": {"score": 0.5, "agreement": 0.5, "dimensions":
            {"correctness": 0.5, "scope_adherence": 0.5, "code_quality": 0.5, "completeness": 0.5}}});
        stage.put(&place, &kept);
    }
    let report = stage.ok(&["calibrate", "--format", "json"]).json();
    assert_eq!(
        (report["calibration"]["runs"].as_u64(), report["settled_by_people"].as_u64()),
        (Some(0), Some(24))
    );
    assert_eq!(report["influence"]["counts"], false, "{report}");
    // With a majority it is theirs, whatever the medians say.
    for number in 0..24 {
        let place = format!("state/judgments/bd-{number:02}.json");
        let mut kept = stage.get(&place);
        kept["panel"]["majority"] = json!("fail");
        stage.put(&place, &kept);
    }
    let report = stage.ok(&["calibrate", "--format", "json"]).json();
    assert_eq!(report["calibration"]["confusion"][0], json!([0, 0, 8]), "{report}");
}

#[test]
fn a_new_judge_does_not_inherit_what_another_earned() {
    let stage = Stage::new();
    labelled(&stage, true);
    let counts = || stage.ok(&["calibrate", "--format", "json"]).json()["influence"].clone();
    assert_eq!(counts()["counts"], true);
    let put = |number: usize, at: &str, model: &str| {
        let bead = format!("new-{number}");
        stage.put(&format!("state/judgments/{bead}.json"), &judgement(&bead, [0.9; 4], at, model));
        stage.feedback(&json!({"bead": bead, "opus_quality_score": 0.9}));
    };
    // A single judgement of another one, among many of the first.
    put(0, "2026-02-01T00:00:00Z", "heuristic");
    assert_eq!(counts()["counts"], true, "{}", counts());
    put(1, "2026-02-25T00:00:00Z", "opus-2");
    assert_eq!(counts()["counts"], false, "{}", counts());
    assert!(counts()["reason"].as_str().unwrap().contains("κ of opus-2 is not known over 0 labelled runs"));
    stage.ok(&["templates", "score"]);
    let chosen = stage.ok(&["templates", "select", "Update the README"]).json();
    assert!(chosen["reasoning"].as_str().unwrap().contains("κ of opus-2"), "{chosen}");
}

#[test]
fn judgements_of_nobody_knows_whom_do_not_count() {
    let stage = Stage::new();
    labelled(&stage, true);
    for number in 0..12 {
        stage.feedback(&json!({"bead": format!("old-{number}"), "opus_quality_score": 0.9}));
    }
    stage.ok(&["templates", "score"]);
    let report = stage.ok(&["calibrate", "--format", "json"]).json();
    assert_eq!(report["influence"]["counts"], false, "{report}");
    assert!(report["influence"]["reason"].as_str().unwrap().contains("κ of unknown"), "{report}");
}

#[test]
fn a_judge_that_changed_shows_in_the_anchors() {
    let stage = Stage::new();
    for number in 0..6 {
        let bead = format!("bd-{number}");
        judge(&stage, &bead, 0.8);
        let first = judgement(&bead, [0.8; 4], "2026-02-10T10:00:00Z", "opus");
        std::fs::create_dir_all(stage.cx.path("state/judgments/history")).unwrap();
        stage.cx.write(&format!("state/judgments/history/{bead}.ndjson"), format!("{first}\n"));
    }
    let beads = ["bd-0", "bd-1", "bd-2", "bd-3", "bd-4", "bd-5"];
    stage.ok(&[&["calibrate", "anchors", "add"], &beads[..]].concat());
    assert!(stage.ok(&["calibrate", "anchors", "add", "bd-0"]).err.contains("is an anchor already"));
    let said = stage.run(&["calibrate", "anchors", "add", "bd-9"]);
    assert_eq!((said.code, said.err.contains("no judgement to compare")), (2, true), "{}", said.err);
    assert_eq!(stage.get("state/anchors.json")["anchors"].as_array().unwrap().len(), 6);
    // Judged nineteen days ago: all are due, and nothing can be said yet.
    assert_snapshot!("anchors", stage.ok(&["calibrate", "anchors", "list"]).out);
    assert!(stage.ok(&["calibrate", "drift"]).out.starts_with("too few anchors"));
    for (number, bead) in beads.iter().enumerate() {
        let place = format!("state/judgments/history/{bead}.ndjson");
        let mark = if number == 0 { 0.75 } else { 0.6 };
        let second = judgement(bead, [mark; 4], "2026-03-02T10:00:00Z", "opus-2");
        let history = stage.text(&place);
        stage.cx.write(&place, format!("{history}{second}\n"));
    }
    assert_snapshot!("drift", stage.ok(&["calibrate", "drift"]).out);
    let report = stage.ok(&["calibrate", "drift", "--format", "json"]).json();
    assert_eq!((report["moved"].as_str(), report["due"].as_array().unwrap().len()), (Some("judge"), 0));
    assert_eq!(report["flipped"].as_array().unwrap().len(), 5);
}

#[test]
fn anchors_are_judged_again_from_their_records() {
    let stage = Stage::new();
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(args);
        let output = git.current_dir(stage.cx.path("repo")).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    std::fs::create_dir_all(stage.cx.path("repo")).unwrap();
    git(&["init", "-q", "-b", "main"]);
    stage.cx.write("repo/a.py", "def one():\n    return 1\n");
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    git(&["checkout", "-qb", "work"]);
    stage.cx.write("repo/a.py", "def one():\n    return 1\n\n\ndef two():\n    return 2\n");
    git(&["commit", "-qam", "two"]);
    stage.put(
        "runs/bd-1.json",
        &json!({"bead": "bd-1", "status": "done", "exit_code": 0, "repo_path": "repo", "base_ref": "main",
            "branch": "work", "prompt": "Add a function two that returns 2", "template_name": "docs",
            "test_output": "1 passed in 0.01s\n",
            "verification": {"tests": "pass", "lint": "pass", "ubs": "clean", "truthsayer": "pass"}}),
    );
    for bead in ["bd-1", "bd-2"] {
        let first = judgement(bead, [0.8; 4], "2026-02-10T10:00:00Z", "opus");
        std::fs::create_dir_all(stage.cx.path("state/judgments/history")).unwrap();
        stage.cx.write(&format!("state/judgments/history/{bead}.ndjson"), format!("{first}\n"));
    }
    stage.ok(&["calibrate", "anchors", "add", "bd-1", "bd-2", "--records", "runs"]);
    // The branch goes on; the anchor does not.
    let shown = |args: &[&str]| stage.ok(&[&["judge", "runs/bd-1.json", "--context"], args].concat()).out;
    let before = shown(&[]);
    stage.cx.write("repo/a.py", "def three():\n    return 3\n");
    git(&["commit", "-qam", "three"]);
    assert_ne!(shown(&[]), before);
    let anchor = stage.get("state/anchors.json")["anchors"][0].clone();
    let pinned = ["--base", anchor["base"].as_str().unwrap(), "--branch", anchor["head"].as_str().unwrap()];
    assert_eq!(shown(&pinned), before);
    let said = stage.run(&["calibrate", "anchors", "judge"]);
    // One was, and one has no record.
    assert_eq!(said.code, 3, "{}", said.all());
    assert!(said.err.contains("bd-2 has no record to be judged from"), "{}", said.err);
    assert_eq!(stage.text("state/judgments/history/bd-1.ndjson").lines().count(), 2, "{}", said.all());
    let listed = stage.ok(&["calibrate", "anchors", "list", "--format", "json"]).json();
    assert_eq!(
        (listed[0]["due"].as_bool(), listed[1]["due"].as_bool()),
        (Some(false), Some(true)),
        "{listed}"
    );
}
