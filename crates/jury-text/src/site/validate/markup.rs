//! What a page has to have, and what it must not have: its head, its headings, its pictures, its fields, its names.

use std::collections::BTreeSet;

use super::super::dom::{Dom, Id, Kind};
use super::super::escape::normal;
use super::{Validation, some};
use crate::content::GENERIC_LINKS;

/// The content of a `meta` by its name or property.
pub(super) fn meta<'a>(dom: &'a Dom, wanted: &str) -> Option<&'a str> {
    dom.within(0).into_iter().find_map(|id| {
        let is_it = dom.name(id) == Some("meta")
            && (dom.attribute(id, "name") == Some(wanted) || dom.attribute(id, "property") == Some(wanted));
        is_it.then(|| dom.attribute(id, "content")).flatten()
    })
}

/// What a page that can be found has to say to those who show it elsewhere.
const SHOWN_ELSEWHERE: [&str; 8] = [
    "og:type",
    "og:title",
    "og:description",
    "og:url",
    "og:site_name",
    "twitter:card",
    "twitter:title",
    "twitter:description",
];

pub(super) fn check(path: &str, dom: &Dom, found: &mut Validation) {
    for (line, message) in &dom.errors {
        found.error(path, Some(*line), "parse", format!("the parser complains: {message}"));
    }
    if dom.too_large {
        found.error(path, None, "size", "it has more parts than are looked at");
    }
    head(path, dom, found);
    headings(path, dom, found);
    parts(path, dom, found);
    names(path, dom, found);
}

fn head(path: &str, dom: &Dom, found: &mut Validation) {
    let html = dom.all("html").next();
    if html.and_then(|id| dom.attribute(id, "lang")).is_none_or(|lang| lang.trim().is_empty()) {
        found.error(path, None, "lang", "the html element says no language");
    }
    let titles: Vec<Id> = dom.all("title").filter(|id| !dom.is_within(*id, &["svg"])).collect();
    let title = titles.first().map(|id| normal(&dom.text(*id))).unwrap_or_default();
    if titles.len() != 1 || title.is_empty() {
        found.error(path, None, "title", "a page has one title, and it is not empty");
    }
    let has = |name: &str| meta(dom, name).is_some_and(|content| !content.trim().is_empty());
    for name in ["description", "viewport"].iter().filter(|name| !has(name)) {
        found.error(path, None, "meta", format!("there is no meta {name}"));
    }
    if meta(dom, "viewport").is_some_and(|said| {
        let said = said.replace(' ', "").to_ascii_lowercase();
        said.contains("user-scalable=no") || said.contains("maximum-scale=1")
    }) {
        found.error(path, None, "viewport", "readers must be able to zoom");
    }
    if !dom
        .all("meta")
        .any(|id| dom.attribute(id, "charset").is_some_and(|set| set.eq_ignore_ascii_case("utf-8")))
    {
        found.error(path, None, "charset", "there is no meta charset of utf-8");
    }
    // What is not to be found needs no address of its own.
    if !meta(dom, "robots").is_some_and(|said| said.contains("noindex")) {
        for name in SHOWN_ELSEWHERE.iter().filter(|name| !has(name)) {
            found.error(path, None, "meta", format!("there is no meta {name}"));
        }
        let canonical: Vec<Id> =
            dom.all("link").filter(|id| dom.attribute(*id, "rel") == Some("canonical")).collect();
        let address = canonical.first().and_then(|id| dom.attribute(*id, "href")).unwrap_or_default();
        let absolute = address.starts_with("https://") || address.starts_with("http://");
        if canonical.len() != 1 || !absolute {
            found.error(
                path,
                None,
                "canonical",
                "a page has one canonical address, beginning with https:// or http://",
            );
        } else if meta(dom, "og:url") != Some(address) {
            found.error(path, None, "canonical", "og:url is not the canonical address");
        }
        let long = |text: &str, from: usize, to: usize| !(from..=to).contains(&text.chars().count());
        if long(&title, 10, 70) {
            found.warning(path, None, "title", "search results show 30 to 60 characters of a title well");
        }
        if long(&normal(meta(dom, "description").unwrap_or_default()), 50, 165) {
            found.warning(
                path,
                None,
                "meta",
                "search results show 120 to 160 characters of a description well",
            );
        }
    }
}

fn headings(path: &str, dom: &Dom, found: &mut Validation) {
    let level = |id: Id| match dom.name(id) {
        Some("h1") => Some(1),
        Some("h2") => Some(2),
        Some("h3") => Some(3),
        Some("h4") => Some(4),
        Some("h5") => Some(5),
        Some("h6") => Some(6),
        _ => None,
    };
    let all: Vec<(Id, u8)> = dom.within(0).into_iter().filter_map(|id| Some((id, level(id)?))).collect();
    let first = all.iter().filter(|(_, level)| *level == 1).count();
    if first != 1 {
        found.error(path, None, "one_h1", format!("a page has one h1, this one has {first}"));
    }
    let mut before = 0;
    for (id, level) in all {
        let text = dom.text(id);
        if normal(&text).is_empty() {
            found.error(path, Some(dom.line(id)), "empty_heading", format!("an h{level} without words"));
        }
        if level > before + 1 {
            let text = format!("h{level} follows h{before}: {}", some(&text));
            found.error(path, Some(dom.line(id)), "heading_order", text);
        }
        before = level;
    }
}

/// Attributes that are a script.
fn runs(name: &str) -> bool {
    name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("on")) && name.len() > 2
}

fn parts(path: &str, dom: &Dom, found: &mut Validation) {
    if dom.all("main").count() != 1 {
        found.error(path, None, "landmarks", "a page has one main element");
    }
    for id in dom.within(0) {
        let Some(name) = dom.name(id) else { continue };
        let line = Some(dom.line(id));
        match name {
            "img" if dom.attribute(id, "alt").is_none() => {
                found.error(path, line, "img_alt", "a picture without alt");
            }
            "script"
                if dom.attribute(id, "type") != Some("application/ld+json")
                    || dom.attribute(id, "src").is_some() =>
            {
                found.error(path, line, "runs", "a script: nothing in a site runs");
            }
            "style" => found.error(path, line, "runs", "a style element: styles are in styles.css"),
            "iframe" | "object" | "embed" | "base" | "meta" if is_foreign(dom, id, name) => {
                found.error(path, line, "loads", format!("{name} brings in what is not of the site"));
            }
            "input" | "select" | "textarea" => field(path, dom, id, found),
            "a" if dom.attribute(id, "href").is_some() => link_text(path, dom, id, found),
            "button" if accessible_name(dom, id).is_empty() => {
                found.error(path, line, "labels", "a button without words");
            }
            _ => {}
        }
        if let Some(Kind::Element { attributes, .. }) = dom.node(id).map(|node| &node.kind) {
            for (name, _) in attributes.iter().filter(|(name, _)| runs(name) || name == "style") {
                found.error(
                    path,
                    line,
                    "runs",
                    format!("an attribute {name}: nothing in a site runs or styles itself"),
                );
            }
        }
    }
}

fn is_foreign(dom: &Dom, id: Id, name: &str) -> bool {
    name != "meta" || dom.attribute(id, "http-equiv").is_some_and(|said| said.eq_ignore_ascii_case("refresh"))
}

fn link_text(path: &str, dom: &Dom, id: Id, found: &mut Validation) {
    let name = accessible_name(dom, id);
    let line = Some(dom.line(id));
    if name.is_empty() {
        found.error(path, line, "link_name", "a link without words");
    } else if GENERIC_LINKS.contains(&name.to_lowercase().as_str()) {
        found.warning(path, line, "link_text", format!("'{name}' does not say where the link leads"));
    }
}

fn accessible_name(dom: &Dom, id: Id) -> String {
    if let Some(label) = dom.attribute(id, "aria-label").filter(|label| !label.trim().is_empty()) {
        return normal(label);
    }
    let mut text = dom.text(id);
    for inner in dom.within(id) {
        if dom.name(inner) == Some("img") {
            text.push(' ');
            text.push_str(dom.attribute(inner, "alt").unwrap_or_default());
        }
    }
    normal(&text)
}

fn field(path: &str, dom: &Dom, id: Id, found: &mut Validation) {
    if dom.attribute(id, "type").is_some_and(|kind| ["hidden", "submit", "button", "reset"].contains(&kind)) {
        return;
    }
    let own = dom.attribute(id, "id");
    let said = |id: Id| !normal(&dom.text(id)).is_empty();
    let labelled = dom.attribute(id, "aria-label").is_some_and(|label| !label.trim().is_empty())
        || dom.all("label").any(|label| own.is_some() && dom.attribute(label, "for") == own && said(label))
        || dom.is_within(id, &["label"]);
    if !labelled {
        found.error(path, Some(dom.line(id)), "labels", "a field without a label");
    }
}

fn names(path: &str, dom: &Dom, found: &mut Validation) {
    let mut taken = BTreeSet::new();
    for id in dom.within(0) {
        if let Some(name) = dom.attribute(id, "id")
            && !taken.insert(name)
        {
            found.error(path, Some(dom.line(id)), "ids", format!("the id '{}' is taken", some(name)));
        }
    }
}
