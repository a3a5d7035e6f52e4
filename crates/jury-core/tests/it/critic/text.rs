//! The text of a report: read from models, written for people.

use insta::{assert_debug_snapshot, assert_snapshot};
use jury_core::critic::format::{
    PassText, SummaryText, Transcript, parse, plain, read, write, write_escalation, write_transcript,
};
use jury_core::critic::{
    Choice, CriterionId, CriterionVerdict, PassResult, Question, Raised, Said, Scenario, Trigger,
};
use jury_core::finding::FindingId;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::stage::{HARMLESS, Stage, TWO, setup};

const REPORT: &str = "=== CRITIC 1 ===
[COMPLETENESS] Is every requirement taken up? → 13 of 14 are; FR-7 is not
  Verdict: FAIL (add a step for FR-7 (the export))
[RISK] Are three failures named? → 3 of 3, each with what is done about it
  Verdict: PASS
  Concern: the third is unlikely
[SCOPE] Is the import part of it? → 2 readings of section 4
  Verdict: ESCALATE
[COST] Is there a budget? → none is given
  Verdict: DEFER (the budget is set in March)
[ADVERSARIAL] Failure scenario: the queue is full when the job starts
  → Realistic? N → 0 of 3 sources write that fast
=== Result: ESCALATE (1 items) ===

=== CRITIC ESCALATION (1) ===
[SCOPE] Is the import part of this plan?

Issue: Section 4 can be read both ways. It names the file, and not who writes it.
Why escalation: Only the owner knows what was promised.

Options:
  1. In — add the import as step 5
     Pro: one release  Con: two more weeks
  2. Out — name it as excluded
     Pro: less to test  Con: another release
  3. Skip — keep current state, mark as [DEFERRED]
";

#[test]
fn a_report_is_read_as_it_stands() {
    assert_debug_snapshot!(parse(REPORT.as_bytes()));
}

#[test]
fn a_report_is_written_as_it_is_read() {
    let read = parse(REPORT.as_bytes());
    assert_eq!(write_transcript(&read).trim(), REPORT.trim());
}

/// What does not depend on the lines.
fn without_lines(mut transcript: Transcript) -> Transcript {
    for pass in &mut transcript.passes {
        pass.line = 0;
        pass.result_line = None;
        for said in &mut pass.verdicts {
            said.line = 0;
        }
        for raised in &mut pass.escalations {
            raised.line = 0;
        }
        if let Some(scenario) = &mut pass.scenario {
            scenario.line = 0;
        }
    }
    if let Some(summary) = &mut transcript.summary {
        summary.line = 0;
    }
    transcript
}

#[test]
fn layout_does_not_matter() {
    let plain_reading = without_lines(parse(REPORT.as_bytes()));
    let crlf = REPORT.replace('\n', "\r\n");
    let fenced = format!("Sure, here is the review:\n\n```text\n{REPORT}```\nLet me know!");
    let bold: String = REPORT
        .lines()
        .map(|line| match line.trim_start().split_once(' ') {
            Some((word, rest)) if word.starts_with("===") || word.ends_with([']', ':']) => {
                format!("**{word}** {rest}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let bullets: String = REPORT
        .lines()
        .map(|line| if line.starts_with('[') { format!("- {line}\n\n") } else { format!("{line}\n") })
        .collect();
    let quoted = format!("> {}", REPORT.replace('\n', "\n> "));
    let coloured = format!("\u{1b}[1;32m{}", REPORT.replace('\n', "\u{1b}[0m\n\u{1b}[1;32m"));
    let arrows = REPORT.replace('→', "->");
    let lower = REPORT
        .replace("Verdict:", "verdict:")
        .replace("Realistic?", "REALISTIC?")
        .replace("=== CRITIC 1", "== critic 1")
        .replace("[RISK]", "[Risk]")
        .replace("Verdict: FAIL", "Verdict: Fail");
    let wrapped = REPORT
        .replace(" → 13 of 14", "\n  → 13 of 14\n  ")
        .replace("the queue is full ", "the queue is full\n  ");
    for (name, text) in [
        ("crlf", crlf),
        ("fenced", fenced),
        ("bold", bold),
        ("bullets", bullets),
        ("quoted", quoted),
        ("coloured", coloured),
        ("arrows", arrows),
        ("lower", lower),
        ("wrapped", wrapped),
    ] {
        assert_eq!(without_lines(parse(text.as_bytes())), plain_reading, "{name}:\n{text}");
    }
}

#[test]
fn content_is_not_guessed() {
    let said = |text: &str| {
        let reading = read(format!("=== CRITIC 1 ===\n[ALPHA] Right? → {text}\n").as_bytes());
        reading.verdicts.into_iter().map(|said| (said.answer, said.verdict, said.detail)).next()
    };
    assert_eq!(said("x\n Verdict: PASSED").unwrap().1, None);
    assert_eq!(said("x\n Verdict: PASS | FAIL (fix) | ESCALATE | DEFER").unwrap().1, None);
    assert_eq!(said("x\n Verdict: looks good").unwrap().1, None);
    assert_eq!(said("x\n PASS").unwrap(), ("x PASS".to_owned(), None, String::new()));
    assert_eq!(said("x\n Verdict: FAIL: mend it").unwrap().2, "mend it");
    assert_eq!(said("x\n Verdict: FAIL → mend it").unwrap().2, "mend it");
    assert_eq!(said("x\n Verdict: FAIL (mend\n it)").unwrap().2, "mend it");
    assert_eq!(said("x\n **Verdict**: `PASS`").unwrap().1, Some(CriterionVerdict::Pass));
    let scenario = |text: &str| {
        let text = format!("=== CRITIC 1 ===\n[ADVERSARIAL] Failure scenario: rain\n → Realistic? {text}\n");
        read(text.as_bytes()).scenario.map(|own| (own.realistic, own.rationale)).unwrap()
    };
    assert_eq!(scenario("Yes, 3 of 4"), (Some(true), "3 of 4".to_owned()));
    assert_eq!(scenario("no - 0 of 4"), (Some(false), "0 of 4".to_owned()));
    assert_eq!(scenario("Y/N").0, None);
    assert_eq!(scenario("{Y → FAIL + fix / N → rationale}").0, None);
    assert_eq!(scenario("Not really").0, None);
    let one_line =
        read(b"=== CRITIC 1 ===\n[ADVERSARIAL] Failure scenario: rain -> Realistic? N -> 0 of 9\n");
    let own = one_line.scenario.unwrap();
    assert_eq!(
        (own.scenario.as_str(), own.realistic, own.rationale.as_str()),
        ("rain", Some(false), "0 of 9")
    );
}

#[test]
fn prose_around_a_report_is_not_a_part_of_it() {
    let text = "I will judge [COMPLETENESS] now.\n[NOTE] nothing\n=== CRITIC 1 ===\n- [x] done\n[link](a.md)\n[ALPHA] ? → 1 of 1\n Verdict: PASS\n=== Result: CONTINUE (1 fixed) ===\n[BETA] too late\n Verdict: PASS\n";
    let reading = read(text.as_bytes());
    let names: Vec<&str> = reading.verdicts.iter().map(|said| said.criterion.as_str()).collect();
    assert_eq!(names, ["ALPHA"]);
    // An agent that begins again is taken at its last word.
    let twice = format!("{text}\n=== CRITIC 1 ===\n[ALPHA] ? → 0 of 1\n Verdict: FAIL (x)\n");
    assert_eq!(read(twice.as_bytes()).verdicts[0].verdict, Some(CriterionVerdict::Fail));
}

#[test]
fn a_run_as_text() {
    let mut stage = Stage::new(setup(TWO));
    stage.says(&format!(
        "=== CRITIC 1 ===\n[ALPHA] ? → 1 of 3 is wrong\n Verdict: FAIL (mend it)\n[BETA] ? → 3 of 3\n Verdict: DEFER (later)\n{HARMLESS}"
    ));
    stage.fixes(&["ALPHA"]);
    stage.passes(&["ALPHA", "BETA"]);
    assert_snapshot!(write(stage.state()), @"
    === CRITIC 1 ===
    [ALPHA] Is alpha right? → 1 of 3 is wrong
      Verdict: FAIL (mend it)
    [BETA] Is beta right? → 3 of 3
      Verdict: DEFER (later; by house until 1970-01-31)
    [ADVERSARIAL] Failure scenario: the moon falls
      → Realistic? N → 0 of 1000 years
    === Result: CONTINUE (1 fixed) ===

    === CRITIC 2 ===
    [ALPHA] Is alpha right? → 3 of 3 checked
      Verdict: PASS
    [BETA] Is beta right? → 3 of 3 checked
      Verdict: PASS
    [ADVERSARIAL] Failure scenario: the moon falls
      → Realistic? N → 0 of 1000 years
    === Result: CONVERGED (2 passes, 1 fixes, 0 escalations) ===

    ✓ Critic converged (2 passes, 1 fixes, 0 escalations)
    ");
}

#[test]
fn a_question_as_text() {
    let question = Question {
        number: 2,
        criterion: "SCOPE".parse().unwrap(),
        finding: FindingId::of("SCOPE", "x"),
        measured: Vec::new(),
        question: "Is the import part of it?".to_owned(),
        issue: "Two readings.".to_owned(),
        why: "Only the owner knows.".to_owned(),
        trigger: Some(Trigger::MissingInformation),
        options: vec![Choice {
            label: "In".to_owned(),
            description: "add it".to_owned(),
            pro: "one release".to_owned(),
            con: "two weeks".to_owned(),
        }],
    };
    assert_snapshot!(write_escalation(&question), @"
    === CRITIC ESCALATION (2) ===
    [SCOPE] Is the import part of it?

    Issue: Two readings.
    Why escalation: Only the owner knows.
    Trigger: missing-information

    Options:
      1. In — add it
         Pro: one release  Con: two weeks
      2. Skip — keep current state, mark as [DEFERRED]
    ");
}

#[test]
fn terminals_sequences_and_control_characters_go() {
    assert_eq!(plain(b"a\x1b[1;31mb\x1b[0m\x1b]0;title\x07c\r\nd\re\x00\tf\xff"), "abc\nd\ne f\u{fffd}");
    assert_eq!(plain(b"\x1b]never closed\nnext"), "never closed\nnext");
    assert_eq!(plain("\u{9b}31mred \u{202e}x".as_bytes()), "red x");
}

#[test]
fn a_reason_is_written_as_it_was_read() {
    let report = "=== CRITIC 1 ===\n=== Result: NOT CONVERGED (1 open, churn) again, **and** (1 ===\n";
    let reasons = |text: &str| -> Vec<Option<PassResult>> {
        parse(text.as_bytes()).passes.into_iter().map(|pass| pass.result).collect()
    };
    let read = reasons(report);
    let reason = "churn again and 1".to_owned();
    assert_eq!(read, [Some(PassResult::NotConverged { open: 1, reason })]);
    assert_eq!(reasons(&write_transcript(&parse(report.as_bytes()))), read);
}

fn words() -> impl Strategy<Value = String> {
    "[a-z]{1,8}( [a-z0-9()%;,.]{1,8}){0,5}".prop_map(|text| text.trim().to_owned())
}

fn id() -> impl Strategy<Value = CriterionId> {
    "[A-Z][A-Z0-9_]{1,12}".prop_filter_map("not the scenario", |name| {
        name.parse::<CriterionId>().ok().filter(|id| !id.is_adversarial())
    })
}

fn said() -> impl Strategy<Value = Said> {
    let verdict = select(CriterionVerdict::ALL.to_vec());
    (id(), words(), words(), verdict, option::of("[a-z]{1,9}( [a-z0-9]{1,9}){0,3}"), vec(words(), 0..3))
        .prop_map(|(criterion, question, answer, verdict, detail, concerns)| Said {
            line: 0,
            criterion,
            question: format!("{question}?"),
            answer,
            verdict: Some(verdict),
            detail: detail.unwrap_or_default(),
            concerns,
        })
}

fn raised() -> impl Strategy<Value = Raised> {
    let plain = || "[a-z]{1,9}( [a-z0-9]{1,9}){0,3}".prop_map(String::from);
    let choice = (plain(), plain(), plain(), plain())
        .prop_filter("not the skip", |(label, ..)| label != "skip")
        .prop_map(|(label, description, pro, con)| Choice { label, description, pro, con });
    (1_u32..9, id(), plain(), plain(), plain(), "([a-z-]{1,9})?", vec(choice, 0..4)).prop_map(
        |(number, criterion, question, issue, why, trigger, options)| Raised {
            line: 0,
            number: Some(number),
            criterion,
            question,
            issue,
            why,
            trigger,
            options,
        },
    )
}

fn result() -> impl Strategy<Value = PassResult> {
    prop_oneof![
        (0_u32..9, 0_u32..9, 0_u32..9).prop_map(|(passes, fixes, escalations)| PassResult::Converged {
            passes,
            fixes,
            escalations
        }),
        (0_u32..99).prop_map(|fixed| PassResult::Continue { fixed }),
        (0_u32..99).prop_map(|items| PassResult::Escalate { items }),
        Just(PassResult::SafetyCap),
        (0_u32..99).prop_map(|open| PassResult::NotConverged { open, reason: "fix_failed".to_owned() }),
    ]
}

fn pass() -> impl Strategy<Value = PassText> {
    let scenario = (words(), any::<bool>(), words()).prop_map(|(scenario, realistic, rationale)| Scenario {
        line: 0,
        scenario,
        realistic: Some(realistic),
        rationale,
    });
    (vec(said(), 0..5), option::of(scenario), vec(raised(), 0..3), result()).prop_map(
        |(verdicts, scenario, escalations, result)| PassText {
            line: 0,
            number: None,
            verdicts,
            scenario,
            skippable: vec![true; escalations.len()],
            escalations,
            result: Some(result),
            result_line: None,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(passes in vec(pass(), 0..4), converged in option::of(any::<bool>())) {
        let passes: Vec<PassText> =
            passes.into_iter().zip(1..).map(|(pass, number)| PassText { number: Some(number), ..pass }).collect();
        let summary = converged.map(|converged| SummaryText {
            line: 0,
            converged,
            figures: if converged { vec![1, 2, 3] } else { vec![4] },
        });
        let transcript = Transcript { passes, summary, violations: Vec::new() };
        let text = write_transcript(&transcript);
        prop_assert_eq!(without_lines(parse(text.as_bytes())), transcript, "{}", text);
    }

    #[test]
    fn no_text_breaks_out_of_its_field(hostile in vec(any_text(), 6)) {
        let mut pass = without_lines(parse(REPORT.as_bytes())).passes.remove(0);
        pass.verdicts[0].question.clone_from(&hostile[0]);
        pass.verdicts[0].answer.clone_from(&hostile[1]);
        pass.verdicts[0].detail.clone_from(&hostile[2]);
        pass.verdicts[1].concerns[0].clone_from(&hostile[3]);
        pass.escalations[0].issue.clone_from(&hostile[4]);
        pass.escalations[0].options[0].pro.clone_from(&hostile[5]);
        let before = Transcript { passes: vec![pass], ..Transcript::default() };
        let text = write_transcript(&before);
        let after = parse(text.as_bytes());
        prop_assert_eq!(shape(&after), shape(&before), "{}", text);
    }

    #[test]
    fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..400), pieces in vec(any_text(), 0..12)) {
        prop_assert!(parse(&bytes).passes.len() <= bytes.len());
        let text = pieces.join("\n");
        let transcript = parse(text.as_bytes());
        let lines = u32::try_from(plain(text.as_bytes()).split('\n').count()).unwrap();
        for violation in jury_core::critic::format::check_transcript(text.as_bytes()) {
            prop_assert!((1..=lines).contains(&violation.line));
        }
        // Writing what was read, and reading it again, says the same.
        let once = parse(write_transcript(&transcript).as_bytes());
        prop_assert_eq!(shape(&once), shape(&transcript));
    }
}

type Shape =
    (Vec<(CriterionId, Option<CriterionVerdict>)>, Option<Option<bool>>, Vec<usize>, Option<PassResult>);

/// How many there are of everything, and their verdicts.
fn shape(transcript: &Transcript) -> Vec<Shape> {
    transcript
        .passes
        .iter()
        .map(|pass| {
            let verdicts = pass.verdicts.iter().map(|said| (said.criterion.clone(), said.verdict)).collect();
            let options = pass.escalations.iter().map(|raised| raised.options.len()).collect();
            (verdicts, pass.scenario.as_ref().map(|own| own.realistic), options, pass.result.clone())
        })
        .collect()
}

fn any_text() -> impl Strategy<Value = String> {
    let parts = select(vec![
        "=== CRITIC 2 ===",
        "\n",
        "[ALPHA]",
        "Verdict: PASS",
        "→",
        "->",
        "[ADVERSARIAL] Failure scenario:",
        "Realistic? N",
        "=== Result: CONVERGED (1 passes, 0 fixes, 0 escalations) ===",
        "**",
        "```",
        "(",
        ")",
        "- ",
        "> ",
        "Pro: a  Con: b",
        "1. A — b",
        "Issue:",
        "Options:",
        "=== CRITIC ESCALATION (1) ===",
        "✓ Critic converged",
        "word",
        " ",
        "7",
        "\u{1b}[1m",
        "Concern: x",
        "`",
        "_",
        ": ",
        " — ",
        "Skip",
        "é",
        "\r",
    ]);
    vec(parts, 0..6).prop_map(|parts| parts.concat())
}
