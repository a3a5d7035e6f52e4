//! Leaf elements: the bytes between their tags.

use crate::protocol::element::Element;
use crate::protocol::text;
use crate::score::Score;

/// The leaf that is open, and its content so far.
#[derive(Debug, Default)]
pub(super) struct Leaf {
    /// Which element; none between leaves.
    pub(super) element: Option<Element>,
    /// Where its content starts.
    pub(super) at: u64,
    /// What becomes of it.
    pub(super) fate: Fate,
    /// Text, or the body of an artifact.
    pub(super) bytes: Vec<u8>,
    /// Entities are decoded from here on; before it stands CDATA, or text that is decoded.
    segment: usize,
    /// `name` of a dimension, `mime` of an artifact.
    pub(super) label: String,
    /// The score of a dimension.
    pub(super) score: Option<Score>,
    /// How the body of an artifact is written.
    pub(super) form: Form,
    /// Text that is not white space was seen in an artifact before any markup or CDATA.
    pub(super) prose: bool,
}

/// What becomes of the content of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Fate {
    /// The content is reported when it closes.
    #[default]
    Kept,
    /// It is read and forgotten.
    Dropped,
}

/// How the body of an artifact is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Form {
    /// Not clear yet: nothing but text so far.
    #[default]
    Open,
    /// As it is, markup and all.
    Raw,
    /// In CDATA sections. What stands around them does not count.
    Cdata,
}

impl Leaf {
    pub(super) fn open(&mut self, element: Element, fate: Fate, at: u64) {
        self.element = Some(element);
        self.at = at;
        self.fate = fate;
        self.bytes.clear();
        self.segment = 0;
        self.label.clear();
        self.score = None;
        self.form = Form::Open;
        self.prose = false;
    }

    /// Adds content, within the largest block.
    pub(super) fn push(&mut self, content: &[u8], max_block: u64) {
        if self.fate == Fate::Dropped {
            return;
        }
        if self.bytes.capacity() - self.bytes.len() < content.len() {
            self.bytes.reserve_exact(growth(self.bytes.len(), content.len(), max_block));
        }
        self.bytes.extend_from_slice(content);
    }

    /// CDATA begins: what stands before it is text with entities.
    pub(super) fn before_cdata(&mut self) {
        text::decode_entities(&mut self.bytes, self.segment);
    }

    /// CDATA has ended: what follows is text with entities again.
    pub(super) fn after_cdata(&mut self) {
        self.segment = self.bytes.len();
    }

    /// The content of a text element, decoded and clean.
    pub(super) fn text(&mut self) -> std::borrow::Cow<'_, str> {
        text::decode_entities(&mut self.bytes, self.segment);
        text::strip(&mut self.bytes);
        text::as_text(&self.bytes)
    }
}

/// How much room a buffer of this length gets when it needs this much more. One that has outgrown its first
/// steps gets all that it may need at once, so that growing never holds two large copies.
pub(super) fn growth(length: usize, more: usize, max_block: u64) -> usize {
    const FIRST_STEPS: usize = 64 * 1024;
    let needed = length + more;
    let room = if needed > FIRST_STEPS {
        usize::try_from(max_block + super::CLOSING_TAG).unwrap_or(usize::MAX)
    } else {
        (2 * length).min(FIRST_STEPS)
    };
    room.max(needed) - length
}
