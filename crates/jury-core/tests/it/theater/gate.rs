//! Ways to have the gate open for a page that was not reviewed, or not found good. None of them ships.

use jury_core::event::TheaterEvent;
use jury_core::finding::FindingState;
use jury_core::outcome::TheaterStatus;
use jury_core::settings::CritiqueConfig;

use super::script::{cleared_and, round};
use super::stage::{Stage, page};

fn played(script: &str) -> Stage {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play(script);
    stage
}

fn status(script: &str) -> Option<TheaterStatus> {
    played(script).theater.board().status()
}

/// The last reason of the rule, or the words of the end.
fn why(script: &str) -> String {
    let stage = played(script);
    let board = stage.theater.board();
    match &board.ended {
        Some(TheaterEvent::Degraded(end)) => end.detail.clone(),
        _ => board.closed_rounds().last().map(|(_, end)| end.reason.clone()).unwrap_or_default(),
    }
}

/// A round in which these words are the designer's artifact, and everybody is full of praise.
fn praised(artifact: &str) -> String {
    format!(
        "start\n run\n round 1\n <PANELIST role='designer'><ARTIFACT>{artifact}</ARTIFACT></PANELIST>\n \
         panel 9.0\n end 1 ship\n ship 1 -\n linted\n close"
    )
}

#[test]
fn the_reviewed_page_ships_whatever_the_ship_holds() {
    for body in ["hacked", "<p>hacked</p>", "<p>A </p><script>steal()</script>", "<p>B</p>"] {
        let stage = played(&cleared_and(&format!(
            "<SHIP round='1'><ARTIFACT><![CDATA[{body}]]></ARTIFACT></SHIP>\n linted"
        )));
        let board = stage.theater.board();
        let Some(TheaterEvent::Ship(ship)) = &board.ended else { panic!("{body}") };
        let reviewed = jury_core::artifact::Digest::of(page("A").as_bytes());
        assert_eq!(ship.artifact.as_ref().unwrap().sha256, reviewed, "{body}");
        assert_eq!(board.warnings.get(&"ship_artifact_differs".parse().unwrap()), Some(&1), "{body}");
    }
    // White space is no difference, and neither is a fence.
    for body in ["<p>A</p>", "\n<p>\n  A</p>\n", "```html\n<p>A</p>\n```"] {
        let mut stage = played(&cleared_and(""));
        stage.feed(format!("<SHIP round='1'><ARTIFACT><![CDATA[{body}]]></ARTIFACT></SHIP>").as_bytes());
        stage.play("linted");
        let board = stage.theater.board();
        assert_eq!(board.status(), Some(TheaterStatus::Shipped), "{body}");
        assert_eq!(board.warnings.get(&"ship_artifact_differs".parse().unwrap()), None, "{body}");
    }
}

#[test]
fn what_is_no_page_does_not_ship() {
    for body in [
        "hello world",
        "&lt;html&gt;&lt;p&gt;Soup&lt;/p&gt;&lt;/html&gt;",
        "<![CDATA[&lt;html&gt;&lt;p&gt;Soup&lt;/p&gt;&lt;/html&gt;]]>",
        "<![CDATA[<p>Soup</p><script>if (a[b[0]]></ARTIFACT> 1</script>]]>",
        "<![CDATA[<p>Soup</p><a href=\"]]>",
        "<![CDATA[<!doctype html><body><main><h1>Soup]]>",
        "<![CDATA[Here you are: <p>Soup</p>]]>",
    ] {
        assert_ne!(status(&praised(body)), Some(TheaterStatus::Shipped), "{body}");
    }
    // A later round that brings no page cannot ship the one before under its own score.
    let second = "start\n run\n round 1\n designer A\n critic 5 ! Darken it\n brand 9\n a11y 9\n copy 9\n end 1\n \
                  round 2\n <PANELIST role='designer'><ARTIFACT>as above</ARTIFACT></PANELIST>\n panel 9\n end 2 ship\n \
                  ship 2 -\n close";
    assert_eq!(status(second), Some(TheaterStatus::BelowThreshold));
    assert!(why(second).contains("the artifact is no page"), "{}", why(second));
}

#[test]
fn the_end_of_a_section_in_a_script_is_content() {
    let page = "<!doctype html><body><p>x</p><script>if (a[b[0]]>1) f(\"]]>\")</script></body></html>";
    let stage = played(&praised(&format!("<![CDATA[{page}]]>")));
    let Some(TheaterEvent::Ship(ship)) = &stage.theater.board().ended else { panic!("it ships") };
    assert_eq!(ship.artifact.as_ref().unwrap().sha256, jury_core::artifact::Digest::of(page.as_bytes()));
}

#[test]
fn a_mute_panelist_closes_nothing() {
    for mute in [
        "<PANELIST role='a11y'/>",
        "<PANELIST role='a11y' score='9'/>",
        "<PANELIST role='a11y' score='9'><DIM name='x' score='9'/></PANELIST>",
        "<PANELIST role='a11y' score='9'><NOTES>-</NOTES></PANELIST>",
        "<PANELIST role='a11y' score='8,9'><NOTES>Fine now.</NOTES></PANELIST>",
        "<PANELIST role='a11y' score='n/a'><NOTES>Fine now.</NOTES></PANELIST>",
        "<PANELIST role='a11y' score='9'><DIM name='x' score='9'>Your sentence here: what you saw, and its value.</DIM></PANELIST>",
    ] {
        let script = format!(
            "start\n run\n round 1\n designer A\n critic 7 ! Darken it\n brand 9\n a11y 7 ! Label the field\n copy 9\n end 1\n \
             round 2\n designer B\n critic 9\n brand 9\n {mute}\n copy 9\n end 2 ship\n ship 2 B\n linted\n close"
        );
        let stage = played(&script);
        let board = stage.theater.board();
        assert_eq!(board.status(), Some(TheaterStatus::BelowThreshold), "{mute}");
        let open: Vec<&str> = board
            .ledger
            .entries()
            .filter(|(_, entry)| entry.state == FindingState::Open)
            .map(|(_, entry)| entry.text.as_str())
            .collect();
        assert_eq!(open, ["Label the field"], "{mute}");
    }
}

#[test]
fn a_number_alone_is_no_review() {
    let scores = |words: &str| {
        ["critic", "brand", "a11y", "copy"]
            .map(|role| format!("<PANELIST role='{role}' score='9.9'>{words}</PANELIST>"))
            .concat()
    };
    let script = |words: &str| {
        format!(
            "start\n run\n round 1\n designer A\n {}\n end 1 ship\n ship 1 A\n linted\n close",
            scores(words)
        )
    };
    assert_eq!(status(&script("")), Some(TheaterStatus::Degraded));
    assert_eq!(status(&script("<NOTES> </NOTES>")), Some(TheaterStatus::Degraded));
    assert_eq!(status(&script("<NOTES>Calm.</NOTES>")), Some(TheaterStatus::Shipped));
    assert_eq!(status(&script("<DIM name='type' score='9'>Calm.</DIM>")), Some(TheaterStatus::Shipped));
    for wordless in
        ["<DIM name='type' score='9'/>", "<NOTES>…</NOTES>", "<NOTES>9/10</NOTES>", "<NOTES>\u{200b}</NOTES>"]
    {
        assert_eq!(status(&script(wordless)), Some(TheaterStatus::Degraded), "{wordless}");
    }
}

#[test]
fn the_critics_seat_without_a_score_cannot_ship() {
    for score in ["8,9", "8.9/10", "n/a", "９", ""] {
        let script = format!(
            "start\n run\n round 1\n designer A\n <PANELIST role='critic' score='{score}'><NOTES>Fine.</NOTES></PANELIST>\n \
             brand 9\n a11y 9\n copy 9\n end 1 ship\n ship 1 A\n linted\n close"
        );
        assert_eq!(status(&script), Some(TheaterStatus::Degraded), "{score}");
        assert!(why(&script).contains("the critic gave no usable score"), "{}", why(&script));
    }
}

#[test]
fn must_fixes_that_are_only_counted_are_open() {
    let script = |count: &str| {
        format!(
            "start\n run\n round 1\n designer A\n <PANELIST role='critic' score='9' must_fix='{count}'><NOTES>Fine.</NOTES></PANELIST>\n \
             brand 9\n a11y 9\n copy 9\n end 1 ship\n ship 1 A\n linted\n close"
        )
    };
    for (count, open) in
        [("3", 3), ("1", 1), ("0.5", 1), ("4000000000", 9), ("-1", 1), ("some", 1), ("１", 1)]
    {
        let stage = played(&script(count));
        let board = stage.theater.board();
        assert_eq!(board.status(), Some(TheaterStatus::BelowThreshold), "{count}");
        assert_eq!(board.closed_rounds().next().unwrap().1.must_fix, open, "{count}");
    }
    for count in ["0", "none", "0.0"] {
        assert_eq!(status(&script(count)), Some(TheaterStatus::Shipped), "{count}");
    }
}

#[test]
fn an_empty_must_fix_beside_a_count_of_none_asks_for_nothing() {
    let script = |attribute: &str, text: &str| {
        status(&format!(
            "start\n run\n round 1\n designer A\n <PANELIST role='critic' score='9' {attribute}><NOTES>Fine.</NOTES>\
             <MUST_FIX>{text}</MUST_FIX></PANELIST>\n brand 9\n a11y 9\n copy 9\n end 1 ship\n ship 1 A\n linted\n close"
        ))
    };
    assert_eq!(script("must_fix='0'", " "), Some(TheaterStatus::Shipped));
    for (attribute, text) in [("must_fix='1'", ""), ("", ""), ("must_fix='0'", "Darken it")] {
        assert_eq!(script(attribute, text), Some(TheaterStatus::BelowThreshold), "{attribute} {text}");
    }
}

#[test]
fn who_says_that_it_reviewed_nothing_has_not() {
    let script = |remark: &str| {
        let seats = ["critic", "brand", "a11y", "copy"].map(|role| {
            format!(
                "<PANELIST role='{role}' score='8.5'><DIM name='type' score='8.5'>{remark}</DIM></PANELIST>"
            )
        });
        format!(
            "start\n run\n round 1\n designer A\n {}\n end 1 ship\n ship 1 A\n linted\n close",
            seats.concat()
        )
    };
    for remark in ["Not reviewed.", "Error: 429 rate limit exceeded.", "I am sorry, I cannot help with that."]
    {
        assert_eq!(status(&script(remark)), Some(TheaterStatus::Degraded), "{remark}");
    }
    assert_eq!(
        status(&script("Error messages are there.")),
        Some(TheaterStatus::Degraded),
        "all say the same"
    );
    assert_eq!(status(&script("Error messages show.")), Some(TheaterStatus::Shipped));
}

#[test]
fn a_critic_beyond_the_scale_has_not_voted() {
    let script = round("critic 86\n brand 8.5\n a11y 8.5\n copy 8.5");
    assert_eq!(status(&script), Some(TheaterStatus::Degraded));
    assert!(why(&script).contains("the critic gave no usable score"), "{}", why(&script));
}

#[test]
fn example_words_are_no_review_wherever_they_stand() {
    for words in [
        "<DIM name='x' score='9'>Your sentence here: what is better now, and its value.</DIM>",
        "<NOTES>What changed.</NOTES>",
        "<NOTES>the intent of this draft, in one sentence</NOTES>",
        "<DIM name='x' score='9'>Your sentence here: what you saw, and its value.</DIM><NOTES>Why.</NOTES>",
    ] {
        let panel = ["critic", "brand", "a11y", "copy"]
            .map(|role| format!("<PANELIST role='{role}' score='9.9'>{words}</PANELIST>"))
            .concat();
        let script =
            format!("start\n run\n round 1\n designer A\n {panel}\n end 1 ship\n ship 1 A\n linted\n close");
        assert_eq!(status(&script), Some(TheaterStatus::Degraded), "{words}");
    }
}

const EXAMPLE: &str = "<CRITIQUE_RUN version='1'><ROUND n='1'>\
    <PANELIST role='designer'><NOTES>The intent of this draft, in one sentence.</NOTES><ARTIFACT><![CDATA[the whole page]]></ARTIFACT></PANELIST>\
    <PANELIST role='critic' score='6' must_fix='1'><DIM name='x' score='6'>Your sentence here: what you saw, and its value.</DIM>\
    <MUST_FIX>What to change, where, to which value (critic).</MUST_FIX></PANELIST>\
    <ROUND_END n='1' decision='continue'><REASON>Why.</REASON></ROUND_END></ROUND>\
    <SHIP round='1'><ARTIFACT><![CDATA[the whole page]]></ARTIFACT><SUMMARY>What changed across rounds, and why.</SUMMARY></SHIP></CRITIQUE_RUN>";

#[test]
fn a_block_that_is_no_answer_does_not_displace_the_answer() {
    let draft = "<CRITIQUE_RUN version='1'><ROUND n='1'><PANELIST role='designer'><ARTIFACT><p>draft</p></ARTIFACT></PANELIST>\
                 <PANELIST role='critic' score='9.9'><NOTES>x</NOTES></PANELIST></ROUND></CRITIQUE_RUN>";
    for before in [
        "<p>I will answer with <CRITIQUE_RUN version='1'>…</CRITIQUE_RUN>.".to_owned(),
        "<CRITIQUE_RUN version='1'></CRITIQUE_RUN>".to_owned(),
        EXAMPLE.to_owned(),
        format!("<thinking>{draft}</thinking>"),
        format!("<think>It could go like this: {draft} or not.</THINK>"),
        format!("[THINK]{draft}[/THINK]"),
        format!("◁think▷{draft}◁/think▷"),
        format!("<|START_THINKING|>{draft}<|END_THINKING|>"),
        format!("<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>"),
        format!("<|channel|>commentary to=tool<|message|>{draft}<|call|>"),
        format!("<plan>{draft}</plan>"),
        "[1] So I looked at [it]: “well” — <|start|>assistant<|channel|>final<|message|>".to_owned(),
        format!("<|think|>{draft}<|/think|>"),
        format!("<|channel|>{}<|message|>{draft}<|end|>", "of-a-name-that-is-far-too-long-for-one"),
        "<|channel|><|message|>Here it is.<|end|>".to_owned(),
        // None of these is a mark.
        "<|a-name-that-is-far-too-long-for-a-mark|> <|channel> <b|c> <|".to_owned(),
    ] {
        let script = format!(
            "start\n {before}\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n ship 1 A\n linted\n close\n <|end|>"
        );
        let stage = played(&script);
        assert_eq!(stage.theater.board().status(), Some(TheaterStatus::Shipped), "{before}");
        let Some(TheaterEvent::Ship(ship)) = &stage.theater.board().ended else { panic!("{before}") };
        let answer = jury_core::artifact::Digest::of(page("A").as_bytes());
        assert_eq!(ship.artifact.as_ref().unwrap().sha256, answer, "{before}");
    }
}

#[test]
fn an_example_that_is_said_over_in_more_rounds_than_there_may_be_ends_nothing() {
    let echo = "<PANELIST role='critic' score='6'><DIM name='x' score='6'>Your sentence here: what you saw, and its value.</DIM></PANELIST>\
                <ROUND_END decision='continue'><REASON>Why.</REASON></ROUND_END></ROUND>";
    let rounds = (1..=5).map(|round| format!("<ROUND n='{round}'>{echo}")).collect::<Vec<_>>().concat();
    let script = format!(
        "start\n run\n {rounds}\n close\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n ship 1 A\n linted\n close"
    );
    assert_eq!(status(&script), Some(TheaterStatus::Shipped));
}

#[test]
fn a_page_in_a_fence_is_taken_out_of_it_with_a_warning() {
    let mut stage = played("start\n run\n round 1");
    stage.feed(
        b"<PANELIST role='designer'><ARTIFACT><![CDATA[```html\n<p>A</p>\n```]]></ARTIFACT></PANELIST>",
    );
    stage.play("panel 9.0\n end 1 ship\n ship 1 A\n linted");
    let board = stage.theater.board();
    assert_eq!(board.warnings.get(&jury_core::warning::WarningKind::ArtifactFenced), Some(&1));
    let kept = board.ended.as_ref().and_then(TheaterEvent::artifact).unwrap();
    assert_eq!(kept.sha256, jury_core::artifact::Digest::of(b"<p>A</p>\n"));
}

#[test]
fn the_example_alone_is_no_answer() {
    assert_eq!(status(&format!("start\n {EXAMPLE}\n exit 0")), Some(TheaterStatus::Degraded));
    assert!(why(&format!("start\n {EXAMPLE}\n exit 0")).contains("repeats the example"));
}

#[test]
fn a_panelist_that_is_drafted_in_thinking_has_not_spoken() {
    let script = "start\n run\n round 1\n designer A\n \
                  <thinking><PANELIST role='critic' score='9.9'><NOTES>Great.</NOTES></PANELIST></thinking>\n \
                  critic 5 ! Darken it\n brand 9\n a11y 9\n copy 9\n end 1 ship\n ship 1 A\n linted\n close";
    assert_eq!(status(script), Some(TheaterStatus::BelowThreshold));
}

#[test]
fn a_round_that_met_the_rule_ships_when_the_agent_is_lost() {
    for end in ["exit 0", "exit 1", "killed 9", "gone", "failed", "@240000 deadline", "fault malformed_block"]
    {
        assert_eq!(status(&cleared_and(&format!("{end}\n linted"))), Some(TheaterStatus::Shipped), "{end}");
    }
    assert_eq!(status(&cleared_and("interrupt")), Some(TheaterStatus::Interrupted));
    // A round after it that did not meet the rule is the last word.
    let worse = "round 2\n designer B\n critic 5 ! Darken it\n brand 5\n a11y 5\n copy 5\n end 2\n";
    for end in ["exit 0", "@240000 deadline"] {
        assert_ne!(
            status(&cleared_and(&format!("{worse} {end}\n linted"))),
            Some(TheaterStatus::Shipped),
            "{end}"
        );
    }
}

#[test]
fn what_is_only_said_behind_a_mark_for_thinking_is_no_answer() {
    let answer = "<CRITIQUE_RUN version='1'><ROUND n='1'><PANELIST role='critic' score='9.9'><NOTES>x</NOTES></PANELIST></ROUND></CRITIQUE_RUN>";
    for (open, close) in [
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|channel|>analysis<|message|>", "<|end|>"),
        ("<|channel|>analysis<|message|>", ""),
    ] {
        let script = format!("start\n {open}{answer}{close}\n exit 0");
        assert_eq!(status(&script), Some(TheaterStatus::Degraded), "{open}");
    }
}

#[test]
fn a_page_that_a_later_round_does_not_let_through_does_not_ship() {
    let again = |artifact: &str, panel: &str, end: &str| {
        status(&format!(
            "start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n round 2\n designer {artifact}\n {panel}\n end 2\n {end}"
        ))
    };
    let hard = "critic 9 ! Darken it\n brand 9\n a11y 9\n copy 9";
    // Without a SHIP the draft is looked at when the run closes.
    for end in ["ship 1 A\n linted\n close", "close\n linted"] {
        assert_eq!(again("A", hard, end), Some(TheaterStatus::BelowThreshold), "{end}");
        assert_eq!(again("A", "panel 5.0", end), Some(TheaterStatus::BelowThreshold), "{end}");
        // Another page says nothing of this one, nor does a round without a quorum.
        assert_eq!(again("B", hard, end), Some(TheaterStatus::Shipped), "{end}");
        assert_eq!(again("A", "brand 9", end), Some(TheaterStatus::Shipped), "{end}");
        assert_eq!(again("A", "panel 9.5", end), Some(TheaterStatus::Shipped), "{end}");
    }
}

#[test]
fn a_must_fix_counts_however_its_name_is_joined() {
    for tag in ["MUST_FIX", "MUST-FIX", "MUSTFIX", "MustFix"] {
        let script = format!(
            "start\n run\n round 1\n designer A\n <PANELIST role='critic' score='9' must_fix='0'><NOTES>Good.</NOTES><{tag}>Darken it</{tag}></PANELIST>\n \
             brand 9\n a11y 9\n copy 9\n end 1 ship\n ship 1 A\n linted\n close"
        );
        assert_eq!(status(&script), Some(TheaterStatus::BelowThreshold), "{tag}");
    }
}
