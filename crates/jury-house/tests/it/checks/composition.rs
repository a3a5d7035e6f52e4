//! The page as a whole: how much there is of it, how its blocks stand, its colours, and its first window.

use jury_core::severity::Severity;
use jury_eye::Beside;

use super::{examined, finds, of, page, passes};

/// A page that is whole: a heading, sections with headings and text, a row of cards.
fn whole(head: &str, body: &str) -> String {
    let section = |name: &str| {
        format!(
            "<section><h2>{name}</h2><p>The oven is lit at midnight and the first loaves come out at four, when the street \
             is still asleep.</p><p>By seven the shelves are full, and by noon most of them are empty again.</p></section>"
        )
    };
    let cards: String =
        many(4, |number| format!("<div class=card><h3>Loaf {number}</h3><p>Rye, wheat and salt.</p></div>"));
    page(
        &format!(
            "main{{max-width:900px;margin:0 auto;padding:48px 24px}}section{{margin-top:48px}}h2{{margin:0 0 16px}}p{{margin:0 0 16px}}\
             .row{{display:grid;grid-template-columns:repeat(4,1fr);gap:24px;margin-top:48px}}\
             .card{{padding:24px;background:#f3efe6;border:1px solid #ddd5c2}}{head}"
        ),
        &format!("{}{}<div class=row>{cards}</div>{body}", section("At night"), section("In the morning")),
    )
}

/// So many of them, one after another.
fn many(number: u32, of: impl Fn(u32) -> String) -> String {
    (0..number).map(of).collect()
}

fn critic(page: &str) -> f64 {
    let report = examined(page, &Beside::nothing());
    report.seats.iter().find(|seat| seat.role == "critic").and_then(|seat| seat.score).expect("a score").low
}

fn check(page: &str, id: &str) -> Option<f64> {
    let report = examined(page, &Beside::nothing());
    report.checks.iter().find(|check| check.id == id).and_then(|check| check.score).map(|span| span.low)
}

#[test]
fn a_page_that_is_whole_passes_all_of_it() {
    let page = whole("", "");
    for id in [
        "critic/substance",
        "critic/alignment",
        "critic/tilt",
        "critic/gaps",
        "critic/grouping",
        "critic/room",
        "critic/likeness",
        "critic/cards",
        "critic/hues",
        "critic/wall",
        "critic/setting",
    ] {
        passes(id, &page);
    }
    assert!(critic(&page) > 8.0, "{}", critic(&page));
}

#[test]
fn an_empty_page_is_worth_nothing_and_a_short_one_is_a_page() {
    let empty = "<!doctype html><html lang=en><title>Welcome</title><body><main style='height:800px;display:grid;place-items:center'>\
                 <h1>Welcome</h1></main></body></html>";
    finds("critic/substance", empty, Severity::Moderate, "nearly empty");
    assert!(critic(empty) <= 2.4);
    let sign_in = "<!doctype html><html lang=en><title>Sign in</title><body style='display:grid;place-items:center;min-height:100vh'>\
                   <main style='width:360px;padding:40px;background:#eee'><h1>Sign in</h1><form><label>Email<input type=email></label>\
                   <label>Password<input type=password></label><button>Sign in</button></form><p><a href=/help>Forgot your password?</a></p>\
                   </main></body></html>";
    let report = examined(sign_in, &Beside::nothing());
    assert!(!of(&report.findings, "critic/substance").iter().any(|found| found.severity > Severity::Minor));
}

#[test]
fn what_waits_for_a_script_is_not_called_empty() {
    let words = "Words that a script shows when the page is scrolled down to them. ".repeat(4);
    let page =
        page("p{opacity:0}", &format!("<p>{words}</p><script>addEventListener('scroll',show)</script>"));
    assert_eq!(check(&page, "critic/substance"), None);
}

#[test]
fn strewn_text_is_seen_and_an_absolute_grid_is_not() {
    let strewn: String = many(14, |at| {
        let (left, top) = (11 + (at * at * 61 + 97 * at) % 953, 120 + (at * at * 43 + 71 * at) % 1_009);
        format!("<p style='position:absolute;left:{left}px;top:{top}px'>Words strewn number {at}</p>")
    });
    let strewn = page("", &strewn);
    finds("critic/alignment", &strewn, Severity::Moderate, "strewn");
    assert!(critic(&strewn) <= 2.4);
    let grid: String = many(14, |at| {
        let (left, top) = (8 + 300 * (at % 4), 160 + 90 * (at / 4));
        format!("<p style='position:absolute;left:{left}px;top:{top}px'>Words in a grid {at}</p>")
    });
    passes("critic/alignment", &page("", &grid));
}

#[test]
fn shifted_blocks_stand_on_no_line() {
    let shifted = whole(
        "section:nth-of-type(1) p:nth-of-type(1){transform:translateX(13px)}section:nth-of-type(1) p:nth-of-type(2){transform:translateX(-19px)}\
         section:nth-of-type(2) p:nth-of-type(1){transform:translateX(27px)}section:nth-of-type(2) p:nth-of-type(2){transform:translateX(-9px)}\
         section:nth-of-type(2) h2{transform:translateX(22px)}",
        "",
    );
    assert!(check(&shifted, "critic/alignment") < check(&whole("", ""), "critic/alignment"));
}

#[test]
fn a_page_on_one_side_leans_and_one_with_a_narrow_left_column_does_not() {
    let left = whole(
        "main{margin:0!important;max-width:420px!important}.row{grid-template-columns:1fr 1fr!important}",
        "",
    );
    finds("critic/balance", &left, Severity::Minor, "on one side");
    passes("critic/balance", &whole("main{display:block;padding-left:0!important}", ""));
}

#[test]
fn turned_text_is_seen_and_text_that_runs_downwards_is_meant() {
    let turned = whole("p,h2,h3{transform:rotate(7deg)}", "");
    finds("critic/tilt", &turned, Severity::Moderate, "turned");
    passes("critic/tilt", &whole(".card{writing-mode:vertical-rl}", ""));
}

#[test]
fn distances_that_never_come_back_are_seen() {
    let gaps: String = many(12, |at| format!("<p style='margin-bottom:{}px'>Some words</p>", 7 + 4 * at));
    finds("critic/gaps", &whole("", &gaps), Severity::Minor, "come but once");
    let even: String =
        many(12, |at| format!("<p style='margin-bottom:{}px'>Some words</p>", 8 + 8 * (at % 3)));
    passes("critic/gaps", &whole("", &even));
}

#[test]
fn headings_stand_with_what_they_head() {
    let headings = "<h2>Rye</h2><p>Dark and sour.</p><h2>Wheat</h2><p>Light and mild.</p><h2>Spelt</h2><p>Old and nutty.</p>\
                    <h2>Barley</h2><p>For soups.</p>";
    let adrift = page("h2{margin:0 0 40px}p{margin:0 0 8px}", headings);
    finds("critic/grouping", &adrift, Severity::Minor, "nearer to the text before");
    passes("critic/grouping", &page("h2{margin:40px 0 8px}p{margin:0}", headings));
}

#[test]
fn text_that_touches_the_edge_of_its_box_has_no_room() {
    finds(
        "critic/room",
        &whole(".card,section{padding:0!important;background:#eee}", ""),
        Severity::Minor,
        "no room",
    );
    // A whole section in another colour is no box when its text keeps off the edge.
    passes("critic/room", &whole("section{background:#eee;padding:24px}", ""));
}

#[test]
fn things_of_one_kind_look_alike() {
    let unlike = whole(
        ".card:nth-child(1) p{font-size:13px}.card:nth-child(2) p{font-size:19px}.card:nth-child(3) p{font-size:23px}\
         .card:nth-child(1){padding:9px}.card:nth-child(2){padding:31px}.card:nth-child(1) h3{font-family:monospace}\
         .card:nth-child(2) h3{font-family:cursive}.card:nth-child(3) h3{font-family:serif}",
        "",
    );
    finds("critic/likeness", &unlike, Severity::Minor, "unlike each other");
    // One that stands out was meant to.
    passes("critic/likeness", &whole(".card:first-child{background:#222;color:#fff}", ""));
}

#[test]
fn boxes_of_one_kind_are_of_one_size() {
    let uneven = whole(
        ".row{align-items:start}.card:nth-child(1){width:150px}.card:nth-child(2){width:173px;height:160px}.card:nth-child(3){width:191px;height:190px}",
        "",
    );
    finds("critic/cards", &uneven, Severity::Minor, "different sizes");
    passes("critic/cards", &whole(".row{grid-template-columns:2fr 1fr 1fr 1fr}", ""));
}

#[test]
fn clashing_colours_are_seen_and_one_loud_colour_is_a_choice() {
    let clash = whole(
        "body{background:#ff00ff!important}.card:nth-child(1){background:#00ff00}.card:nth-child(2){background:#ffff00}\
         .card:nth-child(3){background:#00ffff}section{background:#ff6600;padding:20px}",
        "",
    );
    finds("critic/hues", &clash, Severity::Moderate, "clash");
    assert!(critic(&clash) <= 2.4);
    passes("critic/hues", &whole("body{background:#e8541c!important}", ""));
}

#[test]
fn a_wall_of_text_is_seen_and_a_long_article_is_none() {
    let sentence =
        "The bakery has baked at night for a hundred years so that people have bread in the morning. ";
    let wall = page("", &format!("<p>{}</p>", sentence.repeat(20)));
    finds("critic/wall", &wall, Severity::Minor, "wall of text");
    let article: String = many(20, |_| format!("<p>{}</p>", sentence.repeat(4)));
    passes("critic/wall", &page("main{max-width:640px}", &article));
}

#[test]
fn long_text_in_capitals_or_centred_is_hard_to_read() {
    let sentence =
        "The bakery has baked at night for a hundred years so that people have bread in the morning. ";
    let long = format!("<p class=long>{}</p>", sentence.repeat(4));
    finds("critic/setting", &page(".long{text-transform:uppercase}", &long), Severity::Minor, "capitals");
    finds("critic/setting", &page(".long{text-align:center;width:400px}", &long), Severity::Minor, "centred");
    passes("critic/setting", &page("h1{text-align:center;text-transform:uppercase}", &long));
}

#[test]
fn a_dark_page_is_worth_as_much_as_a_light_one() {
    let light = whole("", "");
    let dark = whole(
        "body{background:#14161a!important;color:#eceae4!important}.card{background:#22262c;border-color:#3a3f47}",
        "",
    );
    assert!((critic(&light) - critic(&dark)).abs() < 0.6, "{} {}", critic(&light), critic(&dark));
}

#[test]
fn the_note_of_the_first_window_names_its_figures() {
    let report = examined(&whole("", ""), &Beside::nothing());
    let found = report.checks.iter().find(|check| check.id == "critic/impression").expect("the check");
    assert!(
        found.note.contains("people would rate it") && found.note.contains("large shapes"),
        "{}",
        found.note
    );
    assert!(found.score.is_some());
}
