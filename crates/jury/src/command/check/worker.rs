//! One page after another in a process of its own ([`house`]): an abort, a stack that runs out or a page that never
//! ends costs that page, and not the batch.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury_core::process::Exit;
use jury_house::{Beside, Explanation, Question, RepairNote, RepairedPage, Report};
use serde::{Deserialize, Serialize};

use super::mark::Mark;
use crate::command::house;
use crate::document;
use crate::render::critic::counted;

/// How long one page may take if nobody says. Real ones take a fraction of a second.
pub(super) const LIMIT: Duration = Duration::from_mins(1);

/// How many times as long it may take to repair one, for which it is measured again and again.
const REPAIR: u32 = 10;

/// How the last words of a process that was too slow begin.
const TOO_SLOW: &str = "not measured within";

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
    /// The text of DESIGN.md, if there is one.
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

impl Request {
    /// How long the process may take for it in all.
    pub(crate) fn whole_limit(&self) -> Duration {
        if self.repair { self.limit * REPAIR } else { self.limit }
    }
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
    /// The page after its repairs.
    pub(crate) html: String,
    /// What was done, in order.
    pub(crate) repairs: Vec<RepairNote>,
    /// What only a person can say, in place of a repair.
    pub(crate) questions: Vec<Question>,
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

    /// The last words of a process that took longer than this.
    pub(crate) fn too_slow(limit: Duration) -> Self {
        let seconds = counted(usize::try_from(limit.as_secs()).unwrap_or(usize::MAX), "second", "seconds");
        Self::without_figures(format!(
            "{TOO_SLOW} {seconds}; make it simpler, or give it more with --page-timeout"
        ))
    }

    /// The one for a page that nobody answers for.
    pub(super) fn lost() -> Self {
        Self::without_figures("whoever measured it is gone, and gave no figures")
    }
}

/// What the process does for one page.
pub(crate) fn answer(request: &Request) -> Answer {
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
            Ok(RepairedPage { html, repairs, questions, design_defects, before, after }) => {
                let mended =
                    (html != page).then_some(Mended { html, repairs, questions, design_defects, before });
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
    house: jury_agents::Worker,
    pages: usize,
}

impl Worker {
    /// Has one page measured. What goes wrong is an answer, too.
    pub(super) fn ask(&mut self, request: &Request) -> Answer {
        self.try_ask(request).unwrap_or_else(Answer::without_figures)
    }

    fn try_ask(&mut self, request: &Request) -> Result<Answer, String> {
        // Dropping one waits for its end.
        let process = self.process.take().filter(|process| process.pages < MOST_PAGES);
        let line = house::Request::Check(Cow::Borrowed(request))
            .to_line()
            .map_err(|error| format!("cannot ask: {error}"))?;
        let mut process = match process {
            Some(process) => process,
            None => Process {
                house: house::start().map_err(|error| format!("cannot start the measuring: {error}"))?,
                pages: 0,
            },
        };
        let Ok(answer) = serde_json::from_slice::<Answer>(&process.house.ask(line)) else {
            let exit = process.house.kill().map_err(|error| format!("cannot hear the measuring: {error}"))?;
            return Err(format!("the style engine {} and gave no figures", ended(exit)));
        };
        process.pages += 1;
        // The one that was too slow is on its way out.
        let slow = matches!(&answer.report, Err(why) if why.starts_with(TOO_SLOW));
        if slow {
            process.house.kill().ok();
        } else {
            self.process = Some(process);
        }
        Ok(answer)
    }
}

fn ended(exit: Exit) -> String {
    match exit {
        Exit::Signal(signal) => format!("was ended by signal {signal}"),
        Exit::Code(code) => format!("ended with exit code {code}"),
        Exit::Unknown => "ended".to_owned(),
    }
}
