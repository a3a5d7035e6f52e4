//! Front matter: `key: value` lines between two lines of three dashes, at the very beginning.

use super::{NotADraft, line_at};

/// What stands before the text, and the text.
pub(super) struct Front<'a> {
    /// Each entry in order, with its line.
    pub(super) entries: Vec<Entry>,
    /// What follows.
    pub(super) body: &'a str,
    /// The line that it begins with.
    pub(super) body_line: u32,
}

/// One `key: value`.
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
    let Some(rest) = text.strip_prefix("---\n") else {
        return Ok(Front { entries: Vec::new(), body: text, body_line: 1 });
    };
    let mut entries: Vec<Entry> = Vec::new();
    let mut offset = 0;
    for (index, line) in rest.split('\n').enumerate() {
        let number = line_at(index + 1);
        if matches!(line.trim_end(), "---" | "...") {
            let end = (offset + line.len() + 1).min(rest.len());
            for entry in &mut entries {
                entry.value = value(&entry.value);
            }
            return Ok(Front {
                entries,
                body: rest.get(end..).unwrap_or_default(),
                body_line: number.saturating_add(1),
            });
        }
        offset += line.len() + 1;
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if line.starts_with([' ', '\t', '-']) {
            // A value goes on in lines that are set in; a list is one value to us.
            let Some(last) = entries.last_mut() else {
                return Err(not_a_key(number));
            };
            if matches!(last.value.as_str(), ">" | "|" | ">-" | "|-" | ">+" | "|+") {
                last.value.clear();
            }
            if !last.value.is_empty() {
                last.value.push(' ');
            }
            last.value.push_str(trimmed);
            continue;
        }
        let Some((key, value)) = trimmed.split_once(':') else {
            return Err(not_a_key(number));
        };
        let key = key.trim().trim_matches(['"', '\'']).to_lowercase().replace(['_', ' '], "-");
        entries.push(Entry { line: number, key, value: value.trim().to_owned() });
    }
    Err(NotADraft::At {
        line: 1,
        what: "the front matter has no end: put a line with `---` behind its last entry".to_owned(),
    })
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
