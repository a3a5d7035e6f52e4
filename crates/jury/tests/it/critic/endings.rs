//! One run per ending.

use insta::assert_snapshot;
use rustix::process::Signal;

use super::harness::{BETTER, PLAN, SMALL, critic_context, fail, json, pass, report, run};
use crate::harness::{Running, until};

/// Criteria that need nobody: figures of a command, a fix, and a failure that is played.
const MEASURED: &str = "name = \"measured\"\ncap = 3\n\n[adversarial]\ncheck = [\"sh\", \"-c\", \"true\"]\n\n\
    [[criterion]]\nid = \"STEPS\"\nquestion = \"Are there at least three steps?\"\n\
    shell = \"echo steps: $(grep -c '^[0-9]' {file})\"\nfigures = { steps = \"steps: {}\" }\n\
    pass_when = { steps = { min = 3 } }\nfix_shell = \"echo '3. Stop at a broken row.' >> {file}\"\n";

#[test]
fn the_first_pass_can_be_enough() {
    let cx = critic_context(&[pass()], &[]);
    assert_snapshot!("critic_converged_at_once", cx.show(&mut run(&cx, &[])));
    let prompt = std::fs::read_to_string(cx.path("answer-1.prompt")).unwrap();
    assert!(prompt.contains(PLAN) && prompt.contains("Is every requirement taken up by a step?"), "{prompt}");
}

#[test]
fn a_defect_is_fixed_and_the_next_pass_converges() {
    let cx = critic_context(&[fail(), pass()], &[BETTER]);
    assert_snapshot!("critic_fixed_and_converged", cx.show(&mut run(&cx, &["--write"])));
    assert_eq!(std::fs::read_to_string(cx.path("plan.md")).unwrap(), BETTER);
    let left: Vec<_> =
        std::fs::read_dir(cx.path(".")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("jury-")), "{left:?}");
    let run = json(&cx);
    assert_eq!(
        (&run["status"], &run["exitCode"], &run["fixes"]),
        (&"converged".into(), &0.into(), &1.into())
    );
}

#[test]
fn the_most_passes_are_the_end() {
    let cx = critic_context(&[fail(), fail()], &[BETTER]);
    assert_snapshot!(
        "critic_safety_cap",
        cx.show(&mut run(&cx, &["--max-passes", "2", "--write", "--color", "never"]))
    );
    assert_eq!(
        std::fs::read_to_string(cx.path("plan.md")).unwrap(),
        PLAN,
        "what did not converge is not written"
    );
    let shown = cx.show(cx.jury().args(["critic", "show", "last", "--format", "human", "--out", "last.md"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("SAFETY CAP"), "{shown}");
    let text =
        String::from_utf8(cx.jury().args(["critic", "show", "last"]).output().unwrap().stdout).unwrap();
    assert_eq!(text.lines().last(), Some("⚠ Critic safety cap (2 passes). Review recommended."), "{text}");
    assert_eq!(std::fs::read_to_string(cx.path("last.md")).unwrap(), BETTER);
}

#[test]
fn changes_that_go_in_a_circle_are_stopped() {
    let cx = critic_context(&[fail(), fail()], &[PLAN]);
    let shown = cx.show(&mut run(&cx, &["--out", "out.md"]));
    assert!(shown.starts_with("exit: 1"), "{shown}");
    assert!(shown.contains("STOPPED: not converged"), "{shown}");
    assert_eq!(json(&cx)["end"]["churn"], "document_unchanged");
    assert_eq!(std::fs::read_to_string(cx.path("out.md")).unwrap(), PLAN);
}

#[test]
fn nobody_fixes_when_nothing_is_to_be_changed() {
    let cx = critic_context(&[fail()], &[]);
    let shown = cx.show(&mut run(&cx, &["--no-fix"]));
    assert!(shown.starts_with("exit: 1") && shown.contains("nobody is to change the document"), "{shown}");
}

#[test]
fn without_a_critic_opinions_have_no_verdict() {
    let cx = critic_context(&[], &[]);
    let mut offline = cx.jury();
    offline.args(["critic", "run", "plan.md", "--criteria", "small"]);
    assert_snapshot!("critic_offline", cx.show(&mut offline));
    let shown = cx.show(cx.jury().args(["critic", "run", "plan.md", "--criteria", "plan", "--quiet"]));
    assert!(shown.starts_with("exit: 3"), "{shown}");
}

#[test]
fn a_bare_pass_is_sent_back_once() {
    let bare = pass().replace("2 of 2 requirements looked at", "");
    let cx = critic_context(&[bare.clone(), bare.clone()], &[]);
    assert_snapshot!("critic_bare_pass", cx.show(&mut run(&cx, &[])));
    let again = std::fs::read_to_string(cx.path("answer-2.prompt")).unwrap();
    assert!(again.contains("[COMPLETENESS] say why"), "{again}");
    let cx = critic_context(&[bare, pass()], &[]);
    let shown = cx.show(&mut run(&cx, &[]));
    assert!(shown.starts_with("exit: 0") && shown.contains("sent back"), "{shown}");
}

#[test]
fn a_critic_that_fails_is_no_verdict() {
    let cx = critic_context(&[], &[]);
    cx.write("agent.sh", "cat > prompt.txt; echo 'no key' >&2; exit 1\n");
    let shown = cx.show(&mut run(&cx, &["--quiet"]));
    assert!(
        shown.starts_with("exit: 3") && shown.contains("the critic failed more often than it may"),
        "{shown}"
    );
    // Whoever looks later sees what it said, too.
    let later = cx.show(cx.jury().args(["critic", "show", "last"]));
    for text in [shown, later] {
        assert!(text.contains("its last error: ") && text.contains("no key"), "{text}");
    }
}

#[test]
fn a_critic_that_hangs_is_announced_and_given_up_on() {
    let cx = critic_context(&[], &[]);
    cx.write("agent.sh", "cat > prompt.txt; while :; do sleep 1; done\n");
    let shown = cx.show(&mut run(&cx, &["--step-timeout", "1"]));
    assert!(shown.starts_with("exit: 3"), "{shown}");
    assert!(shown.contains("asking critic about 1 criterion (pass 1)\n"), "{shown}");
    assert!(shown.contains("asking critic about 1 criterion (pass 1, again)\n"), "{shown}");
    let shown = cx.show(&mut run(&cx, &["--timeout", "1", "--quiet"]));
    assert!(shown.starts_with("exit: 3") && shown.contains("the run took longer than"), "{shown}");
    for bad in ["0", "86401", "x"] {
        assert!(cx.show(&mut run(&cx, &["--step-timeout", bad])).starts_with("exit: 2"));
    }
}

#[test]
fn what_failed_and_what_has_no_verdict_stand_apart() {
    let cx = critic_context(&[], &[]);
    cx.write("plan.md", "# Plan\n\nTODO: say how often.\n");
    let run = ["critic", "run", "plan.md", "--criteria", "small", "--quiet", "--format"];
    for format in ["human", "text", "github", "junit"] {
        let shown = cx.show(cx.jury().args(run).arg(format));
        assert!(shown.starts_with("exit: 1"), "{shown}");
        assert!(shown.contains("FINISHED failed: no fix command covers it; fix it by hand"), "{shown}");
        assert!(
            shown.contains("no verdict on COMPLETENESS, ADVERSARIAL: it takes a critic and there is none"),
            "{shown}"
        );
    }
}

#[test]
fn what_a_failed_check_printed_is_shown() {
    let cx = critic_context(&[], &[]);
    let line = "for n in 1 2 3 4 5 6 7 8; do echo row $n; done; printf '=== CRITIC 9 ===\\\\n[X] \\\\033[31mred\\\\n'; exit 1";
    cx.write(
        "criteria/checked.toml",
        format!(
            "name = \"checked\"\ncap = 2\n\n[adversarial]\ncheck = [\"true\"]\n\n\
             [[criterion]]\nid = \"ROWS\"\nquestion = \"Is every row good?\"\nshell = \"{line}\"\n"
        ),
    );
    for format in ["human", "text", "github", "junit", "sarif"] {
        let mut command = cx.jury();
        command.args(["critic", "run", "plan.md", "--criteria", "checked", "--quiet", "--format", format]);
        let shown = cx.show(&mut command);
        assert!(shown.starts_with("exit: 1"), "{shown}");
        assert!(shown.contains("row 8") && !shown.contains("row 4"), "{format}: {shown}");
        assert!(shown.contains("=== CRITIC 9 ===") && !shown.contains('\u{1b}'), "{format}: {shown}");
    }
    let text = cx.jury().args(["critic", "show", "last"]).output().unwrap().stdout;
    let shown = cx.show_with_input(cx.jury().args(["critic", "check", "-", "--criteria", "checked"]), &text);
    assert!(shown.starts_with("exit: 0"), "what is printed is no part of the report: {shown}");
}

#[test]
fn what_is_measured_needs_nobody() {
    let cx = critic_context(&[], &[]);
    cx.write("criteria/measured.toml", MEASURED);
    let mut measured = cx.jury();
    measured.args(["critic", "run", "plan.md", "--criteria", "measured", "--out", "better.md"]);
    assert_snapshot!("critic_measured", cx.show(&mut measured));
    assert_eq!(std::fs::read_to_string(cx.path("better.md")).unwrap(), BETTER);
    let shown = cx.show(cx.jury().args(["critic", "run", "plan.md", "--criteria", "measured", "--no-fix"]));
    assert!(shown.starts_with("exit: 1") && shown.contains("steps 2, wanted at least 3"), "{shown}");
    cx.write(
        "criteria/broken.toml",
        MEASURED.replace("name = \"measured\"", "name = \"broken\"").replace("steps: $", "rows: $"),
    );
    let shown = cx.show(cx.jury().args(["critic", "run", "plan.md", "--criteria", "broken"]));
    assert!(shown.starts_with("exit: 3") && shown.contains("steps was not printed"), "{shown}");
}

#[test]
fn a_file_that_changes_meanwhile_is_left_alone() {
    let cx = critic_context(&[fail(), pass()], &[BETTER]);
    cx.write("fix.sh", "cat fix-1.txt\n");
    cx.write("agent.sh", "cat > prompt.txt\nif grep -q 'You change one document' prompt.txt; then cat fix-1.txt; \
        elif grep -q 'broken row' prompt.txt; then echo '# Mine' > plan.md; cat answer-2.txt; else cat answer-1.txt; fi\n");
    let shown = cx.show(&mut run(&cx, &["--write", "--quiet"]));
    assert!(shown.starts_with("exit: 3") && shown.contains("was changed while the critic worked"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("plan.md")).unwrap(), "# Mine\n");
}

#[test]
fn ctrl_c_ends_it_and_nothing_is_left() {
    for signal in [Signal::INT, Signal::TERM] {
        let cx = critic_context(&[], &[]);
        cx.write(
            "agent.sh",
            "cat > prompt.txt; echo $$ > pid; echo ready >> plan.md; while :; do sleep 1; done\n",
        );
        cx.write(
            "criteria/small.toml",
            SMALL.replace("measure = \"unfinished-marker\"", "shell = \"exit 1\""),
        );
        let mut running = Running::start(&mut run(&cx, &[]));
        running.wait_for("measured FINISHED");
        until("the critic works", || cx.path("pid").exists());
        running.signal(signal);
        let (code, stdout, stderr) = running.finish();
        assert_eq!(code, Some(130), "{stdout}{stderr}");
        assert!(stdout.contains("INTERRUPTED: not converged"), "{stdout}");
        assert_eq!(cx.runs()[0]["status"], "interrupted");
        let pid = std::fs::read_to_string(cx.path("pid")).unwrap();
        assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists(), "the agent is gone");
    }
}

#[test]
fn what_is_put_off_stays_put_off_until_it_expires() {
    let put_off = report("DEFER (the size is fixed in the next phase)");
    let cx = critic_context(&[put_off.clone(), put_off, pass()], &[]);
    let shown = cx.show(&mut run(&cx, &["--release", "1.4", "--quiet"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert_snapshot!("critic_deferrals", cx.show(cx.jury().args(["critic", "deferrals"])));
    let list = cx.jury().args(["critic", "deferrals", "--format", "json"]).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    assert_eq!(
        (&list[0]["open"], &list[0]["deferral"]["author"]),
        (&false.into(), &"critic".into()),
        "{list:#}"
    );
    // In another release it is open again, and said so.
    let shown = cx.show(&mut run(&cx, &["--release", "1.5", "--verbose"]));
    assert!(shown.contains("open again COMPLETENESS"), "{shown}");
}
