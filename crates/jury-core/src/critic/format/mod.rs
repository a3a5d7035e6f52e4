//! The text of a critic's report, both ways: [`write`](fn@write) for people, [`parse`](fn@parse) for what a model printed,
//! [`check_transcript`] for whole transcripts.
//!
//! ```text
//! === CRITIC 1 ===
//! [COMPLETENESS] Is every requirement taken up? → 13 of 14 are; FR-7 is not
//!   Verdict: FAIL (add a step for FR-7)
//! [ADVERSARIAL] Failure scenario: the queue is full when the job starts
//!   → Realistic? N → 0 of 3 sources write that fast
//! === Result: CONTINUE (1 fixed) ===
//! ```
//!
//! Reading is tolerant in layout: code fences, bold, bullets, quotations, either arrow, blank lines, CRLF, ANSI
//! sequences and case do not matter, and texts may go on over several lines. It is strict in content: a verdict is one
//! of four words, an answer is what stands behind the arrow, and what is not there is not guessed. It never fails, and
//! takes time in proportion to its input.

mod broken_off;
mod check;
mod doubt;
mod line;
mod parse;
mod split;
mod violation;
mod write;

pub use check::{Rules, check_transcript, check_with};
pub use line::{is_mark, plain};
pub use parse::{PassText, SummaryText, Transcript, parse, read};
pub use violation::{Violation, ViolationCode};
pub use write::{write, write_escalation, write_pass, write_summary, write_transcript};
