//! How a run is judged that was asked for before, by whoever takes it up.

use std::path::Path;

use jury_core::judge::JudgeRequest;
use jury_core::judge::settings::{JudgeCall, JudgeMode, JudgeSettings};
use jury_engine::judge::{Clock, JudgeTask};
use tokio_util::sync::CancellationToken;

use super::drive::JudgeSession;
use super::gather::Asked;
use crate::refusal::Refusal;
use crate::settings;

/// The settings that were kept with a run, and how it is judged by them.
pub(super) fn kept_settings(request: &JudgeRequest) -> Result<(JudgeSettings, JudgeMode), Refusal> {
    let own = settings::judge_again(&request.settings)?;
    let mode = own.mode_of(JudgeCall::Plain);
    Ok((own, mode))
}

/// Gathers the case of a run and finds its judges.
pub(in crate::command) async fn task(request: &JudgeRequest, scratch: &Path) -> Result<JudgeTask, Refusal> {
    let (own, mode) = kept_settings(request)?;
    let asked = Asked { request: request.clone() };
    let cast = JudgeSession::cast(&asked, &own, mode)?;
    let case = asked.gather(&own, scratch, &CancellationToken::new()).await?;
    Ok(JudgeTask { case, cast, wait: false, force: request.force, clock: Clock::system() })
}
