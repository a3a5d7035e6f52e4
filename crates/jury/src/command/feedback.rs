//! `jury feedback`: run records become feedback.

mod backfill;
mod judging;
mod script;

use std::path::Path;

use jiff::Timestamp;
use jury_core::judge::{Reading, RecordError, message};
use jury_store::learning::{Collected, LearningError, Places, collect, find_record, read_record};

use super::templates::places;
use crate::cli::{CollectArgs, FeedbackArgs, FeedbackCommand};
use crate::clock;
use crate::output::Output;
use crate::refusal::{NOT_DONE, Refusal};
use crate::render::printable;

use judging::Judging;

pub(crate) fn feedback(args: &FeedbackArgs, output: Output) -> Result<u8, Refusal> {
    match &args.command {
        FeedbackCommand::Collect(args) => collect_all(args, output),
        FeedbackCommand::Backfill(args) => backfill::backfill(args, output),
    }
}

/// What cannot be collected, in one line. A record without a name has the line that scripts know.
pub(super) fn told(error: &LearningError) -> String {
    let line = match error {
        LearningError::Record { path, error: RecordError::NoBead } => {
            message::missing_bead(&path.display().to_string())
        }
        other => format!("Error: {other}"),
    };
    printable(&line, 2000)
}

fn collect_all(args: &CollectArgs, output: Output) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let places = places()?;
    let judging = Judging::read(&places, now, output);
    let mut code = 0;
    for name in &args.runs {
        let result = match find_record(&places, name) {
            None => Err(LearningError::NoRecord(name.clone())),
            Some(place) => collect_one(&places, &place, &judging, now, output),
        };
        match result {
            Ok(Some(collected)) => {
                output.progress(&format!("{}: {}", collected.feedback.bead, collected.feedback.outcome));
            }
            Ok(None) => {}
            Err(error) => {
                Output::say(&told(&error));
                code = NOT_DONE;
            }
        }
    }
    Ok(code)
}

/// Collects one record, judged if that is wanted. None for a run that goes on.
fn collect_one(
    places: &Places,
    place: &Path,
    judging: &Judging<'_>,
    now: Timestamp,
    output: Output,
) -> Result<Option<Collected>, LearningError> {
    let Reading::Finished(run) = read_record(place)? else { return Ok(None) };
    let opinion = judging.ask(&run, place);
    let collected = collect(places, &run, &opinion.judged(), now)?;
    for warning in &collected.warnings {
        output.note(warning);
    }
    Ok(Some(collected))
}
