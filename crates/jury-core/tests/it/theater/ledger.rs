//! The fate of a must-fix across rounds.

use jury_core::finding::FindingState;
use jury_core::settings::CritiqueConfig;

use super::gist;
use super::stage::Stage;

/// Role, text, first round, last round, state: of every entry after this script.
fn ledger(script: &str) -> Vec<(String, String, u32, u32, FindingState)> {
    let mut stage = Stage::new(CritiqueConfig { max_rounds: 9, ..CritiqueConfig::default() });
    stage.play("start\n run");
    stage.play(script);
    let mut entries: Vec<_> = stage
        .theater
        .board()
        .ledger
        .entries()
        .map(|(_, entry)| {
            (entry.role.to_string(), entry.text.clone(), entry.first.0, entry.last.0, entry.state)
        })
        .collect();
    entries.sort_by(|left, right| (&left.0, &left.1).cmp(&(&right.0, &right.1)));
    entries
}

fn entry(
    role: &str,
    text: &str,
    first: u32,
    last: u32,
    state: FindingState,
) -> (String, String, u32, u32, FindingState) {
    (role.to_owned(), text.to_owned(), first, last, state)
}

const FIRST: &str =
    "round 1\n designer A\n critic 6 ! Contrast is 3.9:1\n brand 6 ! Use the blue\n a11y 6\n copy 6\n end 1";

#[test]
fn what_is_asked_for_is_open_until_its_panelist_does_not_ask_again() {
    assert_eq!(
        ledger(FIRST),
        [
            entry("brand", "Use the blue", 1, 1, FindingState::Open),
            entry("critic", "Contrast is 3.9:1", 1, 1, FindingState::Open),
        ]
    );
    let second =
        format!("{FIRST}\n round 2\n critic 7 ! Contrast is 4.2:1\n brand 9\n a11y 6\n copy 6\n end 2");
    assert_eq!(
        ledger(&second),
        [
            entry("brand", "Use the blue", 1, 1, FindingState::Fixed),
            entry("critic", "Contrast is 4.2:1", 1, 2, FindingState::Open),
        ]
    );
}

#[test]
fn what_was_fixed_and_is_asked_for_again_is_back() {
    let third = format!(
        "{FIRST}\n round 2\n panel 7\n end 2\n round 3\n critic 6 ! contrast is 3.8:1\n brand 9\n a11y 9\n copy 9\n end 3"
    );
    assert_eq!(
        ledger(&third),
        [
            entry("brand", "Use the blue", 1, 1, FindingState::Fixed),
            entry("critic", "contrast is 3.8:1", 1, 3, FindingState::Regressed),
        ]
    );
    let fourth = format!("{third}\n round 4\n panel 7\n end 4");
    assert_eq!(ledger(&fourth)[1].4, FindingState::Fixed);
}

#[test]
fn what_an_absent_panelist_asked_for_stays_open() {
    let second = format!("{FIRST}\n round 2\n critic 9\n a11y 9\n copy 9\n end 2");
    assert_eq!(
        ledger(&second),
        [
            entry("brand", "Use the blue", 1, 1, FindingState::Open),
            entry("critic", "Contrast is 3.9:1", 1, 1, FindingState::Fixed),
        ]
    );
    // Asked for again after that, it was never away.
    let third = format!("{second}\n round 3\n critic 9\n brand 6 ! Use the blue\n a11y 9\n copy 9\n end 3");
    assert_eq!(ledger(&third)[0], entry("brand", "Use the blue", 1, 3, FindingState::Open));
}

#[test]
fn a_panelist_that_is_cut_off_has_not_reviewed() {
    let cut = format!("{FIRST}\n round 2\n <PANELIST role='critic' score='9'>\n exit 0");
    assert_eq!(ledger(&cut)[1].4, FindingState::Open);
}

#[test]
fn a_restart_begins_a_new_ledger() {
    let again = format!(
        "{FIRST}\n run\n round 1\n designer A\n critic 6 ! Contrast is 4:1\n brand 9\n a11y 9\n copy 9\n end 1"
    );
    assert_eq!(ledger(&again), [entry("critic", "Contrast is 4:1", 1, 1, FindingState::Open)]);
}

#[test]
fn a_finding_of_a_role_without_weight_is_not_closed_by_its_absence() {
    gist!("
        start
        run
        round 1
        <PANELIST role='designer'><NOTES>A long note</NOTES><ARTIFACT><p>A</p></ARTIFACT><MUST_FIX>Redo the hero</MUST_FIX></PANELIST>
        panel 9.0
        end 1
        round 2
        panel 9.0
        end 2 ship
        ship 2 A
        <ROUND n='3'><PANELIST role='designer'/>
        panel 9.0
        end 3 ship
        close
        linted
    ", @"
    run_started
    -> start the agent
    parser_warning weak_debate
    round_end 1 9 must-fix 1 continue: 1 must-fix open (composite 9.0, bar 8.0)
    parser_warning decision_mismatch
    parser_warning weak_debate
    round_end 2 9 must-fix 1 continue: 1 must-fix open (composite 9.0, bar 8.0)
    parser_warning ship_not_obeyed
    parser_warning round_grew
    round_end 3 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 3 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 3 9 with A: round 3 met the bar
    -> stop the agent
    ");
}
