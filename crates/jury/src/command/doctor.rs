//! `jury doctor`: what is installed, configured and reachable, and how to fix what is not.

pub(super) mod reach;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jury_core::enablement::EnablementInputs;
use jury_core::evidence::EvidenceMode;
use jury_core::id::AgentId;
use jury_core::line::counted;
use jury_core::settings::VARIABLES;
use jury_store::{RunFilter, Store};
use serde_json::json;

use crate::cli::{DoctorArgs, Global};
use crate::output::{Output, Tone};
use crate::refusal::{Refusal, USAGE};
use crate::settings::{self, AgentSettings, FILE};

/// How long a Redis has to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// One thing that was looked at.
struct Finding {
    what: String,
    state: State,
    says: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fine,
    Worth,
    Broken,
}

impl Finding {
    fn new(what: &str, state: State, says: impl Into<String>) -> Self {
        Self { what: what.to_owned(), state, says: says.into() }
    }
}

pub(crate) async fn doctor(args: DoctorArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    let mut findings = vec![Finding::new("jury", State::Fine, env!("CARGO_PKG_VERSION"))];
    findings.extend(settings_findings());
    findings.extend(store_findings(&global.data_dir).await);
    findings.push(house_finding());
    let settings = settings::load(BTreeMap::new()).ok();
    if let Some(settings) = &settings {
        findings.extend(reach::agents(settings));
    }
    findings.extend(reach::servers(settings.as_ref()).await);
    findings.extend(mirror_finding().await);
    let broken = findings.iter().any(|finding| finding.state == State::Broken);
    if args.json {
        let list: Vec<serde_json::Value> = findings.iter().map(document).collect();
        Output::result(&serde_json::to_string_pretty(&list).unwrap_or_default());
    } else {
        for finding in &findings {
            let (mark, tone) = match finding.state {
                State::Fine => ("ok  ", Tone::Good),
                State::Worth => ("note", Tone::Poor),
                State::Broken => ("bad ", Tone::Bad),
            };
            Output::result(&format!(
                "{}  {:<22} {}",
                output.paint_result(tone, mark),
                finding.what,
                finding.says
            ));
        }
    }
    Ok(if broken { USAGE } else { 0 })
}

/// The Redis of content runs, if there is to be one.
async fn mirror_finding() -> Option<Finding> {
    let address = match settings::mirror() {
        Ok(address) => address?,
        Err(refusal) => return Some(Finding::new("redis", State::Broken, refusal.message)),
    };
    Some(match address.ping(PATIENCE).await {
        Ok(()) => {
            Finding::new("redis", State::Fine, format!("{address} answers; content runs are mirrored there"))
        }
        Err(why) => Finding::new(
            "redis",
            State::Worth,
            format!("{address} does not answer ({why}); runs go on without it, and it gets what it misses"),
        ),
    })
}

fn document(finding: &Finding) -> serde_json::Value {
    let state = match finding.state {
        State::Fine => "ok",
        State::Worth => "note",
        State::Broken => "broken",
    };
    json!({ "what": finding.what, "state": state, "says": finding.says })
}

fn settings_findings() -> Vec<Finding> {
    let unknown = settings::unknown();
    let mut findings: Vec<Finding> =
        unknown.iter().map(|unknown| Finding::new("variable", State::Broken, unknown.to_string())).collect();
    let settings = match settings::load(BTreeMap::new()) {
        Ok(settings) => settings,
        Err(refusal) => {
            findings.push(Finding::new("settings", State::Broken, refusal.message));
            return findings;
        }
    };
    let set: Vec<&str> = VARIABLES
        .iter()
        .map(|variable| variable.name)
        .filter(|name| std::env::var_os(name).is_some())
        .collect();
    let file =
        if Path::new(FILE).exists() { format!("{FILE} read") } else { format!("no {FILE}, defaults used") };
    let variables = if set.is_empty() { "no variables set".to_owned() } else { set.join(", ") };
    let critique = &settings.critique;
    findings.push(Finding::new("settings", State::Fine, format!("{file}; {variables}")));
    let low = critique.score_threshold.is_low(critique.score_scale);
    let (state, remark) = if low { (State::Worth, ", below half of the scale") } else { (State::Fine, "") };
    let (bar, scale) = (critique.score_threshold, critique.score_scale);
    let (rounds, policy) = (counted(critique.max_rounds, "round", "rounds"), critique.fallback_policy);
    findings.push(Finding::new(
        "bar",
        state,
        format!("{bar} of {scale}{remark}, up to {rounds}, then {policy}"),
    ));
    let (state, says) = match critique.evidence {
        EvidenceMode::Gate => (State::Fine, "gate: what is measured to fail does not ship"),
        EvidenceMode::Warn => (State::Worth, "warn: measured failures do not hold a ship"),
        EvidenceMode::Off => (State::Worth, "off: the work of agents is not measured"),
    };
    findings.push(Finding::new("evidence", state, says));
    let question =
        EnablementInputs { setting: settings.enabled_given, ..EnablementInputs::at(critique.rollout_phase) };
    let answer = question.answer();
    let word = if answer.on { "on" } else { "off" };
    let says = format!(
        "{word} for work that a server generates, unless its skill or project says otherwise: {}",
        answer.why
    );
    findings.push(Finding::new("panel", State::Fine, says));
    findings.extend(settings.agents.iter().map(|(name, agent)| own_finding(name, agent)));
    if settings.agents.is_empty() {
        findings.push(Finding::new(
            "agents",
            State::Worth,
            format!(
                "none of your own; add one to {FILE}: [agents.mine] command = [\"my-agent\", \"--print\"]"
            ),
        ));
    }
    findings
}

/// An agent of the settings file.
fn own_finding(name: &str, agent: &AgentSettings) -> Finding {
    if let Err(error) = name.parse::<AgentId>() {
        return Finding::new("agent", State::Broken, format!("{error}; rename it in {FILE}"));
    }
    let what = format!("agent {name}");
    let Some(program) = agent.command.first() else {
        let kinds = [("adapter", &agent.adapter), ("vendor", &agent.vendor), ("model", &agent.model)];
        let says: Vec<String> =
            kinds.iter().filter_map(|(kind, value)| Some(format!("{kind} {}", value.as_ref()?))).collect();
        if agent.allow_tools {
            let says = [says, vec!["allow_tools: what it reviews could make it act".to_owned()]].concat();
            return Finding::new(&what, State::Worth, says.join(", "));
        }
        return Finding::new(&what, State::Fine, says.join(", "));
    };
    match find_program(program) {
        Some(path) => Finding::new(&what, State::Fine, path.display().to_string()),
        None => Finding::new(
            &what,
            State::Broken,
            format!("there is no program '{program}'; install it or give its path in {FILE}"),
        ),
    }
}

/// The program as the system would find it.
pub(super) fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|dir| dir.join(name)).find(|path| path.is_file())
}

async fn store_findings(dir: &Path) -> Vec<Finding> {
    let shown = dir.display();
    if !dir.exists() {
        let says = format!("{shown} does not exist yet; the first run makes it");
        return vec![Finding::new("data", State::Fine, says)];
    }
    let store = match Store::open(dir).await {
        Ok(store) => store,
        Err(error) => return vec![Finding::new("data", State::Broken, error.to_string())],
    };
    let mut findings = vec![match store.runs(&RunFilter::default()).await {
        Ok(runs) => {
            Finding::new("data", State::Fine, format!("{shown} holds {}", counted(runs.len(), "run", "runs")))
        }
        Err(error) => Finding::new("data", State::Broken, error.to_string()),
    }];
    findings.extend(reach::degraded(&store).await);
    findings
}

/// Lets the house measure a page whose answer is known.
fn house_finding() -> Finding {
    let page =
        "<!doctype html><html lang=en><title>Check</title><body><h1>Check</h1><p style='color:#999'>grey</p>";
    let request = super::house_request(
        page,
        None,
        &jury_house::Beside::nothing(),
        &jury_core::settings::CritiqueConfig::default(),
    );
    let request = jury_house::Request { max_rounds: 1, ..request };
    let mut transcript = Vec::new();
    match jury_house::sit(&request, &mut transcript) {
        Err(error) => Finding::new("house", State::Broken, error.to_string()),
        // Black on white is 21:1; #999 on white is 2.84:1.
        Ok(()) if String::from_utf8_lossy(&transcript).contains("2.84:1") => {
            Finding::new("house", State::Fine, "measures: #999 on white is 2.84:1")
        }
        Ok(()) => {
            Finding::new("house", State::Broken, "does not see that #999 on white is 2.84:1; reinstall")
        }
    }
}
