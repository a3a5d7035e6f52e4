//! Takes secrets out of lines that follow each other. A key of one line is known by its shape; a private key spans many,
//! of which only the first and the last say what they are.

use super::detect::redact;

/// What stands in place of a secret.
const HIDDEN: &str = "[secret]";

/// The most lines of one private key: the longest have about a hundred.
const LONGEST_KEY: usize = 400;

/// Lines go through it in their order.
#[derive(Debug, Default)]
pub(super) struct Redactor {
    /// How many lines of a private key may still come; zero outside of one.
    left: usize,
}

impl Redactor {
    /// The line without its secrets.
    pub(super) fn line(&mut self, text: &str) -> String {
        let key = text.contains("PRIVATE KEY");
        if key && text.contains("-----BEGIN") {
            let ends = text.split_once("-----BEGIN").is_some_and(|(_, rest)| rest.contains("-----END"));
            self.left = if ends { 0 } else { LONGEST_KEY };
            return HIDDEN.to_owned();
        }
        if self.left > 0 {
            self.left -= 1;
            if key && text.contains("-----END") {
                self.left = 0;
                return HIDDEN.to_owned();
            }
            if is_of_key(text) {
                return HIDDEN.to_owned();
            }
            self.left = 0;
        }
        redact(text)
    }
}

/// Nothing but what a key is written with, its heads, and what stands around the lines of a literal.
fn is_of_key(text: &str) -> bool {
    let text = text.trim();
    let head = ["Proc-Type:", "DEK-Info:", "Comment:"].iter().any(|head| text.starts_with(head));
    let part = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '"' | '\'' | '\\' | ',' | '`' | '.')
    };
    head || text.chars().all(part)
}

/// The text with its secrets taken out, line by line.
pub fn without_secrets(text: &str) -> String {
    let mut redactor = Redactor::default();
    let mut safe = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.strip_suffix('\n').unwrap_or(line);
        safe.push_str(&redactor.line(body));
        if body.len() < line.len() {
            safe.push('\n');
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_private_key_is_left() {
        // Put together here, so that no tool takes this file for one that holds a key.
        let mark = |word: &str| format!("-----{word} RSA {} KEY-----", "PRIVATE");
        let key = format!(
            "before\n{}\nDEK-Info: AES\n\nMIIEabc+/=\n\"Zm9v\\n\"\n{}\nafter\n",
            mark("BEGIN"),
            mark("END")
        );
        let safe = without_secrets(&key);
        assert_eq!(safe, "before\n[secret]\n[secret]\n[secret]\n[secret]\n[secret]\n[secret]\nafter\n");
        let line = format!("key = \"{}\\nMIIE\\n{}\"\nplain words\n", mark("BEGIN"), mark("END"));
        assert_eq!(without_secrets(&line), "[secret]\nplain words\n");
        let broken = format!("{}\nMIIE\nlet x = 1;\nword\n", mark("BEGIN"));
        assert_eq!(without_secrets(&broken), "[secret]\n[secret]\nlet x = 1;\nword\n");
    }
}
