//! Reports: what people read. Each is made from the other files and replaces its predecessor of the same name.

use std::fs;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use jury_core::judge::Registry;
use jury_core::judge::audit::PromptRuns;
use jury_core::judge::retrospective::{BeforeAndAfter, FirstTemplate, Retrospective};
use jury_core::judge::weekly::{WeekInput, Weekly, weekly};
use serde::Serialize;

use super::document::{load, save};
use super::error::LearningError;
use super::places::Places;
use super::registry::{RegistryFile, read_registry};
use super::scan::{LeftOuts, each_feedback};
use crate::error::{StoreError, io as io_error};

/// Writes a report into the folder of reports, which is made if need be. Where it is.
pub fn write_report(places: &Places, name: &str, report: &impl Serialize) -> Result<PathBuf, StoreError> {
    fs::create_dir_all(&places.reports).map_err(io_error(&places.reports))?;
    let place = places.reports.join(name);
    save(&place, report)?;
    Ok(place)
}

/// Before and after a day; without one, before and from the first run that had a template.
pub fn retrospective(
    places: &Places,
    boundary: Option<Date>,
    now: Timestamp,
) -> Result<(Retrospective, LeftOuts), StoreError> {
    let boundary = if let Some(boundary) = boundary {
        boundary
    } else {
        let mut first = FirstTemplate::default();
        each_feedback(places, |line| first.see(line))?;
        first.day(now)
    };
    let mut runs = BeforeAndAfter::new(boundary);
    let left_out = each_feedback(places, |line| runs.add(line))?;
    Ok((runs.report(now), left_out))
}

/// The week of a moment, from the scores as they are; and why the registry has no part in it, if it cannot be read.
pub fn week_report(places: &Places, now: Timestamp) -> Result<(Weekly, Option<String>), LearningError> {
    let templates = load(&places.scores.join("template-scores.json"))?;
    let agents = load(&places.scores.join("agent-scores.json"))?;
    let none = || jury_core::judge::scores(&jury_core::judge::Book::default(), now);
    let (registry, warning) = match read_registry(&places.registry)? {
        RegistryFile::Read(registry) => (registry, None),
        RegistryFile::Missing => (Registry::default(), None),
        RegistryFile::Broken(why) => {
            let name = places.registry.display();
            (
                Registry::default(),
                Some(format!("{name} is left out: {why}; collect feedback, and it is made again")),
            )
        }
    };
    let report = weekly(
        WeekInput {
            templates: &templates.unwrap_or_else(|| none().0),
            agents: &agents.unwrap_or_else(|| none().1),
            registry: &registry,
            tests: &load(&places.ab_tests)?.unwrap_or_default(),
            log: &load(&places.refinement_log)?.unwrap_or_default(),
        },
        now,
    );
    Ok((report, warning))
}

/// How often each prompt of each template was run.
pub fn prompt_runs(places: &Places) -> Result<(PromptRuns, LeftOuts), StoreError> {
    let mut runs = PromptRuns::new();
    let left_out = each_feedback(places, |line| {
        if !line.prompt_hash.is_empty() {
            let of_template = runs.entry(line.template.clone()).or_default();
            *of_template.entry(line.prompt_hash.clone()).or_default() += 1;
        }
    })?;
    Ok((runs, left_out))
}
