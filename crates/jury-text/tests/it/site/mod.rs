//! Sites: brands that can be read, files that say what the page says, and checks that see when they do not.

mod assemble;
mod brand;
mod validate;

use jury_core::content::Page;
use jury_core::content::brand::SiteBrand;
use jury_text::site::{Post, SiteSettings, design_brand};

fn long() -> Page {
    serde_json::from_str(include_str!("../../sites/long.page.json")).expect("a page")
}

fn short() -> Page {
    serde_json::from_str(include_str!("../../sites/short.page.json")).expect("a page")
}

fn light() -> SiteBrand {
    design_brand(Some(include_str!("../../sites/light.design.md")), "acme").0
}

fn dark() -> SiteBrand {
    design_brand(Some(include_str!("../../sites/dark.design.md")), "nachtlicht").0
}

fn settings() -> SiteSettings {
    SiteSettings {
        base_url: "https://acme.example/s/acme".to_owned(),
        lang: "en".to_owned(),
        posts: vec![
            Post {
                slug: "first-count".to_owned(),
                title: "The first count takes an evening".to_owned(),
                search_title: None,
                description: "What to count first, with whom, and what to do with the difference.".to_owned(),
                markdown: "# The first count takes an evening\n\nBegin with *one* shelf.\n\n#### Which one\n\n1. The tea\n2. The rice\n\n| shelf | minutes |\n|---|---|\n| tea | 20 |\n\nSee [the front page](../../) and <script>alert(1)</script>.\n\n![A shelf](https://example.com/shelf.png)\n\n[run](javascript:alert(1))\n\n```sh\ncount --shelf tea\n```\n".to_owned(),
                date: "2026-03-01".parse().expect("a date"),
            },
            Post {
                slug: "Why we count".to_owned(),
                title: "Why we count".to_owned(),
                search_title: None,
                description: "A list that is wrong on Friday is an empty shelf on Saturday.".to_owned(),
                markdown: "Because.\n".to_owned(),
                date: "2026-04-01".parse().expect("a date"),
            },
        ],
    }
}
