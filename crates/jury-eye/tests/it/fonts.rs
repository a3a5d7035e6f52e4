//! Text takes the room that the usual faces give it.

use std::io::Write as _;

use jury_eye::Rect;

use crate::{by_id, see};

/// The box of a line of text in a style.
fn line(style: &str, text: &str) -> Rect {
    let snapshot =
        see(&format!("<p id=a style=\"margin:0;font-size:100px;white-space:nowrap;{style}\">{text}</p>"));
    *by_id(&snapshot, "a").lines.first().expect("a line")
}

#[test]
fn widths_are_those_of_the_usual_faces() {
    // In Arial, Times and Courier of one unit, "Hamburg" is so wide.
    let width = |style: &str| line(style, "Hamburg").width / 100.0;
    let near = |width: f32, expected: f32| (width - expected).abs() < 0.01;
    assert!(near(width("font-family:Arial"), 4.112), "{}", width("font-family:Arial"));
    assert!(
        near(width("font-family:Helvetica;font-weight:700"), 4.389),
        "{}",
        width("font-family:Helvetica;font-weight:700")
    );
    assert!(near(width("font-family:serif"), 3.777), "{}", width("font-family:serif"));
    assert!(
        near(width("font-family:'Courier New',serif"), 4.2),
        "{}",
        width("font-family:'Courier New',serif")
    );
}

#[test]
fn names_lead_to_the_right_face() {
    let width = |style: &str| line(style, "Hamburg").width;
    let [sans, serif, mono] =
        ["sans-serif", "serif", "monospace"].map(|name| width(&format!("font-family:{name}")));
    for (families, expected) in [
        ("Nowhere, sans-serif", sans),
        ("Nowhere, monospace", mono),
        ("Nowhere", serif),
        ("system-ui", sans),
        ("-apple-system, serif", sans),
        ("Georgia", serif),
        ("ui-monospace", mono),
    ] {
        let width = width(&format!("font-family:{families}"));
        assert!((width - expected).abs() < 0.01, "{families}: {width}");
    }
    let weight = |weight: u32| width(&format!("font-family:Arial;font-weight:{weight}"));
    assert_eq!((weight(500), weight(600)), (weight(400), weight(700)));
    assert!(weight(700) > weight(400));
}

#[test]
fn heights_are_those_of_the_usual_faces() {
    let near = |height: f32, expected: f32| (height - expected).abs() < 1.5;
    let height = |family: &str| line(&format!("font-family:{family}"), "x").height;
    assert!(near(height("Arial"), 111.7), "{}", height("Arial"));
    assert!(near(height("Times"), 110.7), "{}", height("Times"));
    assert!(near(height("Courier"), 113.3), "{}", height("Courier"));
}

#[test]
fn what_the_faces_lack_is_as_wide_as_it_is_high() {
    let width = line("font-family:sans-serif", "\u{6f22}\u{5b57}").width;
    assert!((width - 200.0).abs() < 2.0, "{width}");
}

#[test]
fn the_fonts_of_the_machine_do_not_matter() {
    const CHILD: &str = "JURY_EYE_TEST_CHILD";
    const PAGE: &str = "<p style='font-family:Inter,DejaVu Sans,serif;width:200px'>Words that wrap, \u{6f22}\u{5b57} too.</p>\
                        <code>x = 1</code><h1 style='font-family:Georgia'>One</h1>";
    if std::env::var_os(CHILD).is_some() {
        let seen = serde_json::to_string(&see(PAGE)).expect("it can be written");
        writeln!(std::io::stdout(), "seen: {seen}").expect("somebody listens");
        return;
    }
    let nowhere = std::env::temp_dir().join("no-fonts-here");
    let look = |without: bool| {
        let mut child = std::process::Command::new(std::env::current_exe().expect("this program"));
        child
            .args(["--exact", "fonts::the_fonts_of_the_machine_do_not_matter", "--nocapture"])
            .env(CHILD, "1");
        if without {
            for name in ["FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_DATA_HOME", "XDG_DATA_DIRS", "HOME"] {
                child.env(name, &nowhere);
            }
        }
        let output = String::from_utf8(child.output().expect("it runs").stdout).expect("text");
        output.lines().find(|line| line.contains("seen: ")).map(str::to_owned)
    };
    let with_fonts = look(false);
    assert!(with_fonts.is_some());
    assert!(with_fonts == look(true));
}
