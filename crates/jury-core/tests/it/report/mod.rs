//! A run as one HTML file: what is in it, and what cannot get out of its place in it.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod document;
mod hostile;
mod verdict;

use jury_core::artifact::Digest;
use jury_core::event::{Event, Queued, TheaterEvent};
use jury_core::id::RunId;
use jury_core::record::Record;
use jury_core::report::ReportCase;
use jury_core::report::html::{self, Bundle, Pages};
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{ArtifactSource, TheaterEffect, TheaterOutput};
use jury_core::unit::{Millis, Seq};
use uuid::Uuid;

use crate::theater::stage::{Stage, subject};

/// A bundle that is short to read.
pub(crate) fn bundle() -> Bundle {
    Bundle {
        script: "document.title;".into(),
        style: "p{margin:0}".into(),
        words: "{\"en\":{\"a\":\"<b>\"}}\n".into(),
    }
}

/// The log of what was played, and the pages that came of it.
pub(crate) fn log(stage: &Stage, title: &str) -> (Vec<Record>, Pages) {
    let subject = subject();
    let queued = Queued {
        project_id: subject.project,
        artifact_id: subject.artifact,
        agent: subject.agent,
        title: title.to_owned(),
        skill: None,
    };
    let events = std::iter::once(Event::Theater(TheaterEvent::Queued(queued)))
        .chain(stage.events().cloned().map(Event::from));
    let records = events.zip(1_u64..).map(|(event, number)| Record {
        seq: Seq(number),
        at: Millis(number * 40),
        run_id: RunId(Uuid::from_u128(0x0198_c0de_0000_7000_8000_0000_0000_0002)),
        event,
    });
    let bodies = stage.out.iter().filter_map(|output| match output {
        TheaterOutput::Effect(
            TheaterEffect::KeepRound { body, .. } | TheaterEffect::KeepFinal(ArtifactSource::Body(body)),
        ) => Some(body),
        TheaterOutput::Event(_) | TheaterOutput::Effect(_) => None,
    });
    (records.collect(), bodies.map(|body| (Digest::of(body), body.clone())).collect())
}

/// The report of what a script plays.
pub(crate) fn report(script: &str) -> String {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play(script);
    let (records, pages) = log(&stage, "A page");
    html::document(&ReportCase::new(&records), &records, &pages, &bundle()).unwrap()
}
