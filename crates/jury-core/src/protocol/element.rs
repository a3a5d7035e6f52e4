//! The elements of the protocol by name, and where a name ends.

use std::fmt;

/// An element that the protocol knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    CritiqueRun,
    Round,
    Panelist,
    Notes,
    Artifact,
    Dim,
    MustFix,
    RoundEnd,
    Reason,
    Ship,
    Summary,
}

impl Element {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::CritiqueRun => "CRITIQUE_RUN",
            Self::Round => "ROUND",
            Self::Panelist => "PANELIST",
            Self::Notes => "NOTES",
            Self::Artifact => "ARTIFACT",
            Self::Dim => "DIM",
            Self::MustFix => "MUST_FIX",
            Self::RoundEnd => "ROUND_END",
            Self::Reason => "REASON",
            Self::Ship => "SHIP",
            Self::Summary => "SUMMARY",
        }
    }

    pub(super) fn named(name: &[u8]) -> Option<Self> {
        // Every tag is asked about. Its length and first letter leave one element, which is compared as a whole. How the words
        // of a name are joined makes no other element: `MUST-FIX` and `MUSTFIX` ask for a fix as well.
        let letters = || name.iter().filter(|byte| !matches!(byte, b'_' | b'-'));
        let candidate = match (letters().count(), name.first()?.to_ascii_uppercase()) {
            (3, _) => Self::Dim,
            (4, _) => Self::Ship,
            (5, b'N') => Self::Notes,
            (5, _) => Self::Round,
            (6, _) => Self::Reason,
            (7, b'M') => Self::MustFix,
            (7, _) => Self::Summary,
            (8, b'A') => Self::Artifact,
            (8, b'R') => Self::RoundEnd,
            (8, _) => Self::Panelist,
            (11, _) => Self::CritiqueRun,
            (_, b'B' | b'M') => return Self::asked_for(name),
            _ => return None,
        };
        let own = candidate.as_str().bytes().filter(|byte| *byte != b'_');
        if own.eq(letters().map(u8::to_ascii_uppercase)) { Some(candidate) } else { Self::asked_for(name) }
    }

    /// A must-fix by another name: several of them, a numbered one, or a blocker. What asks for a fix must not be passed over
    /// for the way in which its name is written.
    fn asked_for(name: &[u8]) -> Option<Self> {
        if !matches!(name.first()?, b'B' | b'b' | b'M' | b'm') {
            return None;
        }
        let letters = || name.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase);
        let names = ["mustfix", "mustfixes", "blocker", "blockers"];
        names.iter().any(|own| letters().eq(own.bytes())).then_some(Self::MustFix)
    }
}

/// What stands behind a `<`, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    /// Not enough bytes to tell.
    Unknown,
    /// Nothing of ours: text, or somebody else's markup.
    Foreign,
    /// The opening of a comment, `<!--`.
    Comment,
    /// The opening of CDATA, `<![CDATA[`.
    Cdata,
    /// The opening tag of an element, up to the end of its name.
    Open(Element),
    /// The closing tag of an element, up to the end of its name.
    Close(Element),
    /// The opening tag of thinking: words of a model to itself.
    Think(Thinking),
    /// The closing tag of thinking.
    Thought(Thinking),
}

/// Where a model thinks. What it drafts there is no part of its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Thinking {
    /// The word that says so.
    word: &'static str,
    /// How long the whole name is: `rough_draft` is not closed by `draft`.
    length: usize,
    /// How it is marked.
    pub(super) mark: Mark,
}

/// How thinking is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// `<thinking>`
    Tag,
    /// `<|START_THINKING|>`
    Token,
    /// `<|channel|>analysis<|message|>`
    Channel,
    /// `[THINK]`
    Square,
    /// `◁think▷`
    Triangle,
}

impl Thinking {
    /// Words for what somebody says to themselves before they answer. A tag is named for what it holds, so one that has
    /// such a word as a part of its name holds no answer: `<scratchpad>`, `<inner_thoughts>`, `<seed:think>`.
    const WORDS: [&str; 26] = [
        "think",
        "thinking",
        "antthinking",
        "thought",
        "thoughts",
        "reasoning",
        "reflection",
        "reflections",
        "analysis",
        "scratch",
        "scratchpad",
        "draft",
        "drafts",
        "drafting",
        "monologue",
        "planning",
        "brainstorm",
        "brainstorming",
        "deliberation",
        "cot",
        "plan",
        "plans",
        "sketch",
        "attempt",
        "rehearsal",
        "exploration",
    ];

    pub(super) fn as_str(self) -> &'static str {
        self.word
    }

    fn named(name: &[u8]) -> Option<Self> {
        let mut parts = name.split(|byte| !byte.is_ascii_alphabetic());
        let of = |part: &[u8]| Self::WORDS.iter().find(|word| word.as_bytes().eq_ignore_ascii_case(part));
        parts.find_map(of).map(|word| Self { word, length: name.len(), mark: Mark::Tag })
    }

    /// The thinking that a mark of this name stands around. What opens it has another name than what closes it.
    pub(super) fn of(name: &[u8], mark: Mark) -> Option<Self> {
        Self::named(name).map(|thinking| Self { length: 0, mark, ..thinking })
    }

    /// What is thought in a channel.
    pub(super) fn in_channel() -> Self {
        Self { word: "analysis", length: 0, mark: Mark::Channel }
    }

    /// What is thought within brackets.
    pub(super) fn within(mark: Mark) -> Self {
        Self { word: "think", length: 0, mark }
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(element) => write!(f, "<{}>", element.as_str()),
            Self::Close(element) => write!(f, "</{}>", element.as_str()),
            Self::Comment => f.write_str("a comment"),
            Self::Cdata => f.write_str("CDATA"),
            Self::Think(thinking) => write!(f, "<{}>", thinking.as_str()),
            Self::Thought(thinking) => write!(f, "</{}>", thinking.as_str()),
            Self::Unknown | Self::Foreign => f.write_str("other text"),
        }
    }
}

/// The longest name that is looked at: those of the protocol have 12 letters at most, those of thinking a few more.
const LONGEST_NAME: usize = 24;

/// The few bytes behind a `<` that are needed to tell whether it is one of ours.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NameBytes {
    bytes: [u8; LONGEST_NAME + 4],
    length: usize,
}

impl NameBytes {
    /// Adds a byte and says what is known now.
    #[inline]
    pub(super) fn push(&mut self, byte: u8) -> Markup {
        // `recognise` decides before the buffer is full.
        if let Some(slot) = self.bytes.get_mut(self.length) {
            *slot = byte;
            self.length += 1;
        }
        // A name that goes on, which is what most bytes do.
        if is_name(byte) && self.length <= LONGEST_NAME && self.bytes[0] != b'!' {
            return Markup::Unknown;
        }
        recognise(self.as_slice())
    }

    /// Forgets the last byte: it only showed where the name ends.
    pub(super) fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

const CDATA: &[u8] = b"![CDATA[";
const COMMENT: &[u8] = b"!--";

/// Looks at the bytes behind a `<`, called again for each byte that comes. The last one may be the one that
/// ends the name.
fn recognise(bytes: &[u8]) -> Markup {
    if bytes.first() == Some(&b'!') {
        return recognise_declaration(bytes);
    }
    let (closing, name) = match bytes.strip_prefix(b"/") {
        Some(rest) => (true, rest),
        None => (false, bytes),
    };
    // Only the last byte is new: a name goes on while it is a letter, and ends where it is none.
    let Some((&last, letters)) = name.split_last() else { return Markup::Unknown };
    if is_name(last) {
        return if name.len() > LONGEST_NAME { Markup::Foreign } else { Markup::Unknown };
    }
    // An escape sequence between a name and its attributes is a terminal's, not the agent's.
    let ends_a_name = last.is_ascii_whitespace() || matches!(last, b'>' | b'/' | 0x1b);
    match Element::named(letters) {
        Some(element) if ends_a_name && closing => Markup::Close(element),
        Some(element) if ends_a_name => Markup::Open(element),
        Some(_) => Markup::Foreign,
        // Prose that only names such a tag has other marks behind the name.
        None if last == b'>' || last.is_ascii_whitespace() => match (Thinking::named(letters), closing) {
            (Some(thinking), false) => Markup::Think(thinking),
            (Some(thinking), true) => Markup::Thought(thinking),
            (None, _) => Markup::Foreign,
        },
        None => Markup::Foreign,
    }
}

fn recognise_declaration(bytes: &[u8]) -> Markup {
    if bytes.starts_with(COMMENT) {
        Markup::Comment
    } else if bytes.starts_with(CDATA) {
        Markup::Cdata
    } else if COMMENT.starts_with(bytes) || CDATA.starts_with(bytes) {
        Markup::Unknown
    } else {
        Markup::Foreign
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_with_the_byte_that_ends_them() {
        assert_eq!(recognise(b"panelist\n"), Markup::Open(Element::Panelist));
        assert_eq!(recognise(b"/Round_End>"), Markup::Close(Element::RoundEnd));
        assert_eq!(recognise(b"ROUND_END"), Markup::Unknown);
        assert_eq!(recognise(b"ROUNDS>"), Markup::Foreign);
        assert_eq!(recognise(b" "), Markup::Foreign);
        assert_eq!(recognise(b"critique_runs>"), Markup::Foreign);
        assert_eq!(recognise(b"ROUND-1>"), Markup::Foreign);
        assert_eq!(recognise(b"- "), Markup::Foreign);
        assert_eq!(recognise(b"a_name_longer_than_any_of_ours"), Markup::Foreign);
        assert_eq!(recognise(b"critique_ru"), Markup::Unknown);
        assert_eq!(recognise(b"![CDAT"), Markup::Unknown);
        assert_eq!(recognise(b"![CDATA["), Markup::Cdata);
        assert_eq!(recognise(b"!doctype"), Markup::Foreign);
        assert_eq!(recognise(b"SHIP\""), Markup::Foreign);
        assert_eq!(recognise(b"SHIP\x1b"), Markup::Open(Element::Ship));
        for name in [
            "MUST-FIX>",
            "MUSTFIX>",
            "must-fix>",
            "MustFix ",
            "MUST_FIXES>",
            "must:fix>",
            "MUST_FIX.1>",
            "MUST_FIX_2 ",
            "Blocker>",
        ] {
            assert_eq!(recognise(name.as_bytes()), Markup::Open(Element::MustFix), "{name}");
        }
        for name in ["MUST>", "FIX>", "MIX>", "BLOCK>", "BLOCKQUOTE>", "h1>", "b>", "ROUND2>"] {
            assert_eq!(recognise(name.as_bytes()), Markup::Foreign, "{name}");
        }
    }

    #[test]
    fn every_element_is_known_by_its_name() {
        for element in [
            Element::CritiqueRun,
            Element::Round,
            Element::Panelist,
            Element::Notes,
            Element::Artifact,
            Element::Dim,
            Element::MustFix,
            Element::RoundEnd,
            Element::Reason,
            Element::Ship,
            Element::Summary,
        ] {
            let name = element.as_str();
            assert_eq!(Element::named(name.as_bytes()), Some(element), "{name}");
            assert_eq!(Element::named(name.to_lowercase().as_bytes()), Some(element), "{name}");
        }
    }

    #[test]
    fn a_name_is_foreign_as_soon_as_it_is_longer_than_any_that_is_looked_for() {
        let mut name = NameBytes::default();
        for _ in 0..LONGEST_NAME {
            assert_eq!(name.push(b'a'), Markup::Unknown);
        }
        assert_eq!(name.push(b'a'), Markup::Foreign);
    }

    #[test]
    fn a_tag_that_is_named_for_thinking_or_drafting_holds_no_answer() {
        for name in [
            "think",
            "Thinking",
            "scratchpad",
            "inner_thoughts",
            "seed:think",
            "chain-of-thought",
            "rough_draft",
        ] {
            let open = recognise(format!("{name}>").as_bytes());
            let close = recognise(format!("/{name}>").as_bytes());
            assert!(
                matches!((open, close), (Markup::Think(one), Markup::Thought(other)) if one == other),
                "{name}: {open:?} {close:?}"
            );
        }
        for name in ["answer", "output", "review", "result", "final", "reason", "drafted_by", "rethink"] {
            assert!(!matches!(recognise(format!("{name}>").as_bytes()), Markup::Think(_)), "{name}");
        }
        assert_ne!(recognise(b"/draft>"), recognise(b"/rough_draft>"));
        assert!(matches!(recognise(b"thinking "), Markup::Think(_)));
        assert_eq!(recognise(b"thinking,"), Markup::Foreign);
    }
}
