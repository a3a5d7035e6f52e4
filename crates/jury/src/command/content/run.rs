//! `jury content run`: an idea's documents in, a reviewed piece out, and a site where that is asked for.

use jury_core::content::{ContentRequest, ContentState, Foundation};
use jury_core::evidence::EvidenceMode;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_engine::content::site::Publishing;
use jury_engine::content::{ContentJob, idea_id, problem, read_foundation, run_content};
use jury_store::{Claim, Owner};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::drive::{draft, mirrored, observer, say, settled};
use crate::cli::{ContentRunArgs, Global};
use crate::command::content_cast;
use crate::command::run::pass_on_signals;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::Progress;
use crate::{registry, settings};

pub(super) async fn run(args: ContentRunArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let flags = args.evidence.iter().map(|mode| ("OD_CRITIQUE_EVIDENCE", mode.clone()));
    let settings = settings::load(flags.collect())?;
    let address = settings::mirror()?;
    let request = request(&args, settings.critique.evidence)?;
    if let Some(problem) = problem(&request) {
        return Err(Refusal::usage(format!("{}: {problem}", args.idea.display())));
    }
    let draft = args.draft.as_deref().map(|file| draft(file, request.recipe.form)).transpose()?;
    let project: ProjectId =
        args.project.parse().map_err(|error| Refusal::usage(format!("--project: {error}")))?;
    let cast = content_cast(&request, &settings, Publishing::default())?;
    let store = crate::command::open_to_write(global, output).await?;
    if let Some(row) = store.active::<ContentState>(&request.subject()).await? {
        let how = store.state::<ContentState>(row.run).await?.status();
        return Err(Refusal::inconclusive(format!(
            "run {} of {} is not done ({how}); see 'jury content status {}', go on with 'jury content resume', or give \
             it up with 'jury content abandon'",
            row.run,
            request.subject(),
            row.run
        )));
    }
    let (run, artifact) = (RunId(Uuid::now_v7()), ArtifactId(Uuid::now_v7()));
    let mirror = mirrored(&store, address, output);
    if let Some(mirror) = &mirror
        && let Claim::Theirs(other) = mirror.claim(&request.idea, &request.recipe.content_type, run).await
    {
        return Err(Refusal::inconclusive(format!(
            "run {other} of {} goes on on another machine; go on there, or wait until it has ended",
            request.subject()
        )));
    }
    let job = ContentJob { run, project, artifact, request, draft, cast };
    let owner = Owner::register(&store)?;
    let guard = crate::reaper::post();
    let mut progress = Progress::new(output);
    let interrupt = CancellationToken::new();
    let driven = {
        let mut observer = observer(&mut progress);
        tokio::select! {
            state = run_content(&store, &owner, job, &mut observer, interrupt.clone()) => state.map(Some),
            () = pass_on_signals(interrupt.clone()) => Ok(None),
        }
    };
    progress.end();
    drop(guard);
    let state = match driven? {
        Some(state) => state,
        None => store.state::<ContentState>(run).await?,
    };
    let code = say(&store, run, &state, &args.show, output).await?;
    settled(mirror).await;
    store.close().await.ok();
    Ok(code)
}

/// What is asked for.
fn request(args: &ContentRunArgs, evidence: EvidenceMode) -> Result<ContentRequest, Refusal> {
    let advisors = registry::advisors()?.registry;
    let mut recipe = registry::recipe(&args.recipe, &advisors)?.recipe;
    if let Some(most) = args.max_rounds {
        recipe.max_revision_rounds = most;
    }
    let idea = idea_id(&args.idea).map_err(|error| Refusal::usage(error.to_string()))?;
    let foundation: Foundation =
        read_foundation(&args.idea).map_err(|error| Refusal::usage(error.to_string()))?;
    let agent: AgentId = args.agent.parse().map_err(|error| Refusal::usage(format!("--agent: {error}")))?;
    let agent = (agent != AgentId::house()).then_some(agent);
    if agent.is_none() && args.model.is_some() {
        return Err(Refusal::usage("--model does not go with the house, which measures and has no model"));
    }
    Ok(ContentRequest {
        idea,
        publish: recipe.publish && !args.no_publish,
        recipe,
        advisors: advisors.advisors().to_vec(),
        foundation,
        topic: args.topic.clone(),
        agent,
        model: args.model.clone(),
        remote: args.remote.clone(),
        base_url: args.base_url.clone(),
        evidence,
        concurrency: args.concurrency,
        call_seconds: args.call_timeout,
        retries: args.retries,
        max_cost_usd: args.max_cost,
        max_tokens: args.max_tokens,
    })
}
