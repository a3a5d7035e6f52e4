//! The documents say everything that a user can meet, and nothing that is not there.

use jury_core::run::OutcomeWord as _;
use jury_core::run::RunState;
use std::collections::BTreeSet;
use std::process::Command;

use jury_core::enablement::{SkillPolicy, Tier};
use jury_core::outcome::{
    Decision, DegradedReason, FailedCause, FallbackPolicy, FallbackReason, RecoveryReason, TheaterStatus,
    TimeoutCause,
};
use jury_core::role::Role;
use jury_core::settings::{VARIABLES, unknown_variables};
use jury_core::warning::WarningKind;
use serde_json::Value;

use super::tree::{files, read, root, rust_files};
use super::{rust, settle};

const REFERENCE: &str = "docs/reference.md";

const INVARIANTS: &str = "docs/invariants.md";

const EVERY_COMMAND: &str = "### Options of every command";

#[test]
fn every_word_of_the_domain_is_in_the_reference() {
    let text = read(REFERENCE);
    let mut breaches = Vec::new();
    let words = [
        of("warning", WarningKind::ALL, WarningKind::as_str),
        of("degraded reason", DegradedReason::ALL, DegradedReason::as_str),
        of("failed cause", FailedCause::ALL, FailedCause::as_str),
        of("timeout cause", TimeoutCause::ALL, TimeoutCause::as_str),
        of("recovery reason", RecoveryReason::ALL, RecoveryReason::as_str),
        of("fallback reason", FallbackReason::ALL, FallbackReason::as_str),
        of("skill policy", SkillPolicy::ALL, SkillPolicy::as_str),
        of("other word for a skill policy", SkillPolicy::ALL, SkillPolicy::alias),
        of("tier", Tier::ALL, Tier::as_str),
        of("fallback policy", FallbackPolicy::ALL, FallbackPolicy::as_str),
        of("decision", Decision::ALL, Decision::as_str),
        of("state", RunState::ALL, RunState::as_str),
        Role::ALL.iter().map(|role| ("role", role.as_str())).collect(),
    ];
    for (kind, word) in words.iter().flatten() {
        if !text.contains(&format!("`{word}`")) {
            breaches.push(format!(
                "{REFERENCE}:1: the {kind} `{word}` is missing: add what it means and what to do"
            ));
        }
    }
    for status in TheaterStatus::ALL {
        let row = format!("| `{status}` | {} |", status.exit_code());
        if !text.contains(&row) {
            let line = line_of(&text, "## Exit codes and statuses");
            breaches.push(format!("{REFERENCE}:{line}: add a row to the table of statuses: {row} … |"));
        }
    }
    settle("every word that jury prints is explained", &breaches);
}

#[test]
fn every_setting_is_in_the_reference_as_the_program_has_it() {
    let text = read(REFERENCE);
    let line = line_of(&text, "## Settings");
    let breaches: Vec<String> = VARIABLES
        .iter()
        .map(|setting| {
            let flag = setting.flag.map_or_else(|| "–".to_owned(), |flag| format!("`{flag}`"));
            format!(
                "| `{}` | `{}` | {flag} | `{}` | {} | {} |",
                setting.name, setting.key, setting.default, setting.range, setting.meaning
            )
        })
        .filter(|row| !text.contains(row.as_str()))
        .map(|row| format!("{REFERENCE}:{line}: put this row into the table of settings: {row}"))
        .collect();
    settle("the table of settings is the one in the program", &breaches);
}

#[test]
fn every_setting_of_the_judge_is_in_the_reference_as_the_program_has_it() {
    let text = read(REFERENCE);
    let line = line_of(&text, "### Settings of the judge");
    let quoted = |word: &str| if word.is_empty() { "–".to_owned() } else { format!("`{word}`") };
    let breaches: Vec<String> = jury_core::judge::settings::VARIABLES
        .iter()
        .map(|setting| {
            format!(
                "| `{}` | `{}` | {} | {} | {} | {} |",
                setting.name,
                setting.key,
                quoted(setting.flag.unwrap_or_default()),
                quoted(setting.default),
                setting.range,
                setting.meaning
            )
        })
        .filter(|row| !text.contains(row.as_str()))
        .map(|row| format!("{REFERENCE}:{line}: put this row into the table of the judge's settings: {row}"))
        .collect();
    settle("the table of the judge's settings is the one in the program", &breaches);
}

/// Files in which names are misspelled on purpose.
const MISSPELLED: [&str; 2] = ["crates/jury-core/src/settings/known.rs", "crates/jury/tests/it/settings.rs"];

#[test]
fn every_variable_of_the_sources_is_known() {
    let mut breaches = Vec::new();
    for file in files() {
        let prose = ["md", "snap", "json", "ndjson", "html", "css", "svg", "lock"];
        if file.is_test_data()
            || prose.iter().any(|extension| file.has_extension(extension))
            || file.path.starts_with("web/dist/")
            || MISSPELLED.contains(&file.path.as_str())
        {
            continue;
        }
        let text = file.text();
        let mut before = '\n';
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()).max(first.len_utf8());
            let (word, after) = rest.split_at(length);
            // In Rust a name without quotes is a constant.
            let named = !file.is_rust() || (before == '"' && after.starts_with('"'));
            if named {
                for unknown in unknown_variables([word]) {
                    breaches.push(format!("{}: {unknown}", file.path));
                }
            }
            before = word.chars().last().unwrap_or(before);
            rest = after;
        }
    }
    settle("every variable is in a table of settings or in jury-core/src/settings/known.rs", &breaches);
}

#[test]
fn every_setting_of_the_nightly_cycle_is_in_the_reference_as_the_program_has_it() {
    let text = read(REFERENCE);
    let line = line_of(&text, "### Every night");
    let breaches: Vec<String> = jury_core::conformance::NIGHTLY_VARIABLES
        .iter()
        .map(|setting| {
            let default =
                if setting.default.is_empty() { "–".to_owned() } else { format!("`{}`", setting.default) };
            format!(
                "| `{}` | `{}` | {default} | {} | {} |",
                setting.name, setting.key, setting.range, setting.meaning
            )
        })
        .filter(|row| !text.contains(row.as_str()))
        .map(|row| format!("{REFERENCE}:{line}: put this row into the table of the nightly cycle: {row}"))
        .collect();
    settle("the table of the nightly cycle is the one in the program", &breaches);
}

#[test]
fn every_event_and_its_fields_are_in_the_reference() {
    let text = read(REFERENCE);
    let document: Value = serde_json::from_str(&jury_server::openapi().expect("the contract can be made"))
        .expect("the contract is JSON");
    let variants = document.pointer("/components/schemas/Event/oneOf").and_then(Value::as_array);
    let variants = variants.expect("events are a oneOf").iter();
    let variants: Vec<&Value> = variants.flat_map(|variant| single(variant, &document)).collect();
    assert!(variants.len() > 10, "only {} events in the contract", variants.len());
    let mut breaches = Vec::new();
    for variant in variants {
        let mut fields = BTreeSet::new();
        let mut name = String::new();
        gather(variant, &document, &mut fields, &mut name);
        let heading = format!("#### `{name}`");
        let Some(section) = section(&text, &heading) else {
            let line = line_of(&text, "## Events");
            breaches.push(format!("{REFERENCE}:{line}: no section '{heading}': add it with its fields"));
            continue;
        };
        let line = line_of(&text, &heading);
        for field in fields.iter().filter(|field| !section.contains(&format!("`{field}`"))) {
            breaches.push(format!("{REFERENCE}:{line}: `{name}` has a field `{field}`: say what it means"));
        }
    }
    settle("every event is explained, field by field", &breaches);
}

#[test]
fn every_command_and_flag_is_in_the_reference() {
    let text = read(REFERENCE);
    let global = section(&text, EVERY_COMMAND).unwrap_or_default();
    let mut breaches = Vec::new();
    let help = help(&[]);
    let place = format!("{}: {EVERY_COMMAND}", line_of(&text, EVERY_COMMAND));
    breaches.extend(missing(&help, &global, &place));
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"run"), "the help lists no commands: {help}");
    for command in commands {
        let heading = format!("### `jury {command}`");
        if let Some(own) = section(&text, &heading) {
            let place = format!("{}: {heading}", line_of(&text, &heading));
            breaches.extend(missing(&self::help(&[command]), &format!("{global}{own}"), &place));
        } else {
            let line = line_of(&text, "## Commands");
            breaches.push(format!("{REFERENCE}:{line}: no section '{heading}': add it with its flags"));
        }
    }
    settle("every command and flag is explained", &breaches);
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut breaches = Vec::new();
    for file in files().iter().filter(|file| file.has_extension("md") && !file.is_test_data()) {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (index, line) in file.text().lines().enumerate() {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let path = target.split('#').next().unwrap_or_default();
                if !path.is_empty() && !path.contains("://") && !root().join(folder).join(path).exists() {
                    breaches.push(format!("{}:{}: {target} is not there", file.path, index + 1));
                }
            }
        }
    }
    settle("links lead somewhere", &breaches);
}

#[test]
fn every_invariant_names_tests_that_exist() {
    let text = read(INVARIANTS);
    let mut functions = BTreeSet::new();
    for file in rust_files() {
        for line in rust::lines(&file.text()) {
            if let Some((_, rest)) = line.code.split_once("fn ") {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                functions.insert(name);
            }
        }
    }
    let mut breaches = Vec::new();
    let mut invariants = 0;
    let mut line = 1;
    for part in text.split("**Architecture Invariant:**") {
        // What stands before the first one is none.
        if line > 1 {
            invariants += 1;
            // An invariant is a paragraph, or an entry of a list.
            let end = part.find("\n\n").unwrap_or(part.len()).min(part.find("\n- ").unwrap_or(part.len()));
            let held = part.get(..end).and_then(|paragraph| paragraph.split_once("Held by"));
            let named = held.map(|(_, held)| tests_in(held)).unwrap_or_default();
            if named.is_empty() {
                breaches.push(format!(
                    "{INVARIANTS}:{line}: say which tests hold it: \"Held by\", and their names in backticks"
                ));
            }
            for name in named.into_iter().filter(|name| !functions.contains(*name)) {
                breaches
                    .push(format!("{INVARIANTS}:{line}: there is no test `{name}`: name the one there is"));
            }
        }
        line += part.matches('\n').count();
    }
    assert!(
        invariants > 10,
        "{INVARIANTS} has {invariants} invariants; it begins each with **Architecture Invariant:**"
    );
    settle("every invariant is held by a test", &breaches);
}

/// What is written as the name of a test: other code in backticks has dots, dashes or spaces.
fn tests_in(text: &str) -> Vec<&str> {
    let code = text.split('`').skip(1).step_by(2);
    code.filter(|code| code.contains('_') && code.chars().all(|c| c.is_alphanumeric() || c == '_')).collect()
}

/// The line of a heading, or the first one.
fn line_of(text: &str, heading: &str) -> usize {
    text.lines().position(|line| line == heading).unwrap_or_default() + 1
}

/// The words of one kind.
fn of<T: Copy>(
    kind: &'static str,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Vec<(&'static str, &'static str)> {
    all.iter().map(|value| (kind, as_str(*value))).collect()
}

/// The events that a part of the list stands for: a workflow with names of its own is a list in the list.
pub(super) fn single<'a>(variant: &'a Value, document: &'a Value) -> Vec<&'a Value> {
    let parts = variant.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let lists = parts
        .chain([variant])
        .filter_map(|part| part.get("$ref")?.as_str())
        .filter_map(|target| document.pointer(target.trim_start_matches('#'))?.get("oneOf")?.as_array());
    let inner: Vec<&Value> = lists.flatten().collect();
    if inner.is_empty() { vec![variant] } else { inner }
}

/// The properties of a schema and of all that it consists of, and the name of the event.
pub(super) fn gather(schema: &Value, document: &Value, fields: &mut BTreeSet<String>, name: &mut String) {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str)
        && let Some(found) = document.pointer(target.trim_start_matches('#'))
    {
        gather(found, document, fields, name);
    }
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        gather(part, document, fields, name);
    }
    for (key, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        match property.pointer("/enum/0").and_then(Value::as_str) {
            Some(event) if key == "event" => event.clone_into(name),
            _ => drop(fields.insert(key.clone())),
        }
    }
}

/// From a heading to the next one of its level or above.
fn section(text: &str, heading: &str) -> Option<String> {
    let level = heading.chars().take_while(|character| *character == '#').count();
    let mut lines = text.lines().skip_while(|line| *line != heading);
    lines.next()?;
    let ends = |line: &&str| {
        let depth = line.chars().take_while(|character| *character == '#').count();
        depth > 0 && depth <= level
    };
    Some(lines.take_while(|line| !ends(line)).collect::<Vec<_>>().join("\n"))
}

/// Flags and possible values that a help text lists and a part of the reference does not.
fn missing(help: &str, explained: &str, place: &str) -> Vec<String> {
    // `-q, --quiet  Print …`, `--chunk <BYTES>  Feed …`, `- json:   One JSON document`
    let lines = help.lines().map(str::trim).filter(|line| line.starts_with('-'));
    let heads = lines.map(|line| match line.strip_prefix("- ") {
        Some(value) => value.split(':').next().unwrap_or_default(),
        None => line.split("  ").next().unwrap_or_default(),
    });
    let listed = heads.flat_map(|head| head.split([' ', ',']).filter(|word| !word.is_empty()));
    listed
        .filter(|word| !word.starts_with('<') && !matches!(*word, "-h" | "--help" | "-V" | "--version"))
        .filter(|word| !explained.contains(&format!("`{word}")))
        .map(|word| format!("{REFERENCE}:{place}: `{word}` is missing: say what it does"))
        .collect()
}

fn help(command: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_jury"))
        .args(command)
        .arg("--help")
        .env("COLUMNS", "100")
        .output()
        .expect("jury can be started");
    assert!(output.status.success(), "jury {} --help fails", command.join(" "));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
