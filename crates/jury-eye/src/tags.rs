//! The tags of a source text, found without building a tree: enough to know what a page asks for before the engine
//! sees it.

/// A start tag.
pub(crate) struct Tag<'a> {
    pub(crate) name: String,
    attributes: Vec<(String, &'a str)>,
    /// Where the tag begins in the source.
    pub(crate) start: usize,
    /// What stands between a `style` tag and its end, with its place in the source; empty for other tags.
    pub(crate) content: &'a str,
    pub(crate) content_start: usize,
}

impl<'a> Tag<'a> {
    /// The value of an attribute as it is written; the first one counts.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.value(name)
    }

    /// The same, for as long as the source lives.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// Whether a list of words holds this one.
    pub(crate) fn has_word(&self, attribute: &str, word: &str) -> bool {
        self.attribute(attribute)
            .is_some_and(|value| value.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word)))
    }
}

/// Every start tag of a page, in order. What stands in comments, scripts and text fields is none.
pub(crate) fn tags(html: &str) -> Tags<'_> {
    Tags { html, at: 0 }
}

pub(crate) struct Tags<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            let rest = self.html.get(self.at..)?;
            self.at += rest.find('<')? + 1;
            let rest = self.html.get(self.at..)?;
            if rest.starts_with("!--") {
                self.at += rest.find("-->").map_or(rest.len(), |end| end + 3);
                continue;
            }
            let length =
                rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
            let name = rest.get(..length)?.to_ascii_lowercase();
            if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                continue;
            }
            let start = self.at - 1;
            self.at += length;
            let attributes = self.attributes();
            let mut tag = Tag { name, attributes, start, content: "", content_start: self.at };
            if matches!(tag.name.as_str(), "script" | "style" | "textarea" | "title" | "xmp" | "template") {
                let rest = self.html.get(self.at..)?;
                let end = find_end_tag(rest, &tag.name);
                if tag.name == "style" {
                    tag.content = rest.get(..end)?;
                }
                self.at += end;
            }
            return Some(tag);
        }
    }
}

impl<'a> Tags<'a> {
    /// Reads up to the end of the tag.
    fn attributes(&mut self) -> Vec<(String, &'a str)> {
        let bytes = self.html.as_bytes();
        let mut found = Vec::new();
        loop {
            while matches!(bytes.get(self.at), Some(byte) if byte.is_ascii_whitespace() || *byte == b'/') {
                self.at += 1;
            }
            match bytes.get(self.at) {
                None => return found,
                Some(b'>') => {
                    self.at += 1;
                    return found;
                }
                Some(_) => {}
            }
            let start = self.at;
            self.at += 1;
            while matches!(bytes.get(self.at), Some(byte) if !byte.is_ascii_whitespace() && !b"/>=".contains(byte))
            {
                self.at += 1;
            }
            let name = self.html.get(start..self.at).unwrap_or_default().to_ascii_lowercase();
            let mut ahead = self.at;
            while matches!(bytes.get(ahead), Some(byte) if byte.is_ascii_whitespace()) {
                ahead += 1;
            }
            let value = if bytes.get(ahead) == Some(&b'=') {
                self.at = ahead + 1;
                self.value()
            } else {
                ""
            };
            found.push((name, value));
        }
    }

    fn value(&mut self) -> &'a str {
        let bytes = self.html.as_bytes();
        while matches!(bytes.get(self.at), Some(byte) if byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        let quote = bytes.get(self.at).copied().filter(|byte| b"\"'".contains(byte));
        let start = self.at + usize::from(quote.is_some());
        let rest = bytes.get(start..).unwrap_or_default();
        let length = rest
            .iter()
            .position(|byte| match quote {
                Some(quote) => *byte == quote,
                None => byte.is_ascii_whitespace() || *byte == b'>',
            })
            .unwrap_or(rest.len());
        self.at = (start + length + usize::from(quote.is_some())).min(bytes.len());
        self.html.get(start..start + length).unwrap_or_default()
    }
}

/// Where the end tag of a raw text begins, or the end of the source.
fn find_end_tag(rest: &str, name: &str) -> usize {
    let mut from = 0;
    while let Some(offset) = rest.get(from..).and_then(|rest| rest.find("</")) {
        let at = from + offset;
        let after = rest.get(at + 2..at + 2 + name.len());
        if after.is_some_and(|after| after.eq_ignore_ascii_case(name)) {
            return at;
        }
        from = at + 2;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_with_their_attributes() {
        let page = "<!-- <a> --><LINK rel = StyleSheet href='a b.css' disabled><script>'<img src=x>'</script>\
                    <img src=x.png/><style media=print>p{}</style><p title=\"a>b\">";
        let found: Vec<String> =
            tags(page).map(|tag| format!("{} {:?} {}", tag.name, tag.attributes, tag.content)).collect();
        assert_eq!(
            found,
            [
                "link [(\"rel\", \"StyleSheet\"), (\"href\", \"a b.css\"), (\"disabled\", \"\")] ",
                "script [] ",
                "img [(\"src\", \"x.png/\")] ",
                "style [(\"media\", \"print\")] p{}",
                "p [(\"title\", \"a>b\")] ",
            ]
        );
    }

    #[test]
    fn broken_tags_end_with_the_page() {
        for page in ["<", "<a", "<a b", "<a b=", "<a b='c", "<style>", "<!--", "</", "<é>"] {
            assert!(tags(page).count() <= 1, "{page}");
        }
    }
}
