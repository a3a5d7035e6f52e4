//! `jury content recipes`: what can be written, by whom, and who reviews it and why.

use serde_json::json;

use super::wrapped;
use crate::cli::RecipesArgs;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::registry::{self, Advisors, Loaded};

pub(super) fn recipes(args: &RecipesArgs, output: Output) -> Result<u8, Refusal> {
    let advisors = registry::advisors()?;
    let text = match &args.name {
        Some(name) => {
            let loaded = registry::recipe(name, &advisors.registry)?;
            if args.json { super::pretty(&json!(loaded.recipe)) } else { explain(&loaded, output) }
        }
        None => {
            let all = all(&advisors, output);
            if args.json {
                super::pretty(&json!(all.iter().map(|loaded| &loaded.recipe).collect::<Vec<_>>()))
            } else {
                list(&all, output)
            }
        }
    };
    Output::result(&text);
    Ok(0)
}

/// Every recipe that can be used; what cannot is said.
fn all(advisors: &Advisors, output: Output) -> Vec<Loaded> {
    let mut all = Vec::new();
    for name in registry::names() {
        match registry::recipe(&name, &advisors.registry) {
            Ok(loaded) => all.push(loaded),
            Err(refusal) => output.note(&refusal.message),
        }
    }
    all
}

fn list(all: &[Loaded], output: Output) -> String {
    let mut lines =
        vec![format!("{:<14}  {:<8}  {:<14}  {:>6}  {}", "RECIPE", "FORM", "AUTHOR", "ROUNDS", "FROM")];
    for Loaded { recipe, file } in all {
        let name = output.paint_result(Tone::Bold, &format!("{:<14}", recipe.content_type.as_str()));
        let from = file.as_ref().map_or_else(|| "built in".to_owned(), |path| path.display().to_string());
        lines.push(format!(
            "{name}  {:<8}  {:<14}  {:>6}  {from}",
            recipe.form.as_str(),
            recipe.author_advisor.as_str(),
            recipe.max_revision_rounds
        ));
    }
    lines.push("\n'jury content recipes NAME' explains one.".to_owned());
    lines.join("\n")
}

fn explain(Loaded { recipe, file }: &Loaded, output: Output) -> String {
    let from = file.as_ref().map_or_else(|| "built in".to_owned(), |path| path.display().to_string());
    let head = output.paint_result(Tone::Bold, recipe.content_type.as_str());
    let docs: Vec<&str> = recipe.author_context_docs.iter().map(|doc| doc.as_str()).collect();
    [
        format!("{head}: {}, at most {} rounds ({from})", recipe.form, recipe.max_revision_rounds),
        wrapped("author", &format!("{}, with {}", recipe.author_advisor, docs.join(", "))),
        wrapped("needs", &recipe.evaluation_needs),
    ]
    .join("\n")
}
