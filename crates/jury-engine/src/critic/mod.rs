//! The loop of the critic: checks, measures, the critic's answers, fixes and a person's answers in; events and the next
//! things to do out.
//!
//! The machine of `jury-core` decides. A run that waits for a person is not driven by anybody: it is a log that ends in
//! a question, and [`resume_critic`] takes it up when the answers are there, in this process or another.

mod command;
mod fix;
mod measure;
mod workplace;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jury_agents::prompt::{CriticTemplate, Fix as FixPrompt, PromptError, Review};
use jury_core::artifact::{Blob, Digest};
use jury_core::critic::{
    Ask, Check, CheckResult, CriterionId, Critic, CriticEvent, CriticQueued, CriticRequest, CriticState,
    Deferral, Effect, FixOrder, Input, Measure, Outbox, Output, Reading, Setup, format,
};
use jury_core::event::{AgentNote, AgentNoteKind, Event, Usage};
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::outcome::FailedCause;
use jury_core::record::Record;
use jury_core::run::Wait;
use jury_core::unit::{Bytes, Millis, Round, Seq};
use jury_store::{NewRun, Owner, Store, StoreError};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::ask::{AskLimits, Asked, NoAnswer, ask as ask_once};
use crate::log::Observer;
use crate::{Agent, EngineError};
use workplace::Workplace;

/// Gives the agent of a run a prompt.
pub type AskWith = Arc<dyn Fn(String) -> Result<Agent, String> + Send + Sync>;

/// The most that a critic may say.
const LONGEST_ANSWER: Bytes = Bytes(8 << 20);

/// The most that a program may print around it.
const MOST_OUTPUT: Bytes = Bytes(64 << 20);

/// How long an agent may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(3);

/// How a document is kept and named in events.
const MIME: &str = "text/plain; charset=utf-8";

/// Who is asked, and how.
#[derive(Clone)]
pub struct Desk {
    /// Who the critic is and who fixes; none when only what can be measured is.
    pub agent: Option<AskWith>,
    /// What they are asked.
    pub template: CriticTemplate,
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("agent", &self.agent.is_some()).finish_non_exhaustive()
    }
}

/// A run of the critic to be driven.
#[derive(Debug, Clone)]
pub struct CriticJob {
    /// Its id.
    pub run: RunId,
    /// Whose it is.
    pub project: ProjectId,
    /// What it reviews.
    pub artifact: ArtifactId,
    /// What the document is called.
    pub title: String,
    /// What is asked of it.
    pub request: CriticRequest,
    /// The document.
    pub document: Vec<u8>,
    /// What earlier runs have put off.
    pub deferrals: Vec<Deferral>,
    /// Who is asked.
    pub desk: Desk,
}

/// Drives a run of the critic until it has ended or waits for a person, and returns its docket.
///
/// The observer sees every record after it was appended. Cancelling the token interrupts the run. When this returns, no
/// process of a check, a fix or an agent is left.
pub async fn run_critic(
    store: &Store,
    owner: &Owner,
    job: CriticJob,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    let CriticJob { run, project, artifact, title, request, document, deferrals, desk } = job;
    store.keep_round(artifact, Round(1), &document).await?;
    let queued = CriticQueued {
        project_id: project.clone(),
        artifact_id: artifact,
        agent: request.agent.clone(),
        title,
        criteria: request.set.name.clone(),
    };
    let now = Timestamp::now();
    let queued = CriticEvent::Queued(queued);
    let new = NewRun::<CriticState> { run, queued, request: Some(request.clone()) };
    let head = store.enqueue(new, Some(owner.id()), now).await?.head;
    observer(&store.records(run).await?);
    store.claim(run, owner.id(), now).await?;
    let setup = Setup {
        project,
        artifact,
        agent: request.agent.clone(),
        fixer: request.fixer,
        set: request.set.clone(),
        document: Blob::of(&document, MIME),
        auto: request.auto,
        release: request.release.clone(),
        deferrals,
        started_at: now,
        limits: request.limits(),
    };
    let driver = Driver {
        store,
        owner,
        run,
        artifact,
        head,
        machine: Critic::new(setup),
        began: Instant::now(),
        workplace: Workplace::new(&request.file, run, document),
        request: &request,
        desk: &desk,
    };
    driver.drive(vec![Input::Start], observer, interrupt).await
}

/// Takes up a run that waited for a person and has its answers. The caller says who is asked from here on.
pub async fn resume_critic(
    store: &Store,
    owner: &Owner,
    run: RunId,
    desk: Desk,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    store.claim(run, owner.id(), Timestamp::now()).await?;
    carry_on(store, owner, run, &desk, observer, interrupt).await
}

/// Takes up a run that its owner has claimed.
pub(crate) async fn carry_on(
    store: &Store,
    owner: &Owner,
    run: RunId,
    desk: &Desk,
    observer: Observer<'_>,
    interrupt: CancellationToken,
) -> Result<CriticState, EngineError> {
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    let request = store.request::<CriticState>(run).await?;
    let docket = store.state::<CriticState>(run).await?;
    let request = request.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    let document = document(store, row.artifact, &docket).await?;
    let answers = store.answers(run).await?;
    let open: Vec<u32> = docket.open_questions().map(|question| question.number).collect();
    let inputs = answers
        .into_iter()
        .filter(|(number, _)| open.contains(number))
        .map(|(question, given)| Input::Answered { question, answer: given.answer, by: given.by })
        .collect();
    let Some(machine) = Critic::resume(docket, request.limits()) else {
        return Ok(store.state::<CriticState>(run).await?);
    };
    let began = row.started_at.unwrap_or(row.created_at);
    let passed = u64::try_from(Timestamp::now().as_millisecond() - began.as_millisecond()).unwrap_or(0);
    let driver = Driver {
        store,
        owner,
        run,
        artifact: row.artifact,
        head: row.head,
        machine,
        began: Instant::now().checked_sub(Duration::from_millis(passed)).unwrap_or_else(Instant::now),
        workplace: Workplace::new(&request.file, run, document),
        request: &request,
        desk,
    };
    driver.drive(inputs, observer, interrupt).await
}

/// The document that a run is at. A body that is none of the log's is nobody's document.
async fn document(store: &Store, artifact: ArtifactId, docket: &CriticState) -> Result<Vec<u8>, StoreError> {
    let wanted = docket.document().map(|blob| blob.sha256);
    let pass = docket.last_pass().map_or(Round(1), |pass| pass.pass);
    // After a pass that changed it, the next number has the changed one.
    for number in (1..=pass.0 + 1).rev() {
        if let Some(body) = store.read_round(artifact, Round(number)).await?
            && wanted == Some(Digest::of(&body))
        {
            return Ok(body);
        }
    }
    Err(StoreError::Corrupt {
        path: store.dir().join("artifacts").join(artifact.to_string()),
        what: "the document of a run that waits is gone".to_owned(),
    })
}

/// The report in what an agent said before it failed, if it is whole. An exit code proves nothing.
fn whole(why: &NoAnswer, said: &str) -> Option<Reading> {
    let by_exit =
        matches!(why, NoAnswer::Failed { cause: FailedCause::CliExitNonzero | FailedCause::CliSignal, .. });
    let reading = by_exit.then(|| format::read(said.as_bytes()))?;
    // The line with the result is the last of a report.
    reading.claim.is_some().then_some(reading)
}

struct Driver<'a> {
    store: &'a Store,
    owner: &'a Owner,
    run: RunId,
    artifact: ArtifactId,
    head: Seq,
    machine: Critic,
    began: Instant,
    workplace: Workplace,
    request: &'a CriticRequest,
    desk: &'a Desk,
}

/// What is being done.
struct Works {
    tasks: JoinSet<Done>,
    stop: CancellationToken,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// For the machine, in order.
    inputs: Vec<Input>,
    /// The document, if it was changed.
    document: Option<Vec<u8>>,
}

impl Done {
    fn of(input: Input) -> Self {
        Self { inputs: vec![input], document: None }
    }
}

impl Works {
    fn new() -> Self {
        Self { tasks: JoinSet::new(), stop: CancellationToken::new() }
    }

    /// Ends what is being done, and waits until nothing of it is left. What comes of it is not wanted any more.
    async fn end(&mut self) {
        self.stop.cancel();
        while self.tasks.join_next().await.is_some() {}
        self.stop = CancellationToken::new();
    }
}

impl Driver<'_> {
    async fn drive(
        mut self,
        inputs: Vec<Input>,
        observer: Observer<'_>,
        interrupt: CancellationToken,
    ) -> Result<CriticState, EngineError> {
        let mut works = Works::new();
        let driven = self.turn(inputs, &mut works, observer, &interrupt).await;
        works.end().await;
        driven?;
        self.store.keep_final(self.artifact, self.workplace.document()).await?;
        if self.machine.has_ended() {
            self.store.export(self.run).await?;
            return Ok(self.store.state::<CriticState>(self.run).await?);
        }
        // Answers that do not fit change nothing; then nobody must be left who seems to drive it.
        self.store.let_go(self.run, Some(self.owner.id()), Wait::Answer).await?;
        if let Some(seconds) = self.request.answer_within {
            let span = jiff::SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX));
            let until = Timestamp::now().checked_add(span).unwrap_or(Timestamp::MAX);
            self.store.answer_until(self.run, until).await?;
        }
        Ok(self.store.state::<CriticState>(self.run).await?)
    }

    /// Turns until the machine has ended or waits for a person.
    async fn turn(
        &mut self,
        mut inputs: Vec<Input>,
        works: &mut Works,
        observer: Observer<'_>,
        interrupt: &CancellationToken,
    ) -> Result<(), StoreError> {
        loop {
            let mut out = Outbox::new();
            let now = self.now();
            for input in inputs.drain(..) {
                self.machine.handle(input, now, &mut out);
            }
            for effect in self.append(out, now, observer).await? {
                self.begin(effect, works).await;
            }
            if self.machine.has_ended() || self.machine.is_waiting() {
                return Ok(());
            }
            inputs = self.next(works, interrupt).await?;
        }
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Writes down what the machine says, all at once, and gives back what it wants done.
    async fn append(
        &mut self,
        out: Outbox,
        now: Millis,
        observer: &mut (dyn FnMut(&[Record]) + Send),
    ) -> Result<Vec<Effect>, StoreError> {
        let mut events = Vec::new();
        let mut effects = Vec::new();
        for output in out {
            match output {
                Output::Event(event) => events.push((now, Event::Critic(event))),
                Output::Effect(effect) => effects.push(effect),
            }
        }
        if !events.is_empty() {
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
        }
        Ok(effects)
    }

    /// Waits for the next thing to happen.
    async fn next(
        &mut self,
        works: &mut Works,
        interrupt: &CancellationToken,
    ) -> Result<Vec<Input>, StoreError> {
        let deadline = self.machine.deadline().map(|at| self.began + Duration::from_millis(at.0));
        let done = tokio::select! {
            biased;
            () = interrupt.cancelled() => Done::of(Input::Interrupt),
            () = until(deadline), if deadline.is_some() => Done::of(Input::Deadline),
            done = works.tasks.join_next() => match done {
                Some(Ok(done)) => done,
                Some(Err(broken)) => Done::of(Input::Broken(format!("the program broke: {broken}"))),
                // Nothing is being done and the machine still waits: it cannot be, but it must not hang.
                None => Done::of(Input::Broken("nothing is left to do, and there is no verdict".to_owned())),
            },
        };
        if let Some(document) = done.document {
            // Bytes first: the event that speaks of them comes afterwards.
            let next = self.machine.docket().last_pass().map_or(Round(1), |pass| pass.pass).next();
            self.store.keep_round(self.artifact, next, &document).await?;
            self.workplace.change(document);
        }
        Ok(done.inputs)
    }

    async fn begin(&mut self, effect: Effect, works: &mut Works) {
        match effect {
            Effect::RunCheck { criterion, check } => self.check(criterion, check, works),
            Effect::Measure { criterion, measure } => self.measure(criterion, measure, works),
            Effect::AskCritic(ask) => self.ask(&ask, works),
            Effect::Fix(orders) => self.fix(orders, works),
            Effect::Stop => works.end().await,
        }
    }

    fn check(&self, criterion: CriterionId, check: Check, works: &mut Works) {
        let (file, dir, spool) = (self.workplace.file(), self.workplace.dir(), self.store.dir().to_owned());
        let step = self.request.limits().step;
        let patience = check
            .timeout_seconds
            .map_or(Duration::from_millis(step.0), |seconds| Duration::from_secs(u64::from(seconds)));
        let (stop, document) = (works.stop.clone(), self.workplace.shared());
        works.tasks.spawn(async move {
            let result = match &file {
                Ok(file) => {
                    let place = command::Place { dir: &dir, file, spool: &spool };
                    let result = command::run(&check.command, place, patience, &stop).await;
                    // One that changes what it looks at has looked at something else.
                    if std::fs::read(file).is_ok_and(|bytes| bytes == *document) {
                        result
                    } else {
                        CheckResult::NotRun("the check changed the document; a check only looks".to_owned())
                    }
                }
                Err(why) => CheckResult::NotRun(why.clone()),
            };
            Done::of(Input::Checked { criterion, result })
        });
    }

    fn measure(&self, criterion: CriterionId, measure: Measure, works: &mut Works) {
        let (document, dir) = (self.workplace.shared(), self.workplace.dir());
        let (tell, told) = oneshot::channel();
        // A thread of its own: nobody waits for one that takes too long.
        let begun = std::thread::Builder::new().name("measure".to_owned()).spawn(move || {
            let work = AssertUnwindSafe(|| measure::measure(measure, &document, &dir));
            let result = catch_unwind(work).unwrap_or_else(|_| Err("the measuring panicked".to_owned()));
            tell.send(result).ok();
        });
        let stop = works.stop.clone();
        works.tasks.spawn(async move {
            let result = match begun {
                Ok(_) => tokio::select! {
                    () = stop.cancelled() => Err("it was stopped".to_owned()),
                    result = told => result.unwrap_or_else(|_| Err("the measuring broke off".to_owned())),
                },
                Err(error) => Err(format!("no thread to measure on: {error}")),
            };
            Done::of(Input::Measured { criterion, result })
        });
    }

    fn ask(&self, ask: &Ask, works: &mut Works) {
        let document = String::from_utf8_lossy(self.workplace.document());
        let review = Review { document: &document, docket: self.machine.docket(), rejected: &ask.rejected };
        let prompt = self.desk.template.review(review);
        let agent = self.agent(prompt);
        let (spool, limits, stop) = (self.store.dir().to_owned(), self.limits(), works.stop.clone());
        works.tasks.spawn(async move {
            let asked = match agent {
                Ok(agent) => ask_once(agent, &spool, limits, &stop).await,
                Err(detail) => Asked::none(detail),
            };
            let last = match &asked.answer {
                Ok(text) => Input::Reviewed(format::read(text.as_bytes())),
                Err(why) => whole(why, &asked.said).map_or_else(
                    || {
                        let (cause, detail) = why.explained();
                        Input::CriticFailed { cause, detail }
                    },
                    Input::Reviewed,
                ),
            };
            Done { inputs: notes(asked).chain([last]).collect(), document: None }
        });
    }

    fn fix(&self, orders: Vec<FixOrder>, works: &mut Works) {
        let agent = orders.iter().any(|order| order.command.is_none()).then(|| {
            let document = String::from_utf8_lossy(self.workplace.document());
            // It prints the document: what an agent is allowed to write differs from program to program, and a service
            // has no disk.
            let fix = FixPrompt { document: &document, orders: &orders, in_place: None };
            self.agent(self.desk.template.fix(fix))
        });
        let fix = fix::Fix {
            agent,
            document: self.workplace.shared(),
            dir: self.workplace.dir(),
            copy: self.workplace.copy(),
            spool: self.store.dir().to_owned(),
            limits: self.limits(),
            orders,
        };
        let stop = works.stop.clone();
        works.tasks.spawn(async move { fix.carry_out(&stop).await });
    }

    /// The agent with this prompt.
    fn agent(&self, prompt: Result<String, PromptError>) -> Result<Agent, String> {
        let prompt = prompt.map_err(|error| error.to_string())?;
        match &self.desk.agent {
            Some(give) => give(prompt),
            None => Err("there is nobody to ask; name an agent".to_owned()),
        }
    }

    fn limits(&self) -> AskLimits {
        let patience = Duration::from_millis(self.request.limits().step.0);
        AskLimits { answer: LONGEST_ANSWER, output: MOST_OUTPUT, patience, grace: GRACE }
    }
}

/// What an agent said about itself, and what it used without saying so.
pub(super) fn notes(asked: Asked) -> impl Iterator<Item = Input> {
    let Asked { notes, unreported, .. } = asked;
    let rest = (unreported != Usage::default()).then(|| AgentNote {
        kind: AgentNoteKind::Usage,
        detail: "so far".to_owned(),
        status: None,
        usage: Some(unreported),
    });
    notes.into_iter().chain(rest).map(Input::Note)
}

async fn until(moment: Option<Instant>) {
    if let Some(moment) = moment {
        sleep_until(moment).await;
    }
}
