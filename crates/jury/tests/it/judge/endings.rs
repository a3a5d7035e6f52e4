//! Every way in which a judge ends, as it is shown, and with its exit code.

use insta::assert_snapshot;
use serde_json::json;

use super::harness::{CLEAN, GREEN, STUB, answer, judge, judge_at, judge_context, jury, kept, record};

#[test]
fn without_a_model_what_is_measured_is_the_judgement() {
    let cx = judge_context(CLEAN, &[]);
    cx.write("run.json", record(&json!({"test_output": GREEN})));
    assert_snapshot!("judge_heuristic_pass", cx.show(&mut judge(&cx, &[])));
    assert_eq!(kept(&cx, "bd-one")["mode"], "heuristic");
    assert_eq!(kept(&cx, "bd-one")["judge"]["model"], "heuristic");
    cx.write("change.diff", STUB);
    assert_snapshot!("judge_heuristic_partial", cx.show(&mut judge(&cx, &[])));
    let history = std::fs::read_to_string(cx.path("state/judgments/history/bd-one.ndjson")).unwrap();
    assert_eq!(history.lines().count(), 2, "nothing that was said is lost");
}

#[test]
fn a_model_judges_and_every_format_says_the_same() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.9, 1.0, 0.8, 0.9])])]);
    let shown = cx.show(&mut judge(&cx, &["--agent", "opus"]));
    assert_snapshot!("judge_pass", without_seconds(&shown));
    let shown = cx.show(&mut judge(&cx, &["--agent", "opus", "--format", "json", "--quiet"]));
    assert_snapshot!("judge_json", without_hashes(&shown));
    assert_snapshot!(
        "judge_opus",
        cx.show(&mut judge(&cx, &["--agent", "opus", "--format", "opus", "--quiet"]))
    );
    let reported = cx.show(jury(&cx).args(["report", "last"]));
    assert_snapshot!("judge_report", without_seconds(&reported));
    let replayed = cx.show(jury(&cx).args(["replay", "last", "--speed", "instant"]));
    assert!(replayed.starts_with("exit: 0") && replayed.contains("PASS  0.90"), "{replayed}");
    assert_eq!(cx.runs()[0]["workflow"], "judge");
    assert_eq!(cx.runs()[0]["status"], "pass");
}

/// Wherever the model is named: nobody has to say `--mode model` as well.
#[test]
fn who_names_a_model_wants_it_asked() {
    let cx = judge_context(CLEAN, &[("claude", &[answer([0.9, 1.0, 0.8, 0.9])])]);
    let asked = |command: &mut std::process::Command| {
        std::fs::remove_file(cx.path("claude.prompt")).ok();
        let shown = cx.show(command);
        assert_eq!(shown.starts_with("exit: 0"), cx.path("claude.prompt").exists(), "{shown}");
        cx.path("claude.prompt").exists()
    };
    assert!(!asked(&mut judge(&cx, &[])));
    assert!(asked(&mut judge(&cx, &["--model", "sonnet"])));
    assert!(asked(judge(&cx, &[]).env("JUDGE_MODEL", "sonnet")));
    assert!(!asked(judge(&cx, &[]).env("JUDGE_MODEL", "sonnet").env("JUDGE_MODE", "heuristic")));
    let mut settings = std::fs::read_to_string(cx.path("jury.toml")).unwrap();
    settings.push_str("[judge]\nmodel = \"sonnet\"\n");
    cx.write("jury.toml", settings);
    assert!(asked(&mut judge(&cx, &[])));
}

#[test]
fn the_context_is_what_the_judge_gets() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.9, 1.0, 0.8, 0.9])])]);
    let context = judge(&cx, &["--agent", "opus", "--context"]).output().unwrap();
    assert!(context.status.success());
    assert!(!cx.path(".od").exists(), "nobody is asked and nothing is kept");
    cx.show(&mut judge(&cx, &["--agent", "opus"]));
    let asked = std::fs::read_to_string(cx.path("opus.prompt")).unwrap();
    let context = String::from_utf8(context.stdout).unwrap();
    // The number of the blocks is new each time.
    let plain = |text: &str| {
        let lines = text.trim().lines().map(|line| {
            let number =
                |word: &str| word.len() >= 16 && word.bytes().take(16).all(|b| b.is_ascii_hexdigit());
            line.split(' ').map(|word| if number(word) { "N" } else { word }).collect::<Vec<_>>().join(" ")
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(plain(&asked), plain(&context));
}

#[test]
fn a_fail_is_noted_to_be_dispatched_again_until_it_is_judged_better() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.2, 0.5, 0.5, 0.5]), answer([0.9, 0.9, 0.9, 0.9])])]);
    let failed = cx.show(&mut judge(&cx, &["--agent", "opus"]));
    assert_snapshot!("judge_fail", without_seconds(&failed));
    let queue = kept(&cx, ".redispatch");
    assert_eq!(queue["entries"][0]["bead"], "bd-one");
    assert_eq!(queue["entries"][0]["queued_at"], "2026-03-01T10:00:00Z");
    let passed = cx.show(&mut judge(&cx, &["--agent", "opus", "--quiet"]));
    assert!(passed.starts_with("exit: 0"), "{passed}");
    assert_eq!(kept(&cx, ".redispatch")["entries"], json!([]));
}

#[test]
fn a_judge_who_cannot_answer_is_absent() {
    let cx = judge_context(CLEAN, &[("opus", &["LGTM".to_owned()])]);
    assert_snapshot!("judge_inconclusive", without_seconds(&cx.show(&mut judge(&cx, &["--agent", "opus"]))));
    let shown = cx.show(&mut judge(&cx, &["--agent", "opus", "--format", "opus", "--quiet"]));
    assert!(shown.starts_with("exit: 3\n----- stdout -----\n----- stderr"), "{shown}");
    assert!(!cx.path("state/judgments/bd-one.json").exists());
    let mut slow = judge(&cx, &["--agent", "opus", "--quiet"]);
    cx.write("agent.sh", "sleep 600");
    let shown = cx.show(slow.env("JUDGE_TIMEOUT_SECONDS", "1"));
    assert!(shown.starts_with("exit: 3") && shown.contains("it took longer than 1 second;"), "{shown}");
}

#[test]
fn what_has_nothing_to_judge_is_skipped() {
    let cx = judge_context(CLEAN, &[("opus", &[answer([0.9, 1.0, 0.8, 0.9])])]);
    cx.write("run.json", record(&json!({"status": "timeout", "exit_code": null})));
    assert_snapshot!("judge_skipped", cx.show(&mut judge(&cx, &["--agent", "opus"])));
    let forced = cx.show(&mut judge(&cx, &["--agent", "opus", "--force", "--quiet"]));
    assert!(forced.starts_with("exit: 0"), "{forced}");
    cx.write("run.json", record(&json!({"status": "running"})));
    let runs = cx.show(&mut judge(&cx, &["--quiet"]));
    assert!(runs.starts_with("exit: 3") && runs.contains("the run goes on"), "{runs}");
}

#[test]
fn of_several_records_the_worst_decides() {
    let cx = judge_context(CLEAN, &[]);
    cx.write("run.json", record(&json!({"test_output": GREEN})));
    cx.write("two.json", record(&json!({"bead": "bd-two", "status": "timeout"})));
    let args = ["run.json", "two.json", "--diff", "change.diff", "--format", "json", "--quiet"];
    let output = judge_at(&cx, "2026-03-01T10:00:00Z", &args).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let lines: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((&lines[0]["status"], &lines[1]["status"]), (&json!("pass"), &json!("skipped")));
    assert_eq!(lines[1]["bead"], "bd-two");
}

#[test]
fn a_program_of_the_users_judges_without_a_shell() {
    let cx = judge_context(CLEAN, &[]);
    cx.write("said.txt", answer([0.6, 0.9, 0.9, 0.9]));
    let mut command = judge(&cx, &["--quiet"]);
    command.env("JUDGE_MODE", "command").env("JUDGE_COMMAND", "cat said.txt");
    let shown = cx.show(&mut command);
    assert!(
        shown.starts_with("exit: 1") && shown.contains("PARTIAL  0.78  bd-one, judged by command"),
        "{shown}"
    );
    command.env("JUDGE_COMMAND", "cat said.txt; touch pwned");
    assert!(cx.show(&mut command).starts_with("exit: 3"));
    assert!(!cx.path("pwned").exists());
}

#[test]
fn the_older_judge_prints_what_it_always_did() {
    let cx = judge_context(CLEAN, &[]);
    assert_snapshot!(
        "judge_older",
        cx.show(&mut judge_at(&cx, "2026-03-01T10:00:00Z", &["run.json", "--format", "opus"]))
    );
    assert!(!cx.path("state").exists(), "it prints and keeps nothing");
    cx.write("run.json", record(&json!({"status": "running"})));
    let runs = cx.show(&mut judge_at(&cx, "2026-03-01T10:00:00Z", &["run.json", "--format", "opus"]));
    assert!(runs.starts_with("exit: 0\n----- stdout -----\n----- stderr"), "{runs}");
}

#[test]
fn the_older_judge_has_its_exit_codes_and_its_usage() {
    let cx = judge_context(CLEAN, &[]);
    let older = |args: &[&str]| {
        let shown =
            cx.show(&mut judge_at(&cx, "2026-03-01T10:00:00Z", &[args, &["--format", "opus"]].concat()));
        assert!(shown.starts_with("exit: 1\n----- stdout -----\n"), "{args:?}: {shown}");
        shown
    };
    assert!(older(&["missing.json"]).contains("missing.json"));
    cx.write("broken.json", "{\"bead\":");
    assert!(older(&["broken.json"]).contains("broken.json"));
    assert!(older(&[]).contains("Usage:"));
    assert!(older(&["run.json", "--no-such-flag"]).contains("Usage:"));
    assert!(older(&["run.json", "--mode", "command"]).contains("JUDGE_COMMAND"));
    // A run without a name has one for this.
    cx.write("run.json", record(&json!({"bead": null})));
    for args in [vec!["run.json"], vec!["run.json", "--diff", "change.diff"]] {
        let args = [args.as_slice(), &["--format", "opus"]].concat();
        let shown = cx.show(&mut judge_at(&cx, "2026-03-01T10:00:00Z", &args));
        assert!(shown.starts_with("exit: 0") && shown.contains("\"bead\": \"unknown\""), "{shown}");
    }
}

#[test]
fn the_older_shape_says_what_the_change_shows() {
    let cx = judge_context(STUB, &[]);
    let shown = cx.show(&mut judge(&cx, &["--format", "opus"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("\"judge_model\": \"heuristic\""), "{shown}");
    assert!(
        shown.contains("\"verdict\": \"partial\"") && shown.contains("\"severity\": \"major\""),
        "{shown}"
    );
    assert!(!cx.path("state").exists(), "it prints and keeps nothing");
    // A change that the record names and that cannot be had is said.
    cx.write("run.json", record(&json!({"repo_path": "nowhere", "branch": "work"})));
    let shown = cx.show(&mut judge_at(&cx, "2026-03-01T10:00:00Z", &["run.json", "--format", "opus"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("\"judge_model\": \"opus\""), "{shown}");
    assert!(shown.contains("judged by the checks of the record alone"), "{shown}");
}

/// How long it took differs.
fn without_seconds(text: &str) -> String {
    let line = |line: &str| match line.split_once("cost       ") {
        Some((before, cost)) => {
            let kept = cost.rsplit_once(", ").map_or(cost, |(kept, _)| kept);
            format!("{before}cost       {kept}, [SECONDS]")
        }
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The hashes follow from the text of the prompt, and the time from the machine.
fn without_hashes(text: &str) -> String {
    let line = |line: &str| {
        for key in ["\"prompt\": ", "\"context\": ", "\"duration_ms\": "] {
            if let Some((before, after)) = line.split_once(key)
                && !after.starts_with("true")
            {
                return format!("{before}{key}[…]");
            }
        }
        line.to_owned()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
