//! One agent at work: a child process, its prompt, its answer, its end.

mod drain;
mod stdin;

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use jury_core::process::Exit;
use jury_core::unit::Bytes;
use tokio::process::Child;
use tokio::time::{Instant, sleep_until};

use self::drain::{Drain, SharedSigns, Signs};
use self::stdin::StdinWriter;
use crate::adapter::Folder;
use crate::group::{Group, MARK, Mark};
use crate::spool::{Read, SpoolReader, spool};
use crate::{AgentError, Invocation};

/// What an agent may use.
#[derive(Debug, Clone, Copy)]
pub struct SessionLimits {
    /// The most bytes it may print.
    pub spool: Bytes,
    /// How long it may take to end after TERM, before KILL.
    pub grace: Duration,
    /// How long the rest of it may take to end after its stdout closed or its leader exited.
    pub linger: Duration,
    /// How long it may print nothing at all, neither answer nor complaint; for ever when absent.
    pub silence: Option<Duration>,
    /// How many bytes of what it complains about are kept: the last ones.
    pub complaints: usize,
}

/// How long an agent may take to end after it was asked to: time to write down what it has.
pub const AGENT_GRACE: Duration = Duration::from_secs(5);

/// How long a command of the user's, which keeps nothing, may take to end after it was asked to.
pub const COMMAND_GRACE: Duration = Duration::from_secs(2);

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            spool: Bytes(64 << 20),
            grace: AGENT_GRACE,
            linger: Duration::from_secs(2),
            silence: None,
            complaints: 4 * 1024,
        }
    }
}

/// A part of an answer.
#[derive(Debug)]
pub enum AnswerPiece<'a> {
    /// Bytes as the agent printed them.
    Bytes(&'a [u8]),
    /// It printed more than it may.
    Oversize,
    /// It has printed nothing for as long as it may. It goes on until it is stopped.
    Silent,
    /// It printed everything, and ended like this.
    End(Exit),
}

/// An agent at work. Dropping it kills its processes.
#[derive(Debug)]
pub struct Session {
    child: Child,
    group: Group,
    reader: SpoolReader,
    limits: SessionLimits,
    voice: StdinWriter,
    signs: SharedSigns,
    /// When its silence was last remarked on.
    remarked: Instant,
    /// Dropping it tells the drain to stop, even if somebody else still holds the pipe.
    stop_drain: Option<OwnedFd>,
    exit: Option<ExitStatus>,
    /// Half of the end was seen: stdout is closed or the leader has exited. The other half must come by then.
    half_ended: Option<Instant>,
    output_ended: bool,
    /// Its private folder, which goes away after its processes: fields are dropped in this order.
    _folder: Option<Arc<Folder>>,
}

/// Large enough that an agent which does not wait for its reader seldom meets a full pipe.
const PIPE: usize = 1 << 20;

impl Session {
    /// Starts the agent. The spool is made in this folder.
    pub fn start(
        invocation: Invocation,
        spool_dir: &Path,
        limits: SessionLimits,
    ) -> Result<Self, AgentError> {
        invocation.check()?;
        let (writer, reader) = spool(spool_dir, limits.spool.0)
            .map_err(|source| AgentError::SpoolDir { dir: spool_dir.to_owned(), source })?;
        let mark = Mark::new();
        let mut command = command(&invocation);
        command.env(MARK, mark.inside(std::env::var_os(MARK)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = tokio::process::Command::from(command);
        let Invocation { program, dir, prompt, dialogue, folder, .. } = invocation;
        let mut child = command.spawn().map_err(|source| {
            let program = program.clone();
            // The system gives the same reason for a folder that is not there.
            if let Some(dir) = dir.filter(|dir| !dir.is_dir()) {
                let source = io::Error::other(format!("its folder {} does not exist", dir.display()));
                AgentError::Spawn { program, source }
            } else if source.kind() == io::ErrorKind::NotFound {
                AgentError::NotFound { program }
            } else {
                AgentError::Spawn { program, source }
            }
        })?;
        let broken = |source| AgentError::Spawn { program: program.clone(), source };
        let group = child
            .id()
            .and_then(|id| Group::of(id, mark))
            .ok_or_else(|| broken(io::Error::other("no process id")))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(broken(io::Error::other("no pipes")));
        };
        let stdout = stdout.into_owned_fd().map_err(broken)?;
        let stderr = stderr.into_owned_fd().map_err(broken)?;
        // A larger pipe is a help, not a need: the system may refuse it.
        rustix::pipe::fcntl_setpipe_size(&stdout, PIPE).ok();
        let now = Instant::now();
        let signs = Arc::new(Mutex::new(Signs { complaints: Vec::new(), heard: now }));
        let (stopped, stop_drain) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)
            .map_err(|errno| broken(errno.into()))?;
        let drain = Drain {
            stdout,
            stderr,
            stopped,
            writer,
            signs: Arc::clone(&signs),
            complaints: limits.complaints,
        };
        thread::Builder::new().name("drain".to_owned()).spawn(move || drain.run()).map_err(broken)?;
        Ok(Self {
            child,
            group,
            reader,
            limits,
            voice: StdinWriter::new(stdin, prompt, dialogue),
            signs,
            remarked: now,
            stop_drain: Some(stop_drain),
            exit: None,
            half_ended: None,
            output_ended: false,
            _folder: folder,
        })
    }

    /// The next part of the answer. Losing the future loses nothing.
    pub async fn next(&mut self) -> Result<AnswerPiece<'_>, AgentError> {
        loop {
            let (give_up, silent) = (self.half_ended, self.silent_from());
            tokio::select! {
                biased;
                read = self.reader.read(), if !self.output_ended => {
                    match read.map_err(AgentError::Spool)? {
                        Read::Bytes(length) => return Ok(AnswerPiece::Bytes(self.reader.bytes(length))),
                        Read::Overflow => return Ok(AnswerPiece::Oversize),
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
                () = until(silent), if silent.is_some() => {
                    // It may have complained meanwhile, which does not wake anybody.
                    if self.silent_from().is_some_and(|moment| moment <= Instant::now()) {
                        self.remarked = Instant::now();
                        return Ok(AnswerPiece::Silent);
                    }
                    continue;
                }
            }
            if self.output_ended
                && let Some(status) = self.exit
            {
                return Ok(AnswerPiece::End(exit_of(status)));
            }
            self.half_ended = self.half_ended.or_else(|| {
                Some(Instant::now() + self.limits.linger).filter(|_| self.output_ended || self.exit.is_some())
            });
        }
    }

    /// What the agent prints beyond what it may is discarded from now on, and [`AnswerPiece::Oversize`] does not come.
    pub(crate) fn discard_excess(&mut self) {
        self.reader.discard_excess();
    }

    /// When the agent has been silent for as long as it may, unless it prints something before.
    fn silent_from(&self) -> Option<Instant> {
        let heard = self.signs.lock().unwrap_or_else(PoisonError::into_inner).heard;
        let silence = self.limits.silence.filter(|_| self.exit.is_none() && !self.output_ended)?;
        heard.max(self.remarked).checked_add(silence)
    }

    /// Says something in a dialogue, after what was said before. Does not wait until the agent has read it.
    pub fn reply(&self, bytes: &[u8]) -> Result<(), AgentError> {
        self.voice.say(bytes)
    }

    /// Everything was said and heard: closes the agent's stdin, and gives it as long to end as it may linger.
    pub fn hang_up(&mut self) {
        self.voice.finish();
        self.half_ended = self.half_ended.or_else(|| Some(Instant::now() + self.limits.linger));
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
        self.voice.stop();
        if self.exit.is_none() {
            self.group.terminate();
            let ended = tokio::time::timeout(self.limits.grace, self.child.wait()).await;
            self.exit = ended.ok().map(Result::unwrap_or_default);
        }
        self.group.kill();
        if self.exit.is_none() {
            self.exit = Some(self.child.wait().await.unwrap_or_default());
        }
        self.stop_drain = None;
        // Remembered, so that nobody is killed later who was given the number of this group.
        self.group.is_gone();
    }

    /// The last of what the agent complained about, as text.
    pub fn complaints(&self) -> String {
        let signs = self.signs.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&signs.complaints).trim().to_owned()
    }
}

/// The program as it is started, in a process group of its own. Its pipes are for the caller to choose.
pub(crate) fn command(invocation: &Invocation) -> Command {
    let Invocation { program, args, inherit, env, dir, .. } = invocation;
    let mut command = Command::new(program);
    command.args(args).process_group(0).env_clear();
    let inherited: Vec<(OsString, OsString)> =
        std::env::vars_os().filter(|(name, _)| inherit.passes(name)).collect();
    command.envs(inherited).envs(env.iter().map(|(name, value)| (name, value)));
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    command
}

async fn until(moment: Option<Instant>) {
    if let Some(moment) = moment {
        sleep_until(moment).await;
    }
}

pub(crate) fn exit_of(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Unknown,
    }
}
