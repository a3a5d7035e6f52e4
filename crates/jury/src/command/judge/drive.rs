//! Driving a run of the judge from here.

use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::judge::settings::{JudgeMode, JudgeSettings};
use jury_core::judge::{JudgeEvent, JudgeState, JudgeStatus};
use jury_core::record::Record;
use jury_core::run::OutcomeWord as _;
use jury_core::workflow::WorkflowEvent as _;
use jury_engine::EngineError;
use jury_engine::judge::{
    Clock, GatheredCase, JudgeCast, JudgeJob, JudgeTask, give_up_judge, resume_judge, run_judge,
};
use jury_store::{Owner, Store};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::cast::cast;
use super::gather::Asked;
use super::rejoin::rejoin;
use crate::cli::{Format, Global, JudgeArgs};
use crate::command::run::{INTERRUPTED, pass_on_signals};
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::judge::JudgeCase;
use crate::render::{Progress, took};

/// What came of a run that was taken up.
pub(super) struct Taken {
    pub(super) standing: JudgeStatus,
    pub(super) code: u8,
}

/// Where runs are judged.
pub(super) struct JudgeSession<'a> {
    store: Store,
    owner: Owner,
    project: ProjectId,
    format: Format,
    wait: bool,
    clock: Clock,
    global: &'a Global,
    output: Output,
    gate: Gate,
}

impl<'a> JudgeSession<'a> {
    pub(super) async fn open(
        project: &str,
        args: &JudgeArgs,
        clock: Clock,
        global: &'a Global,
        output: Output,
    ) -> Result<Self, Refusal> {
        let project = project.parse().map_err(|error| Refusal::usage(format!("--project: {error}")))?;
        let gate = Gate::read(&args.gate)?;
        let store = crate::command::open_to_write(global, output).await?;
        let owner = Owner::register(&store)?;
        let (format, wait) = (args.format, !args.no_wait);
        Ok(Self { store, owner, project, format, wait, clock, global, output, gate })
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    pub(super) async fn close(self) {
        // The verdict is out and on disk; a store that does not close tidily cannot change it.
        self.store.close().await.ok();
    }

    /// Judges one record, prints what came of it and gives its exit code.
    pub(super) async fn judge(
        &self,
        asked: Asked,
        own: &JudgeSettings,
        mode: JudgeMode,
        several: bool,
    ) -> Result<u8, Refusal> {
        let task = self.task(&asked, own, mode).await?;
        let (run, artifact) = (RunId(Uuid::now_v7()), ArtifactId(Uuid::now_v7()));
        let case = task.case.clone();
        let request = asked.request.clone();
        let job = JudgeJob { run, project: self.project.clone(), artifact, request: asked.request, task };
        let state = {
            let mut progress = Progress::new(self.output);
            let mut observer = |records: &[Record]| self.see(records, &mut progress);
            let interrupt = CancellationToken::new();
            let guard = crate::reaper::post();
            let state = tokio::select! {
                state = run_judge(&self.store, &self.owner, job, &mut observer, interrupt.clone()) => state?,
                () = pass_on_signals(interrupt.clone()) => return Ok(INTERRUPTED),
            };
            drop(guard);
            state
        };
        if state.judgement().is_some() {
            rejoin(&request, self.output);
        }
        self.finish(run, state, &case, several).await
    }

    /// Takes up a run that waits. None when somebody else was faster. One whose parts are gone ends here, as inconclusive.
    pub(super) async fn resume(
        &self,
        run: RunId,
        asked: &Asked,
        own: &JudgeSettings,
        mode: JudgeMode,
    ) -> Result<Option<Taken>, Refusal> {
        let cast = Self::cast(asked, own, mode)?;
        let task = match asked.gather(own, &self.global.data_dir, &CancellationToken::new()).await {
            Ok(case) => self.with(case, cast, asked),
            Err(refusal) => return self.give_up(run, refusal).await,
        };
        let case = task.case.clone();
        let state = {
            let mut progress = Progress::new(self.output);
            let mut observer = |records: &[Record]| self.see(records, &mut progress);
            let interrupt = CancellationToken::new();
            let guard = crate::reaper::post();
            let state = tokio::select! {
                state = resume_judge(&self.store, &self.owner, run, task, &mut observer, interrupt.clone()) => state,
                () = pass_on_signals(interrupt.clone()) => return Ok(Some(Taken { standing: JudgeStatus::Interrupted, code: INTERRUPTED })),
            };
            drop(guard);
            match state {
                Ok(state) => state,
                Err(EngineError::Store(error)) if error.is_conflict() => return Ok(None),
                Err(error @ (EngineError::Store(_) | EngineError::NotResumed(_))) => return Err(error.into()),
            }
        };
        let standing = state.status();
        if state.judgement().is_some() {
            rejoin(&asked.request, self.output);
        }
        Ok(Some(Taken { standing, code: self.finish(run, state, &case, true).await? }))
    }

    /// Ends a run whose case cannot be put together any more, and says why.
    async fn give_up(&self, run: RunId, refusal: Refusal) -> Result<Option<Taken>, Refusal> {
        let why = refusal.message;
        match give_up_judge(&self.store, &self.owner, run, why.clone()).await {
            Ok(()) => {}
            Err(error) if error.is_conflict() => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let standing = JudgeStatus::Inconclusive;
        self.output.note(&format!("run {run} ends {standing}: {why}"));
        Ok(Some(Taken { standing, code: standing.exit_code() }))
    }

    async fn task(&self, asked: &Asked, own: &JudgeSettings, mode: JudgeMode) -> Result<JudgeTask, Refusal> {
        let cast = Self::cast(asked, own, mode)?;
        let case = asked.gather(own, &self.global.data_dir, &CancellationToken::new()).await?;
        Ok(self.with(case, cast, asked))
    }

    pub(super) fn cast(asked: &Asked, own: &JudgeSettings, mode: JudgeMode) -> Result<JudgeCast, Refusal> {
        let dir = std::path::PathBuf::from(&asked.request.workspace);
        cast(own, mode, &asked.judgements(), dir)
    }

    fn with(&self, case: GatheredCase, cast: JudgeCast, asked: &Asked) -> JudgeTask {
        JudgeTask { case, cast, wait: self.wait, force: asked.request.force, clock: self.clock.clone() }
    }

    /// Shows progress, and says when it goes on if it has to wait.
    fn see(&self, records: &[Record], progress: &mut Progress) {
        progress.show(records);
        for record in records {
            if let Some(JudgeEvent::Throttled(held)) = JudgeEvent::of(&record.event)
                && self.wait
            {
                let until = held.until.strftime("%F %T UTC");
                self.output.progress(&format!("  waits until {until}; --no-wait leaves it in the queue"));
            }
        }
    }

    async fn finish(
        &self,
        run: RunId,
        state: JudgeState,
        case: &GatheredCase,
        several: bool,
    ) -> Result<u8, Refusal> {
        let took = took(&self.store.records(run).await?);
        let shown = JudgeCase::new(run, state).lasting(took).with(case);
        let printed = shown.print(&self.gate, self.format, several, self.output)?;
        if !printed.text.is_empty() {
            Output::result(&printed.text);
        }
        if self.format == Format::Opus && shown.has_judgement() {
            // Who reads the older shape knows only whether there is one.
            return Ok(0);
        }
        Ok(printed.code)
    }
}
