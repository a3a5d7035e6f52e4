//! Reading what lies beside a page: the style sheets and pictures it names, from its own folder or from the root of
//! its site, and nothing else. A page cannot make this read any other file.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use jury_house::Beside;

/// How many files a page gets, and how many bytes of each and in all.
const MOST_FILES: usize = 200;
const MOST_LINKS: usize = 1_000;
const MOST_BYTES_EACH: u64 = 2 * 1024 * 1024;
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// Reads what a page names, and what the style sheets among it name. What is not there, too large or outside of the
/// folder is left out: the eye says what it misses. What is there and not read is noted, and of scripts and linked files,
/// which are never read, whether they are there. `root` is where addresses that begin with `/` are, and the folder that
/// nothing leaves; without it, that is the folder of the page.
pub(crate) fn read(page: &Path, html: &str, root: Option<&Path>) -> Beside {
    read_noting(page, html, root, &mut |_| {})
}

/// The same, and `note` hears of each place before it is looked at, whether there is a file or not.
pub(crate) fn read_noting(
    page: &Path,
    html: &str,
    root: Option<&Path>,
    note: &mut dyn FnMut(&Path),
) -> Beside {
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
        if !seen.insert(address.clone()) {
            continue;
        }
        // Nobody but the site itself knows where an address from its root leads.
        let Some(path) = place(&address, folder, root) else { continue };
        note(&path);
        let bytes = if seen.len() <= MOST_FILES { read_within(&path, &fence, left) } else { None };
        let Some(bytes) = bytes else {
            // What is not there is not beside the page, and that says it.
            if seen.len() <= MOST_LINKS && is_there(&path, &fence) == Some(true) {
                beside.link(address, true);
            }
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
    for address in jury_house::linked_files(html).into_iter().take(MOST_LINKS) {
        if let Some(path) = place(&address, folder, root)
            && let Some(there) = can_be_opened(&path, &fence)
        {
            beside.link(address, there);
        }
    }
    beside
}

/// Says of any address whether a link to it leads to a file, for a page in this folder. What a draft asks for is known only
/// when there is a draft.
pub(crate) fn lookup(
    page: &Path,
    root: Option<&Path>,
) -> impl Fn(&str) -> Option<bool> + Send + Sync + 'static {
    let folder = page.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (folder, root) = (folder.to_owned(), root.map(Path::to_owned));
    let fence = fs::canonicalize(root.as_deref().unwrap_or(&folder)).ok();
    move |address| can_be_opened(&place(address, &folder, root.as_deref())?, fence.as_deref()?)
}

/// Whether there is a file; nothing when that is outside of the fence, where nobody looks.
fn is_there(path: &Path, fence: &Path) -> Option<bool> {
    if let Ok(real) = fs::canonicalize(path) {
        return real.starts_with(fence).then(|| real.is_file());
    }
    // Not there. Where it would be is told by the folders on the way to it that are.
    let folder = path.ancestors().skip(1).find_map(|folder| fs::canonicalize(folder).ok())?;
    folder.starts_with(fence).then_some(false)
}

/// Whether a link to this place leads somewhere, as those who serve sites have it: a file, a folder with an index, or a page
/// whose address leaves out `.html`.
fn can_be_opened(path: &Path, fence: &Path) -> Option<bool> {
    let mut page = path.as_os_str().to_owned();
    page.push(".html");
    let seen =
        [path.to_owned(), path.join("index.html"), PathBuf::from(page)].map(|path| is_there(&path, fence));
    if seen.contains(&Some(true)) { Some(true) } else { seen.first().copied().flatten() }
}

/// Reads the token files that lie beside a DESIGN.md and puts them where the house looks for them. What is not there or
/// too large is left out: a brand needs none of them.
pub(crate) fn read_tokens(design: &Path, beside: &mut Beside) {
    let folder = design.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(fence) = fs::canonicalize(folder) else { return };
    for name in jury_text::brand::TOKEN_FILES {
        if let Some(bytes) = read_within(&folder.join(name), &fence, MOST_BYTES_EACH) {
            beside.insert(jury_text::brand::beside_design(name), bytes);
        }
    }
}

fn is_style_sheet(address: &str) -> bool {
    Path::new(address).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("css"))
}

/// Where the file of an address would be.
pub(crate) fn place(address: &str, folder: &Path, root: Option<&Path>) -> Option<PathBuf> {
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
    fn token_files_beside_a_design_are_read_and_nothing_else() {
        let brand = tempfile::tempdir().expect("a folder");
        for name in ["DESIGN.md", "tokens.css", "tokens.json", "notes.css"] {
            fs::write(brand.path().join(name), "x").expect("a file");
        }
        let mut beside = Beside::nothing();
        read_tokens(&brand.path().join("DESIGN.md"), &mut beside);
        assert_eq!(listed(&beside), ["design:tokens.css", "design:tokens.json"]);
        read_tokens(Path::new("/nowhere/DESIGN.md"), &mut beside);
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

    #[test]
    fn of_linked_files_it_is_known_whether_they_are_there() {
        let site = tempfile::tempdir().expect("a folder");
        fs::create_dir(site.path().join("team")).expect("a folder");
        for name in ["about us.html", "team/index.html"] {
            fs::write(site.path().join(name), "x").expect("a file");
        }
        let html = "<a href='about%20us.html#top'>a</a><a href=gone.html>b</a><a href=team/>c</a><a href=/d.html>d</a>\
                    <a href=https://e.org/e.html>e</a>";
        let beside = read(&site.path().join("page.html"), html, None);
        let seen = ["about us.html", "gone.html", "team/", "/d.html", "e.html"].map(|one| beside.has(one));
        assert_eq!(seen, [Some(true), Some(false), Some(true), None, None]);
    }

    #[test]
    fn a_link_may_leave_out_the_ending_of_a_page() {
        let site = tempfile::tempdir().expect("a folder");
        for name in ["about.html", "v1.2.html", "style.css"] {
            fs::write(site.path().join(name), "x").expect("a file");
        }
        let html = "<a href=about>a</a><a href=v1.2>b</a><a href=style>c</a>";
        let beside = read(&site.path().join("page.html"), html, None);
        assert_eq!(
            ["about", "v1.2", "style"].map(|one| beside.has(one)),
            [Some(true), Some(true), Some(false)]
        );
    }

    #[test]
    fn nobody_looks_for_links_outside_of_the_fence() {
        let site = tempfile::tempdir().expect("a folder");
        fs::create_dir(site.path().join("blog")).expect("a folder");
        fs::write(site.path().join("index.html"), "x").expect("a file");
        let html = "<a href=../index.html>a</a><a href=../gone.html>b</a><a href=gone/deep.html>c</a>";
        let page = site.path().join("blog/post.html");
        let seen = |root: Option<&Path>| {
            let beside = read(&page, html, root);
            ["../index.html", "../gone.html", "gone/deep.html"].map(|one| beside.has(one))
        };
        assert_eq!(seen(None), [None, None, Some(false)]);
        assert_eq!(seen(Some(site.path())), [Some(true), Some(false), Some(false)]);
    }

    #[test]
    fn of_scripts_and_of_what_is_too_large_it_is_known_that_they_are_there() {
        let site = tempfile::tempdir().expect("a folder");
        fs::write(site.path().join("app.js"), "x").expect("a file");
        let large = fs::File::create(site.path().join("large.png")).expect("a file");
        large.set_len(MOST_BYTES_EACH + 1).expect("a long file");
        let html = "<script src=app.js?v=2></script><script src=gone.js></script><script src=/root.js></script>\
                    <img src=large.png><img src=gone.png><img src=/root.png>";
        let beside = read(&site.path().join("page.html"), html, None);
        assert_eq!(listed(&beside), [""; 0]);
        let seen = ["app.js", "large.png", "gone.js", "gone.png", "/root.js", "/root.png"];
        let expected = [Some(true), Some(true), Some(false), None, None, None];
        assert_eq!(seen.map(|one| beside.has(one)), expected);
    }

    #[test]
    fn a_place_is_noted_before_its_file_is_read() {
        let site = tempfile::tempdir().expect("a folder");
        let sheet = site.path().join("a.css");
        fs::write(&sheet, "@import 'b.css';").expect("a file");
        let mut noted = Vec::new();
        let beside = read_noting(
            &site.path().join("page.html"),
            "<link rel=stylesheet href=a.css>",
            None,
            &mut |file| {
                // Whoever writes it now writes it in time.
                if file == sheet {
                    fs::write(&sheet, "@import 'c.css';").expect("a file");
                }
                noted.push(file.file_name().expect("a name").to_owned());
            },
        );
        assert_eq!(beside.get("a.css"), Some(&b"@import 'c.css';"[..]));
        assert_eq!(noted, ["a.css", "c.css"], "what is not there is noted too");
    }
}
