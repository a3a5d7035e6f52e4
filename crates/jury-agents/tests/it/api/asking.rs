//! Asking for a value of a type.

use jury_agents::api::{ModelAnswer, ModelPrompt, ModelQuestion};
use jury_testkit::model::{BreakKind, ModelServer, ScriptedAnswer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{FORMATS, client, listen, serve};

/// What a critic thinks.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Opinion {
    /// From 0 to 10.
    score: f64,
    reason: Option<String>,
    fixes: Vec<Fix>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Fix {
    what: String,
}

fn question() -> ModelQuestion {
    ModelQuestion::new(
        "opinion",
        "What you think of it.",
        ModelPrompt::new("What of this page?").max_tokens(500),
    )
}

fn good() -> Value {
    json!({"score": 7.5, "reason": null, "fixes": [{"what": "Darken the button ☃."}]})
}

fn opinion() -> Opinion {
    Opinion { score: 7.5, reason: None, fixes: vec![Fix { what: "Darken the button ☃.".to_owned() }] }
}

async fn ask(server: &ModelServer, vendor: &str) -> ModelAnswer<Opinion> {
    client(server, vendor).ask(&question()).await.unwrap()
}

fn given(answer: ModelAnswer<Opinion>) -> (Opinion, u64) {
    match answer {
        ModelAnswer::Given(value, usage) => (value, usage.input_tokens + usage.output_tokens),
        ModelAnswer::Absent { why, .. } => panic!("absent: {why}"),
    }
}

fn absent(answer: ModelAnswer<Opinion>) -> (String, u64) {
    match answer {
        ModelAnswer::Given(value, _) => panic!("given: {value:?}"),
        ModelAnswer::Absent { why, usage, .. } => (why, usage.input_tokens + usage.output_tokens),
    }
}

#[tokio::test]
async fn a_service_is_made_to_answer_in_the_shape() {
    // One that takes tools, one that takes schemas, and one that takes tools in the format of the other.
    for vendor in ["anthropic", "openai", "groq"] {
        let server = serve([ScriptedAnswer::json(good()).thinking("hm").chunk(3).usage(10, 5)]);
        assert_eq!(given(ask(&server, vendor).await), (opinion(), 15), "{vendor}");
    }
}

#[tokio::test]
async fn the_shape_is_in_the_request() {
    let server = serve([ScriptedAnswer::json(good())]);
    for vendor in ["anthropic", "openai", "groq"] {
        ask(&server, vendor).await;
    }
    let [anthropic, openai, groq] = server.calls().try_into().unwrap();
    assert_eq!(anthropic.body["tool_choice"], json!({"type": "tool", "name": "opinion"}));
    let tool = &anthropic.body["tools"][0];
    assert_eq!(tool["input_schema"]["properties"]["fixes"]["items"]["required"], json!(["what"]));
    assert_eq!(tool["description"], "What you think of it.");
    let format = &openai.body["response_format"];
    assert_eq!(format["type"], "json_schema");
    assert_eq!(format["json_schema"]["strict"], true);
    let schema = &format["json_schema"]["schema"];
    assert_eq!(schema["required"], json!(["fixes", "reason", "score"]));
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(openai.body["tools"], Value::Null);
    assert_eq!(groq.body["tool_choice"], json!({"type": "function", "function": {"name": "opinion"}}));
    assert_eq!(groq.body["tools"][0]["function"]["parameters"]["type"], "object");
}

#[tokio::test]
async fn a_grammar_goes_to_services_that_take_one_and_a_shape_takes_its_place() {
    let server = serve([ScriptedAnswer::json(good())]);
    let constrained = || ModelPrompt { grammar: Some("root ::= \"x\"".to_owned()), ..question().prompt };
    for vendor in ["llama.cpp", "lmstudio", "ollama", "openai", "anthropic"] {
        listen(&mut client(&server, vendor).session(&constrained()).unwrap()).await.unwrap();
    }
    let asked = ModelQuestion { prompt: constrained(), ..question() };
    given(client(&server, "llama.cpp").ask(&asked).await.unwrap());
    let grammars: Vec<Value> = server.calls().iter().map(|call| call.body["grammar"].clone()).collect();
    let none = Value::Null;
    let once = Value::from("root ::= \"x\"");
    assert_eq!(grammars, [once, none.clone(), none.clone(), none.clone(), none.clone(), none]);
    let last = server.calls().pop().unwrap();
    assert_eq!(last.body["response_format"]["type"], "json_schema");
}

#[tokio::test]
async fn a_value_is_found_in_prose() {
    let value = good().to_string();
    for text in [
        value.clone(),
        format!("Here you are:\n```json\n{value}\n```\nDoes that help?"),
        format!("I considered {{this}} and [that], {{\"score\": \"high\"}}. My opinion: {value}"),
    ] {
        let server = serve([ScriptedAnswer::text(text.clone())]);
        assert_eq!(given(ask(&server, "openai").await).0, opinion(), "{text}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn where_a_tool_is_forced_only_what_it_is_called_with_counts() {
    for vendor in ["anthropic", "groq"] {
        let server = serve([ScriptedAnswer::text(good().to_string())]);
        let (why, _) = absent(ask(&server, vendor).await);
        assert_eq!(why, "it does not call the tool 'opinion', twice", "{vendor}");
        let server = serve([ScriptedAnswer::default().tool("verdict", good())]);
        let (why, _) = absent(ask(&server, vendor).await);
        assert_eq!(why, "it calls the tool 'verdict', and not 'opinion', twice", "{vendor}");
        let better = json!({"score": 9.5, "reason": null, "fixes": []});
        let server = serve([ScriptedAnswer::json(good()).tool("opinion", better)]);
        let (why, _) = absent(ask(&server, vendor).await);
        assert_eq!(
            why, "it calls the tool 'opinion' with two different answers: give one, twice",
            "{vendor}"
        );
        let beside = ScriptedAnswer::json(good()).tool("note", json!({"text": "done"}));
        assert_eq!(given(ask(&serve([beside]), vendor).await).0, opinion(), "{vendor}");
    }
}

#[tokio::test]
async fn a_comma_too_many_is_forgiven() {
    let text = good().to_string().replace("]}", ",],}");
    let server = serve([ScriptedAnswer::text(text)]);
    assert_eq!(given(ask(&server, "openai").await).0, opinion());
}

#[tokio::test]
async fn a_wrong_answer_may_be_put_right_once() {
    for vendor in FORMATS {
        let wrong = json!({"score": "seven", "reason": null, "fixes": []});
        let server =
            serve([ScriptedAnswer::json(wrong).usage(10, 5), ScriptedAnswer::json(good()).usage(20, 5)]);
        assert_eq!(given(ask(&server, vendor).await), (opinion(), 40));
        let calls = server.calls();
        let messages = calls[1].body["messages"].as_array().unwrap();
        let [_, said, correction] = messages.as_slice() else { panic!("{messages:?}") };
        assert!(said["content"].as_str().unwrap().contains("seven"));
        let correction = correction["content"].as_str().unwrap();
        assert!(correction.contains("invalid type: string \"seven\"") && correction.contains("\"fixes\""));
    }
}

#[tokio::test]
async fn a_check_counts_as_part_of_the_shape() {
    let high = json!({"score": 75.0, "reason": null, "fixes": []});
    let server = serve([ScriptedAnswer::json(high), ScriptedAnswer::json(good())]);
    let check = |opinion: &Opinion| match opinion.score {
        0.0..=10.0 => Ok(()),
        score => Err(format!("the score is {score}, and 10 is the most")),
    };
    let answer = client(&server, "anthropic").ask_checked(&question(), check).await.unwrap();
    assert_eq!(given(answer).0, opinion());
    assert!(server.calls()[1].body.to_string().contains("the score is 75, and 10 is the most"));
}

#[tokio::test]
async fn twice_wrong_is_absent() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::text("I like it.").usage(10, 5)]);
        let (why, tokens) = absent(ask(&server, vendor).await);
        assert!(why.ends_with(", twice"), "{why}");
        assert_eq!((tokens, server.requests().len()), (30, 2));
    }
}

#[tokio::test]
async fn a_service_that_fails_gives_no_answer() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::status(401)]);
        assert_eq!(absent(ask(&server, vendor).await).0, "the script says 401");
        assert_eq!(server.requests().len(), 1);
        let server = serve([ScriptedAnswer::json(good()).stop_reason("max_tokens")]);
        assert!(absent(ask(&server, vendor).await).0.contains("500 tokens"));
    }
}

#[tokio::test]
async fn a_service_that_takes_no_shapes_is_asked_in_words() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::status(400), ScriptedAnswer::text(format!("Sure: {}", good()))]);
        assert_eq!(given(ask(&server, vendor).await).0, opinion());
        let body = &server.calls()[1].body;
        assert_eq!((&body["tools"], &body["response_format"]), (&Value::Null, &Value::Null));
        assert!(body.to_string().contains("JSON schema"));
    }
}

#[tokio::test]
async fn a_broken_answer_is_asked_for_again_from_the_start() {
    for vendor in FORMATS {
        for kind in [BreakKind::Close, BreakKind::Truncate, BreakKind::Error] {
            let server = serve([
                ScriptedAnswer::json(good()).chunk(5).breaks(kind, 4),
                ScriptedAnswer::json(good()).chunk(5),
            ]);
            assert_eq!(given(ask(&server, vendor).await).0, opinion(), "{vendor} {kind:?}");
            assert_eq!(server.requests().len(), 2);
        }
    }
}
