//! `jury report`: a run as a document.

use std::path::Path;

use jury_core::content::ContentState;
use jury_core::critic::CriticState;
use jury_core::judge::JudgeState;
use jury_core::record::Record;
use jury_core::report::html;
use jury_store::Store;

use super::atomic_write;
use crate::cli::{Format, Global, ReportArgs};
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::content::{self, ContentCase};
use crate::render::critic::CriticCase;
use crate::render::judge::JudgeCase;
use crate::render::{PanelCase, ReportCase, case, is_run_of, markdown, print, took};

/// Stands for stdout.
const STDOUT: &str = "-";

pub(crate) async fn report(args: ReportArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = super::open_to_read(global).await?;
    let run = store.find_run(&args.run).await?;
    let records = store.transcript(run).await?;
    let format = match (&args.html, args.json, args.markdown) {
        (Some(_), _, _) => Some(Format::Html),
        (None, true, _) => Some(Format::Json),
        (None, false, true) => Some(Format::Markdown),
        (None, false, false) => None,
    };
    let gate = &Gate::shut();
    // Each has a text of its own that says more than a summary.
    let text = if is_run_of::<CriticState>(&records) {
        let case = CriticCase::load(&store, run).await?;
        print(&case, gate, format.unwrap_or(Format::Text), output)?.text
    } else if is_run_of::<ContentState>(&records) {
        let state = content::state(&records);
        print(
            &ContentCase { run, state: &state, took: took(&records) },
            gate,
            format.unwrap_or(Format::Human),
            output,
        )?
        .text
    } else if is_run_of::<JudgeState>(&records) {
        print(&JudgeCase::of(&records), gate, format.unwrap_or(Format::Human), output)?.text
    } else {
        let case = case(&records, store.dir());
        match format {
            Some(Format::Html) => as_html(&store, &case, &records).await?,
            Some(Format::Json) => {
                print(&PanelCase { case: &case, dir: store.dir() }, gate, Format::Json, output)?.text
            }
            _ => markdown::document(&case),
        }
    };
    match &args.html {
        Some(place) => deliver(&text, place, output)?,
        None => Output::result(&text),
    }
    Ok(0)
}

/// The run with its pages, as one file.
pub(super) async fn as_html(store: &Store, case: &ReportCase, records: &[Record]) -> Result<String, Refusal> {
    let bundle = jury_server::report_bundle().ok_or_else(|| {
        Refusal::inconclusive("this jury was built without its page; build web/ first, or use --markdown")
    })?;
    let pages = store.read_bodies(case.artifact_id, &case.board, &html::named_in(records)).await?;
    html::document(case, records, &pages, &bundle)
        .map_err(|error| Refusal::inconclusive(format!("cannot write the log of the run as JSON: {error}")))
}

fn deliver(text: &str, path: &Path, output: Output) -> Result<(), Refusal> {
    if path.as_os_str() == STDOUT {
        Output::file(text);
        return Ok(());
    }
    atomic_write::write(path, text.as_bytes()).map_err(|error| {
        Refusal::usage(format!("cannot write the report to {}: {error}; name another file", path.display()))
    })?;
    output.progress(&format!("wrote {}", path.display()));
    Ok(())
}
