//! One page, several windows: each of them is as if it had been the only one.

use jury_eye::{Beside, Sight, Snapshot, Viewport, look, look_at};

const WINDOWS: [Viewport; 4] = [Viewport::DESKTOP, Viewport::TABLET, Viewport::PHONE, Viewport::NARROW];

fn in_all(html: &str) -> Vec<Snapshot> {
    let sight = Sight { html, beside: &Beside::nothing(), viewports: &WINDOWS, pixels: None };
    look_at(sight).expect("the page can be measured")
}

/// Where two snapshots differ, in few words.
fn differences(one: &Snapshot, other: &Snapshot) -> Vec<String> {
    let mut found: Vec<String> = one
        .nodes
        .iter()
        .zip(&other.nodes)
        .filter(|(one, other)| one != other)
        .map(|(one, other)| {
            let style = if one.style == other.style { "same style" } else { "other style" };
            format!("{} {:?} {:?} {style}", one.tag, one.rect, other.rect)
        })
        .collect();
    if one != other {
        found.push(format!("{:?} and {:?}", one.page, other.page));
    }
    found
}

/// A page where nearly everything depends on the window.
const RESPONSIVE: &str = "<style>
    :root{--gap:clamp(8px,4vw,40px);font-size:calc(14px + .2vw)}
    *{transition:all .3s}
    body{margin:var(--gap);line-height:1.5}
    .grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:var(--gap)}
    nav{display:flex}
    h1{font-size:6vw;animation:in 1s both}
    h2{opacity:0;animation:in 2s 3 forwards}
    i{animation:in 1s infinite alternate}
    @keyframes in{from{opacity:0;transform:translateX(-20px)}to{opacity:1}}
    aside{position:absolute;right:0;width:30vw}
    p::before{content:'- '}
    @media (max-width:800px){nav{display:none}h1{color:#c00}aside{position:static;width:auto}p::before{content:'* '}}
    @media (max-width:400px){.grid{display:block}h1{animation:out 1s forwards}span{display:inline-block;padding:1rem}}
    @keyframes out{to{letter-spacing:4px}}
    </style>
    <nav><a href=/a>One</a><a href=/b>Two</a></nav><h1>Headline that wraps in small windows</h1><h2>Below</h2>
    <div class=grid><p>One <b>bold</b> word</p><p>Two words and <i>many</i> more of them</p><p>Three <span>boxes</span></p></div>
    <aside>Beside it all</aside><table><tr><td>a<td>longer cell of a table</table><ul><li>x<li>y</ul>";

#[test]
fn every_window_equals_a_fresh_look() {
    for (snapshot, viewport) in in_all(RESPONSIVE).iter().zip(WINDOWS) {
        let fresh = look(RESPONSIVE, viewport).expect("the page can be measured");
        assert_eq!(differences(snapshot, &fresh), [""; 0], "in a window {} wide", viewport.width);
    }
}

#[test]
fn a_window_seen_again_is_the_same() {
    let sight = Sight {
        html: RESPONSIVE,
        beside: &Beside::nothing(),
        viewports: &[Viewport::DESKTOP, Viewport::NARROW, Viewport::DESKTOP],
        pixels: None,
    };
    let snapshots = look_at(sight).expect("the page can be measured");
    let [first, _, again] = &snapshots[..] else { panic!("three windows") };
    assert_eq!(differences(first, again), [""; 0]);
}

#[test]
fn nodes_keep_their_ids_from_window_to_window() {
    let snapshots = in_all(RESPONSIVE);
    let tags =
        |snapshot: &Snapshot| -> Vec<String> { snapshot.nodes.iter().map(|node| node.tag.clone()).collect() };
    assert!(snapshots.windows(2).all(|pair| matches!(pair, [one, other] if tags(one) == tags(other))));
    assert!(!snapshots.first().is_some_and(|snapshot| snapshot.nodes.is_empty()));
}

#[test]
fn no_window_is_no_snapshot() {
    let sight = Sight { html: "<p>x", beside: &Beside::nothing(), viewports: &[], pixels: None };
    assert_eq!(look_at(sight), Ok(Vec::new()));
}
