//! Front matter: `key: value` lines between two lines of three dashes, at the very beginning.

use jury_core::front_matter::FrontMatter;

use super::NotADraft;
use crate::markdown::blocks::line_at;

/// What stands before the text, and the text.
pub(super) struct Front<'a> {
    /// Each entry in order, with its line.
    pub(super) entries: Vec<Entry>,
    /// The text behind the front matter.
    pub(super) body: &'a str,
    /// The line that it begins with.
    pub(super) body_line: u32,
}

/// One line of `key: value`.
pub(super) struct Entry {
    pub(super) line: u32,
    /// In lower case, with `-` for `_` and spaces.
    pub(super) key: String,
    pub(super) value: String,
}

impl Front<'_> {
    /// The value of the first of these keys that is there.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str())
    }
}

/// Takes the front matter off, if there is any.
pub(super) fn split(text: &str) -> Result<Front<'_>, NotADraft> {
    let Some(front) = FrontMatter::find(text) else {
        return Ok(Front { entries: Vec::new(), body: text, body_line: 1 });
    };
    let mut entries: Vec<Entry> = Vec::new();
    for line in front.lines() {
        let number = line_at(line.number - 1);
        if !line.indent.is_empty() || line.text.starts_with('-') {
            // A value goes on in lines that are set in; a list is one value to us.
            let last = entries.last_mut().ok_or_else(|| not_a_key(number))?;
            if matches!(last.value.as_str(), ">" | "|" | ">-" | "|-" | ">+" | "|+") {
                last.value.clear();
            }
            if !last.value.is_empty() {
                last.value.push(' ');
            }
            last.value.push_str(line.text);
            continue;
        }
        let (key, value) = line.text.split_once(':').ok_or_else(|| not_a_key(number))?;
        let key = key.trim().trim_matches(['"', '\'']).to_lowercase().replace(['_', ' '], "-");
        entries.push(Entry { line: number, key, value: value.trim().to_owned() });
    }
    if !front.closed {
        let what = "the front matter has no end: put a line with `---` behind its last entry".to_owned();
        return Err(NotADraft::At { line: 1, what });
    }
    for entry in &mut entries {
        entry.value = value(&entry.value);
    }
    let (before, body) = text.split_at_checked(front.body).unwrap_or((text, ""));
    Ok(Front { entries, body, body_line: line_at(memchr::memchr_iter(b'\n', before.as_bytes()).count()) })
}

fn not_a_key(line: u32) -> NotADraft {
    NotADraft::At {
        line,
        what: "the front matter has `key: value` lines only: write it as one, or close it with `---`"
            .to_owned(),
    }
}

/// A value without its quotes.
fn value(written: &str) -> String {
    if let Ok(text) = serde_json::from_str::<String>(written) {
        return text;
    }
    let within = |mark: char| written.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    if let Some(text) = within('\'') {
        return text.replace("''", "'");
    }
    within('"').unwrap_or(written).to_owned()
}
