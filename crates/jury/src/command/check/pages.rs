//! Which pages are meant: files, folders, patterns and stdin, in a stable order and each once.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::glob;
use crate::document;
use crate::refusal::Refusal;

/// What a page is called in a folder.
const EXTENSIONS: [&str; 2] = ["html", "htm"];

/// A folder that nobody means by naming the one above it.
const NOBODYS: &str = "node_modules";

/// The most folders inside one another.
const DEEPEST: usize = 64;

/// The pages that were asked for, in the order of the arguments and by name within one.
pub(super) fn expand(given: &[PathBuf]) -> Result<Vec<PathBuf>, Refusal> {
    let mut seen = BTreeSet::new();
    let mut pages = Vec::new();
    for argument in given {
        let found = one(argument)?;
        if found.is_empty() {
            let shown = argument.display();
            return Err(Refusal::usage(if argument.is_dir() {
                format!("no page below {shown}: there is no .html or .htm file")
            } else {
                format!("no file matches {shown}; quote the pattern, and see what 'ls' says")
            }));
        }
        pages.extend(found.into_iter().filter(|page| seen.insert(page.clone())));
    }
    Ok(pages)
}

fn one(argument: &Path) -> Result<Vec<PathBuf>, Refusal> {
    if document::is_stdin(argument) {
        return Ok(vec![argument.to_owned()]);
    }
    let cannot = |error: &io::Error| Refusal::usage(format!("cannot read {}: {error}", argument.display()));
    match fs::metadata(argument) {
        Ok(metadata) if metadata.is_dir() => {
            let mut found = Vec::new();
            below(argument, 0, &mut found).map_err(|error| cannot(&error))?;
            found.retain(|path| is_page(path));
            found.sort();
            Ok(found)
        }
        Ok(_) => Ok(vec![argument.to_owned()]),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if !glob::is_pattern(&argument.to_string_lossy()) {
                return Err(Refusal::usage(format!("no such file: {}", argument.display())));
            }
            matching(argument).map_err(|error| cannot(&error))
        }
        Err(error) => Err(cannot(&error)),
    }
}

fn is_page(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// The entries of a folder by name, hidden ones too. A folder that may not be read is an error: what is in it would go
/// unseen.
fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf, fs::FileType)>> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut found = Vec::new();
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let name = entry.file_name();
        found.push((name.to_string_lossy().into_owned(), folder.join(&name), entry.file_type()?));
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}

fn is_skipped(name: &str) -> bool {
    name.starts_with('.') || name == NOBODYS
}

/// Every file below a folder. Links to folders are not followed: they may lead in a circle.
fn below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if depth > DEEPEST {
        return Ok(());
    }
    for (name, path, kind) in entries(folder)? {
        if is_skipped(&name) {
            continue;
        }
        if kind.is_dir() {
            below(&path, depth + 1, found)?;
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// The files that fit a pattern, by name.
fn matching(pattern: &Path) -> io::Result<Vec<PathBuf>> {
    let mut start = PathBuf::new();
    let mut steps: Vec<String> = Vec::new();
    for component in pattern.components() {
        let text = component.as_os_str().to_string_lossy().into_owned();
        let plain = !matches!(component, Component::Normal(_)) || !glob::is_pattern(&text);
        if plain && steps.is_empty() {
            start.push(component);
        } else {
            steps.push(text);
        }
    }
    let mut found = BTreeSet::new();
    follow(&start, &steps, 0, &mut found)?;
    Ok(found.into_iter().collect())
}

fn follow(folder: &Path, steps: &[String], depth: usize, found: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    let Some((step, rest)) = steps.split_first() else { return Ok(()) };
    if depth > DEEPEST {
        return Ok(());
    }
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !place.is_dir() {
        return Ok(());
    }
    if step == "**" {
        // No folder at all, or one more.
        if rest.is_empty() {
            let mut all = Vec::new();
            below(folder, depth, &mut all)?;
            found.extend(all.into_iter().filter(|path| is_page(path)));
            return Ok(());
        }
        follow(folder, rest, depth, found)?;
        for (name, path, kind) in entries(folder)? {
            if kind.is_dir() && !is_skipped(&name) {
                follow(&path, steps, depth + 1, found)?;
            }
        }
        return Ok(());
    }
    if !glob::is_pattern(step) {
        let path = folder.join(step);
        if rest.is_empty() && path.is_file() {
            found.insert(path);
        } else if !rest.is_empty() && path.is_dir() {
            follow(&path, rest, depth + 1, found)?;
        }
        return Ok(());
    }
    for (name, path, _) in entries(folder)? {
        let hidden = name.starts_with('.') && !step.starts_with('.');
        if hidden || !glob::fits(step, &name) {
            continue;
        }
        if rest.is_empty() {
            if path.is_file() {
                found.insert(path);
            }
        } else if path.is_dir() {
            follow(&path, rest, depth + 1, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(root: &Path, argument: &str) -> Vec<String> {
        let found = expand(&[root.join(argument)]).map_err(|refusal| refusal.message);
        match found {
            Ok(found) => found
                .iter()
                .map(|path| path.strip_prefix(root).unwrap_or(path).display().to_string())
                .collect(),
            Err(message) => vec![message.replace(&root.display().to_string(), "ROOT")],
        }
    }

    #[test]
    fn folders_and_patterns_find_pages_in_a_stable_order() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for file in [
            "b.html",
            "a.HTM",
            "notes.txt",
            "site/index.html",
            "site/deep/er/page.html",
            "site/.hidden/x.html",
            "site/node_modules/y.html",
            "odd[1].html",
        ] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(root, root.join("site/circle")).unwrap();
        let all = ["a.HTM", "b.html", "odd[1].html", "site/deep/er/page.html", "site/index.html"];
        assert_eq!(shown(root, ""), all);
        assert_eq!(shown(root, "*.html"), ["b.html", "odd[1].html"]);
        assert_eq!(
            shown(root, "**/*.html"),
            ["b.html", "odd[1].html", "site/deep/er/page.html", "site/index.html"]
        );
        assert_eq!(shown(root, "site/**/page.html"), ["site/deep/er/page.html"]);
        assert_eq!(shown(root, "site/**"), ["site/deep/er/page.html", "site/index.html"]);
        assert_eq!(shown(root, "s*/[hi]ndex.html"), ["site/index.html"]);
        assert_eq!(shown(root, "odd[1].html"), ["odd[1].html"]);
        assert_eq!(
            shown(root, "*.xhtml"),
            ["no file matches ROOT/*.xhtml; quote the pattern, and see what 'ls' says"]
        );
        assert_eq!(shown(root, "gone.html"), ["no such file: ROOT/gone.html"]);
        let twice = expand(&[root.join("b.html"), root.join("*.html")]).unwrap();
        assert_eq!(twice.len(), 2);
    }
}
