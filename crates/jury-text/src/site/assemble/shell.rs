//! What surrounds every page: its head, the header, the footer; and the pages that are not the landing page.

use serde_json::{Value, json};

use super::super::brand::of;
use super::super::design::Role;
use super::super::escape::{Markup, normal};
use super::super::markdown;
use super::super::post::pieces;
use super::super::words::is_rtl;
use super::{Post, Site};

/// What one page says about itself.
pub(super) struct Head<'a> {
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    /// The way to the root of the site: empty there, `../` below.
    pub(super) up: &'a str,
    /// Where the page is in the site; none for a page that is nowhere.
    pub(super) path: Option<&'a str>,
    pub(super) kind: &'static str,
    pub(super) data: Option<Value>,
}

/// A whole page around what it has to say.
pub(super) fn page(site: &Site<'_>, head: &Head<'_>, main: &Markup) -> Vec<u8> {
    let mut out = Markup::default();
    let mut language = vec![("lang", site.lang.as_str())];
    if is_rtl(&site.lang) {
        language.push(("dir", "rtl"));
    }
    out.raw("<!doctype html>\n").open("html", &language).raw("\n<head>\n<meta charset=\"utf-8\">\n");
    out.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.open("title", &[]).text(&normal(head.title)).close("title").raw("\n");
    let meta = |out: &mut Markup, name: &str, content: &str| {
        out.open("meta", &[("name", name), ("content", &normal(content))]).raw("\n");
    };
    let property = |out: &mut Markup, name: &str, content: &str| {
        out.open("meta", &[("property", name), ("content", &normal(content))]).raw("\n");
    };
    meta(&mut out, "description", head.description);
    match head.path {
        Some(path) => {
            let address = site.address(path);
            out.open("link", &[("rel", "canonical"), ("href", &address)]).raw("\n");
            property(&mut out, "og:type", head.kind);
            property(&mut out, "og:site_name", &site.page.name);
            property(&mut out, "og:title", head.title);
            property(&mut out, "og:description", head.description);
            property(&mut out, "og:url", &address);
            meta(&mut out, "twitter:card", "summary");
            meta(&mut out, "twitter:title", head.title);
            meta(&mut out, "twitter:description", head.description);
        }
        None => meta(&mut out, "robots", "noindex"),
    }
    meta(&mut out, "theme-color", of(&site.brand.colors, Role::Tint));
    let link = |out: &mut Markup, rel: &str, kind: &str, file: &str| {
        let address = format!("{}{file}", head.up);
        out.open("link", &[("rel", rel), ("type", kind), ("href", &address)]).raw("\n");
    };
    link(&mut out, "icon", "image/svg+xml", "favicon.svg");
    link(&mut out, "manifest", "application/manifest+json", "site.webmanifest");
    if !site.posts.is_empty() {
        link(&mut out, "alternate", "application/atom+xml", "feed.xml");
    }
    link(&mut out, "stylesheet", "text/css", "styles.css");
    if let Some(data) = &head.data {
        out.data(data);
    }
    out.raw("</head>\n<body>\n").open("a", &[("class", "skip"), ("href", "#main")]);
    out.text(site.words.skip).raw("</a>\n");
    header(site, head, &mut out);
    out.raw("<main id=\"main\" tabindex=\"-1\">\n").part(main).raw("</main>\n");
    footer(site, head, &mut out);
    out.raw("</body>\n</html>\n");
    out.into_bytes()
}

fn header(site: &Site<'_>, head: &Head<'_>, out: &mut Markup) {
    let home = if head.up.is_empty() { "./" } else { head.up };
    out.raw("<header class=\"head\"><div class=\"wrap\">\n");
    let mark = format!("{}favicon.svg", head.up);
    let image = [("src", mark.as_str()), ("alt", ""), ("width", "32"), ("height", "32")];
    // On the front page the name leads nowhere.
    let is_front = head.path == Some("");
    let unnamed = normal(&site.page.name).is_empty();
    let name = if unnamed && !is_front { site.words.home } else { site.page.name.as_str() };
    if is_front {
        out.open("span", &[("class", "name")]);
    } else {
        out.open("a", &[("class", "name"), ("href", home)]);
    }
    out.open("img", &image).open("span", &[]).text(name).raw("</span>");
    out.raw(if is_front { "</span>\n" } else { "</a>\n" });
    if !site.posts.is_empty() {
        let blog = format!("{}blog/", head.up);
        out.open("nav", &[("aria-label", site.page.name.as_str())]).open("a", &[("href", &blog)]);
        out.text(site.words.blog).raw("</a></nav>\n");
    }
    out.raw("</div></header>\n");
}

fn footer(site: &Site<'_>, head: &Head<'_>, out: &mut Markup) {
    out.raw("<footer class=\"foot\"><div class=\"wrap\">\n");
    out.line("span", &[], &site.page.name);
    if !site.posts.is_empty() {
        let feed = format!("{}feed.xml", head.up);
        out.open("a", &[("href", &feed)]).text(site.words.feed).raw("</a>\n");
    }
    out.raw("</div></footer>\n");
}

/// The page for addresses that lead nowhere. It is shown at any depth, so its links begin at the root.
pub(super) fn not_found(site: &Site<'_>) -> Vec<u8> {
    let root = site.root();
    let mut main = Markup::default();
    main.raw("<section class=\"part\"><div class=\"wrap body\">\n");
    main.line("h1", &[], site.words.not_found).line("p", &[], site.words.not_found_text);
    main.raw("<p>")
        .open("a", &[("class", "button"), ("href", &root)])
        .text(site.words.home)
        .raw("</a></p>\n");
    main.raw("</div></section>\n");
    let title = format!("{} | {}", site.words.not_found, site.page.name);
    let head = Head {
        title: &title,
        description: site.words.not_found_text,
        up: &root,
        path: None,
        kind: "website",
        data: None,
    };
    page(site, &head, &main)
}

/// The list of posts.
pub(super) fn blog(site: &Site<'_>) -> Vec<u8> {
    let mut main = Markup::default();
    main.raw("<section class=\"part\"><div class=\"wrap\">\n").line("h1", &[], site.words.blog);
    main.raw("<ul class=\"list\">\n");
    for (slug, post) in &site.posts {
        let address = format!("{slug}/");
        main.raw("<li>\n<h2>")
            .open("a", &[("href", &address)])
            .text(&named(&post.title, slug))
            .raw("</a></h2>\n");
        main.line("p", &[], &post.description);
        when(&mut main, post);
        main.raw("</li>\n");
    }
    main.raw("</ul>\n</div></section>\n");
    let title = format!("{} | {}", site.words.blog, site.page.name);
    let titles: Vec<String> =
        site.posts.iter().take(3).map(|(slug, post)| named(&post.title, slug)).collect();
    let description = format!("{}: {}", title, titles.join(" · "));
    let description: String = description.chars().take(300).collect();
    let data = json!({
        "@context": "https://schema.org",
        "@type": "Blog",
        "name": normal(&title),
        "url": site.address("blog/"),
        "inLanguage": site.lang,
        "publisher": { "@type": "Organization", "name": normal(&site.page.name), "url": site.base },
    });
    let head = Head {
        title: &title,
        description: &description,
        up: "../",
        path: Some("blog/"),
        kind: "website",
        data: Some(data),
    };
    page(site, &head, &main)
}

/// The page of one post.
pub(super) fn post(site: &Site<'_>, slug: &str, post: &Post) -> Vec<u8> {
    let title = named(&post.title, slug);
    let path = format!("blog/{slug}/");
    let mut main = Markup::default();
    main.raw("<article class=\"part\"><div class=\"wrap\"><div class=\"post\">\n").line("h1", &[], &title);
    // A description that is out of the text is not said twice.
    let told = normal(&post.description);
    if told != title && !pieces(&post.markdown).iter().any(|piece| piece.text.contains(&told)) {
        main.line("p", &[("class", "lead")], &post.description);
    }
    when(&mut main, post);
    main.raw("<div class=\"prose\">\n").part(&markdown::render(&post.markdown, &post.title));
    main.raw("</div>\n</div></div></article>\n");
    let publisher = json!({ "@type": "Organization", "name": normal(&site.page.name), "url": site.base });
    let data = json!({
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": normal(&title),
        "description": normal(&post.description),
        "datePublished": post.date.to_string(),
        "url": site.address(&path),
        "mainEntityOfPage": site.address(&path),
        "inLanguage": site.lang,
        "author": publisher,
        "publisher": publisher,
    });
    let whole = post.search_title.clone().unwrap_or_else(|| format!("{title} | {}", site.page.name));
    let head = Head {
        title: &whole,
        description: &post.description,
        up: "../../",
        path: Some(&path),
        kind: "article",
        data: Some(data),
    };
    page(site, &head, &main)
}

/// A title, or the name of the file for want of one.
pub(super) fn named(title: &str, slug: &str) -> String {
    let title = normal(title);
    if title.is_empty() { slug.to_owned() } else { title }
}

fn when(out: &mut Markup, post: &Post) {
    let date = post.date.to_string();
    out.raw("<p class=\"when\">").open("time", &[("datetime", &date)]).text(&date).raw("</time></p>\n");
}
