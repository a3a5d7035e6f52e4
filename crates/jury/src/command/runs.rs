//! `jury runs`: what is kept here.
use jury_core::run::OutcomeWord as _;
use jury_core::run::{Outcome, RunState};

use jury_core::content::ContentStatus;
use jury_core::critic::CriticStatus;
use jury_core::judge::JudgeStatus;
use jury_core::line;
use jury_core::outcome::TheaterStatus;
use jury_core::workflow::Workflow;
use jury_store::{RunFilter, RunRow};
use serde_json::json;

use crate::cli::{Global, RunsArgs};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;

pub(crate) async fn runs(args: RunsArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let status: Option<Outcome> = args
        .status
        .as_deref()
        .map(|word| Workflow::ALL.iter().find_map(|workflow| Outcome::read(*workflow, word).ok()).ok_or(()))
        .transpose()
        .map_err(|()| {
            let words: Vec<&str> = TheaterStatus::ALL.iter().map(|word| word.as_str()).collect();
            let of_critic = CriticStatus::ALL.iter().filter(|word| word.is_end()).map(|word| word.as_str());
            let of_judge = JudgeStatus::ALL.iter().filter(|word| word.is_end()).map(|word| word.as_str());
            let of_content = ContentStatus::ALL.iter().filter(|word| word.is_end()).map(|word| word.as_str());
            let mut others: Vec<&str> = Vec::new();
            for word in of_critic.chain(of_judge).chain(of_content) {
                if !words.contains(&word) && !others.contains(&word) {
                    others.push(word);
                }
            }
            let given = args.status.as_deref().unwrap_or_default();
            let all = [words, others].concat().join(", ");
            Refusal::usage(format!("--status: '{given}' is none of {all}"))
        })?;
    let agent = args
        .agent
        .as_deref()
        .map(str::parse)
        .transpose()
        .map_err(|error| Refusal::usage(format!("--agent: {error}")))?;
    let store = super::open_to_read(global).await?;
    let filter = RunFilter { status, agent, limit: Some(args.limit), ..RunFilter::default() };
    let rows = store.runs(&filter).await?;
    if args.json {
        let rows: Vec<serde_json::Value> = rows.iter().map(document).collect();
        Output::result(&serde_json::to_string_pretty(&rows).unwrap_or_default());
    } else if rows.is_empty() {
        output.progress("no runs");
    } else {
        Output::result(&table(&rows, output));
    }
    Ok(0)
}

fn document(row: &RunRow) -> serde_json::Value {
    json!({
        "runId": row.run,
        "artifactId": row.artifact,
        "projectId": row.project,
        "workflow": row.workflow,
        "agent": row.agent,
        "title": row.title,
        "state": row.state,
        "status": row.summary.status,
        "outcome": row.summary.status.map(Outcome::kind),
        "composite": row.summary.score,
        "round": row.summary.round,
        "rounds": row.summary.rounds,
        "createdAt": row.created_at.to_string(),
        "startedAt": row.started_at.map(|at| at.to_string()),
        "endedAt": row.ended_at.map(|at| at.to_string()),
    })
}

fn table(rows: &[RunRow], output: Output) -> String {
    let mut lines = vec![format!(
        "{:<36}  {:<16}  {:<15}  {:>5}  {:>6}  {:<8}  {}",
        "RUN", "WHEN", "STATUS", "SCORE", "ROUNDS", "AGENT", "TITLE"
    )];
    for row in rows {
        let (word, tone) = match (row.state, row.summary.status) {
            (RunState::Ended, Some(status)) => {
                (status.as_str(), if status.exit_code() == 0 { Tone::Good } else { Tone::Poor })
            }
            (state, _) => (state.as_str(), Tone::Bold),
        };
        let when = row.created_at.strftime("%Y-%m-%d %H:%M");
        let score = row.summary.score.map_or_else(|| "-".to_owned(), |score| score.to_string());
        let status = output.paint_result(tone, &format!("{word:<15}"));
        let title = line::cut(&row.title, 40);
        lines.push(format!(
            "{:<36}  {when:<16}  {status}  {score:>5}  {:>6}  {:<8}  {title}",
            row.run.to_string(),
            row.summary.rounds,
            row.agent.as_str(),
        ));
    }
    lines.join("\n")
}
