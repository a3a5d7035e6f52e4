//! What a page carries in itself and what lies beside it is used; nothing else is.

use jury_eye::{Beside, Node, Sight, Snapshot, Viewport, look_at};

use crate::{by_id, by_tag, see};

fn see_with(html: &str, files: &[(&str, &[u8])]) -> Snapshot {
    let mut beside = Beside::nothing();
    for (address, bytes) in files {
        beside.insert(*address, bytes.to_vec());
    }
    let sight = Sight { html, beside: &beside, viewports: &[Viewport::DESKTOP], pixels: None };
    look_at(sight).expect("the page can be measured").pop().expect("one window")
}

fn red(node: &Node) -> Option<f32> {
    node.style.as_ref().map(|style| style.color.red)
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x2c\0\0\0\xc8";

#[test]
fn style_sheets_beside_the_page_apply_with_their_imports() {
    let snapshot = see_with(
        "<link rel=stylesheet href='css/site.css?v=2'><p>x</p><b>y</b><i>z</i>",
        &[
            (
                "css/site.css",
                b"@import 'more/base.css'; p{color:red} @media (prefers-reduced-motion:reduce){i{color:red}}",
            ),
            ("css/more/base.css", b"@import url(../last.css);"),
            ("css/last.css", b"b{color:red}"),
        ],
    );
    assert_eq!(
        [red(by_tag(&snapshot, "p")), red(by_tag(&snapshot, "b")), red(by_tag(&snapshot, "i"))],
        [Some(1.0); 3]
    );
    assert!(snapshot.coverage.is_complete(), "{:?}", snapshot.coverage);
}

#[test]
fn the_media_of_links_and_styles_are_heeded() {
    let snapshot = see_with(
        "<link rel=stylesheet media=print href=a.css><link rel=stylesheet media='(min-width:600px)' href=b.css>\
         <link rel='alternate stylesheet' href=c.css><style media=print>#d{color:red}</style>\
         <link rel=stylesheet media='(prefers-reduced-motion: no-preference)' href=e.css>\
         <p id=a>x</p><p id=b>x</p><p id=c>x</p><p id=d>x</p><p id=e>x</p>",
        &[
            ("a.css", b"#a{color:red}"),
            ("b.css", b"#b{color:red}"),
            ("c.css", b"#c{color:red}"),
            ("e.css", b"#e{color:red}"),
        ],
    );
    let seen = ["a", "b", "c", "d", "e"].map(|id| red(by_id(&snapshot, id)));
    assert_eq!(seen, [Some(0.0), Some(1.0), Some(0.0), Some(0.0), Some(0.0)]);
}

#[test]
fn content_in_addresses_is_used() {
    let snapshot = see("<link rel=stylesheet href='data:text/css,p%7Bcolor:red%7D'><p>x</p>\
         <img id=a src='data:image/gif;base64,R0lGODlhEAAgAA=='>");
    assert_eq!(red(by_tag(&snapshot, "p")), Some(1.0));
    assert_eq!(by_id(&snapshot, "a").rect.map(|rect| (rect.width, rect.height)), Some((16.0, 32.0)));
    assert!(snapshot.coverage.is_complete());
}

#[test]
fn pictures_take_their_natural_size() {
    let snapshot = see_with(
        "<img id=a src=cat.png><img id=b src=cat.png style='width:150px'><img id=c src=dog.png width=40 height=30>",
        &[("cat.png", PNG)],
    );
    let size = |id| by_id(&snapshot, id).rect.map(|rect| (rect.width, rect.height));
    assert_eq!(
        (size("a"), size("b"), size("c")),
        (Some((300.0, 200.0)), Some((150.0, 100.0)), Some((40.0, 30.0)))
    );
}

#[test]
fn a_base_is_respected_and_bad_addresses_do_no_harm() {
    let snapshot = see_with(
        "<base href='deep/'><link rel=stylesheet href=a.css><p>x</p>",
        &[("deep/a.css", b"p{color:red}")],
    );
    assert_eq!(red(by_tag(&snapshot, "p")), Some(1.0));
    for page in [
        "<link rel=stylesheet href='//[::1'><img src='http://'><a href='//[::1'>x</a>",
        "<base href='//[::1'><link rel=stylesheet href=a.css>",
        "<style>@import '//[::1'; p{background:url(http://)}</style><p>x",
        "<base href='data:text/html,x'><img src=a.png>",
    ] {
        assert!(jury_eye::look(page, Viewport::PHONE).is_ok(), "{page}");
    }
}

#[test]
fn what_is_missing_is_named() {
    let snapshot =
        see("<link rel=stylesheet href=gone.css><style>@import url(https://far.test/x.css);</style>\
         <script src=app.js></script><p>Enough text to be seen</p>");
    assert!(snapshot.coverage.external_css);
    assert_eq!(snapshot.coverage.missing, ["gone.css", "https://far.test/x.css"]);
}

#[test]
fn a_style_sheet_that_imports_itself_comes_to_an_end() {
    let snapshot = see_with(
        "<link rel=stylesheet href=a.css><p>x</p>",
        &[("a.css", b"@import 'b.css'; p{color:red}"), ("b.css", b"@import 'a.css';")],
    );
    assert_eq!(red(by_tag(&snapshot, "p")), Some(1.0));
}
