//! Stopping a run: accepted, idempotent, refused where there is nothing to stop; and nothing is left running.

use serde_json::{Value, json};

use super::harness::{Daemon, agents, gone, names, written};
use crate::harness::GOOD_PAGE;

/// A child and a grandchild that do not listen to TERM, after this much of an answer.
fn stubborn(says: &str) -> String {
    format!(
        "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $$ $! > pids; {says}; while :; do sleep 1; done"
    )
}

#[test]
fn a_running_run_is_stopped_with_its_best_round_and_nothing_is_left() {
    let cx = agents(&[("sits", &stubborn("cat one.txt"))]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("sits");
    daemon.wait_for(&run, "critique.round_end");
    let answer = daemon.interrupt(&run);
    assert_eq!((answer.status, &answer.json()["status"]), (202, &"interrupting".into()), "{}", answer.text());
    assert_eq!(daemon.interrupt(&run).status, 202, "at once again");
    let frames = daemon.finish(&run);
    let last = frames.last().unwrap();
    assert_eq!(last.event, "critique.interrupted");
    assert_eq!((&last.json()["bestRound"], &last.json()["composite"]), (&1.into(), &Value::from(7.0)));
    assert_eq!(last.json().get("recoveryReason"), None);
    gone(&cx, "pids");
    let view = daemon.view(&run);
    assert_eq!(view["run"]["status"], "interrupted");
    assert_eq!((&view["run"]["round"], &view["run"]["composite"]), (&1.into(), &Value::from(7.0)));
    assert_eq!(daemon.get(&format!("{}/artifact", run.path())).text(), GOOD_PAGE);
    // Doing it again changes nothing.
    let again = daemon.interrupt(&run);
    assert_eq!((again.status, &again.json()["status"]), (202, &"interrupted".into()));
    assert_eq!(daemon.finish(&run), frames);
}

#[test]
fn before_a_round_closes_nothing_is_shipped_and_the_state_says_so() {
    let cx = agents(&[(
        "begins",
        &stubborn(
            "printf '<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"critic\" score=\"9\">'",
        ),
    )]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("begins");
    daemon.wait_for(&run, "critique.panelist_open");
    assert_eq!(daemon.interrupt(&run).status, 202);
    let frames = daemon.finish(&run);
    let last = frames.last().unwrap();
    assert_eq!(last.event, "critique.interrupted");
    assert_eq!((&last.json()["bestRound"], &last.json()["composite"]), (&Value::Null, &Value::Null));
    assert_eq!(last.json().get("artifactRef").unwrap_or(&Value::Null), &Value::Null);
    gone(&cx, "pids");
    let view = daemon.view(&run);
    assert_eq!((&view["run"]["status"], &view["run"]["round"]), (&"interrupted".into(), &Value::Null));
    let artifact = daemon.get(&format!("{}/artifact", run.path()));
    assert_eq!((artifact.status, artifact.code()), (404, "no_artifact".to_owned()));
    // One click asks for the same again.
    let again = daemon.client.send("POST", &format!("{}/rerun", run.path()), &[], b"").unwrap();
    assert_eq!(again.status, 202, "{}", again.text());
    assert_ne!(again.json()["runId"], run.id);
}

#[test]
fn a_run_that_waits_is_taken_out_of_the_queue() {
    let cx = agents(&[("sits", &stubborn("cat one.txt")), ("never", "touch asked; cat ship.txt")]);
    let daemon = Daemon::run(
        cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("OD_CRITIQUE_MAX_CONCURRENT_RUNS", "1"),
    );
    let first = daemon.ask("sits");
    daemon.wait_for(&first, "critique.round_end");
    let waits = daemon.ask("never");
    assert_eq!(daemon.view(&waits)["run"]["state"], "queued");
    assert_eq!(daemon.interrupt(&waits).status, 202);
    assert_eq!(names(&daemon.finish(&waits)), ["critique.queued", "critique.interrupted"]);
    assert_eq!(daemon.interrupt(&waits).json()["status"], "interrupted");
    daemon.interrupt(&first);
    daemon.finish(&first);
    assert!(!cx.path("asked").exists(), "its agent was never started");
    gone(&cx, "pids");
}

#[test]
fn what_has_ended_is_not_stopped_and_what_is_not_there_is_not_found() {
    let cx = agents(&[("scripted", "cat ship.txt")]);
    let daemon = Daemon::start(&cx);
    daemon.project("shop");
    let run = daemon.ask("scripted");
    daemon.finish(&run);
    let answer = daemon.interrupt(&run);
    assert_eq!((answer.status, answer.code()), (409, "already_ended".to_owned()));
    let post = |path: String| daemon.client.send("POST", &path, &[], b"").unwrap();
    let answer = post(format!("/api/projects/shop/critique/{}/interrupt", run.id));
    assert_eq!((answer.status, answer.code()), (404, "no_such_run".to_owned()), "it is another project's");
    let answer =
        post("/api/projects/default/critique/0198c0de-0000-7000-8000-000000000001/interrupt".to_owned());
    assert_eq!((answer.status, answer.code()), (404, "no_such_run".to_owned()));
    let answer = post(format!("/api/projects/nobody/critique/{}/interrupt", run.id));
    assert_eq!((answer.status, answer.code()), (404, "no_such_project".to_owned()));
    let answer = daemon.get(&format!("{}/interrupt", run.path()));
    assert_eq!((answer.status, answer.code()), (405, "method_not_allowed".to_owned()));
}

#[test]
fn a_run_of_another_process_is_stopped_there_and_ended_here_when_that_process_died() {
    let cx = agents(&[("sits", &stubborn("cat one.txt"))]);
    cx.write("page.html", GOOD_PAGE);
    let daemon = Daemon::start(&cx);
    let mut stream = daemon.stream("/api/projects/default/events", &[]);
    let mut other = crate::harness::Running::start(cx.jury().args(["run", "page.html", "--agent", "sits"]));
    other.wait_for("composite");
    let first = stream.frame().unwrap().unwrap().json();
    let run = super::harness::Run {
        project: "default".to_owned(),
        id: first["runId"].as_str().unwrap().to_owned(),
        artifact: first["artifactId"].as_str().unwrap().to_owned(),
    };
    let answer = daemon.interrupt(&run);
    assert_eq!((answer.status, answer.code()), (409, "not_ours".to_owned()));
    other.signal(rustix::process::Signal::KILL);
    other.finish();
    assert_eq!(daemon.interrupt(&run).status, 202);
    let frames = daemon.finish(&run);
    assert_eq!(frames.last().unwrap().json()["recoveryReason"], "daemon_restart");
    assert_eq!(written(&cx, "pids").split_whitespace().count(), 2);
    gone(&cx, "pids");
}

#[test]
fn many_who_stop_a_run_at_once_stop_it_once() {
    let cx = agents(&[("sits", &stubborn("cat one.txt"))]);
    let daemon = Daemon::start(&cx);
    let run = daemon.ask("sits");
    let (client, path) = (&daemon.client, format!("{}/interrupt", run.path()));
    let ask = || client.send("POST", &path, &[], b"").unwrap().status;
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let asking = [(); 8].map(|()| scope.spawn(ask));
        asking.map(|asked| asked.join().unwrap()).to_vec()
    });
    assert_eq!(statuses, [202; 8]);
    let frames = daemon.finish(&run);
    assert_eq!(frames.last().unwrap().event, "critique.interrupted");
    assert_eq!(daemon.post("/api/projects", &json!({"id": "after"})).status, 201);
}
