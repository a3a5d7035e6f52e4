//! When the daemon's nightly cycle is due, and what it is configured by.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jury_core::conformance::NightlyPlan;
use jury_core::settings::{Layer, SettingSource};

fn plan(values: &[(&'static str, &str)]) -> Result<NightlyPlan, String> {
    let values: BTreeMap<&'static str, String> =
        values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    NightlyPlan::resolve(&[Layer { source: SettingSource::Environment, values }])
        .map_err(|error| error.to_string())
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn it_is_off_until_an_hour_is_given() {
    assert_eq!(plan(&[]).unwrap(), NightlyPlan::default());
    assert_eq!(plan(&[]).unwrap().night(at("2026-03-01T03:30:00Z")), None);
    assert_eq!(
        plan(&[("JURY_CONFORMANCE_AGENTS", "house")]).unwrap().night(at("2026-03-01T03:30:00Z")),
        None
    );
    assert_eq!(plan(&[("JURY_CONFORMANCE_HOUR", " ")]).unwrap().hour, None, "an empty variable is none");
}

#[test]
fn a_night_begins_at_its_hour_in_utc_and_lasts_for_that_hour() {
    let plan = plan(&[("JURY_CONFORMANCE_HOUR", "3")]).unwrap();
    for (now, expected) in [
        ("2026-03-01T02:59:59Z", None),
        ("2026-03-01T03:00:00Z", Some("2026-03-01T03:00:00Z")),
        ("2026-03-01T03:59:59.999Z", Some("2026-03-01T03:00:00Z")),
        // A daemon that starts in the morning does not run by day what was meant for the night.
        ("2026-03-01T04:00:00Z", None),
        ("2026-03-02T03:00:01Z", Some("2026-03-02T03:00:00Z")),
    ] {
        assert_eq!(plan.night(at(now)), expected.map(at), "{now}");
    }
}

#[test]
fn the_house_is_tested_unless_agents_are_named() {
    let agents = |given: &[(&'static str, &str)]| -> Vec<String> {
        plan(given).unwrap().agents.iter().map(ToString::to_string).collect()
    };
    assert_eq!(agents(&[("JURY_CONFORMANCE_HOUR", "0")]), ["house"]);
    assert_eq!(agents(&[("JURY_CONFORMANCE_AGENTS", "mine, claude ,mine")]), ["mine", "claude"]);
}

#[test]
fn a_value_that_is_no_hour_or_no_agent_is_refused_by_name() {
    assert_eq!(
        plan(&[("JURY_CONFORMANCE_HOUR", "24")]),
        Err("JURY_CONFORMANCE_HOUR is '24': it must be an hour of the day in UTC, a whole number from 0 to 23".to_owned())
    );
    for wrong in ["-1", "3:00", "off", "3.5"] {
        assert!(plan(&[("JURY_CONFORMANCE_HOUR", wrong)]).is_err(), "{wrong}");
    }
    for wrong in ["house,", ",", "no such name!"] {
        let error = plan(&[("JURY_CONFORMANCE_AGENTS", wrong)]).unwrap_err();
        assert!(error.starts_with("JURY_CONFORMANCE_AGENTS is "), "{error}");
    }
}
