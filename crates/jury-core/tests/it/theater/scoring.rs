//! The rule of a round, line by line.

use jury_core::role::Role;
use jury_core::score::Weights;
use jury_core::settings::CritiqueConfig;

use super::script::round;
use super::{check, gist};

#[test]
fn an_absent_role_counts_as_zero_and_as_one_must_fix() {
    gist!(&round("critic 10\n brand 10\n a11y 10"), @"
    run_started
    -> start the agent
    parser_warning missing_role copy
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 8 must-fix 1 continue: 1 must-fix open (composite 8.0, bar 8.0); absent: copy
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 8 with A: no round met the ship rule; the best is round 1: 1 must-fix open (composite 8.0, bar 8.0); absent: copy
    -> stop the agent
    ");
    gist!(&round("critic 10"), @"
    run_started
    -> start the agent
    parser_warning missing_role brand
    parser_warning missing_role a11y
    parser_warning missing_role copy
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 4 must-fix 3 continue: composite 4.0 is below 8.0; 3 must-fix open; absent: brand, a11y, copy; fewer than half of the panel gave a usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4419, round 1 4 with A: no round has a quorum; round 1: composite 4.0 is below 8.0; 3 must-fix open; absent: brand, a11y, copy; fewer than half of the panel gave a usable score
    -> stop the agent
    ");
    gist!(&round(""), @"
    run_started
    -> start the agent
    parser_warning missing_role critic
    parser_warning missing_role brand
    parser_warning missing_role a11y
    parser_warning missing_role copy
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 0 must-fix 4 continue: composite 0.0 is below 8.0; 4 must-fix open; absent: critic, brand, a11y, copy; fewer than half of the panel gave a usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4353, round 1 0 with A: no round has a quorum; round 1: composite 0.0 is below 8.0; 4 must-fix open; absent: critic, brand, a11y, copy; fewer than half of the panel gave a usable score
    -> stop the agent
    ");
}

#[test]
fn a_panelist_without_a_usable_score_gives_its_weight_to_the_others() {
    gist!(&round("critic 8\n brand 9\n a11y 9\n copy -"), @"
    run_started
    -> start the agent
    parser_warning score_unusable copy
    round_end 1 8.5 must-fix 0 ship: composite 8.5 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8.5 with A: done
    -> stop the agent
    ");
    gist!(&round("critic n/a\n brand 9\n a11y 9\n copy 9"), @"
    run_started
    -> start the agent
    parser_warning score_unusable critic
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 9 must-fix 0 continue: composite 9.0 reaches 8.0; 0 must-fix open; the critic gave no usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4610, round 1 9 with A: no round has a quorum; round 1: composite 9.0 reaches 8.0; 0 must-fix open; the critic gave no usable score
    -> stop the agent
    ");
}

#[test]
fn a_round_without_a_quorum_cannot_ship() {
    gist!(&round("critic 10\n brand -\n a11y -\n copy -"), @"
    run_started
    -> start the agent
    parser_warning score_unusable brand
    parser_warning score_unusable a11y
    parser_warning score_unusable copy
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 10 must-fix 0 continue: composite 10.0 reaches 8.0; 0 must-fix open; fewer than half of the panel gave a usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4519, round 1 10 with A: no round has a quorum; round 1: composite 10.0 reaches 8.0; 0 must-fix open; fewer than half of the panel gave a usable score
    -> stop the agent
    ");
    gist!(&round("critic -\n brand 10\n a11y 10\n copy -"), @"
    run_started
    -> start the agent
    parser_warning score_unusable critic
    parser_warning score_unusable copy
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 10 must-fix 0 continue: composite 10.0 reaches 8.0; 0 must-fix open; the critic gave no usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4550, round 1 10 with A: no round has a quorum; round 1: composite 10.0 reaches 8.0; 0 must-fix open; the critic gave no usable score
    -> stop the agent
    ");
    gist!(&round("critic -\n brand -\n a11y -\n copy -"), @"
    run_started
    -> start the agent
    parser_warning score_unusable critic
    parser_warning score_unusable brand
    parser_warning score_unusable a11y
    parser_warning score_unusable copy
    parser_warning quorum_missed
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 0 must-fix 0 continue: composite 0.0 is below 8.0; 0 must-fix open; the critic gave no usable score
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    degraded quorum_missed at 4488, round 1 0 with A: no round has a quorum; round 1: composite 0.0 is below 8.0; 0 must-fix open; the critic gave no usable score
    -> stop the agent
    ");
    gist!(&round("critic 10\n brand 10\n a11y -\n copy -"), @"
    run_started
    -> start the agent
    parser_warning score_unusable a11y
    parser_warning score_unusable copy
    round_end 1 10 must-fix 0 ship: composite 10.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 10 with A: done
    -> stop the agent
    ");
}

#[test]
fn exactly_half_of_the_weight_is_a_quorum_whatever_binary_fractions_say() {
    // 0.3 + 0.1 + 0.2 is more than 0.6.
    let weights = Weights { designer: 0.0, critic: 0.3, brand: 0.1, a11y: 0.2, copy: 0.0 };
    let config = CritiqueConfig { weights, ..CritiqueConfig::default() };
    gist!(config, &round("critic 9\n brand -\n a11y -\n copy -"), @"
    run_started
    -> start the agent
    parser_warning score_unusable brand
    parser_warning score_unusable a11y
    parser_warning score_unusable copy
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 9 with A: done
    -> stop the agent
    ");
}

#[test]
fn the_designer_has_no_weight_and_may_be_absent_after_the_first_round() {
    gist!("
        start
        run
        round 1
        designer A
        panel 7.0
        end 1
        round 2
        panel 9.0
        end 2 ship
        ship 2 -
        linted
    ", @r"
        run_started
        -> start the agent
        parser_warning weak_debate
        round_end 1 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
        round_end 2 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        parser_warning ship_without_artifact
        -> lint A, from round 1
        lint 2 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 2 9 with A: done
        -> stop the agent
        ");
}

#[test]
fn a_designer_with_a_weight_is_asked_for_its_score() {
    let weights = Weights { designer: 0.2, critic: 0.2, brand: 0.2, a11y: 0.2, copy: 0.2 };
    let config = CritiqueConfig { weights, ..CritiqueConfig::default() };
    gist!(config, &round("panel 9.0"), @"
    run_started
    -> start the agent
    parser_warning score_unusable designer
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 9 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_role_that_is_not_cast_is_dropped() {
    let cast = vec![Role::Designer, Role::Critic, Role::Brand, Role::A11y];
    let config = CritiqueConfig { cast, ..CritiqueConfig::default() };
    gist!(config, &round("critic 8\n brand 8\n a11y 8\n copy 2 ! Rewrite it all"), @"
    run_started
    -> start the agent
    parser_warning unknown_role copy
    round_end 1 8 must-fix 0 ship: composite 8.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_composite_a_hair_below_the_bar_reaches_it_and_a_hundredth_does_not() {
    // 0.1 + 0.2 in binary: the mean of four times 8.0 is a hair off.
    let weights = Weights { designer: 0.0, critic: 0.1, brand: 0.2, a11y: 0.3, copy: 0.7 };
    let config = CritiqueConfig { weights, ..CritiqueConfig::default() };
    gist!(config, &round("panel 8.0"), @"
    run_started
    -> start the agent
    round_end 1 8 must-fix 0 ship: composite 8.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8 with A: done
    -> stop the agent
    ");
    gist!(&round("critic 8.0\n brand 8.0\n a11y 8.0\n copy 7.9"), @"
    run_started
    -> start the agent
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 7.98 must-fix 0 continue: composite 7.9 is below 8.0; 0 must-fix open
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7.98 with A: no round met the ship rule; the best is round 1: composite 7.9 is below 8.0; 0 must-fix open
    -> stop the agent
    ");
}

#[test]
fn a_composite_is_never_rounded_across_the_bar() {
    let weights = Weights { designer: 0.0, critic: 1.0, brand: 1.0, a11y: 1.0, copy: 0.07 };
    let config = CritiqueConfig { weights, ..CritiqueConfig::default() };
    gist!(config, &round("critic 8.0\n brand 8.0\n a11y 8.0\n copy 7.9"), @"
    run_started
    -> start the agent
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 1 7.99 must-fix 0 continue: composite 7.9 is below 8.0; 0 must-fix open
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7.99 with A: no round met the ship rule; the best is round 1: composite 7.9 is below 8.0; 0 must-fix open
    -> stop the agent
    ");
}

#[test]
fn the_first_of_two_panelists_of_a_role_counts() {
    check!(r#"
        start
        run
        round 1
        designer A
        designer B
        critic 8.0
        critic 10 ! Never mind
        <PANELIST role="critic" score="1"><DIM name="type" score="1">x</DIM></PANELIST>
        brand 8.0
        a11y 8.0
        copy 8.0
        end 1 ship
        ship 1 -
        linted
    "#, @r"
        run_started
        -> start the agent
        panelist_open 1 designer
        -> keep A for round 1
        panelist_close 1 designer - with A
        parser_warning duplicate_role designer
        panelist_open 1 critic
        panelist_close 1 critic 8.0
        parser_warning duplicate_role critic
        parser_warning duplicate_role critic
        panelist_open 1 brand
        panelist_close 1 brand 8.0
        panelist_open 1 a11y
        panelist_close 1 a11y 8.0
        panelist_open 1 copy
        panelist_close 1 copy 8.0
        round_end 1 8 must-fix 0 ship: composite 8.0 reaches 8.0; 0 must-fix open
        parser_warning ship_without_artifact
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 8 with A: done
        -> stop the agent
        ");
}

#[test]
fn panelists_that_ask_for_the_same_or_for_nothing_are_no_debate() {
    let asked =
        |panelists: &str| format!("start\n run\n round 1\n designer A\n {panelists}\n end 1\n interrupt");
    gist!(&asked("panel 6.0"), @r"
        run_started
        -> start the agent
        parser_warning weak_debate
        round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
        -> keep A as final, from round 1
        interrupted round 1 6 with A
        -> stop the agent
        ");
    gist!(&asked("critic 6 ! Darken it\n brand 6 ! darken it.\n a11y 6\n copy 6"), @r"
        run_started
        -> start the agent
        parser_warning weak_debate
        round_end 1 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep A as final, from round 1
        interrupted round 1 6 with A
        -> stop the agent
        ");
    gist!(&asked("critic 6\n brand 6 ! One\n a11y 6 ! Two\n copy 6"), @r"
        run_started
        -> start the agent
        parser_warning weak_debate
        round_end 1 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep A as final, from round 1
        interrupted round 1 6 with A
        -> stop the agent
        ");
    gist!(&asked("critic 6 ! One\n brand 6\n a11y 6 ! Two\n copy 6"), @r"
        run_started
        -> start the agent
        round_end 1 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep A as final, from round 1
        interrupted round 1 6 with A
        -> stop the agent
        ");
}

#[test]
fn a_round_that_is_not_shorter_than_the_one_before_is_noted() {
    gist!(r"
        start
        run
        round 1
        designer A
        panel 6.0
        end 1
        <ROUND n='2'>
        <PANELIST role='designer'><NOTES>
        <![CDATA[ ]]> Much longer than before, and then some more of it, again and again, on and on, and on.
        </NOTES></PANELIST>
        designer C
        panel 6.0
        end 2
        interrupt
    ", @r"
        run_started
        -> start the agent
        parser_warning weak_debate
        round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
        parser_warning duplicate_role designer
        parser_warning weak_debate
        parser_warning round_grew
        round_end 2 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
        -> keep A as final, from round 1
        interrupted round 2 6 with A
        -> stop the agent
        ");
}
