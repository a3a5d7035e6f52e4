//! Where repaired copies go: below one folder, each page at the place that it has below the folder all of them share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::command::whole;
use crate::document;
use crate::refusal::Refusal;

/// The places of the copies, by page.
#[derive(Debug)]
pub(super) struct Copies {
    places: BTreeMap<PathBuf, PathBuf>,
}

impl Copies {
    /// Finds out before anything is measured that a copy would replace a page.
    pub(super) fn plan(folder: &Path, pages: &[PathBuf]) -> Result<Self, Refusal> {
        if folder.exists() && !folder.is_dir() {
            return Err(Refusal::usage(format!("--repair {}: it is not a folder", folder.display())));
        }
        let absolute = |page: &Path| page.canonicalize().unwrap_or_else(|_| page.to_owned());
        let files: Vec<PathBuf> =
            pages.iter().filter(|page| !document::is_stdin(page)).map(|page| absolute(page)).collect();
        let shared = shared_folder(&files);
        let mut places = BTreeMap::new();
        for page in pages {
            let place = if document::is_stdin(page) {
                folder.join("stdin.html")
            } else {
                let below = absolute(page);
                folder.join(below.strip_prefix(&shared).unwrap_or(&below))
            };
            if files.contains(&absolute(&place)) {
                return Err(Refusal::usage(format!(
                    "--repair {}: the copy of {} would replace a page; name another folder",
                    folder.display(),
                    page.display()
                )));
            }
            places.insert(page.clone(), place);
        }
        Ok(Self { places })
    }

    /// Writes a page that was changed, and says where.
    pub(super) fn write(&self, page: &Path, html: &str) -> Result<PathBuf, Refusal> {
        let Some(place) = self.places.get(page) else {
            return Err(Refusal::inconclusive(format!("no place for the copy of {}", page.display())));
        };
        if let Some(folder) = place.parent() {
            std::fs::create_dir_all(folder).map_err(|error| document::cannot_write(folder, &error))?;
        }
        whole::write(place, html.as_bytes()).map_err(|error| document::cannot_write(place, &error))?;
        Ok(place.clone())
    }
}

/// The deepest folder that all of them are below.
fn shared_folder(files: &[PathBuf]) -> PathBuf {
    let mut folders = files.iter().map(|file| file.parent().unwrap_or(Path::new("")).to_owned());
    let Some(mut shared) = folders.next() else { return PathBuf::new() };
    for folder in folders {
        while !folder.starts_with(&shared) {
            if !shared.pop() {
                break;
            }
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_keep_their_place_below_the_shared_folder() {
        let files = ["/s/a/x.html", "/s/a/b/y.html", "/s/c/z.html"].map(PathBuf::from);
        assert_eq!(shared_folder(&files), Path::new("/s"));
        assert_eq!(shared_folder(&files[..2]), Path::new("/s/a"));
        assert_eq!(shared_folder(&[]), Path::new(""));
    }
}
