//! What an author meant to come back to: notes, places to fill in, filler text.

use std::ops::Range;

/// What an author meant to come back to, and where it stands.
pub(super) fn marks(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let mut found = Vec::new();
    let lower = text.to_ascii_lowercase();
    found.extend(lower.match_indices("lorem ipsum").map(|(at, mark)| ("filler text", at..at + mark.len())));
    let mut from = 0;
    while let Some(at) = lower.get(from..).and_then(|rest| rest.find("{{")).map(|at| from + at) {
        let Some(end) = lower.get(at..).and_then(|rest| rest.find("}}")).map(|end| at + end + 2) else {
            break;
        };
        found.push(("a variable", at..end));
        from = end;
    }
    let brackets = [
        "assumption",
        "insert",
        "your ",
        "placeholder",
        "todo",
        "tbd",
        "tbc",
        "add ",
        "fill in",
        "company name",
        "name here",
        "xx",
    ];
    let mut from = 0;
    while let Some(at) = lower.get(from..).and_then(|rest| rest.find('[')).map(|at| from + at) {
        let inner = lower.get(at + 1..).unwrap_or_default();
        let end = inner.find(']').map_or(inner.len(), |end| end + 1);
        if brackets.iter().any(|mark| inner.starts_with(mark)) {
            found.push(("a place to fill in", at..at + 1 + end));
        }
        from = at + 1 + if brackets.iter().any(|mark| inner.starts_with(mark)) { end } else { 0 };
    }
    for mark in ["TODO", "TBD", "FIXME", "TBC"] {
        for (at, _) in text.match_indices(mark) {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + mark.len()..).and_then(|after| after.chars().next());
            let alone =
                !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric);
            // "TODO list" is a thing that people buy.
            let noted =
                mark != "TODO" || after.is_none_or(|after| matches!(after, ':' | '(' | ']' | ')' | '.'));
            if alone && noted && before != Some('[') {
                found.push(("a note of the author", at..at + mark.len()));
            }
        }
    }
    found.sort_by_key(|(_, range)| range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_from_words() {
        let found = |text: &str| {
            marks(text).into_iter().map(|(_, range)| text.get(range).unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            found("[ASSUMPTION: 5 %] of {{name}} is TBD. TODO: ask"),
            ["[ASSUMPTION: 5 %]", "{{name}}", "TBD", "TODO"]
        );
        assert_eq!(found("Lorem ipsum [your company] [TODO]"), ["Lorem ipsum", "[your company]", "[TODO]"]);
        assert_eq!(found("Your TODO list, [sic], {one} and TBDX"), [""; 0]);
        assert_eq!(found("[insert"), ["[insert"]);
    }
}
