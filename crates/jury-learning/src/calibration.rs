//! Calibration: how far judges can be trusted, measured against people, and what follows from it.

use jiff::Timestamp;
use jury_core::judge::number::{float, length, rounded};
use jury_core::judge::{Bead, Dimensions, JudgeDimension, JudgeVerdict};
use jury_core::random::Random;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::agreement::{Metric, bootstrap, cohen_kappa, krippendorff_alpha};
use crate::interval::{Estimate, Z_95, wilson};

/// Below this κ judgements do not influence selection.
pub const LEAST_KAPPA: f64 = 0.6;
/// With fewer labelled runs κ is luck.
pub const LEAST_LABELS: usize = 20;
/// How many samples are drawn for an interval.
pub const RESAMPLES: usize = 1000;

/// What a person says about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Label {
    /// The run that is labelled.
    pub bead: Bead,
    /// The person who labelled it.
    pub rater: String,
    /// The verdict of that person.
    pub verdict: JudgeVerdict,
    /// The marks, if the person gave them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dimensions: Option<Dimensions>,
    /// When it was labelled.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// One run that people labelled and a judge judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// What people say, each of them. The first is compared with the judge.
    pub people: Vec<Label>,
    /// The verdict of the judge.
    pub verdict: JudgeVerdict,
    /// The marks of the judge.
    pub dimensions: Dimensions,
}

/// How far the marks of a dimension are off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DimensionError {
    /// The dimension that is compared.
    pub dimension: JudgeDimension,
    /// How many runs have a mark of both.
    pub runs: u64,
    /// How far off on average, whichever way.
    pub mean_absolute_error: f64,
    /// How much too kind on average; negative: too harsh.
    pub bias: f64,
}

/// How well judges agree with people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Calibration {
    /// How many runs were compared.
    pub runs: u64,
    /// Cohen's κ of judge and person, with quadratic weights.
    #[schema(required)]
    pub kappa: Option<Estimate>,
    /// Krippendorff's α of the judge and all people, ordinal.
    #[schema(required)]
    pub alpha: Option<Estimate>,
    /// The same among people alone: no judge can be asked for more.
    #[schema(required)]
    pub alpha_of_people: Option<Estimate>,
    /// By verdict of the person, then of the judge: pass, partial, fail.
    pub confusion: [[u64; 3]; 3],
    /// Of the runs that the person passes, the part that the judge passes.
    pub sensitivity: Estimate,
    /// Of the runs that the person does not pass, the part that the judge does not pass.
    pub specificity: Estimate,
    /// The error of each dimension.
    pub dimensions: Vec<DimensionError>,
}

fn index(verdict: JudgeVerdict) -> usize {
    match verdict {
        JudgeVerdict::Pass => 0,
        JudgeVerdict::Partial => 1,
        JudgeVerdict::Fail => 2,
    }
}

/// Compares a judge with people. Runs without a label say nothing.
pub fn calibrate(pairs: &[Pair], random: &mut Random) -> Calibration {
    let labelled: Vec<(&Pair, &Label)> =
        pairs.iter().filter_map(|pair| pair.people.first().map(|label| (pair, label))).collect();
    let verdicts: Vec<(usize, usize)> =
        labelled.iter().map(|(pair, label)| (index(label.verdict), index(pair.verdict))).collect();
    let mut confusion = [[0_u64; 3]; 3];
    for (person, judge) in &verdicts {
        confusion[*person][*judge] += 1;
    }
    let units = |with_judge: bool| -> Vec<Vec<Option<usize>>> {
        labelled
            .iter()
            .map(|(pair, _)| {
                let people = pair.people.iter().map(|label| Some(index(label.verdict)));
                people.chain(with_judge.then(|| Some(index(pair.verdict)))).collect()
            })
            .collect()
    };
    let mut alpha = |units: &[Vec<Option<usize>>]| {
        bootstrap(units, RESAMPLES, random, |units| krippendorff_alpha(units, 3, Metric::Ordinal))
    };
    let (all, people) = (alpha(&units(true)), alpha(&units(false)));
    let kappa = bootstrap(&verdicts, RESAMPLES, random, |pairs| cohen_kappa(pairs, 3));
    let passed: u64 = confusion[0].iter().sum();
    let others = verdicts.len() as u64 - passed;
    let rejected = others - confusion[1][0] - confusion[2][0];
    Calibration {
        runs: verdicts.len() as u64,
        kappa,
        alpha: all,
        alpha_of_people: people,
        confusion,
        sensitivity: part(confusion[0][0], passed),
        specificity: part(rejected, others),
        dimensions: JudgeDimension::ALL.iter().map(|dimension| error(*dimension, &labelled)).collect(),
    }
}

fn part(hits: u64, of: u64) -> Estimate {
    let rate = if of == 0 { 0.0 } else { float(hits) / float(of) };
    wilson(rate, float(of), Z_95)
}

fn error(dimension: JudgeDimension, labelled: &[(&Pair, &Label)]) -> DimensionError {
    let off: Vec<f64> = labelled
        .iter()
        .filter_map(|(pair, label)| {
            label.dimensions.map(|marks| pair.dimensions.of(dimension) - marks.of(dimension))
        })
        .collect();
    let count = length(off.len().max(1));
    DimensionError {
        dimension,
        runs: off.len() as u64,
        mean_absolute_error: rounded(off.iter().map(|off| off.abs()).sum::<f64>() / count, 4) + 0.0,
        // An empty sum of floats is −0.
        bias: rounded(off.iter().sum::<f64>() / count, 4) + 0.0,
    }
}

/// The part of the judgements from which on judges that are not calibrated keep all of them from counting.
pub const MOST_UNCALIBRATED: f64 = 0.2;

/// One judge: what people say of it, and when it judged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JudgeRecord {
    /// Its model and its rubric, as people read it.
    pub name: String,
    /// κ of this judge alone, if there is one.
    pub kappa: Option<f64>,
    /// How many of its judgements people labelled.
    pub runs: u64,
    /// When it judged, once for each run. Without a time: before all others.
    pub judged_at: Vec<Option<Timestamp>>,
}

impl JudgeRecord {
    /// Whether it agrees with people, by its own labels.
    pub fn is_calibrated(&self) -> bool {
        self.runs >= LEAST_LABELS as u64
            && self.kappa.is_some_and(|kappa| kappa >= LEAST_KAPPA - jury_core::score::EPSILON)
    }
}

/// Whether judgements count where templates are chosen and changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Influence {
    /// They have earned it.
    Earned {
        /// The agreement beyond chance, Cohen's κ.
        kappa: f64,
    },
    /// Somebody wants it so.
    Forced,
    /// They have not earned it.
    Withheld {
        /// κ, if there is one.
        kappa: Option<f64>,
        /// How many runs were compared.
        runs: u64,
    },
    /// One judge among them has not.
    WithheldFor {
        /// The judge whose agreement is missing.
        judge: String,
        /// Its κ, if there is one.
        kappa: Option<f64>,
        /// How many of its judgements were compared.
        runs: u64,
    },
}

impl Influence {
    /// What follows from a calibration; without one nothing is earned.
    pub fn of(calibration: Option<&Calibration>, forced: bool) -> Self {
        let runs = calibration.map_or(0, |calibration| calibration.runs);
        let kappa = calibration.and_then(|calibration| calibration.kappa).map(|kappa| kappa.value);
        match kappa {
            _ if forced => Self::Forced,
            Some(kappa)
                if runs >= LEAST_LABELS as u64 && kappa >= LEAST_KAPPA - jury_core::score::EPSILON =>
            {
                Self::Earned { kappa }
            }
            kappa => Self::Withheld { kappa, runs },
        }
    }

    /// What follows from the judges, each by its own labels: a new model or rubric does not inherit what another earned.
    /// A few judgements of others do no harm. So nothing counts when, since one that is not calibrated began, a fifth of
    /// the judgements or more are of such judges.
    pub fn of_judges(judges: &[JudgeRecord]) -> Self {
        let since = |judge: &JudgeRecord, from: Option<Timestamp>| {
            judge.judged_at.iter().filter(|at| **at >= from).count()
        };
        let blocks = |suspect: &JudgeRecord| {
            let Some(from) = suspect.judged_at.iter().min().copied() else { return false };
            let all: usize = judges.iter().map(|judge| since(judge, from)).sum();
            let uncalibrated = judges.iter().filter(|judge| !judge.is_calibrated());
            let theirs: usize = uncalibrated.map(|judge| since(judge, from)).sum();
            length(theirs) >= MOST_UNCALIBRATED * length(all) - jury_core::score::EPSILON
        };
        let suspects = judges.iter().filter(|judge| !judge.is_calibrated() && blocks(judge));
        if let Some(worst) = suspects.max_by_key(|judge| judge.judged_at.len()) {
            return Self::WithheldFor { judge: worst.name.clone(), kappa: worst.kappa, runs: worst.runs };
        }
        let earned = judges.iter().filter(|judge| judge.is_calibrated()).filter_map(|judge| judge.kappa);
        earned
            .reduce(f64::min)
            .map_or(Self::Withheld { kappa: None, runs: 0 }, |kappa| Self::Earned { kappa })
    }

    /// Whether judgements count where templates are chosen.
    pub fn counts(&self) -> bool {
        match self {
            Self::Earned { .. } | Self::Forced => true,
            Self::Withheld { .. } | Self::WithheldFor { .. } => false,
        }
    }

    /// Why, in one line.
    pub fn reason(&self) -> String {
        match self {
            Self::Earned { kappa } => format!("judgements count: κ {} with people", rounded(*kappa, 2)),
            Self::Forced => "judgements count because it was asked for, calibrated or not".to_owned(),
            Self::Withheld { kappa: None, runs } => {
                let runs = labelled(*runs);
                format!("judgements do not count: κ is not known from {runs}")
            }
            Self::Withheld { kappa: Some(kappa), runs } => format!(
                "judgements do not count: κ {} over {}, {LEAST_KAPPA} over {LEAST_LABELS} is needed",
                rounded(*kappa, 2),
                labelled(*runs)
            ),
            Self::WithheldFor { judge, kappa, runs } => {
                let kappa =
                    kappa.map_or_else(|| "not known".to_owned(), |kappa| rounded(kappa, 2).to_string());
                format!(
                    "judgements do not count: κ of {judge} is {kappa} over {}, {LEAST_KAPPA} over \
                     {LEAST_LABELS} is needed",
                    labelled(*runs)
                )
            }
        }
    }
}

/// `1 labelled run`.
fn labelled(runs: u64) -> String {
    jury_core::line::counted(runs, "labelled run", "labelled runs")
}

/// One labelled run with both of its scores, each as the run alone would have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredRun {
    /// What the person says.
    pub label: JudgeVerdict,
    /// The score of the mechanical signals alone.
    pub mechanical: f64,
    /// The score with the judgement in it.
    pub blended: f64,
}

/// Which of the two scores tells what people pass from what they do not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Prediction {
    /// The number of labelled runs.
    pub runs: u64,
    /// How often a run that people pass has the higher mechanical score than one that they do not.
    pub mechanical: Estimate,
    /// The same by the blended score.
    pub blended: Estimate,
    /// The second less the first, over the same runs.
    pub difference: Estimate,
}

impl Prediction {
    /// The same in one line, for a person.
    pub fn line(&self) -> String {
        let better = if self.difference.low > 0.0 {
            "the blended score predicts what people say better"
        } else if self.difference.high < 0.0 {
            "the mechanical score predicts what people say better"
        } else {
            "neither score predicts what people say better than the other"
        };
        format!(
            "{better}: {} blended, {} mechanical, difference {} ({} to {}) over {}",
            rounded(self.blended.value, 3),
            rounded(self.mechanical.value, 3),
            rounded(self.difference.value, 3),
            rounded(self.difference.low, 3),
            rounded(self.difference.high, 3),
            jury_core::line::counted(self.runs, "run", "runs")
        )
    }
}

/// Compares the two scores. None when people passed all of the runs, or none.
pub fn predict(scored: &[ScoredRun], random: &mut Random) -> Option<Prediction> {
    let area = |pick: fn(&ScoredRun) -> f64| {
        move |scored: &[ScoredRun]| {
            area(scored.iter().map(|scored| (pick(scored), scored.label == JudgeVerdict::Pass)).collect())
        }
    };
    let mechanical = area(|scored| scored.mechanical);
    let blended = area(|scored| scored.blended);
    Some(Prediction {
        runs: scored.len() as u64,
        mechanical: bootstrap(scored, RESAMPLES, random, mechanical)?,
        blended: bootstrap(scored, RESAMPLES, random, blended)?,
        difference: bootstrap(scored, RESAMPLES, random, |sample| {
            Some(blended(sample)? - mechanical(sample)?)
        })?,
    })
}

/// The area under the curve: how often one that is wanted ranks above one that is not; a tie counts half.
fn area(mut ranked: Vec<(f64, bool)>) -> Option<f64> {
    let wanted = ranked.iter().filter(|(_, wanted)| *wanted).count();
    let others = ranked.len() - wanted;
    if wanted == 0 || others == 0 {
        return None;
    }
    ranked.sort_by(|one, two| one.0.total_cmp(&two.0));
    let mut ranks = 0.0;
    let mut start = 0;
    for group in ranked.chunk_by(|one, two| one.0.total_cmp(&two.0).is_eq()) {
        // Equal scores share their ranks.
        let shared = length(start) + f64::midpoint(length(group.len()), 1.0);
        ranks += shared * length(group.iter().filter(|(_, wanted)| *wanted).count());
        start += group.len();
    }
    let (wanted, others) = (length(wanted), length(others));
    Some((ranks - wanted * (wanted + 1.0) / 2.0) / (wanted * others))
}
