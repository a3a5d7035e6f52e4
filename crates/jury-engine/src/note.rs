//! Notes about agents: what was used, what begins again, what is hopeless, in one line each.

use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use jury_core::line;

/// What was used since the last time, if anything was.
pub(crate) fn usage_note(used: Usage, booked: &mut Usage) -> Option<AgentNote> {
    let more = used.minus(*booked);
    if more.input_tokens == 0 && more.output_tokens == 0 {
        return None;
    }
    *booked = used;
    let detail = "so far".to_owned();
    Some(AgentNote { kind: AgentNoteKind::Usage, detail, status: None, usage: Some(more) })
}

pub(crate) fn restart_note() -> AgentNote {
    let detail = "the agent took back what it had said and begins again".to_owned();
    AgentNote { kind: AgentNoteKind::Restart, detail, status: None, usage: None }
}

/// Why trying again cannot help: nobody gets in by knocking with the wrong key ten times.
pub(crate) fn hopeless(note: &AgentNote) -> Option<String> {
    let status = note.status.filter(|status| matches!(status, 401 | 403))?;
    (note.kind == AgentNoteKind::Retry)
        .then(|| format!("the model's service refuses the key (status {status}); check it and try again"))
}

pub(crate) fn one_line(text: &str) -> String {
    line::cut(text, 300).trim().to_owned()
}
