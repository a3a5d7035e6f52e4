//! The state as pages and scripts read it: everything that a run has come to, round by round.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::critique::Critique;
use super::draft::Writer;
use super::event::{
    Assembled, Branded, ContentMeasured, CriticAbsent, Deployed, Halted, NeedsHuman, Pushed, RepoCreated,
    Saved, Validated, Verified,
};
use super::idea::DocRef;
use super::panel::PanelSelection;
use super::protected::Lost;
use super::recipe::Recipe;
use super::rule::Ruling;
use super::state::{ContentState, RoundState};
use super::status::ContentStatus;
use super::step::Tool;
use super::summary::{OpenIssue, RoundSummary};
use crate::artifact::Blob;
use crate::event::Usage;
use crate::evidence::EvidenceMode;
use crate::unit::Round;

/// What a run has come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentView {
    /// The status word of the run.
    pub standing: ContentStatus,
    /// The tool whose turn it is; null when it waits or is done.
    #[schema(required)]
    pub next: Option<Tool>,
    /// How it is made and reviewed; null before it has begun.
    #[schema(required)]
    pub recipe: Option<Recipe>,
    /// What the author is called.
    #[schema(required)]
    pub author: Option<String>,
    /// The documents that were there.
    pub docs: Vec<DocRef>,
    /// Whether an approved draft becomes a site.
    pub publish: bool,
    /// What is made of measured facts; null where the log does not say.
    #[schema(required)]
    pub evidence: Option<EvidenceMode>,
    /// The panel, and how it was found.
    #[schema(required)]
    pub panel: Option<PanelSelection>,
    /// The rounds, the first one first.
    pub rounds: Vec<RoundView>,
    /// What a person is asked for.
    #[schema(required)]
    pub needs: Option<NeedsHuman>,
    /// The draft that was kept at the end.
    #[schema(required)]
    pub saved: Option<Saved>,
    /// How far publishing has come.
    pub site: SiteView,
    /// The step that could not be done.
    #[schema(required)]
    pub halted: Option<Halted>,
    /// What models have used.
    pub usage: Usage,
}

/// A draft and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentRoundView)]
pub struct RoundView {
    /// The number of the round.
    pub round: Round,
    /// The body of the draft, by its digest.
    pub draft: Blob,
    /// The model, template or person that wrote it.
    pub writer: Writer,
    /// How often each critic was asked who has begun.
    pub asked: BTreeMap<AdvisorId, u32>,
    /// What critics said, in the order of the panel.
    pub critiques: Vec<Critique>,
    /// Who did not answer, and why.
    pub absent: Vec<CriticAbsent>,
    /// What was measured against the documents beside the panel; null before, and when nothing is measured.
    #[schema(required)]
    pub measured: Option<ContentMeasured>,
    /// What the rule decided.
    #[schema(required)]
    pub ruling: Option<Ruling>,
    /// What was open then, the gravest first.
    pub open: Vec<OpenIssue>,
    /// What it comes to: the brief, what was mended, what must stay.
    #[schema(required)]
    pub summary: Option<RoundSummary>,
    /// The passages that came with this draft.
    pub brought: Vec<String>,
    /// The protected passages that this draft changed.
    pub lost: Vec<Lost>,
    /// What was done to it, where that is known.
    pub done: Vec<String>,
}

/// The second phase, as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentSiteView)]
pub struct SiteView {
    /// Colours and fonts, once they are chosen.
    #[schema(required)]
    pub branded: Option<Branded>,
    /// The files, once they are made.
    #[schema(required)]
    pub assembled: Option<Assembled>,
    /// The result of the checks of the files.
    #[schema(required)]
    pub validated: Option<Validated>,
    /// The repository, once it is there.
    #[schema(required)]
    pub repo: Option<RepoCreated>,
    /// The commit, once it is made.
    #[schema(required)]
    pub pushed: Option<Pushed>,
    /// The release, once it is served.
    #[schema(required)]
    pub deployed: Option<Deployed>,
    /// The look at what is served.
    #[schema(required)]
    pub verified: Option<Verified>,
}

impl ContentView {
    /// What a run has come to.
    pub fn of(state: &ContentState) -> Self {
        let started = state.started.as_ref();
        let site = &state.site;
        Self {
            standing: state.status(),
            next: state.next().tool(),
            recipe: started.map(|started| started.recipe.clone()),
            author: started.map(|started| started.author.clone()),
            docs: started.map(|started| started.docs.clone()).unwrap_or_default(),
            publish: started.is_some_and(|started| started.publish),
            evidence: started.and_then(|started| started.evidence),
            panel: state.panel.clone(),
            rounds: state.rounds.iter().map(|round| RoundView::of(state, round)).collect(),
            needs: state.needs.clone(),
            saved: state.saved.clone(),
            site: SiteView {
                branded: site.branded.clone(),
                assembled: site.assembled.clone(),
                validated: site.validated.clone(),
                repo: site.repo.clone(),
                pushed: site.pushed.clone(),
                deployed: site.deployed.clone(),
                verified: site.verified.clone(),
            },
            halted: state.halted.clone(),
            usage: state.usage,
        }
    }
}

impl RoundView {
    fn of(state: &ContentState, round: &RoundState) -> Self {
        let seats = state.seats().iter();
        Self {
            round: round.round,
            draft: round.draft.clone(),
            writer: round.writer,
            asked: round.asked.clone(),
            critiques: seats.filter_map(|seat| round.critiques.get(&seat.advisor_id)).cloned().collect(),
            absent: round.absent.values().cloned().collect(),
            measured: round.measured.clone(),
            ruling: round.ruling.clone(),
            open: round.open.clone(),
            summary: round.summary.clone(),
            brought: round.brought.clone(),
            lost: round.lost.clone(),
            done: round.done.clone(),
        }
    }
}
