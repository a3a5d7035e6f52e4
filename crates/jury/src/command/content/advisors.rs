//! `jury content advisors`: who can write, who can review, and by what.

use jury_core::content::select::vote;
use jury_core::content::{Advisor, ContentSeat, DocType, HouseCritic};
use serde_json::json;

use super::wrapped;
use crate::cli::AdvisorsArgs;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::registry::{self, Advisors};

pub(super) fn advisors(args: &AdvisorsArgs, output: Output) -> Result<u8, Refusal> {
    let all = registry::advisors()?;
    let text = match &args.id {
        Some(id) => {
            let advisor = find(&all, id)?;
            let chosen = chosen(advisor, &all);
            if args.json {
                let mut shown = json!(advisor);
                shown["chosenBy"] =
                    chosen.iter().map(|(recipe, seat)| json!({ "recipe": recipe, "seat": seat })).collect();
                super::pretty(&shown)
            } else {
                explain(advisor, &all, &chosen, output)
            }
        }
        None if args.json => {
            let file = all.file.as_ref().map(|path| path.display().to_string());
            super::pretty(&json!({ "file": file, "advisors": all.registry }))
        }
        None => list(&all, output),
    };
    Output::result(&text);
    Ok(0)
}

fn find<'a>(all: &'a Advisors, id: &str) -> Result<&'a Advisor, Refusal> {
    all.registry.iter().find(|advisor| advisor.id.as_str() == id).ok_or_else(|| {
        let known: Vec<&str> = all.registry.iter().map(|advisor| advisor.id.as_str()).collect();
        Refusal::usage(format!("there is no advisor '{id}'; there are {}", known.join(", ")))
    })
}

/// The recipes that choose this advisor without a model. One that cannot be used chooses nobody.
fn chosen(advisor: &Advisor, all: &Advisors) -> Vec<(String, ContentSeat)> {
    let seat = |name: String| {
        let recipe = registry::recipe(&name, &all.registry).ok()?.recipe;
        let seats = vote(&recipe, &all.registry).ok()?.seats;
        Some((name, seats.into_iter().find(|seat| seat.advisor_id == advisor.id)?))
    };
    registry::names().into_iter().filter_map(seat).collect()
}

fn list(all: &Advisors, output: Output) -> String {
    let mut lines =
        vec![format!("{:<16}  {:<17}  {:<10}  {:<7}  {}", "ID", "NAME", "ROLE", "REVIEWS", "OFFLINE")];
    for advisor in all.registry.iter() {
        let id = output.paint_result(Tone::Bold, &format!("{:<16}", advisor.id.as_str()));
        let reviews = if advisor.can_review() { "yes" } else { "no" };
        let offline = advisor.measured_by.map_or("-", |critic| critic.as_str());
        lines.push(format!(
            "{id}  {:<17}  {:<10}  {reviews:<7}  {offline}",
            advisor.name,
            advisor.role.as_str()
        ));
    }
    lines.push(format!(
        "\n{}. 'jury content advisors ID' explains one, 'jury content recipes NAME' says who is chosen.",
        from(all)
    ));
    lines.join("\n")
}

fn from(all: &Advisors) -> String {
    let file = all.file.as_ref().map(|path| format!("They come from {}", path.display()));
    file.unwrap_or_else(|| format!("They come with the program; ./{} takes their place", registry::REGISTRY))
}

fn explain(advisor: &Advisor, all: &Advisors, chosen: &[(String, ContentSeat)], output: Output) -> String {
    let head = output.paint_result(Tone::Bold, advisor.id.as_str());
    let from = all.file.as_ref().map_or_else(|| "built in".to_owned(), |path| path.display().to_string());
    let mut lines = vec![format!("{head}: {}, {} ({from})", advisor.name, advisor.role)];
    match &advisor.evaluation_expertise {
        Some(text) => lines.push(wrapped("reviews", text)),
        None => lines.push(wrapped("reviews", "nothing: it has no evaluation_expertise")),
    }
    if let Some(text) = &advisor.does_not_evaluate {
        lines.push(wrapped("not", text));
    }
    if advisor.can_review() {
        let docs: Vec<&str> = advisor.context_docs.iter().map(DocType::as_str).collect();
        let docs = if docs.is_empty() { "the draft alone".to_owned() } else { docs.join(", ") };
        lines.push(wrapped("sees", &docs));
        let offline = match advisor.measured_by {
            Some(critic) => format!("{critic}: {}", measures(critic)),
            None => "absent: no built-in critic speaks for it, so it needs a model".to_owned(),
        };
        lines.push(wrapped("offline", &offline));
    }
    for (recipe, seat) in chosen {
        let mut why = Vec::new();
        why.extend(seat.named.then(|| "which names it".to_owned()));
        why.extend(seat.clauses.iter().map(|clause| format!("'{clause}'")));
        lines.push(wrapped("chosen", &format!("by {recipe}: {}", why.join(", "))));
    }
    if let Some(text) = &advisor.persona {
        lines.push(wrapped("writes", text));
    }
    lines.join("\n")
}

/// What a built-in critic looks at.
fn measures(critic: HouseCritic) -> &'static str {
    match critic {
        HouseCritic::Seo => "headings, title, description, keywords and links, measured",
        HouseCritic::Copy => "language, readability and voice, measured",
        HouseCritic::Behaviour => "calls to action, load, pressure and proof, measured",
        HouseCritic::Positioning => "drift from the positioning document, measured",
    }
}
