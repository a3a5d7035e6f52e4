//! Files that nobody asked for: what is left of trying things out, and reports of the work that was done.

use jury_core::severity::Severity;

use super::super::FileStatus;
use super::super::detect::{Detector, DiffEvidence, of_file};
use super::Look;

pub(super) fn files(look: &Look<'_>) -> Vec<DiffEvidence> {
    let prompt = look.prompt.to_lowercase();
    let new = look
        .change
        .files
        .iter()
        .filter(|file| file.file.status == FileStatus::Added || file.file.old_path.is_none());
    new.filter_map(|file| {
        let path = file.path.to_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        let stem = name.split('.').next().unwrap_or(name);
        if prompt.contains(name) || (stem.len() > 4 && prompt.contains(stem)) {
            return None;
        }
        let root = !path.contains('/');
        let ends = [
            ".bak",
            ".orig",
            ".rej",
            ".old",
            ".log",
            ".tmp",
            ".swp",
            ".patch",
            "~",
            ".pyc",
            ".ds_store",
            ".out",
        ];
        let debris = ends.iter().any(|end| name.ends_with(end))
            && !path.contains("test")
            && !path.contains("fixture")
            || [
                "scratch",
                "debug_",
                "tmp_",
                "temp_",
                "fix_",
                "try_",
                "test_fix",
                "verify_",
                "repro_",
                "demo_",
                "check_fix",
                "quick_",
                "playground",
            ]
            .iter()
            .any(|mark| stem.starts_with(mark))
                && !path.contains("test")
                && !path.contains("migrations/")
                && (root || path.starts_with("scripts/") || path.starts_with("tmp/"))
            || ["_old", "_backup", "_copy", "-copy", " copy", ".backup", "_orig", "_bak", "-old", "-backup"]
                .iter()
                .any(|mark| stem.ends_with(mark) || name.contains(&format!("{mark}.")))
            || matches!(
                stem,
                "scratch" | "tmp" | "temp" | "debug" | "output" | "foo" | "untitled" | "test123"
            );
        let prose = name.ends_with(".md") || name.ends_with(".txt");
        let report = prose
            && [
                "summary",
                "implementation",
                "notes",
                "report",
                "analysis",
                "changes",
                "fixes",
                "progress",
                "plan",
                "todo",
                "status",
                "review",
                "findings",
                "migration_guide",
                "refactoring",
                "improvements",
                "completed",
                "solution",
            ]
            .iter()
            .any(|word| stem.contains(word))
            && !["changelog", "release_notes", "release-notes"].contains(&stem)
            && !path.starts_with("docs/")
            && !path.contains("/docs/")
            && !prompt.contains("document")
            && !prompt.contains("readme")
            && !prompt.contains("write up")
            && !look.prompt.is_empty();
        (debris || report).then(|| {
            of_file(
                Detector::UnaskedFile,
                Severity::Serious,
                file.path,
                if report {
                    "a report of the work that nobody asked for"
                } else {
                    "it looks like what is left of trying something out"
                },
            )
        })
    })
    .collect()
}
