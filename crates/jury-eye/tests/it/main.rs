//! What the eye promises, seen from outside.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

mod beside;
mod boxes;
mod fonts;
mod hostile;
mod names;
mod tricks;
mod windows;

use jury_eye::{EyeError, Layout, MAX_BYTES, MAX_DEPTH, NameSource, Node, Rgba, Snapshot, Viewport, look};

pub(crate) fn see(html: &str) -> Snapshot {
    look(html, Viewport::DESKTOP).expect("the page can be measured")
}

pub(crate) fn by_tag<'a>(snapshot: &'a Snapshot, tag: &str) -> &'a Node {
    snapshot.nodes.iter().find(|node| node.tag == tag).unwrap_or_else(|| panic!("no <{tag}>"))
}

pub(crate) fn by_id<'a>(snapshot: &'a Snapshot, id: &str) -> &'a Node {
    snapshot.nodes.iter().find(|node| node.attribute("id") == Some(id)).unwrap_or_else(|| panic!("no #{id}"))
}

#[test]
fn the_same_bytes_give_the_same_snapshot() {
    let page = "<style>p{margin:3px}</style><h1>One</h1><p>two <b>three</b></p>";
    assert_eq!(see(page), see(page));
}

#[test]
fn computed_colours_sizes_and_families_are_read() {
    let snapshot = see("<style>:root{--ink:#336699}p{color:var(--ink);font:700 20px/1.5 Georgia,serif;\
         background:rgb(255 0 0 / 50%);letter-spacing:2px;text-transform:uppercase}</style><p>Hi</p>");
    let style = by_tag(&snapshot, "p").style.as_ref().expect("rendered");
    assert_eq!(style.color, Rgba { red: 0.2, green: 0.4, blue: 0.6, alpha: 1.0 });
    assert!((style.backdrop.color.alpha - 0.5).abs() < 0.01);
    assert_eq!(style.font_families, ["Georgia", "serif"]);
    assert_eq!(
        (style.font_size, style.font_weight, style.line_height, style.letter_spacing),
        (20.0, 700.0, Some(30.0), 2.0)
    );
    assert!(style.uppercase);
    assert_eq!(style.layout, Layout::Block);
}

#[test]
fn unknown_fonts_are_laid_out_with_the_embedded_one() {
    let snapshot = see("<span id=a style='font-family:Nowhere'>some words here</span>");
    let rect = by_id(&snapshot, "a").rect.expect("a box");
    assert!(rect.width > 60.0 && rect.height > 10.0, "{rect:?}");
}

#[test]
fn relational_selectors_and_reduced_motion_apply() {
    let snapshot = see(
        "<style>p:has(b){color:#f00} i{color:#000} @media (prefers-reduced-motion: reduce){i{color:#0f0}}</style>\
         <p>x<b>y</b></p><i>z</i>",
    );
    let red = |tag| by_tag(&snapshot, tag).style.as_ref().map(|style| style.color.red);
    let green = |tag| by_tag(&snapshot, tag).style.as_ref().map(|style| style.color.green);
    assert_eq!((red("p"), green("i")), (Some(1.0), Some(1.0)));
}

#[test]
fn animations_are_measured_at_their_end() {
    let snapshot = see(
        "<style>@keyframes in{from{opacity:0}to{opacity:1}}p{opacity:0;animation:in 1s 2s forwards}</style><p>Hi</p>",
    );
    assert!(by_tag(&snapshot, "p").shown);
}

#[test]
fn hidden_content_is_neither_shown_nor_exposed() {
    let snapshot = see(
        "<p id=a hidden>x</p><p id=b style='visibility:hidden'>x</p><div style='opacity:0'><p id=c>x</p></div>\
         <details><summary id=d>x</summary><p id=e>x</p></details><p id=f aria-hidden=true>x</p>\
         <p id=g style='position:absolute;width:1px;height:1px;overflow:hidden'><span id=h>x</span></p>",
    );
    let seen: Vec<(&str, bool, bool)> = ["a", "b", "c", "d", "e", "f", "h"]
        .into_iter()
        .map(|id| (id, by_id(&snapshot, id).shown, by_id(&snapshot, id).exposed))
        .collect();
    assert_eq!(
        seen,
        [
            ("a", false, false),
            ("b", false, false),
            ("c", false, true),
            ("d", true, true),
            ("e", false, false),
            ("f", true, false),
            ("h", false, true),
        ]
    );
}

#[test]
fn names_follow_the_usual_order() {
    let snapshot = see(
        "<span id=far>Far</span><button id=a aria-labelledby=far aria-label=Near>Text</button>\
         <button id=b aria-label=Near>Text</button><a id=c href=/x>Read <b>this</b> now</a>\
         <label for=d>Mail</label><input id=d placeholder=p><label>City <input id=e></label>\
         <input id=f placeholder='Your name'><img id=g alt='A cat'><a id=h href=/y><svg><title>Home</title></svg></a>\
         <button id=i><svg width=24 height=24><path d='M0 0'/></svg></button><input id=j type=submit>\
         <button id=k title=Close></button>",
    );
    let names: Vec<(&str, NameSource)> = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
        .into_iter()
        .map(|id| (by_id(&snapshot, id).name.as_str(), by_id(&snapshot, id).name_source))
        .collect();
    assert_eq!(
        names,
        [
            ("Far", NameSource::LabelledBy),
            ("Near", NameSource::AriaLabel),
            ("Read this now", NameSource::Content),
            ("Mail", NameSource::Native),
            ("City", NameSource::Native),
            ("Your name", NameSource::Placeholder),
            ("A cat", NameSource::Native),
            ("Home", NameSource::Content),
            ("", NameSource::Nothing),
            ("Submit", NameSource::Native),
            ("Close", NameSource::Title),
        ]
    );
}

#[test]
fn svg_takes_the_room_its_attributes_say_and_hides_its_parts() {
    let snapshot = see("<p><svg id=a width=24 height=30><text>no</text></svg></p>");
    let rect = by_id(&snapshot, "a").rect.expect("a box");
    assert_eq!((rect.width, rect.height), (24.0, 30.0));
    assert!(!snapshot.nodes.iter().any(|node| node.tag == "text"));
}

#[test]
fn gradients_give_their_stops_and_images_their_existence() {
    let snapshot = see(
        "<p id=a style='background:linear-gradient(#000,#fff)'>x</p><p id=b style='background:url(x.png)'>x</p>",
    );
    let backdrop = |id| by_id(&snapshot, id).style.as_ref().expect("rendered").backdrop.clone();
    assert_eq!(backdrop("a").gradient.len(), 2);
    assert!(!backdrop("a").image && backdrop("b").image);
}

#[test]
fn coverage_names_what_was_not_seen() {
    let complete =
        see("<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'><p>Hi</p>");
    assert!(complete.coverage.is_complete());
    let script = see("<div id=root></div><script>mount()</script>");
    assert!(script.coverage.js_rendered && !script.coverage.external_css);
    let sheet = see("<link rel=stylesheet href=/site.css><p>Hi</p>");
    assert!(sheet.coverage.external_css);
    let cdn = see("<script src='https://cdn.tailwindcss.com'></script><p>Hi</p>");
    assert!(cdn.coverage.external_css);
}

#[test]
fn odd_input_is_measured_without_complaint() {
    for page in [
        "",
        "   ",
        "just text",
        "<!doctype html>",
        "<html><head><title>only a head</title></head></html>",
        "\u{0}\u{1}\u{fffd}<\u{7f}>&#x110000;<p",
        "<table><div>foster</div><tr><td>x",
        "<svg><style>",
        "<a href='//[::1'>bad address</a><img src='http://'>",
        "<ol start=0><li>x</ol>",
    ] {
        let result = look(page, Viewport::PHONE);
        assert!(
            result.is_ok() || matches!(result, Err(EyeError::EnginePanic { .. })),
            "{page:?}: {result:?}"
        );
    }
}

#[test]
fn deep_nesting_is_refused_and_the_limit_itself_is_measured() {
    let page = |depth: usize| format!("{}x", "<div>".repeat(depth));
    assert!(look(&page(MAX_DEPTH - 3), Viewport::DESKTOP).is_ok());
    let error = look(&page(50_000), Viewport::DESKTOP).expect_err("too deep");
    assert_eq!(error.kind(), "page_too_deep");
}

#[test]
fn huge_pages_are_refused() {
    let error = look(&"x".repeat(MAX_BYTES + 1), Viewport::DESKTOP).expect_err("too large");
    assert_eq!(error.kind(), "page_too_large");
}

#[test]
fn what_can_be_focused_cannot_be_declared_away() {
    let snapshot = see(
        "<img id=a role=none tabindex=0 src=x><img id=b role=none src=x><details><summary id=c role=none></summary></details>\
         <summary id=d></summary>",
    );
    let roles: Vec<Option<&str>> =
        ["a", "b", "c", "d"].into_iter().map(|id| by_id(&snapshot, id).role.as_deref()).collect();
    assert_eq!(roles, [Some("img"), Some("none"), Some("button"), None]);
}
