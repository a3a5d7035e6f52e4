//! What a page reaches beyond itself that nobody sees on it: where scripts, frames, forms and redirects lead.
//!
//! What a draft adds in sight is reviewed by the panel. What it adds out of sight (a script of another site, a form that
//! sends elsewhere, a link that no eye finds) nobody has reviewed, and the page would do it in the user's name.

use std::collections::BTreeSet;
use std::ops::Range;

use jury_eye::{foreign_host, percent_decoded};
use jury_text::code_comments::{ScriptPart, script_comments, script_parts, style_comments};
use jury_text::html_tags::{HtmlTag, html_tags};
use jury_text::loss::Sight;

use super::inventory::Inventory;
use crate::source::is_code;

/// Names of formats, which nothing is loaded from.
const FORMATS: [&str; 3] = ["www.w3.org", "schema.org", "ogp.me"];

/// Ways in which a script makes code of text, or stays behind in the browser. What it reaches cannot be read from it.
const OPAQUE: [&str; 6] = ["eval", "Function", "atob", "fromCharCode", "importScripts", "serviceWorker"];

const FORM: &str = "a form";

/// A picture smaller than this, in pixels, is no picture to anybody who looks.
const SEEN_PIXELS: f32 = 16.0;

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
    let mut known = hosts(given);
    known.extend(mail_hosts(given));
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
    let small = |size: Option<(f32, f32)>| size.is_none_or(|(width, height)| width.min(height) < SEEN_PIXELS);
    let links = draft.links.iter().filter(|link| hidden(link.sight));
    let links = links.filter_map(|link| reach("a link out of sight", &link.written));
    let pictures = draft.pictures.iter().filter(|picture| hidden(picture.sight) || small(picture.size));
    let pictures = pictures.flat_map(|picture| picture.sources.iter().chain([&picture.address]));
    let pictures = pictures.filter_map(|source| reach("a picture out of sight", source));
    // A form of the draft's own is seen, and what is in it; a field that belongs to none may be sent by any.
    let sends = |action: &str| action.is_empty() || given.forms.iter().any(|form| form.action == action);
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

/// Attributes that are read and not followed, whatever address stands in them.
const READ: [&str; 10] =
    ["alt", "title", "placeholder", "label", "summary", "value", "cite", "itemtype", "vocab", "prefix"];

/// Elements that carry out, or show as a page of its own, what an address is made of.
const CARRIERS: [&str; 9] =
    ["script", "iframe", "frame", "embed", "object", "portal", "link", "form", "base"];

/// Everything that a page reaches without being asked by a reader who sees where.
fn of(html: &str) -> BTreeSet<Reach> {
    let mut found = BTreeSet::new();
    for tag in html_tags(html) {
        for (name, value) in &tag.attributes {
            of_attribute(&tag, name, value, &mut found);
        }
        match tag.name.as_str() {
            "script" if is_inert(tag.attribute("type")) => {}
            "script" => of_code(&tag.text, &mut found),
            "style" => of_styles(&tag.text, &mut found),
            _ => {}
        }
    }
    found
}

/// Whether a script is data that no browser follows.
fn is_inert(kind: Option<&str>) -> bool {
    let kind = kind.unwrap_or_default().trim().to_ascii_lowercase();
    !is_code(Some(&kind)) && !matches!(kind.as_str(), "importmap" | "speculationrules")
}

fn of_attribute(tag: &HtmlTag, name: &str, value: &str, found: &mut BTreeSet<Reach>) {
    if name.starts_with("on") {
        return of_code(value, found);
    }
    if name == "style" {
        return of_styles(value, found);
    }
    // A link is seen, and so is where it leads.
    let is_link = matches!(tag.name.as_str(), "a" | "area") && name.ends_with("href");
    let tells = matches!(tag.name.as_str(), "meta" | "data" | "input" | "option" | "button" | "param");
    if READ.contains(&name) || name.starts_with("aria-") || name.starts_with("xmlns") {
        return;
    }
    if name == "srcdoc" {
        found.extend(of(value));
        return;
    }
    if name == "content" && tells {
        let refresh = tag.attribute("http-equiv").unwrap_or_default().trim().eq_ignore_ascii_case("refresh");
        let address = value.split_once(['=', ';']).filter(|_| refresh);
        found.extend(address.map(|(_, to)| Reach { how: "a redirect", to: to.trim().to_owned() }));
        return;
    }
    let scheme: String = value.chars().filter(|ch| !ch.is_control() && *ch != ' ').take(12).collect();
    let scheme = scheme.to_ascii_lowercase();
    if scheme.starts_with("javascript:") {
        of_code(&String::from_utf8_lossy(&percent_decoded(value)), found);
    } else if scheme.starts_with("data:")
        && (CARRIERS.contains(&tag.name.as_str()) && !is_icon(tag) || is_link)
    {
        found.insert(Reach { how: "an address that is a page or a script itself", to: "data:".to_owned() });
    }
    // What a page says that it is called loads nothing.
    let is_name = tag.name == "link"
        && tag.attribute("rel").is_some_and(|rel| rel.trim().eq_ignore_ascii_case("canonical"));
    // Pictures are seen, or told where they are not.
    let is_picture = matches!(tag.name.as_str(), "img" | "source") && matches!(name, "src" | "srcset");
    if is_link || is_name || is_picture {
        return;
    }
    let how = match (tag.name.as_str(), name) {
        ("form", "action") => FORM,
        ("script", _) => "a script",
        ("iframe" | "frame" | "embed" | "object" | "portal", _) => "a frame",
        ("base", _) => "all addresses",
        ("a" | "area" | "button" | "input", "ping" | "formaction") => "a form or link",
        _ => "something that is loaded",
    };
    let one = host(value).into_iter();
    found.extend(one.chain(hosts(value)).map(|to| Reach { how, to }));
}

/// Whether a `link` loads a picture for the tab.
fn is_icon(tag: &HtmlTag) -> bool {
    let rel = tag.attribute("rel").unwrap_or_default().to_ascii_lowercase();
    tag.name == "link" && rel.split_ascii_whitespace().any(|word| word.ends_with("icon"))
}

/// What a style sheet loads.
fn of_styles(css: &str, found: &mut BTreeSet<Reach>) {
    let plain = without(css, &style_comments(css));
    let plain = unescaped(&plain, Escapes::Css);
    let mut hosts = hosts(&plain);
    // An address has one slash, or two the other way round, and leads there all the same.
    let lower = plain.to_ascii_lowercase();
    for (at, _) in lower.match_indices("url(") {
        let inside = plain.get(at + 4..).and_then(|rest| rest.split(')').next()).unwrap_or_default();
        hosts.extend(host(inside.trim().trim_matches(['"', '\''])));
    }
    found.extend(hosts.into_iter().map(|to| Reach { how: "something that a style loads", to }));
}

/// The hosts and opaque words in a script.
pub(super) fn of_script(code: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    of_code(code, &mut found);
    found.into_iter().map(|reach| reach.to).collect()
}

fn of_code(code: &str, found: &mut BTreeSet<Reach>) {
    let plain = without(code, &script_comments(code));
    let told = |to: String| Reach { how: "a script", to };
    found.extend(hosts(&unescaped(&plain, Escapes::Script)).into_iter().map(told));
    for (part, span) in script_parts(code) {
        if part == ScriptPart::Text {
            let text = code.get(span).unwrap_or_default().trim_matches(['"', '\'', '`']);
            found.extend(host(&unescaped(text, Escapes::Script)).map(told));
        }
    }
    let words = plain.split(|ch: char| !(ch.is_alphanumeric() || ch == '_' || ch == '$'));
    for word in words.filter(|word| OPAQUE.contains(word)) {
        found.insert(Reach { how: "code that cannot be read", to: word.to_owned() });
    }
}

/// A text with a space in the place of these parts.
fn without(text: &str, parts: &[Range<usize>]) -> String {
    let mut plain = String::new();
    let mut at = 0;
    for part in parts {
        plain.push_str(text.get(at..part.start).unwrap_or_default());
        plain.push(' ');
        at = part.end;
    }
    plain.push_str(text.get(at..).unwrap_or_default());
    plain
}

/// The ways to write a character by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// `\2f`, with a space behind it that belongs to it.
    Css,
    /// `\x2f`, `\u002f`, `\u{2f}`, and `\/`.
    Script,
}

fn unescaped(text: &str, escapes: Escapes) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        plain.push_str(before);
        let digits = |from: usize, most: usize| {
            let tail = behind.get(from..).unwrap_or_default();
            tail.bytes().take(most).take_while(u8::is_ascii_hexdigit).count()
        };
        let first = behind.chars().next();
        let (from, length, end) = match (escapes, first) {
            (Escapes::Css, _) => (0, digits(0, 6), 0),
            (Escapes::Script, Some('x')) => (1, digits(1, 2), 0),
            (Escapes::Script, Some('u')) if behind.get(1..2) == Some("{") => (2, digits(2, 6), 1),
            (Escapes::Script, Some('u')) => (1, digits(1, 4), 0),
            (Escapes::Script, _) => (0, 0, 0),
        };
        let code = behind.get(from..from + length).and_then(|code| u32::from_str_radix(code, 16).ok());
        if let Some(ch) = code.and_then(char::from_u32) {
            plain.push(ch);
            rest = behind.get(from + length + end..).unwrap_or_default();
            if escapes == Escapes::Css {
                rest = rest.strip_prefix(|ch: char| ch.is_ascii_whitespace()).unwrap_or(rest);
            }
        } else {
            plain.extend(first);
            rest = behind.get(first.map_or(0, char::len_utf8)..).unwrap_or_default();
        }
    }
    plain.push_str(rest);
    plain
}

/// The host that an address names, if it names one.
fn host(address: &str) -> Option<String> {
    foreign_host(address).filter(|host| !FORMATS.contains(&host.as_str()))
}

/// The hosts of all addresses in a text. What follows two slashes is one where a scheme, a quote or nothing stands before
/// them.
fn hosts(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("//") {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        if before.is_none_or(|before| matches!(before, ':' | '"' | '\'' | '`' | '=' | '(')) {
            // Names of hosts have 253 letters at most.
            let rest: String = text.get(at..).unwrap_or_default().chars().take(300).collect();
            let end =
                rest.find(|ch: char| ch.is_whitespace() || "\"'`<>);,".contains(ch)).unwrap_or(rest.len());
            found.extend(host(rest.get(..end).unwrap_or_default()));
        }
    }
    found
}

/// The hosts of mail addresses in a text: who has a mail address at a place is at home there.
fn mail_hosts(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
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
