//! Settings as values: what a run may do and where its bar is.
//!
//! What was given (flags, variables, a file: everything optional, everything text) becomes a
//! [`CritiqueConfig`] (nothing optional, everything checked) in [`CritiqueConfig::resolve`]. Reading the
//! environment and the file is somebody else's job.

mod defaults;
pub(crate) mod variable;

pub use defaults::{DEFAULT_WEIGHTS, MAILBOX, PROTOCOL_VERSION};
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
    /// The most rounds there can be.
    pub max_rounds: u32,
    /// The bar.
    pub score_threshold: Threshold,
    /// The upper end of the scores.
    pub score_scale: Scale,
    /// How much each role counts.
    pub weights: Weights,
    /// How long one round may take.
    pub per_round_timeout_ms: Millis,
    /// How long the run may take.
    pub total_timeout_ms: Millis,
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

/// How far the feature is rolled out, from dark to on for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub enum RolloutPhase {
    /// Dark.
    M0,
    /// A toggle.
    M1,
    /// On for skills that ask for it.
    M2,
    /// On.
    M3,
}

words!(RolloutPhase { M0 = "M0", M1 = "M1", M2 = "M2", M3 = "M3" });

/// Where a value came from, for the message about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A flag on the command line.
    Flag,
    /// A variable of the environment.
    Environment,
    /// The settings file.
    File,
}

/// What one source gave: the name of the variable to the text of its value.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Which source.
    pub source: Source,
    /// Values by [`Variable::name`].
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
    /// What would do.
    pub range: String,
}

impl CritiqueConfig {
    /// The settings that result when earlier layers beat later ones and defaults fill the rest.
    pub fn resolve(layers: &[Layer]) -> Result<Self, SettingError> {
        let mut config = Self::default();
        for variable in VARIABLES {
            let given = layers
                .iter()
                .find_map(|layer| layer.values.get(variable.name).map(|value| (layer.source, value)));
            if let Some((source, value)) = given {
                (variable.apply)(&mut config, value.trim()).map_err(|()| SettingError {
                    place: variable.place(source),
                    value: value.clone(),
                    range: variable.range.to_owned(),
                })?;
            }
        }
        config.check_threshold(layers)?;
        Ok(config)
    }

    /// What the sources say about `OD_CRITIQUE_ENABLED`; none when none of them does. A default is not a word that
    /// anybody said, and in [`CritiqueConfig`] the two look the same.
    pub fn enabled_given(layers: &[Layer]) -> Result<Option<bool>, SettingError> {
        let given = layers.iter().any(|layer| layer.values.contains_key(ENABLED));
        Ok(if given { Some(Self::resolve(layers)?.enabled) } else { None })
    }

    fn check_threshold(&self, layers: &[Layer]) -> Result<(), SettingError> {
        if self.score_threshold.0 <= self.score_scale.0 {
            return Ok(());
        }
        let name = "OD_CRITIQUE_SCORE_THRESHOLD";
        let source = layers
            .iter()
            .find(|layer| layer.values.contains_key(name))
            .map_or(Source::Environment, |layer| layer.source);
        let place = VARIABLES
            .iter()
            .find(|variable| variable.name == name)
            .map_or_else(|| name.to_owned(), |variable| variable.place(source));
        Err(SettingError {
            place,
            value: self.score_threshold.0.to_string(),
            range: format!("between 0 and the score scale, which is {}", self.score_scale),
        })
    }
}

impl Default for CritiqueConfig {
    fn default() -> Self {
        defaults::critique_config()
    }
}

impl fmt::Display for Source {
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

    fn layer(source: Source, pairs: &[(&'static str, &str)]) -> Layer {
        Layer { source, values: pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() }
    }

    #[test]
    fn flags_beat_variables_beat_the_file() {
        let flag = layer(Source::Flag, &[("OD_CRITIQUE_MAX_ROUNDS", "2")]);
        let environment = layer(
            Source::Environment,
            &[("OD_CRITIQUE_MAX_ROUNDS", "4"), ("OD_CRITIQUE_SCORE_THRESHOLD", "7.5")],
        );
        let file = layer(
            Source::File,
            &[("OD_CRITIQUE_SCORE_THRESHOLD", "6"), ("OD_CRITIQUE_FALLBACK_POLICY", "fail")],
        );
        let config = CritiqueConfig::resolve(&[flag, environment, file]).unwrap();
        assert_eq!(config.max_rounds, 2);
        assert_eq!(config.score_threshold, Threshold(7.5));
        assert_eq!(config.fallback_policy, FallbackPolicy::Fail);
    }

    #[test]
    fn every_variable_takes_its_default_and_refuses_nonsense() {
        for variable in VARIABLES {
            let mut config = CritiqueConfig::default();
            assert_eq!((variable.apply)(&mut config, variable.default), Ok(()), "{}", variable.name);
            if variable.name != "OD_CRITIQUE_ENABLED" && variable.name != "OD_CRITIQUE_MAX_CONCURRENT_RUNS" {
                assert_eq!(config, CritiqueConfig::default(), "{}", variable.name);
            }
            for nonsense in ["", "nonsense", "-1", "NaN", "1e999", "99999999999999999999"] {
                assert_eq!((variable.apply)(&mut config, nonsense), Err(()), "{}={nonsense}", variable.name);
            }
        }
    }

    #[test]
    fn a_bad_value_is_named_with_its_place_and_its_range() {
        let given = layer(Source::Environment, &[("OD_CRITIQUE_MAX_ROUNDS", "lots")]);
        assert_eq!(
            CritiqueConfig::resolve(&[given]).unwrap_err().to_string(),
            "OD_CRITIQUE_MAX_ROUNDS is 'lots': it must be a whole number from 1 to 20"
        );
        let given = layer(Source::File, &[("OD_CRITIQUE_WEIGHTS", "critic=2,boss=1")]);
        assert_eq!(
            CritiqueConfig::resolve(&[given]).unwrap_err().to_string(),
            "critique.weights in jury.toml is 'critic=2,boss=1': it must be roles with weights from 0 to 1000, \
             one above 0, such as critic=0.4,brand=0.2,a11y=0.2,copy=0.2"
        );
    }

    #[test]
    fn a_switch_that_was_given_is_told_from_its_default() {
        let given = |value: &str| layer(Source::File, &[("OD_CRITIQUE_ENABLED", value)]);
        assert_eq!(CritiqueConfig::enabled_given(&[]), Ok(None));
        assert_eq!(CritiqueConfig::enabled_given(&[given("false")]), Ok(Some(false)));
        let environment = layer(Source::Environment, &[("OD_CRITIQUE_ENABLED", "1")]);
        assert_eq!(CritiqueConfig::enabled_given(&[environment, given("false")]), Ok(Some(true)));
        assert!(CritiqueConfig::enabled_given(&[given("perhaps")]).is_err());
    }

    #[test]
    fn a_bar_above_the_scale_could_never_be_met_and_is_refused() {
        let given = layer(Source::Flag, &[("OD_CRITIQUE_SCORE_THRESHOLD", "80")]);
        assert_eq!(
            CritiqueConfig::resolve(&[given]).unwrap_err().to_string(),
            "--threshold is '80': it must be between 0 and the score scale, which is 10"
        );
    }
}
