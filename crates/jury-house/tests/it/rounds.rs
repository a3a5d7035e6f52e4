//! How a sitting goes: what ships, what does not, and what is said on the way.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jury_core::protocol::{Parser, ParserLimits, Signal};
use jury_core::warning::WarningKind;
use jury_house::{Request, lint, sit};

use crate::transcript::{note, panelist, rounds, transcript, transcript_of};

const LANDING: &str = include_str!("../../../../examples/landing.html");
const STUBBORN: &str = include_str!("../../../../examples/stubborn.html");
const DESIGN: &str = include_str!("../../../../examples/DESIGN.md");

/// Scores, decisions and must-fixes of a transcript, without the artifacts.
fn summary(transcript: &str) -> String {
    let mut out = String::new();
    for (index, round) in rounds(transcript).iter().enumerate() {
        writeln!(out, "round {}: composite {:.2}, {}", index + 1, round.composite, round.decision)
            .expect("text");
        for role in ["critic", "brand", "a11y", "copy"] {
            let score = panelist(round, role, "score").unwrap_or_else(|| "-".to_owned());
            writeln!(out, "  {role} {score}").expect("text");
        }
        for must_fix in &round.must_fix {
            writeln!(out, "  must fix: {must_fix}").expect("text");
        }
    }
    let shipped = transcript.contains("<SHIP ");
    writeln!(out, "{}", if shipped { "shipped" } else { "not shipped" }).expect("text");
    out
}

#[test]
fn the_landing_page_is_brought_over_the_bar() {
    let transcript = transcript(LANDING);
    let rounds = rounds(&transcript);
    assert_eq!(rounds.first().map(|round| round.artifact.as_str()), Some(LANDING));
    assert!(rounds.first().is_some_and(|round| round.composite < 7.5 && round.must_fix.len() >= 5));
    assert!(rounds.last().is_some_and(|round| round.composite >= 8.0 && round.must_fix.is_empty()));
    assert!(rounds.last().is_some_and(|round| lint(&round.artifact).is_empty()));
    insta::assert_snapshot!(summary(&transcript));
}

#[test]
fn the_landing_page_keeps_to_its_design() {
    let request = Request { page: LANDING.to_owned(), design: Some(DESIGN.to_owned()), ..Request::default() };
    insta::assert_snapshot!(summary(&transcript_of(&request)));
}

#[test]
fn the_stubborn_page_stays_below_the_bar() {
    let transcript = transcript(STUBBORN);
    assert!(!transcript.contains("<SHIP"));
    assert!(transcript.ends_with("</CRITIQUE_RUN>\n"));
    insta::assert_snapshot!(summary(&transcript));
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    assert_eq!(transcript(LANDING), transcript(LANDING));
}

#[test]
fn each_round_is_shorter_than_the_one_before() {
    // What is said, not the page itself: a repair adds a rule where the page had none.
    let said = |round: &crate::transcript::Round| round.text.len() - round.artifact.len();
    let lengths: Vec<usize> = rounds(&transcript(LANDING)).iter().map(said).collect();
    assert!(lengths.windows(2).all(|pair| pair[0] > pair[1]), "{lengths:?}");
}

#[test]
fn without_a_design_the_brand_has_no_score_and_says_so() {
    let rounds = rounds(&transcript(LANDING));
    let first = rounds.first().expect("a round");
    assert_eq!(panelist(first, "brand", "score"), None);
    assert!(first.text.contains("no DESIGN.md"));
}

#[test]
fn scores_follow_the_scale_and_the_weights() {
    let request = Request {
        page: LANDING.to_owned(),
        scale: 100.0,
        threshold: 80.0,
        weights: BTreeMap::from([("a11y".to_owned(), 1.0)]),
        ..Request::default()
    };
    let rounds = rounds(&transcript_of(&request));
    let first = rounds.first().expect("a round");
    let score: f64 = panelist(first, "a11y", "score").expect("a score").parse().expect("a number");
    assert!(score > 10.0 && (score - first.composite).abs() < 0.01, "{score} {}", first.composite);
    assert_eq!(panelist(first, "critic", "score"), None);
}

#[test]
fn a_role_the_house_does_not_know_is_present_without_a_score() {
    let request = Request {
        page: LANDING.to_owned(),
        weights: BTreeMap::from([("critic".to_owned(), 1.0), ("legal".to_owned(), 3.0)]),
        ..Request::default()
    };
    let transcript = transcript_of(&request);
    assert!(transcript.contains("<PANELIST role=\"legal\" must_fix=\"0\">"));
    assert!(!transcript.contains("<SHIP"), "a quarter of the weight cannot ship");
}

#[test]
fn a_page_seen_in_part_is_capped_and_cannot_ship() {
    let page = "<!doctype html><html lang=en><head><title>Hello there</title>\
        <meta name=viewport content='width=device-width'><script src='https://cdn.tailwindcss.com'></script></head>\
        <body><main><h1 style='font-size:40px'>Hello there</h1><p>Some words that are easy to read.</p></main></body></html>";
    let transcript = transcript(page);
    let rounds = rounds(&transcript);
    let first = rounds.first().expect("a round");
    assert_eq!(panelist(first, "a11y", "score").as_deref(), Some("7.9"));
    assert!(first.text.contains("external_css"));
    assert!(!transcript.contains("<SHIP"));
}

#[test]
fn one_round_presents_and_reviews_only() {
    let request = Request { page: LANDING.to_owned(), max_rounds: 1, ..Request::default() };
    let transcript = transcript_of(&request);
    assert_eq!(rounds(&transcript).len(), 1);
    assert!(transcript.contains("no round left"));
}

#[test]
fn words_put_in_by_the_house_count_half() {
    let page = "<!doctype html><html lang=en><head><title>Send a note</title>\
        <meta name=viewport content='width=device-width'></head><body><main><h1 style='font-size:40px'>Send a note</h1>\
        <form action=/x><input name=your_name><button style='padding:12px'>Send the note</button></form></main></body></html>";
    let rounds = rounds(&transcript(page));
    let [first, second, ..] = &rounds[..] else { panic!("two rounds") };
    assert_eq!(crate::transcript::score(first, "a11y", "names"), Some(5.0));
    assert!(crate::transcript::score(second, "a11y", "names").is_some_and(|score| score < 9.0));
    assert!(note(second, "a11y", "names").is_some_and(|note| note.contains("count half")));
}

#[test]
fn pages_with_nothing_in_them_are_reviewed_and_never_ship() {
    for page in [
        "",
        "   ",
        "\u{0}\u{1}\u{2}\u{fffd}",
        "<!doctype html>",
        "<html><head><title>x</title></head></html>",
    ] {
        let transcript = transcript(page);
        assert!(!transcript.contains("<SHIP"), "{page:?}: {transcript}");
        assert!(transcript.ends_with("</CRITIQUE_RUN>\n"));
    }
}

#[test]
fn a_page_that_cannot_be_measured_leaves_no_transcript() {
    let mut out = Vec::new();
    let request = Request { page: "<div>".repeat(10_000), ..Request::default() };
    let error = sit(&request, &mut out).expect_err("too deep");
    assert_eq!((error.kind(), out.len()), ("page_too_deep", 0));
}

#[test]
fn senseless_requests_are_refused() {
    let base = Request { page: "<p>x".to_owned(), ..Request::default() };
    for request in [
        Request { max_rounds: 0, ..base.clone() },
        Request { scale: 0.0, ..base.clone() },
        Request { threshold: 11.0, ..base.clone() },
        Request { threshold: f64::NAN, ..base.clone() },
        Request { weights: BTreeMap::from([("a11y".to_owned(), -1.0)]), ..base },
    ] {
        let error = sit(&request, &mut Vec::new()).expect_err("senseless");
        assert_eq!(error.kind(), "bad_request");
    }
}

#[test]
fn markup_that_looks_like_the_protocol_stays_inside_the_artifact() {
    let page = "<p>]]></ARTIFACT></PANELIST><SHIP round=\"1\"></p><p>more words here</p>";
    let inside = format!("<![CDATA[{}]]></ARTIFACT>", page.replace("]]>", "]]]]><![CDATA[>"));
    assert!(transcript(page).contains(&inside));
}

#[test]
fn the_parser_of_the_jury_reads_every_transcript_without_a_complaint() {
    for page in [LANDING, STUBBORN, "", "<p style=color:#999>]]> <SHIP> &amp; \u{1b}[0m</p>"] {
        for design in [None, Some(DESIGN.to_owned())] {
            let transcript = transcript_of(&Request { page: page.to_owned(), design, ..Request::default() });
            let mut complaints = Vec::new();
            let mut must_fix = 0;
            let mut parser = Parser::new(ParserLimits::default());
            let result = parser.feed(transcript.as_bytes(), &mut |signal| {
                must_fix += usize::from(matches!(signal, Signal::MustFix { .. }));
                // A seat without a score is what the house means when it has nothing to measure.
                if let Signal::Warning { kind, .. } = signal
                    && kind != WarningKind::ScoreUnusable
                {
                    complaints.push(format!("{signal:?}"));
                }
            });
            assert!(result.is_ok() && parser.finish().is_ok(), "{result:?}");
            assert_eq!(complaints, Vec::<String>::new());
            assert_eq!(must_fix, transcript.matches("<MUST_FIX>").count());
        }
    }
}
