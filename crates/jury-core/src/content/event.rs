//! Events of the content pipeline: the facts a run of it consists of. Progress, rows, streams and reports are folds over
//! them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::brand::Brand;
use super::critique::Critique;
use super::draft::Writer;
use super::guard::Lost;
use super::idea::{DocRef, IdeaId};
use super::panel::Selection;
use super::recipe::{ContentType, Recipe};
use super::rule::Ruling;
use super::standing::{Quality, Standing};
use super::step::Tool;
use super::summary::{OpenIssue, RoundSummary};
use crate::artifact::{Blob, Digest};
use crate::event::{AgentNote, Usage, events};
use crate::id::{AgentId, ArtifactId, ProjectId};
use crate::outcome::FailedCause;
use crate::unit::{Bytes, Round};

events! {
    /// A fact appended to the log of a run of the content pipeline.
    ContentEvent {
        /// Somebody asked for a run.
        Queued(ContentQueued) = "content.queued",
        /// It began.
        RunStarted(ContentStarted) = "content.run_started",
        /// There is a draft: the first one, or a person's.
        Drafted(Drafted) = "content.drafted",
        /// The panel is chosen. Once in a run.
        PanelSelected(Selection) = "content.panel_selected",
        /// A critic begins to read.
        CriticStarted(CriticStarted) = "content.critic_started",
        /// A critic has answered.
        Critiqued(Critiqued) = "content.critiqued",
        /// A critic has not, in this round.
        CriticAbsent(CriticAbsent) = "content.critic_absent",
        /// The editor's rule has decided.
        Decided(Decided) = "content.decided",
        /// What the round comes to.
        Summarised(Summarised) = "content.summarised",
        /// The author has revised the draft.
        Revised(Revised) = "content.revised",
        /// Only a person can go on.
        NeedsHuman(NeedsHuman) = "content.needs_human",
        /// The content is kept, for good.
        Saved(Saved) = "content.saved",
        /// The look of the site is decided.
        Branded(Branded) = "content.branded",
        /// The files of the site are made.
        Assembled(Assembled) = "content.assembled",
        /// The files of the site were checked, and nothing is wrong with them.
        Validated(Validated) = "content.validated",
        /// There is a repository for the site.
        RepoCreated(RepoCreated) = "content.repo_created",
        /// The files are committed.
        Pushed(Pushed) = "content.pushed",
        /// The site is served.
        Deployed(Deployed) = "content.deployed",
        /// What is served is what was made.
        Verified(Verified) = "content.verified",
        /// An agent's program said something about itself.
        Agent(AgentNote) = "content.agent",
        /// A step could not be done. The run can be taken up there.
        Halted(Halted) = "content.halted",
        /// It was stopped. The run can be taken up there.
        Paused(Paused) = "content.paused",
        /// It was taken up again.
        Resumed(Resumed) = "content.resumed",
        /// It is done. Terminal; green only when it was reviewed and approved.
        Finished(Finished) = "content.finished",
        /// Somebody gave it up. Terminal.
        Abandoned(Abandoned) = "content.abandoned",
    }
}

impl ContentEvent {
    /// How the run ended, if this is its end.
    pub fn terminal(&self) -> Option<Standing> {
        match self {
            Self::Finished(finished) => Some(finished.standing()),
            Self::Abandoned(_) => Some(Standing::Abandoned),
            Self::Queued(_)
            | Self::RunStarted(_)
            | Self::Drafted(_)
            | Self::PanelSelected(_)
            | Self::CriticStarted(_)
            | Self::Critiqued(_)
            | Self::CriticAbsent(_)
            | Self::Decided(_)
            | Self::Summarised(_)
            | Self::Revised(_)
            | Self::NeedsHuman(_)
            | Self::Saved(_)
            | Self::Branded(_)
            | Self::Assembled(_)
            | Self::Validated(_)
            | Self::RepoCreated(_)
            | Self::Pushed(_)
            | Self::Deployed(_)
            | Self::Verified(_)
            | Self::Agent(_)
            | Self::Halted(_)
            | Self::Paused(_)
            | Self::Resumed(_) => None,
        }
    }
}

/// A run was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentQueued {
    /// Whose it is.
    pub project_id: ProjectId,
    /// Where its drafts are kept.
    pub artifact_id: ArtifactId,
    /// Of which idea.
    pub idea_id: IdeaId,
    /// What it makes.
    pub content_type: ContentType,
    /// Who writes and reviews; none when everything is done without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub agent: Option<AgentId>,
}

/// A run began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentStarted {
    /// Of which idea.
    pub idea_id: IdeaId,
    /// How it is made and reviewed.
    pub recipe: Recipe,
    /// What the author is called.
    pub author: String,
    /// Who writes and reviews; none when everything is done without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub agent: Option<AgentId>,
    /// The documents that were there.
    pub docs: Vec<DocRef>,
    /// Whether an approved draft becomes a site.
    pub publish: bool,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
}

/// There is a draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentDrafted)]
pub struct Drafted {
    /// In which round it is reviewed.
    pub round: Round,
    /// Its body.
    pub draft: Blob,
    /// Who made it.
    pub writer: Writer,
    /// How many words it has.
    pub words: u64,
    /// What was guessed when it was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// What it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub usage: Option<Usage>,
}

/// A critic begins to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentCriticStarted)]
pub struct CriticStarted {
    /// In which round.
    pub round: Round,
    /// Who.
    pub advisor_id: AdvisorId,
    /// Which attempt, from 1.
    pub attempt: u32,
}

/// A critic has answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Critiqued {
    /// In which round.
    pub round: Round,
    /// What it said.
    pub critique: Critique,
}

/// A critic has not answered in this round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentCriticAbsent)]
pub struct CriticAbsent {
    /// In which round.
    pub round: Round,
    /// Who.
    pub advisor_id: AdvisorId,
    /// How often it was asked.
    pub attempts: u32,
    /// What broke.
    pub cause: FailedCause,
    /// What, for a person.
    pub detail: String,
}

/// The rule has decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentDecided)]
pub struct Decided {
    /// On which round.
    pub round: Round,
    /// What, and why.
    #[serde(flatten)]
    pub ruling: Ruling,
    /// What is open, the gravest first.
    pub open: Vec<OpenIssue>,
}

/// What a round comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summarised {
    /// The summary.
    #[serde(flatten)]
    pub summary: RoundSummary,
}

/// The author has revised the draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentRevised)]
pub struct Revised {
    /// In which round it is reviewed.
    pub round: Round,
    /// Its body.
    pub draft: Blob,
    /// Who made it.
    pub writer: Writer,
    /// How many words it has.
    pub words: u64,
    /// What was done, where that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<String>,
    /// The passages that came with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
    /// The protected passages that it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Lost>,
    /// What it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub usage: Option<Usage>,
}

/// Only a person can go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentNeedsHuman)]
pub struct NeedsHuman {
    /// After which round.
    pub round: Round,
    /// Why.
    pub reason: String,
    /// What is to be done.
    pub brief: String,
}

/// The content is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentSaved)]
pub struct Saved {
    /// How good it is.
    pub quality: Quality,
    /// The draft of which round.
    pub round: Round,
    /// Its body.
    pub draft: Blob,
    /// Whether nobody has reviewed it.
    #[serde(default)]
    pub unreviewed: bool,
    /// How many issues are open in it.
    pub open: u32,
}

/// The look of the site is decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Branded {
    /// The look.
    pub brand: Brand,
    /// What could not be kept as it was wanted, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The files of the site are made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assembled {
    /// What all files together are: their names and bytes.
    pub sha256: Digest,
    /// How many.
    pub files: u32,
    /// How large.
    pub bytes: Bytes,
    /// The address that the files name as theirs.
    pub base_url: String,
}

/// The files of the site were checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Validated {
    /// How many sentences of the approved draft were found word for word.
    pub sentences: u32,
    /// What is not as it should be and does no harm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// There is a repository for the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepoCreated {
    /// The name of the site.
    pub site: String,
    /// Whether it is new.
    pub created: bool,
}

/// The files are committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pushed {
    /// The commit.
    pub commit: String,
    /// How many files changed; none when it was there already.
    pub changed: u32,
    /// Where it was pushed to as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub remote: Option<String>,
}

/// The site is served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deployed {
    /// The name of the site.
    pub site: String,
    /// Which release.
    pub release: String,
    /// The release before it, to go back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub previous: Option<String>,
    /// Where it can be seen; the path under the daemon's address, or a whole address.
    pub url: String,
}

/// What is served is what was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    /// How many addresses were fetched and compared.
    pub fetched: u32,
}

/// A step could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentHalted)]
pub struct Halted {
    /// Which.
    pub tool: Tool,
    /// What broke.
    pub cause: FailedCause,
    /// What, for a person, and what to do.
    pub detail: String,
}

/// It was stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentPaused)]
pub struct Paused {
    /// Why.
    pub reason: PauseReason,
}

/// Why a run was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// Somebody asked for it.
    Asked,
    /// The program that drove it went away.
    Restart,
}

/// It was taken up again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentResumed)]
pub struct Resumed {
    /// The step that it goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tool: Option<Tool>,
}

/// It is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentFinished)]
pub struct Finished {
    /// How good it is.
    pub quality: Quality,
    /// Whether nobody has reviewed it.
    #[serde(default)]
    pub unreviewed: bool,
    /// Where it is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
}

impl Finished {
    /// What that means.
    pub fn standing(&self) -> Standing {
        match self.quality {
            Quality::Approved if self.unreviewed => Standing::Unreviewed,
            Quality::Approved => Standing::Approved,
            Quality::Stalled => Standing::Stalled,
            Quality::MaxRoundsReached => Standing::MaxRoundsReached,
            Quality::NeedsHuman => Standing::NeedsHuman,
        }
    }
}

/// Somebody gave it up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentAbandoned)]
pub struct Abandoned {
    /// Why; may be empty.
    #[serde(default)]
    pub reason: String,
}
