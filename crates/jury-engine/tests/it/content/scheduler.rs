//! Runs of the content pipeline in the daemon's queue.
use jury_core::run::RunState;

use jury_core::content::ContentStatus;
use jury_core::record::Record;
use jury_engine::{Driving, Interrupting, Scheduler, SchedulerError, Ticket};
use jury_store::{Conflict, RunRow, StoreError};
use jury_testkit::model::BreakKind;

use super::*;
use crate::cast::Cast;

fn open_scheduler(room: &Room, cast: ContentCast) -> Scheduler {
    let cast = Cast { content: Some(cast), ..Cast::default() };
    let owner = Owner::register(&room.store).unwrap();
    Scheduler::open(room.store.clone(), owner, 2, Arc::new(cast))
}

/// Waits until a run is in a state.
async fn until(room: &Room, run: RunId, state: RunState) -> RunRow {
    let mut appended = room.store.appended();
    let wait = async {
        loop {
            let row = room.store.run(run).await.unwrap().unwrap();
            if row.state == state {
                return row;
            }
            appended.changed().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_mins(1), wait).await.unwrap()
}

#[tokio::test]
async fn a_run_that_waits_for_a_place_is_driven_paused_and_taken_up() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob"]),
        fine(ANN),
        ScriptedAnswer::text("slow").breaks(BreakKind::Stall, 0).when(BOB),
        fine(BOB),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let scheduler = open_scheduler(&room, cast(&server));
    let project = ProjectId::default_project();
    let run = scheduler.submit_content(project.clone(), request(), None).await.unwrap().run;
    match scheduler.submit_content(project.clone(), request(), None).await {
        Err(SchedulerError::Store(StoreError::Conflict { run: known, conflict: Conflict::Active })) => {
            assert_eq!(known, run);
        }
        other => panic!("{other:?}"),
    }
    let mut appended = room.store.appended();
    while room
        .store
        .state::<ContentState>(run)
        .await
        .unwrap()
        .rounds
        .first()
        .is_none_or(|round| round.critiques.is_empty())
    {
        appended.changed().await.unwrap();
    }
    assert_eq!(scheduler.interrupt(&project, run).await.unwrap(), Interrupting::Accepted);
    until(&room, run, RunState::Waiting).await;
    let state = room.store.state::<ContentState>(run).await.unwrap();
    assert_eq!(state.status(), ContentStatus::Paused);
    assert_eq!(state.rounds[0].critiques.len(), 1, "what arrived is kept");
    assert_eq!(scheduler.interrupt(&project, run).await.unwrap(), Interrupting::Already);

    scheduler.resume_content(run, None).await.unwrap();
    until(&room, run, RunState::Ended).await;
    let state = room.store.state::<ContentState>(run).await.unwrap();
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    let again = scheduler.resume_content(run, None).await;
    assert!(matches!(again, Err(SchedulerError::NotResumed(_))), "{again:?}");
    scheduler.close().await;
    room.holds(run, &state).await;
}

#[tokio::test]
async fn a_run_whose_driver_died_waits_and_is_not_begun_again_by_itself() {
    let room = Room::new().await;
    let mut answers = vec![panel(&["ann"]), fine(ANN)];
    answers.extend(drafts());
    let server = serve(answers);
    let run = {
        let dead = Owner::register(&room.store).unwrap();
        let job = room.job(request(), cast(&server));
        let run = job.run;
        // It begins, and then nobody is there any more.
        let mut observer = |_: &[Record]| {};
        let begun = jury_engine::content::begin_content(&room.store, &dead, job, &mut observer).await;
        assert_eq!(begun.unwrap().status(), ContentStatus::Running);
        room.store.claim(run, dead.id(), jiff::Timestamp::now()).await.unwrap();
        run
    };
    assert_eq!(room.store.recover().await.unwrap().interrupted, [run]);
    let scheduler = open_scheduler(&room, cast(&server));
    scheduler.look();
    // Somebody else's run goes through the same queue and ends: this one had its chance.
    let mut other = request();
    other.idea = "other".parse().unwrap();
    let next = scheduler.submit_content(ProjectId::default_project(), other, None).await.unwrap().run;
    until(&room, next, RunState::Ended).await;
    let row = room.store.run(run).await.unwrap().unwrap();
    assert_eq!((row.state, row.owner), (RunState::Waiting, None));
    assert_eq!(room.store.state::<ContentState>(run).await.unwrap().status(), ContentStatus::Paused);
    scheduler.resume_content(run, None).await.unwrap();
    until(&room, run, RunState::Ended).await;
    scheduler.close().await;
    assert_eq!(room.store.state::<ContentState>(run).await.unwrap().status(), ContentStatus::Approved);
}

#[tokio::test]
async fn a_persons_draft_goes_through_the_queue_too_and_a_bad_request_does_not() {
    let room = Room::new().await;
    let server = serve(vec![panel(&["ann"]), fine(ANN)]);
    let scheduler = open_scheduler(&room, cast(&server));
    let project = ProjectId::default_project();
    let mut bare = request();
    bare.foundation = Foundation::default();
    let refused = scheduler.submit_content(project.clone(), bare, None).await;
    assert!(
        matches!(&refused, Err(SchedulerError::Request(bad)) if bad.problem.contains("positioning.md")),
        "{refused:?}"
    );
    let draft = jury_core::content::Draft::Text("# Mine\n\nAll of it.\n".to_owned());
    let run = scheduler.submit_content(project, request(), Some(draft.into())).await.unwrap().run;
    until(&room, run, RunState::Ended).await;
    scheduler.close().await;
    assert_eq!(room.store.state::<ContentState>(run).await.unwrap().status(), ContentStatus::Approved);
}

#[tokio::test]
async fn a_draft_that_cannot_be_kept_halts_the_run_and_it_is_taken_up_there() {
    let room = Room::new().await;
    let mut answers = vec![panel(&["ann"]), fine(ANN)];
    answers.extend(drafts());
    answers.extend(drafts());
    let server = serve(answers);
    let scheduler = open_scheduler(&room, cast(&server));
    let ticket = Ticket::mint();
    // A file where the folder of its drafts should be.
    let artifacts = room.dir.path().join(".od/artifacts");
    std::fs::create_dir_all(&artifacts).unwrap();
    let place = artifacts.join(ticket.artifact.to_string());
    std::fs::write(&place, "in the way").unwrap();
    let project = ProjectId::default_project();
    scheduler.begin_content(ticket, project, request(), None, Driving::Scheduler).await.unwrap();
    let row = until(&room, ticket.run, RunState::Waiting).await;
    assert_eq!(row.owner, None);
    let state = room.store.state::<ContentState>(ticket.run).await.unwrap();
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");

    std::fs::remove_file(&place).unwrap();
    scheduler.resume_content(ticket.run, None).await.unwrap();
    until(&room, ticket.run, RunState::Ended).await;
    scheduler.close().await;
    assert_eq!(room.store.state::<ContentState>(ticket.run).await.unwrap().status(), ContentStatus::Approved);
}

#[tokio::test]
async fn a_run_that_cannot_begin_is_in_nobodys_hands() {
    let room = Room::new().await;
    let job = room.job(request(), cast(&serve(Vec::new())));
    let (run, artifact) = (job.run, job.artifact);
    let artifacts = room.dir.path().join(".od/artifacts");
    std::fs::create_dir_all(&artifacts).unwrap();
    std::fs::write(artifacts.join(artifact.to_string()), "in the way").unwrap();
    let draft = jury_core::content::Draft::Text("# Mine\n\nAll of it.\n".to_owned());
    let job = ContentJob { draft: Some(draft.into()), ..job };
    jury_engine::content::begin_content(&room.store, &room.owner, job, &mut |_| {}).await.unwrap_err();
    let row = room.store.run(run).await.unwrap().unwrap();
    assert_eq!((row.state, row.owner), (RunState::Waiting, None));
}
