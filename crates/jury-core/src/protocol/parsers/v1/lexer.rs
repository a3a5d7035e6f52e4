//! The lexer: cuts the inside of a run into tags, text and CDATA.

use super::leaf::{Fate, Form};
use super::{
    CdataEnd, CdataScanner, Element, Fault, Level, Lex, Markup, NameBytes, Signal, Step, ThinkingScanner, V1,
    WarningKind,
};
use crate::protocol::restart;
use crate::protocol::tag::Progress;

const CDATA_END: &[u8] = b"]]>";

/// So much of what stands between the elements of a panelist is looked at, in bytes.
const LONGEST_STRAY: usize = 4096;

impl V1 {
    /// Takes some of this piece. How much, and what it did to the run.
    pub(super) fn lex(
        &mut self,
        piece: &[u8],
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<(usize, Step), Box<Fault>> {
        match self.lex {
            Lex::Content if self.leaf.element.is_some() => Ok((self.leaf_content(piece), Step::Going)),
            Lex::Content => Ok((self.gap(piece, sink), Step::Going)),
            Lex::Name => self.markup(piece, sink),
            Lex::Tag(markup) => {
                let (taken, progress) = self.tag.take(piece);
                let end = self.offset + taken as u64;
                self.markup_end = end;
                match progress {
                    Progress::Going => Ok((taken, Step::Going)),
                    Progress::Whole => {
                        self.lex = Lex::Content;
                        self.gap_warned = false;
                        Ok((taken, self.tag_read(markup, end, sink)?))
                    }
                    Progress::Broken { by: Markup::Open(Element::CritiqueRun), length } => {
                        Ok((taken, restart_at(end - length)))
                    }
                    Progress::Broken { by, .. } => {
                        let detail = format!("the tag {markup} is not closed before {by}");
                        Err(Fault::malformed(detail, self.markup_at).into())
                    }
                }
            }
            Lex::Comment(dashes) => Ok(self.comment(piece, dashes)),
            Lex::Cdata => Ok(self.cdata(piece)),
            Lex::CdataEnd(end) => Ok(self.cdata_end(piece, end, sink)),
            Lex::Thinking(thinking) => {
                let (taken, over) = self.thought.scan(thinking, piece);
                if over {
                    self.lex = Lex::Content;
                }
                Ok((taken, Step::Going))
            }
        }
    }

    /// Content of a container: skipped up to the next `<`, with one warning if there is anything in it.
    fn gap(&mut self, piece: &[u8], sink: &mut impl FnMut(Signal<'_>)) -> usize {
        let skipped = if self.gap_warned {
            0
        } else {
            match piece.iter().position(|byte| !byte.is_ascii_whitespace()) {
                None => return piece.len(),
                Some(index) if piece[index] == b'<' => {
                    self.begin_markup(self.offset + index as u64);
                    return index + 1;
                }
                Some(index) => {
                    self.stray(self.offset + index as u64, sink);
                    index
                }
            }
        };
        let found = memchr::memchr(b'<', &piece[skipped..]);
        self.keep_stray(&piece[skipped..found.map_or(piece.len(), |found| skipped + found)]);
        match found {
            Some(found) => {
                self.begin_markup(self.offset + (skipped + found) as u64);
                skipped + found + 1
            }
            None => piece.len(),
        }
    }

    fn stray(&mut self, position: u64, sink: &mut impl FnMut(Signal<'_>)) {
        if !self.gap_warned {
            self.gap_warned = true;
            self.warn(WarningKind::StrayText, position, sink);
        }
    }

    /// What a panelist says between its elements is no part of its review, and may ask for a fix all the same.
    fn keep_stray(&mut self, bytes: &[u8]) {
        if self.level == Level::Panelist {
            let room = LONGEST_STRAY.saturating_sub(self.panelist.stray.len());
            self.panelist.stray.extend(bytes.iter().take(room));
        }
    }

    fn begin_markup(&mut self, at: u64) {
        self.lex = Lex::Name;
        self.markup_at = at;
        self.name = NameBytes::default();
    }

    /// Content of a leaf, up to the next `<`.
    fn leaf_content(&mut self, piece: &[u8]) -> usize {
        let end = memchr::memchr(b'<', piece);
        let content = &piece[..end.unwrap_or(piece.len())];
        self.leaf_text(content);
        match end {
            Some(found) => {
                self.begin_markup(self.offset + found as u64);
                found + 1
            }
            None => piece.len(),
        }
    }

    /// Text in a leaf. In front of the CDATA of an artifact it does not count.
    fn leaf_text(&mut self, content: &[u8]) {
        if self.leaf.element == Some(Element::Artifact)
            && self.leaf.form == Form::Open
            && content.iter().any(|byte| !byte.is_ascii_whitespace())
        {
            self.leaf.prose = true;
        }
        self.leaf.push(content, self.limits.max_block.0);
    }

    /// Bytes behind a `<`, until it is clear what they are.
    fn markup(
        &mut self,
        piece: &[u8],
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<(usize, Step), Box<Fault>> {
        for (index, &byte) in piece.iter().enumerate() {
            let markup = self.name.push(byte);
            if markup == Markup::Unknown {
                continue;
            }
            if markup == Markup::Comment && self.leaf.element.is_none() {
                self.lex = Lex::Comment(0);
                self.restart.reset();
                self.stray(self.markup_at, sink);
                return Ok((index + 1, Step::Going));
            }
            if markup == Markup::Cdata {
                self.begin_cdata(sink);
                return Ok((index + 1, Step::Going));
            }
            if let Markup::Think(thinking) = markup
                && self.leaf.element.is_none()
            {
                self.lex = Lex::Thinking(thinking);
                self.thought = ThinkingScanner::default();
                self.stray(self.markup_at, sink);
                return Ok((index + 1, Step::Going));
            }
            // Anything else ends before this byte, which may itself be a `<`.
            self.name.pop();
            self.markup_end = self.offset + index as u64;
            return Ok((index, self.named(markup, byte, sink)?));
        }
        Ok((piece.len(), Step::Going))
    }

    /// A name was read, or something that is none of ours.
    fn named(
        &mut self,
        markup: Markup,
        next: u8,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> Result<Step, Box<Fault>> {
        let ours = match (self.leaf.element, markup) {
            // A text may mention the tag; only one that goes on with attributes is the agent beginning again.
            (Some(_), Markup::Open(Element::CritiqueRun)) => next.is_ascii_whitespace(),
            (Some(_), Markup::Open(_)) => false,
            (Some(leaf), Markup::Close(element)) => {
                if element != leaf && self.is_open(element) {
                    return Err(Fault::malformed(
                        format!("<{}> is not closed before </{}>", leaf.as_str(), element.as_str()),
                        self.markup_at,
                    )
                    .into());
                }
                element == leaf
            }
            (None, Markup::Open(_) | Markup::Close(_)) => true,
            (
                _,
                Markup::Unknown
                | Markup::Foreign
                | Markup::Comment
                | Markup::Cdata
                | Markup::Think(_)
                | Markup::Thought(_),
            ) => false,
        };
        if !ours {
            self.foreign(sink);
            return Ok(Step::Going);
        }
        if markup == Markup::Open(Element::CritiqueRun) {
            return Ok(restart_at(self.markup_at));
        }
        self.tag.start(self.name.as_slice());
        self.lex = Lex::Tag(markup);
        Ok(Step::Going)
    }

    /// What was taken for markup is text of a leaf, or noise in a container.
    fn foreign(&mut self, sink: &mut impl FnMut(Signal<'_>)) {
        self.lex = Lex::Content;
        if self.leaf.element.is_none() {
            self.stray(self.markup_at, sink);
            let name = self.name;
            self.keep_stray(b"<");
            self.keep_stray(name.as_slice());
            return;
        }
        if self.leaf.element == Some(Element::Artifact) && self.leaf.form == Form::Open {
            self.leaf.form = Form::Raw;
        }
        self.leaf.push(b"<", self.limits.max_block.0);
        self.leaf.push(self.name.as_slice(), self.limits.max_block.0);
    }

    fn comment(&mut self, piece: &[u8], dashes: u8) -> (usize, Step) {
        let taken = self.skip_comment(piece, dashes);
        match self.restart.scan(&piece[..taken]) {
            Some(taken) => (taken, self.restart_found(taken)),
            None => (taken, Step::Going),
        }
    }

    fn skip_comment(&mut self, piece: &[u8], mut dashes: u8) -> usize {
        for (index, &byte) in piece.iter().enumerate() {
            match byte {
                b'-' => dashes = (dashes + 1).min(2),
                b'>' if dashes == 2 => {
                    self.lex = Lex::Content;
                    return index + 1;
                }
                _ => {
                    dashes = 0;
                    if let Some(found) = memchr::memchr(b'-', &piece[index..]) {
                        if found > 1 {
                            self.lex = Lex::Comment(0);
                            return index + found;
                        }
                    } else {
                        self.lex = Lex::Comment(0);
                        return piece.len();
                    }
                }
            }
        }
        self.lex = Lex::Comment(dashes);
        piece.len()
    }

    fn begin_cdata(&mut self, sink: &mut impl FnMut(Signal<'_>)) {
        self.lex = Lex::Cdata;
        self.cdata = CdataScanner::default();
        self.restart.reset();
        match self.leaf.element {
            None => {
                self.warn(WarningKind::MisplacedCdata, self.markup_at, sink);
                self.gap_warned = true;
            }
            Some(Element::Artifact) => match self.leaf.form {
                Form::Open => {
                    if self.leaf.prose {
                        self.stray(self.leaf.at, sink);
                        self.gap_warned = false;
                    }
                    self.leaf.bytes.clear();
                    self.leaf.form = Form::Cdata;
                }
                // CDATA inside raw markup is part of it, and as opaque as elsewhere.
                Form::Raw => self.leaf.push(b"<![CDATA[", self.limits.max_block.0),
                Form::Cdata => {}
            },
            Some(element) => {
                if element != Element::Notes {
                    self.warn(WarningKind::MisplacedCdata, self.markup_at, sink);
                }
                self.leaf.before_cdata();
            }
        }
    }

    fn cdata(&mut self, piece: &[u8]) -> (usize, Step) {
        let found = self.cdata.scan(piece);
        let content = &piece[..found.content];
        if let Some(taken) = self.restart.scan(content) {
            return (taken, self.restart_found(taken));
        }
        if self.leaf.element.is_some() && self.leaf.fate == Fate::Kept {
            let kept = self.leaf.bytes.len() - found.taken_back;
            self.leaf.bytes.truncate(kept);
            self.leaf.push(content, self.limits.max_block.0);
        }
        let Some(end) = found.end else {
            return (piece.len(), Step::Going);
        };
        self.lex = Lex::Content;
        match (self.leaf.element, self.leaf.form) {
            (Some(Element::Artifact), Form::Raw) => self.leaf.push(b"]]>", self.limits.max_block.0),
            (Some(Element::Artifact), Form::Open | Form::Cdata) => {
                let at = self.offset + end as u64 - CDATA_END.len() as u64;
                self.may_end_cdata(at);
            }
            (Some(_), _) => self.leaf.after_cdata(),
            (None, _) => {}
        }
        (end, Step::Going)
    }

    /// A `]]>` in an artifact. Scripts have it as well, so it only ends the section when the end of the element follows,
    /// or another section. Until that is clear it is kept as content.
    fn may_end_cdata(&mut self, at: u64) {
        let kept = self.leaf.bytes.len();
        self.lex = Lex::CdataEnd(CdataEnd { at, kept, in_name: false });
        self.cdata_content(CDATA_END);
    }

    /// Bytes behind a `]]>`, until it is clear whether it was the end. A fence around the section is as good as space.
    fn cdata_end(
        &mut self,
        piece: &[u8],
        mut end: CdataEnd,
        sink: &mut impl FnMut(Signal<'_>),
    ) -> (usize, Step) {
        if !end.in_name {
            let space = piece.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'`').count();
            self.cdata_content(&piece[..space]);
            return match piece.get(space) {
                None => (space, Step::Going),
                Some(b'<') => {
                    self.begin_markup(self.offset + space as u64);
                    end.in_name = true;
                    self.lex = Lex::CdataEnd(end);
                    (space + 1, Step::Going)
                }
                Some(_) => {
                    self.was_content(end, sink);
                    (space, Step::Going)
                }
            };
        }
        for (index, &byte) in piece.iter().enumerate() {
            match self.name.push(byte) {
                Markup::Unknown => {}
                Markup::Close(Element::Artifact) => {
                    // The byte behind the name belongs to the tag.
                    self.name.pop();
                    self.markup_end = self.offset + index as u64;
                    self.forget_content(end.kept);
                    self.leaf.after_cdata();
                    self.tag.start(self.name.as_slice());
                    self.lex = Lex::Tag(Markup::Close(Element::Artifact));
                    return (index, Step::Going);
                }
                Markup::Cdata => {
                    self.forget_content(end.kept);
                    self.begin_cdata(sink);
                    return (index + 1, Step::Going);
                }
                Markup::Foreign
                | Markup::Comment
                | Markup::Open(_)
                | Markup::Close(_)
                | Markup::Think(_)
                | Markup::Thought(_) => {
                    // It may itself be a `<`, or the first bracket of the real end.
                    self.name.pop();
                    let name = self.name;
                    self.cdata_content(b"<");
                    self.cdata_content(name.as_slice());
                    self.was_content(end, sink);
                    return (index, Step::Going);
                }
            }
        }
        (piece.len(), Step::Going)
    }

    /// The `]]>` was content, and the section goes on behind it.
    fn was_content(&mut self, end: CdataEnd, sink: &mut impl FnMut(Signal<'_>)) {
        self.warn(WarningKind::MisplacedCdata, end.at, sink);
        self.lex = Lex::Cdata;
        self.cdata = CdataScanner::default();
    }

    /// Content of a section that was looked at for its end already.
    fn cdata_content(&mut self, content: &[u8]) {
        // No name is as long as what tells a restart, so that none can be found here, only begun.
        self.restart.scan(content);
        self.leaf.push(content, self.limits.max_block.0);
    }

    /// What was kept since a `]]>` was its end, and no content.
    fn forget_content(&mut self, kept: usize) {
        self.leaf.bytes.truncate(kept);
    }

    /// The scanner found the agent beginning again, this many bytes into the piece.
    fn restart_found(&self, taken: usize) -> Step {
        Step::Restart { at: self.offset + taken as u64 - restart::LENGTH, known: restart::KNOWN }
    }
}

/// The agent begins again at this `<`; its name is read.
fn restart_at(at: u64) -> Step {
    Step::Restart { at, known: Element::CritiqueRun.as_str().as_bytes() }
}
