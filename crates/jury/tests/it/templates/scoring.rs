//! `jury templates score`.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::stage::{Stage, near};

fn scored(stage: &Stage) -> Value {
    stage.ok(&["templates", "score"]);
    stage.get("state/scores/template-scores.json")
}

fn only(stage: &Stage) -> Value {
    let scores = scored(stage);
    assert_eq!(scores["templates"].as_array().unwrap().len(), 1, "{scores}");
    scores["templates"][0].clone()
}

#[test]
fn without_a_folder_it_says_how_it_is_used() {
    let stage = Stage::new();
    std::fs::remove_dir(stage.cx.path("state/feedback")).unwrap();
    let said = stage.run(&["templates", "score"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("Usage") && said.err.contains("Error"), "{}", said.err);
    assert!(!stage.has("state/scores/template-scores.json"));
}

#[test]
fn an_empty_folder_makes_empty_files() {
    let stage = Stage::new();
    assert_eq!(scored(&stage)["templates"], json!([]));
    assert_eq!(stage.get("state/scores/agent-scores.json")["agents"], json!([]));
}

#[test]
fn whole_numbers_are_written_whole() {
    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 5);
    let score = only(&stage);
    let file = stage.text("state/scores/template-scores.json");
    assert!(file.contains("\"full_pass_rate\": 1,") && file.contains("\"partial_pass_rate\": 0,"), "{file}");
    assert_eq!(
        (score["total_runs"].as_u64(), score["confidence"].as_str(), score["trend"].as_str()),
        (Some(5), Some("medium"), Some("insufficient_data"))
    );
    near(&score["score"], 1.0, 0.01);
    let whole = stage.get("state/scores/template-scores.json");
    assert_eq!(whole["schema_version"], "1.0.0");
    assert_eq!(whole["generated_at"], super::stage::NOW);
}

#[test]
fn each_outcome_has_its_worth() {
    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 5);
    stage.runs("b", "docs", "partial_pass", 3);
    stage.runs("c", "docs", "agent_failure", 1);
    stage.runs("d", "docs", "timeout", 1);
    near(&only(&stage)["score"], 0.59, 0.02);

    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 5);
    for number in 0..5 {
        stage.feedback(
            &json!({"bead": format!("r{number}"), "signals": {"retried": true, "duration_ratio": 1}}),
        );
    }
    near(&only(&stage)["score"], 0.9, 0.02);

    let stage = Stage::new();
    for number in 0..10 {
        stage.feedback(&json!({"bead": format!("t{number}"), "outcome": "timeout",
            "signals": {"retried": true, "duration_ratio": 4}}));
    }
    only(&stage);
    assert!(stage.text("state/scores/template-scores.json").contains("\"score\": 0,"));

    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 5);
    stage.runs("b", "docs", "infra_failure", 5);
    let score = only(&stage);
    assert_eq!((score["total_runs"].as_u64(), score["scoreable_runs"].as_u64()), (Some(10), Some(5)));
    near(&score["score"], 1.0, 0.02);
}

#[test]
fn few_runs_are_low_and_many_are_high() {
    for (runs, confidence) in [(3, "low"), (20, "high")] {
        let stage = Stage::new();
        stage.runs("a", "docs", "full_pass", runs);
        assert_eq!(only(&stage)["confidence"], confidence);
    }
}

#[test]
fn templates_and_agents_are_told_apart() {
    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 2);
    stage.runs("b", "bug-fix", "full_pass", 2);
    stage.feedback(&json!({"bead": "c", "agent": "eve"}));
    let scores = scored(&stage);
    let names: Vec<&str> =
        scores["templates"].as_array().unwrap().iter().map(|one| one["template"].as_str().unwrap()).collect();
    assert_eq!(names, ["bug-fix", "docs"]);
    let agents = scores["templates"][1]["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 2);
    assert_eq!((agents[0]["total_runs"].as_u64(), agents[0]["full_pass_rate"].as_u64()), (Some(2), Some(1)));
}

#[test]
fn with_equal_times_the_names_say_where_a_template_is_going() {
    for (first, then, trend) in [
        ("agent_failure", "full_pass", "improving"),
        ("full_pass", "agent_failure", "declining"),
        ("full_pass", "full_pass", "stable"),
    ] {
        let stage = Stage::new();
        stage.runs("a", "docs", first, 10);
        stage.runs("b", "docs", then, 10);
        assert_eq!(only(&stage)["trend"], trend);
    }
}

#[test]
fn agents_have_a_file_of_their_own() {
    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 5);
    for number in 0..2 {
        stage.feedback(&json!({"bead": format!("f{number}"), "outcome": "partial_pass",
            "failure_patterns": ["scope-creep", "lint-failure-after-completion"]}));
    }
    stage.feedback(&json!({"bead": "f0", "outcome": "partial_pass", "failure_patterns": ["scope-creep"]}));
    scored(&stage);
    let agent = stage.get("state/scores/agent-scores.json")["agents"][0].clone();
    assert_eq!((agent["agent"].as_str(), agent["total_runs"].as_u64()), (Some("ada"), Some(7)));
    near(&agent["pass_rate"], 5.0 / 7.0, 0.01);
    near(&agent["avg_duration_ratio"], 0.6, 0.05);
    assert_eq!(agent["top_failure_patterns"][0], json!({"pattern": "scope-creep", "count": 2}));
    let template = &agent["templates"][0];
    assert_eq!((template["template"].as_str(), template["total_runs"].as_u64()), (Some("docs"), Some(7)));
    near(&template["score"], 5.0 / 7.0 + 0.4 * 2.0 / 7.0, 0.001);
}

#[test]
fn both_scores_are_shown_with_their_intervals() {
    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 12);
    stage.runs("b", "bug-fix", "agent_failure", 4);
    for number in 0..3 {
        stage.feedback(
            &json!({"bead": format!("j{number}"), "outcome": "partial_pass", "opus_quality_score": 0.5}),
        );
    }
    assert_snapshot!("score", stage.cx.show(&mut stage.jury(&["templates", "score"])));
    let said = stage.ok(&["templates", "score", "--format", "json", "--quiet"]).json();
    let docs = &said["templates"][1];
    near(&docs["mechanical"]["value"], 13.2 / 15.0, 1e-4);
    near(&docs["blended"]["value"], 0.6 * 13.2 / 15.0 + 0.4 * 0.5, 1e-4);
    assert_eq!(docs["judged_runs"], 3);
    near(&docs["score"], 0.6 * 13.2 / 15.0 + 0.4 * 0.5, 1e-9);
}

#[test]
fn a_broken_file_is_told_and_stops_nothing() {
    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 3);
    stage.cx.write("state/feedback/cut.json", "{\"bead\":");
    let said = stage.ok(&["templates", "score"]);
    assert!(said.err.contains("note: cut.json is left out: not JSON"), "{}", said.err);
    assert_eq!(only(&stage)["total_runs"], 3);
}

#[test]
fn a_fall_is_told() {
    let stage = Stage::new();
    stage.runs("a", "docs", "full_pass", 10);
    scored(&stage);
    stage.runs("b", "docs", "agent_failure", 5);
    let said = stage.ok(&["templates", "score"]);
    assert!(said.err.contains("score regression: docs fell from 1.00 to 0.67"), "{}", said.err);
}

#[test]
fn folders_are_where_the_variables_say() {
    let stage = Stage::new();
    stage.put("elsewhere/x.json", &json!({"bead": "x", "outcome": "full_pass", "template": "docs"}));
    let said = super::stage::run(
        stage.jury(&["templates", "score"]).env("FEEDBACK_DIR", "elsewhere").env("SCORES_DIR", "out"),
    );
    assert_eq!(said.code, 0, "{}", said.all());
    assert_eq!(stage.get("out/template-scores.json")["templates"][0]["template"], "docs");
}

#[test]
fn a_wrong_call_is_told_with_the_word_and_the_code_of_the_scripts() {
    let stage = Stage::new();
    for args in
        [&["templates", "score", "--nonsense"][..], &["templates"], &["templates", "ab", "frobnicate"]]
    {
        let said = stage.run(args);
        assert_eq!(said.code, 1, "{args:?}: {}", said.all());
        assert!(said.all().contains("Usage"), "{args:?}: {}", said.all());
    }
    let said = super::stage::run(stage.jury(&["templates", "score"]).env("JURY_NOW", "yesterday"));
    assert_eq!(said.code, 1);
    assert!(said.err.contains("JURY_NOW: \"yesterday\" is no moment"), "{}", said.err);
}
