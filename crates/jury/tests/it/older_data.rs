//! A data directory that was written before the four workflows had one spine: it opens, and everything in it goes on.
//!
//! It has twelve runs: of each workflow one that ended, of critic, judge and content one that waits for a person, two whose
//! program was killed and which an open has ended since, and two whose program was killed and which nobody has looked at.

use serde_json::{Value, json};

use crate::content::copy;
use crate::harness::{Context, repository};

fn older() -> Context {
    let cx = Context::new();
    copy(&repository().join("crates/jury/tests/fixtures/before-the-spine"), &cx.path(""));
    std::fs::rename(cx.path("od"), cx.path(".od")).unwrap();
    copy(&repository().join("examples/drafts"), &cx.path("drafts"));
    cx
}

fn parsed(cx: &Context, args: &[&str]) -> Value {
    let output = cx.jury().args(args).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The run with this title and state.
fn run<'a>(runs: &'a [Value], title: &str, state: &str) -> &'a str {
    let found = runs.iter().find(|run| run["title"] == title && run["state"] == state);
    found.unwrap_or_else(|| panic!("no {title} that is {state}: {runs:#?}"))["runId"].as_str().unwrap()
}

#[test]
fn it_opens_and_every_run_is_there() {
    let cx = older();
    let runs = cx.runs();
    let mut statuses: Vec<String> =
        runs.iter().map(|run| format!("{} {} {}", run["title"], run["state"], run["status"])).collect();
    statuses.sort();
    insta::assert_debug_snapshot!("older_runs", statuses);
    for row in &runs {
        let id = row["runId"].as_str().unwrap();
        let reported = parsed(&cx, &["report", id, "--json"]);
        assert_eq!(reported["runId"], row["runId"]);
        let replayed = cx.show(cx.jury().args(["replay", id, "--speed", "instant"]));
        assert!(replayed.starts_with("exit: 0"), "{row}: {replayed}");
        let html = cx.show(cx.jury().args(["report", id, "--html", "report.html"]));
        assert!(html.starts_with("exit: 0"), "{row}: {html}");
    }
    let reindexed = cx.show(cx.jury().arg("reindex"));
    assert!(reindexed.starts_with("exit: 0"), "{reindexed}");
    assert_eq!(cx.runs(), runs, "the rows are those that the log makes");
}

#[test]
fn it_goes_down_to_every_schema_and_up_again() {
    for schema in 1..8 {
        let cx = older();
        let runs = cx.runs();
        let to = schema.to_string();
        let migrate = ["store", "migrate", "--to", &to];
        let refused = cx.show(cx.jury().args(migrate));
        if schema == 1 {
            insta::assert_snapshot!("older_refused", refused);
        }
        // The last step takes no more than a column that is empty here.
        assert_eq!(refused.starts_with("exit: 2"), schema < 7, "{refused}");
        if schema < 7 {
            assert_eq!(cx.runs(), runs, "nothing was changed");
        }
        let forced = cx.show(cx.jury().args(migrate).arg("--force"));
        assert!(forced.starts_with("exit: 0"), "{forced}");
        if schema == 1 {
            insta::assert_snapshot!("older_forced", forced);
        }
        let back = cx.show(cx.jury().args(["store", "migrate"]));
        assert!(back.contains("rebuilt 12 runs from the log"), "{back}");
        assert_eq!(logged(cx.runs()), logged(runs), "schema {schema}");
    }
}

/// Runs without what the log does not say to the millisecond: when they were asked for, and what is counted from there.
fn logged(mut runs: Vec<Value>) -> Vec<Value> {
    for run in &mut runs {
        let fields = run.as_object_mut().unwrap();
        fields.retain(|name, _| !matches!(name.as_str(), "createdAt" | "startedAt" | "endedAt"));
    }
    runs.sort_by_key(|run| run["runId"].to_string());
    runs
}

#[test]
fn what_waits_in_it_goes_on() {
    let cx = older();
    let runs = cx.runs();
    let decisions = parsed(&cx, &["decisions", "list", "--format", "json"]);
    let asked = |workflow: &str| {
        let all = decisions.as_array().unwrap();
        let one =
            all.iter().find(|own| own["workflow"] == workflow).unwrap_or_else(|| panic!("{decisions:#}"));
        one["id"].as_str().unwrap().to_owned()
    };
    let judged = cx.show(cx.jury().args(["decisions", "answer", &asked("judge"), "fail", "--by", "ada"]));
    assert!(judged.starts_with("exit: 1") && judged.contains("FAIL"), "{judged}");
    // The critic says that it is well now.
    cx.write("asks.txt", std::fs::read(cx.path("good.txt")).unwrap());
    let critic = cx.show(cx.jury().args(["decisions", "answer", &asked("critic"), "1", "--by", "ada"]));
    assert!(critic.contains("CONVERGED") || critic.contains("STOPPED"), "{critic}");
    let waiting = run(&runs, "acme/blog-post", "waiting");
    let resumed = parsed(&cx, &["content", "resume", waiting, "--draft", "drafts/acme.md", "--json"]);
    assert_eq!((&resumed["runId"], &resumed["workflow"]), (&json!(waiting), &json!("content")));
    assert!(resumed["critiqueHistory"].as_array().unwrap().len() > 2, "the draft was reviewed: {resumed:#}");
}

#[test]
fn what_was_killed_in_it_is_found() {
    let cx = older();
    let runs = cx.runs();
    // A panel is cut off; the critic goes on behind its last pass.
    let panels = runs.iter().filter(|run| run["title"] == "stubborn.html" && run["status"] == "interrupted");
    assert_eq!(panels.count(), 2);
    let queued = run(&runs, "asked.md", "queued");
    cx.write("jury.toml", "[agents.hangs]\ncommand = [\"cat\", \"good.txt\"]\n");
    let resumed = cx.show(cx.jury().args(["critic", "resume", queued, "--no-input"]));
    assert!(resumed.starts_with("exit: 0") && resumed.contains("CONVERGED"), "{resumed}");
}
