//! A folder of its own for each test, the program in it, and its output with what varies taken out.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A folder in which the program is run.
pub(crate) struct Context {
    dir: TempDir,
}

impl Context {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Copies a file of `examples/` here.
    pub(crate) fn example(&self, name: &str) {
        std::fs::copy(repository().join("examples").join(name), self.path(name)).unwrap();
    }

    /// The program, in this folder, with nothing of our own settings.
    pub(crate) fn jury(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jury"));
        command.current_dir(self.dir.path()).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            let ours =
                ["OD_", "JURY_", "JUDGE_"].iter().any(|start| name.starts_with(start)) || name == "NO_COLOR";
            if ours || name.ends_with("_API_KEY") {
                command.env_remove(name);
            }
        }
        // What else runs on the machine is nobody's business here.
        command.env("JURY_LOCAL_PORTS", "");
        command
    }

    /// The output, exit code and all, in one text.
    pub(crate) fn show(&self, command: &mut Command) -> String {
        let output = command.output().unwrap();
        self.describe(&output)
    }

    /// The same with something on stdin.
    pub(crate) fn show_with_input(&self, command: &mut Command, input: &[u8]) -> String {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The program may refuse before it has read everything.
        let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        self.describe(&output)
    }

    fn describe(&self, output: &Output) -> String {
        let code = output.status.code().map_or("killed".to_owned(), |code| code.to_string());
        let stdout = self.filter(&String::from_utf8_lossy(&output.stdout));
        let stderr = self.filter(&String::from_utf8_lossy(&output.stderr));
        format!("exit: {code}\n----- stdout -----\n{stdout}----- stderr -----\n{stderr}")
    }

    /// Takes out what differs from run to run: ids, times, the folder.
    pub(crate) fn filter(&self, text: &str) -> String {
        let canonical = self.dir.path().canonicalize().unwrap();
        let text = text
            .replace(&canonical.display().to_string(), "[DIR]")
            .replace(&self.dir.path().display().to_string(), "[DIR]");
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let filtered = without_ids(line);
            out.push_str(filtered.trim_end());
            if filtered.ends_with('\n') {
                out.push('\n');
            }
        }
        out
    }

    /// The one run in the list, as JSON.
    pub(crate) fn runs(&self) -> Vec<serde_json::Value> {
        let output = self.jury().args(["runs", "--json"]).output().unwrap();
        assert!(output.status.success(), "{}", self.describe(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Replaces UUIDs, timestamps and durations.
fn without_ids(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some(candidate) = rest.get(..36)
            && candidate.bytes().enumerate().all(|(index, byte)| match index {
                8 | 13 | 18 | 23 => byte == b'-',
                _ => byte.is_ascii_hexdigit(),
            })
        {
            out.push_str("[ID]");
            rest = &rest[36..];
        } else if let Some(length) =
            decision_id(rest).filter(|_| !out.ends_with(|c: char| c.is_alphanumeric()))
        {
            out.push_str("[DECISION]");
            rest = &rest[length..];
        } else if let Some(date) = rest.strip_prefix("until 20").and_then(|rest| rest.get(8..)) {
            out.push_str("until [DATE]");
            rest = date;
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    let varies = [
        ("\"durationMs\": ", ','),
        ("time=\"", '"'),
        ("At\": \"", '"'),
        ("\"at\": \"", '"'),
        ("\"answerBy\": \"", '"'),
        ("\"until\": \"", '"'),
        // Of a report: how long the run took.
        ("reviewed by house, ", '.'),
    ];
    for (key, end) in varies {
        if let Some((before, after)) = out.split_once(key)
            && let Some(index) = after.find(end)
        {
            out = format!("{before}{key}[TIME]{}", &after[index..]);
        } else if let Some((before, _)) = out.split_once(key) {
            out = format!("{before}{key}[TIME]\n");
        }
    }
    out
}

/// The length of the id of a decision at the beginning of a text, such as `5f0c9a1e-2`.
fn decision_id(text: &str) -> Option<usize> {
    let (run, rest) = text.split_at_checked(8)?;
    let number = rest.strip_prefix('-')?.bytes().take_while(u8::is_ascii_digit).count();
    let ends = rest
        .get(number + 1..)
        .is_none_or(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'));
    (run.bytes().all(|b| b.is_ascii_hexdigit()) && number > 0 && ends).then_some(8 + 1 + number)
}

/// How long a test waits for something that must come.
const PATIENCE: Duration = Duration::from_mins(2);

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "it never came to this: {what}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// A running program whose stderr is read as it comes.
pub(crate) struct Running {
    pub(crate) child: Child,
    stderr: Box<dyn BufRead>,
    /// Everything it printed so far.
    pub(crate) seen: String,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = Box::new(BufReader::new(child.stderr.take().unwrap()));
        Self { child, stderr, seen: String::new() }
    }

    /// The same for a program that prints everything on stdout, as at a terminal.
    pub(crate) fn start_with_stdout(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let stderr = Box::new(BufReader::new(child.stdout.take().unwrap()));
        Self { child, stderr, seen: String::new() }
    }

    /// Waits for the next line. None at the end.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.stderr.read_line(&mut line).unwrap();
        self.seen.push_str(&line);
        (!line.is_empty()).then_some(line)
    }

    /// Waits for a line with this in it.
    pub(crate) fn wait_for(&mut self, text: &str) {
        while let Some(line) = self.line() {
            if line.contains(text) {
                return;
            }
        }
        panic!("no line has {text:?}:\n{}", self.seen);
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Waits for its end and returns everything.
    pub(crate) fn finish(mut self) -> (Option<i32>, String, String) {
        let mut rest = String::new();
        self.stderr.read_to_string(&mut rest).unwrap();
        self.seen.push_str(&rest);
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), self.seen)
    }
}

/// A page that the house has nothing against.
pub(crate) const GOOD_PAGE: &str = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Opening hours</title>\n\
<style>body{font:16px/1.5 sans-serif;color:#222;background:#fff;margin:32px}h1{font-size:40px;margin:0 0 16px}\
p{margin:0 0 16px}</style></head>\n<body><main><h1>Opening hours</h1><p>We open at nine and close at five.</p>\
<p>Come by on a weekday.</p></main></body></html>\n";
