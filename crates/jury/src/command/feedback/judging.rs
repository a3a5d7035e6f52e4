//! A judge while feedback is collected: whether there is one, and what it says. It never stops the collecting.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jury_core::judge::settings::{JudgeSettings, VARIABLES};
use jury_core::judge::{
    Answer, JudgeStamp, Judged, Judgement, OpusJudgement, RunOutcome, RunRecord, Sampling, sampling,
};
use jury_core::settings::{Layer, Source};

use super::script;
use crate::output::Output;

/// Who judges while feedback is collected.
pub(super) struct Judging {
    settings: JudgeSettings,
    /// Something was said that need not be said for every record.
    said: bool,
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

impl Judging {
    /// As the variables say. A wrong one is named, and nobody judges: feedback is kept either way.
    pub(super) fn read(output: Output) -> Self {
        let values: BTreeMap<&'static str, String> = VARIABLES
            .iter()
            .filter_map(|variable| {
                let value = std::env::var_os(variable.name)?;
                Some((variable.name, value.to_string_lossy().into_owned()))
            })
            .collect();
        let layers = [Layer { source: Source::Environment, values }];
        let settings = JudgeSettings::resolve(&layers).unwrap_or_else(|error| {
            output.note(&format!("{error}; nothing is judged"));
            JudgeSettings::default()
        });
        Self { settings, said: false }
    }

    /// Asks the judge about a run, if this one is to be judged.
    pub(super) fn ask(&mut self, run: &RunRecord, place: &Path, now: Timestamp, output: Output) -> Opinion {
        let JudgeSettings { enabled, force, sample_rate, .. } = self.settings;
        let drawn = sampling(&run.bead, RunOutcome::of(run), enabled, force, sample_rate);
        if drawn != Sampling::Judge {
            return Opinion::None;
        }
        let Some(script) = self.settings.script.clone() else {
            if !std::mem::replace(&mut self.said, true) {
                output.note(
                    "JUDGE_ENABLED is set and JUDGE_SCRIPT is not: judge runs with 'jury judge', then collect them again",
                );
            }
            return Opinion::None;
        };
        let timeout = Duration::from_millis(self.settings.timeout.0);
        match script::run(&script, place, timeout).and_then(|answer| understand(&answer, run, &script, now)) {
            Ok(opinion) => opinion,
            Err(why) => {
                output.note(&format!("{}: {why}; collected without a judgement", run.bead));
                Opinion::None
            }
        }
    }
}

/// What the script printed, in either shape, checked.
fn understand(answer: &[u8], run: &RunRecord, script: &str, now: Timestamp) -> Result<Opinion, String> {
    let text = String::from_utf8_lossy(answer);
    let native = serde_json::from_slice::<serde_json::Value>(answer)
        .is_ok_and(|value| value.get("dimensions").is_some());
    if native {
        let answer = Answer::read(&text, &run.bead)
            .map_err(|error| format!("the judge script printed no judgement: {error}"))?;
        let stamp = JudgeStamp { model: script.to_owned(), ..JudgeStamp::default() };
        return Ok(Opinion::Native(Box::new(answer.judgement(run.bead.clone(), stamp, now))));
    }
    OpusJudgement::read(answer, &run.bead, now)
        .map(|opus| Opinion::Opus(Box::new(opus)))
        .map_err(|error| error.to_string())
}
