//! The house in a process of its own, for everybody in this program who needs it: requests on stdin, a line of JSON
//! each; what came of them on stdout, in order.
//!
//! The style engine is the work of others and pages are the work of anybody: an abort, a stack that runs out or a page
//! that never ends costs a process, and what the engine took goes back to the system with it.

mod measure;

use std::borrow::Cow;
use std::io::{BufRead as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use jury_agents::{Invocation, Worker};
use rustix::process::{Resource, Rlimit, Signal};
use serde::{Deserialize, Serialize};

use super::check::worker as check;
use crate::output::Stdout;
use crate::refusal::Refusal;

pub(crate) use measure::measure_elsewhere;

/// The address space of a process that checks pages: far above what any page needs, far below what hurts a machine.
const ADDRESS_SPACE: u64 = 3 * 1024 * 1024 * 1024;

/// How much less of the machine the measuring of drafts gets than the runs: it is never what anybody waits for first.
const NICE: i32 = 19;

/// What the process is asked for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
pub(crate) enum Request<'a> {
    /// Reviews a page as an agent does, and prints the transcript.
    Sit(Cow<'a, jury_house::Request>),
    /// Measures a draft, and prints the figures on a line.
    Measure(Cow<'a, measure::Request>),
    /// Checks a page, and prints the report on a line.
    Check(Cow<'a, check::Request>),
}

impl Request<'_> {
    /// The request as the line that the process reads, without the line break.
    pub(crate) fn to_line(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }
}

/// How this process is called.
pub(crate) fn invocation() -> std::io::Result<Invocation> {
    Ok(Invocation::new(std::env::current_exe()?).arg("house"))
}

/// Starts it, to be asked for figures and reports.
pub(crate) fn start() -> std::io::Result<Worker> {
    Worker::start(&invocation()?)
}

/// Answers requests until there are no more. This is the process.
pub(crate) fn house() -> Result<u8, Refusal> {
    // It does not outlive the program that asked for it, however that ends.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).ok();
    let watch = Watch::post();
    for line in std::io::stdin().lock().lines() {
        let line =
            line.map_err(|error| Refusal::usage(format!("cannot read the request from stdin: {error}")))?;
        let request: Request<'_> = serde_json::from_str(&line)
            .map_err(|error| Refusal::usage(format!("the request on stdin is not one: {error}")))?;
        match request {
            Request::Sit(request) => sit(&request)?,
            Request::Measure(request) => {
                rustix::process::nice(NICE).ok();
                say(&watch.over(measure::LIMIT, None, || measure::answer(&request)))?;
            }
            Request::Check(request) => {
                let bound = Rlimit { current: Some(ADDRESS_SPACE), maximum: Some(ADDRESS_SPACE) };
                rustix::process::setrlimit(Resource::As, bound).ok();
                let limit = request.whole_limit();
                let last_words = line_of(&check::Answer::too_slow(limit)).ok();
                say(&watch.over(limit, last_words, || check::answer(&request)))?;
            }
        }
    }
    Ok(0)
}

fn sit(request: &jury_house::Request) -> Result<(), Refusal> {
    let mut stdout = std::io::LineWriter::new(Stdout);
    jury_house::sit(request, &mut stdout).map_err(|error| Refusal::inconclusive(error.to_string()))?;
    stdout.flush().map_err(|error| Refusal::undelivered(format!("cannot write the transcript: {error}")))
}

fn say(answer: &impl Serialize) -> Result<(), Refusal> {
    line_of(answer)
        .and_then(|line| print(&line))
        .map_err(|error| Refusal::undelivered(format!("cannot write the figures: {error}")))
}

fn line_of(answer: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(answer).map_err(std::io::Error::other)?;
    line.push(b'\n');
    Ok(line)
}

fn print(line: &[u8]) -> std::io::Result<()> {
    Stdout.write_all(line)
}

/// Ends the process when a page takes too long.
struct Watch(mpsc::Sender<Option<Task>>);

/// What is watched over.
struct Task {
    /// How long it may take.
    limit: Duration,
    /// What is said before the process ends.
    last_words: Option<Vec<u8>>,
}

impl Watch {
    fn post() -> Self {
        let (tell, hear) = mpsc::channel();
        std::thread::spawn(move || stand_watch(&hear));
        Self(tell)
    }

    /// Does this in so much time, or ends the process with these words.
    fn over<T>(&self, limit: Duration, last_words: Option<Vec<u8>>, work: impl FnOnce() -> T) -> T {
        self.0.send(Some(Task { limit, last_words })).ok();
        let done = work();
        self.0.send(None).ok();
        done
    }
}

fn stand_watch(hear: &mpsc::Receiver<Option<Task>>) {
    while let Ok(task) = hear.recv() {
        let Some(Task { limit, last_words }) = task else { continue };
        if matches!(hear.recv_timeout(limit), Err(RecvTimeoutError::Timeout)) {
            if let Some(words) = last_words {
                print(&words).ok();
            }
            rustix::process::kill_process(rustix::process::getpid(), Signal::KILL).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_lines_that_say_what_is_asked_for() {
        let sit = jury_house::Request { page: "<p>\n</p>".to_owned(), ..jury_house::Request::default() };
        let line = String::from_utf8(Request::Sit(Cow::Borrowed(&sit)).to_line().unwrap()).unwrap();
        assert!(line.starts_with(r#"{"op":"sit","#) && !line.contains('\n'), "{line}");
        let Request::Sit(read) = serde_json::from_str(&line).unwrap() else { panic!("{line}") };
        assert_eq!(*read, sit);
        assert!(matches!(
            serde_json::from_str(r#"{"op":"measure","page":"<p>","design":null}"#).unwrap(),
            Request::Measure(_)
        ));
    }

    #[test]
    fn the_house_gets_the_safe_part_of_the_environment_alone() {
        let inherit = invocation().unwrap().inherit;
        assert!(inherit.passes(std::ffi::OsStr::new("PATH")));
        for name in ["JURY_TOKEN", "OPENAI_API_KEY", "OTEL_EXPORTER_OTLP_HEADERS", "MY_COLOUR"] {
            assert!(!inherit.passes(std::ffi::OsStr::new(name)), "{name}");
        }
    }
}
