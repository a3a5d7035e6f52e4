//! Reports and outputs that are made to be misread or to take long. Where it is about work, sizes are such that work
//! in proportion to them is done at once and work in proportion to their square takes minutes.

use std::collections::BTreeMap;

use jury_core::critic::format::{ViolationCode, check_transcript, is_mark, parse, read};
use jury_core::critic::{CriterionVerdict, document_change, figures};

/// The verdict on the one criterion of a pass, and its detail.
fn judged(text: &str) -> (Option<CriterionVerdict>, String) {
    let reading = read(format!("=== CRITIC 1 ===\n[ALPHA] Right? → 2 of 3\n{text}\n").as_bytes());
    let said = reading.verdicts.into_iter().next().unwrap();
    (said.verdict, said.detail)
}

#[test]
fn of_several_verdicts_on_one_item_the_strictest_counts() {
    let fail = (Some(CriterionVerdict::Fail), "mend it".to_owned());
    assert_eq!(judged("Verdict: PASS\nVerdict: FAIL (mend it)"), fail);
    assert_eq!(judged("> Verdict: PASS\nVerdict: FAIL (mend it)"), fail);
    assert_eq!(judged("Verdict: FAIL (mend it)\n> Verdict: PASS (9 of 9)"), fail);
    assert_eq!(judged("Verdict: PASS\nConcern: x\nVerdict: FAIL (mend\n it)"), fail);
    assert_eq!(
        judged("Verdict: DEFER (later)\nVerdict: PASS"),
        (Some(CriterionVerdict::Defer), "later".to_owned())
    );
    assert_eq!(judged("Verdict: DEFER (later)\nVerdict: ESCALATE").0, Some(CriterionVerdict::Escalate));
    assert_eq!(
        judged("Verdict:\nVerdict: PASS (3 of 3)"),
        (Some(CriterionVerdict::Pass), "3 of 3".to_owned())
    );
    // What cannot be read may have been an objection: it does not turn into a PASS.
    assert_eq!(judged("Verdict: not good\n> Verdict: PASS").0, None);
    assert_eq!(judged("Verdict: not good\nVerdict: FAIL (mend it)"), fail);
}

#[test]
fn of_several_scenarios_the_realistic_one_counts() {
    let one = |name: &str, answer: &str| {
        format!("[ADVERSARIAL] Failure scenario: {name}\n  → Realistic? {answer}\n")
    };
    let told = |parts: &[&str]| {
        let reading = read(format!("=== CRITIC 1 ===\n{}", parts.concat()).as_bytes());
        reading.scenario.map(|own| (own.scenario, own.realistic)).unwrap()
    };
    let (no, maybe, yes) = (one("a", "N, 0 of 9"), one("b", "perhaps"), one("c", "Y, 3 of 9"));
    assert_eq!(told(&[&no, &yes]), ("c".to_owned(), Some(true)));
    assert_eq!(told(&[&yes, &no, &maybe]), ("c".to_owned(), Some(true)));
    assert_eq!(told(&[&no, &maybe]), ("b".to_owned(), None));
    assert_eq!(told(&[&no, &one("d", "N, 0 of 3")]), ("a".to_owned(), Some(false)));
    assert_eq!(told(&[&no, "  → Realistic? Y, 3 of 9\n"]), ("a".to_owned(), Some(true)));
}

#[test]
fn a_report_that_judges_nothing_is_not_accepted() {
    let text = "=== CRITIC 1 ===\n[ADVERSARIAL] Failure scenario: rain\n  → Realistic? N → 0 of 9\n=== Result: CONVERGED (1 passes, 0 fixes, 0 escalations) ===\n";
    let found = check_transcript(text.as_bytes());
    let codes: Vec<(u32, ViolationCode)> = found.iter().map(|own| (own.line, own.code)).collect();
    assert_eq!(codes, [(1, ViolationCode::MissingVerdict)]);
    assert!(found[0].message.contains("no criterion is judged"), "{}", found[0].message);
}

#[test]
fn no_field_is_longer_than_the_longest_however_it_begins() {
    let long = "é".repeat(50_000);
    let text = format!(
        "=== CRITIC 1 ===\n[ALPHA] {long}? → {long}\n Verdict: FAIL ({long})\n Concern: {long}\n[BETA] {long}\n[ADVERSARIAL] {long} Realistic? N {long}\n=== CRITIC ESCALATION (1) ===\n[ALPHA] {long}?\nIssue: {long}\nWhy escalation: {long}\nOptions:\n1. {long}\n Pro: {long} Con: {long}\n"
    );
    let transcript = parse(text.as_bytes());
    let pass = &transcript.passes[0];
    let mut fields: Vec<&String> = Vec::new();
    for said in &pass.verdicts {
        fields.extend([&said.question, &said.answer, &said.detail]);
        fields.extend(&said.concerns);
    }
    let scenario = pass.scenario.as_ref().unwrap();
    fields.extend([&scenario.scenario, &scenario.rationale]);
    for raised in &pass.escalations {
        fields.extend([&raised.question, &raised.issue, &raised.why]);
        for own in &raised.options {
            fields.extend([&own.label, &own.description, &own.pro, &own.con]);
        }
    }
    assert!(fields.iter().filter(|field| !field.is_empty()).count() >= 10);
    let lengths: Vec<usize> = fields.iter().map(|field| field.len()).collect();
    assert!(lengths.iter().all(|length| *length <= 8192), "{lengths:?}");
}

#[test]
fn what_is_read_as_a_mark_is_a_mark() {
    for line in [
        "=== CRITIC 2 ===",
        "== = CRITIC 2 ===",
        "=**= CRITIC 2 =**=",
        "> - **== critic**",
        "=\u{feff}= CRITIC 2",
        "text\r== CRITIC 2",
        "=== CRITIC ESCALATION (1) ===",
        "`== Result: SAFETY CAP`",
        "=== DOCUMENT ===",
        "```=== END OF DOCUMENT ===```",
    ] {
        assert!(is_mark(line), "{line}");
    }
    for line in
        ["=====", "== CRITICAL ==", "a == result", "critic", "= CRITIC 2 =", "=\u{200d}== CRITIC 2 ==="]
    {
        assert!(!is_mark(line), "{line}");
    }
}

#[test]
fn a_long_line_of_numbers_is_searched_once() {
    let find = |pattern: &str, line: &str| {
        let patterns = BTreeMap::from([("n".to_owned(), pattern.to_owned())]);
        figures(&patterns, line).get("n").copied()
    };
    assert_eq!(find("{} * failed", &"1 ".repeat(1_000_000)), None);
    assert_eq!(find("errors {} * failed", &"errors 1 ".repeat(500_000)), None);
    assert_eq!(find("1{}x", &"1".repeat(200_000)), None);
    assert_eq!(find("{} of * failed", "1 in 2 of 3 and 4 of 5 failed"), Some(2.0));
    assert_eq!(find("{}, * failed * end", "1, failed 2, failed end"), Some(1.0));
}

/// Bytes that are asked for are a measure of work that a busy machine does not change.
#[test]
fn a_long_heading_is_not_copied_for_every_line_below_it() {
    let work = |line: &str, lines: usize| {
        let text = format!("# {}\n{}", "a".repeat(100_000), line.repeat(lines));
        allocation_counter::measure(|| drop(document_change::changes(&text, "x"))).bytes_total
    };
    for line in ["x\n", "## x\n"] {
        let spent = work(line, 5_000);
        assert!(spent < 20_000_000, "{spent} bytes for {line:?}");
    }
    // What is too long for a name is a part of what is compared.
    let long = format!("# {}", "a".repeat(1000));
    assert_eq!(document_change::changes(&format!("{long}b\nx"), &format!("{long}c\nx")).len(), 1);
}
