//! The words.

use super::{clean, lowers, must_fix, page, review};
use crate::transcript::note;

#[test]
fn placeholders_are_found_in_words_not_in_code() {
    must_fix(&page("", "<p>Lorem ipsum dolor sit amet.</p>"), "lorem ipsum in 1 place");
    must_fix(&page("", "<p>TODO: write this</p>"), "a TODO");
    must_fix(&page("", "<p>Call [Your Name] today</p>"), "a bracketed blank");
    must_fix(&page("", "<p>Hello {{ name }}</p>"), "an unfilled template variable");
    must_fix(&page("", "<!-- TODO: later -->"), "1 TODO comment must not ship");
    clean(&page("", "<h2>TODO</h2><code>{{ name }}</code><p>Plain words.</p><!-- fine -->"));
}

#[test]
fn links_lead_somewhere() {
    must_fix(&page("", "<a href='#'>Shop</a>"), "1 link to # only");
    must_fix(&page("", "<a href=''>Shop</a>"), "without an address");
    must_fix(&page("", "<a href='javascript:void(0)'>Shop</a>"), "javascript:");
    must_fix(&page("", "<a href='#shop'>Shop</a>"), "an id that is not on the page");
    clean(&page(
        "",
        "<a href='#shop'>Shop</a><p id=shop>Here.</p><a href='#'>Back to top</a><a href=/x>Else</a>",
    ));
}

#[test]
fn vague_words_lower_the_links() {
    lowers(
        "copy",
        "links",
        &page("", "<a href=/x>Prices for wholesale</a>"),
        &page("", "<a href=/x>Click here</a>"),
    );
}

#[test]
fn hard_sentences_lower_the_clarity() {
    let easy = "<p>We bake at night. The bread is warm at six. You can take it home. It keeps for two days and more.</p>".repeat(6);
    let hard = "<p>Notwithstanding organisational considerations regarding contemporary distribution infrastructure, \
        the aforementioned institution endeavours to systematically operationalise interdepartmental collaboration opportunities \
        that facilitate comprehensive transformation of the underlying administrative architecture and its governance.</p>"
        .repeat(4);
    lowers("copy", "clear", &page("", &easy), &page("", &hard));
    let short = review(&page("", ""));
    assert!(note(&short, "copy", "clear").is_none_or(|note| !note.contains("grade")));
}
