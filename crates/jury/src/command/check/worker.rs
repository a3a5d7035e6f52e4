//! One page after another in a process of its own. The style engine is the work of others and pages are the work of
//! anybody: an abort, a stack that runs out or a page that never ends costs that page, and not the batch.
//!
//! A request is a line of JSON, and so is an answer.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use jury_house::{Beside, Explanation, RepairNote, Repaired, Report};
use rustix::process::{Resource, Rlimit, Signal};
use serde::{Deserialize, Serialize};

use super::mark::Mark;
use crate::document;
use crate::refusal::Refusal;
use crate::render::critic::counted;

/// How long one page may take if nobody says. Real ones take a fraction of a second.
pub(super) const LIMIT: Duration = Duration::from_mins(1);

/// How many times as long it may take to repair one, for which it is measured again and again.
const REPAIR: u32 = 10;

/// How the last words of a process that was too slow begin.
const TOO_SLOW: &str = "not measured within";

/// The address space of a process that measures: far above what any page needs, far below what hurts a machine.
const ADDRESS_SPACE: u64 = 3 * 1024 * 1024 * 1024;

/// After so many pages a process is replaced, and what the engine kept goes back to the system.
const MOST_PAGES: usize = 50;

/// What is to be done with a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    /// The file; what the page is called when it came from elsewhere.
    pub(crate) path: PathBuf,
    /// The page itself, when it is not in the file.
    pub(crate) text: Option<Text>,
    /// The DESIGN.md.
    pub(crate) design: Option<String>,
    /// The folder it lies in, where files of tokens may lie too.
    pub(crate) design_folder: Option<PathBuf>,
    /// The folder that a page may load from; its own folder when absent.
    pub(crate) root: Option<PathBuf>,
    /// Whether the page is to be repaired first.
    pub(crate) repair: bool,
    /// The finding to be explained, instead of a report.
    pub(crate) explain: Option<String>,
    /// How long it may take.
    pub(crate) limit: Duration,
}

/// A page as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// Whether some of its bytes were no text, and are lost.
    pub(crate) lossy: bool,
}

impl Text {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self { text, lossy: false },
            Err(error) => Self { text: String::from_utf8_lossy(error.as_bytes()).into_owned(), lossy: true },
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    /// The figures, or why there are none.
    pub(crate) report: Result<Report, String>,
    /// What somebody should know about the file.
    pub(crate) notes: Vec<String>,
    /// The files that the page was measured with, beside itself, as they were before they were read.
    pub(crate) loaded: BTreeMap<PathBuf, Mark>,
    /// What was repaired; the report is of the page after it.
    pub(crate) mended: Option<Mended>,
    /// What was to be explained.
    pub(crate) explanation: Option<Explanation>,
}

/// A page after the designer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mended {
    /// The page.
    pub(crate) html: String,
    /// What was done, in order.
    pub(crate) repairs: Vec<RepairNote>,
    /// Tokens of the DESIGN.md that the page had to leave.
    pub(crate) design_defects: Vec<String>,
    /// What the house saw before.
    pub(crate) before: Report,
}

impl Answer {
    fn without_figures(why: impl Into<String>) -> Self {
        Self {
            report: Err(why.into()),
            notes: Vec::new(),
            loaded: BTreeMap::new(),
            mended: None,
            explanation: None,
        }
    }

    /// The one for a page that nobody answers for.
    pub(super) fn lost() -> Self {
        Self::without_figures("whoever measured it is gone, and gave no figures")
    }
}

/// Answers requests until there are no more. This is the process.
pub(crate) fn house_check() -> Result<u8, Refusal> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).ok();
    let bound = Rlimit { current: Some(ADDRESS_SPACE), maximum: Some(ADDRESS_SPACE) };
    rustix::process::setrlimit(Resource::As, bound).ok();
    let (started, watch) = mpsc::channel::<Option<Duration>>();
    std::thread::spawn(move || stand_watch(&watch));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Refusal::usage(format!("cannot read the request: {error}")))?;
        let request: Request = serde_json::from_str(&line)
            .map_err(|error| Refusal::usage(format!("the request on stdin is not one: {error}")))?;
        let limit = if request.repair { request.limit * REPAIR } else { request.limit };
        started.send(Some(limit)).ok();
        let answer = answer(&request);
        started.send(None).ok();
        say(&answer).map_err(|error| Refusal::inconclusive(format!("cannot write the figures: {error}")))?;
    }
    Ok(0)
}

fn say(answer: &Answer) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(answer).map_err(std::io::Error::other)?;
    line.push(b'\n');
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}

/// Ends the process when a page takes too long, and says so before.
fn stand_watch(watch: &mpsc::Receiver<Option<Duration>>) {
    while let Ok(limit) = watch.recv() {
        let Some(limit) = limit else { continue };
        if watch.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            let seconds =
                counted(usize::try_from(limit.as_secs()).unwrap_or(usize::MAX), "second", "seconds");
            let why = format!("{TOO_SLOW} {seconds}; make it simpler, or give it more with --page-timeout");
            say(&Answer::without_figures(why)).ok();
            rustix::process::kill_process(rustix::process::getpid(), Signal::KILL).ok();
        }
    }
}

fn answer(request: &Request) -> Answer {
    let mut notes = Vec::new();
    let Text { text: page, lossy } = match page(request) {
        Ok(page) => page,
        Err(why) => return Answer::without_figures(why),
    };
    if lossy {
        notes.push("it is not valid UTF-8; what could not be read is shown as \u{fffd}".to_owned());
    }
    let (beside, loaded) = beside(request, &page);
    let design = request.design.as_deref();
    if let Some(id) = &request.explain {
        return match jury_house::explain(&page, design, &beside, id) {
            Ok(explanation) => {
                let explanation = Some(explanation);
                Answer {
                    notes,
                    loaded,
                    explanation,
                    ..Answer::without_figures("only one finding was asked for")
                }
            }
            Err(error) => Answer { notes, loaded, ..Answer::without_figures(whole(&error)) },
        };
    }
    if request.repair && lossy {
        // A copy would have replacement characters where the page has letters, under the name of its old encoding.
        notes.push(
            "it is not repaired: a copy would lose what could not be read; save the page as UTF-8".to_owned(),
        );
    } else if request.repair {
        return match jury_house::repair(&page, design, &beside) {
            Ok(Repaired { html, repairs, design_defects, before, after }) => {
                let mended = (html != page).then_some(Mended { html, repairs, design_defects, before });
                Answer { report: Ok(after), notes, loaded, mended, explanation: None }
            }
            Err(error) => Answer { notes, loaded, ..Answer::without_figures(whole(&error)) },
        };
    }
    let report = jury_house::report(&page, design, &beside).map_err(|error| whole(&error));
    Answer { report, notes, loaded, mended: None, explanation: None }
}

/// The files that the page is measured with, and where they are.
fn beside(request: &Request, page: &str) -> (Beside, BTreeMap<PathBuf, Mark>) {
    let Request { path, text, root, design_folder, .. } = request;
    let path = match (text, root) {
        (None, _) => Some(path.clone()),
        (Some(_), Some(root)) => Some(root.join(path)),
        // A page that is nowhere has nothing beside it.
        (Some(_), None) => None,
    };
    let mut beside = Beside::nothing();
    let mut loaded = BTreeMap::new();
    if let Some(path) = path {
        beside = crate::beside::read_noting(&path, page, root.as_deref(), &mut |file| {
            loaded.entry(file.to_owned()).or_insert_with(|| Mark::of(file));
        });
    }
    if let Some(folder) = design_folder {
        let files = jury_text::brand::TOKEN_FILES.map(|name| folder.join(name));
        loaded.extend(files.map(|file| (file.clone(), Mark::of(&file))));
        crate::beside::read_tokens(&folder.join("DESIGN.md"), &mut beside);
    }
    (beside, loaded)
}

/// The page, or why there is none.
fn page(request: &Request) -> Result<Text, String> {
    let page = if let Some(text) = &request.text {
        text.clone()
    } else {
        let given = document::read(&request.path, "page", document::LARGEST_PAGE, "split the page");
        Text::of(given.map_err(|refusal| without_name(&refusal.message, &request.path))?.bytes)
    };
    if page.text.trim().is_empty() {
        return Err("it is empty; there is nothing to measure".to_owned());
    }
    if !has_tag(&page.text) {
        return Err("it is not a page: there is no tag in it".to_owned());
    }
    Ok(page)
}

/// The name of the file stands beside the message already.
fn without_name(message: &str, path: &Path) -> String {
    message.replace(&path.display().to_string(), "it").replace("cannot read it:", "it cannot be read:")
}

fn has_tag(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(2).any(|pair| matches!(pair, [b'<', next] if next.is_ascii_alphabetic() || *next == b'!'))
}

/// An error and what is behind it, on one line.
fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// The other end: a process that measures, started when it is needed.
#[derive(Debug, Default)]
pub(super) struct Worker {
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    pages: usize,
}

impl Worker {
    /// Has one page measured. What goes wrong is an answer, too.
    pub(super) fn ask(&mut self, request: &Request) -> Answer {
        match self.try_ask(request) {
            Ok(answer) => answer,
            Err(why) => {
                self.end();
                Answer::without_figures(why)
            }
        }
    }

    fn try_ask(&mut self, request: &Request) -> Result<Answer, String> {
        if self.process.as_ref().is_some_and(|process| process.pages >= MOST_PAGES) {
            self.end();
        }
        let mut line = serde_json::to_vec(request).map_err(|error| format!("cannot ask: {error}"))?;
        line.push(b'\n');
        let mut process = match self.process.take() {
            Some(process) => process,
            None => start().map_err(|error| format!("cannot start the measuring: {error}"))?,
        };
        // One that ended says so by what it does not answer.
        process.stdin.write_all(&line).ok();
        let mut answer = String::new();
        let heard = process.stdout.read_line(&mut answer);
        let answer: Option<Answer> = heard.ok().and_then(|_| serde_json::from_str(&answer).ok());
        let Some(answer) = answer else {
            process.child.kill().ok();
            let status =
                process.child.wait().map_err(|error| format!("cannot hear the measuring: {error}"))?;
            return Err(format!("the style engine {} and gave no figures", ended(status)));
        };
        process.pages += 1;
        // The one that was too slow is on its way out.
        let slow = matches!(&answer.report, Err(why) if why.starts_with(TOO_SLOW));
        if slow {
            process.child.kill().ok();
            process.child.wait().ok();
        } else {
            self.process = Some(process);
        }
        Ok(answer)
    }

    fn end(&mut self) {
        if let Some(Process { mut child, stdin, mut stdout, .. }) = self.process.take() {
            drop(stdin);
            stdout.read_to_end(&mut Vec::new()).ok();
            child.wait().ok();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

fn start() -> std::io::Result<Process> {
    let mut command = Command::new(std::env::current_exe()?);
    // A group of its own: what a terminal sends to this program is not meant for a page.
    command.arg("house-check").process_group(0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(std::io::Error::other("it has no pipes"));
    };
    Ok(Process { child, stdin, stdout: BufReader::new(stdout), pages: 0 })
}

fn ended(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was ended by signal {signal}"),
        (None, Some(code)) => format!("ended with exit code {code}"),
        (None, None) => "ended".to_owned(),
    }
}
