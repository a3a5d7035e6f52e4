//! `jury agents`: who can play the panel, how well each did, and who is not asked for a while.

mod bench;
mod history;
mod list;
pub(super) mod nightly;
pub(super) mod seats;
mod test;
mod together;

use jury_core::id::AgentId;

use crate::cli::{AgentsArgs, AgentsCommand, Global};
use crate::output::Output;
use crate::refusal::Refusal;

pub(crate) async fn agents(args: AgentsArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    match args.command {
        AgentsCommand::List(args) => list::list(args, global, output).await,
        AgentsCommand::Test(args) => test::test(args, global, output).await,
        AgentsCommand::ClearDegraded(args) => clear(&args.agent, global, output).await,
    }
}

async fn clear(agent: &str, global: &Global, output: Output) -> Result<u8, Refusal> {
    let agent: AgentId = agent.parse().map_err(|error| Refusal::usage(format!("ID: {error}")))?;
    let store = super::open_to_write(global, output).await?;
    let was = store.clear_degraded(&agent).await?;
    store.close().await.ok();
    output.progress(&if was {
        format!("{agent} is not marked any more")
    } else {
        format!("{agent} was not marked; nothing to take away")
    });
    Ok(0)
}

/// A share as people read it.
fn percent(part: impl Into<u64>, whole: impl Into<u64>) -> String {
    let share = (part.into() * 100).checked_div(whole.into());
    share.map_or_else(|| "-".to_owned(), |share| format!("{share} %"))
}
