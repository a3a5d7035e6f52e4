//! The repository of a site: our files are written and removed, and nothing else is touched.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jury_core::artifact::Digest;
use jury_core::id::RunId;
use jury_text::site::{BUILD_FILE, Build, SiteFiles};

use super::git::{self, LOCAL, REMOTE};
use super::{SiteError, SiteFolder, disk};

/// The repository of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repo {
    /// The path of the repository.
    pub path: PathBuf,
    /// Whether it was there before.
    pub existed: bool,
}

/// What became of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushResult {
    /// The commit that holds them.
    pub commit: String,
    /// Whether it is a new one.
    pub committed: bool,
    /// How many files are not as they were before it.
    pub changed: u32,
    /// Whether a remote has it.
    pub pushed: bool,
}

/// The branch of a repository that we make.
const BRANCH: &str = "main";

/// The repository of a site: the one that is there, or a new one.
pub fn create_repo(site: &SiteFolder) -> Result<Repo, SiteError> {
    let _lock = site.lock()?;
    let path = site.repo();
    let existed = path.join(".git").is_dir();
    if !existed {
        if disk::is_there(&path) && (!path.is_dir() || !disk::names(&path)?.is_empty()) {
            return Err(SiteError::NoRepo { path });
        }
        disk::make_folder(&path)?;
    }
    // One that was cut off while it was made is finished; for one that is whole this changes nothing.
    git::done(&path, &["init", "--quiet", "--initial-branch", BRANCH, "."], LOCAL)?;
    Ok(Repo { path, existed })
}

/// Puts the files of a site into its repository and commits them: nothing else is written, removed or committed.
///
/// Refuses when one of our files was changed by somebody else, or when somebody's file is where ours should be. A build
/// that is there already is no new commit. With a remote, what the branch holds is pushed there, never by force.
pub fn push_files(
    site: &SiteFolder,
    files: &SiteFiles,
    run: RunId,
    content: Digest,
    remote: Option<&str>,
) -> Result<PushResult, SiteError> {
    let _lock = site.lock()?;
    let repo = site.repo();
    if !repo.join(".git").is_dir() {
        return Err(SiteError::NoRepo { path: repo });
    }
    let build = files.get(BUILD_FILE).and_then(|bytes| Build::read(bytes));
    let build = build.ok_or_else(|| SiteError::NoSite { problem: format!("{BUILD_FILE} cannot be read") })?;
    let new = digests(&build, files.get(BUILD_FILE).map_or(&[], Vec::as_slice));
    if let Some(path) =
        new.keys().find(|path| files.get(*path).map(|bytes| Digest::of(bytes)) != new.get(*path).copied())
    {
        return Err(SiteError::NoSite { problem: format!("{path} is not as it was built") });
    }
    let old = committed(&repo)?;
    // What an earlier process was about to write when it died is ours, too.
    let pending_place = site.folder().join("pending.json");
    let pending = disk::read(&pending_place)?;
    let pending = pending.and_then(|bytes| Some(digests(&Build::read(&bytes)?, &bytes))).unwrap_or_default();
    refuse(&repo, &old, &pending, &new)?;
    let drafts = site.folder().join("drafts");
    disk::put(&drafts, &pending_place, files.get(BUILD_FILE).map_or(&[], Vec::as_slice))?;
    for (path, bytes) in files {
        let place = repo.join(path);
        if disk::read(&place)?.as_deref() != Some(bytes) {
            disk::make_folders_below(&repo, path)?;
            disk::put(&drafts, &place, bytes)?;
        }
    }
    let gone: Vec<&String> =
        old.keys().chain(pending.keys()).filter(|path| !new.contains_key(*path)).collect();
    for path in &gone {
        remove(&repo, path)?;
    }
    let changed = commit(&repo, &new, &old, run, content)?;
    fs::remove_file(&pending_place).map_err(disk::failed(&pending_place))?;
    let head = git::done(&repo, &["rev-parse", "--verify", "HEAD"], LOCAL)?;
    let commit = String::from_utf8_lossy(&head).trim().to_owned();
    if let Some(remote) = remote {
        push(&repo, remote)?;
    }
    Ok(PushResult { commit, committed: changed > 0, changed, pushed: remote.is_some() })
}

/// Pushes what the repository of a site holds to a remote, never by force: for targets that publish what is pushed.
pub fn push_remote(site: &SiteFolder, remote: &str) -> Result<(), SiteError> {
    let _lock = site.lock()?;
    push(&site.repo(), remote)
}

fn push(repo: &Path, remote: &str) -> Result<(), SiteError> {
    if remote.trim().is_empty() || remote.starts_with('-') || remote.chars().any(char::is_control) {
        let problem = "the remote is no address; give a URL, a path or the name of a remote".to_owned();
        return Err(SiteError::Git { command: "push".to_owned(), problem });
    }
    // A path is meant from where we are, and git starts in the repository.
    let path =
        Path::new(remote).canonicalize().ok().and_then(|path| path.into_os_string().into_string().ok());
    let remote = path.as_deref().unwrap_or(remote);
    let branch = git::done(repo, &["symbolic-ref", "--short", "HEAD"], LOCAL)?;
    let branch = format!("HEAD:refs/heads/{}", String::from_utf8_lossy(&branch).trim());
    git::done(repo, &["push", "--quiet", "--no-verify", "--", remote, &branch], REMOTE).map(drop)
}

type Digests = BTreeMap<String, Digest>;

/// Every file of a build with its digest, the list itself included.
fn digests(build: &Build, list: &[u8]) -> Digests {
    let files = build.files.iter().map(|file| (file.path.clone(), file.sha256));
    files.chain([(BUILD_FILE.to_owned(), Digest::of(list))]).collect()
}

/// The files of the build that was committed last; none before the first.
fn committed(repo: &Path) -> Result<Digests, SiteError> {
    let list = format!("HEAD:{BUILD_FILE}");
    let said = git::call(repo, &["cat-file", "blob", &list], LOCAL)?;
    if !said.yes {
        return Ok(Digests::new());
    }
    match Build::read(&said.out) {
        Some(build) => Ok(digests(&build, &said.out)),
        None => Err(SiteError::Foreign { paths: vec![BUILD_FILE.to_owned()] }),
    }
}

/// Says no when something that is not ours would be lost.
fn refuse(repo: &Path, old: &Digests, pending: &Digests, new: &Digests) -> Result<(), SiteError> {
    let (mut changed, mut foreign) = (Vec::new(), Vec::new());
    for path in old.keys().chain(new.keys().filter(|path| !old.contains_key(*path))) {
        let place = repo.join(path);
        let Some(bytes) = disk::read(&place)? else {
            // Something that is no file: a folder or a link of somebody's.
            if disk::is_there(&place) {
                foreign.push(path.clone());
            }
            continue;
        };
        let is = Some(Digest::of(&bytes));
        let ours = [old.get(path), pending.get(path), new.get(path)].iter().any(|known| known.copied() == is);
        if !ours && old.contains_key(path) {
            changed.push(path.clone());
        } else if !ours {
            foreign.push(path.clone());
        }
    }
    if !changed.is_empty() {
        return Err(SiteError::Changed { paths: changed });
    }
    if !foreign.is_empty() {
        return Err(SiteError::Foreign { paths: foreign });
    }
    Ok(())
}

/// Removes a file, and the folders that are empty without it.
fn remove(repo: &Path, path: &str) -> Result<(), SiteError> {
    let place = repo.join(path);
    // A link on the way would lead to somebody else's file.
    disk::make_folders_below(repo, path)?;
    match fs::remove_file(&place) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(disk::failed(&place)(error)),
    }
    let mut folder = place.parent();
    while let Some(empty) = folder.filter(|folder| *folder != repo) {
        if fs::remove_dir(empty).is_err() {
            break;
        }
        folder = empty.parent();
    }
    Ok(())
}

/// Commits our files and no others, whatever else is staged. Says how many of them were not as they are now.
fn commit(repo: &Path, new: &Digests, old: &Digests, run: RunId, content: Digest) -> Result<u32, SiteError> {
    let mut add = vec!["add", "--force", "--"];
    add.extend(new.keys().map(String::as_str));
    git::done(repo, &add, LOCAL)?;
    // What git does not know cannot be named when it is gone.
    let tracked = git::done(repo, &["ls-files", "-z", "--cached"], LOCAL)?;
    let tracked = String::from_utf8_lossy(&tracked).into_owned();
    let tracked: Vec<&str> = tracked.split('\0').collect();
    let in_head = git::call(repo, &["ls-tree", "-r", "-z", "--name-only", "HEAD"], LOCAL)?;
    let in_head = String::from_utf8_lossy(&in_head.out).into_owned();
    let in_head: Vec<&str> = in_head.split('\0').collect();
    let gone = old.keys().map(String::as_str).filter(|path| !new.contains_key(*path));
    let gone = gone.filter(|path| tracked.contains(path) || in_head.contains(path));
    let paths: Vec<&str> = new.keys().map(String::as_str).chain(gone).collect();
    let mut status = vec!["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--"];
    status.extend(&paths);
    let status = git::done(repo, &status, LOCAL)?;
    let changed = status.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()).count();
    if changed == 0 {
        return Ok(0);
    }
    let message = format!("Build the site\n\nRun: {run}\nContent: {content}");
    let mut commit = vec!["commit", "--quiet", "--no-verify", "--only", "--message", &message, "--"];
    commit.extend(&paths);
    git::done(repo, &commit, LOCAL)?;
    Ok(u32::try_from(changed).unwrap_or(u32::MAX))
}
