//! A whole jury on a real model: llama.cpp's own server with `SmolLM2`, 135 million parameters, on this machine.
//!
//! It proves the pipe: prompt, grammar, stream, parser, rule, log. The verdict is whatever it is.

use std::path::Path;
use std::process::{Command, Stdio};

use jury_testkit::local::LocalModel;
use serde_json::Value;

fn jury(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
    command.current_dir(folder).stdin(Stdio::null());
    // The page has room for some 250 characters, which a model of this size writes in seconds.
    command.env("OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES", "2048");
    command.env("OD_CRITIQUE_ROUND_TIMEOUT_MS", "300000").env("OD_CRITIQUE_TOTAL_TIMEOUT_MS", "320000");
    command
}

/// The events of this kind.
fn events<'a>(log: &'a [Value], kind: &str) -> Vec<&'a Value> {
    log.iter().filter(|event| event["event"] == kind).collect()
}

/// Whether the answer is the example of the prompt, or has no page in it.
fn copies_everything(document: &Value) -> bool {
    let reason = document["reason"].as_str().unwrap_or_default();
    document["artifact"].is_null()
        && (reason.contains("repeats the example") || reason.contains("is no page"))
}

#[test]
fn a_small_model_held_to_the_form_gives_a_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let model = LocalModel::start(dir.path()).unwrap();
    let base_url = format!("{}/v1", model.url());
    let settings = format!("[agents.small]\nvendor = \"llama.cpp\"\nbase_url = \"{base_url}\"\n");
    std::fs::write(dir.path().join("jury.toml"), settings).unwrap();
    let page =
        "<!doctype html><html lang=\"en\"><title>Bread</title><h1>Bread</h1><p>We bake at five.</p></html>";
    std::fs::write(dir.path().join("page.html"), page).unwrap();

    let output = jury(dir.path())
        .args(["run", "page.html", "--agent", "small", "--max-rounds", "1", "--format", "json"])
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {stderr}\n{}", model.log()));

    let code = match document["status"].as_str() {
        Some("shipped") => 0,
        Some("below_threshold") => 1,
        // So small a model may copy the example, and whoever copies has not reviewed.
        Some("degraded") if document["warnings"]["quorum_missed"].is_u64() => 3,
        // Whoever copies all of it, page and all, has not even answered.
        Some("degraded") if copies_everything(&document) => 3,
        _ => panic!("no verdict of a panel: {document:#}\n{stderr}"),
    };
    assert_eq!(output.status.code(), Some(code), "{document:#}");
    let answered = !copies_everything(&document);
    if answered {
        let artifact = document["artifact"].as_str().unwrap();
        assert!(std::fs::metadata(dir.path().join(artifact)).unwrap().len() > 0);
    }

    let artifacts = dir.path().join(".od/artifacts").join(document["artifactId"].as_str().unwrap());
    let transcript = std::fs::read_to_string(artifacts.join("transcript.ndjson")).unwrap();
    let log: Vec<Value> = transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let closed = events(&log, "critique.round_end");
    assert_eq!(closed.len(), usize::from(answered), "{transcript}");
    let spoke: Vec<&Value> =
        events(&log, "critique.panelist_close").iter().map(|event| &event["role"]).collect();
    assert_eq!(spoke, ["designer", "critic", "brand", "a11y", "copy"], "{transcript}");
    let scored =
        events(&log, "critique.panelist_close").iter().filter(|event| event["score"].is_f64()).count();
    let warnings = events(&log, "critique.parser_warning");
    let copied = warnings.iter().filter(|warning| warning["kind"] == "example_repeated").count();
    assert_eq!(scored + copied, 4, "{transcript}");

    // The model was asked, it counted what it used, and its form needed no forgiveness.
    let notes = events(&log, "critique.agent");
    let session = notes.iter().find(|note| note["kind"] == "session").unwrap();
    assert!(session["detail"].as_str().unwrap().starts_with("smollm2 chatcmpl-"), "{transcript}");
    let used = |what: &str| notes.iter().filter_map(|note| note["usage"][what].as_u64()).sum::<u64>();
    assert!(used("inputTokens") > 1_000 && used("outputTokens") > 100, "{transcript}");
    let claims = [
        "composite_mismatch",
        "decision_mismatch",
        "weak_debate",
        "example_repeated",
        "quorum_missed",
        "ship_not_obeyed",
        "ship_without_artifact",
        "artifact_unusable",
        "stray_text",
    ];
    for warning in warnings {
        assert!(claims.contains(&warning["kind"].as_str().unwrap()), "{transcript}");
    }
}

#[test]
fn doctor_names_the_server_and_the_command_that_uses_it() {
    let dir = tempfile::tempdir().unwrap();
    let model = LocalModel::start(dir.path()).unwrap();
    let port = model.port().unwrap().to_string();
    let output = jury(dir.path()).arg("doctor").env("JURY_LOCAL_PORTS", &port).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let line = shown.lines().find(|line| line.contains("local server")).unwrap();
    for part in [
        &format!("llama.cpp on port {port}: smollm2"),
        "'jury run page.html --agent local --model smollm2'",
        "its answers are constrained",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
}
