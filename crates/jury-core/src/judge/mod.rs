//! The judge and its learning loop: what a finished agent run is worth, and which prompt template is better for it.
//!
//! A run record comes in ([`RunRecord`]), written by somebody's dispatcher and not to be trusted. Its mechanical signals
//! make an outcome ([`RunOutcome`]) and patterns ([`Pattern`]). A judge, or a panel of them, reads the work and answers
//! with marks ([`Answer`], [`convene`]); the verdict and the score are computed from the marks, never taken from the
//! model. Both together are the feedback of the run ([`Feedback`]). Tallies of feedback ([`Book`]) make scores
//! ([`scores()`]), scores make selections ([`select()`]), refinements ([`refine`]) and tests ([`ab`]), under guardrails
//! ([`guardrail`]). Whether judgements may have a say in that is measured against people ([`calibration`], [`drift`]).
//!
//! Everything is a function of its arguments: moments come from the caller, and so do seeds ([`Random`]).

pub mod ab;
pub mod agreement;
mod answer;
pub mod audit;
mod bead;
pub mod calibration;
mod coverage;
pub mod drift;
mod event;
mod feedback;
pub mod guardrail;
pub mod interval;
mod judgement;
pub mod machine;
mod measured;
pub mod message;
mod moment;
mod number;
mod opus;
mod panel;
mod pattern;
mod random;
mod record;
pub mod refine;
mod registry;
mod request;
pub mod retrospective;
mod sample;
mod scores;
mod select;
pub mod settings;
mod signal;
mod sitting;
mod standing;
mod tally;
mod task;
mod throttle;
pub mod weekly;
pub mod words;

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
pub use feedback::{Feedback, FeedbackLine, Judged, JudgementPart, NotFeedback, Part};
pub use judgement::{
    Confidence, Dimension, Dimensions, Evidence, FAIL_BELOW, INCORRECT_BELOW, Issue, JudgeCost, JudgeStamp,
    Judgement, PASS_FROM, SCHEMA_VERSION, Severity, Verdict,
};
pub use measured::{MEASURED_CAP, capped};
pub use moment::{moment, written};
pub use opus::{InputSummary, InvalidOpus, OpusFinding, OpusJudge, OpusJudgement};
pub use panel::{CLOSE, Conclusion, Dispute, PanelRecord, Seat, SeatRecord, Spread, WIDE, convene};
pub use pattern::{Pattern, SCOPE_CREEP_SECONDS, is_infra};
pub use random::Random;
pub use record::{CheckState, LARGEST_RECORD, Reading, RecordError, RunRecord, RunStatus, Verification};
pub use registry::{KEPT_BEADS, PatternEntry, Registry, Shown, Sightings};
pub use request::JudgeRequest;
pub use sample::{DEFAULT_RATE, Sampling, cksum, sampling};
pub use scores::{
    AgentPart, AgentScore, AgentScores, PatternCount, TemplatePart, TemplateScore, TemplateScores,
    regressions, scores,
};
pub use select::{AGENT_RUNS, Selection, TEMPLATE_RUNS, select, variant_number};
pub use signal::{EXPECTED_SECONDS, INFRA_REASONS, RunOutcome, Signals};
pub use sitting::{QUESTION_OF, SeatState, Sitting};
pub use standing::Standing;
pub use tally::{
    AgentTally, Book, Counts, MECHANICAL_PART, PARTIAL, RECENT, RETRY, TIMEOUT, TREND_STEP, Tally, Trend,
};
pub use task::TaskType;
pub use throttle::{Admission, Allowance, Bound, DAY, HOUR, PER_HOUR, Spent, Throttle, UNPRICED};
