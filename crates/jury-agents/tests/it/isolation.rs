//! What stands between an agent and everything else: its environment, its stdin, its silence, its children.

use std::path::Path;
use std::time::{Duration, Instant};

use jury_agents::{ARGUMENT_LIMIT, AgentError, AnswerPiece, Inherit, Invocation, Session, SessionLimits};
use jury_core::process::Exit;
use jury_testkit::process::is_alive;

use crate::children::{answer, limits, shell, start};

/// The first line that it prints.
async fn line(session: &mut Session) -> String {
    let mut all = Vec::new();
    while !all.contains(&b'\n') {
        match session.next().await.unwrap() {
            AnswerPiece::Bytes(bytes) => all.extend_from_slice(bytes),
            other @ (AnswerPiece::Oversize | AnswerPiece::Silent | AnswerPiece::End(_)) => {
                panic!("{other:?} after {all:?}")
            }
        }
    }
    String::from_utf8(all).unwrap().lines().next().unwrap().to_owned()
}

/// KILL is delivered at once; the kernel may need a moment to take the last one down.
fn wait_until_gone(pid: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while is_alive(pid) {
        assert!(Instant::now() < deadline, "{pid} is left");
        std::thread::yield_now();
    }
}

fn quiet(milliseconds: u64) -> SessionLimits {
    SessionLimits { silence: Some(Duration::from_millis(milliseconds)), ..limits() }
}

#[tokio::test]
async fn environment_is_what_is_safe_and_what_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut invocation = Invocation::new("env");
    invocation.inherit = Inherit::agent(&["CARGO_PKG_N*"]);
    invocation.env = vec![("SET_HERE".into(), "yes".into())];
    let (all, _) = answer(&mut start(invocation, dir.path())).await;
    let text = String::from_utf8(all).unwrap();
    let mut names: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    names.sort_unstable();
    for expected in ["CARGO_PKG_NAME", "JURY_SESSION", "PATH", "SET_HERE"] {
        assert!(names.contains(&expected), "{expected} of {names:?}");
    }
    let known = Inherit::agent(&["CARGO_PKG_N*"]);
    let strangers: Vec<&&str> = names
        .iter()
        .filter(|name| {
            !known.passes(std::ffi::OsStr::new(name)) && !["SET_HERE", "JURY_SESSION"].contains(name)
        })
        .collect();
    assert!(strangers.is_empty(), "{strangers:?}");
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some() && !names.contains(&"CARGO_MANIFEST_DIR"));
}

#[test]
fn names_are_passed_whole_or_by_their_beginning() {
    let inherit = Inherit::agent(&["AWS_*", "KEY"]);
    let passed: Vec<&str> = ["LC_ALL", "PATH", "AWS_REGION", "KEY", "KEYS", "MY_AWS_KEY", "OPENAI_API_KEY"]
        .into_iter()
        .filter(|name| inherit.passes(std::ffi::OsStr::new(name)))
        .collect();
    assert_eq!(passed, ["LC_ALL", "PATH", "AWS_REGION", "KEY"]);
}

/// The names of these that pass.
fn passed<'a>(inherit: &Inherit, names: &[&'a str]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| inherit.passes(std::ffi::OsStr::new(name))).collect()
}

/// Secrets of vendors, under the names that they have.
const KEYS: [&str; 9] = [
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GH_TOKEN",
    "my_secret",
];

/// What belongs to the daemon.
const OURS: [&str; 4] =
    ["JURY_TOKEN", "JURY_REDIS_URL", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];

#[test]
fn star_of_the_user_passes_no_secret_and_a_name_does() {
    let with = |added: &[&str]| Inherit::Agent {
        own: Vec::new(),
        added: added.iter().map(|name| (*name).to_owned()).collect(),
    };
    let all: Vec<&str> = KEYS.iter().chain(&OURS).copied().chain(["MY_COLOUR", "OPENAI_BASE_URL"]).collect();
    assert_eq!(passed(&with(&["*"]), &all), ["MY_COLOUR", "OPENAI_BASE_URL"]);
    assert_eq!(passed(&with(&["OPENAI_*", "J*", "O*"]), &all), ["OPENAI_BASE_URL"]);
    assert_eq!(passed(&with(&["OPENAI_API_KEY", "MY_*"]), &all), ["OPENAI_API_KEY", "MY_COLOUR"]);
}

#[test]
fn secrets_of_the_daemon_pass_to_none_however_they_are_named() {
    let named: Vec<String> = OURS.iter().map(|name| (*name).to_owned()).collect();
    for inherit in [
        Inherit::agent(&OURS),
        Inherit::agent(&["JURY_*", "OTEL_*", "*"]),
        Inherit::Agent { own: Vec::new(), added: named.clone() },
        Inherit::Users { named, without: Vec::new() },
        Inherit::users(),
    ] {
        assert_eq!(passed(&inherit, &OURS), Vec::<&str>::new(), "{inherit:?}");
    }
}

#[test]
fn program_of_the_user_gets_everything_but_secrets() {
    let names =
        ["PATH", "PYTHONPATH", "MY_COLOUR", "SSH_AUTH_SOCK", "KEYBOARD", "MONKEY", "TOKENIZERS_PARALLELISM"];
    assert_eq!(passed(&Inherit::users(), &names), names);
    assert_eq!(passed(&Inherit::users(), &KEYS), Vec::<&str>::new());
    let named = Inherit::Users { named: vec!["GH_TOKEN".to_owned()], without: vec!["PATH".into()] };
    assert_eq!(passed(&named, &["GH_TOKEN", "NPM_TOKEN", "PATH"]), ["GH_TOKEN"]);
}

#[test]
fn adapter_gets_the_keys_that_it_names_and_no_others() {
    let scratch = tempfile::tempdir().unwrap();
    let adapters = jury_agents::adapter::Adapters::built_in().unwrap();
    let inherit = |id: &str| {
        let call = jury_agents::adapter::Call {
            prompt: "x",
            system: None,
            model: Some("m"),
            endpoint: None,
            work_dir: None,
            pass_env: &[],
            allow_tools: true,
            scratch: scratch.path(),
        };
        adapters.get(id).unwrap().invocation(&call).unwrap().inherit
    };
    let keys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "JURY_TOKEN"];
    assert_eq!(passed(&inherit("claude"), &keys), ["ANTHROPIC_API_KEY"]);
    assert_eq!(passed(&inherit("codex"), &keys), ["OPENAI_API_KEY"]);
    assert_eq!(passed(&inherit("gemini"), &keys), ["GEMINI_API_KEY"]);
    assert_eq!(passed(&inherit("vibe"), &keys), ["MISTRAL_API_KEY"]);
    assert_eq!(passed(&inherit("command"), &keys), Vec::<&str>::new());
    for adapter in adapters.iter() {
        assert!(passed(&inherit(&adapter.id), &OURS).is_empty(), "{}", adapter.id);
    }
}

#[tokio::test]
async fn dialogue_goes_back_and_forth_and_ends_when_it_is_hung_up() {
    let dir = tempfile::tempdir().unwrap();
    let mut invocation = shell("while read word; do echo \"heard $word\"; done; echo end");
    invocation.dialogue = true;
    // The prompt of a dialogue is said by its decoder: as it is, it is no line of the protocol.
    let mut session = start(invocation.prompt("raw\n"), dir.path());
    session.reply(b"one\n").unwrap();
    assert_eq!(line(&mut session).await, "heard one");
    session.reply(b"two\n").unwrap();
    assert_eq!(line(&mut session).await, "heard two");
    session.reply(b"three\n").unwrap();
    session.hang_up();
    assert_eq!(answer(&mut session).await, (b"heard three\nend\n".to_vec(), Exit::Code(0)));
    // Who has gone hears nothing, and that is no error.
    session.reply(b"four\n").unwrap();
}

#[tokio::test]
async fn process_that_is_hung_up_on_and_lingers_is_ended() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("echo all; sleep 1000"), dir.path());
    assert_eq!(line(&mut session).await, "all");
    session.hang_up();
    assert_eq!(answer(&mut session).await, (Vec::new(), Exit::Signal(9)));
}

#[tokio::test]
async fn process_that_never_reads_its_dialogue_is_called_deaf() {
    let dir = tempfile::tempdir().unwrap();
    let mut invocation = shell("sleep 1000");
    invocation.dialogue = true;
    let mut session = start(invocation, dir.path());
    let much = vec![b'x'; 1 << 20];
    let mut said = 0;
    let error = loop {
        match session.reply(&much) {
            Ok(()) => said += 1,
            Err(error) => break error,
        }
        assert!(said < 100, "nothing bounds what waits");
    };
    assert!(matches!(error, AgentError::Deaf), "{error}");
    session.stop().await;
}

#[tokio::test]
async fn silence_is_remarked_on_and_again_after_as_long() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::start(shell("echo a; sleep 1000"), dir.path(), quiet(100)).unwrap();
    assert_eq!(line(&mut session).await, "a");
    for _ in 0..2 {
        let asked = Instant::now();
        assert!(matches!(session.next().await.unwrap(), AnswerPiece::Silent));
        assert!(asked.elapsed() > Duration::from_millis(50), "{:?}", asked.elapsed());
    }
    session.stop().await;
}

#[tokio::test]
async fn complaints_alone_are_a_sign_of_life() {
    let dir = tempfile::tempdir().unwrap();
    let script = "for i in 1 2 3 4 5 6 7 8; do sleep 0.25; echo busy >&2; done; echo done";
    let mut session = Session::start(shell(script), dir.path(), quiet(1500)).unwrap();
    assert_eq!(answer(&mut session).await, (b"done\n".to_vec(), Exit::Code(0)));
}

#[tokio::test]
async fn process_that_only_complains_has_an_empty_answer() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(shell("echo 'no login' >&2; exit 1"), dir.path());
    assert_eq!(answer(&mut session).await, (Vec::new(), Exit::Code(1)));
    assert_eq!(session.complaints(), "no login");
}

/// A child that left the group, closed its pipes and does not mind TERM: a daemon.
fn daemon(dir: &Path) -> Invocation {
    let pid = dir.join("pid");
    let script = format!(
        "setsid sh -c 'trap \"\" TERM HUP INT; echo $$ > {0}.new; mv {0}.new {0}; while :; do sleep 1; done' \
         >/dev/null 2>&1 </dev/null & until [ -e {0} ]; do sleep 0.01; done; cat {0}",
        pid.display()
    );
    shell(&script)
}

#[tokio::test]
async fn daemon_is_ended_when_its_session_is_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = start(daemon(dir.path()), dir.path());
    let (all, exit) = answer(&mut session).await;
    let pid = String::from_utf8(all).unwrap();
    assert_eq!(exit, Exit::Code(0));
    assert!(is_alive(&pid), "{pid}");
    drop(session);
    wait_until_gone(&pid);
}

#[tokio::test]
async fn daemon_is_ended_when_its_session_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let mut invocation = daemon(dir.path());
    invocation.args[1].push("; sleep 1000");
    let mut session = start(invocation, dir.path());
    let pid = line(&mut session).await;
    session.stop().await;
    wait_until_gone(&pid);
}

#[tokio::test]
async fn argument_that_the_system_would_not_take_is_refused_before_anything_starts() {
    let dir = tempfile::tempdir().unwrap();
    let fits = Invocation::new("true").arg("x".repeat(ARGUMENT_LIMIT));
    assert_eq!(answer(&mut start(fits, dir.path())).await.1, Exit::Code(0));
    let long = Invocation::new("true").arg("a").arg("x".repeat(ARGUMENT_LIMIT + 1));
    let error = Session::start(long, dir.path(), limits()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 2 of 'true' has 131072 bytes, more than the 131071 that the system allows; shorten the \
         prompt, or use an agent that reads it from its stdin or a file"
    );
}

#[test]
fn invocation_does_not_show_its_secrets() {
    let mut invocation = Invocation::new("agent").arg("--key=hush").prompt("hush");
    invocation.env = vec![("KEY".into(), "hush".into())];
    let shown = format!("{invocation:?}");
    assert!(shown.contains("KEY") && !shown.contains("hush"), "{shown}");
}

#[tokio::test]
async fn folder_that_is_not_there_is_told_from_a_program_that_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut invocation = Invocation::new("true");
    invocation.dir = Some("/nonexistent/folder".into());
    let error = Session::start(invocation, dir.path(), limits()).unwrap_err();
    assert_eq!(error.to_string(), "cannot start 'true': its folder /nonexistent/folder does not exist");
}
