//! Driving a run of the content pipeline from here: who is asked, what is shown, and how it is said in the end.

use std::path::Path;

use jury_agents::prompt::ContentTemplate;
use jury_core::content::{ContentRequest, Form, PipelineProgress, Studio};
use jury_core::id::RunId;
use jury_core::record::Record;
use jury_core::unit::Bytes;
use jury_engine::EngineError;
use jury_engine::content::site::{Publishing, publish_with};
use jury_engine::content::{ContentDesk, PersonsDraft};
use jury_store::{Store, StoreError};
use serde_json::json;

use super::pretty;
use crate::agent;
use crate::command::run::budget;
use crate::document;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::Progress;
use crate::render::content::human;
use crate::settings::Settings;

/// Who does the steps of a run.
pub(in crate::command) fn desk(
    request: &ContentRequest,
    settings: &Settings,
) -> Result<ContentDesk, Refusal> {
    let budget = budget(request.max_cost_usd, request.max_tokens)?;
    let mut desk = match &request.agent {
        Some(id) => {
            let ask = agent::find_for_prompts(id, settings, request.model.as_deref(), budget)?;
            ContentDesk::with_agent(ask)
        }
        None => ContentDesk::offline(),
    };
    desk.prompts = ContentTemplate::load(Path::new(agent::PROMPTS))
        .map_err(|error| Refusal::usage(error.to_string()))?;
    // A release is shown on this machine for as long as it is compared: no daemon is needed for that.
    Ok(desk.publishing(publish_with(Publishing::default())))
}

/// A person's draft in this file, in the form that the recipe asks for.
pub(super) fn draft(file: &Path, form: Form) -> Result<PersonsDraft, Refusal> {
    let largest = Bytes(jury_core::content::draft::LARGEST_DRAFT as u64);
    let given = document::read(file, "draft", largest, "shorten it")?;
    let (draft, remarks) = jury_house::content::read::draft(&given.bytes, form)
        .map_err(|error| Refusal::usage(format!("{}: {error}", given.shown)))?;
    Ok(PersonsDraft {
        draft,
        remarks: remarks.iter().map(|remark| format!("line {}: {}", remark.line, remark.what)).collect(),
    })
}

/// Shows what is appended.
pub(super) fn observer(progress: &mut Progress) -> impl FnMut(&[Record]) + Send + '_ {
    |records: &[Record]| progress.show(records)
}

/// Says how a run stands, and gives its exit code.
pub(super) fn say(run: RunId, studio: &Studio, as_json: bool, output: Output) -> u8 {
    if as_json {
        Output::result(&pretty(&document(run, studio)));
    } else {
        Output::result(&human::verdict(run, studio, output));
    }
    studio.standing().exit_code()
}

/// What programs get to read: the progress, with which run it is and how it stands.
pub(super) fn document(run: RunId, studio: &Studio) -> serde_json::Value {
    let progress = PipelineProgress::of(studio).and_then(|progress| serde_json::to_value(progress).ok());
    let mut document = progress.unwrap_or_else(|| json!({}));
    if let Some(fields) = document.as_object_mut() {
        fields.insert("runId".to_owned(), json!(run));
        fields.insert("standing".to_owned(), json!(studio.standing()));
        if let Some(started) = &studio.started {
            fields.insert("ideaId".to_owned(), json!(started.idea_id));
        }
    }
    document
}

/// The run of this name, which has to be one of the content pipeline.
pub(super) async fn find(store: &Store, named: &str) -> Result<RunId, Refusal> {
    let run = store.find_run(named).await?;
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    if row.workflow != jury_core::workflow::Workflow::Content {
        return Err(Refusal::usage(format!(
            "run {run} is one of the {}, not of the content pipeline; see 'jury runs'",
            row.workflow
        )));
    }
    Ok(run)
}

/// What was asked of a run.
pub(super) async fn request(store: &Store, run: RunId) -> Result<ContentRequest, Refusal> {
    let request = store.content_request(run).await.map_err(EngineError::from)?;
    request.ok_or_else(|| {
        Refusal::usage(format!("run {run} does not say what was asked of it, and cannot be taken up again"))
    })
}
