//! What a judge without a model does not pass, and what no judge does: a change of which too little is known.

use serde_json::{Value, json};

use super::harness::{CLEAN, GREEN, answer, judge, judge_context, record};

/// The exit code and the first line for a person.
fn judged(change: &str, over: &Value, args: &[&str]) -> (i32, String) {
    let cx = judge_context(change, &[("kind", &[answer([1.0, 1.0, 1.0, 1.0])])]);
    cx.write("run.json", record(over));
    cx.write("said.txt", answer([1.0, 1.0, 1.0, 1.0]));
    let mut command = judge(&cx, args);
    let output = command.arg("--quiet").env("JUDGE_COMMAND", "cat said.txt").output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), shown.lines().next().unwrap_or_default().to_owned())
}

#[test]
fn without_a_model_a_pass_needs_its_prompt_green_output_and_a_whole_diff() {
    let (code, line) = judged(CLEAN, &json!({"test_output": GREEN}), &[]);
    assert_eq!(code, 0, "{line}");
    assert!(line.ends_with("judged by heuristic; correctness was not judged"), "{line}");
    // Whatever the record says of the tests, their output tells.
    let skipped = json!({"test_output": GREEN, "verification": {"tests": "skipped", "ubs": "clean"}});
    assert_eq!(judged(CLEAN, &skipped, &[]).0, 0);
    let cut = CLEAN.split_inclusive('\n').take(6).collect::<String>();
    for (change, over, why) in [
        (CLEAN, json!({}), "there is no test output"),
        (CLEAN, json!({"test_output": ""}), "no summary of a test runner"),
        (CLEAN, json!({"test_output": "all tests pass, I promise\n"}), "no summary of a test runner"),
        (
            CLEAN,
            json!({"test_output": "collected 0 items\n\n=== no tests ran in 0.01s ===\n"}),
            "no test ran",
        ),
        (CLEAN, json!({"test_output": GREEN, "prompt": null}), "there is no prompt"),
        (CLEAN, json!({"test_output": GREEN, "prompt": "  "}), "there is no prompt"),
        (cut.as_str(), json!({"test_output": GREEN}), "the diff is not whole"),
    ] {
        let (code, line) = judged(change, &over, &[]);
        assert_eq!(code, 3, "{over}: {line}");
        assert!(line.starts_with("INCONCLUSIVE  bd-one: ") && line.contains(why), "{over}: {line}");
    }
}

#[test]
fn red_output_is_red_for_every_judge() {
    for output in [
        "=== 1 failed, 2 passed in 0.10s ===\n",
        "Tests:       1 failed, 2 passed, 3 total\n",
        "test result: FAILED. 2 passed; 1 failed; 0 ignored\n",
        "FAIL\texample.com/a\t0.01s\n",
        "3 passed in 0.10s\nSegmentation fault (core dumped)\n",
        "running 3 tests\n",
        "make: *** [Makefile:3: test] Error 1\n",
    ] {
        let over = json!({"test_output": output});
        for args in [[].as_slice(), &["--agent", "kind"], &["--mode", "command"]] {
            let (code, line) = judged(CLEAN, &over, args);
            assert_eq!(code, 1, "{args:?} {output}: {line}");
        }
    }
}

#[test]
fn a_diff_that_is_not_whole_passes_before_no_judge() {
    let cut = CLEAN.split_inclusive('\n').take(6).collect::<String>();
    let over = json!({"test_output": GREEN});
    for args in [["--agent", "kind"].as_slice(), &["--mode", "command"]] {
        let (code, line) = judged(&cut, &over, args);
        assert_eq!(code, 1, "{args:?}: {line}");
    }
}
