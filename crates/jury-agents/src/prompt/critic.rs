//! What a critic is asked, and whoever changes the document between its passes.
//!
//! There are two templates, built in; a file of the same name in `./prompts/` takes the place of either:
//! `critic.md.j2` asks for a report on one pass, `critic_fix.md.j2` for a changed document. The document, what was
//! measured in it and what was said about it arrive [`guarded`]: nothing in them can end its block, and nothing in them
//! that a critic repeats is taken for a part of its report.

use std::path::Path;

use jury_core::critic::format::is_mark;
use jury_core::critic::{CriterionId, CriticEvidence, CriticState, FixOrder, Needs, Rejection, Trigger};
use serde::Serialize;

use super::fence::{FenceKind, JOINER, fenced};
use super::{PromptError, Source};

/// The name of the template of a pass, and of the file that takes its place.
pub const CRITIC: &str = "critic.md.j2";

/// The name of the template of a fix, and of the file that takes its place.
pub const CRITIC_FIX: &str = "critic_fix.md.j2";

const BUILT_IN_CRITIC: &str = include_str!("../../../../prompts/critic.md.j2");
const BUILT_IN_FIX: &str = include_str!("../../../../prompts/critic_fix.md.j2");

/// What the critic is told to try when its criteria do not say.
const SCENARIO: &str = "The document is followed as it is. How does that fail?";

/// The most findings of earlier passes that a critic is shown.
const MOST_FINDINGS: usize = 200;

/// The line before a changed document in an answer, and the one behind it.
const OPENS: &str = "=== DOCUMENT ===";
const CLOSES: &str = "=== END OF DOCUMENT ===";

/// The templates of the critic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriticTemplate {
    review: Source,
    fix: Source,
}

/// What a critic is asked about.
#[derive(Debug, Clone, Copy)]
pub struct ReviewPrompt<'a> {
    /// The document as it is in this pass.
    pub document: &'a str,
    /// The run so far: criteria, what was measured, findings, decisions.
    pub state: &'a CriticState,
    /// What must be added to the answer before; empty when there is none.
    pub rejected: &'a [Rejection],
}

/// What is to be changed.
#[derive(Debug, Clone, Copy)]
pub struct Fix<'a> {
    /// The document as it is.
    pub document: &'a str,
    /// What is to be done to it. Those with a command are left out.
    pub orders: &'a [FixOrder],
    /// The name of the copy that the agent edits; without one it prints the document.
    pub in_place: Option<&'a str>,
}

impl CriticTemplate {
    /// Those that come with the program.
    pub fn built_in() -> Self {
        Self { review: Source::built_in(BUILT_IN_CRITIC), fix: Source::built_in(BUILT_IN_FIX) }
    }

    /// Those in this folder, and the built-in ones where there are none.
    pub fn load(folder: &Path) -> Result<Self, PromptError> {
        Ok(Self {
            review: Source::load(folder, CRITIC, BUILT_IN_CRITIC)?,
            fix: Source::load(folder, CRITIC_FIX, BUILT_IN_FIX)?,
        })
    }

    /// The prompt that asks for a report on the current pass.
    pub fn review(&self, review: ReviewPrompt<'_>) -> Result<String, PromptError> {
        self.review.render(CRITIC, ReviewContext::of(review))
    }

    /// The prompt that asks for a changed document.
    pub fn fix(&self, fix: Fix<'_>) -> Result<String, PromptError> {
        self.fix.render(CRITIC_FIX, FixContext::of(fix))
    }
}

/// The document in an answer to a fix: what stands between the two lines, without what guarded it. None when the lines
/// are not both there: an answer that was cut off must not cut the document.
pub fn document_in(answer: &str) -> Option<String> {
    let is = |line: &str, mark: &str| line.trim().trim_matches('`').eq_ignore_ascii_case(mark);
    let lines: Vec<&str> = answer.split_inclusive('\n').collect();
    let first = lines.iter().position(|line| is(line, OPENS))?;
    let last = lines.iter().rposition(|line| is(line, CLOSES)).filter(|last| *last > first)?;
    let body = lines.get(first + 1..last)?.concat();
    (!body.trim().is_empty()).then(|| unguarded(&body))
}

/// A text as it may stand in a block: fenced, and without a line that could be taken for the head or the end of
/// a report or of a document. What the reader of reports takes for one is one; what looks like one in the middle of
/// a line is broken too, because whoever repeats it may begin a line with it.
pub fn guarded(text: &str) -> String {
    let broken = within_lines(&fenced(text, FenceKind::Words));
    let mut out = String::with_capacity(broken.len() + 16);
    for line in broken.split_inclusive(ENDS) {
        match line.split_once('=').filter(|_| is_mark(line)) {
            Some((before, behind)) => {
                out.push_str(before);
                out.push('=');
                out.push(JOINER);
                out.push_str(behind);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// What ends a line for the reader of reports.
const ENDS: [char; 2] = ['\n', '\r'];

/// Breaks `== critic`, `=== Result` and the like wherever they stand.
fn within_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("==") {
        let run = behind.trim_start_matches('=');
        let word = run.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '\n' && c != '=');
        let mark = ["critic", "result", "document", "end of document"];
        let is_mark = mark
            .iter()
            .any(|mark| word.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark)));
        out.push_str(before);
        out.push('=');
        if is_mark {
            out.push(JOINER);
        }
        out.push('=');
        out.push_str(behind.get(..behind.len() - run.len()).unwrap_or_default());
        rest = run;
    }
    out.push_str(rest);
    out
}

/// Takes out what [`guarded`] has put in, in a document that comes back.
fn unguarded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive(ENDS) {
        // What was put in behind the first equals sign of a line, if the line is a mark without it.
        let whole = line
            .split_once('=')
            .and_then(|(before, behind)| Some(format!("{before}={}", behind.strip_prefix(JOINER)?)))
            .filter(|whole| is_mark(whole));
        out.push_str(&joined(whole.as_deref().unwrap_or(line)));
    }
    out
}

/// Takes the joiners out of tags and between equals signs.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let put_in =
            character == JOINER && (before == '<' || (before == '=' && characters.peek() == Some(&'=')));
        if !put_in {
            out.push(character);
        }
        before = character;
    }
    out
}

/// A text on one line of a block.
fn line(text: &str) -> String {
    guarded(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Everything that the template of a pass can name.
#[derive(Debug, Serialize)]
struct ReviewContext {
    pass: u32,
    cap: u32,
    criteria: Vec<CriterionLine>,
    /// What is asked for the failure scenario; none when it is not asked.
    adversarial: Option<String>,
    document: String,
    measured: Vec<MeasuredLine>,
    findings: Vec<FindingLine>,
    decisions: Vec<DecisionLine>,
    rejected: Vec<RejectedLine>,
}

#[derive(Debug, Serialize)]
struct CriterionLine {
    id: String,
    question: String,
    severity: &'static str,
    escalate_when: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct MeasuredLine {
    criterion: String,
    passed: Option<bool>,
    summary: String,
    places: Vec<String>,
}

#[derive(Debug, Serialize)]
struct FindingLine {
    criterion: String,
    state: &'static str,
    first: u32,
    text: String,
}

#[derive(Debug, Serialize)]
struct DecisionLine {
    criterion: String,
    question: String,
    answer: String,
}

#[derive(Debug, Serialize)]
struct RejectedLine {
    criterion: String,
    reason: String,
}

impl ReviewContext {
    fn of(review: ReviewPrompt<'_>) -> Self {
        let ReviewPrompt { document, state, rejected } = review;
        let started = state.started.as_ref();
        let wanted =
            |id: &CriterionId| rejected.is_empty() || rejected.iter().any(|own| own.criterion == *id);
        let criteria = started
            .into_iter()
            .flat_map(|started| &started.criteria)
            .filter(|own| own.needs == Needs::Opinion && wanted(&own.id))
            .map(|own| CriterionLine {
                id: own.id.to_string(),
                question: line(&own.question),
                severity: jury_core::severity::THREE.word(own.severity),
                escalate_when: own.escalate_when.iter().map(|trigger| when(*trigger)).collect(),
            })
            .collect();
        let adversary = started.map(|started| &started.adversary);
        let adversarial =
            adversary.filter(|own| own.check.is_none() && wanted(&CriterionId::adversarial())).map(|own| {
                if own.question.trim().is_empty() { SCENARIO.to_owned() } else { line(&own.question) }
            });
        let pass = state.last_pass();
        let mut findings: Vec<FindingLine> = state
            .ledger
            .entries()
            .map(|(_, entry)| FindingLine {
                criterion: entry.role.to_string(),
                state: entry.state.as_str(),
                first: entry.first.0,
                text: line(&entry.text),
            })
            .collect();
        findings.sort_by(|one, two| {
            (two.first, &one.criterion, &one.text).cmp(&(one.first, &two.criterion, &two.text))
        });
        findings.truncate(MOST_FINDINGS);
        Self {
            pass: pass.map_or(1, |pass| pass.pass.0),
            cap: started.map_or(1, |started| started.cap),
            criteria,
            adversarial,
            document: guarded(document),
            measured: pass.into_iter().flat_map(|pass| &pass.evidence).map(measured).collect(),
            findings,
            decisions: state
                .questions
                .iter()
                .filter_map(|asked| {
                    Some(DecisionLine {
                        criterion: asked.question.criterion.to_string(),
                        question: line(&asked.question.question),
                        answer: line(&asked.decision()?),
                    })
                })
                .collect(),
            rejected: rejected
                .iter()
                .map(|own| RejectedLine { criterion: own.criterion.to_string(), reason: line(&own.reason) })
                .collect(),
        }
    }
}

fn measured(evidence: &CriticEvidence) -> MeasuredLine {
    MeasuredLine {
        criterion: evidence.criterion.to_string(),
        passed: evidence.passed,
        summary: line(&evidence.summary),
        places: evidence
            .places
            .iter()
            .map(|spot| match spot.line {
                Some(number) => format!("line {number}: {}", line(&spot.text)),
                None => line(&spot.text),
            })
            .collect(),
    }
}

fn when(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::SeveralWays => "there are several ways, each with a price",
        Trigger::Judgement => "it depends on what the user wants",
        Trigger::Scope => "it is not clear whether it belongs to the work",
        Trigger::Conflict => "two rules contradict each other",
        Trigger::MissingInformation => "something is missing that only the user knows",
    }
}

/// Everything that the template of a fix can name.
#[derive(Debug, Serialize)]
struct FixContext {
    document: String,
    orders: Vec<OrderLine>,
    in_place: Option<String>,
}

#[derive(Debug, Serialize)]
struct OrderLine {
    criterion: String,
    text: String,
    decision: Option<String>,
}

impl FixContext {
    fn of(fix: Fix<'_>) -> Self {
        Self {
            document: guarded(fix.document),
            orders: fix
                .orders
                .iter()
                .filter(|order| order.command.is_none())
                .map(|order| OrderLine {
                    criterion: order.criterion.to_string(),
                    text: line(&order.text),
                    decision: order.decision.as_deref().map(line),
                })
                .collect(),
            in_place: fix.in_place.map(line),
        }
    }
}
