//! A daemon in a folder of its own, agents for it, and what tests ask of it again and again.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use jury_testkit::client::{DaemonClient, Frame, HttpReply, Stream};
use rustix::process::Signal;
use serde_json::{Value, json};

pub(super) use crate::harness::until;
use crate::harness::{Context, GOOD_PAGE};

/// How long anything may take before a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_mins(1);

/// A daemon that serves. Killed when it is dropped.
pub(super) struct Daemon {
    child: Child,
    /// Who asks it.
    pub(super) client: DaemonClient,
    lines: Receiver<String>,
    /// What it wrote to stderr, as far as it was read.
    said: String,
}

impl Daemon {
    pub(super) fn start(cx: &Context) -> Self {
        Self::start_with(cx, &[])
    }

    pub(super) fn start_with(cx: &Context, args: &[&str]) -> Self {
        Self::run(cx.jury().args(["serve", "--addr", "127.0.0.1:0"]).args(args))
    }

    /// Starts it as the command says and waits until it tells its address.
    pub(super) fn run(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (send, lines) = channel();
        // Ends with the pipe.
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                send.send(line).ok();
            }
        });
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        assert!(url.starts_with("http://"), "{url}{}", lines.iter().collect::<Vec<_>>().join("\n"));
        // An address that means all of them is reached by the first one.
        let client = DaemonClient::new(&url.replace("0.0.0.0", "127.0.0.1")).unwrap();
        Self { child, client, lines, said: String::new() }
    }

    pub(super) fn get(&self, path: &str) -> HttpReply {
        self.client.get(path).unwrap()
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> HttpReply {
        self.client.json("POST", path, body).unwrap()
    }

    pub(super) fn patch(&self, path: &str, body: &Value) -> HttpReply {
        self.client.json("PATCH", path, body).unwrap()
    }

    /// Makes a project.
    pub(super) fn project(&self, id: &str) {
        let answer = self.post("/api/projects", &json!({"id": id}));
        assert_eq!(answer.status, 201, "{}", answer.text());
    }

    /// Asks an agent for a run in the default project.
    pub(super) fn ask(&self, agent: &str) -> Run {
        self.ask_in("default", &json!({"agent": agent, "page": GOOD_PAGE}))
    }

    pub(super) fn ask_in(&self, project: &str, request: &Value) -> Run {
        let answer = self.post(&format!("/api/projects/{project}/runs"), request);
        assert_eq!(answer.status, 202, "{}", answer.text());
        assert_eq!(answer.json()["status"], "queued");
        let field = |name: &str| answer.json()[name].as_str().unwrap().to_owned();
        Run { project: project.to_owned(), id: field("runId"), artifact: field("artifactId") }
    }

    /// The stream of a run, from its first event.
    pub(super) fn follow(&self, run: &Run) -> Stream {
        self.stream(&format!("/api/projects/{}/events?run={}", run.project, run.id), &[])
    }

    pub(super) fn stream(&self, path: &str, headers: &[(&str, &str)]) -> Stream {
        self.client.stream(path, headers).unwrap().unwrap_or_else(|answer| panic!("{}", answer.text()))
    }

    /// Waits for the end of a run; its events.
    pub(super) fn finish(&self, run: &Run) -> Vec<Frame> {
        let frames = self.follow(run).rest_of_run().unwrap();
        assert!(frames.last().is_some_and(Frame::is_terminal), "the stream broke off: {frames:?}");
        frames
    }

    /// Waits until a run has come to an event of this name.
    pub(super) fn wait_for(&self, run: &Run, event: &str) {
        let mut stream = self.follow(run);
        while let Some(frame) = stream.frame().unwrap() {
            if frame.event == event {
                return;
            }
            assert!(!frame.is_terminal(), "the run ended before {event}: {frame:?}");
        }
        panic!("the stream ended before {event}");
    }

    pub(super) fn interrupt(&self, run: &Run) -> HttpReply {
        self.client.send("POST", &format!("{}/interrupt", run.path()), &[], b"").unwrap()
    }

    /// A run as the API shows it.
    pub(super) fn view(&self, run: &Run) -> Value {
        let answer = self.get(&run.path());
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    /// Waits until the export of a run's transcript is there: it is written after the last event.
    pub(super) fn transcript(&self, run: &Run) -> String {
        let answer = self.get(&format!("{}/transcript", run.path()));
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-ndjson")));
        answer.text()
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn signal(&self, signal: Signal) {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for a line on stderr with this in it.
    pub(super) fn says(&mut self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("nobody says {text:?}:\n{}", self.said));
            self.said.push_str(&line);
            self.said.push('\n');
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Tells it to end, waits, and returns its exit code and what it said.
    pub(super) fn stop(self) -> (Option<i32>, String) {
        self.signal(Signal::TERM);
        self.wait()
    }

    /// Waits for its end.
    pub(super) fn wait(mut self) -> (Option<i32>, String) {
        let mut said = std::mem::take(&mut self.said);
        until("the daemon ends", || self.child.try_wait().unwrap().is_some());
        for line in &self.lines {
            said.push_str(&line);
            said.push('\n');
        }
        (self.child.wait().unwrap().code(), said)
    }

    /// `kill -9`, and nothing is left of it.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Its resident memory in KiB.
    pub(super) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A run that was asked for.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) project: String,
    pub(super) id: String,
    pub(super) artifact: String,
}

impl Run {
    pub(super) fn path(&self) -> String {
        format!("/api/projects/{}/critique/{}", self.project, self.id)
    }
}

/// The value of a metric, or 0 if nobody counted yet. Labels as they stand in the text: `status="failed"`.
pub(super) fn metric(daemon: &Daemon, name: &str, labels: &[&str]) -> f64 {
    let text = daemon.get("/metrics").text();
    text.lines()
        .filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' '])))
        .filter(|line| labels.iter().all(|label| line.contains(label)))
        .filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok())
        .sum()
}

/// Events as the lines of a transcript.
pub(super) fn lines(frames: &[Frame]) -> String {
    frames.iter().flat_map(|frame| [frame.data.as_str(), "\n"]).collect()
}

/// The names of events.
pub(super) fn names(frames: &[Frame]) -> Vec<&str> {
    frames.iter().map(|frame| frame.event.as_str()).collect()
}

/// One round: everybody gives this score, and the critic asks for something if it is below 8.
pub(super) fn round(number: u32, score: u32, page: &str) -> String {
    let fix = if score < 8 { "<MUST_FIX>Make the heading larger.</MUST_FIX>" } else { "" };
    let decision = if score < 8 { "continue" } else { "ship" };
    format!(
        "<ROUND n=\"{number}\"><PANELIST role=\"designer\"><NOTES>Calm.</NOTES><ARTIFACT><![CDATA[{page}]]></ARTIFACT></PANELIST>\
         <PANELIST role=\"critic\" score=\"{score}\"><DIM name=\"type\" score=\"{score}\">Readable.</DIM>{fix}</PANELIST>\
         <PANELIST role=\"brand\" score=\"{score}\"><NOTES>Seen.</NOTES></PANELIST><PANELIST role=\"a11y\" score=\"{score}\"><NOTES>Seen.</NOTES></PANELIST><PANELIST role=\"copy\" score=\"{score}\"><NOTES>Seen.</NOTES></PANELIST>\
         <ROUND_END n=\"{number}\" composite=\"{score}\" must_fix=\"0\" decision=\"{decision}\"/></ROUND>\n"
    )
}

/// The beginning of an answer.
pub(super) const OPEN: &str = "<CRITIQUE_RUN version=\"1\">\n";

/// The end of an answer that ships.
pub(super) fn ship(round: u32, page: &str) -> String {
    format!(
        "<SHIP round=\"{round}\" composite=\"9\" status=\"shipped\"><ARTIFACT><![CDATA[{page}]]></ARTIFACT><SUMMARY>Done.</SUMMARY></SHIP></CRITIQUE_RUN>\n"
    )
}

/// An answer of two rounds that ships.
pub(super) fn shipping() -> String {
    format!("{OPEN}{}{}{}", round(1, 6, "<p>draft</p>"), round(2, 9, GOOD_PAGE), ship(2, GOOD_PAGE))
}

/// A folder in which these agents are configured: each is a shell script that can print files of the folder.
pub(super) fn agents(scripts: &[(&str, &str)]) -> Context {
    let cx = Context::new();
    add_agents(&cx, scripts);
    cx
}

pub(super) fn add_agents(cx: &Context, scripts: &[(&str, &str)]) {
    cx.write("ship.txt", shipping());
    cx.write("one.txt", format!("{OPEN}{}<ROUND n=\"2\">", round(1, 7, GOOD_PAGE)));
    let mut settings = String::new();
    for (name, script) in scripts {
        let file = cx.write(&format!("{name}.sh"), format!("prompt=$(cat)\n{script}\n"));
        writeln!(settings, "[agents.{name}]\ncommand = [\"sh\", \"{}\"]", file.display()).unwrap();
    }
    cx.write("jury.toml", settings);
}

/// What a script writes into a file, once it is there.
pub(super) fn written(cx: &Context, name: &str) -> String {
    let path = cx.path(name);
    until(&format!("{name} is written"), || {
        std::fs::read_to_string(&path).is_ok_and(|text| text.ends_with('\n'))
    });
    std::fs::read_to_string(path).unwrap()
}

/// Waits until none of these processes is there. A script writes their ids into a file.
pub(super) fn gone(cx: &Context, name: &str) {
    for pid in written(cx, name).split_whitespace() {
        let place = format!("/proc/{pid}");
        until(&format!("process {pid} is gone"), || !Path::new(&place).exists());
    }
}
