//! `jury templates select`: which template a task gets, and why.

use jury_learning::ab::AbTests;
use jury_learning::files::load;
use jury_learning::{TemplateSelection, select as choose};

use super::{complain, influence, learning_paths, scores};
use crate::cli::{ListFormat, SelectArgs};
use crate::output::Output;
use crate::refusal::Refusal;

pub(super) fn select(args: SelectArgs) -> Result<u8, Refusal> {
    let Some(task) = args.task.filter(|task| !task.trim().is_empty()) else {
        return Ok(complain("no task given", "jury templates select TASK"));
    };
    let paths = learning_paths()?;
    let scores = scores(&paths)?;
    let influence = influence(&paths, scores.as_ref(), args.force_judges)?;
    let mut tests: AbTests = load(&paths.ab_tests)?.unwrap_or_default();
    let selection = choose(&task, scores.as_ref(), &mut tests, &influence);
    match args.format {
        ListFormat::Json => Output::result(&serde_json::to_string_pretty(&selection).unwrap_or_default()),
        ListFormat::Human => Output::result(&told(&selection)),
    }
    Ok(0)
}

fn told(selection: &TemplateSelection) -> String {
    let mut lines = vec![format!("{} with {}", selection.template, selection.agent)];
    lines.extend(selection.reasons.iter().map(|reason| format!("  {reason}")));
    lines.extend(selection.warnings.iter().map(|warning| format!("  warning: {warning}")));
    lines.join("\n")
}
