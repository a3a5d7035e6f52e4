//! `jury feedback`: run records become feedback.

mod backfill;
mod judging;
mod pile;
mod script;

use jury_learning::files::{LearningError, find_record};

pub(super) use pile::told;

use super::templates::learning_paths;
use crate::cli::{CollectArgs, FeedbackArgs, FeedbackCommand};
use crate::clock;
use crate::output::Output;
use crate::refusal::{NOT_DONE, Refusal};

use pile::Pile;

pub(crate) fn feedback(args: &FeedbackArgs, output: Output) -> Result<u8, Refusal> {
    match &args.command {
        FeedbackCommand::Collect(args) => collect(args, output),
        FeedbackCommand::Backfill(args) => backfill::backfill(args, output),
    }
}

fn collect(args: &CollectArgs, output: Output) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let paths = learning_paths()?;
    let mut pile = Pile::new(&paths, now, output, true);
    for name in &args.runs {
        match find_record(&paths, name) {
            Some(place) => pile.add(&place),
            None => pile.fail(&LearningError::NoRecord(name.clone())),
        }
    }
    pile.finish();
    Ok(if pile.errors.is_empty() { 0 } else { NOT_DONE })
}
