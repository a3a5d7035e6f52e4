//! What the judge's learning loop has come to, read from its files: scores, judgements, patterns, cost, tests.
//!
//! Nothing is written here. A file that is not there is an empty answer; one that cannot be read is named in the answer,
//! under `problems`, beside all that could be.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;
use jury_core::event::Usage;
use jury_core::judge::{Bead, Confidence, JudgeIssue, JudgeVerdict, Judgement, RunOutcome, WorkCoverage};
use jury_core::line;
use jury_learning::ab::AbTest;
use jury_learning::files::read::{self, Problems, Promotion, ReadResult, RefinementEntry, Tests};
use jury_learning::files::{Cursor, DayCost, JudgementIndex, JudgementRow, RunCase, RunLine, Wanted};
use jury_learning::refine::Refined;
use jury_learning::{PatternEntry, TemplateScore, TemplateScores};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::answer::json;
use crate::body::{Asked, Named, word};
use crate::error::{ApiError, ErrorBody};
use crate::server::Shared;

/// The most judgements in one answer, and how many there are if nobody says.
const MOST_JUDGEMENTS: u32 = 200;
const USUAL: u32 = 50;
/// How many days an answer about costs has.
const DAYS: usize = 90;
/// How many entries of the refinement log an answer has.
const LOG: usize = 50;

/// A file that could not be read, or not wholly. The rest of the answer is what the others say.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FileProblem {
    /// The file in its folder; empty when it stands for several.
    file: String,
    /// What is wrong with it.
    problem: String,
}

fn told(problems: Problems) -> Vec<FileProblem> {
    let named = problems.named.into_iter();
    let mut told: Vec<FileProblem> =
        named.map(|one| FileProblem { file: one.file, problem: one.problem }).collect();
    if problems.more > 0 {
        told.push(FileProblem { file: String::new(), problem: format!("and {} more", problems.more) });
    }
    told
}

/// The scores of templates.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgeTemplates {
    /// When they were computed, as the file says it; empty when there is none.
    generated_at: String,
    /// By name. Each has its mechanical and its blended score, with intervals.
    templates: Vec<TemplateScore>,
    /// What could not be read.
    problems: Vec<FileProblem>,
}

/// A page of judgements.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Judgements)]
pub(crate) struct JudgementPage {
    /// The judgements, the newest first.
    judgements: Vec<JudgementSummary>,
    /// What to give as `cursor` for the next page, if there is one.
    #[schema(required)]
    next: Option<String>,
    /// What could not be read.
    problems: Vec<FileProblem>,
}

/// A judgement in a line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgementSummary {
    /// The run that is judged.
    bead: Bead,
    /// The verdict on the run.
    verdict: JudgeVerdict,
    /// The score, from 0 to 1.
    score: f64,
    /// How much weight it has.
    confidence: Confidence,
    /// When it was judged.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    judged_at: Option<Timestamp>,
    /// Who judged; empty if nobody is named.
    judge: String,
    /// How many major issues there are.
    majors: u64,
    /// How many minor ones.
    minors: u64,
    /// The first issues, the major ones in front.
    issues: Vec<JudgeIssue>,
    /// How many seats the panel had.
    #[schema(required)]
    seats: Option<u64>,
    /// What the feedback says of the run.
    #[schema(required)]
    run: Option<JudgedRun>,
}

/// What the feedback says of a run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgedRun {
    /// The name of the prompt template.
    template: String,
    /// The agent that did the work.
    agent: String,
    /// How it came out.
    #[schema(required)]
    outcome: Option<RunOutcome>,
    /// In which ways it failed.
    failure_patterns: Vec<String>,
}

impl From<RunLine> for JudgedRun {
    fn from(line: RunLine) -> Self {
        let RunLine { template, agent, outcome, failure_patterns } = line;
        Self { template, agent, outcome, failure_patterns }
    }
}

impl From<JudgementRow> for JudgementSummary {
    fn from(row: JudgementRow) -> Self {
        Self {
            bead: row.bead,
            verdict: row.verdict,
            score: row.score,
            confidence: row.confidence,
            judged_at: row.judged_at,
            judge: row.judge,
            majors: row.majors,
            minors: row.minors,
            issues: row.issues,
            seats: row.seats,
            run: row.run.map(JudgedRun::from),
        }
    }
}

/// Everything about one judged run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgedCase {
    /// The newest judgement; none when only its feedback is there.
    #[schema(required)]
    judgement: Option<Judgement>,
    /// What it cost, as far as that is known.
    #[schema(required)]
    usage: Option<Usage>,
    /// How much of the work the judge got to see, as far as that is known.
    #[schema(required)]
    coverage: Option<WorkCoverage>,
    /// The judgements before it, the newest first.
    history: Vec<Judgement>,
    /// What the feedback says of the run.
    #[schema(required)]
    run: Option<JudgedRun>,
    /// The feedback as its file has it.
    #[schema(value_type = Option<Object>, required)]
    feedback: Option<Value>,
    /// What could not be read.
    problems: Vec<FileProblem>,
}

/// The registry of patterns.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgePatterns {
    /// The patterns, the commonest first.
    patterns: Vec<PatternView>,
    /// What could not be read.
    problems: Vec<FileProblem>,
}

/// A pattern of failures, as it is listed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PatternView {
    /// The name of the pattern.
    name: String,
    /// Whether it is one of the infrastructure: it says nothing of a template.
    infra: bool,
    /// In how many runs it was seen.
    count: u64,
    /// When first, as the file says it.
    first_seen: String,
    /// When it was seen last.
    last_seen: String,
    /// In which runs last, the newest at the end.
    last_beads: Vec<String>,
    /// What is done against it.
    #[schema(required)]
    mitigation: Option<String>,
    /// When a remedy was in place.
    #[schema(required)]
    mitigated_at: Option<String>,
    /// How often it had been seen by then.
    #[schema(required)]
    count_at_mitigation: Option<u64>,
}

impl PatternView {
    fn of(name: String, infra: bool, entry: PatternEntry) -> Self {
        Self {
            name,
            infra,
            count: entry.count,
            first_seen: entry.first_seen,
            last_seen: entry.last_seen,
            last_beads: entry.last_beads,
            mitigation: entry.mitigation,
            mitigated_at: entry.mitigated_at,
            count_at_mitigation: entry.count_at_mitigation,
        }
    }
}

/// What judging costs, day by day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgeSpending {
    /// The days on which something was judged, the oldest first; at most 90.
    days: Vec<JudgeDay>,
    /// What could not be read.
    problems: Vec<FileProblem>,
}

/// What a day cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgeDay {
    /// The day, in UTC.
    #[schema(value_type = String, format = Date)]
    date: String,
    /// The judgements of that day.
    judgements: u64,
    /// How many of them do not say what they cost: those without a model cost nothing.
    unpriced: u64,
    /// Tokens that the judges read.
    input_tokens: u64,
    /// Tokens that they wrote.
    output_tokens: u64,
    /// US dollars, of those that say so.
    cost_usd: f64,
}

impl From<DayCost> for JudgeDay {
    fn from(day: DayCost) -> Self {
        Self {
            date: day.date.to_string(),
            judgements: day.judgements,
            unpriced: day.unpriced,
            input_tokens: day.input_tokens,
            output_tokens: day.output_tokens,
            cost_usd: day.dollars,
        }
    }
}

/// Tests of variants, what waits for a person, and what was refined.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JudgeTests {
    /// The tests, the newest first.
    tests: Vec<AbTest>,
    /// Promotions that wait, or waited, for a person, the newest first.
    queue: Vec<PromotionView>,
    /// Variants that were made, the newest first; at most 50 entries of the log are looked at.
    refinements: Vec<Refined>,
    /// Tests that were decided, from the same entries.
    decisions: Vec<TestDecision>,
    /// What could not be read.
    problems: Vec<FileProblem>,
}

/// A promotion that waits, or waited, for a person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromotionView {
    /// The template that was tested.
    original: String,
    /// The variant that was tried.
    variant: String,
    /// The score of the template when it was queued.
    #[schema(required)]
    original_score: Option<f64>,
    /// The score of the variant then.
    #[schema(required)]
    variant_score: Option<f64>,
    /// `pending`, `approved`, or a word of somebody's.
    status: String,
    /// When it was put into the queue.
    queued_at: String,
    /// When it was resolved.
    #[schema(required)]
    resolved_at: Option<String>,
}

impl From<Promotion> for PromotionView {
    fn from(one: Promotion) -> Self {
        let Promotion { original, variant, original_score, variant_score, status, queued_at, resolved_at } =
            one;
        Self { original, variant, original_score, variant_score, status, queued_at, resolved_at }
    }
}

/// A test that was decided.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TestDecision {
    /// The template that was tested.
    original: String,
    /// The variant that was tried.
    variant: String,
    /// The decision as it was written.
    decision: String,
    /// When it was decided.
    timestamp: String,
}

/// The scores of templates: mechanical, judged and blended, with intervals.
#[utoipa::path(
    get, path = "/api/judge/templates", operation_id = "getJudgeTemplates", tag = "judge",
    responses((status = 200, body = JudgeTemplates))
)]
pub(crate) async fn templates(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let ReadResult { value, problems } =
        looked(&shared, |index| read::template_scores(index.paths())).await?;
    let TemplateScores { generated_at, templates, .. } = value;
    Ok(json(StatusCode::OK, &JudgeTemplates { generated_at, templates, problems: told(problems) }))
}

/// Which judgements are wanted, and which page of them.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// At most so many, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<String>,
    /// What an answer gave as `next`.
    cursor: Option<String>,
    /// Only those of this template.
    template: Option<String>,
    /// Only those with this verdict.
    #[param(value_type = Option<String>, pattern = "^(pass|partial|fail)$")]
    verdict: Option<String>,
}

/// Judgements, the newest first.
#[utoipa::path(
    get, path = "/api/judge/judgements", operation_id = "listJudgements", tag = "judge", params(Which),
    responses((status = 200, body = JudgementPage), (status = 400, body = ErrorBody, description = "The query does not fit"))
)]
pub(crate) async fn judgements(
    State(shared): State<Shared>,
    Asked(which): Asked<Which>,
) -> Result<Response, ApiError> {
    let limit: u32 = word("limit", which.limit.as_deref())?.unwrap_or(USUAL);
    if !(1..=MOST_JUDGEMENTS).contains(&limit) {
        return Err(ApiError::bad_request(
            format!("limit: must be from 1 to {MOST_JUDGEMENTS}"),
            "leave it out",
        ));
    }
    let wanted = Wanted {
        template: which.template.filter(|name| !name.is_empty()),
        verdict: word("verdict", which.verdict.as_deref())?,
        after: word::<Cursor>("cursor", which.cursor.as_deref())?,
        limit: limit as usize,
    };
    let ReadResult { value: (rows, next), problems } =
        looked(&shared, move |index| index.page(&wanted)).await?;
    let page = JudgementPage {
        judgements: rows.into_iter().map(JudgementSummary::from).collect(),
        next: next.map(|next| next.to_string()),
        problems: told(problems),
    };
    Ok(json(StatusCode::OK, &page))
}

/// One run: its newest judgement, those before it, and its feedback.
#[utoipa::path(
    get, path = "/api/judge/judgements/{bead}", operation_id = "getJudgement", tag = "judge",
    params(("bead" = String, Path)),
    responses((status = 200, body = JudgedCase), (status = 404, body = ErrorBody))
)]
pub(crate) async fn judgement(
    State(shared): State<Shared>,
    Named(bead): Named<String>,
) -> Result<Response, ApiError> {
    let unknown = || {
        let shown = line::cut(&bead, 80);
        ApiError::not_found(
            "no_such_judgement",
            format!("nothing is known of a run '{shown}'"),
            "GET /api/judge/judgements lists those that were judged",
        )
    };
    let name: Bead = bead.parse().map_err(|_| unknown())?;
    let ReadResult { value, problems } = looked(&shared, move |index| index.case(&name)).await?;
    let RunCase { judgement, usage, coverage, history, run, feedback } = value;
    let nothing =
        judgement.is_none() && history.is_empty() && feedback.is_none() && problems.named.is_empty();
    if nothing {
        return Err(unknown());
    }
    let run = run.map(JudgedRun::from);
    let case = JudgedCase { judgement, usage, coverage, history, run, feedback, problems: told(problems) };
    Ok(json(StatusCode::OK, &case))
}

/// The patterns in which runs fail, the commonest first.
#[utoipa::path(
    get, path = "/api/judge/patterns", operation_id = "getJudgePatterns", tag = "judge",
    responses((status = 200, body = JudgePatterns))
)]
pub(crate) async fn patterns(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let ReadResult { value, problems } = looked(&shared, |index| read::patterns(index.paths())).await?;
    let patterns = value.into_iter().map(|row| PatternView::of(row.name, row.infra, row.entry)).collect();
    Ok(json(StatusCode::OK, &JudgePatterns { patterns, problems: told(problems) }))
}

/// What judging cost, day by day.
#[utoipa::path(
    get, path = "/api/judge/cost", operation_id = "getJudgeCost", tag = "judge",
    responses((status = 200, body = JudgeSpending))
)]
pub(crate) async fn cost(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let ReadResult { value, problems } = looked(&shared, JudgementIndex::days).await?;
    let surplus = value.len().saturating_sub(DAYS);
    let days = value.into_iter().skip(surplus).map(JudgeDay::from).collect();
    Ok(json(StatusCode::OK, &JudgeSpending { days, problems: told(problems) }))
}

/// Tests of variants, promotions that wait for a person, and the newest refinements.
#[utoipa::path(
    get, path = "/api/judge/tests", operation_id = "getJudgeTests", tag = "judge",
    responses((status = 200, body = JudgeTests))
)]
pub(crate) async fn tests(State(shared): State<Shared>) -> Result<Response, ApiError> {
    let ReadResult { value, problems } = looked(&shared, |index| read::tests(index.paths())).await?;
    let Tests { tests, queue, log } = value;
    let (mut refinements, mut decisions) = (Vec::new(), Vec::new());
    for entry in log.into_iter().take(LOG) {
        match entry {
            RefinementEntry::Refined(refined) => refinements.push(refined),
            RefinementEntry::Decided { original, variant, decision, timestamp } => {
                decisions.push(TestDecision { original, variant, decision, timestamp });
            }
        }
    }
    let queue = queue.into_iter().map(PromotionView::from).collect();
    let answer = JudgeTests { tests: tests.tests, queue, refinements, decisions, problems: told(problems) };
    Ok(json(StatusCode::OK, &answer))
}

/// What the files say, without making others wait for them.
async fn looked<T: Send + 'static>(
    shared: &Shared,
    look: impl FnOnce(&JudgementIndex) -> T + Send + 'static,
) -> Result<T, ApiError> {
    let index = Arc::clone(&shared.judgements);
    tokio::task::spawn_blocking(move || look(&index)).await.map_err(|error| {
        tracing::error!(error = %error, "the files of the judge cannot be looked at");
        ApiError::internal()
    })
}
