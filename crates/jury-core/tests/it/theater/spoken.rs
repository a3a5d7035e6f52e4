//! Words of panelists that outweigh their scores and counts.

use jury_core::outcome::TheaterStatus;
use jury_core::settings::CritiqueConfig;

use super::stage::Stage;

fn status(critic: &str, end: &str, summary: &str) -> Option<TheaterStatus> {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play(&format!(
        "start\n run\n round 1\n designer A\n <PANELIST role='critic' {critic}</PANELIST>\n brand 9\n a11y 9\n copy 9\n {end}\n \
         <SHIP round='1'><SUMMARY>{summary}</SUMMARY></SHIP>\n linted\n close"
    ));
    stage.theater.board().status()
}

const KIND: &str = "score='9'><DIM name='type' score='9'>The heading leads.</DIM>";

fn says(words: &str) -> Option<TheaterStatus> {
    status(&format!("{KIND}<NOTES>{words}</NOTES>"), "end 1 ship", "Done.")
}

#[test]
fn who_says_beside_a_score_that_nobody_looked_has_given_none() {
    for words in ["I did not open the page.", "The page was not shown to me.", "Score given by default."] {
        assert_eq!(says(words), Some(TheaterStatus::Degraded), "{words}");
    }
    for words in ["I could not find a fault.", "The link does not look like one.", "Skip link first."] {
        assert_eq!(says(words), Some(TheaterStatus::Shipped), "{words}");
    }
}

#[test]
fn who_says_that_it_must_not_ship_has_asked_for_a_fix() {
    for words in ["Must fix: name the link.", "I would not ship this.", "Blocker: the link is dead."] {
        assert_eq!(says(words), Some(TheaterStatus::BelowThreshold), "{words}");
    }
    for words in ["No must-fix. I would ship it.", "Nothing must be fixed."] {
        assert_eq!(says(words), Some(TheaterStatus::Shipped), "{words}");
    }
    // Who has written one down speaks of that one.
    let asked = format!("{KIND}<MUST_FIX>Name it.</MUST_FIX><NOTES>It must be fixed.</NOTES>");
    assert_eq!(status(&asked, "end 1 ship", "Done."), Some(TheaterStatus::BelowThreshold));
}

#[test]
fn a_fix_that_is_asked_for_between_elements_is_asked_for() {
    for stray in [
        "<ISSUE severity='blocker'>Name it.</ISSUE>",
        "<FIX required='true'>Name it.</FIX>",
        "&lt;MUST_FIX&gt;Name it.&lt;/MUST_FIX&gt;",
        "\n**MUST FIX:** Name it.\n",
    ] {
        let said = status(&format!("{KIND}{stray}"), "end 1 ship", "Done.");
        assert_eq!(said, Some(TheaterStatus::BelowThreshold), "{stray}");
    }
    for stray in ["### Notes", "<ISSUE severity='low'>A map would be nice.</ISSUE>", "<b>Calm</b>"] {
        let said = status(&format!("{KIND}{stray}"), "end 1 ship", "Done.");
        assert_eq!(said, Some(TheaterStatus::Shipped), "{stray}");
    }
}

#[test]
fn a_score_far_above_its_parts_counts_as_their_mean() {
    let of = |dimension: &str| {
        let critic = format!("score='9'><DIM name='type' score='{dimension}'>The heading leads.</DIM>");
        status(&critic, "end 1 ship", "Done.")
    };
    assert_eq!(of("1"), Some(TheaterStatus::BelowThreshold));
    assert_eq!(of("7"), Some(TheaterStatus::Shipped));
}

#[test]
fn a_round_that_goes_on_and_counts_what_nobody_wrote_is_not_clean() {
    let ends = |end: &str| status(KIND, end, "Done.");
    assert_eq!(ends("end 1 continue must_fix=\"3\""), Some(TheaterStatus::BelowThreshold));
    assert_eq!(ends("end 1 continue must_fix=\"0\""), Some(TheaterStatus::Shipped));
    assert_eq!(ends("end 1 ship must_fix=\"3\""), Some(TheaterStatus::Shipped));
    let reason = "<ROUND_END n='1' decision='ship'><REASON>Do not ship it.</REASON></ROUND_END>\n</ROUND>";
    assert_eq!(ends(reason), Some(TheaterStatus::BelowThreshold));
}

#[test]
fn the_summary_of_a_ship_has_the_last_word() {
    for summary in ["Two blockers are open.", "It must not be shipped.", "I did not look at the page."] {
        assert_eq!(status(KIND, "end 1 ship", summary), Some(TheaterStatus::BelowThreshold), "{summary}");
    }
}

#[test]
fn an_answer_that_is_called_an_example_is_none() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.feed(b"Example output (not a real review):\n");
    stage.play("start\n run\n round 1\n designer A\n panel 9\n end 1 ship\n ship 1 A\n linted\n close");
    assert_ne!(stage.theater.board().status(), Some(TheaterStatus::Shipped));
}
