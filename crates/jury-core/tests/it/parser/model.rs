//! Documents that know what they mean: a model, a writer that writes it in any way the protocol allows, and
//! the events that a reader must find in it.

use jury_core::outcome::Decision;
use jury_core::protocol::{Body, Signal};
use jury_core::role::Role;
use jury_testkit::random::TestRandom;
use proptest::collection::vec;
use proptest::prelude::*;

/// What a reader must find: the signals without positions, and without warnings about noise.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    Run,
    Round(u32),
    Panelist(u32, Role),
    Dimension(u32, Role, String, Option<f64>, String),
    MustFix(u32, Role, String),
    Artifact(u32, String, Vec<u8>),
    PanelistEnd(u32, Role, Option<f64>, String),
    RoundEnd(u32, Option<f64>, Option<Decision>, String),
    Ship(Option<u32>, Option<f64>, Option<(String, Vec<u8>)>, String),
    End,
}

impl Found {
    pub(super) fn of(signal: &Signal<'_>) -> Option<Self> {
        Some(match *signal {
            Signal::RunOpened(_) => Self::Run,
            Signal::RoundOpened { round, .. } => Self::Round(round.0),
            Signal::PanelistOpened { round, role, .. } => Self::Panelist(round.0, role),
            Signal::Dimension { round, role, name, score, note } => {
                Self::Dimension(round.0, role, name.to_owned(), score.map(|score| score.0), note.to_owned())
            }
            Signal::MustFix { round, role, text } => Self::MustFix(round.0, role, text.to_owned()),
            Signal::Artifact { round, mime, body } => {
                Self::Artifact(round.0, mime.to_owned(), body.to_owned())
            }
            Signal::PanelistClosed { round, role, score, notes, unwritten: _ } => {
                Self::PanelistEnd(round.0, role, score.map(|score| score.0), notes.to_owned())
            }
            Signal::RoundClosed { round, claim, reason, .. } => {
                Self::RoundEnd(round.0, claim.composite, claim.decision, reason.to_owned())
            }
            Signal::Shipped { round, composite, artifact, summary, .. } => Self::Ship(
                round,
                composite,
                artifact.map(|Body { mime, bytes }| (mime.to_owned(), bytes.to_owned())),
                summary.to_owned(),
            ),
            Signal::RunClosed { .. } => Self::End,
            Signal::Warning { .. } => return None,
        })
    }
}

/// A whole answer.
#[derive(Debug, Clone)]
pub(super) struct Document {
    rounds: Vec<RoundModel>,
    ship: Option<(u32, u32, Vec<u8>, String)>,
    /// Decides everything that does not matter: quotes, order, white space, noise.
    style: u64,
}

#[derive(Debug, Clone)]
struct RoundModel {
    draft: Option<Vec<u8>>,
    panel: Vec<PanelistModel>,
    composite: u32,
    ships: bool,
    reason: String,
}

#[derive(Debug, Clone)]
struct PanelistModel {
    role: Role,
    score: u32,
    dimensions: Vec<(String, u32, String)>,
    must_fix: Vec<String>,
    notes: String,
}

fn text() -> impl Strategy<Value = String> {
    vec("[!-~é中🍲]{1,9}", 0..6).prop_map(|words| words.join(" "))
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        Just(b"<p>".to_vec()),
        Just(b"</ARTIFACT></PANELIST>".to_vec()),
        Just(b"<MUST_FIX>no</MUST_FIX><SHIP round=\"1\">".to_vec()),
        Just(b"]]>".to_vec()),
        Just(b"]".to_vec()),
        Just(b"<CRITIQUE_RUN>".to_vec()),
        Just(b"&amp;\x1b[31m".to_vec()),
        vec(any::<u8>(), 1..40),
    ];
    vec(token, 0..12).prop_map(|tokens| {
        let mut body = b"x".to_vec();
        body.extend(tokens.concat());
        body
    })
}

fn panelist() -> impl Strategy<Value = PanelistModel> {
    let role = prop::sample::select(&[Role::Critic, Role::Brand, Role::A11y, Role::Copy][..]);
    (role, 0_u32..=100, vec((text(), 0_u32..=100, text()), 0..4), vec(text(), 0..4), text()).prop_map(
        |(role, score, dimensions, must_fix, notes)| PanelistModel {
            role,
            score,
            dimensions,
            must_fix,
            notes,
        },
    )
}

fn round() -> impl Strategy<Value = RoundModel> {
    (prop::option::of(body()), vec(panelist(), 0..4), 0_u32..=100, any::<bool>(), text()).prop_map(
        |(draft, panel, composite, ships, reason)| RoundModel { draft, panel, composite, ships, reason },
    )
}

pub(super) fn document() -> impl Strategy<Value = Document> {
    let ship = prop::option::of((1_u32..5, 0_u32..=100, body(), text()));
    (vec(round(), 0..4), ship, any::<u64>()).prop_map(|(rounds, ship, style)| Document {
        rounds,
        ship,
        style,
    })
}

fn tenths(number: u32) -> f64 {
    f64::from(number) / 10.0
}

impl Document {
    /// Whether there is neither a round in it nor an end.
    pub(super) fn is_empty(&self) -> bool {
        self.rounds.is_empty() && self.ship.is_none()
    }

    /// What a reader must find.
    pub(super) fn found(&self) -> Vec<Found> {
        let mut found = vec![Found::Run];
        for (round, number) in self.rounds.iter().zip(1..) {
            found.push(Found::Round(number));
            if let Some(draft) = &round.draft {
                found.push(Found::Panelist(number, Role::Designer));
                found.push(Found::Artifact(number, "text/html".to_owned(), draft.clone()));
                found.push(Found::PanelistEnd(number, Role::Designer, None, String::new()));
            }
            for panelist in &round.panel {
                let role = panelist.role;
                found.push(Found::Panelist(number, role));
                for (name, score, note) in &panelist.dimensions {
                    let score = Some(tenths(*score));
                    found.push(Found::Dimension(number, role, name.clone(), score, note.clone()));
                }
                for text in &panelist.must_fix {
                    found.push(Found::MustFix(number, role, text.clone()));
                }
                let score = Some(tenths(panelist.score));
                found.push(Found::PanelistEnd(number, role, score, panelist.notes.clone()));
            }
            let decision = if round.ships { Decision::Ship } else { Decision::Continue };
            let composite = Some(tenths(round.composite));
            found.push(Found::RoundEnd(number, composite, Some(decision), round.reason.clone()));
        }
        if let Some((round, composite, body, summary)) = &self.ship {
            let artifact = Some(("text/html".to_owned(), body.clone()));
            found.push(Found::Ship(Some(*round), Some(tenths(*composite)), artifact, summary.clone()));
        }
        found.extend((!self.is_empty()).then_some(Found::End));
        found
    }

    /// The document as bytes.
    pub(super) fn written(&self) -> Vec<u8> {
        let mut writer = Writer { out: Vec::new(), random: TestRandom::new(self.style) };
        writer.raw(b"Here: 3 < 4 <thinking>hm</thinking> ");
        writer.open("CRITIQUE_RUN", &[("version", "1"), ("scale", "10"), ("note", "a > b")]);
        for (round, number) in self.rounds.iter().zip(1_u32..) {
            writer.gap();
            writer.open("ROUND", &[("n", &number.to_string())]);
            if let Some(draft) = &round.draft {
                writer.gap();
                writer.open("PANELIST", &[("role", "designer")]);
                writer.gap();
                writer.artifact(draft);
                writer.close("PANELIST");
            }
            for panelist in &round.panel {
                writer.panelist(panelist);
            }
            writer.gap();
            let decision = if round.ships { "ship" } else { "continue" };
            let composite = tenths(round.composite).to_string();
            writer.open(
                "ROUND_END",
                &[("n", &number.to_string()), ("composite", &composite), ("decision", decision)],
            );
            writer.gap();
            writer.text("REASON", &[], &round.reason);
            writer.close("ROUND_END");
            writer.close("ROUND");
        }
        writer.gap();
        if let Some((round, composite, body, summary)) = &self.ship {
            let composite = tenths(*composite).to_string();
            writer.open(
                "SHIP",
                &[("round", &round.to_string()), ("composite", &composite), ("status", "shipped")],
            );
            writer.gap();
            writer.artifact(body);
            writer.gap();
            writer.text("SUMMARY", &[], summary);
            writer.close("SHIP");
        }
        writer.close("CRITIQUE_RUN");
        writer.raw(b" Done. <ROUND> <PANELIST");
        writer.out
    }
}

struct Writer {
    out: Vec<u8>,
    random: TestRandom,
}

impl Writer {
    fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    fn one_of(&mut self, choices: &[&str]) {
        let choice = self.random.one_of(choices);
        self.raw(choice.as_bytes());
    }

    /// What may stand between elements.
    fn gap(&mut self) {
        self.one_of(&[
            "",
            "\n    ",
            "\r\n\t",
            " and now: 3 < 4, <b>bold</b> ",
            "<!-- <SHIP round=\"1\"> -- -->",
            "\u{1b}[0m",
            "```\n",
            "</br><",
        ]);
    }

    fn name(&mut self, name: &str) {
        let name = match self.random.below(6) {
            0 => name.to_ascii_lowercase(),
            1 => name.replace('A', "a").replace('N', "n").replace('S', "s"),
            _ => name.to_owned(),
        };
        self.raw(name.as_bytes());
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.raw(b"<");
        self.name(name);
        let mut attributes = attributes.to_vec();
        if self.random.below(4) == 0 {
            attributes.push(("mood", "it's > fine"));
        }
        if attributes.len() > 1 {
            let first = self.random.below(attributes.len());
            attributes.rotate_left(first);
        }
        for (key, value) in attributes {
            self.one_of(&[" ", "  ", "\n", "\r\n\t"]);
            self.name(key);
            self.one_of(&["=", "=", " = ", "\n="]);
            let quote = self.random.one_of(&["\"", "'"]);
            self.raw(quote.as_bytes());
            self.escaped(value);
            self.raw(quote.as_bytes());
        }
        self.one_of(&["", "", " ", "\n"]);
        self.raw(b">");
    }

    fn close(&mut self, name: &str) {
        self.gap();
        self.end(name);
    }

    fn end(&mut self, name: &str) {
        self.raw(b"</");
        self.name(name);
        self.one_of(&["", "", " ", "\n"]);
        self.raw(b">");
    }

    /// Text in which nothing is markup, with all that a reader has to remove again.
    fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                ' ' => self.one_of(&[" ", " ", "  ", "\n ", "\t\r\n"]),
                '&' => self.one_of(&["&amp;", "&#38;", "&#x26;"]),
                '<' => self.one_of(&["&lt;", "&#60;", "&#x3C;"]),
                '"' => self.one_of(&["&quot;", "&#34;"]),
                '\'' => self.one_of(&["&apos;", "&#39;"]),
                other => {
                    let mut buffer = [0; 4];
                    self.raw(other.encode_utf8(&mut buffer).as_bytes());
                }
            }
            if self.random.below(24) == 0 {
                self.one_of(&[
                    "\u{1b}[31m",
                    "\u{1b}[0m",
                    "\u{7}",
                    "\u{0}",
                    "\u{1b}]0;title\u{7}",
                    "\u{9b}1m",
                ]);
            }
        }
    }

    fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        if name == "NOTES" && self.random.below(2) == 0 {
            self.cdata(text.as_bytes());
        } else {
            self.escaped(text);
        }
        self.end(name);
    }

    /// CDATA, in as many sections as it needs, or in more.
    fn cdata(&mut self, content: &[u8]) {
        self.sections(content, |_, _| true);
    }

    /// CDATA that is split where its end would be, if these bytes of the content say so, and here and there.
    fn sections(&mut self, content: &[u8], splits: impl Fn(&mut TestRandom, &[u8]) -> bool) {
        self.raw(b"<![CDATA[");
        for (index, &byte) in content.iter().enumerate() {
            let would_end = byte == b'>' && content[..index].ends_with(b"]]");
            let splits = would_end && splits(&mut self.random, &content[index + 1..]);
            if splits || self.random.below(50) == 0 {
                self.raw(b"]]><![CDATA[");
            }
            self.out.push(byte);
        }
        self.raw(b"]]>");
    }

    /// The end of a section is content in an artifact, unless the end of the element follows, or of another section.
    fn sections_of_an_artifact(&mut self, content: &[u8]) {
        self.sections(content, |random, behind| {
            let solid = behind.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != b'`');
            let behind = solid.map(|at| behind[at..].to_ascii_lowercase());
            let is_plain = behind.is_some_and(|behind| {
                behind.len() > 20 && !behind.starts_with(b"</artifact") && !behind.starts_with(b"<![cdata[")
            });
            !is_plain || random.below(2) == 0
        });
    }

    fn artifact(&mut self, body: &[u8]) {
        self.open("ARTIFACT", &[("mime", "text/html")]);
        self.one_of(&["", "\n", "```html\n"]);
        self.sections_of_an_artifact(body);
        self.one_of(&["", "\n", "\n```\n"]);
        self.end("ARTIFACT");
    }

    fn panelist(&mut self, panelist: &PanelistModel) {
        self.gap();
        let (role, score) = (panelist.role.to_string(), tenths(panelist.score).to_string());
        let must_fix = panelist.must_fix.len().to_string();
        self.open("PANELIST", &[("role", &role), ("score", &score), ("must_fix", &must_fix)]);
        for (name, score, note) in &panelist.dimensions {
            self.gap();
            self.text("DIM", &[("name", name), ("score", &tenths(*score).to_string())], note);
        }
        for text in &panelist.must_fix {
            self.gap();
            self.text("MUST_FIX", &[], text);
        }
        self.gap();
        self.text("NOTES", &[], &panelist.notes);
        self.close("PANELIST");
    }
}
