//! Measured facts on the command line: an invented testimonial does not go live, whatever a model says of it.

use jury_testkit::model::{ModelServer, Script, ScriptedAnswer};
use serde_json::{Value, json};

use super::workplace;

const INVENTED: &str =
    "The bench was full before spring.\n\n\"I was paid in two days and cried.\" — Ana P., Lisbon\n";

/// The page of the documents with a customer in it whom nobody knows.
fn page() -> Value {
    json!({
        "name": "Spokebook",
        "title": "Bike repair shop software for small shops | Spokebook",
        "description": "Bike repair shop software for independent shops.",
        "hero": { "headline": "Bike repair shop software that keeps promises",
            "subheadline": "For independent bike shops.",
            "cta": { "label": "Plan your first week", "href": "https://spokebook.example/start" } },
        "sections": [{ "kind": "proof", "heading": "What shops say",
            "quotes": [{ "text": "I was paid in two days and cried.", "source": "Ana P., Lisbon" }] }],
    })
}

/// A service whose author invents a customer and whose critics like everything.
fn service() -> ModelServer {
    let critique = json!({ "score": 10, "pass": true, "issues": [], "statuses": [] });
    ModelServer::start(Script::new([
        ScriptedAnswer::json(json!({ "advisors": ["april-dunford", "seo-expert"] }))
            .when("You choose who reviews"),
        ScriptedAnswer::json(page()).when("from documents that somebody else has written"),
        ScriptedAnswer::json(page()).when("that advisors have reviewed"),
        ScriptedAnswer::json(critique).when("You look at it in your field"),
    ]))
    .unwrap()
}

#[test]
fn an_invented_testimonial_does_not_go_live_whatever_the_models_say() {
    let cx = workplace();
    let server = service();
    let agent = format!(
        "[agents.local]\nvendor = \"anthropic\"\nbase_url = \"{}/v1\"\nkey_variable = \"MODEL_KEY\"\n",
        server.url()
    );
    cx.write("jury.toml", format!("{agent}allow_hosts = [\"127.0.0.1\"]\n"));
    let run = |mode: &str| {
        let args =
            ["content", "run", "website", "--idea", "ideas/acme", "--agent", "local", "--evidence", mode];
        cx.show(cx.jury().args(args).env("MODEL_KEY", "sk-for-a-test-0123456789"))
    };
    let held = run("gate");
    assert!(held.starts_with("exit: 4"), "{held}");
    assert!(held.contains("1 high open") && held.contains("(measured against the documents)"), "{held}");
    assert!(!cx.path(".od/sites/acme/current").exists(), "nothing is served");
    let open = cx.show(cx.jury().args(["content", "status", "last", "--format", "junit"]));
    assert!(open.contains("measured against the documents") && open.contains("<failure"), "{open}");
    assert!(cx.show(cx.jury().args(["content", "abandon", "last"])).starts_with("exit: 0"));
    let warned = run("warn");
    assert!(warned.starts_with("exit: 0"), "{warned}");
    assert!(warned.contains("evidence warn: 1 measured high finding does not decide"), "{warned}");
    let off = run("off");
    assert!(off.starts_with("exit: 0") && off.contains("evidence off: nothing was held against"), "{off}");
    let wrong = run("maybe");
    assert!(wrong.starts_with("exit: 2"), "{wrong}");
}

#[test]
fn the_variable_says_what_is_made_of_it_and_the_flag_beats_it() {
    let cx = workplace();
    cx.write("post.md", INVENTED);
    let run = |more: &[&str]| {
        let mut command = cx.jury();
        command
            .args(["content", "run", "social-post", "--idea", "ideas/acme", "--draft", "post.md"])
            .args(more);
        cx.show(command.env("OD_CRITIQUE_EVIDENCE", "off"))
    };
    let off = run(&[]);
    assert!(off.contains("evidence off") && !off.contains("measured against"), "{off}");
    cx.show(cx.jury().args(["content", "abandon", "last"]));
    let gate = run(&["--evidence", "gate"]);
    assert!(!gate.starts_with("exit: 0") && gate.contains("measured against the documents"), "{gate}");
}

#[test]
fn a_judgement_is_signed_with_a_method_and_not_with_a_person() {
    let cx = workplace();
    let run = ["content", "run", "website", "--idea", "ideas/acme", "--no-publish"];
    let shown = cx.show(cx.jury().args(run));
    assert!(shown.contains("Positioning, after April Dunford's method"), "{shown}");
    let mut all = vec![shown];
    for args in [
        vec!["content", "status", "last"],
        vec!["content", "status", "last", "--format", "junit"],
        vec!["content", "status", "last", "--format", "markdown"],
        vec!["content", "status", "last", "--format", "html"],
        vec!["content", "recipes", "website"],
        vec!["replay", "last", "--speed", "instant"],
        vec!["report", "last"],
    ] {
        all.push(cx.show(cx.jury().args(&args)));
    }
    for text in all {
        for person in ["April Dunford", "Shirin Oreizy", "Richard Rumelt"] {
            let named = text.matches(person).count();
            let as_a_method = text.matches(&format!("after {person}'s method")).count()
                + text.matches(&format!("after {person}&#39;s method")).count()
                + text.matches(&format!("after {person}&apos;s method")).count();
            assert_eq!(named, as_a_method, "{text}");
        }
    }
}
