//! A helper process: it is asked a line and answers with a line, for as long as it is needed. For blocking callers.
//!
//! A program whose whole output is wanted is run by [`run_to_end`](crate::run_to_end()) instead. A worker starts nothing
//! itself, so it carries no mark of a session and nobody is looked for when it ends.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use jury_core::process::Exit;

use crate::Invocation;
use crate::session::{command, exit_of};

/// A helper process. Dropping it closes its stdin and waits until it has ended.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    /// None when everything was said.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts it, in a process group of its own: what a terminal sends to this program is not meant for its helpers.
    /// What it complains about is not heard, and the prompt is not said: [`ask`](Self::ask) does that.
    pub fn start(invocation: &Invocation) -> io::Result<Self> {
        let mut command = command(invocation);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (stdin, Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no pipes"));
        };
        Ok(Self { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Says a line, which has no line break in it, and waits for the line that answers it. What comes back is empty
    /// when the process ended without an answer.
    pub fn ask(&mut self, mut line: Vec<u8>) -> Vec<u8> {
        line.push(b'\n');
        if let Some(stdin) = &mut self.stdin {
            // One that ended says so by what it does not answer.
            stdin.write_all(&line).ok();
        }
        let mut answer = Vec::new();
        self.stdout.read_until(b'\n', &mut answer).ok();
        answer
    }

    /// Kills it. How it ended: it may have done so before.
    pub fn kill(&mut self) -> io::Result<Exit> {
        self.child.kill().ok();
        self.child.wait().map(exit_of)
    }

    /// Closes its stdin and waits until it has ended.
    pub fn end(&mut self) -> io::Result<Exit> {
        self.stdin = None;
        io::copy(&mut self.stdout, &mut io::sink()).ok();
        self.child.wait().map(exit_of)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end().ok();
    }
}
