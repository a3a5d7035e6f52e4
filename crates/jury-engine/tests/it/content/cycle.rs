//! Whole runs with a model: approved, revised, stalled, at the cap.

use jury_core::content::{ContentStatus, EditorDecision, Quality, Writer};
use jury_core::run::OutcomeWord as _;
use jury_core::unit::Round;
use jury_store::{Conflict, StoreError};
use jury_testkit::model::BreakKind;

use super::*;

#[tokio::test]
async fn a_good_draft_is_approved_in_one_round() {
    let room = Room::new().await;
    let mut answers = vec![panel(&["ann", "bob"]), fine(ANN), fine(BOB)];
    answers.extend(drafts());
    let server = serve(answers);
    let job = room.job(request(), cast(&server));
    let artifact = job.artifact;
    let (run, state) = room.run(job).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.rounds.len(), 1);
    assert_eq!(state.rounds[0].writer, Writer::Model);
    let mut kinds = room.kinds(run).await;
    // What agents say about themselves is theirs, and of two critics either may be first.
    kinds.retain(|kind| !matches!(*kind, "content.agent" | "content.critic_started"));
    assert_eq!(
        kinds,
        [
            "content.queued",
            "content.run_started",
            "content.drafted",
            "content.panel_selected",
            "content.critiqued",
            "content.critiqued",
            "content.measured",
            "content.decided",
            "content.summarised",
            "content.saved",
            "content.finished",
        ]
    );
    assert_eq!(room.store.read_final(artifact).await.unwrap().unwrap(), FIRST.as_bytes());
    assert_eq!(room.store.read_round(artifact, Round(1)).await.unwrap().unwrap(), FIRST.as_bytes());
    assert!(state.usage.input_tokens > 0 && state.usage.output_tokens > 0);
    // The tool is forced, and nothing of the key is kept.
    let calls = server.calls();
    let bodies: Vec<String> = calls.iter().map(|call| call.body.to_string()).collect();
    let critics: Vec<&String> =
        bodies.iter().filter(|body| body.contains("You look at it in your field")).collect();
    assert_eq!(critics.len(), 2);
    // One call chooses, one writes, and each critic is one. The choice is small: it sees no draft and no document.
    let choices: Vec<&String> = bodies.iter().filter(|body| body.contains(SELECTION)).collect();
    assert_eq!((bodies.len(), choices.len()), (4, 1));
    assert!(!choices[0].contains("First words of it") && !choices[0].contains("We make anvils"));
    for body in critics {
        assert!(body.contains(r#""tool_choice":{"#) && body.contains("submit_critique"), "{body}");
    }
    for record in room.store.records(run).await.unwrap() {
        assert!(!record.to_line().unwrap().contains("very-secret"));
    }
}

#[tokio::test]
async fn a_grave_issue_is_sent_back_with_its_suggestion_and_asked_about_again() {
    let room = Room::new().await;
    let what = "The headline promises what nobody can keep";
    let id = FindingId::of("ann", what);
    let mut again = critique(8.0, &[]);
    let comma = FindingId::of("ann", "A comma");
    again["statuses"] =
        json!([{ "id": id.as_str(), "fixed": true }, { "id": comma.as_str(), "fixed": true }]);
    let mut answers = vec![
        panel(&["ann", "bob"]),
        says(ANN, 5.0, &[("high", what), ("low", "A comma")]),
        ScriptedAnswer::json(again).when(ANN),
        fine(BOB),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let job = room.job(request(), cast(&server));
    let artifact = job.artifact;
    let (run, state) = room.run(job).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    let decisions: Vec<_> =
        state.rounds.iter().map(|round| round.ruling.as_ref().unwrap().decision).collect();
    assert_eq!(decisions, [EditorDecision::Revise, EditorDecision::Approve]);
    let brief = &state.rounds[0].summary.as_ref().unwrap().brief;
    assert!(brief.contains(what) && brief.contains("Mend:") && !brief.contains("A comma"), "{brief}");
    let summary = state.rounds[1].summary.as_ref().unwrap();
    assert_eq!(summary.fixed_items.len(), 1);
    assert_eq!(state.rounds[1].brought, ["Second words of it."]);
    // Both drafts are kept; the second one is what was saved.
    assert_eq!(room.store.read_round(artifact, Round(1)).await.unwrap().unwrap(), FIRST.as_bytes());
    assert_eq!(room.store.read_final(artifact).await.unwrap().unwrap(), SECOND.as_bytes());
    let bodies: Vec<String> = server.calls().iter().map(|call| call.body.to_string()).collect();
    let revision = bodies.iter().find(|body| body.contains(REVISER)).unwrap();
    assert!(revision.contains(what) && revision.contains("DO NOT REGRESS"), "{revision}");
    let asked_again = bodies.iter().filter(|body| body.contains(ANN)).nth(1).unwrap();
    assert!(asked_again.contains(id.as_str()) && asked_again.contains("This is round 2"), "{asked_again}");
    let panels = room.events(run).await;
    let panels = panels.iter().filter(|event| matches!(event, ContentEvent::PanelSelected(_))).count();
    assert_eq!(panels, 1, "the panel is chosen once");
}

#[tokio::test]
async fn at_the_cap_the_best_draft_is_kept_as_what_it_is() {
    let room = Room::new().await;
    let revised =
        |number: u32| ScriptedAnswer::text(format!("# A title\n\nAttempt {number}.\n")).when(REVISER);
    let server = serve(vec![
        panel(&["ann", "bob"]),
        ScriptedAnswer::text(FIRST).when(AUTHOR),
        revised(1),
        revised(2),
        says(ANN, 4.0, &[("high", "It is wrong")]),
        says(ANN, 5.0, &[("high", "It is wrong")]),
        says(ANN, 4.5, &[("high", "It is wrong")]),
        fine(BOB),
    ]);
    let job = room.job(request(), cast(&server));
    let artifact = job.artifact;
    let (_, state) = room.run(job).await;
    assert_eq!(state.status(), ContentStatus::MaxRoundsReached, "{state:#?}");
    assert_eq!(state.rounds.len(), 3);
    assert_eq!(state.saved.as_ref().unwrap().round, Round(2), "the best one, not the last one");
    let kept = room.store.read_final(artifact).await.unwrap().unwrap();
    assert_eq!(String::from_utf8(kept).unwrap(), "# A title\n\nAttempt 1.\n");
}

#[tokio::test]
async fn a_draft_that_gets_worse_stops_the_loop_and_the_better_one_is_kept() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob"]),
        says(ANN, 5.0, &[("medium", "It is long")]),
        says(ANN, 4.0, &[("medium", "It is long")]),
        says(BOB, 5.0, &[]),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let job = room.job(request(), cast(&server));
    let artifact = job.artifact;
    let (_, state) = room.run(job).await;
    assert_eq!(state.status(), ContentStatus::Stalled, "{state:#?}");
    let saved = state.saved.as_ref().unwrap();
    assert_eq!((saved.quality, saved.round), (Quality::Stalled, Round(1)));
    assert_eq!(room.store.read_final(artifact).await.unwrap().unwrap(), FIRST.as_bytes());
}

#[tokio::test]
async fn an_author_who_changes_nothing_leaves_it_to_a_person_whose_draft_the_same_panel_reviews() {
    let room = Room::new().await;
    let server = serve(vec![
        panel(&["ann", "bob"]),
        ScriptedAnswer::text(FIRST).when(AUTHOR),
        ScriptedAnswer::text(FIRST).when(REVISER),
        says(ANN, 5.0, &[("high", "It is wrong")]),
        fine(ANN),
        fine(BOB),
    ]);
    let (run, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::NeedsHuman, "{state:#?}");
    assert!(state.needs.as_ref().unwrap().brief.contains("It is wrong"));
    assert_eq!(state.rounds.len(), 1, "the old draft stays");

    let interrupt = CancellationToken::new;
    let nobody = &mut |_: &[jury_core::record::Record]| {};
    let without =
        resume_content(&room.store, &room.owner, run, None, cast(&server), nobody, interrupt()).await;
    assert!(matches!(without, Err(EngineError::NotResumed(_))), "{without:?}");
    let draft = jury_core::content::Draft::Text("# A person's\n\nMended.\n".to_owned());
    let state = resume_content(
        &room.store,
        &room.owner,
        run,
        Some(draft.into()),
        cast(&server),
        &mut |_| {},
        interrupt(),
    )
    .await
    .unwrap();
    room.holds(run, &state).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.rounds[1].writer, Writer::Person);
    assert_eq!(server.calls().iter().filter(|call| call.body.to_string().contains(SELECTION)).count(), 1);
    // What has ended is not taken up.
    let after =
        resume_content(&room.store, &room.owner, run, None, cast(&server), &mut |_| {}, interrupt()).await;
    assert!(matches!(after, Err(EngineError::NotResumed(_))), "{after:?}");
}

#[tokio::test]
async fn a_persons_draft_is_the_first_one() {
    let room = Room::new().await;
    let server = serve(vec![panel(&["ann"]), fine(ANN)]);
    let mut job = room.job(request(), cast(&server));
    job.draft = Some(jury_core::content::Draft::Text("# Mine\n\nAll of it.\n".to_owned()).into());
    let (run, state) = room.run(job).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.rounds[0].writer, Writer::Person);
    assert!(!server.calls().iter().any(|call| call.body.to_string().contains(AUTHOR)));
    let started = room.events(run).await;
    assert!(matches!(started[2], ContentEvent::Drafted(_)));
}

#[tokio::test]
async fn nobody_chosen_on_purpose_is_unreviewed_and_not_green() {
    let room = Room::new().await;
    let mut answers = vec![panel(&[])];
    answers.extend(drafts());
    let server = serve(answers);
    let (_, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Unreviewed, "{state:#?}");
    assert_eq!(state.status().exit_code(), 3);
}

#[tokio::test]
async fn a_second_run_of_the_same_subject_is_given_the_first_one() {
    let room = Room::new().await;
    let mut answers = vec![panel(&["ann"]), says(ANN, 5.0, &[("high", "It is wrong")])];
    answers.extend([ScriptedAnswer::text(FIRST).when(AUTHOR), ScriptedAnswer::text(FIRST).when(REVISER)]);
    let server = serve(answers);
    let (run, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::NeedsHuman);
    let second = room.drive(room.job(request(), cast(&server)), CancellationToken::new()).await;
    match second {
        Err(EngineError::Store(StoreError::Conflict { run: known, conflict: Conflict::Active })) => {
            assert_eq!(known, run);
        }
        other => panic!("{other:?}"),
    }
    // Given up, it makes room.
    let given_up =
        jury_engine::content::abandon_content(&room.store, &room.owner, run, "enough", &mut |_| {}).await;
    assert_eq!(given_up.unwrap().status(), ContentStatus::Abandoned);
    room.holds(run, &room.store.state::<ContentState>(run).await.unwrap()).await;
    let (_, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::NeedsHuman);
}

#[tokio::test]
async fn two_critics_are_asked_at_a_time_unless_told_otherwise() {
    for (told, most) in [(2, 2), (1, 1), (3, 3)] {
        let room = Room::new().await;
        // Each is asked, and its answer held until so many have been asked that no other can be.
        let held = |who: &str| fine(who).breaks(BreakKind::Close, 0).held();
        let mut answers = vec![panel(&["ann", "bob", "cem"])];
        for who in [ANN, BOB, CEM] {
            answers.extend([held(who), fine(who)]);
        }
        answers.extend(drafts());
        let server = serve(answers);
        let job = room.job(ContentRequest { concurrency: told, ..request() }, cast(&server));
        let run = job.run;
        let asked = async {
            let there = tokio::task::spawn_blocking(move || {
                let there = server.wait_for_requests(2 + most, Duration::from_secs(30));
                (0..3).for_each(|_| server.release());
                (there, server)
            });
            there.await.unwrap()
        };
        let (driven, (there, _server)) = tokio::join!(room.drive(job, CancellationToken::new()), asked);
        assert!(there, "{most} are asked before one has answered");
        assert_eq!(driven.unwrap().status(), ContentStatus::Approved);
        let (mut reading, mut at_once) = (std::collections::BTreeSet::new(), 0);
        for event in room.events(run).await {
            if let ContentEvent::CriticStarted(begun) = event {
                reading.insert(begun.advisor_id);
            } else if let ContentEvent::Critiqued(said) = event {
                reading.remove(&said.critique.advisor_id);
            }
            at_once = at_once.max(reading.len());
        }
        assert_eq!(at_once, most, "told {told}");
    }
    assert_eq!(request().concurrency, 2);
}
