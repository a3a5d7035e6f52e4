//! `jury content recipes`: what can be written, by whom, and who reviews it and why.

use jury_core::content::select::{Ballot, ballots, vote};
use jury_core::content::{AdvisorId, AdvisorRegistry, DocType, Form, Recipe};
use serde_json::{Value, json};

use super::wrapped;
use crate::cli::RecipesArgs;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::registry::{self, Advisors, Loaded};

pub(super) fn recipes(args: &RecipesArgs, output: Output) -> Result<u8, Refusal> {
    let advisors = registry::advisors()?;
    let registry = &advisors.registry;
    let text = if let Some(name) = &args.name {
        let loaded = registry::recipe(name, registry)?;
        if args.json {
            super::pretty(&as_json(&loaded, registry))
        } else {
            explain(&loaded, registry, output)
        }
    } else {
        let all = all(&advisors, output);
        if args.json {
            let all: Vec<Value> = all.iter().map(|loaded| as_json(loaded, registry)).collect();
            super::pretty(&json!({ "recipes": all }))
        } else {
            list(&all, registry, output)
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

fn as_json(loaded: &Loaded, registry: &AdvisorRegistry) -> Value {
    let file = loaded.file.as_ref().map(|path| path.display().to_string());
    let panel = match vote(&loaded.recipe, registry) {
        Ok(selection) => json!(selection),
        Err(error) => json!({ "error": { "kind": error.kind(), "message": error.to_string() } }),
    };
    json!({
        "file": file,
        "recipe": loaded.recipe,
        "panel": panel,
        "ballots": ballots(&loaded.recipe, registry),
    })
}

fn list(all: &[Loaded], registry: &AdvisorRegistry, output: Output) -> String {
    let mut lines =
        vec![format!("{:<14}  {:<8}  {:<12}  {:>6}  {}", "RECIPE", "FORM", "AUTHOR", "ROUNDS", "CRITICS")];
    for Loaded { recipe, file } in all {
        let name = output.paint_result(Tone::Bold, &format!("{:<14}", recipe.content_type.as_str()));
        let from = file.as_ref().map(|path| format!(" ({})", path.display())).unwrap_or_default();
        let critics = match vote(recipe, registry) {
            Ok(panel) if panel.seats.is_empty() => "nobody".to_owned(),
            Ok(panel) => {
                panel.seats.iter().map(|seat| seat.advisor_id.as_str()).collect::<Vec<_>>().join(", ")
            }
            Err(error) => format!("none: {error}"),
        };
        lines.push(format!(
            "{name}  {:<8}  {:<12}  {:>6}  {critics}{from}",
            recipe.form.as_str(),
            recipe.author_advisor.as_str(),
            recipe.max_revision_rounds
        ));
    }
    lines.push(format!(
        "\n'jury content recipes NAME' says why. A file ./{}/NAME.toml makes another, or takes the place of one.",
        registry::RECIPES
    ));
    lines.join("\n")
}

fn explain(Loaded { recipe, file }: &Loaded, registry: &AdvisorRegistry, output: Output) -> String {
    let from = file.as_ref().map_or_else(|| "built in".to_owned(), |path| path.display().to_string());
    let head = output.paint_result(Tone::Bold, recipe.content_type.as_str());
    let ends = if recipe.publish { ", published when it is approved" } else { "" };
    let docs: Vec<&str> = recipe.author_context_docs.iter().map(DocType::as_str).collect();
    let docs = if docs.is_empty() { "no document".to_owned() } else { docs.join(", ") };
    let mut lines = vec![
        format!("{head}: {}{ends} ({from})", form(recipe)),
        wrapped("author", &format!("{}, who sees {docs}", recipe.author_advisor)),
        wrapped(
            "approved",
            &format!(
                "with nothing high and a mean of at least {}, within {}",
                recipe.min_aggregate_score,
                jury_core::line::counted(recipe.max_revision_rounds, "round", "rounds")
            ),
        ),
        wrapped("needs", &recipe.evaluation_needs),
    ];
    lines.extend(recipe.evaluation_emphasis.as_deref().map(|text| wrapped("emphasis", text)));
    lines.push(format!("\n{}", output.paint_result(Tone::Bold, "Critics, without a model")));
    match vote(recipe, registry) {
        Ok(panel) if panel.seats.is_empty() => {
            lines.push("  nobody: there is no advisor who can review".to_owned());
        }
        Ok(panel) => {
            for seat in panel.seats {
                let mut why = Vec::new();
                why.extend(seat.named.then(|| "the recipe names it".to_owned()));
                why.extend(seat.clauses.iter().map(|clause| format!("'{clause}'")));
                let advisor = registry.get(&seat.advisor_id);
                let offline = match advisor.and_then(|advisor| advisor.measured_by) {
                    Some(critic) => format!("measured by {critic}"),
                    None => "absent without a model".to_owned(),
                };
                let id = output.paint_result(Tone::Bold, seat.advisor_id.as_str());
                lines.push(format!("  {id} ({offline})"));
                lines.push(wrapped("for", &why.join(", ")));
            }
        }
        Err(error) => lines.push(format!("  none: {error}")),
    }
    let ballots = ballots(recipe, registry);
    let unheard: Vec<String> = ballots.iter().filter(|ballot| ballot.elected.is_none()).map(nobody).collect();
    if !unheard.is_empty() {
        lines.push(wrapped("nobody", &format!("for {}", unheard.join(", "))));
    }
    lines.push(
        "\nA model that is asked may choose others; those whom the recipe names are always in.".to_owned(),
    );
    lines.join("\n")
}

/// A clause that elected nobody, and who would have been for it.
fn nobody(ballot: &Ballot) -> String {
    let vetoed: Vec<&str> = ballot.vetoed.iter().map(AdvisorId::as_str).collect();
    if vetoed.is_empty() {
        format!("'{}'", ballot.clause)
    } else {
        format!("'{}' ({} leaves it to others)", ballot.clause, vetoed.join(", "))
    }
}

fn form(recipe: &Recipe) -> &'static str {
    match recipe.form {
        Form::Page => "a page in its parts",
        Form::Article => "an article in Markdown",
        Form::Post => "a post in Markdown",
    }
}
