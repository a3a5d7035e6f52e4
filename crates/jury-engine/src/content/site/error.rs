//! Why a site could not be published. Each is a line that says what, where, and what to do.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A site that was not published.
#[derive(Debug, Error)]
pub enum SiteError {
    /// The file system did not do it.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The path that the operation failed on.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Somebody else publishes the same site.
    #[error("the site '{slug}' is being published by another process; try again when it is done")]
    Busy {
        /// The name of the site.
        slug: String,
    },
    /// What is to be published is no site.
    #[error("these files are no site: {problem}; assemble it again")]
    NoSite {
        /// What is wrong, for a person.
        problem: String,
    },
    /// The folder of the repository holds something else.
    #[error("{} is there and is no git repository; move it away", .path.display())]
    NoRepo {
        /// The path without a repository.
        path: PathBuf,
    },
    /// Files of ours were changed by somebody else.
    #[error("changed by somebody else since the last build: {}; undo that with git, or take it into the page, and run again", .paths.join(", "))]
    Changed {
        /// The paths that changed.
        paths: Vec<String>,
    },
    /// There are other files where ours should be.
    #[error("there already, and not from an earlier build: {}; move them away and run again", .paths.join(", "))]
    Foreign {
        /// The paths that are not ours.
        paths: Vec<String>,
    },
    /// Git is not there.
    #[error("git cannot be started: {source}; install it")]
    NoGit {
        /// The error of the system.
        source: io::Error,
    },
    /// Git did not do it.
    #[error("git {command}: {problem}")]
    Git {
        /// What it was asked for.
        command: String,
        /// What git printed about it.
        problem: String,
    },
    /// There is no such release.
    #[error("no release '{wanted}' of '{slug}'; there are {known}")]
    NoRelease {
        /// The name of the site.
        slug: String,
        /// What was asked for.
        wanted: String,
        /// The releases that are there.
        known: String,
    },
    /// Nothing was published before what is served.
    #[error("there is no earlier release of '{slug}' to go back to")]
    NothingBefore {
        /// The name of the site.
        slug: String,
    },
    /// A release is not as it was built.
    #[error("release {release} is damaged: {path} is not as it was built; publish again")]
    Damaged {
        /// The name of the release.
        release: String,
        /// The first file that is not.
        path: String,
    },
}

impl SiteError {
    /// The label of this error in logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::Busy { .. } => "busy",
            Self::NoSite { .. } => "no_site",
            Self::NoRepo { .. } => "no_repo",
            Self::Changed { .. } => "changed",
            Self::Foreign { .. } => "foreign",
            Self::NoGit { .. } => "no_git",
            Self::Git { .. } => "git",
            Self::NoRelease { .. } => "no_release",
            Self::NothingBefore { .. } => "nothing_before",
            Self::Damaged { .. } => "damaged",
        }
    }
}
