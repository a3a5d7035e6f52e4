//! Passes in which nothing was looked at: every criterion is clean, and none of them says anything.

use super::stage::{HARMLESS, Stage, setup};

const COUNTED: &str = r#"
name = "counted"
cap = 3
[adversarial]
question = "The file is empty."
check = ["test", "-s", "{file}"]
[[criterion]]
id = "LINKS"
question = "Does every link lead somewhere?"
measure = "dead-link"
[[criterion]]
id = "CODE"
question = "Can every block be read?"
measure = "code-block"
"#;

#[test]
fn one_criterion_may_have_nothing_to_look_at_and_a_whole_pass_may_not() {
    let ends = |links: u32, code: u32| {
        let mut stage = Stage::new(setup(COUNTED));
        stage.measures("LINKS", 0, links);
        stage.measures("CODE", 0, code);
        stage.checks("ADVERSARIAL", 0, "");
        stage.end()
    };
    assert!(ends(0, 3).starts_with("converged"), "{}", ends(0, 3));
    assert_eq!(
        ends(0, 0),
        "inconclusive check_absent: nothing was reviewed: CODE, LINKS had nothing to look at in this document"
    );
}

#[test]
fn a_set_without_criteria_reviews_nothing() {
    let mut none = setup(COUNTED);
    none.set.criteria.clear();
    let mut stage = Stage::new(none);
    stage.checks("ADVERSARIAL", 0, "");
    assert!(stage.end().ends_with("name a set that has some"), "{}", stage.log());
}

#[test]
fn a_critic_that_has_looked_at_nothing_does_not_converge() {
    let ends = |answer: &str, verdict: &str| {
        let mut stage = Stage::new(setup(OPINION));
        for _ in 0..3 {
            stage.says(&format!("=== CRITIC 1 ===\n[ALPHA] ? → {answer}\n Verdict: {verdict}\n{HARMLESS}"));
        }
        stage.end()
    };
    assert!(ends("0 of 3 links are dead", "PASS").starts_with("converged"));
    assert!(ends("0 of 0 links are dead", "PASS").starts_with("inconclusive"), "{}", ends("0 of 0", "PASS"));
    assert!(
        ends("not here", "DEFER (later)").starts_with("inconclusive"),
        "{}",
        ends("not here", "DEFER (later)")
    );
}

const OPINION: &str = r#"
name = "opinion"
cap = 3
[[criterion]]
id = "ALPHA"
question = "Is it right?"
needs = "opinion"
"#;
