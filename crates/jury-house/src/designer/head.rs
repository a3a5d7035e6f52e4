//! Repairs in the head of a page: language, title, viewport.

use jury_text::language;

use crate::checks::{body_text, forbids_zoom, headings};
use crate::page::Page;

use super::edit::{Repair, attribute_value};

/// The language that the words of the page tell. Somebody who knows it should confirm it; where they do not tell, nobody
/// guesses.
pub(super) fn language(page: &Page<'_>) -> Option<Repair> {
    let lang = language::detect(&body_text(page))?;
    let reason = format!("lang=\"{lang}\" on html, from the words of the page");
    let Some(tag) = page.source.tags.iter().find(|tag| tag.name == "html") else {
        let at = after_doctype(&page.html);
        let inserted = Repair::insert("a11y/lang", at, format!("<html lang=\"{lang}\">"), reason);
        return Some(inserted.inventing_words());
    };
    let repair = match tag.attribute("lang") {
        // A known language that only looks wrong was somebody's decision.
        Some(written) if language::is_known(&written.raw) => return None,
        Some(written) => Repair::one("a11y/lang", written.span.clone(), format!("lang=\"{lang}\""), reason),
        None => Repair::insert("a11y/lang", tag.insertion_point(), format!(" lang=\"{lang}\""), reason),
    };
    Some(repair.inventing_words())
}

pub(super) fn title(page: &Page<'_>) -> Option<Repair> {
    let heading = headings(page).into_iter().find(|node| !node.name.is_empty())?;
    let mut text = heading.name.clone();
    if text.chars().count() > 70 {
        let short: String = text.chars().take(70).collect();
        text = short.rsplit_once(' ').map_or(short.clone(), |(head, _)| head.to_owned());
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    let reason = format!("title \"{text}\", from the first heading");
    let existing = page.source.tags.iter().find(|tag| tag.name == "title");
    Some(match existing {
        Some(tag) => {
            let end = page.html.get(tag.span.end..)?.find("</")? + tag.span.end;
            Repair::one("a11y/title", tag.span.end..end, escaped, reason)
        }
        None => Repair::insert("a11y/title", head_point(page), format!("<title>{escaped}</title>"), reason),
    })
}

pub(super) fn viewport(page: &Page<'_>) -> Option<Repair> {
    if page.snapshot.page.viewport_meta.is_some() {
        return None;
    }
    Some(Repair::insert(
        "a11y/viewport",
        head_point(page),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        "meta viewport added",
    ))
}

pub(super) fn zoom(page: &Page<'_>) -> Option<Repair> {
    let content = page
        .source
        .tags
        .iter()
        .filter(|tag| tag.name == "meta")
        .filter(|tag| tag.attribute("name").is_some_and(|name| name.raw.eq_ignore_ascii_case("viewport")))
        .find_map(|tag| tag.attribute("content"))?;
    forbids_zoom(&content.raw)?;
    let kept: Vec<&str> = content
        .raw
        .split([',', ';'])
        .map(str::trim)
        .filter(|part| {
            let key = part.split('=').next().unwrap_or_default().trim().to_ascii_lowercase();
            !part.is_empty() && key != "user-scalable" && key != "maximum-scale"
        })
        .collect();
    let value =
        if kept.is_empty() { "width=device-width, initial-scale=1".to_owned() } else { kept.join(", ") };
    Some(Repair::one(
        "a11y/zoom",
        content.span.clone(),
        format!("content=\"{}\"", attribute_value(&value)),
        "zoom allowed in meta viewport",
    ))
}

/// Where an element can be added to the head: behind the character set, which must come early.
pub(super) fn head_point(page: &Page<'_>) -> usize {
    let tags = &page.source.tags;
    let end_of = |name: &str| tags.iter().find(|tag| tag.name == name).map(|tag| tag.span.end);
    tags.iter()
        .find(|tag| tag.name == "meta" && tag.attribute("charset").is_some())
        .map(|tag| tag.span.end)
        .or_else(|| end_of("head"))
        .or_else(|| {
            tags.iter()
                .find(|tag| matches!(tag.name.as_str(), "title" | "meta" | "style" | "link"))
                .map(|tag| tag.span.start)
        })
        .or_else(|| end_of("html"))
        .unwrap_or_else(|| after_doctype(&page.html))
}

fn after_doctype(html: &str) -> usize {
    let lead = html.len() - html.trim_start_matches('\u{feff}').trim_start().len();
    let is_doctype = html.get(lead..lead + 9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
    if is_doctype {
        html.get(lead..).and_then(|rest| rest.find('>')).map_or(lead, |end| lead + end + 1)
    } else {
        lead
    }
}
