//! What lies beside a page, as far as it decides about links.

use super::{ids, json};
use crate::harness::{Context, GOOD_PAGE};

#[test]
fn a_link_may_leave_out_the_ending_of_a_page() {
    let cx = Context::new();
    let link = "<p><a href=\"about\">About the house</a></p></main>";
    cx.write("page.html", GOOD_PAGE.replace("</main>", link));
    let dead = || ids(&json(&cx, &["page.html", "--only", "copy/links"]).1, 0).len();
    assert_eq!(dead(), 1);
    cx.write("about.html", GOOD_PAGE);
    assert_eq!(dead(), 0);
}
