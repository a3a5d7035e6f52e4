//! A run of the judge: the throttle, the seats and a person's word in; events and judgements out.
//!
//! The machine of `jury-core` decides. A run that waits, for the throttle or for a person, is driven by nobody: it is a log
//! in the queue, and [`resume_judge`] or [`settle_judge`] takes it up.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jury_core::event::{Event, Usage};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::judge::machine::{Effect, Input, Judge, Outbox, Output, Setup};
use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{
    Admission, Answer, Bound, JudgeCost, JudgeEvent, JudgeInconclusive, JudgeQueued, JudgeRequest,
    JudgeSignals, JudgeState, LONGEST_ANSWER, RunOutcome, Signals, Throttled, UNPRICED,
};
use jury_core::record::Record;
use jury_core::run::RunState;
use jury_core::run::Wait;
use jury_core::unit::{Bytes, Millis, Seq};
use jury_learning::Pattern;
use jury_learning::files::throttle;
use jury_store::{NewRun, Owner, Store, StoreError};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::bench::{Bench, Clock};
use super::command;
use super::context::Case;
use super::keep::Keeper;
use crate::ask::{AskLimits, Asked, NoAnswer, ask as ask_once};
use crate::log::Observer;
use crate::{Agent, EngineError};

/// How many seats are asked at once.
const AT_ONCE: usize = 2;

/// The most that a program may print around its answer.
const MOST_OUTPUT: Bytes = Bytes(64 << 20);

/// How long an agent may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(3);

/// A run of the judge to be driven.
#[derive(Debug, Clone)]
pub struct JudgeJob {
    /// Its id.
    pub run: RunId,
    /// Whose it is.
    pub project: ProjectId,
    /// Where its transcript is kept.
    pub artifact: ArtifactId,
    /// What was asked for, so that it can be taken up later.
    pub request: JudgeRequest,
    /// How it is judged.
    pub task: JudgeTask,
}

/// How a run is judged.
#[derive(Debug, Clone)]
pub struct JudgeTask {
    /// What the judges get to see.
    pub case: Case,
    /// Who they are.
    pub bench: Bench,
    /// Whether it is waited for the throttle. Otherwise the run goes back into the queue.
    pub wait: bool,
    /// Whether a run without anything to judge is judged all the same.
    pub force: bool,
    /// What time it is.
    pub clock: Clock,
}

/// Drives a new run until it has ended or waits, and returns its state.
///
/// The observer sees every record after it was appended. Cancelling the token interrupts the run. When this returns, no
/// process of an agent is left.
pub async fn run_judge(
    store: &Store,
    owner: &Owner,
    job: JudgeJob,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<JudgeState, EngineError> {
    let JudgeJob { run, project, artifact, request, task } = job;
    let queued = JudgeQueued {
        project_id: project.clone(),
        artifact_id: artifact,
        agent: task.bench.jurors.first().map(|juror| juror.agent.clone()),
        bead: task.case.record.bead.clone(),
    };
    let now = Timestamp::now();
    let queued = JudgeEvent::Queued(queued);
    let new = NewRun::<JudgeState> { run, queued, request: Some(request) };
    let head = store.enqueue(new, Some(owner.id()), now).await?.head;
    observer(&store.records(run).await?);
    store.claim(run, owner.id(), now).await?;
    let machine = Judge::new(setup(&task, project, artifact));
    let keeper = Keeper::new(&task.bench.judgements, run);
    let driver = Driver {
        store,
        owner,
        run,
        head,
        machine,
        keeper,
        task: Some(&task),
        began: Instant::now(),
        admitted: None,
    };
    driver.drive(Input::Start, observer, interrupt).await
}

/// Takes up a run that was put back into the queue before anybody was asked. A conflict when somebody else was faster.
pub async fn resume_judge(
    store: &Store,
    owner: &Owner,
    run: RunId,
    task: JudgeTask,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<JudgeState, EngineError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    let sitting = store.state::<JudgeState>(run).await?;
    let setup = setup(&task, row.project.clone(), row.artifact);
    let Some(machine) = Judge::resume(sitting.clone(), setup).filter(|judge| !judge.is_disputed()) else {
        store.let_go(run, Some(owner.id()), Wait::Answer).await?;
        return Ok(sitting);
    };
    let keeper = Keeper::new(&task.bench.judgements, run);
    let began = began(row.started_at.unwrap_or(row.created_at));
    let driver = Driver {
        store,
        owner,
        run,
        head: row.head,
        machine,
        keeper,
        task: Some(&task),
        began,
        admitted: None,
    };
    driver.drive(Input::Start, observer, interrupt).await
}

/// Ends a dispute with the answer of a person, which has to be there. Nobody else is asked.
pub async fn settle_judge(
    store: &Store,
    owner: &Owner,
    run: RunId,
    observer: Observer<'_>,
) -> Result<JudgeState, EngineError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    settle_claimed(store, owner, run, row.head, observer).await
}

/// The same of a run that its owner has claimed.
pub(crate) async fn settle_claimed(
    store: &Store,
    owner: &Owner,
    run: RunId,
    head: Seq,
    observer: Observer<'_>,
) -> Result<JudgeState, EngineError> {
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    let sitting = store.state::<JudgeState>(run).await?;
    let request = store.request::<JudgeState>(run).await?.unwrap_or_default();
    let given = store.answers(run).await?.into_iter().next();
    let (Some(machine), Some((_, given))) = (Judge::disputed(sitting.clone()), given) else {
        store.let_go(run, Some(owner.id()), Wait::Answer).await?;
        return Ok(sitting);
    };
    let keeper = Keeper::new(&PathBuf::from(request.judgements), run);
    let began = began(row.started_at.unwrap_or(row.created_at));
    let driver = Driver { store, owner, run, head, machine, keeper, task: None, began, admitted: None };
    let decided = Input::Decided { answer: given.answer, by: given.by };
    driver.drive(decided, observer, CancellationToken::new()).await
}

/// Takes a run that waits and cannot be judged any more, and ends it as inconclusive. A conflict when somebody drives it.
pub async fn give_up_judge(store: &Store, owner: &Owner, run: RunId, why: String) -> Result<(), StoreError> {
    let row = store.claim(run, owner.id(), Timestamp::now()).await?;
    let at = store.records(run).await?.last().map_or(Millis(0), |record| record.at);
    let end = JudgeInconclusive { answered: 0, seats: 0, reasons: vec![why] };
    store.append(run, owner.id(), row.head, &[(at, Event::Judge(JudgeEvent::Inconclusive(end)))]).await?;
    store.export(run).await.map(drop)
}

fn setup(task: &JudgeTask, project: ProjectId, artifact: ArtifactId) -> Setup {
    let record = &task.case.record;
    let patterns = Pattern::detect(record);
    Setup {
        project,
        artifact,
        bead: record.bead.clone(),
        template: record.template.clone(),
        signals: JudgeSignals {
            outcome: RunOutcome::of(record),
            signals: Signals::of(record),
            failure_patterns: patterns.iter().map(ToString::to_string).collect(),
        },
        mode: task.bench.mode,
        seats: task.bench.seats(&task.case),
        facts: task.case.bounds(task.bench.mode),
        // Who counts has looked at more than who can only read so much.
        coverage: match task.bench.mode {
            JudgeMode::Heuristic => task.case.searched.unwrap_or_default(),
            JudgeMode::Command | JudgeMode::Model => task.case.coverage,
        },
        force: task.force,
        gated: match task.bench.mode {
            JudgeMode::Heuristic => false,
            // Nobody is asked about nothing.
            JudgeMode::Command | JudgeMode::Model => task.case.nothing_for(task.bench.mode).is_none(),
        },
    }
}

/// The instant of a moment that has passed.
fn began(moment: Timestamp) -> Instant {
    let passed = Timestamp::now().as_millisecond().saturating_sub(moment.as_millisecond());
    let passed = Duration::from_millis(u64::try_from(passed).unwrap_or(0));
    Instant::now().checked_sub(passed).unwrap_or_else(Instant::now)
}

struct Driver<'a> {
    store: &'a Store,
    owner: &'a Owner,
    run: RunId,
    head: Seq,
    machine: Judge,
    keeper: Keeper,
    /// None where nobody is asked any more.
    task: Option<&'a JudgeTask>,
    began: Instant,
    /// When the throttle let it in.
    admitted: Option<Timestamp>,
}

/// What is being done.
struct Works {
    tasks: JoinSet<Vec<Input>>,
    stop: CancellationToken,
    turns: Arc<Semaphore>,
}

impl Driver<'_> {
    async fn drive(
        mut self,
        first: Input,
        observer: Observer<'_>,
        interrupt: CancellationToken,
    ) -> Result<JudgeState, EngineError> {
        let mut works = Works {
            tasks: JoinSet::new(),
            stop: CancellationToken::new(),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        };
        let driven = self.turn(first, &mut works, observer, &interrupt).await;
        works.stop.cancel();
        while works.tasks.join_next().await.is_some() {}
        driven?;
        self.pay().await?;
        if self.machine.has_ended() {
            self.store.export(self.run).await?;
        } else if self.store.run(self.run).await?.is_some_and(|row| row.state == RunState::Running) {
            self.store.let_go(self.run, Some(self.owner.id()), Wait::RateLimit).await?;
        }
        Ok(self.store.state::<JudgeState>(self.run).await?)
    }

    /// Turns until the machine has ended, waits for a person, or goes back into the queue.
    async fn turn(
        &mut self,
        first: Input,
        works: &mut Works,
        observer: Observer<'_>,
        interrupt: &CancellationToken,
    ) -> Result<(), StoreError> {
        let mut inputs = vec![first];
        loop {
            let mut out = Outbox::new();
            let now = self.wall();
            for input in inputs.drain(..) {
                self.machine.handle(input, now, &mut out);
            }
            let effects = self.append(out, observer).await?;
            for effect in effects {
                match effect {
                    Effect::Admit => inputs.push(self.admit(now).await?),
                    Effect::Wait { until } => match self.wait(until, interrupt).await? {
                        Some(input) => inputs.push(input),
                        None => return Ok(()),
                    },
                    Effect::Ask { seat } => self.ask(seat, None, works),
                    Effect::Repair { seat, said, problems } => self.ask(seat, Some(&(said, problems)), works),
                    Effect::Stop => works.stop.cancel(),
                }
            }
            if self.machine.has_ended() || self.machine.is_disputed() {
                return Ok(());
            }
            if inputs.is_empty() {
                inputs = next(works, interrupt).await;
            }
        }
    }

    fn wall(&self) -> Timestamp {
        self.task.map_or_else(Timestamp::now, |task| task.clock.now())
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Writes down what the machine says, all at once, and gives back what it wants done. A judgement is in its file
    /// before the log says that there is one.
    async fn append(
        &mut self,
        out: Outbox,
        observer: &mut (dyn FnMut(&[Record]) + Send),
    ) -> Result<Vec<Effect>, StoreError> {
        let now = self.now();
        let mut events = Vec::new();
        let mut effects = Vec::new();
        for output in out {
            match output {
                Output::Event(event) => events.push((now, Event::Judge(event))),
                Output::Effect(effect) => effects.push(effect),
            }
        }
        if events.is_empty() {
            return Ok(effects);
        }
        if self.machine.has_ended() {
            self.keeper.keep(self.machine.sitting()).await?;
        }
        let mut seq = self.head;
        self.head = self.store.append(self.run, self.owner.id(), seq, &events).await?.head;
        let records: Vec<Record> = events
            .into_iter()
            .map(|(at, event)| {
                seq = seq.next();
                Record { seq, at, run_id: self.run, event }
            })
            .collect();
        observer(&records);
        Ok(effects)
    }

    /// Asks the throttle, which all processes share.
    async fn admit(&mut self, now: Timestamp) -> Result<Input, StoreError> {
        let Some(task) = self.task else { return Ok(Input::Broken("there is nobody to ask".to_owned())) };
        let (folder, allowance) = (task.bench.judgements.clone(), task.bench.allowance);
        let seats = task.bench.seats(&task.case).len();
        let found = blocking(move || throttle::admit(&folder, now, seats, &allowance)).await?;
        for warning in &found.warnings {
            tracing::warn!("{warning}");
        }
        Ok(match found.value {
            Admission::Now => {
                self.admitted = Some(now);
                Input::Admitted
            }
            Admission::NotBefore { at, bound } => {
                Input::Throttled(Throttled { until: at, bound: self.bound(bound) })
            }
            Admission::Never(bound) => {
                let why = format!("never, with {}", self.bound(bound));
                let positive = allowance.dollars_per_day.is_some_and(|most| most > 0.0);
                let why = if bound == Bound::Budget && positive {
                    format!("{why}; a seat whose price nobody says counts as {UNPRICED}")
                } else {
                    why
                };
                Input::Refused(why)
            }
        })
    }

    fn bound(&self, bound: Bound) -> String {
        let allowance = self.task.map(|task| task.bench.allowance).unwrap_or_default();
        match bound {
            Bound::PerHour => format!("{} an hour", allowance.per_hour),
            Bound::Budget => format!("{} dollars a day", allowance.dollars_per_day.unwrap_or(0.0)),
        }
    }

    /// Waits for the throttle, if that is wanted.
    async fn wait(
        &mut self,
        until: Timestamp,
        interrupt: &CancellationToken,
    ) -> Result<Option<Input>, StoreError> {
        let Some(task) = self.task.filter(|task| task.wait) else { return Ok(None) };
        let left = until.as_millisecond().saturating_sub(task.clock.now().as_millisecond());
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        tokio::select! {
            biased;
            // Nobody was asked yet: it goes back into the queue, and nothing is lost.
            () = interrupt.cancelled() => Ok(None),
            // A clock that stands still has passed the moment once it was waited for.
            () = tokio::time::sleep(left) => self.admit(task.clock.now().max(until)).await.map(Some),
        }
    }

    /// Begins to ask a seat.
    fn ask(&self, seat: u32, repair: Option<&(String, Vec<String>)>, works: &mut Works) {
        let Some(task) = self.task else { return };
        let patience = Duration::from_millis(task.bench.timeout.0);
        let (turns, stop) = (Arc::clone(&works.turns), works.stop.clone());
        if let Some(why) = task.case.nothing_for(task.bench.mode) {
            works.tasks.spawn(async move { vec![computed(seat, Err(why), JudgeCost::default())] });
            return;
        }
        match task.bench.mode {
            JudgeMode::Heuristic => {
                let answer = task.case.offline();
                works.tasks.spawn(async move { vec![computed(seat, answer, JudgeCost::default())] });
            }
            JudgeMode::Command => {
                let (case, dir) = (task.case.clone(), task.bench.dir.clone());
                let (command, timeout) = (task.bench.command.clone(), task.bench.timeout);
                let scratch = self.store.dir().to_owned();
                works.tasks.spawn(async move {
                    let _turn = turns.acquire().await;
                    let began = Instant::now();
                    let answer = match &command {
                        Some(command) => command::ask(command, &case, &dir, &scratch, timeout, &stop).await,
                        None => Err("there is no command; set JUDGE_COMMAND".to_owned()),
                    };
                    let cost = JudgeCost::new(Usage::default(), passed(began));
                    vec![match answer {
                        Ok(answer) => {
                            let read = Ok(Box::new(case.completed(answer)));
                            Input::Answered { seat, text: String::new(), read, cost }
                        }
                        Err(reason) => Input::Absent { seat, reason, cost },
                    }]
                });
            }
            JudgeMode::Model => {
                let prompt = match repair {
                    Some((said, problems)) => {
                        task.case.repair(said, problems).map(|text| format!("{}\n\n{text}", task.case.system))
                    }
                    None => Ok(task.case.prompt()),
                };
                let agent = match (task.bench.juror(seat), prompt) {
                    (Some(juror), Ok(prompt)) => (juror.ask)(prompt),
                    (Some(_), Err(error)) => Err(error.to_string()),
                    (None, _) => Err("nobody sits here".to_owned()),
                };
                let (spool, case) = (self.store.dir().to_owned(), task.case.clone());
                works.tasks.spawn(async move {
                    let _turn = turns.acquire().await;
                    put(seat, agent, &case, &spool, patience, &stop).await
                });
            }
        }
    }

    /// Tells the throttle what it did cost.
    async fn pay(&self) -> Result<(), StoreError> {
        let (Some(task), Some(at)) = (self.task, self.admitted) else { return Ok(()) };
        let dollars = price(self.machine.sitting());
        let (folder, allowance) = (task.bench.judgements.clone(), task.bench.allowance);
        blocking(move || throttle::settle(&folder, at, dollars, &allowance).map(drop)).await
    }
}

/// What a run cost, if anybody says so. A seat that does not say it counts as the dearest of those that do.
fn price(sitting: &JudgeState) -> Option<f64> {
    let costs = sitting.seats.iter().map(|seat| seat.cost().and_then(|cost| cost.cost_usd));
    let (mut sum, mut dearest, mut unpriced) = (0.0_f64, None::<f64>, 0.0_f64);
    for cost in costs {
        match cost {
            Some(dollars) => (sum, dearest) = (sum + dollars, Some(dearest.unwrap_or(0.0).max(dollars))),
            None => unpriced += 1.0,
        }
    }
    // What agents said on the way counts where no seat came to an end.
    dearest.map(|dearest| sum + unpriced * dearest).or(sitting.usage.cost_usd)
}

/// Waits for the next thing to happen.
async fn next(works: &mut Works, interrupt: &CancellationToken) -> Vec<Input> {
    tokio::select! {
        biased;
        () = interrupt.cancelled() => vec![Input::Interrupt],
        done = works.tasks.join_next() => match done {
            Some(Ok(inputs)) => inputs,
            Some(Err(broken)) => vec![Input::Broken(format!("the program broke: {broken}"))],
            // Nothing is being done and the machine still waits: it cannot be, but it must not hang.
            None => vec![Input::Broken("nothing is left to do, and there is no verdict".to_owned())],
        },
    }
}

/// Puts the question to an agent.
async fn put(
    seat: u32,
    agent: Result<Agent, String>,
    case: &Case,
    spool: &std::path::Path,
    patience: Duration,
    stop: &CancellationToken,
) -> Vec<Input> {
    let began = Instant::now();
    let longest = Bytes(LONGEST_ANSWER as u64);
    let limits = AskLimits { answer: longest, output: MOST_OUTPUT, patience, grace: GRACE };
    let Asked { answer, notes, unreported, .. } = match agent {
        Ok(agent) => ask_once(agent, spool, limits, stop).await,
        Err(detail) => Asked::none(detail),
    };
    let usage = notes.iter().filter_map(|note| note.usage).fold(unreported, Usage::plus);
    let cost = JudgeCost::new(usage, passed(began));
    let last = match answer {
        Ok(text) => {
            let read = case.read(&text).map(|answer| Box::new(case.completed(answer)));
            Input::Answered { seat, text, read, cost }
        }
        Err(why) => Input::Absent { seat, reason: reason(&why, patience), cost },
    };
    notes.into_iter().map(Input::Note).chain([last]).collect()
}

fn reason(why: &NoAnswer, patience: Duration) -> String {
    match why {
        NoAnswer::TimedOut => format!("it took longer than {} seconds", patience.as_secs()),
        NoAnswer::Failed { .. } | NoAnswer::Interrupted => why.explained().1,
    }
}

fn computed(seat: u32, answer: Result<Answer, String>, cost: JudgeCost) -> Input {
    match answer {
        Ok(answer) => Input::Computed { seat, answer: Box::new(answer), cost },
        Err(reason) => Input::Absent { seat, reason, cost },
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
