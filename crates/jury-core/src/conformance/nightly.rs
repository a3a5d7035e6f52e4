//! The nightly cycle of a daemon: which agents are tested, and when. Off until an hour is given.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::id::AgentId;
use crate::line;
use crate::settings::variable::whole;
use crate::settings::{Layer, SettingError, SettingsTable, Variable};

/// How long a night lasts: a cycle begins within it or not at all.
const NIGHT_SECONDS: i64 = 3600;

/// Which agents a daemon tests every night, and at which hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NightlyPlan {
    /// The hour of the day in UTC; none when it is off.
    pub hour: Option<u8>,
    /// The agents, in the order in which they are tested.
    pub agents: Vec<AgentId>,
}

impl Default for NightlyPlan {
    fn default() -> Self {
        Self { hour: None, agents: vec![AgentId::house()] }
    }
}

impl SettingsTable for NightlyPlan {
    const TABLE: &'static str = "conformance";
    const VARIABLES: &'static [Variable<Self>] = NIGHTLY_VARIABLES;
}

/// Every setting of the nightly cycle.
pub const NIGHTLY_VARIABLES: &[Variable<NightlyPlan>] = &[
    Variable {
        name: "JURY_CONFORMANCE_HOUR",
        key: "hour",
        flag: None,
        range: "an hour of the day in UTC, a whole number from 0 to 23",
        default: "",
        meaning: "When the daemon tests agents, every night; off without it",
        apply: |plan, text| {
            let hour = whole(text, 0..=23)?;
            plan.hour = Some(u8::try_from(hour).map_err(|_| ())?);
            Ok(())
        },
    },
    Variable {
        name: "JURY_CONFORMANCE_AGENTS",
        key: "agents",
        flag: None,
        range: "agents with commas between them, such as house,mine",
        default: "house",
        meaning: "Which agents it tests; services that cost money are tested when they are named",
        apply: |plan, text| {
            let mut agents: Vec<AgentId> = Vec::new();
            for name in text.split(',') {
                let agent = name.trim().parse().map_err(|_| ())?;
                if !agents.contains(&agent) {
                    agents.push(agent);
                }
            }
            plan.agents = agents;
            Ok(())
        },
    },
];

impl NightlyPlan {
    /// The plan that results when earlier layers beat later ones. An empty value counts as none.
    pub fn resolve(layers: &[Layer]) -> Result<Self, SettingError> {
        let mut plan = Self::default();
        for variable in NIGHTLY_VARIABLES {
            let given = layers.iter().find_map(|layer| {
                let value = layer.values.get(variable.name).map(|value| value.trim())?;
                (!value.is_empty()).then_some((layer.source, value))
            });
            if let Some((source, value)) = given {
                (variable.apply)(&mut plan, value).map_err(|()| SettingError {
                    place: variable.place(source),
                    value: line::printable(&line::spaced(value), 80),
                    range: variable.range.to_owned(),
                })?;
            }
        }
        Ok(plan)
    }

    /// The beginning of the night that this moment belongs to; none outside of one. A cycle is due when the agent has had
    /// none since then. A daemon that starts after the night waits for the next one.
    pub fn night(&self, now: Timestamp) -> Option<Timestamp> {
        let hour = self.hour?;
        if now.to_zoned(TimeZone::UTC).hour() != i8::try_from(hour).ok()? {
            return None;
        }
        let second = now.as_second();
        Timestamp::from_second(second - second.rem_euclid(NIGHT_SECONDS)).ok()
    }
}
