//! Every workflow over the same addresses: asked for, watched, looked at, stopped, asked for again.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use jury_testkit::client::Frame;
use serde_json::{Value, json};

use super::content::example;
use super::harness::{Daemon, add_agents, lines, metric, until};
use crate::harness::{Context, GOOD_PAGE, repository};
use crate::judge::harness::{CLEAN, GREEN, record};

/// What is asked of each workflow so that it ends by itself and is green, and with which word.
fn good() -> [(&'static str, &'static str, Value); 4] {
    let plan = "# Plan\n\n## Goal\n\nShip the importer.\n";
    let run: Value = serde_json::from_str(&record(&json!({}))).unwrap();
    let page = std::fs::read_to_string(repository().join("examples/landing.html")).unwrap();
    [
        ("theater", "shipped", json!({"page": page})),
        ("critic", "converged", json!({"document": plan, "title": "plan.md", "criteria": "headings"})),
        ("judge", "pass", json!({"record": run, "diff": CLEAN, "tests": GREEN, "mode": "heuristic"})),
        ("content", "approved", json!({"ideaId": "acme", "draft": example("acme.md"), "publish": false})),
    ]
}

/// What is asked of each workflow so that its agent is asked.
fn of_agent(agent: &str) -> [(&'static str, Value); 4] {
    let run: Value = serde_json::from_str(&record(&json!({}))).unwrap();
    [
        ("theater", json!({"page": GOOD_PAGE, "agent": agent})),
        ("critic", json!({"document": "# Plan\n", "criteria": "opinion", "agent": agent})),
        ("judge", json!({"record": run, "diff": CLEAN, "agents": [agent]})),
        ("content", json!({"ideaId": "acme", "agent": agent})),
    ]
}

fn folder() -> Context {
    let cx = super::content::content_context();
    std::fs::create_dir(cx.path("criteria")).unwrap();
    cx.write(
        "criteria/headings.toml",
        "name = \"headings\"\ntitle = \"Headings\"\ncap = 3\n[adversarial]\ncheck = [\"true\"]\n[[criterion]]\nid = \"ORDER\"\n\
         question = \"Are the headings in order?\"\nmeasure = \"heading-order\"\n",
    );
    cx.write(
        "criteria/opinion.toml",
        "name = \"opinion\"\ntitle = \"Opinion\"\ncap = 3\n[[criterion]]\nid = \"CLEAR\"\nquestion = \"Is it clear?\"\n\
         severity = \"high\"\nneeds = \"opinion\"\n",
    );
    cx
}

fn start(daemon: &Daemon, workflow: &str, request: &Value) -> String {
    let answer = daemon.post("/api/runs", &json!({"workflow": workflow, "request": request}));
    assert_eq!(answer.status, 202, "{workflow}: {}", answer.text());
    answer.json()["runId"].as_str().unwrap().to_owned()
}

fn events(daemon: &Daemon, run: &str, headers: &[(&str, &str)]) -> Vec<Frame> {
    daemon.stream(&format!("/api/runs/{run}/events"), headers).rest_of_run().unwrap()
}

fn view(daemon: &Daemon, run: &str) -> Value {
    let answer = daemon.get(&format!("/api/runs/{run}"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn poke(daemon: &Daemon, run: &str, what: &str) -> (u16, Value) {
    let answer = daemon.client.send("POST", &format!("/api/runs/{run}/{what}"), &[], b"").unwrap();
    (answer.status, answer.json())
}

#[test]
fn each_is_asked_for_watched_and_asked_for_again() {
    let cx = folder();
    let daemon = Daemon::start(&cx);
    for (workflow, word, request) in good() {
        let run = start(&daemon, workflow, &request);
        let frames = events(&daemon, &run, &[]);
        assert!(frames.last().is_some_and(Frame::is_terminal), "{workflow}: {frames:?}");
        // Whoever was cut off in the middle gets the rest, and only that.
        let (seen, rest) = frames.split_at(frames.len() / 2);
        let last = seen.last().unwrap().id.to_string();
        let again = events(&daemon, &run, &[("last-event-id", last.as_str())]);
        assert_eq!(lines(&again), lines(rest), "{workflow}");

        let shown = view(&daemon, &run);
        assert_eq!(shown["run"]["workflow"], workflow);
        assert_eq!(shown["run"]["status"], word, "{workflow}: {shown:#}");
        assert_eq!(shown["run"]["outcome"], "passed");
        assert!(shown["state"].as_object().is_some_and(|state| !state.is_empty()), "{workflow}");
        let transcript = daemon.get(&format!("/api/runs/{run}/transcript"));
        assert_eq!((transcript.status, transcript.text()), (200, lines(&frames)), "{workflow}");
        let listed = daemon.get(&format!("/api/runs?workflow={workflow}&status={word}")).json();
        assert_eq!(listed["runs"][0]["runId"], run.as_str(), "{workflow}");
        assert_eq!(listed["runs"].as_array().unwrap().len(), 1, "{workflow}");

        let (status, body) = poke(&daemon, &run, "interrupt");
        assert_eq!((status, body["error"]["code"].as_str()), (409, Some("already_ended")), "{workflow}");
        let (status, body) = poke(&daemon, &run, "rerun");
        assert_eq!(status, 202, "{workflow}: {body}");
        let second = body["runId"].as_str().unwrap();
        assert!(events(&daemon, second, &[]).last().is_some_and(Frame::is_terminal), "{workflow}");
        let (first, second) = (shown, view(&daemon, second));
        for same in ["workflow", "projectId", "agent", "title"] {
            assert_eq!(first["run"][same], second["run"][same], "{workflow}: {same}");
        }
        let ended = metric(&daemon, "jury_runs_total", &[&format!("workflow=\"{workflow}\"")]);
        assert!(ended >= 2.0, "{workflow}: {ended}");
        let told = cx.jury().args(["replay", &run, "--speed", "instant"]).output().unwrap();
        assert!(told.status.success(), "{workflow}: {}", String::from_utf8_lossy(&told.stderr));
    }
    assert_eq!(daemon.get("/api/runs").json()["runs"].as_array().unwrap().len(), 8);
    let page = daemon.get("/api/runs?limit=3").json();
    let next = page["next"].as_str().unwrap();
    let rest = daemon.get(&format!("/api/runs?before={next}")).json();
    assert_eq!(rest["runs"].as_array().unwrap().len(), 5);
}

#[test]
fn what_holds_nothing_to_review_is_inconclusive() {
    let cx = folder();
    let daemon = Daemon::start(&cx);
    let run: Value = serde_json::from_str(&record(&json!({}))).unwrap();
    let bare: Value = serde_json::from_str(&record(&json!({"prompt": null}))).unwrap();
    let asked = [
        ("judge", json!({"record": run, "mode": "heuristic"})),
        ("judge", json!({"record": run, "diff": "", "tests": GREEN, "mode": "heuristic"})),
        ("judge", json!({"record": run, "diff": CLEAN, "mode": "heuristic"})),
        ("judge", json!({"record": bare, "diff": CLEAN, "tests": GREEN, "mode": "heuristic"})),
        ("critic", json!({"document": "x", "title": "plan.md", "criteria": "headings"})),
        ("critic", json!({"document": "{\"a\": 1}", "title": "plan.md", "criteria": "headings"})),
        ("critic", json!({"document": "fn main() {}", "title": "main.rs", "criteria": "headings"})),
    ];
    for (workflow, request) in asked {
        let run = start(&daemon, workflow, &request);
        events(&daemon, &run, &[]);
        let shown = view(&daemon, &run);
        assert_eq!(shown["run"]["status"], "inconclusive", "{request}: {shown:#}");
        assert_eq!(shown["run"]["outcome"], "inconclusive", "{request}");
    }
}

/// The state of a run, and of its row what says how it stood.
fn stood(view: &Value) -> (Value, Value) {
    let run = &view["run"];
    (json!({"state": run["state"], "outcome": run["outcome"], "head": run["head"]}), view["state"].clone())
}

#[test]
fn each_is_looked_at_as_it_stood_after_any_of_its_events() {
    let cx = folder();
    let daemon = Daemon::start(&cx);
    for (workflow, _, request) in good() {
        let run = start(&daemon, workflow, &request);
        let frames = events(&daemon, &run, &[]);
        let head = frames.len();
        let at = |seq: &str| {
            let answer = daemon.get(&format!("/api/runs/{run}?at={seq}"));
            assert_eq!(answer.status, 200, "{workflow} {seq}: {}", answer.text());
            answer.json()
        };
        let end = view(&daemon, &run);
        assert_eq!(end["run"]["head"], head, "{workflow}");
        for seq in [head.to_string(), (head + 1).to_string(), u64::MAX.to_string(), String::new()] {
            assert_eq!(at(&seq), end, "{workflow}: {seq}");
        }
        // Every event but the last leaves it unended, and the first events tell it apart from the end.
        for seq in 0..head {
            let (row, _) = stood(&at(&seq.to_string()));
            let state = if seq < 2 { "queued" } else { "running" };
            let expected = json!({"state": state, "outcome": null, "head": seq});
            assert_eq!(row, expected, "{workflow} after {seq} of {head}: {}", frames[seq.max(1) - 1].data);
        }
        let states: Vec<Value> = [0, 2, head].map(|seq| stood(&at(&seq.to_string())).1).into();
        assert!(states[0] != states[1] && states[1] != states[2], "{workflow}: {states:#?}");
        for odd in ["-1", "1.5", "one", "18446744073709551616", "%00", "1%202"] {
            let answer = daemon.get(&format!("/api/runs/{run}?at={odd}"));
            assert_eq!(answer.status, 400, "{workflow} {odd}: {}", answer.text());
            let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
            assert!(message.starts_with("at: ") && !message.contains('\n'), "{message}");
        }
    }
}

#[test]
fn a_piece_that_goes_on_is_the_answer_to_whoever_asks_for_it_again() {
    let cx = folder();
    let daemon = Daemon::start(&cx);
    let run = start(&daemon, "content", &json!({"ideaId": "acme", "stepwise": true}));
    let (status, body) = poke(&daemon, &run, "rerun");
    assert_eq!((status, body["runId"].as_str()), (200, Some(run.as_str())), "{body}");
}

#[test]
fn each_is_stopped_while_its_agent_is_asked() {
    let cx = folder();
    let script = format!("touch {}; exec sleep 1000", cx.path("asked").display());
    add_agents(&cx, &[("slow", &script)]);
    let daemon = Daemon::start(&cx);
    for (workflow, request) in of_agent("slow") {
        std::fs::remove_file(cx.path("asked")).ok();
        let run = start(&daemon, workflow, &request);
        until(&format!("the agent of {workflow} is asked"), || cx.path("asked").exists());
        let (status, body) = poke(&daemon, &run, "interrupt");
        assert_eq!(status, 202, "{workflow}: {body}");
        let settled = || {
            let shown = view(&daemon, &run);
            let state = shown["run"]["state"].as_str().unwrap().to_owned();
            // A piece of content is paused, and can be taken up again; the others end.
            state == "ended" || (workflow == "content" && state == "waiting")
        };
        until(&format!("{workflow} is stopped"), settled);
        let (status, body) = poke(&daemon, &run, "interrupt");
        assert_eq!((status, body["status"].as_str()), (202, Some("interrupted")), "{workflow}: {body}");
    }
}

#[test]
fn a_piece_that_waits_for_its_next_tool_is_stopped_like_every_run() {
    let cx = folder();
    let daemon = Daemon::start(&cx);
    let run = start(&daemon, "content", &json!({"ideaId": "acme", "stepwise": true}));
    for said in ["interrupting", "interrupted"] {
        let (status, body) = poke(&daemon, &run, "interrupt");
        assert_eq!((status, body["status"].as_str()), (202, Some(said)), "{body}");
        let transcript = daemon.get(&format!("/api/runs/{run}/transcript")).text();
        assert_eq!(transcript.matches("content.paused").count(), 1, "{transcript}");
    }
}

/// A collector of traces: keeps what is posted to it.
fn collector() -> (String, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeping = Arc::clone(&kept);
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = BufReader::new(connection.unwrap());
            let mut length = 0;
            let mut line = String::new();
            while connection.read_line(&mut line).is_ok_and(|read| read > 2) {
                let (name, value) = line.split_once(':').unwrap_or((&line, "0"));
                if name.eq_ignore_ascii_case("content-length") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            connection.read_exact(&mut body).unwrap();
            keeping.lock().unwrap().extend(body);
            let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            connection.get_mut().write_all(answer).unwrap();
        }
    });
    (address, kept)
}

#[test]
fn each_is_a_trace_and_a_log_line() {
    let cx = folder();
    let (address, kept) = collector();
    let mut command = cx.jury();
    command.args(["serve", "--addr", "127.0.0.1:0"]).env("OTEL_EXPORTER_OTLP_ENDPOINT", address);
    let daemon = Daemon::run(&mut command);
    let mut runs = Vec::new();
    for (workflow, _, request) in good() {
        let run = start(&daemon, workflow, &request);
        assert!(events(&daemon, &run, &[]).last().is_some_and(Frame::is_terminal), "{workflow}");
        runs.push((workflow, run));
    }
    let (code, said) = daemon.stop();
    assert_eq!(code, Some(0));
    let spans = String::from_utf8_lossy(&kept.lock().unwrap()).into_owned();
    for (workflow, run) in runs {
        let told = if workflow == "theater" { "run_shipped" } else { &format!("{workflow}_ended") };
        let ended = |line: &str| line.contains(&run) && line.contains(told);
        assert!(said.lines().any(ended), "no line says that {workflow} {run} ended:\n{said}");
        let name = if workflow == "theater" { "critique.run" } else { &format!("{workflow}.run") };
        assert!(spans.contains(name) && spans.contains(&run), "no span {name} of {run}");
    }
    for name in ["critic.measure", "judge.ask", "content.step"] {
        assert!(spans.contains(name), "no span {name}");
    }
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let cx = folder();
    let daemon = Daemon::start(&cx);
    let run: Value = serde_json::from_str(&record(&json!({}))).unwrap();
    let running: Value = json!({"bead": "bd-one", "status": "running"});
    for (body, status, told) in [
        (json!({"workflow": "circus", "request": {}}), 400, "circus"),
        (json!({"workflow": "critic"}), 400, "request"),
        (json!({"workflow": "critic", "request": {"criteria": "headings"}}), 400, "document"),
        (json!({"workflow": "critic", "request": {"document": "", "criteria": "headings"}}), 422, "document"),
        (
            json!({"workflow": "critic", "request": {"document": "# A", "criteria": "/etc/x.toml"}}),
            422,
            "criteria",
        ),
        (
            json!({"workflow": "critic", "request": {"document": "# A", "criteria": "nobodys"}}),
            422,
            "nobodys",
        ),
        (
            json!({"workflow": "critic", "request": {"document": "# A", "criteria": "headings", "title": "../a"}}),
            422,
            "title",
        ),
        (
            json!({"workflow": "critic", "request": {"document": "# A", "criteria": "headings", "agent": "nobody-here"}}),
            422,
            "agent",
        ),
        (json!({"workflow": "judge", "request": {"record": {}}}), 422, "record"),
        (json!({"workflow": "judge", "request": {"record": running}}), 422, "has not ended"),
        (json!({"workflow": "judge", "request": {"record": run, "mode": "dice"}}), 422, "dice"),
        (json!({"workflow": "content", "request": {"ideaId": "nowhere"}}), 404, "nowhere"),
    ] {
        let answer = daemon.post("/api/runs", &body);
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
        let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(told) && !message.contains('\n'), "{body}: {message}");
    }
    assert_eq!(daemon.get("/api/runs").json()["runs"], json!([]), "nothing refused is in the queue");
    for (path, status) in [
        ("/api/runs?status=shipped", 400),
        ("/api/runs?workflow=critic&status=shipped", 400),
        ("/api/runs?limit=0", 400),
        ("/api/runs?project=nowhere", 404),
        ("/api/runs/nobody", 404),
        ("/api/runs/nobody?at=1", 404),
        ("/api/runs/00000000-0000-7000-8000-000000000000/transcript", 404),
        ("/api/runs/00000000-0000-7000-8000-000000000000/events", 404),
    ] {
        assert_eq!(daemon.get(path).status, status, "{path}");
    }
}
