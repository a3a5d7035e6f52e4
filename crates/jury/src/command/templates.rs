//! `jury templates`: what the feedback says about prompt templates, and what is done about it.
//!
//! Scripts called these commands by other names before. Their exit codes stay: 0, and 1 for a wrong call, for what is not
//! there and for what went wrong.

mod ab;
mod guardrails;
mod promotion;
mod refine;
mod reports;
mod score;
mod select;

use std::path::Path;

use jury_core::judge::Bead;
use jury_learning::TemplateScores;
use jury_learning::calibration::Influence;
use jury_learning::files::{LearningPaths, load};

use super::calibrate::influence_of;
use crate::cli::{TemplatesArgs, TemplatesCommand};
use crate::output::Output;
use crate::refusal::Refusal;

/// The exit code of the scripts for everything that goes wrong.
const WRONG: u8 = 1;

pub(crate) fn templates(args: TemplatesArgs, output: Output) -> Result<u8, Refusal> {
    let done = match args.command {
        TemplatesCommand::Score(args) => score::score(&args, output),
        TemplatesCommand::Select(args) => select::select(args),
        TemplatesCommand::Refine(args) => refine::refine(&args, output),
        TemplatesCommand::Ab(args) => ab::ab(args, output),
        TemplatesCommand::Guardrails(args) => guardrails::guardrails(args, output),
        TemplatesCommand::Retrospective(args) => reports::retrospective(&args, output),
        TemplatesCommand::Weekly(args) => reports::weekly(&args, output),
        TemplatesCommand::Audit(args) => reports::audit(&args, output),
    };
    done.map_err(|refusal| Refusal { code: WRONG, ..refusal })
}

/// The folders of the learning files.
pub(in crate::command) fn learning_paths() -> Result<LearningPaths, Refusal> {
    let here = std::env::current_dir()
        .map_err(|error| Refusal::usage(format!("the working directory: {error}; go to one that exists")))?;
    Ok(LearningPaths::read(|name| std::env::var_os(name), &here))
}

/// A wrong call, as the scripts tell it: what is wrong and how it is used.
fn complain(what: &str, usage: &str) -> u8 {
    Output::say(&format!("Error: {what}\nUsage: {usage}"));
    WRONG
}

/// A template by its name, which is that of a file.
fn named(name: &str) -> Result<Bead, Refusal> {
    name.parse().map_err(|_| {
        let shown: String = name.chars().take(80).collect();
        Refusal::usage(format!(
            "{shown:?} cannot be the name of a template: use letters, digits, '.', '_' and '-', no dot in front"
        ))
    })
}

/// The scores, if there are any.
pub(in crate::command) fn scores(paths: &LearningPaths) -> Result<Option<TemplateScores>, Refusal> {
    Ok(load(&paths.scores.join("template-scores.json"))?)
}

/// Whether judgements count. People are asked only where there are judgements.
fn influence(
    paths: &LearningPaths,
    scores: Option<&TemplateScores>,
    forced: bool,
) -> Result<Influence, Refusal> {
    let judged = judged_runs(scores);
    if forced || judged == 0 {
        return Ok(Influence::of(None, forced));
    }
    influence_of(paths, judged)
}

/// How many runs the scores have a judgement of.
pub(in crate::command) fn judged_runs(scores: Option<&TemplateScores>) -> u64 {
    let templates = scores.into_iter().flat_map(|scores| &scores.templates);
    templates.fold(0, |sum, score| sum.saturating_add(score.judged_runs))
}

/// A feedback folder that somebody named and that is not there is a wrong name, and not a folder without feedback: scores
/// alone must not decide because of it.
fn feedback_is_there(paths: &LearningPaths) -> Result<(), Refusal> {
    let named = std::env::var_os("FEEDBACK_DIR").is_some_and(|named| !named.is_empty());
    if named && !paths.feedback.is_dir() {
        return Err(Refusal::usage(format!(
            "FEEDBACK_DIR: {} not found; nothing is decided without the feedback that it names",
            shown(&paths.feedback)
        )));
    }
    Ok(())
}

/// A variable that is on.
fn is_on(variable: &str) -> bool {
    std::env::var(variable)
        .is_ok_and(|value| matches!(value.trim().to_ascii_lowercase().as_str(), "true" | "1" | "yes" | "on"))
}

/// A file as it is told to people.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
