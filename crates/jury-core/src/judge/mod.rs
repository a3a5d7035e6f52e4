//! The judge: what a finished agent run is worth.
//!
//! A run record comes in ([`RunRecord`]), written by somebody's dispatcher and not to be trusted. Its mechanical signals
//! make an outcome ([`RunOutcome`]). A judge, or a panel of them, reads the work and answers with marks ([`JudgeAnswer`],
//! [`convene`]); the verdict and the score are computed from the marks, never taken from the model. What many judged runs
//! teach is the learning loop, in the crate `jury-learning`.
//!
//! Everything is a function of its arguments: moments come from the caller.

mod answer;
mod avowed;
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
mod state;
mod status;
mod test_log;
mod throttle;
mod twice;
pub mod words;
mod workflow;

pub use answer::{
    AnswerProblem, InvalidAnswer, JudgeAnswer, LONGEST_ANSWER_BYTES, LONGEST_TEXT, MOST_ISSUES, SCHEMA,
    SCORE_TOLERANCE,
};
pub use bead::{Bead, LONGEST_BEAD_BYTES, NotABead};
pub use coverage::{SURE_FROM_SHARE, UNSURE_BELOW_SHARE, WorkCoverage};
pub use event::{
    AnswerRejected, Disputed, JudgeEvent, JudgeFailed, JudgeInconclusive, JudgeInterrupted, JudgeQueued,
    JudgeSignals, JudgeStarted, Redispatch, RunJudged, SeatAbsent, SeatJudged, SeatName, SeatRetried,
    Settled, Skipped, Throttled,
};
pub use judgement::{
    Confidence, Dimensions, FAIL_BELOW, INCORRECT_BELOW, IssueEvidence, JudgeCost, JudgeDimension,
    JudgeIssue, JudgeStamp, JudgeVerdict, Judgement, PASS_FROM, SCHEMA_VERSION,
};
pub use measured::{MEASURED_CAP, capped};
pub use moment::{moment, written};
pub use opus::{InputSummary, InvalidOpus, OpusFinding, OpusJudge, OpusJudgement};
pub use panel::{
    CLOSE_SCORE_RANGE, Conclusion, Dispute, JudgeSeat, PanelRecord, SeatRecord, Spread, WIDE_SCORE_RANGE,
    convene,
};
pub use record::{
    CheckState, LARGEST_RECORD, RecordError, RecordReading, RunRecord, RunStatus, Verification,
};
pub use request::JudgeRequest;
pub use signal::{EXPECTED_SECONDS, INFRA_REASONS, RunOutcome, Signals};
pub use state::{JudgeState, QUESTION_OF, SeatState};
pub use status::JudgeStatus;
pub use test_log::{OfflineGrounds, TestLog, TestReading, TestSummary};
pub use throttle::{Admission, Allowance, DAY, HOUR, PER_HOUR, Spent, Throttle, ThrottleBound, UNPRICED};
