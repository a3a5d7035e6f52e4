//! What the parser saw, as one line of JSON per event: the output of `jury parse` and of golden files.
//!
//! Not the log: nothing is scored, nothing is compared with settings, and an artifact is its size and hash. The keys of a
//! line stand in the order of the alphabet. A long answer has many lines, so they are written without a value in between.

use serde::Serialize;

use super::{Body, Declared, Fault, RoundClaim, Signal};
use crate::artifact::Blob;
use crate::role::Role;
use crate::unit::Round;

/// Turns signals into lines.
#[derive(Debug, Default)]
pub struct SeenPrinter {
    /// The draft of the panelist that is speaking: shown when it is done, as the log does.
    draft: Option<Blob>,
}

impl SeenPrinter {
    /// Appends the line for this signal to these bytes, if it has one of its own.
    ///
    /// ```
    /// use jury_core::protocol::{SeenPrinter, Signal};
    /// use jury_core::role::Role;
    /// use jury_core::unit::Round;
    ///
    /// let mut lines = Vec::new();
    /// let signal = Signal::MustFix { round: Round(1), role: Role::Critic, text: "Darken the button." };
    /// SeenPrinter::default().print(&signal, &mut lines);
    /// assert_eq!(
    ///     String::from_utf8(lines).unwrap(),
    ///     "{\"event\":\"critique.panelist_must_fix\",\"role\":\"critic\",\"round\":1,\"text\":\"Darken the button.\"}\n"
    /// );
    /// ```
    pub fn print(&mut self, signal: &Signal<'_>, lines: &mut Vec<u8>) {
        let mut line = Line(lines);
        match *signal {
            Signal::RunOpened(Declared { version, max_rounds, threshold, scale, .. }) => line
                .piece(r#"{"event":"critique.run_started""#)
                .value(r#","maxRounds":"#, max_rounds)
                .value(r#","protocolVersion":"#, version)
                .value(r#","scale":"#, scale)
                .value(r#","threshold":"#, threshold)
                .end(),
            // A round has no event until it ends; the first panelist shows it.
            Signal::RoundOpened { .. } | Signal::RunClosed { .. } => {}
            Signal::PanelistOpened { round, role, .. } => {
                self.draft = None;
                line.piece(r#"{"event":"critique.panelist_open""#).speaker(role, round).end();
            }
            Signal::Dimension { round, role, name, score, note } => line
                .text(r#"{"dimName":"#, name)
                .text(r#","dimNote":"#, note)
                .value(r#","dimScore":"#, score)
                .piece(r#","event":"critique.panelist_dim""#)
                .speaker(role, round)
                .end(),
            Signal::MustFix { round, role, text } => line
                .piece(r#"{"event":"critique.panelist_must_fix""#)
                .speaker(role, round)
                .text(r#","text":"#, text)
                .end(),
            Signal::Artifact { mime, body, .. } => self.draft = Some(Blob::of(body, mime)),
            Signal::PanelistClosed { round, role, score, notes, unwritten: _ } => line
                .blob(r#"{"artifact":"#, self.draft.take())
                .piece(r#","event":"critique.panelist_close""#)
                .text(r#","notes":"#, notes)
                .speaker(role, round)
                .value(r#","score":"#, score)
                .end(),
            Signal::RoundClosed {
                round,
                claim: RoundClaim { composite, must_fix, decision },
                reason,
                bytes,
                ..
            } => line
                .value(r#"{"bytes":"#, bytes)
                .value(r#","composite":"#, composite)
                .value(r#","decision":"#, decision)
                .piece(r#","event":"critique.round_end""#)
                .value(r#","mustFix":"#, must_fix)
                .text(r#","reason":"#, reason)
                .value(r#","round":"#, round)
                .end(),
            Signal::Shipped { round, composite, artifact, summary, .. } => line
                .blob(r#"{"artifact":"#, artifact.map(|Body { mime, bytes }| Blob::of(bytes, mime)))
                .value(r#","composite":"#, composite)
                .piece(r#","event":"critique.ship""#)
                .value(r#","round":"#, round)
                .text(r#","summary":"#, summary)
                .end(),
            Signal::Warning { kind, position, role } => line
                .piece(r#"{"event":"critique.parser_warning""#)
                .value(r#","kind":"#, kind)
                .value(r#","position":"#, position)
                .value(r#","role":"#, role)
                .end(),
        }
    }

    /// Appends the line for the fault that ended a stream.
    pub fn print_fault(fault: &Fault, lines: &mut Vec<u8>) {
        Line(lines)
            .text(r#"{"detail":"#, &fault.detail)
            .piece(r#","event":"critique.degraded""#)
            .value(r#","position":"#, fault.position)
            .value(r#","reason":"#, fault.reason)
            .end();
    }
}

/// A line that is being written. What stands before a value, its key among it, is one piece.
struct Line<'a>(&'a mut Vec<u8>);

impl Line<'_> {
    fn piece(&mut self, piece: &str) -> &mut Self {
        self.0.extend_from_slice(piece.as_bytes());
        self
    }

    fn value(&mut self, before: &str, value: impl Serialize) -> &mut Self {
        self.piece(before);
        // Nothing here refuses to be JSON, and memory takes whatever it is given.
        serde_json::to_writer(&mut *self.0, &value).ok();
        self
    }

    fn text(&mut self, before: &str, text: &str) -> &mut Self {
        // Looks at every byte instead of stopping early, which lets the compiler look at many at once.
        let special = |byte: &u8| u8::from(*byte < b' ') | u8::from(*byte == b'"') | u8::from(*byte == b'\\');
        if text.as_bytes().iter().fold(0, |any, byte| any | special(byte)) == 0 {
            self.piece(before).piece("\"").piece(text).piece("\"")
        } else {
            self.value(before, text)
        }
    }

    fn speaker(&mut self, role: Role, round: Round) -> &mut Self {
        // A role is a plain word, and most lines have one.
        self.piece(r#","role":""#).piece(role.as_str()).value(r#"","round":"#, round)
    }

    fn blob(&mut self, before: &str, blob: Option<Blob>) -> &mut Self {
        let Some(Blob { sha256, bytes, mime }) = blob else { return self.piece(before).piece("null") };
        self.piece(before)
            .value(r#"{"bytes":"#, bytes)
            .text(r#","mime":"#, &mime)
            .value(r#","sha256":"#, sha256)
            .piece("}")
    }

    fn end(&mut self) {
        self.piece("}\n");
    }
}
