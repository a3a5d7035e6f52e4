//! Hides who did the work: a judge that knows a name judges the name.

/// What stands in place of a name.
const HIDDEN: &str = "[author]";

/// Words that records use where they know nothing, and words that are in every change.
const COMMON: &[&str] = &[
    "unknown",
    "custom",
    "default",
    "none",
    "null",
    "test",
    "tests",
    "main",
    "agent",
    "model",
    "code",
    "local",
    "house",
    "worker",
    "true",
    "false",
    "return",
    "function",
    "class",
    "struct",
    "enum",
    "impl",
    "trait",
    "self",
    "this",
    "super",
    "else",
    "match",
    "case",
    "switch",
    "while",
    "loop",
    "break",
    "continue",
    "import",
    "export",
    "from",
    "with",
    "yield",
    "async",
    "await",
    "const",
    "static",
    "public",
    "private",
    "void",
    "string",
    "bool",
    "boolean",
    "number",
    "float",
    "double",
    "char",
    "long",
    "short",
    "byte",
    "bytes",
    "type",
    "interface",
    "package",
    "module",
    "crate",
    "where",
    "throw",
    "throws",
    "raise",
    "except",
    "finally",
    "catch",
    "assert",
    "print",
    "pass",
    "lambda",
    "global",
    "delete",
    "undefined",
    "object",
    "value",
    "error",
    "result",
    "option",
    "some",
    "list",
    "file",
    "path",
    "name",
    "data",
    "user",
    "work",
    "build",
    "lint",
    "fail",
    "done",
    "review",
    "fixer",
    "coder",
    "robot",
    "assistant",
    "then",
    "when",
    "that",
    "have",
    "will",
    "each",
    "more",
    "only",
    "line",
    "text",
    "open",
];

/// The fewest characters of a name that is hidden: a shorter one is a part of every other line.
const SHORTEST_NAME_CHARS: usize = 4;

/// Names of models and agents that are hidden wherever they are a part of the names of this run.
const KNOWN: &[&str] = &[
    "aider", "claude", "codex", "copilot", "cursor", "deepseek", "gemini", "gpt", "grok", "haiku", "kimi",
    "llama", "mistral", "opencode", "opus", "qwen", "sonnet",
];

/// The names of a run, longest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names(Vec<String>);

impl Names {
    /// Those that these texts name: each text itself, what stands behind its slash, and names in it that are known.
    pub(super) fn of(texts: &[&str]) -> Self {
        let mut names: Vec<String> = Vec::new();
        for text in texts {
            let text = text.trim().to_ascii_lowercase();
            names.extend(text.rsplit_once('/').map(|(_, behind)| behind.to_owned()));
            names
                .extend(KNOWN.iter().filter(|known| text.contains(**known)).map(|known| (*known).to_owned()));
            names.push(text);
        }
        names.retain(|name| {
            KNOWN.contains(&name.as_str())
                || (name.len() >= SHORTEST_NAME_CHARS && !COMMON.contains(&name.as_str()))
        });
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        Self(names)
    }

    /// The same, and what a bead says about who did the work. One that says nothing is a word like any other.
    pub(super) fn and_of(self, bead: &str) -> Self {
        let lower = bead.to_ascii_lowercase();
        if !KNOWN.iter().any(|known| lower.contains(known)) {
            return self;
        }
        let mut all = self.0;
        all.extend(Self::of(&[bead]).0);
        Self::of(&all.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The text without them. A name counts where it is a word of its own, in any case.
    pub(super) fn hide(&self, text: &str) -> String {
        let mut hidden = text.to_owned();
        for name in &self.0 {
            hidden = without(&hidden, name);
        }
        hidden
    }
}

fn without(text: &str, name: &str) -> String {
    let lower = text.to_ascii_lowercase();
    if !lower.contains(name) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, found) in lower.match_indices(name) {
        let end = at + found.len();
        let before = lower.get(..at).and_then(|before| before.chars().next_back());
        let behind = lower.get(end..).and_then(|behind| behind.chars().next());
        let alone = |neighbour: Option<char>| neighbour.is_none_or(|c| !c.is_alphanumeric());
        if at >= done && alone(before) && alone(behind) {
            out.push_str(text.get(done..at).unwrap_or_default());
            out.push_str(HIDDEN);
            done = end;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_hidden_as_words() {
        let names = Names::of(&["kim-bot", "anthropic/claude-opus-4"]);
        assert_eq!(
            names.hide(
                "Kim-Bot used Claude and claude-opus-4 (anthropic/claude-opus-4); preclauded, octopus, OPUS"
            ),
            "[author] used [author] and [author] ([author]); preclauded, octopus, [author]"
        );
        let plain = "unknown test of main";
        assert_eq!(Names::of(&["unknown", "test", "", "go"]).hide(plain), plain);
        // An agent can have the name of something that is in every change.
        let code = "    return value; // go pi";
        assert_eq!(Names::of(&["return", "pi", "value"]).hide(code), code);
        let of_bead = Names::of(&["unknown"]).and_of("codex-17");
        assert_eq!(of_bead.hide("codex-17 is by Codex"), "[author] is by [author]");
        assert_eq!(Names::of(&["unknown"]).and_of("bd-17").hide("bd-17"), "bd-17");
        assert_eq!(Names::of(&["äö-x"]).hide("der ÄÖ-X äö-x."), "der ÄÖ-X [author].");
    }
}
