//! Links, forms, pictures, scripts and styles whose address leads nowhere.

use std::collections::BTreeSet;

use jury_eye::{Beside, references_of_css};

use crate::checks::{DeadLink, dead_address, has_no_host, is_nowhere};
use crate::source::{Source, Tag};

/// Endings of fonts, without which a page is still whole.
const FONTS: [&str; 5] = [".woff", ".woff2", ".ttf", ".otf", ".eot"];

/// Attributes with which an element says that a script answers it, and where to.
const ANSWERED: [&str; 8] = [
    "onclick",
    "role",
    "aria-expanded",
    "aria-controls",
    "aria-haspopup",
    "data-toggle",
    "data-bs-toggle",
    "data-target",
];

/// What leads nowhere, with its place.
pub(super) fn dead(
    page: &str,
    source: &Source,
    known: &dyn Fn(&str) -> Option<bool>,
) -> Vec<(usize, String)> {
    let looker = Looker { page, source, known, ids: ids(source), code: code(page, source) };
    let mut found = Vec::new();
    for tag in &source.tags {
        let message = match tag.name.as_str() {
            "a" | "area" => looker.link(tag),
            "form" => looker.form(tag),
            "button" | "input" if tag.attribute("formaction").is_some() => looker.button(tag),
            "img" | "script" | "source" | "video" | "audio" | "iframe" | "embed" | "link" | "input" => {
                looker.file(tag)
            }
            _ => None,
        };
        found.extend(message.map(|message| (tag.span.start, message)));
    }
    for span in &source.styles {
        let css = page.get(span.clone()).unwrap_or_default();
        for address in references_of_css("", css) {
            let font = FONTS.iter().any(|ending| address.to_ascii_lowercase().ends_with(ending));
            if !font && known(&address) == Some(false) {
                found.push((
                    span.start,
                    format!("the style sheet needs {address}, which is not beside the page"),
                ));
            }
        }
    }
    found
}

fn ids(source: &Source) -> BTreeSet<&str> {
    let names = source.tags.iter().flat_map(|tag| [tag.attribute("id"), tag.attribute("name")]);
    names.flatten().map(|attribute| attribute.raw.as_str()).collect()
}

fn code(page: &str, source: &Source) -> String {
    source.scripts.iter().filter_map(|span| page.get(span.clone())).collect::<Vec<_>>().join("\n")
}

struct Looker<'a> {
    page: &'a str,
    source: &'a Source,
    known: &'a dyn Fn(&str) -> Option<bool>,
    ids: BTreeSet<&'a str>,
    /// The scripts in the page.
    code: String,
}

impl Looker<'_> {
    fn link(&self, tag: &Tag) -> Option<String> {
        let href = tag.attribute("href")?;
        if ANSWERED.iter().any(|name| tag.attribute(name).is_some()) || self.is_answered(tag) {
            return None;
        }
        let stands_for_this_page =
            tag.attribute("aria-current").is_some_and(|current| current.raw != "false");
        let switched_off = tag.attribute("aria-disabled").is_some_and(|off| off.raw == "true");
        let text = match tag.attribute("alt") {
            Some(alt) if tag.name == "area" => alt.raw.as_str(),
            _ => self.page.get(tag.span.end..).and_then(|rest| rest.split("</a").next()).unwrap_or_default(),
        };
        let written = &href.raw;
        let Some(reason) = dead_address(written, text, |id| self.ids.contains(id)) else {
            return self
                .missing(written)
                .then(|| format!("the link leads to {written}, which is not beside the page"));
        };
        match reason {
            DeadLink::Hash | DeadLink::Empty if stands_for_this_page || switched_off => None,
            DeadLink::Hash => Some("the link leads to # only".to_owned()),
            DeadLink::Empty => Some("the link has no address".to_owned()),
            DeadLink::Script => Some("the link leads to javascript:".to_owned()),
            DeadLink::NoTarget => Some(format!("the link leads to {written}, which is not on the page")),
            DeadLink::NoFile => Some(format!("the link leads to {written}, which is not beside the page")),
            DeadLink::Unreachable => {
                Some(format!("the link leads to {written}, which reaches no address or number"))
            }
            DeadLink::NoHost => Some(format!("the link leads to {written}, which names no host")),
        }
    }

    /// Whether a script in the page speaks of this very element.
    fn is_answered(&self, tag: &Tag) -> bool {
        tag.attribute("id").is_some_and(|id| {
            let quoted = |mark: char| [format!("{mark}{}{mark}", id.raw), format!("{mark}#{}{mark}", id.raw)];
            !id.raw.is_empty()
                && ['"', '\'', '`'].into_iter().flat_map(quoted).any(|written| self.code.contains(&written))
        })
    }

    fn form(&self, tag: &Tag) -> Option<String> {
        let action = tag.attribute("action")?;
        let dialog = tag.attribute("method").is_some_and(|method| method.raw.eq_ignore_ascii_case("dialog"));
        let searches = tag.attribute("role").is_some_and(|role| role.raw.eq_ignore_ascii_case("search"));
        if dialog || tag.attribute("onsubmit").is_some() || self.is_sent_by_script(tag) {
            return None;
        }
        // What is looked for in this page may be found in this page.
        let here = searches && matches!(action.raw.trim(), "" | "#");
        Self::dead_action(&action.raw).filter(|_| !here).map(|why| format!("the form leads {why}"))
    }

    fn button(&self, tag: &Tag) -> Option<String> {
        let action = tag.attribute("formaction")?;
        let answered = tag.attribute("onclick").is_some() || self.is_answered(tag);
        Self::dead_action(&action.raw).filter(|_| !answered).map(|why| format!("the button leads {why}"))
    }

    fn dead_action(written: &str) -> Option<String> {
        let action = written.trim().to_ascii_lowercase();
        match action.as_str() {
            "" => Some("to no address".to_owned()),
            "#" => Some("to # only".to_owned()),
            _ if has_no_host(&action) || is_nowhere(&action) => {
                Some(format!("to {written}, which names no host"))
            }
            _ => None,
        }
    }

    /// Whether a script may send a form: one in the page that speaks of sending, or one that is not in the page.
    fn is_sent_by_script(&self, form: &Tag) -> bool {
        let loaded =
            self.source.tags.iter().any(|tag| tag.name == "script" && tag.attribute("src").is_some());
        loaded || self.is_answered(form) || ["submit", "FormData"].iter().any(|word| self.code.contains(word))
    }

    fn file(&self, tag: &Tag) -> Option<String> {
        let (noun, name) = match tag.name.as_str() {
            "img" | "input" => ("picture", "src"),
            "script" => ("script", "src"),
            "link" if has_word(tag, "rel", "stylesheet") => ("style sheet", "href"),
            "link" => return None,
            "iframe" => ("frame", "src"),
            _ => ("file", "src"),
        };
        let poster = tag.attribute("poster").filter(|_| tag.name == "video");
        let written = tag.attribute(name).or(poster)?;
        let empty = written.raw.trim().is_empty();
        let lazy =
            tag.attributes.iter().any(|other| other.name.starts_with("data-") || other.name == "srcset");
        if empty && tag.name == "img" && !lazy && !self.is_answered(tag) {
            return Some("the picture has no address".to_owned());
        }
        if !empty && has_no_host(&written.raw.trim().to_ascii_lowercase()) {
            return Some(format!("the {noun} {} names no host", written.raw));
        }
        self.missing(&written.raw).then(|| format!("the {noun} {} is not beside the page", written.raw))
    }

    /// Whether it is known that there is no such file.
    fn missing(&self, written: &str) -> bool {
        let written = written.replace("&amp;", "&");
        Beside::name_of(&written).is_some_and(|name| (self.known)(&name) == Some(false))
    }
}

fn has_word(tag: &Tag, name: &str, word: &str) -> bool {
    tag.attribute(name)
        .is_some_and(|value| value.raw.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
}
