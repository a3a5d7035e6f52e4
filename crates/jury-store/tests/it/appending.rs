//! Appending: one owner, one order, one end; rows follow.
use jury_core::theater::Board;

use jury_core::event::{
    BestSoFar, Degraded, Event, Failed, Fallback, Interrupted, ParserWarning, Ship, ShipStatus, TheaterEvent,
};
use jury_core::outcome::{
    DegradedReason, FailedCause, FallbackPolicy, FallbackReason, TheaterStatus, TimeoutCause,
};
use jury_core::run::{Outcome, RunState, RunSummary};
use jury_core::score::Composite;
use jury_core::unit::{Millis, Offset, Pos, Round, Seq};
use jury_core::warning::WarningKind;
use jury_core::workflow::Workflow;
use jury_store::{Conflict, Owner, OwnerId, RunRow, Store, StoreError};
use uuid::Uuid;

use crate::support::{
    Place, append, claimed, interrupted, moment, new_run, round, started, timed, whole_run,
};

fn conflict<T: std::fmt::Debug>(result: Result<T, StoreError>) -> Conflict {
    match result {
        Err(StoreError::Conflict { conflict, .. }) => conflict,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_run_goes_from_the_queue_to_its_end() {
    let place = Place::new().await;
    let new = new_run();
    let owner = place.owner.id();
    let queued = place.store.enqueue(new.clone().queued(), Some(owner), moment(0)).await.unwrap();
    assert_eq!((queued.head, queued.pos), (Seq(1), Pos(1)));
    let mut expected = RunRow {
        run: new.run,
        workflow: Workflow::Theater,
        project: new.project.clone(),
        artifact: new.artifact,
        agent: new.agent.clone(),
        title: new.title.clone(),
        state: RunState::Queued,
        summary: RunSummary::default(),
        head: Seq(1),
        owner: Some(owner),
        created_at: moment(0),
        started_at: None,
        ended_at: None,
    };
    let row = async || place.store.run(new.run).await.unwrap().unwrap();
    assert_eq!(row().await, expected);

    let taken = place.store.claim(new.run, owner, moment(1)).await.unwrap();
    expected.state = RunState::Running;
    expected.started_at = Some(moment(1));
    assert_eq!(taken, expected);
    assert_eq!(row().await, expected);

    let events = whole_run(&new);
    place.append(&new, 1, &events[..4]).await;
    expected.summary.rounds = 1;
    expected.head = Seq(5);
    assert_eq!(row().await, expected);

    place.append(&new, 5, &events[4..]).await;
    expected.state = RunState::Ended;
    expected.summary.status = Some(TheaterStatus::Shipped.into());
    expected.summary.score = Some(Composite(8.46));
    expected.summary.round = Some(Round(2));
    expected.summary.rounds = 2;
    expected.head = Seq(9);
    expected.ended_at = Some("2026-09-21T14:13:21.8Z".parse().unwrap());
    assert_eq!(row().await, expected);

    let artifact = place.store.artifact(new.artifact).await.unwrap().unwrap();
    assert_eq!(
        artifact.rounds_json.as_deref(),
        Some(
            r#"{"rounds":[{"n":1,"composite":6.0,"mustFix":1,"decision":"continue"},{"n":2,"composite":8.46,"mustFix":0,"decision":"ship"}]}"#
        )
    );
    assert_eq!(artifact.score, Some(Composite(8.46)));
    assert_eq!(artifact.status, Some(TheaterStatus::Shipped));
    assert_eq!(artifact.protocol_version, Some(1));
    assert_eq!(artifact.transcript_path, None);
    assert_eq!(artifact.run, Some(new.run));
    assert_eq!(artifact.created_at, moment(0));
}

#[tokio::test]
async fn the_row_says_what_kept_a_run_from_its_verdict() {
    let place = Place::new().await;
    let best =
        BestSoFar { best_round: Some(Round(1)), composite: Some(Composite(6.0)), ..BestSoFar::default() };
    let ends = [
        (
            Event::Theater(TheaterEvent::Failed(Failed {
                cause: FailedCause::CliSignal,
                detail: String::new(),
                best: best.clone(),
            })),
            TheaterStatus::Failed,
            r#"],"cause":"cli_signal"}"#,
        ),
        (
            Event::Theater(TheaterEvent::Degraded(Degraded {
                reason: DegradedReason::OversizeBlock,
                adapter: jury_core::id::AgentId::house(),
                detail: String::new(),
                position: None,
                best: best.clone(),
            })),
            TheaterStatus::Degraded,
            r#"],"cause":"oversize_block"}"#,
        ),
        (
            Event::Theater(TheaterEvent::Ship(Ship {
                round: Some(Round(1)),
                composite: Some(Composite(6.0)),
                status: ShipStatus::TimedOut,
                artifact_ref: None,
                summary: String::new(),
                cause: Some(TimeoutCause::RoundTimeout),
                partial: false,
                artifact: None,
            })),
            TheaterStatus::TimedOut,
            r#"],"cause":"round_timeout"}"#,
        ),
        (
            Event::Theater(TheaterEvent::Interrupted(Interrupted { best, recovery_reason: None })),
            TheaterStatus::Interrupted,
            "]}",
        ),
    ];
    for (end, status, tail) in ends {
        let run = place.claimed().await;
        let mut events = vec![started(&run, FallbackPolicy::Fail)];
        events.extend(round(1, 6.0, None));
        events.push(end);
        place.append(&run, 1, &events).await;
        let row = place.store.run(run.run).await.unwrap().unwrap();
        assert_eq!(
            (
                row.summary.status.and_then(Outcome::status),
                row.summary.score,
                row.summary.round,
                row.summary.rounds
            ),
            (Some(status), Some(Composite(6.0)), Some(Round(1)), 1)
        );
        let artifact = place.store.artifact(run.artifact).await.unwrap().unwrap();
        assert_eq!(artifact.status, Some(status));
        let json = artifact.rounds_json.unwrap();
        assert!(json.ends_with(tail), "{json}");
    }
}

#[tokio::test]
async fn a_run_without_a_panel_has_a_row_without_a_score() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let detail = "the skill opts out of the panel".to_owned();
    let events = [
        started(&run, FallbackPolicy::ShipBest),
        Event::Theater(TheaterEvent::Fallback(Fallback { reason: FallbackReason::Disabled, detail })),
        Event::Theater(TheaterEvent::Ship(Ship {
            round: None,
            composite: None,
            status: ShipStatus::Legacy,
            artifact_ref: None,
            summary: String::new(),
            cause: None,
            partial: false,
            artifact: None,
        })),
    ];
    place.append(&run, 1, &events).await;
    let row = place.store.run(run.run).await.unwrap().unwrap();
    assert_eq!(
        (
            row.summary.status.and_then(Outcome::status),
            row.summary.score,
            row.summary.round,
            row.summary.rounds
        ),
        (Some(TheaterStatus::Legacy), None, None, 0)
    );
    let artifact = place.store.artifact(run.artifact).await.unwrap().unwrap();
    assert_eq!((artifact.status, artifact.score), (Some(TheaterStatus::Legacy), None));
    assert!(place.store.state::<Board>(run.run).await.unwrap().fallback.is_some());
}

#[tokio::test]
async fn a_restart_takes_the_closed_rounds_back() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let mut events = vec![started(&run, FallbackPolicy::ShipBest)];
    events.extend(round(1, 6.0, None));
    events.push(Event::Theater(TheaterEvent::ParserWarning(ParserWarning {
        kind: WarningKind::Restarted,
        position: Offset(9),
        role: None,
    })));
    place.append(&run, 1, &events).await;
    let row = place.store.run(run.run).await.unwrap().unwrap();
    assert_eq!(row.summary.rounds, 0);
    assert_eq!(place.store.state::<Board>(run.run).await.unwrap().superseded.len(), 1);
}

#[tokio::test]
async fn a_stale_writer_and_a_foreign_writer_fail_and_leave_no_trace() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let events = timed(1, &whole_run(&run));
    let (store, owner) = (&place.store, place.owner.id());
    store.append(run.run, owner, Seq(1), &events[..2]).await.unwrap();
    let before = store.records(run.run).await.unwrap();

    let stale = store.append(run.run, owner, Seq(1), &events[..2]).await;
    assert_eq!(conflict(stale), Conflict::Head { head: Seq(3), expected: Seq(1) });
    let early = store.append(run.run, owner, Seq(4), &events[..2]).await;
    assert_eq!(conflict(early), Conflict::Head { head: Seq(3), expected: Seq(4) });
    let stranger = OwnerId(Uuid::now_v7());
    let foreign = store.append(run.run, stranger, Seq(3), &events[2..]).await;
    assert_eq!(conflict(foreign), Conflict::Owner);
    assert_eq!(store.records(run.run).await.unwrap(), before);

    let nobody = new_run();
    let missing = store.append(nobody.run, owner, Seq(1), &events).await;
    assert!(matches!(missing, Err(StoreError::NoSuchRun(_))));

    // The writer is as good as new after all this.
    place.append(&run, 3, &whole_run(&run)[2..]).await;
}

#[tokio::test]
async fn nothing_follows_the_end() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let (store, owner) = (&place.store, place.owner.id());
    let two_ends = timed(1, &[interrupted(), interrupted()]);
    let both = store.append(run.run, owner, Seq(1), &two_ends).await;
    assert_eq!(conflict(both), Conflict::Ended);
    assert_eq!(store.records(run.run).await.unwrap().len(), 1);

    place.append(&run, 1, &[interrupted()]).await;
    let more = store.append(run.run, owner, Seq(2), &two_ends[..1]).await;
    assert_eq!(conflict(more), Conflict::Ended);
    let again = store.claim(run.run, owner, moment(2)).await;
    assert_eq!(conflict(again), Conflict::NotQueued);
}

#[tokio::test]
async fn appending_nothing_says_where_the_log_stands() {
    let place = Place::new().await;
    place.claimed().await;
    let run = place.claimed().await;
    let (store, owner) = (&place.store, place.owner.id());
    let stand = store.append(run.run, owner, Seq(1), &[]).await.unwrap();
    assert_eq!((stand.head, stand.pos), (Seq(1), Pos(2)));
}

#[tokio::test]
async fn ids_are_used_once() {
    let place = Place::new().await;
    let run = place.claimed().await;
    let again = place.store.enqueue(run.clone().queued(), None, moment(0)).await;
    assert_eq!(conflict(again), Conflict::Exists);
    let mut other = new_run();
    other.artifact = run.artifact;
    let shared = place.store.enqueue(other.queued(), None, moment(0)).await;
    assert_eq!(conflict(shared), Conflict::Exists);
    let queued = place.store.records(run.run).await.unwrap().remove(0).event;
    let twice = place.store.append(run.run, place.owner.id(), Seq(1), &[(Millis(0), queued)]).await;
    assert_eq!(conflict(twice), Conflict::Exists);
}

#[tokio::test]
async fn of_many_who_claim_a_run_one_gets_it() {
    let place = Place::new().await;
    let new = new_run();
    place.store.enqueue(new.clone().queued(), None, moment(0)).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (dir, run) = (place.dir(), new.run);
        tasks.spawn(async move {
            let store = Store::open(dir).await.unwrap();
            let owner = Owner::register(&store).unwrap();
            store.claim(run, owner.id(), moment(1)).await
        });
    }
    let results = tasks.join_all().await;
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 7));
    for result in lost {
        assert_eq!(conflict(result), Conflict::NotQueued);
    }
}

#[tokio::test]
async fn a_run_that_is_spoken_for_is_claimed_by_its_owner_alone() {
    let place = Place::new().await;
    let new = new_run();
    let owner = place.owner.id();
    place.store.enqueue(new.clone().queued(), Some(owner), moment(0)).await.unwrap();
    let stranger = OwnerId(Uuid::now_v7());
    let result = place.store.claim(new.run, stranger, moment(1)).await;
    assert_eq!(conflict(result), Conflict::Owner);
    place.store.claim(new.run, owner, moment(1)).await.unwrap();
}

#[tokio::test]
async fn two_stores_on_one_directory_append_side_by_side() {
    let place = Place::new().await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..2 {
        let dir = place.dir();
        tasks.spawn(async move {
            let store = Store::open(dir).await.unwrap();
            let owner = Owner::register(&store).unwrap();
            let run = claimed(&store, owner.id()).await;
            let mut head =
                append(&store, &run, owner.id(), 1, &[started(&run, FallbackPolicy::ShipBest)]).await;
            for number in 1..=20 {
                head = append(&store, &run, owner.id(), head.0, &round(number, 5.0, None)).await;
            }
            run
        });
    }
    let runs = tasks.join_all().await;
    let mut positions = Vec::new();
    for run in &runs {
        let events = place.store.events(run.run, Seq(0), 1000).await.unwrap();
        let numbers: Vec<_> = events.iter().map(|(_, record)| record.seq.0).collect();
        assert_eq!(numbers, (1..=62).collect::<Vec<_>>());
        assert!(events.is_sorted_by_key(|(pos, _)| *pos));
        positions.extend(events.iter().map(|(pos, _)| pos.0));
    }
    positions.sort_unstable();
    assert_eq!(positions, (1..=124).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_append_that_is_cancelled_happened_or_did_not_and_harms_nobody() {
    let place = Place::new().await;
    for step in 0..30 {
        let run = place.claimed().await;
        let events = whole_run(&run);
        let batch = timed(1, &events[..4]);
        let append = place.store.append(run.run, place.owner.id(), Seq(1), &batch);
        let cut = std::time::Duration::from_micros(step * 50);
        let outcome = tokio::time::timeout(cut, append).await;
        // The cut may leave the transaction to be rolled back or committed behind our back; whoever writes
        // next waits for that.
        let other = place.claimed().await;
        place.append(&other, 1, &whole_run(&other)).await;
        let head = place.store.run(run.run).await.unwrap().unwrap().head;
        let log = place.store.records(run.run).await.unwrap();
        assert_eq!(log.len() as u64, head.0);
        if outcome.is_ok() {
            assert_eq!(head, Seq(5));
        }
        assert!(matches!(head, Seq(1 | 5)), "{head}");
        let rest = usize::try_from(head.0 - 1).unwrap();
        place.append(&run, head.0, &events[rest..]).await;
    }
}
