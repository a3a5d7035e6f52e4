//! Assembles and validates a site without a run: `site PAGE.json DESIGN.md|- BASE_URL OUT [POST.md…]`.
//!
//! Every file of the site is written under OUT; errors and warnings are printed, and an error fails.

use std::error::Error;
use std::io::{self, Write as _};
use std::path::Path;

use jury_core::content::Page;
use jury_text::site::{Post, SiteSettings, assemble_site_files, design_brand, validate_code};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [page, design, base_url, out, posts @ ..] = &arguments[..] else {
        return Err("usage: site PAGE.json DESIGN.md|- BASE_URL OUT [POST.md…]".into());
    };
    let page: Page = serde_json::from_slice(&std::fs::read(page)?)?;
    let design = (design != "-").then(|| std::fs::read_to_string(design)).transpose()?;
    let (brand, notes) = design_brand(design.as_deref(), &page.name);
    let mut settings =
        SiteSettings { base_url: base_url.clone(), lang: "en".to_owned(), ..SiteSettings::default() };
    for (number, path) in (1..).zip(posts) {
        let markdown = std::fs::read_to_string(path)?;
        let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let title = markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(&name).to_owned();
        let description =
            markdown.lines().find(|line| line.split(' ').count() > 8).unwrap_or(&title).to_owned();
        let date = jiff::civil::date(2026, 1, number);
        settings.posts.push(Post { slug: name, title, search_title: None, description, markdown, date });
    }
    let files = assemble_site_files(&page, &brand, &settings);
    let found = validate_code(&files, &page, &brand, &settings.posts);
    let mut lines = io::stdout().lock();
    for note in &notes {
        writeln!(lines, "note: {note}")?;
    }
    for flaw in &found.warnings {
        writeln!(lines, "warning: {flaw}")?;
    }
    for flaw in &found.errors {
        writeln!(lines, "error: {flaw}")?;
    }
    for (path, bytes) in &files {
        let path = Path::new(out).join(path);
        path.parent().map(std::fs::create_dir_all).transpose()?;
        std::fs::write(path, bytes)?;
    }
    if found.passes() { Ok(()) } else { Err("the site has errors".into()) }
}
