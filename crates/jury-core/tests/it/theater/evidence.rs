//! What was measured, beside what the panel says, and what the rule makes of it.

use jury_core::event::TheaterEvent;
use jury_core::evidence::{EvidenceKind, EvidenceMode};
use jury_core::score::Threshold;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::TheaterOutput;
use jury_core::unit::Round;

use super::gist;
use super::stage::{Stage, gist};

fn with(evidence: EvidenceMode) -> CritiqueConfig {
    CritiqueConfig { evidence, ..CritiqueConfig::default() }
}

/// A round that clears the bar by the panel's word, on a draft that measures so.
fn shipping(how: &str) -> String {
    format!(
        "witness\n start\n run\n round 1\n designer A\n panel 9.0\n measured A {how}\n end 1 ship\n ship 1 A\n linted\n close\n exit 0"
    )
}

#[test]
fn a_warning_changes_no_decision() {
    gist!(with(EvidenceMode::Warn), &shipping("poor"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y - score overrated: 3.0 to 4.0 beside 9.0
    evidence 1 copy - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y perceive a11y/contrast overrated: text contrast 2.10:1 beside nothing
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 9 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_gate_holds_what_was_measured_to_fail() {
    gist!(with(EvidenceMode::Gate), &shipping("poor"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y - score overrated: 3.0 to 4.0 beside 9.0
    evidence 1 copy - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y perceive a11y/contrast overrated: text contrast 2.10:1 beside nothing
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 8 must-fix 1 continue: 1 must-fix open (composite 8.0, bar 8.0); counted as measured: a11y; measured and not asked for: 1
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 8 with A: no round met the ship rule; the best is round 1: 1 must-fix open (composite 8.0, bar 8.0); counted as measured: a11y; measured and not asked for: 1
    -> stop the agent
    ");
}

#[test]
fn a_gate_holds_a_ship_by_the_score_that_was_measured_alone() {
    let script = shipping("weak").replace("panel 9.0", "panel 8.5");
    gist!(with(EvidenceMode::Gate), &script, @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 critic - score unverifiable: nothing that could be measured beside 8.5
    evidence 1 brand - score unverifiable: nothing that could be measured beside 8.5
    evidence 1 a11y - score overrated: 3.0 to 4.0 beside 8.5
    evidence 1 copy - score unverifiable: nothing that could be measured beside 8.5
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 7.6 must-fix 0 continue: composite 7.6 is below 8.0; 0 must-fix open; counted as measured: a11y
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7.6 with A: no round met the ship rule; the best is round 1: composite 7.6 is below 8.0; 0 must-fix open; counted as measured: a11y
    -> stop the agent
    ");
    // The same scores ship where nothing was measured against them.
    let warned = gist(with(EvidenceMode::Warn), &script);
    assert!(warned.contains("ship Shipped"), "{warned}");
}

#[test]
fn a_failure_that_somebody_asks_to_be_fixed_is_one_must_fix_and_not_two() {
    let asked = "witness\n start\n run\n round 1\n designer A\n critic 9.0\n brand 9.0\n a11y 4.0 ! Raise the contrast of the lead\n copy 9.0\n measured A poor\n end 1\n interrupt";
    gist!(with(EvidenceMode::Gate), asked, @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y - score consistent: 3.0 to 4.0 beside 4.0
    evidence 1 copy - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y perceive a11y/contrast consistent: text contrast 2.10:1 beside Raise the contrast of the lead
    parser_warning weak_debate
    round_end 1 8 must-fix 1 continue: 1 must-fix open (composite 8.0, bar 8.0)
    -> keep A as final, from round 1
    interrupted round 1 8 with A
    -> stop the agent
    ");
}

#[test]
fn a_gate_lets_through_what_was_measured_to_be_fine() {
    gist!(with(EvidenceMode::Gate), &shipping("fine"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y - score consistent: 9.0 to 10.0 beside 9.0
    evidence 1 copy - score consistent: 8.5 beside 9.0
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 9 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_gate_without_a_measurement_is_inconclusive() {
    gist!(with(EvidenceMode::Gate), &shipping("broken"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 - - measurement unverifiable: the page is too deep beside nothing
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 9 must-fix 0 continue: composite 9.0 reaches 8.0; 0 must-fix open; not measured: the page is too deep
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded unmeasured at 4616, round 1 9 with A: round 1 met the bar and was not measured: composite 9.0 reaches 8.0; 0 must-fix open; not measured: the page is too deep
    -> stop the agent
    ");
    gist!(with(EvidenceMode::Gate), &shipping("partial"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 - - measurement unverifiable: styles outside the page beside nothing
    evidence 1 critic - score unverifiable: only a part of the page was seen beside 9.0
    evidence 1 brand - score unverifiable: only a part of the page was seen beside 9.0
    evidence 1 a11y - score unverifiable: only a part of the page was seen beside 9.0
    evidence 1 copy - score unverifiable: only a part of the page was seen beside 9.0
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 9 must-fix 0 continue: composite 9.0 reaches 8.0; 0 must-fix open; not measured: styles outside the page
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded unmeasured at 4616, round 1 9 with A: round 1 met the bar and was not measured: composite 9.0 reaches 8.0; 0 must-fix open; not measured: styles outside the page
    -> stop the agent
    ");
}

#[test]
fn off_measures_nothing() {
    let off = gist(with(EvidenceMode::Off), &shipping("poor"));
    assert!(!off.contains("evidence") && !off.contains("measure"), "{off}");
}

#[test]
fn the_end_of_a_round_waits_and_nothing_that_was_said_is_lost() {
    let late = "witness\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n ship 1 A\n close\n exit 0\n measured A fine\n linted";
    assert_eq!(gist(with(EvidenceMode::Gate), late), gist(with(EvidenceMode::Gate), &shipping("fine")));
}

#[test]
fn the_clock_of_the_run_goes_on_while_a_round_waits() {
    let waiting = "witness\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n note\n";
    gist!(with(EvidenceMode::Gate), &format!("{waiting} @100000 deadline\n @240000 deadline"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    agent Session seven
    ship TimedOut by total_timeout, no round: the run took longer than 240000 ms (OD_CRITIQUE_TOTAL_TIMEOUT_MS, --total-timeout-ms)
    -> stop the agent
    ");
    gist!(with(EvidenceMode::Gate), &format!("{waiting} interrupt\n measured A fine"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    agent Session seven
    interrupted no round
    -> stop the agent
    ");
}

#[test]
fn a_warning_holds_nobody_up_but_the_verdict() {
    let late = "witness\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n ship 1 A\n linted\n close\n exit 0\n measured A fine";
    gist!(with(EvidenceMode::Warn), late, @"
    run_started
    -> start the agent
    -> measure A of round 1
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    -> stop the agent
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y - score consistent: 9.0 to 10.0 beside 9.0
    evidence 1 copy - score consistent: 8.5 beside 9.0
    ship Shipped, round 1 9 with A: done
    ");
}

#[test]
fn nobody_waits_for_evidence_after_the_time_of_the_run_or_a_wish_to_stop() {
    let owing =
        "witness\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n ship 1 A\n linted\n note";
    let stopped = gist(with(EvidenceMode::Warn), &format!("{owing}\n interrupt\n measured A fine"));
    assert_eq!(stopped, gist(with(EvidenceMode::Warn), &format!("{owing}\n @240000 deadline")));
    gist!(with(EvidenceMode::Warn), &format!("{owing}\n interrupt"), @"
    run_started
    -> start the agent
    -> measure A of round 1
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    -> stop the agent
    evidence 1 - - measurement unverifiable: it was not measured before the end beside nothing
    ship Shipped, round 1 9 with A: done
    ");
    let before =
        "witness\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n interrupt\n measured A fine";
    gist!(with(EvidenceMode::Warn), before, @"
    run_started
    -> start the agent
    -> measure A of round 1
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> keep A as final, from round 1
    evidence 1 - - measurement unverifiable: it was not measured before the end beside nothing
    interrupted round 1 9 with A
    -> stop the agent
    ");
}

#[test]
fn a_round_that_was_started_anew_is_owed_nothing() {
    let anew = "witness\n start\n run\n round 1\n designer A\n panel 7.0\n end 1\n run\n round 1\n designer B\n panel 9.0\n measured A poor\n measured B fine\n end 1 ship\n ship 1 B\n linted";
    gist!(with(EvidenceMode::Warn), anew, @"
    run_started
    -> start the agent
    -> measure A of round 1
    parser_warning weak_debate
    round_end 1 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
    parser_warning restarted
    -> measure B of round 1
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y - score consistent: 9.0 to 10.0 beside 9.0
    evidence 1 copy - score consistent: 8.5 beside 9.0
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint B, from round 1
    lint 1 0 findings
    -> keep B as final, from round 1
    ship Shipped, round 1 9 with B: done
    -> stop the agent
    ");
}

#[test]
fn a_draft_is_measured_once_however_often_it_is_reviewed() {
    let twice = "witness\n start\n run\n round 1\n designer A\n panel 7.0\n end 1\n measured A fine\n round 2\n designer A\n panel 7.0\n end 2\n interrupt";
    gist!(with(EvidenceMode::Warn), twice, @"
    run_started
    -> start the agent
    -> measure A of round 1
    parser_warning weak_debate
    round_end 1 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
    evidence 1 critic - score consistent: 9.0 beside 7.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 7.0
    evidence 1 a11y - score consistent: 9.0 to 10.0 beside 7.0
    evidence 1 copy - score consistent: 8.5 beside 7.0
    evidence 2 critic - score consistent: 9.0 beside 7.0
    evidence 2 brand - score unverifiable: nothing that could be measured beside 7.0
    evidence 2 a11y - score consistent: 9.0 to 10.0 beside 7.0
    evidence 2 copy - score consistent: 8.5 beside 7.0
    parser_warning weak_debate
    round_end 2 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
    -> keep A as final, from round 1
    interrupted round 2 7 with A
    -> stop the agent
    ");
}

#[test]
fn a_gate_ships_what_was_measured_and_not_what_came_after_it() {
    let other = "witness\n start\n run\n round 1\n designer A\n panel 9.0\n measured A fine\n end 1 ship\n ship 1 B\n linted";
    gist!(with(EvidenceMode::Gate), other, @"
    run_started
    -> start the agent
    -> measure A of round 1
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score unverifiable: nothing that could be measured beside 9.0
    evidence 1 a11y - score consistent: 9.0 to 10.0 beside 9.0
    evidence 1 copy - score consistent: 8.5 beside 9.0
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning ship_artifact_differs
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 9 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_panel_that_only_measures_is_its_own_witness() {
    let house = "house\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n interrupt";
    gist!(with(EvidenceMode::Gate), house, @"
    run_started
    -> start the agent
    evidence 1 critic - score consistent: 9.0 beside 9.0
    evidence 1 brand - score consistent: 9.0 beside 9.0
    evidence 1 a11y - score consistent: 9.0 beside 9.0
    evidence 1 copy - score consistent: 9.0 beside 9.0
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> keep A as final, from round 1
    interrupted round 1 9 with A
    -> stop the agent
    ");
}

#[test]
fn a_panel_that_only_measures_and_saw_a_part_does_not_pass_a_gate() {
    let config = CritiqueConfig { score_threshold: Threshold(7.0), ..with(EvidenceMode::Gate) };
    let notes = "<NOTES>partial measurement, capped at 7.9: external_css</NOTES>";
    let panel = ["critic", "brand", "a11y", "copy"]
        .map(|role| format!("<PANELIST role=\"{role}\" score=\"7.9\">{notes}</PANELIST>"))
        .concat();
    let house = format!(
        "house\n start\n run\n round 1\n designer A\n {panel}\n end 1 ship\n ship 1 A\n linted\n close\n exit 0"
    );
    gist!(config, &house, @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    evidence 1 - - measurement unverifiable: partial measurement, capped at 7.9: external_css beside nothing
    evidence 1 critic - score consistent: 7.9 beside 7.9
    evidence 1 brand - score consistent: 7.9 beside 7.9
    evidence 1 a11y - score consistent: 7.9 beside 7.9
    evidence 1 copy - score consistent: 7.9 beside 7.9
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 7.9 must-fix 0 continue: composite 7.9 reaches 7.0; 0 must-fix open; not measured: partial measurement, capped at 7.9: external_css
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded unmeasured at 4788, round 1 7.9 with A: round 1 met the bar and was not measured: composite 7.9 reaches 7.0; 0 must-fix open; not measured: partial measurement, capped at 7.9: external_css
    -> stop the agent
    ");
}

#[test]
fn only_pages_are_measured() {
    let picture = "witness\n start\n run\n round 1\n <PANELIST role=\"designer\"><ARTIFACT mime=\"image/png\"><![CDATA[<p>A</p>]]></ARTIFACT></PANELIST>\n panel 9.0\n end 1 ship\n interrupt";
    gist!(with(EvidenceMode::Gate), picture, @"
    run_started
    -> start the agent
    evidence 1 - - measurement unverifiable: the artifact is image/png, and only pages are measured beside nothing
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 9 must-fix 0 continue: composite 9.0 reaches 8.0; 0 must-fix open; not measured: the artifact is image/png, and only pages are measured
    -> keep A as final, from round 1
    interrupted round 1 9 with A
    -> stop the agent
    ");
}

#[test]
fn figures_and_scores_are_held_against_the_measurement() {
    let review = "witness
        start
        run
        round 1
        designer A
        <PANELIST role=\"critic\" score=\"8.0\"><DIM name=\"type\" score=\"6.0\">H1 64px over body.</DIM><DIM name=\"contrast\" score=\"8\">CTA 5.2:1, and 3.4:1 as a fill of the CTA</DIM><DIM name=\"rhythm\" score=\"8\">gaps 8/16/40</DIM><DIM name=\"taste\" score=\"1\">h1 is 48px</DIM></PANELIST>
        <PANELIST role=\"brand\" score=\"8.0\"></PANELIST>
        <PANELIST role=\"a11y\" score=\"9.0\"><DIM name=\"perceive\" score=\"9.5\">p.lead 4.6:1; focus ring 5:1; something 1.2:1</DIM><MUST_FIX>Contrast of p.lead is 2.1:1, needs 4.5:1.</MUST_FIX></PANELIST>
        <PANELIST role=\"copy\" score=\"8.0\"></PANELIST>
        measured A poor
        end 1
        interrupt";
    let mut stage = Stage::new(with(EvidenceMode::Gate));
    stage.play(review);
    let evidence: Vec<String> = stage
        .out
        .iter()
        .filter_map(|output| match output {
            TheaterOutput::Event(TheaterEvent::Evidence(item)) => Some(serde_json::to_string(item).unwrap()),
            TheaterOutput::Event(_) | TheaterOutput::Effect(_) => None,
        })
        .collect();
    insta::assert_snapshot!(evidence.join("\n"), @r#"
    {"round":1,"kind":"score","role":"critic","check":"score","measured":"9.0","value":9.0,"bound":"within 1.0","claim":"8.0","standing":"consistent"}
    {"round":1,"kind":"score","role":"critic","dimension":"type","check":"score","measured":"9.0","value":9.0,"bound":"within 1.0","claim":"6.0","standing":"underrated"}
    {"round":1,"kind":"score","role":"critic","dimension":"contrast","check":"score","measured":"a dimension that is not measured","claim":"8.0","standing":"unverifiable"}
    {"round":1,"kind":"score","role":"critic","dimension":"rhythm","check":"score","measured":"a dimension that is not measured","claim":"8.0","standing":"unverifiable"}
    {"round":1,"kind":"score","role":"critic","dimension":"taste","check":"score","measured":"a dimension that is not measured","claim":"1.0","standing":"unverifiable"}
    {"round":1,"kind":"claim","role":"critic","dimension":"type","check":"type size","measured":"48 px","value":48.0,"place":"h1","line":7,"claim":"H1 64px over body","standing":"contradicted"}
    {"round":1,"kind":"claim","role":"critic","dimension":"contrast","check":"contrast ratio","measured":"5.20:1","value":5.2,"bound":"4.5:1","place":"a.go","line":7,"claim":"CTA 5.2:1","standing":"consistent"}
    {"round":1,"kind":"claim","role":"critic","dimension":"contrast","check":"contrast ratio","measured":"3.40:1","value":3.4,"bound":"3:1","place":"a.go","line":7,"claim":"and 3.4:1 as a fill of the CTA","standing":"consistent"}
    {"round":1,"kind":"claim","role":"critic","dimension":"rhythm","check":"distances","measured":"8/16/24 px","claim":"gaps 8/16/40","standing":"contradicted"}
    {"round":1,"kind":"claim","role":"critic","dimension":"taste","check":"type size","measured":"48 px","value":48.0,"place":"h1","line":7,"claim":"h1 is 48px","standing":"consistent"}
    {"round":1,"kind":"score","role":"a11y","check":"score","measured":"3.0 to 4.0","value":4.0,"bound":"within 1.0","claim":"9.0","standing":"overrated"}
    {"round":1,"kind":"score","role":"a11y","dimension":"perceive","check":"score","measured":"3.0 to 4.0","value":4.0,"bound":"within 1.0","claim":"9.5","standing":"overrated"}
    {"round":1,"kind":"claim","role":"a11y","check":"contrast ratio","measured":"2.10:1","value":2.1,"bound":"4.5:1","place":"p.lead","line":7,"claim":"Contrast of p.lead is 2.1:1","finding":"5ddbfef5f405","standing":"consistent"}
    {"round":1,"kind":"claim","role":"a11y","dimension":"perceive","check":"contrast ratio","measured":"2.10:1","value":2.1,"bound":"4.5:1","place":"p.lead","line":7,"claim":"p.lead 4.6:1","standing":"contradicted"}
    {"round":1,"kind":"claim","role":"a11y","dimension":"perceive","check":"contrast ratio","measured":"the contrast of what is not text was not measured","claim":"focus ring 5:1","standing":"unverifiable"}
    {"round":1,"kind":"claim","role":"a11y","dimension":"perceive","check":"contrast ratio","measured":"the contrast of some of this text could not be decided","claim":"something 1.2:1","standing":"unverifiable"}
    {"round":1,"kind":"failure","role":"a11y","dimension":"perceive","check":"a11y/contrast","measured":"text contrast 2.10:1","value":2.1,"bound":"4.5:1","criterion":"WCAG 1.4.3 AA","place":"p.lead","line":7,"claim":"Contrast of p.lead is 2.1:1, needs 4.5:1.","finding":"5ddbfef5f405","standing":"consistent"}
    "#);
}

#[test]
fn a_round_is_decided_when_its_draft_is_measured_and_by_no_other_measurement() {
    let mut stage = Stage::new(with(EvidenceMode::Gate));
    // The first draft is taken back while it is measured.
    stage.play("witness\n start\n run\n round 1\n designer A\n run\n round 1\n designer B\n panel 9.0");
    let now = |stage: &Stage| {
        let theater = &stage.theater;
        (theater.measuring(), theater.is_measuring(), theater.decides_at_once(Round(1)))
    };
    assert_eq!(now(&stage), (None, false, false));
    stage.play("end 1 ship");
    assert_eq!(now(&stage), (Some(Round(1)), true, false));
    stage.play("measured A poor");
    assert_eq!(now(&stage), (Some(Round(1)), true, false));
    stage.play("measured B fine");
    assert_eq!(now(&stage), (None, false, true));
    assert_eq!(stage.theater.board().cleared_round().map(|(round, _)| round), Some(Round(1)));
}

#[test]
fn where_facts_only_warn_a_round_waits_for_nobody() {
    let mut stage = Stage::new(with(EvidenceMode::Warn));
    stage.play("witness\n start\n run\n round 1\n designer A\n panel 9.0");
    assert!(stage.theater.decides_at_once(Round(1)));
    stage.play("end 1 ship");
    assert_eq!((stage.theater.measuring(), stage.theater.is_measuring()), (None, false));
}

#[test]
fn a_draft_that_could_not_be_compared_is_a_gap_that_is_said_once_and_only_where_facts_count() {
    let rounds =
        "given G\n start\n run\n round 1\n designer A\n panel 9.0\n measured A broken\n end 1\n interrupt";
    for (witness, mode, gaps) in [
        ("", EvidenceMode::Gate, vec![]),
        ("witness\n", EvidenceMode::Off, vec![]),
        ("witness\n", EvidenceMode::Gate, vec!["the page is too deep"]),
        (
            "house\n",
            EvidenceMode::Gate,
            vec!["the draft was not compared with the given page: the page is too deep"],
        ),
    ] {
        let mut stage = Stage::new(with(mode));
        stage.play(&format!("{witness}{rounds}"));
        let said: Vec<&str> = stage
            .events()
            .filter_map(|event| if let TheaterEvent::Evidence(item) = event { Some(item) } else { None })
            .filter(|item| item.kind == EvidenceKind::Measurement)
            .map(|item| item.measured.as_str())
            .collect();
        assert_eq!(said, gaps, "{witness}{mode:?}");
    }
}
