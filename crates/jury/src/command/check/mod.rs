//! `jury check`: many pages as they stand, measured by the house, with one summary and one exit code.

pub(crate) mod baseline;
mod batch;
mod copies;
mod elements;
pub(crate) mod glob;
mod mark;
mod pages;
pub(crate) mod selection;
mod verdict;
mod watch;
pub(super) mod worker;

pub(crate) use baseline::check_of;
pub(crate) use verdict::{Bar, Checked, PageStatus, Totals};
pub(crate) use watch::Change;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury_core::score::Threshold;
use jury_house::{Explanation, Report};
use tokio_util::sync::CancellationToken;

use self::baseline::Baseline;
use self::batch::{Asking, Batch};
use self::copies::Copies;
use self::selection::Selection;
use self::verdict::SCALE;
use self::worker::{Answer, LIMIT, Request, Text, Worker};
use super::run::{INTERRUPTED, pass_on_signals};
use crate::cli::{Format, LookOptions, PageCheckArgs};
use crate::document;
use crate::gate::Gate;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::check::{Printer, Shown, pages as count_pages};
use crate::settings;

/// What is written down of a batch.
struct Keeping {
    /// The baseline, and whether it is to be written.
    baseline: Option<(Baseline, bool)>,
    copies: Option<Copies>,
}

/// What a batch is held against.
struct Rules {
    bar: Bar,
    selection: Selection,
    shown: Shown,
    gate: Gate,
}

pub(crate) async fn check(args: PageCheckArgs, output: Output) -> Result<u8, Refusal> {
    let rules = rules(&args)?;
    let pages = pages::expand(&args.pages)?;
    if args.watch && (args.format != Format::Human || pages.iter().any(|page| document::is_stdin(page))) {
        return Err(Refusal::usage("--watch is for files and for people: name pages, and no --format"));
    }
    let baseline = args.gate.baseline.as_deref();
    let baseline = baseline.map(|place| Baseline::read(place, args.gate.update_baseline)).transpose()?;
    let copies = args.repair.as_deref().map(|folder| Copies::plan(folder, &pages)).transpose()?;
    let asking = asking(&args, &pages)?;
    let interrupt = CancellationToken::new();
    let work = async {
        if args.watch {
            return watch::watch(&args.pages, asking, args.look.design.as_deref(), &rules, output).await;
        }
        let format = if args.json { Format::Json } else { args.format };
        let printer = Printer::new(format, rules.shown, output);
        let baseline = baseline.map(|baseline| (baseline, args.gate.update_baseline));
        all(pages, asking, &rules, Keeping { baseline, copies }, printer, output).await
    };
    tokio::select! {
        // In this order: whoever is told to stop must hear it before there is anything to stop.
        biased;
        () = pass_on_signals(interrupt.clone()) => Ok(INTERRUPTED),
        () = interrupt.cancelled() => {
            output.transient("");
            if !args.watch {
                output.note("interrupted; what is above is not all of it");
            }
            Ok(INTERRUPTED)
        }
        code = work => code,
    }
}

fn rules(args: &PageCheckArgs) -> Result<Rules, Refusal> {
    if let Some(threshold) = args.threshold
        && !(0.0..=10.0).contains(&threshold)
    {
        return Err(Refusal::usage(format!("--threshold {threshold}: a score is between 0 and 10")));
    }
    if let (Some(threshold), false) = (args.threshold, args.force)
        && Threshold(threshold).is_low(SCALE)
    {
        return Err(Refusal::usage(format!(
            "--threshold is '{threshold}': it must be 5 or more, half of the score scale; add --force to pass with less"
        )));
    }
    let settings = settings::load(BTreeMap::new())?;
    let bar = Bar { fail_on: args.fail_on, threshold: args.threshold, weights: settings.critique.weights };
    let shown = Shown { most: args.max_findings, bar };
    let gate = Gate::of_waivers(&args.gate)?;
    Ok(Rules { bar, selection: Selection::new(&args.only, &args.skip)?, shown, gate })
}

fn asking(args: &PageCheckArgs, pages: &[PathBuf]) -> Result<Asking, Refusal> {
    let mut asking = look(&args.look)?;
    if let Some(page) = pages.iter().find(|page| document::is_stdin(page)) {
        asking.stdin = Some(from_stdin(page)?);
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    asking.repair = args.repair.is_some();
    asking.limit = args.page_timeout.map_or(LIMIT, |seconds| Duration::from_secs(seconds.into()));
    asking.jobs = args.jobs.map_or(cores, usize::from);
    Ok(asking)
}

fn look(options: &LookOptions) -> Result<Asking, Refusal> {
    if let Some(root) = options.root.as_deref() {
        document::check_root(root)?;
    }
    let design = options.design.as_deref().map(document::read_design).transpose()?;
    let design_folder = options.design.as_deref().and_then(Path::parent).map(Path::to_owned);
    Ok(Asking {
        design,
        design_folder,
        root: options.root.clone(),
        jobs: 1,
        repair: false,
        limit: LIMIT,
        stdin: None,
    })
}

fn from_stdin(path: &Path) -> Result<Text, Refusal> {
    let given = document::read(path, "page", document::LARGEST_PAGE, "split the page")?;
    Ok(Text::of(given.bytes))
}

/// Measures, judges and prints every page, in order.
async fn all(
    pages: Vec<PathBuf>,
    asking: Asking,
    rules: &Rules,
    keeping: Keeping,
    mut printer: Printer,
    output: Output,
) -> Result<u8, Refusal> {
    let total = pages.len();
    let Keeping { mut baseline, mut copies } = keeping;
    let mut batch = Batch::start(pages, asking);
    let mut totals = Totals::default();
    printer.begin();
    output.transient(&format!("measuring {} …", count_pages(total)));
    while let Some((path, answer)) = batch.next().await {
        let mut page = judge(&path, answer, rules, baseline.as_mut());
        if let (Some(copies), Some(mended)) = (&mut copies, &mut page.mended) {
            page.written = Some(copies.write(&path, &mended.html)?.display().to_string());
            mended.html.clear();
        }
        totals.add(&page);
        output.transient("");
        printer.page(&page);
        output.transient(&format!("{} of {} measured …", batch.measured(), count_pages(total)));
    }
    output.transient("");
    let mut aftermath: Vec<String> = rules.bar.condition().into_iter().collect();
    match baseline {
        Some((baseline, true)) => aftermath.push(baseline.update()?),
        Some((baseline, false)) => {
            aftermath.extend(baseline.remark());
            if totals.fixed > 0 {
                let they = if totals.fixed == 1 { "it" } else { "they" };
                aftermath.push(format!(
                    "{} fixed: run --update-baseline, so that {they} cannot come back unseen",
                    totals.fixed
                ));
            }
            aftermath.extend(baseline.stale().into_iter().map(|entry| format!("stale: {entry}")));
        }
        None => {}
    }
    printer.end(&totals, &aftermath);
    Ok(totals.code())
}

#[expect(clippy::needless_pass_by_value, reason = "an optional borrow is as good as one")]
fn judge(path: &Path, mut answer: Answer, rules: &Rules, baseline: Option<&mut (Baseline, bool)>) -> Checked {
    let mut against = None;
    if let Ok(report) = &mut answer.report {
        rules.selection.narrow(report);
        if let Some(mended) = &mut answer.mended {
            rules.selection.narrow(&mut mended.before);
        }
        if let Some((baseline, update)) = baseline {
            // The file is about the page that is there, not about the copy that a repair makes of it.
            let there = answer.mended.as_ref().map_or(&*report, |mended| &mended.before);
            let mut comparison = baseline.compare(path, there, &rules.selection);
            // What is written down now is known.
            if *update {
                comparison.accept();
            }
            comparison.leave(report);
            against = Some(comparison);
        }
    }
    let mut page = Checked::judge(path.display().to_string(), answer, &rules.bar, against);
    page.waive(&rules.gate);
    page
}

/// The question to explain a finding of a page in a file, or of one that came from stdin.
pub(crate) fn ask_for(page: &Path, options: &LookOptions) -> Result<Request, Refusal> {
    if !document::is_stdin(page) && !page.exists() {
        return Err(Refusal::usage(format!("no such file: {}", page.display())));
    }
    let text = if document::is_stdin(page) { Some(from_stdin(page)?) } else { None };
    let Asking { design, design_folder, root, .. } = look(options)?;
    let path = page.to_owned();
    Ok(Request { path, text, design, design_folder, root, repair: false, explain: None, limit: LIMIT })
}

/// The same for a page that is in no file.
pub(crate) fn ask_for_text(text: String, options: &LookOptions) -> Result<Request, Refusal> {
    let Asking { design, design_folder, root, .. } = look(options)?;
    Ok(Request {
        path: PathBuf::from("-"),
        text: Some(Text { text, lossy: false }),
        design,
        design_folder,
        root,
        repair: false,
        explain: None,
        limit: LIMIT,
    })
}

/// Has one page measured.
pub(crate) fn measure(request: &Request) -> Result<Report, String> {
    Worker::default().ask(request).report
}

/// Has a finding explained.
pub(crate) fn explain(request: Request, id: &str) -> Result<Explanation, String> {
    let request = Request { explain: Some(id.to_owned()), ..request };
    let answer = Worker::default().ask(&request);
    answer.explanation.ok_or_else(|| answer.report.err().unwrap_or_else(|| "nothing came back".to_owned()))
}
