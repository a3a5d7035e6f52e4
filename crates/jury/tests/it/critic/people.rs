//! Questions to a person: asked, waited for, answered by command, at the terminal, or by default.

use std::process::{Command, Stdio};

use insta::assert_snapshot;

use super::harness::{BETTER, asked, critic_context, escalate, fail, json, pass, run};
use crate::harness::{Context, Running, until};

#[test]
fn a_question_waits_and_an_answer_by_command_goes_on() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    assert_snapshot!("critic_waits", cx.show(&mut run(&cx, &[])));
    assert_eq!(cx.runs()[0]["state"], "waiting");
    assert_snapshot!("decisions_list", cx.show(cx.jury().args(["decisions", "list"])));
    let id = &asked(&cx)[0];
    let wrong = cx.show(cx.jury().args(["decisions", "answer", id, "7"]));
    assert!(wrong.starts_with("exit: 2") && wrong.contains("is no answer to"), "{wrong}");
    let answered = cx.show(cx.jury().args(["decisions", "answer", id, "1", "--by", "ada"]));
    assert_snapshot!("decisions_answer", answered);
    let order = std::fs::read_to_string(cx.path("fix-1.prompt")).unwrap();
    assert!(order.contains("A person has decided: Stop: the night is repeated"), "{order}");
    assert_snapshot!("decisions_list_all", cx.show(cx.jury().args(["decisions", "list", "--all"])));
    let second = cx.show(cx.jury().args(["decisions", "answer", id, "2"]));
    assert!(second.starts_with("exit: 2"), "{second}");
    assert!(second.contains("has its answer already: option 1, by ada; the first one counts"), "{second}");
    let shown = cx.show(cx.jury().args(["critic", "resume", "last"]));
    assert!(
        shown.starts_with("exit: 2")
            && shown.contains("has ended: it does not wait for anybody; 'jury critic show"),
        "{shown}"
    );
}

#[test]
fn an_answer_can_wait_for_a_resume() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    cx.show(&mut run(&cx, &["--quiet"]));
    let waiting = cx.show(cx.jury().args(["critic", "resume", "last", "--no-input", "--quiet"]));
    assert!(waiting.starts_with("exit: 4") && waiting.contains("WAITING for a person"), "{waiting}");
    let id = &asked(&cx)[0];
    let shown = cx.show(cx.jury().args(["decisions", "answer", id, "Ask the owner first", "--no-resume"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("go on with 'jury critic resume"), "{shown}");
    let shown = cx.show(cx.jury().args(["critic", "resume", "last", "--write", "--quiet"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("CONVERGED"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("plan.md")).unwrap(), BETTER);
}

#[test]
fn the_document_is_written_by_whoever_ends_the_run() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    let waits = cx.show(&mut run(&cx, &["--write"]));
    assert!(
        waits.starts_with("exit: 4") && waits.contains("give --write again with the last answer"),
        "{waits}"
    );
    assert!(waits.contains(" 1 --write   (or skip"), "{waits}");
    let id = &asked(&cx)[0];
    let both = cx.show(cx.jury().args(["decisions", "answer", id, "1", "--write", "--no-resume"]));
    assert!(both.starts_with("exit: 2"), "{both}");
    let shown = cx.show(cx.jury().args(["decisions", "answer", id, "1", "--write"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("document  plan.md"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("plan.md")).unwrap(), BETTER);
}

#[test]
fn the_document_of_a_run_that_has_ended_is_still_there() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    cx.show(&mut run(&cx, &["--write", "--quiet"]));
    let shown = cx.show(cx.jury().args(["decisions", "answer", &asked(&cx)[0], "1"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("--out FILE"), "{shown}");
    assert!(!shown.contains("final.html"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("plan.md")).unwrap(), super::harness::PLAN);
    let shown = cx.show(cx.jury().args(["critic", "show", "last", "--out", "later.md"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("later.md")).unwrap(), BETTER);
    let shown = cx.show(cx.jury().args(["critic", "resume", "last", "--write", "--quiet"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("CONVERGED"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("plan.md")).unwrap(), BETTER);
}

#[test]
fn a_run_that_waits_can_be_dropped() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    cx.show(&mut run(&cx, &["--quiet"]));
    let id = asked(&cx).remove(0);
    let shown = cx.show(cx.jury().args(["critic", "stop", "last"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("is stopped"), "{shown}");
    assert_eq!(
        (cx.runs()[0]["state"].as_str(), json(&cx)["status"].as_str()),
        (Some("ended"), Some("interrupted"))
    );
    assert!(asked(&cx).is_empty());
    let late = cx.show(cx.jury().args(["decisions", "answer", &id, "1"]));
    assert!(late.starts_with("exit: 2") && late.contains("is closed: its run has ended"), "{late}");
    let twice = cx.show(cx.jury().args(["critic", "stop", "last"]));
    assert!(twice.starts_with("exit: 2") && twice.contains("has ended already: interrupted"), "{twice}");
}

#[test]
fn a_skip_puts_it_off_in_the_name_of_whoever_skipped() {
    let cx = critic_context(&[escalate(2), pass()], &[]);
    cx.show(&mut run(&cx, &["--quiet"]));
    let shown =
        cx.show(cx.jury().args(["decisions", "answer", &asked(&cx)[0], "skip", "--by", "ada", "--quiet"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let list = cx.show(cx.jury().args(["critic", "deferrals"]));
    assert!(
        list.contains("What happens to a broken row?") && list.contains("put off by ada until"),
        "{list}"
    );
}

#[test]
fn clear_cases_are_decided_without_asking() {
    // One way out is no question at all: it goes back, and then it is a defect that is fixed.
    let cx = critic_context(&[escalate(1), escalate(1), pass()], &[BETTER]);
    let shown = cx.show(&mut run(&cx, &["--auto"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("name a second one"), "{shown}");
    // Two ways out are not a clear case.
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    let shown = cx.show(&mut run(&cx, &["--auto", "--quiet"]));
    assert!(shown.starts_with("exit: 4"), "{shown}");
}

#[test]
fn who_does_not_answer_in_time_gets_the_default() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    let shown = cx.show(&mut run(&cx, &["--answer-within", "1s"]));
    assert!(shown.starts_with("exit: 4"), "{shown}");
    let id = asked(&cx).pop();
    // The deadline is a moment on the clock, and it passes.
    let mut last = String::new();
    until("the default is taken", || {
        last = cx.show(cx.jury().args(["decisions", "list", "--all", "--format", "json"]));
        last.contains("\"deadline\"")
    });
    assert!(id.is_none_or(|_| last.contains("\"skip\"")), "{last}");
    let shown = cx.show(cx.jury().args(["critic", "resume", "last"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("is answered by deadline: skip"), "{shown}");
}

/// A command at a terminal of its own, with this typed into it.
fn at_a_terminal(cx: &Context, command: &Command) -> Command {
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| format!("'{}'", word.to_str().unwrap()))
        .collect();
    let mut script = Command::new("script");
    script.args(["-qefc", &words.join(" "), "/dev/null"]).current_dir(cx.path("."));
    script.env("USER", "ada").env("TERM", "dumb").env("SHELL", "/bin/sh").env_remove("OD_DATA_DIR");
    script
}

#[test]
fn at_a_terminal_a_person_is_asked_right_there() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    let mut command = at_a_terminal(&cx, &run(&cx, &[]));
    let shown = cx.show_with_input(&mut command, b"9\n2\n");
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert!(shown.contains("=== CRITIC ESCALATION (1) ==="), "{shown}");
    assert!(shown.contains("that is none of the 3 options"), "{shown}");
    assert!(shown.contains("question 1 is answered by ada: option 2"), "{shown}");
    assert_eq!(json(&cx)["status"], "converged");
}

#[test]
fn killed_while_it_waits_it_can_still_be_answered() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    let mut command = at_a_terminal(&cx, &run(&cx, &[]));
    command.stdin(Stdio::piped());
    // What is typed would be printed on stdout: the terminal is one for both streams.
    let mut running = Running::start_with_stdout(&mut command);
    running.wait_for("CRITIC ESCALATION");
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    until("the question is kept", || !asked(&cx).is_empty());
    let shown =
        cx.show(cx.jury().args(["decisions", "answer", &asked(&cx)[0], "1", "--by", "ada", "--quiet"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("CONVERGED"), "{shown}");
}

/// The first time that it is to change the document it never ends.
const HANGS: &str = "cat > prompt.txt\n\
    if grep -q 'You change one document' prompt.txt; then\n\
    if [ ! -e fixing ]; then touch fixing; exec sleep 1000; fi; cat fix-1.txt; exit; fi\n\
    n=$(( $(cat answer.count 2>/dev/null || echo 0) + 1 ))\necho $n > answer.count\ncat answer-$n.txt\n";

fn killed_while_the_document_is_changed() -> Context {
    let cx = critic_context(&[fail(), pass()], &[BETTER]);
    cx.write("agent.sh", HANGS);
    let mut running = Running::start(&mut run(&cx, &[]));
    until("the document is being changed", || cx.path("fixing").exists());
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    cx
}

fn asked_twice(cx: &Context) {
    let count = std::fs::read_to_string(cx.path("answer.count")).unwrap();
    assert_eq!(count.trim(), "2", "a pass that was paid is not paid again");
    let shown = json(cx);
    assert_eq!(shown["passes"].as_array().map(Vec::len), Some(2), "{shown:#}");
}

#[test]
fn killed_between_passes_it_goes_on_by_command_and_pays_for_no_pass_twice() {
    let cx = killed_while_the_document_is_changed();
    let shown = cx.show(cx.jury().args(["critic", "resume", "last", "--quiet"]));
    assert!(shown.starts_with("exit: 0") && shown.contains("CONVERGED"), "{shown}");
    asked_twice(&cx);
    let again = cx.show(cx.jury().args(["critic", "resume", "last", "--quiet"]));
    assert!(again.starts_with("exit: 2") && again.contains("has ended"), "{again}");
}

#[test]
fn killed_between_passes_a_daemon_goes_on_with_it() {
    let cx = killed_while_the_document_is_changed();
    let mut daemon =
        Running::start(cx.jury().args(["serve", "--addr", "127.0.0.1:0", "--log-format", "text"]));
    daemon.wait_for("serving");
    until("the daemon went on", || cx.runs()[0]["status"] == "converged");
    asked_twice(&cx);
    daemon.signal(rustix::process::Signal::TERM);
    assert_eq!(daemon.finish().0, Some(0));
}

#[test]
fn a_daemon_goes_on_with_what_was_answered() {
    let cx = critic_context(&[escalate(2), pass()], &[BETTER]);
    cx.show(&mut run(&cx, &["--quiet"]));
    let id = asked(&cx).remove(0);
    let mut daemon =
        Running::start(cx.jury().args(["serve", "--addr", "127.0.0.1:0", "--log-format", "text"]));
    daemon.wait_for("serving");
    let shown =
        cx.show(cx.jury().args(["decisions", "answer", &id, "1", "--by", "ada", "--write", "--quiet"]));
    assert!(
        shown.starts_with("exit: 0") && shown.contains("it writes no files; when it has ended:"),
        "{shown}"
    );
    until("the daemon went on", || cx.runs()[0]["status"] == "converged");
    let shown = cx.show(cx.jury().args(["critic", "resume", "last", "--write", "--quiet"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    assert_eq!(std::fs::read_to_string(cx.path("plan.md")).unwrap(), BETTER);
    daemon.signal(rustix::process::Signal::TERM);
    assert_eq!(daemon.finish().0, Some(0));
}

#[test]
fn decisions_that_are_none_are_refused_in_a_line() {
    let cx = critic_context(&[pass()], &[]);
    let shown = cx.show(cx.jury().args(["decisions", "list"]));
    assert!(shown.starts_with("exit: 2"), "{shown}");
    cx.show(&mut run(&cx, &["--quiet"]));
    assert!(cx.show(cx.jury().args(["decisions", "list"])).contains("nobody waits for an answer"));
    for (id, what) in [("x", "is not the id of a decision"), ("00000000-1", "no decision")] {
        let shown = cx.show(cx.jury().args(["decisions", "answer", id, "1"]));
        assert!(shown.starts_with("exit: 2") && shown.contains(what), "{shown}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown}");
    }
}
