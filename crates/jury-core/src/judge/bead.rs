//! Beads: the names of finished agent runs. A bead becomes the name of a file, so it is checked before anything else.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

use crate::id::checked_text;

/// The longest name: with an ending and a number behind it, it still fits the file systems there are.
pub const LONGEST_BEAD_BYTES: usize = 200;

/// The name of a run that was carried out elsewhere: letters, digits, `.`, `_` and `-`, no dot in front.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "bd-4sf")]
pub struct Bead(String);

checked_text!(Bead);

/// A text that is no bead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{0:?} cannot be the bead of a run: use letters, digits, '.', '_' and '-', no dot in front, at most {LONGEST_BEAD_BYTES}"
)]
pub struct NotABead(pub String);

impl FromStr for Bead {
    type Err = NotABead;

    fn from_str(text: &str) -> Result<Self, NotABead> {
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
        if plain && !text.is_empty() && text.len() <= LONGEST_BEAD_BYTES && !text.starts_with('.') {
            return Ok(Self(text.to_owned()));
        }
        // What is shown of a hostile name is bounded as well.
        Err(NotABead(text.chars().take(80).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bead_never_leads_out_of_its_folder() {
        for good in ["bd-4sf", "a.b_c-1", "X", "-x"] {
            assert_eq!(good.parse::<Bead>().map(String::from), Ok(good.to_owned()));
        }
        for bad in ["", ".", "..", "../../escape", "a/b", "a\\b", ".hidden", "a b", "ä", "a\0", "a\n", "$(x)"]
        {
            assert!(bad.parse::<Bead>().is_err(), "{bad:?}");
        }
        assert!("x".repeat(LONGEST_BEAD_BYTES).parse::<Bead>().is_ok());
        let long = "x".repeat(5000).parse::<Bead>().unwrap_err().to_string();
        assert!(long.len() < 400, "{}", long.len());
    }
}
