//! A bounded file between a writer that must never wait and a reader that may.
//!
//! The writer is a thread that does nothing but empty the agent's pipe. What does not fit any more is
//! discarded and remembered: the pipe is emptied all the same. The file has no name, so nothing is left of it
//! when the program goes away, however it goes.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

/// How far the writer is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Bytes that can be read.
    pub written: u64,
    /// The agent printed more than fits.
    pub overflow: bool,
    /// Nothing more will come.
    pub closed: bool,
    /// The disk did not take it.
    pub error: Option<Arc<io::Error>>,
}

/// The end that the drain writes to.
#[derive(Debug)]
pub struct SpoolWriter {
    file: Arc<File>,
    limit: u64,
    progress: watch::Sender<Progress>,
}

/// The end that the parser reads from.
#[derive(Debug)]
pub struct SpoolReader {
    file: Arc<File>,
    position: u64,
    buffer: Vec<u8>,
    progress: watch::Receiver<Progress>,
    /// That more was printed than fits is not told.
    discards: bool,
}

/// A new spool in this folder for at most this many bytes.
pub fn spool(dir: &Path, limit: u64) -> io::Result<(SpoolWriter, SpoolReader)> {
    let file = Arc::new(nameless(dir)?);
    let (sender, receiver) = watch::channel(Progress::default());
    Ok((
        SpoolWriter { file: Arc::clone(&file), limit, progress: sender },
        SpoolReader { file, position: 0, buffer: vec![0; PIECE], progress: receiver, discards: false },
    ))
}

/// How much is read at once.
const PIECE: usize = 64 * 1024;

fn nameless(dir: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let mode = Mode::RUSR | Mode::WUSR;
    match openat(CWD, dir, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode) {
        Ok(file) => return Ok(file.into()),
        // Some file systems cannot do it; then the name is removed at once.
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::ISDIR | rustix::io::Errno::INVAL) => {}
        Err(error) => return Err(error.into()),
    }
    let path = dir.join(format!(".spool-{}-{:p}", std::process::id(), &raw const mode));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}

impl SpoolWriter {
    /// Keeps these bytes, or remembers that they did not fit.
    pub fn write(&self, bytes: &[u8]) {
        let Progress { written, overflow, error, .. } = self.progress.borrow().clone();
        if overflow || error.is_some() {
            return;
        }
        let room = usize::try_from(self.limit - written).unwrap_or(usize::MAX);
        let kept = &bytes[..bytes.len().min(room)];
        let result = self.file.write_all_at(kept, written);
        self.progress.send_modify(|progress| match result {
            Ok(()) => {
                progress.written += kept.len() as u64;
                progress.overflow = kept.len() < bytes.len();
            }
            Err(error) => progress.error = Some(Arc::new(error)),
        });
    }

    /// Nothing more will come.
    pub fn close(&self) {
        self.progress.send_modify(|progress| progress.closed = true);
    }
}

/// What the reader found.
#[derive(Debug)]
pub enum Read {
    /// This many bytes, in [`SpoolReader::bytes`].
    Bytes(usize),
    /// More was printed than fits; everything that fits was read.
    Overflow,
    /// The writer has closed, and everything was read.
    Closed,
}

impl SpoolReader {
    /// Waits until there is something to read, and reads it. Losing the future loses nothing.
    pub async fn read(&mut self) -> io::Result<Read> {
        loop {
            let Progress { written, overflow, closed, error } = self.progress.borrow_and_update().clone();
            if self.position < written {
                let left = usize::try_from(written - self.position).unwrap_or(usize::MAX);
                let length = left.min(self.buffer.len());
                self.file.read_exact_at(&mut self.buffer[..length], self.position)?;
                self.position += length as u64;
                return Ok(Read::Bytes(length));
            }
            if let Some(error) = error {
                return Err(io::Error::new(error.kind(), error));
            }
            if overflow && !self.discards {
                return Ok(Read::Overflow);
            }
            if closed || self.progress.changed().await.is_err() {
                return Ok(Read::Closed);
            }
        }
    }

    /// [`Read::Overflow`] does not come from now on: what fits is all, and then comes [`Read::Closed`].
    pub(crate) fn discard_excess(&mut self) {
        self.discards = true;
    }

    /// What was read last.
    pub fn bytes(&self, length: usize) -> &[u8] {
        &self.buffer[..length]
    }
}
