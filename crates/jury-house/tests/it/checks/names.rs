//! Names, roles and structure.

use super::{clean, lowers, must_fix, page, review};
use crate::transcript::note;

#[test]
fn images_need_an_alternative() {
    must_fix(&page("", "<img src=a.png width=10 height=10>"), "1 image without a text alternative");
    must_fix(&page("", "<svg role=img width=9 height=9></svg>"), "without a text alternative");
    clean(&page(
        "",
        "<img src=a.png alt='A loaf'><img src=b.png alt=''><svg role=img aria-label=Loaf></svg>",
    ));
}

#[test]
fn controls_need_a_name() {
    must_fix(&page("", "<button><svg></svg></button>"), "1 control without a name");
    must_fix(&page("", "<a href=/x></a>"), "1 control without a name");
    clean(&page("", "<button aria-label=Close><svg></svg></button><a href=/x><img src=a alt=Home></a>"));
}

#[test]
fn fields_need_a_label() {
    must_fix(&page("", "<input name=q>"), "1 field without a label");
    must_fix(&page("", "<select name=q><option>a</select>"), "1 field without a label");
    clean(&page("", "<label>Name <input></label><input aria-label=City><input type=hidden>"));
    let round = review(&page("", "<input placeholder=Search>"));
    assert!(round.must_fix.is_empty());
    assert!(note(&round, "a11y", "names").is_some_and(|note| note.contains("placeholder only")));
}

#[test]
fn language_and_title_are_needed() {
    must_fix(&page("", "").replace(" lang=\"en\"", ""), "the page has no language");
    must_fix(&page("", "").replace("lang=\"en\"", "lang=\"english\""), "is no known language");
    must_fix(&page("", "").replace("A page about bread", ""), "the page has no title");
    must_fix(&page("", "").replace("A page about bread", "Document"), "says nothing");
}

#[test]
fn headings_follow_each_other() {
    lowers(
        "a11y",
        "structure",
        &page("", "<h2>Two</h2><h3>Three</h3>"),
        &page("", "<h2>Two</h2><h4>Four</h4>"),
    );
    lowers("a11y", "structure", &page("", ""), &page("", "").replace("h1>", "h2>"));
    let round = review(&page("", "<h2>Two</h2><h4>Four</h4>"));
    assert!(note(&round, "a11y", "structure").is_some_and(|note| note.contains("h2 to h4 (h4, line 1)")));
}

#[test]
fn landmarks_hold_the_text() {
    lowers("a11y", "structure", &page("", ""), &page("", "").replace("main>", "div>"));
}
