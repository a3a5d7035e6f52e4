//! A page of a site as one file: for the theater, which reviews one page and loads nothing beside it.

/// How the assembler refers to the stylesheet.
const LINK: &str = "<link rel=\"stylesheet\" type=\"text/css\" href=\"styles.css\">";

/// The first page with its stylesheet in it; none when it is no page of ours.
pub fn single_file(index: &str, style: &str) -> Option<String> {
    let (before, after) = index.split_once(LINK)?;
    // A stylesheet of ours never ends its element; one that does is not put there.
    (!style.to_ascii_lowercase().contains("</style"))
        .then(|| format!("{before}<style>\n{style}</style>{after}"))
}

#[cfg(test)]
mod tests {
    use jury_core::content::Page;

    use super::*;
    use crate::site::{SiteSettings, assemble_site_files, design_brand};

    #[test]
    fn the_page_of_a_site_is_whole_in_one_file() {
        let mut page = Page::default();
        page.name.push_str("Acme");
        page.hero.headline.push_str("Anvils that ring");
        let settings = SiteSettings {
            base_url: "https://acme.example/".to_owned(),
            lang: String::new(),
            posts: Vec::new(),
        };
        let files = assemble_site_files(&page, &design_brand(None, "acme").0, &settings);
        let text = |name: &str| String::from_utf8_lossy(&files[name]).into_owned();
        let single = single_file(&text("index.html"), &text("styles.css"));
        let single = single.unwrap_or_default();
        assert!(single.contains("Anvils that ring") && single.contains("<style>"), "{single}");
        assert!(!single.contains("styles.css\">"));
        assert_eq!(single_file("<p>somebody's</p>", ""), None);
        assert_eq!(single_file(LINK, "</STYLE><script>"), None);
    }
}
