//! Rebuilding the rows: nothing changes on a healthy store, everything comes back on a damaged one.

use jury_core::outcome::FallbackPolicy;
use jury_core::run::RunState;
use jury_core::theater::Board;
use jury_core::unit::Seq;
use jury_store::{ArtifactRow, RunFilter, RunRow, Store};

use crate::support::{PanelRun, Place, interrupted, moment, new_run, round, started, whole_run};

/// Runs in every state: queued, claimed, running, ended, exported.
async fn all_kinds(place: &Place) -> Vec<PanelRun> {
    let queued = new_run();
    place.store.enqueue(queued.clone().queued(), None, moment(5)).await.unwrap();
    let claimed = place.claimed().await;
    let running = place.claimed().await;
    let mut events = vec![started(&running, FallbackPolicy::ShipLast)];
    events.extend(round(1, 4.321, None));
    place.append(&running, 1, &events).await;
    let ended = place.claimed().await;
    place.append(&ended, 1, &[interrupted()]).await;
    let exported = place.claimed().await;
    place.append(&exported, 1, &whole_run(&exported)).await;
    place.store.export(exported.run).await.unwrap();
    vec![queued, claimed, running, ended, exported]
}

async fn rows(store: &Store, runs: &[PanelRun]) -> (Vec<RunRow>, Vec<ArtifactRow>) {
    let mut artifacts = Vec::new();
    for run in runs {
        artifacts.extend(store.artifact(run.artifact).await.unwrap());
    }
    (store.runs(&RunFilter::default()).await.unwrap(), artifacts)
}

#[tokio::test]
async fn a_healthy_store_stays_as_it_is() {
    let place = Place::new().await;
    let runs = all_kinds(&place).await;
    let before = rows(&place.store, &runs).await;
    assert_eq!((before.0.len(), before.1.len()), (5, 5));
    for _ in 0..2 {
        assert_eq!(place.store.reindex().await.unwrap(), 5);
        assert_eq!(rows(&place.store, &runs).await, before);
    }
}

#[tokio::test]
async fn a_run_as_it_stood_at_its_end_is_the_run_as_it_stands() {
    let place = Place::new().await;
    for run in all_kinds(&place).await.split_off(2) {
        let row = place.store.run(run.run).await.unwrap().unwrap();
        let now: Board = place.store.state(run.run).await.unwrap();
        assert_eq!(place.store.run_at(&row, row.head).await.unwrap(), (row.clone(), now));
        let (then, board) = place.store.run_at::<Board>(&row, Seq(1)).await.unwrap();
        assert_eq!((then.state, then.head, then.started_at), (RunState::Queued, Seq(1), None));
        assert_eq!(board.started, None);
    }
}

#[tokio::test]
async fn damaged_rows_are_repaired() {
    let place = Place::new().await;
    let runs = all_kinds(&place).await;
    let before = rows(&place.store, &runs).await;
    place
        .tamper(
            "UPDATE run SET state = 'running', status = NULL, score = 9.9, scores = '{\"copy\":1}', claims_wrong = 9, rounds = 7, head_seq = 99, \
             title = 'forged', ended_at = NULL; \
             UPDATE artifacts SET critique_status = 'shipped', critique_score = 10, title = 'forged', \
             critique_rounds_json = '{}', project_id = 'elsewhere'; \
             INSERT INTO run SELECT '0190aaaa-0000-7000-8000-000000000001', workflow, project, '0190aaaa-0000-7000-8000-000000000002', agent, \
             title, 'queued', NULL, NULL, NULL, 0, 1, NULL, 0, NULL, NULL, '{}', '{}', 0, 0, NULL FROM run LIMIT 1;",
        )
        .await
        .unwrap();
    assert_ne!(rows(&place.store, &runs).await, before);
    place.store.reindex().await.unwrap();
    assert_eq!(rows(&place.store, &runs).await, before);
}

#[tokio::test]
async fn lost_rows_come_back_from_the_log_alone() {
    let place = Place::new().await;
    let run = place.claimed().await;
    place.append(&run, 1, &whole_run(&run)).await;
    place.store.export(run.run).await.unwrap();
    let before = place.store.run(run.run).await.unwrap().unwrap();
    place.tamper("DELETE FROM artifacts; DELETE FROM run;").await.unwrap();
    assert_eq!(place.store.reindex().await.unwrap(), 1);
    let after = place.store.run(run.run).await.unwrap().unwrap();
    assert_eq!(
        RunRow {
            owner: before.owner,
            created_at: before.created_at,
            started_at: before.started_at,
            ended_at: before.ended_at,
            ..after.clone()
        },
        before
    );
    // The id carries the time at which it was minted.
    let (seconds, _) = run.run.0.get_timestamp().unwrap().to_unix();
    assert_eq!(after.created_at.as_second().cast_unsigned(), seconds);
    let artifact = place.store.artifact(run.artifact).await.unwrap().unwrap();
    assert_eq!(artifact.transcript_path, None);
    let recovery = place.store.recover().await.unwrap();
    assert_eq!(recovery.exported, [run.run]);
}
