//! An article and a post from the documents: an outline that is filled with what they say, a hook with a value and a link.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jury_core::content::page::Item;

use super::library::{self, Library};
use super::page;
use super::sentences::{contains, count, sentences};
use crate::content::read::section::spaced;

/// An article in Markdown, or none when the documents have nothing to fill one with.
pub(super) fn article(library: &Library<'_>) -> Option<String> {
    let name = library.name();
    let keyword = library.keyword();
    let category = library::paragraphs(&library.part(library::CATEGORY));
    let why_now = library::paragraphs(&library.part(library::WHY_NOW));
    let (worth, values) = library::items(&library.part(library::VALUE));
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    let mut listed = |heading: &str, names: &[&str]| {
        let (intro, items) = library::items(&library.part(names));
        let mut texts = vec![intro];
        texts.extend(items.iter().map(led));
        texts.retain(|text| !text.is_empty());
        parts.push((heading.to_owned(), texts));
    };
    listed("What you may use instead", library::ALTERNATIVES);
    listed(&format!("What {name} does"), library::ATTRIBUTES);
    listed("How it works", library::STEPS);
    let worth_it = [vec![worth.clone()], values.iter().map(led).collect()].concat();
    parts.push(("What you get".to_owned(), worth_it));
    parts.push(("Who it is for".to_owned(), library::paragraphs(&library.part(library::CUSTOMER))));
    for (_, texts) in &mut parts {
        texts.retain(|text| !text.is_empty());
    }
    parts.retain(|(_, texts)| !texts.is_empty());
    if parts.is_empty() {
        return None;
    }

    let pool: Vec<String> = [vec![worth], category.clone()]
        .concat()
        .iter()
        .flat_map(|text| sentences(text))
        .map(str::to_owned)
        .collect();
    let given = library.label(&["article title", "working title", "headline of the article"]);
    let outline = library.list(&["article outline", "blog outline", "outline"]);
    let headline = given
        .or_else(|| outline.first().cloned())
        .unwrap_or_else(|| page::headline(library, &name, &category, &pool));
    let mut parts = filled(&outline, &headline, parts);

    // What it is about is said in the first paragraph, and not again as the first thing of a section.
    let has_keyword = |text: &&String| keyword.as_deref().is_some_and(|keyword| contains(text, keyword));
    let about = pool.iter().find(has_keyword).or_else(|| pool.first()).cloned().unwrap_or_default();
    let mut intro = why_now;
    match intro.first_mut() {
        Some(first) if !about.is_empty() => *first = format!("{first} {about}"),
        Some(_) => {}
        None => intro.push(about.clone()),
    }
    intro.retain(|text| !text.is_empty());
    for (_, texts) in &mut parts {
        texts.retain(|text| *text != about);
    }
    parts.retain(|(_, texts)| !texts.is_empty());
    let description = description(&intro, &pool, keyword.as_deref());
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let mut out = format!(
        "---\ntitle: {}\ndescription: {}\n---\n\n# {headline}\n\n",
        quoted(&headline),
        quoted(&description)
    );
    for paragraph in &intro {
        writeln!(out, "{paragraph}\n").ok();
    }
    for (heading, texts) in &parts {
        writeln!(out, "## {heading}\n").ok();
        for text in texts {
            writeln!(out, "{text}\n").ok();
        }
    }
    let questions = library.questions();
    if !questions.is_empty() {
        writeln!(out, "## Questions about {}\n", keyword.as_deref().unwrap_or(&name)).ok();
        for one in questions {
            writeln!(out, "### {}\n\n{}\n", one.question, one.answer).ok();
        }
    }
    if let (Some(cta), note) = library.action() {
        writeln!(out, "## Start with {name}\n").ok();
        if let Some(note) = note {
            writeln!(out, "{note}\n").ok();
        }
        writeln!(out, "[{}]({})\n", cta.label, cta.href).ok();
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    Some(out)
}

/// An item as a paragraph that begins with its title.
fn led(item: &Item) -> String {
    match (item.title.trim(), item.text.trim()) {
        (title, text) if !title.is_empty() && !text.is_empty() => {
            let stop = if title.ends_with(['.', '?', '!', ':']) { "" } else { "." };
            format!("**{title}{stop}** {text}")
        }
        (title, text) => format!("{title}{text}"),
    }
}

fn description(intro: &[String], pool: &[String], keyword: Option<&str>) -> String {
    let all = || intro.iter().chain(pool).flat_map(|text| sentences(text));
    let has_keyword = |text: &&str| keyword.is_some_and(|keyword| contains(text, keyword));
    let mut text = String::new();
    for sentence in all().filter(has_keyword).take(1).chain(all()) {
        let longer = text.chars().count() + 1 + sentence.chars().count();
        if longer <= 160 && !contains(&text, sentence) && (text.is_empty() || text.ends_with(['.', '?', '!']))
        {
            text = if text.is_empty() { sentence.to_owned() } else { format!("{text} {sentence}") };
        }
        if text.chars().count() >= 120 {
            break;
        }
    }
    text
}

/// The parts under the headings of an outline, each text where it has most words in common with the heading. What fits
/// nowhere keeps its own heading; a heading that nothing fits is left out, because nothing is invented for it.
fn filled(
    outline: &[String],
    headline: &str,
    parts: Vec<(String, Vec<String>)>,
) -> Vec<(String, Vec<String>)> {
    let outline: Vec<&String> = outline.iter().filter(|heading| *heading != headline).collect();
    let stems: Vec<BTreeSet<String>> = outline.iter().map(|heading| words(heading)).collect();
    let mut under: Vec<Vec<String>> = vec![Vec::new(); outline.len()];
    let mut rest: Vec<(String, Vec<String>)> = Vec::new();
    for (heading, texts) in parts {
        let mut kept = Vec::new();
        for text in texts {
            let own = words(&text);
            let shared = stems.iter().map(|stems| stems.intersection(&own).count());
            // The first of the best: an outline is in order.
            let best = shared.enumerate().max_by_key(|(index, shared)| (*shared, usize::MAX - index));
            match best {
                Some((index, shared)) if shared > 1 => {
                    if let Some(place) = under.get_mut(index) {
                        place.push(text);
                    }
                }
                _ => kept.push(text),
            }
        }
        if !kept.is_empty() {
            rest.push((heading, kept));
        }
    }
    let mut all: Vec<(String, Vec<String>)> = outline.into_iter().cloned().zip(under).collect();
    all.retain(|(_, texts)| !texts.is_empty());
    all.extend(rest);
    all
}

/// The beginnings of the longer words: near enough to their stems to compare headings with texts.
fn words(text: &str) -> BTreeSet<String> {
    let spaced = spaced(text);
    let long = spaced.split(' ').filter(|word| word.chars().count() > 3);
    let common = ["what", "when", "your", "with", "that", "this", "from", "each", "they", "them", "have"];
    long.filter(|word| !common.contains(word)).map(|word| word.chars().take(5).collect()).collect()
}

/// A post: a hook, a value, a link.
pub(super) fn post(library: &Library<'_>) -> Option<String> {
    let why_now = library::paragraphs(&library.part(library::WHY_NOW));
    let category = library::paragraphs(&library.part(library::CATEGORY));
    let (worth, values) = library::items(&library.part(library::VALUE));
    let first = |texts: &[String]| {
        texts.first().and_then(|text| sentences(text).first().map(|one| (*one).to_owned()))
    };
    let hooks = library.list(&["hooks", "opening lines", "hook"]);
    let hook = hooks.into_iter().next().or_else(|| first(&why_now));
    let spoken: Vec<String> = values.iter().map(library::spoken).collect();
    let value = first(&[worth]).or_else(|| spoken.first().cloned()).or_else(|| first(&category));
    let mut paragraphs: Vec<String> =
        [hook, value].into_iter().flatten().filter(|text| !text.is_empty()).collect();
    if paragraphs.is_empty() {
        return None;
    }
    if let (Some(cta), _) = library.action() {
        paragraphs.push(format!("[{}]({})", cta.label, cta.href));
    }
    let tags = library.list(&["hashtags", "tags"]);
    let tags: Vec<String> =
        tags.into_iter().filter(|tag| tag.starts_with('#') && count(tag) == 1).take(2).collect();
    if !tags.is_empty() {
        paragraphs.push(tags.join(" "));
    }
    Some(format!("{}\n", paragraphs.join("\n\n")))
}
