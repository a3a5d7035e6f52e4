//! Tasks: which kind of work a task is, by its words.
//!
//! A word counts where it begins a word of the task: `fix` is in `fixes` and not in `prefix`. Each group counts once.

use std::fmt;
use std::str::FromStr;

use jury_core::outcome::{UnknownWord, words};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A kind of work. In the order in which ties are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    /// Repairs something that is broken.
    BugFix,
    /// Adds something that is new.
    Feature,
    /// The same, in a better shape.
    Refactor,
    /// Writes documentation for people.
    Docs,
    /// Something that runs by itself.
    Script,
    /// Reviews the work of another.
    CodeReview,
    /// Any task that is none of these.
    Custom,
}

words!(TaskType {
    BugFix = "bug-fix",
    Feature = "feature",
    Refactor = "refactor",
    Docs = "docs",
    Script = "script",
    CodeReview = "code-review",
    Custom = "custom",
});

/// What speaks for a kind: the words that name it, those that hint at it, and the verbs with which such a task begins.
struct Signs {
    kind: TaskType,
    named: i32,
    names: &'static [&'static str],
    hints: &'static [&'static str],
    verbs: &'static [&'static str],
}

const SIGNS: [Signs; 6] = [
    Signs {
        kind: TaskType::BugFix,
        named: 4,
        names: &[
            "fix",
            "bug",
            "debug",
            "regression",
            "crash",
            "failing test",
            "error",
            "incident",
            "hotfix",
            "broken",
        ],
        hints: &["investigate", "root cause", "why does", "repair", "resolve"],
        verbs: &["fix", "debug", "repair", "resolve", "hotfix", "investigate"],
    },
    Signs {
        kind: TaskType::Feature,
        named: 3,
        names: &[
            "add",
            "create",
            "implement",
            "build",
            "introduce",
            "support",
            "new endpoint",
            "new api",
            "feature flag",
        ],
        hints: &["workflow", "integration", "pipeline", "capability", "enable", "allow users to"],
        verbs: &["add", "create", "implement", "build", "introduce", "support", "enable"],
    },
    Signs {
        kind: TaskType::Refactor,
        named: 4,
        names: &[
            "refactor",
            "cleanup",
            "clean up",
            "simplify",
            "restructure",
            "reorganize",
            "reorganise",
            "rename",
            "extract",
        ],
        hints: &["tech debt", "technical debt", "maintainability", "readability", "modulari"],
        verbs: &["refactor", "simplify", "restructure", "reorganize", "rename", "extract", "clean"],
    },
    Signs {
        kind: TaskType::Docs,
        named: 4,
        names: &["doc", "docs", "document", "readme", "changelog", "guide", "tutorial", "comment"],
        hints: &["api docs", "usage examples", "how to"],
        verbs: &["document", "describe", "explain"],
    },
    Signs {
        kind: TaskType::Script,
        named: 4,
        names: &["script", "bash", "shell", "cron", "automat", "cli tool", "job runner"],
        hints: &["scheduled", "scheduler", "task runner"],
        verbs: &["script", "automate", "schedule"],
    },
    Signs {
        kind: TaskType::CodeReview,
        named: 4,
        names: &["review", "audit", "assess", "analyze", "analyse", "inspect"],
        hints: &["findings", "severity", "threat model"],
        verbs: &["review", "audit", "assess", "analyze", "analyse", "inspect"],
    },
];

impl TaskType {
    /// The kind of a task, and the words that spoke for it.
    pub fn of(task: &str) -> (Self, Vec<&'static str>) {
        // Enough of a task to know what it is.
        let task: String = task.chars().take(4000).flat_map(char::to_lowercase).collect();
        let mut best = (Self::Custom, 0, Vec::new());
        let automates = has(&task, "automat") || has(&task, "cron") || has(&task, "script");
        let writes = ["add", "update", "write", "improve"].iter().any(|verb| opens(&task, verb))
            && ["doc", "readme", "changelog", "guide", "tutorial"].iter().any(|word| has(&task, word));
        for signs in &SIGNS {
            let found = |list: &[&'static str]| list.iter().copied().find(|word| has(&task, word));
            let (named, hinted) = (found(signs.names), found(signs.hints));
            let opened = signs.verbs.iter().any(|verb| opens(&task, verb));
            let mut points = named.map_or(0, |_| signs.named) + hinted.map_or(0, |_| 2);
            points += if opened { 2 } else { 0 };
            points += match signs.kind {
                Self::Script if automates && points > 0 => 2,
                Self::Docs if writes => 3,
                Self::Script | Self::Docs | Self::BugFix | Self::Feature => 0,
                Self::Refactor | Self::CodeReview | Self::Custom => 0,
            };
            if points > best.1 {
                best = (signs.kind, points, named.into_iter().chain(hinted).collect());
            }
        }
        (best.0, best.2)
    }
}

/// Whether the task begins with this verb.
fn opens(task: &str, verb: &str) -> bool {
    task.trim_start().strip_prefix(verb).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Whether a word of the task begins with this.
fn has(task: &str, word: &str) -> bool {
    task.match_indices(word).any(|(at, _)| {
        let before = task.get(..at).and_then(|before| before.chars().next_back());
        let behind = task.get(at + word.len()..).unwrap_or_default();
        let begins = !before.is_some_and(char::is_alphanumeric);
        // Short words are words of their own, with at most an ending: `add` is not in `address`.
        let tail: String = behind.chars().take_while(|c| c.is_alphabetic()).collect();
        let ends = word.len() > 5
            || matches!(tail.as_str(), "" | "s" | "es" | "ed" | "ing" | "er" | "ging" | "ged" | "d" | "ment");
        begins && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_told_apart_by_their_words() {
        for (task, kind) in [
            ("Fix the crash when the config is empty", "bug-fix"),
            ("Investigate why does login hang and repair it", "bug-fix"),
            ("Resolve the failing test in the parser", "bug-fix"),
            ("Add an endpoint that lists projects", "feature"),
            ("Implement OAuth integration", "feature"),
            ("Build a feature flag for the new checkout", "feature"),
            ("Refactor the session module for readability", "refactor"),
            ("Extract the date helpers and rename them", "refactor"),
            ("Write a tutorial for new users", "docs"),
            ("Update the README with usage examples", "docs"),
            ("Add docs for the export command", "docs"),
            ("Create a bash script that rotates logs", "script"),
            ("Add a cron job that prunes backups", "script"),
            ("Automate the release with a scheduled job runner", "script"),
            ("Review the pull request and list findings by severity", "code-review"),
            ("Audit the authentication code", "code-review"),
            ("Move the address prefix", "custom"),
            ("", "custom"),
        ] {
            assert_eq!(TaskType::of(task).0.as_str(), kind, "{task}");
        }
    }
}
