//! Releases: whole folders, of which one is served. Which one is a link that is replaced in one step.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use jury_core::artifact::Digest;
use jury_core::line;
use jury_text::site::{BUILD_FILE, Build, SiteFiles};
use serde_json as json;

use super::{SiteError, SiteFolder, disk, push_remote};

/// How many releases are kept.
pub const KEPT: usize = 5;

/// Where a site is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Here: the daemon serves it.
    Local,
    /// By pushing its repository to a remote that publishes what it gets.
    GitRemote {
        /// A URL, a path or the name of a remote.
        remote: String,
    },
}

/// A release that is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedRelease {
    /// Its name; none when a remote serves it.
    pub release: Option<String>,
    /// The one before it.
    pub before: Option<String>,
}

/// Publishes the files of a site. For a remote they have to be in the repository ([`super::push_files`]).
pub fn deploy(site: &SiteFolder, files: &SiteFiles, target: &Target) -> Result<ServedRelease, SiteError> {
    match target {
        Target::Local => deploy_here(site, files),
        Target::GitRemote { remote } => {
            push_remote(site, remote)?;
            Ok(ServedRelease { release: None, before: None })
        }
    }
}

fn deploy_here(site: &SiteFolder, files: &SiteFiles) -> Result<ServedRelease, SiteError> {
    let list = files.get(BUILD_FILE);
    let build = list.and_then(|bytes| Build::read(bytes));
    let (Some(list), Some(build)) = (list, build) else {
        return Err(SiteError::NoSite { problem: format!("{BUILD_FILE} cannot be read") });
    };
    for file in &build.files {
        if files.get(&file.path).map(|bytes| Digest::of(bytes)) != Some(file.sha256) {
            return Err(SiteError::NoSite { problem: format!("{} is not as it was built", file.path) });
        }
    }
    let _lock = site.lock()?;
    let releases = site.releases();
    disk::make_folder(&releases)?;
    let digest = Digest::of(list).to_string();
    let release = free_or_whole(site, &digest);
    if !releases.join(&release).is_dir() {
        let draft = disk::draft(&releases);
        fs::create_dir(&draft).map_err(disk::failed(&draft))?;
        let listed = build.files.iter().map(|file| file.path.as_str()).chain([BUILD_FILE]);
        for path in listed {
            disk::make_folders_below(&draft, path)?;
            disk::write_new(&draft.join(path), files.get(path).map_or(&[], Vec::as_slice))?;
        }
        sync_all(&draft)?;
        let place = releases.join(&release);
        fs::rename(&draft, &place).map_err(disk::failed(&place))?;
        disk::sync_folder(&releases)?;
    }
    let before = served(site)?;
    let mut history = history(site)?;
    // A process that died after it had switched did not write this down.
    if let Some(before) = before.as_ref().filter(|before| !history.contains(before)) {
        history.push(before.clone());
    }
    switch(site, &release)?;
    history.retain(|known| *known != release);
    history.push(release.clone());
    let surplus = history.len().saturating_sub(KEPT);
    history.drain(..surplus);
    keep(site, &history)?;
    prune(site, &history)?;
    Ok(ServedRelease { release: Some(release), before })
}

/// The name of the release with this digest that is whole, or one that is free: what is damaged is not mended under the
/// eyes of readers.
fn free_or_whole(site: &SiteFolder, digest: &str) -> String {
    let mut name = digest.to_owned();
    let mut number = 2;
    while disk::is_there(&site.releases().join(&name)) {
        if check(site, &name).is_ok() {
            break;
        }
        name = format!("{digest}-{number}");
        number += 1;
    }
    name
}

/// Serves another release that is still there: the one named, by its beginning, or the one before what is served.
pub fn rollback(site: &SiteFolder, to: Option<&str>) -> Result<ServedRelease, SiteError> {
    let _lock = site.lock()?;
    let before = served(site)?;
    let all = known(site)?;
    let missing = |wanted: &str| SiteError::NoRelease {
        slug: site.slug().to_string(),
        wanted: line::cut(wanted, 80),
        known: if all.is_empty() { "none".to_owned() } else { all.join(", ") },
    };
    let release = if let Some(wanted) = to {
        let whole = all.iter().find(|known| *known == wanted);
        let mut fits = all.iter().filter(|known| wanted.len() >= 6 && known.starts_with(wanted));
        let only = fits.next().filter(|_| fits.next().is_none());
        whole.or(only).ok_or_else(|| missing(wanted))?
    } else {
        let place = before.as_ref().and_then(|before| all.iter().position(|known| known == before));
        let earlier = place.and_then(|place| place.checked_sub(1)).and_then(|place| all.get(place));
        earlier.ok_or_else(|| SiteError::NothingBefore { slug: site.slug().to_string() })?
    };
    check(site, release)?;
    switch(site, release)?;
    Ok(ServedRelease { release: Some(release.clone()), before })
}

/// The release that is served.
pub fn served(site: &SiteFolder) -> Result<Option<String>, SiteError> {
    let link = site.current();
    match fs::read_link(&link) {
        Ok(target) => Ok(target.file_name().and_then(|name| name.to_str()).map(str::to_owned)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(disk::failed(&link)(error)),
    }
}

/// The releases that are still there, in the order in which they were published.
pub fn releases(site: &SiteFolder) -> Result<Vec<String>, SiteError> {
    known(site)
}

fn known(site: &SiteFolder) -> Result<Vec<String>, SiteError> {
    let there: Vec<String> =
        disk::names(&site.releases())?.into_iter().filter(|name| !name.starts_with('.')).collect();
    let mut known: Vec<String> = history(site)?.into_iter().filter(|name| there.contains(name)).collect();
    if let Some(now) = served(site)?.filter(|now| there.contains(now) && !known.contains(now)) {
        known.push(now);
    }
    Ok(known)
}

/// Whether a release is as it was built.
fn check(site: &SiteFolder, release: &str) -> Result<(), SiteError> {
    let folder = site.releases().join(release);
    let damaged = |path: &str| SiteError::Damaged { release: release.to_owned(), path: path.to_owned() };
    let list = disk::read(&folder.join(BUILD_FILE))?.ok_or_else(|| damaged(BUILD_FILE))?;
    if !release.starts_with(&Digest::of(&list).to_string()) {
        return Err(damaged(BUILD_FILE));
    }
    let build = Build::read(&list).ok_or_else(|| damaged(BUILD_FILE))?;
    for file in &build.files {
        if disk::read(&folder.join(&file.path))?.map(|bytes| Digest::of(&bytes)) != Some(file.sha256) {
            return Err(damaged(&file.path));
        }
    }
    Ok(())
}

/// From here on the release is served: the link is replaced in one step.
fn switch(site: &SiteFolder, release: &str) -> Result<(), SiteError> {
    let (link, draft) = (site.current(), disk::draft(site.folder()));
    symlink(Path::new("releases").join(release), &draft).map_err(disk::failed(&draft))?;
    fs::rename(&draft, &link).map_err(disk::failed(&link))?;
    disk::sync_folder(site.folder())
}

fn history(site: &SiteFolder) -> Result<Vec<String>, SiteError> {
    let bytes = disk::read(&site.folder().join("history.json"))?.unwrap_or_default();
    // A history that cannot be read is none: what is served is in the link.
    Ok(json::from_slice(&bytes).unwrap_or_default())
}

fn keep(site: &SiteFolder, history: &[String]) -> Result<(), SiteError> {
    let bytes = json::to_vec_pretty(history).unwrap_or_default();
    disk::put(&site.folder().join("drafts"), &site.folder().join("history.json"), &bytes)
}

/// Removes releases beyond those that are kept, and what processes that died left behind.
fn prune(site: &SiteFolder, history: &[String]) -> Result<(), SiteError> {
    let now = served(site)?;
    for name in disk::names(&site.releases())? {
        if !history.contains(&name) && now.as_ref() != Some(&name) {
            let folder = site.releases().join(&name);
            fs::remove_dir_all(&folder).map_err(disk::failed(&folder))?;
        }
    }
    for name in disk::names(site.folder())?.into_iter().filter(|name| name.starts_with(".new-")) {
        let path = site.folder().join(name);
        fs::remove_file(&path).map_err(disk::failed(&path))?;
    }
    let drafts = site.folder().join("drafts");
    for name in disk::names(&drafts)? {
        let path = drafts.join(name);
        fs::remove_file(&path).map_err(disk::failed(&path))?;
    }
    Ok(())
}

/// Makes the names in a folder and in all folders below it last.
fn sync_all(folder: &Path) -> Result<(), SiteError> {
    for name in disk::names(folder)? {
        let path = folder.join(name);
        if path.is_dir() {
            sync_all(&path)?;
        }
    }
    disk::sync_folder(folder)
}
