//! Agents that begin their answer again.

use jury_core::settings::CritiqueConfig;
use jury_core::theater::RoundBoard;

use super::stage::Stage;
use super::{check, gist};

#[test]
fn what_is_said_again_supersedes_what_was_said() {
    check!("
        start
        run
        round 1
        designer A
        panel 9.0
        end 1 ship
        round 2
        designer B
        <PANELIST role='critic' score='9'>
        run
        round 1
        designer C
        panel 9.5
        end 1 ship
        ship 1 -
        linted
    ", @r"
        run_started
        -> start the agent
        panelist_open 1 designer
        -> keep A for round 1
        panelist_close 1 designer - with A
        panelist_open 1 critic
        panelist_close 1 critic 9.0
        panelist_open 1 brand
        panelist_close 1 brand 9.0
        panelist_open 1 a11y
        panelist_close 1 a11y 9.0
        panelist_open 1 copy
        panelist_close 1 copy 9.0
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        panelist_open 2 designer
        -> keep B for round 2
        panelist_close 2 designer - with B
        panelist_open 2 critic
        parser_warning restarted
        panelist_open 1 designer
        -> keep C for round 1
        panelist_close 1 designer - with C
        panelist_open 1 critic
        panelist_close 1 critic 9.5
        panelist_open 1 brand
        panelist_close 1 brand 9.5
        panelist_open 1 a11y
        panelist_close 1 a11y 9.5
        panelist_open 1 copy
        panelist_close 1 copy 9.5
        round_end 1 9.5 must-fix 0 ship: composite 9.5 reaches 8.0; 0 must-fix open
        parser_warning ship_without_artifact
        -> lint C, from round 1
        lint 1 0 findings
        -> keep C as final, from round 1
        ship Shipped, round 1 9.5 with C: done
        -> stop the agent
        ");
}

#[test]
fn superseded_rounds_stay_on_the_board_but_are_never_handed_over() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play(
        "start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n round 2\n designer B\n run\n exit 0",
    );
    let board = stage.theater.board();
    assert_eq!(board.rounds, Vec::<RoundBoard>::new());
    let superseded: Vec<_> =
        board.superseded.iter().map(|round| (round.round.0, round.reviews.len())).collect();
    assert_eq!(superseded, [(1, 5)]);
    gist!("start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n run\n close", @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning restarted
    parser_warning stray_text
    ");
    gist!("start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n run\n ship 1 A\n close", @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning restarted
    parser_warning ship_not_obeyed
    degraded malformed_block at 4683, no round: the run was closed without a finished round
    -> stop the agent
    ");
}

#[test]
fn a_second_attempt_that_brings_no_draft_does_not_inherit_one() {
    gist!("start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n run\n round 1\n panel 9.0\n end 1 ship", @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning restarted
    degraded missing_artifact at 4874, no round: the first round has no <ARTIFACT> from the designer
    -> stop the agent
    ");
}

#[test]
fn a_second_attempt_hands_over_its_own_bytes_and_not_those_of_the_same_number() {
    // Round 2 of the first attempt has a draft of its own; that of the second attempt reviews round 1's.
    check!("
        start
        run
        round 1
        designer A
        panel 6.0
        end 1
        round 2
        designer B
        panel 6.0
        end 2
        run
        round 1
        designer C
        panel 6.0
        end 1
        round 2
        panel 9.0
        end 2 ship
        ship 2 -
        linted
    ", @r"
        run_started
        -> start the agent
        panelist_open 1 designer
        -> keep A for round 1
        panelist_close 1 designer - with A
        panelist_open 1 critic
        panelist_close 1 critic 6.0
        panelist_open 1 brand
        panelist_close 1 brand 6.0
        panelist_open 1 a11y
        panelist_close 1 a11y 6.0
        panelist_open 1 copy
        panelist_close 1 copy 6.0
        parser_warning weak_debate
        round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
        panelist_open 2 designer
        -> keep B for round 2
        panelist_close 2 designer - with B
        panelist_open 2 critic
        panelist_close 2 critic 6.0
        panelist_open 2 brand
        panelist_close 2 brand 6.0
        panelist_open 2 a11y
        panelist_close 2 a11y 6.0
        panelist_open 2 copy
        panelist_close 2 copy 6.0
        parser_warning weak_debate
        round_end 2 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
        parser_warning restarted
        panelist_open 1 designer
        -> keep C for round 1
        panelist_close 1 designer - with C
        panelist_open 1 critic
        panelist_close 1 critic 6.0
        panelist_open 1 brand
        panelist_close 1 brand 6.0
        panelist_open 1 a11y
        panelist_close 1 a11y 6.0
        panelist_open 1 copy
        panelist_close 1 copy 6.0
        parser_warning weak_debate
        round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
        panelist_open 2 critic
        panelist_close 2 critic 9.0
        panelist_open 2 brand
        panelist_close 2 brand 9.0
        panelist_open 2 a11y
        panelist_close 2 a11y 9.0
        panelist_open 2 copy
        panelist_close 2 copy 9.0
        round_end 2 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        parser_warning ship_without_artifact
        -> lint C, from round 1
        lint 2 0 findings
        -> keep C as final, from round 1
        ship Shipped, round 2 9 with C: done
        -> stop the agent
        ");
}

#[test]
fn a_restart_in_the_middle_of_a_second_panelist_of_a_role_forgets_it() {
    gist!("
        start
        run
        round 1
        designer A
        <PANELIST role='designer'>
        run
        round 1
        designer B
        panel 9.0
        end 1 ship
        ship 1 B
        linted
    ", @"
    run_started
    -> start the agent
    parser_warning duplicate_role designer
    parser_warning restarted
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint B, from round 1
    lint 1 0 findings
    -> keep B as final, from round 1
    ship Shipped, round 1 9 with B: done
    -> stop the agent
    ");
}

#[test]
fn the_clock_of_the_run_goes_on_and_that_of_the_round_stops() {
    gist!("start\n run\n round 1\n @80000 run\n @90000 deadline\n @95000 round 1\n @184999 deadline\n @185000 deadline", @r"
        run_started
        -> start the agent
        parser_warning restarted
        ship TimedOut by round_timeout, no round: round 1 took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
        -> stop the agent
        ");
    gist!("start\n run\n @200000 run\n @240000 deadline", @r"
        run_started
        -> start the agent
        parser_warning restarted
        ship TimedOut by total_timeout, no round: the run took longer than 240000 ms (OD_CRITIQUE_TOTAL_TIMEOUT_MS, --total-timeout-ms)
        -> stop the agent
        ");
}

#[test]
fn rounds_are_counted_anew() {
    gist!("
        start
        run
        round 1
        designer A
        panel 6.0
        end 1
        round 2
        designer B
        panel 6.0
        end 2
        run
        round 1
        designer C
        panel 6.0
        end 1
        round 2
        designer D
        panel 6.5
        end 2
        round 3
        designer E
        panel 6.0
        end 3
    ", @"
    run_started
    -> start the agent
    parser_warning weak_debate
    round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
    parser_warning weak_debate
    round_end 2 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
    parser_warning restarted
    parser_warning weak_debate
    round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
    parser_warning weak_debate
    round_end 2 6.5 must-fix 0 continue: composite 6.5 is below 8.0; 0 must-fix open
    parser_warning weak_debate
    round_end 3 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
    -> keep D as final, from round 2
    ship BelowThreshold, round 2 6.5 with D: no round met the ship rule; the best is round 2: composite 6.5 is below 8.0; 0 must-fix open
    -> stop the agent
    ");
}
