//! A judge while feedback is collected: whether there is one, and what it says. It never stops the collecting.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jury_core::judge::settings::JudgeSettings;
use jury_core::judge::{
    Answer, Feedback, FeedbackLine, JudgeStamp, Judged, Judgement, OpusJudgement, RunOutcome, RunRecord,
    Sampling, sampling,
};
use jury_store::learning::judgement::{KeptJudgement, keep};
use jury_store::learning::{Places, feedback_of};

use super::super::judge::for_collect;
use super::script;
use crate::output::Output;
use crate::settings;

/// Who judges while feedback is collected.
pub(super) struct Judging<'a> {
    settings: JudgeSettings,
    places: &'a Places,
    now: Timestamp,
    output: Output,
}

/// What was said about a run.
pub(super) enum Opinion {
    /// Nothing.
    None,
    /// In our shape.
    Native(Box<Judgement>),
    /// In the older one.
    Opus(Box<OpusJudgement>),
}

impl Opinion {
    pub(super) fn judged(&self) -> Judged<'_> {
        match self {
            Self::None => Judged::Not,
            Self::Native(judgement) => Judged::Native(judgement),
            Self::Opus(opus) => Judged::Opus(opus),
        }
    }
}

impl<'a> Judging<'a> {
    /// As the settings say. A wrong one is named, and nobody judges: feedback is kept either way.
    pub(super) fn read(places: &'a Places, now: Timestamp, output: Output) -> Self {
        let settings = match settings::judge(BTreeMap::new()) {
            Ok((settings, _)) => settings,
            Err(refusal) => {
                output.note(&format!("{}; nothing is judged", refusal.message));
                JudgeSettings::default()
            }
        };
        Self { settings, places, now, output }
    }

    /// Asks the judge about a run, if this one is to be judged.
    pub(super) fn ask(&self, run: &RunRecord, place: &Path) -> Opinion {
        let JudgeSettings { enabled, force, sample_rate, .. } = self.settings;
        let drawn = sampling(&run.bead, RunOutcome::of(run), enabled, force, sample_rate);
        if drawn != Sampling::Judge || (!force && self.was_judged(run)) {
            return Opinion::None;
        }
        let Some(script) = &self.settings.script else {
            return for_collect(place, run, self.places, &self.settings, self.now, self.output)
                .map_or(Opinion::None, |judgement| Opinion::Native(Box::new(judgement)));
        };
        let timeout = Duration::from_millis(self.settings.timeout.0);
        match script::run(script, place, timeout).and_then(|answer| self.understand(&answer, run, script)) {
            Ok(opinion) => opinion,
            Err(why) => {
                self.output.note(&format!("{}: {why}; collected without a judgement", run.bead));
                Opinion::None
            }
        }
    }

    /// Whether this very run was collected before, with a judgement. Whoever collects a folder again does not pay again.
    fn was_judged(&self, run: &RunRecord) -> bool {
        let Ok(Some(before)) = feedback_of(self.places, &run.bead) else { return false };
        let again = Feedback::collect(run, &Judged::Not, Some(&before), self.now);
        before.opus_quality_score.is_some() && FeedbackLine::from(&again) == before
    }

    /// What the script printed, in either shape, checked.
    fn understand(&self, answer: &[u8], run: &RunRecord, script: &str) -> Result<Opinion, String> {
        let native = serde_json::from_slice::<serde_json::Value>(answer)
            .is_ok_and(|value| value.get("dimensions").is_some());
        if !native {
            return OpusJudgement::read(answer, &run.bead, self.now)
                .map(|opus| Opinion::Opus(Box::new(opus)))
                .map_err(|error| error.to_string());
        }
        let answer = Answer::read(&String::from_utf8_lossy(answer), &run.bead)
            .map_err(|error| format!("the judge script printed no judgement: {error}"))?;
        let stamp = JudgeStamp { model: script.to_owned(), ..JudgeStamp::default() };
        let judgement = answer.judgement(run.bead.clone(), stamp, self.now);
        let kept = KeptJudgement {
            judgement: judgement.clone(),
            template: run.template.clone(),
            mode: "script".to_owned(),
            run: None,
            coverage: None,
            cost: None,
        };
        if let Err(error) = keep(&self.places.judgements, &kept) {
            self.output.note(&format!("{error}; the judgement is kept in the feedback alone"));
        }
        Ok(Opinion::Native(Box::new(judgement)))
    }
}
