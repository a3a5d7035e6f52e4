//! `jury templates guardrails`: what keeps the loop from running away. The answer is in the text; the exit code is 0.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jury_core::judge::{moment, written};
use jury_learning::ab::AbTests;
use jury_learning::files::{LearningPaths, Templates, each_feedback, load, lock_scores, save};
use jury_learning::guardrail::{self, GuardrailRuling, Purpose, ROLLBACK_RUNS};
use jury_learning::interval::Z_95;
use jury_learning::refine::{LogEntry, RefinementLog};
use jury_learning::{TemplateScores, TemplateTally};
use serde_json::{Value, json};

use super::promotion::{BLENDED, number, retire};
use super::{feedback_is_there, influence, is_on, learning_paths, named, scores};
use crate::cli::{GuardrailsArgs, GuardrailsCommand, PurposeName};
use crate::clock;
use crate::output::Output;
use crate::refusal::Refusal;

pub(super) fn guardrails(args: GuardrailsArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    match args.command {
        GuardrailsCommand::CheckVariantLimit(args) => {
            say(&guardrail::variant_limit(&tests(&paths)?, &args.template));
        }
        GuardrailsCommand::EnforceVariantLimit(args) => enforce(&paths, &args.template)?,
        GuardrailsCommand::CheckSampleSize(args) => {
            let purpose = match args.purpose {
                PurposeName::Scoring => Purpose::Scoring,
                PurposeName::Refinement => Purpose::Refinement,
            };
            say(&guardrail::sample_size(args.runs, purpose));
        }
        GuardrailsCommand::CheckRollback(args) => {
            let rulings = promotions(&paths, args.template.as_deref(), output)?;
            if rulings.is_empty() {
                Output::result("ok: no promotion to look at");
            }
            for watched in &rulings {
                say(&watched.ruling);
            }
        }
        GuardrailsCommand::AutoRollback(args) => {
            roll_back(&paths, args.template.as_deref(), clock::now()?, output)?;
        }
        GuardrailsCommand::CheckPromote(args) => say(&guardrail::promotion(
            &args.original,
            &args.variant,
            (args.original_score, args.variant_score),
            is_on("NO_AUTO_PROMOTE"),
        )),
        GuardrailsCommand::CheckDuplicates(args) => duplicates(&paths, &args.template, output)?,
        GuardrailsCommand::CountUnique(args) => {
            let hashes = hashes(&paths, &args.template, output)?;
            Output::result(&hashes.len().to_string());
        }
        GuardrailsCommand::CheckRefinementLoop(args) => {
            let log: RefinementLog = load(&paths.refinement_log)?.unwrap_or_default();
            say(&guardrail::refinement_loop(&log, &args.template));
        }
    }
    Ok(0)
}

fn say(ruling: &GuardrailRuling) {
    Output::result(&ruling.line);
}

fn tests(paths: &LearningPaths) -> Result<AbTests, Refusal> {
    Ok(load(&paths.ab_tests)?.unwrap_or_default())
}

fn enforce(paths: &LearningPaths, template: &str) -> Result<(), Refusal> {
    let now = clock::now()?;
    let _lock = lock_scores(paths)?;
    let mut tests = tests(paths)?;
    let ended = guardrail::enforce_variant_limit(&mut tests, template, &written(now));
    if ended.is_empty() {
        say(&guardrail::variant_limit(&tests, template));
        return Ok(());
    }
    save(&paths.ab_tests, &tests)?;
    for variant in &ended {
        retire(paths, variant)?;
        Output::result(&format!("archived: {} was one variant too many", plain(variant)));
    }
    Ok(())
}

/// No quotes: scripts put these lines into quotes of their own.
fn plain(text: &str) -> String {
    crate::render::printable(text, 200).replace('\'', "")
}

/// A promotion that is still in place, and what is to be said about it.
pub(super) struct Watched {
    template: String,
    pub(super) ruling: GuardrailRuling,
    score: f64,
    before: f64,
}

/// What a template scored before it was replaced: a blended score is compared with a blended one, a mechanical one with
/// a mechanical one, whatever judgements count for by now.
struct Before {
    mechanical: f64,
    blended: Option<f64>,
}

impl Before {
    fn read(entry: &Value) -> Self {
        let score = |key: &str| entry.get(key).and_then(Value::as_f64);
        let compared = score("original_score").unwrap_or(0.0);
        Self {
            mechanical: score("original_mechanical").unwrap_or(compared),
            blended: (entry.get("compared").and_then(Value::as_str) == Some(BLENDED)).then_some(compared),
        }
    }
}

/// Looks at the newest promotion of each template that was not taken back.
pub(super) fn promotions(
    paths: &LearningPaths,
    only: Option<&str>,
    output: Output,
) -> Result<Vec<Watched>, Refusal> {
    let log: RefinementLog = load(&paths.refinement_log)?.unwrap_or_default();
    let mut standing: BTreeMap<String, (Before, Option<Timestamp>)> = BTreeMap::new();
    for entry in &log.entries {
        let LogEntry::Other(entry) = entry else { continue };
        let word = |key: &str| entry.get(key).and_then(Value::as_str);
        match (word("type"), word("decision")) {
            (Some("ab_test_result"), Some("promoted")) => {
                if let Some(original) = word("original") {
                    let before = Before::read(entry);
                    standing.insert(original.to_owned(), (before, word("timestamp").and_then(moment)));
                }
            }
            (Some("rollback"), _) => {
                word("template").map(|template| standing.remove(template));
            }
            _ => {}
        }
    }
    standing.retain(|template, _| only.is_none_or(|only| only == template));
    if standing.is_empty() {
        return Ok(Vec::new());
    }
    feedback_is_there(paths)?;
    let scores = scores(paths)?;
    let with_judges = influence(paths, scores.as_ref(), false)?.counts();
    let mut since: BTreeMap<&str, TemplateTally> = BTreeMap::new();
    let left_out = each_feedback(paths, |line| {
        if let Some((template, (_, from))) = standing.get_key_value(&line.template) {
            // One that has run, and not since then, has a tally of nothing.
            let tally = since.entry(template).or_default();
            if from.is_none_or(|from| line.at.is_some_and(|at| at >= from)) {
                tally.add(line);
            }
        }
    })?;
    for left_out in &left_out.named {
        output.note(&left_out.to_string());
    }
    let watched = standing.iter().map(|(template, (before, _))| {
        let (ruling, score, then) = if let Some(tally) = since.get(template.as_str()) {
            let judged = with_judges && tally.judged.count > 0;
            let (now, then) = match before.blended.filter(|_| judged) {
                Some(blended) => (tally.blended(Z_95), blended),
                None => (tally.mechanical(Z_95), before.mechanical),
            };
            (guardrail::rollback(template, now, tally.counts.scoreable, then), now.value, then)
        } else {
            let (ruling, score) = by_scores(template, scores.as_ref(), before.mechanical);
            (ruling, score, before.mechanical)
        };
        Watched { template: template.clone(), ruling, score, before: then }
    });
    Ok(watched.collect())
}

/// Without a single run of it there is the file of scores, and the rule of the scripts before us: a lower score is one.
fn by_scores(template: &str, scores: Option<&TemplateScores>, before: f64) -> (GuardrailRuling, f64) {
    let known = scores.and_then(|scores| scores.templates.iter().find(|score| score.template == template));
    match known {
        Some(known) if known.total_runs >= ROLLBACK_RUNS => {
            let exact = jury_learning::interval::Estimate::exact(known.score);
            (guardrail::rollback(template, exact, known.total_runs, before), known.score)
        }
        known => {
            let runs = known.map_or(0, |known| known.total_runs);
            let nothing = jury_learning::interval::Estimate::exact(0.0);
            (guardrail::rollback(template, nothing, runs.min(ROLLBACK_RUNS - 1), before), 0.0)
        }
    }
}

/// Takes back the promotions that did not hold.
pub(super) fn roll_back(
    paths: &LearningPaths,
    only: Option<&str>,
    now: Timestamp,
    output: Output,
) -> Result<(), Refusal> {
    let _lock = lock_scores(paths)?;
    let due: Vec<Watched> =
        promotions(paths, only, output)?.into_iter().filter(|watched| !watched.ruling.ok).collect();
    if due.is_empty() {
        Output::result("ok: no promotion to take back");
        return Ok(());
    }
    let mut log: RefinementLog = load(&paths.refinement_log)?.unwrap_or_default();
    for watched in due {
        let template = named(&watched.template)?;
        let replaced = format!("rolled-back-{}", now.strftime("%Y%m%dT%H%M%SZ"));
        if !Templates::new(paths).restore(&template, &replaced)? {
            Output::result(&format!("cannot roll back {template}: .archive/{template}.md not found"));
            continue;
        }
        log.entries.push(LogEntry::Other(json!({
            "type": "rollback", "template": watched.template, "score": number(watched.score),
            "original_score": number(watched.before), "timestamp": written(now),
        })));
        save(&paths.refinement_log, &log)?;
        Output::result(&format!("Rolled back {template}: {}", watched.ruling.line));
    }
    Ok(())
}

/// How often each prompt of a template was run.
fn hashes(paths: &LearningPaths, template: &str, output: Output) -> Result<BTreeMap<String, u64>, Refusal> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let left_out = each_feedback(paths, |line| {
        if line.template == template && !line.prompt_hash.is_empty() {
            *counts.entry(line.prompt_hash.clone()).or_default() += 1;
        }
    })?;
    for left_out in &left_out.named {
        output.note(&left_out.to_string());
    }
    Ok(counts)
}

fn duplicates(paths: &LearningPaths, template: &str, output: Output) -> Result<(), Refusal> {
    let mut often: Vec<(String, u64)> =
        hashes(paths, template, output)?.into_iter().filter(|(_, count)| *count > 1).collect();
    often.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
    if often.is_empty() {
        Output::result(&format!("ok: no prompt of {} was run twice", plain(template)));
    }
    for (hash, count) in often {
        Output::result(&format!("duplicate: {} was run {count} times", plain(&hash)));
    }
    Ok(())
}
