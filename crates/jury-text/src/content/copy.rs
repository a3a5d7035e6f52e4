//! Copy and readability: what is unfinished, what is hard to read, what is worn out, and what the brand does not say.

use std::collections::{BTreeMap, BTreeSet};

use jury_core::content::Form;
use jury_core::content::stem::stem;
use jury_core::severity::Severity;

use super::document::{Block, BlockKind, DraftDocument, PagePart, Sentence};
use super::finding::{Findings, Found};
use super::phrases::Matcher;
use super::prose::{self, Word};
use super::{DraftSubject, figure, number, passive, share, syllable, unfinished, voice, worn};
use crate::language;

/// Words from which shares and grades mean something.
const ENOUGH_WORDS: usize = 100;
/// Sentences from which shares mean something.
const ENOUGH_SENTENCES: usize = 4;

pub(super) fn review(document: &DraftDocument<'_>, subject: &DraftSubject<'_>, findings: &mut Findings<'_>) {
    marks(document, findings);
    let english = spoken(document, subject, findings);
    long_ones(document, subject.recipe.form, findings);
    repeated(document, findings);
    starts(document, findings);
    shouting(document, findings);
    if subject.recipe.form == Form::Page {
        hero(document, findings);
    }
    if english {
        readability(document, findings);
        passives(document, findings);
        worn::review(document, subject, findings);
    } else {
        findings.add(Found {
            rule: "copy.language-not-judged",
            severity: Severity::Minor,
            anchor: "language",
            description: "Readability, passive voice and worn phrases are measured in English only, and this is not English."
                .to_owned(),
            suggestion: "Have somebody who speaks the language read it.".to_owned(),
            quote: None,
        });
    }
    of_the_brand(document, subject, findings);
}

/// Whether the draft is in English, as far as can be told; and whether it is in the language of the documents.
fn spoken(document: &DraftDocument<'_>, subject: &DraftSubject<'_>, findings: &mut Findings<'_>) -> bool {
    let mut text = String::new();
    for block in &document.blocks {
        text.push_str(&block.text);
        text.push('\n');
    }
    let mut documents = String::new();
    for (_, document) in subject.foundation.iter() {
        documents.push_str(document);
        documents.push('\n');
    }
    let wanted = language::detect(&documents).unwrap_or("en");
    let found = language::detect(&text);
    if let Some(found) = found.filter(|found| *found != wanted) {
        let quote = document.prose().next().and_then(|sentence| document.quote_sentence(sentence));
        findings.add(Found {
            rule: "copy.language",
            severity: Severity::Serious,
            anchor: "language",
            description: format!("The draft is written in '{found}', the documents in '{wanted}'."),
            suggestion: "Write it in the language of the documents.".to_owned(),
            quote,
        });
    }
    found.is_none_or(|found| found == "en")
}

fn marks(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let head = document.head();
    let name = document.name.map(|name| Block::whole(BlockKind::Note, PagePart::Opening, 0, name.text()));
    for block in document.blocks.iter().chain(&head.blocks).chain(&name) {
        for (what, range) in unfinished::marks(&block.text) {
            findings.add(Found {
                rule: "copy.unfinished",
                severity: Severity::Serious,
                anchor: block.text.get(range.clone()).unwrap_or(what),
                description: format!("Something is unfinished: {what}."),
                suggestion: "Write what belongs there, or take it out.".to_owned(),
                quote: block.quote(range),
            });
        }
    }
}

fn readability(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    if document.word_count() < ENOUGH_WORDS {
        return;
    }
    let sentences = document.prose().map(|sentence| document.words_of(&sentence.words));
    let Some(grades) = syllable::readability(sentences) else { return };
    let mut add = |rule, severity, description: String| {
        findings.add(Found {
            rule,
            severity,
            anchor: "text",
            description,
            suggestion: "Shorten the longest sentences and put common words for long ones.".to_owned(),
            quote: None,
        });
    };
    if grades.ease < 60.0 {
        let severity = if grades.ease < 40.0 { Severity::Moderate } else { Severity::Minor };
        add(
            "copy.reading-ease",
            severity,
            format!("Flesch reading ease is {}; plain English has 60 and more.", figure(grades.ease)),
        );
    }
    if grades.grade > 10.0 {
        let severity = if grades.grade > 13.0 { Severity::Moderate } else { Severity::Minor };
        add(
            "copy.reading-grade",
            severity,
            format!("The Flesch-Kincaid grade is {}; 10 years of school should do.", figure(grades.grade)),
        );
    }
}

fn long_ones(document: &DraftDocument<'_>, form: Form, findings: &mut Findings<'_>) {
    let lengths: Vec<(usize, &Sentence)> = document
        .prose()
        .map(|sentence| (prose::count(document.words_of(&sentence.words)), sentence))
        .collect();
    let long = lengths.iter().filter(|(length, _)| *length > 20).count();
    if lengths.len() >= ENOUGH_SENTENCES && share(long, lengths.len()) > 0.25 {
        let longest = lengths.iter().max_by_key(|(length, _)| *length);
        findings.add(Found {
            rule: "copy.long-sentences",
            severity: Severity::Moderate,
            anchor: "text",
            description: format!(
                "{long} of {} sentences have more than 20 words; a quarter is the most.",
                lengths.len()
            ),
            suggestion: "Cut the longest in two.".to_owned(),
            quote: longest.and_then(|(_, sentence)| document.quote_sentence(sentence)),
        });
    }
    for (length, sentence) in lengths.iter().filter(|(length, _)| *length > 40) {
        let quote = document.quote_sentence(sentence);
        findings.add(Found {
            rule: "copy.endless-sentence",
            severity: Severity::Moderate,
            anchor: &beginning(document.words_of(&sentence.words)),
            description: format!("A sentence has {length} words; beyond 40 readers lose the thread."),
            suggestion: "Make two or three sentences of it.".to_owned(),
            quote,
        });
    }
    for block in document
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::Item | BlockKind::Quote))
    {
        let words = document.block_words(block);
        let length = prose::count(words);
        let severity = match length {
            151.. => Severity::Moderate,
            101.. if form == Form::Page => Severity::Minor,
            _ => continue,
        };
        findings.add(Found {
            rule: "copy.long-paragraph",
            severity,
            anchor: &beginning(words),
            description: format!(
                "A paragraph has {length} words; {} is the most.",
                if form == Form::Page { 100 } else { 150 }
            ),
            suggestion: "Break it where a new thought begins.".to_owned(),
            quote: block.quote_all(),
        });
    }
    if form != Form::Post {
        without_headings(document, findings);
    }
}

fn without_headings(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let mut length = 0;
    let mut first: Option<&Block<'_>> = None;
    let mut found: Vec<(usize, &Block<'_>)> = Vec::new();
    for block in &document.blocks {
        if matches!(block.kind, BlockKind::Heading(_)) {
            found.extend(first.take().map(|first| (length, first)));
            length = 0;
        } else {
            first.get_or_insert(block);
            length += prose::count(document.block_words(block));
        }
    }
    found.extend(first.map(|first| (length, first)));
    for (length, block) in found.into_iter().filter(|(length, _)| *length > 300) {
        findings.add(Found {
            rule: "copy.no-subheading",
            severity: Severity::Moderate,
            anchor: &beginning(document.block_words(block)),
            description: format!("{length} words follow each other without a heading; 300 is the most."),
            suggestion: "Put a heading where the subject turns.".to_owned(),
            quote: block.quote_all(),
        });
    }
}

/// The first words of a passage: what it is called as long as it is there.
fn beginning(words: &[Word]) -> String {
    words.iter().take(6).map(|word| word.lower.as_str()).collect::<Vec<_>>().join(" ")
}

fn passives(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let all: Vec<&Sentence> = document.prose().collect();
    let found: Vec<&&Sentence> =
        all.iter().filter(|sentence| passive::is_passive(document.words_of(&sentence.words))).collect();
    let percent = share(found.len(), all.len()) * 100.0;
    if percent > 10.0 && found.len() >= 2 {
        findings.add(Found {
            rule: "copy.passive",
            severity: if percent > 15.0 { Severity::Moderate } else { Severity::Minor },
            anchor: "text",
            description: format!(
                "{} of {} sentences are in the passive ({percent:.0} %); 10 % is the most.",
                found.len(),
                all.len()
            ),
            suggestion: "Say who does it.".to_owned(),
            quote: found.first().and_then(|sentence| document.quote_sentence(sentence)),
        });
    }
}

fn starts(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    const SKIPPED: &[&str] = &["the", "a", "an", "this", "that", "these", "those", "one", "two", "three"];
    let mut run: Vec<&Sentence> = Vec::new();
    let mut before = String::new();
    let running = document.sentences.iter().filter(|sentence| {
        document.block(sentence.block).is_some_and(|block| block.kind == BlockKind::Paragraph)
    });
    for sentence in running {
        let words = document.words_of(&sentence.words);
        let skipped = words.iter().take_while(|word| SKIPPED.contains(&word.lower.as_str())).count();
        let start: Vec<&str> = words.iter().take(skipped + 1).map(|word| word.lower.as_str()).collect();
        let start = start.join(" ");
        // A heading in between is a pause.
        let apart = run.last().is_some_and(|last| {
            let between = last.block..sentence.block;
            document
                .blocks
                .get(between)
                .unwrap_or_default()
                .iter()
                .any(|block| matches!(block.kind, BlockKind::Heading(_)))
        });
        if start != before || start.is_empty() || apart {
            run.clear();
        }
        run.push(sentence);
        before = start;
        if run.len() == 3 {
            let quote = run.first().and_then(|sentence| document.quote_sentence(sentence));
            findings.add(Found {
                rule: "copy.same-start",
                severity: Severity::Minor,
                anchor: &before,
                description: format!("Three sentences in a row begin with '{before}'."),
                suggestion: "Begin one of them in another way.".to_owned(),
                quote,
            });
        }
    }
}

fn repeated(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    for (index, block) in document.blocks.iter().enumerate() {
        let words = document.block_words(block);
        for pair in words.windows(2) {
            let [first, second] = pair else { continue };
            let between = block.text.get(first.range.end..second.range.start).unwrap_or("-");
            let spelt = |word: &Word| block.text.get(word.range.clone()).unwrap_or_default();
            let name =
                spelt(first).starts_with(char::is_uppercase) && spelt(second).starts_with(char::is_uppercase);
            let meant =
                matches!(first.lower.as_str(), "had" | "that" | "so" | "bye" | "no" | "very" | "ha" | "many");
            let same = first.lower == second.lower
                && between.chars().all(char::is_whitespace)
                && !between.is_empty();
            if same && !meant && !name && first.lower.chars().all(char::is_alphabetic) {
                findings.add(Found {
                    rule: "copy.repeated-word",
                    severity: Severity::Moderate,
                    anchor: &first.lower,
                    description: format!("'{}' stands twice in a row.", first.lower),
                    suggestion: "Take one of them out.".to_owned(),
                    quote: document.quote_words(index, pair),
                });
            }
        }
    }
}

/// Exclamation marks and capitals.
fn shouting(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    const SHOUTED: &[&str] = &[
        "ABSOLUTELY",
        "ALL",
        "ALWAYS",
        "AMAZING",
        "AND",
        "BEST",
        "BIG",
        "BUY",
        "CLICK",
        "EASY",
        "EVERY",
        "EVERYTHING",
        "EXCLUSIVE",
        "FAST",
        "FREE",
        "GUARANTEED",
        "HUGE",
        "IMPORTANT",
        "INSTANT",
        "INSTANTLY",
        "LIMITED",
        "MORE",
        "MUST",
        "NEVER",
        "NEW",
        "NO",
        "NOT",
        "NOTHING",
        "NOW",
        "ONLY",
        "REAL",
        "SAVE",
        "STOP",
        "THE",
        "TODAY",
        "VERY",
        "WIN",
        "YES",
        "YOU",
        "YOUR",
        "ZERO",
    ];
    let marks: usize = document.blocks.iter().map(|block| block.text.matches('!').count()).sum();
    let words = document.word_count();
    let allowed = words.div_ceil(150).max(1);
    if marks > allowed {
        let loud = document.sentences.iter().find(|sentence| {
            document
                .block(sentence.block)
                .and_then(|block| block.text.get(sentence.range.clone()))
                .is_some_and(|text| text.contains('!'))
        });
        findings.add(Found {
            rule: "copy.exclamation",
            severity: Severity::Minor,
            anchor: "text",
            description: format!(
                "There are {marks} exclamation marks in {words} words; one in 150 is the most."
            ),
            suggestion: "End most of these sentences with a full stop.".to_owned(),
            quote: loud.and_then(|sentence| document.quote_sentence(sentence)),
        });
    }
    let mut small: BTreeSet<&str> = BTreeSet::new();
    let mut capitals: BTreeMap<&str, (usize, &Word)> = BTreeMap::new();
    for (index, block) in document.blocks.iter().enumerate() {
        for word in document.block_words(block) {
            let Some(spelt) = block.text.get(word.range.clone()) else { continue };
            let letters = spelt.chars().count();
            if letters >= 2 && spelt.chars().all(char::is_uppercase) {
                capitals.entry(spelt).or_insert((index, word));
            } else {
                small.insert(&word.lower);
            }
        }
    }
    for (spelt, (block, word)) in capitals {
        let elsewhere = spelt.chars().count() >= 4 && small.contains(word.lower.as_str());
        if SHOUTED.binary_search(&spelt).is_ok() || elsewhere {
            findings.add(Found {
                rule: "copy.capitals",
                severity: Severity::Minor,
                anchor: spelt,
                description: format!("'{spelt}' is written in capitals."),
                suggestion: "Write it in small letters; let the words be strong.".to_owned(),
                quote: document.quote_words(block, std::slice::from_ref(word)),
            });
        }
    }
}

fn hero(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let blocks = document.blocks.get(document.hero.clone()).unwrap_or_default();
    let of = |wanted: fn(BlockKind) -> bool| blocks.iter().find(|block| wanted(block.kind));
    let mut add = |block: Option<&Block<'_>>, anchor: &str, name: &str, fewest: usize, most: usize| {
        let Some(block) = block else { return };
        let length = prose::count(document.block_words(block));
        if (fewest..=most).contains(&length) {
            return;
        }
        let bounds = if fewest == 0 { format!("at most {most}") } else { format!("{fewest} to {most}") };
        findings.add(Found {
            rule: "copy.hero-length",
            severity: Severity::Moderate,
            anchor,
            description: format!(
                "The {name} has {}; {bounds} are read at a glance.",
                number(length, "word", "words")
            ),
            suggestion: if length > most {
                "Cut it to what matters most."
            } else {
                "Say what the reader gets."
            }
            .to_owned(),
            quote: block.quote_all(),
        });
    };
    add(of(|kind| kind == BlockKind::Heading(1)), "headline", "headline", 3, 8);
    add(of(|kind| kind == BlockKind::Paragraph), "subheadline", "line under the headline", 0, 30);
    add(of(|kind| kind == BlockKind::Action), "action", "call to action", 2, 5);
}

fn of_the_brand(document: &DraftDocument<'_>, subject: &DraftSubject<'_>, findings: &mut Findings<'_>) {
    let Some(voice) = subject.foundation.get("brand-voice").map(voice::read) else {
        findings.add(Found {
            rule: "copy.voice-not-judged",
            severity: Severity::Minor,
            anchor: "voice",
            description: "There is no brand-voice document, so the voice was not checked.".to_owned(),
            suggestion: "Write brand-voice.md with 'Words to avoid' and 'Counter-examples'.".to_owned(),
            quote: None,
        });
        return;
    };
    let matcher = Matcher::of(voice.banned.clone());
    // A single word is meant in all its forms.
    let forms: BTreeMap<String, &str> = voice
        .banned
        .iter()
        .filter_map(
            |words| if let [word] = words.as_slice() { Some((stem(word), word.as_str())) } else { None },
        )
        .collect();
    let head = document.head();
    let all = [document, &head];
    for (document, sentence) in
        all.iter().flat_map(|document| document.sentences.iter().map(move |sentence| (document, sentence)))
    {
        let words = document.words_of(&sentence.words);
        let phrases = matcher.find(words).into_iter().filter_map(|hit| {
            Some((voice.banned.get(hit.phrase)?.join(" "), words.get(hit.start..hit.end)?))
        });
        let inflected = words
            .iter()
            .filter_map(|word| Some(((*forms.get(&word.stem)?).to_owned(), std::slice::from_ref(word))));
        for (banned, said) in phrases.chain(inflected) {
            findings.add(Found {
                rule: "copy.banned-word",
                severity: Severity::Moderate,
                anchor: &banned,
                description: format!("The brand does not say '{banned}'."),
                suggestion: "Say it in the words of the brand-voice document.".to_owned(),
                quote: document.quote_words(sentence.block, said),
            });
        }
        if voice.counter_examples.is_empty() {
            continue;
        }
        let stems: BTreeSet<&str> =
            words.iter().filter(|word| !word.stop).map(|word| word.stem.as_str()).collect();
        for counter in &voice.counter_examples {
            let shared = counter.stems.iter().filter(|stem| stems.contains(stem.as_str())).count();
            if shared >= 3 && share(shared, counter.stems.len()) >= 0.6 {
                findings.add(Found {
                    rule: "copy.counter-example",
                    severity: Severity::Moderate,
                    anchor: &counter.text,
                    description: format!(
                        "A sentence shares {shared} of {} words with an example of how the brand does not sound.",
                        counter.stems.len()
                    ),
                    suggestion: "Say it plainly, as the good examples do.".to_owned(),
                    quote: document.quote_sentence(sentence),
                });
            }
        }
    }
}
