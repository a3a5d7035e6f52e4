//! A page and a brand as the files of a site. Nothing in them runs, nothing is loaded from elsewhere, and links are
//! relative, so that the same files work in a folder and at the root of a name.

mod landing;
mod machine;
mod shell;

use std::collections::BTreeMap;

use jiff::civil::Date;
use jury_core::artifact::Digest;
use jury_core::content::Page;
use jury_core::content::brand::SiteBrand;
use serde::{Deserialize, Serialize};

use super::escape::{slug, unique};
use super::style::stylesheet;
use super::words::Words;

/// The files of a site by their paths, with `/` between folders.
pub type SiteFiles = BTreeMap<String, Vec<u8>>;

/// What made the files: a change of what is written is a new version.
pub const GENERATOR: &str = "jury-site/1";
/// The list of the files that are ours.
pub const BUILD_FILE: &str = "build.json";

/// What a site needs to know beside its page and its brand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SiteSettings {
    /// Where the site is going to be: `https://acme.example/` or `http://127.0.0.1:7456/s/acme/`.
    pub base_url: String,
    /// The language as a tag; English when it is none.
    pub lang: String,
    /// Articles beside the page, newest first on the site whatever their order here; of one day, the later here is newer.
    /// Of two with one name the first here has it.
    pub posts: Vec<Post>,
}

/// An article of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// Its name in addresses.
    pub slug: String,
    /// The title of the article.
    pub title: String,
    /// What search results call it, if that is not its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_title: Option<String>,
    /// What it is about, in a sentence or two.
    pub description: String,
    /// The text, as Markdown.
    pub markdown: String,
    /// When it came out.
    pub date: Date,
}

/// What was built from what, and every file with its digest. Kept as [`BUILD_FILE`], which does not list itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Build {
    /// What made the files.
    pub generator: String,
    /// The digest of the page.
    pub content_sha256: Digest,
    /// The digest of the brand.
    pub brand_sha256: Digest,
    /// Where the site is going to be.
    pub base_url: String,
    /// The files that were made.
    pub files: Vec<BuiltFile>,
}

/// A file that was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuiltFile {
    /// The path below the root of the site.
    pub path: String,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// The size in bytes.
    pub bytes: u64,
}

impl Build {
    /// Reads the list. None when it is no list, or names a path that leads out of the site.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let build: Self = serde_json::from_slice(bytes).ok()?;
        build.files.iter().all(|file| is_inside(&file.path)).then_some(build)
    }
}

/// Whether a path stays in its folder and out of what git and the file system keep for themselves.
fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && path.len() <= 512
        && path.split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
        })
}

/// What all pages of a site share.
struct Site<'a> {
    page: &'a Page,
    brand: &'a SiteBrand,
    /// Ends with a slash.
    base: String,
    lang: String,
    words: Words,
    /// Newest first, each with the name of its folder.
    posts: Vec<(String, &'a Post)>,
}

/// The files of a site. The same page, brand and settings make the same bytes.
///
/// The brand is checked once more ([`super::check`]): nothing that is not a colour or a font gets into the stylesheet.
pub fn assemble_site_files(page: &Page, brand: &SiteBrand, settings: &SiteSettings) -> SiteFiles {
    let brand = super::brand::check(brand).0;
    let posts = addressed(&settings.posts);
    let lang = language(&settings.lang);
    let site =
        Site { page, brand: &brand, base: base(&settings.base_url), words: Words::of(&lang), lang, posts };
    let mut files = SiteFiles::new();
    files.insert("index.html".to_owned(), landing::landing(&site));
    files.insert("404.html".to_owned(), shell::not_found(&site));
    files.insert("styles.css".to_owned(), stylesheet(&brand).into_bytes());
    files.insert("robots.txt".to_owned(), machine::robots(&site));
    files.insert("sitemap.xml".to_owned(), machine::sitemap(&site));
    files.insert("site.webmanifest".to_owned(), machine::manifest(&site));
    files.insert("favicon.svg".to_owned(), machine::favicon(&site));
    if !site.posts.is_empty() {
        files.insert("feed.xml".to_owned(), machine::feed(&site));
        files.insert("blog/index.html".to_owned(), shell::blog(&site));
        for (slug, post) in &site.posts {
            files.insert(format!("blog/{slug}/index.html"), shell::post(&site, slug, post));
        }
    }
    let build = Build {
        generator: GENERATOR.to_owned(),
        content_sha256: Digest::of(&serde_json::to_vec(page).unwrap_or_default()),
        brand_sha256: Digest::of(&serde_json::to_vec(&brand).unwrap_or_default()),
        base_url: site.base,
        files: files
            .iter()
            .map(|(path, bytes)| BuiltFile {
                path: path.clone(),
                sha256: Digest::of(bytes),
                bytes: bytes.len() as u64,
            })
            .collect(),
    };
    let mut list = serde_json::to_vec_pretty(&build).unwrap_or_default();
    list.push(b'\n');
    files.insert(BUILD_FILE.to_owned(), list);
    files
}

/// The names of the folders of posts, in their order.
pub fn post_folders(posts: &[Post]) -> Vec<String> {
    let mut taken = Vec::new();
    posts.iter().map(|post| unique(&slug(&post.slug), &mut taken)).collect()
}

/// Posts with the names of their folders, the newest first.
pub(super) fn addressed(posts: &[Post]) -> Vec<(String, &Post)> {
    let mut named: Vec<(String, &Post)> = post_folders(posts).into_iter().zip(posts).collect();
    named.reverse();
    named.sort_by_key(|(_, post)| std::cmp::Reverse(post.date));
    named
}

/// An address with a slash at its end.
fn base(address: &str) -> String {
    let address: String =
        address.trim().chars().filter(|ch| !ch.is_control() && !ch.is_whitespace()).collect();
    format!("{}/", address.trim_end_matches('/'))
}

fn language(tag: &str) -> String {
    let tag = tag.trim();
    let fits = (2..=35).contains(&tag.len())
        && tag.split('-').all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
        && tag.split('-').next().is_some_and(|part| {
            (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic())
        });
    if fits { tag.to_owned() } else { "en".to_owned() }
}

impl Site<'_> {
    /// Where a page of the site is going to be.
    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The path at which the site begins: for a page that is shown at any depth.
    fn root(&self) -> String {
        let rest = self.base.split_once("://").map_or("", |(_, rest)| rest);
        rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/").to_owned()
    }
}
