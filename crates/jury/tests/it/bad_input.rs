//! Input that is none: one line that says what, where and what to do, and an exit code; or a correct run.

use std::process::Command;

use insta::assert_snapshot;

use crate::harness::{Context, GOOD_PAGE};

#[test]
fn an_empty_file() {
    let cx = Context::new();
    cx.write("page.html", " \n");
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: page.html is empty; there is nothing to review
    ");
    assert!(!cx.path(".od").exists(), "nothing is made for nothing");
}

#[test]
fn a_binary() {
    let cx = Context::new();
    cx.write("page.html", b"\x7fELF\x02\x01\x01\0\0\0");
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: page.html is a binary file, not a page
    ");
}

#[test]
fn a_page_of_a_hundred_megabytes() {
    let cx = Context::new();
    let file = std::fs::File::create(cx.path("page.html")).unwrap();
    file.set_len(100_000_000).unwrap();
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: page.html is too large: the most is 245.8 KB, it is 100.0 MB; raise OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES or split the page
    ");
    assert_snapshot!(cx.show_with_input(cx.jury().args(["run", "-"]), &vec![b'x'; 1_000_000]), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: stdin is too large: the most is 245.8 KB, it is larger than that; raise OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES or split the page
    ");
}

#[test]
fn a_directory_and_a_missing_file() {
    let cx = Context::new();
    std::fs::create_dir(cx.path("site")).unwrap();
    assert_snapshot!(cx.show(cx.jury().args(["run", "site"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: site is a folder; name a page in it, such as site/index.html
    ");
    assert_snapshot!(cx.show(cx.jury().args(["run", "nowhere.html"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: no such file: nowhere.html
    ");
    assert_snapshot!(cx.show(cx.jury().args(["run"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: nothing to review; name a page, such as 'jury run page.html'
    ");
}

#[test]
fn invalid_utf8_is_reviewed_with_a_note() {
    let cx = Context::new();
    let mut bytes = GOOD_PAGE.as_bytes().to_vec();
    let place = GOOD_PAGE.find("weekday").unwrap();
    bytes.insert(place, 0xff);
    cx.write("page.html", bytes);
    let shown = cx.show(cx.jury().args(["run", "page.html"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("note: page.html is not valid UTF-8"), "{shown}");
}

/// There is nothing on it that most of the panel could look at: that is not a pass, and not a poor page.
#[test]
fn a_page_with_no_body_is_not_passed_unseen() {
    let cx = Context::new();
    for page in ["<!doctype html><title>Only a title</title>", "<html></html>", "<!-- nothing -->"] {
        cx.write("page.html", page);
        let shown = cx.show(cx.jury().args(["run", "page.html"]));
        assert!(shown.starts_with("exit: 3"), "{shown}");
        assert!(shown.contains("is no page"), "{shown}");
    }
    assert_eq!(cx.runs().len(), 3);
    cx.write("text.html", "just text, no tags at all");
    let shown = cx.show(cx.jury().args(["run", "text.html"]));
    assert!(shown.starts_with("exit: 3"), "{shown}");
}

#[test]
fn a_data_directory_below_a_file() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    cx.write("file", "x");
    let shown = cx.show(cx.jury().args(["run", "page.html", "--data-dir", "file/.od"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    assert_eq!(shown.matches("error:").count(), 1, "{shown}");
}

/// A command in a mount namespace of its own, in which this script has prepared `store/`.
fn mounted(cx: &Context, prepare: &str) -> Command {
    let jury = cx.jury();
    let script = format!("mkdir -p store && {prepare} && exec \"$0\" run page.html --data-dir store/.od");
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", &script]).arg(jury.get_program());
    command.current_dir(cx.path("."));
    command
}

#[test]
fn a_read_only_data_directory() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let shown = cx.show(&mut mounted(&cx, "mount -t tmpfs -o ro tmpfs store"));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    assert!(shown.contains("read-only") || shown.contains("written"), "{shown}");
}

#[test]
fn a_full_disk_is_said_and_never_shipped() {
    let mut full = 0;
    let mut shipped = 0;
    // From a disk that holds nothing to one that holds everything: it runs full at many different points.
    for kilobytes in [4, 16, 40, 64, 96, 128, 160, 192, 224, 256, 320, 400, 512, 4096] {
        let cx = Context::new();
        cx.write("page.html", GOOD_PAGE);
        let prepare = format!("mount -t tmpfs -o size={kilobytes}k tmpfs store");
        let shown = cx.show(&mut mounted(&cx, &prepare));
        if shown.starts_with("exit: 0") {
            shipped += 1;
        } else {
            full += 1;
            assert!(shown.starts_with("exit: 2") || shown.starts_with("exit: 3"), "{kilobytes}k: {shown}");
            assert_eq!(shown.matches("error:").count(), 1, "{kilobytes}k: {shown}");
            assert!(!shown.contains("SHIPPED  "), "{kilobytes}k: {shown}");
            assert!(!shown.contains("panicked"), "{kilobytes}k: {shown}");
        }
    }
    assert!(full > 0 && shipped > 0, "{full} full, {shipped} shipped");
}

#[test]
fn several_runs_at_once_on_one_data_directory() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let children: Vec<_> = (0..6)
        .map(|_| {
            cx.jury()
                .args(["run", "page.html", "--quiet"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let runs = cx.runs();
    assert_eq!(runs.len(), 6);
    assert!(runs.iter().all(|run| run["status"] == "shipped"), "{runs:?}");
}

#[test]
fn a_brief_without_a_page_needs_an_agent_that_writes() {
    let cx = Context::new();
    assert_snapshot!(cx.show(cx.jury().args(["run", "--brief", "A landing page"])), @r#"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --brief without a page needs an agent that can write, and the house only measures; use --agent with one of 'jury agents list', or add yours to jury.toml
    "#);
}

#[test]
fn an_unknown_agent_and_a_bad_project_name() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html", "--agent", "robot"])), @r#"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: there is no agent 'robot'; see 'jury agents list', or add yours to jury.toml, such as [agents.robot] command = ["my-agent", "--print"]
    "#);
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html", "--project", "../etc"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --project: '../etc' is not a name: use letters, digits, '.', '_' and '-', not beginning with '.', at most 64
    ");
}

#[test]
fn an_output_file_that_cannot_be_written_is_refused_before_the_run() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    assert_snapshot!(cx.show(cx.jury().args(["run", "page.html", "--out", "no/such/folder.html"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --out no/such/folder.html: the folder no/such does not exist
    ");
    assert!(!cx.path(".od").exists());
}

#[test]
fn a_wrong_call_is_one_line() {
    let cx = Context::new();
    assert_snapshot!(cx.show(cx.jury().args(["run", "--bogus"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: unexpected argument '--bogus' found; see 'jury --help'
    ");
    assert_snapshot!(cx.show(cx.jury().args(["runs", "--status", "great"])), @r"
    exit: 2
    ----- stdout -----
    ----- stderr -----
    error: --status: 'great' is none of shipped, below_threshold, timed_out, interrupted, degraded, failed, legacy, converged, safety_cap, stopped, inconclusive, pass, partial, fail, skipped, approved, unreviewed, stalled, max-rounds-reached, abandoned
    ");
}
