//! What operators are given: the dashboard, the alerts and the page about them stand on metrics that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::metrics::recorded;

const DASHBOARD: &str = "tools/dev/dashboards/critique.json";
const RULES: &str = "deploy/prometheus/critique.rules.yml";
const RULES_TEST: &str = "deploy/prometheus/critique.test.yml";
const DOCUMENT: &str = "docs/observability.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Every metric and its type, as the server describes them.
fn metrics() -> BTreeMap<String, String> {
    let text = recorded().render();
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let all: BTreeMap<String, String> = types
        .map(|(name, kind)| match kind {
            "counter" => (format!("{name}_total"), kind.to_owned()),
            "info" => (format!("{name}_info"), kind.to_owned()),
            _ => (name.to_owned(), kind.to_owned()),
        })
        .collect();
    assert_eq!(all.len(), 21, "{all:?}");
    all
}

/// The names of metrics in a text.
fn named(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("open_design_critique_") || word.starts_with("jury_"))
        .collect()
}

/// Every query of the dashboard.
fn queries(dashboard: &Value) -> Vec<String> {
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

/// Every alert and the number that its expression must exceed.
fn alerts(rules: &str) -> BTreeMap<&str, Option<f64>> {
    let parts = rules.split("- alert: ").skip(1);
    parts
        .map(|part| {
            let name = part.lines().next().unwrap().trim();
            let expr = part.split("expr:").nth(1).unwrap();
            let expr = expr.split("for:").next().unwrap().split("labels:").next().unwrap();
            let limit = expr.trim().rsplit_once("> ").and_then(|(_, limit)| limit.trim().parse().ok());
            (name, limit)
        })
        .collect()
}

#[test]
fn every_metric_on_the_dashboard_and_in_the_alerts_exists() {
    let exist: BTreeSet<String> = metrics()
        .into_iter()
        .flat_map(|(name, kind)| match kind.as_str() {
            "histogram" => ["bucket", "count", "sum"].map(|part| format!("{name}_{part}")).to_vec(),
            _ => vec![name],
        })
        .collect();
    for path in [DASHBOARD, RULES, RULES_TEST] {
        let text = read(path);
        let used = named(&text);
        assert!(!used.is_empty(), "{path}");
        let unknown: Vec<&&str> = used.iter().filter(|name| !exist.contains(**name)).collect();
        assert!(unknown.is_empty(), "{path} names {unknown:?}, which do not exist");
    }
}

#[test]
fn every_metric_is_on_the_dashboard() {
    let text = read(DASHBOARD);
    for name in metrics().into_keys() {
        assert!(text.contains(&name), "{DASHBOARD} does not show {name}");
    }
}

#[test]
fn every_metric_alert_and_event_is_documented() {
    let text = read(DOCUMENT);
    for (name, kind) in metrics() {
        assert!(
            text.contains(&format!("| `{name}` | {kind} |")),
            "{DOCUMENT}: add a row for the {kind} {name}"
        );
    }
    for name in alerts(&read(RULES)).into_keys() {
        assert!(text.contains(&format!("| `{name}` |")), "{DOCUMENT}: add a row for the alert {name}");
    }
    let journal = read("crates/jury-server/src/journal.rs");
    let events: BTreeSet<&str> = journal.split(" event = \"").skip(1).map(until_quote).collect();
    for required in ["run_started", "round_closed", "run_shipped", "degraded", "parser_recover", "run_failed"]
    {
        assert!(events.contains(required), "{required}");
    }
    for event in events {
        assert!(text.contains(&format!("| `{event}` |")), "{DOCUMENT}: add a row for the event {event}");
    }
    let trace = read("crates/jury-engine/src/trace.rs");
    let spans: BTreeSet<&str> = trace.split("\"critique.").skip(1).map(until_quote).collect();
    for span in spans.into_iter().filter(|span| !span.is_empty()) {
        let name = if span.starts_with("round") { "round.<n>" } else { span };
        assert!(
            text.contains(&format!("| `critique.{name}` |")),
            "{DOCUMENT}: add a row for critique.{name}"
        );
    }
}

fn until_quote(text: &str) -> &str {
    text.split('"').next().unwrap_or_default()
}

#[test]
fn the_labels_are_those_that_are_documented() {
    let text = read(DOCUMENT);
    let recorded = include_str!("snapshots/it__metrics__recorded_runs_give_these_metrics.snap");
    for name in metrics().into_keys() {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
        let documented: BTreeSet<&str> =
            row.split('|').nth(3).unwrap().split('`').skip(1).step_by(2).collect();
        let bare = format!("{name} ");
        let sample = recorded.lines().find(|line| {
            line.starts_with(&format!("{name}{{"))
                || line.starts_with(&format!("{name}_count"))
                || line.starts_with(&bare)
        });
        // What was zero in the recorded runs has no line there.
        let Some(sample) = sample else { continue };
        let labels = sample.split_once('{').map(|(_, labels)| labels.split("\",")).into_iter().flatten();
        let labels: BTreeSet<&str> = labels.filter_map(|label| Some(label.split_once('=')?.0)).collect();
        assert_eq!(labels, documented, "{name}");
    }
}

#[test]
fn the_dashboard_shows_the_three_views_and_the_threshold_of_every_alert() {
    let dashboard: Value = serde_json::from_str(&read(DASHBOARD)).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let rows: Vec<&str> = panels
        .iter()
        .filter(|panel| panel["type"] == "row")
        .filter_map(|panel| panel["title"].as_str())
        .collect();
    assert_eq!(rows[..3], ["Fleet quality", "Adapter health", "Brief throughput"]);
    let ids: BTreeSet<u64> = panels.iter().filter_map(|panel| panel["id"].as_u64()).collect();
    assert_eq!(ids.len(), panels.len(), "ids are unique");
    for (name, limit) in alerts(&read(RULES)) {
        // Those that are ours alone speak of the server, and of nothing with a threshold in the specification.
        if name.starts_with("Jury") {
            continue;
        }
        let limit = limit.unwrap_or_else(|| panic!("{name} has no threshold"));
        let panel = panels
            .iter()
            .find(|panel| panel["description"].as_str() == Some(&format!("Alert: {name}.")))
            .unwrap_or_else(|| panic!("{DASHBOARD} has no panel for {name}"));
        let steps = panel["fieldConfig"]["defaults"]["thresholds"]["steps"].as_array().unwrap();
        let red = steps.iter().find(|step| step["color"] == "red").and_then(|step| step["value"].as_f64());
        // A step is "from here on"; above nothing begins a little above it.
        let expected = if limit > 0.0 { limit } else { 0.001 };
        assert!(red.is_some_and(|red| (red - expected).abs() < 1e-9), "{name}: {red:?} and {expected}");
    }
}

/// Runs promtool. It is a part of Prometheus; `scripts/setup test` installs it.
fn promtool(arguments: &[&str]) {
    let output = Command::new("promtool")
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("promtool: {error}; scripts/setup test installs it"));
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "promtool {arguments:?}:\n{}", String::from_utf8_lossy(&said));
}

#[test]
fn the_alerts_pass_their_tests() {
    promtool(&["check", "rules", RULES]);
    promtool(&["test", "rules", RULES_TEST]);
}

#[test]
fn every_query_of_the_dashboard_can_be_asked() {
    let dashboard: Value = serde_json::from_str(&read(DASHBOARD)).unwrap();
    let queries = queries(&dashboard);
    assert!(queries.len() > 20, "{}", queries.len());
    let mut rules = "groups:\n  - name: dashboard\n    rules:\n".to_owned();
    for (query, number) in queries.iter().zip(1..) {
        let query = query.replace("$__rate_interval", "5m").replace("$adapter", ".*").replace("$skill", ".*");
        // JSON is YAML.
        let query = serde_json::to_string(&query).unwrap();
        writeln!(rules, "      - {{ record: \"query:{number}\", expr: {query} }}").unwrap();
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), rules).unwrap();
    promtool(&["check", "rules", file.path().to_str().unwrap()]);
}

#[test]
fn each_failure_has_its_target_beside_its_alert() {
    let document = read(DOCUMENT);
    for (alert, target) in [
        ("CritiqueMalformedBlock", "< 0.5%"),
        ("CritiqueOversizeBlock", "< 0.1%"),
        ("CritiqueMissingArtifact", "< 0.2%"),
        ("CritiqueBelowThreshold", "< 5%"),
        ("CritiqueTimedOut", "< 1%"),
        ("CritiqueAgentCrashed", "< 0.05%"),
    ] {
        let row = document.lines().find(|line| line.starts_with(&format!("| `{alert}` |")));
        let cell = row.and_then(|row| row.split(" | ").nth(2));
        assert_eq!(cell, Some(target), "the row of {alert} in {DOCUMENT}");
    }
}
