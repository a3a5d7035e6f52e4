//! `jury calibrate`: how far judges agree with people, whether they count because of it, and whether they changed.

mod anchors;
mod drift;

use std::collections::{BTreeMap, BTreeSet};

use jury_core::judge::agreement::cohen_kappa;
use jury_core::judge::calibration::{
    Calibration, Influence, LEAST_KAPPA, LEAST_LABELS, Pair, Prediction, Scored, calibrate as compare,
    predict,
};
use jury_core::judge::interval::Estimate;
use jury_core::judge::{Bead, Counts, Dimensions, MECHANICAL_PART, Random, Verdict, written};
use jury_store::learning::judgement::newest;
use jury_store::learning::{Labels, Places, feedback_of, labels};
use serde::Serialize;

use super::templates::places;
use crate::cli::{CalibrateArgs, CalibrateCommand, Global, ListFormat, ReportOptions};
use crate::clock;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;

/// Where the resampling begins when nobody says.
const SEED: u64 = 1;

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
    pairs: Vec<(String, Pair)>,
    scored: Vec<Scored>,
    warnings: Vec<String>,
}

/// What a judge said of a run: who, and which marks.
fn judged(
    places: &Places,
    bead: &Bead,
    warnings: &mut Vec<String>,
) -> Result<Option<(String, Verdict, Dimensions)>, Refusal> {
    let found = newest(&places.judgements, bead)?;
    warnings.extend(found.warnings);
    if let Some(kept) = found.value {
        let judgement = kept.judgement;
        let model = judgement.judge.map_or_else(|| "unknown".to_owned(), |judge| judge.model);
        return Ok(Some((model, judgement.verdict, judgement.dimensions)));
    }
    // The feedback has it too, without the name of the judge.
    let part = feedback_of(places, bead)?.and_then(|line| line.judgment);
    Ok(part.map(|part| ("unknown".to_owned(), part.verdict, part.dimensions)))
}

fn gather(places: &Places) -> Result<Gathered, Refusal> {
    let labels = labels(places)?;
    let mut gathered =
        Gathered { labels: Labels::default(), pairs: Vec::new(), scored: Vec::new(), warnings: Vec::new() };
    for (name, people) in &labels.by_bead {
        let (Ok(bead), Some(first)) = (name.parse::<Bead>(), people.first()) else { continue };
        let Some((model, verdict, dimensions)) = judged(places, &bead, &mut gathered.warnings)? else {
            continue;
        };
        if let Some(run) = feedback_of(places, &bead)? {
            let mut counts = Counts::default();
            counts.add(run.outcome, run.retried);
            let mechanical = counts.score();
            let blended = MECHANICAL_PART * mechanical + (1.0 - MECHANICAL_PART) * dimensions.score();
            gathered.scored.push(Scored { label: first.verdict, mechanical, blended });
        }
        gathered.pairs.push((model, Pair { people: people.clone(), verdict, dimensions }));
    }
    gathered.labels = labels;
    Ok(gathered)
}

/// Whether judgements count, by what people said so far.
pub(super) fn influence_of(places: &Places) -> Result<Influence, Refusal> {
    let gathered = gather(places)?;
    Ok(Influence::of(Some(&compared(&gathered, SEED)), false))
}

fn compared(gathered: &Gathered, seed: u64) -> Calibration {
    let pairs: Vec<Pair> = gathered.pairs.iter().map(|(_, pair)| pair.clone()).collect();
    compare(&pairs, &mut Random::new(seed))
}

/// The report, as it is printed.
#[derive(Debug, Serialize)]
struct Report {
    generated_at: String,
    seed: u64,
    /// Runs with a label.
    labelled_runs: usize,
    /// Who labelled.
    people: usize,
    /// Labelled runs that nobody judged.
    without_judgement: usize,
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

/// One judge alone.
#[derive(Debug, Serialize)]
struct ByJudge {
    model: String,
    runs: usize,
    kappa: Option<f64>,
}

fn report(options: &ReportOptions, output: Output) -> Result<u8, Refusal> {
    let places = places()?;
    let now = clock::now()?;
    let gathered = gather(&places)?;
    let calibration = compared(&gathered, options.seed);
    let influence = Influence::of(Some(&calibration), false);
    let prediction = predict(&gathered.scored, &mut Random::new(options.seed));
    let all = gathered.labels.by_bead.values().flatten();
    let people: BTreeSet<&str> = all.map(|label| label.rater.as_str()).collect();
    let mut warnings = gathered.warnings.clone();
    if gathered.labels.unreadable > 0 {
        warnings.push(format!("{} lines of labels.ndjson are no labels", gathered.labels.unreadable));
    }
    let report = Report {
        generated_at: written(now),
        seed: options.seed,
        labelled_runs: gathered.labels.by_bead.len(),
        people: people.len(),
        without_judgement: gathered.labels.by_bead.len() - gathered.pairs.len(),
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

fn by_judge(pairs: &[(String, Pair)]) -> Vec<ByJudge> {
    let rank = |verdict: Verdict| match verdict {
        Verdict::Pass => 0,
        Verdict::Partial => 1,
        Verdict::Fail => 2,
    };
    let mut grouped: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (model, pair) in pairs {
        let person = pair.people.first().map(|label| rank(label.verdict));
        let verdicts = grouped.entry(model).or_default();
        verdicts.extend(person.map(|person| (person, rank(pair.verdict))));
    }
    let mut judges: Vec<ByJudge> = grouped
        .into_iter()
        .map(|(model, verdicts)| ByJudge {
            model: model.to_owned(),
            runs: verdicts.len(),
            kappa: cohen_kappa(&verdicts, 3).map(|kappa| (kappa * 1e4).round() / 1e4),
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
            "{} labelled runs by {} people, {} of them judged",
            report.labelled_runs, report.people, calibration.runs
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
            "{}: κ {kappa} over {} runs",
            crate::render::printable(&judge.model, 60),
            judge.runs
        ));
    }
    lines.extend(report.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n")
}
