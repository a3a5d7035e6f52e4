//! Advisors and recipes by name: the user's own in `./advisors/` and `./recipes/`, or those that come with the program.

use std::path::{Path, PathBuf};

use jury_core::content::recipes::{BUILT_IN, RecipeFile, built_in};
use jury_core::content::registry::{self, AdvisorRegistryFile};
use jury_core::content::{AdvisorRegistry, Recipe};

use crate::refusal::Refusal;
use crate::tables;

/// The user's own registry, beside `jury.toml`.
pub(crate) const REGISTRY: &str = "advisors/registry.toml";
/// The folder of the user's own recipes, beside `jury.toml`.
pub(crate) const RECIPES: &str = "recipes";

/// The largest file of either kind.
const LARGEST_FILE_BYTES: u64 = 1 << 20;

/// The registry and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Advisors {
    pub(crate) registry: AdvisorRegistry,
    /// The file; none for the one that comes with the program.
    pub(crate) file: Option<PathBuf>,
}

/// A recipe and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loaded {
    pub(crate) recipe: Recipe,
    /// The file; none for one that comes with the program.
    pub(crate) file: Option<PathBuf>,
}

/// The user's registry, or the one that comes with the program.
pub(crate) fn advisors() -> Result<Advisors, Refusal> {
    let path = Path::new(REGISTRY);
    let (text, file) = match own(path)? {
        Some(text) => (text, Some(path.to_owned())),
        None => (registry::BUILT_IN.to_owned(), None),
    };
    let registry = tables::read(&text, REGISTRY, |file: AdvisorRegistryFile| file.check(&text))?;
    Ok(Advisors { registry, file })
}

/// The recipe of this name: the user's own before the one that comes with the program.
pub(crate) fn recipe(name: &str, registry: &AdvisorRegistry) -> Result<Loaded, Refusal> {
    // A name is a name before it is a part of a path.
    if let Ok(name) = name.parse::<jury_core::content::ContentType>() {
        let path = Path::new(RECIPES).join(format!("{name}.toml"));
        if let Some(text) = own(&path)? {
            let recipe = parse(&text, &path.display().to_string(), name.as_str(), registry)?;
            return Ok(Loaded { recipe, file: Some(path) });
        }
        if let Some(text) = built_in(name.as_str()) {
            let shown = format!("{RECIPES}/{name}.toml (built in)");
            return parse(text, &shown, name.as_str(), registry).map(|recipe| Loaded { recipe, file: None });
        }
    }
    let known: Vec<String> = names();
    Err(Refusal::usage(format!(
        "there is no recipe '{name}'; there are {}, and a file {RECIPES}/NAME.toml makes another",
        known.join(", ")
    )))
}

/// The names of all recipes: those that come with the program, then the user's others.
pub(crate) fn names() -> Vec<String> {
    let mut all: Vec<String> = BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect();
    let own = tables::files(RECIPES);
    let mut others: Vec<String> =
        own.iter().filter_map(|path| tables::name(path)).map(str::to_owned).collect();
    others.retain(|name| !all.contains(name));
    all.append(&mut others);
    all
}

/// The text of a file of the user's; none when there is no such file.
fn own(path: &Path) -> Result<Option<String>, Refusal> {
    let shown = path.display();
    let failed = |error: &dyn std::fmt::Display| Refusal::usage(format!("cannot read {shown}: {error}"));
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(&error)),
        Ok(file) if file.len() > LARGEST_FILE_BYTES => {
            return Err(failed(&format!("it is larger than {LARGEST_FILE_BYTES} bytes")));
        }
        Ok(_) => {}
    }
    std::fs::read_to_string(path).map(Some).map_err(|error| failed(&error))
}

fn parse(text: &str, shown: &str, name: &str, registry: &AdvisorRegistry) -> Result<Recipe, Refusal> {
    let recipe = tables::read(text, shown, |file: RecipeFile| file.check(text, registry))?;
    if recipe.content_type.as_str() != name {
        return Err(Refusal::usage(format!(
            "{shown}: content_type is '{}', but the file is called {name}: they have to be the same",
            recipe.content_type
        )));
    }
    Ok(recipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_with_the_program_can_be_used() {
        let registry = tables::read(registry::BUILT_IN, REGISTRY, |file: AdvisorRegistryFile| {
            file.check(registry::BUILT_IN)
        })
        .unwrap_or_else(|refusal| panic!("{}", refusal.message));
        for (name, text) in BUILT_IN {
            parse(text, name, name, &registry).unwrap_or_else(|refusal| panic!("{}", refusal.message));
        }
    }
}
