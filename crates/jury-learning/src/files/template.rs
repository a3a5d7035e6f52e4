//! The files of templates. Nothing is ever written outside of their folder, and nothing is lost: what is replaced or goes
//! is kept in `.archive`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jury_core::judge::Bead;
use jury_store::StoreError;
use jury_store::file::{io_error, read_whole, write_whole};

use super::paths::LearningPaths;

/// The largest template that is read.
const LARGEST_TEMPLATE_BYTES: u64 = 1 << 20;

/// The folder of templates.
#[derive(Debug, Clone)]
pub struct Templates {
    folder: PathBuf,
}

impl Templates {
    /// The one of these paths.
    pub fn new(paths: &LearningPaths) -> Self {
        Self { folder: paths.templates.clone() }
    }

    /// Where a template is.
    pub fn file(&self, name: &Bead) -> PathBuf {
        self.folder.join(format!("{name}.md"))
    }

    fn archived(&self, name: &str) -> Result<PathBuf, StoreError> {
        let folder = self.folder.join(".archive");
        // A link would lead out of the folder.
        match fs::symlink_metadata(&folder) {
            Ok(found) if !found.is_dir() => return Err(StoreError::NotADirectory(folder)),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(io_error(&folder)(error)),
        }
        Ok(folder.join(format!("{name}.md")))
    }

    /// The text of a template, if it is there.
    pub fn text(&self, name: &Bead) -> Result<Option<String>, StoreError> {
        text(&self.file(name))
    }

    /// The names of all templates, those in the archive included.
    pub fn known(&self) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::new();
        for folder in [self.folder.clone(), self.folder.join(".archive")] {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(io_error(&folder)(error)),
            };
            for entry in entries {
                let name = entry.map_err(io_error(&folder))?.file_name();
                names.extend(name.to_str().and_then(|name| name.strip_suffix(".md")).map(str::to_owned));
            }
        }
        Ok(names)
    }

    /// A template that was not there. False when one was, and it stays.
    pub fn create(&self, name: &Bead, text: &str) -> Result<bool, StoreError> {
        let place = self.file(name);
        if fs::symlink_metadata(&place).is_ok() {
            return Ok(false);
        }
        write_whole(&place, text.as_bytes()).map(|()| true)
    }

    /// Puts a variant in the place of the original. Both, and what the original was before this one, are kept. Whoever
    /// died on the way is followed up: an original that reads like its variant was archived before. False when there is
    /// no such variant.
    pub fn promote(&self, original: &Bead, variant: &Bead) -> Result<bool, StoreError> {
        let before = self.text(original)?;
        let Some(better) = self.text(variant)? else {
            // It may have taken its place already, with nobody left to say so.
            let archived = text(&self.archived(variant.as_str())?)?;
            let since = text(&self.archived(&format!("{original}-pre-{variant}"))?)?;
            return Ok(since.is_some() && archived.is_some() && archived == before);
        };
        if let Some(before) = before.filter(|before| *before != better) {
            self.archive(&format!("{original}-pre-{variant}"), &before)?;
            self.archive(original.as_str(), &before)?;
        }
        write_whole(&self.file(original), better.as_bytes())?;
        self.retire(variant)
    }

    /// Puts a text into the archive. Another one that has its name there is kept under a name of its own.
    fn archive(&self, name: &str, body: &str) -> Result<(), StoreError> {
        let place = self.archived(name)?;
        match text(&place)? {
            Some(there) if there == body => return Ok(()),
            Some(there) if !self.is_kept(name, &there)? => {
                for number in 1_u32.. {
                    let free = self.archived(&format!("{name}-kept-{number}"))?;
                    if fs::symlink_metadata(&free).is_err() {
                        write_whole(&free, there.as_bytes())?;
                        break;
                    }
                }
            }
            _ => {}
        }
        write_whole(&place, body.as_bytes())
    }

    /// Whether the archive has this text of a template under another of its names.
    fn is_kept(&self, name: &str, body: &str) -> Result<bool, StoreError> {
        let folder = self.folder.join(".archive");
        for entry in fs::read_dir(&folder).map_err(io_error(&folder))? {
            let entry = entry.map_err(io_error(&folder))?;
            let other = entry.file_name();
            let other = other.to_str().and_then(|other| other.strip_suffix(".md"));
            let ours = other.is_some_and(|other| {
                other
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with("-pre-") || rest.starts_with("-kept-"))
            });
            if ours && text(&entry.path())?.as_deref() == Some(body) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves a template to the archive. False when it is not there.
    pub fn retire(&self, name: &Bead) -> Result<bool, StoreError> {
        let Some(text) = self.text(name)? else { return Ok(false) };
        self.archive(name.as_str(), &text)?;
        jury_store::file::remove(&self.file(name))?;
        Ok(true)
    }

    /// Puts the archived text of a template back in its place, and archives what was there under another name. False when
    /// there is none in the archive.
    pub fn restore(&self, name: &Bead, replaced: &str) -> Result<bool, StoreError> {
        let Some(before) = text(&self.archived(name.as_str())?)? else { return Ok(false) };
        if let Some(now) = self.text(name)?.filter(|now| *now != before) {
            self.archive(&format!("{name}-{replaced}"), &now)?;
        }
        write_whole(&self.file(name), before.as_bytes())?;
        Ok(true)
    }
}

fn text(place: &Path) -> Result<Option<String>, StoreError> {
    if fs::metadata(place).is_ok_and(|found| !found.is_file() || found.len() > LARGEST_TEMPLATE_BYTES) {
        let what = format!("a template is a file of at most {LARGEST_TEMPLATE_BYTES} bytes");
        return Err(StoreError::Corrupt { path: place.to_owned(), what });
    }
    let Some(bytes) = read_whole(place)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| StoreError::Corrupt { path: place.to_owned(), what: "it is not UTF-8".to_owned() })
}
