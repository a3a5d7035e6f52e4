//! Decoders: what an agent's program prints, turned into the text of its answer.
//!
//! Each program has a streaming format of its own. A decoder takes its bytes in pieces of any size and reports
//! what they mean: text of the answer, and notes beside it. Thinking, tool calls, echoes of the prompt,
//! replays, cumulative snapshots and errors dressed as answers never come out as text.
//!
//! Everything here is a function of its input: no clock, no file, no process.

use jury_core::event::AgentNote;

/// What a piece of output means.
#[derive(Debug, Clone, PartialEq)]
pub enum Decoded<'a> {
    /// Text of the answer.
    Text(&'a str),
    /// What was said so far is taken back; the answer begins again.
    Restart,
    /// Something the program says about itself.
    Note(AgentNote),
    /// Bytes that the program waits for on its stdin: the other half of a dialogue.
    Reply(&'a [u8]),
    /// The program says that its answer is over, and whether it believes that it went well. It may linger.
    Over(Verdict),
}

/// What a program believes of its own answer. It proves nothing: the transcript decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It went well.
    Fine,
    /// It did not.
    Failed {
        /// The status of the model's service, where there is one.
        status: Option<u16>,
        /// What went wrong, in a few words, for a person.
        detail: String,
    },
}

/// Why a program's output cannot be decoded any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A line is longer than allowed.
    #[error("the agent printed a line of more than {0} bytes")]
    LineTooLong(usize),
    /// More model steps than allowed: the program goes round in circles.
    #[error("the agent took more than {0} steps; it goes round in circles")]
    TooManySteps(u32),
}
