//! The lines between `---` and `---` before a text: what it is called and what search results say of it.

use jury_core::front_matter;

use super::document::Value;

/// What stands before a text.
#[derive(Debug, Default)]
pub(crate) struct FrontMatter<'a> {
    pub(crate) name: Option<Value<'a>>,
    pub(crate) title: Option<Value<'a>>,
    pub(crate) description: Option<Value<'a>>,
    /// Where the text begins.
    pub(crate) end: usize,
}

/// Reads the front matter of a text, if it has one that ends.
pub(crate) fn read(text: &str) -> FrontMatter<'_> {
    let mut found = FrontMatter::default();
    let Some(front) = front_matter::FrontMatter::find(text).filter(|front| front.closed) else {
        return found;
    };
    found.end = front.body;
    let mut lines = front.lines();
    while let Some(line) = lines.next() {
        let Some((key, mut value)) = line.text.split_once(':') else { continue };
        if matches!(value.trim(), ">" | "|" | ">-" | "|-" | "") {
            value = lines.block(0);
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
