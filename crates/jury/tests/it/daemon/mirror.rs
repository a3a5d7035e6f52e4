//! The daemon with a real Redis: what is in it, what happens when it dies, and a second machine.

use jury_testkit::redis_server::Redis;
use serde_json::{Value, json};

use super::content::{IDEA, ask, content_context, example, stands};
use super::harness::{Daemon, until};
use crate::harness::Context;

fn daemon(cx: &Context, url: &str) -> Daemon {
    let mut command = cx.jury();
    command.args(["serve", "--addr", "127.0.0.1:0"]).env("JURY_REDIS_URL", url);
    Daemon::run(&mut command)
}

fn state(daemon: &Daemon) -> Value {
    daemon.get("/api/health").json()["redis"]["state"].clone()
}

#[test]
fn runs_are_in_the_redis_and_go_on_without_it() {
    let mut server = Redis::start().unwrap();
    let cx = content_context();
    let mut daemon = daemon(&cx, &server.url());
    until("it is reachable", || state(&daemon) == "reachable");
    let piece = ask(&daemon, &json!({"draft": example("acme-flawed.md"), "publish": false}));
    stands(&daemon, &piece, "needs-human");
    let active = "active_run:content-critique:acme:website";
    let progress = format!("pipeline_progress:{}", piece.id);
    until("it is there", || server.get(&progress).is_some_and(|text| text.contains("\"needs-human\"")));
    assert_eq!(server.get(active), Some(piece.id.clone()));
    assert!(server.get(&format!("critique_round:{}:1", piece.id)).is_some());

    server.kill().unwrap();
    daemon.says("the Redis is gone");
    assert_eq!(daemon.get("/api/health").status, 200, "the daemon works without it");
    assert_eq!(state(&daemon), "gone");
    let resumed =
        daemon.post(&format!("{IDEA}/runs/{}/resume", piece.id), &json!({"draft": example("acme.md")}));
    assert_eq!(resumed.status, 202, "{}", resumed.text());
    stands(&daemon, &piece, "approved");

    server.go().unwrap();
    daemon.says("the Redis is back");
    assert_eq!(state(&daemon), "reachable");
    let kept: Value =
        serde_json::from_str(&server.get(&format!("approved_content:{}", piece.id)).unwrap()).unwrap();
    assert_eq!((&kept["quality"], &kept["contentType"]), (&json!("approved"), &json!("website")));
    assert!(kept["content"].as_str().unwrap().len() > 100);
    assert_eq!(server.ttl(&format!("approved_content:{}", piece.id)), -1);
    assert_eq!(server.get(active), None);
    let (code, said) = daemon.stop();
    assert_eq!(code, Some(0));
    assert_eq!(
        (said.matches("the Redis is gone").count(), said.matches("the Redis is back").count()),
        (1, 1)
    );
}

#[test]
fn a_second_machine_is_told_which_run_goes_on() {
    let server = Redis::start().unwrap();
    let (here, there) = (content_context(), content_context());
    let (one, two) = (daemon(&here, &server.url()), daemon(&there, &server.url()));
    let piece = ask(&one, &json!({"draft": example("acme-flawed.md"), "publish": false}));
    stands(&one, &piece, "needs-human");
    let refused = two.post(IDEA, &json!({}));
    assert_eq!((refused.status, refused.code().as_str()), (409, "elsewhere"), "{}", refused.text());
    assert!(refused.text().contains(&piece.id));
    assert_eq!(one.post(&format!("{IDEA}/runs/{}/abandon", piece.id), &json!({})).status, 202);
    until("its name is free", || server.get("active_run:content-critique:acme:website").is_none());
    let theirs = ask(&two, &json!({"draft": example("acme.md"), "publish": false}));
    stands(&two, &theirs, "approved");
}

#[test]
fn an_address_that_is_none_is_a_mistake_in_the_settings() {
    let cx = Context::new();
    for url in ["localhost:6379", "http://localhost", "redis://host:port"] {
        let output =
            cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).env("JURY_REDIS_URL", url).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{url}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("JURY_REDIS_URL is not the address of a Redis"), "{said}");
        let output = cx.jury().arg("doctor").env("JURY_REDIS_URL", url).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{url}");
    }
}

#[test]
fn the_doctor_says_whether_it_answers() {
    let mut server = Redis::start().unwrap();
    let cx = Context::new();
    let doctor = || {
        let output = cx.jury().arg("doctor").env("JURY_REDIS_URL", server.url()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, said) = doctor();
    assert!(code == Some(0) && said.contains("answers; content runs are mirrored there"), "{said}");
    server.kill().unwrap();
    let output = cx.jury().arg("doctor").env("JURY_REDIS_URL", server.url()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(0) && said.contains("does not answer"), "{said}");
}
