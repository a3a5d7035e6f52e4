//! What is shown: the change, within its budgets, with what was asked and what was measured.

use jiff::Timestamp;
use jury_core::judge::settings::JudgeSettings;
use jury_core::judge::{Bead, Confidence, Dimensions, JudgeAnswer, JudgeStamp, JudgeVerdict};
use jury_core::severity::Severity;
use jury_engine::judge::GatheredCase;
use jury_learning::files::judgement::{KeptJudgement, keep};
use jury_text::diff::Detector;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{Workspace, gather};

#[tokio::test]
async fn a_case_has_the_change_the_prompt_and_what_was_measured() {
    let workspace = Workspace::new().worked();
    let case = workspace.case(&json!({"test_output": "ok. 3 passed\n", "lint_output": "clean\n"})).await;
    assert_eq!((case.nothing.clone(), case.notes.clone()), (None, Vec::new()));
    for part in [
        "Make the total 2.",
        "+    2",
        "-    1",
        "src/lib.rs: changed",
        "ok. 3 passed",
        "clean",
        "tests: pass",
    ] {
        assert!(case.context.contains(part), "{part}\n{}", case.context);
    }
    assert_eq!(case.facts.len(), 1);
    assert_eq!((case.facts[0].detector, case.facts[0].line), (Detector::Stub, 6));
    assert!(case.context.contains("major stub src/lib.rs:6"), "{}", case.context);
    assert!(case.coverage.prompt && case.coverage.tests && case.coverage.lint && !case.coverage.cut);
    assert_eq!(case.coverage.confidence(), Confidence::High);
    // The same again is the same.
    let again = workspace.case(&json!({"test_output": "ok. 3 passed\n", "lint_output": "clean\n"})).await;
    assert_eq!(case, again);
    let offline = case.offline().unwrap();
    assert_eq!(offline.dimensions.verdict(), JudgeVerdict::Partial);
    assert_eq!(offline.issues[0].evidence.as_ref().unwrap().line, Some(6));
    let stamp = case.stamp("opus");
    assert_eq!((stamp.prompt.len(), stamp.context.len(), stamp.rubric.as_str()), (64, 64, "1"));
}

#[tokio::test]
async fn what_a_person_names_beats_the_record() {
    let workspace = Workspace::new().worked();
    let place = |name: &str, text: &str| {
        let place = workspace.root().join(name);
        std::fs::write(&place, text).unwrap();
        Some(place)
    };
    let mut sources = workspace
        .sources(&json!({"repo_path": "elsewhere", "branch": "none", "test_output": "from the record"}));
    sources.repo = Some(workspace.repo());
    sources.head = Some("work".to_owned());
    sources.prompt = place("asked.md", "Something else.");
    sources.test_output = place("tests.log", "from the file");
    let case = gather(&sources).await.unwrap();
    assert_eq!(case.nothing, None);
    assert!(case.context.contains("Something else.") && case.context.contains("from the file"));
    assert!(!case.context.contains("from the record"));
    sources.diff = place("a.diff", "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n");
    let case = gather(&sources).await.unwrap();
    assert!(case.context.contains("x.py: changed") && !case.context.contains("lib.rs"));
    sources.lint_output = Some(workspace.root().join("missing.log"));
    let refused = gather(&sources).await.unwrap_err().to_string();
    assert!(refused.contains("missing.log") && !refused.contains('\n'), "{refused}");
}

#[tokio::test]
async fn nobody_sees_who_did_it_nor_any_secret() {
    let workspace = Workspace::new();
    // Put together here, so that no tool takes this file for one that holds a key.
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    workspace.write(
        "src/lib.rs",
        format!("// Co-Authored-By: Kim <kim@example.org>\n// kim-bot was here, with Opus\nconst KEY: &str = \"{token}\";\n"),
    );
    workspace.commit("second");
    let more = json!({"prompt": format!("Use {token}, Kim-Bot.\nSigned-off-by: Kim <kim@example.org>\n"),
        "test_output": format!("opus says {token}\n"), "template_name": "kim-bot-fix", "failure_reason": token});
    let case = workspace.case(&more).await;
    for hidden in ["ghp_", "kim-bot", "Kim-Bot", "Opus", "opus", "kim@example.org"] {
        assert!(!case.context.contains(hidden), "{hidden}\n{}", case.context);
    }
    assert!(case.context.contains("[secret]") && case.context.contains("[author]"));
    assert!(case.facts.iter().any(|fact| fact.detector == Detector::Secret));
}

#[tokio::test]
async fn a_large_change_is_packed_and_what_is_missing_is_listed() {
    let workspace = Workspace::new();
    for file in 0..30 {
        let lines: Vec<String> =
            (0..200).map(|line| format!("pub const C{line}: u32 = {line} + {file};\n")).collect();
        let lines = lines.concat();
        workspace.write(&format!("src/part{file}.rs"), lines);
    }
    workspace.write("Cargo.lock", "version = 3\n");
    workspace.commit("second");
    let case = workspace.case(&json!({})).await;
    let lines = case.coverage.lines;
    assert!(lines <= 1200 && case.coverage.share < 0.5, "{:?}", case.coverage);
    assert!(case.context.contains("Cargo.lock: 1 line, a lock file"), "{}", case.context);
    assert!(case.context.len() < 8000 * 4 + 20_000, "{}", case.context.len());
    let sure = answer(Confidence::High);
    assert_eq!(case.completed(sure).confidence, Confidence::Low);
    let settings = JudgeSettings { max_diff_lines: 100, ..JudgeSettings::default() };
    let small = GatheredCase::gather(&workspace.sources(&json!({})), &settings, &CancellationToken::new())
        .await
        .unwrap();
    assert!(small.coverage.lines <= 100, "{:?}", small.coverage);
}

fn answer(confidence: Confidence) -> JudgeAnswer {
    let mark = |_| 0.9;
    let dimensions = Dimensions::from_fn(mark);
    JudgeAnswer {
        dimensions,
        issues: Vec::new(),
        summary: "fine".to_owned(),
        confidence,
        warnings: Vec::new(),
    }
}

#[tokio::test]
async fn what_was_measured_stands_beside_what_a_judge_says() {
    let workspace = Workspace::new().worked();
    let case = workspace.case(&json!({})).await;
    let text = r#"{"dimensions": {"correctness": 0.9, "scope_adherence": 0.9, "code_quality": 0.9, "completeness": 0.9},
        "issues": [{"severity": "minor", "description": "not done", "evidence": {"file": "src/lib.rs", "line": 6}},
                   {"severity": "minor", "description": "odd", "evidence": {"file": "src/other.rs", "line": 1}}],
        "summary": "fine", "confidence": "high"}"#;
    let bead: Bead = "bd-1".parse().unwrap();
    let completed = case.completed(JudgeAnswer::read(text, &bead).unwrap());
    assert_eq!(completed.issues.len(), 2, "the same place is named once");
    assert_eq!(completed.issues[0].severity, Severity::Serious);
    assert_eq!(completed.warnings, ["issue 2 points at \"src/other.rs\", which was not shown"]);
    let alone = case.completed(answer(Confidence::High));
    assert_eq!((alone.issues.len(), alone.confidence), (1, Confidence::High));
    let repair = case.repair("{broken", &["it is not JSON".to_owned()]).unwrap();
    assert!(repair.contains("it is not JSON") && repair.contains("{broken") && repair.contains("src/lib.rs"));
}

#[tokio::test]
async fn earlier_findings_of_the_template_are_shown_unless_switched_off() {
    let workspace = Workspace::new().worked();
    let folder = workspace.root().join("state/judgments");
    for (bead, template) in [("bd-0", "fix"), ("bd-1", "fix"), ("bd-2", "docs")] {
        let mut said = answer(Confidence::High);
        said.summary = "s".to_owned();
        said.issues = case_issue(&format!("found in {bead} by kim-bot"));
        let judgement = said.judgement(bead.parse().unwrap(), JudgeStamp::default(), Timestamp::UNIX_EPOCH);
        let kept = KeptJudgement {
            judgement,
            template: template.to_owned(),
            mode: "model".to_owned(),
            run: None,
            coverage: None,
            cost: None,
        };
        keep(&folder, &kept).unwrap();
    }
    let mut sources = workspace.sources(&json!({"template_name": "fix"}));
    sources.judgements = Some(folder);
    let case = gather(&sources).await.unwrap();
    assert!(case.context.contains("pass: minor: found in bd-0 by [author]"), "{}", case.context);
    assert!(!case.context.contains("found in bd-1") && !case.context.contains("found in bd-2"));
    let settings = JudgeSettings { history: false, ..JudgeSettings::default() };
    let without = GatheredCase::gather(&sources, &settings, &CancellationToken::new()).await.unwrap();
    assert!(!without.context.contains("found in"));
}

fn case_issue(text: &str) -> Vec<jury_core::judge::JudgeIssue> {
    vec![jury_core::judge::JudgeIssue {
        severity: Severity::Minor,
        description: text.to_owned(),
        dimension: None,
        evidence: None,
        seats: None,
    }]
}

#[tokio::test]
async fn the_users_own_rules_take_the_place_of_ours() {
    let workspace = Workspace::new().worked();
    let built_in = workspace.case(&json!({})).await;
    std::fs::create_dir_all(workspace.root().join("config")).unwrap();
    std::fs::write(workspace.root().join("config/judge-prompt.md"), "Be kind. {{ x }}\n").unwrap();
    let own = workspace.case(&json!({})).await;
    assert_eq!(own.system, "Be kind. {{ x }}");
    assert!(own.prompt_hash != built_in.prompt_hash && own.context_hash == built_in.context_hash);
    assert!(own.prompt().starts_with("Be kind.") && own.prompt().contains("\"required\": [\"dimensions\""));
    std::fs::write(workspace.root().join("config/judge-prompt.md"), " \n").unwrap();
    let empty = workspace.case(&json!({})).await;
    assert_eq!(empty.system, built_in.system);
    assert_eq!(empty.notes, ["config/judge-prompt.md is empty: the built-in rules are used"]);
}

#[tokio::test]
async fn a_run_that_goes_on_is_no_case() {
    let workspace = Workspace::new();
    let error = gather(&workspace.sources(&json!({"status": "running"}))).await.unwrap_err();
    assert_eq!(error.to_string(), "the run goes on; judge it when it has ended");
}
