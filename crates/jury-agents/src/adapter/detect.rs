//! Whether an agent's program is there, and which version.

use std::future::pending;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::{Adapter, AdapterError, Folder};
use crate::invocation::Inherit;
use crate::{Bounds, End, FinishedProgram, Invocation, SessionLimits, run_to_end};

/// A program that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// What it says about its version, where it says anything.
    pub version: Option<String>,
}

/// A version is told in a line; who prints more is stopped.
const VERSION_OUTPUT_BYTES: u64 = 64 * 1024;

impl Adapter {
    /// Asks the program for its version. It sees an empty home, so that asking changes nothing.
    pub async fn detect(&self, scratch: &Path, timeout: Duration) -> Result<Detected, AdapterError> {
        let folder = Folder::new(scratch)
            .map_err(|source| AdapterError::Folder { path: scratch.to_owned(), source })?;
        let mut invocation = Invocation::new(&self.detect.command);
        invocation.args = self.detect.args.iter().map(Into::into).collect();
        invocation.inherit = Inherit::agent(&[]);
        invocation.env = self.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        invocation.env.push(("HOME".into(), folder.path().into()));
        invocation.dir = Some(folder.path().to_owned());
        invocation.folder = Some(Arc::new(folder));
        let limits = SessionLimits {
            spool: jury_core::unit::Bytes(VERSION_OUTPUT_BYTES),
            grace: Duration::from_millis(500),
            ..SessionLimits::default()
        };
        let bounds = Bounds::new(scratch, timeout).limits(limits);
        let FinishedProgram { end, stdout, stderr } = run_to_end(invocation, bounds, pending()).await?;
        let command = self.detect.command.clone();
        match end {
            End::Exited(_) | End::Oversize => {}
            End::Late | End::Interrupted => {
                return Err(AdapterError::NoVersion { command, seconds: timeout.as_secs() });
            }
        }
        let said = String::from_utf8_lossy(&stdout).into_owned() + "\n" + &stderr;
        if self.detect.version.is_empty() {
            return Ok(Detected { version: None });
        }
        if let Some(version) = self.version_in(&said) {
            return Ok(Detected { version: Some(version.to_owned()) });
        }
        let first = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        Err(AdapterError::OtherProgram { command, said: first.chars().take(80).collect() })
    }

    /// The version, in the first line that looks as it should.
    pub(super) fn version_in<'a>(&self, said: &'a str) -> Option<&'a str> {
        let (before, after) = self.detect.version.split_once("{version}")?;
        said.lines().map(str::trim).find_map(|line| {
            let version = line.strip_prefix(before)?.strip_suffix(after)?;
            let plausible = version.starts_with(|first: char| first.is_ascii_digit() || first == 'v')
                && version.contains(|letter: char| letter.is_ascii_digit())
                && !version.contains(char::is_whitespace);
            plausible.then_some(version)
        })
    }
}
