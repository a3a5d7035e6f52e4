//! Workflows: the ways of reviewing, and how a run of any of them ended.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::content::Standing as ContentStanding;
use crate::critic::Standing;
use crate::judge::Standing as JudgeStanding;
use crate::outcome::{Status, UnknownWord, words};

/// A way of reviewing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Workflow {
    /// A panel over a page.
    Theater,
    /// Criteria over a document, pass after pass.
    Critic,
    /// Judges over a finished run of a coding agent.
    Judge,
    /// A piece that is written, reviewed by chosen advisors, revised and published.
    Content,
}

words!(Workflow { Theater = "theater", Critic = "critic", Judge = "judge", Content = "content" });

/// How a run ended, in the words of its workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// See [`Status`].
    Theater(Status),
    /// See [`Standing`].
    Critic(Standing),
    /// See [`JudgeStanding`].
    Judge(JudgeStanding),
    /// See [`ContentStanding`].
    Content(ContentStanding),
}

impl Ending {
    /// The word of a workflow.
    pub fn read(workflow: Workflow, word: &str) -> Result<Self, UnknownWord> {
        match workflow {
            Workflow::Theater => word.parse().map(Self::Theater),
            Workflow::Critic => word.parse().map(Self::Critic),
            Workflow::Judge => word.parse().map(Self::Judge),
            Workflow::Content => word.parse().map(Self::Content),
        }
    }

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Theater(status) => status.as_str(),
            Self::Critic(standing) => standing.as_str(),
            Self::Judge(standing) => standing.as_str(),
            Self::Content(standing) => standing.as_str(),
        }
    }

    /// The exit code of a command that gates on it.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Theater(status) => status.exit_code(),
            Self::Critic(standing) => standing.exit_code(),
            Self::Judge(standing) => standing.exit_code(),
            Self::Content(standing) => standing.exit_code(),
        }
    }

    /// How a panel's run ended, if it was one.
    pub fn status(self) -> Option<Status> {
        match self {
            Self::Theater(status) => Some(status),
            Self::Critic(_) | Self::Judge(_) | Self::Content(_) => None,
        }
    }
}

impl From<Status> for Ending {
    fn from(status: Status) -> Self {
        Self::Theater(status)
    }
}

impl From<Standing> for Ending {
    fn from(standing: Standing) -> Self {
        Self::Critic(standing)
    }
}

impl From<JudgeStanding> for Ending {
    fn from(standing: JudgeStanding) -> Self {
        Self::Judge(standing)
    }
}

impl From<ContentStanding> for Ending {
    fn from(standing: ContentStanding) -> Self {
        Self::Content(standing)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Ending {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_in_its_workflow() {
        for status in Status::ALL {
            assert_eq!(Ending::read(Workflow::Theater, status.as_str()), Ok(Ending::Theater(*status)));
        }
        for standing in Standing::ALL {
            assert_eq!(Ending::read(Workflow::Critic, standing.as_str()), Ok(Ending::Critic(*standing)));
        }
        for standing in JudgeStanding::ALL {
            assert_eq!(Ending::read(Workflow::Judge, standing.as_str()), Ok(Ending::Judge(*standing)));
        }
        for standing in ContentStanding::ALL {
            assert_eq!(Ending::read(Workflow::Content, standing.as_str()), Ok(Ending::Content(*standing)));
        }
        assert!(Ending::read(Workflow::Critic, "shipped").is_err());
        assert!(Ending::read(Workflow::Judge, "converged").is_err());
    }
}
