//! What the tests of this crate share: a store, scripted agents, and transcripts for them to print.

use std::path::Path;
use std::time::Duration;

use jury_agents::Invocation;
use jury_agents::decoder::Format;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::record::Record;
use jury_core::request::RunRequest;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{Board, TheaterSetup};
use jury_core::unit::Millis;
use jury_core::workflow::WorkflowState as _;
use jury_engine::{Agent, Measuring, Panel, TheaterJob};
use jury_store::{Owner, Store};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// A run and everything it left behind.
pub(crate) struct Ran {
    pub(crate) board: Board,
    pub(crate) seen: Vec<Record>,
    pub(crate) log: Vec<Record>,
    pub(crate) artifact: ArtifactId,
    pub(crate) store: Store,
    _dir: TempDir,
}

impl Ran {
    /// The names of the events, in order.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        self.log.iter().map(|record| record.event.kind()).collect()
    }

    /// The artifact that was handed over.
    pub(crate) async fn final_page(&self) -> Option<String> {
        let body = self.store.read_final(self.artifact).await.unwrap();
        body.map(|body| String::from_utf8(body).unwrap())
    }
}

/// Settings in which nothing times out by accident.
pub(crate) fn patient() -> CritiqueConfig {
    CritiqueConfig {
        per_round_timeout_ms: Millis(60_000),
        total_timeout_ms: Millis(60_000),
        ..CritiqueConfig::default()
    }
}

pub(crate) fn shell(script: &str) -> Invocation {
    Invocation::new("sh").arg("-c").arg(script)
}

/// An agent that prints this file and ends well.
pub(crate) fn prints(dir: &Path, transcript: &str, then: &str) -> Invocation {
    let file = dir.join("transcript.txt");
    std::fs::write(&file, transcript).unwrap();
    shell(&format!("cat {}; {then}", file.display()))
}

/// Runs an agent that the closure makes, given a folder to put things into.
pub(crate) async fn run(config: CritiqueConfig, agent: impl FnOnce(&Path) -> Invocation) -> Ran {
    run_with(config, agent, |_| {}, CancellationToken::new()).await
}

/// The same, with somebody watching and a way to interrupt.
pub(crate) async fn run_with(
    config: CritiqueConfig,
    agent: impl FnOnce(&Path) -> Invocation,
    watch: impl FnMut(&Record) + Send,
    interrupt: CancellationToken,
) -> Ran {
    let program =
        |dir: &Path| Agent::Program { invocation: agent(dir), format: Format::Plain, silence: None };
    run_agent(config, program, watch, interrupt).await
}

/// The same, with any kind of agent.
pub(crate) async fn run_agent(
    config: CritiqueConfig,
    agent: impl FnOnce(&Path) -> Agent,
    watch: impl FnMut(&Record) + Send,
    interrupt: CancellationToken,
) -> Ran {
    let cast = |dir: &Path| Cast { panel: Panel::Sits, agent: agent(dir), legacy: None };
    run_cast(config, cast, watch, interrupt).await
}

/// Who is asked for what.
pub(crate) struct Cast {
    pub(crate) panel: Panel,
    pub(crate) agent: Agent,
    pub(crate) legacy: Option<Agent>,
}

/// The agent of the tests: it is marked as degraded when the folder has a file of this name.
pub(crate) const MARKED: &str = "marked";

/// The same, with a panel that may be off and somebody who may be asked without it.
pub(crate) async fn run_cast(
    config: CritiqueConfig,
    cast: impl FnOnce(&Path) -> Cast,
    watch: impl FnMut(&Record) + Send,
    interrupt: CancellationToken,
) -> Ran {
    run_as(AgentId::house(), config, cast, watch, interrupt).await
}

/// The same, by the name of somebody else: what the house says is not held against a measurement.
pub(crate) async fn run_as(
    id: AgentId,
    config: CritiqueConfig,
    cast: impl FnOnce(&Path) -> Cast,
    watch: impl FnMut(&Record) + Send,
    interrupt: CancellationToken,
) -> Ran {
    run_request(id, config, None, cast, watch, interrupt).await
}

/// The same, for what was asked for.
pub(crate) async fn run_request(
    id: AgentId,
    config: CritiqueConfig,
    request: Option<RunRequest>,
    cast: impl FnOnce(&Path) -> Cast,
    mut watch: impl FnMut(&Record) + Send,
    interrupt: CancellationToken,
) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join(".od")).await.unwrap();
    let owner = Owner::register(&store).unwrap();
    let artifact = ArtifactId(Uuid::now_v7());
    let Cast { panel, agent, legacy } = cast(dir.path());
    if dir.path().join(MARKED).exists() {
        let until = "2999-01-01T00:00Z".parse().unwrap();
        store.mark_degraded(&AgentId::house(), until, "it could not").await.unwrap();
    }
    let job = TheaterJob {
        run: RunId(Uuid::now_v7()),
        subject: TheaterSetup { project: ProjectId::default_project(), artifact, agent: id },
        title: "page.html".to_owned(),
        config,
        agent,
        panel,
        legacy,
        request,
        grace: Duration::from_millis(300),
        measuring: Measuring::default(),
    };
    let id = job.run;
    let mut seen = Vec::new();
    let mut observer = |records: &[Record]| {
        for record in records {
            watch(record);
            seen.push(record.clone());
        }
    };
    let board = jury_engine::run(&store, &owner, job, &mut observer, interrupt).await.unwrap();
    let log = store.records(id).await.unwrap();
    // Whatever happened: what was published is what is kept, the transcript is the log, and the board is
    // their fold.
    assert_eq!(seen, log);
    assert_eq!(store.transcript(id).await.unwrap(), log);
    assert_eq!(Board::folded(log.iter().map(|record| &record.event)), board);
    assert_eq!(log.iter().filter(|record| record.event.terminal().is_some()).count(), 1);
    assert!(log.last().is_some_and(|record| record.event.terminal().is_some()));
    Ran { board, seen, log, artifact, store, _dir: dir }
}

pub(crate) const PAGE: &str = "<!doctype html><html lang=\"en\"><title>A page</title><h1>A page</h1></html>";

/// One round in which everybody gives this score and the critic and a11y ask for this much.
pub(crate) fn round(n: u32, score: &str, artifact: Option<&str>, must_fix: &[&str]) -> String {
    let artifact = artifact
        .map(|page| format!("<ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT>"))
        .unwrap_or_default();
    let fixes: Vec<String> = must_fix.iter().map(|text| format!("<MUST_FIX>{text}</MUST_FIX>")).collect();
    let fixes = fixes.concat();
    let others = ["brand", "a11y", "copy"]
        .map(|role| format!("<PANELIST role=\"{role}\" score=\"{score}\"><NOTES>ok</NOTES></PANELIST>\n"));
    let others = others.concat();
    format!(
        "<ROUND n=\"{n}\">\n<PANELIST role=\"designer\"><NOTES>ok</NOTES>{artifact}</PANELIST>\n\
         <PANELIST role=\"critic\" score=\"{score}\"><DIM name=\"type\" score=\"{score}\">ok</DIM>{fixes}</PANELIST>\n\
         {others}<ROUND_END n=\"{n}\" decision=\"continue\"><REASON>r</REASON></ROUND_END>\n</ROUND>\n"
    )
}

/// A whole answer around these rounds.
pub(crate) fn answer(rounds: &[String], ship: &str) -> String {
    format!("Here you go:\n<CRITIQUE_RUN version=\"1\">\n{}{ship}</CRITIQUE_RUN>\n", rounds.concat())
}

pub(crate) fn ship(round: u32, page: &str) -> String {
    format!(
        "<SHIP round=\"{round}\" status=\"shipped\"><ARTIFACT mime=\"text/html\"><![CDATA[{page}]]></ARTIFACT><SUMMARY>done</SUMMARY></SHIP>\n"
    )
}
