//! Files of advisors and recipes: what they may say, and how mistakes in them are said.

use insta::assert_snapshot;
use jury_core::content::recipes::{BUILT_IN, RecipeFile};
use jury_core::content::registry::AdvisorRegistryFile;
use jury_core::content::{Form, HouseCritic};
use jury_core::toml_lines::{Mistake, line_at};
use serde::de::DeserializeOwned;

use super::{built_in_recipe, built_in_registry};

#[test]
fn what_comes_with_the_program() {
    let registry = built_in_registry();
    let ids: Vec<&str> = registry.iter().map(|advisor| advisor.id.as_str()).collect();
    assert_eq!(
        ids,
        ["richard-rumelt", "copywriter", "april-dunford", "seo-expert", "shirin-oreizy", "copy-chief"]
    );
    let measured: Vec<HouseCritic> = registry
        .candidates(&"copywriter".parse().expect("an id"))
        .iter()
        .filter_map(|own| own.measured_by)
        .collect();
    assert_eq!(
        measured,
        [HouseCritic::Positioning, HouseCritic::Seo, HouseCritic::Behaviour, HouseCritic::Copy]
    );
    for (name, _) in BUILT_IN {
        let recipe = built_in_recipe(name, &registry);
        assert_eq!(recipe.content_type.as_str(), *name);
        assert_eq!(recipe.publish, recipe.form == Form::Page, "{name}");
        assert!((recipe.min_aggregate_score - 4.0).abs() < f64::EPSILON, "{name}");
        assert!(
            registry.get(&recipe.author_advisor).is_some_and(|author| author.persona.is_some()),
            "{name}"
        );
        assert!(recipe.author_framework.is_some(), "{name}");
    }
    let rounds = BUILT_IN.iter().map(|(name, _)| built_in_recipe(name, &registry).max_revision_rounds);
    assert_eq!(rounds.collect::<Vec<_>>(), [3, 3, 2]);
    let of = |name: &str| {
        let recipe = built_in_recipe(name, &registry);
        let docs: Vec<String> = recipe.author_context_docs.iter().map(ToString::to_string).collect();
        (recipe.author_advisor.to_string(), docs)
    };
    let docs = |all: [&str; 3]| ("copywriter".to_owned(), all.map(str::to_owned).to_vec());
    assert_eq!(of("website"), docs(["positioning", "brand-voice", "seo-strategy"]));
    assert_eq!(of("blog-post"), docs(["positioning", "brand-voice", "seo-strategy"]));
    assert_eq!(of("social-post"), docs(["positioning", "brand-voice", "social-media-strategy"]));
}

const ADVISOR: &str = "# Who\n\n[[advisor]]\nid = \"a\"\nname = \"A\"\nrole = \"critic\"\nevaluation_expertise = \"\"\"\nx = 1\n[[advisor]]\n\"\"\"\n";

/// The file with one line more, and what is said about it.
fn of_registry(more: &str) -> String {
    let text = format!("{ADVISOR}{more}\n");
    said(&text, |file: AdvisorRegistryFile| file.check(&text).map(|_| ()))
}

#[test]
fn mistakes_in_a_registry_have_a_line() {
    let long = format!("does_not_evaluate = \"{}\"", "x".repeat(4001));
    let many = "[[advisor]]\nid = \"b\"\nname = \"B\"\nrole = \"critic\"\n".to_owned();
    let all = [
        "",
        "does_not_evaluate = \" \"",
        long.as_str(),
        "does_not_evaluate = \"\\u001b[2J\"",
        "context_docs = [\"a\", \"b\", \"a\"]",
        "context_docs = [\"../x\"]",
        "context_docs = [\"Positioning\"]",
        "measured_by = \"taste\"",
        "measured_by = 3",
        "exertise = \"x\"",
        &format!("{many}{many}"),
        "[[advisor]]\nid = \"A\"\nname = \"A\"\nrole = \"critic\"",
        "[[advisor]]\nid = \"../b\"\nname = \"B\"\nrole = \"critic\"",
        "[[advisor]]\nid = \"b\"\nname = \" \"\nrole = \"critic\"",
        "[[advisor]]\nid = \"b\"\nname = \"B\"\nrole = \"boss\"",
        "[[advisor]]\nid = \"b\"\nname = \"B\"",
        "[[advisor]]\nid = \"b\"\nname = \"B\"\nrole = \"critic\"\nmeasured_by = \"seo\"",
        "[[adviser]]\nid = \"b\"",
        "persona = \"\"\"\n",
    ]
    .map(of_registry)
    .join("\n");
    assert_snapshot!("registry_mistakes", all);
    assert_snapshot!(said("", |file: AdvisorRegistryFile| file.check("").map(|_| ())), @"line 1: there is no advisor: write one, in an [[advisor]]");
}

const RECIPE: &str = "content_type = \"tale\"\nform = \"article\"\nauthor_advisor = \"copywriter\"\nauthor_context_docs = [\"positioning\"]\nevaluation_needs = \"Plain language.\"\nmin_aggregate_score = 4\nmax_revision_rounds = 3\n";

#[test]
fn mistakes_in_a_recipe_have_a_line() {
    let registry = built_in_registry();
    let check = |text: &str| said(text, |file: RecipeFile| file.check(text, &registry).map(|_| ()));
    let swap = |old: &str, new: &str| {
        assert!(RECIPE.contains(old), "{old}");
        check(&RECIPE.replace(old, new))
    };
    let all = [
        check(RECIPE),
        check(&format!("{RECIPE}publish = true\n")),
        check(&format!("{RECIPE}named_critics = [\"seo-expert\", \"nobody\"]\n")),
        check(&format!("{RECIPE}named_critics = [\"copywriter\"]\n")),
        check(&format!("{RECIPE}named_critics = [\"richard-rumelt\"]\n")),
        check(&format!("{RECIPE}named_critics = [\"seo-expert\", \"seo-expert\"]\n")),
        check(&format!("{RECIPE}evaluation_emphasis = \"\"\n")),
        check(&format!("{RECIPE}critics = []\n")),
        swap("\"tale\"", "\"a tale\""),
        swap("\"article\"", "\"novel\""),
        swap("\"copywriter\"", "\"somebody\""),
        swap("[\"positioning\"]", "[\"a\", \"a\"]"),
        swap("Plain language.", " "),
        swap("= 4", "= 0.5"),
        swap("= 4", "= 11"),
        swap("= 4", "= nan"),
        swap("= 4", "= \"4\""),
        swap("= 3", "= 0"),
        swap("= 3", "= 11"),
        swap("= 3", "= 2.5"),
        swap("min_aggregate_score = 4\n", ""),
    ]
    .join("\n");
    assert_snapshot!("recipe_mistakes", all);
}

/// As the program says it.
fn said<F: DeserializeOwned>(text: &str, check: impl FnOnce(F) -> Result<(), Mistake>) -> String {
    match toml::from_str::<F>(text) {
        Ok(file) => check(file).map_or_else(|mistake| mistake.to_string(), |()| "fine".to_owned()),
        Err(error) => {
            let line = error.span().map_or(1, |span| line_at(text, span.start));
            format!("line {line}: {}", error.message().lines().next().unwrap_or_default())
        }
    }
}
