//! The figures alone: what the panels of others are held against.

use jury_core::evidence::{Measurement, TextMeasure};
use jury_core::role::Role;
use jury_house::{HouseError, measure};

const POOR: &str = "<!doctype html><html><head><title>A page</title><style>p.lead{color:#bbb;font-size:20px}\
                    a.go{background:#06c;color:#fff;display:inline-block;padding:12px 16px;outline:none}</style></head><body><main>\n\
                    <h1 style=\"font-size:48px\">A page</h1>\n<p class=\"lead\">Words that nobody can read on white.</p>\n\
                    <a class=\"go\" href=\"/x\">Begin</a><img src=\"data:,\"></main></body></html>";

fn text<'a>(measured: &'a Measurement, selector: &str) -> &'a TextMeasure {
    measured.texts.iter().find(|text| text.selector == selector).expect("it is on the page")
}

#[test]
fn failures_have_their_criterion_their_figure_and_their_place() {
    let measured = measure(POOR, None).expect("it can be measured");
    let failures: Vec<(&str, &str, Option<&str>, Option<u32>)> = measured
        .failures
        .iter()
        .map(|failure| {
            (failure.criterion.as_str(), failure.check.as_str(), failure.place.as_deref(), failure.line)
        })
        .collect();
    assert_eq!(
        failures,
        [
            ("WCAG 1.4.3 AA", "a11y/contrast", Some("p.lead"), Some(3)),
            ("WCAG 1.1.1 A", "a11y/img-alt", Some("img"), Some(4)),
            ("WCAG 3.1.1 A", "a11y/lang", Some("html"), Some(1)),
            ("WCAG 2.4.7 AA", "a11y/focus", Some("a.go"), Some(4)),
        ]
    );
    let contrast = measured.failures.first().expect("there is one");
    assert!(contrast.measured.starts_with("text contrast 1.9"), "{contrast:?}");
    assert_eq!(contrast.bound.as_deref(), Some("4.5:1"));
}

#[test]
fn text_has_its_ratio_its_size_and_its_line() {
    let measured = measure(POOR, None).expect("it can be measured");
    let (lead, heading, action) = (text(&measured, "p.lead"), text(&measured, "h1"), text(&measured, "a.go"));
    assert!(lead.ratio.is_some_and(|ratio| (1.8..2.0).contains(&ratio)), "{lead:?}");
    assert!((lead.size - 20.0).abs() < 0.01 && lead.line == Some(3), "{lead:?}");
    assert!((heading.size - 48.0).abs() < 0.01, "{heading:?}");
    assert!(action.is_action && !lead.is_action);
    assert!(measured.action_fill.is_some_and(|fill| fill > 3.0));
    assert!(measured.distances.iter().any(|distance| (distance - 12.0).abs() < 0.01));
}

#[test]
fn scores_are_those_of_the_house_and_what_was_not_decided_leaves_room() {
    let measured = measure(POOR, None).expect("it can be measured");
    let a11y = measured.roles.iter().find(|measured| measured.role == Role::A11y).expect("it was measured");
    assert!(a11y.score.high <= 5.9, "a critical finding caps it: {a11y:?}");
    assert!(measured.roles.iter().all(|measured| measured.role != Role::Brand), "there is no brand");
    for role in &measured.roles {
        for span in role.dimensions.iter().map(|(_, span)| span).chain([&role.score]) {
            assert!(0.0 <= span.low && span.low <= span.high && span.high <= 10.0, "{role:?}");
        }
    }
    let image = POOR.replace("<main>", "<main style=\"background:url(data:,)\">");
    let undecided = measure(&image, None).expect("it can be measured");
    let a11y = undecided.roles.iter().find(|measured| measured.role == Role::A11y).expect("it was measured");
    let perceive = a11y.dimensions.iter().find(|(name, _)| name == "perceive").expect("it was measured");
    assert!(perceive.1.low < perceive.1.high, "{perceive:?}");
}

#[test]
fn what_cannot_be_measured_is_an_error_and_what_was_seen_in_part_says_so() {
    let deep = "<div>".repeat(5000);
    assert!(matches!(measure(&deep, None), Err(HouseError::Eye(_))));
    let outside =
        POOR.replace("<title>", "<link rel=\"stylesheet\" href=\"https://example.org/x.css\"><title>");
    let partial = measure(&outside, None).expect("it can be measured").partial;
    assert!(partial.is_some_and(|why| why.contains("external_css")));
    assert_eq!(measure(POOR, None).expect("it can be measured").partial, None);
}

#[test]
fn the_same_page_measures_the_same() {
    assert_eq!(measure(POOR, None).ok(), measure(POOR, None).ok());
}

#[test]
fn what_a_failure_needs_and_what_it_has_are_the_figures_of_its_finding() {
    let measured = measure(POOR, None).expect("it can be measured");
    let of = |check: &str| measured.failures.iter().find(|failure| failure.check == check).expect("it fails");
    let contrast = of("a11y/contrast");
    assert!(contrast.value.is_some_and(|ratio| (1.8..2.0).contains(&ratio)), "{contrast:?}");
    assert_eq!(contrast.bound.as_deref(), Some("4.5:1"));
    assert!(!contrast.measured.contains("needs"), "{contrast:?}");
    // What needs no number says it in words.
    assert_eq!(of("a11y/focus").bound.as_deref(), Some("a visible focus"));
    let small = POOR.replace("<a class=\"go\"", "<button style=\"width:10px;height:10px;padding:0\" aria-label=\"x\"></button><button style=\"width:10px;height:10px;padding:0\" aria-label=\"y\"></button><a class=\"go\"");
    let measured = measure(&small, None).expect("it can be measured");
    let target = measured.failures.iter().find(|failure| failure.check == "a11y/target").expect("it fails");
    assert_eq!(target.bound.as_deref(), Some("24 px"), "{target:?}");
}

#[test]
fn text_that_only_screen_readers_do_not_get_is_measured_like_any_other() {
    let hidden = POOR.replace(
        "<main>",
        "<main><p class=\"price\" aria-hidden=\"true\" style=\"font-size:33px\">9 euros</p>",
    );
    let measured = measure(&hidden, None).expect("it can be measured");
    assert!((text(&measured, "p.price").size - 33.0).abs() < 0.01);
}

#[test]
fn the_size_of_the_root_is_told_and_whether_all_is_listed() {
    let measured = measure(POOR, None).expect("it can be measured");
    assert_eq!((measured.root, measured.cut), (Some(16.0), false));
    let ten = POOR.replace("<style>", "<style>html{font-size:62.5%}");
    assert_eq!(measure(&ten, None).expect("it can be measured").root, Some(10.0));
    let many: Vec<String> =
        (0..450).map(|number| format!("<p class=\"t{number}\" style=\"padding:0\">Text</p>")).collect();
    let many = many.concat();
    let measured =
        measure(&POOR.replace("</main>", &format!("{many}</main>")), None).expect("it can be measured");
    assert!(measured.cut && measured.texts.len() == 400);
}
