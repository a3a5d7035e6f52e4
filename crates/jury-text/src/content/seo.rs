//! Search: headings, title, description, keywords, length, links, images.

use std::collections::BTreeSet;

use jury_core::content::Form;
use jury_core::severity::Severity;

use super::document::{BlockKind, DraftDocument, Value};
use super::finding::{Findings, Found};
use super::keywords::{self, Keyword, Keywords};
use super::prose;
use super::{DraftSubject, number, share, width};

/// What says nothing about where a link leads.
pub(crate) const GENERIC_LINKS: &[&str] = &[
    "click here",
    "click this",
    "go",
    "here",
    "information",
    "learn more",
    "more",
    "more info",
    "more information",
    "read more",
    "right here",
    "see more",
    "start",
    "this",
];

pub(super) fn review(document: &DraftDocument<'_>, subject: &DraftSubject<'_>, findings: &mut Findings<'_>) {
    let form = subject.recipe.form;
    if form != Form::Post {
        headings(document, form, findings);
        title(document, findings);
        description(document, findings);
        length(document, form, findings);
    }
    let keywords = subject.foundation.get("seo-strategy").map(keywords::read).unwrap_or_default();
    match &keywords.primary {
        Some(primary) => keyword(document, form, primary, &keywords, findings),
        None => findings.add(Found {
            rule: "seo.keywords-not-judged",
            severity: Severity::Minor,
            anchor: "keywords",
            description: "No primary keyword is known, so nothing about keywords was checked.".to_owned(),
            suggestion: "Write 'Primary keyword: …' into seo-strategy.md, and the supporting ones under 'Secondary keywords'."
                .to_owned(),
            quote: None,
        }),
    }
    links(document, form, findings);
    images(document, findings);
    questions(document, findings);
}

/// What search results show: the title, or the first heading when there is none.
fn shown_title<'a>(document: &DraftDocument<'a>) -> Option<&'a str> {
    let heading =
        || document.headings().find(|(level, ..)| *level == 1).and_then(|(_, _, block)| block.quote_all());
    document.title.map(Value::text).or_else(heading)
}

fn headings(document: &DraftDocument<'_>, form: Form, findings: &mut Findings<'_>) {
    let count = document.headings().filter(|(level, ..)| *level == 1).count();
    // Generators of pages make the heading of an article out of its title where the text has none.
    let made_of_title = form == Form::Article && count == 0 && document.title.is_some();
    if count != 1 && !made_of_title {
        let second = document.headings().filter(|(level, ..)| *level == 1).nth(1);
        findings.add(Found {
            rule: "seo.h1-count",
            severity: Severity::Serious,
            anchor: "h1",
            description: format!(
                "There are {count} headings of the first level; one says what the page is about."
            ),
            suggestion: if count == 0 {
                "Begin with one heading of the first level.".to_owned()
            } else {
                "Keep the first one and lower the others to the second level.".to_owned()
            },
            quote: second.and_then(|(_, _, block)| block.quote_all()),
        });
    }
    let mut before: u8 = 0;
    for (level, at, block) in document.headings() {
        let text = block.text.trim();
        if text.is_empty() {
            let above =
                at.checked_sub(1).and_then(|at| document.block(at)).map_or("", |block| block.text.as_str());
            findings.add(Found {
                rule: "seo.empty-heading",
                severity: Severity::Moderate,
                anchor: above,
                description: format!("A heading of level {level} has no words."),
                suggestion: "Give it words or take it out.".to_owned(),
                quote: None,
            });
        }
        if before > 0 && level > before + 1 {
            findings.add(Found {
                rule: "seo.heading-jump",
                severity: Severity::Moderate,
                anchor: text,
                description: format!(
                    "A heading of level {level} follows one of level {before}: a level is left out."
                ),
                suggestion: format!("Make it level {}.", before + 1),
                quote: block.quote_all(),
            });
        }
        before = level;
    }
}

fn title(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let Some(title) = shown_title(document) else {
        findings.add(Found {
            rule: "seo.title-missing",
            severity: Severity::Serious,
            anchor: "title",
            description: "There is no title for search results.".to_owned(),
            suggestion: "Write one of 30 to 60 characters that begins with the primary keyword.".to_owned(),
            quote: None,
        });
        return;
    };
    let (characters, pixels) = (title.chars().count(), width::pixels(title));
    let mut add = |rule, severity, description: String, suggestion: &str| {
        let suggestion = suggestion.to_owned();
        findings.add(Found { rule, severity, anchor: "title", description, suggestion, quote: Some(title) });
    };
    if pixels > 600 {
        add(
            "seo.title-long",
            Severity::Moderate,
            format!(
                "The title is about {pixels} pixels wide ({characters} characters); results cut it at 600."
            ),
            "Shorten it; keep the keyword at the front.",
        );
    } else if characters < 30 {
        add(
            "seo.title-short",
            Severity::Minor,
            format!("The title has {characters} characters; with fewer than 30 it leaves room unused."),
            "Say in it what the page offers and to whom.",
        );
    }
}

fn description(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    let Some(description) = document.description.map(Value::text) else {
        findings.add(Found {
            rule: "seo.description-missing",
            severity: Severity::Serious,
            anchor: "description",
            description: "There is no description for search results.".to_owned(),
            suggestion: "Write one of 120 to 160 characters: what it is, for whom, and what to do next."
                .to_owned(),
            quote: None,
        });
        return;
    };
    let characters = description.chars().count();
    if !(120..=160).contains(&characters) {
        let far = !(70..=200).contains(&characters);
        findings.add(Found {
            rule: "seo.description-length",
            severity: if far { Severity::Moderate } else { Severity::Minor },
            anchor: "description",
            description: format!("The description has {characters} characters; results show 120 to 160."),
            suggestion: if characters < 120 {
                "Say more: for whom it is and what to do next."
            } else {
                "Shorten it; the first half is what everybody sees."
            }
            .to_owned(),
            quote: Some(description),
        });
    }
}

fn length(document: &DraftDocument<'_>, form: Form, findings: &mut Findings<'_>) {
    let words = document.word_count();
    let mut add = |rule, severity, description: String, suggestion: &str| {
        let suggestion = suggestion.to_owned();
        findings.add(Found { rule, severity, anchor: "length", description, suggestion, quote: None });
    };
    match form {
        Form::Page if words < 300 => add(
            "seo.short",
            if words < 100 { Severity::Moderate } else { Severity::Minor },
            format!("The page has {}; with fewer than 300 words it is thin.", number(words, "word", "words")),
            "Answer the questions that a reader has before the call to action.",
        ),
        Form::Article if words < 1200 => add(
            "seo.short",
            Severity::Moderate,
            format!("The article has {words} words; those that are found have 1,200 and more."),
            "Add what is missing on the subject: examples, figures, questions.",
        ),
        Form::Article if words > 4000 => add(
            "seo.long",
            Severity::Minor,
            format!("The article has {words} words; over 4,000 few read to the end."),
            "Make two articles of it.",
        ),
        Form::Page | Form::Article | Form::Post => {}
    }
}

fn keyword(
    document: &DraftDocument<'_>,
    form: Form,
    primary: &Keyword,
    keywords: &Keywords,
    findings: &mut Findings<'_>,
) {
    let name = &primary.text;
    let mut missing = |rule, place: &str, quote: Option<&str>| {
        findings.add(Found {
            rule,
            severity: Severity::Moderate,
            anchor: name,
            description: format!("The primary keyword '{name}' is not in {place}."),
            suggestion: format!("Say '{name}' in {place}, in words that a person would use."),
            quote,
        });
    };
    let first = document.blocks.iter().find(|block| block.kind == BlockKind::Paragraph);
    if let Some(block) = first.filter(|block| primary.times(document.block_words(block)) == 0) {
        missing("seo.keyword-in-opening", "the first paragraph", block.quote_all());
    }
    if form != Form::Post {
        if let Some(title) = shown_title(document).filter(|title| primary.times_in(title) == 0) {
            missing("seo.keyword-in-title", "the title", Some(title));
        }
        if let Some((_, _, block)) = document.headings().find(|(level, ..)| *level == 1)
            && primary.times(document.block_words(block)) == 0
        {
            missing("seo.keyword-in-h1", "the main heading", block.quote_all());
        }
        if let Some(description) = document.description.map(Value::text) {
            let times = primary.times_in(description);
            if times == 0 {
                missing("seo.keyword-in-description", "the description", Some(description));
            } else if times >= 3 {
                findings.add(Found {
                    rule: "seo.keyword-repeated-in-description",
                    severity: Severity::Minor,
                    anchor: name,
                    description: format!("The description says '{name}' {times} times."),
                    suggestion: "Once or twice is enough.".to_owned(),
                    quote: Some(description),
                });
            }
        }
        subheadings(document, primary, findings);
    }
    density(document, form, primary, findings);
    secondary(document, form, keywords, findings);
}

fn density(document: &DraftDocument<'_>, form: Form, primary: &Keyword, findings: &mut Findings<'_>) {
    let words = document.word_count();
    if words < 100 {
        return;
    }
    let name = &primary.text;
    let places: Vec<(usize, usize)> = document
        .sentences
        .iter()
        .map(|sentence| (sentence.words.start, primary.times(document.words_of(&sentence.words))))
        .filter(|(_, times)| *times > 0)
        .collect();
    let times: usize = places.iter().map(|(_, times)| times).sum();
    let percent = share(times, words) * 100.0;
    if percent < 0.5 && form != Form::Post {
        findings.add(Found {
            rule: "seo.keyword-rare",
            severity: Severity::Minor,
            anchor: name,
            description: format!(
                "'{name}' stands {} in {words} words ({percent:.2} %); 0.5 to 3 % is usual.",
                super::times(times)
            ),
            suggestion: "Use it, or a form of it, where you speak about the subject anyway.".to_owned(),
            quote: None,
        });
    } else if percent > 3.0 {
        findings.add(Found {
            rule: "seo.keyword-stuffed",
            severity: if percent > 4.0 { Severity::Serious } else { Severity::Moderate },
            anchor: name,
            description: format!(
                "'{name}' stands {} in {words} words ({percent:.2} %); more than 3 % reads as stuffed.",
                super::times(times)
            ),
            suggestion: "Say some of them in other words, or leave them out.".to_owned(),
            quote: None,
        });
    }
    if form == Form::Post || places.is_empty() {
        return;
    }
    let all = document.words.len();
    let mut before = 0;
    let mut widest = (0, 0);
    for at in places.iter().map(|(at, _)| *at).chain([all]) {
        widest = widest.max((at.saturating_sub(before), before));
        before = at;
    }
    let gap = share(widest.0, all) * 100.0;
    if gap > 50.0 {
        let quote = document
            .sentence_at(widest.1 + widest.0 / 2)
            .and_then(|sentence| document.quote_sentence(sentence));
        findings.add(Found {
            rule: "seo.keyword-gap",
            severity: Severity::Minor,
            anchor: name,
            description: format!("For {gap:.0} % of the text '{name}' does not come up; half is too long."),
            suggestion: "Come back to it in the middle of the text.".to_owned(),
            quote,
        });
    }
}

fn subheadings(document: &DraftDocument<'_>, primary: &Keyword, findings: &mut Findings<'_>) {
    let all: Vec<bool> = document
        .headings()
        .filter(|(level, ..)| matches!(level, 2 | 3))
        .map(|(_, _, block)| primary.is_touched_by(document.block_words(block)))
        .collect();
    let with = all.iter().filter(|found| **found).count();
    let percent = share(with, all.len()) * 100.0;
    if all.len() >= 2 && !(30.0..=75.0).contains(&percent) {
        findings.add(Found {
            rule: "seo.keyword-in-subheadings",
            severity: Severity::Minor,
            anchor: &primary.text,
            description: format!(
                "{with} of {} subheadings speak of '{}' ({percent:.0} %); 30 to 75 % is usual.",
                all.len(),
                primary.text
            ),
            suggestion: if percent < 30.0 {
                "Name the subject in one or two more of them."
            } else {
                "Say in some of them what is new under them instead."
            }
            .to_owned(),
            quote: None,
        });
    }
}

fn secondary(document: &DraftDocument<'_>, form: Form, keywords: &Keywords, findings: &mut Findings<'_>) {
    let all = &keywords.secondary;
    if all.is_empty() || form == Form::Post {
        return;
    }
    let stems: BTreeSet<&str> = document.words.iter().map(|word| word.stem.as_str()).collect();
    let known = |keyword: &&Keyword| keyword.stems.iter().all(|stem| stems.contains(stem.as_str()));
    let absent: Vec<&str> =
        all.iter().filter(|keyword| !known(keyword)).map(|keyword| keyword.text.as_str()).collect();
    let found = all.len() - absent.len();
    if share(found, all.len()) < 0.6 {
        let named: Vec<&str> = absent.iter().take(5).copied().collect();
        findings.add(Found {
            rule: "seo.secondary-keywords",
            severity: Severity::Minor,
            anchor: "secondary",
            description: format!("{found} of {} supporting keywords come up; 60 % is the mark.", all.len()),
            suggestion: format!("Work in, where they fit: {}.", named.join(", ")),
            quote: None,
        });
    }
}

fn links(document: &DraftDocument<'_>, form: Form, findings: &mut Findings<'_>) {
    for link in &document.links {
        let label: Vec<String> = prose::words(&link.text).into_iter().map(|word| word.lower).collect();
        if GENERIC_LINKS.contains(&label.join(" ").as_str()) {
            findings.add(Found {
                rule: "seo.generic-link",
                severity: Severity::Minor,
                anchor: &link.href,
                description: format!(
                    "A link says '{}', which does not say where it leads.",
                    link.text.trim()
                ),
                suggestion: "Let the link say what is behind it.".to_owned(),
                quote: document.block(link.block).and_then(|block| {
                    let at = block.text.find(&link.text)?;
                    block.quote(at..at + link.text.len())
                }),
            });
        }
    }
    if form == Form::Article && !document.links.iter().any(|link| is_internal(&link.href)) {
        findings.add(Found {
            rule: "seo.no-internal-link",
            severity: Severity::Moderate,
            anchor: "links",
            description: "The article links to no other page of the site.".to_owned(),
            suggestion: "Link to one page that goes on from here, by its path.".to_owned(),
            quote: None,
        });
    }
}

fn is_internal(href: &str) -> bool {
    let scheme =
        href.split_once(':').is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    !href.is_empty() && !href.starts_with('#') && !href.starts_with("//") && !scheme
}

fn images(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    for image in document.images.iter().filter(|image| image.alt.trim().is_empty()) {
        findings.add(Found {
            rule: "seo.image-alt",
            severity: Severity::Moderate,
            anchor: &image.source,
            description: "An image has no text that stands for it.".to_owned(),
            suggestion: "Say in a few words what it shows.".to_owned(),
            quote: Some(&image.source),
        });
    }
}

fn questions(document: &DraftDocument<'_>, findings: &mut Findings<'_>) {
    for block in document.questions() {
        let text = block.text.trim();
        if !text.is_empty() && !text.ends_with(['?', '？']) {
            findings.add(Found {
                rule: "seo.faq-heading",
                severity: Severity::Minor,
                anchor: text,
                description: "A heading among the questions is not a question.".to_owned(),
                suggestion: "Ask it as a reader would, with a question mark.".to_owned(),
                quote: block.quote_all(),
            });
        }
    }
}
