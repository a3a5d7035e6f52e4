//! The table of settings: name, key, flag, range and how the text becomes a value. Help texts, errors and
//! the reference are made from it.

use std::ops::RangeInclusive;

use super::{CritiqueConfig, SettingSource, TimeoutClock};
use crate::role::Role;
use crate::score::{Scale, Threshold, Weights};
use crate::seat::leaves_critic;
use crate::unit::{Bytes, Millis};

/// Settings that are given as text under names.
pub trait SettingsTable: Default + 'static {
    /// The table of `jury.toml` that holds them.
    const TABLE: &'static str;
    /// Every one of them.
    const VARIABLES: &'static [Variable<Self>];
}

impl SettingsTable for CritiqueConfig {
    const TABLE: &'static str = "critique";
    const VARIABLES: &'static [Variable<Self>] = VARIABLES;
}

/// One setting as its sources call it.
#[derive(Debug)]
pub struct Variable<T> {
    /// The name in the environment.
    pub name: &'static str,
    /// In the table of `jury.toml`.
    pub key: &'static str,
    /// On the command line, where there is one.
    pub flag: Option<&'static str>,
    /// What a value must be.
    pub range: &'static str,
    /// The default, as text; empty when there is none.
    pub default: &'static str,
    /// What it is for.
    pub meaning: &'static str,
    /// Takes the text over, or refuses it.
    pub apply: fn(&mut T, &str) -> Result<(), ()>,
}

impl<T: SettingsTable> Variable<T> {
    /// What this source calls the setting.
    pub fn place(&self, source: SettingSource) -> String {
        match (source, self.flag) {
            (SettingSource::Flag, Some(flag)) => flag.to_owned(),
            (SettingSource::Flag, None) | (SettingSource::Environment, _) => self.name.to_owned(),
            (SettingSource::File, _) => format!("{}.{} in jury.toml", T::TABLE, self.key),
        }
    }
}

/// Every setting of the theater.
pub const VARIABLES: &[Variable<CritiqueConfig>] = &[
    Variable {
        name: "OD_CRITIQUE_ENABLED",
        key: "enabled",
        flag: None,
        range: "true or false",
        default: "false",
        meaning: "Master switch for generation; a run asked for by hand does not need it",
        apply: |config, text| truth(text).map(|truth| config.enabled = truth),
    },
    Variable {
        name: "OD_CRITIQUE_MAX_ROUNDS",
        key: "max_rounds",
        flag: Some("--max-rounds"),
        range: "a whole number from 1 to 20",
        default: "3",
        meaning: "Hard upper bound on rounds",
        apply: |config, text| whole(text, 1..=20).map(|n| config.max_rounds = n),
    },
    Variable {
        name: "OD_CRITIQUE_SCORE_SCALE",
        key: "score_scale",
        flag: None,
        range: "a number above 0 and up to 1000",
        default: "10",
        meaning: "Upper end of the scores; the lower end is always 0. Without a bar of its own, 80 % of it is the bar",
        apply: |config, text| number(text, f64::MIN_POSITIVE..=1000.0).map(|n| config.score_scale = Scale(n)),
    },
    Variable {
        name: "OD_CRITIQUE_SCORE_THRESHOLD",
        key: "score_threshold",
        flag: Some("--threshold"),
        range: "a number from 0 to the score scale",
        default: "8.0",
        meaning: "The bar: a composite below it does not ship. Below half of the scale the flag needs --force, and every verdict says so",
        apply: |config, text| number(text, 0.0..=1000.0).map(|n| config.score_threshold = Threshold(n)),
    },
    Variable {
        name: "OD_CRITIQUE_WEIGHTS",
        key: "weights",
        flag: None,
        range: "roles with weights from 0 to 1000, the critic's a tenth of all or more, such as critic=0.4,brand=0.2,a11y=0.2,copy=0.2",
        default: "critic=0.4,brand=0.2,a11y=0.2,copy=0.2",
        meaning: "How much each role counts; a role left out counts nothing. A panel without its critic is no panel",
        apply: |config, text| weights(text).map(|weights| config.weights = weights),
    },
    Variable {
        name: "OD_CRITIQUE_ROUND_TIMEOUT_MS",
        key: "round_timeout_ms",
        flag: Some("--round-timeout-ms"),
        range: "milliseconds, a whole number from 1 to 86400000",
        default: "90000",
        meaning: "How long one round may take, from its opening tag; left at its default, the time in which a page keeps arriving does not count",
        apply: |config, text| {
            config.per_round_timeout_ms = milliseconds(text)?;
            config.round_clock = TimeoutClock::Wall;
            Ok(())
        },
    },
    Variable {
        name: "OD_CRITIQUE_TOTAL_TIMEOUT_MS",
        key: "total_timeout_ms",
        flag: Some("--total-timeout-ms"),
        range: "milliseconds, a whole number from 1 to 86400000",
        default: "240000",
        meaning: "How long the panel may take over all rounds; left at its default, the time in which a page keeps arriving does not count",
        apply: |config, text| {
            config.total_timeout_ms = milliseconds(text)?;
            config.total_clock = TimeoutClock::Wall;
            Ok(())
        },
    },
    Variable {
        name: "JURY_RUN_TIMEOUT_MS",
        key: "run_timeout_ms",
        flag: Some("--run-timeout-ms"),
        range: "milliseconds, a whole number from 1 to 86400000",
        default: "900000",
        meaning: "How long a run may take, whatever it does; unset, it is never less than a limit above that is set",
        apply: |config, text| milliseconds(text).map(|ms| config.run_timeout_ms = ms),
    },
    Variable {
        name: "OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES",
        key: "parser_max_block_bytes",
        flag: None,
        range: "bytes, a whole number from 1024 to 67108864",
        default: "262144",
        meaning: "Most bytes between an opening tag and its close; also bounds the page",
        apply: |config, text| {
            whole(text, 1024..=67_108_864).map(|n| config.parser_max_block_bytes = Bytes(u64::from(n)))
        },
    },
    Variable {
        name: "OD_CRITIQUE_FALLBACK_POLICY",
        key: "fallback_policy",
        flag: Some("--fallback"),
        range: "ship_best, ship_last or fail",
        default: "ship_best",
        meaning: "Which round is kept when none meets the bar",
        apply: |config, text| text.parse().map(|policy| config.fallback_policy = policy).map_err(|_| ()),
    },
    Variable {
        name: "OD_CRITIQUE_MAX_CONCURRENT_RUNS",
        key: "max_concurrent_runs",
        flag: None,
        range: "a whole number from 1 to 1024",
        default: "1",
        meaning: "How many runs may run at once; the program's default is the number of cores",
        apply: |config, text| whole(text, 1..=1024).map(|n| config.max_concurrent_runs = n),
    },
    Variable {
        name: "OD_CRITIQUE_ROLLOUT_PHASE",
        key: "rollout_phase",
        flag: None,
        range: "M0, M1, M2 or M3",
        default: "M0",
        meaning: "How far the feature is rolled out",
        apply: |config, text| text.parse().map(|phase| config.rollout_phase = phase).map_err(|_| ()),
    },
    Variable {
        name: "OD_CRITIQUE_EVIDENCE",
        key: "evidence",
        flag: Some("--evidence"),
        range: "off, warn or gate",
        default: "gate",
        meaning: "What is made of measured facts: nothing, a remark, or a part of the rule; the verdict says when it is not gate",
        apply: |config, text| text.parse().map(|mode| config.evidence = mode).map_err(|_| ()),
    },
    Variable {
        name: "JURY_SPOOL_MAX_BYTES",
        key: "spool_max_bytes",
        flag: None,
        range: "bytes, a whole number from 1024 to 4294967295",
        default: "67108864",
        meaning: "Most bytes an agent may print in one run",
        apply: |config, text| {
            whole(text, 1024..=u32::MAX).map(|n| config.spool_max_bytes = Bytes(u64::from(n)))
        },
    },
];

pub(crate) fn truth(text: &str) -> Result<bool, ()> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(()),
    }
}

pub(crate) fn whole(text: &str, range: RangeInclusive<u32>) -> Result<u32, ()> {
    text.parse().ok().filter(|n| range.contains(n)).ok_or(())
}

pub(crate) fn number(text: &str, range: RangeInclusive<f64>) -> Result<f64, ()> {
    text.parse().ok().filter(|n| range.contains(n)).ok_or(())
}

fn milliseconds(text: &str) -> Result<Millis, ()> {
    whole(text, 1..=86_400_000).map(|n| Millis(u64::from(n)))
}

fn weights(text: &str) -> Result<Weights, ()> {
    let mut weights = Weights { designer: 0.0, critic: 0.0, brand: 0.0, a11y: 0.0, copy: 0.0 };
    for pair in text.split(',') {
        let (role, weight) = pair.split_once('=').ok_or(())?;
        let role: Role = role.trim().parse().map_err(|_| ())?;
        *weights.of_mut(role).ok_or(())? = number(weight.trim(), 0.0..=1000.0)?;
    }
    if leaves_critic(&weights, &[]) { Ok(weights) } else { Err(()) }
}
