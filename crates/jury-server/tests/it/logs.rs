//! Logs of whole runs: answers of an agent, played through the parser and the machine.

use jury_core::event::{Event, Interrupted, Queued, TheaterEvent};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::RecoveryReason;
use jury_core::process::Exit;
use jury_core::protocol::{Parser, ParserLimits};
use jury_core::record::Record;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{
    Opening, Plan, Theater, TheaterEffect, TheaterInput, TheaterOutbox, TheaterOutput, TheaterSetup, Witness,
};
use jury_core::unit::{Millis, Seq};
use uuid::Uuid;

/// What happens when the agent has said everything.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Then {
    /// It ends so.
    Exit(Exit),
    /// Somebody has had enough.
    Interrupt,
    /// Nothing, until it is too late.
    Hang,
    /// The program that drives the run goes away, and the next one finds out.
    DaemonRestart,
}

/// A run while it is being played.
pub(crate) struct Play {
    run: RunId,
    theater: Theater,
    parser: Parser,
    out: TheaterOutbox,
    records: Vec<Record>,
    now: Millis,
}

impl Play {
    pub(crate) fn new(run: u128, agent: &str, config: CritiqueConfig) -> Self {
        let subject = TheaterSetup {
            project: ProjectId::default_project(),
            artifact: ArtifactId(Uuid::from_u128(run)),
            agent: agent.parse::<AgentId>().unwrap(),
        };
        let mut play = Self {
            run: RunId(Uuid::from_u128(run)),
            parser: Parser::new(ParserLimits::of(&config)),
            theater: Theater::new(config, subject.clone()).by(Plan {
                opening: Opening::Panel,
                generates: false,
                witness: Witness::Panel,
                given: None,
                budget: jury_core::theater::RunBudget::default(),
            }),
            out: TheaterOutbox::new(),
            records: Vec::new(),
            now: Millis(0),
        };
        play.append(Event::Theater(TheaterEvent::Queued(Queued {
            project_id: subject.project,
            artifact_id: subject.artifact,
            agent: subject.agent,
            title: "page.html".to_owned(),
            skill: None,
        })));
        play.handle(TheaterInput::Start);
        play
    }

    fn append(&mut self, event: Event) {
        let seq = Seq(self.records.len() as u64 + 1);
        self.records.push(Record { seq, at: self.now, run_id: self.run, event });
    }

    fn handle(&mut self, input: TheaterInput<'_>) {
        self.theater.handle(input, self.now, &mut self.out);
        self.settle();
    }

    /// Writes down what the machine wants. The final pass finds nothing.
    fn settle(&mut self) {
        while !self.out.is_empty() {
            for output in std::mem::take(&mut self.out) {
                match output {
                    TheaterOutput::Event(event) => self.append(event.into()),
                    TheaterOutput::Effect(TheaterEffect::Lint(_)) => {
                        self.theater.handle(TheaterInput::Linted(Vec::new()), self.now, &mut self.out);
                    }
                    TheaterOutput::Effect(_) => {}
                }
            }
        }
    }

    /// The agent says this, and so much later.
    pub(crate) fn say(&mut self, after: u64, text: &str) {
        self.now = self.now.after(Millis(after));
        let Self { theater, parser, out, now, .. } = self;
        let parsed = parser
            .feed(text.as_bytes(), &mut |signal| theater.handle(TheaterInput::Signal(signal), *now, out));
        if let Err(fault) = parsed {
            self.theater.handle(TheaterInput::Fault(fault), self.now, &mut self.out);
        }
        self.settle();
    }

    pub(crate) fn end(mut self, then: Then) -> Vec<Record> {
        match then {
            _ if self.theater.has_ended() => {}
            Then::Exit(exit) => {
                if let Err(fault) = self.parser.finish() {
                    self.handle(TheaterInput::Ended { exit, fault });
                }
            }
            Then::Interrupt => self.handle(TheaterInput::Interrupt),
            Then::Hang => {
                self.now = self.theater.deadline().unwrap();
                self.handle(TheaterInput::Deadline);
            }
            Then::DaemonRestart => {
                let recovery_reason = Some(RecoveryReason::DaemonRestart);
                self.append(Event::Theater(TheaterEvent::Interrupted(Interrupted {
                    best: jury_core::event::BestSoFar::default(),
                    recovery_reason,
                })));
            }
        }
        self.records
    }
}

/// An answer line by line, each a tenth of a second after the one before it.
pub(crate) fn log(run: u128, agent: &str, answer: &str, then: Then) -> Vec<Record> {
    let mut play = Play::new(run, agent, CritiqueConfig::default());
    for line in answer.split_inclusive('\n') {
        play.say(100, line);
    }
    play.end(then)
}

/// The part of an answer before a mark.
pub(crate) fn until<'a>(answer: &'a str, mark: &str) -> &'a str {
    answer.split(mark).next().unwrap()
}
