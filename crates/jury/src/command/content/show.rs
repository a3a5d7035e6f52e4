//! `jury content status`, `draft` and `brief`: how a run stands, and what it has come to so far.

use jury_core::artifact::Digest;
use jury_core::content::{ContentState, Draft};
use jury_core::unit::Round;

use super::drive::{find, say};
use crate::cli::{ContentBriefArgs, ContentDraftArgs, ContentStatusArgs, Global};
use crate::output::Output;
use crate::refusal::Refusal;

/// How a run stands. It gates as the run itself does.
pub(super) async fn status(args: ContentStatusArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = crate::command::open_to_read(global).await?;
    let run = find(&store, &args.run).await?;
    let state = store.state::<ContentState>(run).await?;
    say(&store, run, &state, &args.show, output).await
}

/// A draft.
pub(super) async fn draft(args: ContentDraftArgs, global: &Global) -> Result<u8, Refusal> {
    let store = crate::command::open_to_read(global).await?;
    let run = find(&store, &args.run).await?;
    let state = store.state::<ContentState>(run).await?;
    let wanted = args.round.map(Round).or_else(|| {
        let kept = state.saved.as_ref().map(|saved| saved.round);
        kept.or(state.rounds.last().map(|round| round.round))
    });
    let Some(round) = wanted.and_then(|round| state.round(round)) else {
        return Err(no_such_round(&state, args.round, "draft"));
    };
    let row = store.run(run).await?;
    let body = match row {
        Some(row) => store.read_round(row.artifact, round.round).await?,
        None => None,
    };
    let gone = || Refusal::inconclusive(format!("the draft of round {} of run {run} is gone", round.round));
    let body = body.ok_or_else(gone)?;
    if Digest::of(&body) != round.draft.sha256 {
        return Err(Refusal::inconclusive(format!(
            "the draft of round {} of run {run} was changed on disk; restore it from a backup",
            round.round
        )));
    }
    let text = if args.raw {
        String::from_utf8_lossy(&body).into_owned()
    } else {
        Draft::read(&body, &round.draft.mime).ok_or_else(gone)?.markdown()
    };
    Output::file(&text);
    Ok(0)
}

/// A brief.
pub(super) async fn brief(args: ContentBriefArgs, global: &Global) -> Result<u8, Refusal> {
    let store = crate::command::open_to_read(global).await?;
    let run = find(&store, &args.run).await?;
    let state = store.state::<ContentState>(run).await?;
    let brief = match args.round {
        Some(number) => state.brief(Round(number)),
        None => state.rounds.iter().rev().find_map(|round| state.brief(round.round)),
    };
    let Some(brief) = brief else { return Err(no_such_round(&state, args.round, "brief")) };
    if brief.is_empty() {
        Output::result("nothing is to be mended");
    } else {
        Output::result(brief.text().trim_end());
    }
    Ok(0)
}

fn no_such_round(state: &ContentState, asked: Option<u32>, what: &str) -> Refusal {
    Refusal::usage(match asked {
        Some(number) => {
            let rounds = jury_core::line::counted(state.rounds.len(), "round", "rounds");
            format!("there is no {what} of round {number}; the run has {rounds}")
        }
        None => format!("there is no {what} yet"),
    })
}
