//! `jury templates refine`: variants of templates that do badly, each with a test of its own.

use jiff::Timestamp;
use jury_core::judge::{Bead, JudgeDimension, written};
use jury_core::severity::Severity;
use jury_learning::ab::{AbTest, AbTests, TARGET_RUNS};
use jury_learning::calibration::Influence;
use jury_learning::files::{LearningPaths, Templates, each_feedback, load, lock_scores, save};
use jury_learning::guardrail::{self, MOST_VARIANTS};
use jury_learning::refine::{Candidate, LogEntry, Refined, RefinementLog, candidates, fill_patterns};
use jury_learning::{PatternRegistry, TemplateScores, message};

use super::{influence, learning_paths, scores, shown};
use crate::cli::RefineArgs;
use crate::clock;
use crate::output::Output;
use crate::refusal::Refusal;

/// How many of the newest judged runs are asked what judges found.
const NEWEST_JUDGED: usize = 10;
/// How many dimensions go into a variant at most.
const MOST_WANTING: usize = 2;

pub(super) fn refine(args: &RefineArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let Some(mut scores) = scores(&paths)? else {
        Output::result(message::NO_SCORES);
        return Ok(0);
    };
    // A registry that cannot be read is no reason to stop: it is asked for old scores only.
    match load::<PatternRegistry>(&paths.registry) {
        Ok(registry) => fill_patterns(&mut scores, &registry.unwrap_or_default()),
        Err(error) => output.note(&error.to_string()),
    }
    let influence = influence(&paths, Some(&scores), args.force_judges)?;
    let found = candidates(&scores, &influence);
    if found.is_empty() {
        Output::result(message::NOTHING_TO_REFINE);
        return Ok(0);
    }
    if args.auto {
        return write(&paths, &scores, &found, &influence, output);
    }
    let log: RefinementLog = load(&paths.refinement_log)?.unwrap_or_default();
    for candidate in &found {
        let ruling = guardrail::refinement_loop(&log, &candidate.template);
        if ruling.ok {
            Output::result(&message::would_refine(candidate, args.dry_run));
        } else {
            Output::result(&ruling.line);
        }
    }
    Ok(0)
}

fn write(
    paths: &LearningPaths,
    scores: &TemplateScores,
    found: &[Candidate],
    influence: &Influence,
    output: Output,
) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let target = target_runs()?;
    let _lock = lock_scores(paths)?;
    let templates = Templates::new(paths);
    let mut log: RefinementLog = load(&paths.refinement_log)?.unwrap_or_default();
    let mut tests: AbTests = load(&paths.ab_tests)?.unwrap_or_default();
    for candidate in found {
        let Ok(name) = candidate.template.parse::<Bead>() else {
            output.note(&format!("a template has a name that no file can have: {:?}", printable(candidate)));
            continue;
        };
        let ruling = guardrail::refinement_loop(&log, name.as_str());
        if !ruling.ok {
            Output::result(&format!("Skipped {name}: {}", ruling.line));
            continue;
        }
        let active = tests.tests.iter().filter(|test| {
            test.original == name.as_str() && test.status == jury_learning::ab::AbStatus::Active
        });
        if active.count() >= MOST_VARIANTS {
            Output::result(&format!("Skipped {name}: {MOST_VARIANTS} variants are under test already"));
            continue;
        }
        let Some(original) = templates.text(&name)? else {
            Output::result(&message::template_not_found(name.as_str(), &shown(&templates.file(&name))));
            continue;
        };
        let mut known = templates.known()?;
        known.extend(tests.tests.iter().map(|test| test.variant.clone()));
        known.extend(scores.templates.iter().map(|score| score.template.clone()));
        known.extend(log.entries.iter().filter_map(|entry| match entry {
            LogEntry::Refined(entry) => Some(entry.variant.clone()),
            LogEntry::Other(entry) => entry.get("variant")?.as_str().map(str::to_owned),
        }));
        let variant = candidate.next_variant(known.iter().map(String::as_str));
        let Ok(variant) = variant.parse::<Bead>() else {
            output.note(&format!("{name}: the name of a variant would be too long"));
            continue;
        };
        let wanting = if influence.counts() { wanting(paths, name.as_str())? } else { Vec::new() };
        if !templates.create(&variant, &candidate.variant_text(&original, &wanting))? {
            output.note(&format!("{variant}.md is there already, and stays as it is"));
            continue;
        }
        log.entries.push(LogEntry::Refined(logged(candidate, &variant, now)));
        save(&paths.refinement_log, &log)?;
        let test = AbTest::new(name.as_str(), variant.as_str(), target, written(now));
        if super::ab::begin(&mut tests, test) {
            save(&paths.ab_tests, &tests)?;
        }
        let trigger = candidate.triggers.first().map_or("", |trigger| trigger.as_str());
        Output::result(&format!(
            "Refined {name}: {} ({trigger}), compared over {} each",
            shown(&templates.file(&variant)),
            jury_core::line::counted(target, "run", "runs")
        ));
    }
    Ok(0)
}

fn printable(candidate: &Candidate) -> String {
    crate::render::printable(&candidate.template, 80)
}

fn logged(candidate: &Candidate, variant: &Bead, now: Timestamp) -> Refined {
    Refined {
        template: candidate.template.clone(),
        variant: variant.as_str().to_owned(),
        trigger: candidate.triggers.first().map_or("", |trigger| trigger.as_str()).to_owned(),
        timestamp: written(now),
        full_pass_rate: candidate.full_pass_rate,
        total_runs: candidate.total_runs,
        patterns_applied: candidate.applied(),
    }
}

/// The runs of each arm before the first look: `AB_TEST_TARGET_RUNS`.
fn target_runs() -> Result<u64, Refusal> {
    let given = std::env::var("AB_TEST_TARGET_RUNS").unwrap_or_default();
    if given.trim().is_empty() {
        return Ok(TARGET_RUNS);
    }
    given.trim().parse().ok().filter(|runs| (1..=1_000_000).contains(runs)).ok_or_else(|| {
        Refusal::usage(format!(
            "AB_TEST_TARGET_RUNS: {:?} is no number of runs; use 1 to 1000000",
            crate::render::printable(&given, 40)
        ))
    })
}

/// The dimensions that most major findings of the newest judged runs of a template are about, the commonest first.
fn wanting(paths: &LearningPaths, template: &str) -> Result<Vec<JudgeDimension>, Refusal> {
    let mut newest: Vec<(Option<Timestamp>, String, Vec<JudgeDimension>)> = Vec::new();
    each_feedback(paths, |line| {
        let Some(part) = line.judgment.as_ref().filter(|_| line.template == template) else { return };
        let major = part.issues.iter().filter(|issue| issue.severity == Severity::Serious);
        let found: Vec<JudgeDimension> = major.filter_map(|issue| issue.dimension).collect();
        newest.push((line.at, line.bead.clone(), found));
        newest.sort_by(|one, two| (two.0, &two.1).cmp(&(one.0, &one.1)));
        newest.truncate(NEWEST_JUDGED);
    })?;
    let often =
        |dimension: &JudgeDimension| newest.iter().filter(|(_, _, found)| found.contains(dimension)).count();
    let mut wanting: Vec<JudgeDimension> =
        JudgeDimension::ALL.iter().copied().filter(|dimension| often(dimension) > 0).collect();
    wanting.sort_by_key(|dimension| std::cmp::Reverse(often(dimension)));
    wanting.truncate(MOST_WANTING);
    Ok(wanting)
}
