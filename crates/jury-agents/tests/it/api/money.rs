//! What answers cost, and budgets.

use jury_agents::api::{ApiPiece, Budget, ModelPrompt, Settings};
use jury_agents::decoder::SelfReport;
use jury_core::event::{AgentNoteKind, Usage};
use jury_testkit::model::{BreakKind, ModelServer, ScriptedAnswer};

use super::{FORMATS, PATIENCE, client, client_with, listen, prompt, say, serve, settings};

fn with_budget(server: &ModelServer, vendor: &str, budget: &Budget) -> jury_agents::api::Client {
    client_with(vendor, Settings { budget: Some(budget.clone()), ..settings(server) })
}

fn near(usage: Usage, input_tokens: u64, output_tokens: u64, cost: f64) {
    assert_eq!((usage.input_tokens, usage.output_tokens), (input_tokens, output_tokens));
    assert!((usage.cost_usd.unwrap() - cost).abs() < 1e-12, "{usage:?} is not {cost}");
}

#[tokio::test]
async fn tokens_and_cost_are_what_the_service_counts_at_the_vendors_price() {
    for (vendor, cost) in [("anthropic", 0.004), ("openai", 0.000_65), ("llama.cpp", 0.0)] {
        let server = serve([ScriptedAnswer::text("Snow.").usage(1000, 200)]);
        let mut session = client(&server, vendor).session(&prompt()).unwrap();
        let said = listen(&mut session).await.unwrap();
        let notes: Vec<_> = said.notes.iter().filter(|note| note.kind == AgentNoteKind::Usage).collect();
        assert_eq!(notes.len(), 1);
        near(notes[0].usage.unwrap(), 1000, 200, cost);
        near(session.usage(), 1000, 200, cost);
    }
}

#[tokio::test]
async fn a_call_that_may_cost_too_much_is_not_made() {
    for vendor in FORMATS {
        let server = serve([ScriptedAnswer::text("Snow.")]);
        for budget in [Budget::new(None, Some(1000)), Budget::new(Some(0.001), None)] {
            let client = with_budget(&server, vendor, &budget);
            let mut session = client.session(&prompt()).unwrap();
            let error = listen(&mut session).await.unwrap_err();
            assert_eq!(error.kind(), "budget", "{error}");
            assert_eq!((budget.spent(), budget.reserved().output_tokens), (Usage::default(), 0));
            assert!(matches!(session.next().await.unwrap(), ApiPiece::End(SelfReport::Failed { .. })));
        }
        assert_eq!(server.requests(), []);
    }
}

#[tokio::test]
async fn a_budget_is_charged_with_what_was_used_until_it_is_spent() {
    let server = serve([ScriptedAnswer::text("Snow.").usage(400, 300)]);
    // A call may take 1,000 tokens and what it asks with; it does take 700.
    let budget = Budget::new(None, Some(2600));
    let client = with_budget(&server, "anthropic", &budget);
    for calls in 1..=2 {
        assert_eq!(say(&client).await.verdict, SelfReport::Fine);
        near(budget.spent(), 400 * calls, 300 * calls, 0.0038 * f64::from(u32::try_from(calls).unwrap()));
        assert_eq!(budget.reserved().input_tokens, 0);
    }
    let error = listen(&mut client.session(&prompt().max_tokens(1300)).unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("1200 tokens of the budget is left"), "{error}");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_calls_at_once_only_what_is_left_is_allowed() {
    let server = serve([ScriptedAnswer::text("Snow.").breaks(BreakKind::Stall, 1)]);
    let budget = Budget::new(None, Some(2000));
    let client = with_budget(&server, "openai", &budget);
    let mut first = client.session(&prompt()).unwrap();
    while !matches!(first.next().await.unwrap(), ApiPiece::Text(_)) {}
    let error = listen(&mut client.session(&prompt()).unwrap()).await.unwrap_err();
    assert_eq!(error.kind(), "budget");
    let asked = budget.reserved();
    drop(first);
    assert!(server.wait_for_abandoned(1, PATIENCE));
    let spent = budget.spent();
    assert_eq!(spent.input_tokens, asked.input_tokens, "a call that was ended has been read");
    assert_eq!((spent.output_tokens, budget.reserved().output_tokens), (2, 0));
}

#[tokio::test]
async fn attempts_that_broke_are_paid_too() {
    let server = serve([
        ScriptedAnswer::text("lost").usage(500, 7).breaks(BreakKind::Truncate, 0),
        ScriptedAnswer::text("Snow.").usage(500, 20),
    ]);
    let budget = Budget::new(None, None);
    let said = say(&with_budget(&server, "anthropic", &budget)).await;
    assert_eq!(said.verdict, SelfReport::Fine);
    near(budget.spent(), 1000, 21, 1000.0 * 2e-6 + 21.0 * 10e-6);
    let usages = said.notes.iter().filter_map(|note| note.usage).fold(Usage::default(), Usage::plus);
    assert_eq!(usages, budget.spent());
}

#[tokio::test]
async fn a_budget_in_money_needs_a_price() {
    let server = serve([ScriptedAnswer::text("Snow.")]);
    let model = Some("unheard-of".to_owned());
    let budget = Some(Budget::new(Some(100.0), None));
    let client = client_with("anthropic", Settings { model, budget, ..settings(&server) });
    assert_eq!(client.session(&ModelPrompt::new("?")).err().unwrap().kind(), "no_price");
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn a_service_that_does_not_count_is_estimated() {
    let server = serve([ScriptedAnswer::text("x".repeat(400)).usage(9, 9)]);
    // It sends no usage when it is not asked to, as Mistral is not.
    let said = say(&client(&server, "mistral")).await;
    let note = said.notes.iter().find(|note| note.kind == AgentNoteKind::Usage).unwrap();
    assert_eq!(note.detail, "estimated");
    assert_eq!(note.usage.unwrap().output_tokens, 100);
}
