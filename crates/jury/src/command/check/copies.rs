//! Where repaired copies go: below one folder, each page at the place that it has below the folder all of them share.
//! Nothing is replaced but earlier copies, as they were written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jury_core::artifact::Digest;

use crate::command::atomic_write;
use crate::document;
use crate::refusal::Refusal;

/// What was written into the folder, a line for each copy as `sha256sum` has it. Whatever else lies there is somebody's
/// work.
const LIST: &str = ".jury-copies";

/// The places of the copies, by page.
#[derive(Debug)]
pub(super) struct Copies {
    folder: PathBuf,
    places: BTreeMap<PathBuf, PathBuf>,
    /// What was written by now, as lines of the list.
    written: BTreeSet<String>,
}

impl Copies {
    /// Finds out before anything is measured that a copy would replace a page, or anything else that is no copy.
    pub(super) fn plan(folder: &Path, pages: &[PathBuf]) -> Result<Self, Refusal> {
        let refused = |why: String| Refusal::usage(format!("--repair {}: {why}", folder.display()));
        if folder.exists() && !folder.is_dir() {
            return Err(refused("it is not a folder".to_owned()));
        }
        let written = match fs::read_to_string(folder.join(LIST)) {
            Ok(list) => list.lines().map(str::to_owned).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeSet::new(),
            Err(error) => return Err(refused(format!("cannot read {LIST} in it: {error}"))),
        };
        let mut copies = Self { folder: folder.to_owned(), places: BTreeMap::new(), written };
        let absolute = |page: &Path| page.canonicalize().unwrap_or_else(|_| page.to_owned());
        let files: BTreeSet<PathBuf> =
            pages.iter().filter(|page| !document::is_stdin(page)).map(|page| absolute(page)).collect();
        let shared = shared_folder(&files);
        let mut taken: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for page in pages {
            let own = absolute(page);
            let below = if document::is_stdin(page) {
                Path::new("stdin.html")
            } else {
                own.strip_prefix(&shared).unwrap_or(&own)
            };
            let path = folder.join(below);
            let shown = page.display();
            if files.contains(&absolute(&path)) {
                return Err(refused(format!(
                    "the copy of {shown} would replace a page; name another folder"
                )));
            }
            if let Some(other) = taken.insert(path.clone(), own.clone()).filter(|other| *other != own) {
                let other = other.display();
                return Err(refused(format!(
                    "the copies of {shown} and {other} would be one file; repair one by itself"
                )));
            }
            if !copies.may_be_replaced(&path, below) {
                return Err(refused(format!(
                    "the copy of {shown} would replace {}, which is no copy or was changed since; move it, or name another folder",
                    path.display()
                )));
            }
            copies.places.insert(page.clone(), path);
        }
        Ok(copies)
    }

    /// Whether there is nothing, or a copy as it was written.
    fn may_be_replaced(&self, path: &Path, below: &Path) -> bool {
        match fs::read(path) {
            Ok(body) => self.written.contains(&line(&body, below)),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }

    /// Writes a page that was changed, and says where.
    pub(super) fn write(&mut self, page: &Path, html: &str) -> Result<PathBuf, Refusal> {
        let Some(place) = self.places.get(page) else {
            return Err(Refusal::inconclusive(format!("no place for the copy of {}", page.display())));
        };
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(|error| document::cannot_write(folder, &error))?;
        }
        // The line comes first: a copy without its line could never be replaced.
        let line = line(html.as_bytes(), place.strip_prefix(&self.folder).unwrap_or(place));
        if !self.written.contains(&line) {
            let list = self.folder.join(LIST);
            add(&list, &line).map_err(|error| document::cannot_write(&list, &error))?;
            self.written.insert(line);
        }
        atomic_write::write(place, html.as_bytes()).map_err(|error| document::cannot_write(place, &error))?;
        Ok(place.clone())
    }
}

fn line(body: &[u8], below: &Path) -> String {
    format!("{}  {}", Digest::of(body), below.display())
}

fn add(list: &Path, line: &str) -> io::Result<()> {
    fs::File::options().create(true).append(true).open(list)?.write_all(format!("{line}\n").as_bytes())
}

/// The deepest folder that all of them are below.
fn shared_folder(files: &BTreeSet<PathBuf>) -> PathBuf {
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
        let shared = |files: &[&str]| shared_folder(&files.iter().map(PathBuf::from).collect());
        assert_eq!(shared(&["/s/a/x.html", "/s/a/b/y.html", "/s/c/z.html"]), Path::new("/s"));
        assert_eq!(shared(&["/s/a/x.html", "/s/a/b/y.html"]), Path::new("/s/a"));
        assert_eq!(shared(&[]), Path::new(""));
    }
}
