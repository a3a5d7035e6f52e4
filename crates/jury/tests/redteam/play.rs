//! Runs one attempt: a folder of its own, the real program with real children in it, and what came of it held against
//! what must hold.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use jury_testkit::model::{ModelServer, Script};
use tempfile::TempDir;

use super::http;
use super::kind::{Attempt, Case, Hold, HoldFile, Stdout};

/// How long one command may take before it counts as one that never ends.
const PATIENCE: Duration = Duration::from_mins(1);

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The attack was held, the honest neighbour was green.
    Right,
    /// What is wrong, in a line.
    Wrong(String),
}

/// What a command or a request came to.
#[derive(Debug, Default)]
pub(crate) struct Came {
    /// The exit code; none for a request, or when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) status: Option<u16>,
    pub(crate) outcome: Option<String>,
    /// Everything that was said.
    pub(crate) said: String,
}

/// A folder with the files of a case.
pub(crate) struct Room {
    dir: TempDir,
    /// The model that is played, as long as the room is there.
    _model: Option<ModelServer>,
}

impl Room {
    fn new(case: &Case) -> Self {
        let dir = tempfile::Builder::new().prefix("redteam-").tempdir().unwrap();
        let model = (!case.model.is_empty())
            .then(|| ModelServer::start(Script::new(case.model.iter().cloned())).unwrap());
        let address = model.as_ref().map(ModelServer::url).unwrap_or_default();
        for (name, text) in &case.files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text.replace("%MODEL%", &address)).unwrap();
        }
        Self { dir, _model: model }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The program with nothing of the machine's settings.
    pub(crate) fn jury(&self, case: &Case) -> Command {
        let mut command = Command::new(program());
        self.settle(&mut command, case);
        command
    }

    fn settle(&self, command: &mut Command, case: &Case) {
        command.current_dir(self.dir.path()).stdin(Stdio::null()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.dir.path()).env("USER", "ada").env("JURY_LOCAL_PORTS", "");
        command.envs(&case.env);
    }
}

/// The program: the one that was built with this test, unless `JURY` names another.
pub(crate) fn program() -> PathBuf {
    std::env::var_os("JURY").map_or_else(|| env!("CARGO_BIN_EXE_jury").into(), PathBuf::from)
}

/// Runs an attempt and says how it ended.
pub(crate) fn play(attempt: &Attempt) -> Ending {
    let case = &attempt.case;
    let room = Room::new(case);
    let came = match &case.request {
        Some(request) => http::ask(&room, case, request),
        None => run(&room, case),
    };
    let wrong = came.and_then(|came| against(&attempt.hold, &came, &room));
    wrong.map_or_else(Ending::Wrong, |()| Ending::Right)
}

fn run(room: &Room, case: &Case) -> Result<Came, String> {
    for arguments in &case.before {
        aside(room, case, arguments)?;
    }
    let (out, err) = (room.path(".stdout"), room.path(".stderr"));
    let mut command = match case.stdout {
        Stdout::Closed => {
            let mut shell = Command::new("sh");
            room.settle(&mut shell, case);
            shell.args(["-c", "exec \"$0\" \"$@\" >&-"]).arg(program());
            shell
        }
        Stdout::Kept | Stdout::Full | Stdout::Gone => room.jury(case),
    };
    command.args(&case.command).stderr(File::create(&err).unwrap());
    match case.stdout {
        Stdout::Kept => command.stdout(File::create(&out).unwrap()),
        Stdout::Full => command.stdout(File::options().write(true).open("/dev/full").unwrap()),
        Stdout::Gone => command.stdout(Stdio::piped()),
        Stdout::Closed => command.stdout(Stdio::null()),
    };
    let mut child = command.spawn().unwrap();
    // The reader goes away at once.
    drop(child.stdout.take());
    let status = wait(&mut child)?;
    let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let mut said = format!("{}{}", read(&out), read(&err));
    if status.success() {
        for arguments in &case.after {
            said.push_str(&aside(room, case, arguments)?);
        }
    }
    Ok(Came { code: status.code(), said, ..Came::default() })
}

/// Runs another command in the room. What it printed.
fn aside(room: &Room, case: &Case, arguments: &[String]) -> Result<String, String> {
    let path = room.path(".aside");
    let output = File::create(&path).unwrap();
    let mut command = room.jury(case);
    command.args(arguments).stdout(output.try_clone().unwrap()).stderr(output);
    wait(&mut command.spawn().unwrap())?;
    Ok(String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned())
}

fn wait(child: &mut Child) -> Result<ExitStatus, String> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            child.kill().ok();
            child.wait().ok();
            return Err(format!("it did not end within {} seconds", PATIENCE.as_secs()));
        }
        std::thread::park_timeout(Duration::from_millis(3));
    }
}

/// What is wrong, if anything is.
fn against(hold: &Hold, came: &Came, room: &Room) -> Result<(), String> {
    let verdict = came.said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if let Some(status) = came.status {
        let right = hold.status.as_deref().unwrap_or(&[202]);
        if !right.contains(&status) {
            return Err(format!("status {status}, not {right:?}: {verdict}"));
        }
        if let (Some(outcome), Some(right)) = (&came.outcome, &hold.outcome)
            && !right.contains(outcome)
        {
            return Err(format!("outcome {outcome}, not {right:?}"));
        }
    } else {
        let right = hold.exit.as_deref().unwrap_or_default();
        match came.code {
            Some(code) if right.contains(&code) => {}
            Some(code) => return Err(format!("exit {code}, not {right:?}: {verdict}")),
            None => return Err("a signal ended it".to_owned()),
        }
    }
    let said = came.said.to_lowercase();
    for text in hold.says.iter().flatten() {
        if !said.contains(&text.to_lowercase()) {
            return Err(format!("it does not say {text:?}"));
        }
    }
    for text in hold.never_says.iter().flatten() {
        if said.contains(&text.to_lowercase()) {
            return Err(format!("it says {text:?}"));
        }
    }
    for file in hold.files.iter().flatten() {
        if !file.when_green || came.code == Some(0) {
            about(file, room)?;
        }
    }
    Ok(())
}

fn about(file: &HoldFile, room: &Room) -> Result<(), String> {
    let bytes = std::fs::read(room.path(&file.path));
    if bytes.is_err() && file.there {
        return Err(format!("{} is not there", file.path));
    }
    let Ok(bytes) = bytes else { return Ok(()) };
    let text = String::from_utf8_lossy(&bytes);
    for part in &file.has {
        if !text.contains(part) {
            return Err(format!("{} does not have {part:?}", file.path));
        }
    }
    for part in &file.never {
        if text.contains(part) {
            return Err(format!("{} has {part:?}", file.path));
        }
    }
    if let Some(other) = &file.same_as {
        let other = std::fs::read(room.path(other)).unwrap_or_default();
        if text.trim() != String::from_utf8_lossy(&other).trim() {
            return Err(format!("{} is not what was reviewed", file.path));
        }
    }
    Ok(())
}
