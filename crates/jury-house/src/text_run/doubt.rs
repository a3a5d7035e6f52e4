//! Why nothing certain can be said about the contrast of a text.

/// Why nothing certain can be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    /// An image lies behind it, and its pixels are not there.
    Image,
    /// A drawing, a film, a canvas or a frame lies across it.
    Drawing,
    /// The text itself is a gradient, of which only a part has enough contrast.
    GradientText,
    /// A gradient lies behind it in its line, which is not painted there.
    Inline,
    /// It has the colour of its backdrop: nobody can see it, which may be meant.
    Same,
    /// Something lies over it.
    Covered,
    /// A smaller part of it is faint, because something else reaches under or over it.
    Partly,
    /// Hard shadows on some of its sides.
    Shadow,
    /// Something translucent lies over it, without which it would be good.
    Veiled,
    /// A filter or a blend mode changes its colours.
    Filter,
    /// One character, which may be a drawing as well.
    OneCharacter,
    /// It stands where nothing is painted: outside the page, scrolled away, or beyond what is painted of one page.
    NotPainted,
    /// It is styled by what is not measured here: a container, a scope, a condition in a value, its first line.
    Unmeasured,
}

impl Doubt {
    /// The doubt in words, for a report.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Image => "over an image that is not there",
            Self::Drawing => "over a drawing, a film or a frame",
            Self::GradientText => "text filled with a gradient",
            Self::Inline => "over a gradient in its line",
            Self::Same => "in the colour of its backdrop",
            Self::Covered => "covered by something else",
            Self::Partly => "faint in part, where something else reaches under or over it",
            Self::Veiled => "under something translucent",
            Self::Shadow => "text with hard shadows",
            Self::Filter => "under a filter or a blend mode",
            Self::OneCharacter => "a single character",
            Self::NotPainted => "where nothing is painted",
            Self::Unmeasured => {
                "styled by @container, @scope, if(), ::first-line or content-visibility, which are not measured"
            }
        }
    }
}
