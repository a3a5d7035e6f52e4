//! `jury explain`: one finding with its numbers, measured again; or one rule.

use jury_core::event::TheaterEvent;
use jury_core::rule::RuleSubject;
use jury_core::workflow::{WorkflowEvent as _, WorkflowState as _, dispatch};
use jury_house::{Report, ReportedFinding};
use serde_json::json;

use super::check::selection::{listed, nearest};
use super::check::{self, check_of};
use crate::cli::{ExplainArgs, Global};
use crate::output::Output;
use crate::refusal::{NOT_DONE, Refusal};
use crate::render::check::{explain as render, table};
use crate::rules::{self, Listed};

pub(crate) async fn explain(args: ExplainArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let id = args.finding.as_str();
    if let Some(run) = &args.run
        && let Some(text) = of_run(run, id, args.json, global, output).await?
    {
        Output::result(&text);
        return Ok(0);
    }
    let check = rules::all().find(|check| check.rule.id == check_of(id));
    let Some(check) = check else {
        let near = nearest(check_of(id), rules::all().map(|check| check.rule.id.to_owned()));
        return Err(Refusal::usage(format!(
            "there is no check '{}'; the nearest {}; 'jury checks' lists them all",
            check_of(id),
            listed(&near)
        )));
    };
    let is_of_pages = check.rule.subject == RuleSubject::Page;
    if !is_of_pages && (id.contains('#') || args.page.is_some() || args.run.is_some()) {
        return Err(Refusal::usage(format!(
            "{0} is not measured on pages; 'jury explain {0}' says what it measures",
            check.rule.id
        )));
    }
    let asked = match (&args.page, &args.run) {
        (Some(page), _) => Some((page.display().to_string(), check::ask_for(page, &args.look)?)),
        (None, Some(run)) => {
            let (shown, text) = page_of_run(run, global).await?;
            Some((shown, check::ask_for_text(text, &args.look)?))
        }
        (None, None) => None,
    };
    let Some((shown, request)) = asked else {
        if id.contains('#') {
            return Err(Refusal::usage(format!(
                "on which page? 'jury explain {id} PAGE', or --run RUN for the page of a run"
            )));
        }
        return Ok(about(&check, &args, output));
    };
    let failed = |why: String| Refusal::inconclusive(format!("{shown}: {why}"));
    if !id.contains('#') {
        let report = check::measure(&request).map_err(failed)?;
        return Ok(listed_on(&shown, &check, &report, &args, output));
    }
    let explanation = check::explain(request, id).map_err(failed)?;
    if args.json {
        Output::result(&serde_json::to_string_pretty(&explanation).unwrap_or_default());
        return Ok(if explanation.found.is_some() { 0 } else { NOT_DONE });
    }
    if let Some(found) = &explanation.found {
        Output::result(render::finding(&shown, found, &explanation, Some(&check), output).trim_end());
        return Ok(0);
    }
    let own: Vec<String> =
        explanation.ids.iter().filter(|own| check_of(own) == check.rule.id).cloned().collect();
    let others = if own.is_empty() {
        format!("{} finds nothing on it any more", check.rule.id)
    } else {
        format!("{} finds {} on it", check.rule.id, nearest(id, own.into_iter()).join(", "))
    };
    Output::result(&format!("{shown} has no finding {id}: it is gone, or it was never there; {others}"));
    Ok(NOT_DONE)
}

/// What a check has to say about a page: every finding with its id.
fn listed_on(shown: &str, check: &Listed, report: &Report, args: &ExplainArgs, output: Output) -> u8 {
    let own = |found: &&ReportedFinding| found.check == check.rule.id;
    let findings: Vec<&ReportedFinding> = report.findings.iter().filter(own).collect();
    let undecided: Vec<&ReportedFinding> = report.undecided.iter().filter(own).collect();
    if args.json {
        let value = json!({ "check": check.json, "findings": findings, "undecided": undecided });
        Output::result(&serde_json::to_string_pretty(&value).unwrap_or_default());
    } else {
        let note = report.checks.iter().find(|own| own.id == check.rule.id).map(|own| own.note.as_str());
        let text = render::check_on(shown, check, note.unwrap_or_default(), &findings, &undecided, output);
        Output::result(text.trim_end());
    }
    0
}

fn about(check: &Listed, args: &ExplainArgs, output: Output) -> u8 {
    if args.json {
        Output::result(&serde_json::to_string_pretty(&check.json).unwrap_or_default());
    } else {
        Output::result(table::one(check, output).trim_end());
    }
    0
}

/// A finding of a run by its id, whatever its workflow is: the finding, what became of it, and its rule.
async fn of_run(
    given: &str,
    id: &str,
    as_json: bool,
    global: &Global,
    output: Output,
) -> Result<Option<String>, Refusal> {
    let store = super::open_to_read(global).await?;
    let run = store.find_run(given).await?;
    let Some(row) = store.run(run).await? else { return Ok(None) };
    let findings = dispatch!(row.workflow, State => store.state::<State>(run).await?.findings());
    let Some(finding) = findings.into_iter().find(|finding| finding.id.as_str() == id) else {
        return Ok(None);
    };
    let rule = rules::all().find(|listed| Some(listed.rule.id) == finding.rule.as_deref());
    if as_json {
        let rule = rule.map(|listed| listed.json);
        let value = json!({ "runId": run, "workflow": row.workflow, "finding": finding, "rule": rule });
        return Ok(Some(serde_json::to_string_pretty(&value).unwrap_or_default()));
    }
    let mut text = render::run_finding(&finding, &row.title, output);
    if let Some(rule) = &rule {
        text = format!("{text}\n\n{}", table::one(rule, output).trim_end());
    }
    Ok(Some(text))
}

/// The page of the last round of a run.
async fn page_of_run(given: &str, global: &Global) -> Result<(String, String), Refusal> {
    let store = super::open_to_read(global).await?;
    let run = store.find_run(given).await?;
    let records = store.transcript(run).await?;
    let case = crate::render::case(&records, store.dir());
    let round = records.iter().rev().find_map(|record| {
        if let Some(TheaterEvent::RoundEnd(end)) = TheaterEvent::of(&record.event) {
            Some(end.round)
        } else {
            None
        }
    });
    let Some(round) = round else {
        return Err(Refusal::usage(format!(
            "run {run} closed no round, and so has no page; name a page instead"
        )));
    };
    let body = store.read_round(case.artifact_id, round).await?.ok_or_else(|| {
        Refusal::usage(format!(
            "the page of round {round} of run {run} is not kept any more; name a page instead"
        ))
    })?;
    Ok((format!("run {run}, round {round}"), String::from_utf8_lossy(&body).into_owned()))
}
