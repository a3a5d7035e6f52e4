//! The reviews of a round: independent of each other, so many at a time, each written down as it arrives.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jury_agents::content::{SubmitCritique, critique_question};
use jury_agents::prompt::{ContentPrompt, Critiquing};
use jury_core::artifact::Digest;
use jury_core::content::event::{ContentCriticStarted, CriticAbsent, Critiqued};
use jury_core::content::submit;
use jury_core::content::{Advisor, AdvisorId, ContentEvent, ContentIssue, Critique, Draft, Writer};
use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use jury_core::finding::FindingId;
use jury_core::outcome::FailedCause;
use jury_core::unit::Round;
use jury_text::content::{DraftSubject, audience, review};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{JoinSet, spawn_blocking};

use super::agent_line::{AgentLine, Called, Callee, Unanswered, again, once_only};
use super::author::{spent, unaskable};
use super::worker::{Stuck, Trouble, Worker};

/// The longest wait before a critic is asked again, unless its service asks for a longer one.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// A service that wants more than this is not waited for.
const MOST_PATIENCE: Duration = Duration::from_mins(10);

/// What a critic's task reports.
enum Report {
    Begun { attempt: u32 },
    Note(AgentNote),
    Said(Box<Critique>),
    Absent { attempts: u32, cause: FailedCause, detail: String, usage: Usage },
    Stopped { usage: Usage },
    TooDear { detail: String, usage: Usage },
}

/// A critic who is asked by a model.
struct Reader {
    line: AgentLine,
    asked: ContentPrompt,
    advisor: Advisor,
    earlier: Vec<FindingId>,
    markdown: String,
    retries: u32,
    backoff: Duration,
    /// What chance depends on: the same run waits the same.
    seed: String,
}

type Reports = mpsc::UnboundedSender<(AdvisorId, Report)>;

impl Worker<'_> {
    /// Lets those review who have not answered yet.
    pub(super) async fn critique(&mut self, round: Round, missing: &[AdvisorId]) -> Result<(), Stuck> {
        let draft = self.draft(round).await?;
        // One budget for all of them.
        let line = self.line();
        let turns = Arc::new(Semaphore::new(self.request.concurrency.max(1) as usize));
        let (reports, mut inbox) = mpsc::unbounded_channel();
        let mut tasks: JoinSet<()> = JoinSet::new();
        let mut waiting: BTreeSet<AdvisorId> = missing.iter().cloned().collect();
        for id in missing {
            let (turns, reports) = (Arc::clone(&turns), reports.clone());
            let Some(advisor) = self.request.advisor(id.as_str()).cloned() else { continue };
            if self.request.agent.is_some() {
                let reader = self.reader(round, advisor, &draft, line.clone()?)?;
                tasks.spawn(async move {
                    let _turn = turns.acquire().await;
                    reader.read(&reports).await;
                });
            } else {
                let (request, draft) = (self.request.clone(), draft.clone());
                tasks.spawn(async move {
                    let _turn = turns.acquire().await;
                    reports.send((advisor.id.clone(), Report::Begun { attempt: 1 })).ok();
                    let id = advisor.id.clone();
                    let measured = spawn_blocking(move || measured(&advisor, &draft, &request)).await;
                    let report = measured.unwrap_or_else(|broken| broke(format!("it broke: {broken}")));
                    reports.send((id, report)).ok();
                });
            }
        }
        drop(reports);
        let mut too_dear = None;
        while let Some((id, report)) = inbox.recv().await {
            let events = reported(round, id, report, &mut waiting, &mut too_dear);
            if !events.is_empty() {
                self.append(events).await?;
            }
        }
        while tasks.join_next().await.is_some() {}
        if let Some(detail) = too_dear {
            return Err(Trouble::new(FailedCause::BudgetExceeded, detail).into());
        }
        if self.interrupt.is_cancelled() && !waiting.is_empty() {
            return Err(Stuck::Interrupted);
        }
        // Whoever did not even say that they are absent is absent all the same.
        let silent = waiting.iter().map(|id| absent(round, id, 1, "it broke and said nothing".to_owned()));
        let silent: Vec<ContentEvent> = silent.collect();
        if silent.is_empty() { Ok(()) } else { self.append(silent).await }
    }

    fn reader(
        &self,
        round: Round,
        advisor: Advisor,
        draft: &Draft,
        line: AgentLine,
    ) -> Result<Reader, Stuck> {
        let own = |open: &&jury_core::content::OpenIssue| open.advisor_id == advisor.id;
        let before = self.state.open_before(round);
        let earlier: Vec<&ContentIssue> = before.iter().filter(own).map(|open| &open.issue).collect();
        // Who has not read any draft yet, and whoever reads a person's, reads it as a first one: in full.
        let has_read = self
            .state
            .rounds
            .iter()
            .any(|known| known.round < round && known.critiques.contains_key(&advisor.id));
        let by_a_person = self.state.round(round).is_some_and(|known| known.writer == Writer::Person);
        let reading = if has_read && !by_a_person { round } else { Round(1) };
        let audience = audience(&self.request.foundation);
        let asked = self.cast.prompts.critic(Critiquing {
            recipe: &self.request.recipe,
            critic: &advisor,
            foundation: &self.request.foundation,
            topic: self.request.topic.as_deref(),
            audience: audience.as_deref(),
            draft,
            round: reading,
            earlier: &earlier,
        });
        let asked = asked.map_err(|error| unaskable(&error))?;
        Ok(Reader {
            line,
            asked,
            earlier: earlier.iter().map(|issue| issue.id.clone()).collect(),
            markdown: draft.markdown(),
            retries: self.request.retries,
            backoff: self.cast.backoff,
            seed: format!("{}/{round}/{}", self.run, advisor.id),
            advisor,
        })
    }
}

/// The events of a report.
fn reported(
    round: Round,
    id: AdvisorId,
    report: Report,
    waiting: &mut BTreeSet<AdvisorId>,
    too_dear: &mut Option<String>,
) -> Vec<ContentEvent> {
    match report {
        Report::Begun { attempt } => {
            vec![ContentEvent::CriticStarted(ContentCriticStarted { round, advisor_id: id, attempt })]
        }
        Report::Note(note) => vec![ContentEvent::Agent(note)],
        Report::Said(critique) => {
            waiting.remove(&id);
            vec![ContentEvent::Critiqued(Critiqued { round, critique: *critique })]
        }
        Report::Absent { attempts, cause, detail, usage } => {
            waiting.remove(&id);
            let mut events = spent(usage);
            events.push(ContentEvent::CriticAbsent(CriticAbsent {
                round,
                advisor_id: id,
                attempts,
                cause,
                detail,
            }));
            events
        }
        Report::Stopped { usage } => spent(usage),
        Report::TooDear { detail, usage } => {
            too_dear.get_or_insert(detail);
            spent(usage)
        }
    }
}

fn absent(round: Round, id: &AdvisorId, attempts: u32, detail: String) -> ContentEvent {
    let (advisor_id, cause) = (id.clone(), FailedCause::OrchestratorInternal);
    ContentEvent::CriticAbsent(CriticAbsent { round, advisor_id, attempts, cause, detail })
}

fn broke(detail: String) -> Report {
    Report::Absent { attempts: 1, cause: FailedCause::OrchestratorInternal, detail, usage: Usage::default() }
}

/// A critic that counts. Who neither counts nor has a model to speak for them is absent.
fn measured(advisor: &Advisor, draft: &Draft, request: &jury_core::content::ContentRequest) -> Report {
    let nobody = |detail| Report::Absent {
        attempts: 1,
        cause: FailedCause::SpawnFailed,
        detail,
        usage: Usage::default(),
    };
    let Some(critic) = advisor.measured_by else {
        return nobody(
            "there is no model to speak for it, and nothing that it looks at is measured".to_owned(),
        );
    };
    let sources = request.sources();
    let subject = DraftSubject { recipe: &request.recipe, foundation: &sources };
    match review(critic, advisor, draft, &subject) {
        Ok(critique) => Report::Said(Box::new(critique)),
        Err(why) => nobody(why.to_string()),
    }
}

impl Reader {
    /// Asks until there is an answer or no use in asking.
    async fn read(self, reports: &Reports) {
        let tell = |report| drop(reports.send((self.advisor.id.clone(), report)));
        let mut usage = Usage::default();
        for attempt in 1.. {
            if self.line.stop.is_cancelled() {
                return tell(Report::Stopped { usage });
            }
            tell(Report::Begun { attempt });
            let called = self.once().await;
            usage = usage.plus(called.usage);
            called.notes.into_iter().for_each(|note| tell(Report::Note(note)));
            let (detail, after) = match called.answer {
                Ok(critique) => {
                    let critique = Critique { usage: Some(usage), ..critique };
                    return tell(Report::Said(Box::new(critique)));
                }
                Err(Unanswered::Interrupted) => return tell(Report::Stopped { usage }),
                Err(Unanswered::TooDear(detail)) => return tell(Report::TooDear { detail, usage }),
                Err(Unanswered::Failed { detail, again: true, after, .. })
                    if attempt <= self.retries && after.is_none_or(|after| after <= MOST_PATIENCE) =>
                {
                    (detail, after)
                }
                Err(Unanswered::Failed { cause, detail, .. }) => {
                    return tell(Report::Absent { attempts: attempt, cause, detail, usage });
                }
            };
            let wait = self.wait(attempt).max(after.unwrap_or_default());
            let detail = format!(
                "{}: {detail}; again in {:.1} s, after attempt {attempt}",
                self.advisor.name,
                wait.as_secs_f64()
            );
            let note = AgentNote { kind: AgentNoteKind::Retry, detail, status: None, usage: None };
            tell(Report::Note(note));
            tokio::select! {
                () = self.line.stop.cancelled() => return tell(Report::Stopped { usage }),
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// How long to wait after so many attempts: it doubles, and chance puts it between a half and the whole of that, so
    /// that critics who were refused together do not come back together.
    fn wait(&self, attempt: u32) -> Duration {
        let whole = self.backoff.saturating_mul(1 << attempt.saturating_sub(1).min(10)).min(LONGEST_WAIT);
        let chance = Digest::of(format!("{}/{attempt}", self.seed).as_bytes()).to_string();
        let byte = chance.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
        whole.mul_f64(0.5 + f64::from(byte) / 512.0)
    }

    async fn once(&self) -> Called<Critique> {
        let none = |why| Called { answer: Err(why), usage: Usage::default(), notes: Vec::new() };
        match self.line.callee(&self.asked) {
            Err(why) => none(why),
            Ok(Callee::Service(client, most)) => {
                let mut question = critique_question(&self.asked);
                question.prompt.max_tokens = most;
                let check = |said: &SubmitCritique| self.checked(said).map(drop);
                let client = once_only(*client);
                let called: Called<SubmitCritique> =
                    self.line.shaped(client.ask_checked(&question, check)).await;
                let answer = called.answer.and_then(|said| self.checked(&said).map_err(unusable));
                Called { answer, usage: called.usage, notes: called.notes }
            }
            Ok(Callee::Speaker(agent)) => {
                let first = self.line.said(*agent).await;
                let (usage, mut notes) = (first.usage, first.notes);
                let problem = match first.answer.map(|text| self.heard(&text)) {
                    Err(why) => return Called { answer: Err(why), usage, notes },
                    Ok(Ok(critique)) => return Called { answer: Ok(critique), usage, notes },
                    Ok(Err(problem)) => problem,
                };
                let second = self.line.text(&again(&self.asked, &problem)).await;
                notes.extend(second.notes);
                let answer = second.answer.and_then(|text| self.heard(&text).map_err(unusable));
                Called { answer, usage: usage.plus(second.usage), notes }
            }
        }
    }

    fn checked(&self, said: &SubmitCritique) -> Result<Critique, String> {
        submit::check(&said.0, &self.advisor, &self.earlier, &self.markdown)
    }

    fn heard(&self, text: &str) -> Result<Critique, String> {
        submit::read(text, &self.advisor, &self.earlier, &self.markdown)
    }
}

/// What cannot be used after it was put right once is no answer.
fn unusable(problem: String) -> Unanswered {
    Unanswered::Failed { cause: FailedCause::AgentError, detail: problem, again: false, after: None }
}
