//! Names of things: runs, artifacts, projects, agents, skills, advisors, ideas. Ids are minted at the edge and arrive as values.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;
use uuid::Uuid;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdError {
    /// Not the form of a UUID.
    #[error("'{0}' is not a run id")]
    NotAUuid(String),
    /// A name that could leave its folder, or that no file system would take.
    #[error("'{0}' is not a name: use letters, digits, '.', '_' and '-', not beginning with '.', at most 64")]
    NotAName(String),
}

/// One execution of a workflow. A version 7 UUID, so ids sort by the time they were minted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct RunId(pub Uuid);

/// The piece of work that a run reviews; the name of its folder under `.od/artifacts/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct ArtifactId(pub Uuid);

macro_rules! uuid_text {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Uuid::parse_str(text).map(Self).map_err(|_| IdError::NotAUuid(text.to_owned()))
            }
        }
    };
}

uuid_text!(RunId);
uuid_text!(ArtifactId);

/// A project: what runs are grouped and queued by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct ProjectId(String);

/// An agent: what turns a prompt into a stream of text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct AgentId(String);

/// A skill: the name of its folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct SkillId(String);

/// An advisor of the content pipeline.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct AdvisorId(String);

/// A kind of content: the name of its recipe.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct ContentType(String);

/// An idea: the name of the folder with its documents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct IdeaId(String);

/// A kind of foundation document: the name of its file without the ending.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String)]
pub struct DocType(String);

/// What every checked text has around it: `FromStr` says which texts fit.
macro_rules! checked_text {
    ($name:ident) => {
        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = <Self as std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }
    };
}
pub(crate) use checked_text;

macro_rules! name_text {
    ($name:ident) => {
        checked_text!($name);

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                check_name(text).map(|name| Self(name.to_owned()))
            }
        }
    };
}

name_text!(ProjectId);
name_text!(AgentId);
name_text!(SkillId);
name_text!(AdvisorId);
name_text!(ContentType);
name_text!(IdeaId);
name_text!(DocType);

fn check_name(text: &str) -> Result<&str, IdError> {
    let fits = (1..=64).contains(&text.len())
        && !text.starts_with('.')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    if fits { Ok(text) } else { Err(IdError::NotAName(text.to_owned())) }
}

impl AdvisorId {
    /// Who raises what was measured beside the panel. No advisor of a registry has this name.
    pub fn measured() -> Self {
        Self("measured".to_owned())
    }
}

impl ProjectId {
    /// The project of runs that name none.
    pub fn default_project() -> Self {
        Self("default".to_owned())
    }
}

impl AgentId {
    /// The built-in measured panel.
    pub fn house() -> Self {
        Self("house".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_leave_their_folder_are_refused() {
        for bad in ["", ".", "..", ".hidden", "a/b", "a\\b", "a b", "ä", "a\0", &"x".repeat(65)] {
            assert!(bad.parse::<ProjectId>().is_err() && bad.parse::<SkillId>().is_err(), "{bad:?}");
        }
        for good in ["default", "A-1_b.c", &"x".repeat(64)] {
            assert!(good.parse::<ProjectId>().is_ok(), "{good:?}");
        }
    }
}
