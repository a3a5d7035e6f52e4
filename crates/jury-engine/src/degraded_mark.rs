//! Agents that are marked as unable to run a jury. Whoever asks for a run, such an agent is not started as a panel.

use jury_core::id::AgentId;
use jury_store::{DegradedMark, Store, StoreError};

/// Why this agent is not asked to play the panel now, if it is not.
pub(crate) async fn refusal(store: &Store, agent: &AgentId) -> Result<Option<String>, StoreError> {
    let marks = store.degraded(jiff::Timestamp::now()).await?;
    Ok(marks.iter().find(|mark| mark.agent == *agent).map(detail))
}

fn detail(mark: &DegradedMark) -> String {
    let DegradedMark { agent, until, reason } = mark;
    let until = until.strftime("%Y-%m-%d %H:%M");
    format!(
        "{agent} is marked critique:degraded until {until} UTC ({reason}); use another --agent, test it again with \
         'jury agents test {agent}', or take the mark away with 'jury agents clear-degraded {agent}'"
    )
}
