//! The judge for whoever collects feedback: it never stops a collector. What goes wrong is one line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::judge::settings::{JudgeCall, JudgeMode, JudgeSettings};
use jury_core::judge::{JudgeRequest, Judgement, Redispatch, RunRecord};
use jury_core::run::RunState;
use jury_engine::judge::{Clock, JudgeJob, JudgeTask, run_judge};
use jury_learning::files::LearningPaths;
use jury_learning::files::judgement::KeptJudgement;
use jury_learning::files::redispatch::keep_judgement;
use jury_store::{Owner, Store};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::cast::cast;
use super::gather::Asked;
use crate::cli::{ColorChoice, Global};
use crate::output::Output;
use crate::refusal::Refusal;

/// Judges a run that is being collected, if that can be done now. What has to wait for the throttle waits in the queue.
pub(crate) fn for_collect(
    path: &Path,
    record: &RunRecord,
    places: &LearningPaths,
    (own, given): (&JudgeSettings, &BTreeMap<String, String>),
    now: Timestamp,
    output: Output,
) -> Option<Judgement> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let judged = match runtime {
        Ok(runtime) => runtime.block_on(judged(path, places, (own, given), now)),
        Err(error) => Err(Refusal::inconclusive(format!("cannot start: {error}"))),
    };
    match judged {
        Ok(Judged::Done(judgement)) => Some(*judgement),
        Ok(Judged::Not(why)) => {
            output.note(&format!("{}: {why}; collected without a judgement", record.bead));
            None
        }
        Err(refusal) => {
            output.note(&format!("{}: {}; collected without a judgement", record.bead, refusal.message));
            None
        }
    }
}

enum Judged {
    Done(Box<Judgement>),
    Not(String),
}

async fn judged(
    path: &Path,
    places: &LearningPaths,
    (own, given): (&JudgeSettings, &BTreeMap<String, String>),
    now: Timestamp,
) -> Result<Judged, Refusal> {
    let global = global();
    let mode = own.mode_of(JudgeCall::Plain);
    let asked = Asked { request: request(path, places, own, given.clone(), mode)? };
    let case = asked.gather(own, &global.data_dir, &CancellationToken::new()).await?;
    if mode == JudgeMode::Heuristic {
        return offline(&case, places, now);
    }
    let cast = cast(own, mode, &places.judgements, places.workspace.clone())?;
    let store = Store::open(&global.data_dir).await?;
    let owner = Owner::register(&store)?;
    let clock = Clock::fixed(now);
    let task = JudgeTask { case, cast, wait: false, force: false, clock };
    let project = "default".parse().map_err(|error| Refusal::usage(format!("{error}")))?;
    let run = jury_core::id::RunId(Uuid::now_v7());
    let artifact = jury_core::id::ArtifactId(Uuid::now_v7());
    let job = JudgeJob { run, project, artifact, request: asked.request, task };
    let nobody = &mut |_: &[jury_core::record::Record]| {};
    let state = run_judge(&store, &owner, job, nobody, CancellationToken::new()).await?;
    let waits = store.run(run).await?.is_some_and(|row| row.state != RunState::Ended);
    store.close().await.ok();
    Ok(match state.judgement() {
        Some(judgement) => Judged::Done(Box::new(judgement.clone())),
        None if waits => Judged::Not(format!("the judge is {} (run {run})", state.status())),
        None => Judged::Not(format!("the judge ended {} (run {run})", state.status())),
    })
}

/// Without a model there is nothing to wait for and nobody to ask: it is its file, and no run is kept of it.
fn offline(
    case: &jury_engine::judge::GatheredCase,
    paths: &LearningPaths,
    now: Timestamp,
) -> Result<Judged, Refusal> {
    let answer = match case.offline() {
        Ok(answer) => answer,
        Err(why) => return Ok(Judged::Not(why)),
    };
    let mode = JudgeMode::Heuristic;
    let judgement = answer.judgement(case.record.bead.clone(), case.stamp(mode.as_str()), now);
    let kept = KeptJudgement {
        judgement: judgement.clone(),
        template: case.record.template.clone(),
        mode: mode.to_string(),
        run: None,
        // As in a run of this mode: who counts has looked at more than who can only read so much.
        coverage: Some(case.searched.unwrap_or_default()),
        cost: None,
    };
    keep_judgement(&paths.judgements, &kept, Redispatch::of(&judgement).as_ref(), now)?;
    Ok(Judged::Done(Box::new(judgement)))
}

/// What is asked, with everything that was given, wherever it was: whoever takes the run up later judges as was asked here.
fn request(
    place: &Path,
    paths: &LearningPaths,
    own: &JudgeSettings,
    mut given: BTreeMap<String, String>,
    mode: JudgeMode,
) -> Result<JudgeRequest, Refusal> {
    given.insert("JUDGE_MODE".to_owned(), mode.to_string());
    let (path, bytes) = super::gather::read_record(place, paths)?;
    let record = String::from_utf8(bytes)
        .map_err(|_| Refusal::usage(format!("{} is not UTF-8; convert it first", place.display())))?;
    let text = |path: &Path| -> Result<String, Refusal> {
        let whole = std::path::absolute(path)
            .map_err(|error| Refusal::usage(format!("cannot tell where {} is: {error}", path.display())))?;
        let text = whole.to_str().map(ToOwned::to_owned);
        text.ok_or_else(|| Refusal::usage(format!("the path {} is not UTF-8", path.display())))
    };
    let root = own.repo_root.as_ref().map_or_else(|| paths.workspace.clone(), PathBuf::from);
    Ok(JudgeRequest {
        file: text(&path)?,
        record,
        settings: given,
        workspace: text(&paths.workspace)?,
        root: text(&root)?,
        judgements: text(&paths.judgements)?,
        ..JudgeRequest::default()
    })
}

/// A collector has no options of ours: runs are kept where the variable says.
fn global() -> Global {
    let data_dir = std::env::var_os("OD_DATA_DIR").filter(|dir| !dir.is_empty());
    Global {
        data_dir: data_dir.map_or_else(|| PathBuf::from(".od"), PathBuf::from),
        quiet: true,
        verbose: false,
        color: ColorChoice::Never,
    }
}
