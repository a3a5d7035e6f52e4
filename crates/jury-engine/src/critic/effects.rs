//! What the machine of the critic wants done: checks and fixes are programs, the critic is an agent, and what can be
//! measured is measured.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use jury_agents::AGENT_GRACE;
use jury_agents::prompt::{Fix as FixPrompt, PromptError, ReviewPrompt};
use jury_core::critic::{
    Check, CheckResult, CriterionId, Critic, CriticAnswer, CriticAsk, CriticEffect, CriticEvent, CriticInput,
    CriticOutbox, CriticRequest, FixOrder, Measure, Needs, format,
};
use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use jury_core::outcome::FailedCause;
use jury_core::unit::{Bytes, Millis, Round};
use jury_store::{Store, StoreError};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::workplace::Workplace;
use super::{CriticCast, command, fix, measure};
use crate::Agent;
use crate::ask::{AskLimits, AskResult, NoAnswer, ask as ask_once};
use crate::drive::{Begun, Halt, Play, Tasks, post_events};
use crate::log::{LogMessage, Mailbox};

/// The most that a critic may say.
const LONGEST_ANSWER: Bytes = Bytes(8 << 20);

/// The most that a program may print around it.
const MOST_OUTPUT: Bytes = Bytes(64 << 20);

/// A run of the critic, with everything that its machine needs done.
pub(super) struct CriticPlay<'a> {
    pub(super) store: &'a Store,
    pub(super) machine: Critic,
    pub(super) workplace: Workplace,
    pub(super) request: &'a CriticRequest,
    pub(super) cast: &'a CriticCast,
    works: Tasks<Done>,
    /// The document that a fix has made, and the pass that it is for, until it is on disk.
    changed: Option<(Round, Vec<u8>)>,
}

/// What came of something that was done.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// For the machine, in order.
    pub(super) inputs: Vec<CriticInput>,
    /// The document, if it was changed.
    pub(super) document: Option<Vec<u8>>,
}

impl Done {
    pub(super) fn of(input: CriticInput) -> Self {
        Self { inputs: vec![input], document: None }
    }
}

impl<'a> CriticPlay<'a> {
    pub(super) fn new(
        store: &'a Store,
        machine: Critic,
        workplace: Workplace,
        request: &'a CriticRequest,
        cast: &'a CriticCast,
    ) -> Self {
        Self { store, machine, workplace, request, cast, works: Tasks::of::<CriticEvent>(), changed: None }
    }
}

impl Play for CriticPlay<'_> {
    type Event = CriticEvent;
    type Input = CriticInput;
    type Effect = CriticEffect;

    fn handle(&mut self, input: CriticInput, now: Millis, out: &mut CriticOutbox) {
        self.machine.handle(input, now, out);
    }

    fn interrupt() -> CriticInput {
        CriticInput::Interrupt
    }

    fn deadline_passed() -> CriticInput {
        CriticInput::Deadline
    }

    fn deadline(&self) -> Option<Millis> {
        self.machine.deadline()
    }

    fn is_idle(&self) -> bool {
        self.machine.has_ended() || self.machine.is_waiting()
    }

    async fn post(
        &mut self,
        mailbox: &Mailbox,
        now: Millis,
        out: CriticOutbox,
    ) -> Result<Vec<CriticEffect>, Halt> {
        if let Some((round, document)) = self.changed.take() {
            mailbox.post(LogMessage::KeepRound(round, document.clone())).await?;
            self.workplace.change(document);
        }
        post_events(mailbox, now, out).await
    }

    async fn begin(
        &mut self,
        effect: CriticEffect,
        _: &CancellationToken,
    ) -> Result<Begun<CriticInput>, StoreError> {
        match effect {
            CriticEffect::RunCheck { criterion, check } => self.check(criterion, check),
            CriticEffect::Measure { criterion, measure } => self.measure(criterion, measure),
            CriticEffect::AskCritic(ask) => self.ask(&ask),
            CriticEffect::Fix(orders) => self.fix(orders),
            CriticEffect::Stop => self.works.end().await,
        }
        Ok(Begun::Later)
    }

    async fn next(&mut self) -> Result<Vec<CriticInput>, StoreError> {
        let Done { inputs, document } =
            self.works.next().await.unwrap_or_else(|detail| Done::of(CriticInput::Broken(detail)));
        if let Some(document) = document {
            let pass = self.machine.state().last_pass().map_or(Round(1), |pass| pass.pass);
            self.changed = Some((pass.next(), document));
        }
        Ok(inputs)
    }

    async fn end(&mut self) {
        self.works.end().await;
    }
}

impl CriticPlay<'_> {
    fn check(&mut self, criterion: CriterionId, check: Check) {
        let (file, dir, spool) = (self.workplace.file(), self.workplace.dir(), self.store.dir().to_owned());
        let step = self.request.limits().step;
        let patience = check
            .timeout_seconds
            .map_or(Duration::from_millis(step.0), |seconds| Duration::from_secs(u64::from(seconds)));
        let (stop, document) = (self.works.stop(), self.workplace.shared());
        self.works.spawn("check", async move {
            let result = match &file {
                Ok(file) => {
                    let file = file.path();
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
            Done::of(CriticInput::Checked { criterion, result })
        });
    }

    fn measure(&mut self, criterion: CriterionId, measure: Measure) {
        let asked = self.request.set.criteria.iter().any(|own| own.needs == Needs::Opinion);
        let place = measure::Surroundings {
            dir: self.workplace.dir(),
            name: self.workplace.name(),
            read_by_critic: asked && self.request.agent.is_some(),
        };
        let document = self.workplace.shared();
        let (tell, told) = oneshot::channel();
        // A thread of its own: nobody waits for one that takes too long.
        let begun = std::thread::Builder::new().name("measure".to_owned()).spawn(move || {
            let work = AssertUnwindSafe(|| measure::measure(measure, &document, &place));
            let result = catch_unwind(work).unwrap_or_else(|_| Err("the measuring panicked".to_owned()));
            tell.send(result).ok();
        });
        let stop = self.works.stop();
        self.works.spawn("measure", async move {
            let result = match begun {
                Ok(_) => tokio::select! {
                    () = stop.cancelled() => Err("it was stopped".to_owned()),
                    result = told => result.unwrap_or_else(|_| Err("the measuring broke off".to_owned())),
                },
                Err(error) => Err(format!("no thread to measure on: {error}")),
            };
            Done::of(CriticInput::Measured { criterion, result })
        });
    }

    fn ask(&mut self, ask: &CriticAsk) {
        let document = String::from_utf8_lossy(self.workplace.document());
        let contents = jury_text::document::contents(&document);
        let review =
            ReviewPrompt { document: &document, state: self.machine.state(), rejected: &ask.rejected };
        let prompt = self.cast.template.review(review);
        let agent = self.agent(prompt);
        let (spool, limits, stop) = (self.store.dir().to_owned(), self.limits(), self.works.stop());
        self.works.spawn("ask", async move {
            let asked = match agent {
                Ok(agent) => ask_once(agent, &spool, limits, &stop).await,
                Err(detail) => AskResult::none(detail),
            };
            let reviewed =
                |answer| CriticInput::Reviewed(CriticAnswer { contents: Some(contents), ..answer });
            let last = match &asked.answer {
                Ok(text) => reviewed(format::read(text.as_bytes())),
                Err(why) => {
                    if let Some(answer) = whole(why, &asked.said) {
                        reviewed(answer)
                    } else {
                        let (cause, detail) = why.explained();
                        CriticInput::CriticFailed { cause, detail }
                    }
                }
            };
            Done { inputs: notes(asked).chain([last]).collect(), document: None }
        });
    }

    fn fix(&mut self, orders: Vec<FixOrder>) {
        let agent = orders.iter().any(|order| order.command.is_none()).then(|| {
            let document = String::from_utf8_lossy(self.workplace.document());
            // It prints the document: what an agent is allowed to write differs from program to program, and a service
            // has no disk.
            let fix = FixPrompt { document: &document, orders: &orders, in_place: None };
            self.agent(self.cast.template.fix(fix))
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
        let stop = self.works.stop();
        self.works.spawn("fix", async move { fix.carry_out(&stop).await });
    }

    /// The agent with this prompt.
    fn agent(&self, prompt: Result<String, PromptError>) -> Result<Agent, String> {
        let prompt = prompt.map_err(|error| error.to_string())?;
        match &self.cast.agent {
            Some(give) => give(prompt.into()),
            None => Err("there is nobody to ask; name an agent".to_owned()),
        }
    }

    fn limits(&self) -> AskLimits {
        let patience = Duration::from_millis(self.request.limits().step.0);
        AskLimits { answer: LONGEST_ANSWER, output: MOST_OUTPUT, patience, grace: AGENT_GRACE }
    }
}

/// What an agent said about itself, and what it used without saying so.
pub(super) fn notes(asked: AskResult) -> impl Iterator<Item = CriticInput> {
    let AskResult { notes, unreported, .. } = asked;
    let rest = (unreported != Usage::default()).then(|| AgentNote {
        kind: AgentNoteKind::Usage,
        detail: "so far".to_owned(),
        status: None,
        usage: Some(unreported),
    });
    notes.into_iter().chain(rest).map(CriticInput::Note)
}

/// The report in what an agent said before it failed, if it is whole. An exit code proves nothing.
fn whole(why: &NoAnswer, said: &str) -> Option<CriticAnswer> {
    let by_exit =
        matches!(why, NoAnswer::Failed { cause: FailedCause::CliExitNonzero | FailedCause::CliSignal, .. });
    let reading = by_exit.then(|| format::read(said.as_bytes()))?;
    // The line with the result is the last of a report.
    reading.claim.is_some().then_some(reading)
}
