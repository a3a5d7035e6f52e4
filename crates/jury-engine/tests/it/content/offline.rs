//! Without a model: documents, measured critics, safe corrections, and a person. And the way to whoever publishes.

use std::path::Path;
use std::sync::Mutex;

use jury_core::artifact::Digest;
use jury_core::content::event::{Assembled, Deployed, Pushed, RepoCreated, Validated, Verified};
use jury_core::content::{ContentStatus, Draft, HouseCritic, Page, Tool, Writer};
use jury_core::outcome::FailedCause;
use jury_core::unit::{Bytes, Round};
use jury_engine::content::{NotPublished, PublishWith};

use super::*;

/// The documents of the example.
fn acme() -> Foundation {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ideas/acme");
    let kinds = ["positioning", "brand-voice", "seo-strategy", "strategy"];
    Foundation::new(kinds.map(|kind| {
        let text = std::fs::read_to_string(folder.join(format!("{kind}.md"))).unwrap();
        (kind.parse().unwrap(), text)
    }))
}

/// A page by the documents, with two critics that count.
fn measured() -> ContentRequest {
    let mut asked = request();
    asked.agent = None;
    asked.foundation = acme();
    asked.recipe.form = Form::Page;
    asked.recipe.content_type = "website".parse().unwrap();
    asked.recipe.min_aggregate_score = 4.0;
    let speaks = |id: &str, name: &str, critic| Advisor {
        measured_by: Some(critic),
        ..advisor(id, name, Some("Looks at what can be counted."))
    };
    asked.advisors = vec![
        advisor("writer", "Writer", None),
        speaks("seo", "Search", HouseCritic::Seo),
        speaks("copy", "Copy", HouseCritic::Copy),
    ];
    asked.recipe.named_critics = vec!["seo".parse().unwrap(), "copy".parse().unwrap()];
    asked
}

#[tokio::test]
async fn documents_become_a_draft_that_is_measured_and_mended_as_far_as_that_is_safe() {
    let room = Room::new().await;
    let (run, state) = room.run(room.job(measured(), ContentCast::offline())).await;
    let ends = [
        ContentStatus::Approved,
        ContentStatus::NeedsHuman,
        ContentStatus::Stalled,
        ContentStatus::MaxRoundsReached,
    ];
    assert!(ends.contains(&state.status()), "{state:#?}");
    assert_eq!(state.rounds[0].writer, Writer::Template);
    assert!(state.rounds.iter().skip(1).all(|round| round.writer == Writer::Repairs));
    let critiques: Vec<_> = state.rounds[0].critiques.values().collect();
    assert!(critiques.len() == 2 && critiques.iter().all(|critique| critique.measured));
    // The same documents come to the same.
    let other = Room::new().await;
    let (_, again) = other.run(other.job(measured(), ContentCast::offline())).await;
    assert_eq!(again.rounds, state.rounds);
    assert_eq!(again.status(), state.status());
    assert!(room.kinds(run).await.iter().all(|kind| *kind != "content.agent"));
}

#[tokio::test]
async fn without_documents_a_person_writes_and_is_reviewed_all_the_same() {
    let room = Room::new().await;
    let mut bare = measured();
    bare.foundation = Foundation::default();
    let (run, state) = room.run(room.job(bare, ContentCast::offline())).await;
    assert_eq!(state.status(), ContentStatus::NeedsHuman, "{state:#?}");
    assert!(state.rounds.is_empty());
    let page = Page { name: "Anvil".to_owned(), title: "Anvil".to_owned(), ..page() };
    let draft = Draft::Page(Box::new(page));
    let cast = ContentCast::offline();
    let interrupt = CancellationToken::new();
    let state =
        resume_content(&room.store, &room.owner, run, Some(draft.into()), cast, &mut |_| {}, interrupt)
            .await
            .unwrap();
    room.holds(run, &state).await;
    assert_eq!(state.rounds[0].writer, Writer::Person);
    assert_eq!(state.rounds[0].critiques.len(), 2, "{state:#?}");
}

#[tokio::test]
async fn who_is_not_measured_and_has_no_model_is_absent_and_no_pass() {
    let room = Room::new().await;
    let mut asked = measured();
    asked.advisors.push(advisor("cem", "Cem", Some("Looks at what cannot be counted.")));
    asked.recipe.named_critics.push("cem".parse().unwrap());
    let (_, state) = room.run(room.job(asked, ContentCast::offline())).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    let halted = state.halted.as_ref().unwrap();
    assert_eq!(halted.tool, Tool::RunCritiques);
    assert!(halted.detail.contains("2 of 3 critics answered") && halted.detail.contains("Cem"), "{halted:?}");
    assert!(state.saved.is_none());
}

fn page() -> Page {
    serde_json::from_value(json!({
        "name": "Anvil", "title": "Anvils for small forges", "description": "Anvils that ring.",
        "hero": { "headline": "Anvils that ring", "subheadline": "For small forges.",
            "cta": { "label": "Order an anvil", "href": "#order" } },
        "sections": [{ "kind": "text", "heading": "Why it rings", "paragraphs": ["It is cast in one piece."] }],
    }))
    .unwrap()
}

fn event(tool: Tool) -> ContentEvent {
    match tool {
        Tool::AssembleSiteFiles => ContentEvent::Assembled(Assembled {
            sha256: Digest::of(b"files"),
            files: 3,
            bytes: Bytes(99),
            base_url: "https://example.org".to_owned(),
            posts: Vec::new(),
            left_out: Vec::new(),
        }),
        Tool::ValidateCode => ContentEvent::Validated(Validated { sentences: 4, warnings: Vec::new() }),
        Tool::CreateRepo => ContentEvent::RepoCreated(RepoCreated { site: "acme".to_owned(), created: true }),
        Tool::PushFiles => {
            ContentEvent::Pushed(Pushed { commit: "c0ffee".to_owned(), changed: 3, remote: None })
        }
        Tool::Deploy => ContentEvent::Deployed(Deployed {
            site: "acme".to_owned(),
            release: "1".to_owned(),
            previous: None,
            url: "/s/acme/".to_owned(),
        }),
        Tool::Verify => ContentEvent::Verified(Verified { fetched: 3 }),
        Tool::DesignBrand
        | Tool::GenerateDraft
        | Tool::RunCritiques
        | Tool::EditorDecision
        | Tool::SummarizeRound
        | Tool::ReviseDraft
        | Tool::SaveContent => panic!("{tool} is no step of the second phase"),
    }
}

#[tokio::test]
async fn an_approved_page_is_published_step_by_step_and_a_step_that_fails_is_done_again() {
    let room = Room::new().await;
    let server = serve(vec![
        ScriptedAnswer::json(serde_json::to_value(page()).unwrap()).when(AUTHOR),
        panel(&["ann"]),
        fine(ANN),
    ]);
    let mut asked = request();
    asked.recipe.form = Form::Page;
    asked.recipe.content_type = "website".parse().unwrap();
    asked.publish = true;
    let done: Arc<Mutex<Vec<Tool>>> = Arc::default();
    let fails: Arc<Mutex<bool>> = Arc::new(Mutex::new(true));
    let (seen, broken) = (Arc::clone(&done), Arc::clone(&fails));
    let publish: PublishWith = Arc::new(move |step| {
        let first = step.tool == Tool::Deploy && std::mem::take(&mut *broken.lock().unwrap());
        seen.lock().unwrap().push(step.tool);
        Box::pin(async move {
            assert_eq!(step.draft, Draft::Page(Box::new(page())));
            if first {
                let detail = "the folder is full".to_owned();
                return Err(NotPublished { cause: FailedCause::OrchestratorInternal, detail });
            }
            Ok(event(step.tool))
        })
    });
    let cast = cast(&server).publishing(publish);
    let (run, state) = room.run(room.job(asked, cast.clone())).await;
    assert_eq!(state.status(), ContentStatus::Halted, "{state:#?}");
    assert_eq!(state.halted.as_ref().unwrap().tool, Tool::Deploy);
    let state = room.resume(run, cast).await;
    assert_eq!(state.status(), ContentStatus::Approved, "{state:#?}");
    assert_eq!(state.finished.as_ref().unwrap().url.as_deref(), Some("/s/acme/"));
    assert_eq!(state.saved.as_ref().unwrap().round, Round(1));
    assert_eq!(
        *done.lock().unwrap(),
        [
            Tool::AssembleSiteFiles,
            Tool::ValidateCode,
            Tool::CreateRepo,
            Tool::PushFiles,
            Tool::Deploy,
            Tool::Deploy,
            Tool::Verify
        ]
    );
}
