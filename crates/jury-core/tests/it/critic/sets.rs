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
        assert!(set.needs_opinion(), "{name}");
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
    assert_snapshot!(lines.join("\n"), @"");
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
    assert_snapshot!(lines.join("\n"), @"");
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
