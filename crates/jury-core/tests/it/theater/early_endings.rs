//! Runs that end before their time: by the agent, a fault, the clock, the user.

use jury_core::outcome::FallbackPolicy;
use jury_core::settings::CritiqueConfig;
use jury_core::unit::Millis;

use super::gist;
use super::script::{cleared_and, two_rounds_and, with};
use super::stage::Stage;

#[test]
fn a_first_round_without_an_artifact_is_no_review() {
    gist!("start\n run\n round 1\n designer -\n panel 9.0\n end 1 ship\n ship 1 F\n linted", @"
    run_started
    -> start the agent
    degraded missing_artifact at 4430, no round: the first round has no <ARTIFACT> from the designer
    -> stop the agent
    ");
    gist!("start\n run\n round 1\n panel 9.0\n end 1 ship", @"
    run_started
    -> start the agent
    degraded missing_artifact at 378, no round: the first round has no <ARTIFACT> from the designer
    -> stop the agent
    ");
    gist!("start\n run\n round 1\n end 1 ship", @r"
        run_started
        -> start the agent
        degraded missing_artifact at 115, no round: the first round has no <ARTIFACT> from the designer
        -> stop the agent
        ");
    gist!("start\n run\n round 2\n panel 9.0\n end 2 ship", @"
    run_started
    -> start the agent
    parser_warning round_number
    parser_warning round_number
    degraded missing_artifact at 378, no round: the first round has no <ARTIFACT> from the designer
    -> stop the agent
    ");
}

#[test]
fn a_run_without_a_closed_round_is_no_review() {
    gist!("start\n run\n close", @"
    run_started
    -> start the agent
    parser_warning stray_text
    ");
    gist!("start\n <CRITIQUE_RUN version='1'/>", @"
    run_started
    -> start the agent
    parser_warning stray_text
    ");
    gist!("start\n exit 0", @r"
        run_started
        -> start the agent
        degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends
        -> stop the agent
        ");
}

#[test]
fn an_answer_that_is_cut_off_is_degraded_or_failed_by_how_the_agent_ended() {
    gist!(&two_rounds_and("exit 0"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep A as final, from round 1
    degraded malformed_block at 6949, round 1 7 with A: the answer ends inside <CRITIQUE_RUN>
    -> stop the agent
    ");
    gist!(&two_rounds_and("exit 1"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep A as final, from round 1
    failed cli_exit_nonzero, round 1 7 with A: the agent exited with code 1; the answer ends inside <CRITIQUE_RUN> at byte 6949
    -> stop the agent
    ");
    gist!(&two_rounds_and("killed 9"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep A as final, from round 1
    failed cli_signal, round 1 7 with A: the agent was killed by signal 9; the answer ends inside <CRITIQUE_RUN> at byte 6949
    -> stop the agent
    ");
    gist!(&two_rounds_and("gone"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep A as final, from round 1
    degraded malformed_block at 6949, round 1 7 with A: the answer ends inside <CRITIQUE_RUN>
    -> stop the agent
    ");
    gist!(with(FallbackPolicy::Fail), &two_rounds_and("exit 0"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    degraded malformed_block at 6949, round 1 7: the answer ends inside <CRITIQUE_RUN>
    -> stop the agent
    ");
    gist!(&cleared_and("exit 0"), @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    ");
}

#[test]
fn an_answer_that_is_cut_off_in_its_first_round_leaves_nothing() {
    let half = "start\n run\n round 1\n designer A\n <PANELIST role='critic' score='9'>";
    gist!(&format!("{half}\n exit 0"), @"
    run_started
    -> start the agent
    degraded malformed_block at 4224, no round: the answer ends inside <PANELIST>
    -> stop the agent
    ");
    gist!(&format!("{half}\n exit 137"), @"
    run_started
    -> start the agent
    failed cli_exit_nonzero, no round: the agent exited with code 137; the answer ends inside <PANELIST> at byte 4224
    -> stop the agent
    ");
    gist!(&format!("{half}\n killed 11"), @"
    run_started
    -> start the agent
    failed cli_signal, no round: the agent was killed by signal 11; the answer ends inside <PANELIST> at byte 4224
    -> stop the agent
    ");
}

#[test]
fn a_broken_block_ends_the_run_with_the_closed_rounds_kept() {
    gist!(&two_rounds_and("round 3\n <PANELIST role='critic'></ROUND>\n exit 0"), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    parser_warning score_unusable critic
    -> keep A as final, from round 1
    degraded malformed_block at 6986, round 1 7 with A: <PANELIST> is not closed before </ROUND>
    -> stop the agent
    ");
    gist!("start\n <CRITIQUE_RUN version='2'>", @r"
        run_started
        -> start the agent
        degraded protocol_version_mismatch at 0, no round: the agent speaks version '2' of the protocol, this program version 1
        -> stop the agent
        ");
    gist!("start\n fault adapter_unsupported", @r"
        run_started
        -> start the agent
        degraded adapter_unsupported nowhere, no round: said so
        -> stop the agent
        ");
}

#[test]
fn an_agent_that_does_not_start_is_a_failure() {
    gist!("start\n unstarted\n exit 1", @r"
        run_started
        -> start the agent
        failed spawn_failed, no round: no such file
        -> stop the agent
        ");
    gist!(&two_rounds_and("broken"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep A as final, from round 1
        failed orchestrator_internal, round 1 7 with A: disk full
        -> stop the agent
        ");
}

#[test]
fn the_clock_of_a_round_starts_with_its_tag_and_stops_with_its_end() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("start\n @50000 run");
    assert_eq!(stage.theater.deadline(), Some(Millis(240_000)));
    stage.play("@60000 round 1");
    assert_eq!(stage.theater.deadline(), Some(Millis(150_000)));
    stage.play("@70000 designer A\n panel 7.0\n end 1");
    assert_eq!(stage.theater.deadline(), Some(Millis(240_000)));
    stage.play("@200000 round 2");
    assert_eq!(stage.theater.deadline(), Some(Millis(240_000)), "the run ends before the round could");
    stage.play("@239999 deadline");
    assert!(!stage.theater.has_ended());
}

#[test]
fn a_round_that_takes_too_long_ends_the_run_with_the_best_one() {
    gist!(&two_rounds_and("@10000 round 3\n designer C\n @99999 deadline\n @100000 deadline\n deadline"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep A as final, from round 1
        ship TimedOut by round_timeout, round 1 7 with A: round 3 took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
        -> stop the agent
        ");
    gist!(with(FallbackPolicy::ShipLast), &two_rounds_and("@10000 round 3\n @100000 deadline"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep B as final, from round 2
        ship TimedOut by round_timeout, round 2 6 with B: round 3 took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
        -> stop the agent
        ");
    gist!(with(FallbackPolicy::Fail), &two_rounds_and("@10000 round 3\n @100000 deadline"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        ship TimedOut by round_timeout, round 1 7: round 3 took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
        -> stop the agent
        ");
    gist!("start\n run\n round 1\n designer A\n @90000 deadline", @r"
        run_started
        -> start the agent
        ship TimedOut by round_timeout, no round: round 1 took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
        -> stop the agent
        ");
}

#[test]
fn a_run_that_takes_too_long_ends_with_the_best_round() {
    gist!(&two_rounds_and("@240000 deadline\n exit 1"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep A as final, from round 1
        ship TimedOut by total_timeout, round 1 7 with A: the run took longer than 240000 ms (OD_CRITIQUE_TOTAL_TIMEOUT_MS, --total-timeout-ms)
        -> stop the agent
        ");
    gist!(&cleared_and("@240000 deadline"), @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    ");
    gist!("start\n @240000 deadline", @r"
        run_started
        -> start the agent
        ship TimedOut by total_timeout, no round: the run took longer than 240000 ms (OD_CRITIQUE_TOTAL_TIMEOUT_MS, --total-timeout-ms)
        -> stop the agent
        ");
}

#[test]
fn a_round_that_met_the_rule_is_better_than_one_with_more_points() {
    let asked_then_met = "start\n run\n round 1\n designer A\n critic 9 ! Darken it\n brand 9\n a11y 9\n copy 9\n end 1\n \
                          round 2\n designer B\n panel 8.4\n end 2 ship\n interrupt";
    gist!(asked_then_met, @r"
        run_started
        -> start the agent
        parser_warning weak_debate
        round_end 1 9 must-fix 1 continue: 1 must-fix open (composite 9.0, bar 8.0)
        round_end 2 8.4 must-fix 0 ship: composite 8.4 reaches 8.0; 0 must-fix open
        -> keep B as final, from round 2
        interrupted round 2 8.4 with B
        -> stop the agent
        ");
}

#[test]
fn an_interrupt_ends_the_run_with_the_best_round() {
    gist!(&two_rounds_and("round 3\n designer C\n interrupt\n exit 0\n interrupt"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep A as final, from round 1
        interrupted round 1 7 with A
        -> stop the agent
        ");
    gist!(with(FallbackPolicy::ShipLast), &two_rounds_and("interrupt"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        -> keep B as final, from round 2
        interrupted round 2 6 with B
        -> stop the agent
        ");
    gist!(with(FallbackPolicy::Fail), &two_rounds_and("interrupt"), @r"
        run_started
        -> start the agent
        round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
        round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
        interrupted round 1 7
        -> stop the agent
        ");
    gist!("start\n run\n round 1\n designer A\n interrupt", @r"
        run_started
        -> start the agent
        interrupted no round
        -> stop the agent
        ");
    gist!("start\n interrupt", @r"
        run_started
        -> start the agent
        interrupted no round
        -> stop the agent
        ");
}
