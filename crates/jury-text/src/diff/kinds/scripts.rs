//! Scripts that no longer stop where something failed: strictness that is gone, an end with success, a pipe that hides a status.

use jury_core::severity::Severity;

use super::super::Side;
use super::super::detect::DiffEvidence;
use super::super::model::{Dialect, TextLine};
use super::commands::{DISABLED, checks};
use super::{FileChange, at_line};

/// Settings by which a script stops at the first error.
pub(super) fn strictness(file: &FileChange<'_>) -> Vec<DiffEvidence> {
    let mut found = Vec::new();
    let strict = |text: &str| {
        let text = text.trim().trim_start_matches("- ").trim_start_matches("run: ");
        (text.starts_with("set -")
            && text.split_whitespace().nth(1).is_some_and(|flags| flags.contains('e') || flags.contains('o')))
            && !text.starts_with("set +")
    };
    let flags = |text: &str| {
        (
            text.contains("pipefail"),
            text.contains("errexit")
                || text
                    .split_whitespace()
                    .any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('e')),
        )
    };
    let all = |lines: &[TextLine]| {
        lines.iter().filter(|own| strict(&own.text) || own.text.starts_with("#!")).fold(
            (false, false),
            |(pipe, stop), own| {
                let (own_pipe, own_stop) = flags(&own.text);
                (pipe || own_pipe, stop || own_stop)
            },
        )
    };
    if file.is_whole() && file.file.old_path.is_some() && file.file.new_path.is_some() {
        let ((old_pipe, old_stop), (new_pipe, new_stop)) = (all(&file.old.lines), all(&file.new.lines));
        if (old_stop && !new_stop || old_pipe && !new_pipe)
            && let Some(line) = file.old.changed().find(|own| strict(&own.text) || own.text.starts_with("#!"))
        {
            found.push(at_line(
                DISABLED,
                Severity::Serious,
                file,
                Side::Old,
                line.number,
                "the script stopped at the first error, and does so no more",
            ));
        }
    }
    let old: Vec<&str> = file.old.lines.iter().map(|line| line.text.trim()).collect();
    for (index, line) in file.new.lines.iter().enumerate().filter(|(_, line)| line.changed) {
        let text = line.text.trim();
        if old.contains(&text) && text != "exit 0" {
            continue;
        }
        let after: Vec<&str> = file
            .new
            .lines
            .get(index + 1..)
            .unwrap_or_default()
            .iter()
            .map(|own| own.text.trim())
            .filter(|text| !text.is_empty() && !text.starts_with('#'))
            .collect();
        if text == "set +e" || text == "set +o errexit" || text == "set +o pipefail" {
            let looked_at = after.iter().take(8).any(|own| own.contains("$?") || own.contains("PIPESTATUS"));
            if !looked_at {
                found.push(at_line(
                    DISABLED,
                    Severity::Serious,
                    file,
                    Side::New,
                    line.number,
                    "errors no longer stop the script",
                ));
            }
        }
        let shell = file.dialect == Some(Dialect::Shell) || text.starts_with("run:");
        if shell
            && (text == "exit 0"
                || text.ends_with("; exit 0")
                || text.contains("trap 'exit 0'")
                || text.contains("trap \"exit 0\""))
        {
            let status = file.old.changed().any(|own| {
                own.text.contains("exit $")
                    || own.text.contains("exit \"$")
                    || own.text.trim() == "exit 1"
                    || own.text.contains("exit ${")
            });
            let flat = line.text.len() == line.text.trim_start().len();
            // An end before what is still to come, or instead of how it went.
            let early = flat && !after.is_empty() && file.file.old_path.is_some();
            let last_fails = flat
                && after.is_empty()
                && file.old.lines.iter().rev().find(|own| !own.text.trim().is_empty()).is_some_and(|own| {
                    checks(&own.text).is_some()
                        || own.text.contains("exit $")
                        || own.text.trim().starts_with('[')
                });
            if status || early || last_fails || text.contains("trap") {
                found.push(at_line(
                    DISABLED,
                    Severity::Serious,
                    file,
                    Side::New,
                    line.number,
                    "the script ends with success, whatever happened",
                ));
            }
        }
        let piped = checks(text).is_some()
            && text.contains(" | ")
            && ["tee", "tail", "head", "grep", "cat", "less", "sed", "awk"]
                .iter()
                .any(|word| text.rsplit(" | ").next().is_some_and(|last| last.starts_with(word)));
        if piped
            && !file.new.lines.iter().any(|own| {
                own.text.contains("pipefail")
                    || own.text.contains("PIPESTATUS")
                    || own.text.contains("shell: bash")
            })
            && file.file.old_path.is_some()
        {
            found.push(at_line(
                DISABLED,
                Severity::Serious,
                file,
                Side::New,
                line.number,
                "the pipe hides how the check went",
            ));
        }
    }
    found
}
