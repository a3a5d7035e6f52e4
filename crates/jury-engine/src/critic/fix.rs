//! A fix: the commands of criteria and an agent change a copy of the document, one after the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jury_agents::prompt::document_in;
use jury_core::artifact::Blob;
use jury_core::critic::{CheckResult, CriterionId, CriticInput, FixOrder, FixReport, document_change};
use jury_core::legible::has_words;
use jury_text::loss::document_loss;
use tokio_util::sync::CancellationToken;

use super::effects::{Done, notes};
use super::{MIME, command, workplace};
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

/// The largest document that a fix may leave.
const LARGEST_DOCUMENT_BYTES: usize = 4 << 20;

/// A document larger than this, in bytes, is not fixed by leaving less than a third of it.
const SMALL: usize = 400;

/// What a command left of the document, if it is one: a file of text, with something in it.
fn written(copy: &Path) -> Result<Vec<u8>, String> {
    let there = std::fs::symlink_metadata(copy);
    let there = there.map_err(|error| format!("the fix removed the document ({error})"))?;
    if !there.is_file() {
        return Err("the fix put something else in the place of the document".to_owned());
    }
    if there.len() > LARGEST_DOCUMENT_BYTES as u64 {
        return Err(format!(
            "the fix left a document of {} bytes; the most is {LARGEST_DOCUMENT_BYTES}",
            there.len()
        ));
    }
    text(std::fs::read(copy).map_err(|error| format!("what the fix left cannot be read ({error})"))?)
}

fn text(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    match std::str::from_utf8(&bytes) {
        Err(_) => Err("the fix left something that is not UTF-8".to_owned()),
        Ok(text) if text.contains('\0') => Err("the fix left something that is not text".to_owned()),
        Ok(text) if !has_words(text) => Err("the fix left nothing of the document".to_owned()),
        Ok(_) => Ok(bytes),
    }
}

/// What an agent made of the document, if it is likely to be all of it. Agents abbreviate, and hand the form back.
/// What the orders do not ask for stays: whoever mends a step does not drop a chapter.
fn rewritten(written: String, before: &[u8], orders: &[FixOrder]) -> Result<Vec<u8>, String> {
    let is_mark = |line: &str| line.trim().starts_with("=== ") && line.contains("DOCUMENT ===");
    let had_mark = String::from_utf8_lossy(before).lines().any(is_mark);
    if !had_mark && written.lines().any(is_mark) {
        return Err("the agent's answer holds more than one document".to_owned());
    }
    let (left, all) = (written.len(), before.len());
    if all > SMALL && left < all / 3 {
        return Err(format!("the agent left {left} of {all} bytes of the document: that is no fix of it"));
    }
    if left > LARGEST_DOCUMENT_BYTES {
        return Err(format!("the agent wrote {left} bytes; the most is {LARGEST_DOCUMENT_BYTES}"));
    }
    let written = text(written.into_bytes())?;
    let asked: Vec<String> = orders.iter().flat_map(asked).collect();
    let lost = document_loss(&String::from_utf8_lossy(before), &String::from_utf8_lossy(&written), &asked);
    if lost.is_empty() {
        Ok(written)
    } else {
        Err(format!("the agent's document loses what nobody asked to change: {lost}"))
    }
}

/// What an order asks to change, in its words and in those of its findings.
fn asked(order: &FixOrder) -> impl Iterator<Item = String> {
    let findings = order.findings.iter().map(|finding| finding.as_str().replace(['-', ':'], " "));
    [Some(order.text.clone()), order.decision.clone()].into_iter().flatten().chain(findings)
}

/// What was done so far.
#[derive(Debug, Default)]
struct Progress {
    applied: Vec<CriterionId>,
    said: Vec<String>,
    failed: Vec<String>,
    inputs: Vec<CriticInput>,
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
            progress.inputs.push(CriticInput::FixFailed(progress.failed.join("; ")));
            return Done { inputs: progress.inputs, document: None };
        }
        let before = String::from_utf8_lossy(&self.document);
        let after = String::from_utf8_lossy(&document);
        let report = FixReport {
            document: Blob::of(&document, MIME),
            applied: progress.applied,
            changes: document_change::changes(&before, &after),
            summary: progress.said.into_iter().chain(progress.failed).collect::<Vec<_>>().join("; "),
        };
        progress.inputs.push(CriticInput::Fixed(report));
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
            CheckResult::Ran { exit: 0, .. } => match written(&self.copy) {
                Ok(bytes) => {
                    *document = bytes;
                    progress.applied.push(order.criterion.clone());
                    progress.said.push(format!("{}: {command}", order.criterion));
                }
                Err(why) => progress.failed.push(failed(why)),
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
            Ok(text) => match document_in(&text).map(|written| rewritten(written, document, &self.orders)) {
                Some(Ok(written)) => {
                    *document = written;
                    let theirs = self.orders.iter().filter(|order| order.command.is_none());
                    progress.applied.extend(theirs.map(|order| order.criterion.clone()));
                    progress.said.push("the agent wrote it anew".to_owned());
                }
                Some(Err(why)) => progress.failed.push(why),
                None => progress.failed.push("there is no whole document in the agent's answer".to_owned()),
            },
            Err(why) => progress.failed.push(why.explained().1),
        }
    }
}
