//! What other programs get to see of a run.

use insta::assert_snapshot;

use super::harness::{BETTER, SMALL, critic_context, escalate, fail, pass, run};

#[test]
fn the_formats_for_other_programs() {
    for format in ["json", "sarif", "junit", "github", "text"] {
        let cx = critic_context(&[fail(), pass()], &[BETTER]);
        let marked = "# Plan\n\nTODO: say how often.\n\n## Steps\n\n1. Read the file.\n";
        cx.write("plan.md", marked);
        cx.write("criteria/small.toml", SMALL);
        let shown = cx.show(&mut run(&cx, &["--quiet", "--format", format]));
        assert_snapshot!(format!("critic_{format}"), shown);
    }
    for format in ["sarif", "junit", "github"] {
        let cx = critic_context(&[escalate(2)], &[]);
        let shown = cx.show(&mut run(&cx, &["--quiet", "--format", format]));
        assert_snapshot!(format!("critic_waits_{format}"), shown);
    }
}

#[test]
fn what_is_shown_is_a_transcript_that_holds() {
    let cx = critic_context(&[fail(), pass()], &[BETTER]);
    cx.show(&mut run(&cx, &["--quiet"]));
    let text = cx.jury().args(["critic", "show", "last"]).output().unwrap().stdout;
    let shown = cx.show_with_input(cx.jury().args(["critic", "check", "-", "--criteria", "small"]), &text);
    assert!(shown.starts_with("exit: 0"), "{shown}\n{}", String::from_utf8_lossy(&text));
    let report = cx.jury().args(["report", "last"]).output().unwrap().stdout;
    assert_eq!(report, text);
    let replay = cx.show(cx.jury().args(["replay", "last", "--speed", "instant"]));
    assert!(replay.starts_with("exit: 0") && replay.contains("CONVERGED  2 passes, 1 fix"), "{replay}");
}

#[test]
fn several_files_are_several_runs() {
    let cx = critic_context(&[pass(), fail()], &[]);
    cx.write("other.md", BETTER);
    let shown = cx.show(&mut run(&cx, &["other.md", "--no-fix", "--quiet", "--format", "github"]));
    assert!(shown.starts_with("exit: 1"), "the worst counts: {shown}");
    assert!(shown.contains("file=plan.md,title=jury::converged"), "{shown}");
    assert!(shown.contains("file=other.md,title=jury::stopped"), "{shown}");
    let shown = cx.show(&mut run(&cx, &["other.md", "--format", "json"]));
    assert!(shown.starts_with("exit: 2") && shown.contains("run them one by one"), "{shown}");
}
