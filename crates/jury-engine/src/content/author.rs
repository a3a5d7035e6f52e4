//! The author: a first draft and revisions, by a model, from the documents, or by safe corrections.

use std::fmt::Write as _;

use jury_agents::content::{SubmitPage, page_question};
use jury_agents::prompt::{ContentPrompt, DraftMarks, PromptError, Revising, Writing};
use jury_core::content::event::{Drafted, NeedsHuman, Revised};
use jury_core::content::protected::{brought, lost};
use jury_core::content::{Advisor, ContentEvent, ContentIssue, Draft, Form, Writer};
use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use jury_core::legible::has_words;
use jury_core::line;
use jury_core::outcome::FailedCause;
use jury_core::unit::Round;
use jury_text::content::chatter::{Bared, Marked, bare, is_refusal, marked};
use jury_text::content::{read, repair, template};
use tokio::task::spawn_blocking;

use super::agent_line::{AgentLine, Called, Callee, Unanswered, again};
use super::worker::{Stuck, Trouble, Worker, words};

/// How much of an answer is shown, in characters.
const SHOWN_CHARS: usize = 120;

/// What an author has written.
struct Written {
    draft: Draft,
    /// What was guessed when it was read, and what was taken off.
    remarks: Vec<String>,
    usage: Usage,
}

impl Worker<'_> {
    /// Writes the first draft.
    pub(super) async fn write_draft(&mut self) -> Result<(), Stuck> {
        let round = self.next_round();
        if self.request.agent.is_none() {
            return self.assemble(round).await;
        }
        let line = self.line()?;
        let author = self.author()?;
        let asked = self.cast.prompts.author(Writing {
            recipe: &self.request.recipe,
            author: &author,
            idea: &self.request.idea,
            foundation: &self.request.foundation,
            topic: self.request.topic.as_deref(),
        });
        let asked = asked.map_err(|error| unaskable(&error))?;
        let Written { draft, remarks, usage } = self.written(&line, &asked).await?;
        let (words, blob) = (words(&draft), self.keep(round, &draft).await?);
        let drafted =
            Drafted { round, draft: blob, writer: Writer::Model, words, remarks, usage: Some(usage) };
        self.append(vec![ContentEvent::Drafted(drafted)]).await
    }

    /// Puts a draft together from the documents. What they do not give only a person can write.
    async fn assemble(&mut self, round: Round) -> Result<(), Stuck> {
        let request = self.request.clone();
        let made =
            spawn_blocking(move || template::assemble(&request.recipe, &request.idea, &request.foundation));
        let draft = match made.await.map_err(|broken| broke(&broken))? {
            Ok(draft) => draft,
            Err(why) => {
                let needs = NeedsHuman {
                    round: Round(0),
                    reason: why.to_string(),
                    brief: "Write the first draft, and take the run up with it.".to_owned(),
                };
                return self.append(vec![ContentEvent::NeedsHuman(needs)]).await;
            }
        };
        let (words, blob) = (words(&draft), self.keep(round, &draft).await?);
        let drafted =
            Drafted { round, draft: blob, writer: Writer::Template, words, remarks: Vec::new(), usage: None };
        self.append(vec![ContentEvent::Drafted(drafted)]).await
    }

    /// Revises the draft of a round. The old one stays whatever happens.
    pub(super) async fn revise(&mut self, round: Round) -> Result<(), Stuck> {
        let old = self.draft(round).await?;
        let markdown = old.markdown();
        let protected = self.state.protected(round, &markdown);
        let brief = self.state.round(round).and_then(|state| state.summary.as_ref());
        let brief = brief.map(|summary| summary.brief.clone()).unwrap_or_default();
        let (written, writer, done) = if self.request.agent.is_some() {
            let line = self.line()?;
            let author = self.author()?;
            let mut order = brief.clone();
            if !protected.is_empty() {
                order.push_str("\nLeave these passages as they are, word for word:\n");
                for passage in &protected {
                    writeln!(order, "- {}", passage.passage).ok();
                }
            }
            let asked = self.cast.prompts.reviser(Revising {
                recipe: &self.request.recipe,
                author: &author,
                foundation: &self.request.foundation,
                topic: self.request.topic.as_deref(),
                draft: &old,
                brief: &order,
            });
            let asked = asked.map_err(|error| unaskable(&error))?;
            let mut written = self.written(&line, &asked).await?;
            let done = std::mem::take(&mut written.remarks);
            (written, Writer::Model, done)
        } else {
            let issues = self.state.round(round).map(|state| state.open.clone()).unwrap_or_default();
            let (before, keep) = (old.clone(), protected.clone());
            let repaired = spawn_blocking(move || {
                let issues: Vec<&ContentIssue> = issues.iter().map(|open| &open.issue).collect();
                let keep: Vec<String> = keep.into_iter().map(|passage| passage.passage).collect();
                repair::repair(&before, &issues, &keep)
            });
            let repaired = repaired.await.map_err(|broken| broke(&broken))?;
            let done = repaired.done.into_iter().map(|done| done.what).collect();
            let written = Written { draft: repaired.draft, remarks: Vec::new(), usage: Usage::default() };
            (written, Writer::Repairs, done)
        };
        if written.draft.markdown() == markdown {
            let reason = match writer {
                Writer::Repairs => "nothing of what is open can be mended safely without a person",
                Writer::Model | Writer::Template | Writer::Person => {
                    "the author gave the draft back as it was"
                }
            };
            let mut events = spent(written.usage);
            events.push(ContentEvent::NeedsHuman(NeedsHuman { round, reason: reason.to_owned(), brief }));
            return self.append(events).await;
        }
        let next = self.next_round();
        let now = written.draft.markdown();
        let revised = Revised {
            round: next,
            draft: self.keep(next, &written.draft).await?,
            writer,
            words: words(&written.draft),
            done,
            brought: brought(&markdown, &now),
            lost: lost(&protected, &now),
            usage: (writer == Writer::Model).then_some(written.usage),
        };
        self.append(vec![ContentEvent::Revised(revised)]).await
    }

    /// Has a draft written in the form of the recipe. What cannot be read is sent back once.
    async fn written(&mut self, line: &AgentLine, asked: &ContentPrompt) -> Result<Written, Stuck> {
        let form = self.request.recipe.form;
        if form == Form::Page
            && let Callee::Service(client, most) = line.callee(asked).map_err(Unanswered::stuck)?
        {
            let mut question = page_question(asked);
            question.prompt.max_tokens = most;
            let check = |page: &SubmitPage| drafted(&page_text(page), form, None).map(drop);
            let called: Called<SubmitPage> = line.shaped(client.ask_checked(&question, check)).await;
            let page = self.heard(called.notes, called.answer, called.usage).await?;
            let (draft, remarks) =
                drafted(&page_text(&page), form, None).map_err(|problem| unreadable(&problem))?;
            return Ok(Written { draft, remarks, usage: called.usage });
        }
        let marks = asked.marks();
        let first = line.text(asked).await;
        let usage = first.usage;
        let text = self.heard(first.notes, first.answer, usage).await?;
        let problem = match drafted(&text, form, marks.as_ref()) {
            Ok((draft, remarks)) => return Ok(Written { draft, remarks, usage }),
            Err(problem) => problem,
        };
        let second = line.text(&again(asked, &problem)).await;
        let usage = usage.plus(second.usage);
        let text = self.heard(second.notes, second.answer, usage).await?;
        match drafted(&text, form, marks.as_ref()) {
            Ok((draft, remarks)) => Ok(Written { draft, remarks, usage }),
            Err(problem) => {
                self.append(spent(usage)).await?;
                Err(unreadable(&problem).into())
            }
        }
    }

    /// An answer, after what the agent said about itself was written down; without one, what it took as well.
    pub(super) async fn heard<T>(
        &mut self,
        notes: Vec<AgentNote>,
        answer: Result<T, Unanswered>,
        usage: Usage,
    ) -> Result<T, Stuck> {
        let mut events: Vec<ContentEvent> = notes.into_iter().map(ContentEvent::Agent).collect();
        if answer.is_err() {
            events.append(&mut spent(usage));
        }
        if !events.is_empty() {
            self.append(events).await?;
        }
        answer.map_err(Unanswered::stuck)
    }

    fn author(&self) -> Result<Advisor, Trouble> {
        let id = &self.request.recipe.author_advisor;
        self.request.advisor(id.as_str()).cloned().ok_or_else(|| {
            Trouble::new(
                FailedCause::OrchestratorInternal,
                format!("there is no advisor '{id}', who is to write"),
            )
        })
    }
}

/// The draft in an answer, or what is wrong with it.
fn drafted(answer: &str, form: Form, marks: Option<&DraftMarks>) -> Result<(Draft, Vec<String>), String> {
    let (answer, outside) = match marks.map(|marks| (marks, marked(answer, &marks.open, &marks.close))) {
        None | Some((_, Marked::Absent)) => (answer, Vec::new()),
        Some((_, Marked::Whole(Bared { draft, around }))) => (draft, around),
        Some((DraftMarks { open, close }, Marked::Half)) => {
            return Err(format!("the draft does not stand between a line {open} and a line {close}"));
        }
    };
    let Bared { draft: text, mut around } = bare(answer);
    around.extend(outside);
    let text = match form {
        // Prose may stand around the object.
        Form::Page => match (text.find('{'), text.rfind('}')) {
            (Some(start), Some(end)) if start < end && !text.starts_with("---") && !text.starts_with('#') => {
                text.get(start..=end).unwrap_or(text)
            }
            _ => text,
        },
        Form::Article | Form::Post => text,
    };
    if !has_words(text) {
        return Err("there is no draft in it".to_owned());
    }
    if is_refusal(text) {
        return Err(format!(
            "it is a refusal and no draft: \"{}\"",
            line::cut(&line::joined(text), SHOWN_CHARS)
        ));
    }
    let (draft, remarks) = read::draft(text.as_bytes(), form).map_err(|error| error.to_string())?;
    // How much, and not what: the words are nobody's draft, and they are not repeated as if they were.
    let words: usize = around.iter().map(|part| part.split_whitespace().count()).sum();
    let taken = format!("words around the draft were taken off: {words}");
    let mut all: Vec<String> = (!around.is_empty()).then_some(taken).into_iter().collect();
    all.extend(remarks.into_iter().map(|remark| remark.what));
    Ok((draft, all))
}

fn page_text(page: &SubmitPage) -> String {
    serde_json::to_string(&page.0).unwrap_or_default()
}

/// What was used without anything coming of it, for the log.
pub(super) fn spent(usage: Usage) -> Vec<ContentEvent> {
    if usage == Usage::default() {
        return Vec::new();
    }
    let note =
        AgentNote { kind: AgentNoteKind::Usage, detail: String::new(), status: None, usage: Some(usage) };
    vec![ContentEvent::Agent(note)]
}

fn unreadable(problem: &str) -> Trouble {
    Trouble::new(FailedCause::AgentError, format!("the author's answer cannot be used: {problem}"))
}

pub(super) fn unaskable(error: &PromptError) -> Trouble {
    Trouble::new(FailedCause::OrchestratorInternal, error.to_string())
}

fn broke(broken: &tokio::task::JoinError) -> Trouble {
    Trouble::new(FailedCause::OrchestratorInternal, format!("the program broke: {broken}"))
}
