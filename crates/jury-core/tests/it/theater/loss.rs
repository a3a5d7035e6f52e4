//! A page was handed in, and drafts are compared with it.

use jury_core::evidence::EvidenceMode;
use jury_core::settings::CritiqueConfig;

use super::stage::gist;

/// A round that clears the bar by the panel's word. `who` measures, and the draft measures so.
fn played(evidence: EvidenceMode, who: &str, how: &str) -> String {
    let script = format!(
        "{who}\n given P\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n measured A {how}\n \
         close\n linted\n exit 0"
    );
    gist(CritiqueConfig { evidence, ..CritiqueConfig::default() }, &script)
}

fn says(gist: &str, words: &[&str]) -> bool {
    words.iter().all(|words| gist.contains(words))
}

#[test]
fn another_page_is_an_open_must_fix_in_every_mode() {
    for (evidence, who) in
        [(EvidenceMode::Off, "given P"), (EvidenceMode::Warn, "house"), (EvidenceMode::Gate, "witness")]
    {
        let gist = played(evidence, who, "replaced");
        assert!(says(&gist, &["user/replaced", "must-fix 1 continue"]), "{evidence}\n{gist}");
        assert!(!gist.contains("ship Shipped"), "{evidence}\n{gist}");
    }
}

#[test]
fn a_loss_is_an_open_must_fix_at_the_gate_also_of_the_house() {
    for who in ["house", "witness"] {
        let gist = played(EvidenceMode::Gate, who, "lossy");
        assert!(
            says(&gist, &["user/lost-links", "must-fix 1 continue", "not kept of the given page"]),
            "{gist}"
        );
        assert!(!gist.contains("ship Shipped"), "{gist}");
    }
}

#[test]
fn a_loss_is_said_by_a_warning_and_nothing_is_said_of_it_when_it_is_off() {
    let warned = played(EvidenceMode::Warn, "house", "lossy");
    assert!(says(&warned, &["user/lost-links", "must-fix 0 ship", "ship Shipped"]), "{warned}");
    let off = played(EvidenceMode::Off, "given P", "lossy");
    assert!(off.contains("ship Shipped") && !off.contains("user/"), "{off}");
}

#[test]
fn the_page_itself_is_not_compared() {
    let same = "house\n given A\n start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n close\n linted\n exit 0";
    let gist = gist(CritiqueConfig { evidence: EvidenceMode::Gate, ..CritiqueConfig::default() }, same);
    assert!(gist.contains("ship Shipped") && !gist.contains("-> measure"), "{gist}");
}

#[test]
fn a_comparison_that_failed_passes_no_gate() {
    let gist = played(EvidenceMode::Gate, "house", "broken");
    assert!(
        gist.contains("was not compared with the given page") && !gist.contains("ship Shipped"),
        "{gist}"
    );
}
