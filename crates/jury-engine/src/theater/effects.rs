//! What the machine of the theater wants done: the agent is started, heard and ended, and bodies are kept.

use std::path::{Path, PathBuf};

use jury_core::event::TheaterEvent;
use jury_core::theater::{
    ArtifactSource, Opening, TheaterEffect, TheaterInput, TheaterOutbox, TheaterOutput,
};
use jury_core::unit::Millis;
use jury_store::StoreError;
use tokio_util::sync::CancellationToken;

use super::stage::Stage;
use crate::TheaterJob;
use crate::agent::{Agent, AgentStream};
use crate::drive::{Begun, Halt, Play};
use crate::log::{LogMessage, Mailbox, RunClock};

/// A panel's run, with everything that its machine needs done.
pub(super) struct TheaterPlay {
    stage: Stage,
    voice: Option<AgentStream>,
    spool_dir: PathBuf,
}

/// What can happen to a run.
#[derive(Debug)]
pub(super) enum Happened {
    /// A worker took it.
    Start,
    /// The user wants it to stop.
    Interrupt,
    /// A deadline may have passed.
    Deadline,
    /// Something was heard or measured; the machine knows it already.
    Heard,
    /// The agent could not be started.
    NotStarted(String),
    /// There is nobody to ask for the page.
    NobodyToAsk,
    /// The program cannot go on.
    Broken(String),
}

impl TheaterPlay {
    pub(super) fn new(job: TheaterJob, opening: Opening, spool_dir: &Path, clock: RunClock) -> Self {
        let stage = Stage::new(job, opening, clock);
        let spool_dir = spool_dir.to_owned();
        Self { stage, voice: None, spool_dir }
    }

    /// Lets an agent begin, and opens the dialogue with one that has its prompt not yet.
    fn start(&mut self, agent: Agent, greeting: &[u8]) -> Begun<Happened> {
        let spool = self.stage.job.config.spool_max_bytes;
        let voice = match AgentStream::start(agent, &self.spool_dir, spool, self.stage.job.grace) {
            Ok(voice) => voice,
            Err(detail) => return Begun::Now(Happened::NotStarted(detail)),
        };
        let greeted = if greeting.is_empty() { Ok(()) } else { voice.reply(greeting) };
        self.voice = Some(voice);
        match greeted {
            Ok(()) => Begun::Later,
            Err(error) => Begun::Now(Happened::Broken(error.to_string())),
        }
    }

    /// Puts down what the model has used so far.
    fn book(&mut self) {
        if let Some(voice) = &self.voice {
            self.stage.book(voice.under_way());
        }
    }
}

impl Play for TheaterPlay {
    type Event = TheaterEvent;
    type Input = Happened;
    type Effect = TheaterEffect;

    fn handle(&mut self, input: Happened, _: Millis, out: &mut TheaterOutbox) {
        match input {
            Happened::Start => self.stage.handle(TheaterInput::Start),
            Happened::Interrupt => {
                self.book();
                self.stage.handle(TheaterInput::Interrupt);
            }
            Happened::Deadline => {
                self.book();
                self.stage.handle(TheaterInput::Deadline);
            }
            Happened::Heard => {}
            Happened::NotStarted(detail) => self.stage.handle(TheaterInput::NotStarted(detail)),
            Happened::NobodyToAsk => {
                let detail = "there is nobody to ask".to_owned();
                self.stage.handle(TheaterInput::Legacy { body: None, detail });
            }
            Happened::Broken(detail) => self.stage.handle(TheaterInput::Broken(detail)),
        }
        out.append(&mut self.stage.outbox);
    }

    fn interrupt() -> Happened {
        Happened::Interrupt
    }

    fn deadline_passed() -> Happened {
        Happened::Deadline
    }

    fn deadline(&self) -> Option<Millis> {
        self.stage.theater.deadline()
    }

    fn is_idle(&self) -> bool {
        self.stage.theater.has_ended()
    }

    async fn post(
        &mut self,
        mailbox: &Mailbox,
        now: Millis,
        out: TheaterOutbox,
    ) -> Result<Vec<TheaterEffect>, Halt> {
        let mut effects = Vec::new();
        for output in out {
            let message = match output {
                TheaterOutput::Event(event) => LogMessage::Event(now, Box::new(event.into())),
                TheaterOutput::Effect(TheaterEffect::KeepRound { round, body }) => {
                    LogMessage::KeepRound(round, body)
                }
                TheaterOutput::Effect(TheaterEffect::KeepFinal(ArtifactSource::Body(body))) => {
                    LogMessage::KeepFinal(body)
                }
                TheaterOutput::Effect(TheaterEffect::KeepFinal(ArtifactSource::Round(round))) => {
                    match self.stage.drafts.get(&round) {
                        Some(body) => LogMessage::KeepFinal(body.clone()),
                        None => continue,
                    }
                }
                // The agent is ended with the run, the measuring was begun and the final pass made.
                TheaterOutput::Effect(
                    TheaterEffect::StopAgent | TheaterEffect::Measure { .. } | TheaterEffect::Lint(_),
                ) => continue,
                TheaterOutput::Effect(effect @ (TheaterEffect::StartAgent | TheaterEffect::AskOnce)) => {
                    effects.push(effect);
                    continue;
                }
            };
            mailbox.post(message).await?;
        }
        Ok(effects)
    }

    async fn begin(
        &mut self,
        effect: TheaterEffect,
        interrupt: &CancellationToken,
    ) -> Result<Begun<Happened>, StoreError> {
        Ok(match effect {
            TheaterEffect::StartAgent => {
                let greeting = self.stage.greeting();
                self.start(self.stage.job.agent.clone(), &greeting)
            }
            TheaterEffect::AskOnce => {
                // Nothing of the panel is left when the agent is asked again: no process, no call, no claim on the budget.
                self.end().await;
                // It may have come while the panel was being ended.
                if interrupt.is_cancelled() {
                    return Ok(Begun::Now(Happened::Interrupt));
                }
                match self.stage.ask_once() {
                    Some((agent, greeting)) => self.start(agent, &greeting),
                    None => Begun::Now(Happened::NobodyToAsk),
                }
            }
            TheaterEffect::StopAgent
            | TheaterEffect::KeepRound { .. }
            | TheaterEffect::KeepFinal(_)
            | TheaterEffect::Measure { .. }
            | TheaterEffect::Lint(_) => Begun::Later,
        })
    }

    async fn next(&mut self) -> Result<Vec<Happened>, StoreError> {
        let Self { stage, voice, .. } = self;
        // What the agent says while the machine waits for a measurement stays in its spool.
        let listening = !stage.theater.is_measuring();
        let Some(voice) = voice.as_mut() else {
            if !stage.measurer.is_busy() {
                return Ok(vec![Happened::Broken(
                    "nothing is left to do, and there is no verdict".to_owned(),
                )]);
            }
            let (digest, result) = stage.measurer.next().await;
            stage.measured(digest, result);
            return Ok(vec![Happened::Heard]);
        };
        let reply = tokio::select! {
            biased;
            (digest, result) = stage.measurer.next(), if stage.measurer.is_busy() => {
                stage.measured(digest, result);
                Vec::new()
            }
            heard = voice.next(), if listening => stage.hear(heard),
        };
        if stage.wants_complaints() {
            stage.complained(&voice.complaints());
        }
        if stage.has_answer() {
            stage.answered(voice.under_way());
        }
        if reply.is_empty() {
            return Ok(vec![Happened::Heard]);
        }
        Ok(vec![match voice.reply(&reply) {
            Ok(()) => Happened::Heard,
            Err(error) => Happened::Broken(error.to_string()),
        }])
    }

    async fn end(&mut self) {
        if let Some(mut voice) = self.voice.take() {
            voice.stop().await;
        }
    }
}
