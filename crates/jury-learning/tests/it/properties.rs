//! What holds whatever the order, the number and the cutting of records.

use std::collections::BTreeMap;

use jury_core::judge::{Bead, RunOutcome};
use jury_learning::agreement::{Metric, cohen_kappa, krippendorff_alpha};
use jury_learning::interval::Z_95;
use jury_learning::{Book, FeedbackLine, PatternRegistry, Shown, Sightings, scores};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::stage::{at, bead, line, record};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

const NAMES: [&str; 4] = ["scope-creep", "infra-tmux", "incomplete-work", "somebodys-own"];

fn patterns() -> impl Strategy<Value = Vec<String>> {
    proptest::sample::subsequence(NAMES.map(str::to_owned).to_vec(), 0..=4)
}

/// What a bead's feedback says: it ended at its own moment, with these patterns.
fn said() -> impl Strategy<Value = Vec<(u8, Vec<String>)>> {
    proptest::collection::btree_map(0_u8..40, patterns(), 0..30).prop_map(|map| map.into_iter().collect())
}

fn sightings(said: &[(u8, Vec<String>)]) -> Sightings {
    let mut sightings = Sightings::default();
    for (number, patterns) in said {
        for pattern in patterns {
            sightings.see(pattern, named(*number).as_str(), Some(at(i64::from(*number % 7))));
        }
    }
    sightings
}

fn named(number: u8) -> Bead {
    bead(&format!("bd-{number}"))
}

fn feedback() -> impl Strategy<Value = FeedbackLine> {
    let outcome = proptest::sample::select(RunOutcome::ALL);
    (0_i64..500, outcome, any::<bool>(), proptest::option::of(0_u8..=8), 0_usize..3).prop_map(
        |(number, outcome, retried, judged, template)| FeedbackLine {
            retried,
            // Eighths, so that sums are exact in any order.
            opus_quality_score: judged.map(|judged| f64::from(judged) / 8.0),
            failure_patterns: vec![NAMES[template].to_owned()],
            ..line(["a", "b", "c"][template], number, outcome)
        },
    )
}

fn unique(mut lines: Vec<FeedbackLine>) -> Vec<FeedbackLine> {
    lines.sort_by(|one, two| one.bead.cmp(&two.bead));
    lines.dedup_by(|one, two| one.bead == two.bead);
    lines
}

fn booked(lines: &[FeedbackLine]) -> Book {
    let mut book = Book::default();
    for line in lines {
        book.add(line);
    }
    book
}

/// JSON of any kind.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "\\PC{0,12}".prop_map(Value::from),
        proptest::sample::select(vec!["done", "failed", "pass", "../x", "9e999", "-1"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,5}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn sightings_merge_in_any_order_and_however_often(one in said(), two in said(), three in said()) {
        let (one, two, three) = (sightings(&one), sightings(&two), sightings(&three));
        let merged = |parts: &[&Sightings]| {
            let mut all = Sightings::default();
            for part in parts {
                all.merge(part);
            }
            all
        };
        let all = merged(&[&one, &two, &three]);
        prop_assert_eq!(&all, &merged(&[&three, &one, &two]));
        prop_assert_eq!(&all, &merged(&[&one, &merged(&[&two, &three])]));
        prop_assert_eq!(&all, &merged(&[&all, &all, &two]));
        prop_assert_eq!(all.registry(&PatternRegistry::default()), merged(&[&two, &one, &three]).registry(&PatternRegistry::default()));
    }

    #[test]
    fn collecting_in_any_order_and_again_makes_the_registry_of_all_feedback(said in said(), turn in 0_usize..30) {
        let mut order = said.clone();
        let length = order.len().max(1);
        order.rotate_left((turn % length).min(said.len()));
        let mut registry = PatternRegistry::default();
        for (number, patterns) in &order {
            let (bead, moment) = (named(*number), at(i64::from(*number % 7)));
            let shown = Shown { at: Some(moment), patterns };
            prop_assert!(registry.change(&bead, None, shown).is_empty());
            prop_assert!(registry.change(&bead, Some(shown), shown).is_empty());
        }
        prop_assert_eq!(&registry, &sightings(&said).registry(&PatternRegistry::default()));
        for entry in registry.0.values() {
            prop_assert!(entry.last_beads.len() <= 10);
        }
    }

    /// Runs under the same few names, again and again, with other moments and other patterns.
    #[test]
    fn a_registry_that_is_changed_is_the_one_that_all_records_make(
        steps in proptest::collection::vec((0_u8..25, 0_i64..40, patterns()), 0..60),
    ) {
        let all = |records: &BTreeMap<u8, (i64, Vec<String>)>| {
            let mut all = Sightings::default();
            for (number, (second, patterns)) in records {
                for pattern in patterns {
                    all.see(pattern, named(*number).as_str(), Some(at(*second)));
                }
            }
            all
        };
        let mut registry = PatternRegistry::default();
        let mut records: BTreeMap<u8, (i64, Vec<String>)> = BTreeMap::new();
        for (number, second, patterns) in steps {
            let before = records.insert(number, (second, patterns.clone()));
            let before = before.as_ref().map(|(second, patterns)| Shown { at: Some(at(*second)), patterns });
            let now = Shown { at: Some(at(second)), patterns: &patterns };
            let unsure = registry.change(&named(number), before, now);
            if !unsure.is_empty() {
                registry.settle(&unsure, &all(&records));
            }
        }
        prop_assert_eq!(&registry, &all(&records).registry(&PatternRegistry::default()));
    }

    #[test]
    fn what_a_run_no_longer_shows_is_taken_back(said in said()) {
        let mut registry = PatternRegistry::default();
        for (number, patterns) in &said {
            let unsure = registry.change(&named(*number), None, Shown { at: Some(at(0)), patterns });
            prop_assert!(unsure.is_empty());
        }
        for (number, patterns) in &said {
            let nothing = Shown { at: Some(at(0)), patterns: &[] };
            let unsure = registry.change(&named(*number), Some(Shown { at: Some(at(0)), patterns }), nothing);
            registry.settle(&unsure, &Sightings::default());
        }
        prop_assert_eq!(registry, PatternRegistry::default());
    }

    #[test]
    fn scores_do_not_depend_on_order_or_on_how_the_work_was_split(
        lines in proptest::collection::vec(feedback(), 0..60), cut in 0_usize..60,
    ) {
        let lines = unique(lines);
        let whole = booked(&lines);
        let mut backwards = lines.clone();
        backwards.reverse();
        prop_assert_eq!(scores(&whole, at(0)), scores(&booked(&backwards), at(0)));
        let (left, right) = lines.split_at(cut.min(lines.len()));
        let mut merged = booked(right);
        merged.merge(&booked(left));
        prop_assert_eq!(scores(&whole, at(0)), scores(&merged, at(0)));
    }

    #[test]
    fn every_score_lies_in_its_interval_and_between_zero_and_one(lines in proptest::collection::vec(feedback(), 1..60)) {
        for tally in booked(&unique(lines)).templates.values() {
            for estimate in [Some(tally.mechanical(Z_95)), tally.judged(Z_95), Some(tally.blended(Z_95))].into_iter().flatten() {
                prop_assert!(0.0 <= estimate.low && estimate.low <= estimate.value, "{:?}", estimate);
                prop_assert!(estimate.value <= estimate.high && estimate.high <= 1.0, "{:?}", estimate);
            }
            if tally.judged.count == 0 {
                prop_assert_eq!(tally.blended(Z_95), tally.mechanical(Z_95));
            }
        }
    }

    #[test]
    fn a_pass_more_never_lowers_a_score(lines in proptest::collection::vec(feedback(), 1..40)) {
        let lines = unique(lines);
        for (name, tally) in &booked(&lines).templates {
            let mut better = tally.clone();
            better.add(&line(name, 9999, RunOutcome::FullPass));
            prop_assert!(better.counts.score() >= tally.counts.score() - 1e-12);
        }
    }

    #[test]
    fn no_record_breaks_the_reader_of_feedback(key in proptest::sample::select(vec![
        "bead", "status", "exit_code", "agent", "attempt", "duration_seconds", "verification", "finished_at", "prompt",
        "failure_reason", "template_name",
    ]), value in any_json()) {
        let value = record(&json!({key: value}));
        let _line = FeedbackLine::of(&value);
    }

    #[test]
    fn agreement_is_at_most_one_and_does_not_care_who_is_who(pairs in proptest::collection::vec((0_usize..3, 0_usize..3), 1..40)) {
        let turned: Vec<_> = pairs.iter().map(|(one, two)| (*two, *one)).collect();
        let (kappa, other) = (cohen_kappa(&pairs, 3), cohen_kappa(&turned, 3));
        match (kappa, other) {
            (Some(kappa), Some(other)) => {
                prop_assert!((kappa - other).abs() < 1e-9 && (-1.0 - 1e-9..=1.0 + 1e-9).contains(&kappa));
            }
            (kappa, other) => prop_assert_eq!(kappa, other),
        }
        let units = |gap: bool| -> Vec<Vec<Option<usize>>> {
            pairs.iter().map(|(one, two)| {
                let both = [Some(*one), Some(*two)];
                if gap { vec![both[1], None, both[0]] } else { both.to_vec() }
            }).collect()
        };
        for metric in [Metric::Nominal, Metric::Ordinal, Metric::Interval] {
            let (plain, gap) = (krippendorff_alpha(&units(false), 3, metric), krippendorff_alpha(&units(true), 3, metric));
            prop_assert_eq!(plain.is_some(), gap.is_some());
            if let (Some(plain), Some(gap)) = (plain, gap) {
                prop_assert!((plain - gap).abs() < 1e-9 && plain <= 1.0 + 1e-9);
            }
        }
    }
}
