//! Content without a model: reading, putting together, correcting.

mod read;
mod template;

use jury_core::content::{DocType, Foundation};

/// A file of the examples.
fn example(path: &str) -> String {
    let path = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

/// The documents of the example.
fn acme() -> Foundation {
    let kinds = ["positioning", "brand-voice", "seo-strategy", "social-media-strategy", "strategy", "design"];
    Foundation::new(kinds.map(|kind| {
        let text = example(&format!("ideas/acme/{kind}.md"));
        (kind.parse::<DocType>().expect("a name"), text)
    }))
}
