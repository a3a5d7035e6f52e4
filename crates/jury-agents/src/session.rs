//! One agent at work: a child process, its prompt, its answer, its end.

#![expect(clippy::disallowed_methods, reason = "this is the one place where agents are spawned")]

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use jury_core::theater::Exit;
use jury_core::unit::Bytes;
use rustix::event::{PollFd, PollFlags, poll};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use crate::group::Group;
use crate::spool::{Read, SpoolReader, SpoolWriter, spool};
use crate::{AgentError, Invocation};

/// What an agent may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most bytes it may print.
    pub spool: Bytes,
    /// How long it may take to end after TERM, before KILL.
    pub grace: Duration,
    /// How long the rest of it may take to end after its stdout closed or its leader exited.
    pub linger: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { spool: Bytes(64 << 20), grace: Duration::from_secs(5), linger: Duration::from_secs(2) }
    }
}

/// A part of an answer.
#[derive(Debug)]
pub enum Piece<'a> {
    /// Bytes as the agent printed them.
    Bytes(&'a [u8]),
    /// It printed more than it may.
    Oversize,
    /// It printed everything, and ended like this.
    End(Exit),
}

/// An agent at work. Dropping it kills its process group.
#[derive(Debug)]
pub struct Session {
    child: Child,
    group: Group,
    reader: SpoolReader,
    limits: Limits,
    prompt: JoinHandle<()>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Dropping it tells the drain to stop, even if somebody else still holds the pipe.
    stop_drain: Option<OwnedFd>,
    exit: Option<ExitStatus>,
    /// Half of the end was seen: stdout is closed or the leader has exited. The other half must come by then.
    half_ended: Option<Instant>,
    output_ended: bool,
}

/// How much of what the agent complains about is kept: the last bytes.
const STDERR_TAIL: usize = 4 * 1024;

/// Large enough that an agent which does not wait for its reader seldom meets a full pipe.
const PIPE: usize = 1 << 20;

impl Session {
    /// Starts the agent. The spool is made in this folder.
    pub fn start(invocation: Invocation, spool_dir: &Path, limits: Limits) -> Result<Self, AgentError> {
        let (writer, reader) = spool(spool_dir, limits.spool.0)
            .map_err(|source| AgentError::SpoolDir { dir: spool_dir.to_owned(), source })?;
        let Invocation { program, args, env, dir, prompt } = invocation;
        let mut command = Command::new(&program);
        command.args(args).envs(env).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn().map_err(|source| {
            let program = program.clone();
            if source.kind() == io::ErrorKind::NotFound {
                AgentError::NotFound { program }
            } else {
                AgentError::Spawn { program, source }
            }
        })?;
        let broken = |source| AgentError::Spawn { program: program.clone(), source };
        let group =
            child.id().and_then(Group::of).ok_or_else(|| broken(io::Error::other("no process id")))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(broken(io::Error::other("no pipes")));
        };
        let stdout = stdout.into_owned_fd().map_err(broken)?;
        let stderr = stderr.into_owned_fd().map_err(broken)?;
        // A larger pipe is a help, not a need: the system may refuse it.
        rustix::pipe::fcntl_setpipe_size(&stdout, PIPE).ok();
        let tail = Arc::new(Mutex::new(Vec::new()));
        let (stopped, stop_drain) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)
            .map_err(|errno| broken(errno.into()))?;
        let drain = Drain { stdout, stderr, stopped, writer, tail: Arc::clone(&tail) };
        thread::Builder::new().name("drain".to_owned()).spawn(move || drain.run()).map_err(broken)?;
        Ok(Self {
            child,
            group,
            reader,
            limits,
            // The agent may never read its prompt; nobody waits for it, and the end of the session ends it.
            prompt: tokio::spawn(write_prompt(stdin, prompt)),
            stderr: tail,
            stop_drain: Some(stop_drain),
            exit: None,
            half_ended: None,
            output_ended: false,
        })
    }

    /// The next part of the answer. Losing the future loses nothing.
    pub async fn next(&mut self) -> Result<Piece<'_>, AgentError> {
        loop {
            let give_up = self.half_ended;
            tokio::select! {
                biased;
                read = self.reader.read(), if !self.output_ended => {
                    match read.map_err(AgentError::Spool)? {
                        Read::Bytes(length) => return Ok(Piece::Bytes(self.reader.bytes(length))),
                        Read::Overflow => return Ok(Piece::Oversize),
                        Read::Closed => self.output_ended = true,
                    }
                }
                status = self.child.wait(), if self.exit.is_none() => {
                    // An error means that somebody else reaped it: it is gone all the same.
                    self.exit = Some(status.unwrap_or_default());
                }
                () = until(give_up), if give_up.is_some() => {
                    self.end_what_lingers();
                    continue;
                }
            }
            if self.output_ended
                && let Some(status) = self.exit
            {
                return Ok(Piece::End(exit_of(status)));
            }
            self.half_ended = self.half_ended.or_else(|| {
                Some(Instant::now() + self.limits.linger).filter(|_| self.output_ended || self.exit.is_some())
            });
        }
    }

    /// Half of the agent has ended and the rest does not follow: a leader that closed its stdout, or children
    /// that hold the pipe of a leader that exited.
    fn end_what_lingers(&mut self) {
        self.half_ended = None;
        self.group.kill();
        // A child that left the group can still hold the pipe. It is not waited for.
        self.stop_drain = None;
        if self.exit.is_none() {
            self.half_ended = Some(Instant::now() + self.limits.linger);
        }
    }

    /// Ends the agent and everything in its group, and waits until it is gone.
    pub async fn stop(&mut self) {
        self.prompt.abort();
        if self.exit.is_none() {
            self.group.terminate();
            let ended = tokio::time::timeout(self.limits.grace, self.child.wait()).await;
            self.exit = ended.ok().map(Result::unwrap_or_default);
        }
        if !self.group.is_gone() {
            self.group.kill();
        }
        if self.exit.is_none() {
            self.exit = Some(self.child.wait().await.unwrap_or_default());
        }
        self.stop_drain = None;
    }

    /// The last of what the agent complained about, as text.
    pub fn complaints(&self) -> String {
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&tail).trim().to_owned()
    }
}

async fn until(moment: Option<Instant>) {
    if let Some(moment) = moment {
        sleep_until(moment).await;
    }
}

async fn write_prompt(mut stdin: tokio::process::ChildStdin, prompt: Vec<u8>) {
    // An agent that does not want its prompt closes the pipe. What it makes of that shows in its answer.
    if stdin.write_all(&prompt).await.is_ok() {
        stdin.shutdown().await.unwrap_or_default();
    }
}

fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Unknown,
    }
}

/// Empties the agent's pipes. Runs on a thread of its own, so that nothing else in the program can make it
/// wait.
struct Drain {
    stdout: OwnedFd,
    stderr: OwnedFd,
    /// Reads as closed when the session does not care any more.
    stopped: OwnedFd,
    writer: SpoolWriter,
    tail: Arc<Mutex<Vec<u8>>>,
}

impl Drain {
    fn run(self) {
        let Self { stdout, stderr, stopped, writer, tail } = self;
        let mut buffer = vec![0; 64 * 1024];
        // A pipe that has closed is dropped: it would be ready for ever.
        let (mut stdout, mut stderr) = (Some(stdout), Some(stderr));
        while stdout.is_some() || stderr.is_some() {
            let Ok([stop, out_ready, err_ready]) = ready([Some(&stopped), stdout.as_ref(), stderr.as_ref()])
            else {
                break;
            };
            if stop {
                break;
            }
            if out_ready
                && let Some(pipe) = &stdout
                && !take(pipe, &mut buffer, |bytes| writer.write(bytes))
            {
                stdout = None;
                writer.close();
            }
            if err_ready
                && let Some(pipe) = &stderr
                && !take(pipe, &mut buffer, |bytes| complain(&tail, bytes))
            {
                stderr = None;
            }
        }
        writer.close();
    }
}

/// Waits until one of these pipes can be read without waiting, or has closed.
fn ready<const N: usize>(pipes: [Option<&OwnedFd>; N]) -> io::Result<[bool; N]> {
    let mut waiting: Vec<PollFd<'_>> =
        pipes.iter().flatten().map(|pipe| PollFd::new(*pipe, PollFlags::IN)).collect();
    loop {
        match poll(&mut waiting, None) {
            Ok(_) => break,
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    let mut states = waiting.iter().map(|pipe| !pipe.revents().is_empty());
    Ok(pipes.map(|pipe| pipe.is_some() && states.next().unwrap_or(false)))
}

/// Reads once from a pipe that is ready. Whether it is still open.
fn take(pipe: impl AsFd, buffer: &mut [u8], sink: impl FnOnce(&[u8])) -> bool {
    match rustix::io::read(pipe, &mut *buffer) {
        Ok(0) => false,
        Ok(length) => {
            sink(&buffer[..length]);
            true
        }
        Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => true,
        Err(_) => false,
    }
}

/// Keeps the last of what the agent complains about.
fn complain(tail: &Mutex<Vec<u8>>, bytes: &[u8]) {
    let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
    tail.extend_from_slice(bytes);
    let excess = tail.len().saturating_sub(STDERR_TAIL);
    tail.drain(..excess);
}
