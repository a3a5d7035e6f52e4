//! `jury critic deferrals`: what was put off, by whom, why, and until when.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jury_core::critic::{CriticState, Deferral};
use jury_core::id::{ProjectId, RunId};
use jury_core::workflow::WorkflowState as _;
use jury_store::{RunFilter, Store, StoreError};
use serde_json::json;

use crate::cli::{DeferralsArgs, Global, ListFormat};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::render::printable;

/// How many runs back a document is looked for.
const FAR_BACK: u32 = 500;

/// What the last run of a document put off.
struct Held {
    file: String,
    run: RunId,
    project: ProjectId,
    deferral: Deferral,
    expired: bool,
}

pub(super) async fn deferrals(args: DeferralsArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = crate::command::open_to_read(global).await?;
    let held = all(&store, Timestamp::now()).await?;
    match args.format {
        ListFormat::Json => {
            let list: Vec<_> = held
                .iter()
                .map(|one| {
                    json!({
                        "file": one.file, "runId": one.run, "projectId": one.project,
                        "deferral": one.deferral, "open": one.expired,
                    })
                })
                .collect();
            Output::result(&serde_json::to_string_pretty(&list).unwrap_or_default());
        }
        ListFormat::Human if held.is_empty() => output.progress("nothing is put off"),
        ListFormat::Human => Output::result(&table(&held, output)),
    }
    Ok(0)
}

fn table(held: &[Held], output: Output) -> String {
    let mut lines = Vec::new();
    let mut file = None;
    for one in held {
        if file != Some(&one.file) {
            file = Some(&one.file);
            lines.push(output.paint_result(Tone::Bold, &printable(&one.file, 200)));
        }
        let until = if one.expired {
            output.paint_result(Tone::Bad, &format!("open again since {}", one.deferral.until.strftime("%F")))
        } else {
            format!("until {}", one.deferral.until.strftime("%F"))
        };
        let release =
            one.deferral.release.as_deref().map_or_else(String::new, |release| {
                format!(" or the release after {}", printable(release, 40))
            });
        lines.push(format!(
            "  {}  {}\n    put off by {} {until}{release}",
            one.deferral.criterion,
            printable(&one.deferral.reason, 200),
            printable(&one.deferral.author, 60),
        ));
    }
    lines.join("\n")
}

/// Everything that is put off: for each document, as its last run left it.
async fn all(store: &Store, now: Timestamp) -> Result<Vec<Held>, StoreError> {
    let filter =
        RunFilter { workflow: Some(CriticState::WORKFLOW), limit: Some(FAR_BACK), ..RunFilter::default() };
    let mut seen = BTreeSet::new();
    let mut held = Vec::new();
    for row in store.runs(&filter).await? {
        let Some(request) = store.request::<CriticState>(row.run).await? else { continue };
        let state = store.state::<CriticState>(row.run).await?;
        if state.passes.is_empty() || !seen.insert((row.project.clone(), request.file.clone())) {
            continue;
        }
        held.extend(state.deferrals.into_iter().map(|deferral| Held {
            file: request.file.clone(),
            run: row.run,
            project: row.project.clone(),
            expired: deferral.until <= now,
            deferral,
        }));
    }
    held.sort_by(|a, b| (&a.file, a.deferral.until).cmp(&(&b.file, b.deferral.until)));
    Ok(held)
}
