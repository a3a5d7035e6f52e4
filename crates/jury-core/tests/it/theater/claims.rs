//! What the agent claims is compared with what is so, and never used.

use jury_core::score::{Scale, Threshold};
use jury_core::settings::CritiqueConfig;

use super::gist;
use super::script::round;

#[test]
fn the_bar_the_scale_and_the_number_of_rounds_are_ours_and_the_agents_are_only_compared() {
    gist!(&round("panel 6.0").replace("run", r#"run maxRounds="1" threshold="5.0" scale="10""#), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 6 with A: no round met the ship rule; the best is round 1: composite 6.0 is below 8.0; 0 must-fix open
    -> stop the agent
    ");
    let ours = CritiqueConfig { score_threshold: Threshold(6.0), max_rounds: 1, ..CritiqueConfig::default() };
    gist!(ours, &round("panel 6.0"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    round_end 1 6 must-fix 0 ship: composite 6.0 reaches 6.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 6 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_scale_of_the_agents_own_cannot_ship_with_half_of_it() {
    let on_hundred =
        |panelists: &str| round(panelists).replace("run", r#"run maxRounds="3" threshold="8.0" scale="100""#);
    gist!(&on_hundred("panel 50"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    parser_warning score_clamped critic
    parser_warning score_unusable critic
    parser_warning score_clamped brand
    parser_warning score_unusable brand
    parser_warning score_clamped a11y
    parser_warning score_unusable a11y
    parser_warning score_clamped copy
    parser_warning score_unusable copy
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 0 must-fix 0 continue: composite 0.0 is below 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4613, round 1 0 with A: no round has a quorum; round 1: composite 0.0 is below 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    -> stop the agent
    ");
    // One seat that gives itself away is enough to distrust the others.
    gist!(&on_hundred("critic 50\n brand 9\n a11y 9\n copy 9"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    parser_warning score_clamped critic
    parser_warning score_unusable critic
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 9 must-fix 0 continue: composite 9.0 reaches 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4610, round 1 9 with A: no round has a quorum; round 1: composite 9.0 reaches 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    -> stop the agent
    ");
    // Neither does it help not to say so.
    gist!(&round("panel 50"), @"
    run_started
    -> start the agent
    parser_warning score_clamped critic
    parser_warning score_clamped brand
    parser_warning score_clamped a11y
    parser_warning score_clamped copy
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 10 must-fix 0 continue: composite 10.0 reaches 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4612, round 1 10 with A: no round has a quorum; round 1: composite 10.0 reaches 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    -> stop the agent
    ");
    // On a larger scale 8.6 is next to nothing, whatever it looks like on ours.
    gist!(&on_hundred("panel 8.6"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 8.6 must-fix 0 continue: composite 8.6 reaches 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4617, round 1 8.6 with A: no round has a quorum; round 1: composite 8.6 reaches 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    -> stop the agent
    ");
}

#[test]
fn a_single_score_beyond_the_scale_is_moved_to_its_end() {
    gist!(&round("critic 8\n brand 8\n a11y 8\n copy 12"), @"
    run_started
    -> start the agent
    parser_warning score_clamped copy
    round_end 1 8.4 must-fix 0 ship: composite 8.4 reaches 8.0; 0 must-fix open; not on the scale: copy
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8.4 with A: done
    -> stop the agent
    ");
    gist!(&round("critic 9.9\n brand 9.9\n a11y 9.9\n copy -3"), @"
    run_started
    -> start the agent
    parser_warning score_clamped copy
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 7.92 must-fix 0 continue: composite 7.9 is below 8.0; 0 must-fix open
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7.92 with A: no round met the ship rule; the best is round 1: composite 7.9 is below 8.0; 0 must-fix open
    -> stop the agent
    ");
    // A dimension beyond the scale is nobody's vote.
    gist!(&round(
        r#"<PANELIST role="critic" score="8"><DIM name="type" score="80">fine</DIM><DIM name="type" score="80">fine</DIM></PANELIST>
        brand 8
        <PANELIST role="a11y" score="8"><DIM name="aa" score="80">fine</DIM></PANELIST>
        <PANELIST role="copy" score="8"><DIM name="aa" score="80">fine</DIM></PANELIST>"#
    ), @"
    run_started
    -> start the agent
    parser_warning score_clamped critic
    parser_warning score_clamped critic
    parser_warning score_clamped a11y
    parser_warning score_clamped copy
    round_end 1 8 must-fix 0 ship: composite 8.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8 with A: done
    -> stop the agent
    ");
}

#[test]
fn scores_follow_the_scale_of_the_settings() {
    let hundred = CritiqueConfig {
        score_scale: Scale(100.0),
        score_threshold: Threshold(80.0),
        ..CritiqueConfig::default()
    };
    gist!(hundred.clone(), &round("panel 86"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    round_end 1 86 must-fix 0 ship: composite 86.0 reaches 80.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 86 with A: done
    -> stop the agent
    ");
    gist!(hundred, &round("panel 8.6"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 8.6 must-fix 0 continue: composite 8.6 is below 80.0; 0 must-fix open
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 8.6 with A: no round met the ship rule; the best is round 1: composite 8.6 is below 80.0; 0 must-fix open
    -> stop the agent
    ");
}

#[test]
fn the_agents_own_composite_may_be_off_by_a_twentieth() {
    let claimed = |composite: &str| {
        round("panel 8.6").replace("end 1 ship", &format!("end 1 ship composite=\"{composite}\""))
    };
    gist!(&claimed("8.65"), @"
    run_started
    -> start the agent
    round_end 1 8.6 must-fix 0 ship: composite 8.6 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8.6 with A: done
    -> stop the agent
    ");
    gist!(&claimed("8.66"), @"
    run_started
    -> start the agent
    parser_warning composite_mismatch
    round_end 1 8.6 must-fix 0 ship: composite 8.6 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8.6 with A: done
    -> stop the agent
    ");
    gist!(&round("panel 8.6").replace("ship 1 A", "ship 1 A composite=\"9.9\""), @"
    run_started
    -> start the agent
    round_end 1 8.6 must-fix 0 ship: composite 8.6 reaches 8.0; 0 must-fix open
    parser_warning composite_mismatch
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8.6 with A: done
    -> stop the agent
    ");
}

#[test]
fn the_directives_count_and_not_the_number_that_is_claimed() {
    gist!(&round(r#"<PANELIST role="critic" score="9" must_fix="0"><MUST_FIX>Mend it.</MUST_FIX></PANELIST>
        brand 9
        a11y 9
        copy 9"#), @"
    run_started
    -> start the agent
    parser_warning must_fix_mismatch critic
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 9 must-fix 1 continue: 1 must-fix open (composite 9.0, bar 8.0)
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 9 with A: no round met the ship rule; the best is round 1: 1 must-fix open (composite 9.0, bar 8.0)
    -> stop the agent
    ");
    gist!(&round(r#"<PANELIST role="critic" score="9" must_fix="4"/>
        brand 9
        a11y 9
        copy 9"#), @"
    run_started
    -> start the agent
    parser_warning must_fix_mismatch critic
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 9 must-fix 4 continue: 4 must-fix open (composite 9.0, bar 8.0)
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 9 with A: no round met the ship rule; the best is round 1: 4 must-fix open (composite 9.0, bar 8.0)
    -> stop the agent
    ");
    gist!(&round("panel 9").replace("end 1 ship", "end 1 ship must_fix=\"2\""), @"
    run_started
    -> start the agent
    parser_warning must_fix_mismatch
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 9 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_panel_that_finds_back_to_the_scale_is_heard() {
    gist!("
        start
        run
        round 1
        designer A
        panel 50
        end 1
        round 2
        designer B
        panel 9.0
        end 2 ship
        ship 2 B
        linted
    ", @"
    run_started
    -> start the agent
    parser_warning score_clamped critic
    parser_warning score_clamped brand
    parser_warning score_clamped a11y
    parser_warning score_clamped copy
    parser_warning quorum_missed
    parser_warning weak_debate
    round_end 1 10 must-fix 0 continue: composite 10.0 reaches 8.0; 0 must-fix open; not on the scale: critic, brand, a11y, copy; the critic gave no usable score
    round_end 2 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint B, from round 2
    lint 2 0 findings
    -> keep B as final, from round 2
    ship Shipped, round 2 9 with B: done
    -> stop the agent
    ");
}
