//! The lines between `---` and `---` before a text: what it is called and what search results say of it.

use super::document::Value;

/// What stands before a text.
#[derive(Debug, Default)]
pub(super) struct FrontMatter<'a> {
    pub(super) name: Option<Value<'a>>,
    pub(super) title: Option<Value<'a>>,
    pub(super) description: Option<Value<'a>>,
    /// Where the text begins.
    pub(super) end: usize,
}

/// Reads the front matter of a text, if it has one that ends.
pub(super) fn read(text: &str) -> FrontMatter<'_> {
    let mut found = FrontMatter::default();
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else { return found };
    let mut offset = first.len();
    let mut rest: Vec<(usize, &str)> = Vec::new();
    let mut closed = false;
    for line in lines {
        let start = offset;
        offset += line.len();
        if line.trim_end() == "---" {
            closed = true;
            break;
        }
        rest.push((start, line));
    }
    if !closed {
        return found;
    }
    found.end = offset;
    let mut lines = rest.iter().peekable();
    while let Some((start, line)) = lines.next() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let mut value = value;
        if matches!(value.trim(), ">" | "|" | ">-" | "|-" | "") {
            // A value over several lines is the lines that are indented.
            let mut end = start + line.len();
            let from = end;
            while let Some((at, line)) = lines.peek().filter(|(_, line)| line.starts_with([' ', '\t'])) {
                end = at + line.len();
                lines.next();
            }
            value = text.get(from..end).unwrap_or_default();
        }
        let value = Value::new(unquoted(value));
        match key.trim().to_lowercase().as_str() {
            "name" => found.name = value,
            "title" => found.title = value,
            "description" => found.description = value,
            _ => {}
        }
    }
    found
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    let inner = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}
