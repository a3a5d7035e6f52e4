//! Front matter: the lines between two lines of three dashes before a text, as the small part of YAML that people use.
//!
//! This finds it, numbers its lines and takes keys from values. What a key means, and whether a line that cannot be read
//! is a mistake (a skill) or nothing (a document), is up to the caller.

/// Front matter, and where the text behind it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontMatter<'a> {
    /// What stands between the dashes; everything, when they never close.
    pub text: &'a str,
    /// The byte at which the body begins.
    pub start: usize,
    /// Where the text behind it begins.
    pub body: usize,
    /// There is a line that ends it.
    pub closed: bool,
}

impl<'a> FrontMatter<'a> {
    /// The front matter of a text, if its first line begins one.
    pub fn find(text: &'a str) -> Option<Self> {
        let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = bare.split_inclusive('\n').next().filter(|line| line.trim_end() == "---")?;
        let start = text.len() - bare.len() + first.len();
        let mut end = start;
        for line in text.get(start..)?.split_inclusive('\n') {
            if matches!(line.trim_end(), "---" | "...") {
                return Some(Self {
                    text: text.get(start..end)?,
                    start,
                    body: end + line.len(),
                    closed: true,
                });
            }
            end += line.len();
        }
        Some(Self { text: text.get(start..)?, start, body: end, closed: false })
    }

    /// A text as its front matter with the dashes, and the rest. Front matter that never closes is none.
    pub fn split(text: &'a str) -> (&'a str, &'a str) {
        let body = Self::find(text).filter(|front| front.closed).map_or(0, |front| front.body);
        text.split_at_checked(body).unwrap_or(("", text))
    }

    /// Its lines. The first is the second of the text.
    pub fn lines(&self) -> Lines<'a> {
        Lines { rest: self.text, number: 2 }
    }
}

/// A line that says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrontMatterLine<'a> {
    /// Its number in the text, from 1.
    pub number: usize,
    /// The white space before it.
    pub indent: &'a str,
    /// What it says, without white space around it.
    pub text: &'a str,
}

impl<'a> FrontMatterLine<'a> {
    /// The key, without its quotes, and what stands behind the colon. Later colons belong to the value.
    pub fn pair(&self) -> Option<(&'a str, &'a str)> {
        let in_quotes = |quote: char| {
            let (key, rest) = self.text.strip_prefix(quote)?.split_once(quote)?;
            Some((key, rest.trim_start().strip_prefix(':')?))
        };
        let plain =
            || self.text.split_once(": ").or_else(|| self.text.strip_suffix(':').map(|key| (key, "")));
        let (key, value) = in_quotes('"').or_else(|| in_quotes('\'')).or_else(plain)?;
        let key = key.trim();
        (!key.is_empty()).then(|| (key, value.trim()))
    }
}

/// The lines of front matter in order. Empty lines and comments say nothing.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: &'a str,
    /// The number of the next line.
    number: usize,
}

impl<'a> Lines<'a> {
    /// The next line, without taking it.
    pub fn peek(&mut self) -> Option<FrontMatterLine<'a>> {
        while let Some(whole) = self.rest.split_inclusive('\n').next() {
            let text = whole.trim();
            if !text.is_empty() && !text.starts_with('#') {
                let indent = whole.get(..whole.len() - whole.trim_start().len()).unwrap_or_default();
                return Some(FrontMatterLine { number: self.number, indent, text });
            }
            self.pass();
        }
        None
    }

    /// Takes the next line if it is such a one.
    pub fn next_if(
        &mut self,
        wanted: impl FnOnce(&FrontMatterLine<'a>) -> bool,
    ) -> Option<FrontMatterLine<'a>> {
        let line = self.peek().filter(wanted)?;
        self.pass();
        Some(line)
    }

    /// Takes all lines that are indented further than this as they are written: a block text.
    pub fn block(&mut self, indent: usize) -> &'a str {
        let all = self.rest;
        while let Some(whole) = self.rest.split_inclusive('\n').next() {
            let text = whole.trim_start();
            if !text.is_empty() && whole.len() - text.len() <= indent {
                break;
            }
            self.pass();
        }
        all.get(..all.len() - self.rest.len()).unwrap_or_default()
    }

    fn pass(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        self.number += 1;
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = FrontMatterLine<'a>;

    fn next(&mut self) -> Option<FrontMatterLine<'a>> {
        self.next_if(|_| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_between_dashes_at_the_very_beginning() {
        let text = "\u{feff}---\r\na: b\n...\nbody\n---\n";
        let front = FrontMatter::find(text).unwrap();
        assert_eq!((front.text, text.get(front.body..)), ("a: b\n", Some("body\n---\n")));
        assert_eq!(FrontMatter::split(text), ("\u{feff}---\r\na: b\n...\n", "body\n---\n"));
        assert_eq!(FrontMatter::split("---\na: b\n"), ("", "---\na: b\n"));
        assert!(FrontMatter::find("---\na: b\n").is_some_and(|front| !front.closed));
        for none in ["", "a: b\n---\n", " ---\na\n---\n", "----\n---\n"] {
            assert_eq!(FrontMatter::find(none), None, "{none}");
        }
    }

    #[test]
    fn lines_have_numbers_keys_and_blocks() {
        let front =
            FrontMatter::find("---\n# no\n\n'a b' : c: d\n  text: |\n    x\n\n    y\nlist:\n---").unwrap();
        let mut lines = front.lines();
        let first = lines.next().unwrap();
        assert_eq!((first.number, first.pair()), (4, Some(("a b", "c: d"))));
        let second = lines.next().unwrap();
        assert_eq!((second.number, second.indent, second.pair()), (5, "  ", Some(("text", "|"))));
        assert_eq!(lines.block(2), "    x\n\n    y\n");
        assert_eq!(lines.next_if(|line| !line.indent.is_empty()), None);
        let last = lines.next().unwrap();
        assert_eq!((last.number, last.pair(), lines.next()), (9, Some(("list", "")), None));
        assert_eq!(FrontMatterLine { number: 1, indent: "", text: "no pair:here" }.pair(), None);
    }
}
