//! Links that lead nowhere: to files, to headings, to definitions that are not there. Nothing is fetched, so links
//! to other hosts are not examined.

use super::passage::Mark;
use std::collections::{BTreeMap, BTreeSet};

use super::read::{Broken, Document, Link};
use super::{Found, ahead, cut};

impl Link {
    /// The part before `#` and `?` as a path from the folder of the document, if it is one that can be looked for.
    pub(super) fn path(&self) -> Option<String> {
        let target = self.target.trim();
        let end = target.find(['#', '?']).unwrap_or(target.len());
        let path = decoded(cut(target, 0..end));
        let rooted = path.starts_with('/') || path.starts_with('~') || path.starts_with('\\');
        if path.is_empty() || rooted || has_scheme(target) || is_template(&path) || path.contains("::") {
            return None;
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => {
                    parts.pop();
                }
                _ => parts.push(part),
            }
        }
        // Pages that rustdoc makes.
        let page =
            parts.last().and_then(|last| last.strip_suffix(".html")).and_then(|page| page.split_once('.'));
        let items = [
            "struct", "trait", "enum", "macro", "fn", "mod", "type", "constant", "derive", "attr", "union",
            "static",
        ];
        if page.is_some_and(|(kind, _)| items.contains(&kind)) {
            return None;
        }
        // Addresses of the page of a repository, which look like paths.
        let forge = [
            "issues",
            "pull",
            "pulls",
            "wiki",
            "actions",
            "releases",
            "discussions",
            "compare",
            "commit",
            "tree",
            "blob",
        ];
        let up = parts.iter().take_while(|part| **part == "..").count();
        if up >= 2 && parts.get(up).is_some_and(|part| forge.contains(part)) {
            return None;
        }
        Some(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
    }

    /// Whether there is no address, or one that names no place: `http://`.
    fn leads_nowhere(&self) -> bool {
        let target = self.target.trim();
        let place = target.split_once("://").map_or(target, |(_, place)| place);
        place.is_empty()
    }

    fn fragment(&self) -> Option<String> {
        let (_, fragment) = self.target.trim().split_once('#')?;
        Some(decoded(fragment))
    }
}

/// Links to files that are not there, references without a definition.
pub(super) fn dead_links(document: &Document<'_>) -> Found {
    let mut found = Found::default();
    for link in document.links.iter().filter(|link| link.leads_nowhere()) {
        found.examined += 1;
        found.add(
            link.offset,
            &link.text,
            "the link has no address".to_owned(),
            "write where it leads, or take the link out",
        );
    }
    for link in document.links.iter().filter(|link| !link.leads_nowhere()) {
        let Some(path) = link.path() else { continue };
        let Some(exists) = document.surroundings.exists(&path) else { continue };
        found.examined += 1;
        if !exists {
            found.add(
                link.offset,
                &link.target,
                format!("{path} does not exist"),
                "name a file that exists, or take the link out",
            );
        }
    }
    let versions = document.definitions.iter().filter(|definition| is_version(&definition.label)).count();
    for broken in document.broken.iter().filter(|broken| is_reference(document, broken, versions)) {
        found.examined += 1;
        found.add(
            broken.span.start,
            cut(document.text, broken.span.clone()),
            format!("there is no definition of [{}]", broken.label),
            format!("add a line [{}]: …, or write the text without brackets", broken.label),
        );
    }
    let notes: BTreeSet<&str> = document.footnotes.iter().map(|note| note.label.as_str()).collect();
    for passage in &document.passages {
        for (at, _) in passage.text.match_indices("[^") {
            let label = ahead(&passage.text, at + 2, 40).split(']').next().unwrap_or_default();
            let closed = passage.text.get(at + 2 + label.len()..).is_some_and(|rest| rest.starts_with(']'));
            if closed && !notes.contains(label) && is_note(label) && !passage.is(Mark::Code, at) {
                found.examined += 1;
                found.add(
                    passage.source(at),
                    &format!("[^{label}]"),
                    format!("there is no footnote {label}"),
                    format!("add [^{label}]: …, or take the mark out"),
                );
            }
        }
    }
    found.examined +=
        document.links.iter().filter(|link| link.label.is_some() && link.path().is_none()).count();
    found.examined += document.notes.len();
    found
}

/// Whether brackets without a definition were meant as a reference.
fn is_reference(document: &Document<'_>, broken: &Broken, versions: usize) -> bool {
    let label = broken.label.trim();
    // Footnotes are looked for in the text.
    if label.starts_with('^') {
        return false;
    }
    if broken.shortcut {
        // A changelog that links its versions and forgot one.
        return versions >= 2
            && (is_version(label) || label.eq_ignore_ascii_case("unreleased"))
            && opens_heading(cut(document.text, 0..broken.span.start));
    }
    let before = cut(document.text, 0..broken.span.start).chars().next_back();
    // `table[row][column]` is an expression, `[A][crate::A]` is for rustdoc.
    let glued = before
        .is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | ']' | ')' | '\\' | '`'));
    let followed = cut(document.text, broken.span.end..document.text.len()).starts_with('[');
    let source = cut(document.text, broken.span.clone());
    let words = label.chars().any(char::is_alphanumeric);
    words
        && !glued
        && !followed
        && !label.contains("::")
        && !label.contains('(')
        && !label.starts_with(['`', '-', '<'])
        && !(matches!(source.get(..3), Some("[ ]" | "[x]"))
            && begins_entry(cut(document.text, 0..broken.span.start)))
        && label.len() < 80
}

/// Whether nothing but the mark of an entry stands in the last line of a text: what follows may be the box of a task.
fn begins_entry(before: &str) -> bool {
    let marks = before
        .trim_end_matches([' ', '\t', '-', '*', '+', '.', ')'])
        .trim_end_matches(|c: char| c.is_ascii_digit());
    marks.len() < before.len() && (marks.is_empty() || marks.ends_with('\n'))
}

/// Whether nothing but the marks of a heading stands in the last line of a text. It looks no further back than they
/// reach: a line may be long and have many brackets.
fn opens_heading(before: &str) -> bool {
    let marks = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
    let line = marks.trim_end_matches('#');
    line.len() < marks.len() && (line.is_empty() || line.ends_with('\n'))
}

/// Whether `[^label]` is a footnote: `[^a-z]` is an expression.
fn is_note(label: &str) -> bool {
    let plain = label.chars().all(|character| character.is_alphanumeric() || matches!(character, '-' | '_'));
    plain && !label.is_empty() && !label.contains("a-z") && !label.contains("A-Z") && !label.contains("0-9")
}

/// Links to headings that are not there, in this document or a sibling that was looked at.
pub(super) fn dead_anchors(document: &Document<'_>) -> Found {
    let mut found = Found::default();
    let mut letters_of: BTreeMap<String, BTreeMap<String, &str>> = BTreeMap::new();
    for link in &document.links {
        let Some(fragment) = link.fragment().filter(|fragment| !fragment.is_empty()) else { continue };
        let here = link.target.trim().starts_with('#');
        let anchors = if here {
            Some(&document.anchors)
        } else {
            link.path().and_then(|path| document.surroundings.anchors(&path))
        };
        let Some(anchors) = anchors else { continue };
        if is_built_in(&fragment) {
            continue;
        }
        found.examined += 1;
        if anchors.contains(&fragment) {
            continue;
        }
        let place = if here { "this document".to_owned() } else { link.path().unwrap_or_default() };
        let known = letters_of.entry(place.clone()).or_insert_with(|| by_letters(anchors));
        let suggestion = match closest(known, &fragment) {
            Some(close) => format!("write #{close}"),
            None => "link to a heading that exists, or add an anchor".to_owned(),
        };
        found.add(
            link.offset,
            &link.target,
            format!("no heading in {place} has the anchor #{fragment}"),
            suggestion,
        );
    }
    found
}

/// Anchors that pages have without a heading: footnotes, the top, lines of code, words of the text.
fn is_built_in(fragment: &str) -> bool {
    fragment == "top"
        || fragment.starts_with(":~:")
        || fragment.starts_with("fn")
        || fragment.starts_with("user-content-")
        || fragment.starts_with('/')
        || fragment.starts_with('!')
        || fragment
            .strip_prefix('L')
            .is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
        || is_template(fragment)
}

/// Anchors by their letters and digits alone, to find the one that was meant.
fn by_letters(anchors: &BTreeSet<String>) -> BTreeMap<String, &str> {
    anchors.iter().map(|anchor| (letters(anchor), anchor.as_str())).collect()
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The same letters, or the first that begins with them.
fn closest<'a>(anchors: &BTreeMap<String, &'a str>, fragment: &str) -> Option<&'a str> {
    let wanted = letters(fragment);
    let (found, anchor) = anchors.range(wanted.clone()..).next()?;
    (*found == wanted || (wanted.len() > 4 && found.starts_with(&wanted))).then_some(*anchor)
}

fn has_scheme(target: &str) -> bool {
    if target.starts_with("//") {
        return true;
    }
    let Some((scheme, _)) = target.split_once(':') else { return false };
    let mut characters = scheme.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && characters
            .all(|character| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.'))
}

fn is_template(text: &str) -> bool {
    ["{", "}", "<", ">", "$", "…", "..."].iter().any(|mark| text.contains(mark))
        || ["url", "link", "path"].contains(&text)
        || text.contains('*')
}

fn is_version(label: &str) -> bool {
    let label = label.strip_prefix('v').unwrap_or(label);
    label.starts_with(|first: char| first.is_ascii_digit()) && label.contains('.')
}

fn decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let ahead = rest.clone();
        let pair: Vec<u8> = ahead.take(2).collect();
        let value = std::str::from_utf8(&pair)
            .ok()
            .filter(|pair| pair.len() == 2)
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match value {
            Some(value) if byte == b'%' => {
                bytes.push(value);
                rest.next();
                rest.next();
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The ids and names of HTML elements.
pub(super) fn ids(html: &str) -> Vec<String> {
    ["id", "name"].iter().flat_map(|name| attributes(html, name)).map(|(_, value)| value).collect()
}

/// Links and images that are written as HTML.
pub(super) fn in_html(html: &str, offset: usize) -> Vec<Link> {
    let mut links = Vec::new();
    for name in ["href", "src"] {
        for (at, target) in attributes(html, name) {
            links.push(Link { target, label: None, offset: offset + at, text: String::new() });
        }
    }
    links
}

/// The longest value of an attribute that is looked at: no path and no name of an anchor is longer.
const LONGEST_VALUE: usize = 4096;

/// The values of an attribute, with their places.
fn attributes(html: &str, name: &str) -> Vec<(usize, String)> {
    let mut values = Vec::new();
    for (at, _) in html.match_indices(name) {
        let before = cut(html, 0..at).chars().next_back();
        if !before.is_some_and(char::is_whitespace) {
            continue;
        }
        let rest = cut(html, at + name.len()..html.len()).trim_start();
        let Some(rest) = rest.strip_prefix('=') else { continue };
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
        let rest = rest.get(usize::from(quote.is_some())..).unwrap_or_default();
        let near = ahead(rest, 0, LONGEST_VALUE);
        let end = match quote {
            Some(quote) => near.find(quote),
            None => near.find(|c: char| c.is_whitespace() || c == '>'),
        };
        let value = match end {
            Some(end) => cut(near, 0..end),
            None if near.len() == rest.len() => near,
            // A value without an end is none.
            None => continue,
        };
        values.push((at, value.to_owned()));
    }
    values
}
