//! Who does the steps of a run: who is asked, and who publishes.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use jury_agents::prompt::ContentTemplate;
use jury_core::content::{ContentEvent, ContentRequest, ContentState, Draft, Tool};
use jury_core::id::{ArtifactId, RunId};
use jury_core::outcome::FailedCause;
use tokio_util::sync::CancellationToken;

use super::posts::ApprovedPosts;
use crate::critic::AskWith;

/// A step of the second phase, with everything that it needs.
#[derive(Debug, Clone)]
pub struct PublishStep {
    /// Which: one from [`Tool::AssembleSiteFiles`] on.
    pub tool: Tool,
    /// The id of the run.
    pub run: RunId,
    /// Where its drafts are.
    pub artifact: ArtifactId,
    /// What was asked for.
    pub request: ContentRequest,
    /// How far it is.
    pub state: ContentState,
    /// The draft that was saved.
    pub draft: Draft,
    /// The articles beside it: those that were assembled, or that are approved when it is.
    pub posts: ApprovedPosts,
    /// The data directory of the daemon.
    pub dir: PathBuf,
    /// Cancelled when somebody stops the run.
    pub interrupt: CancellationToken,
}

/// Why a step of the second phase could not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPublished {
    /// The part that failed.
    pub cause: FailedCause,
    /// What, for a person, and what to do.
    pub detail: String,
}

/// Does a step of the second phase and says what came of it.
pub type PublishWith = Arc<
    dyn Fn(PublishStep) -> Pin<Box<dyn Future<Output = Result<ContentEvent, NotPublished>> + Send>>
        + Send
        + Sync,
>;

/// Who does the steps of a run.
#[derive(Clone)]
pub struct ContentCast {
    /// Who writes and reviews; none when everything is done without a model.
    pub agent: Option<AskWith>,
    /// What they are asked.
    pub prompts: ContentTemplate,
    /// Who publishes; none where nothing is.
    pub publish: Option<PublishWith>,
    /// How long to wait before a critic is asked again for the first time. It doubles from then on.
    pub backoff: Duration,
}

impl ContentCast {
    /// How long to wait if nobody says.
    pub const BACKOFF: Duration = Duration::from_millis(500);

    /// Everything is done without a model, and nothing is published.
    pub fn offline() -> Self {
        Self { agent: None, prompts: ContentTemplate::built_in(), publish: None, backoff: Self::BACKOFF }
    }

    /// This agent writes and reviews.
    pub fn with_agent(agent: AskWith) -> Self {
        Self { agent: Some(agent), ..Self::offline() }
    }

    /// The same, and this is who publishes.
    #[must_use]
    pub fn publishing(mut self, publish: PublishWith) -> Self {
        self.publish = Some(publish);
        self
    }
}

impl std::fmt::Debug for ContentCast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContentCast")
            .field("agent", &self.agent.is_some())
            .field("publish", &self.publish.is_some())
            .finish_non_exhaustive()
    }
}
