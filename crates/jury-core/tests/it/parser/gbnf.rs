//! The grammar for models and the parser for their answers agree: whatever the one lets through, the other reads.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

use jury_core::protocol::{Parser, ParserLimits, Signal, gbnf};
use jury_core::role::Role;
use jury_core::score::{Scale, Threshold};
use jury_core::settings::CritiqueConfig;
use jury_core::unit::Bytes;
use jury_testkit::random::TestRandom;
use proptest::prelude::*;

#[test]
fn the_grammar_is_this() {
    let config = CritiqueConfig { max_rounds: 1, ..CritiqueConfig::default() };
    insta::assert_snapshot!(gbnf(&config, 1_000).unwrap());
}

#[test]
fn there_is_no_grammar_of_an_unknown_version() {
    let config = CritiqueConfig { protocol_version: 2, ..CritiqueConfig::default() };
    assert_eq!(gbnf(&config, 0), None);
}

#[test]
fn a_cast_without_a_designer_drafts_nothing() {
    let config = CritiqueConfig { cast: vec![Role::Critic, Role::A11y], ..CritiqueConfig::default() };
    let text = gbnf(&config, 1_000).unwrap();
    assert!(!text.contains("draft"), "{text}");
    assert!(text.contains("seat-1-critic-0"), "{text}");
}

#[test]
fn a_bar_between_two_tenths_is_named_exactly() {
    for (bar, shown) in [(8.0, "8.0"), (7.25, "7.25"), (8.000_000_01, "8.00000001")] {
        let config = CritiqueConfig { score_threshold: Threshold(bar), ..CritiqueConfig::default() };
        let text = gbnf(&config, 1_000).unwrap();
        let named = format!("threshold=\\\"{shown}\\\"");
        assert!(text.contains(&named), "{named}: {}", text.lines().next().unwrap());
    }
}

/// What servers unfold has to stay small, whatever the settings.
#[test]
fn no_repetition_is_long_and_no_grammar_is_large() {
    let most = CritiqueConfig {
        max_rounds: 20,
        parser_max_block_bytes: Bytes(67_108_864),
        ..CritiqueConfig::default()
    };
    let text = gbnf(&most, 10_000_000).unwrap();
    assert!(text.len() < 96 * 1024, "{} bytes", text.len());
    let longest = text.split(['{', '}', ',']).filter_map(|part| part.parse::<u32>().ok()).max();
    assert!(longest < Some(2_000), "{longest:?}");
}

fn configs() -> impl Strategy<Value = CritiqueConfig> {
    let scales = prop_oneof![Just(10.0), Just(5.0), Just(100.0), Just(7.5), Just(1000.0), Just(0.5)];
    let casts = prop_oneof![Just(Role::ALL.to_vec()), Just(vec![Role::Designer, Role::A11y])];
    (1_u32..=4, scales, 0.0..=1.0, 1024_u64..20_000, casts).prop_map(|(rounds, scale, bar, block, cast)| {
        CritiqueConfig {
            max_rounds: rounds,
            score_scale: Scale(scale),
            score_threshold: Threshold(scale * bar),
            parser_max_block_bytes: Bytes(block),
            cast,
            ..CritiqueConfig::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_that_the_grammar_allows_is_read_without_a_flaw(
        config in configs(),
        page in 0_usize..2_000,
        seed in any::<u64>(),
        greedy in any::<bool>(),
    ) {
        let grammar = Grammar::read(&gbnf(&config, page).unwrap());
        let answer = grammar.sentence(&mut TestRandom::new(seed), greedy);
        let mut parser = Parser::new(ParserLimits::of(&config));
        let mut spoken: Vec<Vec<Role>> = Vec::new();
        let (mut drafts, mut warnings, mut declared) = (0, Vec::new(), None);
        let mut counts = (0_u32, Vec::new());
        let read = parser.feed(answer.as_bytes(), &mut |signal| match signal {
            Signal::RunOpened(run) => declared = Some((run.max_rounds, run.threshold, run.scale)),
            Signal::RoundOpened { .. } => {
                spoken.push(Vec::new());
                counts.0 = 0;
            }
            Signal::PanelistClosed { role, score, .. } => {
                assert_eq!(score.is_some(), role != Role::Designer, "{answer}");
                assert!(score.is_none_or(|score| score.0 <= config.score_scale.0));
                spoken.last_mut().unwrap().push(role);
            }
            Signal::MustFix { text, .. } => {
                assert!(!text.is_empty(), "{answer}");
                counts.0 += 1;
            }
            Signal::Artifact { .. } => drafts += 1,
            Signal::RoundClosed { claim, reason, .. } => {
                assert!(!reason.is_empty(), "{answer}");
                counts.1.push((claim.must_fix, f64::from(counts.0)));
            }
            Signal::Warning { kind, .. } => warnings.push(kind),
            Signal::PanelistOpened { .. }
            | Signal::Dimension { .. }
            | Signal::Shipped { .. }
            | Signal::RunClosed { .. } => {}
        });
        prop_assert_eq!(read.and_then(|()| parser.finish()), Ok(()), "{}", answer);
        prop_assert_eq!(warnings, vec![], "{}", answer);
        let ours = (f64::from(config.max_rounds), config.score_threshold.0, config.score_scale.0);
        prop_assert_eq!(declared, Some((Some(ours.0), Some(ours.1), Some(ours.2))));
        prop_assert!((1..=usize::try_from(config.max_rounds).unwrap()).contains(&spoken.len()));
        prop_assert_eq!(drafts, spoken.len(), "{}", answer);
        prop_assert!(spoken.iter().all(|roles| *roles == config.cast), "{:?}", spoken);
        prop_assert!(counts.1.iter().all(|(claimed, found)| *claimed == Some(*found)), "{:?}", counts);
    }
}

/// The part of GBNF that our grammars use.
#[derive(Debug)]
pub(crate) struct Grammar(BTreeMap<String, Node>);

#[derive(Debug)]
enum Node {
    Literal(String),
    Class { negated: bool, ranges: Vec<(char, char)> },
    Rule(String),
    Sequence(Vec<Self>),
    OneOf(Vec<Self>),
    Repeat(Box<Self>, usize, usize),
}

impl Grammar {
    pub(crate) fn read(text: &str) -> Self {
        let rules = text.lines().map(|line| {
            let (name, body) = line.split_once(" ::= ").unwrap();
            let mut characters = body.chars().peekable();
            let node = one_of(&mut characters);
            assert_eq!(characters.next(), None, "{line}");
            (name.to_owned(), node)
        });
        Self(rules.collect())
    }

    /// Any sentence, or with `greedy` one whose repetitions go on as long as they may.
    pub(crate) fn sentence(&self, random: &mut TestRandom, greedy: bool) -> String {
        let mut sentence = String::new();
        self.write(&self.0["root"], random, greedy, &mut sentence);
        sentence
    }

    fn write(&self, node: &Node, random: &mut TestRandom, greedy: bool, out: &mut String) {
        match node {
            Node::Literal(text) => out.push_str(text),
            Node::Class { negated, ranges } => out.push(member(*negated, ranges, random)),
            Node::Rule(name) => self.write(&self.0[name], random, greedy, out),
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.write(node, random, greedy, out);
                }
            }
            Node::OneOf(nodes) => self.write(&nodes[random.below(nodes.len())], random, greedy, out),
            Node::Repeat(node, least, most) => {
                let times = if greedy { *most } else { least + random.below(most - least + 1) };
                for _ in 0..times {
                    self.write(node, random, greedy, out);
                }
            }
        }
    }
}

/// A character of a class: rather one that could do harm.
fn member(negated: bool, ranges: &[(char, char)], random: &mut TestRandom) -> char {
    const NASTY: &str = "<>&]['\"/!C-= \n\t\u{0}\u{1b}\u{85}\u{9b}\u{2028}\u{feff}\u{fffd}é☃😀😀😀";
    let nasty: Vec<char> = NASTY.chars().collect();
    let fits = |c: &char| ranges.iter().any(|(first, last)| (first..=last).contains(&c)) != negated;
    if !negated {
        let (first, last) = ranges[random.below(ranges.len())];
        let choices: Vec<char> = (first..=last).collect();
        return choices[random.below(choices.len())];
    }
    loop {
        let character = if random.below(4) == 0 {
            char::from_u32(u32::try_from(random.below(0x0011_0000)).unwrap()).unwrap_or('x')
        } else {
            nasty[random.below(nasty.len())]
        };
        if fits(&character) {
            return character;
        }
    }
}

fn one_of(characters: &mut Peekable<Chars<'_>>) -> Node {
    let mut alternatives = vec![sequence(characters)];
    while characters.next_if_eq(&'|').is_some() {
        alternatives.push(sequence(characters));
    }
    if alternatives.len() == 1 { alternatives.remove(0) } else { Node::OneOf(alternatives) }
}

fn sequence(characters: &mut Peekable<Chars<'_>>) -> Node {
    let mut nodes = Vec::new();
    loop {
        while characters.next_if_eq(&' ').is_some() {}
        let node = match characters.peek() {
            None | Some('|' | ')') => return Node::Sequence(nodes),
            Some('"') => literal(characters),
            Some('[') => class(characters),
            Some('(') => {
                characters.next();
                let inner = one_of(characters);
                assert_eq!(characters.next(), Some(')'));
                inner
            }
            Some(_) => Node::Rule(word(characters)),
        };
        nodes.push(if characters.next_if_eq(&'{').is_some() { repeat(node, characters) } else { node });
    }
}

fn word(characters: &mut Peekable<Chars<'_>>) -> String {
    let mut word = String::new();
    while let Some(c) = characters.next_if(|c| c.is_ascii_alphanumeric() || *c == '-') {
        word.push(c);
    }
    assert!(!word.is_empty(), "{characters:?}");
    word
}

fn repeat(node: Node, characters: &mut Peekable<Chars<'_>>) -> Node {
    let bounds: String = characters.by_ref().take_while(|c| *c != '}').collect();
    let (least, most) = bounds.split_once(',').unwrap_or((&bounds, &bounds));
    Node::Repeat(Box::new(node), least.parse().unwrap(), most.parse().unwrap())
}

fn literal(characters: &mut Peekable<Chars<'_>>) -> Node {
    characters.next();
    let mut text = String::new();
    loop {
        match characters.next().unwrap() {
            '"' => return Node::Literal(text),
            '\\' => text.push(escaped(characters)),
            c => text.push(c),
        }
    }
}

fn class(characters: &mut Peekable<Chars<'_>>) -> Node {
    characters.next();
    let negated = characters.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    let one = |characters: &mut Peekable<Chars<'_>>| match characters.next().unwrap() {
        '\\' => escaped(characters),
        c => c,
    };
    while characters.next_if_eq(&']').is_none() {
        let first = one(characters);
        let is_range = characters.peek() == Some(&'-') && characters.clone().nth(1) != Some(']');
        let last = if is_range {
            characters.next();
            one(characters)
        } else {
            first
        };
        ranges.push((first, last));
    }
    Node::Class { negated, ranges }
}

fn escaped(characters: &mut Peekable<Chars<'_>>) -> char {
    let digits = match characters.next().unwrap() {
        'n' => return '\n',
        'x' => 2,
        'u' => 4,
        c => return c,
    };
    let code: String = characters.by_ref().take(digits).collect();
    char::from_u32(u32::from_str_radix(&code, 16).unwrap()).unwrap()
}
