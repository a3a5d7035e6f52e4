//! Who does a run: asked of whoever knows the settings, when a request comes and again when its run begins. Settings may
//! have changed in between.

use std::pin::Pin;

use jury_core::content::ContentRequest;
use jury_core::critic::CriticRequest;
use jury_core::judge::JudgeRequest;
use jury_core::request::{BadRequest, RunRequest};
use jury_core::settings::CritiqueConfig;
use serde_json::{Map, Value};

use crate::content::ContentCast;
use crate::critic::CriticCast;
use crate::judge::JudgeTask;
use crate::{Agent, Measuring, Panel};

/// What a request for a panel comes to: the settings of its run and who plays it.
#[derive(Debug, Clone)]
pub struct TheaterCast {
    /// The settings of the run.
    pub config: CritiqueConfig,
    /// Who plays the panel.
    pub agent: Agent,
    /// Whether there is a panel.
    pub panel: Panel,
    /// The same agent, asked for the page alone.
    pub legacy: Option<Agent>,
    /// How its drafts are measured.
    pub measuring: Measuring,
}

/// How a run is judged, once its case is gathered.
pub type GatheredTask<'a> = Pin<Box<dyn Future<Output = Result<JudgeTask, String>> + Send + 'a>>;

/// Turns what was asked for into who does it. A workflow that is left out has nobody, and its runs are refused.
pub trait Casting: Send + Sync + 'static {
    /// The part of a panel's run, with the metadata of its project.
    fn theater(
        &self,
        _request: &RunRequest,
        _project: &Map<String, Value>,
    ) -> Result<TheaterCast, BadRequest> {
        Err(BadRequest { field: "workflow", problem: nobody() })
    }

    /// Whom a run of the critic asks.
    fn critic(&self, _request: &CriticRequest) -> Result<CriticCast, String> {
        Err(nobody())
    }

    /// How a run of the judge is judged. Its case is gathered anew, which may take a while.
    fn judge<'a>(&'a self, _request: &'a JudgeRequest) -> GatheredTask<'a> {
        Box::pin(std::future::ready(Err(nobody())))
    }

    /// Who does the steps of the content pipeline.
    fn content(&self, _request: &ContentRequest) -> Result<ContentCast, String> {
        Err(nobody())
    }
}

fn nobody() -> String {
    "nobody is here to do runs of this workflow".to_owned()
}
