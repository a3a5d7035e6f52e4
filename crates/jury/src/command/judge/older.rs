//! The judge that this one replaces, for those who call it: its shape on stdout, and nothing is kept.
//!
//! Where the change can be had it is measured, and the judgement is ours. Where it cannot, the checks of the record are all
//! there is, as they were for the older judge.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use jury_core::judge::settings::{JudgeMode, JudgeSettings};
use jury_core::judge::{OpusJudgement, RecordError, RecordReading, RunRecord};
use jury_learning::files::LearningPaths;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::gather::{Asked, read_record};
use crate::cli::{Global, JudgeArgs};
use crate::output::Output;
use crate::refusal::Refusal;

pub(super) async fn older(
    args: &JudgeArgs,
    (places, here): (&LearningPaths, &Path),
    (own, given): (&JudgeSettings, BTreeMap<String, String>),
    now: Timestamp,
    global: &Global,
    output: Output,
) -> Result<u8, Refusal> {
    for file in &args.records {
        let (_, bytes) = read_record(file, places)?;
        let Some((run, record)) = finished(file, bytes)? else { continue };
        let named = args.diff.is_some() || args.repo.is_some() || run.repo_path.is_some();
        let measured = if named {
            let mut asked = Asked::new(file, args, places, here, given.clone(), JudgeMode::Heuristic)?;
            asked.request.record = record;
            measured(&asked, own, now, global).await?
        } else {
            Err(None)
        };
        let judgement = match measured {
            Ok(judgement) => judgement,
            Err(why) => {
                if let Some(why) = why {
                    let file = file.display();
                    output.note(&format!("{file}: {why}; judged by the checks of the record alone"));
                }
                OpusJudgement::heuristic(&run, own.model(), now)
            }
        };
        Output::result(&serde_json::to_string_pretty(&judgement).unwrap_or_default());
    }
    Ok(0)
}

/// What the change shows, in the older shape; or why there is no change to look at.
async fn measured(
    asked: &Asked,
    own: &JudgeSettings,
    now: Timestamp,
    global: &Global,
) -> Result<Result<OpusJudgement, Option<String>>, Refusal> {
    let case = asked.gather(own, &global.data_dir, &CancellationToken::new()).await?;
    match case.measured() {
        Ok(answer) => {
            let stamp = case.stamp(JudgeMode::Heuristic.as_str());
            let judgement = answer.judgement(case.record.bead, stamp, now);
            Ok(Ok(OpusJudgement::from_native(&judgement)))
        }
        // The checks cannot vouch for what nobody has read.
        Err(why) if case.searched.is_some_and(|searched| searched.cut) => {
            Err(Refusal::not_done(format!("{}: {why}", asked.request.file)))
        }
        Err(why) => Ok(Err(Some(why))),
    }
}

/// The run in a record, and the record; none while it goes on. A run without a name is called `unknown`.
fn finished(file: &Path, bytes: Vec<u8>) -> Result<Option<(RunRecord, String)>, Refusal> {
    let wrong = |error: &dyn std::fmt::Display| Refusal::not_done(format!("{}: {error}", file.display()));
    let (reading, bytes) = match RunRecord::read(&bytes) {
        Err(RecordError::NoBead) => {
            let mut value: Value = serde_json::from_slice(&bytes).map_err(|error| wrong(&error))?;
            if let Some(record) = value.as_object_mut() {
                record.insert("bead".to_owned(), "unknown".into());
            }
            (RunRecord::of(&value), value.to_string().into_bytes())
        }
        reading => (reading, bytes),
    };
    match reading.map_err(|error| wrong(&error))? {
        RecordReading::Running => Ok(None),
        RecordReading::Finished(run) => {
            let text = String::from_utf8(bytes).map_err(|_| wrong(&"not UTF-8; convert it first"))?;
            Ok(Some((*run, text)))
        }
    }
}
