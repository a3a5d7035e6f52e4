//! What the machine of the judge wants done: the rate limit is asked, and the seats are.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jury_agents::AGENT_GRACE;
use jury_core::event::Usage;
use jury_core::judge::machine::{Judge, JudgeEffect, JudgeInput, JudgeOutbox, SeatFailure};
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{
    Admission, JudgeAnswer, JudgeCost, JudgeEvent, JudgeState, LONGEST_ANSWER_BYTES, ThrottleBound,
    Throttled, UNPRICED,
};
use jury_core::outcome::FailedCause;
use jury_core::unit::{Bytes, Millis};
use jury_learning::files::throttle;
use jury_store::{Store, StoreError};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::command::{self, SilentCommand};
use super::context::GatheredCase;
use super::judgement_writer::JudgementWriter;
use super::run::JudgeTask;
use crate::Agent;
use crate::ask::{AskLimits, AskResult, NoAnswer, ask as ask_once};
use crate::drive::{Begun, Halt, Play, Tasks, post_events};
use crate::log::Mailbox;
use crate::split_prompt::SplitPrompt;

/// How many seats are asked at once.
const AT_ONCE: usize = 2;

/// The most that a program may print around its answer.
const MOST_OUTPUT: Bytes = Bytes(64 << 20);

/// A run of the judge, with everything that its machine needs done.
pub(super) struct JudgePlay<'a> {
    store: &'a Store,
    pub(super) machine: Judge,
    writer: JudgementWriter,
    /// Whether the judgement of a run that has ended is in its file.
    kept: bool,
    /// None where nobody is asked any more.
    task: Option<&'a JudgeTask>,
    /// When the rate limit let it in.
    admitted: Option<Timestamp>,
    works: Tasks<Vec<JudgeInput>>,
    turns: Arc<Semaphore>,
}

impl<'a> JudgePlay<'a> {
    pub(super) fn new(
        store: &'a Store,
        machine: Judge,
        writer: JudgementWriter,
        task: Option<&'a JudgeTask>,
    ) -> Self {
        let (works, turns) = (Tasks::of::<JudgeEvent>(), Arc::new(Semaphore::new(AT_ONCE)));
        Self { store, machine, writer, kept: false, task, admitted: None, works, turns }
    }

    fn wall(&self) -> Timestamp {
        self.task.map_or_else(Timestamp::now, |task| task.clock.now())
    }
}

impl Play for JudgePlay<'_> {
    type Event = JudgeEvent;
    type Input = JudgeInput;
    type Effect = JudgeEffect;

    fn handle(&mut self, input: JudgeInput, _: Millis, out: &mut JudgeOutbox) {
        let now = self.wall();
        self.machine.handle(input, now, out);
    }

    fn interrupt() -> JudgeInput {
        JudgeInput::Interrupt
    }

    fn deadline_passed() -> JudgeInput {
        JudgeInput::Broken("a run of the judge has no deadline".to_owned())
    }

    fn deadline(&self) -> Option<Millis> {
        None
    }

    fn is_idle(&self) -> bool {
        self.machine.has_ended() || self.machine.is_disputed()
    }

    /// A judgement is in its file before the log says that there is one.
    async fn post(
        &mut self,
        mailbox: &Mailbox,
        now: Millis,
        out: JudgeOutbox,
    ) -> Result<Vec<JudgeEffect>, Halt> {
        if self.machine.has_ended() && !self.kept {
            self.writer.keep(self.machine.state()).await?;
            self.kept = true;
        }
        post_events(mailbox, now, out).await
    }

    async fn begin(
        &mut self,
        effect: JudgeEffect,
        interrupt: &CancellationToken,
    ) -> Result<Begun<JudgeInput>, StoreError> {
        match effect {
            JudgeEffect::Admit => return self.admit(self.wall()).await.map(Begun::Now),
            JudgeEffect::Wait { until } => return self.wait(until, interrupt).await,
            JudgeEffect::Ask { seat } => self.ask(seat, None),
            JudgeEffect::Repair { seat, said, problems } => self.ask(seat, Some(&(said, problems))),
            JudgeEffect::Stop => self.works.stop().cancel(),
        }
        Ok(Begun::Later)
    }

    async fn next(&mut self) -> Result<Vec<JudgeInput>, StoreError> {
        Ok(self.works.next().await.unwrap_or_else(|detail| vec![JudgeInput::Broken(detail)]))
    }

    async fn end(&mut self) {
        self.works.end().await;
    }
}

impl JudgePlay<'_> {
    /// Asks the throttle, which all processes share.
    async fn admit(&mut self, now: Timestamp) -> Result<JudgeInput, StoreError> {
        let Some(task) = self.task else {
            return Ok(JudgeInput::Broken("there is nobody to ask".to_owned()));
        };
        let (folder, allowance) = (task.cast.judgements.clone(), task.cast.allowance);
        let seats = task.cast.seats(&task.case).len();
        let found = blocking(move || throttle::admit(&folder, now, seats, &allowance)).await?;
        for warning in &found.warnings {
            tracing::warn!("{warning}");
        }
        Ok(match found.value {
            Admission::Now => {
                self.admitted = Some(now);
                JudgeInput::Admitted
            }
            Admission::NotBefore { at, bound } => {
                JudgeInput::Throttled(Throttled { until: at, bound: self.bound(bound) })
            }
            Admission::Never(bound) => {
                let why = format!("never, with {}", self.bound(bound));
                let positive = allowance.dollars_per_day.is_some_and(|most| most > 0.0);
                let why = if bound == ThrottleBound::Budget && positive {
                    format!("{why}; a seat whose price nobody says counts as {UNPRICED}")
                } else {
                    why
                };
                JudgeInput::Refused(why)
            }
        })
    }

    fn bound(&self, bound: ThrottleBound) -> String {
        let allowance = self.task.map(|task| task.cast.allowance).unwrap_or_default();
        match bound {
            ThrottleBound::PerHour => format!("{} an hour", allowance.per_hour),
            ThrottleBound::Budget => format!("{} dollars a day", allowance.dollars_per_day.unwrap_or(0.0)),
        }
    }

    /// Waits for the throttle, if that is wanted.
    async fn wait(
        &mut self,
        until: Timestamp,
        interrupt: &CancellationToken,
    ) -> Result<Begun<JudgeInput>, StoreError> {
        let Some(task) = self.task.filter(|task| task.wait) else { return Ok(Begun::PutBack) };
        let left = until.as_millisecond().saturating_sub(task.clock.now().as_millisecond());
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        tokio::select! {
            biased;
            // Nobody was asked yet: it goes back into the queue, and nothing is lost.
            () = interrupt.cancelled() => Ok(Begun::PutBack),
            // A clock that stands still has passed the moment once it was waited for.
            () = tokio::time::sleep(left) => self.admit(task.clock.now().max(until)).await.map(Begun::Now),
        }
    }

    /// Begins to ask a seat.
    fn ask(&mut self, seat: u32, repair: Option<&(String, Vec<String>)>) {
        let Some(task) = self.task else { return };
        let patience = Duration::from_millis(task.cast.timeout.0);
        let (turns, stop) = (Arc::clone(&self.turns), self.works.stop());
        if let Some(why) = task.case.nothing_for(task.cast.mode) {
            self.works.spawn("ask", async move { vec![computed(seat, Err(why), JudgeCost::default())] });
            return;
        }
        match task.cast.mode {
            JudgeMode::Heuristic => {
                let answer = task.case.offline();
                self.works.spawn("ask", async move { vec![computed(seat, answer, JudgeCost::default())] });
            }
            JudgeMode::Command => {
                let (case, dir) = (task.case.clone(), task.cast.dir.clone());
                let (command, timeout) = (task.cast.command.clone(), task.cast.timeout);
                let pass_env = task.cast.pass_env.clone();
                let scratch = self.store.dir().to_owned();
                self.works.spawn("ask", async move {
                    let _turn = turns.acquire().await;
                    let began = Instant::now();
                    let answer = match &command {
                        Some(command) => {
                            command::ask(command, &pass_env, &case, &dir, &scratch, timeout, &stop).await
                        }
                        None => Err(SilentCommand::lasting("there is no command; set JUDGE_COMMAND")),
                    };
                    let cost = JudgeCost::new(Usage::default(), passed(began));
                    vec![match answer {
                        Ok(answer) => {
                            let read = Ok(Box::new(case.completed(answer)));
                            JudgeInput::Answered { seat, text: String::new(), read, cost }
                        }
                        Err(SilentCommand { failure, reason }) => {
                            JudgeInput::Absent { seat, failure, reason, cost }
                        }
                    }]
                });
            }
            JudgeMode::Model => {
                let prompt = match repair {
                    Some((said, problems)) => task.case.repair(said, problems),
                    None => Ok(task.case.context.clone()),
                };
                // The rules are the user's, and the case is what somebody else wrote.
                let split = prompt.map(|case| SplitPrompt { rules: task.case.system.clone(), case });
                let agent = match (task.cast.juror(seat), split) {
                    (Some(juror), Ok(split)) => {
                        (juror.ask)(split.clone()).map(|agent| split.split_for(agent))
                    }
                    (Some(_), Err(error)) => Err(error.to_string()),
                    (None, _) => Err("nobody sits here".to_owned()),
                };
                let (spool, case) = (self.store.dir().to_owned(), task.case.clone());
                self.works.spawn("ask", async move {
                    let _turn = turns.acquire().await;
                    put(seat, agent, &case, &spool, patience, &stop).await
                });
            }
        }
    }

    /// Tells the throttle what it did cost.
    pub(super) async fn pay(&self) -> Result<(), StoreError> {
        let (Some(task), Some(at)) = (self.task, self.admitted) else { return Ok(()) };
        let dollars = price(self.machine.state());
        let (folder, allowance) = (task.cast.judgements.clone(), task.cast.allowance);
        blocking(move || throttle::settle(&folder, at, dollars, &allowance).map(drop)).await
    }
}

/// What a run cost, if anybody says so. A seat that does not say it counts as the dearest of those that do.
fn price(state: &JudgeState) -> Option<f64> {
    let costs = state.seats.iter().map(|seat| seat.cost().and_then(|cost| cost.cost_usd));
    let (mut sum, mut dearest, mut unpriced) = (0.0_f64, None::<f64>, 0.0_f64);
    for cost in costs {
        match cost {
            Some(dollars) => (sum, dearest) = (sum + dollars, Some(dearest.unwrap_or(0.0).max(dollars))),
            None => unpriced += 1.0,
        }
    }
    // What agents said on the way counts where no seat came to an end.
    dearest.map(|dearest| sum + unpriced * dearest).or(state.usage.cost_usd)
}

/// Puts the question to an agent.
async fn put(
    seat: u32,
    agent: Result<Agent, String>,
    case: &GatheredCase,
    spool: &std::path::Path,
    patience: Duration,
    stop: &CancellationToken,
) -> Vec<JudgeInput> {
    let began = Instant::now();
    let longest = Bytes(LONGEST_ANSWER_BYTES as u64);
    let limits = AskLimits { answer: longest, output: MOST_OUTPUT, patience, grace: AGENT_GRACE };
    let AskResult { answer, notes, unreported, .. } = match agent {
        Ok(agent) => ask_once(agent, spool, limits, stop).await,
        Err(detail) => AskResult::none(detail),
    };
    let usage = notes.iter().filter_map(|note| note.usage).fold(unreported, Usage::plus);
    let cost = JudgeCost::new(usage, passed(began));
    let last = match answer {
        Ok(text) => {
            let read = case.read(&text).map(|answer| Box::new(case.completed(answer)));
            JudgeInput::Answered { seat, text, read, cost }
        }
        Err(why) => JudgeInput::Absent { seat, failure: failure(&why), reason: reason(&why, patience), cost },
    };
    notes.into_iter().map(JudgeInput::Note).chain([last]).collect()
}

/// Whether the same agent may answer if it is asked again.
fn failure(why: &NoAnswer) -> SeatFailure {
    match why {
        NoAnswer::Failed { cause: FailedCause::SpawnFailed | FailedCause::BudgetExceeded, .. }
        | NoAnswer::Interrupted => SeatFailure::Lasting,
        NoAnswer::Failed { .. } | NoAnswer::TimedOut => SeatFailure::Passing,
    }
}

fn reason(why: &NoAnswer, patience: Duration) -> String {
    match why {
        NoAnswer::TimedOut => format!(
            "it took longer than {}",
            jury_core::line::counted(patience.as_secs(), "second", "seconds")
        ),
        NoAnswer::Failed { .. } | NoAnswer::Interrupted => why.explained().1,
    }
}

fn computed(seat: u32, answer: Result<JudgeAnswer, String>, cost: JudgeCost) -> JudgeInput {
    match answer {
        Ok(answer) => JudgeInput::Computed { seat, answer: Box::new(answer), cost },
        Err(reason) => JudgeInput::Absent { seat, failure: SeatFailure::Lasting, reason, cost },
    }
}

fn passed(since: Instant) -> Millis {
    Millis(u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX))
}

/// Files and locks, away from those who only wait.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    match spawn_blocking(work).await {
        Ok(done) => done,
        Err(broken) => std::panic::resume_unwind(broken.into_panic()),
    }
}
