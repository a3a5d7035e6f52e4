//! Runs without a review that still have something to make.

use jury_core::outcome::FallbackPolicy;

use super::gist;
use super::script::{cleared_and, two_rounds_and, with};
use super::stage::Stage;

#[test]
fn a_degraded_run_with_something_to_make_asks_once_for_the_page_alone() {
    gist!("makes\n start\n exit 0\n legacy F", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    -> keep F as final
    degraded malformed_block at 0, no round with F: the answer has no <CRITIQUE_RUN>; it ends; the page was made in a single pass and nobody reviewed it
    -> stop the agent
    ");
    gist!("makes\n start\n run\n round 1\n designer -\n panel 9.0\n end 1 ship\n ship 1 F\n note\n legacy F", @"
    run_started
    -> start the agent
    fallback missing_artifact: the first round has no <ARTIFACT> from the designer
    -> stop the agent
    -> ask once
    agent Session seven
    -> keep F as final
    degraded missing_artifact at 4430, no round with F: the first round has no <ARTIFACT> from the designer; the page was made in a single pass and nobody reviewed it
    -> stop the agent
    ");
    gist!("makes\n start\n run version=\"7\"\n fault oversize_block\n exit 1\n linted\n legacy F\n legacy G", @"
    run_started
    -> start the agent
    fallback oversize_block: said so
    -> stop the agent
    -> ask once
    -> keep F as final
    degraded oversize_block at 7, no round with F: said so; the page was made in a single pass and nobody reviewed it
    -> stop the agent
    ");
}

#[test]
fn a_review_of_a_given_page_has_nothing_to_make() {
    gist!("start\n exit 0\n legacy F", @"
    run_started
    -> start the agent
    degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    ");
    gist!("refused\n start\n legacy F", @"
    run_started
    degraded adapter_unsupported nowhere, no round: it is marked
    ");
}

#[test]
fn what_a_closed_round_brought_is_kept_instead() {
    gist!(&format!("makes\n {}", two_rounds_and("exit 0\n legacy F")), @"
    run_started
    -> start the agent
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    round_end 2 6 must-fix 2 continue: composite 6.0 is below 8.0; 2 must-fix open
    -> keep A as final, from round 1
    degraded malformed_block at 6949, round 1 7 with A: the answer ends inside <CRITIQUE_RUN>
    -> stop the agent
    ");
    gist!(&format!("makes\n {}", cleared_and("fault malformed_block\n legacy F")), @"
    run_started
    -> start the agent
    round_end 1 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    ");
}

#[test]
fn the_policy_that_keeps_nothing_asks_for_nothing() {
    gist!(with(FallbackPolicy::Fail), "makes\n start\n exit 0\n legacy F", @"
    run_started
    -> start the agent
    degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    ");
    // A panel that is off is another matter: nobody promised a review.
    gist!(with(FallbackPolicy::Fail), "makes\n off\n start\n legacy F", @"
    run_started
    fallback disabled: nobody wants it
    -> ask once
    -> keep F as final
    ship Legacy, no round with F: nobody wants it; the page was made in a single pass and nobody reviewed it
    -> stop the agent
    ");
}

#[test]
fn a_crash_is_a_failure_and_not_tried_again() {
    gist!("makes\n start\n exit 1\n legacy F", @"
    run_started
    -> start the agent
    failed cli_exit_nonzero, no round: the agent exited with code 1; the answer has no <CRITIQUE_RUN>; it ends at byte 0
    -> stop the agent
    ");
    gist!("makes\n start\n unstarted\n legacy F", @"
    run_started
    -> start the agent
    failed spawn_failed, no round: no such file
    -> stop the agent
    ");
    gist!("makes\n start\n @240000 deadline\n legacy F", @"
    run_started
    -> start the agent
    ship TimedOut by total_timeout, no round: the run took longer than 240000 ms (OD_CRITIQUE_TOTAL_TIMEOUT_MS, --total-timeout-ms)
    -> stop the agent
    ");
}

#[test]
fn a_pass_that_brings_no_page_changes_nothing_about_the_reason() {
    gist!("makes\n start\n exit 0\n legacy -", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends; the single pass without a panel failed too: the answer has no page
    -> stop the agent
    ");
    gist!("makes\n start\n exit 0\n failed", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends; the single pass without a panel failed too: status 500
    -> stop the agent
    ");
    gist!("makes\n start\n exit 0\n unstarted", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends; the single pass without a panel failed too: no such file
    -> stop the agent
    ");
}

#[test]
fn an_agent_that_is_marked_is_not_asked_for_a_panel() {
    gist!("makes\n refused\n start\n legacy F", @"
    run_started
    fallback adapter_unsupported: it is marked
    -> ask once
    -> keep F as final
    degraded adapter_unsupported nowhere, no round with F: it is marked; the page was made in a single pass and nobody reviewed it
    -> stop the agent
    ");
}

#[test]
fn without_a_panel_the_page_is_made_and_not_called_shipped() {
    gist!("makes\n off\n start\n legacy F", @"
    run_started
    fallback disabled: nobody wants it
    -> ask once
    -> keep F as final
    ship Legacy, no round with F: nobody wants it; the page was made in a single pass and nobody reviewed it
    -> stop the agent
    ");
    gist!("makes\n off\n start\n legacy -", @"
    run_started
    fallback disabled: nobody wants it
    -> ask once
    failed agent_error, no round: nobody wants it; the single pass failed: the answer has no page
    -> stop the agent
    ");
    gist!("makes\n off\n start\n unstarted", @"
    run_started
    fallback disabled: nobody wants it
    -> ask once
    failed spawn_failed, no round: nobody wants it; the single pass failed: no such file
    -> stop the agent
    ");
    gist!("off\n start\n legacy F", @"
    run_started
    ship Legacy, no round: the panel is off, and there is nothing to make: nobody wants it
    ");
}

#[test]
fn the_pass_has_the_time_of_one_round_whatever_is_left_of_the_run() {
    gist!("makes\n start\n @239999 exit 0\n @240000 deadline\n @329998 deadline\n @329999 deadline\n legacy F", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends; the single pass without a panel failed too: it took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
    -> stop the agent
    ");
    gist!("makes\n off\n start\n @90000 deadline\n legacy F", @"
    run_started
    fallback disabled: nobody wants it
    -> ask once
    ship TimedOut by round_timeout, no round: nobody wants it; the single pass failed: it took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
    -> stop the agent
    ");
    let mut stage = Stage::new(jury_core::settings::CritiqueConfig::default());
    stage.play("makes\n start\n @5 exit 0");
    assert_eq!(stage.theater.deadline(), Some(jury_core::unit::Millis(90_005)));
    assert!(!stage.theater.has_panel() && !stage.theater.has_ended());
}

#[test]
fn a_pass_can_be_interrupted_and_can_break() {
    gist!("makes\n start\n exit 0\n interrupt\n legacy F", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    interrupted no round
    -> stop the agent
    ");
    gist!("makes\n off\n start\n interrupt\n legacy F", @"
    run_started
    fallback disabled: nobody wants it
    -> ask once
    interrupted no round
    -> stop the agent
    ");
    gist!("makes\n start\n exit 0\n broken\n legacy F", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    failed orchestrator_internal, no round: disk full
    -> stop the agent
    ");
}
