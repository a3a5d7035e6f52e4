//! The files of templates. Nothing is ever written outside of their folder, and nothing is lost: what is replaced or goes
//! is kept in `.archive`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jury_core::judge::Bead;

use super::places::Places;
use crate::error::{StoreError, io as io_error};
use crate::file::{read_whole, write_whole};

/// The largest template.
const LARGEST: u64 = 1 << 20;

/// The folder of templates.
#[derive(Debug, Clone)]
pub struct Templates {
    folder: PathBuf,
}

impl Templates {
    /// The one of these places.
    pub fn new(places: &Places) -> Self {
        Self { folder: places.templates.clone() }
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

    /// Puts a variant in the place of the original. Both, and what the original was before this one, are kept. False
    /// when there is no such variant.
    pub fn promote(&self, original: &Bead, variant: &Bead) -> Result<bool, StoreError> {
        let Some(better) = self.text(variant)? else { return Ok(false) };
        if let Some(before) = self.text(original)? {
            write_whole(&self.archived(&format!("{original}-pre-{variant}"))?, before.as_bytes())?;
            write_whole(&self.archived(original.as_str())?, before.as_bytes())?;
        }
        write_whole(&self.file(original), better.as_bytes())?;
        self.retire(variant)
    }

    /// Moves a template to the archive. False when it is not there.
    pub fn retire(&self, name: &Bead) -> Result<bool, StoreError> {
        let Some(text) = self.text(name)? else { return Ok(false) };
        write_whole(&self.archived(name.as_str())?, text.as_bytes())?;
        crate::file::remove(&self.file(name))?;
        Ok(true)
    }

    /// Puts the archived text of a template back in its place, and archives what was there under another name. False when
    /// there is none in the archive.
    pub fn restore(&self, name: &Bead, replaced: &str) -> Result<bool, StoreError> {
        let Some(before) = text(&self.archived(name.as_str())?)? else { return Ok(false) };
        if let Some(now) = self.text(name)? {
            write_whole(&self.archived(&format!("{name}-{replaced}"))?, now.as_bytes())?;
        }
        write_whole(&self.file(name), before.as_bytes())?;
        Ok(true)
    }
}

fn text(place: &Path) -> Result<Option<String>, StoreError> {
    if fs::metadata(place).is_ok_and(|found| !found.is_file() || found.len() > LARGEST) {
        let what = format!("a template is a file of at most {LARGEST} bytes");
        return Err(StoreError::Corrupt { path: place.to_owned(), what });
    }
    let Some(bytes) = read_whole(place)? else { return Ok(None) };
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| StoreError::Corrupt { path: place.to_owned(), what: "it is not UTF-8".to_owned() })
}
