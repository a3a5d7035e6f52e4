//! The brand: which source is used, and what a page that departs from it is told.

use jury_core::severity::Severity;
use jury_eye::Beside;
use jury_house::{Report, report};
use jury_text::brand::{BrandReport, beside_design};

const FRONT: &str = "---\nname: Acme\ndescription: Bold: and kind\ncolors:\n  bg: \"#fffaf0\"\n  ink: \"#101820\"\n  accent: \"#e4572e\"\ntypography:\n  body:\n    fontFamily: \"Inter, sans-serif\"\n    fontSize: 16px\n  h1:\n    fontSize: 40px\n  h2:\n    fontSize: 24px\nrounded:\n  sm: 4px\nspacing:\n  sm: 8px\n  md: 16px\n  lg: 32px\n---\n# Acme\n\n## Don'ts\n- Never use `#123456`\n";

const TOKENS: &str = ":root { --bg: #fffaf0; --fg: #101820; --accent: #00f0f0; --muted: #556; --font-body: \"Bangers\", serif; }";

fn page(style: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>Bread</title><style>body{{margin:0;font:16px/1.5 Inter;color:#101820;background:#fffaf0}}h1{{font-size:40px;margin:16px 0}}{style}</style></head>\
         <body><main><h1>Bread for the street</h1><p>We bake at night so that the street has bread in the morning.</p>{body}</main></body></html>"
    )
}

fn brand(design: &str, beside: &Beside, page: &str) -> Option<BrandReport> {
    jury_text::brand::brand(design, |name| beside.get(name), page)
}

fn looked(page: &str, design: &str) -> Report {
    report(page, Some(design), &Beside::nothing()).expect("it can be measured")
}

fn score(report: &Report, check: &str) -> Option<f64> {
    report
        .checks
        .iter()
        .find(|known| known.id == check)
        .expect("there is such a check")
        .score
        .map(|span| span.low)
}

fn told<'a>(report: &'a Report, check: &str) -> Vec<(&'a str, Severity)> {
    let own = report.findings.iter().filter(|found| found.check == check);
    own.map(|found| (found.what.as_str(), found.severity)).collect()
}

#[test]
fn a_page_of_the_brand_keeps_to_it() {
    let report = looked(&page("", ""), FRONT);
    for check in ["brand/colour", "brand/font", "brand/scale"] {
        assert_eq!(score(&report, check), Some(10.0), "{check}: {:?}", report.findings);
    }
    let read = report.brand.expect("a brand");
    assert_eq!(read.source, "the front matter of DESIGN.md");
    assert_eq!(read.roles.get("accent").map(String::as_str), Some("#e4572e"));
}

#[test]
fn without_a_design_nothing_is_said_about_the_brand() {
    let report = report(&page("", ""), None, &Beside::nothing()).expect("it can be measured");
    assert!(
        report
            .checks
            .iter()
            .filter(|check| check.id.starts_with("brand/"))
            .all(|check| check.score.is_none())
    );
    assert!(report.seats.iter().find(|seat| seat.role == "brand").is_some_and(|seat| seat.score.is_none()));
}

#[test]
fn colours_off_the_brand_are_told_with_the_nearest_token() {
    let report = looked(&page("body{color:#0000aa;background:#eeffee}", ""), FRONT);
    let told = told(&report, "brand/colour");
    assert!(
        told.iter().any(|(what, severity)| *severity == Severity::Serious
            && what.contains("#eeffee")
            && what.contains("from the nearest token #fffaf0 (bg)")),
        "{told:?}"
    );
    assert!(score(&report, "brand/colour").is_some_and(|score| score < 2.0));
    // A word of another colour is a small departure and no must-fix.
    let report = looked(&page("", "<p><b style='color:#0000aa'>One word</b></p>"), FRONT);
    assert!(told_of(&report, "brand/colour").iter().all(|severity| *severity == Severity::Minor));
    assert!(score(&report, "brand/colour").is_some_and(|score| (8.0..10.0).contains(&score)));
}

fn told_of(report: &Report, check: &str) -> Vec<Severity> {
    told(report, check).into_iter().map(|(_, severity)| severity).collect()
}

#[test]
fn an_opacity_over_a_token_is_the_brand() {
    let body = "<p style='color:rgba(16,24,32,.6)'>Quiet words of the brand</p><p style='opacity:.7;background:rgba(228,87,46,.1)'>And a tint of it</p>";
    assert_eq!(score(&looked(&page("", body), FRONT), "brand/colour"), Some(10.0));
}

#[test]
fn what_is_only_described_proves_a_fault_where_hardly_any_of_it_is_kept() {
    let two = "## Color\n- **Background:** `#fffaf0`\n- **Text:** `#101820`\n";
    let three = format!("{two}- **Accent:** `#e4572e`\n");
    let severities = |rules: &str, prose: &str| told_of(&looked(&page(rules, ""), prose), "brand/colour");
    let foreign = "body{color:#0000aa;background:#eeffee}";
    // Two colours are a mood and no palette.
    assert_eq!(severities(foreign, two).into_iter().max(), Some(Severity::Moderate));
    assert_eq!(severities(foreign, &three).into_iter().max(), Some(Severity::Serious));
    // Half of it kept is a departure, and the same brand.
    let half = severities("body{color:#0000aa;background:#fffaf0}", &three);
    assert!(half.iter().all(|severity| *severity < Severity::Serious), "{half:?}");
}

#[test]
fn families_are_those_of_the_brand() {
    let report = looked(&page("p{font-family:Comic Neue, Inter}", ""), FRONT);
    let told = told(&report, "brand/font");
    assert!(
        told.iter().any(|(what, severity)| *severity == Severity::Serious && what.contains("Comic Neue")),
        "{told:?}"
    );
    assert_eq!(
        score(&looked(&page("p{font-family:\"Inter Variable\"}", ""), FRONT), "brand/font"),
        Some(10.0)
    );
    assert!(
        score(&looked(&page("p{font-family:sans-serif}", ""), FRONT), "brand/font")
            .is_some_and(|score| score < 10.0)
    );
}

#[test]
fn steps_of_the_scale_are_kept() {
    let report = looked(&page("p{font-size:17px;padding:13px;border-radius:7px}", ""), FRONT);
    let told = told(&report, "brand/scale");
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.iter().all(|(_, severity)| *severity == Severity::Minor));
}

#[test]
fn the_accent_stays_an_accent_and_forbidden_colours_stay_away() {
    let few =
        page("", "<p><a href=/x style='background:#e4572e;color:#101820;padding:8px'>To the shop</a></p>");
    assert!(told(&looked(&few, FRONT), "brand/accent").is_empty());
    let much = page("main{background:#e4572e;min-height:700px}", "");
    let report = looked(&much, FRONT);
    assert!(
        told(&report, "brand/accent").iter().any(|(what, _)| what.contains("needs at most 10 %")),
        "{:?}",
        report.checks
    );
    let banned = page("", "<p style='color:#123456'>What must not be</p>");
    let report = looked(&banned, FRONT);
    assert!(
        told(&report, "brand/accent")
            .iter()
            .any(|(what, _)| what.starts_with("#123456 is ruled out by DESIGN.md"))
    );
}

#[test]
fn colours_are_taken_from_properties() {
    let written = page(":root{--ink:#101820}h2{color:#101820}h3{color:#101820}", "");
    let report = looked(&written, FRONT);
    let told = told(&report, "brand/tokens");
    assert!(told.iter().any(|(what, _)| what.contains("needs var(--ink)")), "{told:?}");
    let taken = page(":root{--ink:#123}h2{color:var(--ink)}", "");
    assert_eq!(score(&looked(&taken, FRONT), "brand/tokens"), Some(10.0));
}

#[test]
fn sources_have_an_order_and_contradictions_are_told() {
    let prose = "## Color\n- **Background:** `#fffaf0`\n- **Text:** `#101820`\n- **Accent:** `#e4572e`\n## Typography\n- **Families:** primary=Inter\n";
    let mut beside = Beside::nothing();
    beside.insert(beside_design("tokens.css"), TOKENS.as_bytes().to_vec());
    // The page does not know the tokens: the text is used.
    let read = brand(prose, &beside, &page("", "")).expect("a brand");
    assert_eq!(read.source, "the prose of DESIGN.md");
    assert_eq!(
        read.drift,
        [
            "accent #00f0f0 of tokens.css is nowhere in the prose of DESIGN.md, which has #e4572e",
            "fonts: tokens.css has Bangers, the prose of DESIGN.md has Inter"
        ]
    );
    // It takes its properties from them: they are used.
    let embedding = page(":root{--bg:#fffaf0;--fg:#101820;--accent:#00f0f0;--own:#000}", "");
    assert_eq!(brand(prose, &beside, &embedding).expect("a brand").source, "tokens.css");
    beside.insert(
        "design-tokens.json",
        br##"{"color":{"$type":"color","accent":{"$value":"#e4572e"}}}"##.to_vec(),
    );
    assert_eq!(brand(prose, &beside, &page("", "")).expect("a brand").source, "design-tokens.json");
    assert_eq!(brand(FRONT, &beside, &embedding).expect("a brand").source, "the front matter of DESIGN.md");
    let report = report(&embedding, Some(FRONT), &beside).expect("it can be measured");
    assert!(told_of(&report, "brand/source-drift").contains(&Severity::Minor));
    // Who follows a source that another contradicts is not failed for it.
    assert!(told_of(&report, "brand/font").iter().all(|severity| *severity < Severity::Serious));
}
