//! `jury report`: a run as a document.

use crate::cli::{Global, ReportArgs};
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::{case, json, markdown};

pub(crate) async fn report(args: ReportArgs, global: &Global) -> Result<u8, Refusal> {
    let store = super::open_to_read(global).await?;
    let run = store.find_run(&args.run).await?;
    let records = store.transcript(run).await?;
    let case = case(&records, store.dir());
    Output::result(&if args.json { json::document(&case) } else { markdown::document(&case) });
    Ok(0)
}
