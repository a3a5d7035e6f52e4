//! Figures that a panelist names, beside a page that was measured: what is confirmed, what is contradicted, and what nobody
//! can tell. What reads them out of prose is a small language of this file, so that every kind of claim can be made.

use jury_core::artifact::Digest;
use jury_core::event::TheaterEvent;
use jury_core::evidence::{ClaimVerdict, Evidence, EvidenceKind, EvidenceMode, Measurement, TextMeasure};
use jury_core::settings::CritiqueConfig;
use jury_core::theater::{
    ClaimFigure, ClaimFill, ClaimReader, Opening, PanelClaim, Plan, RunBudget, TheaterInput, Witness,
};

use super::stage::{Stage, page};

/// `ratio=3.4 about=cta,button fill=named rough soft`: a figure, what it is about, and how it is meant.
fn claims(text: &str, _dimension: Option<&str>) -> Vec<PanelClaim> {
    let mut claim = PanelClaim {
        figure: ClaimFigure::Several(Vec::new()),
        exact: true,
        about: Vec::new(),
        firm: true,
        fill: ClaimFill::No,
        unusable: None,
        said: text.to_owned(),
    };
    let mut found = false;
    for word in text.split(' ') {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let numbers = || value.split(',').map(|number| number.parse().unwrap()).collect::<Vec<f64>>();
        let figure = match name {
            "ratio" => Some(ClaimFigure::Ratio(numbers()[0])),
            "size" => Some(ClaimFigure::Size(numbers()[0])),
            "roots" => Some(ClaimFigure::Roots(numbers()[0])),
            "several" => Some(ClaimFigure::Several(numbers())),
            "distances" => Some(ClaimFigure::Distances(numbers())),
            _ => None,
        };
        found |= figure.is_some();
        claim.figure = figure.unwrap_or(claim.figure);
        match word {
            "rough" => claim.exact = false,
            "soft" => claim.firm = false,
            "fill=named" => claim.fill = ClaimFill::Named,
            _ if name == "about" => claim.about = value.split(',').map(str::to_owned).collect(),
            _ => {}
        }
    }
    if found { vec![claim] } else { Vec::new() }
}

fn text(tag: &str, selector: &str, ratio: f64, size: f64) -> TextMeasure {
    TextMeasure {
        tag: tag.to_owned(),
        selector: selector.to_owned(),
        ratio: Some(ratio),
        required: 4.5,
        size,
        is_action: tag == "a",
        line: None,
    }
}

fn measured() -> Measurement {
    Measurement {
        texts: vec![
            text("p", "p.lead.big", 2.1, 16.0),
            text("h1", "h1", 12.0, 48.0),
            text("a", "a.go", 5.2, 16.0),
            text("button", "button", 4.0, 14.0),
            text("label", "label#mail", 6.0, 12.0),
        ],
        action_fill: Some(3.4),
        distances: vec![16.0, 8.0, 24.0],
        ..Measurement::default()
    }
}

/// What is said of a page that measures so, when the critic writes this.
fn evidence(measurement: Measurement, words: &str) -> Vec<Evidence> {
    let config = CritiqueConfig { evidence: EvidenceMode::Warn, ..CritiqueConfig::default() };
    let mut stage = Stage::new(config).by(Plan {
        opening: Opening::Panel,
        generates: false,
        witness: Witness::Driver(ClaimReader(claims)),
        given: None,
        budget: RunBudget::default(),
    });
    stage.play("start\n run\n round 1\n designer A");
    stage.play(&format!("<PANELIST role=\"critic\" score=\"9\">{words}</PANELIST>"));
    let digest = Digest::of(page("A").as_bytes());
    stage.handle(TheaterInput::Measured { digest, result: Box::new(Ok(measurement)) });
    stage.play("end 1\n interrupt");
    let items = stage
        .events()
        .filter_map(|event| if let TheaterEvent::Evidence(item) = event { Some(item.clone()) } else { None });
    items.collect()
}

/// How one claim stands, and where it was looked at.
fn standing(measurement: Measurement, claim: &str) -> Option<(ClaimVerdict, Option<String>)> {
    let said = evidence(measurement, &format!("<MUST_FIX>{claim}</MUST_FIX>"));
    let item = said.into_iter().find(|item| item.kind == EvidenceKind::Claim)?;
    Some((item.standing, item.place))
}

/// Why nobody can tell.
fn why(measurement: Measurement, claim: &str) -> String {
    let said = evidence(measurement, &format!("<MUST_FIX>{claim}</MUST_FIX>"));
    let item = said.into_iter().find(|item| item.kind == EvidenceKind::Claim).unwrap();
    assert_eq!(item.standing, ClaimVerdict::Unverifiable, "{claim}");
    item.measured
}

const NOTHING_NAMED: &str = "nothing on the page says what this is about";
const NOT_CERTAIN: &str = "it is not certain what on the page this is about";

#[test]
fn a_claim_that_names_its_element_is_held_against_that_element() {
    for (claim, verdict, place) in [
        ("ratio=4.0 about=button", ClaimVerdict::Consistent, "button"),
        ("ratio=9.0 about=button", ClaimVerdict::Contradicted, "button"),
        ("ratio=5.2 about=cta", ClaimVerdict::Consistent, "a.go"),
        ("ratio=6.0 about=label", ClaimVerdict::Consistent, "label#mail"),
        ("ratio=9.0 about=#mail", ClaimVerdict::Contradicted, "label#mail"),
        ("ratio=2.1 about=p.big", ClaimVerdict::Consistent, "p.lead.big"),
        ("size=48 about=h1", ClaimVerdict::Consistent, "h1"),
        ("size=50 about=h1", ClaimVerdict::Contradicted, "h1"),
        ("size=50 about=h1 rough", ClaimVerdict::Consistent, "h1"),
        ("size=60 about=h1 rough", ClaimVerdict::Contradicted, "h1"),
        ("roots=3 about=h1", ClaimVerdict::Consistent, "h1"),
    ] {
        assert_eq!(standing(measured(), claim), Some((verdict, Some(place.to_owned()))), "{claim}");
    }
    let small = Measurement { root: Some(10.0), ..measured() };
    let contradicted = (ClaimVerdict::Contradicted, Some("h1".to_owned()));
    assert_eq!(standing(small, "roots=3 about=h1"), Some(contradicted));
}

#[test]
fn the_ratio_of_an_action_may_be_that_of_its_fill_and_is_not_called_false() {
    let said = evidence(measured(), "<MUST_FIX>ratio=3.4 about=cta</MUST_FIX>");
    let item = said.iter().find(|item| item.kind == EvidenceKind::Claim).unwrap();
    assert_eq!((item.standing, item.bound.as_deref()), (ClaimVerdict::Consistent, Some("3:1")));
    // Of what is no action there is no fill.
    let of_text = standing(measured(), "ratio=3.4 about=h1");
    assert_eq!(of_text, Some((ClaimVerdict::Contradicted, Some("h1".to_owned()))));
    assert_eq!(why(measured(), "ratio=9.0 about=cta fill=named"), NOT_CERTAIN);
}

#[test]
fn a_claim_about_nothing_or_about_what_may_be_something_else_is_not_called_false() {
    assert_eq!(why(measured(), "ratio=9.0"), NOTHING_NAMED);
    assert_eq!(why(measured(), "size=99"), NOTHING_NAMED);
    for claim in
        ["ratio=9.0 about=links", "ratio=9.0 about=h1 soft", "size=99 about=links", "size=99 about=text"]
    {
        assert_eq!(why(measured(), claim), NOT_CERTAIN, "{claim}");
    }
}

#[test]
fn a_claim_about_any_text_is_false_only_below_all_that_was_seen() {
    let below = "ratio=1.2 about=text";
    let lowest = Some("p.lead.big".to_owned());
    assert_eq!(standing(measured(), below), Some((ClaimVerdict::Contradicted, lowest)));
    assert_eq!(why(Measurement { cut: true, ..measured() }, below), NOTHING_NAMED);
    assert_eq!(why(measured(), "ratio=9.0 about=text"), NOTHING_NAMED);
}

#[test]
fn distances_are_false_only_when_they_are_meant_exactly_and_all_were_seen() {
    let verdict = |measurement, claim: &str| standing(measurement, claim).map(|(verdict, _)| verdict);
    assert_eq!(verdict(measured(), "distances=8,16"), Some(ClaimVerdict::Consistent));
    assert_eq!(verdict(measured(), "distances=8,12"), Some(ClaimVerdict::Contradicted));
    assert_eq!(why(measured(), "distances=8,12 soft"), NOT_CERTAIN);
    assert_eq!(why(measured(), "distances=8,12 rough"), NOT_CERTAIN);
    assert_eq!(why(Measurement { cut: true, ..measured() }, "distances=8,12"), NOT_CERTAIN);
    let bare = Measurement { distances: Vec::new(), ..measured() };
    assert_eq!(why(bare, "distances=8"), "the page has no distances");
}

#[test]
fn numbers_of_nothing_and_dimensions_without_a_score_are_not_held_against_anything() {
    assert_eq!(standing(measured(), "several=1,2"), None);
    let said = evidence(measured(), "<DIM name=\"taste\">Good.</DIM>");
    assert_eq!(said.iter().filter(|item| item.dimension.is_some()).count(), 0);
    let said = evidence(measured(), "<DIM name=\"taste\" score=\"9\">Good.</DIM>");
    assert_eq!(said.iter().filter(|item| item.dimension.is_some()).count(), 1);
}
