//! The two streams: results on stdout, progress and messages on stderr; and how colourful they may be.
//!
//! A result that could not be written is remembered, and the program ends with an error whatever else it would have said:
//! see [`delivered`]. A reader that has gone away, as `head` does, has seen what it wanted.

use jury_core::line::spaced;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use std::io::{IsTerminal as _, Write};
use std::sync::OnceLock;

use crate::cli::{ColorChoice, Global};
use crate::refusal::Refusal;

/// How much is said, and with which means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    verbosity: Verbosity,
    /// Whether stderr has colour.
    color: bool,
    /// Whether stdout has colour.
    result_color: bool,
    /// Lines on stderr can be written over.
    live: bool,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verbosity {
    /// Only results and errors are printed.
    Quiet,
    /// Progress is printed as well.
    Normal,
    /// Details are printed as well.
    Verbose,
}

/// What a piece of text is, and so how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// For what is less important.
    Dim,
    /// A name or a number that matters.
    Bold,
    /// For what is good.
    Good,
    /// For what is not good enough.
    Poor,
    /// For what is wrong.
    Bad,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let allowed = |terminal: bool| match global.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && !no_color && !dumb,
        };
        let terminal = std::io::stderr().is_terminal();
        Self {
            verbosity: match (global.quiet, global.verbose) {
                (true, _) => Verbosity::Quiet,
                (false, true) => Verbosity::Verbose,
                (false, false) => Verbosity::Normal,
            },
            color: allowed(terminal),
            result_color: allowed(std::io::stdout().is_terminal()),
            live: terminal && !dumb,
        }
    }

    /// Without colour, for a call that could not be understood.
    pub(crate) fn plain() -> Self {
        Self { verbosity: Verbosity::Normal, color: false, result_color: false, live: false }
    }

    /// Whether lines on stderr can be written over.
    pub(crate) fn is_live(self) -> bool {
        self.live && self.verbosity != Verbosity::Quiet
    }

    /// Whether details are wanted.
    pub(crate) fn is_verbose(self) -> bool {
        self.verbosity == Verbosity::Verbose
    }

    /// The text in this tone, for stderr.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        paint(self.color, tone, text)
    }

    /// The text in this tone, for stdout.
    pub(crate) fn paint_result(self, tone: Tone, text: &str) -> String {
        paint(self.result_color, tone, text)
    }

    /// A line of progress.
    pub(crate) fn progress(self, line: &str) {
        if self.verbosity != Verbosity::Quiet {
            // Progress that nobody reads (a closed pipe) is no reason to stop.
            writeln!(std::io::stderr(), "{line}").ok();
        }
    }

    /// A part of a line that will be written over.
    pub(crate) fn transient(self, text: &str) {
        if self.is_live() {
            let mut stderr = std::io::stderr();
            write!(stderr, "\r\x1b[K{text}").ok();
            stderr.flush().ok();
        }
    }

    /// Something that a person at the terminal must see, however quiet it should be.
    pub(crate) fn say(text: &str) {
        complain(text);
    }

    /// What a person is to type, on the line in which they type.
    pub(crate) fn prompt(text: &str) {
        let mut stderr = std::io::stderr();
        write!(stderr, "{text}").ok();
        stderr.flush().ok();
    }

    /// Something the user should know.
    pub(crate) fn note(self, text: &str) {
        if self.verbosity != Verbosity::Quiet {
            complain(&format!("{} {}", self.paint(Tone::Poor, "note:"), spaced(text)));
        }
    }

    /// Why the program gives up.
    pub(crate) fn error(self, refusal: &Refusal) {
        // One line, whatever a name in it holds.
        complain(&format!("{} {}", self.paint(Tone::Bad, "error:"), spaced(&refusal.message)));
        if let (true, Some(detail)) = (self.is_verbose(), &refusal.detail) {
            complain(&format!("  {detail}"));
        }
    }

    /// A result. Whether it arrived is asked at the end, by [`delivered`].
    pub(crate) fn result(text: &str) {
        deliver(&format!("{text}\n"));
    }

    /// A result that is a file: as it is.
    pub(crate) fn file(text: &str) {
        deliver(text);
    }
}

/// The stdout of the program, without a buffer. The one of the standard library takes a stdout that cannot be written to
/// for one that takes everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let stdout = std::io::stdout();
        loop {
            match rustix::io::write(&stdout, bytes) {
                Err(Errno::INTR) => {}
                // A pipe that does not wait for its reader: we do.
                Err(Errno::AGAIN) => drop(poll(&mut [PollFd::new(&stdout, PollFlags::OUT)], None)),
                written => return written.map_err(Into::into),
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Why a part of the result was not written; the first reason.
static UNDELIVERED: OnceLock<Undelivered> = OnceLock::new();

#[derive(Debug, Clone, PartialEq, Eq)]
enum Undelivered {
    /// The reader has gone away, which is its right.
    Unread,
    /// Stdout does not take it.
    Refused(String),
}

fn deliver(text: &str) {
    if UNDELIVERED.get().is_none()
        && let Err(error) = Stdout.write_all(text.as_bytes())
    {
        missed(&error);
    }
}

/// Remembers that a part of the result was not written.
pub(crate) fn missed(error: &std::io::Error) {
    let why = if error.kind() == std::io::ErrorKind::BrokenPipe {
        Undelivered::Unread
    } else if error.raw_os_error() == Some(Errno::BADF.raw_os_error()) {
        Undelivered::Refused("it is closed".to_owned())
    } else {
        Undelivered::Refused(error.to_string())
    };
    // The first reason stays.
    UNDELIVERED.set(why).ok();
}

/// The exit code of a command whose results all arrived. A result that was not delivered is not a success.
pub(crate) fn delivered(code: u8) -> Result<u8, Refusal> {
    match UNDELIVERED.get() {
        None | Some(Undelivered::Unread) => Ok(code),
        Some(Undelivered::Refused(why)) => {
            Err(Refusal::undelivered(format!("cannot write the result to stdout: {why}; send it elsewhere")))
        }
    }
}

/// A line on stderr. One that cannot be written is no reason to fail: the exit code says as much.
fn complain(line: &str) {
    writeln!(std::io::stderr(), "{line}").ok();
}

fn paint(color: bool, tone: Tone, text: &str) -> String {
    let code = match tone {
        Tone::Dim => "2",
        Tone::Bold => "1",
        Tone::Good => "32",
        Tone::Poor => "33",
        Tone::Bad => "31",
    };
    if color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// Prints a line that is the error of a call that could not be understood.
pub(crate) fn usage_error(line: &str) {
    complain(&format!("error: {line}"));
}

/// Prints help or the version.
pub(crate) fn help(text: &str) {
    deliver(text);
}
