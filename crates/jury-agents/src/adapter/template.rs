//! Placeholders in arguments, variables and files.

/// What may stand between braces, and what it stands for. Absent means: not in this call.
#[derive(Debug, Default)]
pub(super) struct Values<'a> {
    pub(super) model: Option<&'a str>,
    pub(super) prompt: Option<&'a str>,
    pub(super) system: Option<&'a str>,
    pub(super) prompt_file: Option<&'a str>,
    pub(super) base_url: Option<&'a str>,
    pub(super) key: Option<&'a str>,
    pub(super) home: Option<&'a str>,
    pub(super) private: Option<&'a str>,
}

/// The names that may stand between braces.
pub(super) const NAMES: [&str; 9] =
    ["model", "prompt", "prompt_file", "system", "base_url", "host_url", "key", "home", "private"];

impl<'a> Values<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        match name {
            "model" => self.model,
            "prompt" => self.prompt,
            "prompt_file" => self.prompt_file,
            "system" => self.system,
            "base_url" => self.base_url,
            // Some programs add the version of the API themselves.
            "host_url" => self.base_url.map(|url| url.strip_suffix("/v1").unwrap_or(url)),
            "key" => self.key,
            "home" => self.home,
            "private" => self.private,
            _ => None,
        }
    }

    /// The text with every placeholder replaced. A placeholder without a value becomes nothing.
    pub(super) fn fill(&self, text: &str) -> String {
        self.fill_with(text, str::to_owned)
    }

    /// The same, or nothing where a placeholder has no value.
    pub(super) fn fill_whole(&self, text: &str) -> Option<String> {
        placeholders(text).all(|name| self.get(name).is_some()).then(|| self.fill(text))
    }

    /// The same for a file, where placeholders stand inside double quotes.
    pub(super) fn fill_quoted(&self, text: &str) -> String {
        // JSON's escapes mean the same in TOML's basic strings and in YAML's double-quoted ones.
        self.fill_with(text, |value| {
            let quoted = serde_json::Value::from(value).to_string();
            quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default().to_owned()
        })
    }

    fn fill_with(&self, text: &str, escape: impl Fn(&str) -> String) -> String {
        let mut filled = String::with_capacity(text.len());
        for part in parts(text) {
            match part {
                Part::Literal(literal) => filled.push_str(literal),
                Part::Placeholder(name) => filled.push_str(&self.get(name).map(&escape).unwrap_or_default()),
            }
        }
        filled
    }
}

/// The placeholders in a text.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    parts(text).filter_map(|part| match part {
        Part::Literal(_) => None,
        Part::Placeholder(name) => Some(name),
    })
}

enum Part<'a> {
    Literal(&'a str),
    Placeholder(&'a str),
}

/// Splits at `{name}`. Braces around anything else than lower-case letters are literal: files have many.
fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut from = 0;
        while let Some(open) = rest.get(from..).and_then(|tail| tail.find('{')).map(|at| from + at) {
            let name = rest.get(open + 1..).unwrap_or_default();
            let length = name.bytes().take_while(|byte| byte.is_ascii_lowercase() || *byte == b'_').count();
            if length > 0 && name.as_bytes().get(length) == Some(&b'}') {
                if open > 0 {
                    let (literal, tail) = rest.split_at(open);
                    rest = tail;
                    return Some(Part::Literal(literal));
                }
                let (name, tail) = name.split_at(length);
                rest = tail.get(1..).unwrap_or_default();
                return Some(Part::Placeholder(name));
            }
            from = open + 1;
        }
        Some(Part::Literal(std::mem::take(&mut rest)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_and_other_braces_are_not() {
        let values = Values { model: Some("m"), key: Some("k"), ..Values::default() };
        assert_eq!(
            values.fill("{model}{\"a\": {key}} {} { model } {Model} {"),
            "m{\"a\": k} {} { model } {Model} {"
        );
        assert_eq!(values.fill("<{prompt}>"), "<>");
    }

    #[test]
    fn values_in_files_cannot_leave_their_quotes() {
        let values = Values { model: Some("a\"b\\c\n"), ..Values::default() };
        assert_eq!(values.fill_quoted("model = \"{model}\""), r#"model = "a\"b\\c\n""#);
    }

    #[test]
    fn value_that_looks_like_a_placeholder_stays_as_it_is() {
        let values = Values { prompt: Some("{key}"), key: Some("secret"), ..Values::default() };
        assert_eq!(values.fill("{prompt}"), "{key}");
    }

    #[test]
    fn host_is_the_base_without_its_version() {
        let values = Values { base_url: Some("http://host:1/v1"), ..Values::default() };
        assert_eq!(values.fill("{base_url} {host_url}"), "http://host:1/v1 http://host:1");
    }
}
