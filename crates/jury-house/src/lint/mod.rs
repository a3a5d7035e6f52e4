//! The final pass over an artifact that is about to ship: notes to oneself, placeholder text, addresses that lead nowhere.
//! It reads the text alone, so it costs nothing and cannot fail.

mod addresses;
mod flat;

use std::ops::Range;

use jury_core::lint::LintFinding;
use jury_core::loss::LossKind;
use jury_text::loss::{compare, permits};

use crate::checks::{
    Placeholder, all_comments, is_bare_todo, is_note_to_oneself, may_hold_placeholders, placeholder_in,
    says_todo,
};
use crate::loss::GivenPage;
use crate::source::Source;

/// Everything in a page that should not ship, in the order of its lines.
pub fn lint(page: &str) -> Vec<LintFinding> {
    lint_among(page, &|_| None)
}

/// The same, when it is known what lies beside the page: `known` says of the address of a file, relative to the page,
/// whether there is one, as far as anybody has looked.
pub fn lint_among(page: &str, known: &dyn Fn(&str) -> Option<bool>) -> Vec<LintFinding> {
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
    let bare = |text: &str| {
        is_bare_todo(text) && !flat::is_about_todos(page) && language.is_none_or(|tag| !says_todo(tag))
    };
    for span in all_comments(page, &source) {
        if page.get(span.clone()).is_some_and(|text| is_note_to_oneself(text, language) || bare(text)) {
            report("copy/placeholder", span.start, "a comment holds a note to oneself".to_owned());
        }
    }
    for offset in flat::lorem(page) {
        report("copy/placeholder", offset, format!("the text holds {}", Placeholder::Lorem.describe()));
    }
    let suspects = may_hold_placeholders(page).then(|| texts(page, &source));
    for (offset, text) in suspects.into_iter().flatten() {
        if let Some(found) = placeholder_in(text, language).filter(|found| *found != Placeholder::Lorem) {
            report("copy/placeholder", offset, format!("the text holds {}", found.describe()));
        }
    }
    for (offset, message) in addresses::dead(page, &source, known) {
        report("copy/links", offset, message);
    }
    findings.sort();
    findings.sort_by_key(|finding| finding.line);
    findings.dedup();
    findings
}

/// Another page than the one that was handed in, going by the texts alone.
pub fn replacement(given: GivenPage<'_>, page: &str) -> Option<LintFinding> {
    let permit = given.brief.map(permits).unwrap_or_default();
    if permit.page || permit.words || given.page == page {
        return None;
    }
    let text = compare(&flat::blocks(given.page), &flat::blocks(page), None, &[]);
    text.is_replaced().then(|| LintFinding {
        rule: LossKind::Page.as_str().to_owned(),
        line: 1,
        message: "this is another page than the one that was handed in".to_owned(),
    })
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
    fn todo_alone_is_a_note_unless_the_page_has_such_a_part() {
        assert_eq!(lint("<!-- Todo --><h1>Soup</h1>").len(), 1);
        assert_eq!(lint("<!-- Todo --><h1>Todo</h1><ul><li>Buy milk</li></ul>"), []);
        assert_eq!(lint("<!-- Todo --><h2>Your to-do list</h2>"), []);
        assert_eq!(lint("<html lang=es><!-- Todo --><h1>Sopa</h1></html>"), []);
    }

    #[test]
    fn a_clean_page_has_no_findings() {
        assert_eq!(lint("<h1>Hello</h1><p>Words.</p><a href=\"/x\">Go</a>"), []);
        assert_eq!(lint(""), []);
    }
}
