//! What every program goes through.

use std::collections::BTreeSet;
use std::time::Duration;

use jury_agents::adapter::{Adapter, Call};
use jury_agents::decoder::{Format, SelfReport};
use jury_testkit::fixtures::transcript_shipped;
use jury_testkit::model::{BreakKind, Script, ScriptedAnswer};
use serde_json::json;

use crate::record::{self, is_recording};
use crate::stage::{PATIENCE, Ran, Until, installed, run};

/// How long a program may retry before it is stopped: some would go on for minutes.
const RETRIES: Duration = Duration::from_secs(12);

/// What the model answers. Recordings are kept, so their answer is short.
fn canned() -> &'static str {
    if is_recording() { include_str!("../recorded/answer.txt") } else { transcript_shipped() }
}

/// With time between its pieces, as services give it: codex loses answers whose pieces come back to back.
fn answer() -> ScriptedAnswer {
    ScriptedAnswer::text(canned()).delay_ms(1)
}

/// Prints a line for people, keeps what was printed where that is wanted.
fn note(adapter: &Adapter, case: &str, ran: &Ran) {
    let verdict = match &ran.verdict {
        None => "unfinished".to_owned(),
        Some(SelfReport::Fine) => "fine".to_owned(),
        Some(SelfReport::Failed { status, detail }) => format!("failed {status:?} {detail:?}"),
    };
    eprintln!(
        "REAL {} {case}: {verdict}; exit {:?}; {} bytes of text, {} of stdout, {} calls, {} restarts, statuses {:?}, broken {:?}; {:.1} s, stopped in {:.1} s; {:?}",
        adapter.id,
        ran.exit,
        ran.text.len(),
        ran.stdout.len(),
        ran.calls,
        ran.restarts,
        ran.statuses,
        ran.broken,
        ran.took.as_secs_f64(),
        ran.stopping.as_secs_f64(),
        ran.complaints.chars().take(300).collect::<String>(),
    );
    record::keep(&adapter.id, case, ran);
}

/// A program that prints text alone may print more than the answer: a newline, or a banner.
fn is_whole(adapter: &Adapter, text: &str) -> bool {
    if adapter.decoder == Format::Plain {
        return text.contains(canned().trim_end());
    }
    text == canned()
}

/// Nobody could take this for an answer.
fn check_no_answer(adapter: &Adapter, ran: &Ran) {
    assert!(ran.calls > 0, "{ran:?}");
    assert!(!ran.text.contains("CRITIQUE_RUN"), "{ran:?}");
    if adapter.decoder != Format::Plain {
        assert_eq!(ran.text, "", "{ran:?}");
    }
    // Over ACP some say nothing and that all went well; plain text knows no better.
    if !matches!(adapter.decoder, Format::Plain | Format::Acp) {
        assert_ne!(ran.verdict, Some(SelfReport::Fine), "{ran:?}");
    }
}

pub(crate) async fn success(id: &str) {
    let adapter = installed(id);
    let detected = adapter.detect(std::env::temp_dir().as_path(), PATIENCE).await.unwrap();
    if detected.version.is_some() {
        assert_eq!(detected.version, adapter.tested, "another version than the tested one is installed");
    }
    let ran = run(&adapter, Script::new([answer()]), Until::Over(PATIENCE)).await;
    note(&adapter, "success", &ran);
    assert!(is_whole(&adapter, &ran.text), "{:?}\n{ran:?}", String::from_utf8_lossy(&ran.stdout));
    assert_eq!(ran.verdict, Some(SelfReport::Fine));
    assert_eq!(ran.restarts, 0);
}

pub(crate) async fn refused(id: &str) {
    let adapter = installed(id);
    let ran = run(&adapter, Script::new([ScriptedAnswer::status(401)]), Until::Status(401, PATIENCE)).await;
    note(&adapter, "401", &ran);
    check_no_answer(&adapter, &ran);
}

pub(crate) async fn busy(id: &str) {
    let adapter = installed(id);
    let ran = run(&adapter, Script::new([ScriptedAnswer::status(429)]), Until::Retried(RETRIES)).await;
    note(&adapter, "429", &ran);
    check_no_answer(&adapter, &ran);
}

pub(crate) async fn failing(id: &str) {
    let adapter = installed(id);
    let ran = run(&adapter, Script::new([ScriptedAnswer::status(500)]), Until::Retried(RETRIES)).await;
    note(&adapter, "500", &ran);
    check_no_answer(&adapter, &ran);
}

/// The first answer breaks off, the second would be whole. Some programs ask again and some do not.
pub(crate) async fn broken(id: &str) {
    let adapter = installed(id);
    let script = Script::new([answer().breaks(BreakKind::Close, 6), answer()]);
    let ran = run(&adapter, script, Until::Over(PATIENCE)).await;
    note(&adapter, "broken", &ran);
    if ran.text.contains("</CRITIQUE_RUN>") {
        assert!(
            ran.text.trim_end().ends_with(canned().trim_end()) || is_whole(&adapter, &ran.text),
            "{ran:?}"
        );
    }
}

pub(crate) async fn interrupt(id: &str) {
    let adapter = installed(id);
    let ran = run(&adapter, Script::new([answer().delay_ms(200)]), Until::Asked).await;
    note(&adapter, "interrupt", &ran);
    assert!(!ran.text.contains("</CRITIQUE_RUN>"), "{ran:?}");
    assert!(ran.stopping < PATIENCE, "{ran:?}");
}

pub(crate) async fn silence(id: &str) {
    let adapter = installed(id);
    let script = Script::new([answer().breaks(BreakKind::Stall, 6)]);
    let ran = run(&adapter, script, Until::Silent(Duration::from_secs(4))).await;
    note(&adapter, "silence", &ran);
    assert!(ran.silent, "{ran:?}");
    assert!(!ran.text.contains("</CRITIQUE_RUN>"), "{ran:?}");
}

/// What shells and writers of files are called, and what they take: each is to make this file.
fn tool_calls(file: &str) -> ScriptedAnswer {
    let line = format!("touch {file}");
    let plain = json!({ "command": line, "description": "looks around" });
    let mut answer = ScriptedAnswer::text("");
    for name in ["Bash", "bash", "run_shell_command", "developer__shell", "shell_command", "Shell"] {
        answer = answer.tool(name, plain.clone());
    }
    answer = answer
        .tool("exec_command", json!({ "cmd": line }))
        .tool("run_commands", json!({ "commands": [line] }))
        .tool("shell", json!({ "command": ["bash", "-lc", line] }));
    for (name, place) in [("Write", "file_path"), ("write", "filePath"), ("write_file", "file_path")] {
        answer = answer.tool(name, json!({ place: file, "content": "x" }));
    }
    answer.delay_ms(1)
}

/// A model that asks for a shell gets none, whatever it calls it, and is offered none.
pub(crate) async fn tools(id: &str) {
    let adapter = installed(id);
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made-by-a-tool");
    if adapter.unlocked(true).is_some() {
        // The reason is in its file; a call without the user's leave is none.
        let call = Call {
            prompt: "Are you there?",
            system: None,
            model: None,
            endpoint: None,
            work_dir: None,
            pass_env: &[],
            allow_tools: false,
            scratch: dir.path(),
        };
        assert_eq!(adapter.invocation(&call).unwrap_err().kind(), "unlocked");
        return;
    }
    let script = Script::new([tool_calls(&made.display().to_string()), answer()]);
    let ran = run(&adapter, script, Until::Over(PATIENCE)).await;
    note(&adapter, "tools", &ran);
    eprintln!("REAL {} offered {:?}, says it called {:?}", adapter.id, ran.offered, ran.tools);
    assert!(ran.calls > 0, "the model was never asked: {ran:?}");
    assert!(!made.exists(), "a tool was carried out: {ran:?}");
    let harmless: BTreeSet<String> = HARMLESS.map(str::to_owned).into();
    assert_eq!(ran.offered.difference(&harmless).collect::<Vec<_>>(), Vec::<&String>::new(), "{ran:?}");
}

/// A question to a user who is not there: codex cannot leave it out.
const HARMLESS: [&str; 1] = ["request_user_input"];
