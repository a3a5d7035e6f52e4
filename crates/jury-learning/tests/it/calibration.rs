//! Judges against people: the report, the gate, which score predicts, and drift.

use jury_core::judge::{Dimensions, JudgeDimension, JudgeVerdict};
use jury_core::random::Random;
use jury_learning::calibration::{Influence, JudgeRecord, Label, Pair, ScoredRun, calibrate, predict};
use jury_learning::drift::{Anchor, Moved, drift};
use jury_learning::interval::Estimate;

use crate::stage::{at, bead, marks};

fn typical(verdict: JudgeVerdict) -> Dimensions {
    match verdict {
        JudgeVerdict::Pass => marks(0.9, 0.9, 0.9, 0.9),
        JudgeVerdict::Partial => marks(0.6, 0.6, 0.6, 0.6),
        JudgeVerdict::Fail => marks(0.2, 0.2, 0.2, 0.2),
    }
}

fn pairs(table: [[usize; 3]; 3]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (person, row) in JudgeVerdict::ALL.iter().zip(table) {
        for (judge, count) in JudgeVerdict::ALL.iter().zip(row) {
            for _ in 0..count {
                let label = Label {
                    note: String::new(),
                    bead: bead(&format!("bd-{}", pairs.len())),
                    rater: "eve".to_owned(),
                    verdict: *person,
                    dimensions: Some(typical(*person)),
                    at: at(0),
                };
                pairs.push(Pair { people: vec![label], verdict: *judge, dimensions: typical(*judge) });
            }
        }
    }
    pairs
}

/// The table of the test of κ by hand: 1 − 15 ÷ 53.
#[test]
fn a_report_has_the_figures() {
    let report = calibrate(&pairs([[10, 2, 1], [3, 8, 2], [0, 4, 10]]), &mut Random::new(3));
    assert_eq!(report.runs, 40);
    assert_eq!(report.confusion, [[10, 2, 1], [3, 8, 2], [0, 4, 10]]);
    let kappa = report.kappa.unwrap();
    assert!((kappa.value - (1.0 - 15.0 / 53.0)).abs() < 1e-12);
    assert!(kappa.low < kappa.value && kappa.value < kappa.high);
    assert!((report.sensitivity.value - 10.0 / 13.0).abs() < 1e-12);
    assert!((report.specificity.value - 24.0 / 27.0).abs() < 1e-12);
    // 0.3 · 5 between pass and partial, 0.4 · 6 between partial and fail, 0.7 once: 4.6 of 40. Too harsh: 2·0.3 + 0.7 +
    // 2·0.4 = 2.1; too kind: 3·0.3 + 4·0.4 = 2.5.
    let correctness = report.dimensions[0];
    assert_eq!(correctness.dimension, JudgeDimension::Correctness);
    assert!((correctness.mean_absolute_error - 0.115).abs() < 1e-9, "{correctness:?}");
    assert!((correctness.bias - 0.01).abs() < 1e-9, "{correctness:?}");
    // One person alone agrees with nobody.
    assert_eq!(report.alpha_of_people, None);
    assert!(report.alpha.unwrap().value > 0.6);
    assert_eq!(calibrate(&pairs([[10, 2, 1], [3, 8, 2], [0, 4, 10]]), &mut Random::new(3)), report);
}

#[test]
fn nothing_is_earned_below_the_bar_with_few_labels_or_without_any() {
    let earned = |table| Influence::of(Some(&calibrate(&pairs(table), &mut Random::new(1))), false);
    assert!(earned([[10, 2, 1], [3, 8, 2], [0, 4, 10]]).counts());
    assert!(!earned([[5, 4, 4], [4, 5, 4], [4, 4, 5]]).counts());
    assert!(!earned([[5, 0, 0], [0, 5, 0], [0, 0, 5]]).counts());
    assert!(!earned([[40, 0, 0], [0, 0, 0], [0, 0, 0]]).counts());
    assert!(!Influence::of(None, false).counts());
    assert!(Influence::of(None, true).counts());
    assert_eq!(
        earned([[5, 0, 0], [0, 5, 0], [0, 0, 5]]).reason(),
        "judgements do not count: κ 1 over 15 labelled runs, 0.6 over 20 is needed"
    );
}

#[test]
fn the_score_that_predicts_people_is_told() {
    let mut random = Random::new(5);
    let scored: Vec<ScoredRun> = (0..200)
        .map(|number| {
            let label = if number % 2 == 0 { JudgeVerdict::Pass } else { JudgeVerdict::Fail };
            // The checks pass anyway; the judge sees it.
            ScoredRun { label, mechanical: random.unit(), blended: 0.7 * random.unit() + 0.3 * label.value() }
        })
        .collect();
    let prediction = predict(&scored, &mut random).unwrap();
    assert!(prediction.difference.low > 0.0, "{prediction:?}");
    assert!(prediction.line().starts_with("the blended score predicts what people say better"));
    let same: Vec<ScoredRun> =
        scored.iter().map(|scored| ScoredRun { mechanical: scored.blended, ..*scored }).collect();
    assert!(predict(&same, &mut random).unwrap().line().starts_with("neither"));
    assert!(predict(&scored[..1], &mut random).is_none());
    // By hand: passes at 0.9 and 0.5, others at 0.5 and 0.1: 3.5 of 4 pairs.
    let small = [
        (JudgeVerdict::Pass, 0.9),
        (JudgeVerdict::Pass, 0.5),
        (JudgeVerdict::Fail, 0.5),
        (JudgeVerdict::Partial, 0.1),
    ]
    .map(|(label, score)| ScoredRun { label, mechanical: score, blended: score });
    assert!((predict(&small, &mut random).unwrap().blended.value - 0.875).abs() < 1e-12);
}

#[test]
fn anchors_tell_a_judge_that_moved_from_work_that_did() {
    let anchors = |moved: f64, count: usize| -> Vec<Anchor> {
        (0..count)
            .map(|number| {
                let noise = if number % 2 == 0 { 0.01 } else { -0.01 };
                let now = 0.8 + moved + noise;
                Anchor {
                    bead: bead(&format!("bd-{number}")),
                    then: marks(0.8, 0.8, 0.8, 0.8),
                    now: marks(now, now, now, now),
                }
            })
            .collect()
    };
    let mut random = Random::new(2);
    let fell = Some(Estimate { value: -0.3, low: -0.4, high: -0.2 });
    assert_eq!(drift(&anchors(0.0, 10), None, &mut random).moved, Moved::Nothing);
    assert_eq!(drift(&anchors(0.0, 10), fell, &mut random).moved, Moved::Work);
    let judge = drift(&anchors(-0.2, 10), fell, &mut random);
    assert_eq!((judge.moved, judge.flipped.len()), (Moved::Judge, 10));
    assert!(judge.dimensions.iter().all(|shift| (shift.by + 0.2).abs() < 1e-9));
    assert_eq!(drift(&anchors(-0.2, 4), fell, &mut random).moved, Moved::Unknown);
    assert_eq!(drift(&[], None, &mut random).moved, Moved::Unknown);
}

#[test]
fn judges_count_by_their_own_labels() {
    let judge = |name: &str, kappa: Option<f64>, runs: u64, days: std::ops::Range<i64>| JudgeRecord {
        name: name.to_owned(),
        kappa,
        runs,
        judged_at: days.map(|day| jiff::Timestamp::from_second(day * 86_400).ok()).collect(),
    };
    let good = judge("good", Some(0.8), 20, 0..80);
    let counts = |others: &[JudgeRecord]| {
        Influence::of_judges(&[std::slice::from_ref(&good), others].concat()).counts()
    };
    assert!(counts(&[]));
    assert!(!Influence::of_judges(&[]).counts());
    assert!(!Influence::of_judges(&[judge("few", Some(0.9), 19, 0..80)]).counts());
    // A fifth since it began is too much, even if it is little of all.
    assert!(counts(&[judge("rare", None, 0, 0..19)]));
    assert!(!counts(&[judge("half", None, 0, 0..20)]));
    assert!(!counts(&[judge("new", Some(0.5), 30, 79..81)]));
    assert!(counts(&[judge("new", Some(0.6), 20, 79..81)]));
    // Several that are rare each are not rare together.
    let rare = [judge("a", None, 0, 0..10), judge("b", None, 0, 0..10)];
    assert!(!counts(&rare) && counts(&rare[..1]));
    let reason = Influence::of_judges(&[good.clone(), judge("new", None, 3, 79..90)]).reason();
    assert_eq!(
        reason,
        "judgements do not count: κ of new is not known over 3 labelled runs, 0.6 over 20 is needed"
    );
}
