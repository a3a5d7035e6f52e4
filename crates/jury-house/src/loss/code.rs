//! The scripts of a page, what answers its events, and the pictures that its styles paint.

use std::collections::BTreeSet;
use std::ops::Range;

use jury_text::code_comments::script_comments;
use jury_text::html_tags::html_tags;

use super::inventory::address;
use crate::source::is_code;

/// A statement that keeps less than this share of its words is another one, or gone.
const SAME_STATEMENT_SHARE: f64 = 0.5;

/// How much of a script is told.
const TOLD_CHARACTERS: usize = 60;

/// The scripts of a page.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    /// The addresses of those that are loaded.
    pub(super) loaded: Vec<String>,
    /// Those in the page, without their comments.
    pub(super) written: Vec<String>,
    /// What stands in the page for scripts and is not carried out.
    data: Vec<String>,
    /// What attributes such as `onclick` do.
    pub(super) handlers: Vec<String>,
}

/// Reads the scripts of a page.
pub(super) fn scripts(html: &str) -> Scripts {
    let mut found = Scripts::default();
    for tag in html_tags(html) {
        for (name, value) in &tag.attributes {
            let code = value.trim();
            if name.starts_with("on") && !code.is_empty() {
                found.handlers.push(code.to_owned());
            }
        }
        if tag.name != "script" {
            continue;
        }
        match tag.attribute("src").map(str::trim).filter(|src| !src.is_empty()) {
            Some(src) => found.loaded.push(src.to_owned()),
            None if is_code(tag.attribute("type")) => found.written.push(without_comments(&tag.text)),
            None => found.data.push(tag.text),
        }
    }
    found.written.retain(|code| words(code).next().is_some());
    found.data.retain(|code| words(code).next().is_some());
    found
}

fn without_comments(code: &str) -> String {
    let mut plain = String::new();
    let mut at = 0;
    for Range { start, end } in script_comments(code) {
        plain.push_str(code.get(at..start).unwrap_or_default());
        plain.push(' ');
        at = end;
    }
    plain.push_str(code.get(at..).unwrap_or_default());
    plain
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|ch: char| !(ch.is_alphanumeric() || ch == '_' || ch == '$')).filter(|word| word.len() > 1)
}

impl Scripts {
    /// The statements of the scripts in the page of which there is less than half in another one. A script may be put
    /// differently; what it does is in its statements, one by one.
    pub(super) fn missing_in(&self, other: &Self) -> Vec<String> {
        let mut missing = missing_of(&self.written, &other.written);
        missing.extend(missing_of(&self.data, &other.data));
        missing
    }
}

/// The statements of some scripts of which there is less than half in others.
fn missing_of(own: &[String], others: &[String]) -> Vec<String> {
    let there: BTreeSet<&str> = others.iter().flat_map(|code| words(code)).collect();
    let is_there = |statement: &str| {
        let own: BTreeSet<&str> = words(statement).collect();
        let kept = own.iter().filter(|word| there.contains(*word)).count();
        share(kept, own.len()) >= SAME_STATEMENT_SHARE
    };
    let mut missing: Vec<String> = Vec::new();
    for code in own {
        let gone: Vec<&str> = statements(code).filter(|statement| !is_there(statement)).collect();
        // One that is gone as a whole is told once.
        let told = if gone.len() > 1 && gone.len() * 2 > statements(code).count() {
            vec![code.as_str()]
        } else {
            gone
        };
        missing.extend(told.iter().map(|code| code.trim().chars().take(TOLD_CHARACTERS).collect()));
    }
    missing
}

/// The statements of a script, roughly: what stands between semicolons, braces and the ends of lines.
fn statements(code: &str) -> impl Iterator<Item = &str> {
    code.split([';', '{', '}', '\n', '\r']).filter(|statement| words(statement).next().is_some())
}

#[expect(clippy::cast_precision_loss, reason = "words of a script are few")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// What answers the events of a page.
pub(super) mod handlers {
    use super::Scripts;

    /// Ways in which a script answers an event.
    const ANSWERS: [&str; 3] = ["addEventListener", ".on", "@click"];

    /// Attributes such as `onclick` that are gone, unless scripts answer so many events more.
    pub(in super::super) fn missing(before: &Scripts, after: &Scripts) -> Vec<String> {
        let squeezed = |code: &str| code.chars().filter(|ch| !ch.is_whitespace()).collect::<String>();
        let mut left: Vec<String> = after.handlers.iter().map(|code| squeezed(code)).collect();
        let mut gone = Vec::new();
        for code in &before.handlers {
            match left.iter().position(|other| *other == squeezed(code)) {
                Some(index) => drop(left.swap_remove(index)),
                None => gone.push(code.clone()),
            }
        }
        let answers = |scripts: &Scripts| -> usize {
            let count = |code: &String| ANSWERS.iter().map(|word| code.matches(word).count()).sum::<usize>();
            scripts.written.iter().map(count).sum()
        };
        let moved = answers(after).saturating_sub(answers(before));
        // One listener may answer for many elements.
        if moved > 0 { Vec::new() } else { gone }
    }
}

/// The addresses of pictures that style sheets and `style` attributes paint.
pub(super) fn painted(html: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let lower = html.to_ascii_lowercase();
    for (at, _) in lower.match_indices("url(") {
        let rest = html.get(at + 4..).unwrap_or_default();
        let Some((inside, _)) = rest.split_once(')') else { continue };
        let written = inside.trim().trim_matches(['"', '\'']).replace("&quot;", "");
        let font = [".woff", ".woff2", ".ttf", ".otf", ".eot"].iter().any(|ending| {
            written.to_ascii_lowercase().split(['?', '#']).next().unwrap_or_default().ends_with(ending)
        });
        let written = written.trim();
        let kept = address(written);
        if !written.is_empty()
            && !written.starts_with('#')
            && !font
            && !written.starts_with("data:")
            && !found.contains(&kept)
        {
            found.push(kept);
        }
    }
    found
}
