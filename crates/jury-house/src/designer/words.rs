//! Repairs of the copy that need no writing: notes to oneself in comments, also those of scripts and style sheets,
//! are taken out, links are pointed at the
//! heading they name. Words that somebody can read are somebody's to take out.

use jury_eye::Node;

use crate::checks::{DeadLink, dead_links, headings, notes_in_comments};
use crate::page::Page;

use super::edit::{Repair, attribute_value};
use super::names::free_id;

pub(super) fn comments(page: &Page<'_>) -> Vec<Repair> {
    notes_in_comments(page)
        .into_iter()
        .map(|span| {
            let line = page.source.line(span.start);
            let place = whole_line(&page.html, span.start, span.end);
            // In a script, a comment may be all that parts two words, or two statements.
            let comment = page.html.get(span.clone()).unwrap_or_default();
            let instead = match comment {
                _ if place != span || !comment.starts_with("/*") => "",
                _ if comment.contains('\n') => "\n",
                _ => " ",
            };
            Repair::one("copy/placeholder", place, instead, format!("TODO comment on line {line} removed"))
        })
        .collect()
}

/// The span, together with its line when nothing else stands on it.
fn whole_line(html: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let before = html.get(..start).unwrap_or_default();
    let after = html.get(end..).unwrap_or_default();
    let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
    let starts_line = before.len() == indent
        || before.get(..before.len() - indent).is_some_and(|head| head.ends_with('\n'));
    let trailing = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
    if starts_line && after.get(trailing..).is_some_and(|rest| rest.starts_with('\n')) {
        return start - indent..end + trailing + 1;
    }
    start..end
}

/// Links to nowhere whose words are those of a heading, or of a part with that id.
pub(super) fn links(page: &Page<'_>) -> Vec<Repair> {
    let same = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
    let headings = headings(page);
    let mut given: Vec<(jury_eye::NodeId, String)> = Vec::new();
    dead_links(page)
        .into_iter()
        .filter(|(_, reason)| matches!(reason, DeadLink::Hash | DeadLink::Empty | DeadLink::NoTarget))
        .filter_map(|(id, _)| {
            let node = page.node(id)?;
            let tag = page.source.tag(id)?;
            let slug: String = node.name.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
            let by_id = page
                .snapshot
                .nodes
                .iter()
                .find(|other| !slug.is_empty() && other.attribute("id") == Some(slug.as_str()));
            let heading =
                headings.iter().find(|heading| !node.name.is_empty() && same(&heading.name, &node.name));
            let mut edits = Vec::new();
            let target = match (by_id, heading) {
                (Some(_), _) => slug,
                (None, Some(heading)) => {
                    let own =
                        heading.attribute("id").or_else(|| id_of_part(page, heading)).map(str::to_owned);
                    let earlier =
                        given.iter().find(|(known, _)| *known == heading.id).map(|(_, id)| id.clone());
                    if let Some(id) = own.or(earlier) {
                        id
                    } else {
                        let id = free_id(page, &heading.name);
                        let at = page.source.tag(heading.id)?.insertion_point();
                        edits.push((at..at, format!(" id=\"{}\"", attribute_value(&id))));
                        given.push((heading.id, id.clone()));
                        id
                    }
                }
                (None, None) => return None,
            };
            let href = format!("href=\"#{}\"", attribute_value(&target));
            edits.push(match tag.attribute("href") {
                Some(written) => (written.span.clone(), href),
                None => (tag.insertion_point()..tag.insertion_point(), format!(" {href}")),
            });
            Some(Repair {
                check: "copy/links",
                edits,
                reason: format!("link \"{}\" leads to #{target} ({})", node.name, page.place(id)),
                visible: super::Visible::No,
                invents_words: false,
            })
        })
        .collect()
}

/// The id of the part a heading opens.
fn id_of_part<'a>(page: &'a Page<'_>, heading: &'a Node) -> Option<&'a str> {
    let part = page
        .snapshot
        .ancestors(heading)
        .take(3)
        .find(|around| around.tag == "section" || around.tag == "article")?;
    let opens = page
        .snapshot
        .descendants(part)
        .find(|inner| inner.role.as_deref() == Some("heading"))
        .is_some_and(|first| first.id == heading.id);
    part.attribute("id").filter(|_| opens)
}
