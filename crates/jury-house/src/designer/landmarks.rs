//! Repairs of landmarks: a main part for a page that has none, where it is plain which part that is: all that no other
//! landmark holds. Other landmarks say what something is for. That is nothing a class name or a rule can tell.
//!
//! A role on an element that is there already is the first choice. Where the content lies in several elements side
//! by side, they get one element around them, which changes no layout or is refused by the guard.

use std::ops::Range;

use jury_eye::{Node, NodeId};

use crate::page::Page;

use super::Ways;
use super::edit::Repair;

/// Where the words of a page are and which of them no landmark holds.
struct Map<'a> {
    page: &'a Page<'a>,
    /// By element: characters inside it that no landmark holds.
    loose: Vec<usize>,
}

impl<'a> Map<'a> {
    fn of(page: &'a Page<'a>) -> Self {
        let nodes = &page.snapshot.nodes;
        let mut loose = vec![0; nodes.len()];
        let mut inside = vec![false; nodes.len()];
        for node in nodes {
            let around = node.parent.is_some_and(|parent| inside.get(parent.index()) == Some(&true));
            let landmark = is_landmark(node);
            if let Some(slot) = inside.get_mut(node.id.index()) {
                *slot = around || landmark;
            }
            // Hidden words count too: a main part must hold the page, not the one slide that is shown.
            if !around
                && !landmark
                && is_read(node)
                && let Some(slot) = loose.get_mut(node.id.index())
            {
                *slot = node.text.len().max(1);
            }
        }
        for node in nodes.iter().rev() {
            let Some(parent) = node.parent.map(NodeId::index) else { continue };
            let words = loose.get(node.id.index()).copied().unwrap_or_default();
            if let Some(slot) = loose.get_mut(parent) {
                *slot += words;
            }
        }
        Self { page, loose }
    }

    fn loose(&self, node: &Node) -> usize {
        self.loose.get(node.id.index()).copied().unwrap_or_default()
    }

    fn children(&self, node: &Node) -> Vec<&'a Node> {
        let mut children = Vec::new();
        let mut next = node.id.index() + 1;
        while next < node.subtree_end.index() {
            let Some(child) = self.page.snapshot.nodes.get(next) else { break };
            children.push(child);
            next = child.subtree_end.index().max(next + 1);
        }
        children
    }

    /// Whether an element holds something only the top of a page may: its banner or its closing words.
    fn holds_frame(&self, node: &Node) -> bool {
        let frame = |node: &Node| matches!(node.role.as_deref(), Some("banner" | "contentinfo"));
        frame(node) || self.page.snapshot.descendants(node).any(frame)
    }
}

fn is_landmark(node: &Node) -> bool {
    match node.role.as_deref() {
        Some(
            "main" | "navigation" | "complementary" | "search" | "banner" | "contentinfo" | "dialog"
            | "alertdialog" | "status" | "alert" | "log",
        ) => true,
        Some("region" | "form") => !node.name.is_empty(),
        // A drawing is one thing and no content that lies about.
        _ if matches!(node.tag.as_str(), "svg" | "dialog") => true,
        _ => node.attribute("aria-live").is_some_and(|live| matches!(live, "polite" | "assertive")),
    }
}

/// Whether there is something here to be read: words, a picture, a control.
fn is_read(node: &Node) -> bool {
    let silent = matches!(
        node.tag.as_str(),
        "script" | "style" | "template" | "noscript" | "head" | "title" | "html" | "body" | "meta" | "link"
    );
    let spoken = matches!(node.tag.as_str(), "img" | "input" | "select" | "textarea" | "button" | "video");
    !silent && (!node.text.is_empty() || (spoken && node.exposed))
}

/// The main part of a page that has none.
pub(super) fn main_part(page: &Page<'_>) -> Vec<Ways> {
    let is_main = |node: &Node| node.role.as_deref() == Some("main");
    if page.snapshot.nodes.iter().any(is_main) {
        return Vec::new();
    }
    let map = Map::of(page);
    let Some(mut container) = page.snapshot.nodes.iter().find(|node| node.tag == "body") else {
        return Vec::new();
    };
    loop {
        let content: Vec<&Node> =
            map.children(container).into_iter().filter(|child| map.loose(child) > 0).collect();
        match content[..] {
            // A frame of the page has its main part inside.
            [only] if only.tag == "div" && map.holds_frame(only) => container = only,
            _ => break,
        }
    }
    vec![main_inside(&map, container)]
}

/// The ways to make the content of a container its main part.
fn main_inside(map: &Map<'_>, container: &Node) -> Ways {
    let page = map.page;
    let children = map.children(container);
    // Everything that no banner, no closing words and no other landmark holds.
    let mut parts = children
        .split(|child| map.holds_frame(child))
        .map(|part| trimmed(map, part))
        .filter(|part| !part.is_empty());
    // Of several parts nobody knows which is the main one.
    let (Some(best), None) = (parts.next(), parts.next()) else { return Ways::new() };
    let mut ways = Ways::new();
    let content: Vec<&&Node> = best.iter().filter(|child| map.loose(child) > 0).collect();
    if let [only] = content[..]
        && let Some(tag) = page.source.tag(only.id)
        && takes_a_role(only)
    {
        ways.push(Repair::insert(
            "a11y/main",
            tag.insertion_point(),
            " role=\"main\"",
            format!("role=\"main\" on {}, which holds most of the text", page.place(only.id)),
        ));
    }
    ways.extend(wrap(map, container, best, "<main>"));
    ways.extend(wrap(map, container, best, "<main style=\"display:contents\">"));
    ways
}

fn takes_a_role(node: &Node) -> bool {
    matches!(node.tag.as_str(), "div" | "section" | "article") && node.attribute("role").is_none()
}

/// From the first to the last child that has something to say outside landmarks.
fn trimmed<'s, 'n>(map: &Map<'_>, children: &'s [&'n Node]) -> &'s [&'n Node] {
    let says = |child: &&Node| map.loose(child) > 0;
    match (children.iter().position(says), children.iter().rposition(says)) {
        (Some(first), Some(last)) => children.get(first..=last).unwrap_or_default(),
        _ => &[],
    }
}

/// One element around several that stand side by side.
fn wrap(map: &Map<'_>, container: &Node, children: &[&Node], opening: &str) -> Option<Repair> {
    let page = map.page;
    let (first, last) = (children.first()?, children.last()?);
    let start = page.source.tag(first.id)?.span.start;
    let end = end_of(page, container, last)?;
    Some(Repair {
        check: "a11y/main",
        edits: vec![(start..start, opening.to_owned()), (end..end, "</main>".to_owned())],
        reason: format!("{opening} around {}, the content of the page", page.places(&[first.id, last.id])),
        visible: super::Visible::No,
        invents_words: false,
    })
}

/// Where an element ends, as far as the source tells: where the next begins, or where its container closes.
fn end_of(page: &Page<'_>, container: &Node, node: &Node) -> Option<usize> {
    if let Some(closing) = closing_tag(page, node) {
        return Some(closing.end);
    }
    let next = page.snapshot.nodes.get(node.subtree_end.index()).filter(|next| next.parent == node.parent);
    match next {
        Some(next) => page.source.tag(next.id).map(|tag| tag.span.start),
        None => closing_tag(page, container).map(|closing| closing.start),
    }
}

/// The end tag that belongs to an element, by counting those of the same name.
fn closing_tag(page: &Page<'_>, node: &Node) -> Option<Range<usize>> {
    let tag = page.source.tag(node.id)?;
    let name = format!("</{}", tag.name);
    let opened: Vec<usize> = page
        .source
        .tags
        .iter()
        .filter(|other| other.name == tag.name && other.span.start > tag.span.start && !other.self_closed)
        .map(|other| other.span.start)
        .collect();
    let is_text = |at: usize| {
        let among = |spans: &[Range<usize>]| {
            let index = spans.partition_point(|span| span.start <= at);
            index.checked_sub(1).and_then(|index| spans.get(index)).is_some_and(|span| at < span.end)
        };
        among(&page.source.comments) || among(&page.source.raw_texts)
    };
    let bytes = page.html.as_bytes();
    let mut at = tag.span.end;
    let mut closed = 0;
    while let Some(offset) = memchr::memmem::find(bytes.get(at..)?, b"</") {
        let start = at + offset;
        at = start + 2;
        let fits = bytes.get(start..start + name.len())?.eq_ignore_ascii_case(name.as_bytes())
            && bytes
                .get(start + name.len())
                .is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>' || *byte == b'/');
        if !fits || is_text(start) {
            continue;
        }
        if opened.partition_point(|open| *open < start) == closed {
            let end = memchr::memchr(b'>', bytes.get(start..)?)? + start + 1;
            return Some(start..end);
        }
        closed += 1;
    }
    None
}
