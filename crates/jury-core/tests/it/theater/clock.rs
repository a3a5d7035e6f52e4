//! What the limits of a run count: the time of the panel, and not the time in which a page keeps arriving.

use jury_core::settings::{CritiqueConfig, TimeoutClock};
use jury_core::theater::TheaterInput;
use jury_core::unit::Millis;
use proptest::collection::vec;
use proptest::prelude::*;

use super::gist;
use super::stage::Stage;

/// A first round, at its very beginning, in the middle of the designer's page.
const AMID_PAGE: &str = "start\n run\n round 1\n <PANELIST role='designer'><NOTES>So.</NOTES><ARTIFACT mime='text/html'><![CDATA[<p>";

/// The rest of the page and of its designer.
const REST: &str = "<b>done</b></p>]]></ARTIFACT></PANELIST>";

fn deadline_after(config: CritiqueConfig, script: &str) -> Option<u64> {
    let mut stage = Stage::new(config);
    stage.play(script);
    stage.theater.deadline().map(|Millis(moment)| moment)
}

#[test]
fn while_a_page_keeps_arriving_the_clock_of_the_panel_stands_still() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play(AMID_PAGE);
    assert_eq!(stage.theater.deadline(), Some(Millis(90_000)));
    for at in (15_000..=300_000).step_by(15_000) {
        stage.play(&format!("@{at} <i></i>"));
        assert_eq!(stage.theater.deadline(), Some(Millis(90_000 + at)), "nothing of it counts");
    }
    stage.play(REST);
    assert_eq!(stage.theater.deadline(), Some(Millis(390_000)), "the panel has all of its time");
    stage.play("@389999 deadline");
    assert!(!stage.theater.has_ended());
    stage.play("panel 7.0\n end 1");
    assert_eq!(stage.theater.deadline(), Some(Millis(540_000)), "and so has the run");
}

#[test]
fn a_review_is_no_page_however_slowly_it_comes() {
    let script =
        format!("{AMID_PAGE}\n {REST}\n <PANELIST role='critic' score='7'>\n @15000 <NOTES>\n @30000 <b>");
    assert_eq!(deadline_after(CritiqueConfig::default(), &script), Some(90_000));
    // Neither is what stands between panelists, nor a page that the agent takes back.
    let between = format!("{AMID_PAGE}\n {REST}\n @15000 <!-- -->\n @30000 <!-- -->");
    assert_eq!(deadline_after(CritiqueConfig::default(), &between), Some(90_000));
    let again = format!("{AMID_PAGE}\n @10000 run\n @20000 <!-- -->\n @20000 round 1");
    assert_eq!(deadline_after(CritiqueConfig::default(), &again), Some(110_000));
}

#[test]
fn a_pause_of_more_than_twenty_seconds_counts() {
    let after =
        |pause: u64| deadline_after(CritiqueConfig::default(), &format!("{AMID_PAGE}\n @{pause} <i></i>"));
    assert_eq!(after(20_000), Some(110_000));
    assert_eq!(after(20_001), Some(90_000));
}

#[test]
fn in_the_middle_of_a_page_a_limit_waits_for_the_pause() {
    let late = "start\n run\n round 1\n @85000 <PANELIST role='designer'><ARTIFACT><![CDATA[<p>";
    assert_eq!(deadline_after(CritiqueConfig::default(), late), Some(105_001));
    // One more piece, and the nineteen seconds before it did not count.
    let script = format!("{late}\n @104000 {REST}");
    assert_eq!(deadline_after(CritiqueConfig::default(), &script), Some(109_000));
    gist!(&format!("{late}\n @105000 deadline\n @105001 deadline"), @"
    run_started
    -> start the agent
    ship TimedOut by round_timeout, no round: round 1 took longer than 90000 ms (OD_CRITIQUE_ROUND_TIMEOUT_MS, --round-timeout-ms)
    -> stop the agent
    ");
}

#[test]
fn a_limit_that_is_set_is_wall_time() {
    let pieces = format!("{AMID_PAGE}\n @15000 <i></i>\n @30000 <i></i>");
    let round = CritiqueConfig { round_clock: TimeoutClock::Wall, ..CritiqueConfig::default() };
    assert_eq!(deadline_after(round, &pieces), Some(90_000));
    let closed = format!("{pieces}\n {REST}\n panel 7.0\n end 1");
    assert_eq!(deadline_after(CritiqueConfig::default(), &closed), Some(270_000));
    let total = CritiqueConfig { total_clock: TimeoutClock::Wall, ..CritiqueConfig::default() };
    assert_eq!(deadline_after(total, &closed), Some(240_000));
}

#[test]
fn nothing_takes_longer_than_the_hard_cap() {
    let short = CritiqueConfig { run_timeout_ms: Millis(100_000), ..CritiqueConfig::default() };
    let pieces = (1..10).fold(String::new(), |all, piece| format!("{all}\n @{piece}0000 <i></i>"));
    gist!(short.clone(), &format!("{AMID_PAGE}{pieces}\n @99999 deadline\n @100000 deadline"), @"
    run_started
    -> start the agent
    ship TimedOut by total_timeout, no round: the run took longer than 100000 ms (JURY_RUN_TIMEOUT_MS, --run-timeout-ms)
    -> stop the agent
    ");
    // Nor does the single pass, which begins when the panel has failed.
    gist!(short, "makes\n start\n @50000 exit 0\n @99999 deadline\n @100000 deadline", @"
    run_started
    -> start the agent
    fallback malformed_block: the answer has no <CRITIQUE_RUN>; it ends
    -> stop the agent
    -> ask once
    degraded malformed_block at 0, no round: the answer has no <CRITIQUE_RUN>; it ends; the single pass without a panel failed too: it took longer than 100000 ms (JURY_RUN_TIMEOUT_MS, --run-timeout-ms)
    -> stop the agent
    ");
}

#[test]
fn the_page_of_a_single_pass_may_take_its_time() {
    let script = "makes\n off\n start\n arrives\n @15000 arrives\n @30000 arrives";
    assert_eq!(deadline_after(CritiqueConfig::default(), script), Some(120_000));
    let wall = CritiqueConfig { round_clock: TimeoutClock::Wall, ..CritiqueConfig::default() };
    assert_eq!(deadline_after(wall, script), Some(90_000));
}

/// When a round ends whose page comes in pieces with these pauses, worked out by hand: a pause that is too long counts from
/// its beginning, and nothing else does.
fn by_hand(pauses: &[u64]) -> Option<u64> {
    let (mut now, mut used) = (0, 0);
    for pause in pauses {
        let late = *pause > 20_000;
        let ends = if late { (now + 90_000 - used).max(now + 20_001) } else { u64::MAX }.min(900_000);
        if ends <= now + pause {
            return Some(ends);
        }
        now += pause;
        used += if late { *pause } else { 0 };
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_page_in_pieces_ends_when_it_is_worked_out_to(pauses in vec(0_u64..30_000, 0..120)) {
        let mut stage = Stage::new(CritiqueConfig::default());
        stage.play(AMID_PAGE);
        let mut ended = None;
        for pause in &pauses {
            let arrives = stage.now.after(Millis(*pause));
            // As whoever drives the machine does it: the clock is asked before the next piece comes.
            if let Some(deadline) = stage.theater.deadline().filter(|deadline| *deadline <= arrives) {
                stage.now = deadline;
                stage.handle(TheaterInput::Deadline);
                prop_assert!(stage.theater.has_ended(), "a deadline that is none");
                ended = Some(deadline.0);
                break;
            }
            stage.now = arrives;
            stage.play("<i></i>");
        }
        prop_assert_eq!(ended, by_hand(&pauses));
    }
}
