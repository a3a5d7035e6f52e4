//! An agent that says the same thing without end does not fill the log with it.

use jury_core::event::{AgentNote, AgentNoteKind, TheaterEvent};
use jury_core::protocol::Signal;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::TheaterInput;
use jury_core::unit::Offset;
use jury_core::warning::WarningKind;

use super::stage::Stage;

/// How many warnings of this kind are in the log when an agent gives so many reasons for one.
fn warnings(kind: WarningKind, times: u32) -> usize {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("start\n run");
    for _ in 0..times {
        stage.handle(TheaterInput::Signal(Signal::Warning { kind, position: Offset(7), role: None }));
    }
    let said =
        |event: &&TheaterEvent| matches!(event, TheaterEvent::ParserWarning(warning) if warning.kind == kind);
    stage.events().filter(said).count()
}

#[test]
fn of_each_warning_a_hundred_are_enough_but_every_restart_is_a_fact() {
    assert_eq!(warnings(WarningKind::StrayText, 99), 99);
    assert_eq!(warnings(WarningKind::StrayText, 300), 100);
    assert_eq!(warnings(WarningKind::Restarted, 150), 150);
}

#[test]
fn of_notes_two_hundred_are_enough_but_what_was_used_is_always_said() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("start\n run");
    let note = |kind| {
        let note = AgentNote { kind, detail: "again".to_owned(), status: None, usage: None };
        TheaterInput::Note(note)
    };
    for _ in 0..300 {
        stage.handle(note(AgentNoteKind::Retry));
    }
    stage.handle(note(AgentNoteKind::Usage));
    let kinds: Vec<AgentNoteKind> = stage
        .events()
        .filter_map(|event| if let TheaterEvent::Agent(note) = event { Some(note.kind) } else { None })
        .collect();
    let mut expected = vec![AgentNoteKind::Retry; 200];
    expected.push(AgentNoteKind::Usage);
    assert_eq!(kinds, expected);
}

#[test]
fn of_tools_a_thousand_calls_and_twenty_names_are_enough() {
    let mut stage = Stage::new(CritiqueConfig::default());
    stage.play("start\n run");
    for call in 0..1_200 {
        let detail = format!("tool{}: ls", call % 30);
        let note = AgentNote { kind: AgentNoteKind::Tool, detail, status: None, usage: None };
        stage.handle(TheaterInput::Note(note));
    }
    let board = stage.theater.board();
    assert_eq!(board.tools.values().sum::<u32>(), 1_000);
    assert_eq!((board.tools.len(), board.tools["tool0"]), (21, 34));
    assert_eq!(board.tools["others"], 330);
}
