//! Recorded output that was recorded anew. With a change of the product, or of what it depends on, that is what snapshots are for; by
//! itself it makes whatever comes out the expected.

use jury_core::severity::Severity;

use super::super::detect::{Detector, DiffEvidence, of_file};
use super::super::path::{FileKind, is_manifest};
use super::{FileChange, Look};

pub(super) fn rewritten(look: &Look<'_>) -> Vec<DiffEvidence> {
    let excused = look.change.files.iter().any(|file| file.kind == FileKind::Lock || is_manifest(file.path));
    let recorded: Vec<&FileChange<'_>> = look.change.files.iter().filter(|file| is_recorded(file)).collect();
    let stays = |file: &&&FileChange<'_>| {
        file.file.old_path.is_some() && file.file.new_path.is_some() && file.new.changed().next().is_some()
    };
    recorded
        .iter()
        .filter(stays)
        .map(|file| {
            // Another test, or another input, has another output.
            let tests = look.change.files.iter().any(|other| {
                other.test
                    && !is_recorded(other)
                    && other.file.new_path.is_some()
                    && other.new.changed().next().is_some()
            });
            let product =
                look.change.product_changed
                    || look.change.files.iter().any(|other| {
                        !other.test && other.kind == FileKind::Source && other.dialect.is_none()
                    });
            let reason = product && !look.keeps_behaviour();
            let severity =
                if reason || (excused && !look.keeps_behaviour()) || (tests && !look.keeps_behaviour()) {
                    Severity::Minor
                } else {
                    Severity::Serious
                };
            let text = if product {
                "recorded output was recorded anew, and what was asked keeps behaviour as it is"
            } else {
                "recorded output was recorded anew, and nothing that is recorded changed"
            };
            of_file(Detector::SnapshotRewritten, severity, file.path, text)
        })
        .collect()
}

pub(super) fn is_recorded(file: &FileChange<'_>) -> bool {
    let path = file.path.to_lowercase();
    let folder = path.split('/').rev().skip(1).any(|part| {
        matches!(
            part,
            "golden"
                | "goldens"
                | "__snapshots__"
                | "snapshots"
                | "expected"
                | "cassettes"
                | "__image_snapshots__"
                | "approvals"
                | "baselines"
        )
    });
    file.kind == FileKind::Snapshot
        || folder
        || [".golden", ".snap", ".approved.txt", ".expected", ".verified.txt", ".stdout", ".stderr", ".ambr"]
            .iter()
            .any(|end| path.ends_with(end))
        || path.contains(".golden.")
        || path.contains(".expected.")
        || path.contains("expected_")
        || path.contains("_expected.")
}
