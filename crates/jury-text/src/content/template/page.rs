//! A landing page from the documents: what it is, why now, what it does, how it works, what it is worth, what it replaces,
//! whom it is for, and what to do.

use jury_core::content::Page;
use jury_core::content::page::{Hero, Item, Section};

use super::library::{self, Library};
use super::sentences::{capital, clipped, contains, count, sentences};

/// The longest title that a search result shows.
const TITLE: usize = 60;
/// How long a description is that a search result shows whole and well.
const DESCRIPTION: std::ops::RangeInclusive<usize> = 120..=160;
/// The most words under a headline.
const UNDER: usize = 30;

/// The page, or none when the documents say nothing that one could be made of.
pub(super) fn page(library: &Library<'_>) -> Option<Page> {
    let name = library.name();
    let keyword = library.keyword();
    let category = library::paragraphs(&library.part(library::CATEGORY));
    let why_now = library::paragraphs(&library.part(library::WHY_NOW));
    let customer = library::paragraphs(&library.part(library::CUSTOMER));
    let (worth, values) = library::items(&library.part(library::VALUE));
    let (before, attributes) = library::items(&library.part(library::ATTRIBUTES));
    if category.is_empty() && customer.is_empty() && worth.is_empty() && values.is_empty() {
        return None;
    }
    let (cta, note) = library.action();

    // Where a sentence can come from, the most telling first.
    let texts = |items: &[Item]| items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    let pool: Vec<String> =
        [vec![worth.clone()], category.clone(), texts(&values), texts(&attributes), customer.clone()]
            .concat()
            .iter()
            .flat_map(|text| sentences(text))
            .map(str::to_owned)
            .collect();
    let telling: Vec<String> = [vec![worth.clone()], category.clone(), customer.clone()].concat();
    let headline = headline(library, &name, &category, &telling);
    let other: Vec<String> = pool.iter().filter(|sentence| !contains(&headline, sentence)).cloned().collect();
    let subheadline = subheadline(library, &other, keyword.as_deref(), &why_now);
    let is_said = |sentence: &&str| contains(&subheadline, sentence) || contains(&headline, sentence);
    let unsaid = |paragraphs: &[String]| -> Vec<String> {
        let rest = |text: &String| {
            sentences(text).into_iter().filter(|one| !is_said(one)).collect::<Vec<_>>().join(" ")
        };
        paragraphs.iter().map(rest).filter(|text| !text.is_empty()).collect()
    };

    let mut sections = Vec::new();
    let text = |heading: String, paragraphs: Vec<String>| {
        (!paragraphs.is_empty()).then_some(Section::Text { heading, paragraphs })
    };
    sections.extend(text(format!("What {name} is"), unsaid(&category)));
    sections.extend(text("Why now".to_owned(), why_now));
    sections.extend(features(format!("What {name} does"), before, attributes));
    let (intro, items) = library::items(&library.part(library::STEPS));
    if !items.is_empty() {
        sections.push(Section::Steps { heading: "How it works".to_owned(), intro, items });
    }
    sections.extend(features("What you get".to_owned(), unsaid(&[worth]).join("\n\n"), values));
    let (intro, items) = library::items(&library.part(library::ALTERNATIVES));
    if !items.is_empty() {
        let heading = format!("{name} and what you may use instead");
        sections.push(Section::Alternatives { heading, intro, items });
    }
    sections.extend(text("Who it is for".to_owned(), unsaid(&customer)));
    let quotes = library.quotes();
    if !quotes.is_empty() {
        sections.push(Section::Proof { heading: "What others say".to_owned(), quotes });
    }
    let items = library.questions();
    if !items.is_empty() {
        let heading = match &keyword {
            Some(keyword) => format!("Questions about {keyword}"),
            None => format!("Questions about {name}"),
        };
        sections.push(Section::Faq { heading, items });
    }
    if let Some(cta) = &cta {
        let heading = library.label(&["closing headline", "closing heading"]);
        let heading = heading.unwrap_or_else(|| format!("Start with {name}"));
        sections.push(Section::Action { heading, text: note.clone().unwrap_or_default(), cta: cta.clone() });
    }
    let title = title(library, &name, &headline, keyword.as_deref());
    let description = description(library, keyword.as_deref(), &subheadline, &pool);
    Some(Page { name, title, description, hero: Hero { headline, subheadline, cta, note }, sections })
}

/// Items with titles, or paragraphs when there are no items.
fn features(heading: String, intro: String, items: Vec<Item>) -> Option<Section> {
    if items.is_empty() {
        let paragraphs: Vec<String> =
            intro.split("\n\n").filter(|text| !text.is_empty()).map(str::to_owned).collect();
        return (!paragraphs.is_empty()).then_some(Section::Text { heading, paragraphs });
    }
    Some(Section::Features { heading, intro, items })
}

/// The headline that a document gives, or else a short sentence about the product, or its name and what it is.
pub(super) fn headline(library: &Library<'_>, name: &str, category: &[String], pool: &[String]) -> String {
    if let Some(given) = library.label(&["headline", "hero headline", "h1", "tagline", "one liner"]) {
        return given;
    }
    let kind = category.first().map(|text| clause(text)).filter(|kind| (1..=7).contains(&count(kind)));
    let all = || pool.iter().flat_map(|text| sentences(text));
    let short = all().find(|sentence| (3..=8).contains(&count(sentence)));
    match (short, kind) {
        (Some(sentence), _) => sentence.trim_end_matches('.').to_owned(),
        (None, Some(kind)) => format!("{name}: {kind}"),
        (None, None) => all().next().map_or_else(|| name.to_owned(), |text| clause(text).to_owned()),
    }
}

/// What a sentence says before its first mark.
fn clause(text: &str) -> &str {
    let sentence = sentences(text).first().copied().unwrap_or_default();
    let end = sentence.find([':', ';', ',', '.']).unwrap_or(sentence.len());
    sentence.get(..end).unwrap_or(sentence).trim()
}

/// What stands under the headline: why now, if there is room, and the sentence about the value that has the keyword.
fn subheadline(library: &Library<'_>, pool: &[String], keyword: Option<&str>, why_now: &[String]) -> String {
    if let Some(given) = library.label(&["subheadline", "subheading", "hero subheadline"]) {
        return given;
    }
    let fits = |sentence: &&String| (4..=UNDER).contains(&count(sentence));
    let has_keyword = |sentence: &&String| keyword.is_some_and(|keyword| contains(sentence, keyword));
    let chosen = pool
        .iter()
        .find(|sentence| fits(sentence) && has_keyword(sentence))
        .or_else(|| pool.iter().find(fits));
    let chosen = chosen.map_or("", String::as_str);
    let now = why_now.first().and_then(|text| sentences(text).first().copied()).unwrap_or_default();
    if chosen.is_empty() || now.is_empty() || count(now) + count(chosen) > UNDER || !chosen.ends_with('.') {
        return if chosen.is_empty() { now.to_owned() } else { chosen.to_owned() };
    }
    format!("{now} {chosen}")
}

/// The title that a document gives, or else the keyword or the headline with the name.
pub(super) fn title(library: &Library<'_>, name: &str, headline: &str, keyword: Option<&str>) -> String {
    let given = library.search_label(&["title tag", "page title", "meta title", "seo title", "title"]);
    let made = |text: &str| if contains(text, name) { text.to_owned() } else { format!("{text} | {name}") };
    let keyword = keyword.map(|keyword| made(&capital(keyword)));
    let candidates = [given, Some(made(headline)), keyword, Some(headline.to_owned()), Some(name.to_owned())];
    let mut candidates = candidates.into_iter().flatten().filter_map(|title| clipped(&title, TITLE));
    candidates.next().unwrap_or_default()
}

/// The description that a document gives, or else sentences that fill it, the one with the keyword first.
pub(super) fn description(
    library: &Library<'_>,
    keyword: Option<&str>,
    lead: &str,
    pool: &[String],
) -> String {
    if let Some(given) = library.search_label(&["meta description", "seo description", "description"]) {
        return given;
    }
    let most = *DESCRIPTION.end();
    let length = |text: &str| text.chars().count();
    let has_keyword = |text: &str| keyword.is_some_and(|keyword| contains(text, keyword));
    let all = || sentences(lead).into_iter().chain(pool.iter().map(String::as_str));
    let first = all()
        .find(|text| has_keyword(text) && length(text) <= most)
        .or_else(|| all().find(|text| length(text) <= most));
    let Some(first) = first else {
        return all().next().and_then(|text| clipped(text, most)).unwrap_or_default();
    };
    let mut text = first.to_owned();
    let ends = |text: &str| text.ends_with(['.', '?', '!']);
    for sentence in all() {
        let longer = length(&text) + 1 + length(sentence);
        if length(&text) >= *DESCRIPTION.start() {
            break;
        }
        if longer <= most && ends(&text) && ends(sentence) && !contains(&text, sentence) {
            text = format!("{text} {sentence}");
        }
    }
    text
}
