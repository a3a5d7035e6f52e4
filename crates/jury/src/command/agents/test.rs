//! `jury agents test`: the conformance briefs, one run each, and what they mean for the agent.

use std::collections::BTreeMap;
use std::time::Duration;

use jury_agents::prompt::{Ask, BRIEFS, Brief, Material};
use jury_core::conformance::{
    BARS, BriefResult, Class, Cycle, Evidence, Ruling, Tally, Verdict, rule, verdict, why_degraded,
};
use jury_core::event::TheaterEvent;
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::line;
use jury_core::outcome::{FailedCause, Status};
use jury_core::record::Record;
use jury_core::theater::{Board, Subject};
use jury_core::unit::Millis;
use jury_engine::{EngineError, Job, Measuring, Panel};
use jury_store::{Owner, Store};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::history::{self, History};
use super::percent;
use super::seats::{Seat, Seats};
use crate::agent::{self, Task, Wanted};
use crate::cli::{AgentsTestArgs, Global};
use crate::command::house;
use crate::command::run::{INTERRUPTED, pass_on_signals};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::settings::{self, Settings};

/// The project of conformance runs.
const PROJECT: &str = "conformance";

/// How long an agent may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// The exit code when an agent is below the bars.
const BELOW: u8 = 1;

/// How many cycles the rule needs to see, tries in between included.
const HISTORY: u32 = 50;

/// An agent that was tested.
struct Tested {
    cycle: Cycle,
    tally: Tally,
    ruling: Ruling,
    /// What its history allows, this cycle included.
    ratchet: Option<Evidence>,
}

/// Why there is no cycle.
enum Ended {
    Interrupted,
    Refused(Refusal),
}

impl<T: Into<Refusal>> From<T> for Ended {
    fn from(error: T) -> Self {
        Self::Refused(error.into())
    }
}

pub(super) async fn test(args: AgentsTestArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let settings = settings::load(BTreeMap::new())?;
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
    let _guard = crate::guard::post();
    let measuring = Measuring::with(house::measure_elsewhere);
    let bench = Bench { store: &store, owner: &owner, settings: &settings, args: &args, measuring, output };
    let mut tested = Vec::new();
    for (agent, seat) in agents {
        match bench.cycle(&agent, seat).await {
            Ok(result) => tested.push(result),
            Err(Ended::Interrupted) => {
                output.note("interrupted: the cycle is not kept");
                return Ok(INTERRUPTED);
            }
            Err(Ended::Refused(refusal)) => return Err(refusal),
        }
    }
    print(&tested, &args, output);
    store.close().await.ok();
    Ok(if tested.iter().all(|tested| tested.tally.meets(BARS)) { 0 } else { BELOW })
}

/// Where agents are tested.
struct Bench<'a> {
    store: &'a Store,
    owner: &'a Owner,
    settings: &'a Settings,
    args: &'a AgentsTestArgs,
    measuring: Measuring,
    output: Output,
}

impl Bench<'_> {
    /// Gives an agent the briefs, keeps what came of them, and does what it means.
    async fn cycle(&self, agent: &AgentId, seat: Seat<'_>) -> Result<Tested, Ended> {
        let count = usize::try_from(self.args.briefs).unwrap_or(usize::MAX);
        let mut results = Vec::new();
        for brief in BRIEFS.iter().take(count) {
            let result = self.run(agent, seat, brief).await?;
            self.output.progress(&line(agent, &result, self.output));
            results.push(result);
        }
        let now = jiff::Timestamp::now();
        let cycle = Cycle { agent: agent.clone(), at: now, results };
        self.store.record_cycle(&cycle).await?;
        let history = self.store.cycles(agent, HISTORY).await?;
        let tallies: Vec<Tally> = history.iter().map(|past| past.tally).collect();
        let tally = cycle.tally();
        let ruling = rule(&tallies, BARS, now);
        match ruling {
            Ruling::Clear => drop(self.store.clear_degraded(agent).await?),
            Ruling::Degrade { until } => {
                self.store.mark_degraded(agent, until, &why_degraded(tally, BARS)).await?;
            }
            Ruling::Nothing | Ruling::Strike => {}
        }
        let ratchet = History::load(self.store, now).await?.of(agent.as_str());
        Ok(Tested { cycle, tally, ruling, ratchet })
    }

    /// One brief, run as `jury run` would run it. The house gets a draft to review; whoever writes gets the
    /// brief alone.
    async fn run(&self, agent: &AgentId, seat: Seat<'_>, brief: &Brief) -> Result<BriefResult, Ended> {
        let material = match seat {
            Seat::House => Material { page: Some(brief.draft()), ..Material::default() },
            Seat::Own(_) | Seat::Program(_) | Seat::Service(_) => {
                Material { brief: Some(brief.text()), ..Material::default() }
            }
        };
        let scratch = self.store.dir();
        let task = Task {
            wanted: Wanted::Page(Ask::Panel, material),
            model: self.args.model.as_deref(),
            budget: None,
            scratch,
            beside: None,
        };
        let project: ProjectId =
            PROJECT.parse().map_err(|error| Refusal::inconclusive(format!("{PROJECT}: {error}")))?;
        let artifact = ArtifactId(Uuid::now_v7());
        let job = Job {
            run: RunId(Uuid::now_v7()),
            subject: Subject { project, artifact, agent: agent.clone() },
            title: brief.name.to_owned(),
            config: self.settings.critique.clone(),
            request: None,
            agent: agent::find(agent, self.settings, &task)?,
            // A mark is what a test may take away, and a page without a review proves nothing.
            panel: Panel::SitsRegardless,
            legacy: None,
            grace: GRACE,
            measuring: self.measuring.clone(),
        };
        let run_id = job.run;
        let mut took = Millis(0);
        let mut observer = |records: &[Record]| took = records.last().map_or(took, |record| record.at);
        let interrupt = CancellationToken::new();
        let board = tokio::select! {
            board = jury_engine::run(self.store, self.owner, job, &mut observer, interrupt.clone()) => board?,
            // Never returns: it only passes the wish to stop on.
            () = pass_on_signals(interrupt.clone()) => return Err(Ended::Interrupted),
        };
        if board.status() == Some(Status::Interrupted) {
            return Err(Ended::Interrupted);
        }
        // What we broke is not the agent's fault, and proves nothing.
        if let Some(TheaterEvent::Failed(failed)) = &board.ended
            && failed.cause == FailedCause::OrchestratorInternal
        {
            return Err(Ended::Refused(Refusal::inconclusive(format!(
                "the test of {agent} broke: {}; the cycle is not kept",
                failed.detail
            ))));
        }
        let page = self.store.read_final(artifact).await.map_err(EngineError::from)?;
        let page = page.as_deref().map(String::from_utf8_lossy);
        Ok(BriefResult {
            brief: brief.name.to_owned(),
            run_id,
            verdict: verdict(&board, page.as_deref()),
            composite: reached(&board),
            took_ms: took,
        })
    }
}

fn reached(board: &Board) -> Option<jury_core::score::Composite> {
    match &board.ended {
        Some(TheaterEvent::Ship(ship)) => ship.composite,
        _ => board.best_round().map(|(_, composite)| composite),
    }
}

fn tone(class: Class) -> Tone {
    match class {
        Class::Shipped => Tone::Good,
        Class::Degraded => Tone::Poor,
        Class::Failed => Tone::Bad,
    }
}

fn line(agent: &AgentId, result: &BriefResult, output: Output) -> String {
    let Verdict { class, breaches, .. } = &result.verdict;
    let word = output.paint(tone(*class), &format!("{:<8}", class.as_str()));
    let score = result.composite.map_or_else(|| "-".to_owned(), |composite| composite.to_string());
    let why: Vec<String> =
        breaches.iter().map(|breach| format!("{}: {}", breach.assertion, breach.detail)).collect();
    format!("{agent}  {:<16}  {word}  {score:>4}  {}", result.brief, why.join("; ")).trim_end().to_owned()
}

fn meaning(tested: &Tested) -> String {
    let agent = &tested.cycle.agent;
    match tested.ruling {
        Ruling::Clear => "conforms".to_owned(),
        Ruling::Nothing if tested.tally.meets(BARS) => {
            "conforms so far; a whole cycle has ten briefs".to_owned()
        }
        Ruling::Nothing => "below the bars; a whole cycle has ten briefs".to_owned(),
        Ruling::Strike => "below the bars; a second cycle like this marks it as degraded".to_owned(),
        Ruling::Degrade { until } => format!(
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
            let Tally { runs, shipped, clean } = tested.tally;
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
        Ruling::Degrade { until } => Some(until.to_string()),
        Ruling::Nothing | Ruling::Clear | Ruling::Strike => None,
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
        let Tally { runs, shipped, clean } = tested.tally;
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
