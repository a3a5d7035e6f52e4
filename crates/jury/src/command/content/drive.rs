//! Driving a run of the content pipeline from here: who is asked, what is shown, and how it is said in the end.

use std::path::Path;
use std::time::Duration;

use jury_core::content::{ContentRequest, ContentState, Form};
use jury_core::id::RunId;
use jury_core::record::Record;
use jury_core::unit::Bytes;
use jury_core::workflow::WorkflowState as _;
use jury_engine::EngineError;
use jury_engine::content::PersonsDraft;
use jury_store::{Mirror, MirrorAddress, MirrorState, Store, StoreError};

use crate::cli::ShowArgs;
use crate::document;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::content::ContentCase;
use crate::render::{Progress, print, printable, took};

/// How long the Redis has to take what is left for it.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A person's draft in this file, in the form that the recipe asks for.
pub(super) fn draft(file: &Path, form: Form) -> Result<PersonsDraft, Refusal> {
    let largest = Bytes(jury_core::content::draft::LARGEST_DRAFT as u64);
    let given = document::read(file, "draft", largest, "shorten it")?;
    let (draft, remarks) = jury_text::content::read::draft(&given.bytes, form)
        .map_err(|error| Refusal::usage(format!("{}: {error}", given.shown)))?;
    Ok(PersonsDraft {
        draft,
        remarks: remarks.iter().map(|remark| format!("line {}: {}", remark.line, remark.what)).collect(),
    })
}

/// Mirrors runs to a Redis while this program drives one, where there is to be one.
pub(super) fn mirrored(store: &Store, address: Option<MirrorAddress>, output: Output) -> Option<Mirror> {
    let address = address?;
    let shown = address.to_string();
    let herald = Box::new(move |state: &MirrorState| match state {
        MirrorState::Gone { why } => output.note(&format!(
            "the Redis at {shown} is gone ({}); the run goes on, and it gets what it misses",
            printable(why, 160)
        )),
        MirrorState::Reachable | MirrorState::Connecting => {
            output.note(&format!("the Redis at {shown} is back and has everything"));
        }
    });
    Some(Mirror::start(store.clone(), address, herald))
}

/// Gives the Redis a moment to take what is left for it.
pub(super) async fn settled(mirror: Option<Mirror>) {
    if let Some(mirror) = mirror {
        mirror.settle(LAST_WORDS).await;
    }
}

/// Shows what is appended.
pub(super) fn observer(progress: &mut Progress) -> impl FnMut(&[Record]) + Send + '_ {
    |records: &[Record]| progress.show(records)
}

/// Says how a run stands, and gives its exit code.
pub(super) async fn say(
    store: &Store,
    run: RunId,
    state: &ContentState,
    show: &ShowArgs,
    output: Output,
) -> Result<u8, Refusal> {
    let case = ContentCase { run, state, took: took(&store.records(run).await?) };
    let gate = Gate::read(&show.gate)?;
    let printed = print(&case, &gate, show.format(), output)?;
    Output::result(&printed.text);
    Ok(printed.code)
}

/// The run of this name, which has to be one of the content pipeline.
pub(super) async fn find(store: &Store, named: &str) -> Result<RunId, Refusal> {
    let run = store.find_run(named).await?;
    let row = store.run(run).await?.ok_or_else(|| StoreError::NoSuchRun(run.to_string()))?;
    if row.workflow != ContentState::WORKFLOW {
        return Err(Refusal::usage(format!(
            "run {run} is one of the {}, not of the content pipeline; see 'jury runs'",
            row.workflow
        )));
    }
    Ok(run)
}

/// What was asked of a run.
pub(super) async fn request(store: &Store, run: RunId) -> Result<ContentRequest, Refusal> {
    let request = store.request::<ContentState>(run).await.map_err(EngineError::from)?;
    request.ok_or_else(|| {
        Refusal::usage(format!("run {run} does not say what was asked of it, and cannot be taken up again"))
    })
}
