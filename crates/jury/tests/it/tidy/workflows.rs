//! How often the workflows are spelled out. Everything but their table is written once, over the trait.

use std::collections::BTreeMap;

use super::rust;
use super::tree::rust_files;

/// The names of the enums that have a variant for each workflow.
const ENUMS: [&str; 3] = ["Workflow::", "Event::", "StartRun::"];

/// The variants.
const WORKFLOWS: [&str; 4] = ["Theater", "Critic", "Judge", "Content"];

/// The most lines that spell one out, and the most files that they are in.
const MOST_LINES_AND_FILES: (usize, usize) = (12, 4);

fn spells_out(code: &str) -> bool {
    ENUMS.iter().any(|name| {
        code.match_indices(name).any(|(at, _)| {
            let whole = !code[..at].ends_with(|c: char| c.is_alphanumeric());
            let variant = code[at + name.len()..].split(|c: char| !c.is_alphanumeric()).next();
            whole && variant.is_some_and(|variant| WORKFLOWS.contains(&variant))
        })
    })
}

#[test]
fn workflows_are_spelled_out_in_few_places() {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for file in rust_files().iter().filter(|file| !file.is_test()) {
        let lines = rust::lines(&file.text()).into_iter().filter(|line| spells_out(&line.code));
        let count = lines.count();
        if count > 0 {
            places.insert(file.path.clone(), count);
        }
    }
    let found = (places.values().sum::<usize>(), places.len());
    assert!(
        found.0 <= MOST_LINES_AND_FILES.0 && found.1 <= MOST_LINES_AND_FILES.1,
        "{found:?}, and at most {MOST_LINES_AND_FILES:?}: {places:#?}"
    );
}

#[test]
fn a_place_is_a_variant_of_a_workflow() {
    for code in
        ["Workflow::Judge => 1,", "if let Event::Critic(event) = x", "crate::workflow::Event::Content(e)"]
    {
        assert!(spells_out(code), "{code}");
    }
    for code in ["CriticEvent::Queued(queued)", "TheaterEvent::Critic", "Workflow::ALL", "JudgeEvent::Judged"]
    {
        assert!(!spells_out(code), "{code}");
    }
}

/// A query that names a workflow is one that a fifth workflow has to find.
#[test]
fn no_query_of_the_store_names_a_workflow() {
    let named = |line: &str| {
        WORKFLOWS
            .iter()
            .map(|word| word.to_lowercase())
            .chain(["critique".to_owned()])
            .any(|word| line.contains(&format!("'{word}'")) || line.contains(&format!("'{word}.")))
    };
    assert!(named("SELECT id FROM run WHERE workflow = 'content'") && named("kind GLOB 'critique.*'"));
    let store = |path: &str| path.starts_with("crates/jury-store/src/");
    for file in rust_files().iter().filter(|file| store(&file.path)) {
        for (number, line) in file.text().lines().enumerate() {
            assert!(!named(line), "{}:{}: {line}", file.path, number + 1);
        }
    }
}
