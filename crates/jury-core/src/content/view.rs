//! The studio as pages and scripts read it: everything that a run has come to, round by round.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::critique::Critique;
use super::draft::Writer;
use super::event::{
    Assembled, Branded, CriticAbsent, Deployed, Halted, NeedsHuman, Pushed, RepoCreated, Saved, Validated,
    Verified,
};
use super::guard::Lost;
use super::idea::DocRef;
use super::panel::Selection;
use super::recipe::Recipe;
use super::rule::Ruling;
use super::standing::Standing;
use super::state::{ContentState, RoundState};
use super::step::Tool;
use super::summary::{OpenIssue, RoundSummary};
use crate::artifact::Blob;
use crate::event::Usage;
use crate::unit::Round;

/// What a run has come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentView {
    /// How it stands.
    pub standing: Standing,
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
    /// The panel, and how it was found.
    #[schema(required)]
    pub panel: Option<Selection>,
    /// The rounds, the first one first.
    pub rounds: Vec<RoundView>,
    /// What a person is asked for.
    #[schema(required)]
    pub needs: Option<NeedsHuman>,
    /// What was kept.
    #[schema(required)]
    pub saved: Option<Saved>,
    /// The site.
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
    /// Which.
    pub round: Round,
    /// Its body.
    pub draft: Blob,
    /// Who made it.
    pub writer: Writer,
    /// How often each critic was asked who has begun.
    pub asked: BTreeMap<AdvisorId, u32>,
    /// What critics said, in the order of the panel.
    pub critiques: Vec<Critique>,
    /// Who did not answer, and why.
    pub absent: Vec<CriticAbsent>,
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
    /// The look.
    #[schema(required)]
    pub branded: Option<Branded>,
    /// The files.
    #[schema(required)]
    pub assembled: Option<Assembled>,
    /// The check.
    #[schema(required)]
    pub validated: Option<Validated>,
    /// The repository.
    #[schema(required)]
    pub repo: Option<RepoCreated>,
    /// The commit.
    #[schema(required)]
    pub pushed: Option<Pushed>,
    /// The release.
    #[schema(required)]
    pub deployed: Option<Deployed>,
    /// The look at what is served.
    #[schema(required)]
    pub verified: Option<Verified>,
}

impl ContentView {
    /// What a run has come to.
    pub fn of(studio: &ContentState) -> Self {
        let started = studio.started.as_ref();
        let site = &studio.site;
        Self {
            standing: studio.standing(),
            next: studio.next().tool(),
            recipe: started.map(|started| started.recipe.clone()),
            author: started.map(|started| started.author.clone()),
            docs: started.map(|started| started.docs.clone()).unwrap_or_default(),
            publish: started.is_some_and(|started| started.publish),
            panel: studio.panel.clone(),
            rounds: studio.rounds.iter().map(|round| RoundView::of(studio, round)).collect(),
            needs: studio.needs.clone(),
            saved: studio.saved.clone(),
            site: SiteView {
                branded: site.branded.clone(),
                assembled: site.assembled.clone(),
                validated: site.validated.clone(),
                repo: site.repo.clone(),
                pushed: site.pushed.clone(),
                deployed: site.deployed.clone(),
                verified: site.verified.clone(),
            },
            halted: studio.halted.clone(),
            usage: studio.usage,
        }
    }
}

impl RoundView {
    fn of(studio: &ContentState, round: &RoundState) -> Self {
        let seats = studio.seats().iter();
        Self {
            round: round.round,
            draft: round.draft.clone(),
            writer: round.writer,
            asked: round.asked.clone(),
            critiques: seats.filter_map(|seat| round.critiques.get(&seat.advisor_id)).cloned().collect(),
            absent: round.absent.values().cloned().collect(),
            ruling: round.ruling.clone(),
            open: round.open.clone(),
            summary: round.summary.clone(),
            brought: round.brought.clone(),
            lost: round.lost.clone(),
            done: round.done.clone(),
        }
    }
}
