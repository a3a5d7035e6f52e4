//! A run that was collected before it was judged: its feedback takes the judgement in, so that scores see it.

use jury_core::judge::{JudgeRequest, RecordReading, RunRecord};
use jury_learning::JudgingResult;
use jury_learning::files::{LearningPaths, collect};

use crate::clock;
use crate::output::Output;

/// Collects the run again if it was collected. What was not collected stays so; trouble is said and changes no verdict.
pub(super) fn rejoin(request: &JudgeRequest, output: Output) {
    let Ok(here) = std::env::current_dir() else { return };
    let places = LearningPaths::read(|name| std::env::var_os(name), &here);
    // What was asked for elsewhere belongs to the folders there.
    if places.judgements.to_str() != Some(request.judgements.as_str()) {
        return;
    }
    let Ok(RecordReading::Finished(run)) = RunRecord::read(request.record.as_bytes()) else { return };
    if !places.feedback.join(format!("{}.json", run.bead)).is_file() {
        return;
    }
    let collected = clock::now().map(|now| collect(&places, &run, &JudgingResult::Not, now));
    match collected {
        Ok(Ok(collected)) => collected.warnings.iter().for_each(|warning| output.note(warning)),
        Ok(Err(error)) => output.note(&format!("{}: the feedback lacks the judgement: {error}", run.bead)),
        Err(refusal) => output.note(&refusal.message),
    }
}
