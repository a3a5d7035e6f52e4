//! What a file looks like from outside: enough to see that it was written again.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A file as it was at one moment; the default for one that is not there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// When it was written, in seconds and nanoseconds. It may lie before 1970.
    written: (i64, i64),
    bytes: u64,
    /// Another file under the same name has another number.
    file: u64,
}

impl Mark {
    pub(crate) fn of(file: &Path) -> Self {
        std::fs::metadata(file).map_or_else(
            |_| Self::default(),
            |metadata| Self {
                written: (metadata.mtime(), metadata.mtime_nsec()),
                bytes: metadata.len(),
                file: metadata.ino(),
            },
        )
    }
}
