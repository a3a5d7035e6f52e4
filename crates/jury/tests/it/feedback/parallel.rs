//! Many collectors at once, and collectors that die: nothing is lost, and nothing is counted twice.

use std::collections::BTreeMap;
use std::process::Stdio;

use serde_json::{Map, Value, json};

use super::stage::Stage;
use crate::harness::until;

const PROCESSES: usize = 16;
const RECORDS: usize = 125;

/// The record of this number. Patterns overlap in all ways; moments are in another order than names.
fn over(number: usize) -> Value {
    let minute = number * 37 % 1440;
    let check = |bad: bool, word: &str, good: &str| if bad { word.to_owned() } else { good.to_owned() };
    json!({
        "attempt": 1 + number % 3, "duration_seconds": if number.is_multiple_of(5) { 4000 } else { 100 },
        "finished_at": format!("2026-02-20T{:02}:{:02}:{:02}Z", minute / 60, minute % 60, number % 60),
        "verification": {"tests": check(number.is_multiple_of(2), "fail", "pass"),
            "lint": check(number.is_multiple_of(7), "fail", "pass"), "ubs": "clean",
            "truthsayer": check(number.is_multiple_of(11), "skipped", "pass")},
    })
}

fn bead(number: usize) -> String {
    format!("bd-{number:04}")
}

/// The registry that all feedback makes, by a way of its own: all sightings, sorted, counted.
fn fold(stage: &Stage) -> Value {
    let mut seen: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for name in stage.kept().iter().filter(|name| name.starts_with("bd-")) {
        let feedback = stage.feedback(name.trim_end_matches(".json"));
        for pattern in feedback["failure_patterns"].as_array().unwrap() {
            let text = |key: &str| feedback[key].as_str().unwrap().to_owned();
            let pattern = pattern.as_str().unwrap().to_owned();
            seen.entry(pattern).or_default().push((text("timestamp"), text("bead")));
        }
    }
    let mut registry = Map::new();
    for (pattern, mut runs) in seen {
        runs.sort();
        let last = &runs[runs.len().saturating_sub(10)..];
        let beads: Vec<&String> = last.iter().map(|(_, bead)| bead).collect();
        let seen_at: Map<String, Value> = last.iter().map(|(at, bead)| (bead.clone(), json!(at))).collect();
        let entry = json!({"count": runs.len(), "first_seen": runs[0].0, "last_seen": runs[runs.len() - 1].0,
            "last_beads": beads, "seen_at": seen_at});
        registry.insert(pattern, entry);
    }
    Value::Object(registry)
}

#[test]
fn sixteen_collectors_lose_nothing_and_count_everything_once() {
    let stage = Stage::new();
    let files: Vec<String> =
        (0..PROCESSES * RECORDS).map(|number| stage.record(&bead(number), &over(number))).collect();
    let children: Vec<_> = (0..PROCESSES)
        .map(|process| {
            // Its own, and some of its neighbour's: these are collected by two at once.
            let own = files.iter().skip(process * RECORDS).take(RECORDS);
            let next = files.iter().skip((process + 1) % PROCESSES * RECORDS).take(20);
            let mut command = stage.jury(&["feedback", "collect", "--quiet"]);
            command.args(own).args(next).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(stage.kept().len(), PROCESSES * RECORDS + 1, "every record, the registry, and nothing else");
    for number in 0..PROCESSES * RECORDS {
        assert_eq!(stage.feedback(&bead(number))["bead"], bead(number));
    }
    assert_eq!(stage.registry(), fold(&stage));
    assert_eq!(stage.registry()["test-failure-after-completion"]["count"], PROCESSES * RECORDS / 2);
}

#[test]
fn collectors_that_are_killed_at_any_moment_are_made_good_by_the_next() {
    let stage = Stage::new();
    let files: Vec<String> = (0..240).map(|number| stage.record(&bead(number), &over(number))).collect();
    for round in 0..24 {
        let mut command = stage.jury(&["feedback", "collect", "--quiet"]);
        command.args(&files).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        until("some more are there, or it has ended", || {
            stage.kept().len() > round * 9 || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // Whoever comes next ends what was under way, also for another run.
    assert_eq!(stage.collect(&stage.record("bd-9999", &json!({"attempt": 2}))).code, Some(0));
    assert_eq!(stage.registry(), fold(&stage));
    let mut command = stage.jury(&["feedback", "collect", "--quiet"]);
    assert!(command.args(&files).status().unwrap().success());
    assert_eq!(stage.registry(), fold(&stage));
    assert_eq!(stage.kept().len(), 242);
}
