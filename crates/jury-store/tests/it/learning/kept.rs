//! Labels, judgements and templates as they are kept.

use std::fs;

use jiff::Timestamp;
use jury_core::judge::calibration::Label;
use jury_core::judge::{Bead, Verdict};
use jury_store::learning::{Templates, append_label, judgements, labels, labels_file};
use serde_json::json;

use super::stage::Stage;

fn bead(name: &str) -> Bead {
    name.parse().unwrap()
}

fn label(run: &str, rater: &str, verdict: Verdict, second: i64) -> Label {
    Label {
        bead: bead(run),
        rater: rater.to_owned(),
        verdict,
        dimensions: None,
        at: Timestamp::from_second(second).unwrap(),
        note: String::new(),
    }
}

#[test]
fn the_newest_label_of_each_person_counts_and_none_is_lost() {
    let stage = Stage::new();
    assert!(labels(&stage.places).unwrap().by_bead.is_empty());
    append_label(&stage.places, &label("a", "ada", Verdict::Fail, 10)).unwrap();
    append_label(&stage.places, &label("a", "eve", Verdict::Partial, 30)).unwrap();
    // Somebody was cut off in the middle of a line.
    let mut text = fs::read(labels_file(&stage.places)).unwrap();
    text.extend_from_slice(b"{\"bead\":\"a\",");
    fs::write(labels_file(&stage.places), text).unwrap();
    append_label(&stage.places, &label("a", "ada", Verdict::Pass, 20)).unwrap();
    let read = labels(&stage.places).unwrap();
    assert_eq!(read.unreadable, 1);
    let said: Vec<(&str, Verdict)> =
        read.by_bead["a"].iter().map(|label| (label.rater.as_str(), label.verdict)).collect();
    assert_eq!(said, [("eve", Verdict::Partial), ("ada", Verdict::Pass)]);
    assert_eq!(fs::read_to_string(labels_file(&stage.places)).unwrap().lines().count(), 4);
}

#[test]
fn histories_are_read_and_what_is_in_them_by_mistake_is_not() {
    let stage = Stage::new();
    let one = |run: &str, mark: f64, at: &str| {
        json!({"schema_version": "1.0.0", "bead": run, "verdict": "pass", "score": mark, "dimensions":
            {"correctness": mark, "scope_adherence": mark, "code_quality": mark, "completeness": mark},
            "issues": [], "summary": "s", "confidence": "high", "judged_at": at})
    };
    fs::create_dir_all(stage.places.judgements.join("history")).unwrap();
    fs::write(stage.places.judgements.join("a.json"), one("a", 0.5, "2026-02-20T10:00:00Z").to_string()).unwrap();
    assert_eq!(judgements(&stage.places, &bead("a")).unwrap().len(), 1);
    let lines = [
        one("a", 0.9, "2026-02-22T10:00:00Z").to_string(),
        "{\"half\":".to_owned(),
        one("b", 0.1, "2026-02-23T10:00:00Z").to_string(),
        one("a", 0.8, "2026-02-21T10:00:00Z").to_string(),
    ];
    fs::write(stage.places.judgements.join("history/a.ndjson"), lines.join("\n")).unwrap();
    let scores: Vec<f64> =
        judgements(&stage.places, &bead("a")).unwrap().iter().map(|one| one.score).collect();
    assert_eq!(scores, [0.8, 0.9]);
}

#[test]
fn templates_stay_in_their_folder_and_nothing_is_lost() {
    let stage = Stage::new();
    let templates = Templates::new(&stage.places);
    let (docs, variant) = (bead("docs"), bead("docs-v1"));
    assert!(templates.create(&docs, "one").unwrap());
    assert!(!templates.create(&docs, "two").unwrap());
    assert!(templates.create(&variant, "better").unwrap());
    assert!(templates.promote(&docs, &variant).unwrap());
    let read = |name: &str| fs::read_to_string(stage.places.templates.join(name)).unwrap();
    assert_eq!(read("docs.md"), "better");
    for (name, text) in
        [("docs", "one"), ("docs-pre-docs-v1", "one"), ("docs-v1", "better")]
    {
        assert_eq!(read(&format!(".archive/{name}.md")), text);
    }
    assert!(!stage.places.templates.join("docs-v1.md").exists());
    assert!(!templates.promote(&docs, &variant).unwrap());
    assert!(templates.restore(&docs, "rolled-back").unwrap());
    assert_eq!((read("docs.md"), read(".archive/docs-rolled-back.md")), ("one".to_owned(), "better".to_owned()));
    let mut known = templates.known().unwrap();
    known.sort();
    assert_eq!(known, ["docs", "docs", "docs-pre-docs-v1", "docs-rolled-back", "docs-v1"]);
    // An archive that leads elsewhere is not written to.
    let outside = stage.root().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::remove_dir_all(stage.places.templates.join(".archive")).unwrap();
    std::os::unix::fs::symlink(&outside, stage.places.templates.join(".archive")).unwrap();
    assert!(templates.retire(&docs).is_err());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    // A template that is a link is replaced and not followed.
    let secret = stage.root().join("secret.md");
    fs::write(&secret, "mine").unwrap();
    std::os::unix::fs::symlink(&secret, stage.places.templates.join("linked.md")).unwrap();
    assert!(!templates.create(&bead("linked"), "x").unwrap());
    assert_eq!(fs::read_to_string(&secret).unwrap(), "mine");
}
