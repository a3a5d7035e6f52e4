//! What comes back is held against the page that was handed in.

use std::path::Path;

use jury_agents::decoder::Format;
use jury_core::evidence::EvidenceMode;
use jury_core::outcome::TheaterStatus;
use jury_core::request::RunRequest;
use jury_core::settings::CritiqueConfig;
use jury_engine::{Agent, Panel};
use tokio_util::sync::CancellationToken;

use crate::bench_of_agents::{Cast, Ran, answer, patient, prints, round, run_request, ship};

const GIVEN: &str = r#"<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Oven bakery</title>
<style>body{font:18px/1.5 sans-serif;color:#111;background:#fff;margin:24px}</style></head><body>
<header><h1>Bread from our own oven</h1></header>
<main><h2>What we bake</h2>
<p id="lead">We bake every night in Leipzig. The shop opens at seven and closes when the shelves are empty.</p>
<ul><li>Sourdough, €6.50</li><li>Rye loaf, €5.20</li><li>Poppy seed roll, €0.90</li></ul>
<p id="contact">Call <a href="tel:+493411234567">0341 1234567</a> or visit <a href="https://oven.example/shop">our shop</a>.</p>
<form action="/order" method="post"><label for="mail">Mail</label><input id="mail" name="mail" type="email" autocomplete="email">
<button>Order bread</button></form></main></body></html>"#;

const OTHER: &str = r#"<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>The larder</title>
<style>body{font:18px/1.5 sans-serif;color:#111;background:#fff;margin:24px}</style></head><body>
<header><h1>The larder</h1></header><main><h2>Cheese and wine</h2>
<p>Our small place near the river has cheese from the mountains and wine that goes with it. Come in and try both of them.</p>
</main></body></html>"#;

async fn run(evidence: EvidenceMode, brief: Option<&str>, draft: &str) -> Ran {
    let text = answer(&[round(1, "9.0", Some(draft), &[])], &ship(1, draft));
    let config = CritiqueConfig { evidence, ..patient() };
    let cast = |dir: &Path| Cast {
        panel: Panel::Sits,
        agent: Agent::Program {
            invocation: prints(dir, &text, "exit 0"),
            format: Format::Plain,
            silence: None,
        },
        legacy: None,
    };
    let request =
        RunRequest { page: Some(GIVEN.to_owned()), brief: brief.map(str::to_owned), ..RunRequest::default() };
    let id = "scripted".parse().unwrap();
    run_request(id, config, Some(request), cast, |_| {}, CancellationToken::new()).await
}

#[tokio::test]
async fn a_page_that_was_replaced_ships_in_no_mode() {
    for evidence in [EvidenceMode::Off, EvidenceMode::Warn, EvidenceMode::Gate] {
        let ran = run(evidence, None, OTHER).await;
        assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold), "{evidence}: {:?}", ran.board);
    }
}

#[tokio::test]
async fn the_page_itself_ships_in_every_mode() {
    for evidence in [EvidenceMode::Off, EvidenceMode::Warn, EvidenceMode::Gate] {
        let ran = run(evidence, None, GIVEN).await;
        assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped), "{evidence}: {:?}", ran.board);
    }
}

#[tokio::test]
async fn a_loss_holds_a_ship_at_the_gate_and_is_said_by_a_warning() {
    let without = GIVEN.replace("<li>Rye loaf, €5.20</li>", "");
    let ran = run(EvidenceMode::Gate, None, &without).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold), "{:?}", ran.board);
    let ran = run(EvidenceMode::Warn, None, &without).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped));
    let said: Vec<&str> = ran.board.rounds[0].evidence.iter().map(|item| item.check.as_str()).collect();
    assert!(said.contains(&"user/lost-words") && said.contains(&"user/lost-figures"), "{said:?}");
}

#[tokio::test]
async fn a_brief_may_ask_for_a_loss() {
    let without = GIVEN.replace("<li>Rye loaf, €5.20</li>", "");
    let ran = run(EvidenceMode::Gate, Some("Remove the rye loaf from the list."), &without).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::Shipped), "{:?}", ran.board);
    let ran = run(EvidenceMode::Gate, Some("Make it friendlier."), &without).await;
    assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold));
}

#[tokio::test]
async fn what_replaces_a_page_that_stays_in_it_out_of_sight_does_not_ship() {
    let body = GIVEN.split("<body>").nth(1).unwrap().split("</body>").next().unwrap();
    let hidden = OTHER.replace("</main>", &format!("</main><div style=\"display:none\">{body}</div>"));
    for evidence in [EvidenceMode::Off, EvidenceMode::Warn, EvidenceMode::Gate] {
        let ran = run(evidence, None, &hidden).await;
        assert_eq!(ran.board.status(), Some(TheaterStatus::BelowThreshold), "{evidence}");
    }
}
