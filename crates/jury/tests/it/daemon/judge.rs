//! What the daemon tells of the judge's learning loop: from real folders, empty, full, broken and hostile.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::harness::Daemon;
use crate::harness::Context;

/// Every address of it that needs no name.
const ROUTES: [&str; 5] = [
    "/api/judge/templates",
    "/api/judge/judgements",
    "/api/judge/patterns",
    "/api/judge/cost",
    "/api/judge/tests",
];

fn judgement(bead: &str, verdict: &str, mark: f64, at: &str) -> Value {
    json!({
        "schema_version": "1.0.0", "bead": bead, "verdict": verdict, "score": mark,
        "dimensions": {"correctness": mark, "scope_adherence": mark, "code_quality": mark, "completeness": mark},
        "issues": [{"severity": "major", "description": "A test is gone.", "dimension": "correctness",
            "evidence": {"file": "tests/a.rs", "line": 14, "quote": "assert!(paid());"}}],
        "summary": "One paragraph.", "confidence": "medium", "judged_at": at, "judge": {"model": "opus", "prompt": "9f"},
        "cost": {"input_tokens": 900, "output_tokens": 60, "cost_usd": 0.07, "duration_ms": 1200},
    })
}

/// Writes a file, and makes its folder if need be.
#[expect(clippy::needless_pass_by_value, reason = "what is written is made for it")]
fn write(cx: &Context, name: &str, text: impl ToString) {
    std::fs::create_dir_all(cx.path(name).parent().unwrap()).unwrap();
    cx.write(name, text.to_string());
}

/// A workspace after some work.
fn full(cx: &Context) {
    let put = |name: &str, value: Value| write(cx, &format!("state/{name}"), value);
    put(
        "scores/template-scores.json",
        json!({"schema_version": "1.0.0", "generated_at": "2026-01-05T09:00:00Z", "templates": [{
            "template": "bug-fix", "total_runs": 24, "scoreable_runs": 23, "full_pass_rate": 0.7, "partial_pass_rate": 0.1,
            "retry_rate": 0.05, "timeout_rate": 0, "score": 0.68, "confidence": "high", "trend": "improving",
            "agents": [{"agent": "claude", "total_runs": 24, "full_pass_rate": 0.7, "score": 0.72}],
            "mechanical": {"value": 0.72, "low": 0.56, "high": 0.88}, "judged_runs": 12,
            "judged": {"value": 0.61, "low": 0.49, "high": 0.73}, "blended": {"value": 0.676, "low": 0.55, "high": 0.8},
        }]}),
    );
    let (first, second) = (
        judgement("bd-1", "fail", 0.3, "2026-01-04T10:00:00Z"),
        judgement("bd-1", "partial", 0.6, "2026-01-05T10:00:00Z"),
    );
    put("judgments/bd-1.json", second.clone());
    write(cx, "state/judgments/history/bd-1.ndjson", format!("{first}\n{second}\n"));
    put("judgments/bd-2.json", judgement("bd-2", "pass", 0.9, "2026-01-05T11:00:00Z"));
    put(
        "feedback/bd-1.json",
        json!({"schema_version": "1.0.0", "bead": "bd-1", "timestamp": "2026-01-04T09:00:00Z", "template": "bug-fix",
            "agent": "claude", "model": "sonnet", "outcome": "partial_pass", "signals": {"retried": false},
            "failure_patterns": ["scope-creep"], "opus_quality_score": null, "opus_judge": null, "prompt_hash": "",
            "judgment": null}),
    );
    put(
        "feedback/pattern-registry.json",
        json!({"scope-creep": {"count": 3, "first_seen": "2025-12-01T10:00:00Z", "last_seen": "2026-01-04T09:00:00Z",
            "last_beads": ["bd-1"], "mitigation": "Shorter tasks.", "mitigated_at": "2026-01-01T10:00:00Z",
            "count_at_mitigation": 2}, "infra-tmux": {"count": 1}}),
    );
    put(
        "scores/ab-tests.json",
        json!({"schema_version": "1.0.0", "tests": [{"original": "bug-fix", "variant": "bug-fix-v1", "status": "active",
            "target_runs": 10, "original_runs": 7, "variant_runs": 6, "created_at": "2026-01-03T10:00:00Z"}]}),
    );
    put(
        "scores/promotion-review-queue.json",
        json!({"entries": [{"original": "docs", "variant": "docs-v1", "original_score": 0.4, "variant_score": 0.6,
            "score_diff": 0.2, "status": "pending", "queued_at": "2026-01-05T07:00:00Z"}]}),
    );
    put(
        "scores/refinement-log.json",
        json!({"entries": [
            {"template": "bug-fix", "variant": "bug-fix-v1", "trigger": "low_judgement", "timestamp": "2026-01-03T09:00:00Z",
                "full_pass_rate": 0.6, "total_runs": 20, "patterns_applied": ["scope-creep"]},
            {"type": "ab_test_result", "original": "docs", "variant": "docs-v0", "decision": "discarded",
                "original_score": 0.7, "variant_score": 0.6, "timestamp": "2025-12-30T10:00:00Z"}]}),
    );
}

fn told(daemon: &Daemon, path: &str) -> Value {
    let answer = daemon.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.json()
}

#[test]
fn without_files_every_answer_is_empty() {
    let cx = Context::new();
    let daemon = Daemon::start(&cx);
    for path in ROUTES {
        let answer = told(&daemon, path);
        assert_eq!(answer["problems"], json!([]), "{path}");
        for (name, part) in answer.as_object().unwrap() {
            assert!(part.as_array().is_none_or(Vec::is_empty), "{path} {name}: {part}");
        }
    }
    assert!(!cx.path("state").exists(), "looking makes no folders");
}

#[test]
fn every_route_tells_what_the_files_say() {
    let cx = Context::new();
    full(&cx);
    let daemon = Daemon::start(&cx);
    let mut notes = String::new();
    for path in ROUTES.into_iter().chain([
        "/api/judge/judgements/bd-1",
        "/api/judge/judgements?verdict=pass&template=",
        "/api/judge/judgements?template=bug-fix&limit=1",
        "/api/judge/judgements?limit=1",
    ]) {
        writeln!(notes, "> GET {path}\n{:#}\n", told(&daemon, path)).unwrap();
    }
    insta::assert_snapshot!(notes);

    let first = told(&daemon, "/api/judge/judgements?limit=1");
    let next = first["next"].as_str().unwrap();
    let second = told(&daemon, &format!("/api/judge/judgements?limit=1&cursor={next}"));
    assert_eq!(
        (first["judgements"][0]["bead"].as_str(), second["judgements"][0]["bead"].as_str(), &second["next"]),
        (Some("bd-2"), Some("bd-1"), &Value::Null)
    );
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let cx = Context::new();
    full(&cx);
    write(&cx, "secret.json", json!({"bead": "secret"}).to_string());
    let daemon = Daemon::start(&cx);
    for (query, code) in [
        ("limit=0", 400),
        ("limit=201", 400),
        ("limit=many", 400),
        ("verdict=good", 400),
        ("cursor=x", 400),
        ("cursor=2026-01-01T00:00:00Z~..%2Fx", 400),
    ] {
        let answer = daemon.get(&format!("/api/judge/judgements?{query}"));
        assert_eq!(answer.status, code, "{query}: {}", answer.text());
        assert_eq!(answer.json()["error"]["code"], "bad_request", "{query}");
    }
    for name in ["bd-9", "..%2F..%2Fsecret", "..", ".hidden", "%00", "throttle%2F", "a%20b", "%3Cscript%3E"] {
        let answer = daemon.get(&format!("/api/judge/judgements/{name}"));
        assert_eq!(answer.status, 404, "{name}: {}", answer.text());
    }
    let answer = daemon.post("/api/judge/templates", &json!({}));
    assert_eq!(answer.status, 405, "{}", answer.text());
}

#[test]
fn broken_and_hostile_files_are_named_and_stop_nothing() {
    let cx = Context::new();
    full(&cx);
    let hostile = "<script>alert(1)</script>";
    write(&cx, "state/judgments/bd-broken.json", "{\"bead\": ");
    write(&cx, "state/judgments/$(touch pwned).json", "{}");
    write(&cx, "state/judgments/history/bd-2.ndjson", "half a li");
    write(&cx, "state/feedback/bd-2.json", "[[[[");
    cx.write(
        "state/scores/template-scores.json",
        json!({"templates": [{"template": hostile, "score": 1e308}, 7]}).to_string(),
    );
    write(&cx, "state/feedback/pattern-registry.json", "null");
    write(&cx, "state/scores/ab-tests.json", json!({"tests": {}}).to_string());
    write(&cx, "state/scores/refinement-log.json", "\u{feff}{}");
    let daemon = Daemon::start(&cx);
    let expected = [
        ("/api/judge/templates", vec!["scores/template-scores.json"]),
        (
            "/api/judge/judgements",
            vec!["judgments/$(touch pwned).json", "judgments/bd-broken.json", "feedback/bd-2.json"],
        ),
        ("/api/judge/patterns", vec!["feedback/pattern-registry.json"]),
        ("/api/judge/cost", vec!["judgments/$(touch pwned).json", "judgments/bd-broken.json"]),
        ("/api/judge/tests", vec!["scores/ab-tests.json", "scores/refinement-log.json"]),
        ("/api/judge/judgements/bd-2", vec!["history/bd-2.ndjson", "feedback/bd-2.json"]),
        ("/api/judge/judgements/bd-broken", vec!["judgments/bd-broken.json"]),
    ];
    for (path, files) in expected {
        let answer = told(&daemon, path);
        let named: Vec<&str> =
            answer["problems"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap()).collect();
        assert_eq!(named, files, "{path}");
        assert!(
            !answer.to_string().contains(cx.path("").to_str().unwrap()),
            "{path}: no place of this machine"
        );
    }
    let templates = told(&daemon, "/api/judge/templates");
    assert_eq!(templates["templates"][0]["template"], hostile, "text is passed on as text");
    let list = told(&daemon, "/api/judge/judgements");
    assert_eq!(list["judgements"].as_array().unwrap().len(), 2);
    assert!(!cx.path("pwned").exists());
}

#[test]
fn the_folders_are_those_that_the_variables_name() {
    let cx = Context::new();
    write(
        &cx,
        "elsewhere/said/bd-7.json",
        judgement("bd-7", "pass", 0.9, "2026-01-05T11:00:00Z").to_string(),
    );
    write(&cx, "work/state/feedback/pattern-registry.json", json!({"scope-creep": {"count": 1}}).to_string());
    let mut command = cx.jury();
    command.args(["serve", "--addr", "127.0.0.1:0"]);
    command.env("JUDGMENTS_DIR", "elsewhere/said").env("WORKSPACE_ROOT", "work");
    let daemon = Daemon::run(&mut command);
    assert_eq!(told(&daemon, "/api/judge/judgements")["judgements"][0]["bead"], "bd-7");
    assert_eq!(told(&daemon, "/api/judge/patterns")["patterns"][0]["name"], "scope-creep");
}

#[test]
fn the_door_stands_before_these_routes_too() {
    let cx = Context::new();
    let mut command = cx.jury();
    command
        .args(["serve", "--addr", "127.0.0.1:0"])
        .env("JURY_TOKEN", "a-token-that-is-long-enough-to-be-one");
    let daemon = Daemon::run(&mut command);
    for path in ROUTES.into_iter().chain(["/api/judge/judgements/bd-1"]) {
        assert_eq!(daemon.get(path).status, 401, "{path}");
        let elsewhere = daemon.client.send("GET", path, &[("host", "evil.example")], b"").unwrap();
        assert!(matches!(elsewhere.status, 401 | 403 | 421), "{path}: {}", elsewhere.status);
    }
}
