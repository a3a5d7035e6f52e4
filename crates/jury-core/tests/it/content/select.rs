//! Who is chosen to review, against a table of cases, and what holds for every registry and answer.

use jury_core::content::select::{MOST_ELECTED, ballots, clauses, read_choice, vote};
use jury_core::content::{
    Advisor, AdvisorId, AdvisorRegistry, AdvisorRole, PanelSelection, Recipe, SelectionError,
};
use proptest::prelude::*;
use serde::Deserialize;

use super::{built_in_recipe, built_in_registry};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    guest: Vec<Guest>,
    vote: Vec<Vote>,
    choice: Vec<Choice>,
    clauses: Vec<Clauses>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guest {
    id: AdvisorId,
    name: String,
    role: AdvisorRole,
    evaluation_expertise: Option<String>,
    does_not_evaluate: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vote {
    name: String,
    recipe: Option<String>,
    needs: Option<String>,
    author: Option<AdvisorId>,
    advisors: Option<Vec<String>>,
    #[serde(default)]
    add: Vec<String>,
    #[serde(default)]
    named: Vec<AdvisorId>,
    seats: Option<Vec<String>>,
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    name: String,
    answer: String,
    #[serde(default)]
    named: Vec<AdvisorId>,
    seats: Option<Vec<String>>,
    #[serde(default)]
    warnings: usize,
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clauses {
    needs: String,
    clauses: Vec<String>,
}

fn table() -> Table {
    toml::from_str(include_str!("select.toml")).expect("the table can be read")
}

fn guest(guest: &Guest) -> Advisor {
    Advisor {
        id: guest.id.clone(),
        name: guest.name.clone(),
        role: guest.role,
        evaluation_expertise: guest.evaluation_expertise.clone(),
        does_not_evaluate: guest.does_not_evaluate.clone(),
        context_docs: Vec::new(),
        persona: None,
        measured_by: None,
    }
}

fn seats(outcome: Result<PanelSelection, SelectionError>) -> Result<Vec<String>, String> {
    outcome
        .map(|selection| selection.seats.iter().map(|seat| seat.advisor_id.to_string()).collect())
        .map_err(|error| error.kind().to_owned())
}

/// The table says who sits; they sit in the order of the registry.
fn expected(
    registry: &AdvisorRegistry,
    seats: Option<&Vec<String>>,
    error: Option<&String>,
) -> Result<Vec<String>, String> {
    let place = |id: &String| registry.iter().position(|advisor| advisor.id.as_str() == id);
    match (seats, error) {
        (Some(seats), None) => {
            let mut seats = seats.clone();
            seats.sort_by_key(place);
            Ok(seats)
        }
        (None, Some(error)) => Err(error.clone()),
        _ => panic!("a row has seats or an error"),
    }
}

#[test]
fn the_table_of_votes() {
    let (table, all) = (table(), built_in_registry());
    let mut wrong = Vec::new();
    for row in &table.vote {
        let known = |advisor: &&Advisor| {
            row.advisors.as_ref().is_none_or(|ids| ids.iter().any(|id| id == advisor.id.as_str()))
        };
        let guests = table.guest.iter().filter(|own| row.add.iter().any(|id| id == own.id.as_str()));
        let registry = AdvisorRegistry::new(all.iter().filter(known).cloned().chain(guests.map(guest)));
        let mut recipe: Recipe = built_in_recipe(row.recipe.as_deref().unwrap_or("website"), &all);
        if let Some(needs) = &row.needs {
            recipe.evaluation_needs.clone_from(needs);
        }
        if let Some(author) = &row.author {
            recipe.author_advisor = author.clone();
        }
        recipe.named_critics.clone_from(&row.named);
        let outcome = seats(vote(&recipe, &registry));
        if outcome != expected(&registry, row.seats.as_ref(), row.error.as_ref()) {
            let ballots: Vec<String> = ballots(&recipe, &registry)
                .iter()
                .map(|one| {
                    format!("    {} -> {:?} {:.2} {:?}", one.clause, one.elected, one.score, one.vetoed)
                })
                .collect();
            wrong.push(format!("{}: {outcome:?}\n{}", row.name, ballots.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(table.vote.len() + table.choice.len() >= 60, "the table has lost rows");
}

#[test]
fn the_table_of_answers() {
    let (table, registry) = (table(), built_in_registry());
    let candidates = registry.candidates(&"copywriter".parse().expect("an id"));
    for row in &table.choice {
        let outcome = read_choice(&row.answer, &candidates, &row.named);
        if let Ok(selection) = &outcome {
            assert_eq!(selection.warnings.len(), row.warnings, "{}: {:?}", row.name, selection.warnings);
        }
        assert_eq!(
            seats(outcome),
            expected(&registry, row.seats.as_ref(), row.error.as_ref()),
            "{}",
            row.name
        );
    }
}

#[test]
fn the_table_of_clauses() {
    for row in table().clauses {
        assert_eq!(clauses(&row.needs), row.clauses, "{}", row.needs);
    }
}

#[test]
fn every_seat_says_what_it_is_there_for() {
    let registry = built_in_registry();
    let selection = vote(&built_in_recipe("website", &registry), &registry).expect("a panel");
    insta::assert_json_snapshot!("website_panel", selection);
}

#[test]
fn no_more_are_elected_than_can_be_heard() {
    let advisor = |number: u32| Advisor {
        id: format!("critic-{number}").parse().expect("an id"),
        name: format!("Critic {number}"),
        role: AdvisorRole::Critic,
        evaluation_expertise: Some(format!("topic{number} and nothing besides")),
        does_not_evaluate: None,
        context_docs: Vec::new(),
        persona: None,
        measured_by: None,
    };
    let registry = AdvisorRegistry::new(built_in_registry().iter().cloned().chain((1..=9).map(advisor)));
    let mut recipe = built_in_recipe("website", &registry);
    recipe.evaluation_needs = (1..=9).map(|number| format!("topic{number}")).collect::<Vec<_>>().join(", ");
    recipe.named_critics = vec!["critic-9".parse().expect("an id")];
    let selection = vote(&recipe, &registry).expect("a panel");
    assert_eq!(selection.seats.len(), MOST_ELECTED + 1, "the named one comes on top");
    let named = selection.seats.last().expect("a seat");
    assert!(named.named && named.advisor_id.as_str() == "critic-9");
}

proptest! {
    #[test]
    fn whatever_is_answered_the_author_and_strangers_never_sit(answer in ".{0,200}|(\\[|\\]|\"|,|copywriter|seo-expert|nobody| |\\{|\\}|:|id){0,30}") {
        let registry = built_in_registry();
        let candidates = registry.candidates(&"copywriter".parse().expect("an id"));
        if let Ok(selection) = read_choice(&answer, &candidates, &[]) {
            let fits = |id: &AdvisorId| candidates.iter().any(|advisor| advisor.id == *id);
            prop_assert!(selection.seats.iter().all(|seat| fits(&seat.advisor_id)));
            // An empty panel is only there when somebody wrote an empty list.
            prop_assert!(!selection.seats.is_empty() || answer.contains("[]"));
        }
    }

    #[test]
    fn whatever_is_needed_the_panel_is_small_and_known(needs in "[a-zA-Z ,;:().]{1,300}") {
        let registry = built_in_registry();
        let mut recipe = built_in_recipe("website", &registry);
        recipe.evaluation_needs = needs;
        if let Ok(selection) = vote(&recipe, &registry) {
            prop_assert!(!selection.seats.is_empty() && selection.seats.len() <= MOST_ELECTED);
            prop_assert!(selection.seats.iter().all(|seat| seat.advisor_id != recipe.author_advisor && !seat.clauses.is_empty()));
        }
    }
}
