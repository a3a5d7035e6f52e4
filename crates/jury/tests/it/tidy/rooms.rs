//! Which crate may know which. A new edge is a change of architecture: it needs a line in ARCHITECTURE.md and
//! one here.

use std::collections::{BTreeMap, BTreeSet};

use super::metadata::metadata;
use super::tree::rust_files;
use super::{rust, settle};

/// What each crate uses of the others.
const EDGES: &[(&str, &[&str])] = &[
    ("jury", &["jury-agents", "jury-core", "jury-engine", "jury-house", "jury-server", "jury-store"]),
    ("jury-agents", &["jury-core"]),
    ("jury-core", &[]),
    ("jury-engine", &["jury-agents", "jury-core", "jury-house", "jury-store"]),
    ("jury-eye", &[]),
    ("jury-fuzz", &["jury-agents", "jury-core", "jury-house", "jury-testkit"]),
    ("jury-house", &["jury-core", "jury-eye"]),
    ("jury-server", &["jury-core", "jury-engine", "jury-store"]),
    ("jury-store", &["jury-core"]),
    ("jury-testkit", &["jury-core"]),
];

/// What the tests of each crate use beside that.
const TEST_EDGES: &[(&str, &[&str])] = &[
    ("jury", &["jury-testkit"]),
    ("jury-agents", &["jury-testkit"]),
    ("jury-core", &["jury-testkit"]),
    ("jury-engine", &["jury-testkit"]),
    ("jury-server", &["jury-testkit"]),
    ("jury-store", &["jury-testkit"]),
];

/// A dependency or a part of one that only one crate names.
const FENCES: &[(&str, &str, &str)] = &[
    ("sqlx", "jury-store", "ask the store for what you need"),
    ("redis", "jury-store", "use jury_store::Mirror"),
    ("tokio::process", "jury-agents", "start a jury_agents::Session"),
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
    (
        "jury-house",
        &[
            "tokio",
            "std::fs",
            "std::env",
            "std::net",
            "std::process",
            "std::thread",
            "std::time",
            "SystemTime",
        ],
    ),
    // The style engine needs a deep stack, and so a thread of its own.
    ("jury-eye", &["tokio", "std::fs", "std::env", "std::net", "std::process", "std::time", "SystemTime"]),
];

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

#[test]
fn pure_crates_do_nothing_but_compute() {
    let mut breaches = Vec::new();
    for file in rust_files().iter().filter(|file| file.path.contains("/src/")) {
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
