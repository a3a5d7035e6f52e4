//! `jury check`: many pages as they stand, measured by the house, with one summary and one exit code.

mod baseline;
mod batch;
pub(crate) mod glob;
mod pages;
pub(crate) mod selection;
mod verdict;
mod worker;

pub(crate) use verdict::{Bar, Checked, Standing, Totals};
pub(crate) use worker::house_check;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jury_core::unit::Bytes;
use tokio_util::sync::CancellationToken;

use self::batch::{Asking, Batch};
use self::selection::Selection;
use self::worker::Answer;
use super::run::pass_on_signals;
use crate::cli::{Format, PageCheckArgs};
use crate::document;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::check::{Printer, Shown};
use crate::settings;

/// The exit code of whoever was told to stop.
pub(super) const INTERRUPTED: u8 = 130;

/// The largest page or DESIGN.md that is read.
const LARGEST: Bytes = Bytes(8 * 1024 * 1024);

/// What a batch is held against.
struct Rules {
    bar: Bar,
    selection: Selection,
}

pub(crate) async fn check(args: PageCheckArgs, output: Output) -> Result<u8, Refusal> {
    let rules = rules(&args)?;
    let pages = pages::expand(&args.pages)?;
    let asking = asking(&args, &pages)?;
    let format = if args.json { Format::Json } else { args.format };
    let printer = Printer::new(format, Shown { most: args.max_findings, bar: rules.bar }, output);
    let interrupt = CancellationToken::new();
    tokio::select! {
        code = all(pages, asking, &rules, printer, output) => code,
        () = pass_on_signals(interrupt.clone()) => Ok(INTERRUPTED),
        () = interrupt.cancelled() => {
            output.transient("");
            output.note("interrupted; what is above is not all of it");
            Ok(INTERRUPTED)
        }
    }
}

fn rules(args: &PageCheckArgs) -> Result<Rules, Refusal> {
    if let Some(threshold) = args.threshold
        && !(0.0..=10.0).contains(&threshold)
    {
        return Err(Refusal::usage(format!("--threshold {threshold}: a score is between 0 and 10")));
    }
    let settings = settings::load(BTreeMap::new())?;
    let bar =
        Bar { fail_on: args.fail_on.into(), threshold: args.threshold, weights: settings.critique.weights };
    Ok(Rules { bar, selection: Selection::new(&args.only, &args.skip)? })
}

fn asking(args: &PageCheckArgs, pages: &[PathBuf]) -> Result<Asking, Refusal> {
    let design = args.design.as_deref().map(|path| {
        document::read(path, "DESIGN.md", LARGEST, "a DESIGN.md is a few pages")
            .map(|given| String::from_utf8_lossy(&given.bytes).into_owned())
    });
    if let Some(root) = args.root.as_deref().filter(|root| !root.is_dir()) {
        return Err(Refusal::usage(format!("--root {}: there is no such folder", root.display())));
    }
    let stdin = pages.iter().find(|page| document::is_stdin(page)).map(|page| {
        let given = document::read(page, "page", LARGEST, "split the page")?;
        Ok::<_, Refusal>(worker::text_of(given.bytes, &mut Vec::new()))
    });
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(Asking {
        design: design.transpose()?,
        root: args.root.clone(),
        jobs: args.jobs.map_or(cores, usize::from),
        stdin: stdin.transpose()?,
    })
}

/// Measures, judges and prints every page, in order.
async fn all(
    pages: Vec<PathBuf>,
    asking: Asking,
    rules: &Rules,
    mut printer: Printer,
    output: Output,
) -> Result<u8, Refusal> {
    let total = pages.len();
    let mut batch = Batch::start(pages, asking);
    let mut totals = Totals::default();
    printer.begin();
    output.transient(&format!("measuring {total} pages …"));
    while let Some((path, answer)) = batch.next().await {
        let page = judge(&path, answer, rules);
        totals.add(&page);
        output.transient("");
        printer.page(&page);
        output.transient(&format!("{} of {total} pages measured …", batch.measured()));
    }
    output.transient("");
    printer.end(&totals);
    Ok(totals.code())
}

fn judge(path: &Path, mut answer: Answer, rules: &Rules) -> Checked {
    if let Ok(report) = &mut answer.report {
        rules.selection.narrow(report);
    }
    Checked::judge(path.display().to_string(), answer, &rules.bar, None)
}
