//! The grammar: which element may stand where, and what is reported when it opens or closes.

use super::leaf::{Fate, growth};
use super::{
    Element, End, Fault, Level, Markup, Panelist, Ship, Signal, Step, V1, WarningKind, WordCount, number,
};
use crate::example::is_example;
use crate::outcome::Decision;
use crate::protocol::{Body, RoundClaim, attribute, stray};
use crate::role::Role;
use crate::score::Score;
use crate::unit::{Bytes, Offset, Round};

/// What an artifact is when the agent does not say.
pub(super) const DEFAULT_MIME: &str = "text/html";

impl V1 {
    /// A tag is whole and ends before this offset.
    pub(super) fn tag_read(
        &mut self,
        markup: Markup,
        content_at: u64,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<Step, Box<Fault>> {
        self.check_block()?;
        match markup {
            Markup::Open(element) => {
                self.open(element, content_at, sink)?;
                if self.tag.is_self_closing() {
                    return self.close(element, content_at, sink);
                }
                Ok(Step::Going)
            }
            Markup::Close(element) => self.close(element, content_at, sink),
            Markup::Unknown
            | Markup::Foreign
            | Markup::Comment
            | Markup::Cdata
            | Markup::Think(_)
            | Markup::Thought(_) => Ok(Step::Going),
        }
    }

    fn open(
        &mut self,
        element: Element,
        content_at: u64,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<(), Box<Fault>> {
        match (element, self.level) {
            (Element::Round, Level::Run) => self.open_round(sink),
            (Element::Round, Level::Round) if self.round_ended => {
                self.warn(WarningKind::UnclosedRound, self.markup_at, sink);
                self.open_round(sink);
            }
            (Element::Panelist, Level::Round) if !self.round_ended => {
                self.open_panelist(content_at, sink);
            }
            (Element::RoundEnd, Level::Round) if !self.round_ended => {
                self.open_round_end(content_at, sink);
            }
            (Element::Ship, Level::Run | Level::Round) => self.open_ship(content_at, sink),
            (Element::Dim, Level::Panelist) => self.open_dimension(content_at, sink),
            (Element::MustFix, Level::Panelist) => self.open_leaf(Element::MustFix, content_at),
            (Element::Artifact, Level::Panelist) => self.open_draft(content_at, sink),
            (Element::Artifact, Level::Ship { .. }) => self.open_final(content_at, sink),
            (Element::Notes, Level::Panelist)
            | (Element::Reason, Level::RoundEnd)
            | (Element::Summary, Level::Ship { .. }) => self.open_leaf(element, content_at),
            // Prose in the wrong place is only prose.
            (Element::Notes | Element::Reason | Element::Summary, _) => {
                self.warn(WarningKind::StrayText, self.markup_at, sink);
                self.leaf.open(element, Fate::Dropped, content_at);
            }
            (
                Element::CritiqueRun
                | Element::Round
                | Element::Panelist
                | Element::RoundEnd
                | Element::Ship
                | Element::Dim
                | Element::MustFix
                | Element::Artifact,
                _,
            ) => return Err(self.misplaced(element).into()),
        }
        Ok(())
    }

    fn open_round(&mut self, sink: &mut impl FnMut(Signal<'_>)) {
        self.rounds = self.rounds.saturating_add(1);
        self.round = Round(self.rounds);
        self.round_at = self.markup_at;
        self.round_ended = false;
        self.level = Level::Round;
        let declared = self.tag.attributes().whole(attribute::NUMBER);
        if declared != Some(self.rounds) {
            self.warn(WarningKind::RoundNumber, self.markup_at, sink);
        }
        sink(Signal::RoundOpened { round: self.round, declared });
    }

    fn open_panelist(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        let attributes = self.tag.attributes();
        let role: Option<Role> = attributes.get(attribute::ROLE).and_then(|role| self.limits.role(&role));
        let (score, trouble) = match attributes.get(attribute::SCORE) {
            Some(text) => number::score(&text, self.limits.scale),
            // The one who drafts does not score.
            None if role == Some(Role::Designer) => (None, None),
            None => (None, Some(WarningKind::ScoreUnusable)),
        };
        self.panelist = Panelist {
            role,
            score,
            declared: attributes.must_fixes(),
            at: self.markup_at,
            ..Panelist::default()
        };
        self.level = Level::Panelist;
        self.block_at = content_at;
        match role {
            None => self.warn(WarningKind::UnknownRole, self.markup_at, sink),
            Some(role) => {
                sink(Signal::PanelistOpened { round: self.round, role, position: Offset(self.markup_at) });
                if let Some(trouble) = trouble {
                    self.warn(trouble, self.markup_at, sink);
                }
            }
        }
    }

    fn open_round_end(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        let attributes = self.tag.attributes();
        let declared = attributes.whole(attribute::NUMBER);
        let decision = attributes.get(attribute::DECISION).and_then(|word| {
            let mut known = Decision::ALL.iter().copied();
            known.find(|decision| decision.as_str().eq_ignore_ascii_case(word.trim()))
        });
        let claim = RoundClaim {
            composite: attributes.number(attribute::COMPOSITE),
            must_fix: attributes.number(attribute::MUST_FIX),
            decision: Some(decision.unwrap_or(Decision::Continue)),
        };
        if declared != Some(self.rounds) {
            self.warn(WarningKind::RoundNumber, self.markup_at, sink);
        }
        if decision.is_none() {
            self.warn(WarningKind::UnknownDecision, self.markup_at, sink);
        }
        self.end = End { claim, reason: String::new() };
        self.level = Level::RoundEnd;
        self.block_at = content_at;
    }

    fn open_ship(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        if self.shipped {
            self.warn(WarningKind::DuplicateShip, self.markup_at, sink);
        }
        let attributes = self.tag.attributes();
        self.ship = Ship {
            dropped: self.shipped,
            round: attributes.whole(attribute::ROUND),
            composite: attributes.number(attribute::COMPOSITE),
            ..Ship::default()
        };
        self.level = Level::Ship { in_round: self.level == Level::Round };
        self.block_at = content_at;
    }

    fn open_leaf(&mut self, element: Element, content_at: u64) {
        let dropped = match self.level {
            Level::Panelist => self.panelist.role.is_none(),
            Level::Ship { .. } => self.ship.dropped,
            Level::Run | Level::Round | Level::RoundEnd => false,
        };
        self.leaf.open(element, if dropped { Fate::Dropped } else { Fate::Kept }, content_at);
    }

    fn open_dimension(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        self.open_leaf(Element::Dim, content_at);
        if self.leaf.fate == Fate::Dropped {
            return;
        }
        let attributes = self.tag.attributes();
        let (score, trouble) = match attributes.get(attribute::SCORE) {
            Some(text) => number::score(&text, self.limits.scale),
            None => (None, None),
        };
        self.leaf.score = score;
        self.leaf.label.push_str(attributes.get(attribute::NAME).as_deref().unwrap_or_default());
        if let Some(trouble) = trouble {
            self.warn(trouble, self.markup_at, sink);
        }
    }

    fn open_draft(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        self.open_leaf(Element::Artifact, content_at);
        let trouble = match self.panelist.role {
            None => None,
            Some(Role::Designer) if self.panelist.has_artifact => Some(WarningKind::DuplicateArtifact),
            Some(Role::Designer) => None,
            Some(Role::Critic | Role::Brand | Role::A11y | Role::Copy | Role::Seat(_)) => {
                Some(WarningKind::UnexpectedArtifact)
            }
        };
        self.name_artifact(trouble, sink);
    }

    fn open_final(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        self.open_leaf(Element::Artifact, content_at);
        let trouble =
            (self.ship.mime.is_some() && !self.ship.dropped).then_some(WarningKind::DuplicateArtifact);
        self.name_artifact(trouble, sink);
    }

    fn name_artifact(&mut self, trouble: Option<WarningKind>, sink: &mut impl FnMut(Signal<'_>)) {
        if let Some(trouble) = trouble {
            self.leaf.fate = Fate::Dropped;
            self.warn(trouble, self.markup_at, sink);
        }
        let mime = self.tag.attributes().get(attribute::MIME);
        let mime = mime.as_deref().map(str::trim).filter(|mime| !mime.is_empty());
        self.leaf.label.push_str(mime.unwrap_or(DEFAULT_MIME));
    }

    /// Whether this element is open around the leaf, or where there is none.
    pub(super) fn is_open(&self, element: Element) -> bool {
        match element {
            Element::CritiqueRun => true,
            Element::Round => match self.level {
                Level::Run => false,
                Level::Round | Level::Panelist | Level::RoundEnd => true,
                Level::Ship { in_round } => in_round,
            },
            Element::Panelist => self.level == Level::Panelist,
            Element::RoundEnd => self.level == Level::RoundEnd,
            Element::Ship => matches!(self.level, Level::Ship { .. }),
            Element::Notes
            | Element::Artifact
            | Element::Dim
            | Element::MustFix
            | Element::Reason
            | Element::Summary => false,
        }
    }

    fn close(
        &mut self,
        element: Element,
        content_at: u64,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<Step, Box<Fault>> {
        if self.leaf.element == Some(element) {
            self.close_leaf(element, sink);
            return Ok(Step::Going);
        }
        match (element, self.level) {
            (Element::Panelist, Level::Panelist) => self.close_panelist(sink),
            (Element::RoundEnd, Level::RoundEnd) => {
                self.level = Level::Round;
                self.round_ended = true;
                self.report_round(content_at, sink);
            }
            (Element::Round, Level::Round) => {
                if !self.round_ended {
                    self.warn(WarningKind::MissingRoundEnd, self.markup_at, sink);
                    self.end = End::default();
                    self.report_round(content_at, sink);
                }
                self.level = Level::Run;
            }
            (Element::Ship, Level::Ship { in_round }) => {
                self.level = if in_round { Level::Round } else { Level::Run };
                self.close_ship(content_at, sink);
            }
            (Element::CritiqueRun, Level::Run) => return Ok(Step::Closed { at: content_at }),
            (Element::CritiqueRun, Level::Round) if self.round_ended => {
                self.warn(WarningKind::UnclosedRound, self.markup_at, sink);
                return Ok(Step::Closed { at: content_at });
            }
            _ if self.is_open(element) => {
                return Err(Fault::malformed(
                    format!("<{}> is not closed before </{}>", self.container(), element.as_str()),
                    self.markup_at,
                )
                .into());
            }
            _ => self.warn(WarningKind::StrayClose, self.markup_at, sink),
        }
        Ok(Step::Going)
    }

    fn close_leaf(&mut self, element: Element, sink: &mut impl FnMut(Signal<'_>)) {
        self.leaf.element = None;
        if self.leaf.fate == Fate::Dropped {
            return;
        }
        let (round, max_block) = (self.round, self.limits.max_block.0);
        match (element, self.panelist.role) {
            (Element::Dim, Some(role)) => {
                let (label, score) = (std::mem::take(&mut self.leaf.label), self.leaf.score);
                let note = self.leaf.text();
                self.words.count(&note);
                sink(Signal::Dimension { round, role, name: &label, score, note: &note });
                drop(note);
                self.leaf.label = label;
            }
            (Element::MustFix, Some(role)) => {
                let text = self.leaf.text();
                // An empty element beside a count of none is the empty form of an agent that fills in every element.
                if text.trim().is_empty() && self.panelist.declared == Some(0.0) {
                    return;
                }
                self.panelist.must_fix += 1;
                self.words.count(&text);
                sink(Signal::MustFix { round, role, text: &text });
            }
            (Element::Notes, _) => self.words.join(&mut self.panelist.notes, &self.leaf.text(), max_block),
            (Element::Reason, _) => self.words.join(&mut self.end.reason, &self.leaf.text(), max_block),
            (Element::Summary, _) => self.words.join(&mut self.ship.summary, &self.leaf.text(), max_block),
            (Element::Artifact, _) => {
                self.words.count_bytes(&self.leaf.bytes);
                self.close_artifact(sink);
            }
            (
                Element::Dim
                | Element::MustFix
                | Element::CritiqueRun
                | Element::Round
                | Element::Panelist
                | Element::RoundEnd
                | Element::Ship,
                _,
            ) => {}
        }
    }

    fn close_artifact(&mut self, sink: &mut impl FnMut(Signal<'_>)) {
        // An empty artifact is none: there is nothing to review and nothing to ship.
        if self.leaf.bytes.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        if self.level == Level::Panelist {
            self.panelist.has_artifact = true;
            sink(Signal::Artifact { round: self.round, mime: &self.leaf.label, body: &self.leaf.bytes });
        } else {
            // Kept until the end of the element, beside its summary; the buffers change places.
            std::mem::swap(&mut self.ship.body, &mut self.leaf.bytes);
            self.ship.mime = Some(self.leaf.label.clone());
        }
    }

    fn close_panelist(&mut self, sink: &mut impl FnMut(Signal<'_>)) {
        self.level = Level::Round;
        let panelist = std::mem::take(&mut self.panelist);
        let Some(role) = panelist.role else { return };
        if panelist.declared.is_some_and(|declared| (declared - f64::from(panelist.must_fix)).abs() > 1e-9) {
            let position = Offset(panelist.at);
            sink(Signal::Warning { kind: WarningKind::MustFixMismatch, position, role: Some(role) });
        }
        let score: Option<Score> = panelist.score;
        let unwritten = match panelist.declared {
            Some(declared) if panelist.must_fix == 0 => number::count(declared),
            _ => 0,
        };
        let asks = unwritten == 0 && panelist.must_fix == 0 && stray::asks_for_a_fix(&panelist.stray);
        let unwritten = unwritten.max(u32::from(asks));
        sink(Signal::PanelistClosed { round: self.round, role, score, notes: &panelist.notes, unwritten });
    }

    fn report_round(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        let end = std::mem::take(&mut self.end);
        self.closed = self.closed.saturating_add(1);
        sink(Signal::RoundClosed {
            round: self.round,
            claim: end.claim,
            reason: &end.reason,
            bytes: Bytes(content_at - self.round_at),
            position: Offset(content_at),
        });
    }

    fn close_ship(&mut self, content_at: u64, sink: &mut impl FnMut(Signal<'_>)) {
        let ship = std::mem::take(&mut self.ship);
        if ship.dropped {
            return;
        }
        self.shipped = true;
        let artifact = ship.mime.as_deref().map(|mime| Body { mime, bytes: &ship.body });
        sink(Signal::Shipped {
            round: ship.round,
            composite: ship.composite,
            artifact,
            summary: &ship.summary,
            position: Offset(content_at),
        });
    }
}

impl WordCount {
    /// Counts a sentence. One that is left empty is nobody's.
    fn count(&mut self, sentence: &str) {
        // One word of its own is enough to tell an answer from an echo.
        if self.own == 0 && !sentence.trim().is_empty() {
            let count = if is_example(sentence) { &mut self.copied } else { &mut self.own };
            *count = count.saturating_add(1);
        }
    }

    /// Counts the body of an artifact.
    fn count_bytes(&mut self, body: &[u8]) {
        // A page is long: whether it is text is not looked at when nothing depends on it.
        if self.own > 0 {
            return;
        }
        match str::from_utf8(body) {
            Ok(body) => self.count(body),
            Err(_) => self.own = 1,
        }
    }

    /// Counts a sentence and adds it to the others of its kind.
    fn join(&mut self, whole: &mut String, part: &str, max_block: u64) {
        self.count(part);
        join(whole, part, max_block);
    }
}

/// Several elements of one kind are one text.
fn join(whole: &mut String, part: &str, max_block: u64) {
    if whole.capacity() - whole.len() <= part.len() {
        whole.reserve_exact(growth(whole.len(), part.len() + 1, max_block));
    }
    if !whole.is_empty() && !part.is_empty() {
        whole.push(' ');
    }
    whole.push_str(part);
}
