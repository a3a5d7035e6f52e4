//! What a page reaches beyond itself that nobody sees on it: where scripts, frames, forms and redirects lead.
//!
//! What a draft adds in sight is reviewed by the panel. What it adds out of sight (a script of another site, a form that
//! sends elsewhere, a link that no eye finds) nobody has reviewed, and the page would do it in the user's name.

use std::collections::BTreeSet;

use jury_core::markup::{MarkupPiece, Scanner, Tag};
use jury_text::code_comments::script_comments;
use jury_text::loss::Sight;

use super::inventory::Inventory;
use crate::source::is_code;

/// Names of formats, which nothing is loaded from.
const FORMATS: [&str; 3] = ["www.w3.org", "schema.org", "ogp.me"];

/// Ways in which a script makes code of text, or stays behind in the browser. What it reaches cannot be read from it.
const OPAQUE: [&str; 6] = ["eval", "Function", "atob", "fromCharCode", "importScripts", "serviceWorker"];

const FORM: &str = "a form";

/// What a page reaches, and how.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reach {
    how: &'static str,
    /// A host, or a word of a script.
    pub(super) to: String,
}

impl Reach {
    /// Whether it is where a form leads.
    pub(super) fn is_form(&self) -> bool {
        self.how == FORM
    }

    pub(super) fn told(&self) -> String {
        format!("{} ({})", self.to, self.how)
    }
}

/// What of a draft reaches further than the page that was handed in.
pub(super) fn added(sources: [&str; 2], inventories: [&Inventory; 2]) -> Vec<Reach> {
    let [given, draft] = sources;
    let known = hosts(given);
    let before: BTreeSet<Reach> = of(given);
    let mut added: BTreeSet<Reach> = of(draft).difference(&before).cloned().collect();
    added.extend(unseen(inventories));
    let is_known = |reach: &Reach| known.iter().any(|host| is_of(&reach.to, host));
    added.into_iter().filter(|reach| !is_known(reach)).collect()
}

/// Whether a host is another one, a part of it, or the other way round.
fn is_of(host: &str, other: &str) -> bool {
    let under = |one: &str, other: &str| one.strip_suffix(other).is_some_and(|rest| rest.ends_with('.'));
    host == other || other.contains('.') && under(host, other) || host.contains('.') && under(other, host)
}

/// Links and pictures that nobody sees, and fields that nobody sees in a form that was handed in.
fn unseen([given, draft]: [&Inventory; 2]) -> Vec<Reach> {
    let hidden = |sight: Sight| sight == Sight::Hidden;
    let links = draft.links.iter().filter(|link| hidden(link.sight));
    let links = links.filter_map(|link| reach("a link out of sight", &link.written));
    let pictures = draft.pictures.iter().filter(|picture| hidden(picture.sight));
    let pictures = pictures.filter_map(|picture| reach("a picture out of sight", &picture.address));
    let sends = |action: &str| given.forms.iter().any(|form| !action.is_empty() && form.action == action);
    let fields = draft.fields.iter().filter(|field| field.kind == "hidden" && sends(&field.action));
    let fields = fields.filter_map(|field| {
        let name = field.name.as_ref()?;
        let is_new = given.fields.iter().all(|other| other.name.as_ref() != Some(name));
        is_new.then(|| Reach { how: "a field out of sight", to: name.clone() })
    });
    links.chain(pictures).chain(fields).collect()
}

fn reach(how: &'static str, address: &str) -> Option<Reach> {
    host(address).map(|to| Reach { how, to })
}

/// Everything that a page reaches without being asked by a reader who sees where.
fn of(html: &str) -> BTreeSet<Reach> {
    let mut found = BTreeSet::new();
    let mut scanner = Scanner::new(html);
    while let Some(piece) = scanner.next() {
        let MarkupPiece::Start(tag) = piece else { continue };
        for attribute in &tag.attributes {
            let value = attribute.raw.replace("&amp;", "&");
            if attribute.name.starts_with("on")
                || value.trim_start().to_lowercase().starts_with("javascript:")
            {
                found.extend(of_code(&value));
            }
            if matches!(attribute.name.as_str(), "ping" | "formaction" | "srcdoc") {
                let how = if attribute.name == "srcdoc" { "a frame" } else { "a form or link" };
                found.extend(hosts(&unescaped(&value)).into_iter().map(|to| Reach { how, to }));
            }
        }
        found.extend(of_tag(&tag));
        match tag.name.as_str() {
            "script" => {
                let body = scanner.raw_text("script");
                let code = html.get(body).unwrap_or_default();
                if is_code(tag.attribute("type")) {
                    found.extend(of_code(code));
                }
            }
            "style" | "textarea" | "title" | "xmp" | "iframe" | "noembed" | "noframes" => {
                scanner.raw_text(&tag.name);
            }
            _ => {}
        }
    }
    found
}

fn of_tag(tag: &Tag<'_>) -> Option<Reach> {
    match tag.name.as_str() {
        "script" => reach("a script", tag.attribute("src")?),
        "iframe" | "frame" | "embed" => reach("a frame", tag.attribute("src")?),
        "object" => reach("a frame", tag.attribute("data")?),
        "form" => reach(FORM, tag.attribute("action")?),
        "base" => reach("all addresses", tag.attribute("href")?),
        "meta" => {
            let refresh = tag.attribute("http-equiv")?.trim().eq_ignore_ascii_case("refresh");
            let content = tag.attribute("content").filter(|_| refresh)?;
            let (_, address) = content.split_once(['=', ';'])?;
            Some(Reach { how: "a redirect", to: address.trim().to_owned() })
        }
        _ => None,
    }
}

fn of_code(code: &str) -> Vec<Reach> {
    let mut plain = String::new();
    let mut at = 0;
    for comment in script_comments(code) {
        plain.push_str(code.get(at..comment.start).unwrap_or_default());
        plain.push(' ');
        at = comment.end;
    }
    plain.push_str(code.get(at..).unwrap_or_default());
    let mut found: Vec<Reach> = hosts(&plain).into_iter().map(|to| Reach { how: "a script", to }).collect();
    let words = plain.split(|ch: char| !(ch.is_alphanumeric() || ch == '_' || ch == '$'));
    for word in words.filter(|word| OPAQUE.contains(word)) {
        found.push(Reach { how: "code that cannot be read", to: word.to_owned() });
    }
    found
}

/// The host that an address names, if it names one.
fn host(address: &str) -> Option<String> {
    // Names of hosts have 253 letters at most.
    let lower: String = address.trim().chars().take(300).collect::<String>().to_ascii_lowercase();
    let rest = ["https:", "http:", "wss:", "ws:"].iter().find_map(|scheme| lower.strip_prefix(scheme));
    let rest = rest.unwrap_or(&lower).strip_prefix("//")?;
    let host = rest.split(['/', '?', '#', '\\', '"', '\'', '`', '<', '>', ' ', ')', ';', ',']).next()?;
    let host = host.rsplit('@').next()?.split(':').next()?;
    (host.starts_with(char::is_alphanumeric) && !FORMATS.contains(&host)).then(|| host.to_owned())
}

/// The hosts of all addresses in a text. What follows two slashes is one where a scheme or a quote stands before them.
fn hosts(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("//") {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        if before.is_some_and(|before| matches!(before, ':' | '"' | '\'' | '`' | '=' | '(')) {
            found.extend(host(text.get(at..).unwrap_or_default()));
        }
    }
    // Who has a mail address at a place is at home there.
    for (at, _) in text.match_indices('@') {
        let rest = text.get(at + 1..).unwrap_or_default();
        let end = rest.find(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '.' | '-')));
        let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default().trim_matches('.');
        if name.contains('.') {
            found.insert(name.to_ascii_lowercase());
        }
    }
    found
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'")
}
