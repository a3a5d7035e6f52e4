//! Whether a page can be worked with.

use super::{clean, lowers, must_fix, page};

#[test]
fn the_viewport_lets_readers_zoom() {
    let good = page("", "");
    lowers(
        "a11y",
        "operate",
        &good,
        &good.replace("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">", ""),
    );
    must_fix(&good.replace("initial-scale=1", "user-scalable=no"), "zoom is forbidden by user-scalable=no");
    must_fix(&good.replace("initial-scale=1", "maximum-scale=1"), "zoom is forbidden by maximum-scale");
}

#[test]
fn the_focus_ring_stays() {
    let link = "<a href=/x>To the shop</a>";
    must_fix(&page("a{outline:none}", link), "the focus ring is taken away by a { outline: none }");
    clean(&page("a{outline:none}a:focus-visible{box-shadow:0 0 0 2px #000}", link));
    clean(&page(".unused{outline:none}", link));
}

#[test]
fn targets_are_large_or_apart() {
    let targets = |gap: u32| {
        page(
            "",
            &format!(
                "<div style='display:flex;gap:{gap}px'>{}</div>",
                "<button style='width:12px;height:12px;padding:0' aria-label=Dot></button>".repeat(3)
            ),
        )
    };
    lowers("a11y", "operate", &targets(40), &targets(2));
}
