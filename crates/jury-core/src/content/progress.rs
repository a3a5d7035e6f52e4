//! Progress as pages and scripts poll it: the seed's shape, folded from the log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::critique::Critique;
use super::draft::Writer;
use super::event::ContentMeasured;
use super::recipe::ContentType;
use super::rule::EditorDecision;
use super::state::{ContentState, RoundState};
use super::status::{ContentStatus, Quality};
use super::step::{Step, Tool};
use crate::evidence::EvidenceMode;
use crate::run::OutcomeWord as _;
use crate::unit::Round;

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PipelineProgress {
    /// Whether the run goes on, waits or has ended.
    pub status: ProgressStatus,
    /// The kind of content it makes.
    pub content_type: ContentType,
    /// The step that is being done, or waits; empty at the end.
    pub current_step: String,
    /// The newest round, from 1.
    pub round: u32,
    /// The rounds that the recipe allows.
    pub max_rounds: u32,
    /// How good what was kept is; null before.
    #[schema(required)]
    pub quality: Option<Quality>,
    /// What is made of measured facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub evidence: Option<EvidenceMode>,
    /// The critics of the panel.
    pub selected_critics: Vec<SelectedCritic>,
    /// All steps in order.
    pub steps: Vec<PipelineStep>,
    /// What was said in each round.
    pub critique_history: Vec<CritiqueRound>,
    /// What a person is asked for, or what broke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
    /// Where it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
}

/// How a run stands, in the words of the progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProgressStatus {
    /// A worker does its steps.
    Running,
    /// It is done, and approved.
    Complete,
    /// A step could not be done, or nobody has reviewed it.
    Error,
    /// The most rounds were made.
    MaxRoundsReached,
    /// Going on made it worse.
    Stalled,
    /// It was stopped and can be resumed.
    Paused,
    /// It waits for a person.
    NeedsHuman,
    /// Somebody gave it up.
    Abandoned,
}

/// A critic of the panel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SelectedCritic {
    /// The id of the critic.
    pub advisor_id: AdvisorId,
    /// The same for people.
    pub name: String,
}

/// A step of the pipeline as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PipelineStep {
    /// The tool that does it.
    pub name: String,
    /// How far it is.
    pub status: StepStatus,
    /// What happens in it at the moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub detail: Option<String>,
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// It is to come.
    Pending,
    /// The step is being done.
    Running,
    /// The step has been done.
    Complete,
    /// It could not be done.
    Error,
}

/// What the critics said in one round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CritiqueRound {
    /// The number of the round.
    pub round: Round,
    /// What critics said, in the order of the panel.
    pub critiques: Vec<Critique>,
    /// Who did not answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<AdvisorId>,
    /// What was measured against the documents beside the panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub measured: Option<ContentMeasured>,
    /// What was decided; null before.
    #[schema(required)]
    pub editor_decision: Option<EditorDecision>,
    /// The brief, when it was sent back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revision_brief: Option<String>,
    /// What was mended, up to here.
    pub fixed_items: Vec<String>,
    /// The fields in which nothing high or medium is open, with the lowest score that was given there.
    pub well_scored_aspects: Vec<String>,
}

impl PipelineProgress {
    /// How far a run has come. None before it has begun.
    pub fn of(state: &ContentState) -> Option<Self> {
        let started = state.started.as_ref()?;
        let standing = state.status();
        let status = match standing {
            ContentStatus::Running => ProgressStatus::Running,
            ContentStatus::Paused => ProgressStatus::Paused,
            ContentStatus::Halted | ContentStatus::Unreviewed => ProgressStatus::Error,
            ContentStatus::NeedsHuman => ProgressStatus::NeedsHuman,
            ContentStatus::Approved => ProgressStatus::Complete,
            ContentStatus::Stalled => ProgressStatus::Stalled,
            ContentStatus::MaxRoundsReached => ProgressStatus::MaxRoundsReached,
            ContentStatus::Abandoned => ProgressStatus::Abandoned,
        };
        let detail = state.halted.as_ref().map(|halted| halted.detail.clone()).or_else(|| {
            state.needs.as_ref().filter(|_| !standing.is_end()).map(|needs| needs.reason.clone())
        });
        let unreviewed = || "nobody's expertise was asked for, so nobody has reviewed it".to_owned();
        let detail = detail.or_else(|| (standing == ContentStatus::Unreviewed).then(unreviewed));
        Some(Self {
            status,
            content_type: started.recipe.content_type.clone(),
            current_step: current(state).map(|tool| tool.as_str().to_owned()).unwrap_or_default(),
            round: state.rounds.last().map_or(0, |round| round.round.0),
            max_rounds: started.recipe.max_revision_rounds,
            quality: quality(state),
            evidence: started.evidence,
            selected_critics: state
                .seats()
                .iter()
                .map(|seat| SelectedCritic { advisor_id: seat.advisor_id.clone(), name: seat.name.clone() })
                .collect(),
            steps: steps(state),
            critique_history: state.rounds.iter().map(|round| history(state, round)).collect(),
            detail,
            url: state.finished.as_ref().and_then(|finished| finished.url.clone()),
        })
    }
}

fn quality(state: &ContentState) -> Option<Quality> {
    let saved = state.saved.as_ref().map(|saved| saved.quality);
    saved.or_else(|| state.needs.as_ref().map(|_| Quality::NeedsHuman))
}

/// The tool that is at work, could not do its work, or waits to be taken up.
fn current(state: &ContentState) -> Option<Tool> {
    if state.ended.is_some() {
        return None;
    }
    if let Some(halted) = &state.halted {
        return Some(halted.tool);
    }
    if state.needs.is_some() {
        return Some(Tool::ReviseDraft);
    }
    let mut on = state.clone();
    on.paused = false;
    on.next().tool()
}

fn history(state: &ContentState, round: &RoundState) -> CritiqueRound {
    let seats = state.seats().iter();
    let summary = round.summary.as_ref();
    CritiqueRound {
        round: round.round,
        critiques: seats.filter_map(|seat| round.critiques.get(&seat.advisor_id)).cloned().collect(),
        absent: round.absent.keys().cloned().collect(),
        measured: round.measured.clone(),
        editor_decision: round.ruling.as_ref().map(|ruling| ruling.decision),
        revision_brief: summary.map(|summary| summary.brief.clone()).filter(|brief| !brief.is_empty()),
        fixed_items: summary
            .map(|summary| summary.fixed_items.iter().map(|item| item.description.clone()).collect())
            .unwrap_or_default(),
        well_scored_aspects: summary
            .map(|summary| {
                let aspects = summary.well_scored_aspects.iter();
                aspects.map(|aspect| format!("{}: {:.1}/10", aspect.field(), aspect.score)).collect()
            })
            .unwrap_or_default(),
    }
}

fn steps(state: &ContentState) -> Vec<PipelineStep> {
    let Some(started) = &state.started else { return Vec::new() };
    let at = current(state);
    let broken = state.halted.as_ref().map(|halted| halted.tool);
    let goes_on = state.status() == ContentStatus::Running;
    let last = state.rounds.last();
    let decided = last.is_some_and(|round| round.ruling.is_some());
    let revised = state.rounds.len() > 1 && last.is_some_and(|round| round.writer != Writer::Person);
    let saved = state.saved.is_some();
    let site = &state.site;
    let done = |tool: Tool| match tool {
        Tool::GenerateDraft => !state.rounds.is_empty(),
        // It is done when the next thing is to decide, or to keep what nobody had to review.
        Tool::RunCritiques => {
            decided || saved || matches!(at, Some(Tool::EditorDecision | Tool::SaveContent))
        }
        Tool::EditorDecision => decided || saved,
        Tool::SummarizeRound => last.is_some_and(|round| round.summary.is_some()) || saved,
        Tool::ReviseDraft => saved || revised,
        Tool::SaveContent => saved,
        Tool::DesignBrand => site.branded.is_some(),
        Tool::AssembleSiteFiles => site.assembled.is_some(),
        Tool::ValidateCode => site.validated.is_some(),
        Tool::CreateRepo => site.repo.is_some(),
        Tool::PushFiles => site.pushed.is_some(),
        Tool::Deploy => site.deployed.is_some(),
        Tool::Verify => site.verified.is_some(),
    };
    let second = |tool: &Tool| {
        matches!(
            tool,
            Tool::DesignBrand
                | Tool::AssembleSiteFiles
                | Tool::ValidateCode
                | Tool::CreateRepo
                | Tool::PushFiles
                | Tool::Deploy
                | Tool::Verify
        )
    };
    Tool::ALL
        .iter()
        .filter(|tool| started.publish || !second(tool))
        .map(|tool| {
            let status = if broken == Some(*tool) {
                StepStatus::Error
            } else if at == Some(*tool) {
                if goes_on { StepStatus::Running } else { StepStatus::Pending }
            } else if done(*tool) {
                StepStatus::Complete
            } else {
                StepStatus::Pending
            };
            PipelineStep { name: tool.as_str().to_owned(), status, detail: detail(state, *tool) }
        })
        .collect()
}

fn detail(state: &ContentState, tool: Tool) -> Option<String> {
    let round = state.rounds.last();
    match tool {
        Tool::GenerateDraft => {
            let writer = state.rounds.first()?.writer;
            Some(match writer {
                Writer::Model => state.started.as_ref()?.author.clone(),
                Writer::Template | Writer::Repairs => "from the documents".to_owned(),
                Writer::Person => "a person's".to_owned(),
            })
        }
        Tool::RunCritiques => {
            let seats = state.seats().len();
            (seats > 0).then(|| format!("{} of {seats}", round.map_or(0, |round| round.critiques.len())))
        }
        Tool::EditorDecision => Some(round?.ruling.as_ref()?.decision.as_str().to_owned()),
        Tool::SaveContent => Some(state.saved.as_ref()?.quality.as_str().to_owned()),
        Tool::PushFiles => Some(state.site.pushed.as_ref()?.commit.chars().take(12).collect()),
        Tool::Deploy => Some(state.site.deployed.as_ref()?.url.clone()),
        Tool::Verify => Some(format!("{} fetched", state.site.verified.as_ref()?.fetched)),
        Tool::SummarizeRound
        | Tool::ReviseDraft
        | Tool::DesignBrand
        | Tool::AssembleSiteFiles
        | Tool::ValidateCode
        | Tool::CreateRepo => None,
    }
}

/// Whether a step waits for somebody.
pub fn waits(step: &Step) -> bool {
    matches!(step, Step::AwaitPerson | Step::AwaitResume | Step::Done)
}
