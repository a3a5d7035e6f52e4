//! A pile of run records: read and judged one by one, collected some at a time.

use std::path::Path;

use jiff::Timestamp;
use jury_core::judge::{RecordError, RecordReading, RunRecord};
use jury_learning::files::{LearningError, LearningPaths, collect_many, read_record};
use jury_learning::{JudgingResult, message};

use super::judging::{Judging, Opinion};
use crate::output::Output;
use crate::render::printable;

/// How many are collected in one go: others have their turn in between.
const MOST_RECORDS: usize = 512;
/// How many notes are shown; the rest is counted.
const MOST_NOTES: u64 = 10;

/// Records on their way, and what came of those before.
pub(super) struct Pile<'a> {
    places: &'a LearningPaths,
    judging: Judging<'a>,
    now: Timestamp,
    output: Output,
    /// Every record has its line as soon as it is done.
    talkative: bool,
    waiting: Vec<(Box<RunRecord>, Opinion)>,
    pub(super) collected: u64,
    pub(super) running: u64,
    pub(super) errors: Vec<String>,
    notes: u64,
}

impl<'a> Pile<'a> {
    pub(super) fn new(places: &'a LearningPaths, now: Timestamp, output: Output, talkative: bool) -> Self {
        let judging = Judging::read(places, now, output);
        let (waiting, errors) = (Vec::new(), Vec::new());
        Self { places, judging, now, output, talkative, waiting, collected: 0, running: 0, errors, notes: 0 }
    }

    /// Takes a record to the pile.
    pub(super) fn add(&mut self, path: &Path) {
        match read_record(path) {
            Ok(RecordReading::Running) => self.running += 1,
            Ok(RecordReading::Finished(run)) => {
                // Whoever else collects this run sees what was said as soon as it is its turn.
                let (opinion, turn) = self.judging.ask(&run, path);
                // What a judge said is worth more than the time that is saved.
                let at_once = !matches!(opinion, Opinion::None);
                self.waiting.push((run, opinion));
                if at_once || self.waiting.len() >= MOST_RECORDS {
                    self.collect();
                }
                drop(turn);
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Collects the records that wait.
    pub(super) fn collect(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return;
        }
        let runs: Vec<(&RunRecord, JudgingResult<'_>)> =
            waiting.iter().map(|(run, opinion)| (run.as_ref(), opinion.judged())).collect();
        match collect_many(self.places, &runs, self.now) {
            Ok((results, warnings)) => {
                for warning in &warnings {
                    self.notes += 1;
                    if self.notes <= MOST_NOTES {
                        self.output.note(warning);
                    }
                }
                for result in results {
                    match result {
                        Ok(feedback) => {
                            self.collected += 1;
                            if self.talkative {
                                self.output.progress(&format!("{}: {}", feedback.bead, feedback.outcome));
                            }
                        }
                        Err(error) => self.note(&error),
                    }
                }
            }
            Err(error) => waiting.iter().for_each(|_| self.note(&error)),
        }
    }

    /// Collects what is left, and says how much was not said.
    pub(super) fn finish(&mut self) {
        self.collect();
        let more = self.notes.saturating_sub(MOST_NOTES);
        if more > 0 {
            self.output.note(&format!(
                "{} broken records are in quarantine/ beside the feedback",
                jury_core::line::counted(more, "more such note;", "more such notes;")
            ));
        }
    }

    /// A record that cannot be collected; those before it come first.
    pub(super) fn fail(&mut self, error: &LearningError) {
        self.collect();
        self.note(error);
    }

    fn note(&mut self, error: &LearningError) {
        let line = told(error);
        if self.talkative {
            Output::say(&line);
        }
        self.errors.push(line);
    }
}

/// What cannot be done, in one line. A record without a name has the line that scripts know.
pub(in crate::command) fn told(error: &LearningError) -> String {
    let line = if let LearningError::Record { path, error: RecordError::NoBead } = error {
        message::missing_bead(&path.display().to_string())
    } else {
        format!("Error: {error}")
    };
    printable(&line, 2000)
}
