//! Runs that the scoreboard ends: what ships, what is kept when nothing does.

use jury_core::outcome::FallbackPolicy;
use jury_core::settings::CritiqueConfig;

use super::script::{cleared_and, two_rounds_and, with};
use super::{check, gist};

#[test]
fn the_policy_says_which_round_is_kept_when_none_meets_the_bar() {
    gist!(with(FallbackPolicy::ShipBest), &two_rounds_and("close"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7 with A: no round met the ship rule; the best is round 1: composite 7.0 is below 8.0; 2 must-fix open
    -> stop the agent
    ");
    gist!(with(FallbackPolicy::ShipLast), &two_rounds_and("close"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep B as final, from round 2
    ship BelowThreshold, round 2 6 with B: no round met the ship rule; the last is round 2: composite 6.0 is below 8.0; 2 must-fix open
    -> stop the agent
    ");
    gist!(with(FallbackPolicy::Fail), &two_rounds_and("close"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    ship BelowThreshold, round 1 7: no round met the ship rule; the best is round 1, and none is kept: composite 7.0 is below 8.0; 2 must-fix open
    -> stop the agent
    ");
}

#[test]
fn of_equal_rounds_the_later_one_is_kept() {
    gist!("start\n run\n round 1\n designer A\n panel 7.0\n end 1\n round 2\n designer B\n panel 7.0\n end 2\n close", @"
    run_started
    -> start the agent
    parser_warning weak_debate
    round_end 1 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
    parser_warning weak_debate
    round_end 2 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
    -> keep B as final, from round 2
    ship BelowThreshold, round 2 7 with B: no round met the ship rule; the best is round 2: composite 7.0 is below 8.0; 0 must-fix open
    -> stop the agent
    ");
}

#[test]
fn the_last_round_below_the_bar_ends_the_run_whatever_the_agent_does_next() {
    let config = CritiqueConfig { max_rounds: 2, ..CritiqueConfig::default() };
    gist!(config, &two_rounds_and("ship 2 F\n round 3\n @240000 deadline\n exit 1"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7 with A: no round met the ship rule; the best is round 1: composite 7.0 is below 8.0; 2 must-fix open
    -> stop the agent
    ");
}

#[test]
fn the_agent_may_still_ship_an_earlier_round_when_the_last_one_is_below_the_bar() {
    let config = CritiqueConfig { max_rounds: 2, ..CritiqueConfig::default() };
    let rounds = cleared_and("round 2\n designer B\n panel 7.0\n end 2");
    gist!(config.clone(), &format!("{rounds}\n ship 1 A\n linted"), @"
    run_started
    -> start the agent
    parser_warning setting_mismatch
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning weak_debate
    round_end 2 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 9 with A: done
    -> stop the agent
    ");
    gist!(config.clone(), &format!("{rounds}\n close\n linted"), @r"
        run_started
        -> start the agent
        parser_warning setting_mismatch
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        parser_warning weak_debate
        round_end 2 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A: round 1 met the bar
        -> stop the agent
        ");
    gist!(config, &format!("{rounds}\n round 3\n linted"), @r"
        run_started
        -> start the agent
        parser_warning setting_mismatch
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        parser_warning weak_debate
        round_end 2 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A: round 1 met the bar
        -> stop the agent
        ");
}

#[test]
fn a_round_beyond_the_last_one_ends_the_run() {
    let config = CritiqueConfig { max_rounds: 1, ..CritiqueConfig::default() };
    gist!(config, &cleared_and("round 2\n designer B\n panel 10\n end 2\n linted"), @r"
        run_started
        -> start the agent
        parser_warning setting_mismatch
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A: round 1 met the bar
        -> stop the agent
        ");
}

#[test]
fn a_ship_of_a_round_that_did_not_clear_the_bar_is_not_obeyed() {
    gist!(&two_rounds_and("ship 2 F composite=\"9.9\"\n close"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7 with A: no round met the ship rule; the best is round 1: composite 7.0 is below 8.0; 2 must-fix open
    -> stop the agent
    ");
    gist!(&two_rounds_and("ship 7 F\n close"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    parser_warning ship_not_obeyed
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 7 with A: no round met the ship rule; the best is round 1: composite 7.0 is below 8.0; 2 must-fix open
    -> stop the agent
    ");
    gist!("start\n run\n round 1\n designer A\n panel 9.0\n ship 1 F\n end 1 ship\n close\n linted", @r"
        run_started
        -> start the agent
        parser_warning ship_not_obeyed
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A: round 1 met the bar
        -> stop the agent
        ");
    gist!(&cleared_and("<SHIP><ARTIFACT>F</ARTIFACT></SHIP>\n close\n linted"), @r"
        run_started
        -> start the agent
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        parser_warning ship_not_obeyed
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A: round 1 met the bar
        -> stop the agent
        ");
}

#[test]
fn a_round_is_shipped_by_the_number_that_the_agent_gave_it() {
    gist!("
        start
        run
        round 4
        designer A
        panel 6.0
        end 4
        round 5
        designer B
        panel 9.0
        end 5 ship
        ship 5 B
        linted
    ", @"
    run_started
    -> start the agent
    parser_warning round_number
    parser_warning round_number
    parser_warning weak_debate
    round_end 1 6 must-fix 0 continue: composite 6.0 is below 8.0; 0 must-fix open
    parser_warning round_number
    parser_warning round_number
    round_end 2 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint B, from round 2
    lint 2 0 findings
    -> keep B as final, from round 2
    ship Shipped, round 2 9 with B: done
    -> stop the agent
    ");
}

#[test]
fn a_committed_ship_outlasts_all_that_follows() {
    let late = "round 2\n designer B\n panel 1.0\n end 2\n close\n run\n exit 1\n killed 15\n interrupt
        fault malformed_block\n @999999 deadline\n unstarted\n start";
    gist!(&cleared_and(&format!("ship 1 F\n {late}\n linted\n {late}")), @"
    run_started
    -> start the agent
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
fn a_breakdown_before_the_ship_is_written_is_a_failure() {
    gist!(&cleared_and("ship 1 F\n broken\n linted"), @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning ship_artifact_differs
    -> lint A, from round 1
    -> keep A as final, from round 1
    failed orchestrator_internal, round 1 9 with A: disk full
    -> stop the agent
    ");
}

#[test]
fn a_ship_without_an_artifact_takes_the_one_that_was_reviewed() {
    gist!(&cleared_and("ship 1 -\n linted"), @r"
        run_started
        -> start the agent
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        parser_warning ship_without_artifact
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A: done
        -> stop the agent
        ");
    gist!(&cleared_and("<SHIP round='1'><ARTIFACT>  </ARTIFACT></SHIP>\n linted"), @r"
        run_started
        -> start the agent
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        parser_warning ship_without_artifact
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A:
        -> stop the agent
        ");
}

#[test]
fn what_the_final_pass_finds_keeps_a_ship_back() {
    gist!(&cleared_and("ship 1 F\n linted todo"), @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning ship_artifact_differs
    -> lint A, from round 1
    lint 1 1 findings
    -> keep A as final, from round 1
    ship BelowThreshold, round 1 9 with A: round 1 met the bar, but its artifact is not finished: 1 lint finding
    -> stop the agent
    ");
    gist!(&cleared_and("close\n linted todo"), @r"
        run_started
        -> start the agent
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        -> lint A, from round 1
        lint 1 1 findings
        -> keep A as final, from round 1
        ship BelowThreshold, round 1 9 with A: round 1 met the bar, but its artifact is not finished: 1 lint finding
        -> stop the agent
        ");
    gist!(with(FallbackPolicy::Fail), &cleared_and("ship 1 F\n linted todo"), @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    parser_warning ship_artifact_differs
    -> lint A, from round 1
    lint 1 1 findings
    ship BelowThreshold, round 1 9: round 1 met the bar, but its artifact is not finished: 1 lint finding
    -> stop the agent
    ");
}

#[test]
fn a_cleared_round_ships_when_the_agent_forgets_to_say_so() {
    gist!(&cleared_and("close\n linted"), @r"
        run_started
        -> start the agent
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        -> lint A, from round 1
        lint 1 0 findings
        -> keep A as final, from round 1
        ship Shipped, round 1 9 with A: round 1 met the bar
        -> stop the agent
        ");
    gist!(&cleared_and("round 2\n designer B\n panel 10\n end 2 ship\n close\n linted"), @r"
        run_started
        -> start the agent
        round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
        round_end 2 10 must-fix 0 ship: composite 10.0 reaches 8.0; 0 must-fix open
        -> lint B, from round 2
        lint 2 0 findings
        -> keep B as final, from round 2
        ship Shipped, round 2 10 with B: round 2 met the bar
        -> stop the agent
        ");
}

#[test]
fn a_later_round_without_an_artifact_keeps_the_one_before() {
    check!("
        start
        run
        round 1
        designer A
        panel 6.0
        end 1
        round 2
        designer -
        panel 7.0
        end 2
        round 3
        end 3
        close
    ", @"
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
    panelist_close 2 designer -
    panelist_open 2 critic
    panelist_close 2 critic 7.0
    panelist_open 2 brand
    panelist_close 2 brand 7.0
    panelist_open 2 a11y
    panelist_close 2 a11y 7.0
    panelist_open 2 copy
    panelist_close 2 copy 7.0
    parser_warning weak_debate
    round_end 2 7 must-fix 0 continue: composite 7.0 is below 8.0; 0 must-fix open
    parser_warning missing_role critic
    parser_warning missing_role brand
    parser_warning missing_role a11y
    parser_warning missing_role copy
    parser_warning quorum_missed
    parser_warning weak_debate
    round_end 3 0 must-fix 4 continue: composite 0.0 is below 8.0; 4 must-fix open; absent: critic, brand, a11y, copy; fewer than half of the panel gave a usable score
    -> keep A as final, from round 1
    ship BelowThreshold, round 2 7 with A: no round met the ship rule; the best is round 2: composite 7.0 is below 8.0; 0 must-fix open
    -> stop the agent
    ");
}
