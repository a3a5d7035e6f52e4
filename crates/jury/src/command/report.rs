//! `jury report`: a run as a document.

use jury_core::theater::Board;

use crate::cli::{Global, ReportArgs};
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::{Case, json, markdown};

pub(crate) async fn report(args: ReportArgs, global: &Global) -> Result<u8, Refusal> {
    let store = super::open_to_read(global).await?;
    let run = store.find_run(&args.run).await?;
    let records = store.transcript(run).await?;
    let board = Board::of(records.iter().map(|record| &record.event));
    let case = Case::new(&records, board, store.dir(), None);
    Output::result(&if args.json { json::document(&case) } else { markdown::document(&case) });
    Ok(0)
}
