//! What the grammar for constrained services allows passes conformance: jury must not ask for one form and judge by another.

use jury_core::conformance::{Assertion, Class, ConformanceVerdict, examine};
use jury_core::evidence::EvidenceMode;
use jury_core::protocol::gbnf;
use jury_core::role::Role;
use jury_core::settings::CritiqueConfig;
use jury_testkit::random::TestRandom;
use proptest::prelude::*;

use super::answers::subject;
use crate::parser::gbnf::Grammar;

/// The grammar is about form. A page that is HTML and scores that are meant are the agent's part, so they are put in.
fn grammar_with(config: &CritiqueConfig, score: &str) -> Grammar {
    const PAGE: &str = r#""<!doctype html>\n<html lang='en'><head><title>T</title></head><body><main><h1>Hi</h1></main></body></html>""#;
    let text = gbnf(config, 1_000).unwrap();
    let rules = text.lines().map(|line| match line.split_once(" ::= ") {
        Some(("page", _)) => format!("page ::= {PAGE}"),
        Some(("score", _)) => format!("score ::= \"{score}\""),
        Some(_) | None => line.to_owned(),
    });
    Grammar::read(&rules.collect::<Vec<_>>().join("\n"))
}

fn judged(answer: &str, config: &CritiqueConfig) -> ConformanceVerdict {
    examine(answer.as_bytes(), config, subject(), |_| Vec::new())
}

fn configs() -> impl Strategy<Value = CritiqueConfig> {
    let casts = prop_oneof![
        Just(Role::ALL.to_vec()),
        Just(vec![Role::Designer, Role::Critic]),
        Just(vec![Role::Designer, Role::Critic, Role::A11y]),
    ];
    (1_u32..=4, casts).prop_map(|(max_rounds, cast)| CritiqueConfig {
        max_rounds,
        cast,
        evidence: EvidenceMode::Off,
        ..CritiqueConfig::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_ship_as_the_grammar_writes_it_conforms(config in configs(), seed in any::<u64>()) {
        let answer = grammar_with(&config, "9.0").sentence(&mut TestRandom::new(seed), false);
        let verdict = judged(&answer, &config);
        if answer.contains("<SHIP ") {
            let shipped = ConformanceVerdict { class: Class::Shipped, clean_parse: true, breaches: Vec::new() };
            prop_assert_eq!(verdict, shipped, "{}", answer);
        } else {
            // An agent may stop without shipping; whatever is said of that, it is not said of its form beyond the missing
            // <SHIP>.
            let form: Vec<_> = verdict
                .breaches
                .iter()
                .filter(|breach| breach.assertion != Assertion::Ship && breach.detail != "there is no <SHIP>")
                .collect();
            prop_assert!(form.is_empty(), "{:?} {}", form, answer);
        }
    }

    #[test]
    fn a_run_below_the_bar_as_the_grammar_writes_it_is_read_cleanly(config in configs(), seed in any::<u64>()) {
        let answer = grammar_with(&config, "5.0").sentence(&mut TestRandom::new(seed), false);
        prop_assume!(!answer.contains("<SHIP "));
        let verdict = judged(&answer, &config);
        prop_assert!(verdict.clean_parse, "{:?} {}", verdict, answer);
        let only_ship = verdict.breaches.iter().all(|breach| breach.assertion == Assertion::Ship);
        prop_assert!(only_ship, "{:?} {}", verdict, answer);
    }
}
