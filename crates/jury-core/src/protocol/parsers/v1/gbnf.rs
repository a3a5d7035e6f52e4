//! The answers without a flaw as a grammar in GBNF, for servers that can hold a model to one.
//!
//! It is stricter than the parser: one spelling, one order, every role in every round, scores on the scale,
//! counts of must-fixes that are right, `ship` only where none is open, and an end to everything. It writes the
//! words that the parser reads.
//!
//! What ships is the draft that its round reviewed, so `SHIP` has only a summary: a small model that writes a
//! page twice writes two pages. What a grammar cannot say is whether any of it is true; the machine looks at
//! that, as it does for everybody.

use std::fmt::Write as _;

use super::grammar::DEFAULT_MIME;
use crate::outcome::{Decision, TheaterStatus};
use crate::protocol::attribute;
use crate::protocol::element::Element;
use crate::role::Role;
use crate::settings::CritiqueConfig;

/// The most must-fixes of one panelist in one round.
const MOST_MUST_FIX: usize = 3;

/// The most dimensions of one panelist in one round.
const MOST_DIMENSIONS: usize = 2;

/// The most characters of a text: two sentences.
const LONGEST_TEXT: usize = 240;

/// The room that a draft has beyond twice the page to begin with.
const PAGE_ROOM: usize = 4096;

/// What the tags in a block may take of it, names of dimensions included.
const TAGS: usize = 512;

/// The most bytes of what counts as one character: a `<` and one of four bytes, or `&amp;`.
const WIDEST_CHAR_BYTES: usize = 5;

/// Pages are counted in pieces of so many characters. Servers unfold a repetition into as many rules as it has
/// steps, and refuse more than a few thousand.
const PIECE: usize = 64;

/// The most pieces of a page.
const MOST_PIECES: usize = 1024;

/// What has no place in a page.
const NOT_IN_PAGE: &str = r"\x00-\x08\x0B-\x1F\x7F";

/// What a text loses when it is read: line breaks are folded, control characters removed.
const NOT_IN_TEXT: &str = r"\x00-\x1F\x7F-\x9F\u2028\u2029";

/// Letters of the scripts that most people write in. A text begins with two of them: one without a word is no review.
const LETTER: &str = r"A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u024F\u03B1-\u03C9\u0400-\u0481\u05D0-\u05EA\u0620-\u064A\u0905-\u0939\u0E01-\u0E30\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3";

/// The grammar under these settings, for a page of so many characters.
pub(in crate::protocol::parsers) fn gbnf(config: &CritiqueConfig, page: usize) -> String {
    let sizes = Sizes::of(config, page);
    let reviewers: Vec<Role> = config.played().filter(|role| *role != Role::Designer).collect();
    let mut rules = Rules::default();
    rules.add(
        "root",
        Sequence::default()
            .tag(Element::CritiqueRun)
            .attribute(attribute::VERSION, &config.protocol_version.to_string())
            .attribute(attribute::MAX_ROUNDS, &config.max_rounds.to_string())
            .attribute(attribute::THRESHOLD, &threshold(config))
            .attribute(attribute::SCALE, &config.score_scale.to_string())
            .text(">\n")
            .rule("round-1"),
    );
    for round in 1..=config.max_rounds {
        add_round(&mut rules, config, &reviewers, round);
    }
    rules.add("stop", Sequence::default().close(Element::CritiqueRun));
    if config.cast.contains(&Role::Designer) {
        add_draft(&mut rules, &sizes);
    }
    for role in &reviewers {
        rules.add(
            &opening(*role),
            Sequence::default()
                .tag(Element::Panelist)
                .attribute(attribute::ROLE, role.as_str())
                .hole(attribute::SCORE, "score")
                .begin(attribute::MUST_FIX),
        );
    }
    for count in 0..=MOST_MUST_FIX {
        let review = Sequence::default().text(&format!("{count}\">")).rule("dimensions");
        let review = (0..count).fold(review, |review, _| review.rule("must-fix"));
        rules.add(&format!("review-{count}"), review.close(Element::Panelist).text("\n"));
    }
    add_leaves(&mut rules, config, &sizes);
    rules.text
}

/// The rule for the opening tag of a panelist. The name of an added seat may be that of another rule.
fn opening(role: Role) -> String {
    match role {
        Role::Designer | Role::Critic | Role::Brand | Role::A11y | Role::Copy => role.to_string(),
        Role::Seat(name) => format!("seat-{name}"),
    }
}

/// How long things may be, in characters.
struct Sizes {
    text: usize,
    page: usize,
}

impl Sizes {
    /// Nothing may be larger than a block, however many bytes its characters take.
    fn of(config: &CritiqueConfig, page: usize) -> Self {
        let block = usize::try_from(config.parser_max_block_bytes.0).unwrap_or(usize::MAX);
        let room = block.saturating_sub(TAGS) / WIDEST_CHAR_BYTES;
        let text = LONGEST_TEXT.min(room / (MOST_DIMENSIONS + MOST_MUST_FIX));
        let page = page.saturating_mul(2).saturating_add(PAGE_ROOM).min(room.saturating_sub(text));
        Self { text, page: page.min(MOST_PIECES * PIECE) }
    }
}

/// A round, with one rule for every count of must-fixes that it can have at every seat.
fn add_round(rules: &mut Rules, config: &CritiqueConfig, reviewers: &[Role], round: u32) {
    let seat = |index: usize, open: usize| match reviewers.get(index) {
        Some(role) => format!("seat-{round}-{role}-{open}"),
        None => format!("end-{round}-{open}"),
    };
    let number = round.to_string();
    let start = Sequence::default().tag(Element::Round).attribute(attribute::NUMBER, &number).text(">\n");
    let start = if config.cast.contains(&Role::Designer) { start.rule("draft") } else { start };
    rules.add(&format!("round-{round}"), start.rule(&seat(0, 0)));
    for (index, role) in reviewers.iter().enumerate() {
        for open in 0..=index * MOST_MUST_FIX {
            // Who only advises asks for nothing.
            let most = if config.advises(*role) { 0 } else { MOST_MUST_FIX };
            let reviews: Vec<String> =
                (0..=most).map(|count| format!("review-{count} {}", seat(index + 1, open + count))).collect();
            rules.raw(&seat(index, open), &format!("{} ( {} )", opening(*role), reviews.join(" | ")));
        }
    }
    rules.add(
        &format!("end-{round}"),
        Sequence::default()
            .tag(Element::RoundEnd)
            .attribute(attribute::NUMBER, &number)
            .hole(attribute::COMPOSITE, "score")
            .begin(attribute::MUST_FIX),
    );
    for open in 0..=reviewers.len() * MOST_MUST_FIX {
        let decision = Sequence::default().text(&format!("{open}\"")).begin(attribute::DECISION).done();
        let branch = |decision: Decision, next: &str| {
            Sequence::default().text(&format!("{decision}\">")).rule("reason").rule(next).done()
        };
        let mut branches = vec![branch(Decision::Continue, &format!("next-{round}"))];
        if open == 0 {
            branches.push(branch(Decision::Ship, &format!("ship-{round}")));
        }
        let branches = if open == 0 { format!("( {} )", branches.join(" | ")) } else { branches.concat() };
        rules.raw(&format!("end-{round}-{open}"), &format!("end-{round} {decision} {branches}"));
    }
    let last = round == config.max_rounds;
    let next = if last { "stop".to_owned() } else { format!("round-{} | stop", round + 1) };
    rules.raw(&format!("next-{round}"), &next);
    rules.add(
        &format!("ship-{round}"),
        Sequence::default()
            .tag(Element::Ship)
            .attribute(attribute::ROUND, &number)
            .hole(attribute::COMPOSITE, "score")
            .attribute(attribute::STATUS, TheaterStatus::Shipped.as_str())
            .text(">")
            .leaf(Element::Summary)
            .close(Element::Ship)
            .text("\n")
            .rule("stop"),
    );
}

/// The designer, who writes a page.
fn add_draft(rules: &mut Rules, sizes: &Sizes) {
    rules.add(
        "draft",
        Sequence::default()
            .tag(Element::Panelist)
            .attribute(attribute::ROLE, Role::Designer.as_str())
            .text(">")
            .leaf(Element::Notes)
            .tag(Element::Artifact)
            .attribute(attribute::MIME, DEFAULT_MIME)
            .text("><![CDATA[")
            .rule("page")
            .text("]]>")
            .close(Element::Artifact)
            .close(Element::Panelist)
            .text("\n"),
    );
    let (pieces, rest) = (sizes.page / PIECE, PIECE - 1);
    rules.raw(
        "page",
        &format!("\"<!doctype html>\\n<html\" page-piece{{0,{pieces}}} page-char{{0,{rest}}} \"</html>\""),
    );
    rules.raw("page-piece", &format!("page-char{{{PIECE}}}"));
    // No `]]`, which could go on to end the section, and no `<C`, which could go on to begin another run.
    rules.raw(
        "page-char",
        &format!(r#"[^<\]{NOT_IN_PAGE}] | "<" [^C<\]{NOT_IN_PAGE}] | "]" [^<\]{NOT_IN_PAGE}]"#),
    );
}

/// What has no elements in it.
fn add_leaves(rules: &mut Rules, config: &CritiqueConfig, sizes: &Sizes) {
    rules.raw("dimensions", &format!("dimension{{1,{MOST_DIMENSIONS}}}"));
    rules.add(
        "dimension",
        Sequence::default()
            .tag(Element::Dim)
            .hole(attribute::NAME, "name")
            .hole(attribute::SCORE, "score")
            .text(">")
            .rule("text")
            .close(Element::Dim),
    );
    rules.add("must-fix", Sequence::default().leaf(Element::MustFix));
    rules.add(
        "reason",
        Sequence::default()
            .leaf(Element::Reason)
            .close(Element::RoundEnd)
            .text("\n")
            .close(Element::Round)
            .text("\n"),
    );
    rules.raw("score", &score(config));
    rules.raw("name", "[a-z] [a-z -]{0,22}");
    rules.raw("text", &format!("letter letter text-char{{0,{}}}", sizes.text.saturating_sub(2)));
    rules.raw("letter", &format!("[{LETTER}]"));
    rules.raw("text-char", &format!(r#"[^<&{NOT_IN_TEXT}] | "&lt;" | "&amp;""#));
}

/// The bar as the prompt shows it, or exactly where that is not it.
fn threshold(config: &CritiqueConfig) -> String {
    let shown = config.score_threshold.to_string();
    if shown.parse() == Ok(config.score_threshold.0) { shown } else { config.score_threshold.0.to_string() }
}

/// Numbers from 0 to the scale with one decimal.
fn score(config: &CritiqueConfig) -> String {
    let highest = format!("{:.1}", (config.score_scale.0 * 10.0).floor() / 10.0);
    let (whole, tenths) = highest.split_once('.').unwrap_or((&highest, "0"));
    let mut alternatives: Vec<String> =
        below(whole).iter().map(|start| format!("{start} \".\" [0-9]")).collect();
    alternatives.push(format!("\"{whole}.\" [0-{tenths}]"));
    alternatives.join(" | ")
}

/// Patterns of the whole numbers below this one, which is written in digits and has no zero at its front.
fn below(number: &str) -> Vec<String> {
    let shorter = (1..number.len()).map(|length| {
        let first = if length == 1 { "[0-9]" } else { "[1-9]" };
        format!("{first}{}", " [0-9]".repeat(length - 1))
    });
    let mut patterns: Vec<String> = shorter.collect();
    for (index, digit) in number.char_indices() {
        let lowest = if index == 0 && number.len() > 1 { '1' } else { '0' };
        if let Some(highest) = (lowest..digit).next_back() {
            let same = number.get(..index).filter(|same| !same.is_empty());
            let same = same.map(|same| format!("\"{same}\" ")).unwrap_or_default();
            let rest = " [0-9]".repeat(number.len() - index - 1);
            patterns.push(format!("{same}[{lowest}-{highest}]{rest}"));
        }
    }
    patterns
}

/// The rules, one on a line.
#[derive(Default)]
struct Rules {
    text: String,
}

impl Rules {
    fn add(&mut self, name: &str, sequence: Sequence) {
        self.raw(name, &sequence.done());
    }

    fn raw(&mut self, name: &str, body: &str) {
        // Writing to a string does not fail.
        writeln!(self.text, "{name} ::= {body}").ok();
    }
}

/// What stands one after the other: text as it is, and rules.
#[derive(Default)]
struct Sequence {
    parts: Vec<String>,
    literal: String,
}

impl Sequence {
    fn text(mut self, text: &str) -> Self {
        self.literal.push_str(text);
        self
    }

    fn rule(mut self, name: &str) -> Self {
        self.settle();
        self.parts.push(name.to_owned());
        self
    }

    /// The start of a tag; attributes and `>` are to follow.
    fn tag(self, element: Element) -> Self {
        self.text("<").text(element.as_str())
    }

    fn attribute(self, name: &str, value: &str) -> Self {
        self.begin(name).text(value).text("\"")
    }

    /// An attribute whose value a rule gives.
    fn hole(self, name: &str, rule: &str) -> Self {
        self.begin(name).rule(rule).text("\"")
    }

    /// An attribute as far as the quote before its value.
    fn begin(self, name: &str) -> Self {
        self.text(" ").text(name).text("=\"")
    }

    fn close(self, element: Element) -> Self {
        self.text("</").text(element.as_str()).text(">")
    }

    /// An element without attributes that holds text.
    fn leaf(self, element: Element) -> Self {
        self.tag(element).text(">").rule("text").close(element)
    }

    fn settle(&mut self) {
        if !self.literal.is_empty() {
            let text = self.literal.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            self.parts.push(format!("\"{text}\""));
            self.literal.clear();
        }
    }

    fn done(mut self) -> String {
        self.settle();
        self.parts.join(" ")
    }
}
