//! Repairs for whoever asks: what is listed is what was done, nothing gets worse, and a repaired page stays as it is.

use jury_core::severity::Severity;
use std::collections::BTreeMap;

use jury_eye::Beside;
use jury_house::{RepairedPage, Report, repair};
use proptest::prelude::*;

/// Faults a page may have, each by itself.
const FAULTS: &[&str] = &[
    "<p style=\"color:#aaa\">Pale words to read here</p>",
    "<p class=muted>Words in a token that is too pale</p>",
    "<div style=\"opacity:.4\"><p>Faded words to read here</p></div>",
    "<div style=\"background:#3b82f6\"><span style=\"color:#fff;font-size:14px\">White on blue</span></div>",
    "<p style=\"background:linear-gradient(#eee,#ddd);color:#999\">Words on a gradient</p>",
    "<img src=a.png>",
    "<figure><img src=b.png><figcaption>Bread on a board</figcaption></figure>",
    "<input name=mail placeholder=Mail>",
    "<label>City</label><input name=city>",
    "<button class=icon-close></button>",
    "<h2>Prices</h2><a href=\"#\">Prices</a>",
    "<h5>Deep</h5><p>Under a deep heading</p>",
    "<!-- TODO: more -->",
    "<p>Lorem ipsum dolor sit amet</p>",
    "<div role=buton aria-foo=1>Invalid</div>",
    "<div style=\"height:40px;overflow:auto\"><p>a</p><p>b</p><p>c</p><p>d</p></div>",
    "<p>A sentence with <a href=\"#x\" style=\"color:#333;text-decoration:none\">a link</a> in it, to be told.</p>",
    "<div style=\"width:700px\">Wider than a phone</div>",
    "<header><p>Top</p></header><footer><p>Bottom</p></footer>",
    "<p style=\"font-size:9px\">Very small print indeed</p>",
    "<nav><a href=\"#a\">One</a> <a href=\"#b\">Two</a></nav>",
    "<p><a style=\"padding:14px;background:#9cf;color:#000\" href=\"https://a.org/\">Order a loaf</a></p>",
    "<p style=\"text-transform:uppercase;padding:15px;border-radius:7px\">Capitals off the scale</p>",
    "<p style=\"color:#8a3324;font-size:17px;line-height:1!important\">Written out</p>",
    "<div style=\"padding:8px 8px 8px 11px;max-width:600px\">Uneven</div><input style=\"border:0;background:#eee\">",
];

/// A brand that some of the pages have.
const DESIGN: &str = "---\ncolors:\n  paper: \"#ffffff\"\n  ink: \"#1a1a1a\"\n  rust: \"#8a3324\"\ntypography:\n  a:\n    fontSize: 16px\n  b:\n    fontSize: 24px\n  c:\n    fontSize: 40px\nrounded:\n  a: 8px\nspacing:\n  a: 8px\n  b: 16px\n  c: 32px\n---\n";

fn page() -> impl Strategy<Value = String> {
    let faults = prop::collection::vec(0..FAULTS.len(), 0..7);
    (faults, any::<bool>(), any::<bool>()).prop_map(|(faults, head, main)| {
        let body: String = faults.iter().filter_map(|index| FAULTS.get(*index).copied()).collect();
        let body = if main { format!("<main>{body}</main>") } else { body };
        let head = if head {
            "<!doctype html><html lang=en><head><meta name=viewport content=\"width=device-width\"><title>Bread</title>\
             <style>:root{--muted:#b0b0b0;--rust:#8a3324}.muted{color:var(--muted)}a:focus{outline:none}</style></head><body><h1>Bread</h1>"
        } else {
            "<style>.muted{color:#b0b0b0}</style>"
        };
        format!("{head}{body}")
    })
}

fn repaired(page: &str) -> RepairedPage {
    repaired_with(page, None)
}

fn repaired_with(page: &str, design: Option<&str>) -> RepairedPage {
    repair(page, design, &Beside::nothing()).expect("the page can be measured")
}

/// The page again, from what was listed alone.
fn replay(page: &str, repaired: &RepairedPage) -> String {
    let mut steps: BTreeMap<usize, Vec<(usize, &str, &str)>> = BTreeMap::new();
    for note in &repaired.repairs {
        for edit in &note.edits {
            steps.entry(note.step).or_default().push((edit.at, &edit.was, &edit.now));
        }
    }
    let mut text = page.to_owned();
    for (_, mut edits) in steps {
        edits.sort_by_key(|(at, was, _)| (*at, was.len()));
        let mut out = String::new();
        let mut from = 0;
        for (at, was, now) in edits {
            out.push_str(text.get(from..at).expect("a place in the text"));
            assert_eq!(
                text.get(at..at + was.len()).expect("a place in the text"),
                was,
                "what is listed stood there"
            );
            out.push_str(now);
            from = at + was.len();
        }
        out.push_str(text.get(from..).expect("a place in the text"));
        text = out;
    }
    text
}

fn must_fixes(report: &Report) -> Vec<(&str, &str)> {
    report
        .findings
        .iter()
        .filter(|found| found.severity >= Severity::Serious)
        .map(|found| (found.check.as_str(), found.cause.as_str()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_is_listed_is_what_was_done_and_doing_it_twice_changes_nothing(page in page(), branded in any::<bool>()) {
        let design = branded.then_some(DESIGN);
        let once = repaired_with(&page, design);
        prop_assert_eq!(&replay(&page, &once), &once.html);
        for note in &once.repairs {
            prop_assert!(!note.reason.is_empty() && !note.edits.is_empty());
            prop_assert!((1..=page.lines().count().max(1)).contains(&note.line), "{:?}", note);
        }
        let open = must_fixes(&once.before);
        for (check, cause) in must_fixes(&once.after) {
            prop_assert!(open.iter().any(|(known, _)| *known == check), "{check} came in: {cause}");
        }
        let twice = repaired_with(&once.html, design);
        prop_assert_eq!(&twice.html, &once.html, "{:?}", twice.repairs);
    }
}

#[test]
fn what_axe_would_find_is_repaired_without_a_word_moving() {
    let page = "<!doctype html>\n<html>\n<head><meta charset=utf-8>\n<style>:root{--muted:#aaa}p{color:var(--muted)}</style></head>\n<body>\n\
                <header><h1>Bread</h1></header>\n<section><h3>Prices</h3><p>Warm at six.</p></section>\n<section><p>Cold at ten.</p></section>\n\
                <footer><p>Closed on Monday, and for the rest of the week we bake the bread that you like.</p></footer>\n</body>\n</html>\n";
    let done = repaired(page);
    let html = &done.html;
    assert!(html.contains("<html lang=\"en\">"), "{html}");
    assert!(html.contains("<title>Bread</title>"), "{html}");
    assert!(html.contains("<main><section>") && html.contains("</section></main>\n<footer>"), "{html}");
    // Which level a heading has is for its author to say.
    assert!(html.contains("<h3>Prices"), "{html}");
    assert!(
        done.questions.iter().any(|question| question.check == "a11y/heading-order"),
        "{:?}",
        done.questions
    );
    assert!(!html.contains("--muted:#aaa") && html.contains("p{color:var(--muted)}"), "{html}");
    assert_eq!(must_fixes(&done.after), []);
    let lines: Vec<(&str, usize)> =
        done.repairs.iter().map(|note| (note.check.as_str(), note.line)).collect();
    assert!(lines.contains(&("a11y/contrast", 4)) && lines.contains(&("a11y/main", 7)), "{lines:?}");
}

#[test]
fn a_token_that_cannot_be_read_is_a_defect_of_the_design() {
    let design = "---\ncolors:\n  paper: \"#ffffff\"\n  ink: \"#111111\"\n  muted: \"#aaaaaa\"\n---\n";
    let page = "<!doctype html><html lang=en><head><title>Bread</title><style>:root{--muted:#aaaaaa}body{background:#ffffff;color:#111111}\
                .m{color:var(--muted)}</style></head><body><main><h1>Bread</h1><p>Warm at six, every day of the week.</p>\
                <p class=m>Pale words that are hard to read</p></main></body></html>";
    let done = repair(page, Some(design), &Beside::nothing()).expect("measurable");
    assert!(!done.html.contains("--muted:#aaaaaa"), "{}", done.html);
    assert_eq!(done.design_defects.len(), 1, "{:?}", done.design_defects);
    assert!(done.design_defects.iter().all(|defect| defect.contains("#aaaaaa on #ffffff has 2.32:1")));
    let again = repair(&done.html, Some(design), &Beside::nothing()).expect("measurable");
    assert_eq!(again.html, done.html, "the brand does not take it back");
}

#[test]
fn an_ornament_holds_up_no_repair() {
    let page = "<!doctype html><html><head><title>Bread</title><meta name=viewport content='width=device-width'></head>\
                <body><main><h1>Bread</h1><span aria-hidden=true style='font-size:9px'>01</span>\
                <p>We bake the bread for the street at night and it is with you in the morning, and that is for the best.</p>\
                </main></body></html>";
    let repaired = repaired(page);
    assert!(repaired.html.contains("<html lang=\"en\">"), "{}", repaired.html);
}

#[test]
fn levels_beyond_all_measure_are_read() {
    for page in [
        "<h1>Bread</h1><div role=heading aria-level=255>a</div><h2>b</h2>",
        "<div role=heading aria-level=255>a</div><h2>b</h2><div role=heading aria-level=255>c</div>",
    ] {
        repaired(page);
    }
}

#[test]
fn rules_are_added_where_they_hold_on_a_screen() {
    let page = "<!doctype html><html lang=en><head><title>Bread</title><meta name=viewport content='width=device-width'>\
                <style>a{outline:none}</style><style media=print>p{color:#000}</style></head>\
                <body><main><h1>Bread</h1><p>We bake at night.</p><p><a href=/x>Our prices</a></p></main></body></html>";
    let repaired = repaired(page);
    let ring = repaired.html.find(":focus-visible").expect("the ring is given back");
    assert!(ring < repaired.html.find("media=print").expect("the other sheet"), "{}", repaired.html);
}

#[test]
fn words_that_can_be_read_are_left_to_people() {
    let page = "<!doctype html><html lang=es><head><title>Pan</title><meta name=viewport content='width=device-width'></head>\
                <body><main><h1>Pan</h1><p>TODO INCLUIDO</p><ul><li>John Doe</li><li>Ana Ruiz</li></ul>\
                <p>Lorem ipsum dolor sit amet</p><!-- TODO: precios --></main></body></html>";
    let html = repaired(page).html;
    for words in ["TODO INCLUIDO", "John Doe", "Lorem ipsum"] {
        assert!(html.contains(words), "{words}: {html}");
    }
    assert!(!html.contains("precios"), "{html}");
}

#[test]
fn a_language_nobody_can_tell_is_not_guessed() {
    let page = |body: &str| {
        format!(
            "<!doctype html><html><head><title>x</title><meta name=viewport content='width=device-width'></head>\
             <body><main><h1>{body}</h1><p>{body}</p></main></body></html>"
        )
    };
    for unknown in [
        "אנחנו אופים לחם בלילה כדי שלכל הרחוב יהיה לחם טרי בבוקר",
        "ما شب‌ها نان می‌پزیم تا همه خیابان صبح نان تازه داشته باشند",
        "Pieczemy chleb w nocy, aby cała ulica miała rano świeży chleb",
    ] {
        let repaired = repaired(&page(unknown));
        assert!(!repaired.html.contains("lang="), "{}", repaired.html);
    }
    let ukrainian =
        repaired(&page("Ми печемо хліб уночі, щоб уся вулиця мала свіжий хліб, і він є завжди. Її люблять"));
    assert!(ukrainian.html.contains("lang=\"uk\""), "{}", ukrainian.html);
    let note = ukrainian.repairs.iter().find(|note| note.check == "a11y/lang").expect("the repair is listed");
    assert!(note.to_confirm);
}
