//! What keeps a run from passing. A gate may excuse findings; it never excuses anything else.

use crate::finding::Finding;

/// What keeps a run from passing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeldBack {
    /// The findings that hold back the work that was handed over, each as often as it was raised.
    pub findings: Vec<Finding>,
    /// What holds it back beside them, in words: marks below the bar, a part that is missing. Nothing excuses it.
    pub beyond: Option<String>,
}

impl HeldBack {
    /// Held back by something that is no finding.
    pub fn beyond(why: impl Into<String>) -> Self {
        Self { findings: Vec::new(), beyond: Some(why.into()) }
    }
}
