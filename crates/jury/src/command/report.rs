//! `jury report`: a run as a document.

use std::path::Path;

use jury_core::content::ContentState;
use jury_core::critic::CriticState;
use jury_core::judge::JudgeState;
use jury_core::record::Record;
use jury_core::report::html;
use jury_store::Store;

use super::whole;
use crate::cli::{CriticFormat, Global, JudgeFormat, ReportArgs};
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::content;
use crate::render::critic::CriticCase;
use crate::render::judge::JudgeCase;
use crate::render::{Case, case, is_run_of, json, markdown};

/// Stands for stdout.
const STDOUT: &str = "-";

pub(crate) async fn report(args: ReportArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = super::open_to_read(global).await?;
    let run = store.find_run(&args.run).await?;
    let records = store.transcript(run).await?;
    if is_run_of::<CriticState>(&records) {
        if args.html.is_some() {
            return Err(Refusal::usage(format!(
                "run {run} is one of the critic, which has no page; use --markdown or --json"
            )));
        }
        let case = CriticCase::load(&store, run).await?;
        let format = if args.json { CriticFormat::Json } else { CriticFormat::Text };
        Output::result(&case.print(format, output));
        return Ok(0);
    }
    if is_run_of::<ContentState>(&records) {
        if args.html.is_some() {
            return Err(Refusal::usage(format!(
                "run {run} is one of the content pipeline, whose page is its site; use --json or none of them"
            )));
        }
        let studio = content::studio(&records);
        Output::result(&if args.json {
            content::json(&studio)
        } else {
            content::human::verdict(run, &studio, output)
        });
        return Ok(0);
    }
    if is_run_of::<JudgeState>(&records) {
        if args.html.is_some() {
            return Err(Refusal::usage(format!(
                "run {run} is one of the judge, which has no page; use --json or none of them"
            )));
        }
        let format = if args.json { JudgeFormat::Json } else { JudgeFormat::Human };
        Output::result(&JudgeCase::of(&records).print(format, false, output));
        return Ok(0);
    }
    let case = case(&records, store.dir());
    match &args.html {
        Some(place) => {
            let text = as_html(&store, &case, &records).await?;
            deliver(&text, place, output)?;
        }
        None => Output::result(&if args.json { json::document(&case) } else { markdown::document(&case) }),
    }
    Ok(0)
}

/// The run with its pages, as one file.
async fn as_html(store: &Store, case: &Case, records: &[Record]) -> Result<String, Refusal> {
    let bundle = jury_server::report_bundle().ok_or_else(|| {
        Refusal::inconclusive("this jury was built without its page; build web/ first, or use --markdown")
    })?;
    let pages = store.read_bodies(case.artifact_id, &case.board, &html::named_in(records)).await?;
    html::document(case, records, &pages, &bundle)
        .map_err(|error| Refusal::inconclusive(format!("cannot write the log of the run as JSON: {error}")))
}

fn deliver(text: &str, place: &Path, output: Output) -> Result<(), Refusal> {
    if place.as_os_str() == STDOUT {
        return Output::file(text)
            .map_err(|error| Refusal::inconclusive(format!("cannot write the report to stdout: {error}")));
    }
    whole::write(place, text.as_bytes()).map_err(|error| {
        Refusal::usage(format!("cannot write the report to {}: {error}; name another file", place.display()))
    })?;
    output.progress(&format!("wrote {}", place.display()));
    Ok(())
}
