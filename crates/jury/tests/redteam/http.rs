//! A request to a real daemon on a free port, and the end of the run that it begins.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use jury_testkit::client::{DaemonClient, HttpReply};
use serde_json::Value;

use super::kind::{Case, Request};
use super::play::{Came, Room};

/// A daemon that is ended with this value.
struct Daemon(Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Starts a daemon in the room, asks it, and waits for the run if one was begun.
pub(crate) fn ask(room: &Room, case: &Case, request: &Request) -> Result<Came, String> {
    let mut command = room.jury(case);
    command.args(["serve", "--addr", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(token) = &request.token {
        command.env("JURY_TOKEN", token);
    }
    let mut daemon = Daemon(command.spawn().map_err(|error| error.to_string())?);
    let mut address = String::new();
    let stdout = daemon.0.stdout.take().ok_or("the daemon has no stdout")?;
    BufReader::new(stdout).read_line(&mut address).map_err(|error| error.to_string())?;
    let client = DaemonClient::new(&address).map_err(|error| format!("the daemon did not start: {error}"))?;
    let mut asking = client.clone();
    for (name, value) in &request.headers {
        asking = asking.with(name, Some(value));
    }
    let mut body = request.body.clone();
    for (name, text) in &case.files {
        body = body.replace(&format!("%JSON:{name}%"), &Value::from(text.as_str()).to_string());
    }
    let reply = asking
        .send(&request.method, &request.path, &[("content-type", "application/json")], body.as_bytes())
        .map_err(|error| error.to_string())?;
    let mut came = Came { status: Some(reply.status), said: reply.text(), ..Came::default() };
    let begun = reply.json()["runId"].as_str().map(ToOwned::to_owned);
    if let Some(run) = begun.filter(|_| reply.status == 202) {
        let owner = request.token.as_ref().map(|token| format!("Bearer {token}"));
        let looking = client.with("authorization", owner.as_deref());
        let ended = wait(&looking, &run)?;
        came.outcome = Some(ended.json()["run"]["outcome"].as_str().unwrap_or("none").to_owned());
        came.said.push_str(&ended.text());
    }
    Ok(came)
}

/// The run, once it has ended or waits.
fn wait(client: &DaemonClient, run: &str) -> Result<HttpReply, String> {
    let stream = client.stream(&format!("/api/runs/{run}/events"), &[]).map_err(|error| error.to_string())?;
    let mut stream = stream.map_err(|reply| format!("no stream: {}", reply.text()))?;
    loop {
        let view = client.get(&format!("/api/runs/{run}")).map_err(|error| error.to_string())?;
        let state = view.json()["run"]["state"].as_str().unwrap_or_default().to_owned();
        if state == "ended" || state == "waiting" {
            return Ok(view);
        }
        stream.frame().map_err(|error| error.to_string())?.ok_or("the stream broke off")?;
    }
}
