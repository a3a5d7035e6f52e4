//! Empties the agent's pipes, on a thread of its own, so that nothing else in the program can make it wait.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::{PollFd, PollFlags, poll};
use tokio::time::Instant;

use super::PIPE;
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
    /// Reads as closed when the session does not wait any more: what is in the pipes by then is all.
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
        // A full pipe is emptied in so many reads.
        let mut reads_after_stop = PIPE / buffer.len() + 1;
        while stdout.is_some() || stderr.is_some() {
            let Ok([stop, out_ready, err_ready]) = ready([Some(&stopped), stdout.as_ref(), stderr.as_ref()])
            else {
                break;
            };
            // This thread may come too late to have read what the agent printed before the stop: it is in the pipes.
            // Whoever still holds them and goes on printing is not listened to for ever.
            if stop {
                if reads_after_stop == 0 || !(out_ready || err_ready) {
                    break;
                }
                reads_after_stop -= 1;
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

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write as _;

    use rustix::pipe::{PipeFlags, pipe_with};

    use super::*;
    use crate::spool::{Read, spool};

    /// Drains these after the stop, and returns what was printed and what was complained about.
    async fn drained(stdout: OwnedFd, stderr: OwnedFd) -> (Vec<u8>, Vec<u8>) {
        let dir = tempfile::tempdir().unwrap();
        let (writer, mut reader) = spool(dir.path(), 16 << 20).unwrap();
        let (stopped, stop) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        drop(stop);
        let signs = Arc::new(Mutex::new(Signs { complaints: Vec::new(), heard: Instant::now() }));
        Drain { stdout, stderr, stopped, writer, signs: Arc::clone(&signs), complaints: 100 }.run();
        let mut printed = Vec::new();
        while let Read::Bytes(length) = reader.read().await.unwrap() {
            printed.extend_from_slice(reader.bytes(length));
        }
        let complaints = signs.lock().unwrap().complaints.clone();
        (printed, complaints)
    }

    #[tokio::test]
    async fn what_was_printed_before_the_stop_is_kept() {
        let (stdout, printing) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        let (stderr, complaining) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        // Held until the end, as by a child that was left behind.
        let (mut printing, mut complaining) = (File::from(printing), File::from(complaining));
        printing.write_all(b"3 of 4\n").unwrap();
        complaining.write_all(b"oh\n").unwrap();
        assert_eq!(drained(stdout, stderr).await, (b"3 of 4\n".to_vec(), b"oh\n".to_vec()));
    }

    #[tokio::test]
    async fn who_goes_on_printing_after_the_stop_is_left() {
        let endless = || OwnedFd::from(File::open("/dev/zero").unwrap());
        let (printed, _) = drained(endless(), endless()).await;
        assert!((PIPE..=2 * PIPE).contains(&printed.len()), "{}", printed.len());
    }
}
