//! The reference explains every event and every word of the critic.

use std::collections::BTreeSet;

use jury_core::critic::format::ViolationCode;
use jury_core::critic::{
    Basis, Churn, CriterionVerdict, CriticEvent, CriticStatus, Gap, Measure, Needs, StopReason, Trigger,
};
use jury_core::finding::FindingState;
use jury_core::run::OutcomeWord as _;
use jury_core::severity::Severity;
use serde_json::Value;
use utoipa::{PartialSchema as _, ToSchema as _};

const REFERENCE: &str = include_str!("../../../../../docs/reference.md");

#[test]
fn every_word_of_the_critic_is_in_the_reference() {
    let words = [
        of(CriterionVerdict::ALL, CriterionVerdict::as_str),
        of(Basis::ALL, Basis::as_str),
        of(Gap::ALL, Gap::as_str),
        of(CriticStatus::ALL, CriticStatus::as_str),
        of(StopReason::ALL, StopReason::as_str),
        of(Churn::ALL, Churn::as_str),
        of(Measure::ALL, Measure::as_str),
        of(Needs::ALL, Needs::as_str),
        of(Severity::ALL, Severity::as_str),
        of(Trigger::ALL, Trigger::as_str),
        of(FindingState::ALL, FindingState::as_str),
        of(ViolationCode::ALL, ViolationCode::as_str),
    ];
    let missing: Vec<&str> =
        words.into_iter().flatten().filter(|word| !REFERENCE.contains(&format!("`{word}`"))).collect();
    assert_eq!(missing, Vec::<&str>::new());
    for standing in CriticStatus::ALL {
        let row = format!("| `{standing}` | {} |", standing.exit_code());
        assert!(REFERENCE.contains(&row), "{row}");
    }
}

#[test]
fn every_critic_event_and_its_fields_are_in_the_reference() {
    let mut parts = Vec::new();
    CriticEvent::schemas(&mut parts);
    let parts: Vec<(String, Value)> =
        parts.into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap())).collect();
    let whole = serde_json::to_value(CriticEvent::schema()).unwrap();
    let variants = whole["oneOf"].as_array().expect("events are a oneOf");
    assert_eq!(variants.len(), 21);
    let mut breaches = Vec::new();
    for variant in variants {
        let (mut fields, mut name) = (BTreeSet::new(), String::new());
        gather(variant, &parts, &mut fields, &mut name);
        let Some(section) = section(&format!("#### `{name}`")) else {
            breaches.push(format!("{name} has no section"));
            continue;
        };
        let missing = fields.iter().filter(|field| !section.contains(&format!("`{field}`")));
        breaches.extend(missing.map(|field| format!("{name}: {field}")));
    }
    assert_eq!(breaches, Vec::<String>::new());
}

fn of<T: Copy>(all: &[T], as_str: fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|value| as_str(*value)).collect()
}

fn gather(schema: &Value, parts: &[(String, Value)], fields: &mut BTreeSet<String>, name: &mut String) {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str)
        && let Some((_, found)) = parts.iter().find(|(own, _)| target.ends_with(&format!("/{own}")))
    {
        gather(found, parts, fields, name);
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        gather(part, parts, fields, name);
    }
    for (key, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        match property.pointer("/enum/0").and_then(Value::as_str) {
            Some(event) if key == "event" => event.clone_into(name),
            _ => drop(fields.insert(key.clone())),
        }
    }
}

fn section(heading: &str) -> Option<String> {
    let mut lines = REFERENCE.lines().skip_while(|line| *line != heading);
    lines.next()?;
    Some(lines.take_while(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n"))
}
