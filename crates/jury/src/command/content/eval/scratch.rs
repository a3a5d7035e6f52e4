//! Runs for evals: real ones, in a store of their own that is gone afterwards.

use std::path::PathBuf;

use jury_core::content::{
    Advisor, AdvisorRegistry, ContentEvent, ContentRequest, ContentStatus, Critique, Draft, Foundation,
    PanelSelection, Recipe, Tool,
};
use jury_core::evidence::EvidenceMode;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::record::Record;
use jury_core::unit::Round;
use jury_core::workflow::WorkflowEvent as _;
use jury_engine::content::site::Publishing;
use jury_engine::content::tools::{CriticResult, ToolAnswer, call};
use jury_engine::content::{ContentJob, begin_content, run_content};
use jury_store::{Owner, Store};
use uuid::Uuid;

use super::Trial;
use crate::command::content_cast;
use crate::refusal::Refusal;

/// What came of a whole cycle.
pub(super) struct Cycle {
    pub(super) first: Draft,
    pub(super) last: Draft,
    /// What the critics of the run said of each round, on average.
    pub(super) means: Vec<Option<f64>>,
    pub(super) standing: ContentStatus,
    /// How many protected passages were changed.
    pub(super) lost: usize,
}

/// A store that is gone when it is let go.
struct Scratch {
    store: Store,
    folder: PathBuf,
}

impl Scratch {
    async fn open() -> Result<Self, Refusal> {
        let folder = std::env::temp_dir().join(format!("jury-eval-{}", Uuid::now_v7()));
        Ok(Self { store: Store::open(&folder).await?, folder })
    }

    async fn close(self) {
        self.store.close().await.ok();
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

impl Trial<'_> {
    fn job(
        &self,
        recipe: &Recipe,
        advisors: Vec<Advisor>,
        foundation: &Foundation,
        draft: Option<Draft>,
    ) -> Result<ContentJob, Refusal> {
        let idea = "eval".parse().map_err(|error| Refusal::usage(format!("{error}")))?;
        let request = ContentRequest {
            idea,
            recipe: recipe.clone(),
            advisors,
            foundation: foundation.clone(),
            topic: None,
            agent: self.agent.clone(),
            model: self.args.model.clone(),
            publish: false,
            remote: None,
            base_url: None,
            evidence: EvidenceMode::Gate,
            concurrency: ContentRequest::CONCURRENCY,
            call_seconds: self.args.call_timeout,
            retries: ContentRequest::RETRIES,
            max_cost_usd: self.args.max_cost,
            max_tokens: self.args.max_tokens,
        };
        let cast = content_cast(&request, &self.settings, Publishing::default())?;
        Ok(ContentJob {
            run: RunId(Uuid::now_v7()),
            project: ProjectId::default_project(),
            artifact: ArtifactId(Uuid::now_v7()),
            request,
            draft: draft.map(Into::into),
            cast,
        })
    }
}

/// Whom a model chooses: the run is stopped as soon as that is known.
pub(super) async fn panel(
    trial: &Trial<'_>,
    recipe: Recipe,
    registry: &AdvisorRegistry,
) -> Result<Result<PanelSelection, String>, Refusal> {
    let draft = Draft::Text("A draft that nobody reads.".to_owned());
    let job = trial.job(&recipe, registry.advisors().to_vec(), &Foundation::default(), Some(draft))?;
    let scratch = Scratch::open().await?;
    let owner = Owner::register(&scratch.store)?;
    let interrupt = trial.interrupt.child_token();
    let stop = interrupt.clone();
    let mut seen = |records: &[Record]| {
        let chosen =
            |record: &Record| matches!(ContentEvent::of(&record.event), Some(ContentEvent::PanelSelected(_)));
        if records.iter().any(chosen) {
            stop.cancel();
        }
    };
    let state = run_content(&scratch.store, &owner, job, &mut seen, interrupt).await;
    drop(owner);
    scratch.close().await;
    let state = state?;
    let why = || {
        state.halted.as_ref().map_or_else(|| "nobody was chosen".to_owned(), |halted| halted.detail.clone())
    };
    Ok(state.panel.clone().ok_or_else(why))
}

/// What a model says about a draft in the name of an advisor.
pub(super) async fn critique(
    trial: &Trial<'_>,
    advisor: &Advisor,
    draft: &Draft,
    recipe: &Recipe,
    foundation: &Foundation,
) -> Result<Result<Critique, String>, Refusal> {
    let mut recipe = recipe.clone();
    recipe.named_critics = vec![advisor.id.clone()];
    let author = trial.registry.get(&recipe.author_advisor).cloned();
    let advisors: Vec<Advisor> = author.into_iter().chain([advisor.clone()]).collect();
    let job = trial.job(&recipe, advisors, foundation, Some(draft.clone()))?;
    let scratch = Scratch::open().await?;
    let owner = Owner::register(&scratch.store)?;
    let (run, cast) = (job.run, job.cast.clone());
    let mut nobody = |_: &[Record]| {};
    let answer = match begin_content(&scratch.store, &owner, job, &mut nobody).await {
        Ok(_) => {
            let token = trial.interrupt.child_token();
            call(&scratch.store, &owner, run, Tool::RunCritiques, &cast, &mut nobody, token)
                .await
                .map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    drop(owner);
    scratch.close().await;
    Ok(match answer {
        Ok(ToolAnswer::Critiqued { critiques }) => {
            let own = critiques.into_iter().find_map(|result| match result {
                CriticResult::Said(said) if said.advisor_id == advisor.id => Some(Ok(*said)),
                CriticResult::Failed { advisor_id, error } if advisor_id == advisor.id => Some(Err(error)),
                CriticResult::Said(_) | CriticResult::Failed { .. } => None,
            });
            own.unwrap_or_else(|| Err("it did not answer".to_owned()))
        }
        Ok(_) => Err("it did not answer".to_owned()),
        Err(why) => Err(why),
    })
}

/// A whole cycle, from the first draft to the one that is kept or waits for a person.
pub(super) async fn cycle(
    trial: &Trial<'_>,
    recipe: &Recipe,
    foundation: &Foundation,
    draft: Option<Draft>,
) -> Result<Result<Cycle, String>, Refusal> {
    let job = trial.job(recipe, trial.registry.advisors().to_vec(), foundation, draft)?;
    let artifact = job.artifact;
    let scratch = Scratch::open().await?;
    let owner = Owner::register(&scratch.store)?;
    let mut nobody = |_: &[Record]| {};
    let state = run_content(&scratch.store, &owner, job, &mut nobody, trial.interrupt.child_token()).await;
    drop(owner);
    let state = match state {
        Ok(state) => state,
        Err(error) => {
            scratch.close().await;
            return Err(error.into());
        }
    };
    let last = state.saved.as_ref().map(|saved| saved.round).or(state.rounds.last().map(|state| state.round));
    let mut drafts = Vec::new();
    for round in [Some(Round(1)), last].into_iter().flatten() {
        let mime = state.round(round).map(|state| state.draft.mime.clone()).unwrap_or_default();
        let body = scratch.store.read_round(artifact, round).await?;
        drafts.extend(body.and_then(|body| Draft::read(&body, &mime)));
    }
    scratch.close().await;
    let why = state.halted.as_ref().map(|halted| halted.detail.clone());
    let reviewed = state.rounds.iter().any(|state| state.ruling.is_some());
    let (Some(last), Some(first), true) = (drafts.pop(), drafts.pop(), reviewed && why.is_none()) else {
        return Ok(Err(why.unwrap_or_else(|| "the cycle did not take place".to_owned())));
    };
    let lost = state.rounds.iter().map(|state| state.lost.len()).sum();
    let means = state.rounds.iter().map(|state| state.ruling.as_ref()?.mean).collect();
    Ok(Ok(Cycle { first, last, means, standing: state.status(), lost }))
}
