//! `jury judge --drain`: works off what the throttle held back.

use jury_core::id::RunId;
use jury_core::judge::{JudgeRequest, JudgeState, JudgeStatus};
use jury_core::run::{OutcomeWord as _, RunState};
use jury_core::workflow::WorkflowState as _;
use jury_engine::judge::Clock;
use jury_store::RunFilter;

use super::cast::flags;
use super::drive::{JudgeSession, Taken};
use super::gather::Asked;
use super::task::kept_settings;
use crate::cli::{Global, JudgeArgs};
use crate::output::Output;
use crate::refusal::Refusal;
use crate::settings;

/// The most that is worked off in one call.
const MOST_RUNS: u32 = 10_000;

pub(super) async fn drain(
    args: &JudgeArgs,
    clock: Clock,
    global: &Global,
    output: Output,
) -> Result<u8, Refusal> {
    let session = JudgeSession::open(&args.project, args, clock, global, output).await?;
    let filter = RunFilter {
        workflow: Some(JudgeState::WORKFLOW),
        state: Some(RunState::Queued),
        limit: Some(MOST_RUNS),
        ..RunFilter::default()
    };
    let (_, given) = settings::judge(flags(args))?;
    let mut waiting = session.store().runs(&filter).await?;
    // The one that waits longest is first.
    waiting.reverse();
    let mut worst = 0;
    let mut worked = 0_u32;
    for row in waiting.into_iter().filter(|row| row.owner.is_none()) {
        let Some(mut request) = session.store().request::<JudgeState>(row.run).await? else { continue };
        // Who may be asked and how often is up to whoever pays now, if they say anything about it.
        let bounds = ["JUDGE_PER_HOUR", "JUDGE_DAILY_BUDGET"];
        let said = bounds.iter().filter_map(|name| given.get_key_value(*name));
        request.settings.extend(said.map(|(name, value)| (name.clone(), value.clone())));
        if session.store().state::<JudgeState>(row.run).await?.status() == JudgeStatus::Disputed {
            continue;
        }
        match Box::pin(take_up(&session, row.run, request)).await {
            Ok(Some(Taken { standing, code })) => {
                worked += 1;
                worst = worst.max(code);
                // Nobody behind one that is held back gets in before it does. One that waits for a person holds back nobody.
                if matches!(standing, JudgeStatus::Interrupted | JudgeStatus::Throttled) {
                    break;
                }
            }
            Ok(None) => {}
            // It stays in the queue: what is wrong with the settings can be put right.
            Err(refusal) => {
                worked += 1;
                worst = worst.max(JudgeStatus::Inconclusive.exit_code());
                output.note(&format!("run {} still waits: {}", row.run, refusal.message));
            }
        }
    }
    if worked == 0 {
        output.progress("nothing waits");
    }
    session.close().await;
    Ok(worst)
}

async fn take_up(
    session: &JudgeSession<'_>,
    run: RunId,
    request: JudgeRequest,
) -> Result<Option<Taken>, Refusal> {
    let (own, mode) = kept_settings(&request)?;
    session.resume(run, &Asked { request }, &own, mode).await
}
