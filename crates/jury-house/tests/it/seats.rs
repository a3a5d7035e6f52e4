//! The measured seats: one page with the fault, and one that looks as if it had it, for every check.

use jury_core::evidence::SeatMeasure;
use jury_eye::Beside;
use jury_house::{MeasureTask, measure, measure_task};

/// A page without fault, to put one fault into.
fn page(root: &str, head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html {root}><head><meta charset=\"utf-8\"><title>A page about bread</title>{head}</head>\
         <body><main><h1>Bread for the street</h1><p>We bake at night so that the street has bread.</p>{body}</main></body></html>"
    )
}

fn seats_beside(page: &str, beside: &Beside) -> Vec<SeatMeasure> {
    let task = MeasureTask { page, design: None, beside, given: None, figures: false, seats: true };
    measure_task(&task).expect("it can be measured").seats
}

/// The note of a check, from the dimensions of its seat.
fn note_beside(page: &str, check: &str, beside: &Beside) -> Option<String> {
    let (seat, short) = check.split_once('/').expect("a seat and a check");
    let seats = seats_beside(page, beside);
    let seat = seats.iter().find(|measure| measure.role.as_str() == seat).expect("it was measured");
    let notes = seat.dimensions.iter().flat_map(|dimension| dimension.note.split("; "));
    notes.map(str::to_owned).find(|note| note.starts_with(&format!("{short} ")))
}

fn note(page: &str, check: &str) -> Option<String> {
    note_beside(page, check, &Beside::nothing())
}

#[track_caller]
fn fails(page: &str, check: &str) {
    let note = note(page, check).expect("it applies");
    assert!(!note.starts_with(&format!("{} 10.0", check.split_once('/').expect("both").1)), "{note}");
}

#[track_caller]
fn passes(page: &str, check: &str) {
    if let Some(note) = note(page, check) {
        assert!(note.starts_with(&format!("{} 10.0", check.split_once('/').expect("both").1)), "{note}");
    }
}

const ENGLISH: &str = "lang=\"en\"";

fn with(body: &str) -> String {
    page(ENGLISH, "", body)
}

fn styled(css: &str, body: &str) -> String {
    page(ENGLISH, &format!("<style>{css}</style>"), body)
}

#[test]
fn seats_are_silent_unless_they_are_asked() {
    assert_eq!(measure(&with(""), None).expect("it can be measured").seats, []);
    let seats = seats_beside(&with(""), &Beside::nothing());
    let roles: Vec<&str> = seats.iter().map(|seat| seat.role.as_str()).collect();
    assert_eq!(roles, ["perf", "i18n", "motion"]);
    // A still page has no movement to judge, and a clean one nothing to mend.
    assert_eq!(seats[2].score, None);
    assert!(seats.iter().all(|seat| seat.must_fix.is_empty()), "{seats:?}");
    assert_eq!(seats[0].score, Some(10.0));
    assert_eq!(seats[1].score, Some(10.0));
}

#[test]
fn a_heavy_page_is_weighed() {
    let words = |bytes: usize| with(&format!("<!-- {} -->", "x".repeat(bytes)));
    fails(&words(600_000), "perf/weight");
    passes(&words(400_000), "perf/weight");
    let hero = with("<img src=\"hero.png\" alt=\"Bread\" width=\"10\" height=\"10\">");
    let mut beside = Beside::nothing();
    beside.insert("hero.png", vec![0; 2_100_000]);
    let heavy = seats_beside(&hero, &beside);
    assert!(heavy[0].must_fix[0].starts_with("the page weighs 2101 kB"), "{:?}", heavy[0].must_fix);
    let mut beside = Beside::nothing();
    beside.insert("hero.png", vec![0; 600_000]);
    let note = note_beside(&hero, "perf/weight", &beside).expect("it applies");
    assert!(note.contains("601 kB with what lies beside it"), "{note}");
    let note = note_beside(&hero, "perf/images", &beside).expect("it applies");
    assert!(note.contains("1 of 1 image over 200 kB"), "{note}");
    // One that is there and was too large to be read is no light one; of one that is not there nothing is known.
    let mut beside = Beside::nothing();
    beside.link("hero.png", true);
    let unread = seats_beside(&hero, &beside);
    assert!(unread[0].must_fix[0].starts_with("the page weighs 2098 kB"), "{:?}", unread[0].must_fix);
    let mut beside = Beside::nothing();
    beside.link("hero.png", false);
    assert_eq!(seats_beside(&hero, &beside)[0].score, Some(10.0));
    let mut beside = Beside::nothing();
    beside.insert("hero.png", vec![0; 90_000]);
    assert!(note_beside(&hero, "perf/images", &beside).expect("it applies").starts_with("images 10.0"));
}

#[test]
fn many_files_are_counted_once_each() {
    let images = |different: usize, all: usize| {
        let images = (0..all).map(|n| format!("<img src=\"i{}.png\" alt=\"Bread\">", n % different));
        with(&images.collect::<String>())
    };
    fails(&images(40, 40), "perf/requests");
    passes(&images(20, 40), "perf/requests");
}

#[test]
fn scripts_in_the_head_wait_or_block() {
    let script =
        |attributes: &str| page(ENGLISH, &format!("<script src=\"a.js\" {attributes}></script>"), "");
    fails(&script(""), "perf/blocking");
    passes(&script("defer"), "perf/blocking");
    passes(&script("async"), "perf/blocking");
    passes(&script("type=\"module\""), "perf/blocking");
    passes(&page(ENGLISH, "", "<script src=\"a.js\"></script>"), "perf/blocking");
}

#[test]
fn fonts_show_their_text_or_hide_it() {
    let font = |display: &str| {
        styled(&format!("@font-face{{font-family:A;src:url(a.woff2);{display}}}body{{font-family:A}}"), "")
    };
    fails(&font(""), "perf/fonts");
    fails(&font("font-display:block"), "perf/fonts");
    passes(&font("font-display:swap"), "perf/fonts");
    // A brace in an address does not end the rule.
    passes(&font("src:url('data:font/woff2;a}b');font-display:swap"), "perf/fonts");
    passes(&styled("@font-face{font-family:A;src:local(Arial)}", ""), "perf/fonts");
    passes(&styled("/* @font-face{font-family:A;src:url(a.woff2)} */", ""), "perf/fonts");
    let service = |query: &str| {
        page(
            ENGLISH,
            &format!("<link rel=\"stylesheet\" href=\"https://fonts.googleapis.com/css2?family=A{query}\">"),
            "",
        )
    };
    fails(&service(""), "perf/fonts");
    passes(&service("&amp;display=swap"), "perf/fonts");
}

#[test]
fn a_page_says_its_language_and_direction() {
    fails(&page("", "", ""), "i18n/lang");
    fails(&page("lang=\"english!\"", "", ""), "i18n/lang");
    passes(&page("lang=\"pt-BR\"", "", ""), "i18n/lang");
    let hebrew =
        "<p>אנחנו אופים בלילה כדי שיהיה לחם ברחוב בבוקר, וכולם יכולים לבוא ולקנות אותו אצלנו בחנות.</p>";
    fails(&page("lang=\"he\"", "", hebrew), "i18n/direction");
    passes(&page("lang=\"he\" dir=\"rtl\"", "", hebrew), "i18n/direction");
    passes(
        &page(ENGLISH, "", "<p>The word for bread is <span lang=\"he\">לחם</span>.</p>"),
        "i18n/direction",
    );
    let within = |dir: &str| page("lang=\"he\"", "", &format!("<div {dir}>{hebrew}</div>"));
    passes(&within("dir=\"rtl\""), "i18n/direction");
    fails(&within("dir=\"ltr\""), "i18n/direction");
    fails(&page("lang=\"he\"", "", &format!("<div dir=\"rtl\">{hebrew}</div>{hebrew}")), "i18n/direction");
    let seats = seats_beside(&page("lang=\"ar\"", "", ""), &Beside::nothing());
    assert_eq!(seats[1].must_fix.len(), 1, "{seats:?}");
}

#[test]
fn text_that_grows_needs_room() {
    let button = |css: &str| {
        styled(
            &format!(".b{{display:inline-block;font:16px sans-serif;white-space:nowrap;{css}}}"),
            "<p><span class=\"b\">Subscribe to our weekly newsletter</span></p>",
        )
    };
    fails(&button("width:260px;overflow:hidden"), "i18n/expansion");
    passes(&button("width:520px;overflow:hidden"), "i18n/expansion");
    passes(&button("overflow:hidden"), "i18n/expansion");
    passes(&button("width:260px;overflow-x:auto"), "i18n/expansion");
    // A reader can scroll to the end of a long line, however far it leads; without that it is out of sight.
    let row = |css: &str| {
        let words =
            "Rye, wheat, spelt, oats, barley, millet and sesame bread is baked here every day. ".repeat(2);
        styled(
            &format!(".b{{width:600px;{css}}}.b p{{white-space:nowrap;font:14px sans-serif}}"),
            &format!("<div class=\"b\"><p>{words}</p></div>"),
        )
    };
    passes(&row("overflow-x:auto"), "i18n/expansion");
    fails(&row(""), "i18n/expansion");
    // Hidden from sight on purpose, and cut off already.
    passes(&button("position:absolute;width:1px;height:1px;overflow:hidden"), "i18n/expansion");
    passes(&button("width:40px;overflow:hidden"), "i18n/expansion");
}

#[test]
fn dates_and_prices_are_read_in_one_way() {
    fails(&with("<p>Open from 03/04/2025.</p>"), "i18n/dates");
    passes(&with("<p>Open from 24/12/2025, 2025-03-04 and 3 April.</p>"), "i18n/dates");
    passes(&with("<p>Take 3/4 of a cup; <code>03/04/2025</code> is a date.</p>"), "i18n/dates");
    fails(&with("<p>A loaf is €12,50.</p><p>Two are €20.00.</p>"), "i18n/numbers");
    passes(&with("<p>A loaf is €12,50.</p><p>Two are €20,00. Version 1.25 is out.</p>"), "i18n/numbers");
}

#[test]
fn movement_is_short_rare_and_stilled() {
    fails(&styled("a{color:#00c;transition:color 2s}", "<a href=\"/x\">Bread</a>"), "motion/duration");
    passes(&styled("a{color:#00c;transition:color .2s 3s}", "<a href=\"/x\">Bread</a>"), "motion/duration");
    let keyframes = "@keyframes in{from{transform:translateY(9px)}}@keyframes glow{from{color:#000}}";
    let entrance = |css: &str| styled(&format!("{keyframes}.m{{{css}}}"), "<p class=\"m\">Bread.</p>");
    fails(&entrance("animation:in 3s"), "motion/duration");
    passes(&entrance("animation:in .4s"), "motion/duration");
    let crowd = |css: &str, many: usize| {
        styled(&format!("{keyframes}.m{{{css}}}"), &"<p class=\"m\">Bread.</p>".repeat(many))
    };
    fails(&crowd("animation:in .4s", 12), "motion/amount");
    passes(&crowd("animation:in .4s", 5), "motion/amount");
    assert_eq!(note(&crowd("animation:glow .4s", 12), "motion/amount"), None);
    fails(&entrance("animation:in .4s"), "motion/reduced");
    let stilled = format!(
        "{keyframes}.m{{animation:in .4s}}@media (prefers-reduced-motion:reduce){{.m{{animation:none}}}}"
    );
    passes(&styled(&stilled, "<p class=\"m\">Bread.</p>"), "motion/reduced");
    assert_eq!(note(&styled("a{transition:color .2s}", "<a href=\"/x\">Bread</a>"), "motion/reduced"), None);
}
