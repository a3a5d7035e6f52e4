//! What people see of a run of the content pipeline.

pub(crate) mod progress;

use jury_core::content::{PipelineProgress, Standing, Studio};
use jury_core::event::Event;
use jury_core::record::Record;

use crate::output::{Output, Tone};
use crate::render::printable;

/// The state of a run, folded from its records.
pub(crate) fn studio(records: &[Record]) -> Studio {
    Studio::of(
        records.iter().filter_map(
            |record| {
                if let Event::Content(event) = &record.event { Some(event) } else { None }
            },
        ),
    )
}

/// How far a run has come, for programs.
pub(crate) fn json(studio: &Studio) -> String {
    serde_json::to_string_pretty(&PipelineProgress::of(studio)).unwrap_or_default()
}

/// How a run stands, for people.
pub(crate) fn verdict(studio: &Studio, output: Output) -> String {
    let standing = studio.standing();
    let tone = match standing {
        Standing::Approved => Tone::Good,
        Standing::Halted | Standing::Unreviewed => Tone::Bad,
        Standing::Running
        | Standing::Paused
        | Standing::NeedsHuman
        | Standing::Stalled
        | Standing::MaxRoundsReached
        | Standing::Abandoned => Tone::Poor,
    };
    let mut lines = vec![output.paint_result(tone, standing.as_str())];
    for round in &studio.rounds {
        let Some(ruling) = &round.ruling else { continue };
        let mean = ruling.mean.map_or_else(|| "no score".to_owned(), |mean| format!("mean {mean:.1}"));
        lines
            .push(format!("  round {}: {}, {mean}, {} high open", round.round, ruling.decision, ruling.high));
    }
    if let Some(progress) = PipelineProgress::of(studio) {
        lines.extend(progress.detail.map(|detail| format!("  {}", printable(&detail, 400))));
        lines.extend(progress.url.map(|url| format!("  {}", printable(&url, 400))));
    }
    lines.join("\n")
}
