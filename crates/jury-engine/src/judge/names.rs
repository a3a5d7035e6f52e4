//! Hides who did the work: a judge that knows a name judges the name.

/// What stands in place of a name.
const HIDDEN: &str = "[author]";

/// Words that records use where they know nothing, and words that are in every change.
const COMMON: &[&str] = &[
    "unknown", "custom", "default", "none", "null", "test", "tests", "main", "agent", "model", "code",
    "local", "house", "worker", "true", "false",
];

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
        names.retain(|name| name.len() >= 3 && !COMMON.contains(&name.as_str()));
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        Self(names)
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
        assert_eq!(Names::of(&["äö-x"]).hide("der ÄÖ-X äö-x."), "der ÄÖ-X [author].");
    }
}
