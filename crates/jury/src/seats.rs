//! Seats that are added to the cast: `[critique.seats.NAME]` in `jury.toml`, and `--seat NAME=WEIGHT`.

use std::collections::BTreeMap;

use jury_core::seat::{MeasuredSeat, SeatRequest};
use serde::Deserialize;

use crate::refusal::Refusal;
use crate::settings::FILE;

/// The key of the table in `[critique]`.
const KEY: &str = "seats";

/// A seat as the file has it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table such as { weight = 0.1 }")]
struct SeatTable {
    looks_at: Option<String>,
    dimensions: Option<Vec<String>>,
    weight: Option<f64>,
    played_by: Option<String>,
}

/// Takes the seats out of the table `[critique]`, in the order of their names.
pub(crate) fn taken_from(critique: &mut BTreeMap<String, toml::Value>) -> Result<Vec<SeatRequest>, Refusal> {
    let Some(value) = critique.remove(KEY) else { return Ok(Vec::new()) };
    let toml::Value::Table(table) = value else {
        return Err(Refusal::usage(format!(
            "critique.{KEY} in {FILE} must be a table of seats, such as [critique.{KEY}.perf] with weight = 0.1"
        )));
    };
    let mut names: Vec<(String, toml::Value)> = table.into_iter().collect();
    names.sort_by(|one, other| one.0.cmp(&other.0));
    names.into_iter().map(|(name, value)| request(name, value)).collect()
}

fn request(name: String, value: toml::Value) -> Result<SeatRequest, Refusal> {
    let place = format!("critique.{KEY}.{name} in {FILE}");
    let table: SeatTable = value.try_into().map_err(|error: toml::de::Error| {
        let message = error.message().lines().next().unwrap_or_default().to_owned();
        Refusal::usage(format!("{place}: {message}"))
    })?;
    let SeatTable { looks_at, dimensions, weight, played_by } = table;
    Ok(SeatRequest { place, name, looks_at, dimensions, weight, weighed_at: None, played_by })
}

/// Adds what flags say: the weight of a seat of the file, or a measured seat.
pub(crate) fn with_flags(mut seats: Vec<SeatRequest>, flags: &[String]) -> Result<Vec<SeatRequest>, Refusal> {
    for flag in flags {
        let parts = flag.split_once('=');
        let Some((name, weight)) =
            parts.and_then(|(name, weight)| Some((name.trim(), weight.trim().parse::<f64>().ok()?)))
        else {
            return Err(Refusal::usage(format!(
                "--seat is '{flag}': it must be a name and a weight, such as perf=0.1"
            )));
        };
        match seats.iter_mut().find(|seat| seat.name == name) {
            Some(seat) => {
                seat.weight = Some(weight);
                seat.weighed_at = Some(format!("--seat {name}"));
            }
            None if MeasuredSeat::named(name).is_none() => {
                return Err(Refusal::usage(format!(
                    "--seat is '{flag}': there is no such seat; jury measures {}, and a seat of your own is a table \
                     [critique.{KEY}.NAME] in {FILE}",
                    MeasuredSeat::ALL.map(MeasuredSeat::name).join(", ")
                )));
            }
            None => seats.push(SeatRequest {
                place: format!("--seat {name}"),
                name: name.to_owned(),
                weight: Some(weight),
                ..SeatRequest::default()
            }),
        }
    }
    Ok(seats)
}
