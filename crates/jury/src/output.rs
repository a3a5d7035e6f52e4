//! The two streams: results on stdout, progress and messages on stderr; and how colourful they may be.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is where the program prints")]

use std::io::{IsTerminal as _, Write as _};

use crate::cli::{ColorChoice, Global};
use crate::refusal::Refusal;

/// How much is said, and with which means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    verbosity: Verbosity,
    /// Colour on stderr.
    color: bool,
    /// Colour on stdout.
    result_color: bool,
    /// Lines on stderr can be written over.
    live: bool,
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verbosity {
    /// Results and errors.
    Quiet,
    /// Progress as well.
    Normal,
    /// Details as well.
    Verbose,
}

/// What a piece of text is, and so how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Less important.
    Dim,
    /// A name or a number that matters.
    Bold,
    /// Good.
    Good,
    /// Not good enough.
    Poor,
    /// Wrong.
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
        eprintln!("{text}");
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
            eprintln!("{} {text}", self.paint(Tone::Poor, "note:"));
        }
    }

    /// Why the program gives up.
    pub(crate) fn error(self, refusal: &Refusal) {
        eprintln!("{} {}", self.paint(Tone::Bad, "error:"), refusal.message);
        if let (true, Some(detail)) = (self.is_verbose(), &refusal.detail) {
            eprintln!("  {detail}");
        }
    }

    /// A result. A reader that went away is not an error of the run.
    pub(crate) fn result(text: &str) {
        writeln!(std::io::stdout(), "{text}").ok();
    }

    /// A result that is a file: as it is, and an error when it could not be written whole. A reader that has seen
    /// enough is none.
    pub(crate) fn file(text: &str) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
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
    eprintln!("error: {line}");
}

/// Prints help or the version.
pub(crate) fn help(text: &str) {
    print!("{text}");
}
