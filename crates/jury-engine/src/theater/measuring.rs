//! Measures drafts while the panel speaks: each on a thread of its own, which has it done in a process of its own where
//! the program says so ([`Measuring::with`]), with a limit of time, and never on a thread that others wait for.
//!
//! A thread that does not come back is given up and not waited for; the process does not wait for it either.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use jury_core::artifact::Digest;
use jury_core::evidence::Measurement;
use jury_core::lint::LintFinding;
use jury_core::request::RunRequest;
use jury_house::{Beside, GivenPage, MeasureTask};
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant};

use crate::drive::until;
use crate::note::one_line;

/// How long a draft may take. Pages of the largest size that is allowed take a few seconds; the rest is for a machine with
/// much else to do. A draft that could not be measured does not ship, so this is for a measuring that hangs.
const LIMIT: Duration = Duration::from_mins(1);

/// How many words may wait to be fetched; there are never more than two for each draft in a piece of output.
const WAITING: usize = 64;

/// How a draft is measured, and compared with the page that was handed in.
pub type MeasurePage = fn(&MeasureTask<'_>) -> Result<Measurement, String>;

/// Says of the address of a file, relative to the page, whether there is one, as far as it can be known.
pub type FileLookup = Arc<dyn Fn(&str) -> Option<bool> + Send + Sync>;

/// How the drafts of a run are measured: by what, with which files beside them, and how many at once. Cheap to clone;
/// runs that have clones of one value share its places.
#[derive(Clone)]
pub struct Measuring {
    measure: MeasurePage,
    beside: Arc<Beside>,
    among: Option<FileLookup>,
    slots: Arc<Slots>,
}

impl fmt::Debug for Measuring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Measuring")
            .field("beside", &self.beside)
            .field("slots", &self.slots)
            .finish_non_exhaustive()
    }
}

impl Measuring {
    /// Has pages measured by this function. The style engine takes a hundred megabytes and more for a page and gives
    /// little of it back: a program that lives long has it done in a process that does not.
    ///
    /// One page for every two cores is measured at once. Nobody waits for it first, a page takes a hundred megabytes,
    /// and many runs may end a round in the same moment.
    pub fn with(measure: MeasurePage) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let slots = Slots { free: Mutex::new((cores / 2).max(1)), freed: Condvar::new() };
        Self { measure, beside: Arc::default(), among: None, slots: Arc::new(slots) }
    }

    /// The same with these files beside the page.
    #[must_use]
    pub fn beside(mut self, beside: Beside) -> Self {
        self.beside = Arc::new(beside);
        self
    }

    /// The same for a page in a folder of which can be known what is in it: what a draft asks for is looked for there.
    #[must_use]
    pub fn among(mut self, files: FileLookup) -> Self {
        self.among = Some(files);
        self
    }
}

/// Has pages measured by the house, in this program.
impl Default for Measuring {
    fn default() -> Self {
        Self::with(by_the_house)
    }
}

/// What comes back from a measurement.
#[derive(Debug)]
enum Word {
    /// It has a place, which is taken from it when it takes too long.
    Begun(Digest, HeldSlot),
    /// It took so long, and this came of it.
    Done(Digest, Duration, Box<Result<Measurement, String>>),
}

/// How many more pages may be measured now.
#[derive(Debug)]
struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Slots {
    /// Waits for a place. It is given back when the guard is dropped, also by a panic.
    fn take(self: &Arc<Self>) -> Slot {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Slot(Arc::clone(self))
    }
}

#[derive(Debug)]
struct Slot(Arc<Slots>);

/// A place, until whoever measures or whoever waits gives it back.
type HeldSlot = Arc<Mutex<Option<Slot>>>;

fn give_back(held: &HeldSlot) {
    held.lock().unwrap_or_else(PoisonError::into_inner).take();
}

impl Drop for Slot {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

/// What was handed in.
#[derive(Debug, Clone)]
pub(super) struct Given {
    page: Arc<str>,
    brief: Option<Arc<str>>,
}

impl Given {
    /// The page of a request, if it has one.
    pub(super) fn of(request: Option<&RunRequest>) -> Option<Self> {
        let request = request?;
        let page = request.page.as_deref()?;
        Some(Self { page: page.into(), brief: request.brief.as_deref().map(Into::into) })
    }

    pub(super) fn digest(&self) -> Digest {
        Digest::of(self.page.as_bytes())
    }

    fn as_page(&self) -> GivenPage<'_> {
        GivenPage { page: &self.page, brief: self.brief.as_deref() }
    }
}

/// What is measured of a draft, beside its comparison with what was handed in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope {
    /// What the panel is held against.
    pub(super) figures: bool,
    /// What the measured seats say.
    pub(super) seats: bool,
}

#[derive(Debug)]
pub(super) struct Measurer {
    design: Option<String>,
    /// What was handed in.
    given: Option<Given>,
    scope: Scope,
    limit: Duration,
    measuring: Measuring,
    /// What is under way, and when it is given up; none while it waits for a place.
    due: BTreeMap<Digest, Option<(Instant, HeldSlot)>>,
    sender: mpsc::Sender<Word>,
    receiver: mpsc::Receiver<Word>,
}

impl Measurer {
    pub(super) fn new(
        measuring: Measuring,
        design: Option<String>,
        given: Option<Given>,
        scope: Scope,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self { design, given, scope, limit: LIMIT, measuring, due: BTreeMap::new(), sender, receiver }
    }

    /// What the final pass finds in a page.
    pub(super) fn lint(&self, page: &str) -> Vec<LintFinding> {
        let known = |address: &str| self.measuring.among.as_ref().and_then(|among| among(address));
        let mut findings = jury_house::lint_among(page, &known);
        // The drafts were compared as they look. This compares the texts alone, for a draft that could not be.
        if let Some(given) = &self.given {
            findings.extend(jury_house::replacement(given.as_page(), page));
        }
        findings
    }

    /// Begins to measure a draft.
    pub(super) fn begin(&mut self, digest: Digest, body: &[u8]) {
        self.due.insert(digest, None);
        let page = String::from_utf8_lossy(body).into_owned();
        let (design, measuring, sender) = (self.design.clone(), self.measuring.clone(), self.sender.clone());
        let (given, Scope { figures, seats }) = (self.given.clone(), self.scope);
        let work = move || {
            let Measuring { measure, beside, slots, .. } = measuring;
            let held = Arc::new(Mutex::new(Some(slots.take())));
            // Nobody is there any more when the run has ended.
            if sender.blocking_send(Word::Begun(digest, held.clone())).is_err() {
                return;
            }
            let began = Instant::now();
            let given = given.as_ref().map(Given::as_page);
            let task = MeasureTask {
                page: &page,
                design: design.as_deref(),
                beside: &beside,
                given,
                figures,
                seats,
            };
            let result = catch_unwind(AssertUnwindSafe(|| measure(&task)))
                .unwrap_or_else(|panic| Err(format!("the measuring panicked: {}", words_of(&*panic))));
            give_back(&held);
            sender.blocking_send(Word::Done(digest, began.elapsed(), Box::new(result))).ok();
        };
        if let Err(error) = thread::Builder::new().name("measure".to_owned()).spawn(work) {
            let result = Err(format!("no thread to measure on: {error}"));
            self.sender.try_send(Word::Done(digest, Duration::ZERO, Box::new(result))).ok();
        }
    }

    /// Whether anything is being measured.
    pub(super) fn is_busy(&self) -> bool {
        !self.due.is_empty()
    }

    /// Waits for the next result. One that takes too long is an error, whenever it comes.
    pub(super) async fn next(&mut self) -> (Digest, Result<Measurement, String>) {
        loop {
            let begun = self.due.iter().filter_map(|(digest, due)| Some((*digest, due.as_ref()?.0)));
            let first = begun.min_by_key(|(_, due)| *due);
            tokio::select! {
                biased;
                Some(word) = self.receiver.recv() => match word {
                    Word::Begun(digest, held) => {
                        let due = Instant::now() + self.limit;
                        self.due.entry(digest).and_modify(|begun| *begun = Some((due, held)));
                    }
                    Word::Done(digest, took, result) => {
                        if self.due.remove(&digest).is_some() {
                            let result = if took < self.limit { *result } else { Err(self.too_slow()) };
                            return (digest, result);
                        }
                    }
                },
                () = until(first.map(|(_, due)| due)), if first.is_some() => {
                    if let Some((digest, _)) = first {
                        if let Some(Some((_, held))) = self.due.remove(&digest) {
                            give_back(&held);
                        }
                        return (digest, Err(self.too_slow()));
                    }
                }
            }
        }
    }

    fn too_slow(&self) -> String {
        format!("the measuring took longer than {} ms", self.limit.as_millis())
    }
}

fn by_the_house(task: &MeasureTask<'_>) -> Result<Measurement, String> {
    jury_house::measure_task(task).map_err(|error| {
        let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
        one_line(&format!("{error}{}", source.unwrap_or_default()))
    })
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let words =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    one_line(words.unwrap_or("without words"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurer(measuring: Measuring) -> Measurer {
        Measurer::new(measuring, None, None, Scope { figures: true, seats: false })
    }

    fn with(measure: MeasurePage, limit: Duration) -> Measurer {
        Measurer { limit, ..measurer(Measuring::with(measure)) }
    }

    async fn outcome(mut measurer: Measurer) -> Result<Measurement, String> {
        let digest = Digest::of(b"page");
        measurer.begin(digest, b"page");
        let (measured, result) = measurer.next().await;
        assert_eq!(measured, digest);
        result
    }

    #[tokio::test]
    async fn what_takes_too_long_is_said_and_not_waited_for() {
        let stuck: MeasurePage = |_| loop {
            thread::park();
        };
        let error = outcome(with(stuck, Duration::from_millis(20))).await.unwrap_err();
        assert_eq!(error, "the measuring took longer than 20 ms");
        let late = outcome(with(|_| Ok(Measurement::default()), Duration::ZERO)).await.unwrap_err();
        assert_eq!(late, "the measuring took longer than 0 ms");
    }

    #[tokio::test]
    async fn a_panic_is_a_reason_and_not_an_end() {
        let error = outcome(with(|_| panic!("no such page"), LIMIT)).await.unwrap_err();
        assert_eq!(error, "the measuring panicked: no such page");
    }

    #[tokio::test]
    async fn a_page_is_measured_and_one_that_cannot_be_says_why() {
        let measured = outcome(measurer(Measuring::default())).await.unwrap();
        assert!(measured.roles.iter().any(|measured| measured.score.high < 10.0));
        let mut measurer = measurer(Measuring::default());
        let deep = "<div>".repeat(5000);
        measurer.begin(Digest::of(deep.as_bytes()), deep.as_bytes());
        let (_, result) = measurer.next().await;
        let error = result.unwrap_err();
        assert!(error.starts_with("the page cannot be measured: elements are nested"), "{error}");
    }
}
