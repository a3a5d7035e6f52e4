//! What the history of conformance allows, as it is shown.

use insta::assert_snapshot;
use jiff::{SignedDuration, Timestamp};
use jury_core::conformance::{BriefResult, Class, ConformanceVerdict, Cycle};
use jury_core::id::RunId;
use jury_core::unit::Millis;
use jury_store::Store;

use crate::harness::{Context, GOOD_PAGE};

/// A cycle of an agent so many days ago, of which this many briefs shipped.
fn cycle(agent: &str, days_ago: i64, briefs: usize, shipped: usize) -> Cycle {
    let result = |number: usize| BriefResult {
        brief: format!("brief-{number}"),
        run_id: RunId(uuid::Uuid::now_v7()),
        verdict: ConformanceVerdict {
            class: if number < shipped { Class::Shipped } else { Class::Degraded },
            clean_parse: true,
            breaches: Vec::new(),
        },
        composite: None,
        took_ms: Millis(1),
    };
    Cycle {
        agent: agent.parse().unwrap(),
        at: Timestamp::now() - SignedDuration::from_hours(24 * days_ago),
        results: (0..briefs).map(result).collect(),
    }
}

/// Agents of every kind of history. It has a day more on both sides than the window, so midnight may pass.
fn past(cx: &Context) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(cx.path(".od")).await.unwrap();
        for days_ago in (-1..=14).rev() {
            store.record_cycle(&cycle("steady", days_ago, 10, 10)).await.unwrap();
            store.record_cycle(&cycle("poor", days_ago, 10, 4)).await.unwrap();
        }
        store.record_cycle(&cycle("tried", 0, 3, 3)).await.unwrap();
        store.close().await.unwrap();
    });
    let agents = ["fresh", "poor", "steady", "tried"];
    let agents =
        agents.map(|name| format!("[agents.{name}]\ncommand = [\"sh\", \"-c\", \"cat answer.txt\"]\n"));
    cx.write("jury.toml", agents.concat());
}

/// The lines that do not depend on what is installed, without the day of the last cycle.
fn own(shown: &str) -> String {
    let words = ["AGENT", "agent", "all", "All", "fresh", "poor", "steady", "tried"];
    let ours = |line: &&str| {
        let first = line.trim_start_matches(['|', ' ', '`']).split([' ', '`']).next().unwrap_or_default();
        words.contains(&first)
    };
    let lines: Vec<String> = shown.lines().filter(ours).map(without_days).collect();
    lines.join("\n")
}

fn without_days(line: &str) -> String {
    let day = |word: &str| {
        let word = word.trim_end_matches(',');
        word.len() == 10 && word.split('-').count() == 3 && word.starts_with("20")
    };
    line.split(' ').map(|word| if day(word) { "YYYY-MM-DD" } else { word }).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_ratchet_is_shown_where_there_is_a_history() {
    let cx = Context::new();
    past(&cx);
    let list = |flags: &[&str]| own(&cx.show(cx.jury().args(["agents", "list"]).args(flags)));
    assert_snapshot!("agents_list", list(&[]));
    assert_snapshot!("agents_list_markdown", list(&["--markdown"]));
    let output = cx.jury().args(["agents", "list", "--json"]).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |id: &str| list.as_array().unwrap().iter().find(|agent| agent["id"] == id).unwrap().clone();
    assert_eq!(
        of("steady")["ratchet"],
        serde_json::json!({"step": "promote", "days": 14, "runs": 140, "shipped": 140})
    );
    assert_eq!(of("fresh")["ratchet"], serde_json::Value::Null);
    assert_eq!(of("tried")["ratchet"], serde_json::Value::Null, "a try proves nothing");
}

#[test]
fn a_tested_agent_is_told_what_its_history_allows() {
    let cx = Context::new();
    past(&cx);
    cx.write("answer.txt", "No.");
    cx.write("page.html", GOOD_PAGE);
    let shown = cx.show(cx.jury().args(["agents", "test", "fresh", "--briefs", "1", "-q"]));
    assert!(!shown.contains("ratchet"), "{shown}");
    let shown = cx.show(cx.jury().args(["agents", "test", "fresh", "-q"]));
    assert_snapshot!("agents_test", shown);
    let shown = cx.show(cx.jury().args(["agents", "test", "steady", "--markdown", "-q"]));
    let last = shown.lines().find(|line| line.starts_with("`steady`:")).unwrap();
    assert_snapshot!("agents_test_markdown", last);
}
