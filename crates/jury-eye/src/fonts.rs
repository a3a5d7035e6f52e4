//! The one font every page is laid out with.
//!
//! With the fonts of the machine, line breaks and heights would differ from one machine to the next and
//! so would every measurement that rests on them. The font comes from `epaint_default_fonts`: a small
//! crate without code or dependencies that carries Ubuntu Light under a licence which allows embedding,
//! so no font file has to live in this repository.

use blitz_dom::{FontContext, build_single_font_ctx};

/// A font context that knows the embedded font and nothing else.
pub(crate) fn embedded() -> FontContext {
    build_single_font_ctx(epaint_default_fonts::UBUNTU_LIGHT)
}
