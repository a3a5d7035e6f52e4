//! Whether the elements of XML and HTML match. HTML may leave out what its grammar lets it leave out.

use jury_core::markup::{OPTIONAL, VOID};

use super::Fault;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Xml,
    Html,
}

pub(super) fn check(code: &str, dialect: Dialect) -> Option<Fault> {
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut rest = code;
    let mut line = 0;
    while let Some(at) = rest.find('<') {
        let (before, tail) = rest.split_at(at);
        line += before.matches('\n').count();
        let length = length(tail, open.last().map(|(name, _)| name.as_str()), dialect);
        let (tag, after) = tail.split_at(length.min(tail.len()));
        if let Some(fault) = take(tag, line, dialect, &mut open) {
            return Some(fault);
        }
        line += tag.matches('\n').count();
        rest = after;
    }
    let left =
        open.iter().rev().find(|(name, _)| dialect == Dialect::Xml || !OPTIONAL.contains(&name.as_str()));
    left.map(|(name, line)| Fault::at(*line, format!("<{name}> is not closed")))
}

/// How long the tag, comment or section at the beginning of a text is.
fn length(text: &str, parent: Option<&str>, dialect: Dialect) -> usize {
    let to = |end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    if text.starts_with("<!--") {
        return to("-->");
    }
    if text.starts_with("<![CDATA[") {
        return to("]]>");
    }
    if text.starts_with("<?") {
        return to("?>");
    }
    let raw = dialect == Dialect::Html && matches!(parent, Some("script" | "style"));
    let closing = text.starts_with("</");
    if !text
        .get(1..)
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '!' | '_')))
        || (raw && !closing)
    {
        return 1;
    }
    // `>` in a quoted value does not end the tag.
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (None, '"' | '\'') if !closing => quote = Some(character),
            (Some(mark), _) if mark == character => quote = None,
            (None, '>') => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn take(tag: &str, line: usize, dialect: Dialect, open: &mut Vec<(String, usize)>) -> Option<Fault> {
    let name_of = |text: &str| -> String {
        let name: String =
            text.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')).collect();
        if dialect == Dialect::Html { name.to_ascii_lowercase() } else { name }
    };
    if tag.len() < 3 || tag.starts_with("<!") || tag.starts_with("<?") {
        return None;
    }
    if !tag.ends_with('>') {
        return Some(Fault::at(line, "a tag does not end"));
    }
    if let Some(rest) = tag.strip_prefix("</") {
        let name = name_of(rest);
        let Some(at) = open.iter().rposition(|(open, _)| *open == name) else {
            let optional = dialect == Dialect::Html
                && (OPTIONAL.contains(&name.as_str()) || VOID.contains(&name.as_str()));
            return (!optional).then(|| Fault::at(line, format!("</{name}> closes nothing")));
        };
        let between = open
            .iter()
            .skip(at + 1)
            .find(|(name, _)| dialect == Dialect::Xml || !OPTIONAL.contains(&name.as_str()));
        let fault = between
            .map(|(inner, from)| Fault::at(*from, format!("<{inner}> is not closed before </{name}>")));
        open.truncate(at);
        return fault;
    }
    let name = name_of(tag.get(1..).unwrap_or_default());
    let void = dialect == Dialect::Html && VOID.contains(&name.as_str());
    if !name.is_empty() && !tag.ends_with("/>") && !void {
        open.push((name, line));
    }
    None
}
