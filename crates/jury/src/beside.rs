//! Reading what lies beside a page: the style sheets and pictures it names, from its own folder or from the root of
//! its site, and nothing else. A page cannot make this read any other file.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use jury_house::Beside;

/// How many files a page gets, and how many bytes of each and in all.
const MOST_FILES: usize = 200;
const MOST_BYTES_EACH: u64 = 2 * 1024 * 1024;
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// Reads what a page names, and what the style sheets among it name. What is not there, too large or outside of the
/// folder is left out: the eye says what it misses. `root` is where addresses that begin with `/` are, and the folder
/// that nothing leaves; without it, that is the folder of the page.
pub(crate) fn read(page: &Path, html: &str, root: Option<&Path>) -> Beside {
    let mut beside = Beside::nothing();
    let folder = page.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(fence) = fs::canonicalize(root.unwrap_or(folder)) else {
        return beside;
    };
    let mut seen = BTreeSet::new();
    let mut open = jury_house::references(html);
    open.reverse();
    let mut left = MOST_BYTES;
    while let Some(address) = open.pop() {
        if seen.len() >= MOST_FILES || !seen.insert(address.clone()) {
            continue;
        }
        let Some(bytes) = place(&address, folder, root).and_then(|path| read_within(&path, &fence, left))
        else {
            continue;
        };
        left = left.saturating_sub(bytes.len() as u64);
        if is_style_sheet(&address) {
            let mut more = jury_house::references_of_css(&address, &String::from_utf8_lossy(&bytes));
            more.reverse();
            open.extend(more);
        }
        beside.insert(address, bytes);
    }
    beside
}

fn is_style_sheet(address: &str) -> bool {
    Path::new(address).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("css"))
}

/// Where the file of an address would be.
fn place(address: &str, folder: &Path, root: Option<&Path>) -> Option<PathBuf> {
    match address.strip_prefix('/') {
        Some(from_root) => Some(root?.join(from_root.trim_start_matches('/'))),
        None => Some(folder.join(address)),
    }
}

/// The bytes of a file, if it is one and really lies inside of the fence, links followed.
fn read_within(path: &Path, fence: &Path, most: u64) -> Option<Vec<u8>> {
    let real = fs::canonicalize(path).ok()?;
    if !real.starts_with(fence) {
        return None;
    }
    let most = most.min(MOST_BYTES_EACH);
    let metadata = fs::metadata(&real).ok()?;
    if !metadata.is_file() || metadata.len() > most {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(&real).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(beside: &Beside) -> Vec<&str> {
        beside.iter().map(|(address, _)| address).collect()
    }

    #[test]
    fn only_what_the_page_names_inside_its_folder_is_read() {
        let site = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = site.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        write("secret.css", "p{}");
        write("site/css/a.css", "@import 'b.css'; p{background:url(../img/c.png)}");
        write("site/css/b.css", "@import 'a.css';");
        write("site/img/c.png", "x");
        write("site/unnamed.css", "x");
        std::os::unix::fs::symlink(site.path().join("secret.css"), site.path().join("site/link.css"))
            .expect("a link");
        let html = "<link rel=stylesheet href=css/a.css><link rel=stylesheet href=../secret.css>\
                    <link rel=stylesheet href=link.css><link rel=stylesheet href=/css/a.css><img src=gone.png>\
                    <img src='css'>";
        let page = site.path().join("site/page.html");
        assert_eq!(listed(&read(&page, html, None)), ["css/a.css", "css/b.css", "img/c.png"]);
        let root = site.path().join("site");
        assert_eq!(
            listed(&read(&page, html, Some(&root))),
            ["/css/a.css", "/css/b.css", "/img/c.png", "css/a.css", "css/b.css", "img/c.png"]
        );
        assert!(listed(&read(&page, html, Some(site.path()))).contains(&"../secret.css"));
    }
}
