//! Hooks: pre-commit with a real repository, and a stop hook with what an agent program sends it.

use std::path::Path;
use std::process::{Command, Output};

use crate::harness::{Context, GOOD_PAGE, repository};

/// A document that the built-in `docs` has nothing against, and one that they do.
const GOOD: &str = "# Guide\n\nSee [the steps](#steps).\n\n## Steps\n\nRead it.\n";
const BAD: &str = "# Guide\n\nSee [the steps](gone.md).\n\nTODO: say more.\n";

fn ran(command: &mut Command) -> (bool, String) {
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    (status.success(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

fn git(dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(dir).args(["-c", "user.name=ada", "-c", "user.email=ada@example.org"]).args(args);
    let (good, text) = ran(&mut command);
    assert!(good, "git {args:?}: {text}");
    text
}

/// The folder of the program first on the path.
fn with_jury(command: &mut Command) -> &mut Command {
    let folder = Path::new(env!("CARGO_BIN_EXE_jury")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .env("PATH", format!("{}:{path}", folder.display()))
        .env_remove("OD_DATA_DIR")
        .env_remove("GIT_DIR")
}

#[test]
fn pre_commit_lets_through_what_holds_and_nothing_else() {
    let hooks = Context::new();
    std::fs::copy(repository().join(".pre-commit-hooks.yaml"), hooks.path(".pre-commit-hooks.yaml")).unwrap();
    git(&hooks.path("."), &["init", "--quiet"]);
    git(&hooks.path("."), &["add", "."]);
    git(&hooks.path("."), &["commit", "--quiet", "-m", "hooks"]);
    let revision = git(&hooks.path("."), &["rev-parse", "HEAD"]);

    let cx = Context::new();
    let here = cx.path(".");
    git(&here, &["init", "--quiet"]);
    cx.write(
        ".pre-commit-config.yaml",
        format!(
            "repos:\n  - repo: {}\n    rev: {}\n    hooks:\n      - id: jury-critic\n        args: [--criteria, docs]\n      \
             - id: jury-run\n      - id: jury-check\n      - id: jury-pages\n",
            hooks.path(".").display(),
            revision.trim()
        ),
    );
    cx.write(".gitignore", ".od/\n");
    let home = cx.path(".git/pre-commit-home");
    let pre_commit = |args: &[&str]| {
        let program = repository().join("target/pre-commit/bin/pre-commit");
        assert!(program.is_file(), "{} is not there: run scripts/setup test", program.display());
        let mut command = Command::new(program);
        command.current_dir(&here).args(args).env("PRE_COMMIT_HOME", &home);
        ran(with_jury(&mut command))
    };
    cx.write("guide.md", GOOD);
    cx.write("second.md", GOOD);
    cx.write("page.html", GOOD_PAGE);
    cx.write(
        "a.critic.txt",
        "=== CRITIC 1 ===\n[ALL] All? → 2 of 2\n  Verdict: PASS\n[ADVERSARIAL] Failure scenario: x\n  \
        → Realistic? N → 0 of 3\n=== Result: CONVERGED (1 passes, 0 fixes, 0 escalations) ===\n",
    );
    git(&here, &["add", "."]);
    let (good, text) = pre_commit(&["run", "--all-files"]);
    assert!(good && text.matches("Passed").count() == 4, "{text}");

    cx.write("second.md", BAD);
    cx.write("page.html", "<!doctype html><html><body><h1>Hi</h1><img src=a.png></body></html>");
    cx.write("a.critic.txt", "=== CRITIC 1 ===\n[ALL] All?\n  Verdict: PASS\n");
    git(&here, &["add", "."]);
    let (good, text) = pre_commit(&["run", "--all-files"]);
    assert!(!good && text.matches("Failed").count() == 4, "{text}");
    assert!(text.contains("gone.md") && text.contains("exit code: 1"), "{text}");
    assert!(text.contains("a.critic.txt:2: bare_pass"), "{text}");
    let mut commit = Command::new("git");
    let (good, _) = pre_commit(&["install"]);
    assert!(good);
    commit.current_dir(&here).env("PRE_COMMIT_HOME", &home);
    commit.args([
        "-c",
        "user.name=ada",
        "-c",
        "user.email=ada@example.org",
        "commit",
        "--quiet",
        "-m",
        "bad",
    ]);
    let (committed, text) = ran(with_jury(&mut commit));
    assert!(!committed, "{text}");
}

/// Runs the hook as an agent program would, and says how it ended.
fn stop(cx: &Context, args: &[&str]) -> (Option<i32>, String, String) {
    let input = "{\"session_id\": \"5f0c-1\", \"transcript_path\": \"t.jsonl\", \"cwd\": \".\", \
                 \"hook_event_name\": \"Stop\", \"stop_hook_active\": false}";
    cx.write("input.json", input);
    let mut command = Command::new("sh");
    command.current_dir(cx.path(".")).arg(repository().join("examples/hooks/stop-critic.sh")).args(args);
    command.stdin(std::fs::File::open(cx.path("input.json")).unwrap()).env("JURY_STOP_MOST", "2");
    let output = with_jury(&mut command).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_stop_hook_sends_the_agent_back_until_the_document_holds() {
    let cx = Context::new();
    cx.write("guide.md", BAD);
    for _ in 0..2 {
        let (code, stdout, stderr) = stop(&cx, &["guide.md", "docs"]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
        assert!(stderr.starts_with("guide.md does not hold yet.") && stderr.contains("[LINKS]"), "{stderr}");
    }
    // Not for ever.
    let (code, stdout, _) = stop(&cx, &["guide.md", "docs"]);
    assert_eq!(
        (code, stdout.trim()),
        (Some(0), "{\"systemMessage\": \"guide.md did not converge after 2 attempts\"}")
    );
    cx.write("guide.md", GOOD);
    assert_eq!(stop(&cx, &["guide.md", "docs"]), (Some(0), String::new(), String::new()));
}

#[test]
fn a_stop_hook_holds_the_agent_when_there_was_no_review() {
    let cx = Context::new();
    cx.write("guide.md", GOOD);
    // Without a model nobody has an opinion; a set that is not there and a file that is not there are wrong calls.
    for (args, code, what) in [
        (["guide.md", "plan"], 3, "it takes a critic and there is none"),
        (["guide.md", "nothing"], 2, "there are no criteria 'nothing'"),
        (["gone.md", "docs"], 2, "no such file: gone.md"),
    ] {
        for _ in 0..2 {
            let (exit, stdout, stderr) = stop(&cx, &args);
            assert_eq!((exit, stdout.as_str()), (Some(2), ""), "{stderr}");
            let head = format!("{} was NOT REVIEWED (jury ended with exit code {code}).", args[0]);
            assert!(stderr.starts_with(&head) && stderr.contains(what), "{stderr}");
        }
        // Nor does this go on for ever: then the person is told.
        let (exit, stdout, _) = stop(&cx, &args);
        let message: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        let message = message["systemMessage"].as_str().unwrap();
        assert_eq!(exit, Some(0));
        assert!(message.contains(&format!("NOT REVIEWED in 2 attempts (exit code {code})")), "{message}");
    }
}
