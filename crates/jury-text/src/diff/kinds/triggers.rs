//! Pipelines that run less often: events and paths that are gone. A filter of documents is honest.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::DiffEvidence;
use super::commands::{DISABLED, checks};
use super::{FileChange, at_line};

/// When a pipeline runs.
pub(super) fn narrowed(file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let path = file.path.to_lowercase();
    let checking = file.old.lines.iter().chain(&file.new.lines).any(|line| checks(&line.text).is_some());
    if !(path.contains(".github/workflows") || path.contains(".gitlab-ci") || path.contains("ci"))
        || !checking
        || file.file.new_path.is_none()
        || file.file.old_path.is_none()
    {
        return found;
    }
    for line in file.old.changed() {
        let text = line.text.trim();
        let trigger = [
            "pull_request:",
            "push:",
            "pull_request",
            "- pull_request",
            "- push",
            "merge_group:",
            "- merge_requests",
        ]
        .contains(&text)
            || text.starts_with("on: [")
            || text.starts_with("on: push")
            || text.starts_with("on: pull");
        let word = if text.contains("pull_request") {
            "pull_request"
        } else if text.contains("merge_request") {
            "merge_request"
        } else {
            "push"
        };
        if trigger
            && !file.new.lines.iter().any(|own| own.text.contains(word) && !own.text.trim().starts_with('#'))
        {
            found.push(at_line(
                DISABLED,
                Severity::Serious,
                file,
                Side::Old,
                line.number,
                format!("the checks no longer run on `{word}`"),
            ));
        }
    }
    for (index, line) in file.new.lines.iter().enumerate().filter(|(_, line)| line.changed) {
        let text = line.text.trim();
        let filter = text.starts_with("paths-ignore:")
            || text.starts_with("paths:")
            || text.starts_with("branches-ignore:")
            || text.starts_with("changes:")
            || text.starts_with("except:");
        if !filter {
            continue;
        }
        let list: Vec<&str> = std::iter::once(text)
            .chain(
                file.new
                    .lines
                    .get(index + 1..)
                    .unwrap_or_default()
                    .iter()
                    .map(|own| own.text.trim())
                    .take_while(|own| own.starts_with("- ")),
            )
            .collect();
        let said = list.join(" ");
        let ignores = text.starts_with("paths-ignore")
            || text.starts_with("branches-ignore")
            || text.starts_with("except");
        let documents = |part: &&str| {
            part.contains(".md")
                || part.contains("docs")
                || part.contains("LICENSE")
                || part.contains(".txt")
                || part.contains(".rst")
                || part.contains("images")
                || part.contains(".png")
                || part.contains(".svg")
                || part.contains("README")
        };
        let items: Vec<&str> = said
            .split([' ', ',', '[', ']'])
            .map(|part| part.trim_matches(['"', '\'', '-']))
            .filter(|part| part.len() > 1 && !part.ends_with(':'))
            .collect();
        let narrow = ignores && !items.is_empty() && !items.iter().all(documents)
            || text.starts_with("paths:") && !items.is_empty() && items.iter().all(documents);
        if narrow {
            found.push(at_line(
                DISABLED,
                Severity::Serious,
                file,
                Side::New,
                line.number,
                "the checks no longer run where the code changes",
            ));
        }
    }
    found
}
