//! Settings from where they are given: flags beat variables beat `jury.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jury_core::conformance::NightlyPlan;
use jury_core::judge::settings::{JudgeSettings, VARIABLES as JUDGE_VARIABLES};
use jury_core::settings::{
    CritiqueConfig, Layer, LowBar, SettingSource, SettingsTable, UnknownVariable, most_like,
    unknown_variables,
};
use jury_store::{MirrorAddress, MirrorAddressError};
use serde::Deserialize;

use crate::refusal::Refusal;
use crate::seats;
use crate::tables;

/// The file in the working directory.
pub(crate) const FILE: &str = "jury.toml";

/// Everything that was given.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// How runs are carried out.
    pub(crate) critique: CritiqueConfig,
    /// The master switch, if anybody gave it.
    pub(crate) enabled_given: Option<bool>,
    /// The agents, by their names.
    pub(crate) agents: BTreeMap<String, AgentSettings>,
    /// The folder of the ideas that content is written for.
    pub(crate) ideas: PathBuf,
    /// Which agents a daemon tests every night, and when.
    pub(crate) nightly: NightlyPlan,
}

impl Settings {
    /// The same, without the seats that were added to the cast.
    pub(crate) fn with_fixed_cast(&self) -> Self {
        Self { critique: self.critique.clone().without_seats(), ..self.clone() }
    }
}

/// An agent of the user's.
///
/// One of `command`, `adapter` and `vendor` says what it is; the rest fits it to where it runs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AgentSettings {
    /// A program and its arguments. It gets the prompt on stdin and prints a transcript.
    pub(crate) command: Vec<String>,
    /// An agent program that jury knows how to call.
    pub(crate) adapter: Option<String>,
    /// A model's service that jury knows how to ask.
    pub(crate) vendor: Option<String>,
    /// The model that the agent uses.
    pub(crate) model: Option<String>,
    /// Where the model's service is.
    pub(crate) base_url: Option<String>,
    /// The variable that holds the key.
    pub(crate) key_variable: Option<String>,
    /// The file that holds the key.
    pub(crate) key_file: Option<PathBuf>,
    /// Hosts in a private network that may be asked.
    pub(crate) allow_hosts: Vec<String>,
    /// Whether the model is held to the grammar of a transcript; where the vendor can do that when absent.
    pub(crate) constrain: Option<bool>,
    /// Variables of the environment that the agent gets beside those that every agent gets. A name that ends in `*`
    /// stands for all that begin like it.
    pub(crate) pass_env: Vec<String>,
    /// Whether an agent program may use its tools; it is kept from them, or refused, otherwise.
    pub(crate) allow_tools: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    critique: BTreeMap<String, toml::Value>,
    judge: BTreeMap<String, toml::Value>,
    agents: BTreeMap<String, AgentSettings>,
    content: ContentTable,
    conformance: BTreeMap<String, toml::Value>,
}

/// The table `[content]` of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ContentTable {
    /// The folder of the ideas.
    ideas: Option<PathBuf>,
}

/// The folder of the ideas if nobody says.
pub(crate) const IDEAS: &str = "ideas";

/// The Redis that content runs are mirrored to, if there is to be one.
pub(crate) fn mirror() -> Result<Option<MirrorAddress>, Refusal> {
    match std::env::var("JURY_REDIS_URL") {
        Ok(url) if url.trim().is_empty() => Ok(None),
        Ok(url) => url
            .trim()
            .parse()
            .map(Some)
            .map_err(|error: MirrorAddressError| Refusal::usage(format!("JURY_REDIS_URL is {error}"))),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(Refusal::usage("JURY_REDIS_URL is not text".to_owned()))
        }
    }
}

/// Variables of the environment that begin like jury's and are none, by name.
pub(crate) fn unknown() -> Vec<UnknownVariable> {
    let mut names: Vec<String> =
        std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
    names.sort();
    unknown_variables(names.iter().map(String::as_str))
}

/// Refuses variables that jury does not know: a setting that was meant and has no effect is a mistake.
pub(crate) fn refuse_unknown() -> Result<(), Refusal> {
    let told: Vec<String> = unknown().iter().map(ToString::to_string).collect();
    if told.is_empty() { Ok(()) } else { Err(Refusal::usage(told.join(" "))) }
}

/// Reads everything. `flags` are the values given on the command line, by the name of the variable.
pub(crate) fn load(flags: BTreeMap<&'static str, String>) -> Result<Settings, Refusal> {
    load_with(flags, LowBar::Refused, &[])
}

/// The same, with a word about a low bar, and with seats that flags add to the cast.
pub(crate) fn load_with(
    flags: BTreeMap<&'static str, String>,
    low_bar: LowBar,
    seats: &[String],
) -> Result<Settings, Refusal> {
    let mut file = read_file(Path::new(FILE))?;
    let seats = seats::with_flags(seats::taken_from(&mut file.critique)?, seats)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let cores = BTreeMap::from([("OD_CRITIQUE_MAX_CONCURRENT_RUNS", cores.min(1024).to_string())]);
    let layers = [
        Layer { source: SettingSource::Flag, values: flags },
        Layer { source: SettingSource::Environment, values: environment::<CritiqueConfig>()? },
        Layer { source: SettingSource::File, values: file_values::<CritiqueConfig>(file.critique)? },
        Layer { source: SettingSource::Environment, values: cores },
    ];
    // Read by another command, but wrong for this one as well.
    file_values::<JudgeSettings>(file.judge)?;
    let critique = CritiqueConfig::resolve(&layers, low_bar)?.with_seats(&seats)?;
    let enabled_given = CritiqueConfig::enabled_given(&layers)?;
    for (name, agent) in &file.agents {
        // Who allows an adapter its tools means the adapter of that name.
        let says_who = !agent.command.is_empty() || agent.adapter.is_some() || agent.vendor.is_some();
        if !says_who && !agent.allow_tools {
            return Err(Refusal::usage(format!(
                "agents.{name} in {FILE} says nothing: give a command, an adapter or a vendor, such as command = [\"my-agent\", \"--print\"]"
            )));
        }
    }
    let variable = std::env::var_os("JURY_IDEAS_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let ideas = variable.or(file.content.ideas).unwrap_or_else(|| PathBuf::from(IDEAS));
    let nightly = NightlyPlan::resolve(&[
        Layer { source: SettingSource::Environment, values: environment::<NightlyPlan>()? },
        Layer { source: SettingSource::File, values: file_values::<NightlyPlan>(file.conformance)? },
    ])?;
    Ok(Settings { critique, enabled_given, agents: file.agents, ideas, nightly })
}

/// The settings of the judge that were given, by the names of their variables: flags beat variables beat `[judge]`.
pub(crate) fn judge(
    flags: BTreeMap<&'static str, String>,
) -> Result<(JudgeSettings, BTreeMap<String, String>), Refusal> {
    let mut file = read_file(Path::new(FILE))?;
    seats::taken_from(&mut file.critique)?;
    file_values::<CritiqueConfig>(file.critique)?;
    let layers = [
        Layer { source: SettingSource::Flag, values: flags },
        Layer { source: SettingSource::Environment, values: environment::<JudgeSettings>()? },
        Layer { source: SettingSource::File, values: file_values::<JudgeSettings>(file.judge)? },
    ];
    let settings = JudgeSettings::resolve(&layers)?;
    let mut given = BTreeMap::new();
    for layer in layers.iter().rev() {
        let said = layer.values.iter().filter(|(_, value)| !value.trim().is_empty());
        given.extend(said.map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    Ok((settings, given))
}

/// The same from what was kept of them with a run.
pub(crate) fn judge_again(given: &BTreeMap<String, String>) -> Result<JudgeSettings, Refusal> {
    let known = JUDGE_VARIABLES.iter().filter_map(|own| Some((own.name, given.get(own.name)?.clone())));
    let layer = Layer { source: SettingSource::Environment, values: known.collect() };
    Ok(JudgeSettings::resolve(&[layer])?)
}

fn environment<T: SettingsTable>() -> Result<BTreeMap<&'static str, String>, Refusal> {
    let mut values = BTreeMap::new();
    for variable in T::VARIABLES {
        match std::env::var(variable.name) {
            Ok(value) => {
                values.insert(variable.name, value);
            }
            Err(std::env::VarError::NotPresent) => {}
            Err(std::env::VarError::NotUnicode(_)) => {
                return Err(Refusal::usage(format!(
                    "{} is not text: it must be {}",
                    variable.name, variable.range
                )));
            }
        }
    }
    Ok(values)
}

fn read_file(path: &Path) -> Result<File, Refusal> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(File::default()),
        Err(error) => return Err(Refusal::usage(format!("cannot read {FILE}: {error}"))),
    };
    tables::read(&text, FILE, Ok::<_, std::convert::Infallible>)
}

fn file_values<T: SettingsTable>(
    table: BTreeMap<String, toml::Value>,
) -> Result<BTreeMap<&'static str, String>, Refusal> {
    let mut values = BTreeMap::new();
    for (key, value) in table {
        let Some(variable) = T::VARIABLES.iter().find(|variable| variable.key == key) else {
            let known: Vec<&str> = T::VARIABLES.iter().map(|variable| variable.key).collect();
            let nearest = most_like(&key, known.iter().copied()).unwrap_or_default();
            return Err(Refusal::usage(format!(
                "{}.{key} in {FILE} is not a setting; did you mean {nearest}? The settings are {}",
                T::TABLE,
                known.join(", ")
            )));
        };
        values.insert(variable.name, text_of(&value));
    }
    Ok(values)
}

/// A value as a variable would hold it. A table of weights becomes `critic=0.4,brand=0.2`, a list `house,mine`.
fn text_of(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Table(table) => {
            let pairs: Vec<String> =
                table.iter().map(|(key, value)| format!("{key}={}", text_of(value))).collect();
            pairs.join(",")
        }
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(truth) => truth.to_string(),
        // No setting is a date: what it is called here shows up in the message that refuses it.
        toml::Value::Datetime(date) => date.to_string(),
        toml::Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join(","),
    }
}
