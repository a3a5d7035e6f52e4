//! A figure that a panelist names, as the cross-check needs it. What reads one out of prose is handed in: word lists are no
//! part of the rule that decides a gate.

/// A figure in a text of a panelist that can be held against what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelClaim {
    /// The figure that is claimed.
    pub figure: ClaimFigure,
    /// Written to the tenth and without `about`.
    pub exact: bool,
    /// What it is about, in lower case: names of elements, or selectors. None if nothing says so.
    pub about: Vec<String>,
    /// Whether only the figure can be wrong. One that is not firm can be confirmed and not contradicted.
    pub firm: bool,
    /// Whether the fill is meant, and not the words on it.
    pub fill: ClaimFill,
    /// Why it cannot be held against the measurement.
    pub unusable: Option<&'static str>,
    /// The part of the text that says it.
    pub said: String,
}

/// Whether a ratio is one of a fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimFill {
    /// Nothing in the text says so.
    No,
    /// What is around the thing is named: of a button, the fill may be meant.
    OfButton,
    /// What is behind the words is named.
    Named,
}

/// What kind of figure it is.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimFigure {
    /// A contrast ratio, such as `3.9:1`.
    Ratio(f64),
    /// A size in pixels, such as `64px`.
    Size(f64),
    /// `1.5rem`: in sizes of the root element.
    Roots(f64),
    /// `12/16/24/40`, of which nobody has said yet what they are.
    Several(Vec<f64>),
    /// The same, between boxes.
    Distances(Vec<f64>),
    /// The same, of type.
    Sizes(Vec<f64>),
}

/// Reads the claims in a text, in order. The name of the dimension that it is a note to says what rows of numbers are.
#[derive(Debug, Clone, Copy)]
pub struct ClaimReader(pub fn(text: &str, dimension: Option<&str>) -> Vec<PanelClaim>);

impl PartialEq for ClaimReader {
    /// There is one in a program; which one is no part of a plan.
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for ClaimReader {}
