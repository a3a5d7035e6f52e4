//! The content pipeline with a real store, real sockets and real processes.

mod blogging;
mod branding;
mod chatter;
mod cycle;
mod failing;
mod killing;
mod measuring;
mod offline;
mod publishing;
mod scheduler;
mod tools;

use std::sync::Arc;
use std::time::Duration;

use jury_agents::api::{Client, ModelPrompt, Retries, Secret, Settings, Vendor};
use jury_core::content::{
    Advisor, AdvisorRole, ContentEvent, ContentRequest, ContentState, Form, Foundation, Recipe,
};
use jury_core::event::Event;
use jury_core::evidence::EvidenceMode;
use jury_core::finding::FindingId;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_engine::content::{ContentCast, ContentJob, resume_content, run_content};
use jury_engine::{Agent, AskWith, EngineError};
use jury_store::{Owner, Store};
use jury_testkit::model::{ModelServer, Script, ScriptedAnswer};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// For a scheduler that has nothing to do with the content pipeline.
/// A folder with a store in it.
struct Room {
    dir: TempDir,
    store: Store,
    owner: Owner,
    project: ProjectId,
}

/// What is in the prompt of each.
const SELECTION: &str = "You choose who reviews";
const AUTHOR: &str = "from documents that somebody else has written";
const REVISER: &str = "that advisors have reviewed";
const ANN: &str = "Your field: Ann. You look";
const BOB: &str = "Your field: Bob. You look";
const CEM: &str = "Your field: Cem. You look";

const FIRST: &str = "# A title\n\nFirst words of it.\n\nAnother paragraph.\n";
const SECOND: &str = "# A title\n\nSecond words of it.\n\nAnother paragraph.\n";

impl Room {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path().join(".od")).await.unwrap();
        let owner = Owner::register(&store).unwrap();
        Self { dir, store, owner, project: ProjectId::default_project() }
    }

    fn job(&self, request: ContentRequest, cast: ContentCast) -> ContentJob {
        ContentJob {
            run: RunId(Uuid::now_v7()),
            project: self.project.clone(),
            artifact: ArtifactId(Uuid::now_v7()),
            request,
            draft: None,
            cast,
        }
    }

    /// Drives a run and checks what holds for every one: the state is that of its log, and there is one end at most.
    async fn run(&self, job: ContentJob) -> (RunId, ContentState) {
        let run = job.run;
        let state = self.drive(job, CancellationToken::new()).await.unwrap();
        self.holds(run, &state).await;
        (run, state)
    }

    async fn drive(
        &self,
        job: ContentJob,
        interrupt: CancellationToken,
    ) -> Result<ContentState, EngineError> {
        run_content(&self.store, &self.owner, job, &mut |_| {}, interrupt).await
    }

    async fn resume(&self, run: RunId, cast: ContentCast) -> ContentState {
        let interrupt = CancellationToken::new();
        let state =
            resume_content(&self.store, &self.owner, run, None, cast, &mut |_| {}, interrupt).await.unwrap();
        self.holds(run, &state).await;
        state
    }

    async fn holds(&self, run: RunId, state: &ContentState) {
        assert_eq!(
            self.store.state::<ContentState>(run).await.unwrap(),
            *state,
            "the state is that of the log"
        );
        let events = self.events(run).await;
        let ends = events.iter().filter(|event| event.terminal().is_some()).count();
        assert_eq!(ends, usize::from(state.ended.is_some()));
        let row = self.store.run(run).await.unwrap().unwrap();
        let rest = if state.ended.is_some() { row.summary.status.is_some() } else { row.owner.is_none() };
        assert!(rest, "nobody drives it: {row:?}");
        if state.ended.is_some() {
            assert_eq!(self.store.transcript(run).await.unwrap(), self.store.records(run).await.unwrap());
        }
    }

    async fn events(&self, run: RunId) -> Vec<ContentEvent> {
        let records = self.store.records(run).await.unwrap();
        let own = |record: jury_core::record::Record| {
            let Event::Content(event) = record.event else { panic!("it is none of the content pipeline") };
            event
        };
        records.into_iter().map(own).collect()
    }

    async fn kinds(&self, run: RunId) -> Vec<&'static str> {
        self.events(run).await.iter().map(ContentEvent::kind).collect()
    }
}

fn advisor(id: &str, name: &str, expertise: Option<&str>) -> Advisor {
    Advisor {
        id: id.parse().unwrap(),
        name: name.to_owned(),
        role: AdvisorRole::Critic,
        evaluation_expertise: expertise.map(ToOwned::to_owned),
        does_not_evaluate: None,
        context_docs: Vec::new(),
        persona: None,
        measured_by: None,
    }
}

/// An article by a writer, with three who could review it.
fn request() -> ContentRequest {
    ContentRequest {
        idea: "acme".parse().unwrap(),
        recipe: Recipe {
            content_type: "blog-post".parse().unwrap(),
            form: Form::Article,
            author_advisor: "writer".parse().unwrap(),
            author_context_docs: vec!["positioning".parse().unwrap()],
            author_framework: None,
            evaluation_needs: "Search rankings and headings; the clarity of sentences.".to_owned(),
            evaluation_emphasis: None,
            named_critics: Vec::new(),
            min_aggregate_score: 6.0,
            max_revision_rounds: 3,
            publish: false,
        },
        advisors: vec![
            advisor("writer", "Writer", None),
            advisor("ann", "Ann", Some("Looks at search rankings and headings.")),
            advisor("bob", "Bob", Some("Looks at the clarity of sentences.")),
            advisor("cem", "Cem", Some("Looks at what a market is called.")),
        ],
        foundation: Foundation::new([("positioning".parse().unwrap(), "We make anvils.".to_owned())]),
        topic: None,
        agent: Some("anthropic".parse().unwrap()),
        model: None,
        publish: false,
        remote: None,
        base_url: None,
        evidence: EvidenceMode::Gate,
        concurrency: 2,
        call_seconds: 30,
        retries: 2,
        max_cost_usd: None,
        max_tokens: None,
    }
}

/// A model that is played by the server.
fn played(server: &ModelServer) -> AskWith {
    let settings = Settings {
        base_url: Some(format!("{}/v1", server.url())),
        allow_hosts: vec!["127.0.0.1".to_owned()],
        retries: Retries { first: Duration::from_millis(1), ..Retries::default() },
        ..Settings::default()
    };
    let vendor = Vendor::find("anthropic").unwrap();
    let client = Client::with_key(vendor, settings, Some(Secret::new("sk-very-secret-0123456789"))).unwrap();
    Arc::new(move |prompt| {
        Ok(Agent::Model {
            client: Box::new(client.clone()),
            prompt: ModelPrompt::new(prompt).max_tokens(4_000),
        })
    })
}

fn cast(server: &ModelServer) -> ContentCast {
    ContentCast { backoff: Duration::from_millis(1), ..ContentCast::with_agent(played(server)) }
}

fn serve(answers: Vec<ScriptedAnswer>) -> ModelServer {
    ModelServer::start(Script::new(answers)).unwrap()
}

fn panel(ids: &[&str]) -> ScriptedAnswer {
    ScriptedAnswer::json(json!({ "advisors": ids })).when(SELECTION)
}

fn drafts() -> Vec<ScriptedAnswer> {
    vec![ScriptedAnswer::text(FIRST).when(AUTHOR), ScriptedAnswer::text(SECOND).when(REVISER)]
}

/// A critique with issues, each as severity and description.
fn critique(score: f64, issues: &[(&str, &str)]) -> Value {
    let issues: Vec<Value> = issues
        .iter()
        .map(|(severity, what)| {
            json!({ "severity": severity, "description": what, "suggestion": format!("Mend: {what}") })
        })
        .collect();
    // Of whatever was raised before, it says that it is mended; who raises it again is not believed.
    let statuses: Vec<Value> = ["ann", "bob", "cem"]
        .iter()
        .flat_map(|who| ["It is wrong", "It is long", "A comma"].map(|what| FindingId::of(who, what)))
        .map(|id| json!({ "id": id.as_str(), "fixed": true }))
        .collect();
    json!({ "score": score, "pass": score >= 6.0, "issues": issues, "statuses": statuses })
}

fn fine(who: &str) -> ScriptedAnswer {
    ScriptedAnswer::json(critique(8.0, &[])).when(who)
}

fn says(who: &str, score: f64, issues: &[(&str, &str)]) -> ScriptedAnswer {
    ScriptedAnswer::json(critique(score, issues)).when(who)
}
