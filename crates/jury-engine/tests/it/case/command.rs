//! A judge that is a program of the user's.

use std::os::unix::fs::PermissionsExt as _;

use jury_core::judge::{JudgeAnswer, JudgeVerdict};
use jury_core::unit::Millis;
use jury_engine::judge::command::ask;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::Workspace;

const NATIVE: &str = r#"{"dimensions":{"correctness":0.9,"scope_adherence":0.8,"code_quality":0.7,"completeness":0.7},"issues":[],"summary":"fine","confidence":"medium"}"#;
const OLDER: &str = r#"{"quality_score":0.9,"judge_model":"m","style_rating":4,"maintainability_rating":4,"correctness_rating":5,"confidence":"high","verdict":"fail","critique":"good","findings":[{"severity":"minor","title":"Name","details":"A name is odd"}]}"#;

async fn asked(command: &str, script: &str) -> Result<JudgeAnswer, String> {
    let workspace = Workspace::new().worked();
    let place = workspace.root().join("judge.sh");
    std::fs::write(&place, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
    let case = workspace.case(&json!({})).await;
    let (root, stop) = (workspace.root(), CancellationToken::new());
    let answer = ask(command, &[], &case, root, root, Millis(3000), &stop).await.map_err(|why| why.reason);
    if let Err(why) = &answer {
        assert!(!why.contains('\n') && why.len() < 2000, "{why}");
    }
    answer
}

#[tokio::test]
async fn either_shape_is_an_answer() {
    let native = asked("./judge.sh", &format!("cat >/dev/null; echo '{NATIVE}'")).await.unwrap();
    assert_eq!(native.dimensions.verdict(), JudgeVerdict::Pass);
    let older = asked("./judge.sh", &format!("cat >/dev/null; echo '{OLDER}'")).await.unwrap();
    assert_eq!((older.dimensions.correctness, older.dimensions.code_quality), (1.0, 0.75));
    assert_eq!((older.dimensions.scope_adherence, older.dimensions.completeness), (0.75, 0.75));
    assert_eq!(older.issues[0].description, "Name. A name is odd");
    assert_eq!(older.warnings, ["the judge says fail where its ratings make pass"]);
}

#[tokio::test]
async fn the_record_comes_on_stdin_and_arguments_as_they_stand() {
    let script =
        format!("grep -q '\"bead\":\"bd-1\"' && [ \"$1\" = '$(touch PWNED) | x' ] && echo '{NATIVE}'");
    asked("./judge.sh '$(touch PWNED) | x'", &script).await.unwrap();
}

#[tokio::test]
async fn a_line_for_a_shell_is_refused() {
    for line in
        ["./judge.sh | tee x", "./judge.sh; x", "./judge.sh $(x)", "`x`", "./judge.sh > x", "A=1 ./judge.sh"]
    {
        let why = asked(line, "exit 1").await.unwrap_err();
        assert!(why.starts_with("JUDGE_COMMAND: ") && why.contains("script"), "{why}");
    }
}

#[tokio::test]
async fn what_is_no_judgement_is_none() {
    for (script, says) in [
        ("cat >/dev/null; echo no", "no JSON object"),
        ("cat >/dev/null", "no JSON object"),
        ("cat >/dev/null; echo '{\"quality_score\":\"excellent\",\"judge_model\":\"m\"}'", "quality_score"),
        ("cat >/dev/null; echo '{\"bead\":\"other\",\"quality_score\":1}'", "bead"),
        ("cat >/dev/null; echo oh >&2; exit 3", "exited with code 3 (the agent says: oh)"),
        ("kill -9 $$", "signal 9"),
        ("cat >/dev/null; yes | head -c 3000000", "more than 1048576 bytes"),
    ] {
        let why = asked("./judge.sh", script).await.unwrap_err();
        assert!(why.contains(says), "{script}: {why}");
    }
    let two = asked("./judge.sh", &format!("cat >/dev/null; echo '{NATIVE}{NATIVE}'")).await.unwrap_err();
    assert!(two.contains("more than one"), "{two}");
    assert!(asked("no-such-judge", "").await.unwrap_err().contains("no-such-judge"));
}

#[tokio::test]
async fn one_that_hangs_is_ended_with_all_its_children() {
    let workspace = Workspace::new().worked();
    let place = workspace.root().join("judge.sh");
    std::fs::write(&place, "#!/bin/sh\nsleep 600 &\necho $! > child\nwait\n").unwrap();
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();
    let case = workspace.case(&json!({})).await;
    let why = ask(
        "./judge.sh",
        &[],
        &case,
        workspace.root(),
        workspace.root(),
        Millis(2000),
        &CancellationToken::new(),
    )
    .await;
    assert_eq!(why.unwrap_err().reason, "./judge.sh took longer than 2 s");
    let child = std::fs::read_to_string(workspace.root().join("child")).unwrap();
    // Killed: it is gone as soon as the system has got round to it, and perhaps not yet collected by whoever inherits it.
    let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
    loop {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        if state.is_empty() || state.contains(") Z ") {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "the child goes on: {state}");
        tokio::task::yield_now().await;
    }
}
