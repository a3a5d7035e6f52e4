//! What an element is known by when the page around it changes.

use jury_house::{Beside, report};

/// The marks of all places at which a check finds something.
fn marks(check: &str, body: &str) -> Vec<String> {
    let page = format!(
        "<!doctype html><html lang=en><title>Shelves</title><main><h1>Shelves</h1>{body}</main></html>"
    );
    let report = report(&page, None, &Beside::nothing()).expect("the page can be measured");
    let found = report.findings.iter().filter(|found| found.check == check);
    found.flat_map(|found| found.places.iter().map(|place| place.mark.clone())).collect()
}

#[test]
fn pictures_are_known_by_what_they_show_and_not_by_where_they_stand() {
    let [one, other] = ["<img src=a.png>", "<img src=b.png>"].map(|body| marks("a11y/img-alt", body));
    assert_eq!((one.len(), other.len()), (1, 1));
    assert_ne!(one, other);
    let moved =
        marks("a11y/img-alt", "\n<p>Oak and pine.</p>\n<div><img class=wide width=20 src=a.png></div>");
    assert_eq!(moved, one);
    assert_eq!(marks("a11y/img-alt", "<img src=a.png><img src=a.png>"), [one.clone(), one].concat());
}

#[test]
fn what_has_no_words_is_known_by_the_words_around_it() {
    let card = |words: &str, name: &str| {
        format!("<div><p>{words}</p><button{name}><svg width=9 height=9></svg></button></div>")
    };
    let name = " aria-label=Close";
    let first = marks("a11y/control-name", &format!("{}{}", card("Oak", ""), card("Pine", name)));
    let second = marks("a11y/control-name", &format!("{}{}", card("Oak", name), card("Pine", "")));
    assert_eq!((first.len(), second.len()), (1, 1), "{first:?} {second:?}");
    assert_ne!(first, second);
}
