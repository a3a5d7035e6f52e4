//! Seats that a user adds to the fixed cast: what each looks at, what it scores, how much it counts and who plays it.
//!
//! Four of them have a name of their own and are measured: jury plays them, and nobody else's word counts for theirs. Every
//! other one is played by the agent that plays the rest of the panel, in the same session.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::outcome::{UnknownWord, words};
use crate::role::{AddedSeatName, Role};
use crate::score::{EPSILON, Weights};
use crate::settings::{CritiqueConfig, SettingError};

/// The most seats that a run adds.
pub const MOST_SEATS: usize = 8;

/// The longest sentence about what a seat looks at, in characters.
const LONGEST_LOOKS_AT: usize = 300;

/// The most dimensions of a seat.
const MOST_DIMENSIONS: usize = 8;

/// The longest name of a dimension, in characters.
const LONGEST_DIMENSION: usize = 40;

/// The largest weight.
const LARGEST_WEIGHT: f64 = 1000.0;

/// The key of a weight.
const WEIGHT: &str = "weight";

/// A seat that was added to the cast of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AddedSeat)]
pub struct Seat {
    /// What it is called.
    pub name: AddedSeatName,
    /// What it looks at, in a sentence.
    pub looks_at: String,
    /// What it scores.
    pub dimensions: Vec<String>,
    /// How much it counts, beside the weights of the fixed cast.
    pub weight: f64,
    /// Who plays it.
    pub played_by: PlayedBy,
}

/// Who plays an added seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayedBy {
    /// The agent that plays the panel, in the same session.
    Agent,
    /// jury itself, by measuring. An agent's word for it is not used.
    Jury,
}

words!(PlayedBy { Agent = "agent", Jury = "jury" });

/// A seat that jury plays by measuring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasuredSeat {
    /// The weight of the page and what it loads.
    Perf,
    /// Language, direction, longer words, dates and numbers.
    I18n,
    /// What moves, for how long, and for whom it stops.
    Motion,
    /// What the run used.
    Cost,
}

impl MeasuredSeat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Perf, Self::I18n, Self::Motion, Self::Cost];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perf => "perf",
            Self::I18n => "i18n",
            Self::Motion => "motion",
            Self::Cost => "cost",
        }
    }

    /// Its role in the cast.
    pub const fn role(self) -> Role {
        Role::Seat(AddedSeatName::known(self.name()))
    }

    /// The seat with this name, if it is one that is measured.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.name() == name)
    }

    /// What it looks at.
    pub const fn looks_at(self) -> &'static str {
        match self {
            Self::Perf => {
                "weight of the page, requests, what blocks its first picture, sizes of images, loading of fonts"
            }
            Self::I18n => {
                "language and direction, text that would not survive 40 % more length, dates and numbers"
            }
            Self::Motion => "how long things move, how much moves at once, reduced motion",
            Self::Cost => "tokens and dollars of the run against its budget",
        }
    }

    /// What it scores.
    pub const fn dimensions(self) -> &'static [&'static str] {
        match self {
            Self::Perf => &["weight", "loading"],
            Self::I18n => &["language", "room", "formats"],
            Self::Motion => &["duration", "amount", "reduced"],
            Self::Cost => &["budget"],
        }
    }
}

/// A seat as it was asked for, unchecked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SeatRequest {
    /// Where it was asked for, as a message names it: `critique.seats.legal in jury.toml`.
    pub place: String,
    /// What it is to be called.
    pub name: String,
    /// What it looks at.
    pub looks_at: Option<String>,
    /// What it scores.
    pub dimensions: Option<Vec<String>>,
    /// How much it counts; nothing if nobody says.
    pub weight: Option<f64>,
    /// Where its weight was given, if that is another place.
    pub weighed_at: Option<String>,
    /// Who plays it; the agent of the panel if nobody says.
    pub played_by: Option<String>,
}

impl SeatRequest {
    fn refuse(&self, key: &str, value: &dyn ToString, range: impl Into<String>) -> SettingError {
        let place = match key {
            "" => self.place.clone(),
            WEIGHT => format!("{key} of {}", self.weighed_at.as_ref().unwrap_or(&self.place)),
            _ => format!("{key} of {}", self.place),
        };
        SettingError { place, value: value.to_string(), range: range.into() }
    }

    fn seat(&self) -> Result<Seat, SettingError> {
        let name: AddedSeatName = self
            .name
            .parse()
            .map_err(|why: crate::role::BadAddedSeatName| self.refuse("", &self.name, why.to_string()))?;
        let weight = self.weight.unwrap_or(0.0);
        if !(0.0..=LARGEST_WEIGHT).contains(&weight) {
            return Err(self.refuse(WEIGHT, &weight, format!("a number from 0 to {LARGEST_WEIGHT}")));
        }
        match MeasuredSeat::named(name.as_str()) {
            Some(measured) => self.measured(measured, name, weight),
            None => self.own(name, weight),
        }
    }

    fn measured(
        &self,
        measured: MeasuredSeat,
        name: AddedSeatName,
        weight: f64,
    ) -> Result<Seat, SettingError> {
        let fixed = "left out: jury measures this seat, and what it looks at is fixed";
        if let Some(looks_at) = &self.looks_at {
            return Err(self.refuse("looks_at", &looks_at, fixed));
        }
        if let Some(dimensions) = &self.dimensions {
            return Err(self.refuse("dimensions", &dimensions.join(", "), fixed));
        }
        if let Some(player) = self.played_by.as_ref().filter(|player| *player != PlayedBy::Jury.as_str()) {
            return Err(self.refuse("played_by", &player, "left out: jury measures this seat"));
        }
        Ok(Seat {
            name,
            looks_at: measured.looks_at().to_owned(),
            dimensions: measured.dimensions().iter().map(|name| (*name).to_owned()).collect(),
            weight,
            played_by: PlayedBy::Jury,
        })
    }

    fn own(&self, name: AddedSeatName, weight: f64) -> Result<Seat, SettingError> {
        let looks_at = self.looks_at.as_deref().unwrap_or_default().trim();
        let is_line = |text: &str| !text.chars().any(|ch| ch.is_control() || matches!(ch, '<' | '>'));
        if looks_at.is_empty() || looks_at.chars().count() > LONGEST_LOOKS_AT || !is_line(looks_at) {
            let range =
                format!("a sentence of 1 to {LONGEST_LOOKS_AT} characters on one line, without < and >");
            return Err(self.refuse("looks_at", &looks_at, range));
        }
        let dimensions: Vec<String> =
            self.dimensions.iter().flatten().map(|dimension| dimension.trim().to_owned()).collect();
        let is_name = |text: &String| {
            (1..=LONGEST_DIMENSION).contains(&text.chars().count())
                && text.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, ' ' | '-'))
        };
        let twice = dimensions
            .iter()
            .enumerate()
            .any(|(index, name)| dimensions.iter().take(index).any(|one| one == name));
        if dimensions.is_empty()
            || dimensions.len() > MOST_DIMENSIONS
            || twice
            || !dimensions.iter().all(is_name)
        {
            let range = format!(
                "1 to {MOST_DIMENSIONS} different names of at most {LONGEST_DIMENSION} letters, digits, spaces and hyphens"
            );
            return Err(self.refuse("dimensions", &dimensions.join(", "), range));
        }
        if let Some(player) = self.played_by.as_ref().filter(|player| *player != PlayedBy::Agent.as_str()) {
            let range = "agent, or left out: one agent in one session plays the whole panel";
            return Err(self.refuse("played_by", &player, range));
        }
        Ok(Seat { name, looks_at: looks_at.to_owned(), dimensions, weight, played_by: PlayedBy::Agent })
    }
}

impl CritiqueConfig {
    /// These settings with seats added to the cast, in this order. A name that comes twice is refused, and so are weights that
    /// leave the critic less than its share.
    pub fn with_seats(mut self, requests: &[SeatRequest]) -> Result<Self, SettingError> {
        for request in requests {
            let seat = request.seat()?;
            let role = Role::Seat(seat.name);
            if self.cast.contains(&role) {
                return Err(request.refuse("", &seat.name, "given once"));
            }
            if self.seats.len() == MOST_SEATS {
                return Err(request.refuse(
                    "",
                    &seat.name,
                    format!("one of at most {MOST_SEATS} added seats"),
                ));
            }
            self.cast.push(role);
            self.seats.push(seat);
            if !leaves_critic(&self.weights, &self.seats) {
                let range = "no more than leaves the critic a tenth of all weights";
                return Err(request.refuse(WEIGHT, &request.weight.unwrap_or(0.0), range));
            }
        }
        Ok(self)
    }

    /// These settings with the fixed cast alone.
    #[must_use]
    pub fn without_seats(mut self) -> Self {
        self.cast.retain(|role| !matches!(role, Role::Seat(_)));
        self.seats.clear();
        self
    }

    /// Whether a role only advises: an added seat without a weight.
    pub fn advises(&self, role: Role) -> bool {
        self.seat(role).is_some_and(|seat| seat.weight <= 0.0)
    }

    /// How much a role counts.
    pub fn weight(&self, role: Role) -> f64 {
        weight(&self.weights, &self.seats, role)
    }

    /// The roles that the agent plays, in the order of the cast.
    pub fn played(&self) -> impl Iterator<Item = Role> {
        self.cast
            .iter()
            .copied()
            .filter(|role| self.seat(*role).is_none_or(|seat| seat.played_by == PlayedBy::Agent))
    }

    /// The added seat that this role is, if it is one.
    pub fn seat(&self, role: Role) -> Option<&Seat> {
        self.seats.iter().find(|seat| Role::Seat(seat.name) == role)
    }

    /// Whether a seat is played by measuring the page.
    pub fn measures_page(&self) -> bool {
        let measured = self.seats.iter().filter(|seat| seat.played_by == PlayedBy::Jury);
        measured
            .filter_map(|seat| MeasuredSeat::named(seat.name.as_str()))
            .any(|seat| seat != MeasuredSeat::Cost)
    }
}

/// How much a role counts: one of the fixed cast by its weight, an added seat by its own.
pub(crate) fn weight(weights: &Weights, seats: &[Seat], role: Role) -> f64 {
    match role {
        Role::Seat(name) => seats.iter().find(|seat| seat.name == name).map_or(0.0, |seat| seat.weight),
        Role::Designer | Role::Critic | Role::Brand | Role::A11y | Role::Copy => weights.of(role),
    }
}

/// The least share of the critic: with less its seat is as good as empty, and the others pass the work by themselves.
const LEAST_CRITIC: f64 = 0.1;

/// Whether the critic keeps its share of these weights.
pub(crate) fn leaves_critic(weights: &Weights, seats: &[Seat]) -> bool {
    let fixed: f64 = Role::ALL.iter().map(|role| weights.of(*role)).sum();
    let all = fixed + seats.iter().map(|seat| seat.weight).sum::<f64>();
    weights.critic > 0.0 && weights.critic >= LEAST_CRITIC * all * (1.0 - EPSILON)
}
