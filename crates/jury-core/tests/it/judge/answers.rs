//! Answers of models: what is taken, what is sent back and how precisely, and the rule over the marks.

use jury_core::judge::{JudgeAnswer, JudgeVerdict, LONGEST_ANSWER_BYTES, SCHEMA};
use jury_core::severity::Severity;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::stage::{bead, marks};

fn whole() -> Value {
    json!({
        "schema_version": "1.0.0", "bead": "bd-one", "verdict": "pass", "score": 0.82,
        "dimensions": {"correctness": 0.9, "scope_adherence": 0.8, "code_quality": 0.7, "completeness": 0.8},
        "issues": [{"severity": "minor", "description": "The name is odd.", "dimension": "code_quality",
            "evidence": {"file": "src/a.rs", "line": 3, "quote": "let x1 = 2;"}}],
        "summary": "Does what was asked.", "confidence": "high",
    })
}

fn read(text: &str) -> Result<JudgeAnswer, String> {
    JudgeAnswer::read(text, &bead("bd-one")).map_err(|invalid| invalid.to_string())
}

fn trouble(change: impl FnOnce(&mut Value)) -> String {
    let mut answer = whole();
    change(&mut answer);
    read(&answer.to_string()).unwrap_err()
}

#[test]
fn the_words_for_severity_are_those_of_the_schema() {
    let mut answer = whole();
    answer["issues"][0]["severity"] = json!("major");
    assert_eq!(read(&answer.to_string()).unwrap().issues[0].severity, Severity::Serious);
    for other in ["serious", "critical", "moderate", "high"] {
        let told = trouble(|answer| answer["issues"][0]["severity"] = json!(other));
        assert!(told.contains("major or minor"), "{other}: {told}");
    }
}

#[test]
fn one_object_is_found_in_prose_and_fences() {
    let text = whole().to_string();
    let plain = read(&text).unwrap();
    assert!(plain.warnings.is_empty(), "{:?}", plain.warnings);
    assert_eq!(plain.issues[0].severity, Severity::Minor);
    assert_eq!(plain.issues[0].evidence.as_ref().unwrap().line, Some(3));
    for around in
        [format!("```json\n{text}\n```"), format!("Here {{it}} is: {text} Done."), format!("{{ x {text}")]
    {
        assert_eq!(read(&around).as_ref(), Ok(&plain), "{around}");
    }
}

#[test]
fn two_objects_are_none() {
    let text = whole().to_string();
    let twice = read(&format!("{{\"a\": 1}} {text}")).unwrap_err();
    assert_eq!(twice, "the answer has more than one JSON object: print exactly one, and nothing else");
    assert_eq!(
        read("LGTM").unwrap_err(),
        "the answer has no JSON object: print exactly one, and nothing else"
    );
    assert!(
        read(text.get(..text.len() - 20).unwrap())
            .unwrap_err()
            .starts_with("the answer is not valid JSON: EOF")
    );
    assert!(read(&" ".repeat(LONGEST_ANSWER_BYTES + 1)).unwrap_err().contains("bytes"));
    assert!(read(&"{\"a\":".repeat(10_000)).unwrap_err().contains("recursion limit"));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_eq!(
        trouble(|answer| answer["dimensions"]["correctness"] = json!(1.2)),
        "dimensions.correctness: found 1.2, expected a number from 0 to 1"
    );
    assert_eq!(
        trouble(|answer| answer["dimensions"] = json!({"correctness": "good", "style": 1})),
        "dimensions.correctness: found the text \"good\", expected a number from 0 to 1; \
         dimensions.scope_adherence: missing, expected a number from 0 to 1; \
         dimensions.code_quality: missing, expected a number from 0 to 1; \
         dimensions.completeness: missing, expected a number from 0 to 1; \
         dimensions: unknown dimension \"style\""
    );
    assert_eq!(
        trouble(|answer| answer["issues"][0]["severity"] = json!("blocker")),
        "issues[0].severity: found the text \"blocker\", expected major or minor"
    );
    assert_eq!(
        trouble(|answer| answer["issues"][0]["evidence"]["line"] = json!(0)),
        "issues[0].evidence.line: found 0, expected a line from 1"
    );
    assert_eq!(trouble(|answer| answer["summary"] = json!("  ")), "summary: empty, expected a text");
    assert_eq!(
        trouble(|answer| answer["confidence"] = json!(7)),
        "confidence: found 7, expected high, medium or low"
    );
    assert_eq!(
        trouble(|answer| answer["bead"] = json!("bd-two")),
        "bead: found the text \"bd-two\", expected \"bd-one\""
    );
    assert_eq!(trouble(|answer| answer["issues"] = Value::Null), "issues: found null, expected an array");
    let many = trouble(|answer| answer["issues"] = json!(vec![json!({}); 100]));
    assert!(many.len() < 2000, "{}", many.len());
}

#[test]
fn what_a_model_says_of_itself_is_compared_and_never_used() {
    let mut answer = whole();
    answer["verdict"] = json!("pass");
    answer["score"] = json!(0.99);
    answer["dimensions"]["correctness"] = json!(0.3);
    let answer = read(&answer.to_string()).unwrap();
    assert_eq!(
        answer.warnings,
        [
            "the judge says the text \"pass\" where its marks make fail",
            "the judge gives a score of 0.99 where its marks make 0.58",
        ]
    );
    assert_eq!(answer.dimensions.verdict(), JudgeVerdict::Fail);
}

#[test]
fn the_rule_at_its_borders() {
    let verdict = |c, s, q, k| marks(c, s, q, k).verdict();
    assert_eq!(verdict(0.7, 0.7, 0.7, 0.7), JudgeVerdict::Pass);
    assert_eq!(verdict(1.0, 1.0, 0.699, 1.0), JudgeVerdict::Partial);
    assert_eq!(verdict(0.4, 0.7, 0.7, 0.7), JudgeVerdict::Partial);
    assert_eq!(verdict(0.399, 1.0, 1.0, 1.0), JudgeVerdict::Fail);
    // 0.4·0.5 + 0.2·(0.25 + 0.5 + 0.5) = 0.45 is not below 0.45.
    assert_eq!(verdict(0.5, 0.25, 0.5, 0.5), JudgeVerdict::Partial);
    assert_eq!(verdict(0.5, 0.24, 0.5, 0.5), JudgeVerdict::Fail);
    assert!((marks(0.9, 0.8, 0.7, 0.6).score() - 0.78).abs() < 1e-12);
}

#[test]
fn the_schema_asks_for_what_the_reader_needs() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for key in schema["required"].as_array().unwrap() {
        let key = key.as_str().unwrap();
        assert!(
            trouble(|answer| drop(answer.as_object_mut().unwrap().remove(key))).starts_with(key),
            "{key}"
        );
    }
    let mut least = whole();
    for key in schema["properties"].as_object().unwrap().keys() {
        if !schema["required"].as_array().unwrap().contains(&json!(key)) {
            least.as_object_mut().unwrap().remove(key);
        }
    }
    assert!(read(&least.to_string()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_the_reader(text in "[{}\\[\\]\":,a-z0-9 \\\\é\n]{0,400}") {
        let _answer = read(&text);
    }

    #[test]
    fn a_cut_answer_is_never_taken_for_a_whole_one(at in 0_usize..400) {
        let text = whole().to_string();
        prop_assert!(text.get(..at).is_none_or(|cut| cut == text || read(cut).is_err()));
    }

    #[test]
    fn better_marks_never_make_a_worse_verdict(
        c in 0.0..1.0_f64, s in 0.0..1.0_f64, q in 0.0..1.0_f64, k in 0.0..1.0_f64, more in 0.0..0.5_f64, which in 0_usize..4,
    ) {
        let mut better = [c, s, q, k];
        better[which] = (better[which] + more).min(1.0);
        let (before, after) = (marks(c, s, q, k), marks(better[0], better[1], better[2], better[3]));
        prop_assert!(after.verdict() <= before.verdict());
        prop_assert!(after.score() >= before.score());
        prop_assert!((0.0..=1.0).contains(&after.score()));
    }
}
