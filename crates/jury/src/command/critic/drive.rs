//! Driving a run of the critic from here: its agent, its questions at the terminal, and what becomes of the document.

use std::path::Path;

use jiff::Timestamp;
use jury_agents::prompt::CriticTemplate;
use jury_core::artifact::Digest;
use jury_core::critic::{CriticRequest, CriticState, CriticStatus};
use jury_core::decision::{DecisionState, Given};
use jury_core::id::RunId;
use jury_core::record::Record;
use jury_engine::{CriticCast, CriticJob, EngineError, resume_critic, run_critic};
use jury_store::{Owner, Store, StoreError};
use tokio_util::sync::CancellationToken;

use super::answer::{ask, name_of_user};
use super::asking::Asking;
use crate::agent::{self, PROMPTS};
use crate::cli::{Format, KeepArgs, ShowOptions};
use crate::command::atomic_write;
use crate::command::run::{budget, pass_on_signals};
use crate::document;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::critic::CriticCase;
use crate::render::{Progress, print};
use crate::settings::{self, Settings};

/// Who drives runs here.
pub(super) struct Driver<'a> {
    pub(super) store: &'a Store,
    pub(super) settings: &'a Settings,
    pub(super) output: Output,
    /// Whether questions are asked at the terminal.
    pub(super) asks: bool,
}

impl Driver<'_> {
    /// Drives a new run until it has ended or waits for somebody who is not here.
    pub(super) async fn begin(&self, job: CriticJob) -> Result<(), Refusal> {
        let owner = Owner::register(self.store)?;
        let run = job.run;
        let asking = Asking::new(&job.request, None, self.output);
        let job = CriticJob { cast: asking.announced(job.cast), ..job };
        let mut progress = Progress::new(self.output);
        let mut observer = |records: &[Record]| {
            asking.see(records);
            progress.show(records);
        };
        let interrupt = CancellationToken::new();
        let state = tokio::select! {
            state = run_critic(self.store, &owner, job, &mut observer, interrupt.clone()) => state?,
            () = pass_on_signals(interrupt.clone()) => return Ok(()),
            () = asking.clock() => return Ok(()),
        };
        progress.end();
        self.until_settled(run, &owner, state).await
    }

    /// Takes up a run that has its answers, and drives it as far as it goes.
    pub(super) async fn resume(&self, run: RunId) -> Result<(), Refusal> {
        let owner = Owner::register(self.store)?;
        match self.take_up(run, &owner).await? {
            Some(state) => self.until_settled(run, &owner, state).await,
            None => Ok(()),
        }
    }

    /// None when somebody else was faster: a daemon takes up what has its answers, too.
    async fn take_up(&self, run: RunId, owner: &Owner) -> Result<Option<CriticState>, Refusal> {
        let request = self.store.request::<CriticState>(run).await?.ok_or_else(|| {
            Refusal::usage(format!(
                "run {run} does not say what was asked of it, and cannot be taken up again"
            ))
        })?;
        let pass = self.store.state::<CriticState>(run).await?.last_pass().map(|pass| pass.pass);
        let asking = Asking::new(&request, pass, self.output);
        let cast = asking.announced(cast(&request, self.settings)?);
        let mut progress = Progress::new(self.output);
        let mut observer = |records: &[Record]| {
            asking.see(records);
            progress.show(records);
        };
        let interrupt = CancellationToken::new();
        let state = tokio::select! {
            state = resume_critic(self.store, owner, run, cast, &mut observer, interrupt.clone()) => state,
            () = pass_on_signals(interrupt.clone()) => return Ok(None),
            () = asking.clock() => return Ok(None),
        };
        progress.end();
        match state {
            Ok(state) => Ok(Some(state)),
            Err(EngineError::Store(error)) if error.is_conflict() => {
                self.output
                    .note(&format!("somebody else goes on with run {run}; see 'jury critic show {run}'"));
                Ok(None)
            }
            Err(error @ (EngineError::Store(_) | EngineError::NotResumed(_))) => Err(error.into()),
        }
    }

    /// Asks what is to be asked, as long as somebody answers.
    async fn until_settled(&self, run: RunId, owner: &Owner, mut state: CriticState) -> Result<(), Refusal> {
        while self.asks && state.status() == CriticStatus::Escalated {
            if !self.ask_all(run).await? {
                return Ok(());
            }
            let Some(after) = self.take_up(run, owner).await? else { return Ok(()) };
            state = after;
        }
        Ok(())
    }

    /// Asks everything that is open. False when nobody answers any more.
    pub(super) async fn ask_all(&self, run: RunId) -> Result<bool, Refusal> {
        let interrupt = CancellationToken::new();
        for decision in self.store.decisions(Some(DecisionState::Open), Some(run)).await? {
            let answer = tokio::select! {
                answer = ask(&decision.question, self.output) => answer,
                () = interrupt.cancelled() => None,
                () = pass_on_signals(interrupt.clone()) => None,
            };
            let Some(answer) = answer else { return Ok(false) };
            let given = Given { answer, by: name_of_user(), at: Timestamp::now() };
            match self.store.answer(&decision.id, given).await {
                // Somebody was faster, by another way.
                Err(error) if error.is_conflict() => {
                    self.output
                        .note(&format!("{} has its answer already; the first one counts", decision.id));
                }
                settled => drop(settled?),
            }
        }
        Ok(true)
    }

    /// Shows how a run stands, and gives its exit code.
    pub(super) async fn finish(
        &self,
        run: RunId,
        keep: &KeepArgs,
        gate: &Gate,
        format: Format,
    ) -> Result<u8, Refusal> {
        let mut case = CriticCase::load(self.store, run).await.map_err(EngineError::from)?;
        self.keep(&mut case, run, keep).await?;
        let printed = print(&case, gate, format, self.output)?;
        Output::result(&printed.text);
        Ok(printed.code)
    }

    /// Puts the document where the user wants it.
    async fn keep(&self, case: &mut CriticCase, run: RunId, keep: &KeepArgs) -> Result<(), Refusal> {
        if !keep.is_asked() {
            return Ok(());
        }
        case.keep = keep.as_typed();
        let body = self.store.read_final(case.artifact()).await.map_err(EngineError::from)?;
        let Some(body) = body else { return Ok(()) };
        if let Some(out) = &keep.out {
            document::write_out(out, &body)?;
            case.document = Some(out.display().to_string());
            return Ok(());
        }
        let request = self.store.request::<CriticState>(run).await.map_err(EngineError::from)?;
        let Some(file) = request.map(|request| request.file) else { return Ok(()) };
        let shown = case.file.clone().unwrap_or_else(|| file.clone());
        let last = format!("'{}' writes", case.document_command());
        if case.status() == CriticStatus::Escalated {
            self.output.note(&format!(
                "not converged yet: {shown} is left as it was; give --write again with the last answer"
            ));
            return Ok(());
        }
        if case.status() != CriticStatus::Converged {
            self.output.note(&format!("not converged: {shown} is left as it was; {last} the last version"));
            return Ok(());
        }
        let now = std::fs::read(&file).map(|bytes| Digest::of(&bytes)).ok();
        let given = case.state.started.as_ref().map(|started| started.document.sha256);
        if now == Some(Digest::of(&body)) {
            case.document = Some(shown);
            return Ok(());
        }
        if now != given {
            return Err(Refusal::inconclusive(format!(
                "{shown} was changed while the critic worked, and is left alone; {last} the version that converged"
            )));
        }
        let file = Path::new(&file);
        atomic_write::write(file, &body).map_err(|error| document::cannot_write(file, &error))?;
        case.document = Some(shown);
        Ok(())
    }
}

/// Who is asked in a run, and what.
pub(in crate::command) fn cast(request: &CriticRequest, settings: &Settings) -> Result<CriticCast, Refusal> {
    let budget = budget(request.max_cost_usd, request.max_tokens)?;
    let agent = request
        .agent
        .as_ref()
        .map(|id| agent::find_for_prompts(id, settings, request.model.as_deref(), budget))
        .transpose()?;
    let own = Path::new(PROMPTS);
    let template = if own.is_dir() { CriticTemplate::load(own) } else { Ok(CriticTemplate::built_in()) };
    let template = template.map_err(|error| Refusal::usage(error.to_string()))?;
    Ok(CriticCast { agent, template })
}

/// Answers for those who did not in time, and says so.
pub(in crate::command) async fn answer_overdue(store: &Store, output: Output) -> Result<(), StoreError> {
    for settled in store.answer_overdue(Timestamp::now()).await? {
        let decision = settled.decision;
        let rest = if settled.left == 0 {
            format!("; go on with 'jury critic resume {}'", decision.run_id)
        } else {
            String::new()
        };
        output.note(&format!("nobody answered {} in time: its default was taken{rest}", decision.id));
    }
    Ok(())
}

/// Takes a run up again in the foreground and prints how it stands then.
pub(in crate::command) async fn resume_here(
    store: &Store,
    run: RunId,
    keep: &KeepArgs,
    gate: &Gate,
    show: &ShowOptions,
    output: Output,
) -> Result<u8, Refusal> {
    let settings = settings::load(std::collections::BTreeMap::new())?;
    let asks = !show.no_input && super::answer::somebody_is_there();
    let driver = Driver { store, settings: &settings, output, asks };
    let guard = crate::reaper::post();
    driver.resume(run).await?;
    drop(guard);
    driver.finish(run, keep, gate, show.format).await
}
