//! A run record is anybody's text. Each of these is a line that says what is wrong, or a correct record; never more.

use serde_json::{Value, json};

use super::stage::Stage;

/// Collects and detects; nothing may be written by either, and the reason stands on one line.
fn refused(stage: &Stage, file: &str, why: &str) {
    for call in [&["feedback", "collect", file][..], &["patterns", "detect", "--update-registry", file]] {
        let called = stage.call(call);
        assert_eq!(called.code, Some(1), "{call:?}: {}", called.all());
        assert_eq!(called.err.lines().count(), 1, "{}", called.err);
        assert!(called.err.contains(why) && called.err.contains(file), "{}", called.err);
        assert!(called.err.len() < 2500);
    }
    assert_eq!(stage.kept(), Vec::<String>::new());
}

#[test]
fn nothing_in_a_record_is_executed() {
    let stage = Stage::new();
    let code = format!("PATH[$(touch {})]", stage.context.path("PWNED").display());
    for field in ["attempt", "duration_seconds", "exit_code"] {
        let file = stage.record("bd-one", &json!({field: code}));
        refused(&stage, &file, &format!("{field}: found the text \"PATH[$(touch "));
    }
    for field in ["agent", "model", "template_name", "failure_reason", "prompt_hash", "status"] {
        let stage = Stage::new();
        let file = stage.record("bd-one", &json!({field: code}));
        assert_eq!(stage.collect(&file).code, Some(0));
    }
    assert!(!stage.context.path("PWNED").exists());
}

#[test]
fn a_bead_never_leads_out_of_the_folder() {
    let beads =
        ["../../escape", "/etc/passwd", "..", ".hidden", "a/b", "a\\b", "a\u{0}b", "a\nb", "$(id)", "ä b"];
    for bead in beads {
        let stage = Stage::new();
        let file = stage.record("named", &json!({"bead": bead}));
        refused(&stage, &file, "bead: ");
        assert!(
            !stage.context.path("escape.json").exists() && !stage.context.path("state/escape.json").exists()
        );
    }
    let stage = Stage::new();
    let file = stage.record("long", &json!({"bead": "x".repeat(5000)}));
    refused(&stage, &file, "cannot be the bead of a run");
    // Nor does it take the place of the registry.
    let file = stage.record("reserved", &json!({"bead": "pattern-registry"}));
    let called = stage.collect(&file);
    assert_eq!(called.code, Some(1));
    assert!(called.err.contains("pattern-registry"), "{}", called.err);
}

#[test]
fn a_field_of_a_wrong_type_is_named() {
    let stage = Stage::new();
    for (over, why) in [
        (json!({"bead": 7}), "bead: found 7, expected a text"),
        (json!({"status": ["done"]}), "status: found an array of 1, expected a text"),
        (json!({"exit_code": {}}), "exit_code: found an object of 0, expected a number"),
        (json!({"exit_code": 1.5}), "exit_code: found 1.5, expected a whole number"),
        (json!({"attempt": -1}), "attempt: found -1, expected a whole number from 0"),
        (json!({"attempt": true}), "attempt: found true, expected a number"),
        (json!({"duration_seconds": -3}), "duration_seconds: found -3, expected a number from 0"),
        (
            json!({"duration_seconds": "1e999"}),
            "duration_seconds: found the text \"1e999\", expected a number",
        ),
        (json!({"verification": "pass"}), "verification: found the text \"pass\", expected an object"),
        (json!({"verification": {"tests": 1}}), "verification.tests: found 1, expected a text"),
        (json!({"agent": {"name": "x"}}), "agent: found an object of 1, expected a text"),
    ] {
        let file = stage.record("bd-one", &over);
        refused(&stage, &file, why);
    }
}

#[test]
fn what_is_no_json_is_refused_before_anything_is_done() {
    let stage = Stage::new();
    let deep = format!("{{\"bead\": \"b\", \"x\": {}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let huge = format!("{{\"bead\": \"b\", \"attempt\": 1{}}}", "0".repeat(400));
    let bodies: [(&str, Vec<u8>); 9] = [
        ("empty", Vec::new()),
        ("cut", b"{\"bead\": \"b\", \"status\"".to_vec()),
        ("deep", deep.into_bytes()),
        ("huge", huge.into_bytes()),
        ("nul", b"{\"bead\": \"b\0\", \"status\": \"done\"}".to_vec()),
        ("bytes", b"{\"bead\": \"\xff\xfe\", \"status\": \"done\"}".to_vec()),
        ("bom", b"\xef\xbb\xbf{\"bead\": \"b\", \"status\": \"done\"}".to_vec()),
        ("array", b"[1, 2]".to_vec()),
        ("two", b"{\"bead\": \"b\"} {\"bead\": \"c\"}".to_vec()),
    ];
    for (name, body) in bodies {
        let file = stage.raw(name, body);
        refused(&stage, &file, "the run record is");
    }
}

#[test]
fn a_record_of_a_hundred_megabytes_is_not_even_read() {
    let stage = Stage::new();
    let file = stage.raw("large", "");
    // A file with a hole: it has the size, and takes no room.
    std::fs::File::options().write(true).open(stage.context.path(&file)).unwrap().set_len(100 << 20).unwrap();
    refused(&stage, &file, "the run record has 104857600 bytes");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let stage = Stage::new();
    let pipe = stage.context.path("state/runs/pipe.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&stage, "state/runs/pipe.json", "not a plain file");
    std::fs::create_dir(stage.context.path("state/runs/folder.json")).unwrap();
    refused(&stage, "state/runs/folder.json", "not a plain file");
}

#[test]
fn odd_and_correct_records_are_collected() {
    let stage = Stage::new();
    // Of two keys of one name the last counts, as in the scripts.
    let file = stage.raw(
        "twice",
        r#"{"bead": "bd-no", "bead": "bd-yes", "status": "done", "exit_code": 1, "exit_code": 0}"#,
    );
    assert_eq!(stage.collect(&file).code, Some(0));
    assert_eq!(stage.feedback("bd-yes")["signals"]["exit_clean"], true);
    let odd = json!({"agent": "\u{1b}[31mred\u{7}", "template_name": "x".repeat(100_000), "finished_at": "2025-01-010T00:00:00Z",
        "attempt": "2", "verification": {"tests": "maybe"}, "duration_seconds": 1e300});
    assert_eq!(stage.collect(&stage.record("bd-odd", &odd)).code, Some(0));
    let feedback = stage.feedback("bd-odd");
    assert_eq!(feedback["agent"], "[31mred");
    assert_eq!(feedback["template"].as_str().unwrap().len(), 500);
    assert_eq!(feedback["timestamp"], "2025-01-10T00:00:00Z");
    assert_eq!(
        (&feedback["signals"]["retried"], &feedback["outcome"]),
        (&json!(true), &json!("partial_pass"))
    );
    let feedback: Value = stage.feedback("bd-yes");
    assert_eq!(feedback["template"], "custom");
}
