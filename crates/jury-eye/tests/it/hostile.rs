//! Pages made to be too much: each ends soon, with a snapshot or a reason. The sizes here are for builds without
//! optimisation; `scripts/hostile` has the full ones.

use jury_eye::{EyeError, Snapshot, Viewport, look};

fn seen(html: &str) -> Result<Snapshot, EyeError> {
    look(html, Viewport::DESKTOP)
}

fn numbered(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect::<Vec<_>>().concat()
}

fn reason(html: &str) -> &'static str {
    seen(html).err().map_or("measured", |error| error.kind())
}

#[test]
fn nesting_is_refused_before_it_is_parsed() {
    assert_eq!(reason(&"<div>".repeat(100_000)), "page_too_deep");
    assert_eq!(reason(&"<svg><g>".repeat(50_000)), "page_too_deep");
    assert_eq!(reason(&format!("<p>{}", "<b><i>".repeat(50_000))), "page_too_deep");
}

#[test]
fn rules_without_end_are_refused() {
    assert_eq!(reason(&format!("<style>{}</style><p>x", "p{top:1px}".repeat(150_000))), "page_too_complex");
}

#[test]
fn variables_that_use_themselves_have_no_value() {
    let snapshot = seen(
        "<style>:root{--a:var(--a);--b:var(--c);--c:var(--b)}p{color:var(--a,red);background:var(--b)}</style><p>x</p>",
    )
    .expect("it can be measured");
    assert!(snapshot.nodes.iter().any(|node| node.tag == "p" && node.shown));
    let doubling: String = numbered(60, |n| format!("--v{n}:var(--v{0})var(--v{0});", n + 1));
    assert_eq!(
        reason(&format!("<style>:root{{{doubling}--v60:x}}p{{color:var(--v0)}}</style><p>x")),
        "page_too_complex"
    );
}

#[test]
fn drawings_of_any_size_are_not_drawn() {
    let paths = "<path d='M0 0L9 9'/>".repeat(2_000);
    let page =
        format!("<svg width=1000000000 height=1000000000 viewBox='0 0 1e30 1e30'>{paths}</svg><p>x</p>");
    assert!(seen(&page).is_ok());
    assert!(seen(&format!("<svg><path d='{}'/></svg>", "M0 0".repeat(100_000))).is_ok());
}

#[test]
fn animations_without_end_come_to_one() {
    let moving = "<i>x</i>".repeat(200);
    let page = format!(
        "<style>@keyframes k{{from{{opacity:0;left:-9999px}}50%{{top:9px}}to{{opacity:0}}}}\
         i{{animation:k 1ms infinite alternate,k 1e9s infinite}}</style>{moving}"
    );
    let snapshot = seen(&page).expect("it can be measured");
    assert_eq!(snapshot.nodes.iter().filter(|node| node.tag == "i" && node.shown).count(), 200);
}

#[test]
fn content_in_addresses_is_cut() {
    let long = "A".repeat(6_000_000);
    let page = format!("<img src='data:image/png;base64,{long}'><p>x</p>");
    let snapshot = seen(&page).expect("it can be measured");
    assert!(snapshot.nodes.iter().all(|node| node.attributes.iter().all(|(_, value)| value.len() < 100_000)));
    assert_eq!(
        reason(&format!("<img src='data:image/png;base64,{}'>", "A".repeat(50_000_000))),
        "page_too_large"
    );
    assert_eq!(reason(&"words ".repeat(500_000)), "page_too_large");
}

#[test]
fn formatting_that_is_opened_again_and_again_is_refused() {
    let open: String = numbered(300, |n| format!("<font size={n}>"));
    assert_eq!(reason(&format!("{open}{}", "<p>x".repeat(10_000))), "page_too_complex");
}

#[test]
fn thousands_of_elements_in_one_line_are_measured() {
    let page = format!("<p>{}</p>", "<a href=x>word</a> ".repeat(1_500));
    let snapshot = seen(&page).expect("it can be measured");
    let boxes: Vec<_> =
        snapshot.nodes.iter().filter(|node| node.tag == "a").filter_map(|node| node.rect).collect();
    assert_eq!(boxes.len(), 1_500);
    assert!(boxes.iter().all(|rect| rect.width < 100.0 && rect.height < 40.0));
}
