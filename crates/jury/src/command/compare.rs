//! `jury compare`: two runs of one workflow beside each other.

use std::fmt::Write as _;

use jury_core::comparison::{ComparedRun, RunComparison};
use jury_core::finding::Finding;
use jury_core::run::Outcome;

use crate::cli::{CompareArgs, Global, ListFormat};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::render::printable;

/// The most characters of a finding that are shown.
const WIDEST_FINDING: usize = 200;

pub(crate) async fn compare(args: CompareArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = super::open_to_read(global).await?;
    let mut rows = Vec::with_capacity(2);
    for given in [&args.base, &args.other] {
        let run = store.find_run(given).await?;
        let row = store.run(run).await?;
        rows.push(row.ok_or_else(|| Refusal::usage(format!("there is no run {run}; see 'jury runs'")))?);
    }
    let [base, other] = rows.as_slice() else { return Err(Refusal::usage("name two runs")) };
    let Some(both) = jury_engine::compare(&store, base, other).await? else {
        return Err(Refusal::usage(format!(
            "{} is a run of the {}, {} one of the {}: compare two of one workflow",
            base.run, base.workflow, other.run, other.workflow
        )));
    };
    Output::result(&match args.format {
        ListFormat::Human => human(&both, output),
        ListFormat::Json => serde_json::to_string_pretty(&both).unwrap_or_default(),
    });
    // It tells, and gates nothing.
    Ok(0)
}

fn human(both: &RunComparison, output: Output) -> String {
    let mut text = String::new();
    for (name, run) in [("base ", &both.base), ("other", &both.other)] {
        writeln!(text, "{name}  {}", line(run)).ok();
    }
    let parts = [
        ("fixed", &both.fixed, Tone::Good),
        ("new", &both.new, Tone::Bad),
        ("still open", &both.still, Tone::Bold),
    ];
    for (name, findings, tone) in parts {
        write!(text, "\n{} {}", output.paint_result(tone, name), findings.len()).ok();
        for finding in findings {
            write!(text, "\n  {}", shown(finding)).ok();
        }
    }
    text
}

fn line(run: &ComparedRun) -> String {
    let status = run.status.map_or("running", Outcome::as_str);
    let composite = run.composite.map(|composite| format!(", composite {composite}")).unwrap_or_default();
    format!("{}  {}: {status}{composite}, {} open", run.run_id, printable(&run.title, 80), run.open)
}

fn shown(finding: &Finding) -> String {
    let rule = finding.rule.as_deref().map(|rule| format!("{rule}: ")).unwrap_or_default();
    format!("{} {rule}{}", finding.severity.as_str(), printable(&finding.text, WIDEST_FINDING))
}
