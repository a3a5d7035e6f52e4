//! One real program on one scripted service: everything that can be seen of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jury_agents::adapter::{Adapter, Adapters, Api, Call, Endpoint};
use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, SelfReport};
use jury_agents::{AnswerPiece, Session, SessionLimits};
use jury_core::event::AgentNoteKind;
use jury_core::process::Exit;
use jury_testkit::model::{ModelServer, Script};
use jury_testkit::process::is_alive;
use tempfile::TempDir;

/// Unlike any text: one program replaces its key wherever the same letters stand.
pub(crate) const KEY: &str = "zq7-xw3-vv9-0451";

/// A program can take this long to start on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// What programs ask a model beside what they are asked: a title, what to remember.
const SIDE_CALLS: [&str; 4] = [
    "Write the title in the predominant language",
    "Generate a short title",
    "You are a title generator",
    "managed memory extraction subagent",
];

/// When the program is told to stop, beside when it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// Not before its end, or this long.
    Over(Duration),
    /// As soon as it reports this status, or after this long.
    Status(u16, Duration),
    /// This long after the service was asked for the first time.
    Retried(Duration),
    /// As soon as the service was asked.
    Asked,
    /// As soon as it has been silent for this long.
    Silent(Duration),
}

/// How it went.
#[derive(Debug)]
pub(crate) struct Ran {
    /// What was decoded since the last restart.
    pub(crate) text: String,
    pub(crate) restarts: usize,
    /// The statuses of the service that it reported.
    pub(crate) statuses: Vec<u16>,
    pub(crate) verdict: Option<SelfReport>,
    pub(crate) exit: Option<Exit>,
    pub(crate) silent: bool,
    pub(crate) broken: Option<String>,
    pub(crate) complaints: String,
    pub(crate) stdout: Vec<u8>,
    /// How often it was asked with the prompt of this run.
    pub(crate) calls: usize,
    /// The tools that the model was offered.
    pub(crate) offered: BTreeSet<String>,
    /// The tools that the agent says it calls.
    pub(crate) tools: Vec<String>,
    /// From the start to the end, and from the wish to stop it to the end.
    pub(crate) took: Duration,
    pub(crate) stopping: Duration,
    /// What identifies this run in what it printed.
    pub(crate) folder: PathBuf,
    pub(crate) url: String,
}

/// The adapter, at the program that was installed for the tests.
pub(crate) fn installed(id: &str) -> Adapter {
    let mut adapter = Adapters::built_in().unwrap().get(id).unwrap().clone();
    let program = home().join("bin").join(&adapter.detect.command);
    assert!(program.exists(), "{} is not installed; run: scripts/agents install", adapter.detect.command);
    adapter.detect.command = program.display().to_string();
    adapter
}

/// Where the programs are.
pub(crate) fn home() -> PathBuf {
    let default = || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache/jury-agents");
    std::env::var_os("JURY_AGENTS_DIR").map_or_else(default, PathBuf::from)
}

/// Runs the program on this script.
pub(crate) async fn run(adapter: &Adapter, script: Script, until: Until) -> Ran {
    let scratch = tempfile::tempdir().unwrap();
    // Nobody else knows this word: a request that holds it comes from a program that was given the prompt. The folder
    // has the same random name, but no path of it is part of a prompt.
    let nonce = format!("nonce{}", scratch.path().file_name().unwrap().to_string_lossy().replace('.', "-"));
    let script = SIDE_CALLS.into_iter().fold(script, Script::skip).only(&nonce);
    let server = ModelServer::start(script).unwrap();
    let base_url = match adapter.endpoint.as_ref().unwrap().api {
        Api::Anthropic | Api::Gemini => server.url(),
        Api::Openai | Api::Responses => format!("{}/v1", server.url()),
    };
    let endpoint = Endpoint { base_url, key: KEY.to_owned() };
    let prompt = format!("Review this page, {nonce}, as a jury. Answer with a CRITIQUE_RUN transcript.");
    let call = Call {
        prompt: &prompt,
        system: None,
        model: None,
        endpoint: Some(&endpoint),
        work_dir: None,
        pass_env: &[],
        // What cannot be locked is tried as a user calls it who allows its tools.
        allow_tools: adapter.unlocked(true).is_some(),
        scratch: scratch.path(),
    };
    let invocation = adapter.invocation(&call).unwrap();
    let folder = invocation.folder.as_ref().unwrap().path().to_owned();
    let work_dir = invocation.dir.as_ref().unwrap().display().to_string();
    let limits = SessionLimits {
        silence: match until {
            Until::Silent(silence) => Some(silence),
            Until::Over(_) | Until::Status(..) | Until::Retried(_) | Until::Asked => None,
        },
        ..SessionLimits::default()
    };
    let started = Instant::now();
    // As a run takes it: the dialogue says what the call holds, and nothing else.
    let said = String::from_utf8(invocation.prompt.clone()).unwrap();
    let mut session = Session::start(invocation, scratch.path(), limits).unwrap();
    let mut listener = Listener::new(adapter, &said, &work_dir, &session);
    let deadline = match until {
        Until::Over(patience) | Until::Status(_, patience) => patience,
        Until::Retried(_) | Until::Asked | Until::Silent(_) => PATIENCE,
    };
    let listening = async {
        let mut asked_at = None;
        loop {
            asked_at = asked_at.or_else(|| Some(Instant::now()).filter(|_| !server.calls().is_empty()));
            let enough = asked_at.is_some_and(|moment| match until {
                Until::Asked => true,
                Until::Retried(patience) => moment.elapsed() > patience,
                Until::Over(_) | Until::Status(..) | Until::Silent(_) => false,
            });
            let next = tokio::time::timeout(Duration::from_millis(50), session.next());
            match next.await {
                Err(_) if enough => break,
                Err(_) => continue,
                Ok(piece) => match piece.unwrap() {
                    AnswerPiece::Bytes(bytes) => {
                        let bytes = bytes.to_owned();
                        listener.hear(&bytes, &session);
                    }
                    AnswerPiece::Silent if server.calls().is_empty() => continue,
                    AnswerPiece::Silent => {
                        listener.ran.silent = true;
                        break;
                    }
                    AnswerPiece::Oversize => panic!("oversize"),
                    AnswerPiece::End(exit) => {
                        listener.ran.exit = Some(exit);
                        break;
                    }
                },
            }
            if listener.is_over() {
                session.hang_up();
            }
            let refused = |status| listener.ran.statuses.contains(&status);
            if matches!(until, Until::Status(status, _) if refused(status)) || listener.ran.broken.is_some() {
                break;
            }
        }
    };
    tokio::time::timeout(deadline, listening).await.ok();
    let stopping = Instant::now();
    session.stop().await;
    let mut ran = listener.finish();
    ran.complaints = session.complaints();
    ran.took = started.elapsed();
    ran.stopping = stopping.elapsed();
    let asked: Vec<_> = server.calls().into_iter().filter(|call| call.scripted).collect();
    ran.calls = asked.len();
    ran.offered = asked.iter().flat_map(|call| offered(&call.body)).collect();
    ran.folder = folder;
    ran.url = server.url();
    drop(session);
    check_nothing_is_left(&scratch, &ran.folder);
    ran
}

/// The names of the tools that a request offers, in the words of any of the services.
fn offered(body: &serde_json::Value) -> Vec<String> {
    let name = |tool: &serde_json::Value| {
        let own = tool["name"].as_str().or(tool["function"]["name"].as_str()).or(tool["type"].as_str());
        own.unwrap_or("?").to_owned()
    };
    let tools = body["tools"].as_array().into_iter().flatten();
    tools
        .flat_map(|tool| match tool["functionDeclarations"].as_array() {
            Some(functions) => functions.iter().map(name).collect(),
            None => vec![name(tool)],
        })
        .collect()
}

/// No process that had the run's home, and nothing of its folder.
fn check_nothing_is_left(scratch: &TempDir, folder: &Path) {
    let name = folder.display().to_string();
    let left = || -> Vec<String> {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .map(|process| process.path())
            .filter(|path| {
                let environment = std::fs::read(path.join("environ")).unwrap_or_default();
                String::from_utf8_lossy(&environment).contains(&name)
                    && path.file_name().is_some_and(|pid| is_alive(&pid.to_string_lossy()))
            })
            .map(|path| std::fs::read_to_string(path.join("cmdline")).unwrap_or_default().replace('\0', " "))
            .collect()
    };
    // KILL is delivered at once; the kernel may need a moment to take the last one down.
    let deadline = Instant::now() + PATIENCE;
    while !left().is_empty() && Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert_eq!(left(), Vec::<String>::new(), "processes are left");
    let files: Vec<PathBuf> =
        std::fs::read_dir(scratch.path()).unwrap().flatten().map(|entry| entry.path()).collect();
    assert_eq!(files, Vec::<PathBuf>::new(), "files are left");
}

/// Decodes, replies, and keeps what matters.
struct Listener {
    decoder: Decoder,
    ran: Ran,
}

impl Listener {
    fn new(adapter: &Adapter, prompt: &str, work_dir: &str, session: &Session) -> Self {
        let ran = Ran {
            text: String::new(),
            restarts: 0,
            statuses: Vec::new(),
            verdict: None,
            exit: None,
            silent: false,
            broken: None,
            complaints: String::new(),
            stdout: Vec::new(),
            calls: 0,
            offered: BTreeSet::new(),
            tools: Vec::new(),
            took: Duration::ZERO,
            stopping: Duration::ZERO,
            folder: PathBuf::new(),
            url: String::new(),
        };
        let mut decoder = Decoder::new(adapter.decoder, DecodeLimits::default());
        let mut replies = Vec::new();
        decoder.start(prompt, work_dir, &mut |decoded| {
            if let Decoded::Reply(bytes) = decoded {
                replies.extend_from_slice(bytes);
            }
        });
        session.reply(&replies).unwrap();
        Self { decoder, ran }
    }

    fn hear(&mut self, bytes: &[u8], session: &Session) {
        self.ran.stdout.extend_from_slice(bytes);
        let (ran, mut replies) = (&mut self.ran, Vec::new());
        let result = self.decoder.feed(bytes, &mut |decoded| ran.take(decoded, &mut replies));
        ran.broken = result.err().map(|error| error.to_string());
        if !replies.is_empty() {
            session.reply(&replies).unwrap();
        }
    }

    fn is_over(&self) -> bool {
        self.ran.verdict.is_some()
    }

    fn finish(mut self) -> Ran {
        let ran = &mut self.ran;
        let result = self.decoder.finish(&mut |decoded| ran.take(decoded, &mut Vec::new()));
        ran.broken = ran.broken.take().or(result.err().map(|error| error.to_string()));
        self.ran
    }
}

impl Ran {
    fn take(&mut self, decoded: Decoded<'_>, replies: &mut Vec<u8>) {
        match decoded {
            Decoded::Text(text) => self.text.push_str(text),
            Decoded::Restart => {
                self.text.clear();
                self.restarts += 1;
            }
            Decoded::Note(note) => {
                self.statuses.extend(note.status);
                self.tools.extend(Some(note.detail).filter(|_| note.kind == AgentNoteKind::Tool));
            }
            Decoded::Reply(bytes) => replies.extend_from_slice(bytes),
            Decoded::Over(verdict) => {
                if let SelfReport::Failed { status, .. } = &verdict {
                    self.statuses.extend(status);
                }
                self.verdict = Some(verdict);
            }
        }
    }
}
