//! Progress as pages and scripts poll it: the seed's shape, folded from the log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::critique::Critique;
use super::draft::Writer;
use super::recipe::ContentType;
use super::rule::EditorDecision;
use super::standing::{Quality, Standing};
use super::state::{ContentState, RoundState};
use super::step::{Step, Tool};
use crate::run::OutcomeWord as _;
use crate::unit::Round;

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PipelineProgress {
    /// How it stands.
    pub status: ProgressStatus,
    /// What it makes.
    pub content_type: ContentType,
    /// The step that is being done, or waits; empty at the end.
    pub current_step: String,
    /// Which round.
    pub round: u32,
    /// The most rounds.
    pub max_rounds: u32,
    /// How good what was kept is; null before.
    #[schema(required)]
    pub quality: Option<Quality>,
    /// The panel.
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
    /// It goes on.
    Running,
    /// It is done, and approved.
    Complete,
    /// A step could not be done, or nobody has reviewed it.
    Error,
    /// The most rounds were made.
    MaxRoundsReached,
    /// Going on made it worse.
    Stalled,
    /// It was stopped.
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
    /// Who.
    pub advisor_id: AdvisorId,
    /// The same for people.
    pub name: String,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PipelineStep {
    /// The tool that does it.
    pub name: String,
    /// How far it is.
    pub status: StepStatus,
    /// More about it.
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
    /// It goes on.
    Running,
    /// It is done.
    Complete,
    /// It could not be done.
    Error,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CritiqueRound {
    /// Which.
    pub round: Round,
    /// What critics said, in the order of the panel.
    pub critiques: Vec<Critique>,
    /// Who did not answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<AdvisorId>,
    /// What was decided; null before.
    #[schema(required)]
    pub editor_decision: Option<EditorDecision>,
    /// The brief, when it was sent back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revision_brief: Option<String>,
    /// What was mended, up to here.
    pub fixed_items: Vec<String>,
    /// What is well liked.
    pub well_scored_aspects: Vec<String>,
}

impl PipelineProgress {
    /// How far a run has come. None before it has begun.
    pub fn of(studio: &ContentState) -> Option<Self> {
        let started = studio.started.as_ref()?;
        let standing = studio.standing();
        let status = match standing {
            Standing::Running => ProgressStatus::Running,
            Standing::Paused => ProgressStatus::Paused,
            Standing::Halted | Standing::Unreviewed => ProgressStatus::Error,
            Standing::NeedsHuman => ProgressStatus::NeedsHuman,
            Standing::Approved => ProgressStatus::Complete,
            Standing::Stalled => ProgressStatus::Stalled,
            Standing::MaxRoundsReached => ProgressStatus::MaxRoundsReached,
            Standing::Abandoned => ProgressStatus::Abandoned,
        };
        let detail = studio.halted.as_ref().map(|halted| halted.detail.clone()).or_else(|| {
            studio.needs.as_ref().filter(|_| !standing.is_end()).map(|needs| needs.reason.clone())
        });
        let unreviewed = || "nobody's expertise was asked for, so nobody has reviewed it".to_owned();
        let detail = detail.or_else(|| (standing == Standing::Unreviewed).then(unreviewed));
        Some(Self {
            status,
            content_type: started.recipe.content_type.clone(),
            current_step: current(studio).map(|tool| tool.as_str().to_owned()).unwrap_or_default(),
            round: studio.rounds.last().map_or(0, |round| round.round.0),
            max_rounds: started.recipe.max_revision_rounds,
            quality: quality(studio),
            selected_critics: studio
                .seats()
                .iter()
                .map(|seat| SelectedCritic { advisor_id: seat.advisor_id.clone(), name: seat.name.clone() })
                .collect(),
            steps: steps(studio),
            critique_history: studio.rounds.iter().map(|round| history(studio, round)).collect(),
            detail,
            url: studio.finished.as_ref().and_then(|finished| finished.url.clone()),
        })
    }
}

fn quality(studio: &ContentState) -> Option<Quality> {
    let saved = studio.saved.as_ref().map(|saved| saved.quality);
    saved.or_else(|| studio.needs.as_ref().map(|_| Quality::NeedsHuman))
}

/// The tool that is at work, could not do its work, or waits to be taken up.
fn current(studio: &ContentState) -> Option<Tool> {
    if studio.ended.is_some() {
        return None;
    }
    if let Some(halted) = &studio.halted {
        return Some(halted.tool);
    }
    if studio.needs.is_some() {
        return Some(Tool::ReviseDraft);
    }
    let mut on = studio.clone();
    on.paused = false;
    on.next().tool()
}

fn history(studio: &ContentState, round: &RoundState) -> CritiqueRound {
    let seats = studio.seats().iter();
    let summary = round.summary.as_ref();
    CritiqueRound {
        round: round.round,
        critiques: seats.filter_map(|seat| round.critiques.get(&seat.advisor_id)).cloned().collect(),
        absent: round.absent.keys().cloned().collect(),
        editor_decision: round.ruling.as_ref().map(|ruling| ruling.decision),
        revision_brief: summary.map(|summary| summary.brief.clone()).filter(|brief| !brief.is_empty()),
        fixed_items: summary
            .map(|summary| summary.fixed_items.iter().map(|item| item.description.clone()).collect())
            .unwrap_or_default(),
        well_scored_aspects: summary
            .map(|summary| {
                let aspects = summary.well_scored_aspects.iter();
                aspects.map(|aspect| format!("{}: {:.1}/10", aspect.name, aspect.score)).collect()
            })
            .unwrap_or_default(),
    }
}

fn steps(studio: &ContentState) -> Vec<PipelineStep> {
    let Some(started) = &studio.started else { return Vec::new() };
    let at = current(studio);
    let broken = studio.halted.as_ref().map(|halted| halted.tool);
    let goes_on = studio.standing() == Standing::Running;
    let last = studio.rounds.last();
    let decided = last.is_some_and(|round| round.ruling.is_some());
    let saved = studio.saved.is_some();
    let site = &studio.site;
    let done = |tool: Tool| match tool {
        Tool::GenerateDraft => !studio.rounds.is_empty(),
        Tool::RunCritiques => decided || saved,
        Tool::EditorDecision => decided || saved,
        Tool::SummarizeRound => last.is_some_and(|round| round.summary.is_some()) || saved,
        Tool::ReviseDraft => saved,
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
            PipelineStep { name: tool.as_str().to_owned(), status, detail: detail(studio, *tool) }
        })
        .collect()
}

fn detail(studio: &ContentState, tool: Tool) -> Option<String> {
    let round = studio.rounds.last();
    match tool {
        Tool::GenerateDraft => {
            let writer = studio.rounds.first()?.writer;
            Some(match writer {
                Writer::Model => studio.started.as_ref()?.author.clone(),
                Writer::Template | Writer::Repairs => "from the documents".to_owned(),
                Writer::Person => "a person's".to_owned(),
            })
        }
        Tool::RunCritiques => {
            let seats = studio.seats().len();
            (seats > 0).then(|| format!("{} of {seats}", round.map_or(0, |round| round.critiques.len())))
        }
        Tool::EditorDecision => Some(round?.ruling.as_ref()?.decision.as_str().to_owned()),
        Tool::SaveContent => Some(studio.saved.as_ref()?.quality.as_str().to_owned()),
        Tool::PushFiles => Some(studio.site.pushed.as_ref()?.commit.chars().take(12).collect()),
        Tool::Deploy => Some(studio.site.deployed.as_ref()?.url.clone()),
        Tool::Verify => Some(format!("{} fetched", studio.site.verified.as_ref()?.fetched)),
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
