//! Contrast: what is behind text, from styles and from pixels; what is exempt; what is one cause and what stays open.

use jury_eye::Beside;
use jury_house::{Report, ReportedFinding, report};
use proptest::prelude::*;

fn page(head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>A page about bread</title>\
         <style>body{{margin:0;font:16px/1.5 sans-serif;color:#222;background:#fff}}{head}</style></head>\
         <body><main><h1>Bread for the street</h1>{body}</main></body></html>"
    )
}

fn look(head: &str, body: &str) -> Report {
    report(&page(head, body), None, &Beside::nothing()).expect("the page can be measured")
}

fn failures(report: &Report) -> Vec<&ReportedFinding> {
    report.findings.iter().filter(|found| found.check == "a11y/contrast").collect()
}

fn open(report: &Report) -> Vec<&str> {
    let mine = report.undecided.iter().filter(|found| found.check == "a11y/contrast");
    mine.map(|found| found.cause.as_str()).collect()
}

#[track_caller]
fn fails(head: &str, body: &str) {
    let report = look(head, body);
    assert_eq!(failures(&report).len(), 1, "{:?} {:?}", failures(&report), open(&report));
}

#[track_caller]
fn passes(head: &str, body: &str) {
    let report = look(head, body);
    assert!(failures(&report).is_empty(), "{:?}", failures(&report));
    assert!(open(&report).is_empty(), "{:?}", open(&report));
}

#[track_caller]
fn stays_open(head: &str, body: &str, why: &str) {
    let report = look(head, body);
    assert!(failures(&report).is_empty(), "{:?}", failures(&report));
    assert_eq!(open(&report), [why]);
}

#[test]
fn what_is_found_on_a_page_is_a_finding_with_its_place_and_its_figures() {
    let page = "<!doctype html><html lang=en><title>A</title><h1>A</h1>\n<p class=note style='color:#aaa'>Too pale to read.</p>";
    let report = report(page, None, &Beside::nothing()).expect("the page can be measured");
    let found = failures(&report)[0];
    let finding = found.finding("site/a.html");
    assert_eq!((finding.id.as_str(), finding.rule.as_deref()), (found.id.as_str(), Some("a11y/contrast")));
    assert_eq!((finding.severity, &finding.figures), (found.severity, &found.figures));
    let place = &finding.place;
    assert_eq!((place.file.as_deref(), place.line), (Some("site/a.html"), Some(2)));
    assert_eq!(place.selector.as_deref(), Some("p.note"));
    assert!(place.path.as_deref().is_some_and(|path| path.ends_with("p:nth-child(2)")), "{place:?}");
}

#[test]
fn gradients_are_judged_where_the_text_stands() {
    let wide = "p{width:600px;padding:20px;color:#fff}";
    // The light end is far from the words.
    passes(&format!("{wide}p{{background:linear-gradient(90deg,#000 60%,#fff)}}"), "<p>Short words</p>");
    fails(&format!("{wide}p{{background:linear-gradient(90deg,#ddd 60%,#000)}}"), "<p>Short words</p>");
    // Enough at both ends, and nothing between them.
    fails(
        "p{width:600px;color:#757575;background:linear-gradient(90deg,#000,#fff)}",
        "<p>Words that go from one end of the gradient to the other end of it, all the way</p>",
    );
}

#[test]
fn boxes_that_reach_under_text_are_seen() {
    let stage = ".stage{position:relative;height:120px}.stage>*{position:absolute;left:0;top:0;width:400px;height:80px}";
    fails(
        stage,
        "<div class=stage><div style='background:#333'></div><p style='color:#444'>On the box</p></div>",
    );
    passes(
        stage,
        "<div class=stage><div style='background:#111'></div><p style='color:#eee'>On the box</p></div>",
    );
    // The one that comes later lies over the text, which nobody sees then.
    stays_open(
        stage,
        "<div class=stage><p style='color:#ddd'>Under the box</p><div style='background:#fff;z-index:2'></div></div>",
        "covered by something else",
    );
}

#[test]
fn boxes_that_style_sheets_add_are_seen() {
    let card = ".card{position:relative;z-index:0;width:400px}\
                .card::before{content:'';position:absolute;inset:0;z-index:-1;background:";
    fails(&format!("{card}#333}}"), "<div class=card style='color:#555'>Dark on dark</div>");
    passes(&format!("{card}#222}}"), "<div class=card style='color:#fff'>Light on dark</div>");
}

#[test]
fn opacity_is_in_the_colours() {
    fails("", "<p style='color:rgba(0,0,0,.4)'>thin words here</p>");
    passes("", "<p style='color:rgba(0,0,0,.7)'>thick words here</p>");
    fails("", "<div style='opacity:.4'><p>faded words here</p></div>");
    passes("", "<div style='opacity:.8'><p>hardly faded words</p></div>");
    // A group fades its own backdrop with its text.
    fails(
        "",
        "<div style='opacity:.5;width:600px;background:linear-gradient(90deg,#000,#111)'>\
         <p style='color:#bbb'>A faded group on white</p></div>",
    );
}

#[test]
fn large_text_needs_less() {
    passes("", "<p style='color:#949494;font-size:24px'>large words</p>");
    passes("", "<p style='color:#949494;font-size:18.67px;font-weight:700'>bold words</p>");
    fails("", "<p style='color:#949494;font-size:18.67px'>not bold words</p>");
    fails("", "<p style='color:#949494;font-size:18px;font-weight:700'>not large words</p>");
}

#[test]
fn some_text_needs_none() {
    for body in [
        "<button disabled style='color:#ccc;background:#fff'>Not now</button>",
        "<div aria-disabled=true style='color:#ccc'>Not now</div>",
        "<fieldset disabled><legend style='color:#ccc'>Not now</legend></fieldset>",
        "<label style='color:#ccc'>Off <input disabled></label>",
        "<label for=off style='color:#ccc'>Off</label><input id=off disabled>",
        "<span id=name style='color:#ccc'>Off</span><div role=textbox aria-labelledby=name aria-disabled=true></div>",
        "<p style='color:#ccc'>— · —</p>",
        "<p style='color:#ccc' hidden>never seen</p>",
        "<p style='color:#ccc;visibility:hidden'>never seen</p>",
        "<div style='height:0;overflow:hidden'><p style='color:#ccc'>never seen</p></div>",
        "<p style='color:#ccc' inert>not for now</p>",
    ] {
        passes("", body);
    }
    fails("", "<button style='color:#ccc;background:#fff'>Now</button>");
    fails("", "<label for=on style='color:#ccc'>On</label><input id=on aria-label=x>");
    fails("", "<p style='color:#ccc' aria-hidden=true>everybody else reads this</p>");
    fails("", "<input type=submit value=Send style='color:#ccc;background:#fff'>");
}

#[test]
fn shadows_help_and_hinder() {
    fails("", "<p style='color:#ddd;text-shadow:0 0 60px #ccc'>a faint halo</p>");
    passes(
        "",
        "<p style='color:#fff;text-shadow:1px 1px #000,-1px 1px #000,1px -1px #000,-1px -1px #000'>outlined</p>",
    );
    stays_open(
        "",
        "<p style='color:#eee;text-shadow:1px 0 #000,0 1px #000'>half outlined</p>",
        "text with hard shadows",
    );
}

#[test]
fn what_cannot_be_seen_stays_open() {
    stays_open(
        "",
        "<p style='color:#999;background:url(x.jpg)'>over a picture</p>",
        "over an image that is not there",
    );
    // A plain box between the picture and the words.
    fails(
        "",
        "<div style='background:url(x.jpg)'><p style='color:#999;background:#fff'>over a box</p></div>",
    );
    stays_open(
        ".stage{position:relative;height:90px}svg{position:absolute;left:0;top:0}",
        "<div class=stage><svg width=300 height=60 aria-hidden=true></svg><p style='color:#999'>over a drawing</p></div>",
        "over a drawing, a film or a frame",
    );
    stays_open("", "<p style='color:#ccc'>x</p>", "a single character");
    stays_open("", "<p style='color:#fff'>white on white</p>", "in the colour of its backdrop");
    stays_open(
        "",
        "<p><span style='background:linear-gradient(90deg,#fff 50%,#555 50%)'>half a line</span></p>",
        "over a gradient in its line",
    );
}

#[test]
fn text_filled_with_a_gradient_has_its_colours() {
    let clip = "p{color:transparent;-webkit-background-clip:text;background-clip:text;background-image:linear-gradient(";
    passes(&format!("{clip}#000,#333)}}"), "<p>Dark words</p>");
    fails(&format!("{clip}#ccc,#ddd)}}"), "<p>Light words</p>");
    stays_open(&format!("{clip}#000,#ddd)}}"), "<p>Dark and light words</p>", "text filled with a gradient");
    // Filled by the other property, and by way of another element.
    passes(
        "h2{background:linear-gradient(#000,#222);-webkit-background-clip:text;-webkit-text-fill-color:transparent}",
        "<h2>Dark words</h2>",
    );
}

#[test]
fn one_cause_is_one_finding() {
    let report = look(
        ":root{--muted:#aaa}.a,.b{color:var(--muted)}.c{color:#bbb}",
        "<p class=a>One grey here</p><p class=b>and one grey there</p><div class=c>another grey</div>",
    );
    let mut causes: Vec<(&str, usize)> =
        failures(&report).iter().map(|found| (found.cause.as_str(), found.places.len())).collect();
    causes.sort_unstable();
    assert_eq!(causes, [("#bbbbbb", 1), ("--muted", 2)]);
    let names: Vec<&str> = failures(&report)
        .iter()
        .flat_map(|found| found.figures.iter().map(|figure| figure.name.as_str()))
        .collect();
    assert_eq!(names, ["ratio", "needs", "characters", "ratio", "needs", "characters"]);
}

#[test]
fn a_colour_that_is_good_elsewhere_is_let_down_by_its_backdrop() {
    let report = look(
        "p{color:#767676}",
        "<p>Good on white</p><div style='background:#ddd'><p>Faint on grey</p></div>\
         <div style='opacity:.7'><p>Faint when faded</p></div>",
    );
    let mut causes: Vec<&str> = failures(&report).iter().map(|found| found.cause.as_str()).collect();
    causes.sort_unstable();
    assert_eq!(causes, ["#767676 on #dddddd", "#767676 under 70% opacity"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Painted or computed: a gradient from one colour to the same colour is that colour.
    #[test]
    fn pixels_and_styles_agree_on_plain_colours(text in any::<[u8; 3]>(), fill in any::<[u8; 3]>(), alpha in 30_u8..=100) {
        let css = |[red, green, blue]: [u8; 3]| format!("{red},{green},{blue}");
        let words = format!("color:rgba({},{})", css(text), f32::from(alpha) / 100.0);
        let plain = look("", &format!("<p style='{words};background:rgb({})'>Some words</p>", css(fill)));
        let painted = look(
            ".s{position:relative;height:60px}.s>*{position:absolute;inset:0;margin:0}",
            &format!("<div class=s><i style='background:rgb({})'></i><p style='{words}'>Some words</p></div>", css(fill)),
        );
        let ratio = |report: &Report| {
            failures(report).first().and_then(|found| found.figures.first()).map(|figure| figure.value)
        };
        match (ratio(&plain), ratio(&painted)) {
            (Some(one), Some(other)) => prop_assert!((one - other).abs() < 0.12, "{} {}", one, other),
            // Rounding to eight bits may cross the bound.
            (Some(only), None) | (None, Some(only)) => prop_assert!(only > 4.38 || !open(&painted).is_empty(), "{}", only),
            (None, None) => {}
        }
    }
}
