//! A fix: the commands of criteria and an agent change a copy of the document, one after the other.

use std::path::PathBuf;
use std::sync::Arc;

use jury_agents::prompt::document_in;
use jury_core::artifact::Blob;
use jury_core::critic::{CheckResult, CriterionId, FixOrder, FixReport, Input, place};
use tokio_util::sync::CancellationToken;

use super::{Done, MIME, command, notes, workplace};
use crate::Agent;
use crate::ask::{AskLimits, ask};

/// What is to be done to a document, and by whom.
#[derive(Debug)]
pub(super) struct Fix {
    /// Who does what no command does; none if there is no such thing.
    pub(super) agent: Option<Result<Agent, String>>,
    pub(super) document: Arc<[u8]>,
    pub(super) dir: PathBuf,
    /// Where the copy is written that commands change.
    pub(super) copy: PathBuf,
    pub(super) spool: PathBuf,
    pub(super) limits: AskLimits,
    pub(super) orders: Vec<FixOrder>,
}

/// What was done so far.
#[derive(Debug, Default)]
struct Progress {
    applied: Vec<CriterionId>,
    said: Vec<String>,
    failed: Vec<String>,
    inputs: Vec<Input>,
}

impl Fix {
    pub(super) async fn carry_out(self, stop: &CancellationToken) -> Done {
        let mut progress = Progress::default();
        let mut document = self.document.to_vec();
        for order in self.orders.iter().filter(|order| order.command.is_some()) {
            self.command(order, &mut document, &mut progress, stop).await;
        }
        if let Some(agent) = &self.agent {
            self.rewrite(agent.clone(), &mut document, &mut progress, stop).await;
        }
        if progress.applied.is_empty() {
            progress.inputs.push(Input::FixFailed(progress.failed.join("; ")));
            return Done { inputs: progress.inputs, document: None };
        }
        let before = String::from_utf8_lossy(&self.document);
        let after = String::from_utf8_lossy(&document);
        let report = FixReport {
            document: Blob::of(&document, MIME),
            applied: progress.applied,
            changes: place::changes(&before, &after),
            summary: progress.said.into_iter().chain(progress.failed).collect::<Vec<_>>().join("; "),
        };
        progress.inputs.push(Input::Fixed(report));
        Done { inputs: progress.inputs, document: Some(document) }
    }

    async fn command(
        &self,
        order: &FixOrder,
        document: &mut Vec<u8>,
        progress: &mut Progress,
        stop: &CancellationToken,
    ) {
        let Some(command) = &order.command else { return };
        let failed = |why: String| format!("{}: {why}", order.criterion);
        if let Err(why) = workplace::write(&self.copy, document) {
            progress.failed.push(failed(why));
            return;
        }
        let place = command::Place { dir: &self.dir, file: &self.copy, spool: &self.spool };
        match command::run(command, place, self.limits.patience, stop).await {
            CheckResult::Ran { exit: 0, .. } => match std::fs::read(&self.copy) {
                Ok(bytes) => {
                    *document = bytes;
                    progress.applied.push(order.criterion.clone());
                    progress.said.push(format!("{}: {command}", order.criterion));
                }
                Err(error) => progress.failed.push(failed(format!("the fix removed the document ({error})"))),
            },
            CheckResult::Ran { exit, output } => {
                let said = String::from_utf8_lossy(&output);
                let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                progress.failed.push(failed(format!("'{command}' ended with code {exit}: {}", last.trim())));
            }
            CheckResult::NotRun(why) => progress.failed.push(failed(why)),
        }
    }

    /// Lets the agent write the document anew. The commands that went before have had their say: an agent that was given
    /// the text before them would undo what they did, so then it waits for the next pass.
    async fn rewrite(
        &self,
        agent: Result<Agent, String>,
        document: &mut Vec<u8>,
        progress: &mut Progress,
        stop: &CancellationToken,
    ) {
        if !progress.applied.is_empty() && **document != *self.document {
            return;
        }
        let agent = match agent {
            Ok(agent) => agent,
            Err(why) => return progress.failed.push(why),
        };
        let asked = ask(agent, &self.spool, self.limits, stop).await;
        let answer = asked.answer.clone();
        progress.inputs.extend(notes(asked));
        match answer {
            Ok(text) => match document_in(&text) {
                Some(written) => {
                    *document = written.into_bytes();
                    let theirs = self.orders.iter().filter(|order| order.command.is_none());
                    progress.applied.extend(theirs.map(|order| order.criterion.clone()));
                    progress.said.push("the agent wrote it anew".to_owned());
                }
                None => progress.failed.push("there is no whole document in the agent's answer".to_owned()),
            },
            Err(why) => progress.failed.push(why.explained().1),
        }
    }
}
