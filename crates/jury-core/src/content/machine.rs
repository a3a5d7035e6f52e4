//! The machine of the content pipeline: which step comes next, and what it means when one cannot be done.
//!
//! A run is its log: the machine keeps nothing that the state does not say but what is being done now. So any process can
//! go on at any step, and [`Pipeline::new`] from the state of a log is all it takes.

use super::event::{ContentEvent, Halted, PauseReason, Paused, Summarised};
use super::rule::EditorDecision;
use super::state::ContentState;
use super::status::ContentStatus;
use super::step::{Step, Tool};
use crate::machine;
use crate::outcome::FailedCause;
use crate::unit::Round;

/// What can happen to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentInput {
    /// A worker took it.
    Start,
    /// These facts came of the step, or of a person who resumed the run.
    Did(Vec<ContentEvent>),
    /// The step is over.
    Done(Result<(), Stuck>),
    /// The user wants it to stop.
    Interrupt,
}

/// Why a step was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stuck {
    /// It could not be. It is written down, and the run can be resumed there.
    Trouble {
        /// The part that failed.
        cause: FailedCause,
        /// What, for a person.
        detail: String,
    },
    /// It was stopped. What had arrived is in the log.
    Stopped,
}

/// Something to be done by whoever drives the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentEffect {
    /// Do this step: come back with [`ContentInput::Did`] for each thing that comes of it, and with [`ContentInput::Done`].
    Do(Step),
}

/// What the machine wants.
pub type ContentOutput = machine::Output<ContentEvent, ContentEffect>;

/// Collects what the machine wants.
pub type ContentOutbox = Vec<ContentOutput>;

/// The machine of the content pipeline.
#[derive(Debug)]
pub struct Pipeline {
    state: ContentState,
    /// The only tool whose steps are done; all of them without one.
    only: Option<Tool>,
    /// The step that is being done.
    doing: Option<Doing>,
    /// Whether somebody wants it to stop.
    stopping: bool,
}

#[derive(Debug)]
struct Doing {
    tool: Tool,
    /// Whether anything came of it.
    moved: bool,
}

impl Pipeline {
    /// A run at this point of its log.
    pub fn new(state: ContentState) -> Self {
        Self { state, only: None, doing: None, stopping: false }
    }

    /// From here on, only the steps of one tool are done; all of them without one.
    pub fn restrict(&mut self, only: Option<Tool>) {
        self.only = only;
    }

    /// Takes facts in that are in the log already: a person resumed the run, or handed in a draft.
    pub fn take_in(&mut self, events: &[ContentEvent]) {
        for event in events {
            self.state.apply(event);
        }
    }

    /// The state so far.
    pub fn state(&self) -> &ContentState {
        &self.state
    }

    /// Whether nothing is being done: the run has ended, waits, or another tool comes next.
    pub fn is_idle(&self) -> bool {
        self.doing.is_none()
    }

    /// Decides what an input means.
    pub fn handle(&mut self, input: ContentInput, out: &mut ContentOutbox) {
        match input {
            ContentInput::Start => self.proceed(out),
            ContentInput::Did(events) => {
                for event in events {
                    self.emit(event, out);
                }
                match &mut self.doing {
                    Some(doing) => doing.moved = true,
                    None => self.proceed(out),
                }
            }
            ContentInput::Done(result) => {
                let Some(Doing { tool, moved }) = self.doing.take() else { return };
                match result {
                    Ok(()) if moved => self.proceed(out),
                    // A step that changes nothing would be done for ever.
                    Ok(()) => self.halt(tool, internal("the step changed nothing"), out),
                    Err(stuck) => self.halt(tool, stuck, out),
                }
            }
            ContentInput::Interrupt => {
                self.stopping = true;
                if self.doing.is_none() {
                    self.proceed(out);
                }
            }
        }
    }

    fn emit(&mut self, event: ContentEvent, out: &mut ContentOutbox) {
        self.state.apply(&event);
        out.push(ContentOutput::Event(event));
    }

    /// Goes on to the next step that needs somebody; those that only compute are done here.
    fn proceed(&mut self, out: &mut ContentOutbox) {
        loop {
            let step = self.state.next();
            if matches!(step, Step::AwaitPerson | Step::AwaitResume | Step::Done) {
                return;
            }
            let tool = step.tool();
            if let Some(only) = self.only
                && tool != Some(only)
                && !(step == Step::Begin && only == Tool::GenerateDraft)
                && step != Step::Finish
            {
                return;
            }
            if self.stopping {
                self.emit(ContentEvent::Paused(Paused { reason: PauseReason::Asked }), out);
                return;
            }
            let done = match step {
                Step::Decide(round) => self.decide(round, out),
                Step::Summarise(round) => self.summarise(round, out),
                Step::Finish => self.finish(out),
                Step::Begin
                | Step::Draft
                | Step::Select
                | Step::Critique { .. }
                | Step::Measure(_)
                | Step::Revise(_)
                | Step::Save { .. }
                | Step::Publish(_)
                | Step::AwaitPerson
                | Step::AwaitResume
                | Step::Done => {
                    let tool = tool.unwrap_or(Tool::GenerateDraft);
                    self.doing = Some(Doing { tool, moved: false });
                    out.push(ContentOutput::Effect(ContentEffect::Do(step)));
                    return;
                }
            };
            if let Err(detail) = done {
                self.halt(tool.unwrap_or(Tool::GenerateDraft), internal(detail), out);
                return;
            }
        }
    }

    /// Applies the rule. A round that did not take place is written down together with what that means.
    fn decide(&mut self, round: Round, out: &mut ContentOutbox) -> Result<(), &'static str> {
        let decided = self.state.decide(round).ok_or("there is no such round")?;
        let ruling = &decided.ruling;
        let halted = (ruling.decision == EditorDecision::Error).then(|| {
            let absent = self.state.round(round).map(|state| &state.absent);
            let whys: Vec<String> = absent
                .into_iter()
                .flatten()
                .map(|(who, absent)| format!("{}: {}", self.state.name_of(who), absent.detail))
                .collect();
            let cause = absent.and_then(|absent| absent.values().next()).map(|absent| absent.cause);
            let detail = format!(
                "{} of {} answered, which is no review ({}); take the run up to ask them again",
                ruling.answered,
                crate::line::counted(ruling.seats, "critic", "critics"),
                whys.join("; ")
            );
            let cause = cause.unwrap_or(FailedCause::OrchestratorInternal);
            Halted { tool: Tool::RunCritiques, cause, detail }
        });
        self.emit(ContentEvent::Decided(decided), out);
        if let Some(halted) = halted {
            self.emit(ContentEvent::Halted(halted), out);
        }
        Ok(())
    }

    fn summarise(&mut self, round: Round, out: &mut ContentOutbox) -> Result<(), &'static str> {
        let summary = self.state.summarise(round).ok_or("there is no decision")?;
        self.emit(ContentEvent::Summarised(Summarised { summary }), out);
        Ok(())
    }

    fn finish(&mut self, out: &mut ContentOutbox) -> Result<(), &'static str> {
        let finished = self.state.finish().ok_or("it is not done")?;
        self.emit(ContentEvent::Finished(finished), out);
        Ok(())
    }

    fn halt(&mut self, tool: Tool, stuck: Stuck, out: &mut ContentOutbox) {
        // It may have been written down as stuck by the step itself.
        if self.state.status() != ContentStatus::Running {
            return;
        }
        let event = match stuck {
            Stuck::Trouble { cause, detail } => ContentEvent::Halted(Halted { tool, cause, detail }),
            Stuck::Stopped => ContentEvent::Paused(Paused { reason: PauseReason::Asked }),
        };
        self.emit(event, out);
    }
}

fn internal(detail: &str) -> Stuck {
    Stuck::Trouble { cause: FailedCause::OrchestratorInternal, detail: detail.to_owned() }
}
