//! Measuring the draft of a run in a process of its own: a daemon stays as small as it was.

use std::borrow::Cow;
use std::time::Duration;

use jury_agents::exit_words;
use jury_core::evidence::Measurement;
use jury_house::{Beside, GivenPage, MeasureTask};
use serde::{Deserialize, Serialize};

/// How long a page may take at most; whoever waits for it gives up earlier.
pub(super) const LIMIT: Duration = Duration::from_secs(15);

/// A page to be measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    page: String,
    /// The text of DESIGN.md, if there is one.
    design: Option<String>,
    /// The files that it may load.
    #[serde(default, skip_serializing_if = "Beside::is_empty")]
    beside: Beside,
    /// The page that was handed in, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    given: Option<String>,
    /// What was asked for beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    brief: Option<String>,
    /// Whether it is only compared with that page.
    #[serde(default)]
    compare_only: bool,
    /// Whether the measured seats are asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    seats: bool,
}

/// The figures, or why there are none.
pub(super) fn answer(request: &Request) -> Result<Measurement, String> {
    let Request { page, design, beside, given, brief, compare_only, seats } = request;
    let given = given.as_deref().map(|page| GivenPage { page, brief: brief.as_deref() });
    let task =
        MeasureTask { page, design: design.as_deref(), beside, given, figures: !compare_only, seats: *seats };
    jury_house::measure_task(&task).map_err(|error| {
        let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
        format!("{error}{}", source.unwrap_or_default())
    })
}

/// Measures a page by asking this program to, as another process.
pub(crate) fn measure_elsewhere(task: &MeasureTask<'_>) -> Result<Measurement, String> {
    let failed = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
    let request = Request {
        page: task.page.to_owned(),
        design: task.design.map(ToOwned::to_owned),
        beside: task.beside.clone(),
        given: task.given.map(|given| given.page.to_owned()),
        brief: task.given.and_then(|given| given.brief).map(ToOwned::to_owned),
        compare_only: !task.figures,
        seats: task.seats,
    };
    let line = super::Request::Measure(Cow::Owned(request))
        .to_line()
        .map_err(|error| failed("cannot write the request", &error))?;
    let mut worker = super::start().map_err(|error| failed("cannot start the measuring", &error))?;
    let answer = worker.ask(line);
    let exit = worker.end().map_err(|error| failed("cannot hear the measuring", &error))?;
    let answer: Result<Measurement, String> = serde_json::from_slice(&answer)
        .map_err(|_| format!("the measuring ended with {} and no figures", exit_words(exit)))?;
    answer
}
