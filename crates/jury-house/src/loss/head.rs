//! What the head of a page says to search machines, to the tab, to those who listen, and to the browser.

use jury_eye::{Snapshot, foreign_host};
use jury_text::html_tags::{HtmlTag, html_tags};
use jury_text::language;
use jury_text::loss::plain_words;

/// What of the head of a page is another thing in a draft, or is there where it was not and changes what the page may do.
pub(super) fn altered(sources: [&str; 2], snapshots: [&Snapshot; 2]) -> Vec<String> {
    let [given, draft] = sources.map(html_tags);
    let mut found = Vec::new();
    found.extend(title([&given, &draft], snapshots[0]));
    found.extend(spoken([&given, &draft], snapshots[0]));
    let said = |tags: &[HtmlTag]| -> Vec<String> { tags.iter().filter_map(command).collect() };
    let before = said(&given);
    // A page may be called by an address of its own place.
    let is_own = |one: &String| {
        let address = one.strip_prefix("canonical ").and_then(foreign_host);
        address.is_some_and(|host| sources[0].contains(&host))
            && !before.iter().any(|one| one.starts_with("canonical "))
    };
    found.extend(said(&draft).into_iter().filter(|one| !before.contains(one) && !is_own(one)));
    // Where all addresses start from.
    let after = said(&draft);
    let is_base = |one: &&String| one.starts_with("base ");
    found.extend(before.iter().filter(is_base).filter(|one| !after.contains(one)).cloned());
    found
}

/// What a tag of the head orders: not to be found, to be taken for another page, to start addresses elsewhere, to forbid.
fn command(tag: &HtmlTag) -> Option<String> {
    let value = |name: &str| tag.attribute(name).unwrap_or_default().trim().to_ascii_lowercase();
    match tag.name.as_str() {
        // Another site is told as a place that is reached.
        "base" if foreign_host(tag.attribute("href")?).is_some() => None,
        "base" => Some(format!("base {}", tag.attribute("href")?.trim())),
        "link" if value("rel").split_whitespace().any(|word| word == "canonical") => {
            Some(format!("canonical {}", tag.attribute("href")?.trim()))
        }
        "meta" if matches!(value("name").as_str(), "robots" | "googlebot" | "bingbot") => {
            let content = value("content");
            let forbids = content.contains("no");
            forbids.then(|| format!("{} {content}", value("name")))
        }
        "meta" => {
            let order = value("http-equiv");
            let harmless = matches!(
                order.as_str(),
                "" | "content-type" | "x-ua-compatible" | "content-language" | "refresh"
            );
            (!harmless).then(|| format!("{order} {}", value("content")))
        }
        _ => None,
    }
}

fn text_of<'a>(tags: &'a [HtmlTag], name: &str) -> &'a str {
    tags.iter().find(|tag| tag.name == name).map_or("", |tag| tag.text.trim())
}

/// The title, when it said what the page is about and says nothing of it any more.
fn title([given, draft]: [&[HtmlTag]; 2], page: &Snapshot) -> Option<String> {
    let (was, is) = (text_of(given, "title"), text_of(draft, "title"));
    let (old, new) = (plain_words(was), plain_words(is));
    let seen: Vec<String> =
        page.nodes.iter().filter(|node| node.shown).flat_map(|node| plain_words(&node.text)).collect();
    let about = old.iter().filter(|word| seen.contains(word)).count();
    let kept = old.iter().filter(|word| new.contains(word)).count();
    (!old.is_empty() && about * 2 >= old.len() && kept * 2 < old.len()).then(|| format!("title {was}"))
}

/// The language, when the words do not tell the new one.
fn spoken([given, draft]: [&[HtmlTag]; 2], page: &Snapshot) -> Option<String> {
    let of = |tags: &[HtmlTag]| {
        let tag = tags.iter().find(|tag| tag.name == "html")?;
        tag.attribute("lang").map(language::primary).filter(|lang| !lang.is_empty())
    };
    let was = of(given)?;
    let is = of(draft);
    if is.as_ref() == Some(&was) {
        return None;
    }
    let words: Vec<&str> =
        page.nodes.iter().filter(|node| node.shown).map(|node| node.text.as_str()).collect();
    let told = language::detect(&words.join(" "));
    let right = is.as_deref().is_some_and(|lang| told == Some(lang) && told != Some(was.as_str()));
    (!right && language::is_known(&was)).then(|| format!("lang {was}"))
}
