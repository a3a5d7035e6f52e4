//! One failing and one passing page for every check, seen through the first round.

mod a11y_aria;
mod a11y_names;
mod a11y_structure;

use jury_house::Request;

use crate::transcript::{Round, note, rounds, score, transcript_of};

/// A page without fault, to put one fault into.
fn page(head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>A page about bread</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <style>body{{font:16px/1.5 sans-serif;color:#222;background:#fff}}h1{{font-size:40px}}h2{{font-size:24px}}{head}</style></head>\
         <body><main><h1>Bread for the street</h1><p>We bake at night so that the street has bread.</p>{body}</main></body></html>"
    )
}

fn review(page: &str) -> Round {
    review_with(page, None)
}

fn review_with(page: &str, design: Option<&str>) -> Round {
    let request = Request {
        page: page.to_owned(),
        design: design.map(str::to_owned),
        max_rounds: 1,
        ..Request::default()
    };
    rounds(&transcript_of(&request)).into_iter().next().expect("a round")
}

#[track_caller]
fn must_fix(page: &str, expected: &str) {
    let round = review(page);
    assert!(
        round.must_fix.iter().any(|text| text.contains(expected)),
        "{expected:?} is not among {:?}",
        round.must_fix
    );
}

#[track_caller]
fn clean(page: &str) {
    let round = review(page);
    assert!(round.must_fix.is_empty(), "{:?}", round.must_fix);
}

/// The dimension is worth 10 on the good page and less on the bad one.
#[track_caller]
fn lowers(role: &str, dimension: &str, good: &str, bad: &str) {
    let (good, bad) = (review(good), review(bad));
    let (before, after) = (score(&good, role, dimension), score(&bad, role, dimension));
    assert_eq!(before, Some(10.0), "{:?}", note(&good, role, dimension));
    assert!(after.is_some_and(|after| after < 10.0), "{:?}", note(&bad, role, dimension));
}

#[test]
fn a_page_without_fault_has_none() {
    clean(&page("", ""));
}

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

#[test]
fn images_need_an_alternative() {
    must_fix(&page("", "<img src=a.png width=10 height=10>"), "1 image without a text alternative");
    must_fix(&page("", "<svg role=img width=9 height=9></svg>"), "without a text alternative");
    clean(&page(
        "",
        "<img src=a.png alt='A loaf'><img src=b.png alt=''><svg role=img aria-label=Loaf></svg>",
    ));
}

#[test]
fn controls_need_a_name() {
    must_fix(&page("", "<button><svg></svg></button>"), "1 control without a name");
    must_fix(&page("", "<a href=/x></a>"), "1 control without a name");
    clean(&page("", "<button aria-label=Close><svg></svg></button><a href=/x><img src=a alt=Home></a>"));
}

#[test]
fn fields_need_a_label() {
    must_fix(&page("", "<input name=q>"), "1 field without a label");
    must_fix(&page("", "<select name=q><option>a</select>"), "1 field without a label");
    clean(&page("", "<label>Name <input></label><input aria-label=City><input type=hidden>"));
    let round = review(&page("", "<input placeholder=Search>"));
    assert!(round.must_fix.is_empty());
    assert!(note(&round, "a11y", "names").is_some_and(|note| note.contains("placeholder only")));
}

#[test]
fn language_and_title_are_needed() {
    must_fix(&page("", "").replace(" lang=\"en\"", ""), "the page has no language");
    must_fix(&page("", "").replace("lang=\"en\"", "lang=\"english\""), "is no known language");
    must_fix(&page("", "").replace("A page about bread", ""), "the page has no title");
    must_fix(&page("", "").replace("A page about bread", "Document"), "says nothing");
}

#[test]
fn headings_follow_each_other() {
    lowers(
        "a11y",
        "structure",
        &page("", "<h2>Two</h2><h3>Three</h3>"),
        &page("", "<h2>Two</h2><h4>Four</h4>"),
    );
    lowers("a11y", "structure", &page("", ""), &page("", "").replace("h1>", "h2>"));
    let round = review(&page("", "<h2>Two</h2><h4>Four</h4>"));
    assert!(note(&round, "a11y", "structure").is_some_and(|note| note.contains("h2 to h4 (h4, line 1)")));
}

#[test]
fn landmarks_hold_the_text() {
    lowers("a11y", "structure", &page("", ""), &page("", "").replace("main>", "div>"));
}

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
    must_fix(&page("a{outline:none}", link), "the focus ring is taken away by 1 rule");
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

#[test]
fn placeholders_are_found_in_words_not_in_code() {
    must_fix(&page("", "<p>Lorem ipsum dolor sit amet.</p>"), "lorem ipsum in 1 place");
    must_fix(&page("", "<p>TODO: write this</p>"), "a TODO");
    must_fix(&page("", "<p>Call [Your Name] today</p>"), "a bracketed blank");
    must_fix(&page("", "<p>Hello {{ name }}</p>"), "an unfilled template variable");
    must_fix(&page("", "<!-- TODO: later -->"), "1 TODO comment must not ship");
    clean(&page("", "<h2>TODO</h2><code>{{ name }}</code><p>Plain words.</p><!-- fine -->"));
}

#[test]
fn links_lead_somewhere() {
    must_fix(&page("", "<a href='#'>Shop</a>"), "1 link to # only");
    must_fix(&page("", "<a href=''>Shop</a>"), "without an address");
    must_fix(&page("", "<a href='javascript:void(0)'>Shop</a>"), "javascript:");
    must_fix(&page("", "<a href='#shop'>Shop</a>"), "an id that is not on the page");
    clean(&page(
        "",
        "<a href='#shop'>Shop</a><p id=shop>Here.</p><a href='#'>Back to top</a><a href=/x>Else</a>",
    ));
}

#[test]
fn vague_words_lower_the_links() {
    lowers(
        "copy",
        "links",
        &page("", "<a href=/x>Prices for wholesale</a>"),
        &page("", "<a href=/x>Click here</a>"),
    );
}

#[test]
fn hard_sentences_lower_the_clarity() {
    let easy = "<p>We bake at night. The bread is warm at six. You can take it home. It keeps for two days and more.</p>".repeat(6);
    let hard = "<p>Notwithstanding organisational considerations regarding contemporary distribution infrastructure, \
        the aforementioned institution endeavours to systematically operationalise interdepartmental collaboration opportunities \
        that facilitate comprehensive transformation of the underlying administrative architecture and its governance.</p>"
        .repeat(4);
    lowers("copy", "clear", &page("", &easy), &page("", &hard));
    let short = review(&page("", ""));
    assert!(note(&short, "copy", "clear").is_none_or(|note| !note.contains("grade")));
}

#[test]
fn typesetting_is_measured() {
    lowers(
        "critic",
        "type",
        &page("", ""),
        &page("", "<p style='font-size:9px'>very small words indeed</p>"),
    );
    lowers(
        "critic",
        "type",
        &page("", ""),
        &page("", "<p style='text-transform:uppercase'>capital words</p>"),
    );
    let sizes: String = (13..23)
        .map(|size| format!("<p style='font-size:{size}px'>some words of this size</p>"))
        .collect::<Vec<_>>()
        .concat();
    lowers("critic", "type", &page("", ""), &page("", &sizes));
}

#[test]
fn hierarchy_needs_a_largest_text() {
    lowers("critic", "hierarchy", &page("", ""), &page("h1{font-size:17px!important}", ""));
}

#[test]
fn distances_follow_a_system() {
    let boxes = |step: u32| -> String {
        (1..24)
            .map(|index| format!("<div style='padding:{}px'>words</div>", 8 + (index % 12) * step))
            .collect::<Vec<_>>()
            .concat()
    };
    lowers("critic", "rhythm", &page("", &boxes(0)), &page("", &boxes(3)));
}

#[test]
fn containers_are_padded_evenly() {
    lowers(
        "critic",
        "space",
        &page("", "<div style='padding:0 20px'>even words</div>"),
        &page("", "<div style='padding:0 20px 0 60px'>uneven words</div>"),
    );
}

#[test]
fn the_main_action_stands_out() {
    let button = |fill: &str| {
        page(
            "",
            &format!(
                "<a href=/x style='padding:12px 20px;border:0;color:#111;background:{fill}'>Order bread</a>"
            ),
        )
    };
    lowers("critic", "contrast", &button("#888888"), &button("#eeeeee"));
}

#[test]
fn a_brand_is_kept_or_not() {
    let design = "---\nname: Bread\ncolors:\n  ink: '#222222'\n  paper: '#ffffff'\ntypography:\n  body:\n    fontFamily: sans-serif\n---\n";
    let kept = review_with(&page("", ""), Some(design));
    assert_eq!(score(&kept, "brand", "colour"), Some(10.0));
    assert_eq!(score(&kept, "brand", "type"), Some(10.0));
    let strange =
        page("body{color:#603!important;background:#ffd!important;font-family:Papyrus!important}", "");
    let broken = review_with(&strange, Some(design));
    assert_eq!(score(&broken, "brand", "colour"), Some(0.0));
    assert_eq!(score(&broken, "brand", "type"), Some(0.0));
    assert!(broken.must_fix.iter().any(|text| text.contains("from the nearest token")));
}

#[test]
fn open_findings_cap_their_panelist() {
    let critical = review(&page("", "<img src=a.png width=9 height=9>"));
    let serious = review(&page("", "").replace(" lang=\"en\"", ""));
    let of = |round: &Round| -> f64 {
        crate::transcript::panelist(round, "a11y", "score").expect("a score").parse().expect("a number")
    };
    assert!(of(&critical) <= 5.9 && of(&serious) <= 7.9);
}
