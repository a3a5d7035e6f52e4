//! The journal: one structured log line for each thing that whoever runs the server wants to know of.
//!
//! [`write()`] turns records of the log into `tracing` events with the target [`TARGET`]. Who collects them, and
//! as what, is decided by whoever sets the program up. Texts may come from an agent, so they are on one line,
//! without control characters, and short; what a page or a brief says is not in here at all.

use std::iter::Peekable;
use std::str::Chars;

use jury_core::content::ContentEvent;
use jury_core::critic::CriticEvent;
use jury_core::event::{BestSoFar, Ship, ShipStatus, TheaterEvent};
use jury_core::id::{AgentId, SkillId};
use jury_core::judge::JudgeEvent;
use jury_core::outcome::{RecoveryReason, TimeoutCause};
use jury_core::record::Record;
use jury_core::role::Role;
use jury_core::workflow::with_event;
use tracing::{error, info, warn};

/// The target of every event.
pub const TARGET: &str = "critique";

/// The longest text, in characters.
const LONGEST_CHARS: usize = 300;

/// Writes a record down, if it is worth a line.
pub fn write(record: &Record) {
    with_event!(&record.event, event => event.write(record));
}

/// What is worth a line in the runs of a workflow.
trait Journal {
    fn write(&self, record: &Record);
}

/// The log lines of theater runs.
impl Journal for TheaterEvent {
    fn write(&self, record: &Record) {
        let Record { seq, at, run_id, .. } = record;
        let (seq, at_ms) = (seq.0, at.0);
        match self {
            Self::Queued(queued) => info!(
                target: TARGET, event = "run_queued", %run_id, seq, at_ms,
                project = queued.project_id.as_str(), agent = queued.agent.as_str(),
                skill = queued.skill.as_ref().map(SkillId::as_str),
            ),
            Self::RunStarted(started) => info!(
                target: TARGET, event = "run_started", %run_id, seq, at_ms,
                project = started.project_id.as_str(), agent = started.agent.as_str(),
                protocol_version = started.protocol_version, max_rounds = started.max_rounds,
                threshold = started.threshold.0, scale = started.scale.0,
            ),
            Self::RoundEnd(end) => info!(
                target: TARGET, event = "round_closed", %run_id, seq, at_ms,
                round = end.round.0, composite = end.composite.0, must_fix = end.must_fix, quorum = end.quorum,
                decision = end.decision.as_str(), reason = plain(&end.reason), bytes = end.bytes.0,
            ),
            Self::Ship(ship) => ended_with_a_verdict(record, ship),
            Self::Degraded(degraded) => {
                let BestSoFar { best_round, composite, .. } = &degraded.best;
                warn!(
                    target: TARGET, event = "degraded", %run_id, seq, at_ms,
                    agent = degraded.adapter.as_str(), reason = degraded.reason.as_str(),
                    detail = plain(&degraded.detail), position = degraded.position.map(|position| position.0),
                    best_round = best_round.map(|round| round.0), composite = composite.map(|composite| composite.0),
                );
            }
            Self::Interrupted(interrupted) => {
                let BestSoFar { best_round, composite, .. } = &interrupted.best;
                info!(
                    target: TARGET, event = "run_interrupted", %run_id, seq, at_ms,
                    recovery_reason = interrupted.recovery_reason.map(RecoveryReason::as_str),
                    best_round = best_round.map(|round| round.0), composite = composite.map(|composite| composite.0),
                );
            }
            Self::Failed(failed) => {
                let BestSoFar { best_round, composite, .. } = &failed.best;
                error!(
                    target: TARGET, event = "run_failed", %run_id, seq, at_ms,
                    cause = failed.cause.as_str(), detail = plain(&failed.detail),
                    best_round = best_round.map(|round| round.0), composite = composite.map(|composite| composite.0),
                );
            }
            Self::ParserWarning(warning) => info!(
                target: TARGET, event = "parser_recover", %run_id, seq, at_ms,
                kind = warning.kind.as_str(), position = warning.position.0, role = warning.role.as_ref().map(Role::as_str),
            ),
            Self::Fallback(fallback) => info!(
                target: TARGET, event = "run_fallback", %run_id, seq, at_ms,
                reason = fallback.reason.as_str(), detail = plain(&fallback.detail),
            ),
            Self::PanelistOpen(_)
            | Self::PanelistDim(_)
            | Self::PanelistMustFix(_)
            | Self::PanelistClose(_)
            | Self::Evidence(_)
            | Self::Agent(_)
            | Self::Lint(_) => {}
        }
    }
}

/// The content pipeline's runs.
impl Journal for ContentEvent {
    fn write(&self, record: &Record) {
        let Record { seq, at, run_id, .. } = record;
        let (seq, at_ms) = (seq.0, at.0);
        if let Self::Queued(queued) = self {
            info!(
                target: TARGET, event = "content_queued", %run_id, seq, at_ms,
                project = queued.project_id.as_str(), idea = queued.idea_id.as_str(),
                content_type = queued.content_type.as_str(), agent = queued.agent.as_ref().map(AgentId::as_str),
            );
        }
        if let Self::Decided(decided) = self {
            info!(
                target: TARGET, event = "content_decided", %run_id, seq, at_ms,
                round = decided.round.0, decision = decided.ruling.decision.as_str(),
                reason = decided.ruling.reason.as_str(), mean = decided.ruling.mean, high = decided.ruling.high,
                answered = decided.ruling.answered, seats = decided.ruling.seats,
            );
        }
        if let Self::CriticAbsent(absent) = self {
            warn!(
                target: TARGET, event = "content_critic_absent", %run_id, seq, at_ms,
                round = absent.round.0, advisor = absent.advisor_id.as_str(), cause = absent.cause.as_str(),
                detail = plain(&absent.detail),
            );
        }
        if let Self::NeedsHuman(needs) = self {
            info!(
                target: TARGET, event = "content_needs_human", %run_id, seq, at_ms,
                round = needs.round.0, reason = plain(&needs.reason),
            );
        }
        if let Self::Halted(halted) = self {
            warn!(
                target: TARGET, event = "content_halted", %run_id, seq, at_ms,
                tool = halted.tool.as_str(), cause = halted.cause.as_str(), detail = plain(&halted.detail),
            );
        }
        if let Self::Paused(_) = self {
            info!(target: TARGET, event = "content_paused", %run_id, seq, at_ms);
        }
        if let Some(standing) = self.terminal() {
            info!(target: TARGET, event = "content_ended", %run_id, seq, at_ms, status = standing.as_str());
        }
    }
}

/// The log lines of judge runs.
impl Journal for JudgeEvent {
    fn write(&self, record: &Record) {
        let Record { seq, at, run_id, .. } = record;
        let (seq, at_ms) = (seq.0, at.0);
        if let Self::Queued(queued) = self {
            info!(
                target: TARGET, event = "judge_queued", %run_id, seq, at_ms,
                project = queued.project_id.as_str(), bead = queued.bead.as_str(),
                agent = queued.agent.as_ref().map(AgentId::as_str),
            );
        }
        if let Self::Throttled(held) = self {
            info!(
                target: TARGET, event = "judge_throttled", %run_id, seq, at_ms,
                until = %held.until, bound = plain(&held.bound),
            );
        }
        if let Self::Disputed(disputed) = self {
            info!(
                target: TARGET, event = "judge_disputed", %run_id, seq, at_ms,
                issue = plain(&disputed.dispute.issue),
            );
        }
        if let Some(standing) = self.terminal() {
            info!(target: TARGET, event = "judge_ended", %run_id, seq, at_ms, status = standing.as_str());
        }
    }
}

/// The critic's runs, in the same words as far as there are such.
impl Journal for CriticEvent {
    fn write(&self, record: &Record) {
        let Record { seq, at, run_id, .. } = record;
        let (seq, at_ms) = (seq.0, at.0);
        if let Self::Queued(queued) = self {
            info!(
                target: TARGET, event = "critic_queued", %run_id, seq, at_ms,
                project = queued.project_id.as_str(), criteria = plain(&queued.criteria),
                agent = queued.agent.as_ref().map(AgentId::as_str),
            );
        }
        if let Self::PassEnded(end) = self {
            info!(
                target: TARGET, event = "critic_pass_ended", %run_id, seq, at_ms,
                pass = end.pass.0, open = end.open, new_findings = end.new_findings, reason = plain(&end.reason),
            );
        }
        if let Self::Escalated(asked) = self {
            info!(
                target: TARGET, event = "critic_escalated", %run_id, seq, at_ms,
                questions = asked.questions.len(), more = asked.more,
            );
        }
        if let Some(standing) = self.terminal() {
            info!(target: TARGET, event = "critic_ended", %run_id, seq, at_ms, standing = standing.as_str());
        }
    }
}

/// Only what met the bar is called shipped.
fn ended_with_a_verdict(record: &Record, ship: &Ship) {
    let Record { seq, at, run_id, .. } = record;
    let (seq, at_ms) = (seq.0, at.0);
    let (round, composite) = (ship.round.map(|round| round.0), ship.composite.map(|composite| composite.0));
    match ship.status {
        ShipStatus::Shipped => {
            info!(target: TARGET, event = "run_shipped", %run_id, seq, at_ms, round, composite);
        }
        ShipStatus::BelowThreshold => {
            info!(target: TARGET, event = "run_below_threshold", %run_id, seq, at_ms, round, composite);
        }
        ShipStatus::Legacy => {
            info!(target: TARGET, event = "run_legacy", %run_id, seq, at_ms);
        }
        ShipStatus::TimedOut => {
            let cause = ship.cause.map(TimeoutCause::as_str);
            warn!(target: TARGET, event = "run_timed_out", %run_id, seq, at_ms, round, composite, cause);
        }
    }
}

/// A text as it may stand in a log: on one line, without escape sequences, control characters or characters
/// that turn the direction of writing, and not longer than a line should be.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let (mut length, mut gap) = (0, false);
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\u{1b}' => skip_escape(&mut rest),
            // The one-character form of "escape, bracket".
            '\u{9b}' => skip_until_final(&mut rest),
            // Everything that breaks a line somewhere, and every run of white space, is one space.
            '\u{2028}' | '\u{2029}' => gap = true,
            character if character.is_whitespace() => gap = true,
            character if character.is_control() || turns_the_direction(character) => {}
            character => {
                if length >= LONGEST_CHARS {
                    plain.push('…');
                    break;
                }
                if gap && !plain.is_empty() {
                    plain.push(' ');
                    length += 1;
                }
                gap = false;
                plain.push(character);
                length += 1;
            }
        }
    }
    plain
}

/// Skips what follows an escape: a sequence with parameters, a string for the terminal, or one character.
fn skip_escape(rest: &mut Peekable<Chars<'_>>) {
    match rest.next() {
        Some('[') => skip_until_final(rest),
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(character) = rest.next() {
                if character == '\u{7}' || (character == '\u{1b}' && rest.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        Some(_) | None => {}
    }
}

/// Skips the parameters of a sequence and its last character.
fn skip_until_final(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|character| matches!(character, ' '..='?')).is_some() {}
    rest.next_if(|character| matches!(character, '@'..='~'));
}

fn turns_the_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_one_plain_line() {
        assert_eq!(plain("one\r\n  two\tthree\u{2028}four\u{85}five"), "one two three four five");
        assert_eq!(plain("\u{1b}[31mred\u{1b}[0m \u{9b}1mbold"), "red bold");
        assert_eq!(plain("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b\u{1b}cc\u{1b}"), "abc");
        assert_eq!(plain("a\u{0}b\u{8}c\u{7f}d\u{202e}e"), "abcde");
        assert_eq!(plain("\"}\\"), "\"}\\");
        assert_eq!(plain(&"x".repeat(1_000)), "x".repeat(LONGEST_CHARS) + "…");
    }
}
