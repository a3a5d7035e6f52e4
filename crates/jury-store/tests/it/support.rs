//! What the tests share: a directory, a run, and events to put into it.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_core::artifact::{ArtifactRef, Blob};
use jury_core::event::{
    BestSoFar, Event, Interrupted, PanelistClose, PanelistOpen, Queued, RoundEnd, RunStarted, Ship,
    ShipStatus, TheaterEvent,
};
use jury_core::evidence::EvidenceMode;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::outcome::{Decision, FallbackPolicy};
use jury_core::request::RunRequest;
use jury_core::role::Role;
use jury_core::score::{Composite, Scale, Threshold, Weights};
use jury_core::theater::Board;
use jury_core::unit::{Bytes, Millis, Round, Seq};
use jury_store::{NewRun, Owner, OwnerId, Store};
use sqlx::{Connection as _, SqliteConnection};
use tempfile::TempDir;
use uuid::Uuid;

pub(crate) const WEIGHTS: Weights = Weights { designer: 0.0, critic: 0.4, brand: 0.2, a11y: 0.2, copy: 0.2 };

/// A moment, so many seconds after the beginning of the tests.
pub(crate) fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + seconds).unwrap()
}

pub(crate) struct Place {
    pub(crate) store: Store,
    pub(crate) owner: Owner,
    root: TempDir,
}

impl Place {
    pub(crate) async fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path().join(".od")).await.unwrap();
        let owner = Owner::register(&store).unwrap();
        Self { store, owner, root }
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.root.path().join(".od")
    }

    /// Nobody uses it any more. It is there as long as the second value is.
    pub(crate) async fn left(self) -> (PathBuf, TempDir) {
        let dir = self.dir();
        drop(self.owner);
        self.store.close().await.unwrap();
        (dir, self.root)
    }

    pub(crate) fn folder(&self, artifact: ArtifactId) -> PathBuf {
        self.dir().join("artifacts").join(artifact.to_string())
    }

    /// A run that this place's owner has claimed.
    pub(crate) async fn claimed(&self) -> PanelRun {
        claimed(&self.store, self.owner.id()).await
    }

    pub(crate) async fn append(&self, run: &PanelRun, expected: u64, events: &[Event]) -> Seq {
        append(&self.store, run, self.owner.id(), expected, events).await
    }

    /// Runs a statement past the store.
    pub(crate) async fn tamper(&self, statement: &'static str) -> Result<(), sqlx::Error> {
        tamper(&self.dir(), statement).await
    }
}

pub(crate) async fn tamper(dir: &Path, statement: &'static str) -> Result<(), sqlx::Error> {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(dir.join("jury.sqlite"));
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let result = sqlx::raw_sql(statement).execute(&mut connection).await;
    connection.close().await?;
    result.map(drop)
}

/// What a question to the database itself answers: the first column of each row.
pub(crate) async fn ask(dir: &Path, question: &'static str) -> Vec<String> {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(dir.join("jury.sqlite"));
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let answers = sqlx::query_scalar(question).fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    answers
}

/// A run of a panel to be.
#[derive(Debug, Clone)]
pub(crate) struct PanelRun {
    pub(crate) run: RunId,
    pub(crate) project: ProjectId,
    pub(crate) artifact: ArtifactId,
    pub(crate) agent: AgentId,
    pub(crate) title: String,
    pub(crate) request: Option<RunRequest>,
}

impl PanelRun {
    /// As the store takes it.
    pub(crate) fn queued(self) -> NewRun<Board> {
        let Self { run, project, artifact, agent, title, request } = self;
        let queued = Queued { project_id: project, artifact_id: artifact, agent, title, skill: None };
        NewRun { run, queued: TheaterEvent::Queued(queued), request }
    }
}

pub(crate) fn new_run() -> PanelRun {
    PanelRun {
        run: RunId(Uuid::now_v7()),
        project: ProjectId::default_project(),
        artifact: ArtifactId(Uuid::now_v7()),
        agent: AgentId::house(),
        title: "page.html".to_owned(),
        request: None,
    }
}

pub(crate) async fn claimed(store: &Store, owner: OwnerId) -> PanelRun {
    let new = new_run();
    store.enqueue(new.clone().queued(), Some(owner), moment(0)).await.unwrap();
    store.claim(new.run, owner, moment(1)).await.unwrap();
    new
}

pub(crate) async fn append(
    store: &Store,
    run: &PanelRun,
    owner: OwnerId,
    expected: u64,
    events: &[Event],
) -> Seq {
    let events: Vec<_> = timed(expected, events);
    store.append(run.run, owner, Seq(expected), &events).await.unwrap().head
}

/// Events with times: a tenth of a second each.
pub(crate) fn timed(expected: u64, events: &[Event]) -> Vec<(Millis, Event)> {
    (expected..).zip(events).map(|(seq, event)| (Millis(seq * 100), event.clone())).collect()
}

pub(crate) fn started(run: &PanelRun, fallback_policy: FallbackPolicy) -> Event {
    Event::Theater(TheaterEvent::RunStarted(RunStarted {
        protocol_version: 1,
        cast: Role::ALL.to_vec(),
        max_rounds: 3,
        threshold: Threshold(8.0),
        scale: Scale(10.0),
        weights: WEIGHTS,
        seats: Vec::new(),
        fallback_policy,
        evidence: EvidenceMode::Warn,
        project_id: run.project.clone(),
        artifact_id: run.artifact,
        agent: run.agent.clone(),
    }))
}

/// The events of a round with one panelist and a draft.
pub(crate) fn round(number: u32, composite: f64, body: Option<&[u8]>) -> Vec<Event> {
    let round = Round(number);
    vec![
        Event::Theater(TheaterEvent::PanelistOpen(PanelistOpen { round, role: Role::Designer })),
        Event::Theater(TheaterEvent::PanelistClose(PanelistClose {
            round,
            role: Role::Designer,
            score: None,
            notes: String::new(),
            artifact: body.map(|body| Blob::of(body, "text/html")),
        })),
        Event::Theater(TheaterEvent::RoundEnd(RoundEnd {
            round,
            composite: Composite(composite),
            must_fix: u32::from(composite < 8.0),
            quorum: true,
            decision: if composite < 8.0 { Decision::Continue } else { Decision::Ship },
            reason: "the numbers say so".to_owned(),
            note: String::new(),
            bytes: Bytes(100),
        })),
    ]
}

pub(crate) fn shipped(run: &PanelRun, round: u32, composite: f64) -> Event {
    Event::Theater(TheaterEvent::Ship(Ship {
        round: Some(Round(round)),
        composite: Some(Composite(composite)),
        status: ShipStatus::Shipped,
        artifact_ref: Some(ArtifactRef { project_id: run.project.clone(), artifact_id: run.artifact }),
        summary: "better".to_owned(),
        cause: None,
        partial: false,
        artifact: Some(Blob::of(b"<p>", "text/html")),
    }))
}

pub(crate) fn interrupted() -> Event {
    Event::Theater(TheaterEvent::Interrupted(Interrupted {
        best: BestSoFar::default(),
        recovery_reason: None,
    }))
}

/// Everything a run with two rounds consists of after it was queued.
pub(crate) fn whole_run(run: &PanelRun) -> Vec<Event> {
    let mut events = vec![started(run, FallbackPolicy::ShipBest)];
    events.extend(round(1, 6.004, Some(b"<h1>")));
    events.extend(round(2, 8.456, Some(b"<p>")));
    events.push(shipped(run, 2, 8.456));
    events
}
