//! Notes to oneself: TODO, FIXME, XXX and TBD in comments and in the words of a page.
//!
//! In a comment such a word is a note in any case of its letters, unless it is the name of something: a to-do list, a
//! variable, the Spanish word for "all". In the words of a page it is one where it stands as a note does: before a colon, at
//! the beginning with words behind it, in place of a value.

use std::ops::Range;

use jury_text::code_comments::{script_comments, style_comments};
use jury_text::language;

use crate::source::Source;

/// Languages in which "todo" is a word, and a common one.
const SAYING_TODO: [&str; 7] = ["es", "pt", "gl", "ast", "an", "lad", "mwl"];

/// What follows "todo" where it is that word, also in a comment on a page in another language.
const BEHIND_ALL: &[&str] =
    &["el", "la", "los", "las", "lo", "o", "os", "as", "un", "una", "um", "uma", "esto", "esta"];

/// What a to-do may be the name of.
const THINGS: &[&str] = &[
    "app",
    "apps",
    "application",
    "applications",
    "list",
    "lists",
    "item",
    "items",
    "board",
    "boards",
    "card",
    "cards",
    "column",
    "columns",
    "entry",
    "entries",
    "manager",
    "managers",
    "tracker",
    "trackers",
    "tool",
    "tools",
    "software",
    "widget",
    "widgets",
    "mvc",
    "group",
    "comment",
    "comments",
    "tag",
    "tags",
    "marker",
    "markers",
];

/// Words that a note begins with, in lower case.
const NOTES: [&str; 4] = ["todo", "fixme", "xxx", "tbd"];

/// A word of a text with what stands around it.
struct Found<'a> {
    before: &'a str,
    word: &'a str,
    after: &'a str,
}

impl<'a> Found<'a> {
    /// Every place where one of these words stands as a word, in any case.
    fn all(text: &'a str, words: &'a [&'a str]) -> impl Iterator<Item = Self> + 'a {
        let bytes = text.as_bytes();
        let starts = move |at: usize| {
            words.iter().copied().filter(move |word| {
                bytes
                    .get(at..at + word.len())
                    .is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
            })
        };
        (0..bytes.len()).flat_map(move |at| starts(at).map(move |word| (at, word))).filter_map(
            move |(at, word)| {
                let found = Found {
                    before: text.get(..at)?,
                    word: text.get(at..at + word.len())?,
                    after: text.get(at + word.len()..)?,
                };
                let part = |ch: char| ch.is_alphanumeric() || ch == '_';
                (!found.before.ends_with(part) && !found.after.starts_with(part)).then_some(found)
            },
        )
    }

    fn is_upper(&self) -> bool {
        !self.word.contains(|ch: char| ch.is_ascii_lowercase())
    }

    /// Whether it is joined to another word: `xxx-large`, `todo.push`, `data-todo`, `#todo`.
    fn is_joined(&self) -> bool {
        let mut behind = self.after.chars();
        let joins = matches!(behind.next(), Some('-' | '.' | '[' | '\\'))
            && behind.next().is_some_and(|ch| ch.is_alphanumeric() || ch == '"' || ch == '\'');
        joins
            || self.before.ends_with(['.', '#', '$', '/', '\\', '"', '\'', '`', '='])
                && !self.before.ends_with("//")
                && !self.before.ends_with("*/")
            || self.before.ends_with('-')
                && self.before.trim_end_matches('-').ends_with(char::is_alphanumeric)
    }

    /// The next word.
    fn next(&self) -> &'a str {
        let rest = self.after.trim_start();
        rest.split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or_default()
    }

    /// Whether it is the name of something: "TODO app", "todo list".
    fn names_a_thing(&self) -> bool {
        THINGS.contains(&self.next().to_lowercase().as_str())
    }

    /// The same in a comment, where "TODO list the prices" is a note and "TODO LIST" is not.
    fn names_a_part(&self) -> bool {
        self.names_a_thing()
            && (!self.is_upper() || !self.next().contains(char::is_lowercase) || self.follows_a_word())
    }

    fn follows_a_word(&self) -> bool {
        self.before.trim_end().ends_with(char::is_alphanumeric)
    }

    /// Whether what follows is what follows a note: a colon, a bracket, a dash.
    fn is_marked(&self) -> bool {
        let rest = self.after.trim_start();
        self.after.starts_with([':', '(']) || rest.starts_with(['-', '–', '—']) && !rest.starts_with("-->")
    }

    /// Whether a line begins with it.
    fn opens_a_line(&self) -> bool {
        let line = self.before.rsplit(['\n', '\r']).next().unwrap_or_default();
        !line.contains(char::is_alphanumeric)
    }

    /// Whether nothing follows that could be read.
    fn ends(&self) -> bool {
        !self.after.contains(char::is_alphanumeric)
    }
}

/// Whether "todo" is a word of this language.
pub(crate) fn says_todo(language: &str) -> bool {
    SAYING_TODO.contains(&language::primary(language).as_str())
}

/// Whether a comment on a page in this language is a note that should not ship.
pub(crate) fn is_note_to_oneself(comment: &str, language: Option<&str>) -> bool {
    Found::all(comment, &NOTES).any(|found| {
        if !found.word.eq_ignore_ascii_case("todo") {
            return !found.is_joined();
        }
        if language.is_some_and(says_todo) {
            // A sentence may end in "todo:" and go on.
            return found.is_marked() && !found.follows_a_word();
        }
        if found.names_a_part() || !found.is_upper() && found.is_joined() {
            return false;
        }
        if found.is_upper() {
            return true;
        }
        let rest = found.after.trim_start();
        let is_code = rest.starts_with(['=', '.', ')', ';', ',', '{', '[', '<', '"', '\'']);
        // "Todo" alone is the name of a part, if the page has such a part; see `is_bare_todo`.
        let is_label = found.ends() && found.word == "Todo";
        let is_all = BEHIND_ALL.contains(&found.next().to_lowercase().as_str());
        let begins = found.opens_a_line() || found.is_marked() || found.before.ends_with('@');
        begins && !is_code && !is_label && !is_all
    })
}

/// Whether a comment says "Todo" and nothing else. On a page about something else that is a note.
pub(crate) fn is_bare_todo(comment: &str) -> bool {
    let mut words = comment.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next() == Some("Todo") && words.next().is_none()
}

/// Whether words on a page in this language are a note, and not words about notes.
pub(super) fn is_note(text: &str, language: Option<&str>) -> bool {
    // "TODO" alone is a column of a board; with words behind it, it is a note to oneself.
    if text.trim() == "TODO" {
        return false;
    }
    Found::all(text, &["todo", "fixme", "tbd"]).filter(Found::is_upper).any(|found| {
        let quoted = found.before.ends_with(['"', '\'', '“', '‘', '„', '«', '`']);
        if quoted {
            return false;
        }
        let opens = !found.follows_a_word();
        match found.word {
            "TBD" => true,
            "TODO" if language.is_some_and(says_todo) => found.is_marked() && opens,
            _ if found.names_a_thing() => false,
            _ => {
                let before = found.before.trim_end();
                let in_place = found.ends() && before.ends_with([':', '-', '–', '—', '=', '(', '[']);
                before.is_empty()
                    || opens && found.is_marked()
                    || in_place
                    || before.ends_with(['(', '['])
                    || found.before.ends_with('@')
            }
        }
    })
}

/// The comments of a page, its style sheets and its scripts.
pub(crate) fn all_comments(html: &str, source: &Source) -> Vec<Range<usize>> {
    let inside = |span: &Range<usize>, read: fn(&str) -> Vec<Range<usize>>| -> Vec<Range<usize>> {
        let text = html.get(span.clone()).unwrap_or_default();
        read(text).into_iter().map(|comment| span.start + comment.start..span.start + comment.end).collect()
    };
    let mut found = source.comments.clone();
    found.extend(source.styles.iter().flat_map(|span| inside(span, style_comments)));
    found.extend(source.scripts.iter().flat_map(|span| inside(span, script_comments)));
    for attribute in source.tags.iter().flat_map(|tag| &tag.attributes) {
        if attribute.name == "style" {
            found.extend(inside(&attribute.value, style_comments));
        } else if attribute.name.starts_with("on") {
            found.extend(inside(&attribute.value, script_comments));
        }
    }
    found.sort_by_key(|span| span.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_a_note_in_any_case_and_not_when_it_names_something() {
        for note in [
            "<!-- todo finish this -->",
            "// todo: wire this up",
            "// TODO wire this up",
            "/* ToDo: colours */",
            "/**\n * todo colours\n */",
            "// FIXME later",
            "// fixme",
            "<!-- XXX -->",
            "<!-- xxx: why -->",
            "/* tbd */",
            "// @todo check",
            "// see below (TODO)",
            "/* TODO-123 */",
            "// TODO(ana) x",
            "<!-- todo -->",
            "<!--ToDo-->",
            "/* TODO form validation */",
        ] {
            assert!(is_note_to_oneself(note, Some("en")), "{note}");
        }
        for fine in [
            "<!-- The to-do app -->",
            "/* Todo list */",
            "/* todo-list */",
            "/* TODO APP */",
            "// todo.push(item)",
            "// todo = []",
            "// render each todo item",
            "<!-- <ul class=\"todo\"> -->",
            "/* font-size: xxx-large */",
            "// xxx-xxx-xxxx",
            "// todos",
            "// método",
            "/* todo el contenido */",
            "<!-- Todo -->",
            "// TODO_LIST",
            "// nothing to do here",
        ] {
            assert!(!is_note_to_oneself(fine, Some("en")), "{fine}");
        }
    }

    #[test]
    fn words_about_notes_are_no_notes() {
        for note in [
            "TODO write this",
            "TODO: write this",
            "Opening hours: TODO",
            "Price: TBD",
            "TBD",
            "FIXME",
            "(TODO)",
            "About us. TODO: more",
            "TODO - write",
        ] {
            assert!(is_note(note, Some("en")), "{note}");
        }
        for fine in [
            "The TODO app for teams",
            "TODO app",
            "A TODO list",
            "We look for TODO and FIXME comments",
            "Every \"TODO\" is found",
            "Add a TODO",
            "TODO",
            "Todo",
            "Our TODO items, in one place",
        ] {
            assert!(!is_note(fine, Some("en")), "{fine}");
        }
    }
}
