//! Runs that go as they should, in one, two and three rounds.

use jury_core::id::RunId;
use jury_core::record::Record;
use jury_core::settings::CritiqueConfig;
use jury_core::unit::{Millis, Seq};

use super::stage::{Printer, Stage};
use super::{check, gist};

#[test]
fn a_run_of_one_round_ships() {
    check!(r#"
        start
        @10 run
        round 1
        designer A
        panel 8.6
        end 1 ship composite="8.6" must_fix="0"
        ship 1 A composite="8.6"
        linted
        close
        exit 0
    "#, @"
    run_started
    -> start the agent
    panelist_open 1 designer
    -> keep A for round 1
    panelist_close 1 designer - with A
    panelist_open 1 critic
    panelist_close 1 critic 8.6
    panelist_open 1 brand
    panelist_close 1 brand 8.6
    panelist_open 1 a11y
    panelist_close 1 a11y 8.6
    panelist_open 1 copy
    panelist_close 1 copy 8.6
    round_end 1 8.6 must-fix 0 ship: composite 8.6 reaches 8.0; 0 must-fix open
    -> lint A, from round 1
    lint 1 0 findings
    -> keep A as final, from round 1
    ship Shipped, round 1 8.6 with A: done
    -> stop the agent
    ");
}

#[test]
fn a_run_of_two_rounds_ships_the_second() {
    check!(r"
        start
        run
        round 1
        designer A
        critic 6.0 ! Darken the button
        brand 7.0 ! Use the brand blue
        a11y 8.0
        copy 8.0
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
    panelist_open 1 designer
    -> keep A for round 1
    panelist_close 1 designer - with A
    panelist_open 1 critic
    panelist_must_fix 1 critic Open: Darken the button
    panelist_close 1 critic 6.0
    panelist_open 1 brand
    panelist_must_fix 1 brand Open: Use the brand blue
    panelist_close 1 brand 7.0
    panelist_open 1 a11y
    panelist_close 1 a11y 8.0
    panelist_open 1 copy
    panelist_close 1 copy 8.0
    round_end 1 7 must-fix 2 continue: composite 7.0 is below 8.0; 2 must-fix open
    panelist_open 2 designer
    -> keep B for round 2
    panelist_close 2 designer - with B
    panelist_open 2 critic
    panelist_close 2 critic 9.0
    panelist_open 2 brand
    panelist_close 2 brand 9.0
    panelist_open 2 a11y
    panelist_close 2 a11y 9.0
    panelist_open 2 copy
    panelist_close 2 copy 9.0
    round_end 2 9 must-fix 0 ship: composite 9.0 reaches 8.0; 0 must-fix open
    -> lint B, from round 2
    lint 2 0 findings
    -> keep B as final, from round 2
    ship Shipped, round 2 9 with B: done
    -> stop the agent
    ");
}

#[test]
fn a_run_of_three_rounds_ships_the_third() {
    gist!(r#"
        start
        run
        round 1
        designer A
        critic 6.4 ! One ! Two
        brand 7.5 ! Three
        a11y 5.0
        copy 6.0
        end 1 composite="6.26" must_fix="3"
        round 2
        designer B
        critic 7.9 ! One
        brand 8.0 ! Three
        a11y 8.0
        copy 8.0
        end 2 composite="7.96" must_fix="2"
        round 3
        designer C
        panel 8.0
        end 3 ship composite="8.0" must_fix="0"
        ship 3 C composite="8.0"
        linted
    "#, @"
    run_started
    -> start the agent
    round_end 1 6.26 must-fix 3 continue: composite 6.2 is below 8.0; 3 must-fix open
    round_end 2 7.96 must-fix 2 continue: composite 7.9 is below 8.0; 2 must-fix open
    round_end 3 8 must-fix 0 ship: composite 8.0 reaches 8.0; 0 must-fix open
    -> lint C, from round 3
    lint 3 0 findings
    -> keep C as final, from round 3
    ship Shipped, round 3 8 with C: done
    -> stop the agent
    ");
}

#[test]
fn a_log_is_what_the_wire_promises() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play(
        r#"
        start
        run
        round 1
        <PANELIST role="designer"><NOTES>v1</NOTES><ARTIFACT mime="text/html"><p>A</p></ARTIFACT></PANELIST>
        <PANELIST role="critic" score="8" must_fix="0"><DIM name="type" score="7.5">Poster.</DIM></PANELIST>
        <PANELIST role="brand" score="8"><NOTES>Blue.</NOTES></PANELIST>
        <PANELIST role="a11y" score="8"><MUST_FIX>Label it.</MUST_FIX></PANELIST>
        <PANELIST role="copy"><DIM name="clarity">Clear.</DIM></PANELIST>
        <ROUND_END n="1" decision="continue"><REASON>Not yet.</REASON></ROUND_END></ROUND>
        @90000 interrupt
        "#,
    );
    let run: RunId = "0198c0de-0000-7000-8000-000000000002".parse().unwrap();
    let lines: Vec<String> = stage
        .events()
        .zip(1..)
        .map(|(event, seq)| Record { seq: Seq(seq), at: Millis(0), run_id: run, event: event.clone().into() })
        .map(|record| {
            record.to_line().unwrap().replace(r#""at":0,"runId":"0198c0de-0000-7000-8000-000000000002","#, "")
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"seq":1,"event":"critique.run_started","protocolVersion":1,"cast":["designer","critic","brand","a11y","copy"],"maxRounds":3,"threshold":8.0,"scale":10.0,"weights":{"designer":0.0,"critic":0.4,"brand":0.2,"a11y":0.2,"copy":0.2},"fallbackPolicy":"ship_best","projectId":"default","artifactId":"0198c0de-0000-7000-8000-000000000001","agent":"scripted"}
    {"seq":2,"event":"critique.panelist_open","round":1,"role":"designer"}
    {"seq":3,"event":"critique.panelist_close","round":1,"role":"designer","score":null,"notes":"v1","artifact":{"sha256":"88f8e72647fda6eedd96d8678131dd1b6320185127612942a7c7e184c516f626","bytes":8,"mime":"text/html"}}
    {"seq":4,"event":"critique.panelist_open","round":1,"role":"critic"}
    {"seq":5,"event":"critique.panelist_dim","round":1,"role":"critic","dimName":"type","dimScore":7.5,"dimNote":"Poster."}
    {"seq":6,"event":"critique.panelist_close","round":1,"role":"critic","score":8.0}
    {"seq":7,"event":"critique.panelist_open","round":1,"role":"brand"}
    {"seq":8,"event":"critique.panelist_close","round":1,"role":"brand","score":8.0,"notes":"Blue."}
    {"seq":9,"event":"critique.panelist_open","round":1,"role":"a11y"}
    {"seq":10,"event":"critique.panelist_must_fix","round":1,"role":"a11y","text":"Label it.","finding":"1b61066ab277","state":"open"}
    {"seq":11,"event":"critique.panelist_close","round":1,"role":"a11y","score":8.0}
    {"seq":12,"event":"critique.panelist_open","round":1,"role":"copy"}
    {"seq":13,"event":"critique.parser_warning","kind":"score_unusable","position":417,"role":"copy"}
    {"seq":14,"event":"critique.panelist_dim","round":1,"role":"copy","dimName":"clarity","dimScore":null,"dimNote":"Clear."}
    {"seq":15,"event":"critique.panelist_close","round":1,"role":"copy","score":null}
    {"seq":16,"event":"critique.parser_warning","kind":"weak_debate","position":556}
    {"seq":17,"event":"critique.round_end","round":1,"composite":8.0,"mustFix":1,"quorum":true,"decision":"continue","reason":"1 must-fix open (composite 8.0, bar 8.0)","note":"Not yet.","bytes":489}
    {"seq":18,"event":"critique.interrupted","bestRound":1,"composite":8.0,"artifactRef":{"projectId":"default","artifactId":"0198c0de-0000-7000-8000-000000000001"},"artifact":{"sha256":"88f8e72647fda6eedd96d8678131dd1b6320185127612942a7c7e184c516f626","bytes":8,"mime":"text/html"}}
    "#);
}

#[test]
fn what_comes_after_the_end_changes_nothing() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("start\n run\n round 1\n designer A\n panel 8.6\n end 1 ship\n ship 1 A\n linted");
    let (out, board) = (stage.out.clone(), stage.theater.board().clone());
    stage.play(
        "start\n ship 1 B\n round 2\n designer C\n panel 1.0\n end 2\n close\n run\n round 1
        deadline\n interrupt\n exit 1\n killed 9\n gone\n unstarted\n broken\n linted todo\n linted
        fault oversize_block\n @999999999 deadline",
    );
    assert_eq!(stage.out, out);
    assert_eq!(stage.theater.board(), &board);
    assert!(stage.theater.has_ended());
    assert_eq!(stage.theater.deadline(), None);
}

#[test]
fn nothing_but_a_start_an_interrupt_or_a_breakdown_matters_before_the_start() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("run\n round 1\n designer A\n deadline\n exit 1\n unstarted\n linted\n fault oversize_block");
    assert_eq!(stage.out, []);
    assert_eq!(stage.theater.deadline(), None);
    check!("interrupt\n start\n run", @"interrupted no round");
    check!("broken\n start", @"failed orchestrator_internal, no round: disk full");
}

#[test]
fn a_second_start_changes_nothing() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("start\n @5000 start");
    assert_eq!(stage.out.len(), 2);
    assert_eq!(stage.theater.deadline(), Some(Millis(240_000)));
    assert_eq!(
        stage.out.iter().map(|output| Printer::default().line(output)).collect::<Vec<_>>(),
        ["run_started", "-> start the agent"]
    );
}
