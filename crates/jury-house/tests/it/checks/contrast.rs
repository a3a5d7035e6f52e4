//! Contrast of text.

use super::{clean, must_fix, page, review};
use crate::transcript::note;

#[test]
fn contrast_is_measured_against_what_is_behind() {
    must_fix(
        &page("", "<p style='color:#999'>grey on white</p>"),
        "text contrast 2.84:1, needs 4.5:1: #999999 on #ffffff",
    );
    must_fix(&page("", "<p style='opacity:.4'>faded words here</p>"), "needs 4.5:1");
    must_fix(&page("", "<p style='color:rgba(0,0,0,.4)'>thin words here</p>"), "needs 4.5:1");
    must_fix(
        &page("", "<div style='background:#000'><p style='color:#333'>dark on dark</p></div>"),
        "#333333 on #000000",
    );
    must_fix(
        &page("", "<p style='color:#777;background:linear-gradient(#ddd,#eee)'>grey on gradient</p>"),
        "needs 4.5:1",
    );
    clean(&page(
        "",
        "<p style='color:#767676'>just enough</p><p style='color:#949494;font-size:24px'>large</p>",
    ));
    clean(&page("", "<p style='color:#fff;background:linear-gradient(#000,#333)'>white on dark</p>"));
}

#[test]
fn contrast_has_its_exemptions() {
    for body in [
        "<button disabled style='color:#ccc'>Not now</button>",
        "<label style='color:#ccc'>Off <input disabled></label>",
        "<p style='color:#ccc'>— · —</p>",
        "<p style='color:#ccc' hidden>never seen</p>",
        "<p style='color:#ccc' aria-hidden=true>ornament words</p>",
    ] {
        clean(&page("", body));
    }
}

#[test]
fn text_over_an_image_is_not_decided() {
    let round = review(&page("", "<p style='color:#999;background:url(x.jpg)'>over a picture</p>"));
    assert!(round.must_fix.is_empty());
    assert!(
        note(&round, "a11y", "perceive")
            .is_some_and(|note| note.contains("undecided") && note.contains("between"))
    );
}
