//! The pages under review: each once, in a frame that lets it do nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::escape;
use super::words::{say, say_with};
use crate::artifact::{Blob, Digest};
use crate::event::TheaterEvent;
use crate::record::Record;
use crate::report::ReportCase;
use crate::workflow::WorkflowEvent as _;

/// Bodies of artifacts by their digest.
pub type Pages = BTreeMap<Digest, Vec<u8>>;

/// How much of a digest names a page within a report.
const KEY: usize = 12;

/// The artifacts that a log speaks of, in its order, each once.
pub fn named_in(records: &[Record]) -> Vec<Digest> {
    let mut named = Vec::new();
    for record in records {
        if let Some(digest) =
            TheaterEvent::of(&record.event).and_then(TheaterEvent::artifact).map(|blob| blob.sha256)
            && !named.contains(&digest)
        {
            named.push(digest);
        }
    }
    named
}

/// The name of a page within the report.
pub(super) fn key(digest: &Digest) -> String {
    let mut key = digest.to_string();
    key.truncate(KEY);
    key
}

/// What the run ended with.
pub(super) fn handed_over(case: &ReportCase) -> Option<Digest> {
    let ended = case.board.ended.as_ref()?;
    if !case.hands_over() {
        return None;
    }
    let of_round = || case.board.round(case.result().0?)?.artifact.as_ref();
    ended.artifact().or_else(of_round).map(|blob| blob.sha256)
}

/// Writes the pages, with the rounds that they belong to.
pub(super) fn write(case: &ReportCase, records: &[Record], pages: &Pages, html: &mut String) {
    let named = named_in(records);
    if named.is_empty() {
        return;
    }
    let last = handed_over(case);
    html.push_str("<section class=\"paper-pages\" aria-labelledby=\"paper-pages\">\n<h2 id=\"paper-pages\">");
    html.push_str(&say("report.pages", "Pages under review"));
    html.push_str("</h2>\n<div class=\"paper-sheets\">\n");
    for digest in named {
        html.push_str("<figure class=\"paper-sheet\">\n<figcaption>");
        html.push_str(&caption(case, digest, last));
        html.push_str("</figcaption>\n");
        if let Some(body) = pages.get(&digest) {
            let source = escape::document(&inert(&String::from_utf8_lossy(body)));
            let key = key(&digest);
            writeln!(
                html,
                "<div class=\"paper-frame\"><iframe sandbox=\"\" tabindex=\"-1\" title=\"Page {key}\" \
                 data-page=\"{key}\" srcdoc=\"{source}\"></iframe></div>",
            )
            .ok();
        } else {
            let lost = say("report.lost", "This page was not kept.");
            writeln!(html, "<p class=\"paper-none\">{lost}</p>").ok();
        }
        html.push_str("</figure>\n");
    }
    html.push_str("</div>\n</section>\n");
}

/// Elements for which a browser opens a connection before it asks the policy, and the attribute that leads there.
const EAGER: [(&str, &str); 3] = [("link", " rEl=\"\""), ("iframe", " sRcdoc=\"\""), ("frame", " sRc=\"\"")];

/// The page with nothing that could connect ahead of time. Of two attributes of a name the first one counts, so an empty
/// one in front takes the other out of action and changes nothing else; whoever wants the source takes it out again.
fn inert(source: &str) -> String {
    let mut safe = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, tag)) = rest.split_once('<') {
        safe.push_str(before);
        safe.push('<');
        rest = tag;
        let end = tag.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(tag.len());
        let (name, after) = tag.split_at(end);
        let ends = after.starts_with(['\t', '\n', '\r', '\x0c', ' ', '/', '>']);
        if let Some((_, empty)) = EAGER.iter().find(|(eager, _)| ends && name.eq_ignore_ascii_case(eager)) {
            safe.push_str(name);
            safe.push_str(empty);
            rest = after;
        }
    }
    safe.push_str(rest);
    safe
}

fn caption(case: &ReportCase, digest: Digest, last: Option<Digest>) -> String {
    let is_its = |blob: &Option<Blob>| blob.as_ref().is_some_and(|blob| blob.sha256 == digest);
    let mut parts: Vec<String> = case
        .board
        .rounds
        .iter()
        .filter(|round| is_its(&round.artifact))
        .map(|round| say_with("round.name", "Round {n}", &[("n", round.round.to_string())]))
        .collect();
    if parts.is_empty() && case.board.superseded.iter().any(|round| is_its(&round.artifact)) {
        parts.push(say("report.superseded", "Taken back"));
    }
    if last == Some(digest) {
        parts.push(say("artifact.final", "Handed over"));
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_connect_is_out_of_action_and_nothing_else_is_touched() {
        for (given, made) in [
            ("<link rel=preconnect href=//x>", "<link rEl=\"\" rel=preconnect href=//x>"),
            ("<LiNk\trel=x><link/rel=x>", "<LiNk rEl=\"\"\trel=x><link rEl=\"\"/rel=x>"),
            ("<<iframe>é<IFRAME\rsrc=x>", "<<iframe sRcdoc=\"\">é<IFRAME sRcdoc=\"\"\rsrc=x>"),
            ("<frame src=//x><frameset>", "<frame sRc=\"\" src=//x><frameset>"),
            ("<link-card> </link> <linké <link", "<link-card> </link> <linké <link"),
        ] {
            assert_eq!(inert(given), made);
        }
    }
}
