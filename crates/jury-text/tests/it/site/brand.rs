//! Every brand can be read, whoever asked for which colours, and says what it did not keep.

use jury_core::content::brand::{Colors, SiteBrand, Theme, Typography};
use jury_text::site::{check, check_against, contrasts, design_brand};
use proptest::prelude::*;

use super::{dark, light};

fn holds(brand: &SiteBrand) -> Result<(), TestCaseError> {
    for contrast in contrasts(brand) {
        prop_assert!(contrast.ratio >= contrast.needed, "{contrast:?} in {brand:?}");
    }
    let (again, notes) = check(brand);
    prop_assert_eq!(&again, brand, "a brand that was solved stays as it is");
    prop_assert_eq!(notes, vec![]);
    Ok(())
}

fn colour() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (any::<u8>(), any::<u8>(), any::<u8>()).prop_map(|(r, g, b)| format!("#{r:02x}{g:02x}{b:02x}")),
        1 => Just("#777777".to_owned()),
        1 => Just("tomato".to_owned()),
        1 => "[ -~]{0,12}",
    ]
}

proptest! {
    #[test]
    fn every_hue_can_be_read(seed in "[a-z0-9-]{1,16}") {
        let (brand, notes) = design_brand(None, &seed);
        prop_assert_eq!(notes, vec![], "nobody asked for anything");
        holds(&brand)?;
    }

    #[test]
    fn any_colours_of_a_document_can_be_read(
        background in colour(), text in colour(), primary in colour(), accent in colour(), muted in colour(),
        border in colour(), card in colour(), tint in colour(), theme in prop_oneof![Just("dark"), Just("light")],
    ) {
        let document = format!(
            "A {theme} theme.\n\n- Background {background}\n- Text: {text}\n- Primary `{primary}`\n- accent {accent}\n\
             - Muted {muted}\n- Border {border}\n- Card {card}\n- Tint {tint}\n",
        );
        let (brand, _) = design_brand(Some(&document), "seed");
        holds(&brand)?;
    }

    #[test]
    fn any_brand_of_a_model_is_put_right(
        colours in prop::collection::vec(colour(), 9), font in "[ -~]{0,40}", radius in any::<u8>(), night in any::<bool>(),
    ) {
        let [a, b, c, d, e, f, g, h, i]: [String; 9] = colours.try_into().expect("nine");
        let brand = SiteBrand {
            theme: if night { Theme::Dark } else { Theme::Light },
            colors: Colors {
                primary: a, primary_light: b, background: c, background_elevated: d, text_primary: e,
                text_secondary: f, text_muted: g, accent: h, border: i,
            },
            typography: Typography { heading_font: font.clone(), body_font: font.clone(), mono_font: font },
            radius,
        };
        let (checked, _) = check(&brand);
        holds(&checked)?;
        for stack in [&checked.typography.heading_font, &checked.typography.body_font, &checked.typography.mono_font] {
            prop_assert!(!stack.contains([';', '{', '}', '<', '(', '\\', '/']), "{stack}");
            prop_assert!(["serif", "monospace", "system-ui"].iter().any(|end| stack.ends_with(end)), "{stack}");
        }
    }

    #[test]
    fn any_text_is_a_design_document(document in any::<String>()) {
        holds(&design_brand(Some(&document), "seed").0)?;
    }
}

#[test]
fn what_a_document_says_is_kept_where_it_can_be_read() {
    let brand = light();
    assert_eq!(brand.theme, Theme::Light);
    assert_eq!(brand.colors.primary, "#0b6e4f");
    assert_eq!(brand.colors.background, "#fffdf8");
    assert_eq!(brand.colors.text_primary, "#1d2a26");
    assert_eq!(brand.colors.accent, "#d1495b");
    assert!(brand.typography.heading_font.starts_with("\"Fraunces\", "), "{brand:?}");
    assert!(brand.typography.heading_font.ends_with("serif"));
    assert_eq!(brand.radius, 10);
}

#[test]
fn what_could_not_be_kept_is_said() {
    let brand = dark();
    assert_eq!(brand.theme, Theme::Dark);
    assert_eq!(brand.colors.background, "#14110f");
    let (_, notes) = design_brand(Some(include_str!("../../sites/dark.design.md")), "nachtlicht");
    let said: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("textMuted: #6b6258 became #"), "{said:?}");
    assert!(said[0].ends_with("text needs a contrast of 4.5 on every ground"), "{said:?}");
}

#[test]
fn the_same_seed_gives_the_same_look_and_another_another() {
    assert_eq!(design_brand(None, "acme"), design_brand(None, "acme"));
    assert_ne!(design_brand(None, "acme").0.colors, design_brand(None, "zebra").0.colors);
}

#[test]
fn a_brand_has_no_place_for_copy() {
    let with_copy = r##"{"theme":"light","colors":{"primary":"#000000","primaryLight":"#ffffff","background":"#ffffff","backgroundElevated":"#ffffff","textPrimary":"#000000","textSecondary":"#000000","textMuted":"#000000","accent":"#000000","border":"#000000"},"typography":{"headingFont":"serif","bodyFont":"serif","monoFont":"monospace"},"radius":4,"tagline":"Buy now"}"##;
    assert!(serde_json::from_str::<SiteBrand>(with_copy).is_err());
}

#[test]
fn a_document_holds_against_a_look_that_somebody_else_made() {
    let (model, _) = design_brand(None, "zebra");
    let design = include_str!("../../sites/light.design.md");
    let (brand, notes) = check_against(&model, Some(design));
    assert_eq!(brand.colors.primary, "#0b6e4f");
    assert_eq!(brand.colors.accent, "#d1495b");
    assert!(brand.typography.heading_font.starts_with("\"Fraunces\", "), "{brand:?}");
    assert_eq!(brand.radius, 10);
    assert!(notes.iter().any(|note| note.about == "accent" && note.why == "the design document says so"));
    // Where it says nothing, and where there is none, the look stays.
    assert_eq!(check_against(&model, None), (model.clone(), Vec::new()));
    assert_eq!(check_against(&light(), Some(design)), (light(), Vec::new()));
}
