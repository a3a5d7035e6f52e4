//! The five panelists of the theater.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A seat on the design jury. The cast is fixed in protocol version 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Drafts and revises the artifact. Does not score.
    Designer,
    /// Hierarchy, type, contrast, rhythm, space.
    Critic,
    /// Token compliance and voice.
    Brand,
    /// Conformance with WCAG: contrast, names, focus, structure.
    A11y,
    /// Completeness and clarity of the text, and its links.
    Copy,
}

impl Role {
    /// Every role, in the order of the lanes.
    pub const ALL: [Self; 5] = [Self::Designer, Self::Critic, Self::Brand, Self::A11y, Self::Copy];

    /// The role as the wire writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Designer => "designer",
            Self::Critic => "critic",
            Self::Brand => "brand",
            Self::A11y => "a11y",
            Self::Copy => "copy",
        }
    }

    /// Where the role stands in [`Role::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such role; the roles are designer, critic, brand, a11y, copy")]
pub struct UnknownRole;

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Self::ALL.into_iter().find(|role| role.as_str().eq_ignore_ascii_case(text)).ok_or(UnknownRole)
    }
}
