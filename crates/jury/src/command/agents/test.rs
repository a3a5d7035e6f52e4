//! `jury agents test`: the conformance briefs, one run each, and what they mean for the agent.

use jury_core::conformance::{BARS, BriefResult, Class, ConformanceVerdict, CycleRuling, CycleTally};
use jury_core::id::AgentId;
use jury_core::line;
use jury_engine::Measuring;
use jury_store::Owner;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::bench::{Bench, NoCycle, Tested};
use super::history;
use super::percent;
use super::seats::{Seat, Seats};
use crate::cli::{AgentsTestArgs, Global};
use crate::command::house;
use crate::command::run::{INTERRUPTED, pass_on_signals};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::settings;

/// The exit code when an agent is below the bars.
const BELOW: u8 = 1;

pub(super) async fn test(args: AgentsTestArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let flags = args.evidence.clone().map(|mode| ("OD_CRITIQUE_EVIDENCE", mode));
    let settings = settings::load(flags.into_iter().collect())?;
    let seats = Seats::load(&settings)?;
    let named: Vec<String> = if args.agents.is_empty() {
        let free = |seat: &Seat<'_>| matches!(seat, Seat::House | Seat::Own(_));
        seats.all().filter(|(_, seat)| free(seat)).map(|(id, _)| id.to_owned()).collect()
    } else {
        args.agents.clone()
    };
    let mut agents = Vec::new();
    for id in &named {
        let agent: AgentId = id.parse().map_err(|error| Refusal::usage(format!("ID: {error}")))?;
        let seat = seats.find(&agent)?;
        agents.push((agent, seat));
    }
    let store = crate::command::open_to_write(global, output).await?;
    let owner = Owner::register(&store)?;
    let _guard = crate::reaper::post();
    let stop = CancellationToken::new();
    let bench = Bench {
        store: &store,
        owner: &owner,
        settings: settings.with_fixed_cast(),
        briefs: args.briefs,
        model: args.model.as_deref(),
        measuring: Measuring::with(house::measure_elsewhere),
        stop: stop.clone(),
    };
    let mut tested = Vec::new();
    for (agent, seat) in agents {
        let mut observer = |result: &BriefResult| output.progress(&line(&agent, result, output));
        let cycle = tokio::select! {
            cycle = bench.cycle(&agent, seat, &mut observer) => cycle,
            // Never returns: it only passes the wish to stop on.
            () = pass_on_signals(stop.clone()) => Err(NoCycle::Interrupted),
        };
        match cycle {
            Ok(result) => tested.push(result),
            Err(NoCycle::Interrupted) => {
                output.note("interrupted: the cycle is not kept");
                return Ok(INTERRUPTED);
            }
            Err(NoCycle::Refused(refusal)) => return Err(refusal),
        }
    }
    print(&tested, &args, output);
    store.close().await.ok();
    Ok(if tested.iter().all(|tested| tested.tally.meets(BARS)) { 0 } else { BELOW })
}

fn tone(class: Class) -> Tone {
    match class {
        Class::Shipped => Tone::Good,
        Class::Degraded => Tone::Poor,
        Class::Failed => Tone::Bad,
    }
}

fn line(agent: &AgentId, result: &BriefResult, output: Output) -> String {
    let ConformanceVerdict { class, breaches, .. } = &result.verdict;
    let word = output.paint(tone(*class), &format!("{:<8}", class.as_str()));
    let score = result.composite.map_or_else(|| "-".to_owned(), |composite| composite.to_string());
    let why: Vec<String> =
        breaches.iter().map(|breach| format!("{}: {}", breach.assertion, breach.detail)).collect();
    format!("{agent}  {:<16}  {word}  {score:>4}  {}", result.brief, why.join("; ")).trim_end().to_owned()
}

fn meaning(tested: &Tested) -> String {
    let agent = &tested.cycle.agent;
    match tested.ruling {
        CycleRuling::Clear => "conforms".to_owned(),
        CycleRuling::Nothing if tested.tally.meets(BARS) => {
            "conforms so far; a whole cycle has ten briefs".to_owned()
        }
        CycleRuling::Nothing => "below the bars; a whole cycle has ten briefs".to_owned(),
        CycleRuling::Strike => "below the bars; a second cycle like this marks it as degraded".to_owned(),
        CycleRuling::Degrade { until } => format!(
            "marked critique:degraded until {}; 'jury agents clear-degraded {agent}' takes it away",
            until.strftime("%Y-%m-%d %H:%M UTC")
        ),
    }
}

/// What that means for a rollout, where there is a history.
fn rollout(tested: &Tested) -> String {
    tested.ratchet.map_or_else(String::new, |found| format!("; ratchet: {}", history::words(found)))
}

fn print(tested: &[Tested], args: &AgentsTestArgs, output: Output) {
    if args.json {
        let list: Vec<serde_json::Value> = tested.iter().map(document).collect();
        Output::result(&serde_json::to_string_pretty(&list).unwrap_or_default());
    } else if args.markdown {
        Output::result(&markdown(tested));
    } else {
        for tested in tested {
            let CycleTally { runs, shipped, clean } = tested.tally;
            let fine = tested.tally.meets(BARS);
            Output::result(&format!(
                "{}  {shipped} of {runs} shipped ({}), {clean} read cleanly ({}): {}{}",
                output.paint_result(Tone::Bold, tested.cycle.agent.as_str()),
                percent(shipped, runs),
                percent(clean, runs),
                output.paint_result(if fine { Tone::Good } else { Tone::Bad }, &meaning(tested)),
                rollout(tested),
            ));
        }
    }
}

fn document(tested: &Tested) -> serde_json::Value {
    let until = match tested.ruling {
        CycleRuling::Degrade { until } => Some(until.to_string()),
        CycleRuling::Nothing | CycleRuling::Clear | CycleRuling::Strike => None,
    };
    json!({
        "agent": tested.cycle.agent,
        "at": tested.cycle.at.to_string(),
        "runs": tested.tally.runs,
        "shipped": tested.tally.shipped,
        "clean": tested.tally.clean,
        "conforms": tested.tally.meets(BARS),
        "degradedUntil": until,
        "ratchet": tested.ratchet,
        "results": tested.cycle.results,
    })
}

fn markdown(tested: &[Tested]) -> String {
    let mut lines = vec![
        "| agent | brief | class | clean parse | composite | breaches |".to_owned(),
        "|---|---|---|---|---:|---|".to_owned(),
    ];
    for tested in tested {
        for result in &tested.cycle.results {
            let score = result.composite.map_or_else(|| "–".to_owned(), |composite| composite.to_string());
            let why: Vec<&str> =
                result.verdict.breaches.iter().map(|breach| breach.detail.as_str()).collect();
            let clean = if result.verdict.clean_parse { "yes" } else { "no" };
            lines.push(format!(
                "| `{}` | {} | {} | {clean} | {score} | {} |",
                tested.cycle.agent,
                result.brief,
                result.verdict.class,
                quoted(&why.join("; ")),
            ));
        }
    }
    for tested in tested {
        let CycleTally { runs, shipped, clean } = tested.tally;
        lines.push(format!(
            "\n`{}`: {} shipped, {} read cleanly: {}{}.",
            tested.cycle.agent,
            percent(shipped, runs),
            percent(clean, runs),
            meaning(tested),
            rollout(tested)
        ));
    }
    lines.join("\n")
}

/// What an agent said, as text in a cell of a table.
fn quoted(text: &str) -> String {
    let one_line = line::spaced(text);
    one_line.replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|")
}
