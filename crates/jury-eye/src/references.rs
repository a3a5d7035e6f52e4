//! What a page asks for: the addresses in its tags and style sheets.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use blitz_traits::net::Url;

use crate::beside::Beside;
use crate::coverage::{Coverage, is_script};
use crate::tags::{Tag, tags};

/// Where a page is taken to be. Deep, so that addresses above the page's folder differ from those at the root.
const PAGE: &str = "https://page.invalid/0/1/2/3/4/5/6/7/";

/// A page asks for no more than this many things; the rest is not looked for.
const MOST_REFERENCES: usize = 1_000;

/// The relative addresses a page needs: style sheets, images, `@import` and `url()`. Queries and fragments are left
/// out, and so is what stands elsewhere or in the page itself. An address that begins with `/` is one from the root
/// of the site.
///
/// What lies beside the page is asked for its own needs with [`references_of_css`].
pub fn references(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for tag in tags(html) {
        let named: &[&str] = match tag.name.as_str() {
            "link" if tag.has_word("rel", "stylesheet") => &["href"],
            "img" | "source" | "input" | "embed" => &["src"],
            "image" => &["href", "xlink:href"],
            "video" => &["poster"],
            _ => &[],
        };
        found.extend(named.iter().filter_map(|name| tag.attribute(name)).map(unescape));
        found.extend(addresses_in_css(tag.content));
        found.extend(tag.attribute("style").map(unescape).iter().flat_map(|style| addresses_in_css(style)));
    }
    tidied(&found, "")
}

/// The relative addresses of the files that a page links to and of its scripts, as [`references`] gives those it needs.
pub fn linked_files(html: &str) -> Vec<String> {
    let found: Vec<String> = tags(html)
        .filter_map(|tag| match tag.name.as_str() {
            "a" | "area" => tag.attribute("href").map(unescape),
            "script" => tag.attribute("src").map(unescape),
            _ => None,
        })
        .collect();
    tidied(&found, "")
}

/// The relative addresses a style sheet needs, as addresses relative to the page. `address` is the style sheet's own.
pub fn references_of_css(address: &str, css: &str) -> Vec<String> {
    tidied(&addresses_in_css(css), address)
}

impl Beside {
    /// The name under which the file that a page asks for lies beside it: without query, fragment and escapes, and
    /// with its dots followed. Nothing for what is in the page or elsewhere.
    pub fn name_of(address: &str) -> Option<String> {
        beside_page("", address)
    }
}

/// Each address once, in order, relative to the page.
fn tidied(found: &[String], from: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    found
        .iter()
        .filter_map(|address| beside_page(from, address))
        .filter(|address| seen.insert(address.clone()))
        .take(MOST_REFERENCES)
        .collect()
}

/// The address of something as seen from the page, when it can lie beside it.
fn beside_page(from: &str, address: &str) -> Option<String> {
    let address = address.trim();
    let scheme = address.split_once(':').is_some_and(|(scheme, _)| {
        scheme.chars().all(|ch| ch.is_ascii_alphanumeric() || "+-.".contains(ch)) && !scheme.is_empty()
    });
    if scheme || address.starts_with("//") || address.starts_with("\\\\") {
        return None;
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    if path.is_empty() {
        return None;
    }
    let base = Url::parse(PAGE).ok()?.join(from).ok()?;
    relative(&base.join(path).ok()?)
}

/// The host that an address names, as a browser reads it; none for a place of the page's own site, whatever its scheme.
pub fn foreign_host(address: &str) -> Option<String> {
    let own = Url::parse(PAGE).ok()?;
    // Behind the scheme of the page, an address without slashes is one of its own places.
    ["http", "https"].iter().find_map(|scheme| {
        let mut base = own.clone();
        base.set_scheme(scheme).ok()?;
        let url = base.join(address).ok()?;
        url.host_str().filter(|host| Some(*host) != own.host_str()).map(str::to_owned)
    })
}

/// The address of a place of the page's own site, relative to the page.
fn relative(url: &Url) -> Option<String> {
    let page = Url::parse(PAGE).ok()?;
    if url.host_str() != page.host_str() || url.scheme() != page.scheme() {
        return None;
    }
    let decoded = percent_decoded(url.path());
    let decoded = String::from_utf8(decoded).ok()?;
    let mut above = String::new();
    let mut folder = page.path();
    loop {
        if let Some(rest) = decoded.strip_prefix(folder) {
            return (!rest.is_empty()).then(|| format!("{above}{rest}"));
        }
        let parent = folder.trim_end_matches('/').rfind('/').map_or("/", |at| folder.split_at(at + 1).0);
        if parent == "/" {
            // No page needs to go up this far: it is an address from the root.
            return Some(decoded);
        }
        folder = parent;
        above.push_str("../");
    }
}

/// Addresses as the engine writes them, for what lies beside a page, and what a page cannot have.
pub(crate) struct Addresses {
    /// Always there: the address of a page is one.
    base: Option<Url>,
    files: BTreeMap<String, Vec<u8>>,
    /// For which media a linked style sheet is meant; `None` for one that is not applied at all.
    media: BTreeMap<String, Option<String>>,
    /// What the page needs for its looks and does not have.
    pub(crate) missing: Vec<String>,
}

/// How many missing addresses are named, and how much of each.
const NAMED: usize = 20;
const NAMED_CHARACTERS: usize = 200;

impl Addresses {
    /// Looks at what a page asks for.
    pub(crate) fn of(html: &str, beside: &Beside) -> Self {
        let page = Url::parse(PAGE).ok();
        let files = beside
            .iter()
            .filter_map(|(address, bytes)| Some((key(&page.as_ref()?.join(address).ok()?), bytes.to_vec())))
            .collect();
        let mut addresses = Self { base: page, files, media: BTreeMap::new(), missing: Vec::new() };
        let mut sheets = Vec::new();
        let mut scripts = Vec::new();
        let mut based = false;
        for tag in tags(html) {
            match tag.name.as_str() {
                "base" if !based => {
                    let href = tag.attribute("href").map(unescape);
                    if let Some(url) = href.and_then(|href| addresses.url(&href))
                        && matches!(url.scheme(), "http" | "https")
                    {
                        addresses.base = Some(url);
                        based = true;
                    }
                }
                "link" if tag.has_word("rel", "stylesheet") => {
                    if let Some(url) =
                        tag.attribute("href").map(unescape).and_then(|href| addresses.url(&href))
                    {
                        if applies(&tag) && !is_for_print(&tag) {
                            sheets.push(url.clone());
                        }
                        addresses.note_media(&tag, &url);
                    }
                }
                "script" if is_script(tag.attribute("type")) => scripts.extend(
                    tag.attribute("src").map(unescape).and_then(|src| addresses.url(&src)).filter(|url| {
                        // A script beside the page is not run either, but it is no style sheet in disguise.
                        url.host_str() != Some("page.invalid")
                            && url.scheme() != "data"
                            && !Coverage::counts_visitors(url.as_str())
                    }),
                ),
                "style" => {
                    sheets.extend(
                        Coverage::imports_of(tag.content).iter().filter_map(|import| addresses.url(import)),
                    );
                }
                _ => {}
            }
        }
        addresses.find_missing(sheets, &scripts);
        addresses
    }

    /// The base that relative addresses are resolved against.
    pub(crate) fn base(&self) -> &str {
        self.base.as_ref().map_or(PAGE, Url::as_str)
    }

    /// What lies at an address.
    pub(crate) fn file(&self, url: &Url) -> Option<&[u8]> {
        self.files.get(&key(url)).map(Vec::as_slice)
    }

    /// For which media a linked style sheet is meant: all, when nothing is said.
    pub(crate) fn media(&self, url: &Url) -> Media<'_> {
        match self.media.get(&key(url)) {
            None => Media::All,
            Some(None) => Media::Nothing,
            Some(Some(media)) => Media::Only(media),
        }
    }

    fn url(&self, address: &str) -> Option<Url> {
        self.base.as_ref()?.join(address.trim()).ok()
    }

    fn note_media(&mut self, tag: &Tag<'_>, url: &Url) {
        let media = tag.attribute("media").map(str::trim).filter(|media| !media.is_empty());
        let entry = match (applies(tag), media) {
            (false, _) => None,
            (true, None | Some("all")) => {
                // Linked once without a condition is linked without a condition.
                self.media.insert(key(url), Some("all".to_owned()));
                return;
            }
            (true, Some(media)) => Some(crate::prepare::prefer_reduced_motion(&unescape(media))),
        };
        match self.media.get_mut(&key(url)) {
            Some(Some(known)) => {
                if let Some(more) = entry
                    && known != "all"
                {
                    *known = format!("{known},{more}");
                }
            }
            Some(known @ None) => *known = entry,
            None => {
                self.media.insert(key(url), entry);
            }
        }
    }

    /// Follows style sheets through their imports to those that are not there.
    fn find_missing(&mut self, sheets: Vec<Url>, scripts: &[Url]) {
        let mut missing = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = sheets;
        while let Some(url) = open.pop() {
            if !seen.insert(key(&url)) || seen.len() > MOST_REFERENCES {
                continue;
            }
            if url.scheme() == "data" {
                continue;
            }
            match self.file(&url).map(String::from_utf8_lossy) {
                Some(css) => {
                    open.extend(Coverage::imports_of(&css).iter().filter_map(|import| url.join(import).ok()));
                }
                None => {
                    missing.insert(url);
                }
            }
        }
        missing.extend(scripts.iter().cloned());
        let named: BTreeSet<String> = missing
            .iter()
            .filter(|url| !Coverage::serves_fonts(url.as_str()))
            .map(|url| relative(url).unwrap_or_else(|| url.to_string()))
            .map(|address| address.chars().take(NAMED_CHARACTERS).collect())
            .collect();
        self.missing = named.into_iter().take(NAMED).collect();
    }
}

/// When a linked style sheet is in force.
pub(crate) enum Media<'a> {
    All,
    Only(&'a str),
    Nothing,
}

/// An alternate style sheet is a choice nobody has made.
fn applies(tag: &Tag<'_>) -> bool {
    !tag.has_word("rel", "alternate") && tag.attribute("disabled").is_none()
}

fn is_for_print(tag: &Tag<'_>) -> bool {
    tag.attribute("media").is_some_and(|media| media.trim().eq_ignore_ascii_case("print"))
}

/// The address without what is no part of the file's name.
fn key(url: &Url) -> String {
    if url.scheme() == "data" {
        return url.as_str().chars().take(NAMED_CHARACTERS).collect();
    }
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    String::from_utf8_lossy(&percent_decoded(url.as_str())).into_owned()
}

/// Takes out addresses that are none: the engine takes it for granted that they can be resolved.
pub(crate) fn without_broken_addresses(html: &str) -> String {
    let Ok(page) = Url::parse(PAGE) else {
        return html.to_owned();
    };
    let mut broken: Vec<std::ops::Range<usize>> = Vec::new();
    let mut imports = BTreeSet::new();
    for tag in tags(html) {
        let value = match tag.name.as_str() {
            "link" => tag.value("href"),
            "img" | "input" | "iframe" | "embed" | "object" => tag.value("src"),
            _ => None,
        };
        if let Some(value) = value.filter(|value| page.join(&unescape(value)).is_err()) {
            let start = value.as_ptr() as usize - html.as_ptr() as usize;
            broken.push(start..start + value.len());
        }
        imports.extend(imports_in_css(tag.content).into_iter().filter(|address| page.join(address).is_err()));
    }
    let mut out = String::with_capacity(html.len());
    let mut done = 0;
    for place in broken {
        out.push_str(html.get(done..place.start).unwrap_or_default());
        done = place.end;
    }
    out.push_str(html.get(done..).unwrap_or_default());
    without_broken_imports(out, &imports)
}

/// The same for a style sheet by itself.
pub(crate) fn css_without_broken_imports(css: String) -> String {
    let Ok(page) = Url::parse(PAGE) else {
        return css;
    };
    let broken = imports_in_css(&css).into_iter().filter(|address| page.join(address).is_err()).collect();
    without_broken_imports(css, &broken)
}

fn without_broken_imports(mut css: String, broken: &BTreeSet<String>) -> String {
    // Nobody has many of them by mistake.
    for address in broken.iter().take(20) {
        css = css.replace(address.as_str(), "data:,");
    }
    css
}

/// The addresses of `url()` and `@import` in a style sheet.
fn addresses_in_css(css: &str) -> Vec<String> {
    let mut found = imports_in_css(css);
    let mut rest = css;
    while let Some((_, after)) = split_once_ignoring_case(rest, "url(") {
        let after = after.trim_start();
        let (address, tail) = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                after.get(1..).and_then(|inside| inside.split_once(quote)).unwrap_or(("", ""))
            }
            _ => after.split_once(')').unwrap_or(("", "")),
        };
        found.push(address.trim().to_owned());
        rest = tail;
    }
    found
}

impl Coverage {
    /// The addresses of the style sheets that one imports. What stands in a comment is no rule.
    pub fn imports_of(css: &str) -> Vec<String> {
        imports_in_css(&without_comments(css))
    }
}

/// The addresses of `@import` rules.
fn imports_in_css(css: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = css;
    while let Some((_, after)) = split_once_ignoring_case(rest, "@import") {
        let rule = after.trim_start();
        let inside = split_once_ignoring_case(rule, "url(").filter(|(before, _)| before.is_empty());
        let rule = inside.map_or(rule, |(_, inside)| inside.trim_start());
        let address = match rule.chars().next() {
            Some(quote @ ('"' | '\'')) => rule.get(1..).and_then(|rule| rule.split(quote).next()),
            _ if inside.is_some() => rule.split(')').next(),
            _ => None,
        };
        found.extend(address.map(|address| address.trim().to_owned()));
        rest = after;
    }
    found
}

/// A style sheet without its comments.
fn without_comments(css: &str) -> Cow<'_, str> {
    if !css.contains("/*") {
        return Cow::Borrowed(css);
    }
    let mut plain = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, behind)| behind);
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

fn split_once_ignoring_case<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let at = text
        .as_bytes()
        .windows(word.len())
        .position(|window| window.eq_ignore_ascii_case(word.as_bytes()))?;
    Some((text.get(..at)?, text.get(at + word.len()..)?))
}

/// An attribute's value without the one escape that addresses have.
fn unescape(value: &str) -> String {
    value.replace("&amp;", "&")
}

/// `%20` and the like as what they stand for.
pub fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escaped = text
            .get(at + 1..at + 3)
            .filter(|_| *byte == b'%')
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(escaped.unwrap_or(*byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_as_browsers_read_it() {
        for address in [
            "https://a.example/b",
            "//a.example",
            "https:a.example",
            "http:a.example",
            "https:\\\\a.example\\x",
            "\\\\a.example",
            " ht\ntps://a.example",
            "https://me@A.example:80/",
            "wss://a.example",
            "https:/%61.example",
        ] {
            assert_eq!(foreign_host(address).as_deref(), Some("a.example"), "{address}");
        }
        for address in ["/a", "b.html", "#c", "data:text/plain,d", "mailto:e@f.example", "", "?g=//h"] {
            assert_eq!(foreign_host(address), None, "{address}");
        }
    }

    #[test]
    fn a_page_needs_what_its_tags_and_styles_name() {
        let page = "<link rel=stylesheet href='css/site.css?v=3#x'><link rel=icon href=icon.png>\
                    <img src='my%20cat.png'><img src=data:image/png;base64,xx><img src=//cdn.test/x.png>\
                    <style>@import 'more.css';p{background:URL( \"img/a.png\" )}</style>\
                    <p style='background:url(../up.png)'><img src=/root.png><a href=page.html>";
        assert_eq!(
            references(page),
            ["css/site.css", "my cat.png", "more.css", "img/a.png", "../up.png", "/root.png"]
        );
    }

    #[test]
    fn a_style_sheet_needs_what_is_near_it() {
        let css = "@import url(base.css) print; a{background:url('../img/b.png')} b{background:url(#x)} \
                   i{background:url(https://elsewhere.test/c.png)}";
        assert_eq!(references_of_css("css/site.css", css), ["css/base.css", "img/b.png"]);
        assert_eq!(references_of_css("/css/site.css", css), ["/css/base.css", "/img/b.png"]);
    }

    #[test]
    fn only_what_is_not_there_is_missing() {
        let mut beside = Beside::nothing();
        beside.insert("site.css", b"@import 'there.css'; @import 'gone.css';".to_vec());
        beside.insert("there.css", Vec::new());
        let page = "<link rel=stylesheet href=site.css><link rel=stylesheet href=https://cdn.test/a.css>\
                    <link rel='alternate stylesheet' href=choice.css><script src=app.js></script>\
                    <link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'>\
                    <script src=//cdn.tailwindcss.com></script>";
        let addresses = Addresses::of(page, &beside);
        assert_eq!(addresses.missing, ["gone.css", "https://cdn.tailwindcss.com/", "https://cdn.test/a.css"]);
    }

    #[test]
    fn what_paints_nothing_is_not_missed() {
        let found = |page: &str| Addresses::of(page, &Beside::nothing()).missing;
        assert_eq!(
            found(
                "<script async src=https://plausible.io/js/script.js></script>\
                 <script src=https://www.googletagmanager.com/gtag/js?id=1></script>\
                 <script type=application/json src=https://cdn.test/data.json></script>\
                 <link rel=stylesheet href=https://cdn.test/font-awesome/6/css/all.css>\
                 <link rel=stylesheet media=print href=print.css>\
                 <style>/* @import 'only what you need' */</style>"
            ),
            [""; 0]
        );
        assert_eq!(found("<script src=https://cdn.test/app.js></script>"), ["https://cdn.test/app.js"]);
    }

    #[test]
    fn a_file_has_one_name() {
        for (address, name) in [
            ("my%20cat.png?v=1#x", Some("my cat.png")),
            ("./a/../b.png", Some("b.png")),
            ("/logo.png", Some("/logo.png")),
            ("../up.png", Some("../up.png")),
            ("https://far.test/a.png", None),
            ("//far.test/a.png", None),
            ("data:,x", None),
            ("#x", None),
        ] {
            assert_eq!(Beside::name_of(address).as_deref(), name, "{address}");
        }
    }

    #[test]
    fn a_base_moves_every_address() {
        let mut beside = Beside::nothing();
        beside.insert("deep/site.css", Vec::new());
        let found = |page: &str| Addresses::of(page, &beside).missing;
        assert_eq!(found("<base href='deep/'><link rel=stylesheet href=site.css>"), [""; 0]);
        assert_eq!(
            found("<base href='https://far.test/'><link rel=stylesheet href=site.css>"),
            ["https://far.test/site.css"]
        );
        assert_eq!(found("<base href='javascript:x'><link rel=stylesheet href=deep/site.css>"), [""; 0]);
    }
}
