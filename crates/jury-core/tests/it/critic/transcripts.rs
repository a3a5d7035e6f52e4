//! Whole transcripts, and what is wrong with them.

use insta::assert_snapshot;
use jury_core::critic::format::{Rules, ViolationCode, check_transcript, check_with};

use super::stage::{TWO, set};

const GOOD: &str = "=== CRITIC 1 ===
[ALPHA] Right? → 2 of 3
  Verdict: FAIL (mend the third)
[BETA] Right? → 3 of 3
  Verdict: PASS
[ADVERSARIAL] Failure scenario: the disk fills up
  → Realistic? Y → FAIL: 1 of 2 disks is small
=== Result: CONTINUE (2 fixed) ===
=== CRITIC 2 ===
[ALPHA] Right? → 3 of 3
  Verdict: PASS
[BETA] Right? → 2 of 3, the third is for later
  Verdict: DEFER (it needs version 2)
[ADVERSARIAL] Failure scenario: the disk fills up
  → Realistic? N → 0 of 2 disks are small
=== Result: CONTINUE (0 fixed) ===
=== CRITIC 3 ===
[ALPHA] Right? → 3 of 3
  Verdict: PASS
[BETA] Right? → 2 of 3, the third is for later
  Verdict: DEFER (it needs version 2)
[ADVERSARIAL] Failure scenario: the disk fills up
  → Realistic? N → 0 of 2 disks are small
=== Result: CONVERGED (3 passes, 2 fixes, 0 escalations) ===

✓ Critic converged (3 passes, 2 fixes, 0 escalations)
";

#[test]
fn a_transcript_by_the_rules_has_nothing_wrong() {
    assert_eq!(check_transcript(GOOD.as_bytes()), []);
    let two = set(TWO);
    assert_eq!(check_with(GOOD.as_bytes(), Rules { cap: Some(3), set: Some(&two) }), []);
}

/// What is wrong after these replacements.
fn wrong(changes: &[(&str, &str)]) -> String {
    let mut text = GOOD.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let violations = check_transcript(text.as_bytes());
    violations
        .iter()
        .map(|own| format!("{} {}: {}", own.line, own.code, own.message))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn every_breach_is_explained() {
    let breaches: &[&[(&str, &str)]] = &[
        &[("=== CRITIC 2 ===", "=== CRITIC 3 ===")],
        &[("→ 3 of 3\n", "\n")],
        &[("→ 3 of 3\n", "→ compliant, none found\n")],
        &[("FAIL (mend the third)", "FAIL")],
        &[("DEFER (it needs version 2)", "DEFER")],
        &[("  Verdict: PASS\n", "")],
        &[("Verdict: PASS", "Verdict: FINE")],
        &[("Verdict: PASS", "Verdict: ESCALATE")],
        &[("CONTINUE (2 fixed)", "CONTINUE (0 fixed)")],
        &[("CONTINUE (2 fixed)", "CONTINUE (5 fixed)")],
        &[("CONTINUE (2 fixed)", "CONVERGED (1 passes, 0 fixes, 0 escalations)")],
        &[("CONTINUE (2 fixed)", "DONE")],
        &[("=== Result: CONTINUE (2 fixed) ===\n", "")],
        &[("CONTINUE (0 fixed)", "CONVERGED (2 passes, 2 fixes, 0 escalations)")],
        &[("3 passes, 2 fixes", "4 passes, 1 fixes")],
        &[("✓ Critic converged (3 passes", "✓ Critic converged (2 passes")],
        &[(
            "✓ Critic converged (3 passes, 2 fixes, 0 escalations)",
            "⚠ Critic safety cap (3 passes). Review recommended.",
        )],
        &[(
            "[ADVERSARIAL] Failure scenario: the disk fills up\n  → Realistic? Y → FAIL: 1 of 2 disks is small\n",
            "",
        )],
        &[("Y → FAIL: 1 of 2 disks is small", "perhaps")],
        &[("N → 0 of 2 disks are small", "N → disks are large")],
        &[("CONVERGED (3 passes, 2 fixes, 0 escalations)", "CONTINUE (1 fixed)")],
        &[("CONVERGED (3 passes, 2 fixes, 0 escalations)", "SAFETY CAP")],
    ];
    let told: Vec<String> = breaches.iter().map(|changes| wrong(changes)).collect();
    assert_snapshot!(told.join("\n--\n"));
}

#[test]
fn criteria_are_judged_in_every_pass_and_once() {
    let missing = GOOD.replacen(
        "[BETA] Right? → 2 of 3, the third is for later\n  Verdict: DEFER (it needs version 2)\n",
        "",
        2,
    );
    let codes = |text: &str| {
        check_transcript(text.as_bytes()).into_iter().map(|own| (own.line, own.code)).collect::<Vec<_>>()
    };
    assert!(codes(&missing).contains(&(9, ViolationCode::MissingCriterion)));
    let doubled = GOOD.replacen("[BETA]", "[ALPHA]", 1);
    assert!(codes(&doubled).contains(&(4, ViolationCode::DuplicateCriterion)));
    let two = set(TWO);
    let strange = GOOD.replace("[BETA]", "[GAMMA]");
    let told = check_with(strange.as_bytes(), Rules { cap: None, set: Some(&two) });
    assert!(
        told.iter().any(|own| own.code == ViolationCode::UnknownCriterion && own.message.contains("GAMMA"))
    );
    assert!(
        told.iter().any(|own| own.code == ViolationCode::MissingCriterion && own.message.contains("BETA"))
    );
}

#[test]
fn questions_have_their_parts_and_their_count() {
    let asked = "=== CRITIC 1 ===\n[ALPHA] Right? → 2 ways\n  Verdict: ESCALATE\n[ADVERSARIAL] Failure scenario: rain\n  → Realistic? N → 0 of 9 days\n=== Result: ESCALATE (1 items) ===\n=== CRITIC ESCALATION (1) ===\n[ALPHA] Which?\nIssue: two ways\nWhy escalation: taste\nOptions:\n  1. A — b\n     Pro: c  Con: d\n  2. E — f\n     Pro: g  Con: h\n  3. Skip — keep current state, mark as [DEFERRED]\n";
    assert_eq!(check_transcript(asked.as_bytes()), []);
    let mut told = Vec::new();
    for (from, to) in [
        ("Issue: two ways\n", ""),
        ("Why escalation: taste\n", ""),
        ("Con: d", ""),
        ("  3. Skip — keep current state, mark as [DEFERRED]\n", ""),
        ("  2. E — f\n     Pro: g  Con: h\n", ""),
        ("  1. A — b\n     Pro: c  Con: d\n  2. E — f\n     Pro: g  Con: h\n", ""),
        ("[ALPHA] Which?", "[BETA] Which?"),
        ("(1 items)", "(2 items)"),
        ("ESCALATE (1 items)", "CONTINUE (1 fixed)"),
    ] {
        assert!(asked.contains(from), "{from}");
        let violations = check_transcript(asked.replacen(from, to, 1).as_bytes());
        let lines = violations.iter().map(|own| format!("{} {}: {}", own.line, own.code, own.message));
        told.push(lines.collect::<Vec<_>>().join("\n"));
    }
    assert_snapshot!(told.join("\n--\n"));
}

#[test]
fn the_cap_is_kept() {
    let codes = |cap| {
        check_with(GOOD.as_bytes(), Rules { cap: Some(cap), set: None })
            .into_iter()
            .map(|own| (own.line, own.code))
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(2), [(17, ViolationCode::OverCap)]);
    let early = GOOD.replace("CONTINUE (2 fixed)", "SAFETY CAP");
    let told = check_with(early.as_bytes(), Rules { cap: Some(5), set: None });
    assert!(told.iter().any(|own| own.code == ViolationCode::OverCap));
    assert!(told.iter().any(|own| own.code == ViolationCode::AfterEnd));
    assert_eq!(check_transcript(b"")[0].code, ViolationCode::NoPass);
    assert_eq!(check_transcript(b"All good!\n")[0].code, ViolationCode::NoPass);
}
