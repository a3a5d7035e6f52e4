//! Where things are, and the computed values that say how they are kept there.

use jury_eye::{Animation, Overflow, Position, Rect, Rgba, TextAlign};

use crate::{by_id, by_tag, see};

#[test]
fn boxes_follow_transforms_and_positions() {
    let snapshot = see(
        "<style>body{margin:0}#a{position:absolute;left:50%;top:100px;width:200px;height:40px;transform:translate(-50%,-50%)}\
         #b{width:100px;height:20px;transform:rotate(90deg)}#c{position:fixed;right:0;bottom:0;width:10px;height:10px;z-index:7}\
         </style><div id=b></div><div id=a><div id=d style='width:50px;height:10px'></div></div><div id=c></div>",
    );
    let rect = |id| by_id(&snapshot, id).rect.expect("a box");
    assert_eq!(rect("a"), Rect { x: 540.0, y: 80.0, width: 200.0, height: 40.0 });
    assert_eq!(rect("d"), Rect { x: 540.0, y: 80.0, width: 50.0, height: 10.0 });
    assert_eq!(rect("b"), Rect { x: 40.0, y: -40.0, width: 20.0, height: 100.0 });
    assert_eq!(rect("c"), Rect { x: 1270.0, y: 790.0, width: 10.0, height: 10.0 });
    let style = |id| by_id(&snapshot, id).style.as_ref().expect("rendered");
    assert_eq!((style("a").position, style("c").position), (Position::Absolute, Position::Fixed));
    assert_eq!((style("a").z_index, style("c").z_index), (None, Some(7)));
}

#[test]
fn text_has_a_box_on_each_of_its_lines() {
    let snapshot = see(
        "<p id=a style='width:120px;font-size:20px;line-height:30px'>some words that need more than <b id=b>one line</b> here</p>\
         <p id=c>alone</p><p id=d></p><p id=e style='display:none'>x</p>",
    );
    let lines = |id| by_id(&snapshot, id).lines.clone();
    assert!(lines("a").len() >= 3, "{:?}", lines("a"));
    assert!(lines("a").iter().all(|line| line.width <= 120.0 && line.height < 30.0));
    assert!(lines("a").windows(2).all(|pair| matches!(pair, [one, next] if next.y >= one.y)));
    assert!(!lines("b").is_empty());
    assert_eq!((lines("c").len(), lines("d").len(), lines("e").len()), (1, 0, 0));
}

#[test]
fn rows_of_tables_are_as_large_as_their_cells() {
    let snapshot =
        see("<table><tr id=a><td style='width:40px;height:20px'>x<td style='width:60px'>y</table>");
    let row = by_id(&snapshot, "a");
    assert!(row.shown);
    assert!(row.rect.is_some_and(|rect| rect.width > 90.0 && rect.height >= 20.0), "{:?}", row.rect);
    assert_eq!(row.rect, by_tag(&snapshot, "tbody").rect);
}

#[test]
fn what_does_not_fit_is_known() {
    let snapshot = see(
        "<style>body{margin:0}</style><div id=a style='width:100px;height:50px;overflow:auto'><div style='width:300px;height:80px'></div></div>\
         <div id=b style='overflow-x:hidden;width:50px'><p style='width:5000px'>x</p></div><div id=c style='width:1500px;height:10px'></div>\
         <div style='position:fixed;left:3000px;width:10px;height:10px'></div>",
    );
    let scroll = by_id(&snapshot, "a").scroll.expect("it scrolls");
    assert_eq!((scroll.width, scroll.height), (300.0, 80.0));
    assert_eq!((scroll.inner_width, scroll.inner_height), (100.0, 50.0));
    assert_eq!(by_id(&snapshot, "c").scroll, None);
    let overflow = |id| by_id(&snapshot, id).style.as_ref().expect("rendered").overflow;
    assert_eq!(overflow("a"), [Overflow::Auto; 2]);
    assert_eq!(overflow("b"), [Overflow::Hidden, Overflow::Auto]);
    assert_eq!((snapshot.page.scroll_width, snapshot.page.scroll_height), (1500.0, 800.0));
}

#[test]
fn lines_around_text_and_boxes_are_read() {
    let snapshot = see(
        "<style>a{text-decoration:none}@keyframes k{to{opacity:1}}</style><a id=a href=x>x</a><u id=b>x</u>\
         <p id=c style='outline:2px solid red;border:1px solid;border-left-color:#00f;color:#0f0;text-align:center;max-width:60ch'>x</p>\
         <p id=d style='outline:none;animation:k 2s infinite,k 500ms 3;max-width:80%'>x</p>",
    );
    let style = |id| by_id(&snapshot, id).style.as_ref().expect("rendered");
    assert_eq!((style("a").underline, style("b").underline), (false, true));
    let red = Rgba { red: 1.0, green: 0.0, blue: 0.0, alpha: 1.0 };
    assert_eq!(style("c").outline.map(|outline| (outline.width, outline.color)), Some((2.0, red)));
    assert_eq!(style("d").outline, None);
    assert_eq!(
        style("c").border_color.map(|color| (color.green, color.blue)),
        [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    );
    assert_eq!((style("c").text_align, style("d").text_align), (TextAlign::Center, TextAlign::Start));
    assert!(style("c").max_width.is_some_and(|width| width > 300.0));
    assert_eq!(style("d").max_width, None);
    let animation = |seconds, rounds| Animation { name: "k".to_owned(), seconds, rounds };
    assert_eq!(style("d").animations, [animation(2.0, None), animation(0.5, Some(3.0))]);
}
