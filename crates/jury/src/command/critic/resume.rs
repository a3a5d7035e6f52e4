//! `jury critic resume`: a run that waited for answers, or that was cut off, goes on.

use jury_core::critic::{CriticState, CriticStatus};
use jury_core::decision::DecisionState;
use jury_core::run::{OutcomeWord as _, RunState};

use super::answer::somebody_is_there;
use super::drive::{Driver, answer_overdue, resume_here};
use super::show;
use crate::cli::{Global, ResumeArgs};
use crate::document;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::settings;

pub(super) async fn resume(args: ResumeArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    if let Some(out) = &args.keep.out {
        document::check_out(out)?;
    }
    let gate = Gate::read(&args.show.gate)?;
    let store = crate::command::open_to_existing(global, output).await?;
    let run = show::find(&store, &args.run).await?;
    answer_overdue(&store, output).await?;
    let settings = settings::load(std::collections::BTreeMap::new())?;
    let asks = !args.show.no_input && somebody_is_there();
    let driver = Driver { store: &store, settings: &settings, output, asks };
    let standing = store.state::<CriticState>(run).await?.status();
    if standing.is_end() && args.keep.is_asked() {
        // There is nothing to go on with, but the document is there.
        return driver.finish(run, &args.keep, &gate, args.show.format).await;
    }
    let state = store.run(run).await?.map_or(RunState::Ended, |row| row.state);
    // Whoever drove it is gone: it is in the queue, and nobody has to be asked.
    let cut_off = standing == CriticStatus::Running && state == RunState::Queued;
    if standing != CriticStatus::Escalated && !cut_off {
        let why = if state == RunState::Running { "goes on already" } else { "has ended" };
        return Err(Refusal::usage(format!(
            "run {run} {why}: it does not wait for anybody; 'jury critic show {run} --out FILE' writes its document"
        )));
    }
    let open = store.decisions(Some(DecisionState::Open), Some(run)).await?;
    let answered = open.is_empty() || (asks && driver.ask_all(run).await?);
    if !answered {
        return driver.finish(run, &args.keep, &gate, args.show.format).await;
    }
    let code = resume_here(&store, run, &args.keep, &gate, &args.show, output).await?;
    store.close().await.ok();
    Ok(code)
}
