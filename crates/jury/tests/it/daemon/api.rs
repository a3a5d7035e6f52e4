//! Every route, what it answers and how it refuses; and the document that describes it.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::harness::{Daemon, agents, round, ship};
use crate::harness::{Context, GOOD_PAGE};

#[test]
fn the_committed_document_is_the_one_that_the_types_make() {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let made = jury_server::openapi().unwrap() + "\n";
    if std::env::var_os("JURY_UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&place, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(
        committed == made,
        "docs/openapi.json is not what the routes make; run the test with JURY_UPDATE=1, then `npm run types` in web/"
    );
    let cx = Context::new();
    let daemon = Daemon::start(&cx);
    let served = daemon.get("/api/openapi.json");
    assert_eq!((served.header("content-type"), served.text() + "\n"), (Some("application/json"), made));
}

/// Asks, and writes down what was asked and what came back, without what varies.
fn note(
    cx: &Context,
    daemon: &Daemon,
    notes: &mut String,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Value {
    let headers: &[(&str, &str)] = if body.is_some() { &[("content-type", "application/json")] } else { &[] };
    let sent = body.map(ToString::to_string).unwrap_or_default();
    let answer = daemon.client.send(method, path, headers, sent.as_bytes()).unwrap();
    let mime = answer.header("content-type").unwrap_or_default().to_owned();
    let text = match mime.as_str() {
        "application/json" => format!("{:#}", answer.json()),
        // One line per event: their names will do.
        "application/x-ndjson" => {
            let name = |line: &str| serde_json::from_str::<Value>(line).unwrap()["event"].to_string();
            answer.text().lines().map(name).collect::<Vec<_>>().join("\n")
        }
        _ => answer.text(),
    };
    let shown = cx.filter(&format!("> {method} {path} {sent}\n{} {mime}\n{text}\n\n", answer.status));
    notes.push_str(&shown);
    answer.json()
}

#[test]
fn every_route_answers_and_refuses_as_it_did() {
    let cx = agents(&[("scripted", "cat short.txt")]);
    cx.write(
        "short.txt",
        format!("<CRITIQUE_RUN version=\"1\">{}{}", round(1, 9, GOOD_PAGE), ship(1, GOOD_PAGE)),
    );
    let mut command = cx.jury();
    command.args(["serve", "--addr", "127.0.0.1:0"]).env("OD_CRITIQUE_MAX_CONCURRENT_RUNS", "2");
    let daemon = Daemon::run(&mut command);
    let mut notes = String::new();
    let mut ask = |method: &str, path: &str, body: Option<Value>| {
        note(&cx, &daemon, &mut notes, method, path, body.as_ref())
    };
    ask("GET", "/api/health", None);
    ask("GET", "/api/projects", None);
    ask(
        "POST",
        "/api/projects",
        Some(
            json!({"id": "shop", "name": "The shop", "metadata": {"theirs": [1], "critiqueTheaterEnabled": true}}),
        ),
    );
    ask("POST", "/api/projects", Some(json!({"id": "shop"})));
    ask(
        "PATCH",
        "/api/projects/shop",
        Some(json!({"metadata": {"mine": {"a": 1}, "critiqueTheaterEnabled": null}})),
    );
    ask("GET", "/api/projects/shop", None);
    ask("GET", "/api/projects/nobody", None);
    ask("PATCH", "/api/projects/nobody", Some(json!({})));
    ask("POST", "/api/projects/nobody/runs", Some(json!({"page": "<p>x</p>"})));
    ask("POST", "/api/projects/shop/runs", Some(json!({})));
    let run =
        daemon.ask_in("shop", &json!({"agent": "scripted", "page": GOOD_PAGE, "title": "Opening hours"}));
    daemon.finish(&run);
    ask("GET", "/api/projects/shop/critique", None);
    ask("GET", "/api/projects/shop/critique?status=failed", None);
    ask("GET", "/api/projects/shop/critique?status=finished", None);
    ask("GET", "/api/projects/shop/critique?limit=0", None);
    ask("GET", "/api/projects/nobody/critique", None);
    ask("GET", &run.path(), None);
    ask("GET", &format!("{}/transcript", run.path()), None);
    ask("GET", &format!("{}/artifact", run.path()), None);
    ask("GET", &format!("{}/rounds/1/artifact", run.path()), None);
    ask("GET", &format!("{}/rounds/2/artifact", run.path()), None);
    ask("POST", &format!("{}/interrupt", run.path()), None);
    let unknown = "/api/projects/shop/critique/0198c0de-0000-7000-8000-000000000001";
    for tail in ["", "/transcript", "/artifact", "/rounds/1/artifact"] {
        ask("GET", &format!("{unknown}{tail}"), None);
    }
    ask("POST", &format!("{unknown}/rerun"), None);
    ask("GET", "/api/critique/conformance", None);
    ask("GET", "/api/settings", None);
    ask("GET", "/api/skills", None);
    ask("GET", "/api/nothing", None);
    ask("DELETE", "/api/projects/shop", None);
    insta::assert_snapshot!(notes.replace(env!("CARGO_PKG_VERSION"), "[VERSION]"));
}

#[test]
fn the_history_is_paged_filtered_and_searched() {
    let cx = agents(&[("scripted", "cat ship.txt"), ("crashes", "exit 1")]);
    let daemon = Daemon::start(&cx);
    let mut runs = Vec::new();
    for (agent, title) in [
        ("scripted", "50% off"),
        ("crashes", "500 off"),
        ("scripted", "Opening_hours"),
        ("scripted", "OpeningXhours"),
    ] {
        let run = daemon.ask_in("default", &json!({"agent": agent, "page": GOOD_PAGE, "title": title}));
        daemon.finish(&run);
        runs.push(run.id);
    }
    let found = |query: &str| -> (Vec<usize>, Value) {
        let page = daemon.get(&format!("/api/projects/default/critique?{query}")).json();
        let index = |row: &Value| runs.iter().position(|run| *run == row["runId"]).unwrap();
        (page["runs"].as_array().unwrap().iter().map(index).collect(), page["next"].clone())
    };
    assert_eq!(found(""), (vec![3, 2, 1, 0], Value::Null));
    let mut seen = Vec::new();
    let mut query = "limit=3".to_owned();
    loop {
        let (page, next) = found(&query);
        seen.extend(page);
        let Some(next) = next.as_str() else { break };
        query.truncate(7);
        write!(query, "&before={next}").unwrap();
    }
    assert_eq!(seen, [3, 2, 1, 0]);
    assert_eq!(found("status=failed").0, [1]);
    assert_eq!(found("agent=scripted&limit=1").0, [3]);
    assert_eq!(found("q=50%25").0, [0], "a wildcard is a letter like any other");
    assert_eq!(found("q=opening_hours").0, [2]);
    assert_eq!(found("q=nothing&state=ended").0, [] as [usize; 0]);
    assert_eq!(found("state=queued").0, [] as [usize; 0]);
    for bad in ["limit=201", "limit=x", "status=done", "state=x", "agent=a/b", "before=x", "limit=1&limit=2"]
    {
        assert_eq!(daemon.get(&format!("/api/projects/default/critique?{bad}")).status, 400, "{bad}");
    }
}

#[test]
fn asking_again_is_asking_for_the_same() {
    let cx = agents(&[("low", "cat one.txt; echo '</ROUND></CRITIQUE_RUN>'")]);
    cx.write("page.html", GOOD_PAGE);
    let daemon = Daemon::start(&cx);
    let run = daemon
        .ask_in("default", &json!({"agent": "low", "page": GOOD_PAGE, "threshold": 6.5, "title": "Again"}));
    let first = daemon.finish(&run);
    let answer = daemon.client.send("POST", &format!("{}/rerun", run.path()), &[], b"").unwrap();
    assert_eq!(answer.status, 202, "{}", answer.text());
    let field = |name: &str| answer.json()[name].as_str().unwrap().to_owned();
    let again =
        super::harness::Run { project: run.project, id: field("runId"), artifact: field("artifactId") };
    let second = daemon.finish(&again);
    let started = |frames: &[jury_testkit::client::Frame]| {
        let mut event = frames.iter().find(|frame| frame.event == "critique.run_started").unwrap().json();
        for key in ["runId", "artifactId", "at", "seq"] {
            event.as_object_mut().unwrap().remove(key);
        }
        event
    };
    assert_eq!(started(&second), started(&first));
    assert_eq!(started(&first)["threshold"], 6.5);
    assert_eq!(daemon.view(&again)["run"]["title"], "Again");
}

#[test]
fn a_single_run_goes_without_its_panel_where_all_have_one_unless_its_skill_requires_it() {
    let script = "case \"$prompt\" in *'<CRITIQUE_RUN'*) cat ship.txt;; *) cat page.html;; esac";
    let cx = agents(&[("mine", script)]);
    cx.write("page.html", GOOD_PAGE);
    let mut command = cx.jury();
    command.args(["serve", "--addr", "127.0.0.1:0"]).env("OD_CRITIQUE_ROLLOUT_PHASE", "M3");
    let daemon = Daemon::run(&mut command);
    for (wish, status) in [
        (json!({}), "shipped"),
        (json!({"critique": false}), "legacy"),
        (json!({"critique": false, "skill": "dashboard"}), "legacy"),
        (json!({"critique": false, "skill": "saas-landing"}), "shipped"),
    ] {
        let mut request = json!({"agent": "mine", "brief": "A page for a bakery."});
        request.as_object_mut().unwrap().extend(wish.as_object().unwrap().clone());
        let run = daemon.ask_in("default", &request);
        daemon.finish(&run);
        assert_eq!(daemon.view(&run)["run"]["status"], status, "{request}");
    }
}
