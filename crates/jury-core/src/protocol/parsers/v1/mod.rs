//! Version 1 of the protocol: the inside of `<CRITIQUE_RUN version="1">`.
//!
//! Two small machines, one above the other. The lexer ([`lexer`]) cuts the bytes into tags, text and CDATA;
//! the grammar ([`grammar`]) knows which element may stand where and reports what closes. Leaf elements
//! (`NOTES`, `DIM`, `MUST_FIX`, `REASON`, `SUMMARY`, `ARTIFACT`) collect their bytes in [`leaf`].
//!
//! What they read without a flaw is written down once more, as a grammar for models, in [`mod@gbnf`].
//!
//! What is malformed: a known element where it cannot stand, an element left open when its parent closes,
//! the end of input inside the run. Everything else between elements is skipped with a warning.

pub(super) mod gbnf;
mod grammar;
mod leaf;
mod lexer;
mod number;

use super::Step;
use crate::protocol::ParserLimits;
use crate::protocol::cdata::CdataScanner;
use crate::protocol::element::{Element, Markup, NameBytes, Thinking};
use crate::protocol::restart::RestartScanner;
use crate::protocol::signal::{Fault, Part, Signal};
use crate::protocol::tag::{self, TagBuffer};
use crate::protocol::thinking::ThinkingScanner;
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
    limits: ParserLimits,
    /// The offset of the next byte.
    offset: u64,
    lex: Lex,
    /// Where the markup being read began.
    markup_at: u64,
    /// Where the markup just read ended.
    markup_end: u64,
    /// The bytes behind a `<` that may turn out to be a tag.
    name: NameBytes,
    tag: TagBuffer,
    cdata: CdataScanner,
    restart: RestartScanner,
    thought: ThinkingScanner,
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
    /// How many of them were reported as closed.
    closed: u32,
    panelist: Panelist,
    end: End,
    ship: Ship,
    shipped: bool,
    leaf: Leaf,
    words: WordCount,
}

/// Whose words an answer is made of.
#[derive(Debug, Default)]
struct WordCount {
    /// Sentences of the prompt's example.
    copied: u32,
    /// Sentences of the agent's own, and pages.
    own: u32,
}

/// What the lexer is in the middle of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lex {
    /// Content: of a container, or of a leaf.
    Content,
    /// In a name, behind a `<`.
    Name,
    /// In a tag of ours.
    Tag(Markup),
    /// In a comment; the number of dashes just before.
    Comment(u8),
    /// In a section of CDATA.
    Cdata,
    /// Behind a `]]>` in the CDATA of an artifact.
    CdataEnd(CdataEnd),
    /// In words of the model to itself, between elements.
    Thinking(Thinking),
}

/// A `]]>` that may be the end of an artifact's CDATA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CdataEnd {
    /// The offset of its first bracket.
    at: u64,
    /// How much content stands in front of it.
    kept: usize,
    /// A `<` was read, and the name behind it is being read.
    in_name: bool,
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
    /// The count that its `must_fix` declares.
    declared: Option<f64>,
    must_fix: u32,
    has_artifact: bool,
    notes: String,
    /// What stands between its elements, as far as it is looked at.
    stray: Vec<u8>,
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
    pub fn new(limits: ParserLimits) -> Self {
        Self {
            limits,
            offset: 0,
            lex: Lex::Content,
            markup_at: 0,
            markup_end: 0,
            name: NameBytes::default(),
            tag: TagBuffer::default(),
            cdata: CdataScanner::default(),
            restart: RestartScanner::default(),
            thought: ThinkingScanner::default(),
            gap_warned: false,
            level: Level::Run,
            block_at: 0,
            round: Round::FIRST,
            round_at: 0,
            round_ended: false,
            rounds: 0,
            closed: 0,
            panelist: Panelist::default(),
            end: End::default(),
            ship: Ship::default(),
            shipped: false,
            leaf: Leaf::default(),
            words: WordCount::default(),
        }
    }

    pub(in crate::protocol) fn feed(
        &mut self,
        input: &[u8],
        offset: u64,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<(usize, Step), Box<Fault>> {
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
    #[inline]
    fn room(&self) -> Result<usize, Box<Fault>> {
        let max_block = self.limits.max_block.0;
        let mut room = u64::MAX;
        if let Some(start) = self.block_start() {
            room = (start + max_block + CLOSING_TAG).saturating_sub(self.offset);
            if room == 0 {
                return Err(self.oversize(start).into());
            }
        }
        if let Lex::Tag(markup) = self.lex {
            let most = max_block.min(tag::LONGEST_TAG_BYTES);
            room = room.min((self.markup_at + most + CLOSING_TAG).saturating_sub(self.offset));
            if room == 0 {
                return Err(Fault::oversize_tag(
                    &format!("the tag {markup}"),
                    most,
                    max_block,
                    self.markup_at,
                )
                .into());
            }
        }
        Ok(usize::try_from(room).unwrap_or(usize::MAX))
    }

    /// Checks the content of the open block, as far as this tag.
    fn check_block(&self) -> Result<(), Box<Fault>> {
        match self.block_start() {
            Some(start) if self.markup_at - start > self.limits.max_block.0 => {
                Err(self.oversize(start).into())
            }
            _ => Ok(()),
        }
    }

    /// Where the content of the block that counts bytes starts. What stands between blocks is skipped without
    /// being kept and needs no bound.
    #[inline]
    fn block_start(&self) -> Option<u64> {
        match self.level {
            Level::Panelist | Level::RoundEnd | Level::Ship { .. } => Some(self.block_at),
            Level::Run | Level::Round => self.leaf.element.map(|_| self.leaf.at),
        }
    }

    /// The block that counts bytes, and starts here, has too many of them.
    #[cold]
    fn oversize(&self, start: u64) -> Fault {
        let what = match (self.level, self.leaf.element) {
            (Level::Run | Level::Round, Some(leaf)) => leaf.as_str(),
            (Level::Run | Level::Round | Level::Panelist | Level::RoundEnd | Level::Ship { .. }, _) => {
                self.container()
            }
        };
        Fault::oversize(&format!("<{what}>"), self.limits.max_block.0, start)
    }

    /// The name of the innermost container.
    fn container(&self) -> &'static str {
        match self.level {
            Level::Run => "CRITIQUE_RUN",
            Level::Round => "ROUND",
            Level::Panelist => "PANELIST",
            Level::RoundEnd => "ROUND_END",
            Level::Ship { .. } => "SHIP",
        }
    }

    pub(in crate::protocol) fn is_empty(&self) -> bool {
        self.rounds == 0 && !self.shipped
    }

    /// Whether the run is the prompt's example and nothing else.
    pub(in crate::protocol) fn is_echo(&self) -> bool {
        self.words.copied > 0 && self.words.own == 0
    }

    pub(in crate::protocol) fn has_closed_round(&self) -> bool {
        self.closed > 0
    }

    pub(in crate::protocol) fn amid(&self) -> Part {
        if self.leaf.element == Some(Element::Artifact) { Part::Page } else { Part::Review }
    }

    pub(in crate::protocol) fn broke_at(&self) -> u64 {
        self.markup_end
    }

    pub(in crate::protocol) fn cut_off(&self, offset: u64) -> Fault {
        if let Lex::Thinking(thinking) = self.lex {
            return Fault::malformed(format!("the answer ends inside <{}>", thinking.as_str()), offset);
        }
        let inside = self.leaf.element.map_or_else(|| self.container(), Element::as_str);
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
        let detail = format!("<{}> cannot stand in <{}>", element.as_str(), self.container());
        Fault::malformed(detail, self.markup_at)
    }
}
