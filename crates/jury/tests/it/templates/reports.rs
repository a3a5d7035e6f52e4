//! Reports: before and after, the week, all guardrails.

use std::fs;

use serde_json::{Value, json};

use super::stage::{NOW, Stage, run};

/// Five runs before and five after the first of March 2025.
fn before_and_after() -> Stage {
    let stage = Stage::new();
    let put = |bead: &str, day: &str, template: &str, outcome: &str, patterns: &[&str]| {
        stage.feedback(&json!({"bead": bead, "timestamp": format!("{day}T09:00:00Z"), "template": template,
            "outcome": outcome, "failure_patterns": patterns}));
    };
    put("p1", "2025-02-01", "custom", "full_pass", &[]);
    put("p2", "2025-02-02", "custom", "agent_failure", &["repeated-failure"]);
    put("p3", "2025-02-03", "custom", "agent_failure", &["scope-creep"]);
    put("p4", "2025-02-04", "custom", "agent_failure", &["scope-creep"]);
    put("p5", "2025-02-28", "custom", "partial_pass", &[]);
    for (number, outcome) in
        ["full_pass", "full_pass", "full_pass", "full_pass", "timeout"].iter().enumerate()
    {
        put(&format!("q{number}"), "2025-03-01", "feature", outcome, &[]);
    }
    stage
}

#[test]
fn a_retrospective_tells_before_from_after() {
    let stage = before_and_after();
    let said = stage.ok(&["templates", "retrospective", "--boundary", "2025-03-01"]);
    assert!(said.out.contains("Retrospective") && said.out.contains("pass rate"), "{}", said.out);
    let text = stage.text("state/reports/retrospective.json");
    let report: Value = serde_json::from_str(&text).unwrap();
    let (pre, post) = (&report["pre_loop"], &report["post_loop"]);
    let shown = |value: &Value| value.to_string();
    assert_eq!((shown(&pre["full_pass_rate"]), shown(&post["full_pass_rate"])), ("0.2".into(), "0.8".into()));
    assert_eq!(
        (shown(&pre["template_usage_rate"]), shown(&post["template_usage_rate"])),
        ("0".into(), "1".into())
    );
    assert_eq!(shown(&pre["retry_rate"]), "0");
    assert_eq!(shown(&report["improvement"]["pass_rate_delta"]), "0.6");
    assert_eq!((&pre["total_runs"], &post["total_runs"]), (&json!(5), &json!(5)));
    assert_eq!(pre["outcome_breakdown"]["agent_failure"], 3);
    assert_eq!(pre["top_failure_patterns"][0], json!({"pattern": "scope-creep", "count": 2}));
    assert_eq!(pre["template_breakdown"], json!([{"template": "custom", "runs": 5, "full_pass_rate": 0.2}]));
    assert!(!report["threshold_tuning"].as_array().unwrap().is_empty());
    assert_eq!(
        (&report["schema_version"], &report["generated_at"], &report["boundary"]),
        (&json!("1.0.0"), &json!(NOW), &json!("2025-03-01"))
    );
    for key in ["scoreable_runs", "partial_pass_rate", "timeout_rate", "mechanical", "blended"] {
        assert!(!pre[key].is_null(), "{key}");
    }
    // Five runs each prove little, and the interval says so.
    let delta = &report["improvement"]["mechanical_delta"];
    assert!(delta["low"].as_f64().unwrap() < delta["value"].as_f64().unwrap());
    // Whole numbers have no point.
    assert!(!text.contains(".0,") && !text.contains(".0\n"), "{text}");
}

#[test]
fn a_retrospective_without_a_boundary_begins_with_the_first_template() {
    let stage = before_and_after();
    // A moment that nobody can read is in neither period, and stops nothing.
    stage.feedback(&json!({"bead": "odd", "timestamp": "soon", "template": "feature"}));
    stage.feedback(&json!({"bead": "old", "timestamp": "2025-01-010T00:00:00Z", "template": "custom"}));
    stage.cx.write("state/feedback/broken.json", "{\"bead\":");
    let said = stage.ok(&["templates", "retrospective", "--format", "json"]);
    let report = said.json();
    assert_eq!((&report["boundary"], &report["undated_runs"]), (&json!("2025-03-01"), &json!(1)));
    assert_eq!(report["pre_loop"]["total_runs"], 6);
    assert!(said.err.contains("broken.json"), "{}", said.err);
    let empty = Stage::new();
    assert!(empty.ok(&["templates", "retrospective"]).all().contains('0'));
}

#[test]
fn a_retrospective_says_what_is_missing() {
    let stage = Stage::new();
    assert!(stage.ok(&["templates", "retrospective", "--help"]).out.contains("Usage"));
    for args in [["--boundary", "soon"], ["--boundary", "2025-02-31"], ["--nothing", "x"]] {
        let said = stage.run(&[&["templates", "retrospective"], args.as_slice()].concat());
        assert_eq!(said.code, 1, "{}", said.all());
    }
    fs::remove_dir_all(stage.cx.path("state/feedback")).unwrap();
    let said = stage.run(&["templates", "retrospective"]);
    assert!(said.code == 1 && said.all().contains("Error"), "{}", said.all());
}

fn week() -> Stage {
    let stage = Stage::new();
    stage.old_scores(&[
        json!({"template": "docs", "total_runs": 10, "scoreable_runs": 6, "full_pass_rate": 0.5, "score": 0.5, "trend": "declining"}),
        json!({"template": "feature", "total_runs": 20, "scoreable_runs": 20, "full_pass_rate": 0.7, "score": 0.776,
            "confidence": "high"}),
    ]);
    stage.put(
        "state/scores/agent-scores.json",
        &json!({"schema_version": "1.0.0", "generated_at": NOW, "agents": [
            {"agent": "ada", "total_runs": 20, "pass_rate": 0.7, "score": 0.75, "avg_duration_ratio": 0.5,
             "top_failure_patterns": [{"pattern": "scope-creep", "count": 3}],
             "templates": [{"template": "feature", "total_runs": 12, "score": 0.9, "full_pass_rate": 0.9},
                {"template": "docs", "total_runs": 8, "score": 0.3, "full_pass_rate": 0.2}]},
            {"agent": "bob", "total_runs": 10}]}),
    );
    stage.put(
        "state/feedback/pattern-registry.json",
        &json!({"a": {"count": 1}, "scope-creep": {"count": 9}, "infra-tmux": {"count": 4}, "b": {"count": 2}}),
    );
    // The first of March 2026 is the Sunday of the ninth week.
    let test = |variant: &str, status: &str, at: Option<&str>| {
        let mut test = json!({"original": "docs", "variant": variant, "status": status, "target_runs": 10,
            "original_runs": 10, "variant_runs": 11, "created_at": "2026-01-01T00:00:00Z"});
        if let Some(at) = at {
            test["completed_at"] = json!(at);
            test["decision"] = json!("discarded");
        }
        test
    };
    stage.put(
        "state/scores/ab-tests.json",
        &json!({"schema_version": "1.0.0", "tests": [
            test("docs-v1", "completed", Some("2026-02-22T23:59:59Z")), test("docs-v2", "completed", Some("2026-02-23T00:00:00Z")),
            test("docs-v3", "active", None), test("docs-v4", "completed", Some("nobody knows"))]}),
    );
    let refined = |variant: &str, at: &str| {
        json!({"template": "docs", "variant": variant, "trigger": "low_pass_rate", "timestamp": at, "full_pass_rate": 0.4,
            "total_runs": 12, "patterns_applied": ["generic"]})
    };
    stage.put(
        "state/scores/refinement-log.json",
        &json!({"schema_version": "1.0.0", "entries": [refined("docs-v1", "2026-01-01T00:00:00Z"),
            refined("docs-v3", "2026-02-25T00:00:00Z"), {"type": "ab_test_result", "decision": "discarded"}]}),
    );
    stage
}

#[test]
fn a_week_has_its_figures_and_its_advice() {
    let stage = week();
    let said = stage.ok(&["templates", "weekly"]);
    assert!(said.out.contains("2026-W09"), "{}", said.out);
    let report = stage.get("state/reports/strategy-2026-W09.json");
    for key in [
        "schema_version",
        "generated_at",
        "week_ending",
        "template_trends",
        "agent_comparison",
        "agent_recommendations",
        "top_failure_patterns",
        "ab_results",
        "refinement_activity",
        "metrics",
        "highlights",
        "recommendations",
        "summary",
    ] {
        assert!(!report[key].is_null(), "{key}");
    }
    assert_eq!(report["week_ending"], "2026-W09");
    let metrics = &report["metrics"];
    assert_eq!(
        (&metrics["total_runs"], &metrics["scoreable_runs"], &metrics["total_templates"]),
        (&json!(30), &json!(26), &json!(2))
    );
    assert!((metrics["avg_template_score"].as_f64().unwrap() - 0.638).abs() < 0.001, "{metrics}");
    assert!((metrics["overall_full_pass_rate"].as_f64().unwrap() - 17.0 / 26.0).abs() < 0.001, "{metrics}");
    assert_eq!(
        (&metrics["active_ab_tests"], &metrics["completed_ab_tests"], &metrics["refinements_logged"]),
        (&json!(1), &json!(3), &json!(2))
    );
    assert_eq!(report["template_trends"][0]["template"], "feature");
    assert!(report["template_trends"][0]["mechanical"]["low"].as_f64().unwrap() < 0.776);
    assert_eq!(report["agent_comparison"][0]["top_pattern"], "scope-creep");
    let ada = &report["agent_recommendations"][0];
    assert_eq!((&ada["strengths"], &ada["weaknesses"]), (&json!(["feature"]), &json!(["docs"])));
    assert!(ada["recommendation"].as_str().unwrap().contains("excels on feature"));
    assert_eq!(report["top_failure_patterns"].as_array().unwrap().len(), 3);
    assert_eq!(report["highlights"].as_array().unwrap().len(), 4);
    assert!(report["recommendations"].to_string().contains("excels on feature"));
    // Of this week, and not of all weeks.
    let ended = report["ab_results"]["completed_this_week"].as_array().unwrap();
    assert_eq!(ended.iter().map(|test| test["variant"].as_str().unwrap()).collect::<Vec<_>>(), ["docs-v2"]);
    assert_eq!(report["refinement_activity"].as_array().unwrap().len(), 1);
    // The week of a year that is not the year of the day.
    let mut january = stage.jury(&["templates", "weekly"]);
    assert_eq!(run(january.env("JURY_NOW", "2027-01-01T00:00:00Z")).code, 0);
    assert!(stage.has("state/reports/strategy-2026-W53.json"));
}

#[test]
fn a_week_without_scores_says_so_or_is_empty() {
    let stage = Stage::new();
    let report = stage.ok(&["templates", "weekly", "--format", "json"]).json();
    assert_eq!(
        (&report["metrics"]["avg_template_score"], report["highlights"].as_array().unwrap().len()),
        (&json!(0), 4)
    );
    stage.cx.write("state/scores/agent-scores.json", "[1]");
    let said = stage.run(&["templates", "weekly"]);
    assert!(said.code == 1 && said.err.contains("agent-scores.json"), "{}", said.all());
    fs::remove_dir_all(stage.cx.path("state/scores")).unwrap();
    let said = stage.run(&["templates", "weekly"]);
    assert!(said.code == 1 && said.all().contains("Error"), "{}", said.all());
}

#[test]
fn an_audit_asks_all_guardrails() {
    let stage = week();
    for bead in ["a", "b", "c"] {
        stage.feedback(&json!({"bead": bead, "template": "it's"}));
    }
    let said = stage.ok(&["templates", "audit"]);
    assert!(said.out.contains("guardrail-audit"), "{}", said.out);
    let report = stage.get("state/reports/guardrail-audit-20260301T120000Z.json");
    let checks = report["checks"].as_array().unwrap();
    let ids: Vec<&str> = checks.iter().map(|check| check["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        [
            "variant_limit",
            "sample_scoring",
            "sample_refinement",
            "rollback_check",
            "refinement_loop",
            "duplicate_detection"
        ]
    );
    assert!(checks.iter().all(|check| check["command"].is_string() && check["output"].is_string()));
    assert_eq!(report["summary"]["checks_run"], 6);
    assert_eq!(report["summary"]["checks_with_output"], 5, "{report:#}");
    assert_eq!(report["summary"]["concerns"], 1);
    assert!(checks[5]["output"].as_str().unwrap().contains("h1 was run 3 times"));
    assert!(!report.to_string().contains('\''), "scripts put these lines into quotes");
    // With nothing there, nothing is said.
    let empty = Stage::new();
    let report = empty.ok(&["templates", "audit", "--format", "json"]).json();
    assert_eq!(report["summary"], json!({"checks_run": 6, "checks_with_output": 0, "concerns": 0}));
}
