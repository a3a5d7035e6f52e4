//! Measures drafts while the panel speaks: each on a thread of its own, which has it done in a process of its own where
//! the program says so ([`Measuring::with`]), with a limit of time, and never on a thread that others wait for.
//!
//! A thread that does not come back is given up and not waited for; the process does not wait for it either.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use jury_core::artifact::Digest;
use jury_core::evidence::Measurement;
use jury_house::Beside;
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant};

use crate::drive::until;
use crate::note::one_line;

/// How long a draft may take. Pages of the largest size that is allowed take a small part of it.
const LIMIT: Duration = Duration::from_secs(10);

/// How many words may wait to be fetched; there are never more than two for each draft in a piece of output.
const WAITING: usize = 64;

/// How a page is measured, with its DESIGN.md if there is one, and with the files that lie beside it.
pub type Measure = fn(&str, Option<&str>, &Beside) -> Result<Measurement, String>;

/// How the drafts of a run are measured: by what, with which files beside them, and how many at once. Cheap to clone;
/// runs that have clones of one value share its places.
#[derive(Debug, Clone)]
pub struct Measuring {
    measure: Measure,
    beside: Arc<Beside>,
    places: Arc<Places>,
}

impl Measuring {
    /// Has pages measured by this function. The style engine takes a hundred megabytes and more for a page and gives
    /// little of it back: a program that lives long has it done in a process that does not.
    ///
    /// One page for every two cores is measured at once. Nobody waits for it first, a page takes a hundred megabytes,
    /// and many runs may end a round in the same moment.
    pub fn with(measure: Measure) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let places = Places { free: Mutex::new((cores / 2).max(1)), freed: Condvar::new() };
        Self { measure, beside: Arc::default(), places: Arc::new(places) }
    }

    /// The same with these files beside the page.
    #[must_use]
    pub fn beside(mut self, beside: Beside) -> Self {
        self.beside = Arc::new(beside);
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
    Begun(Digest, Held),
    /// It took so long, and this came of it.
    Done(Digest, Duration, Result<Measurement, String>),
}

/// How many more pages may be measured now.
#[derive(Debug)]
struct Places {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Places {
    /// Waits for a place. It is given back when the guard is dropped, also by a panic.
    fn take(self: &Arc<Self>) -> Place {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Place(Arc::clone(self))
    }
}

#[derive(Debug)]
struct Place(Arc<Places>);

/// A place, until whoever measures or whoever waits gives it back.
type Held = Arc<Mutex<Option<Place>>>;

fn give_back(held: &Held) {
    held.lock().unwrap_or_else(PoisonError::into_inner).take();
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[derive(Debug)]
pub(super) struct Measurer {
    design: Option<String>,
    limit: Duration,
    measuring: Measuring,
    /// What is under way, and when it is given up; none while it waits for a place.
    due: BTreeMap<Digest, Option<(Instant, Held)>>,
    sender: mpsc::Sender<Word>,
    receiver: mpsc::Receiver<Word>,
}

impl Measurer {
    pub(super) fn new(measuring: Measuring, design: Option<String>) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        Self { design, limit: LIMIT, measuring, due: BTreeMap::new(), sender, receiver }
    }

    /// Begins to measure a draft.
    pub(super) fn begin(&mut self, digest: Digest, body: &[u8]) {
        self.due.insert(digest, None);
        let page = String::from_utf8_lossy(body).into_owned();
        let (design, measuring, sender) = (self.design.clone(), self.measuring.clone(), self.sender.clone());
        let work = move || {
            let Measuring { measure, beside, places } = measuring;
            let held = Arc::new(Mutex::new(Some(places.take())));
            // Nobody is there any more when the run has ended.
            if sender.blocking_send(Word::Begun(digest, held.clone())).is_err() {
                return;
            }
            let began = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| measure(&page, design.as_deref(), &beside)))
                .unwrap_or_else(|panic| Err(format!("the measuring panicked: {}", words_of(&*panic))));
            give_back(&held);
            sender.blocking_send(Word::Done(digest, began.elapsed(), result)).ok();
        };
        if let Err(error) = thread::Builder::new().name("measure".to_owned()).spawn(work) {
            let result = Err(format!("no thread to measure on: {error}"));
            self.sender.try_send(Word::Done(digest, Duration::ZERO, result)).ok();
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
                            let result = if took < self.limit { result } else { Err(self.too_slow()) };
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

fn by_the_house(page: &str, design: Option<&str>, beside: &Beside) -> Result<Measurement, String> {
    jury_house::measure_beside(page, design, beside).map_err(|error| {
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

    fn with(measure: Measure, limit: Duration) -> Measurer {
        Measurer { limit, ..Measurer::new(Measuring::with(measure), None) }
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
        let stuck: Measure = |_, _, _| loop {
            thread::park();
        };
        let error = outcome(with(stuck, Duration::from_millis(20))).await.unwrap_err();
        assert_eq!(error, "the measuring took longer than 20 ms");
        let late = outcome(with(|_, _, _| Ok(Measurement::default()), Duration::ZERO)).await.unwrap_err();
        assert_eq!(late, "the measuring took longer than 0 ms");
    }

    #[tokio::test]
    async fn a_panic_is_a_reason_and_not_an_end() {
        let error = outcome(with(|_, _, _| panic!("no such page"), LIMIT)).await.unwrap_err();
        assert_eq!(error, "the measuring panicked: no such page");
    }

    #[tokio::test]
    async fn a_page_is_measured_and_one_that_cannot_be_says_why() {
        let measured = outcome(Measurer::new(Measuring::default(), None)).await.unwrap();
        assert!(measured.roles.iter().any(|measured| measured.score.high < 10.0));
        let mut measurer = Measurer::new(Measuring::default(), None);
        let deep = "<div>".repeat(5000);
        measurer.begin(Digest::of(deep.as_bytes()), deep.as_bytes());
        let (_, result) = measurer.next().await;
        let error = result.unwrap_err();
        assert!(error.starts_with("the page cannot be measured: elements are nested"), "{error}");
    }
}
