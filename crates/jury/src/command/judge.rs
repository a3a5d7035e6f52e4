//! `jury judge`: finished runs of coding agents, judged by what they changed.

mod cast;
mod collect;
mod decide;
mod drain;
mod drive;
mod gather;
mod older;
mod rejoin;
mod task;

pub(super) use collect::for_collect;
pub(super) use decide::settle_here;
pub(super) use task::task;

use jury_core::judge::settings::JudgeMode;
use jury_engine::judge::Clock;
use jury_learning::files::LearningPaths;
use tokio_util::sync::CancellationToken;

use crate::cli::{Format, Global, JudgeArgs};
use crate::clock;
use crate::command::run::INTERRUPTED;
use crate::output::Output;
use crate::refusal::{NOT_DONE, Refusal, USAGE};
use crate::settings;
use cast::{flags, mode_of};
use drive::JudgeSession;
use gather::Asked;

pub(crate) async fn judge(args: JudgeArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let older = args.format == Format::Opus;
    Box::pin(judged(args, global, output)).await.map_err(|refusal| match refusal.code {
        // Whoever wants the shape of the older judge knows its exit codes.
        USAGE if older => Refusal { code: NOT_DONE, ..refusal },
        _ => refusal,
    })
}

async fn judged(args: JudgeArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let clock = if std::env::var_os("JURY_NOW").is_some_and(|text| !text.is_empty()) {
        Clock::fixed(now)
    } else {
        Clock::system()
    };
    if args.drain {
        return Box::pin(drain::drain(&args, clock, global, output)).await;
    }
    let (own, given) = settings::judge(flags(&args))?;
    let here = std::env::current_dir()
        .map_err(|error| Refusal::usage(format!("cannot tell the working directory: {error}")))?;
    let places = LearningPaths::read(|name| std::env::var_os(name), &here);
    let mode = mode_of(&own, &args);
    if args.format == Format::Opus && mode == JudgeMode::Heuristic && !args.context {
        return older::older(&args, (&places, &here), (&own, given), now, global, output).await;
    }
    let several = args.records.len() > 1;
    // JSON is one document for each line.
    if several && args.format != Format::Json && args.format.is_one_document() {
        return Err(Refusal::usage(
            "several records go with --format human, json, markdown, github or opus; judge them one by one",
        ));
    }
    let mut asked = Vec::with_capacity(args.records.len());
    for record in &args.records {
        asked.push(Asked::new(record, &args, &places, &here, given.clone(), mode)?);
    }
    if args.context {
        for one in &asked {
            let case = one.gather(&own, &global.data_dir, &CancellationToken::new()).await?;
            Output::result(&case.prompt());
        }
        return Ok(0);
    }
    let court = JudgeSession::open(&args.project, &args, clock, global, output).await?;
    let mut worst = 0;
    for one in asked {
        let code = court.judge(one, &own, mode, several).await?;
        worst = worst.max(code);
        if code == INTERRUPTED {
            break;
        }
    }
    court.close().await;
    Ok(worst)
}
