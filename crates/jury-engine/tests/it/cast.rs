//! Who does runs in these tests. What a test does not name, nobody does.

use std::sync::Arc;

use jury_core::content::ContentRequest;
use jury_core::critic::CriticRequest;
use jury_core::judge::JudgeRequest;
use jury_core::request::{BadRequest, RunRequest};
use jury_engine::content::ContentCast;
use jury_engine::judge::JudgeTask;
use jury_engine::{Casting, CriticCast, GatheredTask, TheaterCast};
use serde_json::{Map, Value};

pub(crate) type Prepare =
    Arc<dyn Fn(&RunRequest, &Map<String, Value>) -> Result<TheaterCast, BadRequest> + Send + Sync>;

#[derive(Clone, Default)]
pub(crate) struct Cast {
    pub(crate) theater: Option<Prepare>,
    pub(crate) critic: Option<CriticCast>,
    pub(crate) judge: Option<JudgeTask>,
    pub(crate) content: Option<ContentCast>,
}

fn nobody() -> String {
    "nobody is asked here".to_owned()
}

impl Casting for Cast {
    fn theater(&self, request: &RunRequest, project: &Map<String, Value>) -> Result<TheaterCast, BadRequest> {
        self.theater
            .as_ref()
            .map_or_else(|| panic!("no panel sits here"), |prepare| prepare(request, project))
    }

    fn critic(&self, _: &CriticRequest) -> Result<CriticCast, String> {
        self.critic.clone().ok_or_else(nobody)
    }

    fn judge<'a>(&'a self, _: &'a JudgeRequest) -> GatheredTask<'a> {
        Box::pin(std::future::ready(self.judge.clone().ok_or_else(nobody)))
    }

    fn content(&self, _: &ContentRequest) -> Result<ContentCast, String> {
        self.content.clone().ok_or_else(nobody)
    }
}
