//! `jury agents list`: everybody who can be seated, and what is known about each.

use std::collections::BTreeMap;
use std::time::Duration;

use jury_agents::AgentError;
use jury_agents::adapter::{Adapter, AdapterError, Detect};
use jury_core::conformance::RatchetEvidence;
use jury_core::id::AgentId;
use jury_store::{DegradedMark, Honesty, PastCycle, Store};
use serde_json::json;

use super::history::{self, History};
use super::percent;
use super::seats::{Seat, Seats, local_port, lock_note};
use super::together::together;
use crate::cli::{AgentsListArgs, Global};
use crate::command::doctor::find_program;
use crate::command::doctor::reach::models;
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::settings;

/// How long a program may take to tell its version. Some start a whole runtime for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many programs are asked at once, beyond the number of processors: much of a start is waiting.
const BESIDE: usize = 2;

/// What is known about an agent.
struct Known {
    id: String,
    kind: &'static str,
    /// Whether it can be seated now.
    ready: bool,
    version: Option<String>,
    /// The version that the tests run.
    tested: Option<String>,
    /// What to know or do.
    says: String,
    mark: Option<DegradedMark>,
    last: Option<PastCycle>,
    /// How its claims stand beside what was measured. None for the house, which is the measurement.
    honesty: Option<Honesty>,
    /// What its history allows.
    ratchet: Option<RatchetEvidence>,
}

/// What a program said about itself.
enum Told {
    Version(Option<String>),
    /// It is another program than the one that is meant, or none at all.
    Other(String),
    /// It is there and does not talk about itself: it may still work.
    Nothing(String),
}

pub(super) async fn list(args: AgentsListArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let settings = settings::load(BTreeMap::new())?;
    let seats = Seats::load(&settings)?;
    // Looking makes nothing: without a data directory there is no history.
    let store = Store::open_existing(&global.data_dir).await.ok();
    let marks = match &store {
        Some(store) => store.degraded(jiff::Timestamp::now()).await?,
        None => Vec::new(),
    };
    let history = match &store {
        Some(store) => History::load(store, jiff::Timestamp::now()).await?,
        None => History::default(),
    };
    let honesty = match &store {
        Some(store) => store.honesty().await?,
        None => Vec::new(),
    };
    let told = ask(&seats).await;
    let mut known = Vec::new();
    for (id, seat) in seats.all() {
        let mut agent = look(id, seat, &seats, &told).await;
        agent.ratchet = history.of(id);
        if let (Some(store), Ok(id)) = (&store, id.parse::<AgentId>()) {
            agent.honesty = honesty
                .iter()
                .find(|(agent, _)| *agent == id && id != AgentId::house())
                .map(|(_, honesty)| *honesty);
            agent.mark = marks.iter().find(|mark| mark.agent == id).cloned();
            agent.last = store.cycles(&id, 1).await?.into_iter().next();
        }
        known.push(agent);
    }
    if args.json {
        let list: Vec<serde_json::Value> = known.iter().map(document).collect();
        Output::result(&serde_json::to_string_pretty(&list).unwrap_or_default());
    } else if args.markdown {
        Output::result(&markdown(&known, history.of_all()));
    } else {
        Output::result(&table(&known, history.of_all(), output));
    }
    Ok(0)
}

/// Asks every program that is there for its version: several at once, and each once, however many adapters it has.
async fn ask<'a>(seats: &'a Seats<'a>) -> Vec<(&'a Detect, Told)> {
    let mut programs: Vec<&Adapter> = Vec::new();
    for (_, seat) in seats.all() {
        if let Seat::Program(adapter) = seat
            && !programs.iter().any(|asked| asked.detect == adapter.detect)
            && find_program(&adapter.detect.command).is_some()
        {
            programs.push(adapter);
        }
    }
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let asked = programs.into_iter().map(|adapter| async move { (&adapter.detect, detect(adapter).await) });
    together(processors + BESIDE, asked).await
}

async fn look(id: &str, seat: Seat<'_>, seats: &Seats<'_>, told: &[(&Detect, Told)]) -> Known {
    let mut known = Known {
        id: id.to_owned(),
        kind: "",
        ready: true,
        version: None,
        tested: None,
        says: String::new(),
        mark: None,
        last: None,
        honesty: None,
        ratchet: None,
    };
    match seat {
        Seat::House => {
            known.kind = "built-in";
            known.version = Some(env!("CARGO_PKG_VERSION").to_owned());
            "measures and repairs; does not write".clone_into(&mut known.says);
        }
        Seat::Own(own) => {
            known.kind = "jury.toml";
            let what = [&own.adapter, &own.vendor, &own.model].into_iter().flatten();
            known.says = own.command.iter().chain(what).map(String::as_str).collect::<Vec<_>>().join(" ");
            if own.allow_tools {
                known.says.push_str("; may use its tools");
            }
        }
        Seat::Program(adapter) => {
            known.kind = "program";
            known.tested.clone_from(&adapter.tested);
            known.says.clone_from(&adapter.title);
            match told.iter().find(|(detect, _)| **detect == adapter.detect).map(|(_, told)| told) {
                Some(Told::Version(version)) => known.version.clone_from(version),
                Some(Told::Other(says)) => {
                    known.ready = false;
                    known.says.clone_from(says);
                }
                Some(Told::Nothing(says)) => known.says.clone_from(says),
                None => {}
            }
            known.says.extend(lock_note(adapter).into_iter().flat_map(|note| ["; ", note]));
        }
        Seat::Service(vendor) => {
            known.kind = "service";
            known.says = format!("{}, {}", vendor.name, vendor.default_model);
            if let Some(port) = local_port(&vendor.base_url)
                && models(port).await.is_none()
            {
                known.ready = false;
                known.says = format!("{} does not answer on port {port} of this machine", vendor.name);
            }
        }
    }
    if let Some(program) = seats.program(seat)
        && find_program(program).is_none()
    {
        known.ready = false;
        known.says = format!("there is no program '{program}' on PATH");
    } else if let Some(variable) = seats.key_variable(seat)
        && std::env::var_os(variable).is_none_or(|key| key.is_empty())
    {
        known.ready = false;
        known.says = format!("{}; set {variable}", known.says);
    }
    known
}

/// Asks a program for its version.
async fn detect(adapter: &Adapter) -> Told {
    match adapter.detect(&std::env::temp_dir(), PATIENCE).await {
        Ok(detected) => Told::Version(detected.version),
        Err(
            error @ (AdapterError::Agent(AgentError::NotFound { .. }) | AdapterError::OtherProgram { .. }),
        ) => Told::Other(error.to_string()),
        Err(error) => Told::Nothing(error.to_string()),
    }
}

impl Known {
    fn state(&self) -> (&'static str, Tone) {
        match (&self.mark, self.ready) {
            (Some(_), _) => ("degraded", Tone::Bad),
            (None, true) => ("ready", Tone::Good),
            (None, false) => ("absent", Tone::Dim),
        }
    }

    fn conformance(&self) -> String {
        self.last.as_ref().map_or_else(
            || "never tested".to_owned(),
            |past| {
                let tally = past.tally;
                format!(
                    "{} shipped, {} clean, {}",
                    percent(tally.shipped, tally.runs),
                    percent(tally.clean, tally.runs),
                    past.cycle.at.strftime("%Y-%m-%d")
                )
            },
        )
    }

    /// The share of its checked claims that stood.
    fn honesty(&self) -> Option<String> {
        let Honesty { checked, wrong } = self.honesty?;
        Some(format!("{} of {checked}", percent(checked.saturating_sub(wrong), checked)))
    }

    fn step(&self) -> &'static str {
        self.ratchet.map_or("-", |found| found.step.as_str())
    }

    fn remark(&self) -> String {
        self.mark.as_ref().map_or_else(
            || self.says.clone(),
            |mark| format!("until {}: {}", mark.until.strftime("%Y-%m-%d %H:%M UTC"), mark.reason),
        )
    }
}

fn document(known: &Known) -> serde_json::Value {
    let conformance = known.last.as_ref().map(|past| {
        json!({
            "at": past.cycle.at.to_string(),
            "runs": past.tally.runs,
            "shipped": past.tally.shipped,
            "clean": past.tally.clean,
        })
    });
    let degraded =
        known.mark.as_ref().map(|mark| json!({ "until": mark.until.to_string(), "reason": mark.reason }));
    let honesty = known
        .honesty
        .map(|honesty| json!({ "rate": honesty.rate(), "checked": honesty.checked, "wrong": honesty.wrong }));
    json!({
        "id": known.id,
        "kind": known.kind,
        "state": known.state().0,
        "version": known.version,
        "tested": known.tested,
        "says": known.says,
        "conformance": conformance,
        "honesty": honesty,
        "ratchet": known.ratchet,
        "degraded": degraded,
    })
}

fn table(known: &[Known], all: Option<RatchetEvidence>, output: Output) -> String {
    let mut lines = vec![format!(
        "{:<16}  {:<9}  {:<8}  {:<10}  {:<38}  {:<12}  {:<7}  {}",
        "AGENT", "KIND", "STATE", "VERSION", "CONFORMANCE", "HONESTY", "RATCHET", "REMARKS"
    )];
    for agent in known {
        let (word, tone) = agent.state();
        let state = output.paint_result(tone, &format!("{word:<8}"));
        let step = format!("{:<7}", agent.step());
        let step = match agent.ratchet {
            Some(found) => output.paint_result(history::tone(found.step), &step),
            None => step,
        };
        lines.push(format!(
            "{:<16}  {:<9}  {state}  {:<10}  {:<38}  {:<12}  {step}  {}",
            agent.id,
            agent.kind,
            agent.version.as_deref().unwrap_or("-"),
            agent.conformance(),
            agent.honesty().unwrap_or_else(|| "-".to_owned()),
            agent.remark(),
        ));
    }
    lines.extend(all.map(|found| format!("all agents together: {}", history::words(found))));
    lines.join("\n")
}

fn markdown(known: &[Known], all: Option<RatchetEvidence>) -> String {
    let mut lines = vec![
        "| agent | kind | state | version | conformance | honesty | ratchet |".to_owned(),
        "|---|---|---|---|---|---|---|".to_owned(),
    ];
    for agent in known {
        let version = agent.version.as_deref().or(agent.tested.as_deref()).unwrap_or("–");
        let version = version.replace('|', "\\|");
        lines.push(format!(
            "| `{}` | {} | {} | {version} | {} | {} | {} |",
            agent.id,
            agent.kind,
            agent.state().0,
            agent.conformance(),
            agent.honesty().unwrap_or_else(|| "–".to_owned()),
            agent.ratchet.map_or_else(|| "–".to_owned(), history::words)
        ));
    }
    lines.extend(all.map(|found| format!("\nAll agents together: {}.", history::words(found))));
    lines.join("\n")
}
