//! Runs that wait for a person: who is asked what, that nothing gets lost while they think, and what an answer does.
use jiff::Timestamp;
use jury_core::run::RunState;

use jury_core::artifact::Blob;
use jury_core::critic::{
    Answer, Answered, Choice, CriteriaSet, CriterionId, CriticEvent, CriticInterrupted, CriticQueued,
    CriticRequest, CriticState, CriticStatus, DefaultAnswer, Escalated, Fixer, PassStarted, Question,
};
use jury_core::decision::{DecisionId, DecisionState, Given, NOBODY};
use jury_core::event::Event;
use jury_core::finding::FindingId;
use jury_core::id::{ArtifactId, ProjectId, RunId};
use jury_core::unit::{Millis, Round, Seq};
use jury_core::workflow::Workflow;
use jury_store::{Conflict, NewRun, Owner, Store, StoreError};
use uuid::Uuid;

use crate::support::{Place, ask, moment};

fn question(number: u32) -> Question {
    Question {
        number,
        criterion: "SCOPE".parse::<CriterionId>().unwrap(),
        finding: FindingId::of("SCOPE", &number.to_string()),
        measured: Vec::new(),
        question: format!("which of them, {number}?"),
        issue: "two ways".to_owned(),
        why: "both have a price".to_owned(),
        trigger: None,
        options: ["this", "that"]
            .map(|label| Choice {
                label: label.to_owned(),
                description: String::new(),
                pro: "quick".to_owned(),
                con: "dear".to_owned(),
            })
            .to_vec(),
    }
}

fn request() -> CriticRequest {
    let set = CriteriaSet {
        name: "plan".to_owned(),
        title: "plans".to_owned(),
        cap: 5,
        adversary: jury_core::critic::Adversary::default(),
        criteria: Vec::new(),
    };
    CriticRequest {
        file: "plan.md".to_owned(),
        set,
        agent: None,
        model: None,
        fixer: Fixer::Nobody,
        auto: false,
        release: None,
        answer_within: None,
        step_seconds: None,
        total_seconds: None,
        max_cost_usd: None,
        max_tokens: None,
    }
}

/// A run that asks so many questions.
async fn asks(place: &Place, questions: u32) -> RunId {
    let run = RunId(Uuid::now_v7());
    let queued = CriticQueued {
        project_id: ProjectId::default_project(),
        artifact_id: ArtifactId(Uuid::now_v7()),
        agent: None,
        title: "plan.md".to_owned(),
        criteria: "plan".to_owned(),
    };
    let owner = place.owner.id();
    place
        .store
        .enqueue(
            NewRun::<CriticState> { run, queued: CriticEvent::Queued(queued), request: Some(request()) },
            Some(owner),
            moment(0),
        )
        .await
        .unwrap();
    place.store.claim(run, owner, moment(1)).await.unwrap();
    let document = Blob::of(b"# Plan", "text/markdown");
    let events = [
        CriticEvent::PassStarted(PassStarted { pass: Round(1), document }),
        CriticEvent::Escalated(Escalated {
            pass: Round(1),
            questions: (1..=questions).map(question).collect(),
            more: 0,
        }),
    ]
    .map(|event| (Millis(500), Event::Critic(event)));
    place.store.append(run, owner, Seq(1), &events).await.unwrap();
    run
}

fn given(answer: Answer, by: &str) -> Given {
    Given { answer, by: by.to_owned(), at: moment(60) }
}

async fn state(store: &Store, run: RunId) -> RunState {
    store.run(run).await.unwrap().unwrap().state
}

#[tokio::test]
async fn a_run_waits_for_all_its_answers_and_is_then_in_the_queue() {
    let place = Place::new().await;
    let run = asks(&place, 2).await;
    let row = place.store.run(run).await.unwrap().unwrap();
    assert_eq!((row.workflow, row.state, row.owner), (Workflow::Critic, RunState::Waiting, None));

    let open = place.store.decisions(Some(DecisionState::Open), None).await.unwrap();
    assert_eq!(open.len(), 2);
    assert_eq!(open[0].id, DecisionId::of(run, 1));
    assert_eq!(
        (open[0].question.clone(), open[0].asked_at),
        (question(1), {
            let at = row.started_at.unwrap();
            at.checked_add(jiff::SignedDuration::from_millis(500)).unwrap()
        })
    );
    assert_eq!((open[0].title.as_str(), open[0].default_answer), ("plan.md", DefaultAnswer::Skip));

    let first = place.store.answer(&open[0].id, given(Answer::Option(2), "ann")).await.unwrap();
    assert_eq!((first.left, first.decision.state), (1, DecisionState::Answered));
    assert_eq!(state(&place.store, run).await, RunState::Waiting);
    assert_eq!(place.store.waiting(Timestamp::now()).await.unwrap(), []);

    let again = place.store.answer(&open[0].id, given(Answer::Skip, "bob")).await.unwrap_err();
    assert!(matches!(again, StoreError::Conflict { conflict: Conflict::Answered, .. }), "{again}");

    let last = place.store.answer(&open[1].id, given(Answer::Text("both".to_owned()), "ann")).await.unwrap();
    assert_eq!(last.left, 0);
    assert_eq!(state(&place.store, run).await, RunState::Queued);
    assert_eq!(place.store.waiting(Timestamp::now()).await.unwrap(), [(ProjectId::default_project(), run)]);
    let answers = place.store.answers(run).await.unwrap();
    assert_eq!(answers.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(answers[0].1, given(Answer::Option(2), "ann"));
    assert_eq!(place.store.request::<CriticState>(run).await.unwrap(), Some(request()));
}

#[tokio::test]
async fn what_is_unknown_is_said() {
    let place = Place::new().await;
    let id: DecisionId = "00000000-1".parse().unwrap();
    let error = place.store.answer(&id, given(Answer::Skip, "ann")).await.unwrap_err();
    assert_eq!(error.to_string(), "no decision '00000000-1'; list them with 'jury decisions list'");
}

#[tokio::test]
async fn neither_recovery_nor_a_rebuild_nor_a_restart_loses_a_question_or_an_answer() {
    let place = Place::new().await;
    let run = asks(&place, 2).await;
    place.store.answer(&DecisionId::of(run, 1), given(Answer::Skip, "ann")).await.unwrap();
    let before = place.store.decisions(None, None).await.unwrap();
    let row = place.store.run(run).await.unwrap();

    // The process goes away; a person who thinks is nobody's orphan.
    let Place { .. } = &place;
    let other = Store::open(place.dir()).await.unwrap();
    assert!(other.recover().await.unwrap().interrupted.is_empty());
    other.reindex().await.unwrap();
    assert_eq!(other.decisions(None, None).await.unwrap(), before);
    assert_eq!(other.run(run).await.unwrap(), row);

    // The question comes out of the log again, whatever happens to its row.
    place.tamper("DELETE FROM decision WHERE number = 2").await.unwrap();
    other.reindex().await.unwrap();
    assert_eq!(other.decisions(None, None).await.unwrap(), before);

    other.answer(&DecisionId::of(run, 2), given(Answer::Skip, "bob")).await.unwrap();
    other.reindex().await.unwrap();
    assert_eq!(state(&other, run).await, RunState::Queued, "a run with all its answers goes on");
}

#[tokio::test]
async fn whoever_dies_before_it_did_anything_with_the_answers_gives_the_run_back() {
    let place = Place::new().await;
    let run = asks(&place, 1).await;
    place.store.answer(&DecisionId::of(run, 1), given(Answer::Option(1), "ann")).await.unwrap();
    let doomed = Owner::register(&place.store).unwrap();
    place.store.claim(run, doomed.id(), moment(90)).await.unwrap();
    assert_eq!(state(&place.store, run).await, RunState::Running);
    drop(doomed);
    place.store.recover().await.unwrap();
    let row = place.store.run(run).await.unwrap().unwrap();
    assert_eq!((row.state, row.owner), (RunState::Queued, None));
    assert_eq!(row.started_at, Some(moment(1)), "it began when it began");

    // One that had begun with them has what its log says, and goes on behind it.
    let doomed = Owner::register(&place.store).unwrap();
    place.store.claim(run, doomed.id(), moment(99)).await.unwrap();
    let answered = Event::Critic(CriticEvent::Answered(Answered {
        question: 1,
        answer: Answer::Option(1),
        by: "ann".to_owned(),
        deferral: None,
    }));
    place.store.append(run, doomed.id(), row.head, &[(Millis(99_000), answered)]).await.unwrap();
    drop(doomed);
    let recovery = place.store.recover().await.unwrap();
    assert_eq!(recovery.interrupted, [run]);
    let row = place.store.run(run).await.unwrap().unwrap();
    assert_eq!((row.state, row.owner, row.summary.status), (RunState::Queued, None, None));
    assert_eq!(place.store.records(run).await.unwrap().len(), 4);
}

#[tokio::test]
async fn the_end_of_a_run_closes_its_questions() {
    let place = Place::new().await;
    let run = asks(&place, 2).await;
    place.store.answer(&DecisionId::of(run, 1), given(Answer::Skip, "ann")).await.unwrap();
    let owner = place.owner.id();
    let row = place.store.claim(run, owner, moment(70)).await.unwrap();
    let state: CriticState = place.store.state::<CriticState>(run).await.unwrap();
    assert_eq!(state.status(), CriticStatus::Escalated);
    let end = CriticEvent::Interrupted(CriticInterrupted { tally: state.tally(), recovery_reason: None });
    place.store.append(run, owner, row.head, &[(Millis(70_000), Event::Critic(end))]).await.unwrap();
    let states: Vec<DecisionState> =
        place.store.decisions(None, Some(run)).await.unwrap().iter().map(|one| one.state).collect();
    assert_eq!(states, [DecisionState::Answered, DecisionState::Closed]);
    let late = place.store.answer(&DecisionId::of(run, 2), given(Answer::Skip, "bob")).await.unwrap_err();
    assert!(late.is_conflict(), "{late}");
}

#[tokio::test]
async fn whoever_does_not_answer_in_time_gets_the_default() {
    let place = Place::new().await;
    let (run, patient) = (asks(&place, 1).await, asks(&place, 1).await);
    place.store.answer_until(run, moment(100)).await.unwrap();
    assert_eq!(place.store.answer_overdue(moment(99)).await.unwrap(), []);
    let settled = place.store.answer_overdue(moment(100)).await.unwrap();
    assert_eq!(settled.len(), 1);
    assert_eq!(
        settled[0].decision.answer,
        Some(Given { answer: Answer::Skip, by: NOBODY.to_owned(), at: moment(100) })
    );
    assert_eq!(state(&place.store, run).await, RunState::Queued);
    assert_eq!(state(&place.store, patient).await, RunState::Waiting);
}

#[tokio::test]
async fn a_row_says_until_when_there_is_time_who_answered_and_when() {
    let place = Place::new().await;
    let run = asks(&place, 2).await;
    place.store.answer_until(run, moment(100)).await.unwrap();
    place.store.answer(&DecisionId::of(run, 1), given(Answer::Skip, "ann")).await.unwrap();
    let rows = "SELECT concat_ws(' ', number, state, answer_by, answered_by, answered_at) FROM decision ORDER BY number";
    let until = moment(100).as_millisecond();
    let answered = moment(60).as_millisecond();
    assert_eq!(
        ask(&place.dir(), rows).await,
        [format!("1 answered {until} ann {answered}"), format!("2 open {until}")]
    );
}

#[tokio::test]
async fn a_run_that_is_held_back_waits_for_its_moment_and_no_longer() {
    let place = Place::new().await;
    let run = asks(&place, 1).await;
    place.store.put_back(run, None, Some(moment(100))).await.unwrap();
    let until = "SELECT CAST(not_before AS TEXT) FROM run WHERE not_before IS NOT NULL";
    assert_eq!(ask(&place.dir(), until).await, [moment(100).as_millisecond().to_string()]);
    assert_eq!(place.store.waiting(moment(99)).await.unwrap(), []);
    assert_eq!(place.store.waiting(moment(100)).await.unwrap(), [(ProjectId::default_project(), run)]);
}
