//! `jury critic criteria`: the sets that can be named, what each asks, and what can be measured.

use jury_core::critic::criteria::BUILT_IN;
use jury_core::critic::{CriteriaSet, Criterion, DefaultAnswer, Measure, Needs};
use serde_json::json;

use crate::cli::{CriteriaArgs, ListFormat};
use crate::criteria::{self, Loaded};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;

pub(super) fn criteria(args: &CriteriaArgs, output: Output) -> Result<u8, Refusal> {
    let text = match (&args.name, args.format) {
        (Some(name), ListFormat::Human) => explain(&criteria::load(name)?, output),
        (Some(name), ListFormat::Json) => pretty(&json!(criteria::load(name)?.set)),
        (None, format) => {
            let (sets, troubles) = all()?;
            for trouble in troubles {
                output.note(&trouble);
            }
            match format {
                ListFormat::Human => list(&sets, output),
                ListFormat::Json => {
                    let sets: Vec<&CriteriaSet> = sets.iter().map(|loaded| &loaded.set).collect();
                    let measures: Vec<_> =
                        Measure::ALL.iter().map(|one| json!({ "id": one, "counts": counts(*one) })).collect();
                    pretty(&json!({ "sets": sets, "measures": measures }))
                }
            }
        }
    };
    Output::result(&text);
    Ok(0)
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Every set that can be named, the user's own in the place of those that come with the program; and what is wrong.
fn all() -> Result<(Vec<Loaded>, Vec<String>), Refusal> {
    let (mut sets, mut troubles) = (Vec::new(), Vec::new());
    let own = criteria::own();
    for (name, text) in BUILT_IN {
        if own.iter().all(|(taken, _)| taken != name) {
            sets.push(Loaded { set: criteria::parse(text, name)?, file: None });
        }
    }
    for (_, loaded) in own {
        match loaded {
            Ok(loaded) => sets.push(loaded),
            Err(refusal) => troubles.push(refusal.message),
        }
    }
    Ok((sets, troubles))
}

fn list(sets: &[Loaded], output: Output) -> String {
    let mut lines =
        vec![format!("{:<12}  {:>6}  {:>8}  {:>8}  {}", "SET", "PASSES", "CRITERIA", "MEASURED", "FOR")];
    for Loaded { set, file } in sets {
        let measured = set.criteria.iter().filter(|own| own.needs == Needs::Measure).count();
        let from = file.as_ref().map(|path| format!(" ({})", path.display())).unwrap_or_default();
        let name = output.paint_result(Tone::Bold, &format!("{:<12}", set.name));
        lines.push(format!(
            "{name}  {:>6}  {:>8}  {measured:>8}  {}{from}",
            set.cap,
            set.criteria.len(),
            set.title
        ));
    }
    lines.push("\nWhat can be measured without asking anybody:".to_owned());
    for measure in Measure::ALL {
        lines.push(format!("  {:<20}  {}", measure.as_str(), counts(*measure)));
    }
    lines.push(
        "\n'jury critic criteria NAME' explains a set, 'jury critic init' makes one of your own.".to_owned(),
    );
    lines.join("\n")
}

/// What is counted.
fn counts(measure: Measure) -> &'static str {
    match measure {
        Measure::DeadLink => "links to files that are not there",
        Measure::DeadAnchor => "links to headings that are not there",
        Measure::HeadingOrder => "headings that skip a level",
        Measure::UnfinishedMarker => "notes of unfinished work",
        Measure::UndefinedTerm => "terms that are used and explained nowhere",
        Measure::UnusedDefinition => "definitions that nothing uses",
        Measure::NoAcceptance => "requirements without a way to accept them",
        Measure::VagueWord => "words that promise nothing that can be checked",
        Measure::ContradictoryNumber => "quantities with two values",
        Measure::CodeBlock => "code blocks that cannot be read as the language they name",
    }
}

fn explain(Loaded { set, file }: &Loaded, output: Output) -> String {
    let from = file.as_ref().map_or_else(|| "built in".to_owned(), |path| path.display().to_string());
    let head = output.paint_result(Tone::Bold, &set.name);
    let mut lines = vec![format!(
        "{head}: {}, at most {} ({from})",
        set.title,
        jury_core::line::counted(set.cap, "pass", "passes")
    )];
    for own in &set.criteria {
        lines.push(format!("\n{}  {}", output.paint_result(Tone::Bold, own.id.as_str()), own.question));
        lines.extend(details(own).into_iter().map(|(key, value)| format!("  {key:<9} {value}")));
    }
    let scenario = if set.adversary.question.is_empty() {
        "One way in which the document fails."
    } else {
        set.adversary.question.as_str()
    };
    lines.push(format!("\n{}  {scenario}", output.paint_result(Tone::Bold, "ADVERSARIAL")));
    let decided = match &set.adversary.check {
        Some(check) => check.command.to_string(),
        None => "by the critic".to_owned(),
    };
    lines.push(format!("  {:<9} {decided}", "decided"));
    lines.join("\n")
}

fn details(own: &Criterion) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    let weight = if (own.weight - 1.0).abs() < f64::EPSILON {
        String::new()
    } else {
        format!(", weight {}", own.weight)
    };
    all.push(("severity", format!("{}{weight}", jury_core::severity::THREE.word(own.severity))));
    let judged = match own.needs {
        Needs::Opinion if own.measure.is_none() && own.check.is_none() => "by the critic",
        Needs::Opinion => "by the critic, with what is measured",
        Needs::Measure => "by what is measured",
    };
    all.push(("judged", judged.to_owned()));
    if let Some(measure) = own.measure {
        all.push(("measured", format!("{measure}: {}", counts(measure))));
    }
    if let Some(check) = &own.check {
        all.push(("check", check.command.to_string()));
    }
    for (name, bound) in &own.bounds {
        all.push(("passes", format!("{name} {bound}")));
    }
    if let Some(fix) = &own.fix {
        all.push(("fix", fix.to_string()));
    }
    if !own.escalate_when.is_empty() {
        let words: Vec<&str> = own.escalate_when.iter().map(|trigger| trigger.as_str()).collect();
        all.push(("asks", format!("a person when: {}", words.join(", "))));
    }
    match own.default_answer {
        Some(DefaultAnswer::Skip) => all.push(("default", "skip".to_owned())),
        Some(DefaultAnswer::Option(number)) => all.push(("default", format!("option {number}"))),
        None => {}
    }
    all
}
