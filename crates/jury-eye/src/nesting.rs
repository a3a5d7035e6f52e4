//! How deep a page nests. The engine recurses over the tree and the parser's cost grows with the number
//! of open elements, so depth is bounded before the one and after the other has seen the page.

use crate::EyeError;

/// The deepest nesting that is measured. Browsers stop building deeper trees at the same figure.
pub const MAX_DEPTH: usize = 512;

/// Elements that never have content.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// Elements whose end tag may be left out: open ones say nothing about depth.
const SELF_ENDING: &[&str] = &[
    "p", "li", "dt", "dd", "option", "optgroup", "tr", "td", "th", "tbody", "thead", "tfoot", "colgroup",
    "rt", "rp", "html", "head", "body",
];

/// Refuses a source text that opens more elements than [`MAX_DEPTH`] without closing them.
pub(crate) fn check_source(html: &str) -> Result<(), EyeError> {
    let bytes = html.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(offset) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'<')) {
        at += offset + 1;
        let rest = bytes.get(at..).unwrap_or_default();
        if rest.starts_with(b"!--") {
            at += find(rest, b"-->").map_or(rest.len(), |end| end + 3);
            continue;
        }
        let closing = rest.first() == Some(&b'/');
        let name_start = usize::from(closing);
        let name: String = rest
            .get(name_start..)
            .unwrap_or_default()
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        if name.is_empty() || VOID.contains(&name.as_str()) || SELF_ENDING.contains(&name.as_str()) {
            continue;
        }
        if closing {
            depth = depth.saturating_sub(1);
            continue;
        }
        let end = rest.iter().position(|byte| *byte == b'>');
        let self_closed = end.is_some_and(|end| end > 0 && rest.get(end - 1) == Some(&b'/'));
        if matches!(name.as_str(), "script" | "style" | "textarea" | "title") {
            let close = format!("</{name}");
            at += find_ignoring_case(rest, close.as_bytes()).map_or(rest.len(), |end| end + 1);
            continue;
        }
        if !self_closed {
            depth += 1;
            refuse_beyond_limit(depth)?;
        }
    }
    Ok(())
}

/// The limit itself, for the tree as it was finally built.
pub(crate) fn refuse_beyond_limit(depth: usize) -> Result<(), EyeError> {
    if depth > MAX_DEPTH {
        return Err(EyeError::TooDeep { depth, limit: MAX_DEPTH });
    }
    Ok(())
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn find_ignoring_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclosed_list_items_are_not_depth() {
        assert_eq!(check_source(&"<li>x<p>y".repeat(5_000)), Ok(()));
    }

    #[test]
    fn tags_in_scripts_and_comments_are_not_depth() {
        let page = format!("<script>{0}</script><!-- {0} --><p>fine", "<div>".repeat(2_000));
        assert_eq!(check_source(&page), Ok(()));
    }

    #[test]
    fn unclosed_divisions_are_depth() {
        assert_eq!(
            check_source(&"<div>".repeat(100_000)),
            Err(EyeError::TooDeep { depth: MAX_DEPTH + 1, limit: MAX_DEPTH })
        );
    }
}
