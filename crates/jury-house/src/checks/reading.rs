//! How hard the words are to read.

use jury_text::language;

use crate::finding::{Finding, Measure, Outcome, Severity, count, counted};
use crate::page::Page;
use std::fmt::Write as _;

/// Below this many words a reading level means nothing.
const ENOUGH_WORDS: usize = 100;

/// School grade above which a page is hard.
const HARD_GRADE: f64 = 12.0;

/// Words beyond which a sentence is long.
const LONG_SENTENCE: usize = 30;

/// Ideographs beyond which a sentence is long; about two of them make a word.
const LONG_IDEOGRAPHIC: usize = 60;

/// Grades above the hard one at which the whole text counts as unreadable.
const UNREADABLE: f64 = 8.0;

/// All sentences long is where the check is worth nothing.
const READING_ZERO_AT: f64 = 1.0;

/// Words of a main heading and of a button, characters of a title that are taken in at a glance.
const HEADING_WORDS: usize = 14;
const BUTTON_WORDS: usize = 5;
const TITLE_CHARACTERS: usize = 70;

pub(super) fn readability(page: &Page<'_>) -> Outcome {
    let blocks: Vec<String> = page
        .exposed()
        .filter(|node| {
            node.shown && matches!(node.tag.as_str(), "p" | "li" | "dd" | "blockquote" | "figcaption")
        })
        .filter(|node| {
            !page
                .snapshot
                .descendants(node)
                .any(|inner| matches!(inner.tag.as_str(), "p" | "li" | "dd" | "blockquote"))
        })
        .map(|node| page.text_inside(node))
        .filter(|text| text.split_whitespace().count() >= 6 || language::is_ideographic(text))
        .collect();
    let all = blocks.join(" ");
    let ideographic = language::is_ideographic(&all);
    let length = |sentence: &str| {
        if ideographic {
            sentence.chars().filter(|ch| ch.is_alphabetic()).count()
        } else {
            sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count()
        }
    };
    let sentences: Vec<usize> = blocks
        .iter()
        .flat_map(|block| block.split_inclusive(['.', '!', '?', '…', '。', '！', '？']))
        .map(length)
        .filter(|length| *length > 0)
        .collect();
    let words: usize = sentences.iter().sum();
    let (enough, long_from) =
        if ideographic { (2 * ENOUGH_WORDS, LONG_IDEOGRAPHIC) } else { (ENOUGH_WORDS, LONG_SENTENCE) };
    if words < enough {
        return Outcome::not_applicable();
    }
    let long = sentences.iter().filter(|length| **length > long_from).count();
    let english = !ideographic && language::detect(&all) == Some("en");
    let grade = english.then(|| {
        let syllables: usize = all.split_whitespace().map(syllables).sum();
        0.39f64.mul_add(
            count(words) / count(sentences.len()),
            11.8f64.mul_add(count(syllables) / count(words), -15.59),
        )
    });
    let over = grade.map_or(0.0, |grade| (grade - HARD_GRADE).max(0.0) / UNREADABLE);
    let mut note =
        grade.map_or_else(String::new, |grade| format!("reading grade {grade:.1}, hard from 12; "));
    let unit = if ideographic { "ideographs" } else { "words" };
    let _ = write!(note, "{long} of {} over {long_from} {unit}", counted(sentences.len(), "sentence"));
    let mut findings = Vec::new();
    if let Some(grade) = grade.filter(|grade| *grade > HARD_GRADE) {
        let what = format!("reading grade {grade:.1}, needs 12 or less");
        findings.push(
            Finding::page(Severity::Minor, what)
                .because("reading grade")
                .figure("grade", grade, "")
                .figure("needs", HARD_GRADE, ""),
        );
    }
    if long > 0 {
        let what = format!("{long} of {} over {long_from} {unit}", counted(sentences.len(), "sentence"));
        findings.push(Finding::page(Severity::Minor, what).because("long sentences").figure(
            "long sentences",
            count(long),
            "",
        ));
    }
    Outcome {
        measure: Measure::Share {
            failing: over.mul_add(count(sentences.len()), count(long)),
            unknown: 0.0,
            total: count(sentences.len()),
            zero_at: READING_ZERO_AT,
        },
        note,
        findings,
        undecided: Vec::new(),
    }
}

/// Groups of vowels, the silent final e aside.
fn syllables(word: &str) -> usize {
    let word: String = word.chars().filter(|ch| ch.is_alphabetic()).collect::<String>().to_lowercase();
    if word.is_empty() {
        return 0;
    }
    let mut groups = 0;
    let mut in_vowels = false;
    for ch in word.chars() {
        let vowel = matches!(ch, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
        groups += usize::from(vowel && !in_vowels);
        in_vowels = vowel;
    }
    if word.ends_with('e') && !word.ends_with("le") && groups > 1 {
        groups -= 1;
    }
    groups.max(1)
}

/// Headings, buttons and titles that are too long to take in at a glance.
pub(super) fn lengths(page: &Page<'_>) -> Outcome {
    if page.snapshot.page.visible_characters == 0 {
        return Outcome::not_applicable();
    }
    let words = |text: &str| text.split_whitespace().count();
    let mut total = 0;
    let mut findings = Vec::new();
    for node in page.exposed() {
        let (limit, noun) = match (node.tag.as_str(), node.role.as_deref()) {
            ("h1", _) => (HEADING_WORDS, "main heading"),
            (_, Some("button")) if node.tag != "summary" => (BUTTON_WORDS, "button"),
            _ => continue,
        };
        total += 1;
        let length = words(&node.name);
        if length > limit {
            let what = format!("{noun} of {length} words, {limit} are plenty ({})", page.place(node.id));
            let name: String = node.name.chars().take(40).collect();
            findings.push(
                Finding::on(Severity::Minor, vec![node.id], what).because(format!("{noun} {name}")).figure(
                    "words",
                    count(length),
                    "",
                ),
            );
        }
    }
    if let Some(title) = page.snapshot.page.title.as_deref().filter(|title| !title.is_empty()) {
        total += 1;
        let length = title.chars().count();
        if length > TITLE_CHARACTERS {
            let what = format!("title of {length} characters, {TITLE_CHARACTERS} are shown");
            findings.push(Finding::page(Severity::Minor, what).because("title").figure(
                "characters",
                count(length),
                "",
            ));
        }
    }
    let note = format!("{} of {total} headings, buttons and titles too long", findings.len());
    // One long title among two short texts is a small fault, so few texts count as four.
    Outcome::share(findings.len(), if total == 0 { 0 } else { total.max(4) }, 1.0, note, findings)
}

#[cfg(test)]
mod tests {
    use super::syllables;

    #[test]
    fn syllables_are_counted_well_enough() {
        let counts: Vec<usize> = ["cat", "table", "reading", "make", "organisation", "42"]
            .iter()
            .map(|word| syllables(word))
            .collect();
        assert_eq!(counts, [1, 2, 2, 1, 5, 0]);
    }
}
