//! Labels and templates as they are kept.

use std::fs;

use jiff::Timestamp;
use jury_core::judge::{Bead, JudgeVerdict};
use jury_learning::calibration::Label;
use jury_learning::files::{Templates, append_label, labels, labels_file};

use super::stage::Stage;

fn bead(name: &str) -> Bead {
    name.parse().unwrap()
}

fn label(run: &str, rater: &str, verdict: JudgeVerdict, second: i64) -> Label {
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
    assert!(labels(&stage.paths).unwrap().by_bead.is_empty());
    append_label(&stage.paths, &label("a", "ada", JudgeVerdict::Fail, 10)).unwrap();
    append_label(&stage.paths, &label("a", "eve", JudgeVerdict::Partial, 30)).unwrap();
    // Somebody was cut off in the middle of a line.
    let mut text = fs::read(labels_file(&stage.paths)).unwrap();
    text.extend_from_slice(b"{\"bead\":\"a\",");
    fs::write(labels_file(&stage.paths), text).unwrap();
    append_label(&stage.paths, &label("a", "ada", JudgeVerdict::Pass, 20)).unwrap();
    let read = labels(&stage.paths).unwrap();
    assert_eq!(read.unreadable, 1);
    let said: Vec<(&str, JudgeVerdict)> =
        read.by_bead["a"].iter().map(|label| (label.rater.as_str(), label.verdict)).collect();
    assert_eq!(said, [("eve", JudgeVerdict::Partial), ("ada", JudgeVerdict::Pass)]);
    assert_eq!(fs::read_to_string(labels_file(&stage.paths)).unwrap().lines().count(), 4);
}

#[test]
fn templates_stay_in_their_folder_and_nothing_is_lost() {
    let stage = Stage::new();
    let templates = Templates::new(&stage.paths);
    let (docs, variant) = (bead("docs"), bead("docs-v1"));
    assert!(templates.create(&docs, "one").unwrap());
    assert!(!templates.create(&docs, "two").unwrap());
    assert!(templates.create(&variant, "better").unwrap());
    assert!(templates.promote(&docs, &variant).unwrap());
    let read = |name: &str| fs::read_to_string(stage.paths.templates.join(name)).unwrap();
    assert_eq!(read("docs.md"), "better");
    for (name, text) in [("docs", "one"), ("docs-pre-docs-v1", "one"), ("docs-v1", "better")] {
        assert_eq!(read(&format!(".archive/{name}.md")), text);
    }
    assert!(!stage.paths.templates.join("docs-v1.md").exists());
    // Once more changes nothing.
    assert!(templates.promote(&docs, &variant).unwrap());
    assert!(!templates.promote(&docs, &bead("docs-v9")).unwrap());
    assert!(templates.restore(&docs, "rolled-back").unwrap());
    assert_eq!(
        (read("docs.md"), read(".archive/docs-rolled-back.md")),
        ("one".to_owned(), "better".to_owned())
    );
    let mut known = templates.known().unwrap();
    known.sort();
    assert_eq!(known, ["docs", "docs", "docs-pre-docs-v1", "docs-rolled-back", "docs-v1"]);
    // An archive that leads elsewhere is not written to.
    let outside = stage.root().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::remove_dir_all(stage.paths.templates.join(".archive")).unwrap();
    std::os::unix::fs::symlink(&outside, stage.paths.templates.join(".archive")).unwrap();
    assert!(templates.retire(&docs).is_err());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    // A template that is a link is replaced and not followed.
    let secret = stage.root().join("secret.md");
    fs::write(&secret, "mine").unwrap();
    std::os::unix::fs::symlink(&secret, stage.paths.templates.join("linked.md")).unwrap();
    assert!(!templates.create(&bead("linked"), "x").unwrap());
    assert_eq!(fs::read_to_string(&secret).unwrap(), "mine");
}

#[test]
fn a_promotion_that_was_cut_off_anywhere_is_ended_and_loses_nothing() {
    let writes: [(&str, Option<&str>); 5] = [
        (".archive/docs-pre-docs-v1.md", Some("one")),
        (".archive/docs.md", Some("one")),
        ("docs.md", Some("two")),
        (".archive/docs-v1.md", Some("two")),
        ("docs-v1.md", None),
    ];
    for cut in 0..=writes.len() {
        let stage = Stage::new();
        let folder = stage.paths.templates.clone();
        fs::create_dir_all(folder.join(".archive")).unwrap();
        fs::write(folder.join("docs.md"), "one").unwrap();
        fs::write(folder.join("docs-v1.md"), "two").unwrap();
        for (name, text) in &writes[..cut] {
            match text {
                Some(text) => fs::write(folder.join(name), text).unwrap(),
                None => fs::remove_file(folder.join(name)).unwrap(),
            }
        }
        let templates = Templates::new(&stage.paths);
        assert!(templates.promote(&bead("docs"), &bead("docs-v1")).unwrap(), "cut after {cut}");
        for (name, text) in &writes {
            assert_eq!(
                fs::read_to_string(folder.join(name)).ok().as_deref(),
                *text,
                "{name}, cut after {cut}"
            );
        }
        assert_eq!(fs::read_dir(folder.join(".archive")).unwrap().count(), 3, "cut after {cut}");
    }
}

#[test]
fn nothing_in_the_archive_is_written_over_unless_it_is_kept_elsewhere() {
    let stage = Stage::new();
    let folder = stage.paths.templates.clone();
    let templates = Templates::new(&stage.paths);
    let docs = bead("docs");
    fs::create_dir_all(folder.join(".archive")).unwrap();
    fs::write(folder.join(".archive/docs.md"), "by hand").unwrap();
    assert!(templates.create(&docs, "one").unwrap());
    for (variant, text) in [("docs-v1", "two"), ("docs-v2", "three")] {
        assert!(templates.create(&bead(variant), text).unwrap());
        assert!(templates.promote(&docs, &bead(variant)).unwrap());
    }
    let read = |name: &str| fs::read_to_string(folder.join(".archive").join(name)).unwrap();
    assert_eq!(read("docs-kept-1.md"), "by hand");
    // The one before the last promotion; the one before that is kept as it was.
    assert_eq!((read("docs.md"), read("docs-pre-docs-v1.md")), ("two".to_owned(), "one".to_owned()));
    assert!(!folder.join(".archive/docs-kept-2.md").exists());
}
