//! Reports: what people read. Each is made from the other files and replaces its predecessor of the same name.

use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use jury_store::StoreError;
use jury_store::file::io_error;
use serde::Serialize;

use super::document::{load, save};
use super::error::LearningError;
use super::paths::LearningPaths;
use super::registry::{PatternRegistryFile, read_registry};
use super::scan::{LeftOuts, each_feedback};
use crate::PatternRegistry;
use crate::audit::PromptRuns;
use crate::retrospective::{BeforeAndAfter, FirstTemplate, Retrospective};
use crate::weekly::{WeekInput, Weekly, weekly};

/// Writes a report into the folder of reports, which is made if need be. Where it is.
pub fn write_report(
    paths: &LearningPaths,
    name: &str,
    report: &impl Serialize,
) -> Result<PathBuf, StoreError> {
    fs::create_dir_all(&paths.reports).map_err(io_error(&paths.reports))?;
    let path = paths.reports.join(name);
    save(&path, report)?;
    Ok(path)
}

/// Before and after a day; without one, before and from the first run that had a template.
pub fn retrospective(
    paths: &LearningPaths,
    boundary: Option<Date>,
    now: Timestamp,
) -> Result<(Retrospective, LeftOuts), StoreError> {
    let boundary = if let Some(boundary) = boundary {
        boundary
    } else {
        let mut first = FirstTemplate::default();
        each_feedback(paths, |line| first.see(line))?;
        first.day(now)
    };
    let mut runs = BeforeAndAfter::new(boundary);
    let left_out = each_feedback(paths, |line| runs.add(line))?;
    Ok((runs.report(now), left_out))
}

/// The week of a moment, from the scores as they are; and why the registry has no part in it, if it cannot be read.
pub fn week_report(paths: &LearningPaths, now: Timestamp) -> Result<(Weekly, Option<String>), LearningError> {
    let templates = load(&paths.scores.join("template-scores.json"))?;
    let agents = load(&paths.scores.join("agent-scores.json"))?;
    let none = || crate::scores(&crate::Book::default(), now);
    let (registry, warning) = match read_registry(&paths.registry)? {
        PatternRegistryFile::Read(registry) => (registry, None),
        PatternRegistryFile::Missing => (PatternRegistry::default(), None),
        PatternRegistryFile::Broken(why) => {
            let name = paths.registry.display();
            (
                PatternRegistry::default(),
                Some(format!("{name} is left out: {why}; collect feedback, and it is made again")),
            )
        }
    };
    let report = weekly(
        WeekInput {
            templates: &templates.unwrap_or_else(|| none().0),
            agents: &agents.unwrap_or_else(|| none().1),
            registry: &registry,
            tests: &load(&paths.ab_tests)?.unwrap_or_default(),
            log: &load(&paths.refinement_log)?.unwrap_or_default(),
        },
        now,
    );
    Ok((report, warning))
}

/// How often each prompt of each template was run.
pub fn prompt_runs(paths: &LearningPaths) -> Result<(PromptRuns, LeftOuts), StoreError> {
    let mut runs = PromptRuns::new();
    let left_out = each_feedback(paths, |line| {
        if !line.prompt_hash.is_empty() {
            let of_template = runs.entry(line.template.clone()).or_default();
            *of_template.entry(line.prompt_hash.clone()).or_default() += 1;
        }
    })?;
    Ok((runs, left_out))
}
