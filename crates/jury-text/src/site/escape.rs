//! Writing markup in which data cannot become markup: what is not a constant goes through here.

use std::fmt::Write as _;

use serde_json::Value;

/// A character as a page can carry it. Controls and code points that are no characters are not part of any text; a
/// control that separates stays a space.
pub(super) fn clean(ch: char) -> Option<char> {
    let code = u32::from(ch);
    let no_character = (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe;
    match ch {
        '\n' => Some('\n'),
        _ if ch.is_control() && ch.is_whitespace() => Some(' '),
        _ if ch.is_control() || no_character => None,
        _ => Some(ch),
    }
}

/// Words with single spaces between them: what two texts are compared by.
pub(super) fn normal(text: &str) -> String {
    let cleaned: String = text.chars().filter_map(clean).collect();
    cleaned.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text and values of attributes, for HTML and XML alike.
pub(super) fn escape(out: &mut String, text: &str) {
    for ch in text.chars().filter_map(clean) {
        match ch {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(ch),
        }
    }
}

/// JSON that can stand in a `script` element and close nothing.
pub(super) fn json_in_html(value: &Value) -> String {
    let mut out = String::new();
    for ch in value.to_string().chars() {
        match ch {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => drop(write!(out, "\\u{:04x}", u32::from(ch))),
            _ => out.push(ch),
        }
    }
    out
}

/// Markup that is being written. Names are constants; everything else is escaped.
#[derive(Debug, Default)]
pub(super) struct Markup {
    out: String,
}

impl Markup {
    /// Markup that is known beforehand.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// An opening tag, or one without an end.
    pub(super) fn open(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) -> &mut Self {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            escape(&mut self.out, value);
            self.out.push('"');
        }
        self.out.push('>');
        self
    }

    pub(super) fn close(&mut self, name: &'static str) -> &mut Self {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
        self
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        escape(&mut self.out, text);
        self
    }

    /// An element with text in it, on a line of its own. Nothing when there is no text.
    pub(super) fn line(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, &str)],
        text: &str,
    ) -> &mut Self {
        if !normal(text).is_empty() {
            self.open(name, attributes).text(text).close(name).raw("\n");
        }
        self
    }

    /// Writes data for machines, as JSON-LD.
    pub(super) fn data(&mut self, value: &Value) -> &mut Self {
        self.out.push_str("<script type=\"application/ld+json\">");
        self.out.push_str(&json_in_html(value));
        self.out.push_str("</script>\n");
        self
    }

    /// Markup that was made by another writer of this kind.
    pub(super) fn part(&mut self, part: &Self) -> &mut Self {
        self.out.push_str(&part.out);
        self
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }
}

/// The name of a part of a page or of a file: lower-case letters, digits and dashes.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::new();
    for ch in text.chars() {
        if ch.is_ascii_alphanumeric() {
            out.push(ch.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.len() >= 48 {
            break;
        }
    }
    let out = out.trim_matches('-');
    if out.is_empty() { "part".to_owned() } else { out.to_owned() }
}

/// A name that is not among those taken; takes it.
pub(super) fn unique(wanted: &str, taken: &mut Vec<String>) -> String {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while taken.contains(&name) {
        name = format!("{wanted}-{number}");
        number += 1;
    }
    taken.push(name.clone());
    name
}

/// Whether a link may lead there: the web, mail, a telephone, or a place in the site.
pub(super) fn is_safe(address: &str) -> bool {
    let address = address.trim();
    let scheme = address
        .split(['/', '?', '#'])
        .next()
        .and_then(|start| start.split_once(':'))
        .map(|(scheme, _)| scheme);
    let controls =
        address.is_empty() || address.chars().any(|ch| ch.is_control() || ch.is_whitespace() || ch == '\\');
    let elsewhere = address.starts_with("//");
    !controls
        && !elsewhere
        && scheme.is_none_or(|scheme| {
            ["http", "https", "mailto", "tel"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_run_or_leave_unseen_are_not_followed() {
        for good in [
            "https://a.example/x?y=1#z",
            "mailto:a@b.example",
            "tel:+4912",
            "#part",
            "blog/",
            "./",
            "HTTP://x",
        ] {
            assert!(is_safe(good), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "data:text/html,x",
            "//evil.example",
            "java\nscript:x",
            "",
            "\\\\evil",
        ] {
            assert!(!is_safe(bad), "{bad}");
        }
    }

    #[test]
    fn slugs_are_names_of_files() {
        assert_eq!(slug("  What's new, in 2026? "), "what-s-new-in-2026");
        assert_eq!(slug("../../etc"), "etc");
        assert_eq!(slug("你好"), "part");
        let mut taken = Vec::new();
        assert_eq!(unique("a", &mut taken), "a");
        assert_eq!(unique("a", &mut taken), "a-2");
    }
}
