//! Adapters: the files that come with the program, those of a user, and the calls that they make.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use jury_agents::adapter::{Adapter, Adapters, By, Call, Endpoint};
use jury_agents::decoder::Format;
use jury_agents::{Inherit, Session};

use crate::children::{answer, limits};

fn built_in() -> Adapters {
    Adapters::built_in().unwrap()
}

fn endpoint() -> Endpoint {
    Endpoint { base_url: "http://127.0.0.1:9/v1/".to_owned(), key: "k\"ey".to_owned() }
}

fn call<'a>(endpoint: Option<&'a Endpoint>, scratch: &'a Path) -> Call<'a> {
    Call {
        prompt: "What now?",
        system: None,
        model: Some("m-1"),
        endpoint,
        work_dir: None,
        pass_env: &[],
        // These tests are about the call; the lock has tests of its own below.
        allow_tools: true,
        scratch,
    }
}

/// The adapters of a folder with these files.
fn with_files(files: &[(&str, &str)]) -> Result<Adapters, String> {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let place = format!("{}/", dir.path().display());
    Adapters::load(&[dir.path().to_owned()]).map_err(|error| error.to_string().replace(&place, ""))
}

fn args(adapter: &Adapter, call: &Call<'_>) -> Vec<String> {
    let invocation = adapter.invocation(call).unwrap();
    invocation.args.into_iter().map(|arg| arg.into_string().unwrap()).collect()
}

#[test]
fn every_file_of_the_folder_is_a_part_of_the_program() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters");
    let files: BTreeSet<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let known: BTreeSet<String> = built_in().iter().map(|adapter| adapter.id.clone()).collect();
    assert_eq!(files, known);
}

#[test]
fn every_adapter_makes_a_call_with_and_without_an_endpoint() {
    let scratch = tempfile::tempdir().unwrap();
    let endpoint = endpoint();
    for adapter in built_in().iter() {
        let own = adapter.invocation(&call(None, scratch.path())).unwrap();
        assert_eq!(own.dialogue, adapter.prompt.by == By::Dialogue, "{}", adapter.id);
        if adapter.endpoint.is_none() {
            assert!(["command", "cursor-agent"].contains(&adapter.id.as_str()), "{}", adapter.id);
            continue;
        }
        let other = adapter.invocation(&call(Some(&endpoint), scratch.path())).unwrap();
        assert_eq!(other.inherit, Inherit::agent(&[]), "{}: keys would be shown around", adapter.id);
        let folder = other.folder.as_ref().unwrap().path();
        let home = other.env.iter().rfind(|(name, _)| name == "HOME").unwrap();
        assert_eq!(Path::new(&home.1), folder.join("home"), "{}", adapter.id);
        // Without a model the adapter's own choice fills every file.
        adapter.invocation(&Call { model: None, ..call(Some(&endpoint), scratch.path()) }).unwrap();
    }
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0, "folders are left");
}

#[test]
fn no_key_is_on_a_command_line() {
    let scratch = tempfile::tempdir().unwrap();
    let endpoint = Endpoint { base_url: "http://127.0.0.1:9/v1".to_owned(), key: "hush-key".to_owned() };
    for adapter in built_in().iter().filter(|adapter| adapter.endpoint.is_some()) {
        for word in args(adapter, &call(Some(&endpoint), scratch.path())) {
            assert!(!word.contains("hush-key"), "{}: {word}", adapter.id);
        }
    }
}

#[test]
fn every_settings_file_is_valid_whatever_the_key() {
    let scratch = tempfile::tempdir().unwrap();
    let endpoint = endpoint();
    for adapter in built_in().iter().filter(|adapter| adapter.endpoint.is_some()) {
        let invocation = adapter.invocation(&call(Some(&endpoint), scratch.path())).unwrap();
        let home = invocation.folder.as_ref().unwrap().path().join("home");
        for file in &adapter.endpoint.as_ref().unwrap().files {
            let path = home.join(&file.path);
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
            match path.extension().unwrap().to_str().unwrap() {
                "json" => drop(serde_json::from_str::<serde_json::Value>(&text).unwrap()),
                "toml" => drop(toml::from_str::<toml::Table>(&text).unwrap()),
                "yaml" => assert!(!text.contains('{'), "{text}"),
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn call_of_claude_is_what_its_file_says() {
    let scratch = tempfile::tempdir().unwrap();
    let adapters = built_in();
    let endpoint = Endpoint { base_url: "http://127.0.0.1:9/".to_owned(), key: "k".to_owned() };
    let invocation =
        adapters.get("claude").unwrap().invocation(&call(Some(&endpoint), scratch.path())).unwrap();
    assert_eq!(invocation.program, Path::new("claude"));
    assert_eq!(invocation.args.last().unwrap(), "m-1");
    assert_eq!(invocation.prompt, b"What now?");
    let variable = |wanted: &str| {
        invocation.env.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.to_str().unwrap())
    };
    assert_eq!(variable("ANTHROPIC_BASE_URL"), Some("http://127.0.0.1:9"));
    assert_eq!(variable("ANTHROPIC_API_KEY"), Some("k"));
    assert_eq!(variable("DISABLE_TELEMETRY"), Some("1"));
    let dir = invocation.dir.as_ref().unwrap();
    assert!(dir.starts_with(scratch.path()) && std::fs::read_dir(dir).unwrap().next().is_none());
}

#[test]
fn rules_stand_apart_from_the_prompt_where_the_program_takes_them_so() {
    let scratch = tempfile::tempdir().unwrap();
    let adapters = built_in();
    let asked = |id: &str, rules: &str| {
        let call = Call { system: Some(rules), ..call(None, scratch.path()) };
        let invocation = adapters.get(id).unwrap().invocation(&call).unwrap();
        let args: Vec<String> = invocation.args.iter().map(|arg| arg.to_str().unwrap().to_owned()).collect();
        (args, String::from_utf8(invocation.prompt).unwrap())
    };
    let (args, prompt) = asked("claude", "Be harsh but fair.");
    assert_eq!(args[args.len() - 2..], ["--system-prompt", "Be harsh but fair."]);
    assert_eq!(prompt, "What now?");
    // What takes no rules apart gets them above the rest, and so do rules that no argument can hold.
    let (args, prompt) = asked("goose", "Be harsh but fair.");
    assert!(!args.iter().any(|arg| arg.contains("harsh")), "{args:?}");
    assert_eq!(prompt, "Be harsh but fair.\n\nWhat now?");
    for long in ["x".repeat(200 << 10), "a\0b".to_owned()] {
        let (args, prompt) = asked("claude", &long);
        assert!(!args.contains(&"--system-prompt".to_owned()) && prompt.starts_with(&long));
    }
    // Without rules there is no flag for them.
    assert!(
        !self::args(adapters.get("claude").unwrap(), &call(None, scratch.path()))
            .contains(&"--system-prompt".to_owned())
    );
}

#[test]
fn prompt_takes_the_way_that_the_adapter_names() {
    let scratch = tempfile::tempdir().unwrap();
    let adapters = built_in();
    let call = call(None, scratch.path());
    assert_eq!(args(adapters.get("kimi").unwrap(), &call).last().unwrap(), "--prompt=What now?");
    let aider = adapters.get("aider").unwrap().invocation(&call).unwrap();
    let file = Path::new(&aider.args[1]);
    assert_eq!(std::fs::read_to_string(file).unwrap(), "What now?");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert!(aider.prompt.is_empty());
    let acp = adapters.get("goose-acp").unwrap().invocation(&call).unwrap();
    assert!(acp.dialogue);
    assert_eq!(acp.prompt, b"What now?", "who speaks for jury in the dialogue would have nothing to ask");
}

#[test]
fn prompt_that_is_too_long_is_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let prompt = "x".repeat(131_072);
    let call = Call { prompt: &prompt, ..call(None, scratch.path()) };
    let error = built_in().get("kimi").unwrap().invocation(&call).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the prompt has 131072 bytes and kimi takes 131062; shorten it, or use an agent that takes more"
    );
}

#[tokio::test]
async fn command_of_somebody_runs_as_it_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let words = ["printf", "%s|", "{model}", "a b"].map(str::to_owned);
    let adapter = built_in().command("mine", &words).unwrap();
    assert_eq!((adapter.id.as_str(), adapter.decoder), ("mine", Format::Plain));
    let invocation = adapter.invocation(&call(None, dir.path())).unwrap();
    assert_eq!(invocation.inherit, Inherit::agent(&["XDG_*"]));
    let mut session = Session::start(invocation, dir.path(), limits()).unwrap();
    assert_eq!(answer(&mut session).await.0, b"{model}|a b|");
}

/// How each program is kept from tools. Who changes a lock changes this list, and says in the adapter's file why.
#[test]
fn every_adapter_is_locked_or_says_why_not() {
    let mut kinds = std::collections::BTreeMap::<&str, Vec<String>>::new();
    for adapter in built_in().iter() {
        let kind = match (adapter.unlocked(false), adapter.unlocked(true)) {
            (None, _) => "locked",
            (Some(_), None) => "locked at another service",
            (Some(_), Some(_)) => "not locked",
        };
        kinds.entry(kind).or_default().push(adapter.id.clone());
    }
    assert_eq!(
        kinds["locked"],
        ["aider", "claude", "claude-acp", "codex", "goose", "llm", "opencode", "opencode-acp", "pi", "qwen"]
    );
    assert_eq!(
        kinds["locked at another service"],
        ["codex-app-server", "copilot", "copilot-acp", "gemini", "gemini-acp", "kimi"]
    );
    assert_eq!(
        kinds["not locked"],
        ["cline", "cn", "codex-acp", "command", "cursor-agent", "goose-acp", "kimi-acp", "qwen-acp", "vibe"]
    );
}

#[test]
fn adapter_that_cannot_be_locked_is_called_with_leave_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let endpoint = endpoint();
    let adapters = built_in();
    for adapter in adapters.iter() {
        for elsewhere in [None, Some(&endpoint).filter(|_| adapter.endpoint.is_some())] {
            let locked = Call { allow_tools: false, ..call(elsewhere, scratch.path()) };
            let allowed = Call { allow_tools: true, ..locked.clone() };
            adapter.invocation(&allowed).unwrap();
            let made = adapter.invocation(&locked);
            match adapter.unlocked(elsewhere.is_some()) {
                None => drop(made.unwrap()),
                Some(_) => assert_eq!(made.unwrap_err().kind(), "unlocked", "{}", adapter.id),
            }
        }
    }
    let error =
        adapters.get("cn").unwrap().invocation(&Call { allow_tools: false, ..call(None, scratch.path()) });
    assert_eq!(
        error.unwrap_err().to_string(),
        "cn cannot be kept from tools: it runs commands unasked, and the option that excludes tools does not go with a \
         prompt on stdin; what it reviews could make it act with your rights; 'allow_tools = true' in [agents.cn] of \
         jury.toml permits it"
    );
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0, "folders are left");
}

#[test]
fn lock_is_a_part_of_the_call_and_leave_takes_it_off() {
    let scratch = tempfile::tempdir().unwrap();
    let adapters = built_in();
    let (open, endpoint) = (call(None, scratch.path()), endpoint());
    let shut = Call { allow_tools: false, ..open.clone() };
    let claude = adapters.get("claude").unwrap();
    let locked = args(claude, &shut).join(" ");
    assert!(locked.contains("--tools  --strict-mcp-config --setting-sources  --model"), "{locked}");
    assert!(!args(claude, &open).join(" ").contains("--tools"));
    // At its own service it sees the home of its user, and what locks it is written elsewhere.
    let opencode = adapters.get("opencode").unwrap();
    let own = opencode.invocation(&shut).unwrap();
    let of = |name: &str, made: &jury_agents::Invocation| {
        made.env.iter().rfind(|(own, _)| own == name).map(|(_, value)| value.to_str().unwrap().to_owned())
    };
    let folder = own.folder.as_ref().unwrap().path().display().to_string();
    assert_eq!(of("XDG_CONFIG_HOME", &own), Some(format!("{folder}/lock/.config")));
    assert_eq!(of("HOME", &own), None);
    assert_eq!(
        of("OPENCODE_CONFIG_CONTENT", &own).unwrap(),
        r#"{"tools":{"*":false},"permission":{"*":"deny"}}"#
    );
    let other = opencode.invocation(&Call { endpoint: Some(&endpoint), ..shut.clone() }).unwrap();
    let folder = other.folder.as_ref().unwrap().path().display().to_string();
    assert_eq!(of("XDG_CONFIG_HOME", &other), Some(format!("{folder}/home/.config")));
    assert_eq!(of("XDG_CONFIG_HOME", &opencode.invocation(&open).unwrap()), None);
    // A file of the lock is there when the program starts, and its argument before the prompt.
    let kimi = adapters.get("kimi").unwrap();
    let made = kimi.invocation(&Call { endpoint: Some(&endpoint), ..shut }).unwrap();
    let words: Vec<_> = made.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    let at = words.iter().position(|word| *word == "--agent-file").unwrap();
    assert!(std::fs::read_to_string(words[at + 1]).unwrap().contains("tools: []"));
    assert_eq!(words.last(), Some(&"--prompt=What now?"));
}

#[test]
fn adapter_file_that_says_nothing_of_a_lock_is_not_locked() {
    let text = "id = \"x\"\ntitle = \"X\"\ndecoder = \"plain\"\n[detect]\ncommand = \"x\"\n[prompt]\nby = \"stdin\"\n";
    let adapters = with_files(&[
        ("x.toml", text),
        ("y.toml", "id = \"y\"\nextends = \"x\"\n[lock]\nargs = [\"--none\"]\n"),
        ("z.toml", "id = \"z\"\nextends = \"claude\"\n"),
    ])
    .unwrap();
    assert_eq!(adapters.get("x").unwrap().unlocked(true), Some("its adapter file has no [lock]"));
    assert_eq!(adapters.get("y").unwrap().unlocked(false), None);
    assert_eq!(adapters.get("z").unwrap().lock, built_in().get("claude").unwrap().lock);
    let error = with_files(&[(
        "x.toml",
        "id = \"x\"\nextends = \"llm\"\n[lock]\n[[lock.files]]\npath = \"../x\"\ntext = \"\"\n",
    )]);
    assert_eq!(error.unwrap_err(), "x.toml:3: '../x' must be a path inside the private folder");
}

#[test]
fn file_of_a_user_extends_or_replaces() {
    let adapters = with_files(&[
        ("a.toml", "id = \"claude\"\nextends = \"claude\"\nargs = [\"-p\", \"--mine\"]\n"),
        ("b.toml", "id = \"second\"\nextends = \"first\"\ntitle = \"Second\"\n"),
        ("c.toml", "id = \"first\"\nextends = \"llm\"\nmodel_args = []\n"),
    ])
    .unwrap();
    let claude = adapters.get("claude").unwrap();
    assert_eq!(claude.args, ["-p", "--mine"]);
    assert_eq!(claude.endpoint, built_in().get("claude").unwrap().endpoint);
    assert_eq!(claude.tested, None, "nobody has tested this one");
    let second = adapters.get("second").unwrap();
    assert_eq!(
        (second.title.as_str(), second.decoder, second.model_args.len()),
        ("Second", Format::Plain, 0)
    );
    assert_eq!(Adapters::load(&["/nonexistent".into()]).unwrap().iter().count(), built_in().iter().count());
}

#[test]
fn mistakes_are_told_with_their_line() {
    let start = "id = \"x\"\ntitle = \"X\"\n";
    let rest = "[detect]\ncommand = \"x\"\n[prompt]\nby = \"stdin\"\n";
    let told = |text: &str| with_files(&[("x.toml", text)]).unwrap_err();
    let cases = [
        (format!("{start}decoder = \"plain\"\nargz = []\n{rest}"), "x.toml:4: unknown field `argz`"),
        (
            format!("{start}decoder = \"plian\"\n{rest}"),
            "x.toml:3: unknown format \"plian\"; known are plain,",
        ),
        (format!("{start}{rest}"), "x.toml:1: 'decoder' is missing"),
        (
            format!("{start}decoder = \"plain\"\nargs = [\"{{modell}}\"]\n{rest}"),
            "x.toml:4: there is no placeholder {modell}",
        ),
        (
            format!("{start}decoder = \"plain\"\nargs = [\"{{system}}\"]\n{rest}"),
            "x.toml:7: '{system}' stands in 'system_args', and nowhere else",
        ),
        (
            format!("{start}decoder = \"plain\"\nsystem_args = [\"--rules\"]\n{rest}"),
            "x.toml:7: 'system_args' must contain '{system}'",
        ),
        (format!("{start}decoder = \"acp\"\n{rest}"), "x.toml:6: the decoder holds a dialogue"),
        (
            format!("{start}decoder = \"plain\"\n{}", rest.replace("stdin", "argv")),
            "x.toml:6: 'args' must contain '{prompt}'",
        ),
        (
            format!("{start}decoder = \"plain\"\n{}", rest.replace("stdin", "post")),
            "x.toml:7: unknown variant `post`",
        ),
        ("id = \"X y\"\n".to_owned(), "x.toml:1: 'X y' is no name for an agent"),
        ("id = \"x\"\nextends = \"y\"\n".to_owned(), "x.toml:2: there is no agent 'y' to extend"),
        ("id = \n".to_owned(), "x.toml:1: "),
    ];
    for (text, expected) in cases {
        let error = told(&text);
        assert!(error.starts_with(expected), "{error}\n{text}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let circle = with_files(&[
        ("x.toml", "id = \"x\"\nextends = \"y\"\n"),
        ("y.toml", "id = \"y\"\nextends = \"x\"\n"),
    ]);
    assert_eq!(circle.unwrap_err(), "x.toml:2: the adapters extend one another in a circle");
    let twice = with_files(&[
        ("x.toml", "id = \"x\"\nextends = \"llm\"\n"),
        ("y.toml", "id = \"x\"\nextends = \"llm\"\n"),
    ]);
    assert!(twice.unwrap_err().starts_with("y.toml:1: 'x' is the name of x.toml too"));
}

#[test]
fn settings_file_cannot_be_put_outside_of_the_home() {
    let text = "id = \"x\"\nextends = \"llm\"\n[endpoint]\napi = \"openai\"\n[[endpoint.files]]\npath = \"../x\"\ntext = \"\"\n";
    let error = with_files(&[("x.toml", text)]).unwrap_err();
    assert_eq!(error, "x.toml:3: '../x' must be a path inside the private home");
}

#[test]
fn unknown_agent_is_told_what_there_is() {
    let error = built_in().get("clod").unwrap_err().to_string();
    assert!(error.starts_with("there is no agent 'clod'; there are: aider, claude,"), "{error}");
}

/// An adapter whose program is a shell script.
fn scripted(dir: &Path, script: &str, version: &str) -> Adapter {
    let program = dir.join("agent");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut adapter = built_in().get("llm").unwrap().clone();
    adapter.detect.command = program.display().to_string();
    version.clone_into(&mut adapter.detect.version);
    adapter
}

#[tokio::test]
async fn version_is_found_among_noise_and_on_stderr() {
    let dir = tempfile::tempdir().unwrap();
    let patience = Duration::from_secs(20);
    let adapter =
        scripted(dir.path(), "echo 'update me'; echo 'agent 1.2.3-rc (X)' >&2", "agent {version} (X)");
    let detected = adapter.detect(dir.path(), patience).await.unwrap();
    assert_eq!(detected.version.as_deref(), Some("1.2.3-rc"));
    let adapter = scripted(dir.path(), "echo 'another agent 7'", "agent {version}");
    let error = adapter.detect(dir.path(), patience).await.unwrap_err().to_string();
    assert!(
        error.ends_with("is another program: it answers 'another agent 7' when asked for its version"),
        "{error}"
    );
    let adapter = scripted(dir.path(), "sleep 1000", "{version}");
    let error = adapter.detect(dir.path(), Duration::from_millis(300)).await.unwrap_err();
    assert_eq!(error.kind(), "no_version");
    let mut adapter = adapter;
    adapter.detect.command = "/nonexistent/agent".to_owned();
    assert_eq!(adapter.detect(dir.path(), patience).await.unwrap_err().kind(), "not_found");
}
