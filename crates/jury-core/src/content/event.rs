//! Events of the content pipeline: the facts a run of it consists of. Progress, rows, streams and reports are folds over
//! them.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;
use super::brand::SiteBrand;
use super::critique::{ContentIssue, Critique};
use super::draft::Writer;
use super::idea::{DocRef, IdeaId};
use super::panel::PanelSelection;
use super::protected::Lost;
use super::recipe::{ContentType, Recipe};
use super::rule::Ruling;
use super::status::{ContentStatus, Quality};
use super::step::Tool;
use super::summary::{OpenIssue, RoundSummary};
use crate::artifact::{Blob, Digest};
use crate::event::{AgentNote, Usage, events};
use crate::evidence::EvidenceMode;
use crate::id::{AgentId, ArtifactId, ProjectId, RunId};
use crate::outcome::FailedCause;
use crate::unit::{Bytes, Round};

events! {
    /// A fact appended to the log of a run of the content pipeline.
    ContentEvent {
        /// Somebody asked for a run.
        Queued(ContentQueued) = "content.queued",
        /// A worker has begun the run.
        RunStarted(ContentStarted) = "content.run_started",
        /// There is a draft: the first one, or a person's.
        Drafted(Drafted) = "content.drafted",
        /// The panel is chosen. Once in a run.
        PanelSelected(PanelSelection) = "content.panel_selected",
        /// A critic begins to read.
        CriticStarted(ContentCriticStarted) = "content.critic_started",
        /// A critic has answered.
        Critiqued(Critiqued) = "content.critiqued",
        /// A critic has not, in this round.
        CriticAbsent(CriticAbsent) = "content.critic_absent",
        /// The draft was held against the documents.
        Measured(ContentMeasured) = "content.measured",
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
    pub fn terminal(&self) -> Option<ContentStatus> {
        match self {
            Self::Finished(finished) => Some(finished.status()),
            Self::Abandoned(_) => Some(ContentStatus::Abandoned),
            Self::Queued(_)
            | Self::RunStarted(_)
            | Self::Drafted(_)
            | Self::PanelSelected(_)
            | Self::CriticStarted(_)
            | Self::Critiqued(_)
            | Self::CriticAbsent(_)
            | Self::Measured(_)
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
    /// The project that the run belongs to.
    pub project_id: ProjectId,
    /// Where its drafts are kept.
    pub artifact_id: ArtifactId,
    /// The idea that the content is about.
    pub idea_id: IdeaId,
    /// The kind of content it makes.
    pub content_type: ContentType,
    /// Who writes and reviews; none when everything is done without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub agent: Option<AgentId>,
}

/// A run began, with everything it was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentStarted {
    /// The idea that the content is about.
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
    /// What is made of measured facts. Absent in logs of runs that began before there were any; when such a run is
    /// resumed, it is a gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub evidence: Option<EvidenceMode>,
    /// When the run began.
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
    /// The body of the draft, by its digest.
    pub draft: Blob,
    /// The model, template or person that wrote it.
    pub writer: Writer,
    /// How many words it has.
    pub words: u64,
    /// What was guessed when it was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Tokens and money it took, if a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub usage: Option<Usage>,
}

/// A critic begins to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentCriticStarted {
    /// The round whose draft is read.
    pub round: Round,
    /// The critic that reads it.
    pub advisor_id: AdvisorId,
    /// Which attempt, from 1.
    pub attempt: u32,
}

/// A critic has answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Critiqued {
    /// The round whose draft was read.
    pub round: Round,
    /// Scores and issues of the critic.
    pub critique: Critique,
}

/// A critic has not answered in this round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentCriticAbsent)]
pub struct CriticAbsent {
    /// The round without this critic.
    pub round: Round,
    /// The critic that did not answer.
    pub advisor_id: AdvisorId,
    /// How often it was asked.
    pub attempts: u32,
    /// The part that failed.
    pub cause: FailedCause,
    /// What, for a person.
    pub detail: String,
}

/// The draft was held against the documents of the idea.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentMeasured {
    /// The round whose draft was measured.
    pub round: Round,
    /// What is made of it: `gate` holds a draft back for what is high, `warn` only lists it.
    pub mode: EvidenceMode,
    /// What no document knows, the gravest first.
    pub issues: Vec<ContentIssue>,
}

impl ContentMeasured {
    /// What decides as if a critic had said it. It is no member of the panel: it has no score and fills no quorum.
    pub fn deciding(&self) -> Option<Critique> {
        let name = Self::NAME.to_owned();
        (self.mode == EvidenceMode::Gate)
            .then(|| Critique::of_measured(AdvisorId::measured(), name, self.issues.clone()))
    }

    /// Who says it, for people.
    pub const NAME: &'static str = "measured against the documents";
}

/// The rule has decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentDecided)]
pub struct Decided {
    /// The round that is decided.
    pub round: Round,
    /// The decision of the rule and its figures.
    #[serde(flatten)]
    pub ruling: Ruling,
    /// What is open, the gravest first.
    pub open: Vec<OpenIssue>,
}

/// What a round comes to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summarised {
    /// The summary that the author revises by.
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
    /// The body of the draft, by its digest.
    pub draft: Blob,
    /// The model, template or person that wrote it.
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
    /// Tokens and money it took, if a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub usage: Option<Usage>,
}

/// Only a person can go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentNeedsHuman)]
pub struct NeedsHuman {
    /// The last round before it stopped.
    pub round: Round,
    /// The reason, for a person.
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
    /// The body that was kept, by its digest.
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
    /// Colours and fonts of the site.
    pub brand: SiteBrand,
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
    /// The number of files of the site.
    pub files: u32,
    /// The size of all files together.
    pub bytes: Bytes,
    /// The address that the files name as theirs.
    pub base_url: String,
    /// The articles that are part of it, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<SitePost>,
    /// What is approved and no part of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutPost>,
}

/// An approved article that is part of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SitePost {
    /// The run that it was approved in.
    pub run_id: RunId,
    /// Which of its drafts.
    pub round: Round,
    /// The digest of that draft.
    pub sha256: Digest,
    /// The day on which it was approved.
    #[schema(value_type = String, format = Date)]
    pub date: Date,
}

/// An approved article that is no part of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOutPost {
    /// The run that it was approved in.
    pub run_id: RunId,
    /// The reason, for a person.
    pub why: String,
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
    /// The id of the commit.
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
    /// The name of the release that is served.
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
    /// The tool that could not go on.
    pub tool: Tool,
    /// The part that failed.
    pub cause: FailedCause,
    /// What, for a person, and what to do.
    pub detail: String,
}

/// The run was stopped and can be resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentPaused)]
pub struct Paused {
    /// Why it was stopped.
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

/// The run has done all its steps.
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
    /// The status word of a run that ended so.
    pub fn status(&self) -> ContentStatus {
        match self.quality {
            Quality::Approved if self.unreviewed => ContentStatus::Unreviewed,
            Quality::Approved => ContentStatus::Approved,
            Quality::Stalled => ContentStatus::Stalled,
            Quality::MaxRoundsReached => ContentStatus::MaxRoundsReached,
            Quality::NeedsHuman => ContentStatus::NeedsHuman,
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
