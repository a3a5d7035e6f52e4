//! The files that machines read: for crawlers, feeds and home screens.

use serde_json::json;

use super::super::brand::{hex, ink_on, of};
use super::super::design::Role;
use super::super::escape::{Markup, normal};
use super::Site;
use super::shell::named;

pub(super) fn robots(site: &Site<'_>) -> Vec<u8> {
    format!("User-agent: *\nAllow: /\n\nSitemap: {}\n", site.address("sitemap.xml")).into_bytes()
}

pub(super) fn sitemap(site: &Site<'_>) -> Vec<u8> {
    let mut out = Markup::default();
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.raw("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    let mut url = |path: &str, changed: Option<&str>| {
        out.raw("<url><loc>").text(&site.address(path)).raw("</loc>");
        if let Some(date) = changed {
            out.raw("<lastmod>").text(date).raw("</lastmod>");
        }
        out.raw("</url>\n");
    };
    url("", None);
    if let Some((_, newest)) = site.posts.first() {
        url("blog/", Some(&newest.date.to_string()));
    }
    for (slug, post) in &site.posts {
        url(&format!("blog/{slug}/"), Some(&post.date.to_string()));
    }
    out.raw("</urlset>\n");
    out.into_bytes()
}

/// An Atom feed of the posts.
pub(super) fn feed(site: &Site<'_>) -> Vec<u8> {
    let mut out = Markup::default();
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .open("feed", &[("xmlns", "http://www.w3.org/2005/Atom"), ("xml:lang", &site.lang)]);
    out.raw("\n").open("title", &[]).text(&normal(&site.page.name)).raw("</title>\n");
    out.line("id", &[], &site.address("blog/"));
    out.open("link", &[("rel", "self"), ("href", &site.address("feed.xml"))]).raw("</link>\n");
    out.open("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &site.address("blog/"))])
        .raw("</link>\n");
    let midnight = |date: jiff::civil::Date| format!("{date}T00:00:00Z");
    if let Some((_, newest)) = site.posts.first() {
        out.line("updated", &[], &midnight(newest.date));
    }
    out.raw("<author><name>").text(&normal(&site.page.name)).raw("</name></author>\n");
    for (slug, post) in &site.posts {
        let address = site.address(&format!("blog/{slug}/"));
        out.raw("<entry>\n").line("title", &[], &named(&post.title, slug)).line("id", &[], &address);
        out.open("link", &[("rel", "alternate"), ("type", "text/html"), ("href", &address)]).raw("</link>\n");
        out.line("updated", &[], &midnight(post.date))
            .line("summary", &[], &post.description)
            .raw("</entry>\n");
    }
    out.raw("</feed>\n");
    out.into_bytes()
}

pub(super) fn manifest(site: &Site<'_>) -> Vec<u8> {
    let name = normal(&site.page.name);
    let short: String = name.chars().take(12).collect();
    let manifest = json!({
        "name": name,
        "short_name": short.trim(),
        "start_url": "./",
        "scope": "./",
        "display": "browser",
        "lang": site.lang,
        "background_color": of(&site.brand.colors, Role::Background),
        "theme_color": of(&site.brand.colors, Role::Tint),
        "icons": [{ "src": "favicon.svg", "sizes": "any", "type": "image/svg+xml" }],
    });
    let mut bytes = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// The first letter of the name on the main colour.
pub(super) fn favicon(site: &Site<'_>) -> Vec<u8> {
    let primary = of(&site.brand.colors, Role::Primary);
    let ink = hex(primary).map_or_else(|| "#ffffff".to_owned(), |primary| ink_on(primary).hex());
    let letter: String = normal(&site.page.name)
        .chars()
        .find(|ch| ch.is_alphanumeric())
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let radius = (u32::from(site.brand.radius) * 2).min(32).to_string();
    let mut out = Markup::default();
    out.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\">\n");
    out.open("rect", &[("width", "64"), ("height", "64"), ("rx", &radius), ("fill", primary)])
        .raw("</rect>\n");
    let text = [
        ("x", "32"),
        ("y", "33"),
        ("text-anchor", "middle"),
        ("dominant-baseline", "central"),
        ("font-family", "system-ui, sans-serif"),
        ("font-size", "36"),
        ("font-weight", "700"),
        ("fill", ink.as_str()),
    ];
    out.line("text", &text, &letter).raw("</svg>\n");
    out.into_bytes()
}
