//! Whole juries on the real agent programs, as a user runs them: `jury run page.html --agent …`.
//!
//! A scripted model's service on a loopback socket plays the model. `scripts/agents install` puts the programs
//! where these tests look; one that is not there is a failure, never a test less.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod local_model;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use jury_agents::adapter::{Adapters, Api};
use jury_testkit::fixtures::Fixture;
use jury_testkit::model::{BreakKind, ModelServer, Script, ScriptedAnswer};
use tempfile::TempDir;

/// Unlike any text: one of the programs blanks its key out wherever it prints it.
const KEY: &str = "zq7-xw3-vv9-0451";

/// Requests beside the answer that some programs make.
const SIDE_CALLS: [&str; 4] = [
    "Write the title in the predominant language",
    "Generate a short title",
    "You are a title generator",
    "managed memory extraction subagent",
];

/// A folder with a page, and a `jury.toml` that points the program at a service.
struct Stage {
    dir: TempDir,
    server: ModelServer,
}

impl Stage {
    fn new(adapter: &str, answers: Vec<ScriptedAnswer>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        // Only who was given the page has read this: the model plays the jury for nobody else.
        let nonce = format!("nonce{}", dir.path().file_name().unwrap().to_string_lossy().replace('.', "-"));
        let script = SIDE_CALLS.into_iter().fold(Script::new(answers), Script::skip).only(&nonce);
        let server = ModelServer::start(script).unwrap();
        let adapters = Adapters::built_in().unwrap();
        let known = adapters.get(adapter).unwrap();
        let allow = if known.unlocked(true).is_some() { "allow_tools = true\n" } else { "" };
        let base_url = match known.endpoint.as_ref().unwrap().api {
            Api::Anthropic | Api::Gemini => server.url(),
            Api::Openai | Api::Responses => format!("{}/v1", server.url()),
        };
        std::fs::write(
            dir.path().join("jury.toml"),
            format!("[agents.real]\nadapter = \"{adapter}\"\nbase_url = \"{base_url}\"\nkey_variable = \"JURY_TEST_KEY\"\n{allow}"),
        )
        .unwrap();
        // The page that the scripted answers improve: another one in its place would be held back.
        let page = format!(
            "<!doctype html><html lang=\"en\"><title>Snow &amp; Sons</title><body><!-- {nonce} --><h1>Shovels that \
             last</h1><p>Steel, ash, forty winters.</p><a href=\"/shop\">See the shovels</a></body></html>"
        );
        std::fs::write(dir.path().join("page.html"), page).unwrap();
        Self { dir, server }
    }

    fn jury(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
        let path = std::env::join_paths(
            std::iter::once(programs()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        )
        .unwrap();
        command.current_dir(self.dir.path()).env("PATH", path).env("JURY_TEST_KEY", KEY).stdin(Stdio::null());
        command.env("OD_CRITIQUE_ROUND_TIMEOUT_MS", "120000").env("OD_CRITIQUE_TOTAL_TIMEOUT_MS", "180000");
        command.args(["run", "page.html", "--agent", "real", "--format", "json"]);
        command
    }

    /// A program that never asked the service proves nothing, however its run ended.
    fn assert_asked(&self, document: &serde_json::Value) {
        assert!(!self.server.calls().is_empty(), "the service was never asked: {document:#}");
    }

    /// Runs to the end: the exit code and the document. The program has asked the service by then.
    fn run(&self) -> (Option<i32>, serde_json::Value) {
        let (code, document) = output(self.jury());
        self.assert_asked(&document);
        (code, document)
    }

    /// Runs until time runs out. How long a program needs to start and ask depends on the machine: where the bound was
    /// too short for that, it was no test, and there is another one with more time.
    fn run_out_of_time(&self) -> (Option<i32>, serde_json::Value) {
        let mut last = None;
        for bound in ["20000", "60000", "180000"] {
            let mut command = self.jury();
            command.env("OD_CRITIQUE_TOTAL_TIMEOUT_MS", bound);
            let (code, document) = output(command);
            if !self.server.calls().is_empty() {
                return (code, document);
            }
            last = Some(document);
        }
        panic!("the service was never asked: {last:#?}");
    }
}

/// Lets a command run to its end: the exit code and the document.
fn output(mut command: Command) -> (Option<i32>, serde_json::Value) {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!stderr.contains(KEY) && !stdout.contains(KEY), "the key was printed");
    let document = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"));
    (output.status.code(), document)
}

/// Where `scripts/agents` puts the programs.
fn programs() -> PathBuf {
    let home = std::env::var_os("JURY_AGENTS_DIR").map(PathBuf::from);
    home.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache/jury-agents"))
        .join("bin")
}

/// An answer as services give it: piece by piece, with time in between. One whose pieces come back to back makes
/// codex lose it, now and then, with exit code 0; jury calls that a failure, and it is no test of the answer.
fn streamed(fixture: Fixture) -> ScriptedAnswer {
    ScriptedAnswer::fixture(fixture).chunk(48).delay_ms(1)
}

fn shipped(adapter: &str) {
    let stage = Stage::new(adapter, vec![streamed(Fixture::Shipped)]);
    let (code, document) = stage.run();
    assert_eq!((code, &document["status"]), (Some(0), &"shipped".into()), "{document:#}");
    let artifact = document["artifact"].as_str().unwrap();
    assert!(std::fs::metadata(stage.dir.path().join(artifact)).unwrap().len() > 0);
}

fn below(adapter: &str) {
    let (code, document) = Stage::new(adapter, vec![streamed(Fixture::Below)]).run();
    assert_eq!((code, &document["status"]), (Some(1), &"below_threshold".into()), "{document:#}");
}

fn malformed(adapter: &str) {
    let (code, document) = Stage::new(adapter, vec![streamed(Fixture::Malformed)]).run();
    assert_eq!((code, &document["status"]), (Some(3), &"degraded".into()), "{document:#}");
}

/// A service that does not answer is never a pass, whatever the program makes of it.
fn refused(adapter: &str) {
    for status in [401, 429, 500] {
        let stage = Stage::new(adapter, vec![ScriptedAnswer::status(status)]);
        // Some programs try again for minutes; the bound on the run ends that too.
        let (code, document) = stage.run_out_of_time();
        assert_eq!(code, Some(3), "{status}: {document:#}");
    }
}

/// An answer that stops in the middle and never goes on.
fn hung() -> Vec<ScriptedAnswer> {
    vec![streamed(Fixture::Shipped).breaks(BreakKind::Close, 12).held()]
}

fn timed_out(adapter: &str) {
    let stage = Stage::new(adapter, hung());
    let (code, document) = stage.run_out_of_time();
    assert_eq!((code, &document["status"]), (Some(3), &"timed_out".into()), "{document:#}");
}

fn interrupted(adapter: &str) {
    let stage = Stage::new(adapter, hung());
    let child = stage.jury().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // In the middle of the answer, not before it.
    assert!(stage.server.wait_for_requests(1, Duration::from_mins(1)), "the service was never asked");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["status"], "interrupted");
}

/// One module of tests per program: each goes through the same.
macro_rules! juries {
    ($($module:ident = $adapter:literal),* $(,)?) => {$(
        mod $module {
            #[test]
            fn a_good_answer_ships() {
                super::shipped($adapter);
            }

            #[test]
            fn a_poor_answer_is_below_the_bar() {
                super::below($adapter);
            }

            #[test]
            fn a_malformed_answer_is_no_review() {
                super::malformed($adapter);
            }

            #[test]
            fn a_service_that_refuses_is_no_review() {
                super::refused($adapter);
            }

            #[test]
            fn an_answer_that_hangs_runs_out_of_time() {
                super::timed_out($adapter);
            }

            #[test]
            fn an_interrupt_ends_it() {
                super::interrupted($adapter);
            }
        }
    )*};
}

juries! {
    aider = "aider",
    claude = "claude",
    claude_acp = "claude-acp",
    cline = "cline",
    cn = "cn",
    codex = "codex",
    codex_acp = "codex-acp",
    codex_app_server = "codex-app-server",
    copilot = "copilot",
    copilot_acp = "copilot-acp",
    gemini = "gemini",
    gemini_acp = "gemini-acp",
    goose = "goose",
    goose_acp = "goose-acp",
    kimi = "kimi",
    kimi_acp = "kimi-acp",
    llm = "llm",
    opencode = "opencode",
    opencode_acp = "opencode-acp",
    pi = "pi",
    qwen = "qwen",
    qwen_acp = "qwen-acp",
    vibe = "vibe",
}
