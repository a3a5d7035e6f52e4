//! Structured data: it parses, has the fields that its kinds need, and says nothing that the page does not show.

use serde_json::Value;

use super::super::dom::Dom;
use super::super::escape::normal;
use super::{Validation, seen, some};

/// What each kind needs to have.
const FIELDS: &[(&str, &[&str])] = &[
    ("Organization", &["name", "url"]),
    ("WebSite", &["name", "url"]),
    ("Blog", &["name", "url"]),
    ("BlogPosting", &["headline", "datePublished", "author", "url"]),
    ("FAQPage", &["mainEntity"]),
];

pub(super) fn check(path: &str, dom: &Dom, found: &mut Validation) {
    let mut kinds = Vec::new();
    for id in dom.all("script").filter(|id| dom.attribute(*id, "type") == Some("application/ld+json")) {
        let line = Some(dom.line(id));
        let Ok(value) = serde_json::from_str::<Value>(&dom.text(id)) else {
            found.error(path, line, "json_ld", "the structured data is not JSON");
            continue;
        };
        if value.get("@context").and_then(Value::as_str) != Some("https://schema.org") {
            found.error(path, line, "json_ld", "the structured data has no @context of https://schema.org");
        }
        let things = value.get("@graph").and_then(Value::as_array).cloned().unwrap_or_else(|| vec![value]);
        for thing in &things {
            let kind = thing.get("@type").and_then(Value::as_str).unwrap_or_default();
            kinds.push(kind.to_owned());
            let Some((_, fields)) = FIELDS.iter().find(|(known, _)| *known == kind) else {
                found.error(path, line, "json_ld", format!("'{}' is no kind that a site has", some(kind)));
                continue;
            };
            for field in fields.iter().filter(|field| is_empty(thing.get(**field))) {
                found.error(path, line, "json_ld", format!("{kind} has no {field}"));
            }
            if kind == "FAQPage" {
                questions(path, line, dom, thing, found);
            }
        }
    }
    for kind in ["Organization", "WebSite"] {
        if path == "index.html" && !kinds.iter().any(|known| known == kind) {
            found.error(path, None, "json_ld", format!("there is no structured data of a {kind}"));
        }
    }
}

fn is_empty(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(Value::Object(fields)) => fields.is_empty(),
        Some(Value::Bool(_) | Value::Number(_)) => false,
    }
}

fn questions(path: &str, line: Option<u64>, dom: &Dom, page: &Value, found: &mut Validation) {
    let shown = seen(dom).main;
    for question in page.get("mainEntity").and_then(Value::as_array).into_iter().flatten() {
        let name = question.get("name").and_then(Value::as_str).unwrap_or_default();
        let answer = question.pointer("/acceptedAnswer/text").and_then(Value::as_str).unwrap_or_default();
        if name.trim().is_empty() || answer.trim().is_empty() {
            found.error(path, line, "json_ld", "a question needs a name and an accepted answer with a text");
        } else if !shown.contains_key(&normal(name)) || !shown.contains_key(&normal(answer)) {
            found.error(
                path,
                line,
                "json_ld",
                format!("a question that the page does not show: {}", some(name)),
            );
        }
    }
}
