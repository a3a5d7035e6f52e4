//! A judge while feedback is collected: whether there is one, and what it says. It never stops the collecting.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jury_core::judge::settings::JudgeSettings;
use jury_core::judge::{
    Admission, JudgeAnswer, JudgeStamp, Judgement, OpusJudgement, RunOutcome, RunRecord, UNPRICED, moment,
};
use jury_learning::files::judgement::{KeptJudgement, judging, keep};
use jury_learning::files::{LearningPaths, feedback_of, throttle};
use jury_learning::{Feedback, FeedbackLine, JudgingResult, Sampling, sampling};

use super::super::judge::for_collect;
use super::script;
use crate::output::Output;
use crate::settings;

/// Who judges while feedback is collected.
pub(super) struct Judging<'a> {
    settings: JudgeSettings,
    /// What of them was given, so that a run that has to wait is judged as was asked.
    given: BTreeMap<String, String>,
    places: &'a LearningPaths,
    now: Timestamp,
    output: Output,
}

/// What was said about a run.
pub(super) enum Opinion {
    /// There is no judgement.
    None,
    /// A judgement in the shape of this program.
    Native(Box<Judgement>),
    /// In the older one.
    Opus(Box<OpusJudgement>),
}

impl Opinion {
    pub(super) fn judged(&self) -> JudgingResult<'_> {
        match self {
            Self::None => JudgingResult::Not,
            Self::Native(judgement) => JudgingResult::Native(judgement),
            Self::Opus(opus) => JudgingResult::Opus(opus),
        }
    }
}

impl<'a> Judging<'a> {
    /// As the settings say. A wrong one is named, and nobody judges: feedback is kept either way.
    pub(super) fn read(places: &'a LearningPaths, now: Timestamp, output: Output) -> Self {
        let (settings, given) = match settings::judge(BTreeMap::new()) {
            Ok(judge) => judge,
            Err(refusal) => {
                output.note(&format!("{}; nothing is judged", refusal.message));
                (JudgeSettings::default(), BTreeMap::new())
            }
        };
        let JudgeSettings { enabled, mode, script, .. } = &settings;
        if *enabled && mode.is_none() && script.is_none() && !settings.names_judge() {
            output.note(
                "JUDGE_ENABLED is set and nobody is named who judges: only what can be measured does; set JUDGE_MODEL, \
                 JUDGE_AGENT or JUDGE_MODE",
            );
        }
        Self { settings, given, places, now, output }
    }

    /// Asks the judge about a run, if this one is to be judged. With what it says comes its turn: as long as that is held,
    /// nobody else asks about this run. It is to be held until the feedback is written, and never with another.
    pub(super) fn ask(&self, run: &RunRecord, path: &Path) -> (Opinion, Option<File>) {
        let JudgeSettings { enabled, force, sample_rate, .. } = self.settings;
        let drawn = sampling(&run.bead, RunOutcome::of(run), enabled, force, sample_rate);
        if drawn != Sampling::Judge || (!force && self.was_judged(run)) {
            return (Opinion::None, None);
        }
        match judging(&self.places.judgements, &run.bead) {
            // Somebody else may have asked in the meantime.
            Ok(turn) if !force && self.was_judged(run) => (Opinion::None, Some(turn)),
            Ok(turn) => (self.asked(run, path), Some(turn)),
            Err(error) => {
                self.without(run, &error.to_string());
                (Opinion::None, None)
            }
        }
    }

    fn asked(&self, run: &RunRecord, place: &Path) -> Opinion {
        let Some(script) = &self.settings.script else {
            let settings = (&self.settings, &self.given);
            return for_collect(place, run, self.places, settings, self.now, self.output)
                .map_or(Opinion::None, |judgement| Opinion::Native(Box::new(judgement)));
        };
        let timeout = Duration::from_millis(self.settings.timeout.0);
        let said = self
            .admitted()
            .and_then(|()| script::run(script, &self.settings.pass_env, place, timeout))
            .and_then(|answer| self.understand(&answer, run, script));
        said.unwrap_or_else(|why| {
            self.without(run, &why);
            Opinion::None
        })
    }

    fn without(&self, run: &RunRecord, why: &str) {
        self.output.note(&format!("{}: {why}; collected without a judgement", run.bead));
    }

    /// Takes a place in the throttle, which scripts share with all other judges. What a script costs nobody says, so that
    /// what was expected of it stays.
    fn admitted(&self) -> Result<(), String> {
        let allowance = &self.settings.allowance;
        let found = throttle::admit(&self.places.judgements, self.now, 1, allowance)
            .map_err(|error| error.to_string())?;
        for warning in &found.warnings {
            self.output.note(warning);
        }
        match found.value {
            Admission::Now => Ok(()),
            Admission::NotBefore { at, .. } => {
                let at = at.strftime("%F %T UTC");
                Err(format!("the throttle holds JUDGE_SCRIPT back until {at}; collect it again then"))
            }
            Admission::Never(_) => Err(format!(
                "the daily budget of {} dollars never lets JUDGE_SCRIPT in; one call counts as {UNPRICED}",
                allowance.dollars_per_day.unwrap_or(0.0)
            )),
        }
    }

    /// Whether this very run was collected before, with a judgement. Whoever collects a folder again does not pay again.
    fn was_judged(&self, run: &RunRecord) -> bool {
        let Ok(Some(before)) = feedback_of(self.places, &run.bead) else { return false };
        let again = Feedback::collect(run, &JudgingResult::Not, Some(&before), self.now);
        before.opus_quality_score.is_some() && FeedbackLine::from(&again) == before
    }

    /// What the script printed, in either shape, checked.
    fn understand(&self, answer: &[u8], run: &RunRecord, script: &str) -> Result<Opinion, String> {
        let native = serde_json::from_slice::<serde_json::Value>(answer)
            .is_ok_and(|value| value.get("dimensions").is_some());
        if !native {
            let opus = OpusJudgement::read(answer, &run.bead, self.now).map_err(|error| error.to_string())?;
            for warning in &opus.warnings {
                self.output.note(&format!("{}: {warning}", run.bead));
            }
            let stamp = JudgeStamp { model: opus.judge_model.clone(), ..JudgeStamp::default() };
            let at = moment(&opus.judged_at).unwrap_or(self.now);
            self.keep(opus.answer().judgement(run.bead.clone(), stamp, at), run);
            return Ok(Opinion::Opus(Box::new(opus)));
        }
        let answer = JudgeAnswer::read(&String::from_utf8_lossy(answer), &run.bead)
            .map_err(|error| format!("the judge script printed no judgement: {error}"))?;
        let stamp = JudgeStamp { model: script.to_owned(), ..JudgeStamp::default() };
        let judgement = answer.judgement(run.bead.clone(), stamp, self.now);
        self.keep(judgement.clone(), run);
        Ok(Opinion::Native(Box::new(judgement)))
    }

    /// Keeps what a script said with the other judgements: feedback can be deleted and collected again.
    fn keep(&self, judgement: Judgement, run: &RunRecord) {
        let kept = KeptJudgement {
            judgement,
            template: run.template.clone(),
            mode: "script".to_owned(),
            run: None,
            coverage: None,
            cost: None,
        };
        if let Err(error) = keep(&self.places.judgements, &kept) {
            self.output.note(&format!("{error}; the judgement is kept in the feedback alone"));
        }
    }
}
