//! A judge while feedback is collected: `JUDGE_SCRIPT`, and jury's own.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use super::stage::{Called, Stage};

/// A script that prints this.
fn script(stage: &Stage, body: &str) -> String {
    let path = stage.context.write("judge.sh", format!("#!/bin/sh\n{body}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn opus() -> Value {
    json!({"schema_version": "1.0.0", "bead": "bd-one", "judged_at": "2026-02-21T11:00:00Z", "judge_model": "mock",
        "quality_score": 0.82, "style_rating": 4, "maintainability_rating": 4, "correctness_rating": 4,
        "confidence": "high", "verdict": "pass", "critique": "Looks right.", "findings": []})
}

fn collect(stage: &Stage, file: &str, variables: &[(&str, &str)]) -> Called {
    let mut command = stage.jury(&["feedback", "collect", file]);
    command.env("JUDGE_ENABLED", "true").env("JUDGE_SAMPLE_RATE", "1");
    for (name, value) in variables {
        command.env(name, value);
    }
    command.output().unwrap().into()
}

fn printing(stage: &Stage, answer: &Value) -> String {
    stage.context.write("answer.json", answer.to_string());
    script(stage, &format!("cat '{}'", stage.context.path("answer.json").display()))
}

#[test]
fn the_answer_of_a_script_is_merged_and_stays() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let script = printing(&stage, &opus());
    assert_eq!(collect(&stage, &file, &[("JUDGE_SCRIPT", &script)]).code, Some(0));
    let judged = stage.feedback("bd-one");
    assert_eq!(judged["opus_quality_score"], 0.82);
    let judge = &judged["opus_judge"];
    assert_eq!((&judge["judge_model"], &judge["verdict"]), (&json!("mock"), &json!("pass")));
    assert_eq!((&judge["critique"], &judge["findings"]), (&json!("Looks right."), &json!([])));
    // With judging off, and with a script that fails, it is still there.
    assert_eq!(stage.collect(&file).code, Some(0));
    assert_eq!(stage.feedback("bd-one"), judged);
    let broken = super_broken(&stage);
    let called = collect(&stage, &file, &[("JUDGE_SCRIPT", &broken), ("JUDGE_FORCE", "true")]);
    assert!(called.err.contains("failed (exit status: 7); collected without a judgement"), "{}", called.err);
    assert_eq!(stage.feedback("bd-one"), judged);
}

fn super_broken(stage: &Stage) -> String {
    script(stage, "exit 7")
}

#[test]
fn a_native_answer_is_merged_in_both_shapes_and_kept() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let marks = json!({"correctness": 0.9, "scope_adherence": 0.8, "code_quality": 0.8, "completeness": 0.5});
    let answer = json!({"dimensions": marks, "issues": [], "summary": "Half done.", "confidence": "high",
        "verdict": "pass", "score": 1.0});
    let script = printing(&stage, &answer);
    assert_eq!(collect(&stage, &file, &[("JUDGE_SCRIPT", &script)]).code, Some(0));
    let judged = stage.feedback("bd-one");
    // The verdict and the score follow from the marks.
    assert_eq!(
        (&judged["judgment"]["verdict"], &judged["judgment"]["score"]),
        (&json!("partial"), &json!(0.78))
    );
    assert_eq!(judged["opus_quality_score"], 0.78);
    let kept = stage.context.path("state/judgments/bd-one.json");
    let kept: Value = serde_json::from_slice(&std::fs::read(kept).unwrap()).unwrap();
    assert_eq!(kept["dimensions"], marks);
}

#[test]
fn who_is_judged_follows_from_the_settings_and_the_outcome() {
    let stage = Stage::new();
    let script = printing(&stage, &opus());
    let file = stage.record("bd-one", &json!({}));
    let score = |variables: &[(&str, &str)]| {
        let all = [&[("JUDGE_SCRIPT", script.as_str())], variables].concat();
        assert_eq!(collect(&stage, &file, &all).code, Some(0));
        let feedback = stage.feedback("bd-one");
        assert_eq!(feedback["opus_judge"].is_null(), feedback["opus_quality_score"].is_null());
        feedback["opus_quality_score"].clone()
    };
    assert_eq!(score(&[("JUDGE_SAMPLE_RATE", "0")]), Value::Null);
    assert_eq!(score(&[("JUDGE_ENABLED", "false")]), Value::Null);
    assert_eq!(score(&[("JUDGE_ENABLED", "false"), ("JUDGE_FORCE", "true")]), Value::Null);
    // A wrong setting is named; the feedback is kept all the same.
    let called = collect(&stage, &file, &[("JUDGE_SCRIPT", &script), ("JUDGE_SAMPLE_RATE", "often")]);
    assert_eq!(called.code, Some(0));
    assert!(
        called.err.contains("JUDGE_SAMPLE_RATE") && called.err.contains("nothing is judged"),
        "{}",
        called.err
    );
    for over in [json!({"status": "timeout"}), json!({"status": "failed", "failure_reason": "infra-net"})] {
        stage.record("bd-one", &over);
        assert_eq!(score(&[("JUDGE_FORCE", "true")]), Value::Null, "there is nothing to judge");
    }
    stage.record("bd-one", &json!({}));
    assert_eq!(score(&[("JUDGE_SAMPLE_RATE", "0"), ("JUDGE_FORCE", "true")]), 0.82);
}

#[test]
fn an_invalid_answer_is_a_line_and_no_judgement() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let with = |key: &str, value: Value| {
        let mut answer = opus();
        answer[key] = value;
        answer
    };
    let answers = [
        (json!("fine"), "printed nothing for judge_model"),
        (with("quality_score", json!("excellent")), "printed the text \"excellent\" for quality_score"),
        (with("style_rating", json!(99)), "style_rating"),
        (with("verdict", json!("LGTM")), "verdict"),
        (with("bead", json!("bd-two")), "bead"),
        (
            json!({"dimensions": {"correctness": 7}, "issues": [], "summary": "s", "confidence": "high"}),
            "correctness",
        ),
    ];
    for (answer, word) in answers {
        let script = printing(&stage, &answer);
        let called = collect(&stage, &file, &[("JUDGE_SCRIPT", &script)]);
        assert_eq!(called.code, Some(0));
        assert!(called.err.contains(word), "{}", called.err);
        assert_eq!(called.err.lines().count(), 2, "{}", called.err);
        assert_eq!(stage.feedback("bd-one")["opus_judge"], Value::Null);
    }
}

#[test]
fn a_script_has_its_time_its_bound_and_no_shell() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let cases = [
        ("cat /dev/zero", "printed more than 1048576 bytes"),
        // What it leaves behind is ended with it, and holds nobody up.
        ("sleep 300 & wait", "took longer than 1 second;"),
        ("true", "printed no JSON"),
        ("test \"$#\" = 1 && test -f \"$1\" && exit 9", "exit status: 9"),
    ];
    for (body, why) in cases {
        let script = script(&stage, body);
        let called = collect(&stage, &file, &[("JUDGE_SCRIPT", &script), ("JUDGE_TIMEOUT_SECONDS", "1")]);
        assert_eq!(called.code, Some(0));
        assert!(called.err.contains(why), "{body}: {}", called.err);
        assert_eq!(stage.feedback("bd-one")["outcome"], "full_pass");
    }
    let called = collect(&stage, &file, &[("JUDGE_SCRIPT", "touch PWNED; echo")]);
    assert!(called.err.contains("cannot be started"), "{}", called.err);
    assert!(!stage.context.path("PWNED").exists());
}

/// A repository with a change on a branch.
fn repository(stage: &Stage) {
    let folder = stage.context.path("repo");
    std::fs::create_dir(&folder).unwrap();
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
        let output = command.args(arguments).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "--quiet", "--initial-branch", "main"]);
    std::fs::write(folder.join("price.py"), "def price(n):\n    return n\n").unwrap();
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "begin"]);
    git(&["checkout", "--quiet", "-b", "work"]);
    std::fs::write(folder.join("price.py"), "def price(n):\n    return n * 2\n").unwrap();
    git(&["commit", "--quiet", "-a", "-m", "double it"]);
}

#[test]
fn jury_judges_when_no_script_does_and_pays_once() {
    let stage = Stage::new();
    // Where there is nothing to look at, it is said, and the feedback is kept.
    let bare = stage.record("bd-bare", &json!({}));
    let called = collect(&stage, &bare, &[("JUDGE_MODE", "heuristic")]);
    assert_eq!(called.code, Some(0));
    assert!(called.err.contains("collected without a judgement"), "{}", called.err);
    assert_eq!(stage.feedback("bd-bare")["outcome"], "full_pass");
    repository(&stage);
    let over = json!({"repo_path": stage.context.path("repo"), "branch": "work", "base_ref": "main",
        "prompt": "Double the price.", "test_output": "1 passed in 0.01s\n"});
    let file = stage.record("bd-one", &over);
    let called = collect(&stage, &file, &[("JUDGE_MODE", "heuristic")]);
    assert_eq!(called.code, Some(0), "{}", called.err);
    let first = stage.feedback("bd-one");
    assert!(first["judgment"]["score"].is_number(), "{}", called.err);
    let history = stage.context.path("state/judgments/history/bd-one.ndjson");
    let lines = || std::fs::read_to_string(&history).unwrap().lines().count();
    assert_eq!(lines(), 1);
    collect(&stage, &file, &[("JUDGE_MODE", "heuristic")]);
    assert_eq!((lines(), stage.feedback("bd-one")), (1, first));
}

/// The model that is named judges what is collected, and where nobody is named it is said that nobody has read anything.
#[test]
fn a_model_that_is_named_judges_what_is_collected() {
    let stage = Stage::new();
    repository(&stage);
    let over = json!({"repo_path": stage.context.path("repo"), "branch": "work", "base_ref": "main",
        "prompt": "Double the price.", "test_output": "1 passed in 0.01s\n"});
    let file = stage.record("bd-one", &over);
    let said = |called: &Called| called.err.matches("only what can be measured").count();
    let called = collect(&stage, &file, &[]);
    assert_eq!((called.code, said(&called)), (Some(0), 1), "{}", called.err);
    assert_eq!(said(&collect(&stage, &file, &[("JUDGE_MODE", "heuristic")])), 0);
    let marks = json!({"correctness": 0.1, "scope_adherence": 0.1, "code_quality": 0.1, "completeness": 0.1});
    let answer = json!({"dimensions": marks, "issues": [], "summary": "Not done.", "confidence": "high"});
    let program = printing(&stage, &answer);
    stage.context.write("jury.toml", format!("[agents.claude]\ncommand = [\"{program}\"]\n"));
    let variables = [("JUDGE_MODEL", "sonnet"), ("JUDGE_FORCE", "true")];
    let called = collect(&stage, &file, &variables);
    assert_eq!((called.code, said(&called)), (Some(0), 0), "{}", called.err);
    assert_eq!(stage.feedback("bd-one")["judgment"]["verdict"], "fail", "{}", called.err);
}

#[test]
fn what_a_script_says_in_the_older_shape_outlives_the_feedback() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let script = printing(&stage, &opus());
    assert_eq!(collect(&stage, &file, &[("JUDGE_SCRIPT", &script)]).code, Some(0));
    let kept = std::fs::read_to_string(stage.context.path("state/judgments/history/bd-one.ndjson")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!((&kept["score"], &kept["mode"]), (&json!(0.75), &json!("script")));
    assert_eq!(
        (&kept["judged_at"], &kept["judge"]["model"]),
        (&json!("2026-02-21T11:00:00Z"), &json!("mock"))
    );
    std::fs::remove_file(stage.feedback_file("bd-one")).unwrap();
    stage.collect(&file);
    assert_eq!(stage.feedback("bd-one")["judgment"]["score"], 0.75);
}

#[test]
fn a_script_whose_ratings_are_low_is_not_believed_its_praise() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let mut praise = opus();
    for key in ["style_rating", "maintainability_rating", "correctness_rating", "quality_score"] {
        praise[key] = json!(1);
    }
    let script = printing(&stage, &praise);
    let called = collect(&stage, &file, &[("JUDGE_SCRIPT", &script)]);
    assert!(called.err.contains("bd-one: verdict is pass where its ratings make fail"), "{}", called.err);
    let judged = stage.feedback("bd-one");
    assert_eq!(
        (&judged["opus_quality_score"], &judged["opus_judge"]["verdict"]),
        (&json!(0.2), &json!("fail"))
    );
}

/// A script that notes each call and takes its time over it.
fn noting(stage: &Stage) -> String {
    let mut answer = opus();
    answer.as_object_mut().unwrap().remove("bead");
    stage.context.write("answer.json", answer.to_string());
    let at = |name: &str| stage.context.path(name).display().to_string();
    script(stage, &format!("echo x >> '{}'\nsleep 0.2\ncat '{}'", at("calls"), at("answer.json")))
}

fn calls(stage: &Stage) -> usize {
    std::fs::read_to_string(stage.context.path("calls")).unwrap_or_default().lines().count()
}

#[test]
fn collectors_of_one_run_ask_once() {
    let stage = Stage::new();
    let file = stage.record("bd-one", &json!({}));
    let script = noting(&stage);
    let mut children: Vec<_> = (0..3)
        .map(|_| {
            let mut command = stage.jury(&["feedback", "collect", &file]);
            command.env("JUDGE_ENABLED", "true").env("JUDGE_SAMPLE_RATE", "1").env("JUDGE_SCRIPT", &script);
            command.spawn().unwrap()
        })
        .collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(calls(&stage), 1);
    let history = stage.context.path("state/judgments/history/bd-one.ndjson");
    assert_eq!(std::fs::read_to_string(history).unwrap().lines().count(), 1);
    assert_eq!(stage.feedback("bd-one")["opus_quality_score"], 0.82);
}

#[test]
fn a_script_is_held_back_like_every_judge() {
    let stage = Stage::new();
    let script = noting(&stage);
    let asked = |bead: &str, variable: (&str, &str)| {
        let file = stage.record(bead, &json!({}));
        let called = collect(&stage, &file, &[("JUDGE_SCRIPT", &script), variable]);
        assert_eq!(called.code, Some(0), "{}", called.err);
        (calls(&stage), called.err)
    };
    let (count, err) = asked("bd-none", ("JUDGE_DAILY_BUDGET", "0"));
    assert!(count == 0 && err.contains("the daily budget of 0 dollars never lets JUDGE_SCRIPT in"), "{err}");
    assert_eq!(asked("bd-one", ("JUDGE_PER_HOUR", "1")).0, 1);
    let (count, err) = asked("bd-two", ("JUDGE_PER_HOUR", "1"));
    assert!(count == 1 && err.contains("holds JUDGE_SCRIPT back until 2026-02-21 13:00:00 UTC"), "{err}");
    // One counts 0.15 dollars: there is no room for a second.
    let (count, err) = asked("bd-three", ("JUDGE_DAILY_BUDGET", "0.2"));
    assert!(count == 1 && err.contains("holds JUDGE_SCRIPT back until 2026-02-22 12:00:00 UTC"), "{err}");
}

#[test]
fn a_run_that_is_called_like_a_file_of_the_judge_takes_nothing_from_it() {
    let stage = Stage::new();
    let script = noting(&stage);
    let one = ("JUDGE_PER_HOUR", "1");
    let file = stage.record("throttle", &json!({}));
    assert_eq!(collect(&stage, &file, &[("JUDGE_SCRIPT", &script), one]).code, Some(0));
    assert_eq!(stage.feedback("throttle")["opus_quality_score"], 0.82);
    for name in ["throttle", "redispatch", "history"] {
        let file = stage.record(name, &json!({}));
        assert_eq!(stage.collect(&file).err, format!("{name}: full_pass\n"));
    }
    let file = stage.record("bd-two", &json!({}));
    collect(&stage, &file, &[("JUDGE_SCRIPT", &script), one]);
    assert_eq!(calls(&stage), 1, "what was spent is still known");
    assert!(!stage.context.path("state/judgments/quarantine").exists());
}

#[test]
fn what_is_held_back_is_judged_later_as_was_asked() {
    let stage = Stage::new();
    repository(&stage);
    let marks = json!({"correctness": 0.1, "scope_adherence": 0.1, "code_quality": 0.1, "completeness": 0.1});
    let answer = json!({"dimensions": marks, "issues": [], "summary": "Not done.", "confidence": "high"});
    let command = printing(&stage, &answer);
    stage.context.write(
        "jury.toml",
        format!("[judge]\nenabled = true\nsample_rate = 1\nmode = \"command\"\ncommand = \"{command}\"\nper_hour = 1\n"),
    );
    let over = json!({"repo_path": stage.context.path("repo"), "branch": "work", "base_ref": "main",
        "prompt": "Double the price.", "test_output": "1 passed in 0.01s\n"});
    for (bead, says) in [("bd-one", ""), ("bd-two", "the judge is throttled")] {
        let called = stage.collect(&stage.record(bead, &over));
        assert!(called.code == Some(0) && called.err.contains(says), "{}", called.err);
    }
    assert_eq!(stage.feedback("bd-one")["judgment"]["verdict"], "fail");
    let drain = |moment: &str| -> Called {
        stage.jury(&["judge", "--drain", "--no-wait"]).env("JURY_NOW", moment).output().unwrap().into()
    };
    // The settings may be gone by then.
    std::fs::remove_file(stage.context.path("jury.toml")).unwrap();
    let early = drain("2026-02-21T12:30:00Z");
    assert_eq!(early.code, Some(3), "{}", early.all());
    let late = drain("2026-02-21T13:00:00Z");
    assert!(late.code == Some(1) && late.out.contains("FAIL"), "{}", late.all());
    let kept = std::fs::read(stage.context.path("state/judgments/bd-two.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&kept).unwrap()["mode"], "command");
}

#[test]
fn what_was_searched_is_kept_the_same_by_a_collector_and_by_a_run() {
    let stage = Stage::new();
    repository(&stage);
    let over = json!({"repo_path": stage.context.path("repo"), "branch": "work", "base_ref": "main",
        "prompt": "Double the price.", "test_output": "1 passed in 0.01s\n"});
    let file = stage.record("bd-one", &over);
    let coverage = || {
        let kept = std::fs::read(stage.context.path("state/judgments/bd-one.json")).unwrap();
        serde_json::from_slice::<Value>(&kept).unwrap()["coverage"].clone()
    };
    // So little is shown that a model would not see all of it; who counts does.
    std::fs::write(stage.context.path("repo/long.py"), "x = 1\n".repeat(400)).unwrap();
    for arguments in [["add", "."].as_slice(), &["commit", "--quiet", "-m", "more"]] {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
        assert!(git.args(arguments).current_dir(stage.context.path("repo")).status().unwrap().success());
    }
    let little = ("JUDGE_MAX_DIFF_LINES", "10");
    collect(&stage, &file, &[("JUDGE_MODE", "heuristic"), little]);
    let collected = coverage();
    let mut command = stage.jury(&["judge", &file]);
    command.env(little.0, little.1).output().unwrap();
    assert_eq!(coverage(), collected);
}
