//! Answers and the verdict on each.

use jury_core::conformance::{Assertion, Class, ConformanceVerdict, examine};
use jury_core::id::{AgentId, ArtifactId, ProjectId};
use jury_core::lint::LintFinding;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::TheaterSetup;

const PAGE: &str = "<!doctype html><html lang=en><title>T</title><main><h1>Hi</h1></main>";

pub(super) fn subject() -> TheaterSetup {
    TheaterSetup {
        project: ProjectId::default_project(),
        artifact: "0198c0de-0000-7000-8000-000000000001".parse::<ArtifactId>().unwrap(),
        agent: "scripted".parse::<AgentId>().unwrap(),
    }
}

fn judge(answer: &str) -> ConformanceVerdict {
    examine(answer.as_bytes(), &CritiqueConfig::default(), subject(), |_| Vec::new())
}

/// One round that ships, by the book.
fn good() -> String {
    let panel: String = ["critic", "brand", "a11y", "copy"]
        .map(|role| {
            format!(
                "<PANELIST role=\"{role}\" score=\"9.0\" must_fix=\"0\"><DIM name=\"d\" score=\"9\">Fine.</DIM></PANELIST>\n"
            )
        })
        .concat();
    format!(
        "<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\">\n<ROUND n=\"1\">\n\
         <PANELIST role=\"designer\"><NOTES>Calm.</NOTES><ARTIFACT mime=\"text/html\"><![CDATA[{PAGE}]]></ARTIFACT></PANELIST>\n\
         {panel}<ROUND_END n=\"1\" composite=\"9.0\" must_fix=\"0\" decision=\"ship\"><REASON>Met.</REASON></ROUND_END>\n\
         </ROUND>\n<SHIP round=\"1\" composite=\"9.0\" status=\"shipped\"><ARTIFACT mime=\"text/html\"><![CDATA[{PAGE}]]></ARTIFACT>\
         <SUMMARY>Done.</SUMMARY></SHIP>\n</CRITIQUE_RUN>\n"
    )
}

/// What is wrong with an answer, in one line.
fn said(answer: &str) -> String {
    let verdict = judge(answer);
    let breaches: Vec<String> =
        verdict.breaches.iter().map(|breach| format!("{}: {}", breach.assertion, breach.detail)).collect();
    let clean = if verdict.clean_parse { "clean" } else { "unclean" };
    format!("{} {clean} [{}]", verdict.class, breaches.join("; "))
}

#[test]
fn an_answer_by_the_book_ships() {
    assert_eq!(
        judge(&good()),
        ConformanceVerdict { class: Class::Shipped, clean_parse: true, breaches: Vec::new() }
    );
    let chatty = format!("Sure! 3 < 4.\n```\n{}\n```\nDone.", good());
    assert_eq!(judge(&chatty).class, Class::Shipped, "every agent talks");
}

#[test]
fn an_answer_that_breaks_off_is_degraded_and_unclean() {
    let whole = good();
    for (cut, expected) in [
        (0, "degraded unclean [parse: malformed_block: the answer has no <CRITIQUE_RUN>; it ends]"),
        (
            whole.find("<PANELIST role=\"copy\"").unwrap(),
            "degraded unclean [parse: malformed_block: the answer ends inside <ROUND>]",
        ),
    ] {
        assert_eq!(said(whole.get(..cut).unwrap()), expected);
    }
    // Behind the ship nothing matters any more.
    assert_eq!(said(whole.get(..whole.find("</CRITIQUE_RUN>").unwrap()).unwrap()), "shipped clean []");
}

#[test]
fn a_juror_that_is_missing_in_the_shipping_round_is_a_breach_of_form() {
    let answer = good().replace("<PANELIST role=\"designer\">", "<PANELIST role=\"critic\" score=\"9.0\">");
    assert_eq!(judge(&answer).class, Class::Degraded);
    // The designer counts nothing, so a later round without it ships; the form still asks for it.
    let round = good();
    let (start, end) = (round.find("<ROUND n=\"1\">").unwrap(), round.find("<SHIP").unwrap());
    let first = round.get(start..end).unwrap().replace("score=\"9.0\"", "score=\"7.0\"");
    let first = first
        .replace("composite=\"9.0\"", "composite=\"7.0\"")
        .replace("decision=\"ship\"", "decision=\"continue\"");
    let designer = round.find("<PANELIST role=\"designer\"").unwrap();
    let critic = round.find("<PANELIST role=\"critic\"").unwrap();
    let mut second = round;
    second.replace_range(designer..critic, "");
    let second = second.replace(" n=\"1\"", " n=\"2\"").replace("round=\"1\"", "round=\"2\"");
    let answer = second.replace("<ROUND n=\"2\">", &format!("{first}<ROUND n=\"2\">"));
    assert_eq!(said(&answer), "degraded unclean [form: designer does not speak in round 2, which ships]");
}

#[test]
fn an_answer_without_a_ship_is_a_breach_of_form() {
    let whole = good();
    let (start, end) = (whole.find("<SHIP").unwrap(), whole.find("</SHIP>").unwrap() + "</SHIP>".len());
    let mut without = whole;
    without.replace_range(start..end, "");
    assert_eq!(said(&without), "degraded unclean [form: there is no <SHIP>]");
}

#[test]
fn a_composite_may_be_off_by_a_twentieth_and_no_more() {
    assert_eq!(said(&good().replace("composite=\"9.0\"", "composite=\"9.05\"")), "shipped clean []");
    assert_eq!(
        said(&good().replacen("composite=\"9.0\"", "composite=\"9.06\"", 1)),
        "degraded clean [composite: composite_mismatch]"
    );
}

#[test]
fn an_artifact_that_is_not_well_formed_is_a_breach() {
    let answer = good().replace("</main>", "</body>");
    assert_eq!(said(&answer), "degraded clean [html: </body> closes nothing (line 1)]");
    // One that was cut off is none at all.
    let answer = good().replace("</main>", "");
    assert_eq!(
        said(&answer),
        "degraded unclean [parse: missing_artifact: the <ARTIFACT> of the first round is no page: \
         it ends before <main> is closed; form: artifact_unusable]"
    );
}

#[test]
fn an_answer_below_the_bar_is_clean_and_does_not_ship() {
    let answer =
        good().replace("score=\"9.0\"", "score=\"5.0\"").replace("composite=\"9.0\"", "composite=\"5.0\"");
    let verdict = judge(&answer);
    assert_eq!(verdict.class, Class::Degraded);
    assert!(verdict.breaches.iter().any(|breach| breach.assertion == Assertion::Ship), "{verdict:?}");
}

#[test]
fn an_artifact_that_the_final_pass_refuses_does_not_ship() {
    let lint = |_: &str| vec![LintFinding { rule: "copy/links".into(), line: 1, message: "dead".into() }];
    let verdict = examine(good().as_bytes(), &CritiqueConfig::default(), subject(), lint);
    assert_eq!(verdict.class, Class::Degraded);
    assert_eq!(verdict.breaches.first().map(|breach| breach.assertion), Some(Assertion::Ship));
}

#[test]
fn another_version_is_not_spoken() {
    let answer = good().replace("version=\"1\"", "version=\"2\"");
    assert!(
        said(&answer).starts_with("degraded unclean [parse: protocol_version_mismatch"),
        "{}",
        said(&answer)
    );
}
