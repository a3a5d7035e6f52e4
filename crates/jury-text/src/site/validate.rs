//! Whether the files of a site are what they should be: read again, with the parser that browsers have, as if somebody else
//! had written them.
//!
//! An error is something that must not be published; a warning is something that could be better.

mod data;
mod links;
mod markup;
mod posts;
mod xml;

use std::collections::BTreeMap;
use std::fmt;

use jury_core::artifact::Digest;
use jury_core::content::Page;
use jury_core::content::brand::SiteBrand;
use jury_core::unit::ContrastRatio;
use serde::{Deserialize, Serialize};

use super::assemble::{BUILD_FILE, Build, Post, SiteFiles};
use super::brand::{Contrast, contrasts};
use super::dom::{Dom, Id, Kind};
use super::escape::{is_safe, normal};

/// A file larger than this is not read, and not published.
const LARGEST_FILE: usize = 2 * 1024 * 1024;
/// A site larger than this is not published.
const LARGEST_SITE: usize = 32 * 1024 * 1024;
/// A page or stylesheet larger than this is slow to load.
const LARGE_TEXT: usize = 150 * 1024;
/// A site without one of these is none.
const NEEDED: [&str; 7] =
    ["index.html", "404.html", "styles.css", "robots.txt", "sitemap.xml", "site.webmanifest", BUILD_FILE];
/// The most flaws that are listed of each kind.
const MOST_FLAWS: usize = 200;

/// Something about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteFlaw {
    /// The path of the file.
    pub file: String,
    /// The line in the file, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The check that found it.
    pub check: String,
    /// What is wrong, and what to do.
    pub text: String,
}

impl fmt::Display for SiteFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {} ({})", self.text, self.check)
    }
}

/// What the checks of a site found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Validation {
    /// With one of these nothing is published.
    pub errors: Vec<SiteFlaw>,
    /// These do not stand in the way.
    pub warnings: Vec<SiteFlaw>,
}

impl Validation {
    /// Whether the files may be published.
    pub fn passes(&self) -> bool {
        self.errors.is_empty()
    }

    fn error(&mut self, file: &str, line: Option<u64>, check: &str, text: impl Into<String>) {
        push(&mut self.errors, file, line, check, text.into());
    }

    fn warning(&mut self, file: &str, line: Option<u64>, check: &str, text: impl Into<String>) {
        push(&mut self.warnings, file, line, check, text.into());
    }
}

fn push(flaws: &mut Vec<SiteFlaw>, file: &str, line: Option<u64>, check: &str, text: String) {
    if flaws.len() < MOST_FLAWS {
        flaws.push(SiteFlaw { file: file.to_owned(), line, check: check.to_owned(), text });
    }
}

/// Some words of a text, for a message.
fn some(text: &str) -> String {
    let text = normal(text);
    if text.chars().count() <= 60 {
        return text;
    }
    text.chars().take(59).chain(['…']).collect()
}

/// The pages that could be read.
type Pages<'a> = BTreeMap<&'a str, Dom>;

/// Checks the files of a site against the page, the brand and the posts that they were made from.
pub fn validate_code(files: &SiteFiles, page: &Page, brand: &SiteBrand, posts: &[Post]) -> Validation {
    let mut found = Validation::default();
    for needed in NEEDED.iter().filter(|needed| !files.contains_key(**needed)) {
        found.error(needed, None, "files", "it is missing: assemble the site again");
    }
    let mut pages = Pages::new();
    let mut total = 0;
    for (path, bytes) in files {
        total += bytes.len();
        if bytes.len() > LARGEST_FILE {
            let text =
                format!("{} bytes, and at most {LARGEST_FILE} are published: make it shorter", bytes.len());
            found.error(path, None, "size", text);
            continue;
        }
        let is_page = has_ending(path, "html");
        if (is_page || has_ending(path, "css")) && bytes.len() > LARGE_TEXT {
            found.warning(path, None, "size", format!("{} bytes load slowly", bytes.len()));
        }
        if is_page {
            match std::str::from_utf8(bytes) {
                Ok(html) => drop(pages.insert(path, Dom::read(html))),
                Err(_) => found.error(path, None, "parse", "it is not UTF-8"),
            }
        }
    }
    if total > LARGEST_SITE {
        found.error(
            "index.html",
            None,
            "size",
            format!("the site has {total} bytes, and at most {LARGEST_SITE}"),
        );
    }
    let base = pages.get("index.html").and_then(links::canonical).unwrap_or_default();
    for (path, dom) in &pages {
        markup::check(path, dom, &mut found);
        data::check(path, dom, &mut found);
    }
    links::check(files, &pages, &base, &mut found);
    if let Some(dom) = pages.get("index.html") {
        copy(dom, page, &mut found);
    }
    posts::check(&pages, posts, &mut found);
    addresses(page, &mut found);
    colours(files, brand, &mut found);
    machines(files, &pages, &base, &mut found);
    build(files, &mut found);
    found
}

fn has_ending(path: &str, ending: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(ending))
}

/// Elements that do not end a line of text.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "br", "cite", "code", "del", "em", "i", "mark", "small", "span",
    "strong", "sub", "sup", "time", "u",
];
/// Elements whose text nobody sees.
const UNSEEN: &[&str] = &["script", "style", "template", "noscript", "head", "title", "textarea"];

/// What is seen of a page, in pieces that are read in one go, with how often each is there.
#[derive(Default)]
struct Seen {
    /// In the main part: the copy.
    main: BTreeMap<String, usize>,
    /// Around the main part: header, navigation and footer.
    around: BTreeMap<String, usize>,
}

fn seen(dom: &Dom) -> Seen {
    let mut pieces = vec![(false, String::new())];
    let mut unseen: Option<Id> = None;
    let mut main: Option<Id> = None;
    // Elements are entered and left.
    let mut open = vec![(0, true)];
    while let Some((id, enters)) = open.pop() {
        let Some(node) = dom.node(id) else { continue };
        if let Kind::Text(text) = &node.kind {
            if let (None, Some((_, piece))) = (unseen, pieces.last_mut()) {
                piece.push_str(text);
            }
            continue;
        }
        let name = dom.name(id).unwrap_or_default();
        if name == "main" && enters && main.is_none() {
            main = Some(id);
        } else if main == Some(id) && !enters {
            main = None;
        }
        if name == "br" {
            pieces.last_mut().into_iter().for_each(|(_, piece)| piece.push(' '));
        } else if !INLINE.contains(&name) {
            pieces.push((main.is_some(), String::new()));
        }
        if !enters {
            if unseen == Some(id) {
                unseen = None;
            }
            continue;
        }
        let hidden =
            dom.attribute(id, "hidden").is_some() || dom.attribute(id, "aria-hidden") == Some("true");
        if unseen.is_none() && (hidden || UNSEEN.contains(&name)) {
            unseen = Some(id);
        }
        open.push((id, false));
        open.extend(node.children.iter().rev().map(|child| (*child, true)));
    }
    let mut seen = Seen::default();
    for (is_main, piece) in pieces {
        let piece = normal(&piece);
        if !piece.is_empty() {
            let place = if is_main { &mut seen.main } else { &mut seen.around };
            *place.entry(piece).or_default() += 1;
        }
    }
    seen
}

/// Every approved piece of copy is there, whole, word for word and as often as it was approved, and so are the name, the
/// title and the description. Words that only occur within another piece do not count: a heading that is lost is lost, even
/// when a paragraph says the same in passing.
fn copy(dom: &Dom, page: &Page, found: &mut Validation) {
    let seen = seen(dom);
    let mut wanted: Vec<(String, usize)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for said in page.copy().into_iter().map(normal).filter(|said| !said.is_empty()) {
        let place = *places.entry(said.clone()).or_insert(wanted.len());
        match wanted.get_mut(place) {
            Some((_, times)) => *times += 1,
            None => wanted.push((said, 1)),
        }
    }
    for (said, times) in &wanted {
        let there = seen.main.get(said).copied().unwrap_or_default();
        let text = if there == 0 {
            format!("approved and not there word for word: {}", some(said))
        } else if there < *times {
            format!("approved {times} times and there {there}: {}", some(said))
        } else {
            continue;
        };
        found.error("index.html", None, "copy", text);
    }
    let name = normal(&page.name);
    if !name.is_empty() && !seen.around.contains_key(&name) {
        let text = format!("the approved name is not there, above or below the copy: {}", some(&name));
        found.error("index.html", None, "copy", text);
    }
    let title = dom.all("title").next().map(|id| dom.text(id)).unwrap_or_default();
    if normal(&title) != normal(&page.title) {
        found.error(
            "index.html",
            None,
            "copy",
            format!("the title is not the approved one: {}", some(&title)),
        );
    }
    let description = markup::meta(dom, "description").unwrap_or_default();
    if normal(description) != normal(&page.description) {
        let text = format!("the description is not the approved one: {}", some(description));
        found.error("index.html", None, "copy", text);
    }
}

/// Where the calls to action of the page lead.
fn addresses(page: &Page, found: &mut Validation) {
    use jury_core::content::page::Section;
    let mut check = |cta: &jury_core::content::page::Cta| {
        if !is_safe(cta.href.trim()) {
            let text = format!(
                "'{}' leads to '{}': use https, http, mailto, tel or #part",
                some(&cta.label),
                some(&cta.href)
            );
            found.error("index.html", None, "links", text);
        }
    };
    page.hero.cta.iter().for_each(&mut check);
    for section in &page.sections {
        if let Section::Action { cta, .. } = section {
            check(cta);
        }
    }
}

/// The tokens of the stylesheet are those of a brand that can be read.
fn colours(files: &SiteFiles, brand: &SiteBrand, found: &mut Validation) {
    const FILE: &str = "styles.css";
    let css = files.get(FILE).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
    let token = |name: &str| {
        let start = format!("--{name}:");
        let value = css.lines().find_map(|line| line.trim().strip_prefix(&start))?;
        Some(value.trim().trim_end_matches(';').to_owned())
    };
    let mut written = super::brand::check(brand).0;
    let wanted = written.clone();
    let colors = &mut written.colors;
    for (name, place) in [
        ("ground", &mut colors.background),
        ("elevated", &mut colors.background_elevated),
        ("tint", &mut colors.primary_light),
        ("text", &mut colors.text_primary),
        ("text-secondary", &mut colors.text_secondary),
        ("text-muted", &mut colors.text_muted),
        ("primary", &mut colors.primary),
        ("accent", &mut colors.accent),
        ("border", &mut colors.border),
    ] {
        *place = token(name).unwrap_or_default();
    }
    if written.colors != wanted.colors {
        found.error(
            FILE,
            None,
            "contrast",
            "its colours are not those of the brand: assemble the site again",
        );
    }
    for Contrast { front, ground, ratio, needed } in contrasts(&written) {
        if ratio < needed {
            let text = format!(
                "{front} on {ground} has a contrast of {}, and needs {needed}:1",
                ContrastRatio(ratio)
            );
            found.error(FILE, None, "contrast", text);
        }
    }
    if css.contains("@import") || css.contains("url(") {
        found.error(FILE, None, "loads", "it loads something: a site loads nothing but its own files");
    }
}

/// Checks what crawlers read.
fn machines(files: &SiteFiles, pages: &Pages<'_>, base: &str, found: &mut Validation) {
    let text = |path: &str| files.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    if let Some(robots) = text("robots.txt") {
        let shut = robots.lines().any(|line| {
            let line = line.split('#').next().unwrap_or_default().trim().to_ascii_lowercase();
            line.strip_prefix("disallow:").is_some_and(|path| path.trim().starts_with('/'))
        });
        if shut {
            found.error("robots.txt", None, "robots", "it shuts crawlers out: allow them");
        }
        let line = format!("Sitemap: {base}sitemap.xml");
        if !robots.lines().any(|written| written == line) {
            found.error("robots.txt", None, "robots", format!("it has no line '{line}'"));
        }
    }
    if let Some(sitemap) = text("sitemap.xml") {
        match xml::texts(&sitemap, "loc") {
            Ok(urls) if urls.is_empty() => found.error("sitemap.xml", None, "sitemap", "it lists no address"),
            Ok(urls) => {
                for url in &urls {
                    let path = url.strip_prefix(base).map(links::file_of);
                    if base.is_empty() || path.as_ref().is_none_or(|path| !files.contains_key(path)) {
                        found.error(
                            "sitemap.xml",
                            None,
                            "sitemap",
                            format!("{} is not in the site", some(url)),
                        );
                    } else if let Some(dom) = path.as_deref().and_then(|path| pages.get(path))
                        && markup::meta(dom, "robots").is_some_and(|said| said.contains("noindex"))
                    {
                        found.error(
                            "sitemap.xml",
                            None,
                            "crawlable",
                            format!("{} asks not to be found", some(url)),
                        );
                    }
                }
                for (path, dom) in pages {
                    let hides = markup::meta(dom, "robots").is_some_and(|said| said.contains("noindex"));
                    if !hides
                        && !urls
                            .iter()
                            .any(|url| url.strip_prefix(base).map(links::file_of).as_deref() == Some(path))
                    {
                        found.error("sitemap.xml", None, "sitemap", format!("{path} is not listed"));
                    }
                }
            }
            Err(why) => found.error("sitemap.xml", None, "sitemap", why),
        }
    }
    for path in files.keys().filter(|path| has_ending(path, "svg") || path.as_str() == "feed.xml") {
        if let Err(why) = text(path).map_or(Ok(Vec::new()), |xml| xml::texts(&xml, "id")) {
            found.error(path, None, "parse", why);
        }
    }
    if let Some(bytes) = files.get("site.webmanifest") {
        let manifest: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
        let named = manifest
            .as_ref()
            .and_then(|manifest| manifest.get("name"))
            .is_some_and(serde_json::Value::is_string);
        if !named {
            found.error("site.webmanifest", None, "parse", "it is no manifest with a name");
        }
    }
}

/// The addresses of a sitemap; none when it cannot be read.
pub fn sitemap_urls(sitemap: &[u8]) -> Vec<String> {
    xml::texts(&String::from_utf8_lossy(sitemap), "loc").unwrap_or_default()
}

/// The list of files is the list of these files.
fn build(files: &SiteFiles, found: &mut Validation) {
    let Some(bytes) = files.get(BUILD_FILE) else {
        return;
    };
    let Some(build) = Build::read(bytes) else {
        found.error(BUILD_FILE, None, "build", "it cannot be read, or names a path outside the site");
        return;
    };
    for file in &build.files {
        if files.get(&file.path).map(|bytes| Digest::of(bytes)) != Some(file.sha256) {
            found.error(BUILD_FILE, None, "build", format!("{} is not as it was built", file.path));
        }
    }
    for path in files.keys().filter(|path| path.as_str() != BUILD_FILE) {
        if !build.files.iter().any(|file| file.path == *path) {
            found.error(BUILD_FILE, None, "build", format!("{path} is not listed"));
        }
    }
}
