//! Why a command ends without doing what it was asked: one line and an exit code.

use jury_core::run::OutcomeKind;
use jury_core::settings::SettingError;
use jury_engine::EngineError;
use jury_store::StoreError;

/// The exit code of commands that were scripts before, for everything that is not done.
pub(crate) const NOT_DONE: u8 = 1;

/// The exit code for a wrong call or a wrong setting, and for a result that could not be written.
pub(crate) const USAGE: u8 = 2;

/// The exit code for a review that did not take place as promised.
pub(crate) const INCONCLUSIVE: u8 = OutcomeKind::Inconclusive.exit_code();

/// A command that cannot go on.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The exit code of the program.
    pub(crate) code: u8,
    /// What, where, what to do: one line.
    pub(crate) message: String,
    /// More words, printed with `--verbose`.
    pub(crate) detail: Option<String>,
}

impl Refusal {
    /// The call or a setting is wrong; nothing was done.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into(), detail: None }
    }

    /// The result is there, but not where it was to be.
    pub(crate) fn undelivered(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into(), detail: None }
    }

    /// It was not done, and the command was a script before.
    pub(crate) fn not_done(message: impl Into<String>) -> Self {
        Self { code: NOT_DONE, message: message.into(), detail: None }
    }

    /// The review could not be carried out.
    pub(crate) fn inconclusive(message: impl Into<String>) -> Self {
        Self { code: INCONCLUSIVE, message: message.into(), detail: None }
    }
}

impl From<SettingError> for Refusal {
    fn from(error: SettingError) -> Self {
        Self::usage(error.to_string())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        let detail = std::error::Error::source(&error).map(ToString::to_string);
        Self { code: USAGE, message: error.to_string(), detail }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        let detail = std::error::Error::source(&error).map(ToString::to_string);
        Self { code: INCONCLUSIVE, message: error.to_string(), detail }
    }
}
