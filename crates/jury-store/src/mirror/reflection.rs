//! What a run looks like in the Redis: all its keys, from its whole log.

use jiff::Timestamp;
use jury_core::content::progress::CritiqueRound;
use jury_core::content::{ContentType, IdeaId, PipelineProgress, Quality};
use jury_core::id::RunId;
use redis::Pipeline;
use serde::Serialize;

use super::KEPT_FOR;

/// Takes a name, or keeps it, unless somebody else has it. Says who has it.
pub(super) const HOLD: &str = "local held = redis.call('GET', KEYS[1]) \
     if held and held ~= ARGV[1] then return held end \
     redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2]) \
     return ARGV[1]";

/// Gives a name back, unless somebody else has it.
pub(super) const RELEASE: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end \
     return 0";

/// The key of the run that goes on for an idea and a type.
pub(super) fn active_key(idea: &IdeaId, content_type: &ContentType) -> String {
    format!("active_run:content-critique:{idea}:{content_type}")
}

/// The key of what a run has kept.
pub(super) fn approved_key(run: RunId) -> String {
    format!("approved_content:{run}")
}

/// A run, as it is to be seen.
#[derive(Debug)]
pub(super) struct Reflection {
    pub(super) run: RunId,
    pub(super) idea: IdeaId,
    pub(super) content_type: ContentType,
    /// The current draft, as people read it.
    pub(super) draft: Option<String>,
    /// None before it has begun.
    pub(super) progress: Option<PipelineProgress>,
    pub(super) kept: Option<Kept>,
    pub(super) has_ended: bool,
}

/// The draft that was kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    pub(super) content: String,
    pub(super) quality: Quality,
    /// Whether nobody has reviewed it.
    pub(super) unreviewed: bool,
    pub(super) content_type: ContentType,
    pub(super) saved_at: Timestamp,
}

impl Reflection {
    /// The commands that write it, together or not at all.
    pub(super) fn commands(&self) -> serde_json::Result<Pipeline> {
        let Self { run, .. } = self;
        let mut pipe = redis::pipe();
        pipe.atomic();
        if let Some(draft) = &self.draft {
            set(&mut pipe, &format!("draft:{run}"), draft);
        }
        if let Some(progress) = &self.progress {
            for round in progress.critique_history.iter().filter(|round| has_begun(round)) {
                let key = format!("critique_round:{run}:{}", round.round.0);
                set(&mut pipe, &key, &serde_json::to_string(round)?);
            }
            set(&mut pipe, &format!("pipeline_progress:{run}"), &serde_json::to_string(progress)?);
        }
        if let Some(kept) = &self.kept {
            keep(&mut pipe, *run, kept)?;
        }
        let active = active_key(&self.idea, &self.content_type);
        let script = if self.has_ended { RELEASE } else { HOLD };
        pipe.cmd("EVAL").arg(script).arg(1).arg(active).arg(run.to_string()).arg(KEPT_FOR.as_secs()).ignore();
        Ok(pipe)
    }
}

/// Writes what was kept, for good.
pub(super) fn keep(pipe: &mut Pipeline, run: RunId, kept: &Kept) -> serde_json::Result<()> {
    pipe.cmd("SET").arg(approved_key(run)).arg(serde_json::to_string(kept)?).ignore();
    Ok(())
}

fn set(pipe: &mut Pipeline, key: &str, value: &str) {
    pipe.cmd("SET").arg(key).arg(value).arg("EX").arg(KEPT_FOR.as_secs()).ignore();
}

fn has_begun(round: &CritiqueRound) -> bool {
    !round.critiques.is_empty() || !round.absent.is_empty() || round.editor_decision.is_some()
}
