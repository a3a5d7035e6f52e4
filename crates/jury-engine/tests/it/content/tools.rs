//! The six tools, each in a store and with an owner of its own, as other processes have them.

use jiff::Timestamp;
use jury_core::content::{ContentStatus, Tool};
use jury_engine::content::begin_content;
use jury_engine::content::tools::{ToolError, call};

use super::*;

/// Calls a tool as somebody who was not there before.
async fn alone(room: &Room, run: RunId, tool: Tool, cast: &ContentCast) -> Result<Value, ToolError> {
    let store = Store::open(room.dir.path().join(".od")).await.unwrap();
    let owner = Owner::register(&store).unwrap();
    let done = call(&store, &owner, run, tool, cast, &mut |_| {}, CancellationToken::new()).await;
    store.close().await.unwrap();
    done.map(|answer| serde_json::to_value(&answer).unwrap())
}

#[tokio::test]
async fn a_run_in_the_queue_is_left_to_whoever_has_a_place() {
    let room = Room::new().await;
    let server = serve(drafts());
    let cast = cast(&server);
    let job = room.job(request(), cast.clone());
    let run = job.run;
    begin_content(&room.store, &room.owner, job, &mut |_| {}).await.unwrap();
    room.store.requeue(run).await.unwrap();
    let refused = alone(&room, run, Tool::GenerateDraft, &cast).await.unwrap_err();
    assert!(matches!(refused, ToolError::Busy(known) if known == run), "{refused}");
    assert_eq!(room.store.waiting(Timestamp::now()).await.unwrap(), [(room.project.clone(), run)]);
}

#[tokio::test]
async fn each_tool_goes_on_where_another_process_was() {
    let room = Room::new().await;
    let mut answers =
        vec![panel(&["ann", "bob"]), says(ANN, 5.0, &[("high", "It is wrong")]), fine(ANN), fine(BOB)];
    answers.extend(drafts());
    let server = serve(answers);
    let cast = cast(&server);
    let job = room.job(request(), cast.clone());
    let run = job.run;
    begin_content(&room.store, &room.owner, job, &mut |_| {}).await.unwrap();

    let early = alone(&room, run, Tool::ReviseDraft, &cast).await.unwrap_err();
    assert!(matches!(early, ToolError::NotNow { next: Some(Tool::GenerateDraft), .. }), "{early}");
    assert_eq!(early.to_string(), "it is not the turn of revise_draft; the next one is generate_draft");

    let drafted = alone(&room, run, Tool::GenerateDraft, &cast).await.unwrap();
    assert_eq!(drafted, json!({ "success": true, "draftLength": FIRST.chars().count(), "draft": FIRST }));
    let twice = alone(&room, run, Tool::GenerateDraft, &cast).await.unwrap_err();
    assert!(matches!(twice, ToolError::NotNow { next: Some(Tool::RunCritiques), .. }), "{twice}");
    let said = alone(&room, run, Tool::RunCritiques, &cast).await.unwrap();
    let who: Vec<&str> =
        said["critiques"].as_array().unwrap().iter().map(|one| one["advisorId"].as_str().unwrap()).collect();
    assert_eq!(who, ["ann", "bob"], "{said}");
    let decided = alone(&room, run, Tool::EditorDecision, &cast).await.unwrap();
    assert_eq!(decided["decision"], "revise");
    assert_eq!(decided["avgScore"], 6.5);
    assert_eq!(decided["highIssueCount"], 1);
    assert!(decided["brief"].as_str().unwrap().contains("It is wrong"), "{decided}");
    let skipped = alone(&room, run, Tool::SaveContent, &cast).await.unwrap_err();
    assert!(matches!(skipped, ToolError::NotNow { next: Some(Tool::SummarizeRound), .. }), "{skipped}");
    let summary = alone(&room, run, Tool::SummarizeRound, &cast).await.unwrap();
    assert_eq!(summary["round"], 1);
    assert_eq!(summary["editorDecision"], "revise");
    let names: Vec<&str> = summary.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["avgScore", "brief", "editorDecision", "fixedItems", "highIssueCount", "round", "wellScoredAspects"]
    );
    assert_eq!((&summary["avgScore"], &summary["highIssueCount"]), (&json!(6.5), &json!(1)), "{summary}");
    assert!(summary["brief"].as_str().unwrap().contains("- [HIGH] (Ann) It is wrong"), "{summary}");
    assert_eq!(summary["fixedItems"], json!([]));
    assert_eq!(summary["wellScoredAspects"], json!(["Bob: 8.0/10"]));
    let revised = alone(&room, run, Tool::ReviseDraft, &cast).await.unwrap();
    assert_eq!(
        revised,
        json!({ "success": true, "revisedDraftLength": SECOND.chars().count(), "revisedDraft": SECOND })
    );
    for tool in [Tool::RunCritiques, Tool::EditorDecision] {
        alone(&room, run, tool, &cast).await.unwrap();
    }
    let summary = alone(&room, run, Tool::SummarizeRound, &cast).await.unwrap();
    assert_eq!((&summary["editorDecision"], &summary["brief"]), (&json!("approve"), &json!("")), "{summary}");
    assert_eq!(summary["fixedItems"], json!(["It is wrong"]), "{summary}");
    assert_eq!(summary["wellScoredAspects"], json!(["Ann: 8.0/10", "Bob: 8.0/10"]), "{summary}");
    // The log has all of it.
    let state = room.store.state::<ContentState>(run).await.unwrap();
    assert_eq!(state.rounds[1].summary.as_ref().unwrap().fixed_items[0].description, "It is wrong");
    let saved = alone(&room, run, Tool::SaveContent, &cast).await.unwrap();
    assert_eq!(
        saved,
        json!({ "success": true, "quality": "approved", "unreviewed": false, "contentLength": SECOND.chars().count() })
    );
    let state = room.store.state::<ContentState>(run).await.unwrap();
    assert_eq!(state.status(), ContentStatus::Approved);
    room.holds(run, &state).await;
    let over = alone(&room, run, Tool::SaveContent, &cast).await.unwrap_err();
    assert!(matches!(over, ToolError::NotNow { next: None, .. }), "{over}");
}

#[tokio::test]
async fn a_tool_that_could_not_do_it_does_it_when_it_is_called_again() {
    let room = Room::new().await;
    let mut answers = vec![panel(&["ann"]), ScriptedAnswer::status(401).when(ANN), fine(ANN)];
    answers.extend(drafts());
    let server = serve(answers);
    let cast = cast(&server);
    let job = room.job(request(), cast.clone());
    let run = job.run;
    begin_content(&room.store, &room.owner, job, &mut |_| {}).await.unwrap();
    alone(&room, run, Tool::GenerateDraft, &cast).await.unwrap();
    alone(&room, run, Tool::RunCritiques, &cast).await.unwrap();
    let broken = alone(&room, run, Tool::EditorDecision, &cast).await.unwrap_err();
    assert!(matches!(&broken, ToolError::Halted(halted) if halted.tool == Tool::RunCritiques), "{broken}");
    let said = alone(&room, run, Tool::RunCritiques, &cast).await.unwrap();
    assert_eq!(said["critiques"].as_array().unwrap().len(), 1);
    let decided = alone(&room, run, Tool::EditorDecision, &cast).await.unwrap();
    assert_eq!(decided["decision"], "approve");
}

#[tokio::test]
async fn two_at_once_are_one_and_a_refusal() {
    let room = Room::new().await;
    let mut answers = vec![panel(&["ann"]), fine(ANN)];
    answers.extend(drafts());
    let server = serve(answers);
    let cast = cast(&server);
    let job = room.job(request(), cast.clone());
    let run = job.run;
    begin_content(&room.store, &room.owner, job, &mut |_| {}).await.unwrap();
    let (one, two) = tokio::join!(
        alone(&room, run, Tool::GenerateDraft, &cast),
        alone(&room, run, Tool::GenerateDraft, &cast)
    );
    assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1, "{one:?} {two:?}");
    assert_eq!(room.store.state::<ContentState>(run).await.unwrap().rounds.len(), 1);
}

#[tokio::test]
async fn a_critic_that_failed_is_in_the_result_with_its_error() {
    let room = Room::new().await;
    let mut answers = vec![
        panel(&["ann", "bob", "cem"]),
        fine(ANN),
        ScriptedAnswer::status(401).when(BOB),
        says(CEM, 7.0, &[("low", "A comma")]),
    ];
    answers.extend(drafts());
    let server = serve(answers);
    let cast = cast(&server);
    let job = room.job(request(), cast.clone());
    let run = job.run;
    begin_content(&room.store, &room.owner, job, &mut |_| {}).await.unwrap();
    alone(&room, run, Tool::GenerateDraft, &cast).await.unwrap();
    let said = alone(&room, run, Tool::RunCritiques, &cast).await.unwrap();
    let said = said["critiques"].as_array().unwrap();
    let who: Vec<&str> = said.iter().map(|one| one["advisorId"].as_str().unwrap()).collect();
    assert_eq!(who, ["ann", "bob", "cem"], "in the order of the panel");
    assert_eq!((&said[0]["score"], &said[2]["score"]), (&json!(8.0), &json!(7.0)));
    assert!(said[0].get("error").is_none() && said[2].get("error").is_none());
    let keys: Vec<&str> = said[1].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["advisorId", "error"], "no score, and nothing that could pass for one");
    assert!(said[1]["error"].as_str().unwrap().contains("401"), "{}", said[1]);
}
