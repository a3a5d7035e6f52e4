//! Version 1 of the protocol: the inside of `<CRITIQUE_RUN version="1">`.
//!
//! Two small machines, one above the other. The lexer ([`lexer`]) cuts the bytes into tags, text and CDATA;
//! the grammar ([`grammar`]) knows which element may stand where and reports what closes. Leaf elements
//! (`NOTES`, `DIM`, `MUST_FIX`, `REASON`, `SUMMARY`, `ARTIFACT`) collect their bytes in [`leaf`].
//!
//! What is malformed: a known element where it cannot stand, an element left open when its parent closes,
//! the end of input inside the run. Everything else between elements is skipped with a warning.

mod grammar;
mod leaf;
mod lexer;
mod number;

use super::Step;
use crate::protocol::Limits;
use crate::protocol::cdata::CdataScanner;
use crate::protocol::element::{Element, Markup, recognise};
use crate::protocol::restart::RestartScanner;
use crate::protocol::signal::{Fault, Signal};
use crate::protocol::tag::TagBuffer;
use crate::role::Role;
use crate::score::Score;
use crate::unit::{Offset, Round};
use crate::warning::WarningKind;
use leaf::Leaf;

/// Bytes that the end of a block may need beyond its content before it counts as too large.
const CLOSING_TAG: u64 = 64;

/// The parser of version 1.
#[derive(Debug)]
pub struct V1 {
    limits: Limits,
    /// The offset of the next byte.
    offset: u64,
    lex: Lex,
    /// Where the markup being read began.
    markup_at: u64,
    /// The bytes behind a `<` that may turn out to be a tag.
    name: Vec<u8>,
    tag: TagBuffer,
    cdata: CdataScanner,
    restart: RestartScanner,
    /// Text between elements is worth one warning per gap.
    gap_warned: bool,
    level: Level,
    /// The content of the open block starts here.
    block_at: u64,
    round: Round,
    round_at: u64,
    /// The round has had its `<ROUND_END>`.
    round_ended: bool,
    rounds: u32,
    panelist: Panelist,
    end: End,
    ship: Ship,
    shipped: bool,
    leaf: Leaf,
}

/// What the lexer is in the middle of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lex {
    /// Content: of a container, or of a leaf.
    Content,
    /// Behind a `<`.
    Name,
    /// In a tag of ours.
    Tag(Markup),
    /// In a comment; the number of dashes just before.
    Comment(u8),
    /// In CDATA.
    Cdata,
}

/// Which container is open, the run itself being the outermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Run,
    Round,
    Panelist,
    RoundEnd,
    /// `<SHIP>`, which stands in a run or, if the agent is careless, in a round.
    Ship {
        in_round: bool,
    },
}

#[derive(Debug, Default)]
struct Panelist {
    /// None: a role that is not cast. Its block is read and dropped.
    role: Option<Role>,
    score: Option<Score>,
    /// What `must_fix` says.
    declared: Option<f64>,
    must_fix: u32,
    has_artifact: bool,
    notes: String,
    at: u64,
}

#[derive(Debug, Default)]
struct End {
    claim: crate::protocol::RoundClaim,
    reason: String,
}

#[derive(Debug, Default)]
struct Ship {
    /// A second `<SHIP>`: read and dropped.
    dropped: bool,
    round: Option<u32>,
    composite: Option<f64>,
    mime: Option<String>,
    body: Vec<u8>,
    summary: String,
}

impl V1 {
    /// A parser just behind the tag that opens the run.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            offset: 0,
            lex: Lex::Content,
            markup_at: 0,
            name: Vec::with_capacity(16),
            tag: TagBuffer::default(),
            cdata: CdataScanner::default(),
            restart: RestartScanner::default(),
            gap_warned: false,
            level: Level::Run,
            block_at: 0,
            round: Round::FIRST,
            round_at: 0,
            round_ended: false,
            rounds: 0,
            panelist: Panelist::default(),
            end: End::default(),
            ship: Ship::default(),
            shipped: false,
            leaf: Leaf::default(),
        }
    }

    pub(in crate::protocol) fn feed(
        &mut self,
        input: &[u8],
        offset: u64,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<(usize, Step), Fault> {
        self.offset = offset;
        let mut rest = input;
        while !rest.is_empty() {
            let room = self.room()?;
            let piece = &rest[..rest.len().min(room)];
            let (taken, step) = self.lex(piece, sink)?;
            self.offset += taken as u64;
            rest = &rest[taken..];
            if step != Step::Going {
                return Ok((input.len() - rest.len(), step));
            }
        }
        Ok((input.len(), Step::Going))
    }

    /// How many bytes may follow before the open block, or the tag being read, is too large. Looked at byte
    /// positions only, so it is the same for every chunking.
    fn room(&self) -> Result<usize, Fault> {
        let max_block = self.limits.max_block.0;
        let start = match self.level {
            Level::Panelist | Level::RoundEnd | Level::Ship { .. } => self.block_at,
            Level::Run | Level::Round => match self.lex {
                Lex::Tag(_) => self.markup_at,
                // Skipped without being kept: no bound is needed.
                Lex::Content | Lex::Name | Lex::Comment(_) | Lex::Cdata if self.leaf.element.is_none() => {
                    return Ok(usize::MAX);
                }
                Lex::Content | Lex::Name | Lex::Comment(_) | Lex::Cdata => self.leaf.at,
            },
        };
        match (start + max_block + CLOSING_TAG).checked_sub(self.offset) {
            Some(room) if room > 0 => Ok(usize::try_from(room).unwrap_or(usize::MAX)),
            _ => Err(Fault::oversize(self.open_block(), max_block, start)),
        }
    }

    /// Checks the content of a block that closes at this tag.
    fn check_block(&self) -> Result<(), Fault> {
        if self.markup_at - self.block_at > self.limits.max_block.0 {
            return Err(Fault::oversize(self.open_block(), self.limits.max_block.0, self.block_at));
        }
        Ok(())
    }

    fn open_block(&self) -> &'static str {
        match self.level {
            Level::Run | Level::Round => "a tag",
            Level::Panelist => "<PANELIST>",
            Level::RoundEnd => "<ROUND_END>",
            Level::Ship { .. } => "<SHIP>",
        }
    }

    pub(in crate::protocol) fn cut_off(&self, offset: u64) -> Fault {
        let inside = match (self.leaf.element, self.level) {
            (Some(element), _) => element.as_str(),
            (None, Level::Run) => "CRITIQUE_RUN",
            (None, Level::Round) => "ROUND",
            (None, Level::Panelist) => "PANELIST",
            (None, Level::RoundEnd) => "ROUND_END",
            (None, Level::Ship { .. }) => "SHIP",
        };
        Fault::malformed(format!("the answer ends inside <{inside}>"), offset)
    }

    fn warn(&self, kind: WarningKind, position: u64, sink: &mut impl FnMut(Signal<'_>)) {
        let role = match self.level {
            Level::Panelist => self.panelist.role,
            Level::Run | Level::Round | Level::RoundEnd | Level::Ship { .. } => None,
        };
        sink(Signal::Warning { kind, position: Offset(position), role });
    }

    fn misplaced(&self, element: Element) -> Fault {
        let inside = match self.level {
            Level::Run => "CRITIQUE_RUN",
            Level::Round => "ROUND",
            Level::Panelist => "PANELIST",
            Level::RoundEnd => "ROUND_END",
            Level::Ship { .. } => "SHIP",
        };
        Fault::malformed(format!("<{}> cannot stand in <{inside}>", element.as_str()), self.markup_at)
    }
}
