//! One parser per version of the protocol. Old transcripts keep their parser; a new version is a new file
//! and new arms here.

pub mod v1;

use super::ParserLimits;
use super::signal::{Fault, Part, Signal};
use crate::settings::CritiqueConfig;
use v1::V1;

/// The answers that are whole and without a flaw under these settings, as a grammar in GBNF, which llama.cpp
/// and its relatives can hold a model to. Every answer in it ends. `page` is how many characters the page to
/// begin with has: a draft has room for twice that and a little more. None for a version without a grammar.
///
/// ```
/// use jury_core::protocol::gbnf;
/// use jury_core::settings::CritiqueConfig;
///
/// let grammar = gbnf(&CritiqueConfig::default(), 2_000).unwrap();
/// assert!(grammar.starts_with("root ::= \"<CRITIQUE_RUN version="));
/// ```
pub fn gbnf(config: &CritiqueConfig, page: usize) -> Option<String> {
    match config.protocol_version {
        1 => Some(v1::gbnf::gbnf(config, page)),
        _ => None,
    }
}

/// What a piece of input did to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The run is still open.
    Going,
    /// The run was closed, by a tag that ends here.
    Closed { at: u64 },
    /// The agent began again; the first bytes of the new tag are known.
    Restart { at: u64, known: &'static [u8] },
}

/// The parser of the version that a run declared.
#[derive(Debug)]
pub(super) enum Versioned {
    V1(V1),
}

impl Versioned {
    pub(super) fn of(version: u32, limits: ParserLimits) -> Option<Self> {
        match version {
            1 => Some(Self::V1(V1::new(limits))),
            _ => None,
        }
    }

    /// Takes input from this offset on. How much was taken, and what it did. A fault comes in a box because this result is
    /// handed up for every tag, and a fault would make it several times as large.
    pub(super) fn feed(
        &mut self,
        input: &[u8],
        offset: u64,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<(usize, Step), Box<Fault>> {
        match self {
            Self::V1(parser) => parser.feed(input, offset, sink),
        }
    }

    /// Whether nothing of a run was seen, neither a round nor an end.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::V1(parser) => parser.is_empty(),
        }
    }

    /// Whether the run is the prompt's example and nothing else.
    pub(super) fn is_echo(&self) -> bool {
        match self {
            Self::V1(parser) => parser.is_echo(),
        }
    }

    /// Whether a round was closed.
    pub(super) fn has_closed_round(&self) -> bool {
        match self {
            Self::V1(parser) => parser.has_closed_round(),
        }
    }

    /// What the agent is in the middle of.
    pub(super) fn amid(&self) -> Part {
        match self {
            Self::V1(parser) => parser.amid(),
        }
    }

    /// The offset behind the markup that broke the grammar.
    pub(super) fn broke_at(&self) -> u64 {
        match self {
            Self::V1(parser) => parser.broke_at(),
        }
    }

    /// Why an answer that ends here is not whole.
    pub(super) fn cut_off(&self, offset: u64) -> Fault {
        match self {
            Self::V1(parser) => parser.cut_off(offset),
        }
    }
}
