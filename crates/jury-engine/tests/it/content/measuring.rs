//! Measured facts beside models: what no document knows does not go out, whatever the mean is.

use jury_core::content::{ContentStatus, Draft, EditorDecision};
use jury_core::severity::Severity;
use jury_core::workflow::WorkflowState as _;
use jury_engine::content::problem;

use super::*;

const INVENTED: &str =
    "# A title\n\nFirst words of it.\n\n> I was paid in two days and cried.\n>\n> Ana P., Lisbon\n";

/// An author who writes this, and models that like everything.
fn liked(first: &str, then: &str) -> Vec<ScriptedAnswer> {
    vec![
        panel(&["ann", "bob"]),
        ScriptedAnswer::text(first).when(AUTHOR),
        ScriptedAnswer::text(then).when(REVISER),
        says(ANN, 10.0, &[]),
        says(BOB, 10.0, &[]),
    ]
}

/// The rules of what is open and high in a round.
fn grave(state: &ContentState, round: usize) -> Vec<&str> {
    let open = state.rounds[round].open.iter();
    let high = open.filter(|open| open.issue.severity == Severity::Serious);
    high.filter_map(|open| open.issue.rule.as_deref()).collect()
}

#[tokio::test]
async fn an_invented_testimonial_is_sent_back_whatever_the_models_say() {
    let room = Room::new().await;
    let server = serve(liked(INVENTED, "# A title\n\nFirst words of it.\n"));
    let (_, state) = room.run(room.job(request(), cast(&server))).await;
    let decisions: Vec<_> =
        state.rounds.iter().map(|round| round.ruling.as_ref().unwrap().decision).collect();
    assert_eq!(decisions, [EditorDecision::Revise, EditorDecision::Approve], "{state:#?}");
    assert_eq!(grave(&state, 0), ["behaviour.unproven-proof"]);
    assert_eq!(state.status(), ContentStatus::Approved);
    let summary = state.rounds[0].summary.as_ref().unwrap();
    assert!(summary.brief.contains("I was paid in two days and cried."), "{}", summary.brief);
    let fixed = &state.rounds[1].summary.as_ref().unwrap().fixed_items;
    assert!(
        fixed.iter().any(|item| item.quote.as_deref() == Some("I was paid in two days and cried.")),
        "{fixed:?}"
    );
    // What is measured is no member of the panel: neither the mean nor the quorum knows of it.
    let ruling = state.rounds[0].ruling.as_ref().unwrap();
    assert_eq!((ruling.mean, ruling.answered, ruling.seats, ruling.high), (Some(10.0), 2, 2, 1));
}

#[tokio::test]
async fn an_author_who_keeps_an_invention_is_not_approved() {
    let room = Room::new().await;
    let still = |number: u32| {
        ScriptedAnswer::text(INVENTED.replace("First", &format!("Attempt {number}"))).when(REVISER)
    };
    let mut answers = liked(INVENTED, "unused");
    answers.remove(2);
    answers.extend([still(1), still(2), still(3)]);
    let server = serve(answers);
    let (_, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::MaxRoundsReached, "{state:#?}");
}

#[tokio::test]
async fn a_persons_draft_is_measured_too() {
    let room = Room::new().await;
    let server = serve(liked("unused", INVENTED.replace("First", "Second").as_str()));
    let mut job = room.job(request(), cast(&server));
    job.draft = Some(Draft::Text(INVENTED.to_owned()).into());
    let (_, state) = room.run(job).await;
    assert_ne!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(grave(&state, 0), ["behaviour.unproven-proof"]);
}

#[tokio::test]
async fn what_the_documents_say_goes_out() {
    let room = Room::new().await;
    let server = serve(liked(INVENTED, "unused"));
    let mut asked = request();
    let known = "We make anvils.\n\n> I was paid in two days and cried.\n>\n> Ana P., Lisbon\n";
    asked.foundation = Foundation::new([("positioning".parse().unwrap(), known.to_owned())]);
    let (_, state) = room.run(room.job(asked, cast(&server))).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.rounds.len(), 1);
}

#[tokio::test]
async fn the_topic_of_a_piece_reaches_who_writes_and_reviews_and_what_it_says_is_known() {
    let room = Room::new().await;
    let server = serve(liked(INVENTED, "unused"));
    let topic = "Late payment.\n\n> I was paid in two days and cried.\n>\n> Ana P., Lisbon\n";
    let asked = ContentRequest { topic: Some(topic.to_owned()), ..request() };
    let (run, state) = room.run(room.job(asked, cast(&server))).await;
    assert_eq!((state.status(), state.rounds.len()), (ContentStatus::Approved, 1), "{state:#?}");
    let bodies: Vec<String> = server.calls().iter().map(|call| call.body.to_string()).collect();
    for who in [AUTHOR, ANN, BOB] {
        let told = bodies.iter().filter(|body| body.contains(who) && body.contains("<TOPIC "));
        assert_eq!(told.count(), 1, "{who}");
    }
    // Who asks for the same again has it.
    let kept = room.store.request::<ContentState>(run).await.unwrap().unwrap();
    assert_eq!(kept.topic.as_deref(), Some(topic));
}

#[test]
fn a_topic_that_cannot_be_used_is_refused() {
    for (topic, why) in [(" \n", "no words"), (&*"word ".repeat(4_001), "20000 bytes")] {
        let asked = ContentRequest { topic: Some(topic.to_owned()), ..request() };
        assert!(problem(&asked).unwrap().contains(why));
    }
    let house = ContentRequest { topic: Some("Late payment".to_owned()), agent: None, ..request() };
    assert!(problem(&house).unwrap().contains("the house"));
}

#[tokio::test]
async fn a_warning_goes_out_and_is_listed_and_off_measures_nothing() {
    for (mode, listed) in [(EvidenceMode::Warn, true), (EvidenceMode::Off, false)] {
        let room = Room::new().await;
        let server = serve(liked(INVENTED, "unused"));
        let (_, state) =
            room.run(room.job(ContentRequest { evidence: mode, ..request() }, cast(&server))).await;
        assert_eq!((state.status(), state.rounds.len()), (ContentStatus::Approved, 1), "{state:#?}");
        let found = state.findings();
        let proof = found.iter().any(|one| one.rule.as_deref() == Some("behaviour.unproven-proof"));
        assert_eq!(proof, listed, "{found:?}");
        assert_eq!(state.started.as_ref().unwrap().evidence, Some(mode));
    }
}

#[tokio::test]
async fn figures_that_no_document_knows_hold_back_from_the_third_on() {
    let figures = |count: usize| {
        let all = ["It holds 47 litres.", "It costs $9.", "It lasts 300 years."];
        format!("# A title\n\n{}\n", all[..count].join("\n\n"))
    };
    for (count, held) in [(2, false), (3, true)] {
        let room = Room::new().await;
        let server = serve(liked(&figures(count), "# A title\n\nPlain words.\n"));
        let (_, state) = room.run(room.job(request(), cast(&server))).await;
        assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
        let rounds = if held { 2 } else { 1 };
        assert_eq!(state.rounds.len(), rounds, "{count} figures");
    }
}

#[tokio::test]
async fn one_benefit_that_no_document_measures_holds_back() {
    let room = Room::new().await;
    let server = serve(liked("# A title\n\nIt saves 47 % of the coal.\n", "# A title\n\nPlain words.\n"));
    let (_, state) = room.run(room.job(request(), cast(&server))).await;
    assert_eq!(state.rounds.len(), 2, "{state:#?}");
}

#[tokio::test]
async fn critics_that_count_and_are_not_on_the_panel_do_not_let_proof_pass() {
    let room = Room::new().await;
    let mut asked = request();
    asked.agent = None;
    let speaks = |id: &str, critic| Advisor {
        measured_by: Some(critic),
        ..advisor(id, id, Some("Looks at what can be counted."))
    };
    asked.advisors =
        vec![advisor("writer", "Writer", None), speaks("copy", jury_core::content::HouseCritic::Copy)];
    asked.recipe.named_critics = vec!["copy".parse().unwrap()];
    asked.recipe.form = Form::Post;
    asked.recipe.min_aggregate_score = 1.0;
    let mut job = room.job(asked, ContentCast::offline());
    job.draft = Some(Draft::Text(INVENTED.to_owned()).into());
    let (_, state) = room.run(job).await;
    assert_eq!(state.status(), ContentStatus::NeedsHuman, "{state:#?}");
    assert_eq!(grave(&state, 0), ["behaviour.unproven-proof"]);
}
