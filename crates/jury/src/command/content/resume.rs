//! `jury content resume` and `jury content abandon`: going on with a run, and giving one up.

use std::collections::BTreeMap;

use jury_core::content::{ContentState, ContentStatus};
use jury_core::record::Record;
use jury_core::run::OutcomeWord as _;
use jury_engine::content::site::Publishing;
use jury_engine::content::{abandon_content, resume_content};
use jury_store::Owner;
use tokio_util::sync::CancellationToken;

use super::drive::{draft, find, mirrored, observer, request, say, settled};
use crate::cli::{ContentAbandonArgs, ContentResumeArgs, Global};
use crate::command::content_cast;
use crate::command::run::pass_on_signals;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::Progress;
use crate::settings;

pub(super) async fn resume(args: ContentResumeArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let settings = settings::load(BTreeMap::new())?;
    let address = settings::mirror()?;
    let store = crate::command::open_to_write(global, output).await?;
    let run = find(&store, &args.run).await?;
    let request = request(&store, run).await?;
    let before = store.state::<ContentState>(run).await?;
    if before.status().is_end() {
        return Err(Refusal::usage(format!(
            "run {run} has ended ({}); begin another with 'jury content run'",
            before.status()
        )));
    }
    if before.status() == ContentStatus::NeedsHuman && args.draft.is_none() {
        return Err(Refusal::usage(format!(
            "run {run} waits for a person's draft; edit 'jury content draft {run}' and hand it in with --draft FILE"
        )));
    }
    let draft = args.draft.as_deref().map(|file| draft(file, request.recipe.form)).transpose()?;
    let cast = content_cast(&request, &settings, Publishing::default())?;
    let mirror = mirrored(&store, address, output);
    let owner = Owner::register(&store)?;
    let guard = crate::reaper::post();
    let mut progress = Progress::new(output);
    let interrupt = CancellationToken::new();
    let driven = {
        let mut observer = observer(&mut progress);
        tokio::select! {
            state = resume_content(&store, &owner, run, draft, cast, &mut observer, interrupt.clone()) => {
                state.map(Some)
            }
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

pub(super) async fn abandon(
    args: ContentAbandonArgs,
    global: &Global,
    output: Output,
) -> Result<u8, Refusal> {
    let address = settings::mirror()?;
    let store = crate::command::open_to_write(global, output).await?;
    let run = find(&store, &args.run).await?;
    let mirror = mirrored(&store, address, output);
    let owner = Owner::register(&store)?;
    abandon_content(&store, &owner, run, &args.reason, &mut |_: &[Record]| {}).await?;
    Output::result(&format!("run {run} is given up"));
    settled(mirror).await;
    store.close().await.ok();
    Ok(0)
}
