//! `jury calibrate`: how far judges agree with people, whether they count because of it, and whether they changed.

mod anchors;
mod drift;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jury_core::judge::{Bead, Dimensions, JudgeStamp, JudgeVerdict, written};
use jury_core::line::counted;
use jury_core::random::Random;
use jury_learning::agreement::cohen_kappa;
use jury_learning::calibration::{
    Calibration, Influence, JudgeRecord, LEAST_KAPPA, LEAST_LABELS, Pair, Prediction, ScoredRun,
    calibrate as compare, predict,
};
use jury_learning::files::judgement::{beads, newest};
use jury_learning::files::{Labels, LearningPaths, feedback_of, labels};
use jury_learning::interval::Estimate;
use jury_learning::{Counts, MECHANICAL_PART};
use serde::Serialize;

use super::templates::{judged_runs, learning_paths, scores};
use crate::cli::{CalibrateArgs, CalibrateCommand, Global, ListFormat, ReportOptions};
use crate::clock;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;

/// A judge of whom nothing is known.
const UNKNOWN: &str = "unknown";
/// So many judgements of such judges are looked at: the file of scores may say anything.
const MOST_UNKNOWN: usize = 1_000_000;

pub(crate) async fn calibrate(args: CalibrateArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    match args.command {
        None => report(&args.report, output),
        Some(CalibrateCommand::Anchors(args)) => anchors::anchors(args, global, output).await,
        Some(CalibrateCommand::Drift(options)) => drift::report(&options, output),
    }
}

/// The labelled runs, as far as judges and checks said something about them.
struct Gathered {
    labels: Labels,
    pairs: Vec<(Judge, String, Pair)>,
    scored: Vec<ScoredRun>,
    /// Runs whose verdict is that of a person.
    settled: usize,
    warnings: Vec<String>,
}

/// Who judged, as far as it makes a difference to how well: the model and the rubric.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Judge {
    model: String,
    rubric: String,
}

impl Judge {
    fn of(stamp: Option<&JudgeStamp>) -> Self {
        let named = |text: Option<&String>| text.filter(|text| !text.is_empty()).cloned();
        Self {
            model: named(stamp.map(|stamp| &stamp.model)).unwrap_or_else(|| UNKNOWN.to_owned()),
            rubric: named(stamp.map(|stamp| &stamp.rubric)).unwrap_or_default(),
        }
    }

    fn name(&self) -> String {
        let model = crate::render::printable(&self.model, 60);
        if self.rubric.is_empty() {
            return model;
        }
        format!("{model} (rubric {})", crate::render::printable(&self.rubric, 40))
    }
}

/// What the judges themselves said of a run: who, and which marks.
struct Said {
    judge: Judge,
    prompt: String,
    verdict: JudgeVerdict,
    dimensions: Dimensions,
}

/// What judges said of a run. A verdict that a person settled is that of a person: such a run says nothing about judges.
fn judged(paths: &LearningPaths, bead: &Bead, warnings: &mut Vec<String>) -> Result<Judged, Refusal> {
    let found = newest(&paths.judgements, bead)?;
    warnings.extend(found.warnings);
    if let Some(kept) = found.value {
        let judgement = kept.judgement;
        let verdict = match &judgement.panel {
            Some(panel) => panel.majority,
            None => Some(judgement.dimensions.verdict()),
        };
        let Some(verdict) = verdict else { return Ok(Judged::ByAPerson) };
        return Ok(Judged::ByJudges(Said {
            judge: Judge::of(judgement.judge.as_ref()),
            prompt: judgement.judge.map(|judge| judge.prompt).unwrap_or_default(),
            verdict,
            dimensions: judgement.dimensions,
        }));
    }
    // The feedback has it too, without the name of the judge. Whether a panel or a person overruled the marks is not in it.
    let part = feedback_of(paths, bead)?.and_then(|line| line.judgment);
    Ok(match part {
        None => Judged::Not,
        Some(part) if part.verdict != part.dimensions.verdict() => Judged::ByAPerson,
        Some(part) => Judged::ByJudges(Said {
            judge: Judge::of(None),
            prompt: String::new(),
            verdict: part.verdict,
            dimensions: part.dimensions,
        }),
    })
}

enum Judged {
    Not,
    ByJudges(Said),
    /// Or perhaps by one.
    ByAPerson,
}

fn gather(paths: &LearningPaths) -> Result<Gathered, Refusal> {
    let labels = labels(paths)?;
    let mut gathered = Gathered {
        labels: Labels::default(),
        pairs: Vec::new(),
        scored: Vec::new(),
        settled: 0,
        warnings: Vec::new(),
    };
    for (name, people) in &labels.by_bead {
        let (Ok(bead), Some(first)) = (name.parse::<Bead>(), people.first()) else { continue };
        let said = match judged(paths, &bead, &mut gathered.warnings)? {
            Judged::Not => continue,
            Judged::ByAPerson => {
                gathered.settled += 1;
                continue;
            }
            Judged::ByJudges(said) => said,
        };
        if let Some(run) = feedback_of(paths, &bead)? {
            let mut counts = Counts::default();
            counts.add(run.outcome, run.retried);
            let mechanical = counts.score();
            let blended = MECHANICAL_PART * mechanical + (1.0 - MECHANICAL_PART) * said.dimensions.score();
            gathered.scored.push(ScoredRun { label: first.verdict, mechanical, blended });
        }
        let pair = Pair { people: people.clone(), verdict: said.verdict, dimensions: said.dimensions };
        gathered.pairs.push((said.judge, said.prompt, pair));
    }
    gathered.labels = labels;
    Ok(gathered)
}

/// Whether judgements count, by what people said so far. `judged_runs` have a judgement in the scores.
pub(super) fn influence_of(paths: &LearningPaths, judged_runs: u64) -> Result<Influence, Refusal> {
    let gathered = gather(paths)?;
    Ok(Influence::of_judges(&records(paths, &gathered.pairs, judged_runs)?))
}

/// Every judge with its κ and the times of its judgements, the newest of each run.
fn records(
    paths: &LearningPaths,
    pairs: &[(Judge, String, Pair)],
    judged_runs: u64,
) -> Result<Vec<JudgeRecord>, Refusal> {
    let mut judges: BTreeMap<Judge, Vec<Option<Timestamp>>> = BTreeMap::new();
    let mut known = 0_u64;
    for bead in beads(&paths.judgements)? {
        if let Some(kept) = newest(&paths.judgements, &bead)?.value {
            known += 1;
            let judge = Judge::of(kept.judgement.judge.as_ref());
            judges.entry(judge).or_default().push(kept.judgement.judged_at);
        }
    }
    // Scores may rest on judgements that are in the feedback alone: nobody knows whose they are.
    let unknown =
        usize::try_from(judged_runs.saturating_sub(known)).unwrap_or(MOST_UNKNOWN).min(MOST_UNKNOWN);
    if unknown > 0 {
        let times = judges.entry(Judge::of(None)).or_default();
        times.resize(times.len().saturating_add(unknown), None);
    }
    for (judge, _, _) in pairs {
        judges.entry(judge.clone()).or_default();
    }
    let by_label = grouped(pairs);
    Ok(judges
        .into_iter()
        .map(|(judge, judged_at)| {
            let verdicts = by_label.get(&judge).map_or(&[][..], Vec::as_slice);
            JudgeRecord {
                name: judge.name(),
                kappa: cohen_kappa(verdicts, 3),
                runs: verdicts.len() as u64,
                judged_at,
            }
        })
        .collect())
}

/// The verdicts of a person and of the judge, by judge.
fn grouped(pairs: &[(Judge, String, Pair)]) -> BTreeMap<Judge, Vec<(usize, usize)>> {
    let rank = |verdict: JudgeVerdict| match verdict {
        JudgeVerdict::Pass => 0,
        JudgeVerdict::Partial => 1,
        JudgeVerdict::Fail => 2,
    };
    let mut grouped: BTreeMap<Judge, Vec<(usize, usize)>> = BTreeMap::new();
    for (judge, _, pair) in pairs {
        let person = pair.people.first().map(|label| rank(label.verdict));
        let verdicts = grouped.entry(judge.clone()).or_default();
        verdicts.extend(person.map(|person| (person, rank(pair.verdict))));
    }
    grouped
}

fn compared(gathered: &Gathered, seed: u64) -> Calibration {
    let pairs: Vec<Pair> = gathered.pairs.iter().map(|(_, _, pair)| pair.clone()).collect();
    compare(&pairs, &mut Random::new(seed))
}

/// The report, as it is printed.
#[derive(Debug, Serialize)]
struct Report {
    generated_at: String,
    seed: u64,
    /// Runs with a label.
    labelled_runs: usize,
    /// The people who labelled runs.
    people: usize,
    /// Labelled runs that nobody judged.
    without_judgement: usize,
    /// Labelled runs that a person settled: they say nothing about a judge.
    settled_by_people: usize,
    calibration: Calibration,
    influence: Says,
    /// None when people passed all runs, or none, or no feedback is known.
    prediction: Option<Prediction>,
    by_judge: Vec<ByJudge>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Says {
    counts: bool,
    reason: String,
    needed_kappa: f64,
    needed_runs: usize,
}

/// The agreement of one judge alone.
#[derive(Debug, Serialize)]
struct ByJudge {
    model: String,
    rubric: String,
    /// Hashes of the prompts that it judged by.
    prompts: Vec<String>,
    runs: usize,
    kappa: Option<f64>,
}

fn report(options: &ReportOptions, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let now = clock::now()?;
    let gathered = gather(&paths)?;
    let calibration = compared(&gathered, options.seed);
    let judged_runs = judged_runs(scores(&paths)?.as_ref());
    let influence = Influence::of_judges(&records(&paths, &gathered.pairs, judged_runs)?);
    let prediction = predict(&gathered.scored, &mut Random::new(options.seed));
    let all = gathered.labels.by_bead.values().flatten();
    let people: BTreeSet<&str> = all.map(|label| label.rater.as_str()).collect();
    let mut warnings = gathered.warnings.clone();
    if gathered.labels.unreadable > 0 {
        let lines = counted(gathered.labels.unreadable, "line", "lines");
        warnings.push(format!("labels.ndjson has {lines} that cannot be read as a label"));
    }
    let report = Report {
        generated_at: written(now),
        seed: options.seed,
        labelled_runs: gathered.labels.by_bead.len(),
        people: people.len(),
        without_judgement: gathered.labels.by_bead.len() - gathered.pairs.len() - gathered.settled,
        settled_by_people: gathered.settled,
        influence: Says {
            counts: influence.counts(),
            reason: influence.reason(),
            needed_kappa: LEAST_KAPPA,
            needed_runs: LEAST_LABELS,
        },
        calibration,
        prediction,
        by_judge: by_judge(&gathered.pairs),
        warnings,
    };
    match options.format {
        ListFormat::Json => Output::result(&serde_json::to_string_pretty(&report).unwrap_or_default()),
        ListFormat::Human => Output::result(&told(&report, output)),
    }
    Ok(0)
}

fn by_judge(pairs: &[(Judge, String, Pair)]) -> Vec<ByJudge> {
    let mut judges: Vec<ByJudge> = grouped(pairs)
        .into_iter()
        .map(|(judge, verdicts)| {
            let prompts = pairs.iter().filter(|(of, prompt, _)| *of == judge && !prompt.is_empty());
            let prompts: BTreeSet<String> = prompts.map(|(_, prompt, _)| prompt.clone()).collect();
            ByJudge {
                model: judge.model,
                rubric: judge.rubric,
                prompts: prompts.into_iter().collect(),
                runs: verdicts.len(),
                kappa: cohen_kappa(&verdicts, 3).map(|kappa| (kappa * 1e4).round() / 1e4),
            }
        })
        .collect();
    judges.sort_by(|one, two| two.runs.cmp(&one.runs).then_with(|| one.model.cmp(&two.model)));
    judges
}

/// An estimate for people.
fn shown(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(
        || "not known".to_owned(),
        |estimate| {
            // Never −0.00.
            let two = |value: f64| (value * 100.0).round() / 100.0 + 0.0;
            format!("{:.2} ({:.2} to {:.2})", two(estimate.value), two(estimate.low), two(estimate.high))
        },
    )
}

fn told(report: &Report, output: Output) -> String {
    let calibration = &report.calibration;
    let bold = |text: &str| output.paint_result(Tone::Bold, text);
    let head = vec![
        bold(&report.influence.reason),
        format!(
            "{} by {}, {} judged",
            counted(report.labelled_runs, "labelled run", "labelled runs"),
            counted(report.people, "person", "people"),
            calibration.runs
        ),
    ];
    if calibration.runs == 0 {
        let how = "label runs that were judged: jury label RUN --verdict pass|partial|fail";
        return head.into_iter().chain([how.to_owned()]).collect::<Vec<_>>().join("\n");
    }
    let mut lines = head;
    lines.extend([
        String::new(),
        format!("{:<36}{}", "Cohen's κ, quadratic weights", shown(calibration.kappa)),
        format!("{:<36}{}", "Krippendorff's α, judge and people", shown(calibration.alpha)),
        format!("{:<36}{}", "Krippendorff's α, people alone", shown(calibration.alpha_of_people)),
        format!("{:<36}{}", "passes what people pass", shown(Some(calibration.sensitivity))),
        format!("{:<36}{}", "rejects what people reject", shown(Some(calibration.specificity))),
        String::new(),
        bold("person \\ judge   pass  partial  fail"),
    ]);
    for (name, row) in ["pass", "partial", "fail"].iter().zip(calibration.confusion) {
        lines.push(format!("{name:<15} {:>5}  {:>7}  {:>4}", row[0], row[1], row[2]));
    }
    lines.push(String::new());
    lines.push(bold("dimension         runs  off by  too kind by"));
    for error in &calibration.dimensions {
        lines.push(format!(
            "{:<16} {:>5}  {:>6.2}  {:>+11.2}",
            error.dimension.as_str(),
            error.runs,
            error.mean_absolute_error,
            error.bias
        ));
    }
    lines.push(String::new());
    lines.push(report.prediction.map_or_else(
        || {
            "no prediction: it takes runs that people pass, runs that they do not, and feedback of both"
                .to_owned()
        },
        |prediction| prediction.line(),
    ));
    for judge in report.by_judge.iter().filter(|_| report.by_judge.len() > 1) {
        let kappa = judge.kappa.map_or_else(|| "not known".to_owned(), |kappa| format!("{kappa:.2}"));
        lines.push(format!(
            "{}: κ {kappa} over {}, prompt {}",
            Judge { model: judge.model.clone(), rubric: judge.rubric.clone() }.name(),
            counted(judge.runs, "run", "runs"),
            if judge.prompts.is_empty() { UNKNOWN.to_owned() } else { judge.prompts.join(", ") }
        ));
    }
    lines.extend(report.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n")
}
