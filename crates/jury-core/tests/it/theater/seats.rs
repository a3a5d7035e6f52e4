//! Seats that were added to the fixed cast: they obey the rules of every panelist, and change nothing without a weight.

use jury_core::event::TheaterEvent;
use jury_core::evidence::{EvidenceMode, SeatDimension, SeatMeasure};
use jury_core::outcome::{Decision, TheaterStatus};
use jury_core::protocol::{Parser, ParserLimits, gbnf};
use jury_core::role::Role;
use jury_core::score::Score;
use jury_core::seat::{MeasuredSeat, PlayedBy, SeatRequest};
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{
    Board, Opening, Plan, RunBudget, TheaterEffect, TheaterInput, TheaterOutput, Witness,
};
use jury_core::warning::WarningKind;
use proptest::prelude::*;

use super::script::round;
use super::stage::{Stage, sample};

fn legal(weight: f64) -> SeatRequest {
    SeatRequest {
        place: "critique.seats.legal in jury.toml".to_owned(),
        name: "legal".to_owned(),
        looks_at: Some("claims and terms".to_owned()),
        dimensions: Some(vec!["claims".to_owned(), "terms".to_owned()]),
        weight: Some(weight),
        ..SeatRequest::default()
    }
}

fn measured(name: &str, weight: f64) -> SeatRequest {
    SeatRequest {
        place: format!("--seat {name}"),
        name: name.to_owned(),
        weight: Some(weight),
        ..SeatRequest::default()
    }
}

fn with(seats: &[SeatRequest]) -> CritiqueConfig {
    CritiqueConfig::default().with_seats(seats).unwrap()
}

fn seat(name: &str) -> Role {
    Role::Seat(name.parse().unwrap())
}

/// Plays a round and gives the board.
fn played(config: CritiqueConfig, panelists: &str) -> Board {
    let mut stage = Stage::new(config);
    stage.play(&round(panelists));
    stage.theater.board().clone()
}

fn end(board: &Board) -> &jury_core::event::RoundEnd {
    board.rounds[0].end.as_ref().unwrap()
}

const FOUR: &str = "critic 9\n brand 9\n a11y 9\n copy 9";

#[test]
fn a_seat_of_the_users_own_is_read_and_weighed() {
    let config = with(&[legal(1.0)]);
    let board = played(
        config.clone(),
        &format!(
            "{FOUR}\n <PANELIST role=\"Legal\" score=\"5\"><DIM name=\"claims\" score=\"5\">No source for 99 %.</DIM></PANELIST>"
        ),
    );
    // (0.4 + 0.2 + 0.2 + 0.2) * 9 + 1.0 * 5, over 2.
    assert!((end(&board).composite.0 - 7.0).abs() < 1e-9, "{:?}", end(&board));
    let review = board.rounds[0].review(seat("legal")).unwrap();
    assert_eq!((review.score.unwrap().0, review.dimensions[0].name.as_str()), (5.0, "claims"));
    assert_eq!(board.status(), Some(TheaterStatus::BelowThreshold));
    let started = serde_json::to_value(board.started.unwrap()).unwrap();
    assert_eq!(started["cast"][5], "legal");
    assert_eq!(started["seats"][0]["playedBy"], "agent");
    // A model can be held to it.
    assert!(gbnf(&config, 10).unwrap().contains("seat-legal ::= \"<PANELIST role=\\\"legal\\\""));
}

#[test]
fn a_seat_that_is_not_cast_is_dropped_as_before() {
    let line =
        format!("{FOUR}\n <PANELIST role=\"legal\" score=\"1\"><MUST_FIX>All of it.</MUST_FIX></PANELIST>");
    let board = played(CritiqueConfig::default(), &line);
    assert_eq!(board.rounds[0].reviews.len(), 5);
    assert_eq!(end(&board).decision, Decision::Ship);
    let started = serde_json::to_value(board.started.unwrap()).unwrap();
    assert_eq!(started.get("seats"), None, "the default cast says nothing of seats");
}

#[test]
fn an_added_seat_with_a_weight_is_missed_and_one_without_is_not() {
    let board = played(with(&[legal(0.2)]), FOUR);
    assert_eq!((end(&board).decision, end(&board).must_fix), (Decision::Continue, 1));
    assert!(end(&board).reason.contains("absent: legal"), "{}", end(&board).reason);
    let board = played(with(&[legal(0.0)]), FOUR);
    assert_eq!((end(&board).decision, end(&board).must_fix), (Decision::Ship, 0));
}

#[test]
fn a_seat_without_a_weight_advises_and_holds_nothing() {
    let asks = format!(
        "{FOUR}\n <PANELIST role=\"legal\" score=\"1\" must_fix=\"1\"><MUST_FIX>Name the source of 99 %.</MUST_FIX></PANELIST>"
    );
    let board = played(with(&[legal(0.0)]), &asks);
    assert_eq!((end(&board).decision, end(&board).must_fix), (Decision::Ship, 0));
    let review = board.rounds[0].review(seat("legal")).unwrap();
    assert_eq!(review.dimensions[0].note, "Name the source of 99 %.");
    assert_eq!(board.ledger.entries().count(), 0);
    // The same words hold the round when the seat counts.
    let board = played(with(&[legal(0.1)]), &asks);
    assert_eq!((end(&board).decision, end(&board).must_fix), (Decision::Continue, 1));
}

#[test]
fn what_cannot_be_a_seat_is_refused_in_one_line() {
    let refused =
        |request: SeatRequest| CritiqueConfig::default().with_seats(&[request]).unwrap_err().to_string();
    let legal = || legal(0.2);
    for (request, said) in [
        (
            SeatRequest { name: "Legal".to_owned(), ..legal() },
            "in jury.toml is 'Legal': it must be a lowercase letter",
        ),
        (SeatRequest { name: "critic".to_owned(), ..legal() }, "is 'critic'"),
        (
            SeatRequest { weight: Some(-1.0), ..legal() },
            "weight of critique.seats.legal in jury.toml is '-1'",
        ),
        (SeatRequest { weight: Some(f64::NAN), ..legal() }, "a number from 0 to 1000"),
        (SeatRequest { weight: Some(4.0), ..legal() }, "leaves the critic a tenth"),
        (SeatRequest { looks_at: None, ..legal() }, "looks_at of"),
        (SeatRequest { looks_at: Some("x".repeat(301)), ..legal() }, "1 to 300 characters"),
        (SeatRequest { looks_at: Some("a\nb".to_owned()), ..legal() }, "on one line"),
        (SeatRequest { looks_at: Some("</PAGE>".to_owned()), ..legal() }, "without < and >"),
        (SeatRequest { dimensions: None, ..legal() }, "dimensions of"),
        (SeatRequest { dimensions: Some(vec!["a\"b".to_owned()]), ..legal() }, "letters, digits"),
        (SeatRequest { dimensions: Some(vec!["a".to_owned(); 2]), ..legal() }, "different names"),
        (SeatRequest { played_by: Some("claude".to_owned()), ..legal() }, "one agent in one session"),
        (SeatRequest { played_by: Some("jury".to_owned()), ..legal() }, "one agent in one session"),
        (
            SeatRequest { looks_at: Some("taste".to_owned()), ..measured("perf", 0.1) },
            "jury measures this seat",
        ),
        (
            SeatRequest { played_by: Some("agent".to_owned()), ..measured("perf", 0.1) },
            "jury measures this seat",
        ),
    ] {
        let error = refused(request);
        assert!(error.contains(said) && !error.contains('\n') || error.contains("a\nb"), "{error}");
    }
    let twice = CritiqueConfig::default().with_seats(&[legal(), legal()]).unwrap_err();
    assert!(twice.to_string().contains("given once"), "{twice}");
    let many: Vec<SeatRequest> = (0..9).map(|n| SeatRequest { name: format!("s{n}"), ..legal() }).collect();
    let error = CritiqueConfig::default().with_seats(&many).unwrap_err().to_string();
    assert!(error.contains("at most 8"), "{error}");
}

/// A run with measured seats, in which the draft measures like this.
fn measured_run(config: CritiqueConfig, panelists: &str, result: &Result<Vec<SeatMeasure>, String>) -> Board {
    measured_script(config, Witness::Nobody, &round(panelists), result)
}

/// The same, with everything that is said, and before this witness.
fn measured_script(
    config: CritiqueConfig,
    witness: Witness,
    script: &str,
    result: &Result<Vec<SeatMeasure>, String>,
) -> Board {
    let plan = Plan {
        opening: Opening::Panel,
        generates: false,
        witness,
        given: None,
        budget: RunBudget::default(),
    };
    let mut stage = Stage::new(config).by(plan);
    for line in script.lines() {
        let before = stage.out.len();
        stage.play(line);
        let asked: Vec<_> = stage.out[before..]
            .iter()
            .filter_map(|output| match output {
                TheaterOutput::Effect(TheaterEffect::Measure { digest, .. }) => Some(*digest),
                TheaterOutput::Effect(_) | TheaterOutput::Event(_) => None,
            })
            .collect();
        for digest in asked {
            let fine = sample("fine").unwrap();
            let result = result.clone().map(|seats| jury_core::evidence::Measurement { seats, ..fine });
            stage.handle(TheaterInput::Measured { digest, result: Box::new(result) });
        }
    }
    stage.theater.board().clone()
}

fn perf(score: Option<f64>, must_fix: &[&str]) -> SeatMeasure {
    SeatMeasure {
        role: seat("perf"),
        score,
        dimensions: vec![SeatDimension { name: "weight".to_owned(), score, note: "700 KB".to_owned() }],
        must_fix: must_fix.iter().map(|text| (*text).to_owned()).collect(),
        notes: String::new(),
    }
}

#[test]
fn a_measured_seat_speaks_by_itself_and_nobody_speaks_for_it() {
    let config = CritiqueConfig { evidence: EvidenceMode::Off, ..with(&[measured("perf", 1.0)]) };
    let claims = format!("{FOUR}\n <PANELIST role=\"perf\" score=\"10\"><NOTES>Fast.</NOTES></PANELIST>");
    let board = measured_run(config, &claims, &Ok(vec![perf(Some(5.0), &["Shrink hero.png"])]));
    assert!((end(&board).composite.0 - 7.0).abs() < 1e-9, "{:?}", end(&board));
    assert_eq!(end(&board).must_fix, 1);
    assert_eq!(board.rounds[0].review(seat("perf")).unwrap().score, Some(Score(5.0)));
    assert_eq!(board.warnings.get(&WarningKind::UnknownRole), Some(&1));
    // Nothing to measure is no fault; nothing measured is.
    let most = CritiqueConfig { evidence: EvidenceMode::Off, ..with(&[measured("perf", 1.1)]) };
    let nothing = measured_run(most, FOUR, &Ok(vec![perf(None, &[])]));
    assert_eq!(
        end(&nothing).decision,
        Decision::Continue,
        "less than half of the weight gave a score: {:?}",
        end(&nothing)
    );
    let config = CritiqueConfig { evidence: EvidenceMode::Off, ..with(&[measured("perf", 0.2)]) };
    assert_eq!(end(&measured_run(config.clone(), FOUR, &Ok(vec![perf(None, &[])]))).decision, Decision::Ship);
    let lost = measured_run(config, FOUR, &Err("the page is too deep".to_owned()));
    assert_eq!((end(&lost).decision, end(&lost).must_fix), (Decision::Continue, 1));
    assert!(end(&lost).reason.contains("absent: perf"), "{}", end(&lost).reason);
    assert_eq!(lost.rounds[0].evidence[0].measured, "the page is too deep");
}

#[test]
fn what_was_measured_is_not_held_against_a_measurement() {
    let mut stage = Stage::new(with(&[measured("cost", 0.1)]));
    stage.play("witness");
    stage.play(&round(FOUR).replace("end 1", "measured A fine\n end 1"));
    let board = stage.theater.board();
    assert!(board.rounds[0].review(seat("cost")).is_some());
    let about: Vec<Option<Role>> = board.rounds[0].evidence.iter().map(|item| item.role).collect();
    assert!(!about.is_empty() && !about.contains(&Some(seat("cost"))), "{about:?}");
}

#[test]
fn a_measured_seat_without_a_weight_changes_nothing() {
    let config = CritiqueConfig { evidence: EvidenceMode::Off, ..with(&[measured("perf", 0.0)]) };
    for result in [Ok(vec![perf(Some(0.0), &["Shrink hero.png"])]), Ok(Vec::new()), Err("broken".to_owned())]
    {
        let board = measured_run(config.clone(), FOUR, &result);
        assert_eq!((end(&board).decision, end(&board).must_fix), (Decision::Ship, 0));
        assert!((end(&board).composite.0 - 9.0).abs() < 1e-9);
    }
}

#[test]
fn an_agent_is_not_held_to_a_composite_that_it_cannot_know() {
    let off = |seats: &[SeatRequest]| CritiqueConfig { evidence: EvidenceMode::Off, ..with(seats) };
    let claims = round(FOUR)
        .replace("end 1 ship", "end 1 ship composite=\"9\"")
        .replace("ship 1 A", "ship 1 A composite=\"9\"");
    let told = |config, script: &str, score| {
        let board = measured_script(config, Witness::Nobody, script, &Ok(vec![perf(Some(score), &[])]));
        assert_eq!(end(&board).decision, Decision::Ship);
        board.warnings.get(&WarningKind::CompositeMismatch).copied().unwrap_or(0)
    };
    assert_eq!(told(off(&[measured("perf", 0.2)]), &claims, 4.0), 0);
    // A seat without a weight changes nothing, so that a wrong number is wrong: at the end of the round, and at the ship.
    assert_eq!(told(off(&[measured("perf", 0.0)]), &claims, 4.0), 0);
    assert_eq!(told(off(&[measured("perf", 0.0)]), &claims.replace("\"9\"", "\"5\""), 4.0), 2);
}

#[test]
fn an_unmeasured_seat_without_a_weight_holds_no_ship_at_the_gate() {
    let gate = |weight| CritiqueConfig { evidence: EvidenceMode::Gate, ..with(&[measured("perf", weight)]) };
    let lost = |weight| {
        let broken = Err("the page is too deep".to_owned());
        measured_script(gate(weight), Witness::Panel, &round(FOUR), &broken)
    };
    let board = lost(0.0);
    assert_eq!((end(&board).decision, end(&board).must_fix), (Decision::Ship, 0), "{:?}", end(&board));
    let board = lost(0.2);
    assert_eq!((end(&board).decision, end(&board).must_fix), (Decision::Continue, 1), "{:?}", end(&board));
    assert!(end(&board).reason.contains("the page is too deep"), "{}", end(&board).reason);
}

#[test]
fn why_seats_are_empty_is_told_once() {
    let broken = Err("the page is too deep".to_owned());
    let config = || with(&[measured("perf", 0.2), measured("i18n", 0.2)]);
    let told = |witness| {
        let board = measured_script(config(), witness, &round(FOUR), &broken);
        assert_eq!(end(&board).decision, Decision::Continue, "{:?}", end(&board));
        let told = serde_json::to_string(&board.rounds[0].evidence).unwrap();
        told.matches("the page is too deep").count()
    };
    assert_eq!(told(Witness::Panel), 1);
    // Where facts are held against the panel, the gap is told with them.
    assert_eq!(told(Witness::Driver(jury_core::theater::ClaimReader(jury_text::claim::claims))), 1);
}

#[test]
fn what_an_adviser_asks_for_may_be_counted_or_not() {
    let asks =
        "<PANELIST role=\"legal\" score=\"1\"><MUST_FIX>Name the source of 99 %.</MUST_FIX></PANELIST>";
    for (claimed, wrong) in [(0, 0), (1, 0), (2, 1)] {
        let mut stage = Stage::new(with(&[legal(0.0)]));
        let claims = format!("end 1 ship must_fix=\"{claimed}\"");
        stage.play(&round(&format!("{FOUR}\n {asks}")).replace("end 1 ship", &claims));
        let board = stage.theater.board();
        let warned = board.warnings.get(&WarningKind::MustFixMismatch).copied().unwrap_or(0);
        assert_eq!((warned, end(board).must_fix), (wrong, 0), "{claimed}");
    }
}

#[test]
fn what_jury_measured_is_on_its_own_scale() {
    let config = CritiqueConfig { evidence: EvidenceMode::Off, ..with(&[measured("perf", 0.2)]) };
    let script = round(FOUR).replace("\n run\n", "\n run scale=\"100\"\n");
    let board = measured_script(config, Witness::Nobody, &script, &Ok(vec![perf(Some(9.0), &[])]));
    assert_eq!(end(&board).decision, Decision::Continue);
    let reason = &end(&board).reason;
    assert!(
        reason.contains("not on the scale: critic, brand, a11y, copy") && !reason.contains("perf"),
        "{reason}"
    );
}

#[test]
fn a_model_is_held_to_advice_where_a_seat_has_no_weight() {
    let rule = |config: &CritiqueConfig| {
        let text = gbnf(config, 10).unwrap();
        text.lines().find(|line| line.starts_with("seat-1-legal-0 ")).unwrap().to_owned()
    };
    assert!(rule(&with(&[legal(0.2)])).contains("review-1 "));
    let advises = rule(&with(&[legal(0.0)]));
    assert!(advises.contains("review-0 ") && !advises.contains("review-1 "), "{advises}");
}

#[test]
fn the_cost_is_held_against_the_budget() {
    let config = with(&[measured("cost", 0.2)]);
    let spent = |usage: Option<(u64, f64)>, budget: RunBudget| {
        let plan =
            Plan { opening: Opening::Panel, generates: false, witness: Witness::Nobody, given: None, budget };
        let mut stage = Stage::new(config.clone()).by(plan);
        let script = round(FOUR);
        let (before, after) = script.split_once("end 1").unwrap();
        stage.play(before);
        if let Some((output_tokens, cost)) = usage {
            let usage = jury_core::event::Usage { input_tokens: 0, output_tokens, cost_usd: Some(cost) };
            let note = jury_core::event::AgentNote {
                kind: jury_core::event::AgentNoteKind::Usage,
                detail: String::new(),
                status: None,
                usage: Some(usage),
            };
            stage.handle(TheaterInput::Note(note));
        }
        stage.play(&format!("end 1{after}"));
        let review = stage.theater.board().rounds[0].review(seat("cost")).unwrap().clone();
        (review.score.map(|score| score.0), review.notes, end(stage.theater.board()).decision)
    };
    let budget = RunBudget { usd: Some(1.0), tokens: Some(1000) };
    assert_eq!(spent(Some((400, 0.1)), budget).0, Some(10.0));
    assert_eq!(spent(Some((400, 0.75)), budget).0, Some(5.0));
    assert_eq!(spent(Some((1000, 0.1)), budget).0, Some(0.0));
    // Some agents say a price and no tokens, and a budget of nothing is spent at once.
    assert_eq!(spent(Some((0, 0.75)), budget).0, Some(5.0));
    assert_eq!(spent(Some((10, 0.1)), RunBudget { usd: Some(0.0), tokens: None }).0, Some(0.0));
    // No budget and no usage: nothing to say, and no harm.
    let (score, notes, decision) = spent(Some((400, 0.1)), RunBudget::default());
    assert_eq!((score, decision), (None, Decision::Ship));
    assert!(notes.starts_with("400 tokens, 0.1000 US dollars"), "{notes}");
    assert_eq!(spent(None, budget).0, None);
}

#[test]
fn measured_seats_are_not_asked_of_the_agent() {
    let config = with(&[legal(0.1), measured("perf", 0.1)]);
    assert_eq!(config.played().last(), Some(seat("legal")));
    assert!(!gbnf(&config, 10).unwrap().contains("perf"));
    let mut seen = Vec::new();
    let mut parser = Parser::new(ParserLimits::of(&config));
    let text = "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"perf\" score=\"9\"></PANELIST><PANELIST role=\"legal\" score=\"9\">";
    parser.feed(text.as_bytes(), &mut |signal| seen.push(format!("{signal:?}"))).unwrap();
    assert!(seen.iter().any(|signal| signal.contains("UnknownRole")), "{seen:?}");
    assert!(
        seen.iter().any(|signal| signal.starts_with("PanelistOpened") && signal.contains("legal")),
        "{seen:?}"
    );
    for measured in MeasuredSeat::ALL {
        let config = with(&[SeatRequest { weight: None, ..super::seats::measured(measured.name(), 0.0) }]);
        assert_eq!(config.seats[0].played_by, PlayedBy::Jury);
        assert!(config.weight(config.cast[5]).abs() < 1e-9);
    }
}

/// What a panelist does in a round.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Act {
    Absent,
    Mute,
    Scores(f64),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        1 => Just(Act::Absent),
        1 => Just(Act::Mute),
        4 => (0_u32..=100).prop_map(|tenths| Act::Scores(f64::from(tenths) / 10.0)),
    ]
}

fn line(role: &str, act: Act) -> String {
    match act {
        Act::Absent => String::new(),
        Act::Mute => format!(
            "<PANELIST role=\"{role}\" score=\"n/a\"><NOTES>I have looked at it.</NOTES></PANELIST>\n"
        ),
        Act::Scores(score) => {
            format!(
                "<PANELIST role=\"{role}\" score=\"{score}\"><NOTES>I have looked at it.</NOTES></PANELIST>\n"
            )
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// The rule, written once more: absent counts 0 and one must-fix, mute gives its weight away, and half of the weight, the
    /// critic among it, has to vote.
    #[test]
    fn added_seats_obey_the_rule_of_every_panelist(
        acts in proptest::collection::vec(act(), 6),
        weight in prop_oneof![Just(0.0), (1_u32..=300).prop_map(|n| f64::from(n) / 100.0)],
    ) {
        let config = with(&[legal(weight)]);
        let weights = [0.4, 0.2, 0.2, 0.2, weight];
        let roles = ["critic", "brand", "a11y", "copy", "legal"];
        let script: String = roles.iter().zip(&acts).map(|(role, act)| line(role, *act)).collect();
        let board = played(config, &script);
        let end = end(&board);
        let (mut sum, mut counted, mut scored, mut all, mut missing) = (0.0, 0.0, 0.0, 0.0, 0);
        for (act, weight) in acts.iter().zip(weights) {
            if weight <= 0.0 { continue; }
            all += weight;
            match act {
                Act::Absent => { counted += weight; missing += 1; }
                Act::Mute => {}
                Act::Scores(score) => { counted += weight; scored += weight; sum += weight * score; }
            }
        }
        let composite = if counted > 0.0 { sum / counted } else { 0.0 };
        let quorum = scored > 0.0 && scored * 2.0 >= all * (1.0 - 1e-9) && acts[0] != Act::Mute;
        prop_assert!((end.composite.0 - composite).abs() < 0.0151, "{} {composite}", end.composite.0);
        prop_assert_eq!(end.must_fix, missing);
        prop_assert_eq!(end.quorum, quorum);
        let ships = composite >= 8.0 - 1e-9 && missing == 0 && quorum;
        prop_assert_eq!(end.decision == Decision::Ship, ships);
        // A replay of the log is the same board.
        let mut stage = Stage::new(with(&[legal(weight)]));
        stage.play(&round(&script));
        let events: Vec<TheaterEvent> = stage.out.iter().filter_map(|output| match output {
            TheaterOutput::Event(event) => {
                let text = serde_json::to_string(event).unwrap();
                Some(serde_json::from_str(&text).unwrap())
            }
            TheaterOutput::Effect(_) => None,
        }).collect();
        prop_assert_eq!(&Board::of(&events), stage.theater.board());
    }
}

#[test]
fn a_measured_seat_lifts_no_page_over_the_bar() {
    let decided = |panel: &str, score: f64| {
        let config = CritiqueConfig { evidence: EvidenceMode::Off, ..with(&[measured("perf", 3.0)]) };
        let board =
            measured_script(config, Witness::Nobody, &round(panel), &Ok(vec![perf(Some(score), &[])]));
        (end(&board).decision, end(&board).reason.clone())
    };
    let (decision, reason) = decided("panel 6.6", 10.0);
    assert_eq!(decision, Decision::Continue);
    assert!(reason.contains("the panel alone gives 6.6"), "{reason}");
    assert_eq!(decided("panel 8.6", 10.0).0, Decision::Ship);
    // It may hold one back.
    assert_eq!(decided("panel 8.6", 2.0).0, Decision::Continue);
}
