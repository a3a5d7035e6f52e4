//! Artifacts by reference. Events carry these, never the body.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;
use utoipa::ToSchema;

use crate::id::{ArtifactId, ProjectId};
use crate::unit::Bytes;

/// The SHA-256 of a body: its name in the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct Digest([u8; 32]);

const HEXADECIMAL: [u8; 16] = *b"0123456789abcdef";

/// A text that is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a digest is 64 hexadecimal digits")]
pub struct NotADigest;

impl Digest {
    /// The digest of these bytes.
    pub fn of(body: &[u8]) -> Self {
        Self(Sha256::digest(body).into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[byte >> 4, byte & 15].map(|digit| HEXADECIMAL[usize::from(digit)]));
        }
        f.write_str(std::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| NotADigest)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let [high, low] = [pair[0], pair[1]].map(|digit| (digit as char).to_digit(16));
            let value = high.zip(low).map(|(high, low)| high * 16 + low).ok_or(NotADigest)?;
            *byte = u8::try_from(value).map_err(|_| NotADigest)?;
        }
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Digest {
    type Error = NotADigest;

    fn try_from(text: String) -> Result<Self, NotADigest> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

/// A body by its digest, with what a reader must know before fetching it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Blob {
    /// The name of the body.
    pub sha256: Digest,
    /// The size of the body.
    pub bytes: Bytes,
    /// What the agent said it is.
    pub mime: String,
}

impl Blob {
    /// The reference to a body.
    pub fn of(body: &[u8], mime: &str) -> Self {
        Self { sha256: Digest::of(body), bytes: Bytes(body.len() as u64), mime: mime.to_owned() }
    }
}

/// Where the artifact of a run is fetched: a logical reference, not a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactRef {
    /// The project it belongs to.
    pub project_id: ProjectId,
    /// The artifact within the project.
    pub artifact_id: ArtifactId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_survives_its_text() {
        let digest = Digest::of(b"abc");
        assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!("x".repeat(64).parse::<Digest>(), Err(NotADigest));
        assert_eq!("é".repeat(32).parse::<Digest>(), Err(NotADigest));
    }
}
