//! What the files of the learning loop say to whoever shows it: ordered, filtered, bounded, and never a stop.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use jury_core::judge::{Bead, JudgeVerdict};
use jury_learning::Trend;
use jury_learning::files::read::{self, Problems, RefinementEntry};
use jury_learning::files::{Cursor, JudgementIndex, LearningPaths, Wanted};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Folder {
    dir: TempDir,
    index: JudgementIndex,
}

impl Folder {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let index = JudgementIndex::new(LearningPaths::read(|_| None, dir.path()));
        Self { dir, index }
    }

    #[expect(clippy::needless_pass_by_value, reason = "what is written is made for it")]
    fn put(&self, name: &str, text: impl ToString) {
        let path = self.dir.path().join("state").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.to_string()).unwrap();
    }

    fn judge(&self, bead: &str, verdict: &str, at: &str) {
        self.put(&format!("judgments/{bead}.json"), judgement(bead, verdict, at));
    }

    fn beads(&self, wanted: &Wanted) -> Vec<String> {
        let rows = self.index.page(wanted).value.0;
        rows.iter().map(|row| row.bead.to_string()).collect()
    }
}

fn judgement(bead: &str, verdict: &str, at: &str) -> Value {
    let mark = match verdict {
        "pass" => 0.9,
        "partial" => 0.6,
        _ => 0.3,
    };
    json!({
        "schema_version": "1.0.0", "bead": bead, "verdict": verdict, "score": mark,
        "dimensions": {"correctness": mark, "scope_adherence": mark, "code_quality": mark, "completeness": mark},
        "issues": [
            {"severity": "minor", "description": "A note is left.", "evidence": {"file": "src/a.rs", "line": 3}},
            {"severity": "major", "description": "A test is gone.", "evidence": {"file": "tests/a.rs", "line": 14, "quote": "x"}},
        ],
        "summary": "One paragraph.", "confidence": "medium", "judged_at": at, "judge": {"model": "opus"},
        "cost": {"input_tokens": 100, "output_tokens": 10, "cost_usd": 0.25, "duration_ms": 5},
    })
}

fn all() -> Wanted {
    Wanted { limit: 50, ..Wanted::default() }
}

fn bead(text: &str) -> Bead {
    text.parse().unwrap()
}

/// The problem that is named for a file.
fn problem<'a>(problems: &'a Problems, file: &str) -> &'a str {
    let named = problems.named.iter().find(|one| one.file == file);
    &named.unwrap_or_else(|| panic!("{file} is not named: {problems:?}")).problem
}

/// Every file below a folder with its content.
fn everything(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                found.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn folders_that_are_not_there_say_nothing() {
    let folder = Folder::new();
    let paths = folder.index.paths();
    assert!(read::template_scores(paths).value.templates.is_empty());
    assert!(read::patterns(paths).value.is_empty());
    assert!(read::tests(paths).value.tests.tests.is_empty());
    assert!(folder.index.days().value.is_empty());
    let page = folder.index.page(&all());
    assert_eq!((page.value, page.problems), ((Vec::new(), None), Problems::default()));
    let case = folder.index.case(&bead("bd-1"));
    assert!(
        case.value.judgement.is_none() && case.value.feedback.is_none() && case.problems.named.is_empty()
    );
    assert!(!folder.dir.path().join("state").exists(), "nothing is made by looking");
}

#[test]
fn the_newest_judgement_comes_first_and_a_cursor_stays_where_it_is() {
    let folder = Folder::new();
    for day in 1..=7 {
        folder.judge(&format!("bd-{day}"), "pass", &format!("2026-01-0{day}T10:00:00Z"));
    }
    folder.judge("bd-same", "fail", "2026-01-03T10:00:00Z");
    let mut old = judgement("bd-old", "partial", "x");
    old.as_object_mut().unwrap().remove("judged_at");
    folder.put("judgments/bd-old.json", old);
    let expected = ["bd-7", "bd-6", "bd-5", "bd-4", "bd-3", "bd-same", "bd-2", "bd-1", "bd-old"];
    assert_eq!(folder.beads(&all()), expected);

    let mut seen = Vec::new();
    let mut after: Option<Cursor> = None;
    loop {
        let page = folder.index.page(&Wanted { after: after.clone(), limit: 2, ..Wanted::default() }).value;
        seen.extend(page.0.iter().map(|row| row.bead.to_string()));
        // Whatever is new comes in front and moves nothing.
        folder.judge(&format!("bd-new-{}", seen.len()), "pass", "2026-02-01T10:00:00Z");
        let Some(next) = page.1 else { break };
        after = Some(next.to_string().parse().unwrap());
    }
    assert_eq!(seen, expected);
    for text in ["", "x", "~", "2026-01-01T10:00:00Z", "yesterday~bd-1", "2026-01-01T10:00:00Z~../x"] {
        assert!(text.parse::<Cursor>().is_err(), "{text}");
    }
}

#[test]
fn a_line_has_the_gravest_issues_and_what_the_feedback_says() {
    let folder = Folder::new();
    folder.judge("bd-1", "fail", "2026-01-01T10:00:00Z");
    folder.judge("bd-2", "pass", "2026-01-02T10:00:00Z");
    folder.put(
        "feedback/bd-1.json",
        json!({"bead": "bd-1", "template": "docs", "agent": "claude", "outcome": "partial_pass"}),
    );
    let mut named = judgement("bd-3", "pass", "2026-01-03T10:00:00Z");
    named["template"] = json!("docs");
    folder.put("judgments/bd-3.json", named);

    let of = |template: &str| Wanted { template: Some(template.to_owned()), ..all() };
    assert_eq!(folder.beads(&of("docs")), ["bd-3", "bd-1"], "by the feedback, or by the record itself");
    assert!(folder.beads(&of("other")).is_empty());
    assert_eq!(folder.beads(&Wanted { verdict: Some(JudgeVerdict::Fail), ..all() }), ["bd-1"]);
    let rows = folder.index.page(&of("docs")).value.0;
    let row = rows.iter().find(|row| row.bead == bead("bd-1")).unwrap();
    assert_eq!((row.majors, row.minors), (1, 1));
    let first = row.issues.first().unwrap();
    assert_eq!(first.description, "A test is gone.");
    assert_eq!(first.evidence.as_ref().unwrap().line, Some(14));
    assert_eq!(row.run.as_ref().unwrap().agent, "claude");
}

#[test]
fn what_changed_is_read_again_and_what_is_gone_is_forgotten() {
    let folder = Folder::new();
    folder.judge("bd-1", "fail", "2026-01-01T10:00:00Z");
    folder.judge("bd-2", "fail", "2026-01-02T10:00:00Z");
    assert_eq!(folder.beads(&all()).len(), 2);
    folder.judge("bd-1", "partial", "2026-01-03T10:00:00Z");
    fs::remove_file(folder.dir.path().join("state/judgments/bd-2.json")).unwrap();
    let rows = folder.index.page(&all()).value.0;
    assert_eq!(
        rows.iter().map(|row| (row.bead.as_str(), row.verdict)).collect::<Vec<_>>(),
        [("bd-1", JudgeVerdict::Partial)]
    );
}

#[test]
fn within_a_moment_the_files_are_not_looked_at_one_by_one() {
    let folder = Folder::new();
    let index = JudgementIndex::new(folder.index.paths().clone()).reusing(Duration::from_hours(1));
    let place = folder.dir.path().join("state/judgments");
    let beads = || {
        index.page(&all()).value.0.iter().map(|row| (row.bead.to_string(), row.verdict)).collect::<Vec<_>>()
    };
    let one = |verdict| ("bd-1".to_owned(), verdict);
    folder.judge("bd-1", "fail", "2026-01-01T10:00:00Z");
    assert_eq!(beads(), [one(JudgeVerdict::Fail)]);
    // Written over in its place: the folder is as it was.
    folder.judge("bd-1", "partial", "2026-01-01T10:00:00Z");
    assert_eq!(beads(), [one(JudgeVerdict::Fail)]);
    // Something came: everything is looked at.
    let later = SystemTime::now() + Duration::from_mins(1);
    fs::File::open(&place).unwrap().set_modified(later).unwrap();
    assert_eq!(beads(), [one(JudgeVerdict::Partial)]);
}

#[test]
fn whoever_asks_first_after_a_change_does_not_hide_it_from_the_next() {
    let folder = Folder::new();
    let index = JudgementIndex::new(folder.index.paths().clone()).reusing(Duration::from_hours(1));
    folder.judge("bd-1", "fail", "2026-01-01T10:00:00Z");
    folder.put("feedback/bd-1.json", json!({"bead": "bd-1", "template": "docs", "agent": "claude"}));
    assert_eq!(index.page(&all()).problems, Problems::default());
    folder.put("feedback/bd-1.json", "not json");
    let later = SystemTime::now() + Duration::from_mins(1);
    fs::File::open(folder.dir.path().join("state/judgments")).unwrap().set_modified(later).unwrap();
    // The cost looks at all judgements and at no feedback; the page must not take that for a look at its own files.
    assert_eq!(index.days().problems, Problems::default());
    assert!(problem(&index.page(&all()).problems, "feedback/bd-1.json").contains("not JSON"));
    // What came to the feedback alone is noticed too.
    folder.put("feedback/bd-1.json", json!({"bead": "bd-1", "template": "docs", "agent": "codex"}));
    fs::File::open(folder.dir.path().join("state/feedback")).unwrap().set_modified(later).unwrap();
    let rows = index.page(&all()).value.0;
    assert_eq!(rows.first().unwrap().run.as_ref().unwrap().agent, "codex");
}

#[test]
fn every_judgement_of_a_run_is_in_its_case_and_in_the_cost_of_its_day() {
    let folder = Folder::new();
    let (first, second) = (
        judgement("bd-1", "fail", "2026-01-01T10:00:00Z"),
        judgement("bd-1", "pass", "2026-01-02T10:00:00Z"),
    );
    let mut kept = second.clone();
    kept["coverage"] = json!({"share": 0.4, "lines": 2, "left_out": 3, "cut": false, "prompt": true, "tests": false, "lint": false});
    folder.put("judgments/bd-1.json", kept);
    folder.put("judgments/history/bd-1.ndjson", format!("{first}\n{second}\n{{\"cut\": of"));
    let mut panel = judgement("bd-2", "partial", "2026-01-02T11:00:00Z");
    panel.as_object_mut().unwrap().remove("cost");
    let seat = |dollars: f64| json!({"judge": "opus", "repeat": 1, "cost": {"input_tokens": 7, "output_tokens": 1, "cost_usd": dollars, "duration_ms": 5}});
    panel["panel"] = json!({"seats": [seat(0.5), seat(0.5)], "spread": {"score": 0, "agreement": 1,
        "dimensions": {"correctness": 0, "scope_adherence": 0, "code_quality": 0, "completeness": 0}}});
    folder.put("judgments/bd-2.json", panel);
    let mut free = judgement("bd-3", "pass", "2026-01-02T12:00:00Z");
    free["cost"] = json!({"input_tokens": "many", "cost_usd": -3});
    folder.put("judgments/bd-3.json", free);
    // What lies beside the judgements and is none.
    folder.put("judgments/.throttle.json", json!({"spent": []}));
    folder.put("judgments/.redispatch.json", json!({"entries": []}));
    folder.put("judgments/.draft.json", "{");

    let case = folder.index.case(&bead("bd-1"));
    assert_eq!(case.value.judgement.unwrap().verdict, JudgeVerdict::Pass);
    assert_eq!(case.value.history.iter().map(|one| one.verdict).collect::<Vec<_>>(), [JudgeVerdict::Fail]);
    assert_eq!(case.value.usage.unwrap().cost_usd, Some(0.25));
    assert_eq!(case.value.coverage.unwrap().left_out, 3);
    assert_eq!(problem(&case.problems, "history/bd-1.ndjson"), "has 1 line that is no judgement of this run");

    let days = folder.index.days();
    assert_eq!(days.problems, Problems::default());
    let shown: Vec<_> = days
        .value
        .iter()
        .map(|day| (day.date.to_string(), day.judgements, day.unpriced, day.input_tokens, day.dollars))
        .collect();
    assert_eq!(
        shown,
        [("2026-01-01".to_owned(), 1, 0, 100, 0.25), ("2026-01-02".to_owned(), 3, 1, 114, 1.25)]
    );
}

#[test]
fn files_that_cannot_be_read_are_named_and_the_others_are_shown() {
    let folder = Folder::new();
    folder.judge("bd-good", "pass", "2026-01-01T10:00:00Z");
    folder.put("judgments/bd-cut.json", "{\"bead\": \"bd-c");
    folder.put("judgments/bd-list.json", "[]");
    folder.put("judgments/bd-deep.json", "[".repeat(5000));
    folder.put("judgments/bd-other.json", judgement("bd-good", "pass", "2026-01-01T10:00:00Z"));
    folder.put("judgments/two words.json", judgement("bd-good", "pass", "2026-01-01T10:00:00Z"));
    let mut huge = judgement("bd-huge", "pass", "2026-01-01T10:00:00Z");
    huge["score"] = json!(1e300);
    folder.put("judgments/bd-huge.json", huge);
    let mut mark = judgement("bd-mark", "pass", "2026-01-01T10:00:00Z");
    mark["dimensions"]["completeness"] = json!(-0.1);
    folder.put("judgments/bd-mark.json", mark);
    folder.put("judgments/bd-large.json", " ".repeat(5 * 1024 * 1024));
    fs::create_dir(folder.dir.path().join("state/judgments/bd-dir.json")).unwrap();
    folder.put("feedback/bd-good.json", "nothing");
    let before = everything(folder.dir.path());

    let page = folder.index.page(&all());
    assert_eq!(page.value.0.iter().map(|row| row.bead.as_str()).collect::<Vec<_>>(), ["bd-good"]);
    for (file, expected) in [
        ("judgments/bd-cut.json", "is not JSON"),
        ("judgments/bd-list.json", "is not a judgement"),
        ("judgments/bd-deep.json", "is not JSON"),
        ("judgments/bd-other.json", "is about the run bd-good"),
        ("judgments/two words.json", "its name cannot be the bead of a run"),
        ("judgments/bd-huge.json", "has a score that is not between 0 and 1"),
        ("judgments/bd-mark.json", "has a mark for completeness"),
        ("judgments/bd-large.json", "is larger than 4 MiB"),
        ("judgments/bd-dir.json", "is not a file"),
        ("feedback/bd-good.json", "is not JSON"),
    ] {
        assert!(problem(&page.problems, file).contains(expected), "{file}: {:?}", page.problems);
    }
    assert_eq!(folder.index.days().value.len(), 1);
    assert_eq!(everything(folder.dir.path()), before, "nothing is written or moved by looking");
}

#[test]
fn thousands_of_broken_files_are_counted_and_not_listed() {
    let folder = Folder::new();
    for number in 0..300 {
        folder.put(&format!("judgments/bd-{number}.json"), "{");
    }
    let problems = folder.index.page(&all()).problems;
    assert_eq!((problems.named.len(), problems.more), (20, 280));
}

#[test]
fn scores_of_the_older_scripts_get_an_interval_and_one_bad_entry_takes_no_other_with_it() {
    let folder = Folder::new();
    folder.put(
        "scores/template-scores.json",
        json!({"generated_at": "2026-01-01T10:00:00Z", "templates": [
            {"template": "docs", "total_runs": 20, "scoreable_runs": 20, "score": 0.5, "trend": "improving"},
            {"template": 7},
            {"template": "x".repeat(100_000)},
        ]}),
    );
    let found = read::template_scores(folder.index.paths());
    let docs = found.value.templates.first().unwrap();
    let (mechanical, blended) = (docs.mechanical.unwrap(), docs.blended.unwrap());
    assert!(mechanical.low < 0.32 && mechanical.high > 0.68, "{mechanical:?}");
    assert!((mechanical.value - 0.5).abs() < 1e-9, "{mechanical:?}");
    assert_eq!((mechanical, docs.trend), (blended, Trend::Improving));
    assert_eq!(found.value.templates.len(), 2);
    assert!(found.value.templates.iter().all(|score| score.template.chars().count() <= 2_001));
    let named = problem(&found.problems, "scores/template-scores.json");
    assert!(named.contains("templates[1] does not fit"), "{named}");
}

#[test]
fn patterns_are_sorted_by_count_and_keep_what_is_done_about_them() {
    let folder = Folder::new();
    folder.put(
        "feedback/pattern-registry.json",
        json!({
            "scope-creep": {"count": 2, "last_seen": "2026-01-01T10:00:00Z", "theirs": {"deep": [1]}},
            "infra-tmux": {"count": 9},
            "incomplete-work": {"count": 9, "mitigation": "A list at the end.", "count_at_mitigation": 4},
            "odd": {"count": "many"},
        }),
    );
    let found = read::patterns(folder.index.paths());
    let shown: Vec<_> =
        found.value.iter().map(|row| (row.name.as_str(), row.entry.count, row.infra)).collect();
    assert_eq!(shown, [("incomplete-work", 9, false), ("infra-tmux", 9, true), ("scope-creep", 2, false)]);
    assert!(problem(&found.problems, "feedback/pattern-registry.json").contains("'odd' does not fit"));
    folder.put("feedback/pattern-registry.json", "");
    assert!(
        problem(&read::patterns(folder.index.paths()).problems, "feedback/pattern-registry.json")
            .contains("is not JSON")
    );
}

#[test]
fn tests_of_variants_come_with_what_waits_and_what_was_refined() {
    let folder = Folder::new();
    folder.put(
        "scores/ab-tests.json",
        json!({"tests": [
            {"original": "docs", "variant": "docs-v1", "status": "completed", "decision": "promoted"},
            {"original": "docs", "variant": "docs-v2", "status": "active", "theirs": 1},
            {"original": "docs", "variant": "docs-v3", "status": "paused"},
        ]}),
    );
    folder.put(
        "scores/promotion-review-queue.json",
        json!({"entries": [{"original": "docs", "variant": "docs-v1", "original_score": 0.4, "variant_score": 0.6, "status": "pending", "queued_at": "2026-01-01T10:00:00Z"}]}),
    );
    folder.put(
        "scores/refinement-log.json",
        json!({"entries": [
            {"template": "docs", "variant": "docs-v1", "trigger": "low_pass_rate", "timestamp": "2026-01-01T10:00:00Z"},
            {"type": "ab_test_result", "original": "docs", "variant": "docs-v1", "decision": "promoted", "timestamp": "2026-01-05T10:00:00Z"},
            {"theirs": true}, 7,
        ]}),
    );
    let found = read::tests(folder.index.paths());
    let names: Vec<_> = found.value.tests.tests.iter().map(|test| test.variant.as_str()).collect();
    assert_eq!(names, ["docs-v2", "docs-v1"], "the newest first");
    assert_eq!(found.value.queue.first().unwrap().variant_score, Some(0.6));
    assert!(
        matches!(found.value.log.as_slice(), [RefinementEntry::Decided { .. }, RefinementEntry::Refined(_)]),
        "{found:?}"
    );
    assert!(problem(&found.problems, "scores/ab-tests.json").contains("tests[2] does not fit"));
}
