//! Many pages at once, told in the order in which they were given.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::mpsc;

use super::worker::{Answer, Request, Text, Worker};

/// How far those that measure may be ahead of what has been told, for each of them: a slow page at the front must
/// not make the rest pile up in memory.
const AHEAD: usize = 8;

/// What holds for every page of a batch.
#[derive(Debug, Clone, Default)]
pub(super) struct Asking {
    pub(super) design: Option<String>,
    pub(super) design_folder: Option<PathBuf>,
    pub(super) root: Option<PathBuf>,
    pub(super) jobs: usize,
    /// Whether pages are to be repaired.
    pub(super) repair: bool,
    /// How long one page may take.
    pub(super) limit: Duration,
    /// The page that came from stdin.
    pub(super) stdin: Option<Text>,
}

/// A batch that is being measured.
pub(super) struct Batch {
    answers: mpsc::UnboundedReceiver<(usize, Answer)>,
    waiting: BTreeMap<usize, Answer>,
    next: usize,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    pages: Vec<PathBuf>,
    asking: Asking,
    progress: Mutex<Progress>,
    told: Condvar,
}

#[derive(Default)]
struct Progress {
    /// The next page that nobody has taken.
    next: usize,
    /// How many have been told.
    told: usize,
    /// How many have been measured.
    measured: usize,
    stopped: bool,
}

impl Batch {
    /// Begins to measure these pages.
    pub(super) fn start(pages: Vec<PathBuf>, asking: Asking) -> Self {
        let workers = asking.jobs.clamp(1, pages.len().max(1));
        let (sender, answers) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared { pages, asking, progress: Mutex::default(), told: Condvar::new() });
        let threads = (0..workers)
            .filter_map(|_| {
                let (shared, sender) = (Arc::clone(&shared), sender.clone());
                // One that cannot be started leaves its pages to the others.
                std::thread::Builder::new().spawn(move || work(&shared, &sender, workers)).ok()
            })
            .collect();
        Self { answers, waiting: BTreeMap::new(), next: 0, shared, threads }
    }

    /// The next page in order, with what came of it.
    pub(super) async fn next(&mut self) -> Option<(PathBuf, Answer)> {
        let Some(path) = self.shared.pages.get(self.next).cloned() else {
            // Nothing is left to measure: whoever measured is waited for, so that no process outlives this one.
            for thread in self.threads.drain(..) {
                thread.join().ok();
            }
            return None;
        };
        let answer = loop {
            if let Some(answer) = self.waiting.remove(&self.next) {
                break answer;
            }
            // Nobody is left who could answer: a page that was not measured is told, and is not a pass.
            let Some((index, answer)) = self.answers.recv().await else { break Answer::lost() };
            self.waiting.insert(index, answer);
        };
        self.next += 1;
        self.shared.progress().told = self.next;
        self.shared.told.notify_all();
        Some((path, answer))
    }

    /// How many pages have been measured.
    pub(super) fn measured(&self) -> usize {
        self.shared.progress().measured
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.shared.progress().stopped = true;
        self.shared.told.notify_all();
    }
}

impl Shared {
    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next page to measure, when there is room for it.
    fn take(&self, workers: usize) -> Option<usize> {
        let mut progress = self.progress();
        loop {
            if progress.stopped || progress.next >= self.pages.len() {
                return None;
            }
            if progress.next < progress.told + workers * AHEAD {
                progress.next += 1;
                return Some(progress.next - 1);
            }
            progress = self.told.wait(progress).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn work(shared: &Shared, sender: &mpsc::UnboundedSender<(usize, Answer)>, workers: usize) {
    let mut worker = Worker::default();
    while let Some(index) = shared.take(workers) {
        let Some(path) = shared.pages.get(index) else { return };
        let Asking { design, design_folder, root, stdin, repair, limit, .. } = &shared.asking;
        let text = crate::document::is_stdin(path).then(|| stdin.clone().unwrap_or_default());
        let request = Request {
            path: path.clone(),
            text,
            design: design.clone(),
            design_folder: design_folder.clone(),
            root: root.clone(),
            repair: *repair,
            explain: None,
            limit: *limit,
        };
        // Whatever goes wrong here, the page gets its answer: one that got none would be waited for by everybody.
        let asked = std::panic::AssertUnwindSafe(|| worker.ask(&request));
        let answer = std::panic::catch_unwind(asked).unwrap_or_else(|_| Answer::lost());
        shared.progress().measured += 1;
        if sender.send((index, answer)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn pages_that_nobody_answers_for_are_told() {
        let pages = ["a.html", "b.html"].map(PathBuf::from);
        let (sender, answers) = mpsc::unbounded_channel();
        sender.send((0, Answer::lost())).unwrap();
        drop(sender);
        let shared = Shared {
            pages: pages.to_vec(),
            asking: Asking::default(),
            progress: Mutex::default(),
            told: Condvar::new(),
        };
        let mut batch = Batch {
            answers,
            waiting: BTreeMap::new(),
            next: 0,
            shared: Arc::new(shared),
            threads: Vec::new(),
        };
        for page in pages {
            let (path, answer) = batch.next().await.unwrap();
            assert_eq!(path, page);
            assert_eq!(answer.report.unwrap_err(), "whoever measured it is gone, and gave no figures");
        }
        assert!(batch.next().await.is_none());
    }
}
