//! What the engine does differently from browsers, and what is done about it.

use jury_eye::Viewport;

use crate::{by_id, by_tag, see};

#[test]
fn newer_selectors_are_on() {
    let snapshot = see("<style>li:nth-child(2 of .x){color:red}p:has(>b){color:red}</style>\
         <ul><li class=x>a<li>b<li class=x id=a>c</ul><p id=b><b>x</b></p>");
    let red = |id| by_id(&snapshot, id).style.as_ref().map(|style| style.color.red);
    assert_eq!((red("a"), red("b")), (Some(1.0), Some(1.0)));
}

#[test]
fn animations_rest_where_they_end() {
    let snapshot = see("<style>@keyframes in{from{opacity:0}to{opacity:.5}}@keyframes out{to{opacity:0}}\
         #a{animation:in 1s forwards}#b{animation:out 1s}#c{animation:out 1s infinite}#d{animation:out 2s both}\
         #e{opacity:0;animation:in 1s 5s both;animation-play-state:paused}#f{transition:opacity 9s;opacity:.3}</style>\
         <p id=a>x<p id=b>x<p id=c>x<p id=d>x<p id=e>x<p id=f>x");
    let opacity = ["a", "b", "c", "d", "e", "f"]
        .map(|id| by_id(&snapshot, id).style.as_ref().map(|style| style.opacity));
    assert_eq!(opacity, [0.5, 1.0, 1.0, 0.0, 0.5, 0.3].map(Some));
}

#[test]
fn reduced_motion_is_preferred_and_so_is_light() {
    let snapshot = see("<style media='(prefers-reduced-motion:reduce)'>#a{color:red}</style>\
         <style>@media (prefers-reduced-motion: no-preference){#b{color:red}}@media (prefers-reduced-motion){#c{color:red}}\
         @media (prefers-color-scheme:dark){#d{color:red}}@media not (prefers-reduced-motion:reduce){#e{color:red}}</style>\
         <p id=a>x<p id=b>x<p id=c>x<p id=d>x<p id=e>x");
    let red =
        ["a", "b", "c", "d", "e"].map(|id| by_id(&snapshot, id).style.as_ref().map(|style| style.color.red));
    assert_eq!(red, [1.0, 0.0, 1.0, 0.0, 0.0].map(Some));
}

#[test]
fn closed_details_hide_all_but_their_summary() {
    let snapshot =
        see("<details><summary id=a>x</summary><p id=b>x</details><details open><p id=c>x</details>");
    let shown = ["a", "b", "c"].map(|id| by_id(&snapshot, id).shown);
    assert_eq!(shown, [true, false, true]);
}

#[test]
fn controls_have_the_size_browsers_give_them() {
    let snapshot =
        see("<button>x</button><input id=a type=submit value='Send it'><input id=b><select id=c></select>");
    let size = |node: &jury_eye::Node| node.style.as_ref().map(|style| (style.font_size * 100.0).round());
    assert_eq!(size(by_tag(&snapshot, "button")), Some(1333.0));
    assert_eq!(size(by_id(&snapshot, "b")), Some(1333.0));
    let submit = by_id(&snapshot, "a");
    assert_eq!((submit.text.as_str(), submit.name.as_str()), ("Send it", "Send it"));
}

#[test]
fn a_background_clipped_to_text_is_known() {
    let snapshot = see(
        "<style>h1{background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent}\
         h2{background:linear-gradient(red,blue);background-clip:text}</style><h1>x</h1><h2>x</h2><h3>x</h3>",
    );
    let clipped = ["h1", "h2", "h3"]
        .map(|tag| by_tag(&snapshot, tag).style.as_ref().map(|style| style.backdrop.clipped_to_text));
    assert_eq!(clipped, [Some(true), Some(true), Some(false)]);
}

#[test]
fn many_pages_can_be_looked_at_at_once() {
    let page = "<style>p{color:red;animation:k 1s}@keyframes k{to{color:blue}}</style><p>x</p>".repeat(5);
    let alone = see(&page);
    std::thread::scope(|scope| {
        let looks: Vec<_> =
            (0..4).map(|_| scope.spawn(|| jury_eye::look(&page, Viewport::DESKTOP))).collect();
        for look in looks {
            let seen = look.join().expect("no panic").expect("it can be measured");
            assert!(seen == alone);
        }
    });
}

#[test]
fn words_for_screen_readers_only_are_heard_and_not_seen() {
    let snapshot = see(
        "<style>.a{position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap}\
         .b{position:absolute;clip:rect(1px,1px,1px,1px)}.c{position:absolute;clip:rect(0,90px,90px,0)}</style>\
         <p id=d><span id=a class=a>x</span><span id=b class=b>x<i id=e>y</i></span><span id=c class=c>x</span></p>",
    );
    let seen = ["a", "b", "c", "d", "e"].map(|id| by_id(&snapshot, id).shown);
    assert_eq!(seen, [false, false, true, true, false]);
    assert!(["a", "b", "c"].iter().all(|id| by_id(&snapshot, id).exposed));
    assert_eq!(snapshot.page.visible_characters, 1);
}

#[test]
fn a_page_that_asks_for_dark_alone_is_dark() {
    let dark = |page: &str| {
        let snapshot = see(page);
        let style = by_tag(&snapshot, "html").style.clone().expect("a style");
        let text = by_tag(&snapshot, "p").style.clone().expect("a style");
        (style.backdrop.color.alpha > 0.0 && style.backdrop.color.red < 0.1, text.color.red)
    };
    assert_eq!(dark("<style>:root{color-scheme:dark}</style><p>x</p>"), (true, 1.0));
    assert_eq!(dark("<style>:root{color-scheme:only dark}p{color:#000}</style><p>x</p>"), (true, 0.0));
    assert_eq!(dark("<meta name=color-scheme content=dark><p>x</p>"), (true, 1.0));
    // Whoever looks prefers light, and a page that has both gives it.
    assert_eq!(dark("<style>:root{color-scheme:dark light}</style><p>x</p>"), (false, 0.0));
    assert_eq!(dark("<meta name=color-scheme content='light dark'><p>x</p>"), (false, 0.0));
    assert_eq!(dark("<style>p{color-scheme:dark}</style><p>x</p>"), (false, 0.0));
}

#[test]
fn drawings_have_the_size_browsers_give_them() {
    let snapshot = see("<body style='font-size:20px'><div style='width:400px'>\
         <svg id=a width='1em' height='1.5em' viewBox='0 0 24 24'></svg><svg id=b width='50%' height='30'></svg>\
         <svg id=c height='24' viewBox='0 0 48 24'></svg><svg id=d width='60' viewBox='0 0 30 10'></svg>\
         <svg id=e viewBox='0 0 40 10'></svg></div>");
    let size = |id| by_id(&snapshot, id).rect.map(|rect| (rect.width, rect.height));
    assert_eq!(
        ["a", "b", "c", "d", "e"].map(size),
        [(20.0, 30.0), (200.0, 30.0), (48.0, 24.0), (60.0, 20.0), (400.0, 100.0)].map(Some)
    );
}

#[test]
fn a_picture_that_is_not_there_has_the_shape_that_its_attributes_say() {
    let snapshot = see("<style>img{max-width:100%;height:auto}</style><div style='width:120px'>\
         <img id=a src='https://example.com/a.jpg' width='240' height='150' alt='A'></div>\
         <img id=b src='https://example.com/b.jpg' width='240' height='150' alt='B'>");
    let size = |id| by_id(&snapshot, id).rect.map(|rect| (rect.width, rect.height));
    assert_eq!(["a", "b"].map(size), [(120.0, 75.0), (240.0, 150.0)].map(Some));
}
