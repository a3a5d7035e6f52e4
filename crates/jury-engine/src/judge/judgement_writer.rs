//! What a run of the judge leaves in the folders that other programs read: the judgement, and the note that the judged
//! run should be dispatched again.

use std::path::{Path, PathBuf};

use jury_core::id::RunId;
use jury_core::judge::JudgeState;
use jury_learning::files::judgement::{Cost, KeptJudgement};
use jury_learning::files::redispatch::keep_judgement;
use jury_store::StoreError;

use super::effects::blocking;

/// Keeps what one run says.
#[derive(Debug)]
pub(super) struct JudgementWriter {
    folder: PathBuf,
    run: RunId,
}

impl JudgementWriter {
    pub(super) fn new(folder: &Path, run: RunId) -> Self {
        Self { folder: folder.to_owned(), run }
    }

    /// Keeps the judgement, if there is one.
    pub(super) async fn keep(&self, state: &JudgeState) -> Result<(), StoreError> {
        let (Some(judgement), Some(started)) = (state.judgement(), &state.started) else { return Ok(()) };
        let cost = state.cost();
        let kept = KeptJudgement {
            judgement: judgement.clone(),
            template: started.template.clone(),
            mode: started.mode.to_string(),
            run: Some(self.run.to_string()),
            coverage: Some(started.coverage),
            cost: Some(Cost {
                input_tokens: cost.input_tokens,
                output_tokens: cost.output_tokens,
                dollars: cost.cost_usd,
                milliseconds: cost.duration_ms,
            }),
        };
        let note = state.redispatch.clone();
        let at = judgement.judged_at.unwrap_or(started.started_at);
        let folder = self.folder.clone();
        blocking(move || keep_judgement(&folder, &kept, note.as_ref(), at)).await
    }
}
