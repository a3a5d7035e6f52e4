//! Recovery: dead owners' runs are ended once, living owners' runs never.
use jury_core::theater::Board;

use jury_core::run::{Outcome, RunState};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use jury_core::artifact::{ArtifactRef, Blob};
use jury_core::event::{BestSoFar, Event, Interrupted, TheaterEvent};
use jury_core::id::RunId;
use jury_core::outcome::{FallbackPolicy, RecoveryReason, TheaterStatus};
use jury_core::score::Composite;
use jury_core::unit::{Millis, Round, Seq};
use jury_store::{Owner, RunRow, Store};

use crate::files::names;
use crate::support::{PanelRun, Place, append, claimed, interrupted, moment, new_run, round, started};

const CHILD: &str = "JURY_STORE_TEST_CHILD";

/// Not a test of its own: what the child process does. It begins a run, says so, and waits to be killed.
#[tokio::test]
async fn child_begins_a_run_and_waits() {
    let Ok(dir) = std::env::var(CHILD) else {
        return;
    };
    let store = Store::open(dir).await.unwrap();
    let owner = Owner::register(&store).unwrap();
    let run = claimed(&store, owner.id()).await;
    let mut events = vec![started(&run, FallbackPolicy::ShipBest)];
    events.extend(round(1, 7.0, Some(b"<h1>")));
    store.keep_round(run.artifact, Round(1), b"<h1>").await.unwrap();
    append(&store, &run, owner.id(), 1, &events).await;
    writeln!(std::io::stdout(), "\nready {}", run.run).unwrap();
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

fn spawn_child(dir: &Path) -> (Child, RunId) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "recovery::child_begins_a_run_and_waits"])
        .env(CHILD, dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let run = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .find_map(|line| line.unwrap().strip_prefix("ready ")?.parse().ok())
        .unwrap();
    (child, run)
}

async fn row(store: &Store, run: RunId) -> RunRow {
    store.run(run).await.unwrap().unwrap()
}

#[tokio::test]
async fn process_killed_in_the_middle_loses_nothing_and_its_run_is_interrupted() {
    let place = Place::new().await;
    let (mut child, run) = spawn_child(&place.dir());
    let before = place.store.records(run).await.unwrap();
    assert_eq!(before.len(), 5);

    let recovery = place.store.recover().await.unwrap();
    assert_eq!(recovery.interrupted, [], "the owner lives");
    assert_eq!(row(&place.store, run).await.state, RunState::Running);

    child.kill().unwrap();
    child.wait().unwrap();
    let recovery = place.store.recover().await.unwrap();
    assert_eq!(recovery.interrupted, [run]);
    assert_eq!(recovery.exported, [run]);
    assert!(recovery.troubled.is_empty(), "{recovery:?}");

    let after = row(&place.store, run).await;
    assert_eq!(after.summary.status.and_then(Outcome::status), Some(TheaterStatus::Interrupted));
    assert_eq!(after.ended_at, Some(moment(1) + jiff::SignedDuration::from_millis(400)));
    let log = place.store.transcript(run).await.unwrap();
    assert_eq!(log[..5], before);
    assert_eq!(log[5].at, Millis(400));
    assert_eq!(
        log[5].event,
        Event::Theater(TheaterEvent::Interrupted(Interrupted {
            best: BestSoFar {
                best_round: Some(Round(1)),
                composite: Some(Composite(7.0)),
                artifact_ref: Some(ArtifactRef {
                    project_id: after.project.clone(),
                    artifact_id: after.artifact,
                }),
                artifact: Some(Blob::of(b"<h1>", "text/html")),
            },
            recovery_reason: Some(RecoveryReason::DaemonRestart),
        }))
    );
    let kept = place.store.read_final(after.artifact).await.unwrap();
    assert_eq!(kept.as_deref(), Some(&b"<h1>"[..]));
    let artifact = place.store.artifact(after.artifact).await.unwrap().unwrap();
    let json = artifact.rounds_json.unwrap();
    assert!(json.ends_with(r#"],"recoveryReason":"daemon_restart"}"#), "{json}");

    let again = place.store.recover().await.unwrap();
    assert!(again.interrupted.is_empty() && again.exported.is_empty());
    let own = format!("{}.lock", place.owner.id());
    assert_eq!(names(&place.dir().join("owners")), [own.as_str(), "open.lock", "recover.lock"]);
}

/// A run whose owner went away, with its file or without.
async fn orphan(place: &Place, events: impl FnOnce(&PanelRun) -> Vec<Event>) -> PanelRun {
    let owner = Owner::register(&place.store).unwrap();
    let run = claimed(&place.store, owner.id()).await;
    append(&place.store, &run, owner.id(), 1, &events(&run)).await;
    run
}

async fn end(place: &Place, run: &PanelRun) -> Interrupted {
    match place.store.state::<Board>(run.run).await.unwrap().ended {
        Some(TheaterEvent::Interrupted(interrupted)) => interrupted,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_fallback_policy_says_which_round_is_kept() {
    let place = Place::new().await;
    let bodies: [&[u8]; 2] = [b"<h1>", b"<h2>"];
    for (policy, kept) in [
        (FallbackPolicy::ShipBest, Some(0)),
        (FallbackPolicy::ShipLast, Some(1)),
        (FallbackPolicy::Fail, None),
    ] {
        let run = orphan(&place, |run| {
            let mut events = vec![started(run, policy)];
            events.extend(round(1, 7.5, Some(bodies[0])));
            events.extend(round(2, 6.5, Some(bodies[1])));
            events
        })
        .await;
        for (number, body) in (1..).zip(bodies) {
            place.store.keep_round(run.artifact, Round(number), body).await.unwrap();
        }
        place.store.recover().await.unwrap();
        let best = end(&place, &run).await.best;
        let expected = kept.map(|index| Blob::of(bodies[index], "text/html"));
        assert_eq!(best.artifact_ref.is_some(), kept.is_some());
        assert_eq!(best.artifact, expected);
        let named = if kept == Some(1) { (2, 6.5) } else { (1, 7.5) };
        assert_eq!(best.best_round, Some(Round(named.0)));
        assert_eq!(best.composite, Some(Composite(named.1)));
        let body = place.store.read_final(run.artifact).await.unwrap();
        assert_eq!(body.as_deref(), kept.map(|index| bodies[index]));
    }
}

#[tokio::test]
async fn a_round_without_a_draft_of_its_own_keeps_the_one_before() {
    let place = Place::new().await;
    let run = orphan(&place, |run| {
        let mut events = vec![started(run, FallbackPolicy::ShipBest)];
        events.extend(round(1, 6.0, Some(b"<h1>")));
        events.extend(round(2, 7.0, None));
        events
    })
    .await;
    place.store.keep_round(run.artifact, Round(1), b"<h1>").await.unwrap();
    place.store.recover().await.unwrap();
    let best = end(&place, &run).await.best;
    assert_eq!(best.best_round, Some(Round(2)));
    assert_eq!(best.artifact, Some(Blob::of(b"<h1>", "text/html")));
}

#[tokio::test]
async fn a_body_that_is_not_on_disk_is_not_promised() {
    let place = Place::new().await;
    let run = orphan(&place, |run| {
        let mut events = vec![started(run, FallbackPolicy::ShipBest)];
        events.extend(round(1, 6.0, Some(b"<h1>")));
        events
    })
    .await;
    place.store.keep_round(run.artifact, Round(1), b"something else").await.unwrap();
    place.store.recover().await.unwrap();
    let best = end(&place, &run).await.best;
    assert_eq!(best.best_round, Some(Round(1)));
    assert_eq!((best.artifact_ref, best.artifact), (None, None));
    assert_eq!(place.store.read_final(run.artifact).await.unwrap(), None);
}

#[tokio::test]
async fn the_queue_keeps_what_waits_for_anybody() {
    let place = Place::new().await;
    let (free, mine, orphaned) = (new_run(), new_run(), new_run());
    let gone = Owner::register(&place.store).unwrap();
    let owners = [None, Some(place.owner.id()), Some(gone.id())];
    for (run, owner) in [&free, &mine, &orphaned].into_iter().zip(owners) {
        place.store.enqueue(run.clone().queued(), owner, moment(0)).await.unwrap();
    }
    drop(gone);
    let recovery = place.store.recover().await.unwrap();
    assert_eq!(recovery.interrupted, [orphaned.run]);
    assert_eq!(row(&place.store, free.run).await.state, RunState::Queued);
    assert_eq!(row(&place.store, mine.run).await.state, RunState::Queued);
    let ended = row(&place.store, orphaned.run).await;
    assert_eq!(ended.summary.status.and_then(Outcome::status), Some(TheaterStatus::Interrupted));
    assert_eq!(ended.ended_at, Some(moment(0)));
    assert_eq!(end(&place, &orphaned).await.best, BestSoFar::default());
}

#[tokio::test]
async fn a_run_that_ended_but_was_not_exported_is_exported() {
    let place = Place::new().await;
    let dead = orphan(&place, |_| vec![interrupted()]).await;
    let alive = place.claimed().await;
    place.append(&alive, 1, &[interrupted()]).await;
    let folder = place.folder(dead.artifact);
    fs::create_dir_all(folder.join("rounds")).unwrap();
    fs::write(folder.join(".torn.tmp"), "half a transcr").unwrap();
    fs::write(folder.join("rounds/.torn.tmp"), "half a bod").unwrap();

    assert_eq!(place.store.transcript(dead.run).await.unwrap().len(), 2);
    let recovery = place.store.recover().await.unwrap();
    assert!(recovery.interrupted.is_empty());
    assert_eq!(recovery.exported, [dead.run], "the living owner exports its own");
    assert_eq!(names(&folder), ["rounds", "transcript.ndjson"]);
    assert_eq!(names(&folder.join("rounds")), Vec::<String>::new());
    assert_eq!(place.store.records(dead.run).await.unwrap().len(), 2);
}

#[tokio::test]
async fn two_recoveries_at_once_end_a_run_once() {
    let place = Place::new().await;
    let mut runs = Vec::new();
    for _ in 0..5 {
        runs.push(orphan(&place, |run| vec![started(run, FallbackPolicy::Fail)]).await.run);
    }
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let dir = place.dir();
        tasks.spawn(async move {
            let recovery = Store::open(dir).await.unwrap().recover().await.unwrap();
            assert!(recovery.troubled.is_empty(), "{recovery:?}");
            recovery.interrupted
        });
    }
    let mut ended = tasks.join_all().await.concat();
    ended.sort_unstable();
    assert_eq!(ended, runs);
    for run in runs {
        assert_eq!(row(&place.store, run).await.head, Seq(3));
    }
}

#[tokio::test]
async fn one_run_in_trouble_does_not_keep_the_others_from_being_recovered() {
    let place = Place::new().await;
    let bad = orphan(&place, |run| vec![started(run, FallbackPolicy::Fail)]).await;
    place
        .tamper("DROP TRIGGER event_is_never_changed; UPDATE event SET body = '{}' WHERE seq = 2;")
        .await
        .unwrap();
    let good = orphan(&place, |run| vec![started(run, FallbackPolicy::Fail)]).await;
    let recovery = place.store.recover().await.unwrap();
    assert_eq!(recovery.interrupted, [good.run]);
    let [(run, error)] = recovery.troubled.as_slice() else {
        panic!("{recovery:?}");
    };
    assert_eq!((*run, error.kind()), (bad.run, "corrupt"));
    assert!(error.to_string().contains("event 2 of run"), "{error}");
}

#[tokio::test]
async fn an_owner_that_leaves_takes_its_file_along() {
    let place = Place::new().await;
    let owner = Owner::register(&place.store).unwrap();
    let file = place.dir().join(format!("owners/{}.lock", owner.id()));
    assert!(file.exists());
    drop(owner);
    assert!(!file.exists());
    fs::write(&file, "").unwrap();
    fs::write(file.with_extension("new"), "").unwrap();
    place.store.recover().await.unwrap();
    assert!(!file.exists() && !file.with_extension("new").exists());
}
