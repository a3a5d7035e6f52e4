//! `jury report`: a run as a document.

use crate::cli::{CriticFormat, Global, ReportArgs};
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::critic::CriticCase;
use crate::render::{case, is_critic, json, markdown};

pub(crate) async fn report(args: ReportArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = super::open_to_read(global).await?;
    let run = store.find_run(&args.run).await?;
    let records = store.transcript(run).await?;
    if is_critic(&records) {
        let case = CriticCase::load(&store, run).await?;
        let format = if args.json { CriticFormat::Json } else { CriticFormat::Text };
        Output::result(&case.print(format, output));
        return Ok(0);
    }
    let case = case(&records, store.dir());
    Output::result(&if args.json { json::document(&case) } else { markdown::document(&case) });
    Ok(0)
}
