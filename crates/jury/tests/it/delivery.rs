//! A result that was not delivered is not a success: every command against a stdout that takes nothing.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::harness::{Context, repository};

/// What a command does in a plain call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prints {
    /// It prints a result.
    Result,
    /// It has nothing to print here: it says what it did on stderr, or there is nothing that it could be about.
    Nothing,
}

/// Every command, with a call that prints if there is one.
const CALLS: [(&str, &[&str], Prints); 68] = [
    ("run", &["page.html"], Prints::Result),
    ("check", &["page.html"], Prints::Result),
    ("explain", &["a11y/contrast"], Prints::Result),
    ("checks", &[], Prints::Result),
    ("critic run", &["plan.md", "--criteria", "docs", "--no-fix"], Prints::Result),
    ("critic check", &["plan.md"], Prints::Result),
    ("critic init", &[], Prints::Result),
    ("critic criteria", &[], Prints::Result),
    ("critic show", &[CRITIC_RUN], Prints::Result),
    ("critic resume", &[CRITIC_RUN], Prints::Nothing),
    ("critic stop", &[CRITIC_RUN], Prints::Nothing),
    ("critic deferrals", &["--format", "json"], Prints::Result),
    ("content run", &["website", "--idea", "ideas/other", "--draft", "draft.md"], Prints::Result),
    ("content status", &["last"], Prints::Result),
    ("content resume", &["last"], Prints::Nothing),
    ("content abandon", &["last"], Prints::Result),
    ("content draft", &["last"], Prints::Result),
    ("content brief", &["last"], Prints::Result),
    ("content releases", &["acme"], Prints::Nothing),
    ("content page", &["acme"], Prints::Nothing),
    ("content rollback", &["acme"], Prints::Nothing),
    ("content advisors", &[], Prints::Result),
    ("content recipes", &[], Prints::Result),
    ("content eval", &[], Prints::Result),
    ("judge", &["run.json"], Prints::Result),
    ("decisions list", &["--format", "json"], Prints::Result),
    ("decisions answer", &["none-1", "1"], Prints::Nothing),
    ("feedback collect", &["run.json"], Prints::Nothing),
    ("feedback backfill", &["."], Prints::Result),
    ("patterns detect", &["run.json"], Prints::Result),
    ("patterns list", &[], Prints::Result),
    ("patterns detail", &["none"], Prints::Nothing),
    ("patterns mitigate", &["none", "x"], Prints::Nothing),
    ("patterns effectiveness", &["none"], Prints::Nothing),
    ("templates score", &[], Prints::Result),
    ("templates select", &["feature"], Prints::Result),
    ("templates refine", &[], Prints::Result),
    ("templates ab create", &["a", "b"], Prints::Result),
    ("templates ab pick", &["a"], Prints::Result),
    ("templates ab record", &["a", "original"], Prints::Nothing),
    ("templates ab evaluate", &[], Prints::Result),
    ("templates ab list", &[], Prints::Result),
    ("templates ab review-queue", &[], Prints::Result),
    ("templates ab approve", &["a"], Prints::Nothing),
    ("templates guardrails check-variant-limit", &["t1"], Prints::Result),
    ("templates guardrails enforce-variant-limit", &["t1"], Prints::Result),
    ("templates guardrails check-sample-size", &["10", "scoring"], Prints::Result),
    ("templates guardrails check-rollback", &["t1"], Prints::Result),
    ("templates guardrails auto-rollback", &["t1"], Prints::Result),
    ("templates guardrails check-promote", &["t1", "t2", "0.5", "0.6"], Prints::Result),
    ("templates guardrails check-duplicates", &["t1"], Prints::Result),
    ("templates guardrails count-unique", &["t1"], Prints::Result),
    ("templates guardrails check-refinement-loop", &["t1"], Prints::Result),
    ("templates retrospective", &[], Prints::Result),
    ("templates weekly", &[], Prints::Result),
    ("templates audit", &[], Prints::Result),
    ("label", &["b-1", "--verdict", "pass"], Prints::Nothing),
    ("calibrate", &[], Prints::Result),
    ("calibrate anchors add", &["none"], Prints::Nothing),
    ("calibrate anchors list", &[], Prints::Result),
    ("calibrate anchors judge", &[], Prints::Nothing),
    ("calibrate drift", &[], Prints::Result),
    ("inspect", &["page.html"], Prints::Result),
    ("parse", &["answer.txt"], Prints::Result),
    ("replay", &["last", "--speed", "instant"], Prints::Result),
    ("report", &["last"], Prints::Result),
    ("compare", &["last", "last"], Prints::Result),
    ("runs", &[], Prints::Result),
];

/// Every command that is not called above: it serves, asks programs of the machine, or takes what another one prints.
const OTHERS: [&str; 7] =
    ["serve", "agents list", "agents test", "agents clear-degraded", "doctor", "reindex", "store migrate"];

/// Stands for the id of the run of the critic: `last` is another one.
const CRITIC_RUN: &str = "{critic}";

/// What is there before each call: pages, a plan, a record, and a run of each workflow.
fn world() -> Context {
    let cx = Context::new();
    std::fs::copy(repository().join("examples/landing.html"), cx.path("page.html")).unwrap();
    copy(&repository().join("examples/ideas/acme"), &cx.path("ideas/acme"));
    copy(&repository().join("examples/ideas/acme"), &cx.path("ideas/other"));
    std::fs::copy(repository().join("examples/drafts/acme-flawed.md"), cx.path("draft.md")).unwrap();
    cx.write("plan.md", "# Plan\n\n## Goal\n\nShip it by 2026-12-01. Owner: Anna.\n");
    cx.write("answer.txt", "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"></ROUND></CRITIQUE_RUN>\n");
    let record = serde_json::json!({
        "bead": "b-1", "prompt": "Add a function", "template": "t1", "agent": "x", "model": "m", "exit_code": 0,
        "status": "done",
    });
    cx.write("run.json", record.to_string());
    for args in [
        &["critic", "run", "plan.md", "--criteria", "docs", "--no-fix", "-q"][..],
        &["feedback", "collect", "run.json", "-q"],
        &["templates", "score", "-q"],
        &["content", "run", "website", "--idea", "ideas/acme", "--draft", "draft.md", "-q"],
    ] {
        cx.jury().args(args).output().unwrap();
    }
    cx
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &place);
        } else {
            std::fs::copy(entry.path(), place).unwrap();
        }
    }
}

/// A folder like this one, which a call may change.
fn twin(world: &Context) -> Context {
    let twin = Context::new();
    copy(&world.path("."), &twin.path("."));
    twin
}

/// The names behind `Commands:` in the help of a command.
fn listed(cx: &Context, path: &[&str]) -> Vec<String> {
    let output = cx.jury().args(path).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Every command that can be called, as it is typed.
fn commands(cx: &Context) -> Vec<String> {
    let mut open: Vec<String> = listed(cx, &[]);
    let mut all = Vec::new();
    while let Some(command) = open.pop() {
        let path: Vec<&str> = command.split(' ').collect();
        let below = listed(cx, &path);
        if below.is_empty() || command == "calibrate" {
            all.push(command.clone());
        }
        open.extend(below.iter().map(|name| format!("{command} {name}")));
    }
    all.sort();
    all
}

/// A call whose stdout is full, closed, or read by nobody.
fn called(cx: &Context, words: &[&str], how: &str) -> Output {
    let mut jury = cx.jury();
    jury.args(words).stderr(Stdio::piped());
    match how {
        "full" => {
            jury.stdout(File::options().write(true).open("/dev/full").unwrap());
            jury.output().unwrap()
        }
        "closed" => {
            let mut shell = Command::new("sh");
            shell.args(["-c", "exec \"$0\" \"$@\" >&-"]).arg(jury.get_program()).args(jury.get_args());
            for (name, value) in jury.get_envs() {
                match value {
                    Some(value) => shell.env(name, value),
                    None => shell.env_remove(name),
                };
            }
            shell.current_dir(cx.path(".")).stdin(Stdio::null()).stderr(Stdio::piped()).output().unwrap()
        }
        _ => {
            let mut child = jury.stdout(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            child.wait_with_output().unwrap()
        }
    }
}

fn errors(output: &Output) -> Vec<String> {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    stderr.lines().filter(|line| line.starts_with("error:")).map(str::to_owned).collect()
}

/// Asserts that the call ends with 2 and says why in one line.
fn assert_undelivered(cx: &Context, words: &[&str], how: &str) {
    let output = called(cx, words, how);
    let why = if how == "full" { "No space left on device" } else { "it is closed" };
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?} {how}: {told:?}");
    let [line] = told.as_slice() else { panic!("{words:?} {how}: {told:?}") };
    assert!(line.contains("cannot write") && line.contains(why), "{words:?} {how}: {line}");
}

#[test]
fn every_command_has_a_call_here() {
    let cx = Context::new();
    let known = CALLS.iter().map(|(command, _, _)| *command).chain(OTHERS);
    let mut known: Vec<String> = known.map(str::to_owned).collect();
    known.sort();
    assert_eq!(commands(&cx), known);
}

#[test]
fn help_that_cannot_be_written_is_an_error() {
    let cx = Context::new();
    for command in commands(&cx) {
        let mut words: Vec<&str> = command.split(' ').collect();
        words.push("--help");
        assert_undelivered(&cx, &words, "full");
    }
    for words in [&["--help"][..], &["--version"], &["help"], &["run", "--help"]] {
        assert_undelivered(&cx, words, "closed");
    }
}

#[test]
fn a_result_that_cannot_be_written_is_an_error_of_every_command() {
    let world = world();
    let runs = world.runs();
    let critic = runs.iter().find(|run| run["title"] == "plan.md").unwrap()["runId"].as_str().unwrap();
    for (command, args, prints) in CALLS {
        let args = args.iter().map(|word| if *word == CRITIC_RUN { critic } else { *word });
        let words: Vec<&str> = command.split(' ').chain(args).collect();
        let cx = twin(&world);
        let plain = cx.jury().args(&words).output().unwrap();
        let printed = if plain.stdout.is_empty() { Prints::Nothing } else { Prints::Result };
        assert_eq!(printed, prints, "{words:?}: {}", String::from_utf8_lossy(&plain.stderr));
        if prints == Prints::Nothing {
            continue;
        }
        for how in ["full", "closed"] {
            assert_undelivered(&twin(&world), &words, how);
        }
        // A reader that has seen enough changes nothing.
        let unread = called(&twin(&world), &words, "unread");
        assert_eq!(unread.status.code(), plain.status.code(), "{words:?}");
        assert!(!String::from_utf8_lossy(&unread.stderr).contains("cannot write"), "{words:?}");
    }
}

#[test]
fn a_command_that_serves_or_asks_the_machine_ends_as_well() {
    let cx = Context::new();
    for how in ["full", "closed"] {
        assert_undelivered(&cx, &["serve", "--addr", "127.0.0.1:0"], how);
        assert_undelivered(&cx, &["agents", "list", "--json"], how);
        assert_undelivered(&cx, &["agents", "test", "house", "--briefs", "1"], how);
        assert_undelivered(&cx, &["doctor"], how);
    }
}

#[test]
fn every_format_of_a_result_and_every_file_of_it_is_delivered_or_an_error() {
    let world = world();
    for format in ["human", "json", "sarif", "junit", "github", "markdown", "html"] {
        for words in [["run", "page.html", "--format", format], ["check", "page.html", "--format", format]] {
            assert_undelivered(&twin(&world), &words, "full");
        }
    }
    let to_file = |words: &[&str]| {
        let output = twin(&world).jury().args(words).output().unwrap();
        let told = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told:?}");
        assert!(told.len() == 1 && told[0].contains("No space left on device"), "{words:?}: {told:?}");
    };
    to_file(&["run", "page.html", "--out", "/dev/full"]);
    to_file(&["report", "last", "--html", "/dev/full"]);
}

#[test]
fn messages_that_cannot_be_written_change_no_verdict() {
    let world = world();
    let plain = twin(&world).jury().args(["run", "page.html"]).output().unwrap();
    let mut jury = twin(&world).jury();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let cx = twin(&world);
    let silent = jury.current_dir(cx.path(".")).args(["run", "page.html"]).stderr(full).output().unwrap();
    assert_eq!(silent.status.code(), plain.status.code());
    let full = File::options().write(true).open("/dev/full").unwrap();
    let wrong = cx.jury().args(["run", "none.html"]).stderr(full).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}
