//! What breaks: nothing opens the gate, everything that arrived is kept, and the run can be taken up where it was.

use std::sync::atomic::{AtomicUsize, Ordering};

use jury_core::content::{ContentStatus, EditorDecision, Tool};
use jury_core::outcome::FailedCause;
use jury_testkit::model::BreakKind;

use super::*;

/// How often somebody was asked.
fn asked(server: &ModelServer, who: &str) -> usize {
    server.calls().iter().filter(|call| call.body.to_string().contains(who)).count()
}

#[tokio::test]
async fn a_choice_that_cannot_be_read_or_names_strangers_is_an_error_and_no_empty_panel() {
    for wrong in [
        ScriptedAnswer::text("I would rather not say."),
        ScriptedAnswer::json(json!({ "advisors": ["zoe", "yan"] })),
    ] {
        let room = Room::new().await;
        let mut answers =
            vec![wrong.clone().when(SELECTION), wrong.when(SELECTION), panel(&["ann"]), fine(ANN)];
        answers.extend(drafts());
        let server = serve(answers);
        let (run, state) = room.run(room.job(request(), cast(&server))).await;
        assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
        assert_eq!(state.halted.as_ref().unwrap().tool, Tool::RunCritiques);
        assert!(state.panel.is_none() && state.saved.is_none());
        assert_eq!(asked(&server, SELECTION), 2, "once, and once more");
        let state = room.resume(run, cast(&server)).await;
        assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    }
}

#[tokio::test]
async fn critics_who_all_fail_after_a_good_round_approve_nothing() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob"]),
        says(ANN, 5.0, &[("medium", "It is long")]),
        says(BOB, 5.5, &[]),
        ScriptedAnswer::status(401).when(ANN),
        ScriptedAnswer::status(401).when(BOB),
        fine(ANN),
        fine(BOB),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let (run, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    let last = state.rounds.last().unwrap();
    assert_eq!(last.ruling.as_ref().unwrap().decision, EditorDecision::Error);
    assert_eq!(last.absent.len(), 2);
    assert!(state.saved.is_none());
    // A refused key is not tried again.
    assert_eq!((asked(&server, ANN), asked(&server, BOB)), (2, 2));
    let state = room.resume(run, cast(&server)).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.rounds.len(), 2, "it goes on in the same round");
}

#[tokio::test]
async fn what_an_absent_critic_raised_stays_open() {
    let room = Room::new().await;
    let revised =
        |number: u32| ScriptedAnswer::text(format!("# A title\n\nAttempt {number}.\n")).when(REVISER);
    let server = serve(vec![
        panel(&["ann", "bob", "cem"]),
        ScriptedAnswer::text(FIRST).when(AUTHOR),
        revised(1),
        revised(2),
        says(ANN, 5.0, &[("high", "It is wrong")]),
        ScriptedAnswer::status(400).when(ANN),
        fine(BOB),
        fine(CEM),
    ]);
    let (_, state) = room.run(room.job(request(), cast(&server))).await;
    // Two of three are a quorum, their mean is high, and yet nothing is approved.
    assert_eq!(state.status(), ContentStatus::MaxRoundsReached, "{state:#?}");
    let second = &state.rounds[1];
    assert!(second.absent.contains_key("ann".parse::<jury_core::content::AdvisorId>().as_ref().unwrap()));
    assert_eq!(second.ruling.as_ref().unwrap().decision, EditorDecision::Revise);
    assert_eq!(second.ruling.as_ref().unwrap().high, 1);
    assert!(second.summary.as_ref().unwrap().fixed_items.is_empty());
}

#[tokio::test]
async fn a_busy_service_is_asked_again_and_a_refusal_is_not() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob"]),
        ScriptedAnswer::status(429).header("retry-after", "0.02").when(ANN),
        ScriptedAnswer::status(529).when(ANN),
        fine(ANN),
        ScriptedAnswer::text("{").breaks(BreakKind::Close, 0).when(BOB),
        fine(BOB),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let (run, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!((asked(&server, ANN), asked(&server, BOB)), (3, 2));
    let asked_for: Vec<u32> = state.rounds[0].asked.values().copied().collect();
    assert_eq!(asked_for, [3, 2]);
    let notes = room.events(run).await;
    let again = |event: &&ContentEvent| matches!(event, ContentEvent::Agent(note) if note.kind == jury_core::event::AgentNoteKind::Retry);
    assert_eq!(notes.iter().filter(again).count(), 3);
}

#[tokio::test]
async fn who_never_answers_is_absent_after_the_retries() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob", "cem"]),
        ScriptedAnswer::text("slow").breaks(BreakKind::Stall, 0).when(ANN),
        fine(BOB),
        fine(CEM),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let slow = ContentRequest { call_seconds: 1, retries: 1, ..request() };
    let (_, state) = room.run(room.job(slow, cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Approved, "two of three are enough: {state:#?}");
    let absent = state.rounds[0].absent.values().next().unwrap();
    assert_eq!((absent.attempts, absent.cause), (2, FailedCause::Silent));
    // Nobody leaves a named critic out.
    let mut named = ContentRequest { call_seconds: 1, retries: 0, ..request() };
    named.recipe.named_critics = vec!["ann".parse().unwrap()];
    let (_, state) = room.run(room.job(named, cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
}

#[tokio::test]
async fn an_answer_out_of_shape_is_put_right_once() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob"]),
        says(ANN, 99.0, &[]),
        fine(ANN),
        says(BOB, 0.0, &[]),
        says(BOB, 11.0, &[]),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let (_, state) = room.run(room.job(request(), cast(&server))).await;
    // One of two is no quorum: Bob's second answer was no better.
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    assert_eq!(state.rounds[0].critiques.len(), 1);
    assert_eq!((asked(&server, ANN), asked(&server, BOB)), (2, 2));
}

#[tokio::test]
async fn a_budget_that_is_spent_stops_the_run_before_the_next_call() {
    let room = Room::new().await;
    let mut answers = vec![panel(&["ann"]), fine(ANN)];
    answers.extend(drafts().into_iter().map(|draft| draft.usage(900, 200)));
    let server = serve(answers);
    let dear = ContentRequest { max_tokens: Some(1_000), ..request() };
    let (run, state) = room.run(room.job(dear, cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    assert_eq!(state.halted.as_ref().unwrap().cause, FailedCause::BudgetExceeded);
    assert_eq!(asked(&server, SELECTION), 0);
    let state = room.resume(run, cast(&server)).await;
    assert_eq!(state.halted.as_ref().unwrap().cause, FailedCause::BudgetExceeded, "what is spent is spent");
}

#[tokio::test]
async fn an_author_whose_answer_is_empty_or_cut_halts_and_a_program_that_breaks_too() {
    for wrong in [
        ScriptedAnswer::text("").when(AUTHOR),
        ScriptedAnswer::text(FIRST).stop_reason("max_tokens").when(AUTHOR),
    ] {
        let room = Room::new().await;
        let server = serve(vec![wrong]);
        let (_, state) = room.run(room.job(request(), cast(&server))).await;
        assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
        assert_eq!(state.halted.as_ref().unwrap().tool, Tool::GenerateDraft);
        assert!(state.rounds.is_empty());
    }
    let room = Room::new().await;
    let breaks: AskWith = Arc::new(|_| panic!("something is wrong here"));
    let (run, state) = room.run(room.job(request(), ContentCast::with_agent(breaks))).await;
    let halted = state.halted.as_ref().unwrap();
    assert_eq!(halted.cause, FailedCause::OrchestratorInternal);
    assert!(halted.detail.contains("something is wrong here"), "{halted:?}");
    // A critic who breaks is absent, and the others are heard.
    let calls = Arc::new(AtomicUsize::new(0));
    let mut answers = vec![panel(&["ann", "bob", "cem"]), fine(ANN), fine(BOB), fine(CEM)];
    answers.extend(drafts());
    let server = serve(answers);
    let (well, counted) = (played(&server), Arc::clone(&calls));
    let some: AskWith = Arc::new(move |prompt| {
        counted.fetch_add(1, Ordering::Relaxed);
        assert!(!prompt.whole().contains(CEM), "this one breaks");
        well(prompt)
    });
    let state = room.resume(run, ContentCast::with_agent(some)).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.rounds[0].absent.len(), 1);
}

#[tokio::test]
async fn one_that_is_stopped_keeps_what_arrived_and_asks_only_for_the_rest() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob"]),
        fine(ANN),
        ScriptedAnswer::text("slow").breaks(BreakKind::Stall, 0).when(BOB),
        fine(BOB),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let job = room.job(request(), cast(&server));
    let (run, interrupt) = (job.run, CancellationToken::new());
    let stop = interrupt.clone();
    let mut observer = move |records: &[jury_core::record::Record]| {
        if records.iter().any(|record| matches!(record.event, Event::Content(ContentEvent::Critiqued(_)))) {
            stop.cancel();
        }
    };
    let state = run_content(&room.store, &room.owner, job, &mut observer, interrupt).await.unwrap();
    room.holds(run, &state).await;
    assert_eq!(state.status(), ContentStatus::Paused, "{state:#?}");
    assert_eq!(state.rounds[0].critiques.len(), 1);
    assert_eq!(room.kinds(run).await.last(), Some(&"content.paused"));
    let state = room.resume(run, cast(&server)).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!((asked(&server, ANN), asked(&server, BOB)), (1, 2));
}
