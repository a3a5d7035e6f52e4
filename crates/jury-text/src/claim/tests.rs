//! What is read out of sentences, one by one.

use proptest::prelude::*;

use super::*;

fn figures(text: &str) -> Vec<ClaimFigure> {
    claims(text, None).into_iter().map(|claim| claim.figure).collect()
}

#[test]
fn figures_that_say_how_it_is_are_claims() {
    let ratios = [
        "3.9:1",
        "3.9 : 1",
        "3.9: 1",
        "~3.9:1",
        "≈3.9:1",
        "**3.9:1**",
        "3,9:1",
        "3.9 to 1",
        "contrast of 3.9",
        "contrast ratio: 3.9",
        "(CTA 3.9:1).",
        "(3.9:1),",
        "`3.9:1`",
        "about 3.9:1",
        "\"3.9:1\"",
        "CTA=3.9:1",
        "Kontrast von 3,9:1",
        "Kontrast des CTA nur 3,9 zu 1",
        "call-to-action 3.9:1",
        "<h1> 3.9:1",
        "raise from 3.9:1 to 4.5:1",
        "CTA 3.9:1, needs 4.5:1.",
        "CTA is 3.9:1 vs. 4.5:1",
        "WCAG 1.4.3: CTA 3.9:1",
        "Raise the CTA contrast (3.9:1) to 4.5:1.",
        "p.lead 3.9:1 (AA: 4.5:1)",
        "CTA 3.9:1 (4.5:1 required)",
        "CTA 3.9:1; must reach 4.5:1",
        "CTA 3.9:1 → 4.5:1",
    ];
    for text in ratios {
        assert_eq!(figures(text), [ClaimFigure::Ratio(3.9)], "{text}");
    }
    for text in
        ["H1 64px", "H1 64 px", "H1: 64px", "H1 is 64 pixels", "64px H1", "the H1 at 64px", "H1 hat 64 Pixel"]
    {
        assert_eq!(figures(text), [ClaimFigure::Size(64.0)], "{text}");
    }
    for text in ["H2 1.5rem", "H2 is 1.5 rem", "H2 hat 1,5rem"] {
        assert_eq!(figures(text), [ClaimFigure::Roots(1.5)], "{text}");
    }
    let rows = [
        "gaps 12, 16 and 24 px",
        "gaps 12/16/24",
        "gaps 12 / 16 / 24",
        "12, 16 and 24 px gaps",
        "gaps 12px, 16px, 24px",
        "gaps 12,16,24",
        "gaps 12, 16 and 24 px under h1",
        "Abstände 12, 16 und 24 px",
        "spacing: 12/16/24px",
    ];
    for text in rows {
        assert_eq!(figures(text), [ClaimFigure::Distances(vec![12.0, 16.0, 24.0])], "{text}");
    }
    assert_eq!(figures("type sizes 12, 16 and 24 px"), [ClaimFigure::Sizes(vec![12.0, 16.0, 24.0])]);
    let bare = claims("12 / 16 / 24", Some("rhythm"));
    assert_eq!(
        bare.first().map(|claim| &claim.figure),
        Some(&ClaimFigure::Distances(vec![12.0, 16.0, 24.0]))
    );
    assert_eq!(figures("body 16px/24px line height"), [ClaimFigure::Size(16.0)]);
    assert_eq!(figures("H1 64px over body 16 px"), [ClaimFigure::Size(64.0), ClaimFigure::Size(16.0)]);
}

#[test]
fn demands_and_other_numbers_are_not() {
    let mut wrong = Vec::new();
    for text in [
        "Darken the button to 4.5:1.",
        "below 4.5:1",
        "AA 4.5:1 minimum",
        "p.lead fails 4.5:1",
        "vs 4.5:1",
        "should be 18px",
        "Make the H1 40px",
        "Set the H1 to 40px and body to 18px",
        "needs at least 4.5:1",
        "CTA ≥ 4.5:1",
        "CTA >4.5:1",
        "AA (4.5:1)",
        "WCAG AA of 4.5:1",
        "misses the 4.5:1 bar",
        "must be 7:1",
        "Body line-height is 24px",
        "h1 margin-bottom 24px",
        "button min-height 44px",
        "padding 24px around the card",
        "At 360px the H1 overflows",
        "24px below the h1",
        "a 24px gap under the h1",
        "icon 24px",
        "44px tap target",
        "hero image 2:1",
        "type scale 1.5:1",
        "aspect ratio 16:9",
        "aspect 16:9",
        "video 16:9:1",
        "Rule 3: 1 item",
        "H1 is not 64px",
        "the CTA was 2.1:1",
        "CTA up from 2.1:1",
        "if the CTA were 3.9:1",
        "between 14px and 16px",
        "14–16px body",
        "2.1-3.9:1",
        "1/2/3 of the links",
        "and/or/not",
        "999999999999:1",
        ":1",
        "px",
        "",
        "CTA sollte 4,5:1 haben",
        "H1 auf 40px setzen",
        "mindestens 4,5:1",
        "Zeilenhöhe 24px",
        "letter-spacing 1/2/3px",
        "max-width 720px",
        "WCAG 1.4.3",
        "24x24",
        "H1 and H2 48 and 32 px",
        "50%",
    ] {
        let found = figures(text);
        if !found.is_empty() {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn only_what_cannot_be_meant_otherwise_is_firm() {
    let mut wrong = Vec::new();
    let mut expect = |text: &str, right: bool, found: &[PanelClaim]| {
        if !right {
            wrong.push(format!("{text}: {found:?}"));
        }
    };
    for text in [
        "CTA 3.9:1",
        "the contrast of p.lead is only 3.9:1",
        "H1 64px",
        "3.9:1 on the CTA",
        "The CTA (3.9:1) is weak",
        "body text 3.9:1",
        "Raise the contrast of the CTA (3.9:1)",
        "64px H1",
        "H1 is 64px",
        "text on the CTA is 3.9:1",
        "Kontrast des CTA nur 3,9:1",
        "gaps 12/16/24",
        "CTA is 4.5:1",
        "main CTA 3.9:1",
    ] {
        let found = claims(text, None);
        let right = found.iter().all(|claim| claim.firm && claim.unusable.is_none()) && found.len() == 1;
        expect(text, right, &found);
    }
    for text in [
        "the badge on the CTA 3.9:1",
        "secondary CTA 3.9:1",
        "pricing CTA 3.9:1",
        "H1 4:1 to body",
        "H1 and H2 are 64px",
        "the tagline near the H1 64px",
        "H1 should be larger (40px)",
        "p.lead raised from 2.1:1 to 5.2:1",
        "3.9:1",
        "H1 64px → 48px",
        "Increase the H1, 40px",
        "64px for the hero title",
        "CTA badge: 3.9:1",
    ] {
        let found = claims(text, None);
        expect(text, found.iter().all(|claim| !claim.firm), &found);
    }
    for text in [
        "H1 32px on mobile",
        "On mobile, H1 32px",
        "At 360px the H1 is 32px",
        "CTA hover 3.1:1",
        "hover 3.1:1",
        "dark mode 3.9:1",
        "divider 1.2:1",
        "focus ring 5:1",
        "CTA border 1.4:1",
        "disabled button 2.2:1",
        "H1 32px at 768px",
        "auf dem Handy H1 32px",
        "H1 32px, on phones",
        "the placeholder contrast of 2.4",
    ] {
        let found = claims(text, None);
        let right = found.iter().all(|claim| claim.unusable.is_some()) && !found.is_empty();
        expect(text, right, &found);
    }
    assert_eq!(wrong, [""; 0]);
}

proptest! {
    #[test]
    fn whatever_is_written_is_read_and_repeated_as_it_is(
        text in "([a-zA-Zäß0-9.,:;/()<>#~≈→*_' \n-]{0,4}|CTA|h1|px|rem|:1|3,9| to 1| and |contrast|…|\u{a0}){0,24}",
    ) {
        for claim in claims(&text, Some("rhythm")) {
            prop_assert!(text.contains(&claim.said), "{:?}", claim);
        }
    }
}
