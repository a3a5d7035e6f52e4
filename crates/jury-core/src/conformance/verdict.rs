//! The verdict on one run of an agent.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::html;
use crate::event::{Ship, ShipStatus, TheaterEvent};
use crate::outcome::{UnknownWord, words};
use crate::theater::Board;
use crate::warning::WarningKind;

/// How an agent did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The run shipped and every assertion holds.
    Shipped,
    /// There was a transcript, and something is wrong with it; or it did not ship.
    Degraded,
    /// There was no whole transcript: the agent broke, or took too long.
    Failed,
}

words!(Class { Shipped = "shipped", Degraded = "degraded", Failed = "failed" });

/// What is asserted about every run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Assertion {
    /// The parser reads the answer to its end.
    Parse,
    /// Every required element is there, in order, and every cast role speaks in the shipping round.
    Form,
    /// The agent's composites are those of its scores, within 0.05.
    Composite,
    /// The artifact that ships is well-formed HTML.
    Html,
    /// The run must end as shipped.
    Ship,
}

words!(Assertion { Parse = "parse", Form = "form", Composite = "composite", Html = "html", Ship = "ship" });

/// An assertion that does not hold, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Breach {
    /// The assertion that does not hold.
    pub assertion: Assertion,
    /// Why, for a person.
    pub detail: String,
}

/// What is to be said about one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Verdict)]
pub struct ConformanceVerdict {
    /// How the agent did.
    pub class: Class,
    /// Whether the answer was read to its end, with everything in its place.
    pub clean_parse: bool,
    /// Every reason for not being [`Class::Shipped`].
    pub breaches: Vec<Breach>,
}

impl ConformanceVerdict {
    fn of(broke: bool, breaches: Vec<Breach>) -> Self {
        let class = match (broke, breaches.is_empty()) {
            (true, _) => Class::Failed,
            (false, true) => Class::Shipped,
            (false, false) => Class::Degraded,
        };
        let unclean = |breach: &Breach| matches!(breach.assertion, Assertion::Parse | Assertion::Form);
        Self { class, clean_parse: !breaches.iter().any(unclean), breaches }
    }
}

/// Judges a run by its board and the artifact that it handed over.
///
/// Only facts count: what the parser reported and what the scoreboard computed. A run that has not ended is
/// a failure, not a pass.
pub fn verdict(board: &Board, artifact: Option<&str>) -> ConformanceVerdict {
    let mut breaches = Vec::new();
    let mut breach = |assertion, detail: String| breaches.push(Breach { assertion, detail });
    let mut broke = false;
    match &board.ended {
        None => {
            broke = true;
            breach(Assertion::Parse, "the run has not ended".to_owned());
        }
        Some(TheaterEvent::Degraded(degraded)) => {
            breach(Assertion::Parse, format!("{}: {}", degraded.reason, degraded.detail));
        }
        Some(TheaterEvent::Failed(failed)) => {
            broke = true;
            breach(Assertion::Parse, format!("{}: {}", failed.cause, failed.detail));
        }
        Some(TheaterEvent::Interrupted(_)) => {
            broke = true;
            breach(Assertion::Parse, "it was interrupted".to_owned());
        }
        Some(TheaterEvent::Ship(ship)) if ship.status == ShipStatus::TimedOut => {
            broke = true;
            breach(Assertion::Parse, format!("timed_out: {}", ship.summary));
        }
        Some(TheaterEvent::Ship(ship)) => {
            if ship.status == ShipStatus::Shipped {
                shipping_round(board, ship, &mut breach);
                match artifact.map(html::check) {
                    None => breach(Assertion::Html, "there is no artifact".to_owned()),
                    Some(Err(flaw)) => breach(Assertion::Html, flaw.to_string()),
                    Some(Ok(())) => {}
                }
            } else {
                breach(Assertion::Ship, ship.summary.clone());
            }
        }
        Some(other) => {
            broke = true;
            breach(Assertion::Parse, format!("the run ends in {}", other.kind()));
        }
    }
    for (kind, count) in &board.warnings {
        if let Some(assertion) = broken_by(*kind) {
            let times = if *count == 1 { String::new() } else { format!(", {count} times") };
            breach(assertion, format!("{kind}{times}"));
        }
    }
    breaches.sort_by_key(|breach| breach.assertion);
    ConformanceVerdict::of(broke, breaches)
}

/// What must be there in the round that ships.
fn shipping_round(board: &Board, ship: &Ship, breach: &mut impl FnMut(Assertion, String)) {
    let Some(round) = ship.round.and_then(|round| board.round(round)) else {
        breach(Assertion::Form, "it ships no round".to_owned());
        return;
    };
    let cast = board.started.iter().flat_map(|started| &started.cast);
    for role in cast {
        if !round.review(*role).is_some_and(|review| review.closed) {
            breach(Assertion::Form, format!("{role} does not speak in round {}, which ships", round.round));
        }
    }
    // Without a <SHIP> the scoreboard ships the round that met the bar, and says this about it.
    if ship.summary == format!("round {} met the bar", round.round) {
        breach(Assertion::Form, "there is no <SHIP>".to_owned());
    }
}

/// Which assertion a warning breaks. What is about the debate, the budget or a matter of taste breaks none, and
/// neither does text between elements: every agent talks. A `<SHIP>` names its round; the page that the
/// round reviewed is what ships, so it needs none of its own.
fn broken_by(kind: WarningKind) -> Option<Assertion> {
    match kind {
        WarningKind::CompositeMismatch => Some(Assertion::Composite),
        WarningKind::UnknownRole
        | WarningKind::DuplicateRole
        | WarningKind::MissingRole
        | WarningKind::QuorumMissed
        | WarningKind::ExampleRepeated
        | WarningKind::DuplicateShip
        | WarningKind::ShipNotObeyed
        | WarningKind::RoundNumber
        | WarningKind::MissingRoundEnd
        | WarningKind::UnclosedRound
        | WarningKind::DuplicateArtifact
        | WarningKind::UnexpectedArtifact
        | WarningKind::ArtifactUnusable
        | WarningKind::StrayClose
        | WarningKind::MisplacedCdata
        | WarningKind::VersionMissing
        | WarningKind::Restarted
        | WarningKind::SecondRun
        | WarningKind::SettingMismatch => Some(Assertion::Form),
        WarningKind::ScoreClamped
        | WarningKind::ScorePrecision
        | WarningKind::ScoreUnusable
        | WarningKind::MustFixMismatch
        | WarningKind::UnknownDecision
        | WarningKind::DecisionMismatch
        | WarningKind::ShipArtifactDiffers
        | WarningKind::ArtifactFenced
        | WarningKind::ShipWithoutArtifact
        | WarningKind::StrayText
        | WarningKind::WeakDebate
        | WarningKind::RoundGrew => None,
    }
}
