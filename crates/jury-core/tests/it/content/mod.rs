//! Tests of the content pipeline's rules, by tables of cases.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod files;
mod matching;
mod measured;
mod pairs;
mod rounds;
mod rule;
mod select;
mod state;
mod submit;

use jury_core::content::recipes::{self, RecipeFile};
use jury_core::content::registry::{self, AdvisorRegistryFile};
use jury_core::content::{AdvisorRegistry, Recipe};

/// The advisors that come with the program.
fn built_in_registry() -> AdvisorRegistry {
    let text = registry::BUILT_IN;
    let file: AdvisorRegistryFile = toml::from_str(text).expect("the built-in registry is TOML");
    file.check(text).expect("the built-in registry can be used")
}

/// A recipe that comes with the program.
fn built_in_recipe(name: &str, registry: &AdvisorRegistry) -> Recipe {
    let text = recipes::built_in(name).expect("there is such a recipe");
    let file: RecipeFile = toml::from_str(text).expect("the built-in recipe is TOML");
    file.check(text, registry).expect("the built-in recipe can be used")
}
