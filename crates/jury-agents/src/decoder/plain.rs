//! `plain`: text, and nothing else. Programs that print no format of their own print their errors as text too, and some
//! exit with 0 then.
//!
//! The text comes out as it came in, line by line at first. Beside it each line is held against [`NOTICES`], as long as nothing has come that
//! could belong to an answer: an answer that is markup, or a longer text behind the error, is none.

use super::DecodeError;
use super::answer::Out;
use super::trouble::{Trouble, brief};
use super::utf8::Utf8;

/// How programs begin a line about an error of their own, and what follows from it.
const NOTICES: [(&str, Notice); 11] = [
    // aider, through litellm.
    ("litellm.AuthenticationError", Notice::Trouble(Some(401))),
    ("litellm.PermissionDeniedError", Notice::Trouble(Some(403))),
    ("litellm.RateLimitError", Notice::Trouble(Some(429))),
    ("litellm.InternalServerError", Notice::Trouble(Some(500))),
    ("litellm.ServiceUnavailableError", Notice::Trouble(Some(503))),
    ("litellm.", Notice::Trouble(None)),
    ("Retrying in ", Notice::Retry),
    // llm, by the library of OpenAI.
    ("Error: Error code: ", Notice::Trouble(None)),
    // cn.
    ("{\"status\":\"error\",\"message\":", Notice::Trouble(None)),
    // vibe, and whoever prints what its library says.
    ("Error: API error", Notice::Trouble(None)),
    ("API Error: ", Notice::Trouble(None)),
];

/// What may stand before a bare status.
const BEFORE_STATUS: [&str; 4] = ["Error: ", "HTTP ", "HTTP/1.1 ", "error "];

/// What a service says behind the number of its status.
const REASONS: [&str; 10] = [
    "unauthorized",
    "forbidden",
    "too many requests",
    "internal server error",
    "bad gateway",
    "service unavailable",
    "overloaded",
    "invalid ",
    "incorrect ",
    "{",
];

/// The statuses that an error text may begin with.
const STATUSES: [u16; 7] = [401, 403, 429, 500, 502, 503, 529];

/// How much of a line is looked at.
const LINE: usize = 1024;

/// So much other text behind an error is an answer: whatever went wrong before it has been overcome.
const OVERCOME: usize = 400;

#[derive(Debug, Clone, Copy)]
enum Notice {
    /// The agent reports a failure; the status, where the line does not name it.
    Trouble(Option<u16>),
    /// It tries again.
    Retry,
}

/// Text that may be an answer or an error.
#[derive(Debug, Clone, Default)]
pub(super) struct Plain {
    utf8: Utf8,
    line: String,
    /// Markup has come: this is an answer, whatever else there is.
    answers: bool,
    trouble: Option<Trouble>,
    /// The characters that came behind the last trouble.
    behind: usize,
}

impl Plain {
    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Out<'_>) -> Result<(), DecodeError> {
        let Self { utf8, line, answers, trouble, behind } = self;
        let mut watch = Watch { line, answers, trouble, behind };
        let mut result = Ok(());
        utf8.feed(bytes, |text| {
            let read = watch.text(text, out);
            if result.is_ok() {
                result = read;
            }
        });
        result
    }

    /// Everything has come. Text of an error alone is no answer.
    pub(super) fn finish(&mut self, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let Self { utf8, line, answers, trouble, behind } = self;
        let mut watch = Watch { line, answers, trouble, behind };
        let mut result = Ok(());
        utf8.finish(|text| result = watch.text(text, out));
        result?;
        watch.line_ends(out)?;
        // It stays: whoever asks later wants to know that there was no answer.
        match self.trouble.clone().filter(|_| !self.answers) {
            Some(trouble) => out.failed(trouble.with_remedy()),
            None => out.fine(),
        }
        Ok(())
    }

    /// Whether what came is an error and no answer.
    pub(super) fn is_troubled(&self) -> bool {
        self.trouble.is_some() && !self.answers
    }
}

/// The parts of [`Plain`] beside the bytes.
struct Watch<'p> {
    line: &'p mut String,
    answers: &'p mut bool,
    trouble: &'p mut Option<Trouble>,
    behind: &'p mut usize,
}

impl Watch<'_> {
    /// Hands the text out, up to the end of each line before what that line means: so cuts do not show.
    fn text(&mut self, text: &str, out: &mut Out<'_>) -> Result<(), DecodeError> {
        if *self.answers {
            out.pass(text);
            return Ok(());
        }
        let markup = text.find('<');
        let (before, rest) = text.split_at(markup.unwrap_or(text.len()));
        let mut result = Ok(());
        for piece in before.split_inclusive('\n') {
            out.pass(piece);
            for letter in piece.chars() {
                if self.line.len() < LINE {
                    self.line.push(letter);
                }
            }
            if piece.ends_with('\n') && result.is_ok() {
                result = self.line_ends(out);
            }
        }
        if markup.is_some() {
            *self.answers = true;
            *self.trouble = None;
            self.line.clear();
            out.pass(rest);
        }
        result
    }

    fn line_ends(&mut self, out: &mut Out<'_>) -> Result<(), DecodeError> {
        let line = std::mem::take(self.line);
        let line = line.trim();
        if *self.answers || line.is_empty() {
            return Ok(());
        }
        match notice(line) {
            Some(Notice::Trouble(status)) => {
                let described = Trouble::described(line);
                let trouble = Trouble { status: status.or(described.status), ..described };
                out.trouble(trouble.clone());
                *self.trouble = Some(trouble);
                *self.behind = 0;
            }
            Some(Notice::Retry) => {
                if let Some(trouble) = self.trouble.clone() {
                    let again = Trouble { detail: brief(&format!("{} {line}", trouble.detail)), ..trouble };
                    // The text goes on: what was tried too often is not noted any more.
                    match out.retry(again) {
                        Ok(()) | Err(DecodeError::TooManySteps(_)) => {}
                        Err(other) => return Err(other),
                    }
                }
            }
            None => {
                *self.behind = self.behind.saturating_add(line.chars().count());
                if *self.behind > OVERCOME {
                    *self.trouble = None;
                }
            }
        }
        Ok(())
    }
}

/// What this line is, if it is one of [`NOTICES`] or begins with the status of a service.
fn notice(line: &str) -> Option<Notice> {
    let known = NOTICES.iter().find(|(beginning, _)| line.starts_with(beginning));
    known.map(|(_, notice)| *notice).or_else(|| refused(line).map(|status| Notice::Trouble(Some(status))))
}

/// The status that a line begins with, behind one of [`BEFORE_STATUS`] or before one of [`REASONS`]: a text may well
/// begin with a number.
fn refused(line: &str) -> Option<u16> {
    let said = BEFORE_STATUS.iter().find_map(|before| line.strip_prefix(before));
    let (number, rest) = said.unwrap_or(line).split_at_checked(3)?;
    let status: u16 = number.parse().ok().filter(|status| STATUSES.contains(status))?;
    let rest = rest.trim_start_matches([':', ' ', '-', '(', '"']).to_ascii_lowercase();
    let is_alone = rest.is_empty() && said.is_some();
    (is_alone || REASONS.iter().any(|reason| rest.starts_with(reason))).then_some(status)
}
