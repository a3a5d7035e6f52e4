//! How a score or a figure stands beside the measurement: each verdict, and where one turns into the next.

use jury_core::event::TheaterEvent;
use jury_core::evidence::{ClaimVerdict, Evidence, EvidenceKind, EvidenceMode};
use jury_core::score::{Scale, Threshold};
use jury_core::settings::CritiqueConfig;

use super::stage::Stage;

/// What the evidence is when these panelists speak of a page that measures so.
fn evidence_on(config: CritiqueConfig, how: &str, panelists: &str) -> Vec<Evidence> {
    let mut stage = Stage::new(CritiqueConfig { evidence: EvidenceMode::Warn, ..config });
    stage.play("witness\n start\n run\n round 1\n designer A");
    stage.play(panelists);
    stage.play(&format!("measured A {how}\n end 1\n interrupt"));
    let evidence = stage
        .events()
        .filter_map(|event| if let TheaterEvent::Evidence(item) = event { Some(item.clone()) } else { None });
    evidence.collect()
}

fn evidence(how: &str, panelists: &str) -> Vec<Evidence> {
    evidence_on(CritiqueConfig::default(), how, panelists)
}

/// How the score of a panelist stands.
fn panelist(how: &str, role: &str, score: &str) -> ClaimVerdict {
    let said = evidence(
        how,
        &format!("<PANELIST role=\"{role}\" score=\"{score}\"><NOTES>Seen.</NOTES></PANELIST>"),
    );
    let item = said.iter().find(|item| item.kind == EvidenceKind::Score && item.dimension.is_none());
    item.expect("a score is always held against something").standing
}

/// How the score of a dimension stands.
fn dimension(how: &str, role: &str, name: &str, score: &str) -> ClaimVerdict {
    let said = evidence(
        how,
        &format!(
            "<PANELIST role=\"{role}\" score=\"9\"><DIM name=\"{name}\" score=\"{score}\">x</DIM></PANELIST>"
        ),
    );
    let item = said.iter().find(|item| item.dimension.as_deref() == Some(name));
    item.expect("so is the score of a dimension").standing
}

/// How the figures in a note of the critic stand.
fn figures(note: &str) -> Vec<ClaimVerdict> {
    let said = evidence(
        "poor",
        &format!(
            "<PANELIST role=\"critic\" score=\"9\"><DIM name=\"taste\" score=\"9\"><![CDATA[{note}]]></DIM></PANELIST>"
        ),
    );
    said.iter().filter(|item| item.kind == EvidenceKind::Claim).map(|item| item.standing).collect()
}

#[test]
fn the_score_of_a_panelist_is_consistent_within_a_tenth_of_the_scale() {
    // Measured: 3 to 4.
    for score in ["3.0", "3.5", "4.0", "5.0", "2.0"] {
        assert_eq!(panelist("poor", "a11y", score), ClaimVerdict::Consistent, "{score}");
    }
}

#[test]
fn the_score_of_a_panelist_is_overrated_above_that() {
    assert_eq!(panelist("poor", "a11y", "5.1"), ClaimVerdict::Overrated);
    assert_eq!(panelist("poor", "a11y", "10"), ClaimVerdict::Overrated);
}

#[test]
fn the_score_of_a_panelist_is_never_underrated_because_there_is_more_to_a_page() {
    assert_eq!(panelist("fine", "a11y", "0"), ClaimVerdict::Consistent);
}

#[test]
fn the_score_of_a_panelist_is_unverifiable_when_nothing_of_its_matter_was_measured() {
    assert_eq!(panelist("fine", "brand", "9"), ClaimVerdict::Unverifiable);
    assert_eq!(panelist("partial", "a11y", "9"), ClaimVerdict::Unverifiable);
}

#[test]
fn the_score_of_a_dimension_is_consistent_overrated_or_underrated() {
    for (score, standing) in [
        ("1.9", ClaimVerdict::Underrated),
        ("2.0", ClaimVerdict::Consistent),
        ("3.4", ClaimVerdict::Consistent),
        ("5.0", ClaimVerdict::Consistent),
        ("5.1", ClaimVerdict::Overrated),
    ] {
        assert_eq!(dimension("poor", "a11y", "perceive", score), standing, "{score}");
    }
}

#[test]
fn the_names_that_the_prompt_gives_as_examples_are_names_of_what_is_measured() {
    for (role, name) in
        [("a11y", "contrast"), ("a11y", "Contrast"), ("copy", "clarity"), ("critic", "typography")]
    {
        let how = if role == "a11y" { "poor" } else { "fine" };
        assert_ne!(dimension(how, role, name, "9.0"), ClaimVerdict::Unverifiable, "{role} {name}");
    }
    assert_eq!(dimension("branded", "brand", "tokens", "9.0"), ClaimVerdict::Overrated);
    assert_eq!(dimension("branded", "brand", "design-tokens", "4.0"), ClaimVerdict::Consistent);
}

#[test]
fn the_score_of_a_dimension_that_is_not_measured_or_was_half_seen_is_unverifiable() {
    assert_eq!(dimension("poor", "a11y", "delight", "9.0"), ClaimVerdict::Unverifiable);
    assert_eq!(dimension("poor", "brand", "tokens", "9.0"), ClaimVerdict::Unverifiable);
    assert_eq!(dimension("partial", "a11y", "perceive", "9.0"), ClaimVerdict::Unverifiable);
    assert_eq!(dimension("partial", "a11y", "perceive", "1.0"), ClaimVerdict::Unverifiable);
}

#[test]
fn a_tenth_is_a_tenth_of_the_scale_of_the_run() {
    let config = CritiqueConfig {
        score_scale: Scale(100.0),
        score_threshold: Threshold(80.0),
        ..CritiqueConfig::default()
    };
    for (score, standing) in [
        ("50.0", ClaimVerdict::Consistent),
        ("50.1", ClaimVerdict::Overrated),
        ("9", ClaimVerdict::Consistent),
    ] {
        let said = format!("<PANELIST role=\"a11y\" score=\"{score}\"><NOTES>Seen.</NOTES></PANELIST>");
        let evidence = evidence_on(config.clone(), "poor", &said);
        let item = evidence.iter().find(|item| item.kind == EvidenceKind::Score).unwrap();
        assert_eq!(item.standing, standing, "{score}");
        assert_eq!(item.bound.as_deref(), Some("within 10.0"));
        assert_eq!(item.measured, "30.0 to 40.0");
    }
}

#[test]
fn a_figure_is_consistent_when_it_is_there() {
    for note in [
        "CTA 5.2:1",
        "CTA 5.2 : 1",
        "CTA ~5.1:1",
        "CTA ≈5:1",
        "CTA **5.2:1**",
        "CTA 5,2:1",
        "CTA 5.2 to 1",
        "contrast of 5.2",
        "(CTA 5.2:1).",
        "(5.2:1),",
        "H1 48px",
        "H1 is 3rem",
        "H1 48 pixels",
        "body 16px",
        "gaps 8, 16 and 24 px",
        "gaps 8 / 16 / 24",
        "p.lead fails AA with 2.1:1",
        "raise p.lead from 2.1:1 to 4.5:1",
        "CTA fill 3.4:1",
        "H1 48px over body 16 px",
        "type sizes 16, 48 and 16 px",
        "H1 48px on desktop",
        "Kontrast des CTA 5,2:1",
        "H1 hat 48 Pixel",
        "Abstände 8, 16 und 24 px",
        "body 1rem",
    ] {
        let found = figures(note);
        assert!(
            !found.is_empty() && found.iter().all(|one| *one == ClaimVerdict::Consistent),
            "{note}: {found:?}"
        );
    }
}

#[test]
fn a_figure_is_contradicted_when_it_can_only_be_meant_so_and_is_another() {
    for note in [
        "CTA 7.9:1",
        "the CTA (8.1:1)",
        "p.lead is 3.9:1",
        "Contrast of p.lead: 3.9:1",
        "H1 64px",
        "H1 is 64 pixels",
        "H1 4rem",
        "gaps 12, 16 and 24 px under h1",
        "64px H1",
        "3.9:1 on p.lead",
        "CTA 9:1",
        "p.lead ~3.9:1",
        "Der Kontrast des CTA ist 7,9:1",
        "H1 hat 64 Pixel",
        "Abstände 12, 16 und 24 px",
        "h1 reads 12.8:1",
        "CTA text is 19px",
    ] {
        assert_eq!(figures(note), [ClaimVerdict::Contradicted], "{note}");
    }
    assert_eq!(figures("H1 64px over body 16 px"), [ClaimVerdict::Contradicted, ClaimVerdict::Consistent]);
    assert_eq!(figures("H1 48px over body 19 px"), [ClaimVerdict::Consistent, ClaimVerdict::Contradicted]);
}

#[test]
fn a_figure_is_unverifiable_when_nothing_says_what_it_is_about_or_it_was_not_measured() {
    for note in [
        "H3 18px",
        "the tagline is 19px",
        "64px",
        "badge on the CTA 3.9:1",
        "secondary CTA 3.9:1",
        "divider 1.2:1",
        "hover 3.1:1",
        "dark mode 3.9:1",
        "H1 32px on mobile",
        "On mobile, the H1 is 32px",
        "something 1.2:1",
        "footer 3.2:1",
        "links 3.2:1",
        ".nothing 3.9:1",
        "CTA border 1.4:1",
        "focus ring 5.1:1",
        "headline 60px",
        "H1 and H2 64px",
        "p.lead raised from 1.5:1 to 5.9:1",
        "type sizes 12, 14 and 20 px",
        "CTA background 8.1:1",
        "H1 should be larger (40px)",
        "mobil H1 32px",
        "H1 4:1 to body",
        "H1 at 64px would be stronger",
        "CTA 48px",
        "a.go 44px",
        "body text on white 9.9:1",
        "buttons are 44px",
        "CTA against white 1.8:1",
        "body background 1.2:1",
    ] {
        let found = figures(note);
        assert!(
            !found.is_empty() && found.iter().all(|one| *one == ClaimVerdict::Unverifiable),
            "{note}: {found:?}"
        );
    }
}

#[test]
fn what_should_be_and_what_is_something_else_is_no_claim() {
    for note in [
        "p.lead fails 4.5:1",
        "CTA vs 4.5:1",
        "H1 should be 18px",
        "Make the H1 40px",
        "Body line-height is 24px",
        "h1 margin-bottom 24px",
        "button min-height 44px",
        "At 360px the H1 overflows",
        "hero image 2:1",
        "type scale 1.5:1",
        "aspect ratio 16:9",
        "needs 4.5:1",
        "Der CTA braucht 4,5:1",
        "H1 auf 40px setzen",
        "CTA at least 7:1",
        "H1 was 64px",
        "the H1 is not 64px",
        "CTA below 4.5:1",
        "Zeilenhöhe des body 24px",
        "24px under the h1",
        "the H1 has 24px padding",
        "body text meets 4.5:1",
        "WCAG 1.4.3",
        "body is 4.5:1+",
        "The H1 sits 64px below",
        "H1 with 64px of air",
        "H1 is 64px wide",
        "spacing tokens 4/8/12",
    ] {
        assert_eq!(figures(note), [], "{note}");
    }
}

#[test]
fn figures_of_a_page_that_was_half_seen_are_unverifiable() {
    let said = evidence(
        "partial",
        "<PANELIST role=\"critic\" score=\"9\"><MUST_FIX>CTA 3.9:1</MUST_FIX></PANELIST>",
    );
    let claim = said.iter().find(|item| item.kind == EvidenceKind::Claim).unwrap();
    assert_eq!(
        (claim.standing, claim.measured.as_str()),
        (ClaimVerdict::Unverifiable, "styles outside the page")
    );
}

#[test]
fn notes_do_not_crowd_out_the_figures_of_must_fixes() {
    let notes = "<DIM name=\"taste\" score=\"9\">H1 48px. H1 48px. H1 48px. H1 48px. H1 48px. H1 48px.</DIM>"
        .repeat(2);
    let said = evidence(
        "poor",
        &format!(
            "<PANELIST role=\"critic\" score=\"9\">{notes}<MUST_FIX>p.lead is 3.9:1</MUST_FIX></PANELIST>"
        ),
    );
    let claims: Vec<&Evidence> = said.iter().filter(|item| item.kind == EvidenceKind::Claim).collect();
    assert_eq!(claims.len(), 8);
    let asked = claims.iter().find(|item| item.finding.is_some()).expect("it is checked");
    assert_eq!(asked.standing, ClaimVerdict::Contradicted);
}

#[test]
fn the_fill_of_an_action_has_the_bound_of_what_is_not_text() {
    let said = evidence(
        "poor",
        "<PANELIST role=\"critic\" score=\"9\"><NOTES>CTA fill 3.4:1. CTA 5.2:1.</NOTES></PANELIST>",
    );
    let bounds: Vec<Option<&str>> = said
        .iter()
        .filter(|item| item.kind == EvidenceKind::Claim)
        .map(|item| item.bound.as_deref())
        .collect();
    assert_eq!(bounds, [Some("3:1"), Some("4.5:1")]);
}
