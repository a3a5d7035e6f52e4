//! Hooks and rules of a repository that are gone, and calls that go around them.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::DiffEvidence;
use super::super::model::TextLine;
use super::super::path::FileKind;
use super::commands::{DISABLED, checks};
use super::{Look, at_line};

/// Hooks and rules of the repository that are gone, and calls that go around them.
pub(super) fn bypassed(look: &Look<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    for file in &look.change.files {
        let path = file.path.to_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        let rule_file = path.starts_with(".husky/")
            || path.contains(".githooks/")
            || name.starts_with(".pre-commit-config")
            || name.starts_with("lefthook")
            || name == "codeowners"
            || name == ".lintstagedrc"
            || name.starts_with("commitlint")
            || path.contains("hooks/pre-")
            || name == "overcommit.yml"
            || name == ".overcommit.yml";
        if rule_file && file.file.old_path.is_some() {
            let removed: Vec<&TextLine> = file
                .old
                .changed()
                .filter(|line| !line.text.trim().is_empty() && !line.text.trim().starts_with('#'))
                .collect();
            let added: Vec<&TextLine> = file
                .new
                .changed()
                .filter(|line| !line.text.trim().is_empty() && !line.text.trim().starts_with('#'))
                .collect();
            let hooks = |lines: &[&TextLine]| {
                lines
                    .iter()
                    .filter(|line| {
                        line.text.contains("id:")
                            || line.text.contains("repo:")
                            || line.text.contains("run:")
                            || checks(&line.text).is_some()
                            || line.text.contains('@')
                    })
                    .count()
            };
            let early = added.iter().find(|line| {
                line.text.trim().starts_with("exit 0")
                    || line.text.contains("stages: [manual]")
                    || line.text.trim().starts_with("exclude:")
                    || line.text.contains("skip: true")
                    || line.text.contains("stages: []")
            });
            if let Some(line) = early {
                found.push(at_line(
                    DISABLED,
                    Severity::Serious,
                    file,
                    Side::New,
                    line.number,
                    "a hook of the repository no longer runs",
                ));
            } else if hooks(&removed) > hooks(&added)
                && let Some(line) = removed.first()
            {
                found.push(at_line(
                    DISABLED,
                    Severity::Serious,
                    file,
                    Side::Old,
                    line.number,
                    "a hook or a rule of the repository is gone",
                ));
            }
        }
        for line in file.new.changed().filter(|_| file.kind != FileKind::Document) {
            let around = [
                "--no-verify",
                "HUSKY=0",
                "HUSKY_SKIP",
                "SKIP=",
                "core.hooksPath=/dev/null",
                "core.hooksPath /dev/null",
                "PRE_COMMIT_ALLOW_NO_CONFIG",
            ]
            .iter()
            .find(|mark| line.text.contains(**mark));
            let git =
                line.text.contains("git ") || line.text.contains("HUSKY") || line.text.contains("hooksPath");
            if let Some(mark) = around
                .filter(|_| git && !file.old.lines.iter().any(|own| own.text == line.text) && !file.test)
            {
                found.push(at_line(
                    DISABLED,
                    Severity::Serious,
                    file,
                    Side::New,
                    line.number,
                    format!("`{mark}` goes around the hooks of the repository"),
                ));
            }
        }
    }
    found
}
