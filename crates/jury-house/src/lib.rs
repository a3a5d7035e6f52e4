//! The house: a panel that measures instead of guessing, and a designer that repairs what a machine may
//! repair.
//!
//! Everything here is a function of the text it is given. There is no clock, no network, no file and no
//! randomness, so the same request gives the same transcript, byte by byte.
//!
//! The way of a page: [`sit`] has it measured by `jury-eye` once per distinct text, runs the checks over
//! the snapshot, turns their exposure into scores, writes the round, lets the designer repair what it can
//! prove to be better, and goes round again. [`lint()`] is the last look at an artifact about to ship, and
//! [`measure()`] the figures alone, for the panels of others to be held against. Of texts that are not pages,
//! `jury-text` measures what can be measured.
//!
//! ```
//! let request = jury_house::Request {
//!     page: "<!doctype html><html lang=en><title>Hello</title><main><h1>Hello</h1></main>".to_owned(),
//!     ..jury_house::Request::default()
//! };
//! let mut transcript = Vec::new();
//! jury_house::sit(&request, &mut transcript)?;
//! assert!(transcript.starts_with(b"<CRITIQUE_RUN version=\"1\""));
//! # Ok::<(), jury_house::HouseError>(())
//! ```

mod session;

mod grid;
mod page;
mod rules;
mod selector;
mod sheets;
mod source;
mod subject;
mod text_run;

mod checks;
mod criterion;
mod finding;
mod score;

mod explain;

mod designer;
mod lint;
mod loss;
mod mark;
mod measure;
mod reference;
mod report;
mod transcript;

mod conditions;
mod css;
mod paint;

use std::collections::BTreeMap;
use std::io::{self, Write};

use jury_eye::EyeError;
use serde::{Deserialize, Serialize};

pub use checks::CheckInfo;
pub use designer::{EditNote, Question, RepairNote, RepairedPage, repair};
pub use explain::{Explanation, Seen, explain};
pub use jury_core::lint::LintFinding;
pub use jury_eye::{Beside, Coverage, Viewport};
pub use jury_eye::{MAX_BYTES as LARGEST_PAGE, Snapshot, linked_files, references, references_of_css};
pub use lint::{lint, lint_among, replacement};
pub use loss::{GivenPage, losses};
pub use measure::{MeasureTask, measure, measure_beside, measure_task};
pub use report::{CheckReport, ElementPlace, Report, ReportedFinding, SeatReport, report};
pub use session::NOT_JUDGED;

/// Lays a page out in each of these windows and hands out what there is to see, without judging any of it.
pub fn inspect(html: &str, beside: &Beside, viewports: &[Viewport]) -> Result<Vec<Snapshot>, EyeError> {
    jury_eye::look_at(jury_eye::Sight { html, beside, viewports, pixels: None })
}

/// How much may lie beside a page.
pub const MOST_BESIDE_BYTES: usize = 16 * 1024 * 1024;

/// What the house is asked to do. As JSON this is the prompt of the house agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Request {
    /// The page, as HTML.
    pub page: String,
    /// The DESIGN.md it should follow.
    pub design: Option<String>,
    /// The files it may load, by their address relative to it. No more than [`MOST_BESIDE_BYTES`] in all.
    #[serde(skip_serializing_if = "Beside::is_empty")]
    pub beside: Beside,
    /// The most rounds to go.
    pub max_rounds: u32,
    /// The composite from which a page ships, on `scale`.
    pub threshold: f64,
    /// The upper end of scores.
    pub scale: f64,
    /// The cast with its weights; the usual cast when empty.
    pub weights: BTreeMap<String, f64>,
}

impl Default for Request {
    fn default() -> Self {
        let usual = jury_core::settings::CritiqueConfig::default();
        Self {
            page: String::new(),
            design: None,
            beside: Beside::nothing(),
            max_rounds: usual.max_rounds,
            threshold: usual.score_threshold.0,
            scale: usual.score_scale.0,
            weights: BTreeMap::new(),
        }
    }
}

/// Why there is no complete transcript.
#[derive(Debug, thiserror::Error)]
pub enum HouseError {
    /// The page could not be measured, and so has no score.
    #[error("the page cannot be measured")]
    Eye(#[from] EyeError),
    /// The request makes no sense.
    #[error("the request cannot be carried out: {reason}")]
    Request {
        /// What is wrong with it.
        reason: String,
    },
    /// The transcript could not be written.
    #[error("the transcript cannot be written")]
    Write(#[from] io::Error),
}

impl HouseError {
    /// The label used in metrics and events.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Eye(error) => error.kind(),
            Self::Request { .. } => "bad_request",
            Self::Write(_) => "write_failed",
        }
    }
}

/// Every check of the house, in the order in which they are reported.
pub fn checks() -> impl Iterator<Item = CheckInfo> {
    checks::all().map(CheckInfo::from)
}

/// The checks of the measured seats, which only sit where they are cast.
pub fn seat_checks() -> impl Iterator<Item = CheckInfo> {
    checks::of_seats().map(CheckInfo::from)
}

/// Reviews and repairs a page in rounds and writes a protocol v1 transcript, flushed after every panelist.
///
/// A page that cannot be measured leaves `out` untouched.
pub fn sit(request: &Request, out: &mut dyn Write) -> Result<(), HouseError> {
    session::sit(request, out)
}
