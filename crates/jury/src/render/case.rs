//! A run that has ended, with everything that a rendering needs.

use std::path::{Path, PathBuf};

use jury_core::artifact::Digest;
use jury_core::event::{BestSoFar, Event};
use jury_core::finding::FindingState;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::Status;
use jury_core::record::Record;
use jury_core::role::Role;
use jury_core::score::Composite;
use jury_core::theater::Board;
use jury_core::unit::{Millis, Round};

use crate::refusal::INCONCLUSIVE;

/// A run and where its files are.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) run: Option<RunId>,
    pub(crate) artifact_id: ArtifactId,
    pub(crate) project: ProjectId,
    pub(crate) agent: AgentId,
    pub(crate) title: String,
    pub(crate) board: Board,
    pub(crate) took: Millis,
    /// The artifact that was handed over, if one was.
    pub(crate) artifact: Option<PathBuf>,
    /// Where the runs are kept.
    pub(crate) dir: PathBuf,
    /// The page that was given, as it was named.
    pub(crate) file: Option<String>,
    /// The page that was given: findings about an artifact with this digest have lines in the file.
    pub(crate) input: Option<Digest>,
}

/// A must-fix or a lint finding, for formats that list findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CaseFinding {
    /// Who or what found it: a role, or `lint/…`.
    pub(crate) rule: String,
    pub(crate) text: String,
    pub(crate) state: FindingState,
    /// The line in the page that was given, when it is known.
    pub(crate) line: Option<u32>,
}

impl Case {
    pub(crate) fn new(records: &[Record], board: Board, dir: &Path, file: Option<&Path>) -> Self {
        let queued = board.queued.as_ref();
        let artifact_id = queued.map_or(ArtifactId(uuid::Uuid::nil()), |queued| queued.artifact_id);
        let kept = match &board.ended {
            Some(Event::Ship(ship)) => ship.artifact_ref.is_some(),
            Some(
                Event::Degraded(jury_core::event::Degraded { best, .. })
                | Event::Interrupted(jury_core::event::Interrupted { best, .. })
                | Event::Failed(jury_core::event::Failed { best, .. }),
            ) => best.artifact_ref.is_some(),
            _ => false,
        };
        let final_body = dir.join("artifacts").join(artifact_id.to_string()).join("final.html");
        Self {
            run: records.first().map(|record| record.run_id),
            artifact_id,
            project: queued.map_or_else(ProjectId::default_project, |queued| queued.project_id.clone()),
            agent: queued.map_or_else(AgentId::house, |queued| queued.agent.clone()),
            title: queued.map_or_else(String::new, |queued| queued.title.clone()),
            took: records.last().map_or(Millis(0), |record| record.at),
            artifact: (kept && final_body.is_file()).then_some(final_body),
            dir: dir.to_owned(),
            file: file.map(|path| path.display().to_string()),
            input: None,
            board,
        }
    }

    /// How the run ended; none while it goes on.
    pub(crate) fn status(&self) -> Option<Status> {
        self.board.status()
    }

    /// The exit code of a command that gates on this run. A run without an end is not a pass.
    pub(crate) fn exit_code(&self) -> u8 {
        self.status().map_or(INCONCLUSIVE, Status::exit_code)
    }

    /// The round that the run ended with, and its composite.
    pub(crate) fn result(&self) -> (Option<Round>, Option<Composite>) {
        match &self.board.ended {
            Some(Event::Ship(ship)) => (ship.round, ship.composite),
            Some(
                Event::Degraded(jury_core::event::Degraded { best, .. })
                | Event::Interrupted(jury_core::event::Interrupted { best, .. })
                | Event::Failed(jury_core::event::Failed { best, .. }),
            ) => of_best(best),
            _ => self
                .board
                .best_round()
                .map_or((None, None), |(round, composite)| (Some(round), Some(composite))),
        }
    }

    /// Whether what was handed over was made without a panel.
    pub(crate) fn unreviewed(&self) -> bool {
        self.board.unreviewed()
    }

    /// The status for people and reports. What nobody reviewed is called that.
    pub(crate) fn status_words(&self) -> String {
        let status = self.status().map_or("running", |status| status.as_str());
        if self.unreviewed() { format!("{status}, not reviewed") } else { status.to_owned() }
    }

    /// Why it ended so, in one line.
    pub(crate) fn because(&self) -> String {
        match &self.board.ended {
            Some(Event::Ship(ship)) => ship.summary.clone(),
            Some(Event::Degraded(degraded)) => format!("{}: {}", degraded.reason, degraded.detail),
            Some(Event::Interrupted(interrupted)) => match interrupted.recovery_reason {
                Some(_) => "the program went away in the middle of the run".to_owned(),
                None => "stopped on request".to_owned(),
            },
            Some(Event::Failed(failed)) => format!("{}: {}", failed.cause, failed.detail),
            _ => "still going on".to_owned(),
        }
    }

    /// How many must-fixes were open in the round that the run ended with.
    pub(crate) fn open_must_fix(&self) -> u32 {
        let (round, _) = self.result();
        round
            .and_then(|round| self.board.round(round))
            .and_then(|round| round.end.as_ref())
            .map_or(0, |end| end.must_fix)
    }

    /// Everything that was asked for, and what the final pass found.
    pub(crate) fn findings(&self) -> Vec<CaseFinding> {
        let lint = self.board.lint.iter().flat_map(|lint| &lint.findings).map(|finding| CaseFinding {
            rule: format!("lint/{}", finding.rule.trim_start_matches("lint/")),
            text: finding.message.clone(),
            state: FindingState::Open,
            line: None,
        });
        self.board
            .ledger
            .entries()
            .map(|(_, entry)| CaseFinding {
                rule: entry.role.as_str().to_owned(),
                text: entry.text.clone(),
                state: entry.state,
                line: self.line_in_file(entry.last, &entry.text),
            })
            .chain(lint)
            .collect()
    }

    /// The line a finding speaks of, if it speaks of one and the round reviewed the file as it was given.
    fn line_in_file(&self, round: Round, text: &str) -> Option<u32> {
        let reviewed = self.board.round(round)?.artifact.as_ref()?.sha256;
        (self.input? == reviewed).then(|| line_of(text))?
    }

    /// The roles of the cast in the order of the lanes.
    pub(crate) fn cast(&self) -> Vec<Role> {
        self.board.started.as_ref().map_or_else(|| Role::ALL.to_vec(), |started| started.cast.clone())
    }
}

fn of_best(best: &BestSoFar) -> (Option<Round>, Option<Composite>) {
    (best.best_round, best.composite)
}

/// The number behind the first `line ` in a text.
fn line_of(text: &str) -> Option<u32> {
    let (_, after) = text.split_once("line ")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_read_out_of_the_text() {
        assert_eq!(line_of("Contrast of p.lead (line 42) is 3.9:1"), Some(42));
        assert_eq!(line_of("Headline too long"), None);
    }
}
