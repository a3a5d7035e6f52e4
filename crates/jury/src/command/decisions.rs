//! `jury decisions`: what runs ask people, and the answers.

use jiff::Timestamp;
use jury_core::critic::{Answer, DefaultAnswer, Question, format};
use jury_core::decision::{DecisionId, DecisionState, Given, InboxDecision};
use jury_store::{Daemon, Store, StoreError};

use super::critic::{answer_overdue, name_of_user, resume_here};
use crate::cli::{
    AnswerArgs, DecisionsArgs, DecisionsCommand, DecisionsListArgs, Format, GateArgs, Global, ListFormat,
    ShowOptions,
};
use crate::document;
use crate::gate::Gate;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::render::printable;

pub(crate) async fn decisions(args: DecisionsArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    match args.command {
        DecisionsCommand::List(args) => list(args, global, output).await,
        DecisionsCommand::Answer(args) => answer(args, global, output).await,
    }
}

async fn list(args: DecisionsListArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let store = super::open_to_read(global).await?;
    // A store that cannot be written to can still be read.
    answer_overdue(&store, output).await.ok();
    let state = (!args.all).then_some(DecisionState::Open);
    let decisions = store.decisions(state, None).await?;
    match args.format {
        ListFormat::Json => Output::result(&serde_json::to_string_pretty(&decisions).unwrap_or_default()),
        ListFormat::Human if decisions.is_empty() => output.progress("nobody waits for an answer"),
        ListFormat::Human => {
            let parts: Vec<String> = decisions.iter().map(|one| shown(one, output)).collect();
            Output::result(&parts.join("\n\n"));
        }
    }
    Ok(0)
}

/// A question with everything that one needs to answer it.
fn shown(decision: &InboxDecision, output: Output) -> String {
    let InboxDecision { id, run_id, title, round, question, .. } = decision;
    let head = output.paint_result(Tone::Bold, id.as_str());
    let title = printable(title, 60);
    let verdict = decision.workflow.asks_for_verdict();
    let mut lines = vec![if verdict {
        format!("{head}  {title}, judged in run {run_id}")
    } else {
        format!("{head}  {title}, pass {round} of run {run_id}")
    }];
    match (&decision.answer, decision.state) {
        (Some(given), _) => lines.push(format!(
            "  [{}] {}\n  answered: {}, by {}",
            question.criterion,
            printable(&question.question, 200),
            words(&given.answer),
            printable(&given.by, 60)
        )),
        (None, DecisionState::Closed) => lines.push(format!(
            "  [{}] {}\n  closed: the run ended without an answer",
            question.criterion,
            printable(&question.question, 200)
        )),
        (None, DecisionState::Open | DecisionState::Answered) => {
            if verdict {
                lines.extend(verdict_wanted(question));
            } else {
                lines.push(format::write_escalation(question).trim_end().to_owned());
            }
            if let Some(until) = decision.answer_by {
                let default = match decision.default_answer {
                    DefaultAnswer::Skip => "skip".to_owned(),
                    DefaultAnswer::Option(number) => format!("option {number}"),
                };
                lines.push(format!("  until     {}; then {default}", until.strftime("%F %H:%M UTC")));
            }
            let others = if verdict { "or pass, partial, fail, defer" } else { "or skip, or \"words\"" };
            lines.push(format!("  answer    jury decisions answer {id} 1   ({others})"));
        }
    }
    lines.join("\n")
}

/// What a panel of judges asks.
fn verdict_wanted(question: &Question) -> Vec<String> {
    let mut lines = vec![
        format!("  {}", printable(&question.question, 200)),
        format!("  {}: {}", printable(&question.why, 200), printable(&question.issue, 300)),
    ];
    lines.extend((1..).zip(&question.options).map(|(number, choice)| {
        let (label, text) = (printable(&choice.label, 20), printable(&choice.description, 300));
        format!("  {number}. {label} ({}): {text}", printable(&choice.pro, 80))
    }));
    let defer = question.options.len() + 1;
    lines.push(format!("  {defer}. defer: leave it at partial, as the rule has it"));
    lines
}

fn words(answer: &Answer) -> String {
    match answer {
        Answer::Option(number) => format!("option {number}"),
        Answer::Text(text) => format!("\"{}\"", printable(text, 200)),
        Answer::Skip => "skip".to_owned(),
    }
}

async fn answer(args: AnswerArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    if let Some(out) = &args.keep.out {
        document::check_out(out)?;
    }
    let id: DecisionId = args.id.parse().map_err(|error| Refusal::usage(format!("{error}")))?;
    let store = super::open_to_existing(global, output).await?;
    answer_overdue(&store, output).await?;
    let Some(decision) = store.decision(&id).await? else {
        return Err(StoreError::NoSuchDecision(id.to_string()).into());
    };
    refuse_settled(&decision)?;
    let options = decision.question.options.len();
    let Some(answer) = Answer::from_typed(&args.answer, options) else {
        return Err(Refusal::usage(format!(
            "'{}' is no answer to {id}: give a number from 1 to {}, skip, or words",
            printable(&args.answer, 60),
            options + 1
        )));
    };
    let by = args.by.filter(|by| !by.trim().is_empty()).unwrap_or_else(name_of_user);
    let said = words(&answer);
    let settled = match store.answer(&id, Given { answer, by, at: Timestamp::now() }).await {
        Err(error) if error.is_conflict() => {
            // Somebody was faster by a moment.
            if let Some(decision) = store.decision(&id).await? {
                refuse_settled(&decision)?;
            }
            return Err(error.into());
        }
        settled => settled?,
    };
    let run = decision.run_id;
    output.progress(&format!("{id} is answered: {said}"));
    if settled.left > 0 {
        let rest =
            if settled.left == 1 { "1 more question".to_owned() } else { format!("{} more", settled.left) };
        let again = if args.keep.is_asked() { "; give --write or --out with the last answer" } else { "" };
        output.progress(&format!("run {run} waits for {rest}; see 'jury decisions list'{again}"));
        return Ok(0);
    }
    if decision.workflow.asks_for_verdict() {
        // Nobody is asked any more, so that it takes no time; where a daemon was faster, it is done.
        let code = match super::judge::settle_here(&store, run, output).await {
            Err(_) if daemon(&store)?.is_some() => {
                output.progress(&format!("the daemon goes on with it; see 'jury report {run}'"));
                0
            }
            settled => settled?,
        };
        store.close().await.ok();
        return Ok(code);
    }
    if args.no_resume {
        output.progress(&format!("run {run} has its answers; go on with 'jury critic resume {run}'"));
        return Ok(0);
    }
    if let Some(by) = daemon(&store)? {
        output.progress(&format!("run {run} has its answers; the daemon ({by}) goes on with it"));
        let later = format!(
            "it writes no files; when it has ended: 'jury critic show {run} --out FILE', or 'jury critic resume {run} --write'"
        );
        if args.keep.is_asked() {
            Output::say(&later);
        } else {
            output.progress(&later);
        }
        return Ok(0);
    }
    let show = ShowOptions { gate: GateArgs::default(), format: Format::Human, no_input: false };
    let code = resume_here(&store, run, &args.keep, &Gate::shut(), &show, output).await?;
    store.close().await.ok();
    Ok(code)
}

/// The first answer counts.
fn refuse_settled(decision: &InboxDecision) -> Result<(), Refusal> {
    match (&decision.answer, decision.state) {
        (Some(given), _) => Err(Refusal::usage(format!(
            "{} has its answer already: {}, by {}; the first one counts",
            decision.id,
            words(&given.answer),
            printable(&given.by, 60)
        ))),
        (None, DecisionState::Closed) => Err(Refusal::usage(format!(
            "{} is closed: its run has ended; see 'jury report {}'",
            decision.id, decision.run_id
        ))),
        (None, DecisionState::Open | DecisionState::Answered) => Ok(()),
    }
}

/// Who serves this data directory, if anybody does.
fn daemon(store: &Store) -> Result<Option<String>, StoreError> {
    match Daemon::register(store) {
        // Nobody did, and nobody does from here on.
        Ok(nobody) => {
            drop(nobody);
            Ok(None)
        }
        Err(StoreError::Served { by, .. }) => Ok(Some(by)),
        Err(error) => Err(error),
    }
}
