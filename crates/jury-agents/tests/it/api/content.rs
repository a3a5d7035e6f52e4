//! What the content pipeline asks services for: the tool is forced, and what cannot be used is sent back once.

use jury_agents::api::ModelAnswer;
use jury_agents::content::{SubmitCritique, SubmitPage, critique_question, page_question};
use jury_agents::prompt::ContentPrompt;
use jury_core::content::submit::{SCHEMA, check};
use jury_core::content::{Advisor, AdvisorRole, Critique};
use jury_testkit::model::{ModelServer, ScriptedAnswer};
use serde_json::{Value, json};

use super::{client, serve};

const DRAFT: &str = "# Better invoices\n";

fn advisor() -> Advisor {
    Advisor {
        id: "april-dunford".parse().unwrap(),
        name: "Positioning, after April Dunford's method".to_owned(),
        role: AdvisorRole::Strategist,
        evaluation_expertise: Some("Positioning.".to_owned()),
        does_not_evaluate: None,
        context_docs: Vec::new(),
        persona: None,
        measured_by: None,
    }
}

fn asked() -> ContentPrompt {
    ContentPrompt { system: "You review.".to_owned(), user: "This.".to_owned() }
}

/// What a critic says by way of a service, or why it says nothing.
async fn critique(server: &ModelServer, vendor: &str) -> Result<Critique, String> {
    let checked = |said: &SubmitCritique| check(&said.0, &advisor(), &[], DRAFT);
    let answer = client(server, vendor)
        .ask_checked(&critique_question(&asked()), |said: &SubmitCritique| checked(said).map(drop))
        .await
        .unwrap();
    match answer {
        ModelAnswer::Given(said, _) => checked(&said),
        ModelAnswer::Absent { why, .. } => Err(why),
    }
}

fn said(score: &Value) -> Value {
    let issue = json!({"severity": "high", "description": "It drifts.", "suggestion": "Stay.", "quote": "Better invoices"});
    json!({"score": score, "pass": false, "issues": [issue], "statuses": []})
}

#[tokio::test]
async fn a_critique_is_handed_in_by_a_tool_that_is_forced() {
    for vendor in ["anthropic", "openai", "groq"] {
        let server = serve([ScriptedAnswer::json(said(&json!(3)))]);
        let critique = critique(&server, vendor).await.unwrap();
        assert_eq!(
            (critique.score, critique.issues[0].quote.as_deref()),
            (3.0, Some("Better invoices")),
            "{vendor}"
        );
        let body = server.calls().pop().unwrap().body;
        match vendor {
            "anthropic" => {
                assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "submit_critique"}));
                let schema: Value = serde_json::from_str(SCHEMA).unwrap();
                assert_eq!(body["tools"][0]["input_schema"]["properties"], schema["properties"]);
                assert_eq!(body["system"], "You review.");
            }
            "openai" => {
                let schema = &body["response_format"]["json_schema"]["schema"];
                assert_eq!(schema["required"], json!(["issues", "pass", "score", "statuses"]));
            }
            _ => assert_eq!(body["tool_choice"]["function"]["name"], "submit_critique"),
        }
    }
}

#[tokio::test]
async fn a_score_that_is_none_is_sent_back_once_and_then_nobody_has_answered() {
    for wrong in [json!(99), json!("8"), Value::Null] {
        let server = serve([ScriptedAnswer::json(said(&wrong)), ScriptedAnswer::json(said(&json!(4)))]);
        assert!(critique(&server, "anthropic").await.is_ok_and(|said| said.issues.len() == 1), "{wrong}");
        let server = serve([ScriptedAnswer::json(said(&wrong)), ScriptedAnswer::json(said(&wrong))]);
        assert!(critique(&server, "anthropic").await.unwrap_err().ends_with("twice"), "{wrong}");
    }
    let nothing = json!({"score": 9, "pass": true});
    let server = serve([ScriptedAnswer::json(nothing.clone()), ScriptedAnswer::json(nothing)]);
    assert!(critique(&server, "openai").await.unwrap_err().contains("missing field `issues`"));
}

#[tokio::test]
async fn a_page_is_handed_in_in_its_parts() {
    let page = json!({"name": "Acme", "title": "T", "description": "D", "sections": [
        {"kind": "action", "heading": "Go", "text": "", "cta": {"label": "Start now", "href": "#start"}}],
        "hero": {"headline": "H", "subheadline": "S", "cta": null, "note": null}});
    for vendor in ["anthropic", "openai"] {
        let server = serve([ScriptedAnswer::json(page.clone())]);
        let answer: ModelAnswer<SubmitPage> =
            client(&server, vendor).ask(&page_question(&asked())).await.unwrap();
        let ModelAnswer::Given(SubmitPage(page), _) = answer else { panic!("{vendor}: {answer:?}") };
        assert_eq!((page.hero.headline.as_str(), page.sections.len()), ("H", 1), "{vendor}");
    }
}
