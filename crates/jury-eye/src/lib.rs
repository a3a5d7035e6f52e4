//! A page as a browser sees it: HTML text in, a plain [`Snapshot`] out.
//!
//! This is the only crate that knows the style engine (blitz and Stylo, pinned). Everything it hands
//! out is plain data, so that the checks built on it are pure functions that can be tested without an
//! engine and read without knowing one. It judges nothing.
//!
//! What a caller can rely on:
//!
//! * **Same bytes, same snapshot, on every machine.** Fonts are embedded, system fonts are off, there is
//!   no network, no clock, no script, and styles are resolved on one thread.
//! * **A settled page.** Animations are taken to their end and reduced motion is preferred, so that text
//!   which fades in is measured as a reader sees it.
//! * **A failure is an error, never a measurement.** A panic inside the engine is contained and becomes
//!   [`EyeError::EnginePanic`]; a page nested too deeply is refused before it can exhaust the stack.
//!
//! ```
//! let snapshot = jury_eye::look("<h1>Hello</h1>", jury_eye::Viewport::DESKTOP)?;
//! assert_eq!(snapshot.nodes.last().map(|node| node.text.as_str()), Some("Hello"));
//! # Ok::<(), jury_eye::EyeError>(())
//! ```

pub mod aria;

mod base64;
mod beside;
mod carried;
mod collect;
mod complexity;
mod coverage;
mod drawing;
mod engine;
mod fonts;
mod geometry;
mod hints;
mod motion;
mod name;
mod nesting;
mod pictures;
mod pixels;
mod prepare;
mod references;
mod resources;
mod sfnt;
mod snapshot;
mod style;
mod tags;
mod widths;

pub use beside::Beside;
pub use coverage::Coverage;
pub use engine::nanoseconds_spent;
pub use nesting::MAX_DEPTH;
pub use references::{foreign_host, linked_files, percent_decoded, references, references_of_css};
pub use snapshot::{
    Animation, Backdrop, Behind, Edges, Generated, Layout, NameSource, Node, NodeId, Outline, Overflow,
    PageFacts, Patch, Position, Rect, Rgba, Scroll, Shadow, Snapshot, Style, TextAlign, TextPart, Viewport,
};

/// Pages above this many bytes are refused: nothing a panel reviews is that large, and the engine's
/// memory grows with the page.
pub const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Why a page could not be measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EyeError {
    /// The engine panicked. The page has no measurement and must not be scored.
    #[error("the style engine panicked: {message}")]
    EnginePanic {
        /// What the engine said, for the report.
        message: String,
    },
    /// Elements are nested beyond [`MAX_DEPTH`].
    #[error("elements are nested {depth} deep, the limit is {limit}")]
    TooDeep {
        /// The depth at which reading stopped.
        depth: usize,
        /// The limit that was passed.
        limit: usize,
    },
    /// The page is larger than [`MAX_BYTES`].
    #[error("the page has {bytes} bytes, the limit is {limit}")]
    TooLarge {
        /// The size of the page.
        bytes: usize,
        /// The limit that was passed.
        limit: usize,
    },
    /// The page is small and would still be too much work.
    #[error("the page has {} {what}, the limit is {limit}", told(*count))]
    TooComplex {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// The limit that was passed.
        limit: usize,
    },
    /// The thread that measures could not be started.
    #[error("no thread to measure on: {reason}")]
    NoThread {
        /// What the operating system said.
        reason: String,
    },
}

/// A number that may have run out of digits.
fn told(count: usize) -> String {
    if count == usize::MAX { "countless".to_owned() } else { count.to_string() }
}

impl EyeError {
    /// The label used in metrics and events.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::EnginePanic { .. } => "engine_panic",
            Self::TooDeep { .. } => "page_too_deep",
            Self::TooLarge { .. } => "page_too_large",
            Self::TooComplex { .. } => "page_too_complex",
            Self::NoThread { .. } => "no_thread",
        }
    }
}

/// Says which text of a snapshot has to be looked at pixel by pixel.
pub type Undecided<'a> = &'a (dyn Fn(&Snapshot) -> Vec<NodeId> + Sync);

/// A page, what lies beside it, and how it is to be looked at.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    /// The text of the page.
    pub html: &'a str,
    /// The files it may load.
    pub beside: &'a Beside,
    /// The windows it is laid out in; one snapshot comes back for each, in this order.
    pub viewports: &'a [Viewport],
    /// Asks for the pixels behind text, in the first window only. Nothing is painted without it.
    pub pixels: Option<Undecided<'a>>,
}

/// Lays out `html` in `viewport` and writes down what there is to see.
pub fn look(html: &str, viewport: Viewport) -> Result<Snapshot, EyeError> {
    let sight = Sight { html, beside: &Beside::nothing(), viewports: &[viewport], pixels: None };
    let mut snapshots = look_at(sight)?;
    snapshots.pop().ok_or_else(|| EyeError::EnginePanic { message: "no window to look through".to_owned() })
}

/// Lays out a page in each of several windows. Nodes have the same ids in all of them.
pub fn look_at(sight: Sight<'_>) -> Result<Vec<Snapshot>, EyeError> {
    let Sight { html, .. } = sight;
    if html.len() > MAX_BYTES {
        return Err(EyeError::TooLarge { bytes: html.len(), limit: MAX_BYTES });
    }
    nesting::check_source(html)?;
    engine::on_deep_stack(|| engine::measure(sight))?
}
