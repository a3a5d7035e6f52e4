//! What of our environment the programs get that jury starts: what they need, and no secrets of others.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::json;

use crate::harness::{Context, GOOD_PAGE};

/// Secrets that are in the environment of jury, each of which would be found by its value.
const SECRETS: [(&str, &str); 9] = [
    ("JURY_TOKEN", "hush-token-0123456789"),
    ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=hush-otel"),
    ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "authorization=hush-traces"),
    ("JURY_REDIS_URL", ""),
    ("OPENAI_API_KEY", "hush-openai"),
    ("ANTHROPIC_API_KEY", "hush-anthropic"),
    ("MISTRAL_API_KEY", "hush-mistral"),
    ("AWS_SECRET_ACCESS_KEY", "hush-aws"),
    ("MY_SERVICE_TOKEN", "hush-mine"),
];

/// The program with secrets and something harmless in its environment.
fn jury(cx: &Context) -> Command {
    let mut command = cx.jury();
    command
        .envs(SECRETS)
        .env("MY_COLOUR", "green")
        .env("XDG_CONFIG_HOME", cx.path("xdg"))
        .env("LC_TIME", "C");
    command
}

/// The names of the variables that a child wrote down, and what of our secrets was among their values.
fn seen(cx: &Context, file: &str) -> (BTreeSet<String>, Vec<String>) {
    let text = std::fs::read_to_string(cx.path(file)).unwrap();
    let names = text.lines().filter_map(|line| Some(line.split_once('=')?.0.to_owned())).collect();
    let leaked = text.lines().filter(|line| line.contains("hush-")).map(str::to_owned).collect();
    (names, leaked)
}

fn has(names: &BTreeSet<String>, wanted: &[&str]) -> bool {
    wanted.iter().all(|name| names.contains(*name))
}

#[test]
fn a_command_of_the_user_gets_what_every_agent_gets_and_what_is_named() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let agent = "[agents.mine]\ncommand = [\"sh\", \"-c\", \"env > seen.env\"]\n";
    cx.write("jury.toml", agent);
    let run = || jury(&cx).args(["run", "page.html", "--agent", "mine", "-q"]).output().unwrap();
    assert_eq!(run().status.code(), Some(3));
    let (names, leaked) = seen(&cx, "seen.env");
    assert_eq!(leaked, Vec::<String>::new());
    assert!(has(&names, &["PATH", "HOME", "XDG_CONFIG_HOME", "LC_TIME", "JURY_SESSION"]), "{names:?}");
    assert!(!has(&names, &["MY_COLOUR"]) && !has(&names, &["CARGO_MANIFEST_DIR"]), "{names:?}");

    // A star passes what is harmless, and a secret has to be named.
    cx.write("jury.toml", format!("{agent}pass_env = [\"MY_*\", \"O*\", \"J*\", \"MISTRAL_API_KEY\"]\n"));
    run();
    let (names, leaked) = seen(&cx, "seen.env");
    assert_eq!(leaked, ["MISTRAL_API_KEY=hush-mistral"]);
    assert!(has(&names, &["MY_COLOUR"]), "{names:?}");
    cx.write("jury.toml", format!("{agent}pass_env = [\"*\"]\n"));
    run();
    let (names, leaked) = seen(&cx, "seen.env");
    assert_eq!(leaked, Vec::<String>::new());
    assert!(has(&names, &["MY_COLOUR", "CARGO_MANIFEST_DIR"]), "{names:?}");
}

#[test]
fn names_that_no_agent_gets_or_that_are_none_are_refused() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let told = |agent: &str| {
        cx.write("jury.toml", format!("[agents.mine]\n{agent}\n"));
        let shown = cx.show(cx.jury().args(["run", "page.html", "--agent", "mine"]));
        assert!(shown.starts_with("exit: 2"), "{shown}");
        shown.lines().last().unwrap().to_owned()
    };
    assert_eq!(
        told("command = [\"true\"]\npass_env = [\"JURY_TOKEN\"]"),
        "error: agents.mine in jury.toml: pass_env: JURY_TOKEN belongs to the daemon and is given to no agent; remove it"
    );
    assert_eq!(
        told("command = [\"true\"]\npass_env = [\"A B\"]"),
        "error: agents.mine in jury.toml: pass_env: 'A B' is no name of a variable; write NAME, or PREFIX_* for all that begin so"
    );
    assert_eq!(
        told("vendor = \"ollama\"\npass_env = [\"A\"]"),
        "error: agents.mine in jury.toml: pass_env goes with a command or an adapter: a service gets no environment"
    );
}

#[test]
fn an_agent_program_gets_the_key_of_its_own_vendor_alone() {
    let cx = Context::new();
    cx.write("page.html", GOOD_PAGE);
    let bin = cx.path("bin");
    std::fs::create_dir(&bin).unwrap();
    let file = cx.path("seen.env");
    cx.write("bin/claude", format!("#!/bin/sh\nenv > {}\n", file.display()));
    std::fs::set_permissions(bin.join("claude"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    jury(&cx).env("PATH", path).args(["run", "page.html", "--agent", "claude", "-q"]).output().unwrap();
    let (names, leaked) = seen(&cx, "seen.env");
    // The second is how it reaches its models at another vendor.
    let leaked: BTreeSet<&str> = leaked.iter().map(String::as_str).collect();
    assert_eq!(
        leaked,
        BTreeSet::from(["ANTHROPIC_API_KEY=hush-anthropic", "AWS_SECRET_ACCESS_KEY=hush-aws"])
    );
    assert!(!has(&names, &["MY_COLOUR"]), "{names:?}");
}

#[test]
fn the_check_of_a_criterion_gets_everything_but_secrets() {
    let cx = Context::new();
    cx.write("plan.md", "# Plan\n\nDo it.\n");
    std::fs::create_dir(cx.path("criteria")).unwrap();
    cx.write(
        "criteria/own.toml",
        "name = \"own\"\ntitle = \"Own\"\ncap = 1\n\n[adversarial]\nquestion = \"Is it empty?\"\ncheck = [\"test\", \"-s\", \"{file}\"]\n\n\
         [[criterion]]\nid = \"ENV\"\nquestion = \"What is there?\"\nseverity = \"high\"\ncheck = [\"sh\", \"-c\", \"env > seen.env\"]\n",
    );
    let shown = cx.show(jury(&cx).args(["critic", "run", "plan.md", "--criteria", "own", "--no-fix"]));
    let (names, leaked) = seen(&cx, "seen.env");
    assert_eq!(leaked, Vec::<String>::new(), "{shown}");
    assert!(has(&names, &["PATH", "MY_COLOUR", "JURY_FILE"]), "{names:?}");
}

#[test]
fn a_judge_of_the_user_gets_the_keys_that_are_named_and_no_others() {
    let cx = Context::new();
    let script =
        cx.write("judge.sh", format!("#!/bin/sh\nenv > {}\nexit 1\n", cx.path("seen.env").display()));
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let record = json!({ "bead": "b-1", "prompt": "x", "exit_code": 0, "status": "done", "template": "t" });
    cx.write("run.json", record.to_string());
    let judged = |more: &[(&str, &str)]| {
        let mut command = jury(&cx);
        command.env("JUDGE_ENABLED", "true").env("JUDGE_FORCE", "true").env("JUDGE_SCRIPT", &script);
        cx.show(command.envs(more.iter().copied()).args(["feedback", "collect", "run.json"]));
        seen(&cx, "seen.env")
    };
    let (names, leaked) = judged(&[]);
    assert_eq!(leaked, Vec::<String>::new());
    assert!(has(&names, &["PATH", "MY_COLOUR"]), "{names:?}");
    let (_, leaked) = judged(&[("JUDGE_PASS_ENV", "OPENAI_API_KEY, JURY_TOKEN")]);
    assert_eq!(leaked, ["OPENAI_API_KEY=hush-openai"]);
}
