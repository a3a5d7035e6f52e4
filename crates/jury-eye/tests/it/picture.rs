//! The picture of the first window.

use jury_eye::{Beside, NodeId, Picture, Sight, Snapshot, Undecided, Viewport, look_at};

fn picture_of(html: &str, pixels: Option<Undecided<'_>>) -> Option<Picture> {
    let sight =
        Sight { html, beside: &Beside::nothing(), viewports: &[Viewport::DESKTOP, Viewport::PHONE], pixels };
    let mut snapshots = look_at(sight).expect("the page can be measured").into_iter();
    let picture = snapshots.next().and_then(|snapshot| snapshot.picture);
    assert!(snapshots.all(|snapshot| snapshot.picture.is_none()), "only the first window is painted");
    picture
}

fn nothing_undecided(_: &Snapshot) -> Vec<NodeId> {
    Vec::new()
}

fn at(picture: &Picture, x: usize, y: usize) -> [u8; 3] {
    let start = 4 * (y * usize::try_from(picture.width).expect("a width") + x);
    picture.rgba[start..start + 3].try_into().expect("three channels")
}

#[test]
fn it_shows_boxes_and_text_at_half_the_size() {
    let page = "<body style='margin:0'><div style='width:400px;height:200px;background:#c00'></div>\
                <h1 style='margin:40px;font-size:60px;color:#000'>MMMM</h1>";
    let picture = picture_of(page, Some(&nothing_undecided)).expect("a picture");
    assert_eq!((picture.width, picture.rgba.len()), (640, 640 * 400 * 4));
    assert_eq!(at(&picture, 100, 50), [204, 0, 0]);
    assert_eq!(at(&picture, 300, 50), [255; 3]);
    let dark =
        (120..160).flat_map(|y| (20..120).map(move |x| (x, y))).filter(|(x, y)| at(&picture, *x, *y)[0] < 60);
    assert!(dark.count() > 200, "letters are in it");
}

#[test]
fn text_that_shows_a_gradient_is_in_it() {
    let page = "<h1 style='font-size:90px;margin:0;background:linear-gradient(#00f,#00f);background-clip:text;\
                -webkit-background-clip:text;color:transparent'>MMMM</h1>";
    let picture = picture_of(page, Some(&nothing_undecided)).expect("a picture");
    let blue = (0..60)
        .flat_map(|y| (0..150).map(move |x| (x, y)))
        .filter(|(x, y)| at(&picture, *x, *y) == [0, 0, 255]);
    assert!(blue.count() > 200);
    let white = (0..60).filter(|y| at(&picture, 500, *y) == [255; 3]);
    assert_eq!(white.count(), 60, "the box itself is not filled");
}

#[test]
fn nothing_is_painted_unless_somebody_asks() {
    assert_eq!(picture_of("<p>words</p>", None), None);
}
