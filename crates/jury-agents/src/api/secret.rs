//! Keys: where they come from, and how they stay out of everything that is shown.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::error::ApiError;

/// What stands in place of a secret.
const HIDDEN: &str = "(secret)";

/// The most bytes a key can have.
const LONGEST_KEY_BYTES: u64 = 16 * 1024;

/// A key. It does not show itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key, so that it is never printed.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key in this environment variable; none when it is unset or empty.
    pub fn from_env(variable: &str) -> Option<Self> {
        let key = std::env::var(variable).ok()?;
        let key = key.trim();
        (!key.is_empty()).then(|| Self::new(key))
    }

    /// The key in this file, which only its owner may read.
    pub fn from_file(path: &Path) -> Result<Self, ApiError> {
        let bad = |problem: String| ApiError::KeyFile { path: path.to_owned(), problem };
        let file = File::open(path).map_err(|error| bad(format!("cannot be opened: {error}")))?;
        // Asked of the open file: nobody can exchange it in between.
        let metadata = file.metadata().map_err(|error| bad(format!("cannot be looked at: {error}")))?;
        if !metadata.is_file() {
            return Err(bad("is not a file; name a file that holds the key".to_owned()));
        }
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(bad("others than its owner can read it; run `chmod 600` on it".to_owned()));
        }
        let mut key = String::new();
        file.take(LONGEST_KEY_BYTES)
            .read_to_string(&mut key)
            .map_err(|error| bad(format!("cannot be read: {error}")))?;
        match key.trim() {
            "" => Err(bad("is empty; write the key into it".to_owned())),
            key => Ok(Self::new(key)),
        }
    }

    /// The key itself, for the header that carries it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key: services repeat what they were sent.
    pub(super) fn hide_in(&self, text: &str) -> String {
        if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, HIDDEN) }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HIDDEN)
    }
}
