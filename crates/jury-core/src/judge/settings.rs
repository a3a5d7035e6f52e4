//! Settings of the judge as values: who judges, which runs, and what it may cost.
//!
//! What was given (flags, variables, the table `[judge]` of a file: everything optional, everything text) becomes
//! [`JudgeSettings`] in [`JudgeSettings::resolve`]. An empty value counts as none, as it does in scripts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::throttle::{Allowance, PER_HOUR};
use crate::id::AgentId;
use crate::line;
use crate::outcome::{UnknownWord, words};
use crate::settings::variable::{number, truth, whole};
use crate::settings::{Layer, SettingError, SettingsTable, Variable};
use crate::unit::Millis;

/// The part of all runs that is judged when nobody says otherwise: every one. What it costs is bounded by [`Allowance`].
pub const DEFAULT_RATE: f64 = 1.0;

/// The model that judges when nobody names one.
pub const USUAL_MODEL: &str = "opus";

/// What judges: a measurement, a command or a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgeMode {
    /// What can be measured, without a model.
    Heuristic,
    /// A program of the user's.
    Command,
    /// An agent of the engine.
    Model,
}

words!(JudgeMode { Heuristic = "heuristic", Command = "command", Model = "model" });

/// What a call itself says about who judges, beside the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeCall {
    /// Nothing.
    Plain,
    /// A mode.
    NamesMode,
    /// An agent or a model, and no mode.
    NamesJudge,
}

impl JudgeCall {
    /// The call with these names.
    pub fn with(mode: Option<&str>, model: Option<&str>, agents: &[impl AsRef<str>]) -> Self {
        if mode.is_some() {
            Self::NamesMode
        } else if model.is_some() || !agents.is_empty() {
            Self::NamesJudge
        } else {
            Self::Plain
        }
    }
}

/// Everything the judge is configured by.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeSettings {
    /// Whether finished runs are judged when they are collected. Asking for a judgement by hand does not need it.
    pub enabled: bool,
    /// The model's name at its vendor, if anybody named one.
    pub model: Option<String>,
    /// Who judges, if anybody said so; see [`JudgeSettings::mode_of`].
    pub mode: Option<JudgeMode>,
    /// The user's program and its arguments.
    pub command: Option<String>,
    /// A script that judges while feedback is collected.
    pub script: Option<String>,
    /// The part of all runs that is judged.
    pub sample_rate: f64,
    /// Every run is judged, whatever the sample says.
    pub force: bool,
    /// How long one judge may take.
    pub timeout: Millis,
    /// The most lines of a diff that are shown.
    pub max_diff_lines: usize,
    /// The agents that judge: more than one is a panel.
    pub agents: Vec<AgentId>,
    /// How often each of them judges.
    pub repeats: u32,
    /// How many judgements an hour and how many dollars a day.
    pub allowance: Allowance,
    /// The most tokens of a diff that are shown.
    pub diff_tokens: usize,
    /// Whether a judge sees what was found in the last runs of the same template.
    pub history: bool,
    /// The folder in which the repositories that run records name must lie; none: the workspace.
    pub repo_root: Option<String>,
    /// Secrets of the environment that the user's command or script gets.
    pub pass_env: Vec<String>,
}

impl Default for JudgeSettings {
    fn default() -> Self {
        Self {
            enabled: false,
            model: None,
            mode: None,
            command: None,
            script: None,
            sample_rate: DEFAULT_RATE,
            force: false,
            timeout: Millis(60_000),
            max_diff_lines: 1200,
            agents: Vec::new(),
            repeats: 1,
            allowance: Allowance { per_hour: PER_HOUR, dollars_per_day: None },
            diff_tokens: 8000,
            history: true,
            repo_root: None,
            pass_env: Vec::new(),
        }
    }
}

impl JudgeSettings {
    /// The settings that result when earlier layers beat later ones and defaults fill the rest.
    pub fn resolve(layers: &[Layer]) -> Result<Self, SettingError> {
        let mut settings = Self::default();
        for variable in VARIABLES {
            let given = layers.iter().find_map(|layer| {
                let value = layer.values.get(variable.name).filter(|value| !value.trim().is_empty())?;
                Some((layer.source, value))
            });
            if let Some((source, value)) = given {
                (variable.apply)(&mut settings, value.trim()).map_err(|()| SettingError {
                    place: variable.place(source),
                    value: shortened(value),
                    range: variable.range.to_owned(),
                })?;
            }
        }
        Ok(settings)
    }

    /// Who judges: the mode that was said, otherwise the model if an agent or a model is named anywhere, otherwise the
    /// heuristic. An agent or a model of the call itself beats a mode that was set beforehand.
    pub fn mode_of(&self, call: JudgeCall) -> JudgeMode {
        match (call, self.mode) {
            (JudgeCall::Plain | JudgeCall::NamesMode, Some(mode)) => mode,
            (JudgeCall::NamesJudge, _) => JudgeMode::Model,
            (JudgeCall::Plain | JudgeCall::NamesMode, None) if self.names_judge() => JudgeMode::Model,
            (JudgeCall::Plain | JudgeCall::NamesMode, None) => JudgeMode::Heuristic,
        }
    }

    /// Whether an agent or a model is named.
    pub fn names_judge(&self) -> bool {
        self.model.is_some() || !self.agents.is_empty()
    }

    /// The model that was named, or the usual one.
    pub fn model(&self) -> &str {
        self.model.as_deref().unwrap_or(USUAL_MODEL)
    }
}

/// A message is one line, whatever was given.
fn shortened(value: &str) -> String {
    line::printable(&line::spaced(value), 80)
}

impl SettingsTable for JudgeSettings {
    const TABLE: &'static str = "judge";
    const VARIABLES: &'static [Variable<Self>] = VARIABLES;
}

/// The most judges of a panel.
const MOST_AGENTS: usize = 9;

/// Every setting of the judge.
pub const VARIABLES: &[Variable<JudgeSettings>] = &[
    Variable {
        name: "JUDGE_ENABLED",
        key: "enabled",
        flag: None,
        range: "true or false",
        default: "false",
        meaning: "Judge runs while their feedback is collected; a judgement asked for by hand does not need it",
        apply: |settings, text| truth(text).map(|truth| settings.enabled = truth),
    },
    Variable {
        name: "JUDGE_MODEL",
        key: "model",
        flag: Some("--model"),
        range: "the name of a model, at most 200 characters",
        default: "",
        meaning: "The model that judges; named, it is asked. Unset: that of the agent, and `opus` of the usual one",
        apply: |settings, text| word(text).map(|word| settings.model = Some(word)),
    },
    Variable {
        name: "JUDGE_MODE",
        key: "mode",
        flag: Some("--mode"),
        range: "heuristic, command or model",
        default: "",
        meaning: "Who judges; unset: model when an agent or a model is named, else heuristic",
        apply: |settings, text| text.parse().map(|mode| settings.mode = Some(mode)).map_err(|_| ()),
    },
    Variable {
        name: "JUDGE_COMMAND",
        key: "command",
        flag: None,
        range: "a program and its arguments, at most 4096 characters",
        default: "",
        meaning: "The program of `JUDGE_MODE=command`; it gets the run record on stdin and no shell",
        apply: |settings, text| line(text).map(|line| settings.command = Some(line)),
    },
    Variable {
        name: "JUDGE_SCRIPT",
        key: "script",
        flag: None,
        range: "the path of a program, at most 4096 characters",
        default: "",
        meaning: "A program that judges while feedback is collected; it gets the path of the record",
        apply: |settings, text| line(text).map(|line| settings.script = Some(line)),
    },
    Variable {
        name: "JUDGE_SAMPLE_RATE",
        key: "sample_rate",
        flag: None,
        range: "a number from 0 to 1",
        default: "1",
        meaning: "The part of all runs that is judged while feedback is collected",
        apply: |settings, text| number(text, 0.0..=1.0).map(|rate| settings.sample_rate = rate),
    },
    Variable {
        name: "JUDGE_FORCE",
        key: "force",
        flag: None,
        range: "true or false",
        default: "false",
        meaning: "Judge every run, whatever the sample says",
        apply: |settings, text| truth(text).map(|truth| settings.force = truth),
    },
    Variable {
        name: "JUDGE_TIMEOUT_SECONDS",
        key: "timeout_seconds",
        flag: None,
        range: "seconds, a whole number from 1 to 86400",
        default: "60",
        meaning: "How long one judge may take",
        apply: |settings, text| {
            whole(text, 1..=86_400).map(|n| settings.timeout = Millis(u64::from(n) * 1000))
        },
    },
    Variable {
        name: "JUDGE_MAX_DIFF_LINES",
        key: "max_diff_lines",
        flag: None,
        range: "a whole number from 10 to 1000000",
        default: "1200",
        meaning: "The most lines of the diff that a judge is shown",
        apply: |settings, text| whole(text, 10..=1_000_000).map(|n| settings.max_diff_lines = n as usize),
    },
    Variable {
        name: "JUDGE_AGENT",
        key: "agent",
        flag: Some("--agent"),
        range: "an agent, or up to 9 with commas between them",
        default: "",
        meaning: "Which agent judges; several are a panel",
        apply: |settings, text| agents(text).map(|agents| settings.agents = agents),
    },
    Variable {
        name: "JUDGE_REPEATS",
        key: "repeats",
        flag: Some("--repeat"),
        range: "a whole number from 1 to 9",
        default: "1",
        meaning: "How often each agent judges",
        apply: |settings, text| whole(text, 1..=9).map(|n| settings.repeats = n),
    },
    Variable {
        name: "JUDGE_PER_HOUR",
        key: "per_hour",
        flag: None,
        range: "a whole number from 1 to 100000",
        default: "20",
        meaning: "The most judgements by a model in any hour, of all processes together",
        apply: |settings, text| whole(text, 1..=100_000).map(|n| settings.allowance.per_hour = n as usize),
    },
    Variable {
        name: "JUDGE_DAILY_BUDGET",
        key: "daily_budget",
        flag: None,
        range: "dollars, a number from 0 to 1000000",
        default: "",
        meaning: "The most dollars in any 24 hours, of all processes together; unset: no bound",
        apply: |settings, text| {
            number(text, 0.0..=1_000_000.0).map(|n| settings.allowance.dollars_per_day = Some(n))
        },
    },
    Variable {
        name: "JUDGE_DIFF_TOKENS",
        key: "diff_tokens",
        flag: None,
        range: "a whole number from 200 to 1000000",
        default: "8000",
        meaning: "The most tokens of the diff that a judge is shown",
        apply: |settings, text| whole(text, 200..=1_000_000).map(|n| settings.diff_tokens = n as usize),
    },
    Variable {
        name: "JUDGE_HISTORY",
        key: "history",
        flag: None,
        range: "true or false",
        default: "true",
        meaning: "Show the judge what was found in the last runs of the same template",
        apply: |settings, text| truth(text).map(|truth| settings.history = truth),
    },
    Variable {
        name: "JUDGE_REPO_ROOT",
        key: "repo_root",
        flag: None,
        range: "the path of a folder, at most 4096 characters",
        default: "",
        meaning: "The folder in which repositories and files that a run record names must lie; unset: the workspace",
        apply: |settings, text| line(text).map(|line| settings.repo_root = Some(line)),
    },
    Variable {
        name: "JUDGE_PASS_ENV",
        key: "pass_env",
        flag: None,
        range: "names of variables with commas between them",
        default: "",
        meaning: "Keys and tokens of the environment that JUDGE_COMMAND and JUDGE_SCRIPT get; without it they get none",
        apply: |settings, text| names(text).map(|names| settings.pass_env = names),
    },
];

/// The longest list of names.
const LONGEST_LIST_BYTES: usize = 4096;

/// Names of variables, with commas between them.
fn names(text: &str) -> Result<Vec<String>, ()> {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    if text.len() > LONGEST_LIST_BYTES {
        return Err(());
    }
    text.split(',').map(str::trim).map(|name| is_name(name).then(|| name.to_owned()).ok_or(())).collect()
}

fn word(text: &str) -> Result<String, ()> {
    let plain = text.chars().count() <= 200 && !text.chars().any(char::is_control);
    if plain { Ok(text.to_owned()) } else { Err(()) }
}

fn line(text: &str) -> Result<String, ()> {
    let plain = text.chars().count() <= 4096 && !text.chars().any(|c| c == '\0');
    if plain { Ok(text.to_owned()) } else { Err(()) }
}

fn agents(text: &str) -> Result<Vec<AgentId>, ()> {
    let agents: Result<Vec<AgentId>, ()> =
        text.split(',').map(|agent| agent.trim().parse().map_err(|_| ())).collect();
    agents.and_then(|agents| if agents.len() > MOST_AGENTS { Err(()) } else { Ok(agents) })
}
