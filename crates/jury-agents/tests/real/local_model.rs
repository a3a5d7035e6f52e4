//! The client against llama.cpp's own server, with a real model behind it.

use jury_agents::api::{ApiPiece, Client, ModelAnswer, ModelPrompt, ModelQuestion, Settings, Vendor};
use jury_agents::decoder::SelfReport;
use jury_testkit::local::LocalModel;
use schemars::JsonSchema;
use serde::Deserialize;

fn client(model: &LocalModel) -> Client {
    let settings = Settings { base_url: Some(format!("{}/v1", model.url())), ..Settings::default() };
    Client::new(Vendor::find("llama.cpp").unwrap(), settings).unwrap()
}

/// What a critic thinks.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "that there is a value says enough")]
struct Opinion {
    good: bool,
    mood: Mood,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mood {
    Calm,
    Loud,
}

#[tokio::test]
async fn an_answer_has_the_shape_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let model = LocalModel::start(folder.path()).unwrap();
    let prompt = ModelPrompt::new("Is bread good?").max_tokens(200);
    let question = ModelQuestion::new("opinion", "What you think of it.", prompt);
    match client(&model).ask::<Opinion>(&question).await.unwrap() {
        ModelAnswer::Given(_, usage) => {
            assert!(usage.input_tokens > 0 && usage.output_tokens > 0, "{usage:?}");
        }
        ModelAnswer::Absent { why, .. } => panic!("absent: {why}\n{}", model.log()),
    }
}

#[tokio::test]
async fn a_grammar_is_obeyed_and_tokens_are_counted_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let model = LocalModel::start(folder.path()).unwrap();
    let grammar = Some("root ::= [a-c]{1,20} \"!\"".to_owned());
    let prompt = ModelPrompt { grammar, ..ModelPrompt::new("Say hello.") };
    let mut session = client(&model).session(&prompt).unwrap();
    let (mut answer, mut counted) = (String::new(), 0);
    loop {
        match session.next().await.unwrap() {
            ApiPiece::Text(text) => answer.push_str(text),
            ApiPiece::Note(_) => continue,
            ApiPiece::End(verdict) => break assert_eq!(verdict, SelfReport::Fine),
        }
        counted = counted.max(session.under_way().output_tokens);
    }
    let letters = answer.strip_suffix('!').unwrap();
    assert!(
        (1..=20).contains(&letters.len()) && letters.chars().all(|c| ('a'..='c').contains(&c)),
        "{answer}"
    );
    assert!(counted > 0 && counted <= session.usage().output_tokens, "{counted} {:?}", session.usage());
}
