//! Files of criteria: those that come with the program, and what is wrong with others.

use insta::assert_snapshot;
use jury_core::critic::criteria::{BUILT_IN, CriteriaFile, built_in, line_at};
use jury_core::critic::{Command, Needs};

use super::stage::set;

#[test]
fn every_built_in_set_can_be_used() {
    let mut lines = Vec::new();
    for (name, text) in BUILT_IN {
        let set = set(text);
        assert_eq!(set.name, *name);
        // One set takes no model: hooks and CI run it by itself.
        assert_eq!(set.needs_opinion(), *name != "docs", "{name}");
        assert!(set.criteria.iter().any(|own| own.measure.is_some()), "{name} measures nothing");
        for criterion in &set.criteria {
            assert!(criterion.question.ends_with('?'), "{name} {}", criterion.id);
            assert!(criterion.needs == Needs::Opinion || criterion.measure.is_some());
        }
        let ids: Vec<String> = set
            .criteria
            .iter()
            .map(|own| match own.measure {
                Some(measure) => format!("{} ({measure})", own.id),
                None => own.id.to_string(),
            })
            .collect();
        lines.push(format!("{name} {}: {}", set.cap, ids.join(", ")));
    }
    assert_snapshot!(lines.join("\n"), @"
    spec 5: COMPLETENESS (no-acceptance), MEASURABILITY (vague-word), INDEPENDENCE, EDGE_CASES, CONSISTENCY (contradictory-number), TERMS (undefined-term), FINISHED (unfinished-marker)
    plan 7: COMPLETENESS (no-acceptance), FEASIBILITY, ARCHITECTURE, RISK, PRINCIPLES, CONSISTENCY (contradictory-number), LINKS (dead-link), ANCHORS (dead-anchor), FINISHED (unfinished-marker)
    tasks 5: COVERAGE (no-acceptance), DEPENDENCIES, LINKS (dead-link), FINISHED (unfinished-marker)
    review 5: COMPLETENESS, PRECISION, LINKS (dead-link), CLARITY (vague-word)
    test 5: COVERAGE, QUALITY, CODE (code-block), FINISHED (unfinished-marker)
    debug 5: SAFETY, CORRECTNESS, CODE (code-block)
    architect 7: FEASIBILITY, INCREMENTALITY, COMPATIBILITY, ARCHITECTURE, TERMS (undefined-term), DEFINITIONS (unused-definition), STRUCTURE (heading-order)
    implement 5: SCOPE_ADHERENCE, ARCHITECTURE, CORRECTNESS (no-acceptance), SIDE_EFFECT_SAFETY, FINISHED (unfinished-marker)
    docs 3: LINKS (dead-link), ANCHORS (dead-anchor), STRUCTURE (heading-order), FINISHED (unfinished-marker), CODE (code-block), DEFINITIONS (unused-definition)
    ");
    assert!(built_in("plan").is_some() && built_in("nothing").is_none());
}

#[test]
fn every_built_in_file_is_in_its_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../criteria");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(names, known);
}

#[test]
fn a_whole_entry_is_read() {
    let set = set(r#"
name = "all"
title = "Everything"
cap = 2
[adversarial]
question = "What breaks?"
shell = "make break"
timeout_seconds = 60
[[criterion]]
id = "TESTS"
question = "Do the tests pass?"
weight = 2.5
severity = "low"
check = ["make", "test", "{file}"]
timeout_seconds = 9
fix_shell = "make fix"
escalate_when = ["scope", "several-ways"]
default_answer = 2
[criterion.figures]
covered = "TOTAL * {}%"
[criterion.pass_when]
exit = [0, 3]
covered = { min = 80, max = 100 }
"#);
    insta::assert_json_snapshot!("a_whole_entry", set);
    let Some(check) = &set.criteria[0].check else { panic!("a check") };
    assert_eq!(check.command, Command::Argv(vec!["make".into(), "test".into(), "{file}".into()]));
}

#[test]
fn mistakes_have_a_line() {
    let head = "name = \"x\"\ncap = 3\n[[criterion]]\nid = \"OK\"\nquestion = \"?\"\n";
    let own = |rest: &str| format!("{head}\n[[criterion]]\nid = \"BAD\"\nquestion = \"?\"\n{rest}");
    let files = [
        "name = \"Not A Name\"\ncap = 3\n".to_owned(),
        "name = \"x\"\n\ncap = 21\n[[criterion]]\nid = \"A\"\nquestion = \"?\"".to_owned(),
        "name = \"x\"\ncap = 3\n".to_owned(),
        head.replace("OK", "not ok"),
        head.replace("OK", "ADVERSARIAL"),
        format!("{head}[[criterion]]\nid = \"OK\"\nquestion = \"?\""),
        own("weight = 0"),
        own("severity = \"dire\""),
        own("measure = \"dead-links\""),
        own("needs = \"measure\""),
        own("needs = \"magic\""),
        own("check = [\"a\"]\nshell = \"a\""),
        own("check = []"),
        own("shell = \" \""),
        own("figures = { a = \"b\" }\nshell = \"x\""),
        own("figures = { a = \"{}\" }"),
        own("shell = \"x\"\npass_when = { a = { min = 1 } }"),
        own("shell = \"x\"\nfigures = { a = \"{}\" }\npass_when = { a = { min = 2, max = 1 } }"),
        own("measure = \"dead-link\"\npass_when = { affected = {} }"),
        own("measure = \"dead-link\"\n[criterion.pass_when]\nexit = 0"),
        own("shell = \"x\"\npass_when = { exit = [] }"),
        own("shell = \"x\"\ntimeout_seconds = 0"),
        own("escalate_when = [\"always\"]"),
        own("default_answer = 0"),
        own("default_answer = \"yes\""),
        own("question2 = \"?\""),
        own("question = \"twice\""),
    ];
    let lines: Vec<String> = files.iter().map(|text| mistake(text)).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    line 1: name 'Not A Name': use small letters, digits and '-', at most 40
    line 3: cap 21: a whole number from 1 to 20
    line 1: 0 criteria: from 1 to 50, each in a [[criterion]]
    line 4: id 'not ok' is not the name of a criterion: use capital letters, digits and '_', at most 40
    line 4: ADVERSARIAL is the failure scenario of every pass: choose another name
    line 7: OK is there twice
    line 10: BAD: weight 0: a number above 0 and up to 1000
    line 10: BAD: severity 'dire' is none of low, medium, high
    line 10: BAD: measure 'dead-links' is none of dead-link, dead-anchor, heading-order, unfinished-marker, undefined-term, unused-definition, no-acceptance, vague-word, contradictory-number, code-block
    line 10: BAD: needs "measure", but has neither check nor shell nor measure
    line 10: BAD: needs 'magic' is none of opinion, measure
    line 11: give check or shell, not both
    line 10: check names no program
    line 10: shell is empty
    line 10: BAD: the pattern of a: it has no {} in the place of the number
    line 10: BAD: figures and timeout_seconds belong to a check, and there is none
    line 11: BAD: pass_when names 'a', which no figure is called
    line 12: BAD: pass_when.a needs min, max or both, min no larger than max
    line 11: BAD: pass_when.affected needs min, max or both, min no larger than max
    line 11: BAD: pass_when.exit belongs to a check, and there is none
    line 11: BAD: pass_when.exit has no code that passes
    line 11: timeout_seconds 0: a whole number from 1 to 3600
    line 10: BAD: escalate_when 'always' is none of several-ways, judgement, scope, conflict, missing-information
    line 10: BAD: default_answer is "skip" or the number of an option, from 1
    line 10: BAD: default_answer is "skip" or the number of an option, from 1
    line 10: unknown field `question2`, expected one of `id`, `question`, `weight`, `severity`, `needs`, `measure`, `check`, `shell`, `figures`, `pass_when`, `timeout_seconds`, `fix`, `fix_shell`, `escalate_when`, `default_answer`
    line 10: duplicate key
    "#);
}

/// As the program says it.
fn mistake(text: &str) -> String {
    match toml::from_str::<CriteriaFile>(text) {
        Ok(file) => file.check(text).expect_err(text).to_string(),
        Err(error) => {
            let line = error.span().map_or(1, |span| line_at(text, span.start));
            format!("line {line}: {}", error.message().replace('\n', " "))
        }
    }
}
