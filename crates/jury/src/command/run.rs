//! `jury run`: a page in, a verdict out.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jury_agents::AGENT_GRACE;
use jury_agents::api::Budget;
use jury_agents::prompt::{Ask, Material};
use jury_core::enablement::SkillPolicy;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId, SkillId};
use jury_core::record::Record;
use jury_core::request::RunRequest;
use jury_core::run::OutcomeKind;
use jury_core::settings::LowBar;
use jury_core::skill::Skill;
use jury_core::theater::TheaterSetup;
use jury_engine::{EngineError, Measuring, Panel, SKILLS, TheaterJob, load_skill};
use jury_house::Beside;
use jury_store::{Owner, Store};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{house, page, report};
use crate::agent::{self, Task, Wanted};
use crate::beside;
use crate::cli::{Format, Global, RunArgs};
use crate::document;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::{PanelCase, Progress, ReportCase, case, print};
use crate::settings;

pub(crate) async fn run(args: RunArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let low_bar = if args.force { LowBar::Forced } else { LowBar::Refused };
    let settings = settings::load_with(flags(&args), low_bar, &args.seat)?;
    let gate = Gate::read(&args.gate)?;
    let agent: AgentId = args.agent.parse().map_err(|error| Refusal::usage(format!("--agent: {error}")))?;
    let project: ProjectId =
        args.project.parse().map_err(|error| Refusal::usage(format!("--project: {error}")))?;
    let page = args.file.as_deref().map(|path| page::read(path, &settings.critique, output)).transpose()?;
    let design = args.design.as_deref().map(document::read_design).transpose()?;
    let skill = args.skill.as_deref().map(|name| read_skill(name, output)).transpose()?;
    if page.is_none() && args.brief.is_none() {
        return Err(Refusal::usage("nothing to review; name a page, such as 'jury run page.html'"));
    }
    if let Some(out) = &args.out {
        document::check_out(out)?;
    }
    if let Some(root) = args.root.as_deref() {
        document::check_root(root)?;
    }
    // What stands on stdin lies in no folder but the one that is named.
    let place = match (args.file.as_deref(), args.root.as_deref()) {
        (Some(path), Some(root)) if document::is_stdin(path) => Some(root.join(path)),
        (Some(path), None) if document::is_stdin(path) => None,
        (path, _) => path.map(Path::to_owned),
    };
    let mut beside = match (&place, &page) {
        (Some(place), Some(page)) => beside::read(place, &page.text, args.root.as_deref()),
        _ => Beside::nothing(),
    };
    if let Some(design) = &args.design {
        beside::read_tokens(design, &mut beside);
    }
    let scratch = std::env::temp_dir();
    let task = Task {
        wanted: Wanted::Page(
            Ask::Panel,
            Material {
                skill: skill.as_ref().map(|skill| skill.prompt.as_str()),
                page: page.as_ref().map(|page| page.text.as_str()),
                brief: args.brief.as_deref(),
                design: design.as_deref(),
            },
        ),
        model: args.model.as_deref(),
        budget: budget(args.max_cost, args.max_tokens)?,
        scratch: &scratch,
        beside: Some(&beside),
        temperature: None,
    };
    let player = agent::find(&agent, &settings, &task)?;
    let legacy = agent::find_for_page(&agent, &settings, &task)?;

    let mut measuring = Measuring::with(house::measure_elsewhere).beside(beside);
    if let Some(place) = &place {
        measuring = measuring.among(Arc::new(beside::lookup(place, args.root.as_deref())));
    }

    let store = super::open_to_write(global, output).await?;
    let owner = Owner::register(&store)?;
    let request = RunRequest {
        agent: Some(agent.clone()),
        model: args.model.clone(),
        title: page.as_ref().map(|page| page.title.clone()),
        page: page.as_ref().map(|page| page.text.clone()),
        brief: args.brief.clone(),
        design: design.clone(),
        skill: args.skill.as_deref().and_then(|skill| skill.parse().ok()),
        critique: Some(true),
        threshold: Some(settings.critique.score_threshold),
        // It was taken here, so it is when the run is asked for again.
        force: settings.critique.score_threshold.is_low(settings.critique.score_scale).then_some(true),
        max_rounds: Some(settings.critique.max_rounds),
        fallback_policy: Some(settings.critique.fallback_policy),
        max_cost_usd: args.max_cost,
        max_tokens: args.max_tokens,
    };
    let title = page.as_ref().map(|page| page.title.clone()).or_else(|| args.brief.clone());
    let job = TheaterJob {
        run: RunId(Uuid::now_v7()),
        subject: TheaterSetup { project, artifact: ArtifactId(Uuid::now_v7()), agent },
        title: title.unwrap_or_default(),
        config: settings.critique,
        request: Some(request),
        agent: player,
        // Whoever asks for a run by hand asks for its panel.
        panel: Panel::Sits,
        legacy,
        grace: AGENT_GRACE,
        measuring,
    };
    let run = job.run;
    // The house looks after itself.
    let guard = (job.subject.agent != AgentId::house()).then(crate::reaper::post);
    let mut progress = Progress::new(output);
    let mut observer = |records: &[Record]| progress.show(records);
    let interrupt = CancellationToken::new();
    tokio::select! {
        board = jury_engine::run(&store, &owner, job, &mut observer, interrupt.clone()) => drop(board?),
        // Never returns: it only passes the wish to stop on.
        () = pass_on_signals(interrupt.clone()) => return Ok(INTERRUPTED),
    }
    progress.end();
    drop(guard);
    let records = store.records(run).await.map_err(EngineError::from)?;
    let mut case = case(&records, store.dir());
    case.file = args.file.as_ref().map(|path| path.display().to_string());
    case.input = page.as_ref().map(|page| jury_core::artifact::Digest::of(page.text.as_bytes()));
    if let Some(out) = &args.out {
        write_out(&store, &mut case, out).await?;
    }
    let mut printed = print(&PanelCase { case: &case, dir: store.dir() }, &gate, args.format, output)?;
    // The theater's own report knows of no gate.
    if args.format == Format::Html && printed.as_the_run_ended {
        // The theater's own report plays the run again.
        printed.text = report::as_html(&store, &case, &records).await?;
    }
    Output::result(&printed.text);
    // The verdict is out and on disk; a store that does not close tidily cannot change it.
    store.close().await.ok();
    Ok(printed.code)
}

/// The exit code of what was interrupted.
pub(super) const INTERRUPTED: u8 = OutcomeKind::Interrupted.exit_code();

fn flags(args: &RunArgs) -> BTreeMap<&'static str, String> {
    [
        ("OD_CRITIQUE_SCORE_THRESHOLD", &args.threshold),
        ("OD_CRITIQUE_MAX_ROUNDS", &args.max_rounds),
        ("OD_CRITIQUE_FALLBACK_POLICY", &args.fallback),
        ("OD_CRITIQUE_EVIDENCE", &args.evidence),
        ("OD_CRITIQUE_ROUND_TIMEOUT_MS", &args.round_timeout_ms),
        ("OD_CRITIQUE_TOTAL_TIMEOUT_MS", &args.total_timeout_ms),
        ("JURY_RUN_TIMEOUT_MS", &args.run_timeout_ms),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.clone().map(|value| (name, value)))
    .collect()
}

/// The most that the run may cost, if it has a bound.
pub(super) fn budget(max_cost: Option<f64>, max_tokens: Option<u64>) -> Result<Option<Budget>, Refusal> {
    if max_cost.is_some_and(|cost| !cost.is_finite() || cost <= 0.0) {
        return Err(Refusal::usage("--max-cost must be an amount in US dollars above 0, such as 0.50"));
    }
    let bounded = max_cost.is_some() || max_tokens.is_some();
    Ok(bounded.then(|| Budget::new(max_cost, max_tokens)))
}

/// Reads a skill by its name. One that opts out of the panel is told that it has it all the same.
fn read_skill(name: &str, output: Output) -> Result<Skill, Refusal> {
    let id: SkillId = name.parse().map_err(|error| Refusal::usage(format!("--skill: {error}")))?;
    let skill =
        load_skill(Path::new(SKILLS), &id).map_err(|error| Refusal::usage(format!("--skill: {error}")))?;
    if skill.policy == Some(SkillPolicy::OptOut) {
        output.note(&format!(
            "the skill {id} opts out of the panel; a run that is asked for by hand has one all the same"
        ));
    }
    Ok(skill)
}

async fn write_out(store: &Store, case: &mut ReportCase, out: &Path) -> Result<(), Refusal> {
    if case.artifact.is_none() {
        return Ok(());
    }
    let Some(body) = store.read_final(case.artifact_id).await.map_err(EngineError::from)? else {
        return Ok(());
    };
    document::write_out(out, &body)?;
    case.artifact = Some(out.display().to_string());
    Ok(())
}

/// Turns Ctrl-C and TERM into an interrupt of the run, which then ends by itself. Never returns.
pub(super) async fn pass_on_signals(interrupt: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut int), Ok(mut term)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        std::future::pending::<()>().await;
        return;
    };
    loop {
        tokio::select! {
            _ = int.recv() => {}
            _ = term.recv() => {}
        }
        interrupt.cancel();
    }
}
