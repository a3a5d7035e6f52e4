//! An answer that is there as a whole, judged like one that came live.

use std::collections::BTreeMap;

use super::verdict::{ConformanceVerdict, verdict};
use crate::lint::LintFinding;
use crate::process::Exit;
use crate::protocol::{Parser, ParserLimits};
use crate::settings::CritiqueConfig;
use crate::theater::{
    ArtifactSource, Theater, TheaterEffect, TheaterInput, TheaterOutbox, TheaterOutput, TheaterSetup,
};
use crate::unit::{Millis, Round};

/// Judges an agent's answer: parser, scoreboard and verdict, without a clock. The final pass over what ships
/// comes from outside, because reading pages is not this crate's job.
pub fn examine(
    answer: &[u8],
    config: &CritiqueConfig,
    subject: TheaterSetup,
    mut lint: impl FnMut(&str) -> Vec<LintFinding>,
) -> ConformanceVerdict {
    let mut stand = Stand {
        theater: Theater::new(config.clone(), subject),
        drafts: BTreeMap::new(),
        handed_over: None,
        lint: &mut lint,
    };
    stand.handle(TheaterInput::Start);
    let mut parser = Parser::new(ParserLimits::of(config));
    let read = parser.feed(answer, &mut |signal| stand.handle(TheaterInput::Signal(signal)));
    if let Err(fault) = read {
        stand.handle(TheaterInput::Fault(fault));
    } else if let Err(fault) = parser.finish() {
        stand.handle(TheaterInput::Ended { exit: Exit::Code(0), fault });
    }
    let page = stand.handed_over.as_deref().map(String::from_utf8_lossy);
    verdict(stand.theater.board(), page.as_deref())
}

struct Stand<'a> {
    theater: Theater,
    drafts: BTreeMap<Round, Vec<u8>>,
    handed_over: Option<Vec<u8>>,
    lint: &'a mut dyn FnMut(&str) -> Vec<LintFinding>,
}

impl Stand<'_> {
    /// Lets the machine decide, and does at once what it waits for.
    fn handle(&mut self, input: TheaterInput<'_>) {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            let mut out = TheaterOutbox::new();
            self.theater.handle(input, Millis(0), &mut out);
            for output in out {
                match output {
                    TheaterOutput::Effect(TheaterEffect::KeepRound { round, body }) => {
                        self.drafts.insert(round, body);
                    }
                    TheaterOutput::Effect(TheaterEffect::KeepFinal(source)) => {
                        self.handed_over = self.body(source);
                    }
                    TheaterOutput::Effect(TheaterEffect::Lint(source)) => {
                        let page = self.body(source).unwrap_or_default();
                        next = Some(TheaterInput::Linted((self.lint)(&String::from_utf8_lossy(&page))));
                    }
                    TheaterOutput::Event(_)
                    | TheaterOutput::Effect(
                        TheaterEffect::StartAgent
                        | TheaterEffect::StopAgent
                        | TheaterEffect::AskOnce
                        | TheaterEffect::Measure { .. },
                    ) => {}
                }
            }
        }
    }

    fn body(&self, source: ArtifactSource) -> Option<Vec<u8>> {
        match source {
            ArtifactSource::Body(body) => Some(body),
            ArtifactSource::Round(round) => self.drafts.get(&round).cloned(),
        }
    }
}
