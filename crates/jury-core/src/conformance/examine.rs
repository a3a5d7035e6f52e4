//! An answer that is there as a whole, judged like one that came live.

use std::collections::BTreeMap;

use super::verdict::{Verdict, verdict};
use crate::lint::LintFinding;
use crate::process::Exit;
use crate::protocol::{Limits, Parser};
use crate::settings::CritiqueConfig;
use crate::theater::{Effect, Input, Outbox, Output, Source, Subject, Theater};
use crate::unit::{Millis, Round};

/// Judges an agent's answer: parser, scoreboard and verdict, without a clock. The final pass over what ships
/// comes from outside, because reading pages is not this crate's job.
pub fn examine(
    answer: &[u8],
    config: &CritiqueConfig,
    subject: Subject,
    mut lint: impl FnMut(&str) -> Vec<LintFinding>,
) -> Verdict {
    let mut stand = Stand {
        theater: Theater::new(config.clone(), subject),
        drafts: BTreeMap::new(),
        handed_over: None,
        lint: &mut lint,
    };
    stand.handle(Input::Start);
    let mut parser = Parser::new(Limits::of(config));
    let read = parser.feed(answer, &mut |signal| stand.handle(Input::Signal(signal)));
    if let Err(fault) = read {
        stand.handle(Input::Fault(fault));
    } else if let Err(fault) = parser.finish() {
        stand.handle(Input::Ended { exit: Exit::Code(0), fault });
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
    fn handle(&mut self, input: Input<'_>) {
        let mut next = Some(input);
        while let Some(input) = next.take() {
            let mut out = Outbox::new();
            self.theater.handle(input, Millis(0), &mut out);
            for output in out {
                match output {
                    Output::Effect(Effect::KeepRound { round, body }) => {
                        self.drafts.insert(round, body);
                    }
                    Output::Effect(Effect::KeepFinal(source)) => self.handed_over = self.body(source),
                    Output::Effect(Effect::Lint(source)) => {
                        let page = self.body(source).unwrap_or_default();
                        next = Some(Input::Linted((self.lint)(&String::from_utf8_lossy(&page))));
                    }
                    Output::Event(_)
                    | Output::Effect(
                        Effect::StartAgent | Effect::StopAgent | Effect::AskOnce | Effect::Measure { .. },
                    ) => {}
                }
            }
        }
    }

    fn body(&self, source: Source) -> Option<Vec<u8>> {
        match source {
            Source::Body(body) => Some(body),
            Source::Round(round) => self.drafts.get(&round).cloned(),
        }
    }
}
