//! Settings as values: what a run may do and where its bar is.
//!
//! What was given (flags, variables, a file: everything optional, everything text) becomes a
//! [`CritiqueConfig`] (nothing optional, everything checked) in [`CritiqueConfig::resolve`]. Reading the
//! environment and the file is somebody else's job.

mod defaults;
mod known;
pub(crate) mod variable;

pub use defaults::{DEFAULT_WEIGHTS, MAILBOX, PROTOCOL_VERSION};
pub use known::{PROGRAM_VARIABLES, TEST_VARIABLES, UnknownVariable, most_like, unknown_variables};
pub use variable::{SettingsTable, VARIABLES, Variable};

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

use crate::evidence::EvidenceMode;
use crate::outcome::UnknownWord;
use crate::outcome::{FallbackPolicy, words};
use crate::role::Role;
use crate::score::{Scale, Threshold, Weights};
use crate::seat::Seat;
use crate::unit::{Bytes, Millis};
use std::str::FromStr;

/// Everything a theater run is configured by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CritiqueConfig {
    /// The master switch for generation. Asking for a run by hand does not need it.
    pub enabled: bool,
    /// Who sits on the panel.
    pub cast: Vec<Role>,
    /// The seats of the cast that were added to the fixed ones; left out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub seats: Vec<Seat>,
    /// The most rounds there can be.
    pub max_rounds: u32,
    /// The composite that a round must reach.
    pub score_threshold: Threshold,
    /// The upper end of the scores.
    pub score_scale: Scale,
    /// How much each role counts.
    pub weights: Weights,
    /// How long one round may take.
    pub per_round_timeout_ms: Millis,
    /// What of a round counts towards that.
    pub round_clock: TimeoutClock,
    /// How long the panel may take over all rounds.
    pub total_timeout_ms: Millis,
    /// What of the run counts towards that.
    pub total_clock: TimeoutClock,
    /// How long the run may take, whatever it does.
    pub run_timeout_ms: Millis,
    /// The most bytes between an opening tag and its close.
    pub parser_max_block_bytes: Bytes,
    /// What is kept when no round meets the bar.
    pub fallback_policy: FallbackPolicy,
    /// The version of the wire protocol.
    pub protocol_version: u32,
    /// How many runs may run at once.
    pub max_concurrent_runs: u32,
    /// How far the feature is rolled out.
    pub rollout_phase: RolloutPhase,
    /// What is made of measured facts.
    pub evidence: EvidenceMode,
    /// The most bytes an agent may print in one run.
    pub spool_max_bytes: Bytes,
}

/// The variable of the master switch.
const ENABLED: &str = "OD_CRITIQUE_ENABLED";

/// The variable of the bar.
const THRESHOLD: &str = "OD_CRITIQUE_SCORE_THRESHOLD";

/// The variable of the hard cap.
const RUN_TIMEOUT: &str = "JURY_RUN_TIMEOUT_MS";

/// The variable of the scale.
const SCALE: &str = "OD_CRITIQUE_SCORE_SCALE";

/// Whether a bar below half of the scale was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LowBar {
    /// It is refused when a flag asks for it.
    Refused,
    /// It was asked for twice: by its value and by `--force`.
    Forced,
}

/// What counts towards a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeoutClock {
    /// All but the time in which an artifact keeps arriving: the default bounds the panel, not the copying of pages.
    Panel,
    /// Everything: a limit that was set is meant as it is written.
    Wall,
}

words!(TimeoutClock { Panel = "panel", Wall = "wall" });

/// How far the feature is rolled out, from dark to on for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub enum RolloutPhase {
    /// Off unless a skill, a project or a setting says otherwise.
    M0,
    /// Off by default, and a project can switch it on.
    M1,
    /// On for skills that ask for it.
    M2,
    /// On by default for every run.
    M3,
}

words!(RolloutPhase { M0 = "M0", M1 = "M1", M2 = "M2", M3 = "M3" });

/// Where a value came from, for the message about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingSource {
    /// A flag on the command line.
    Flag,
    /// A variable of the environment.
    Environment,
    /// The settings file of the user.
    File,
}

/// What one source gave: the name of the variable to the text of its value.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The source of these values.
    pub source: SettingSource,
    /// The values, by [`Variable::name`].
    pub values: BTreeMap<&'static str, String>,
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place} is '{value}': it must be {range}")]
pub struct SettingError {
    /// The variable, flag or key, as its source calls it.
    pub place: String,
    /// The text that was given.
    pub value: String,
    /// The values that are allowed.
    pub range: String,
}

impl CritiqueConfig {
    /// The settings that result when earlier layers beat later ones and defaults fill the rest. A scale without a bar
    /// moves the bar with it: the default is a share of the scale. A limit that is set moves the hard cap out of its way: it
    /// is meant as it is written.
    pub fn resolve(layers: &[Layer], low_bar: LowBar) -> Result<Self, SettingError> {
        let mut config = Self::default();
        for variable in VARIABLES {
            if let Some((source, value)) = given(layers, variable.name) {
                (variable.apply)(&mut config, value.trim()).map_err(|()| SettingError {
                    place: variable.place(source),
                    value: value.clone(),
                    range: variable.range.to_owned(),
                })?;
            }
        }
        if given(layers, SCALE).is_some() && given(layers, THRESHOLD).is_none() {
            config.score_threshold = defaults::threshold_of(config.score_scale);
        }
        if given(layers, RUN_TIMEOUT).is_none() {
            for (limit, clock) in [
                (config.per_round_timeout_ms, config.round_clock),
                (config.total_timeout_ms, config.total_clock),
            ] {
                if clock == TimeoutClock::Wall {
                    config.run_timeout_ms = config.run_timeout_ms.max(limit);
                }
            }
        }
        config.check_threshold(layers, low_bar)?;
        Ok(config)
    }

    /// What the sources say about `OD_CRITIQUE_ENABLED`; none when none of them does. A default is not a word that
    /// anybody said, and in [`CritiqueConfig`] the two look the same.
    pub fn enabled_given(layers: &[Layer]) -> Result<Option<bool>, SettingError> {
        let given = layers.iter().any(|layer| layer.values.contains_key(ENABLED));
        Ok(if given { Some(Self::resolve(layers, LowBar::Forced)?.enabled) } else { None })
    }

    /// A bar above the scale could never be met. One below half of it is a slip as often as it is meant: a flag needs
    /// `--force` for it, while a variable or a line of the file was spelled out.
    fn check_threshold(&self, layers: &[Layer], low_bar: LowBar) -> Result<(), SettingError> {
        let (threshold, scale) = (self.score_threshold, self.score_scale);
        let source = given(layers, THRESHOLD).map_or(SettingSource::Environment, |(source, _)| source);
        let range = if threshold.0 > scale.0 {
            format!("between 0 and the score scale, which is {scale}")
        } else if threshold.is_low(scale) && source == SettingSource::Flag && low_bar == LowBar::Refused {
            format!("{} or more, half of the score scale; add --force to ship with less", scale.0 / 2.0)
        } else {
            return Ok(());
        };
        let place = VARIABLES
            .iter()
            .find(|variable| variable.name == THRESHOLD)
            .map_or_else(|| THRESHOLD.to_owned(), |variable| variable.place(source));
        Err(SettingError { place, value: threshold.0.to_string(), range })
    }
}

/// How a message about a limit names what sets it: the variable, and the flag if there is one, in brackets.
pub fn named(name: &str) -> String {
    let flag = VARIABLES.iter().find(|variable| variable.name == name).and_then(|variable| variable.flag);
    flag.map_or_else(|| format!("({name})"), |flag| format!("({name}, {flag})"))
}

/// The first of these layers that has a value, and the value.
fn given<'l>(layers: &'l [Layer], name: &str) -> Option<(SettingSource, &'l String)> {
    layers.iter().find_map(|layer| layer.values.get(name).map(|value| (layer.source, value)))
}

impl Default for CritiqueConfig {
    fn default() -> Self {
        defaults::critique_config()
    }
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "jury.toml",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(source: SettingSource, pairs: &[(&'static str, &str)]) -> Layer {
        Layer { source, values: pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() }
    }

    fn resolved(layers: &[Layer]) -> Result<CritiqueConfig, SettingError> {
        CritiqueConfig::resolve(layers, LowBar::Refused)
    }

    #[test]
    fn flags_beat_variables_beat_the_file() {
        let flag = layer(SettingSource::Flag, &[("OD_CRITIQUE_MAX_ROUNDS", "2")]);
        let environment = layer(
            SettingSource::Environment,
            &[("OD_CRITIQUE_MAX_ROUNDS", "4"), ("OD_CRITIQUE_SCORE_THRESHOLD", "7.5")],
        );
        let file = layer(
            SettingSource::File,
            &[("OD_CRITIQUE_SCORE_THRESHOLD", "6"), ("OD_CRITIQUE_FALLBACK_POLICY", "fail")],
        );
        let config = resolved(&[flag, environment, file]).unwrap();
        assert_eq!(config.max_rounds, 2);
        assert_eq!(config.score_threshold, Threshold(7.5));
        assert_eq!(config.fallback_policy, FallbackPolicy::Fail);
    }

    #[test]
    fn every_variable_takes_its_default_and_refuses_nonsense() {
        for variable in VARIABLES {
            let mut config = CritiqueConfig::default();
            assert_eq!((variable.apply)(&mut config, variable.default), Ok(()), "{}", variable.name);
            // A limit that is set counts everything, its default does not.
            config.round_clock = TimeoutClock::Panel;
            config.total_clock = TimeoutClock::Panel;
            if variable.name != "OD_CRITIQUE_ENABLED" && variable.name != "OD_CRITIQUE_MAX_CONCURRENT_RUNS" {
                assert_eq!(config, CritiqueConfig::default(), "{}", variable.name);
            }
            for nonsense in ["", "nonsense", "-1", "NaN", "1e999", "99999999999999999999"] {
                assert_eq!((variable.apply)(&mut config, nonsense), Err(()), "{}={nonsense}", variable.name);
            }
        }
    }

    #[test]
    fn a_limit_that_is_set_is_wall_time_and_the_cap_makes_room_for_it() {
        use TimeoutClock::{Panel, Wall};
        let given = |pairs: &[(&'static str, &str)]| {
            let config = resolved(&[layer(SettingSource::Environment, pairs)]).unwrap();
            (config.round_clock, config.total_clock, config.run_timeout_ms.0)
        };
        let (round, total) = ("OD_CRITIQUE_ROUND_TIMEOUT_MS", "OD_CRITIQUE_TOTAL_TIMEOUT_MS");
        assert_eq!(given(&[]), (Panel, Panel, 900_000));
        // The default, written out, is meant as well.
        assert_eq!(given(&[(round, "90000")]), (Wall, Panel, 900_000));
        assert_eq!(given(&[(total, "240000")]), (Panel, Wall, 900_000));
        assert_eq!(given(&[(total, "3600000")]), (Panel, Wall, 3_600_000));
        assert_eq!(given(&[(round, "1000000")]), (Wall, Panel, 1_000_000));
        assert_eq!(given(&[(total, "3600000"), (RUN_TIMEOUT, "60000")]), (Panel, Wall, 60_000));
        assert_eq!(given(&[(RUN_TIMEOUT, "1000")]), (Panel, Panel, 1000));
    }

    #[test]
    fn a_bad_value_is_named_with_its_place_and_its_range() {
        let given = layer(SettingSource::Environment, &[("OD_CRITIQUE_MAX_ROUNDS", "lots")]);
        assert_eq!(
            resolved(&[given]).unwrap_err().to_string(),
            "OD_CRITIQUE_MAX_ROUNDS is 'lots': it must be a whole number from 1 to 20"
        );
        let given = layer(SettingSource::File, &[("OD_CRITIQUE_WEIGHTS", "critic=2,boss=1")]);
        assert_eq!(
            resolved(&[given]).unwrap_err().to_string(),
            "critique.weights in jury.toml is 'critic=2,boss=1': it must be roles with weights from 0 to 1000, \
             the critic's a tenth of all or more, such as critic=0.4,brand=0.2,a11y=0.2,copy=0.2"
        );
    }

    #[test]
    fn weights_leave_the_critic_its_seat() {
        let given = |weights: &str| {
            resolved(&[layer(SettingSource::Environment, &[("OD_CRITIQUE_WEIGHTS", weights)])])
        };
        for weights in [
            "critic=1",
            "critic=0.1,a11y=0.9",
            "critic=2,brand=1,a11y=1",
            "designer=1,critic=1",
            "critic=3,copy=1",
        ] {
            assert!(given(weights).is_ok(), "{weights}");
        }
        for weights in ["brand=1", "critic=0,copy=1", "critic=0.001,brand=1", "critic=1,a11y=1000"] {
            assert!(given(weights).is_err(), "{weights}");
        }
    }

    #[test]
    fn a_switch_that_was_given_is_told_from_its_default() {
        let given = |value: &str| layer(SettingSource::File, &[("OD_CRITIQUE_ENABLED", value)]);
        assert_eq!(CritiqueConfig::enabled_given(&[]), Ok(None));
        assert_eq!(CritiqueConfig::enabled_given(&[given("false")]), Ok(Some(false)));
        let environment = layer(SettingSource::Environment, &[("OD_CRITIQUE_ENABLED", "1")]);
        assert_eq!(CritiqueConfig::enabled_given(&[environment, given("false")]), Ok(Some(true)));
        assert!(CritiqueConfig::enabled_given(&[given("perhaps")]).is_err());
    }

    #[test]
    fn a_bar_above_the_scale_could_never_be_met_and_is_refused() {
        let given = layer(SettingSource::Flag, &[("OD_CRITIQUE_SCORE_THRESHOLD", "80")]);
        assert_eq!(
            resolved(&[given]).unwrap_err().to_string(),
            "--threshold is '80': it must be between 0 and the score scale, which is 10"
        );
    }

    #[test]
    fn a_scale_without_a_bar_scales_the_bar() {
        for (scale, bar) in [("100", 80.0), ("5", 4.0), ("10", 8.0), ("1", 0.8), ("1000", 800.0)] {
            for source in [SettingSource::Environment, SettingSource::File] {
                let config = resolved(&[layer(source, &[("OD_CRITIQUE_SCORE_SCALE", scale)])]).unwrap();
                assert!(
                    (config.score_threshold.0 - bar).abs() < 1e-9,
                    "{scale}: {}",
                    config.score_threshold.0
                );
            }
        }
        let both = [("OD_CRITIQUE_SCORE_SCALE", "100"), ("OD_CRITIQUE_SCORE_THRESHOLD", "55")];
        assert_eq!(
            resolved(&[layer(SettingSource::Environment, &both)]).unwrap().score_threshold,
            Threshold(55.0)
        );
        // The bar of another layer counts as well.
        let layers = [
            layer(SettingSource::Environment, &[("OD_CRITIQUE_SCORE_SCALE", "100")]),
            layer(SettingSource::File, &[("OD_CRITIQUE_SCORE_THRESHOLD", "70")]),
        ];
        assert_eq!(resolved(&layers).unwrap().score_threshold, Threshold(70.0));
    }

    #[test]
    fn a_low_bar_by_flag_has_to_be_forced_and_by_variable_is_spelled_out() {
        let flag = layer(SettingSource::Flag, &[("OD_CRITIQUE_SCORE_THRESHOLD", "4.9")]);
        assert_eq!(
            resolved(std::slice::from_ref(&flag)).unwrap_err().to_string(),
            "--threshold is '4.9': it must be 5 or more, half of the score scale; add --force to ship with less"
        );
        let forced = CritiqueConfig::resolve(&[flag], LowBar::Forced).unwrap();
        assert_eq!(forced.score_threshold, Threshold(4.9));
        for source in [SettingSource::Environment, SettingSource::File] {
            let config = resolved(&[layer(source, &[("OD_CRITIQUE_SCORE_THRESHOLD", "0")])]).unwrap();
            assert_eq!(config.score_threshold, Threshold(0.0));
        }
        let half = layer(SettingSource::Flag, &[("OD_CRITIQUE_SCORE_THRESHOLD", "5")]);
        assert_eq!(resolved(&[half]).unwrap().score_threshold, Threshold(5.0));
        // Half of which scale is said by the scale of the run.
        let large = layer(SettingSource::Environment, &[("OD_CRITIQUE_SCORE_SCALE", "100")]);
        let eight = layer(SettingSource::Flag, &[("OD_CRITIQUE_SCORE_THRESHOLD", "8")]);
        assert!(resolved(&[eight, large]).is_err());
    }
}
