//! Which crate may know which. A new edge is a change of architecture: it needs a line in ARCHITECTURE.md and
//! one here.

use std::collections::{BTreeMap, BTreeSet};

use super::metadata::metadata;
use super::tree::rust_files;
use super::{rust, settle};

/// What each crate uses of the others.
const EDGES: &[(&str, &[&str])] = &[
    (
        "jury",
        &[
            "jury-agents",
            "jury-core",
            "jury-engine",
            "jury-house",
            "jury-learning",
            "jury-server",
            "jury-store",
            "jury-text",
        ],
    ),
    ("jury-agents", &["jury-core"]),
    ("jury-core", &[]),
    ("jury-engine", &["jury-agents", "jury-core", "jury-house", "jury-learning", "jury-store", "jury-text"]),
    ("jury-eye", &["jury-core"]),
    ("jury-fuzz", &["jury-agents", "jury-core", "jury-house", "jury-testkit", "jury-text"]),
    ("jury-house", &["jury-core", "jury-eye", "jury-text"]),
    ("jury-learning", &["jury-core", "jury-store"]),
    ("jury-server", &["jury-core", "jury-engine", "jury-learning", "jury-store"]),
    ("jury-store", &["jury-core"]),
    ("jury-testkit", &["jury-core"]),
    ("jury-text", &["jury-core"]),
];

/// What the tests of each crate use beside that.
const TEST_EDGES: &[(&str, &[&str])] = &[
    ("jury", &["jury-testkit"]),
    ("jury-agents", &["jury-testkit"]),
    ("jury-core", &["jury-testkit", "jury-text"]),
    ("jury-engine", &["jury-testkit"]),
    ("jury-server", &["jury-testkit"]),
    ("jury-store", &["jury-testkit"]),
];

/// What to do instead of starting a program.
const RUN_TO_END: &str = "use jury_agents::run_to_end, a Session or a Worker";

/// What of `std::process` is about this program and no other.
const OF_THIS_PROGRAM: [&str; 4] = ["ExitCode", "abort", "exit", "id"];

/// A dependency or a part of one that only one crate names.
const FENCES: &[(&str, &str, &str)] = &[
    ("sqlx", "jury-store", "ask the store for what you need"),
    ("redis", "jury-store", "use jury_store::Mirror"),
    ("tokio::process", "jury-agents", RUN_TO_END),
    ("blitz_dom", "jury-eye", "use the snapshot"),
    ("blitz_html", "jury-eye", "use the snapshot"),
    ("blitz_traits", "jury-eye", "use the snapshot"),
    ("stylo", "jury-eye", "use the snapshot"),
    ("stylo_static_prefs", "jury-eye", "use the snapshot"),
    ("parley", "jury-eye", "use the snapshot"),
    ("clap", "jury", "take values, not arguments"),
    ("reqwest", "jury-agents", "ask through jury_agents::api"),
    ("rustls", "jury-agents", "ask through jury_agents::api"),
    ("axum", "jury-server", "add a route to jury-server"),
    ("hyper", "jury-server", "add a route to jury-server"),
    ("hyper_util", "jury-server", "add a route to jury-server"),
    ("utoipa_axum", "jury-server", "add a route to jury-server"),
    ("prometheus_client", "jury-server", "use jury_server::metrics"),
    ("opentelemetry", "jury", "make a span with tracing"),
    ("opentelemetry_otlp", "jury", "make a span with tracing"),
    ("opentelemetry_sdk", "jury", "make a span with tracing"),
];

/// Whatever is outside of a function.
const WORLD: &[&str] =
    &["tokio", "std::fs", "std::env", "std::net", "std::process", "std::thread", "std::time", "SystemTime"];

/// What pure crates do not name in their sources: whatever makes the same call give another answer.
const PURE: &[(&str, &[&str])] = &[
    (
        "jury-core",
        &[
            "tokio",
            "std::fs",
            "std::env",
            "std::net",
            "std::process",
            "std::thread",
            "std::time",
            "SystemTime",
            "Timestamp::now",
            "now_v7",
            "new_v4",
        ],
    ),
    ("jury-house", WORLD),
    ("jury-text", WORLD),
    (
        "jury-learning",
        &[
            "tokio",
            "std::fs",
            "std::env",
            "std::net",
            "std::process",
            "std::thread",
            "std::time",
            "SystemTime",
            "Timestamp::now",
            "now_v7",
            "new_v4",
        ],
    ),
    // The style engine needs a deep stack, and so a thread of its own.
    ("jury-eye", &["tokio", "std::fs", "std::env", "std::net", "std::process", "std::time", "SystemTime"]),
];

/// The folders of pure crates that read and write files after all.
const FILES: &[&str] = &["crates/jury-learning/src/files/"];

#[test]
fn crates_use_each_other_as_the_map_says() {
    let mut breaches = Vec::new();
    let metadata = metadata();
    let ours: BTreeSet<&str> = metadata.members().map(|package| package.name.as_str()).collect();
    for package in metadata.members() {
        for (kinds, table, title) in
            [(&["normal", "build"][..], EDGES, "EDGES"), (&["dev"][..], TEST_EDGES, "TEST_EDGES")]
        {
            let found: BTreeSet<&str> = package
                .asks_for
                .iter()
                .filter(|(name, kind)| ours.contains(name.as_str()) && kinds.contains(&kind.as_str()))
                .map(|(name, _)| name.as_str())
                .collect();
            let allowed: BTreeSet<&str> = table
                .iter()
                .filter(|(name, _)| *name == package.name)
                .flat_map(|(_, uses)| *uses)
                .copied()
                .collect();
            let manifest = format!("crates/{}/Cargo.toml:1", package.name);
            for new in found.difference(&allowed) {
                breaches.push(format!(
                    "{manifest}: uses {new}: find a way without it, or argue for it in ARCHITECTURE.md and add it to {title}"
                ));
            }
            for gone in allowed.difference(&found) {
                breaches.push(format!(
                    "{manifest}: does not use {gone}: take it out of {title} and ARCHITECTURE.md"
                ));
            }
        }
    }
    let known: BTreeSet<&str> = EDGES.iter().map(|(name, _)| *name).collect();
    breaches.extend(
        ours.symmetric_difference(&known)
            .map(|name| format!("crates/{name}: add it to EDGES, or take it out")),
    );
    settle("crates use each other as the map says", &breaches);
}

#[test]
fn fenced_dependencies_stay_behind_their_fence() {
    let mut breaches = Vec::new();
    for file in rust_files() {
        for (index, line) in rust::lines(&file.text()).iter().enumerate() {
            for (path, owner, instead) in FENCES {
                if file.crate_name() != Some(*owner) && rust::names(&line.code, path) {
                    breaches.push(format!(
                        "{}:{}: only {owner} names {path}: {instead}",
                        file.path,
                        index + 1
                    ));
                }
            }
        }
    }
    let owners: BTreeMap<String, &str> = FENCES
        .iter()
        .filter(|(path, ..)| !path.contains("::"))
        .map(|(path, owner, _)| (path.replace('_', "-"), *owner))
        .collect();
    for package in metadata().members() {
        for (name, _) in &package.asks_for {
            if let Some(owner) = owners.get(&name.replace('_', "-")).filter(|owner| **owner != package.name) {
                breaches
                    .push(format!("crates/{}/Cargo.toml:1: only {owner} depends on {name}", package.name));
            }
        }
    }
    settle("some dependencies are known to one crate alone", &breaches);
}

/// Programs are started in one crate, where each has a process group of its own, a deadline and a cap. The tests and
/// what helps them start what they like.
#[test]
fn one_crate_starts_programs() {
    let mut breaches = Vec::new();
    let helps = ["jury-agents", "jury-testkit"];
    for file in rust_files().iter().filter(|file| file.path.contains("/src/") && !file.is_test()) {
        if file.crate_name().is_none_or(|name| helps.contains(&name)) {
            continue;
        }
        for (index, line) in rust::lines(&file.text()).iter().enumerate() {
            if starts_programs(&line.code) {
                let place = format!("{}:{}", file.path, index + 1);
                breaches.push(format!("{place}: only jury-agents starts programs: {RUN_TO_END}"));
            }
        }
    }
    settle("programs are started in one crate", &breaches);
}

/// Whether code names more of `std::process` than what is about this program.
fn starts_programs(code: &str) -> bool {
    let own = OF_THIS_PROGRAM.iter().map(|item| format!("std::process::{item}"));
    let rest = own.fold(code.to_owned(), |code, item| code.replace(&item, ""));
    ["std::process", "std::os::unix::process"].iter().any(|path| rust::names(&rest, path))
}

#[test]
fn starting_a_program_is_told_from_ending_this_one() {
    for code in [
        "use std::process::Command;",
        "use std::process::{ExitCode, Stdio};",
        "use std::process;",
        "use std::{io, process};",
        "use std::os::unix::process::CommandExt as _;",
        "f(std::process::id(), std::process::Command::new(\"\"))",
    ] {
        assert!(starts_programs(code), "{code}");
    }
    for code in ["use std::process::ExitCode;", "std::process::id().to_string()", "rustix::process::getpid()"]
    {
        assert!(!starts_programs(code), "{code}");
    }
}

#[test]
fn pure_crates_do_nothing_but_compute() {
    let mut breaches = Vec::new();
    let keeps_files = |path: &str| FILES.iter().any(|folder| path.starts_with(folder));
    for file in rust_files().iter().filter(|file| file.path.contains("/src/") && !keeps_files(&file.path)) {
        let forbidden =
            PURE.iter().filter(|(name, _)| file.crate_name() == Some(*name)).flat_map(|(_, paths)| *paths);
        let lines = rust::lines(&file.text());
        for path in forbidden {
            for (index, line) in lines.iter().enumerate().filter(|(_, line)| rust::names(&line.code, path)) {
                let code = line.code.trim();
                breaches.push(format!(
                    "{}:{}: `{code}` names {path}: take a value instead",
                    file.path,
                    index + 1
                ));
            }
        }
    }
    settle("pure crates take time, files and settings as values", &breaches);
}
