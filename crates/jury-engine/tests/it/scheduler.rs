//! The scheduler: places, turns, and the end that every run gets, whatever happens to it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jury_agents::decoder::Format;
use jury_core::event::{Event, Queued, TheaterEvent};
use jury_core::id::ProjectId;
use jury_core::outcome::{FailedCause, TheaterStatus};
use jury_core::request::{BadRequest, RunRequest};
use jury_core::run::RunState;
use jury_core::theater::Board;
use jury_core::unit::Round;
use jury_engine::{Agent, Interrupting, Measuring, Panel, Scheduler, SchedulerError, TheaterCast, Ticket};
use jury_store::{NewRun, Owner, Store};
use tempfile::TempDir;

use crate::bench_of_agents::{PAGE, answer, patient, round, shell, ship};
use crate::cast::{Cast, Prepare};

/// A store, and agents that do what the brief of their run says, in this folder.
struct SchedulerHarness {
    dir: TempDir,
    store: Store,
}

impl SchedulerHarness {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path().join(".od")).await.unwrap();
        let whole = answer(
            &[round(1, "6.0", Some("<p>draft</p>"), &["Do it."]), round(2, "9.0", Some(PAGE), &[])],
            &ship(2, PAGE),
        );
        let half = answer(&[round(1, "7.0", Some(PAGE), &["Do it."])], "<ROUND n=\"2\">")
            .replace("</CRITIQUE_RUN>", "");
        for (name, text) in [("whole.txt", whole), ("half.txt", half)] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        Self { dir, store }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn open(&self, places: u32) -> Scheduler {
        self.open_with(places, plainly(self.dir.path()))
    }

    fn open_with(&self, places: u32, prepare: Prepare) -> Scheduler {
        let owner = Owner::register(&self.store).unwrap();
        let cast = Cast { theater: Some(prepare), ..Cast::default() };
        Scheduler::open(self.store.clone(), owner, places, Arc::new(cast))
    }

    /// Waits until something in the log makes it true.
    async fn until<T>(&self, mut look: impl AsyncFnMut() -> Option<T>) -> T {
        let mut appended = self.store.appended();
        let wait = async {
            loop {
                if let Some(found) = look().await {
                    return found;
                }
                appended.changed().await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_mins(1), wait).await.unwrap()
    }

    async fn ended(&self, ticket: Ticket) -> Event {
        let end = self.until(async || {
            let row = self.store.run(ticket.run).await.unwrap().unwrap();
            (row.state == RunState::Ended).then_some(())
        });
        end.await;
        let log = self.store.records(ticket.run).await.unwrap();
        assert_eq!(log.iter().filter(|record| record.event.terminal().is_some()).count(), 1);
        log.last().unwrap().event.clone()
    }

    /// Waits until a run has an event of this name.
    async fn reached(&self, ticket: Ticket, kind: &str) {
        self.until(async || {
            let log = self.store.records(ticket.run).await.unwrap();
            log.iter().any(|record| record.event.kind() == kind).then_some(())
        })
        .await;
    }

    /// Waits until all places are free.
    async fn idle(&self, scheduler: &Scheduler) {
        let wait = async {
            while scheduler.running() > 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), wait).await.unwrap();
    }
}

/// The brief is the script of the agent.
fn plainly(dir: &Path) -> Prepare {
    let dir = dir.to_owned();
    Arc::new(move |request, _| {
        let mut invocation = shell(&request.brief.clone().unwrap_or_default());
        invocation.dir = Some(dir.clone());
        Ok(TheaterCast {
            config: patient(),
            agent: Agent::Program { invocation, format: Format::Plain, silence: None },
            panel: Panel::Sits,
            legacy: None,
            measuring: Measuring::default(),
        })
    })
}

fn script(text: &str) -> RunRequest {
    RunRequest { brief: Some(text.to_owned()), ..RunRequest::default() }
}

fn project(name: &str) -> ProjectId {
    name.parse().unwrap()
}

const WHOLE: &str = "cat whole.txt";
const SITS: &str = "cat half.txt; exec sleep 1000";

#[tokio::test]
async fn no_more_go_on_than_there_are_places_and_each_project_keeps_its_order() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(2);
    let counts = "touch here.$$; ls here.* | wc -l >> counts; rm here.$$; cat whole.txt";
    let mut tickets = Vec::new();
    for name in ["a", "a", "a", "a", "b", "b"] {
        tickets.push((name, scheduler.submit::<Board>(project(name), script(counts), None).await.unwrap()));
    }
    let mut began = Vec::new();
    for (name, ticket) in &tickets {
        assert_eq!(harness.ended(*ticket).await.terminal(), Some(TheaterStatus::Shipped.into()));
        // When it got its place. Of two that begin at once either may be heard first.
        began.push((*name, harness.store.run(ticket.run).await.unwrap().unwrap().started_at));
    }
    for name in ["a", "b"] {
        let order: Vec<_> = began.iter().filter(|(found, _)| *found == name).map(|(_, at)| *at).collect();
        assert!(order.is_sorted(), "{name}: {began:?}");
    }
    let counts = std::fs::read_to_string(harness.path("counts")).unwrap();
    assert!(counts.lines().all(|count| matches!(count.trim(), "1" | "2")), "{counts}");
    harness.idle(&scheduler).await;
    scheduler.close().await;
}

#[tokio::test]
async fn projects_take_turns() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(1);
    let gate = scheduler
        .submit::<Board>(project("a"), script("until [ -e go ]; do sleep 0.02; done; cat whole.txt"), None)
        .await
        .unwrap();
    harness.reached(gate, "critique.run_started").await;
    let note = |name: &str| script(&format!("echo {name} >> order; cat whole.txt"));
    let mut last = gate;
    for name in ["a", "a", "b", "c", "b"] {
        last = scheduler.submit::<Board>(project(name), note(name), None).await.unwrap();
    }
    assert_eq!(harness.store.waiting_count().await.unwrap(), 5);
    std::fs::write(harness.path("go"), "").unwrap();
    harness.ended(last).await;
    harness.idle(&scheduler).await;
    scheduler.close().await;
    let order = std::fs::read_to_string(harness.path("order")).unwrap();
    let order: Vec<&str> = order.lines().collect();
    assert_eq!(order[..3], ["b", "c", "a"], "{order:?}");
}

#[tokio::test]
async fn closing_ends_what_goes_on_and_what_waits_begins_with_the_next() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(1);
    let first = scheduler.submit::<Board>(project("a"), script(SITS), None).await.unwrap();
    harness.reached(first, "critique.round_end").await;
    let second = scheduler.submit::<Board>(project("a"), script(WHOLE), None).await.unwrap();
    let third = scheduler.submit::<Board>(project("b"), script(WHOLE), None).await.unwrap();
    scheduler.close().await;
    assert!(scheduler.is_closing());
    assert!(matches!(
        scheduler.submit::<Board>(project("a"), script(WHOLE), None).await,
        Err(SchedulerError::Closing)
    ));
    let Event::Theater(TheaterEvent::Interrupted(interrupted)) = harness.ended(first).await else {
        panic!("it was stopped")
    };
    assert_eq!(interrupted.best.best_round, Some(Round(1)));
    assert_eq!(interrupted.recovery_reason, None);
    assert_eq!(
        harness.store.transcript(first.run).await.unwrap(),
        harness.store.records(first.run).await.unwrap()
    );
    for waiting in [second, third] {
        assert_eq!(harness.store.run(waiting.run).await.unwrap().unwrap().state, RunState::Queued);
    }
    drop(scheduler);
    let scheduler = harness.open(1);
    for waiting in [second, third] {
        assert_eq!(harness.ended(waiting).await.terminal(), Some(TheaterStatus::Shipped.into()));
    }
    scheduler.close().await;
}

#[tokio::test]
async fn a_run_is_stopped_while_it_waits_before_its_first_round_and_after_it() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(1);
    let here = project("a");
    let sits = scheduler.submit::<Board>(here.clone(), script(SITS), None).await.unwrap();
    harness.reached(sits, "critique.round_end").await;
    let waits =
        scheduler.submit::<Board>(here.clone(), script("touch asked; cat whole.txt"), None).await.unwrap();
    assert_eq!(scheduler.interrupt(&here, waits.run).await.unwrap(), Interrupting::Accepted);
    assert_eq!(scheduler.interrupt(&here, waits.run).await.unwrap(), Interrupting::Already);
    assert_eq!(harness.ended(waits).await.terminal(), Some(TheaterStatus::Interrupted.into()));
    assert_eq!(scheduler.running(), 1, "the place of the other one is not touched");
    assert_eq!(scheduler.interrupt(&here, sits.run).await.unwrap(), Interrupting::Accepted);
    let Event::Theater(TheaterEvent::Interrupted(interrupted)) = harness.ended(sits).await else {
        panic!("it was stopped")
    };
    assert_eq!(interrupted.best.best_round, Some(Round(1)));
    let begins =
        scheduler.submit::<Board>(here.clone(), script("echo hm; exec sleep 1000"), None).await.unwrap();
    harness.reached(begins, "critique.run_started").await;
    assert_eq!(scheduler.interrupt(&here, begins.run).await.unwrap(), Interrupting::Accepted);
    let Event::Theater(TheaterEvent::Interrupted(interrupted)) = harness.ended(begins).await else {
        panic!("it was stopped")
    };
    assert_eq!(interrupted.best.best_round, None);
    assert_eq!(harness.store.read_final(begins.artifact).await.unwrap(), None);
    let ships = scheduler.submit::<Board>(here.clone(), script(WHOLE), None).await.unwrap();
    harness.ended(ships).await;
    harness.idle(&scheduler).await;
    assert_eq!(
        scheduler.interrupt(&here, ships.run).await.unwrap(),
        Interrupting::Ended(TheaterStatus::Shipped.into())
    );
    let foreign = scheduler.interrupt(&project("b"), ships.run).await;
    assert!(matches!(foreign, Err(SchedulerError::NoSuchRun(_))), "{foreign:?}");
    scheduler.close().await;
    assert!(!harness.path("asked").exists(), "its agent was never started");
}

/// Wherever between the queue and its first byte it is met, it is stopped, once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_that_races_with_the_start_is_never_lost() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(2);
    let here = project("a");
    for turn in 0..40 {
        let ticket = scheduler.submit::<Board>(here.clone(), script(SITS), None).await.unwrap();
        for _ in 0..turn * 3 {
            tokio::task::yield_now().await;
        }
        let stopped = scheduler.interrupt(&here, ticket.run).await.unwrap();
        assert_eq!(stopped, Interrupting::Accepted, "turn {turn}");
        assert_eq!(
            harness.ended(ticket).await.terminal(),
            Some(TheaterStatus::Interrupted.into()),
            "turn {turn}"
        );
    }
    harness.idle(&scheduler).await;
    scheduler.close().await;
}

fn failed(event: &Event) -> (FailedCause, String) {
    let Event::Theater(TheaterEvent::Failed(failed)) = event else { panic!("it failed: {event:?}") };
    (failed.cause, failed.detail.clone())
}

/// Does something else the second time: when the run begins, and nobody is there any more to be told.
fn then(first: Prepare, second: Prepare) -> Prepare {
    let asked = AtomicBool::new(false);
    Arc::new(move |request, project| {
        let again = asked.fetch_xor(true, Ordering::Relaxed);
        if again { second(request, project) } else { first(request, project) }
    })
}

#[tokio::test]
async fn a_run_that_cannot_begin_any_more_fails_and_frees_its_place() {
    let harness = SchedulerHarness::new().await;
    let refuse: Prepare =
        Arc::new(|_, _| Err(BadRequest { field: "agent", problem: "it has left".to_owned() }));
    let scheduler = harness.open_with(1, then(plainly(harness.dir.path()), refuse));
    for _ in 0..2 {
        let ticket = scheduler.submit::<Board>(project("a"), script(WHOLE), None).await.unwrap();
        let (cause, detail) = failed(&harness.ended(ticket).await);
        assert_eq!((cause, detail.as_str()), (FailedCause::SpawnFailed, "agent: it has left"));
    }
    harness.idle(&scheduler).await;
    scheduler.close().await;
}

#[tokio::test]
async fn a_panic_ends_the_run_and_not_the_scheduler() {
    let harness = SchedulerHarness::new().await;
    let broken: Prepare = Arc::new(|request, _| panic!("{request:?} broke it"));
    let scheduler = harness.open_with(1, then(plainly(harness.dir.path()), broken));
    for _ in 0..2 {
        let ticket = scheduler.submit::<Board>(project("a"), script(WHOLE), None).await.unwrap();
        let (cause, detail) = failed(&harness.ended(ticket).await);
        assert_eq!(cause, FailedCause::OrchestratorInternal);
        assert!(detail.starts_with("the program broke"), "{detail}");
    }
    harness.idle(&scheduler).await;
    scheduler.close().await;
}

#[tokio::test]
async fn a_store_that_fails_in_the_middle_ends_the_run_and_frees_its_place() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(1);
    // Where its artifacts should go is something else.
    let breaks = "rm -rf .od/artifacts; touch .od/artifacts; cat half.txt; exec sleep 1000";
    let ticket = scheduler.submit::<Board>(project("a"), script(breaks), None).await.unwrap();
    let (cause, detail) = failed(&harness.ended(ticket).await);
    assert_eq!(cause, FailedCause::OrchestratorInternal);
    assert!(detail.contains("artifacts"), "{detail}");
    harness.idle(&scheduler).await;
    // The folder comes back, and so does everything else; the next start writes what is missing.
    std::fs::remove_file(harness.path(".od/artifacts")).unwrap();
    std::fs::create_dir(harness.path(".od/artifacts")).unwrap();
    let next = scheduler.submit::<Board>(project("a"), script(WHOLE), None).await.unwrap();
    assert_eq!(harness.ended(next).await.terminal(), Some(TheaterStatus::Shipped.into()));
    scheduler.close().await;
    drop(scheduler);
    assert_eq!(harness.store.recover().await.unwrap().exported, [ticket.run]);
    assert_eq!(
        harness.store.transcript(ticket.run).await.unwrap(),
        harness.store.records(ticket.run).await.unwrap()
    );
}

#[tokio::test]
async fn nothing_of_an_agent_is_left_when_its_run_is_stopped_or_the_scheduler_closes() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(2);
    let here = project("a");
    let family = "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & setsid sh -c 'while :; do sleep 1; done' & echo $$ $! >> pids; cat half.txt; while :; do sleep 1; done";
    let mut tickets = Vec::new();
    for _ in 0..2 {
        let ticket = scheduler.submit::<Board>(here.clone(), script(family), None).await.unwrap();
        harness.reached(ticket, "critique.round_end").await;
        tickets.push(ticket);
    }
    scheduler.interrupt(&here, tickets[0].run).await.unwrap();
    scheduler.close().await;
    for ticket in tickets {
        assert_eq!(harness.ended(ticket).await.terminal(), Some(TheaterStatus::Interrupted.into()));
    }
    let pids = std::fs::read_to_string(harness.path("pids")).unwrap();
    assert_eq!(pids.split_whitespace().count(), 4, "{pids}");
    for pid in pids.split_whitespace() {
        // A child that left its family is reaped by the system, in its own time.
        let place = std::path::PathBuf::from(format!("/proc/{pid}"));
        let gone = async {
            while place.exists() {
                tokio::task::yield_now().await;
            }
        };
        assert!(tokio::time::timeout(Duration::from_mins(1), gone).await.is_ok(), "{pid} of {pids}");
    }
}

#[tokio::test]
async fn more_places_are_used_at_once() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(1);
    let here = project("a");
    let first = scheduler.submit::<Board>(here.clone(), script(SITS), None).await.unwrap();
    harness.reached(first, "critique.round_end").await;
    let second = scheduler.submit::<Board>(here.clone(), script(SITS), None).await.unwrap();
    assert_eq!(scheduler.running(), 1);
    scheduler.set_slots(2);
    harness.reached(second, "critique.round_end").await;
    assert_eq!(scheduler.running(), 2);
    scheduler.close().await;
}

#[tokio::test]
async fn asking_again_needs_what_was_asked() {
    let harness = SchedulerHarness::new().await;
    let scheduler = harness.open(1);
    let here = project("a");
    let first = scheduler.submit::<Board>(here.clone(), script(WHOLE), None).await.unwrap();
    let again = scheduler.rerun(&here, first.run).await.unwrap();
    assert_ne!(again, first);
    assert_eq!(
        harness.store.request::<Board>(again.run).await.unwrap(),
        harness.store.request::<Board>(first.run).await.unwrap()
    );
    for ticket in [first, again] {
        assert_eq!(harness.ended(ticket).await.terminal(), Some(TheaterStatus::Shipped.into()));
    }
    let row = harness.store.run(first.run).await.unwrap().unwrap();
    let ticket = Ticket::mint();
    let queued = TheaterEvent::Queued(Queued {
        project_id: here.clone(),
        artifact_id: ticket.artifact,
        agent: row.agent,
        title: row.title,
        skill: None,
    });
    let bare = NewRun::<Board> { run: ticket.run, queued, request: None };
    harness.store.enqueue(bare, None, jiff::Timestamp::now()).await.unwrap();
    let refused = scheduler.rerun(&here, ticket.run).await;
    assert!(matches!(refused, Err(SchedulerError::NotKept(_))), "{refused:?}");
    // Nobody can carry it out, and it says so.
    assert_eq!(failed(&harness.ended(ticket).await).1, "what was asked for was not kept");
    scheduler.close().await;
}
