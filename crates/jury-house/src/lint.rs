//! The final pass over an artifact that is about to ship: notes to oneself, placeholder text, dead links.
//! It reads the text alone, so it costs nothing and cannot fail.

use std::collections::BTreeSet;
use std::ops::Range;

use jury_core::lint::LintFinding;

use crate::checks::{DeadLink, dead_address, is_note_to_oneself, may_hold_placeholders, placeholder_in};
use crate::source::Source;

/// Everything in a page that should not ship, in the order of its lines.
pub fn lint(page: &str) -> Vec<LintFinding> {
    let source = Source::read(page);
    let mut findings = Vec::new();
    let mut report = |rule: &str, offset: usize, message: String| {
        findings.push(LintFinding {
            rule: rule.to_owned(),
            line: u32::try_from(source.line(offset)).unwrap_or(u32::MAX),
            message,
        });
    };
    let language = source.tags.iter().find(|tag| tag.name == "html").and_then(|tag| tag.attribute("lang"));
    let language = language.map(|lang| lang.raw.as_str());
    for span in &source.comments {
        if page.get(span.clone()).is_some_and(|text| is_note_to_oneself(text, language)) {
            report("copy/placeholder", span.start, "a comment holds a note to oneself".to_owned());
        }
    }
    let suspects = may_hold_placeholders(page).then(|| texts(page, &source));
    for (offset, text) in suspects.into_iter().flatten() {
        if let Some(found) = placeholder_in(text, language) {
            report("copy/placeholder", offset, format!("the text holds {}", found.describe()));
        }
    }
    let ids: BTreeSet<&str> = source
        .tags
        .iter()
        .flat_map(|tag| [tag.attribute("id"), tag.attribute("name")])
        .flatten()
        .map(|attribute| attribute.raw.as_str())
        .collect();
    for tag in source.tags.iter().filter(|tag| tag.name == "a") {
        let Some(href) = tag.attribute("href") else {
            continue;
        };
        if tag.attribute("onclick").is_some() || tag.attribute("role").is_some() {
            continue;
        }
        let text = page.get(tag.span.end..).and_then(|rest| rest.split("</a").next()).unwrap_or_default();
        if let Some(reason) = dead_address(&href.raw, text, |id| ids.contains(id)) {
            let message = match reason {
                DeadLink::Hash => "the link leads to # only".to_owned(),
                DeadLink::Empty => "the link has no address".to_owned(),
                DeadLink::Script => "the link leads to javascript:".to_owned(),
                DeadLink::NoTarget => format!("the link leads to {}, which is not on the page", href.raw),
                DeadLink::NoFile => format!("the link leads to {}, which is not beside the page", href.raw),
                DeadLink::Unreachable => format!("the link leads to {}, where nobody is", href.raw),
            };
            report("copy/links", tag.span.start, message);
        }
    }
    findings.sort();
    findings.sort_by_key(|finding| finding.line);
    findings.dedup();
    findings
}

/// The text between tags, outside scripts, styles, comments and code, with its offset.
fn texts<'a>(page: &'a str, source: &'a Source) -> impl Iterator<Item = (usize, &'a str)> + 'a {
    let mut hidden: Vec<Range<usize>> = source.raw_texts.iter().chain(&source.comments).cloned().collect();
    hidden.sort_by_key(|span| span.start);
    memchr::memchr_iter(b'>', page.as_bytes()).filter_map(move |end| {
        let rest = page.get(end + 1..)?;
        let text = rest.split('<').next().unwrap_or(rest);
        let offset = end + 1 + (text.len() - text.trim_start().len());
        let after = hidden.partition_point(|span| span.start <= offset);
        let is_hidden = after > 0 && hidden.get(after - 1).is_some_and(|span| span.contains(&offset));
        let opened = source.tags.partition_point(|tag| tag.span.end <= offset);
        let in_code = opened > 0
            && source
                .tags
                .get(opened - 1)
                .is_some_and(|tag| matches!(tag.name.as_str(), "code" | "pre" | "kbd" | "samp"));
        (!text.trim().is_empty() && !is_hidden && !in_code).then_some((offset, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_placeholders_and_dead_links_are_reported_with_their_lines() {
        let page = "<!-- TODO: fix -->\n<p>Fine</p>\n<p><b>Bold</b> lorem ipsum dolor</p>\n\
                    <a href=\"#\">Go</a> <a href=\"#a\">A</a> <a href=\"#b\">B</a> <i id=a></i>\n\
                    <script>var x = '> TODO: not text <';</script><code>{{ fine }}</code><a href=\"#\">Back to top</a>";
        let found: Vec<(u32, String)> =
            lint(page).into_iter().map(|finding| (finding.line, finding.rule)).collect();
        assert_eq!(
            found,
            [
                (1, "copy/placeholder".to_owned()),
                (3, "copy/placeholder".to_owned()),
                (4, "copy/links".to_owned()),
                (4, "copy/links".to_owned()),
            ]
        );
    }

    #[test]
    fn a_clean_page_has_no_findings() {
        assert_eq!(lint("<h1>Hello</h1><p>Words.</p><a href=\"/x\">Go</a>"), []);
        assert_eq!(lint(""), []);
    }
}
