//! `jury judge`: finished runs of coding agents, judged by what they changed.

mod bench;
mod collect;
mod decide;
mod drain;
mod drive;
mod gather;

pub(super) use collect::for_collect;
pub(super) use decide::settle_here;

use std::path::Path;

use jury_core::judge::settings::JudgeMode;
use jury_core::judge::{OpusJudgement, RunRecord};
use jury_engine::judge::Clock;
use jury_store::learning::Places;
use tokio_util::sync::CancellationToken;

use crate::cli::{Global, JudgeArgs, JudgeFormat};
use crate::clock;
use crate::command::run::INTERRUPTED;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::settings;
use bench::{flags, mode_of};
use drive::Court;
use gather::{Asked, read_record};

pub(crate) async fn judge(args: JudgeArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
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
    let places = Places::read(|name| std::env::var_os(name), &here);
    let mode = mode_of(&own, &args);
    if args.format == JudgeFormat::Opus && mode == JudgeMode::Heuristic && !args.context {
        return older(&args, &places, &own.model, now);
    }
    let mut asked = Vec::with_capacity(args.records.len());
    for record in &args.records {
        asked.push(Asked::new(record, &args, &places, &here, given.clone(), mode)?);
    }
    if args.context {
        for one in &asked {
            let case = one.gather(&own, global, &CancellationToken::new()).await?;
            Output::result(&case.prompt());
        }
        return Ok(0);
    }
    let court = Court::open(&args.project, &args, clock, global, output).await?;
    let several = asked.len() > 1;
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

/// The judge that this one replaces: the checks of the record in other words, on stdout and nowhere else.
fn older(args: &JudgeArgs, places: &Places, model: &str, now: jiff::Timestamp) -> Result<u8, Refusal> {
    for file in &args.records {
        let (_, bytes) = read_record(file, places)?;
        let Some(record) = finished(file, &bytes)? else { continue };
        let judgement = OpusJudgement::heuristic(&record, model, now);
        Output::result(&serde_json::to_string_pretty(&judgement).unwrap_or_default());
    }
    Ok(0)
}

/// The run in a record; none while it goes on.
fn finished(file: &Path, bytes: &[u8]) -> Result<Option<RunRecord>, Refusal> {
    match RunRecord::read(bytes) {
        Ok(jury_core::judge::Reading::Finished(record)) => Ok(Some(*record)),
        Ok(jury_core::judge::Reading::Running) => Ok(None),
        Err(error) => Err(Refusal::usage(format!("{}: {error}", file.display()))),
    }
}
