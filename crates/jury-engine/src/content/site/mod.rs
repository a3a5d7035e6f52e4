//! Publishing: the files of a site into a repository, into a release that is switched to in one step, and fetched again.
//!
//! ```text
//! sites/<slug>/repo/          a git repository: our files, and whatever else somebody keeps there
//! sites/<slug>/releases/<id>  every release, whole; the last five are kept
//! sites/<slug>/current        a link to the release that is served
//! sites/<slug>/history.json   the releases in the order in which they were published
//! sites/<slug>/lock           locked while somebody publishes
//! ```
//!
//! [`create_repo`], [`push_files`], [`deploy`] and [`rollback`] block, and hold the lock of the site while they work; call
//! them where blocking is allowed. Whenever a process dies, what was served is served, or what it had just put there.

mod disk;
mod error;
mod git;
mod preview_server;
mod publish;
mod release;
mod repo;
mod verify;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jury_core::content::IdeaId;

pub use error::SiteError;
pub use publish::{Publishing, publish_with};
pub use release::{KEPT, ServedRelease, Target, deploy, releases, rollback, served};
pub use repo::{PushResult, Repo, create_repo, push_files, push_remote};
pub use verify::{ServingProblem, VerifyResult, verify};

/// How long one waits for somebody else who publishes the same site.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);

/// The place of one site in a data directory. Its slug is the idea's id, which is the name of a folder and never a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFolder {
    slug: IdeaId,
    folder: PathBuf,
}

impl SiteFolder {
    /// The site of an idea.
    pub fn new(data_dir: &Path, slug: &IdeaId) -> Self {
        Self { slug: slug.clone(), folder: sites(data_dir).join(slug.as_str()) }
    }

    /// What it is called in addresses.
    pub fn slug(&self) -> &IdeaId {
        &self.slug
    }

    /// The folder of the whole site.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of the repository.
    pub fn repo(&self) -> PathBuf {
        self.folder.join("repo")
    }

    /// The folder of the releases.
    pub fn releases(&self) -> PathBuf {
        self.folder.join("releases")
    }

    /// The link to what is served.
    pub fn current(&self) -> PathBuf {
        self.folder.join("current")
    }

    /// Waits until nobody else publishes this site. The system takes the lock back when the process dies.
    fn lock(&self) -> Result<File, SiteError> {
        disk::make_folder(&self.folder)?;
        let path = self.folder.join("lock");
        let io = disk::failed(&path);
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(&io)?;
        let end = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(std::fs::TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(PAUSE),
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(SiteError::Busy { slug: self.slug.to_string() });
                }
                Err(std::fs::TryLockError::Error(source)) => return Err(io(source)),
            }
        }
    }
}

/// Where the sites of a data directory are.
pub fn sites(data_dir: &Path) -> PathBuf {
    data_dir.join("sites")
}
