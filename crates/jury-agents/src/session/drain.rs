//! Empties the agent's pipes, on a thread of its own, so that nothing else in the program can make it wait.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, poll};
use tokio::time::Instant;

use crate::spool::SpoolWriter;

/// What is known of an agent beside its stdout.
#[derive(Debug)]
pub(super) struct Signs {
    /// The last of its stderr.
    pub(super) complaints: Vec<u8>,
    /// When it last printed anything anywhere.
    pub(super) heard: Instant,
}

/// Signs that the drain leaves and the session reads.
pub(super) type SharedSigns = Arc<Mutex<Signs>>;

pub(super) struct Drain {
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    /// Reads as closed when the session does not care any more.
    pub(super) stopped: OwnedFd,
    pub(super) writer: SpoolWriter,
    pub(super) signs: SharedSigns,
    /// How much of what the agent complains about is kept: the last bytes.
    pub(super) complaints: usize,
}

impl Drain {
    pub(super) fn run(self) {
        let Self { stdout, stderr, stopped, writer, signs, complaints } = self;
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
            // Complaints first: the end of stdout is the end of the answer for whoever reads it, and by then the
            // agent's last words must be there. A pipe holds no more than is read at once.
            if err_ready
                && let Some(pipe) = &stderr
                && !take(pipe, &mut buffer, |bytes| hear(&signs, bytes, complaints))
            {
                stderr = None;
            }
            if out_ready
                && let Some(pipe) = &stdout
                && !take(pipe, &mut buffer, |bytes| {
                    hear(&signs, &[], complaints);
                    writer.write(bytes);
                })
            {
                stdout = None;
                writer.close();
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

/// The agent gave a sign of life. Keeps the last of what it complains about.
fn hear(signs: &Mutex<Signs>, complaint: &[u8], kept: usize) {
    let mut signs = signs.lock().unwrap_or_else(PoisonError::into_inner);
    signs.heard = Instant::now();
    signs.complaints.extend_from_slice(complaint);
    let excess = signs.complaints.len().saturating_sub(kept);
    signs.complaints.drain(..excess);
}
