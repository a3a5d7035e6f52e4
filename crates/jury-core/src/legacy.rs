//! The single pass: what a plain answer of an agent holds, when no panel sat over it.
//!
//! Agents talk around what they were asked for. The page is taken out of the talk; an answer without a whole page
//! has none.

use crate::fence::Fence;

/// The page in an answer: the last whole document, or else the last closed block of HTML.
///
/// A document begins with its doctype or its `<html>` and ends with its `</html>`: one that does not end was cut off
/// and is not taken. A block is fenced as Markdown fences it and says that it is HTML.
///
/// ```
/// use jury_core::legacy::page_of;
///
/// let answer = "Here you go:\n```html\n<!doctype html><html lang=en><h1>Bread</h1></html>\n```\nEnjoy!";
/// assert_eq!(page_of(answer), Some("<!doctype html><html lang=en><h1>Bread</h1></html>"));
/// assert_eq!(page_of("I cannot do that."), None);
/// ```
pub fn page_of(answer: &str) -> Option<&str> {
    document(answer).or_else(|| block(answer)).map(str::trim)
}

const END: &str = "</html>";

/// The last whole document.
fn document(answer: &str) -> Option<&str> {
    // ASCII letters keep their places when their case changes.
    let plain = answer.to_ascii_lowercase();
    let mut found = None;
    let mut next = beginning(&plain, 0, false);
    while let Some(start) = next {
        let Some(first_end) = end(&plain, start) else { break };
        // What was begun and begun again before it ended was abandoned.
        let start = last_doctype(&plain, start, first_end).unwrap_or(start);
        // Another document begins on a line of its own, behind the end of this one. Whatever else looks like
        // a beginning or an end is inside: in a script, in the page of a frame.
        next = beginning(&plain, first_end, true);
        let last_end = last_end(&plain, start, next.unwrap_or(plain.len())).unwrap_or(first_end);
        found = answer.get(start..last_end);
    }
    found
}

/// Where a document begins, at or behind this place.
fn beginning(plain: &str, from: usize, own_line: bool) -> Option<usize> {
    let rest = plain.get(from..)?;
    let fits = |index: usize| {
        let after = |tag: &str| rest.get(index..).and_then(|text| text.strip_prefix(tag));
        let doctype = after("<!doctype").is_some_and(|text| text.starts_with(char::is_whitespace));
        let root =
            after("<html").is_some_and(|text| text.starts_with(|c: char| c.is_whitespace() || c == '>'));
        let before = plain.get(..from + index).unwrap_or_default().trim_end_matches([' ', '\t']);
        (doctype || root) && (!own_line || before.is_empty() || before.ends_with('\n'))
    };
    rest.match_indices('<').map(|(index, _)| index).find(|index| fits(*index)).map(|index| from + index)
}

/// The last doctype on a line of its own between these places.
fn last_doctype(plain: &str, from: usize, to: usize) -> Option<usize> {
    plain.get(from..to)?.rfind("\n<!doctype").map(|index| from + index + 1)
}

/// Behind the first end of a document from here on.
fn end(plain: &str, from: usize) -> Option<usize> {
    plain.get(from..)?.find(END).map(|index| from + index + END.len())
}

/// Behind the last end of a document between these places.
fn last_end(plain: &str, from: usize, to: usize) -> Option<usize> {
    plain.get(from..to)?.rfind(END).map(|index| from + index + END.len())
}

/// The last closed block that says it is HTML and has a tag in it.
fn block(answer: &str) -> Option<&str> {
    let mut found = None;
    let mut open: Option<(Fence, usize)> = None;
    let mut at = 0;
    for line in answer.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match open {
            Some((fence, from)) if fence.is_closed_by(line) => {
                found = answer.get(from..start).filter(|body| has_tag(body)).or(found);
                open = None;
            }
            Some(_) => {}
            None => {
                open = Fence::opening(line).map(|(fence, info)| {
                    let says = ["html", "htm"].iter().any(|name| info.eq_ignore_ascii_case(name));
                    // A block in another language hides its content all the same: nothing begins inside it.
                    (fence, if says { at } else { usize::MAX })
                });
            }
        }
    }
    found
}

fn has_tag(body: &str) -> bool {
    body.match_indices('<').any(|(index, _)| {
        body.get(index + 1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_page_is_taken_out_of_the_talk() {
        let page = "<!DOCTYPE html>\n<HTML lang=en><title>é</title></HTML>";
        for answer in [
            page.to_owned(),
            format!("Sure!\n\n{page}\n\nAnything else?"),
            format!("```html\n{page}\n```"),
            format!("Here:\n````\n{page}\n````\nDone."),
            format!("<ARTIFACT><![CDATA[{page}]]></ARTIFACT>"),
            format!("```html\n{page}"),
            format!("{page}\nAgain:\n<!doctype html><html>cut of"),
            // Of several the last: what came before was a draft, or an answer that was begun again.
            format!("<html>draft</html>\nBetter:\n{page}"),
            format!("<!doctype html><p>cut off\n{page}"),
        ] {
            assert_eq!(page_of(&answer), Some(page), "{answer}");
        }
        assert_eq!(page_of(&format!("{page}\n\nNext:\n{page}")), Some(page));
    }

    #[test]
    fn what_is_inside_a_page_does_not_cut_it() {
        let page = "<!doctype html><html><script>x = '</html>'</script>\
                    <iframe srcdoc=\"<!doctype html><html></html>\"></iframe><p>last</p>\n```\ncode\n```\n</html>";
        assert_eq!(page_of(&format!("Look:\n```html\n{page}\n```\n")), Some(page));
    }

    #[test]
    fn a_block_that_says_it_is_html_is_a_page_without_its_root() {
        assert_eq!(page_of("```html\n<h1>Hi</h1>\n```"), Some("<h1>Hi</h1>"));
        assert_eq!(page_of("~~~html\n<h1>Hi</h1>\n```\n~~~"), Some("<h1>Hi</h1>\n```"));
        assert_eq!(page_of("``` HTML\n<!doctype html><h1>Hi</h1>\n```"), Some("<!doctype html><h1>Hi</h1>"));
        assert_eq!(
            page_of("```html\n<p>1</p>\n```\n```html\n<p>2</p>\n```\n```html\n3\n```"),
            Some("<p>2</p>")
        );
    }

    #[test]
    fn an_answer_without_a_whole_page_has_none() {
        for answer in [
            "",
            "Sorry, I cannot.",
            "<!doctype html><html><body>cut of",
            "```html\n<h1>never closed</h1>\n",
            "```html\nno markup\n```",
            "```css\np { color: red }\n```",
            "~~~md\n```html\n<p>how to show a page</p>\n```\n~~~",
            "```\n<p>what is this?</p>\n```",
            "<htmlx></htmlx> </html>",
            "</html><html>",
            "```sh\n```html\n<p>x</p>",
        ] {
            assert_eq!(page_of(answer), None, "{answer}");
        }
    }

    proptest! {
        #[test]
        fn no_answer_breaks_it_and_what_is_found_was_there(pieces in prop::collection::vec(prop::sample::select(vec![
            "<!doctype html>", "<html>", "<HTML ", "</html>", "</HTML", "```html\n", "```\n", "````", "\n", "é", "<p>", "text", "<", "\u{0}",
        ]), 0..40)) {
            let answer = pieces.concat();
            if let Some(page) = page_of(&answer) {
                prop_assert!(answer.contains(page) && page.contains('<'));
            }
        }
    }
}
