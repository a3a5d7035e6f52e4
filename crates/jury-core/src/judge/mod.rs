//! The judge: what a finished agent run is worth.
//!
//! A run record comes in ([`RunRecord`]), written by somebody's dispatcher and not to be trusted. Its mechanical signals
//! make an outcome ([`RunOutcome`]). A judge, or a panel of them, reads the work and answers with marks ([`Answer`],
//! [`convene`]); the verdict and the score are computed from the marks, never taken from the model. What many judged runs
//! teach is the learning loop, in the crate `jury-learning`.
//!
//! Everything is a function of its arguments: moments come from the caller.

mod answer;
mod bead;
mod coverage;
mod event;
mod judgement;
pub mod machine;
mod measured;
mod moment;
pub mod number;
mod opus;
mod panel;
mod record;
mod request;
pub mod settings;
mod signal;
mod standing;
mod state;
mod throttle;
pub mod words;
mod workflow;

pub use answer::{
    Answer, InvalidAnswer, LONGEST_ANSWER, LONGEST_TEXT, MOST_ISSUES, Problem, SCHEMA, SCORE_TOLERANCE,
};
pub use bead::{Bead, LONGEST, NotABead};
pub use coverage::{Coverage, ENOUGH, HALF};
pub use event::{
    AnswerRejected, Disputed, JudgeEvent, JudgeFailed, JudgeInconclusive, JudgeInterrupted, JudgeQueued,
    JudgeSignals, JudgeStarted, Redispatch, RunJudged, SeatAbsent, SeatJudged, SeatName, Settled, Skipped,
    Throttled,
};
pub use judgement::{
    Confidence, Dimension, Dimensions, Evidence, FAIL_BELOW, INCORRECT_BELOW, Issue, JudgeCost, JudgeStamp,
    Judgement, PASS_FROM, SCHEMA_VERSION, Verdict,
};
pub use measured::{MEASURED_CAP, capped};
pub use moment::{moment, written};
pub use opus::{InputSummary, InvalidOpus, OpusFinding, OpusJudge, OpusJudgement};
pub use panel::{CLOSE, Conclusion, Dispute, PanelRecord, Seat, SeatRecord, Spread, WIDE, convene};
pub use record::{CheckState, LARGEST_RECORD, Reading, RecordError, RunRecord, RunStatus, Verification};
pub use request::JudgeRequest;
pub use signal::{EXPECTED_SECONDS, INFRA_REASONS, RunOutcome, Signals};
pub use standing::Standing;
pub use state::{JudgeState, QUESTION_OF, SeatState};
pub use throttle::{Admission, Allowance, Bound, DAY, HOUR, PER_HOUR, Spent, Throttle, UNPRICED};
