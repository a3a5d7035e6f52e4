//! What others wrote: under which licence, in how many versions, and what is not to come in.

use std::collections::{BTreeMap, BTreeSet};

use super::metadata::metadata;
use super::{settle, tree};

/// The page that gives the reason for each.
const DEPENDENCIES: &str = "docs/dependencies.md";

/// Licences that ask for no more than a notice.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Licences that are fine for these crates alone.
const LICENCES_OF: &[(&str, &[&str])] = &[
    // LLVM's fuzzer, which is not part of the program.
    ("NCSA", &["libfuzzer-sys"]),
    // The style engine. Changes to its own files would have to be published; there are none.
    (
        "MPL-2.0",
        &[
            "app_units",
            "cssparser",
            "cssparser-macros",
            "dtoa-short",
            "selectors",
            "stylo",
            "stylo_atoms",
            "stylo_derive",
            "stylo_dom",
            "stylo_static_prefs",
            "stylo_traits",
            "to_shmem",
            "to_shmem_derive",
            "uluru",
        ],
    ),
    // Fonts, embedded as they are.
    ("OFL-1.1", &["epaint_default_fonts"]),
    ("Ubuntu-font-1.0", &["epaint_default_fonts"]),
];

/// Crates that our own manifests do not ask for, and what to use instead.
const BANNED: &[(&str, &str)] = &[
    ("async-trait", "return channels, or `impl Future + Send`"),
    ("chrono", "jiff"),
    ("lazy_static", "std::sync::LazyLock"),
    ("once_cell", "std::sync::OnceLock and LazyLock"),
    ("rand", "jury_testkit::random, or a value from outside"),
    ("time", "jiff"),
];

/// Crates that are not in the program at all, whoever asks for them.
const KEPT_OUT: &[(&str, &str)] = &[
    ("native-tls", "rustls, if there is ever something to encrypt"),
    ("openssl", "rustls, if there is ever something to encrypt"),
    ("openssl-sys", "rustls, if there is ever something to encrypt"),
];

/// Two of these in one program are two worlds that do not fit together.
const SINGLE: &[&str] = &["hyper", "rustix", "rustls", "serde", "sqlx", "thiserror", "tokio"];

#[test]
fn licences_are_on_the_list() {
    let mut breaches = Vec::new();
    let mut needed: BTreeSet<(&str, &str)> = BTreeSet::new();
    for package in metadata().others() {
        let mut fits = |licence: &str| {
            let of_its_own = LICENCES_OF.iter().find_map(|(name, crates)| {
                let found = crates.iter().find(|found| **found == package.name)?;
                (*name == licence).then_some((*name, *found))
            });
            needed.extend(of_its_own);
            LICENCES.contains(&licence) || of_its_own.is_some()
        };
        if !allows(&package.licence, &mut fits) {
            breaches.push(format!(
                "Cargo.lock: {} {} is under '{}': do without it, or add the licence here and say why",
                package.name, package.version, package.licence
            ));
        }
    }
    let listed =
        LICENCES_OF.iter().flat_map(|(name, crates)| crates.iter().map(move |found| (*name, *found)));
    breaches.extend(
        listed.filter(|pair| !needed.contains(pair)).map(|(licence, name)| {
            format!("LICENCES_OF: {name} does not need {licence} any more: take it out")
        }),
    );
    settle("every dependency may be used", &breaches);
}

#[test]
fn what_is_banned_stays_out() {
    let metadata = metadata();
    let mut breaches = Vec::new();
    for package in metadata.members() {
        for (name, kind) in &package.asks_for {
            if let Some((_, instead)) = BANNED.iter().chain(KEPT_OUT).find(|(banned, _)| banned == name) {
                breaches.push(format!(
                    "crates/{}/Cargo.toml:1: {name} ({kind}): instead: {instead}",
                    package.name
                ));
            }
        }
    }
    for package in metadata.linked() {
        if let Some((name, instead)) = KEPT_OUT.iter().find(|(name, _)| *name == package.name) {
            breaches.push(format!(
                "Cargo.lock: {name} is in the program; `cargo tree -i {name}` says why; instead: {instead}"
            ));
        }
    }
    settle("banned crates stay out", &breaches);
}

#[test]
fn what_must_be_one_is_one() {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let metadata = metadata();
    for package in metadata.linked() {
        versions.entry(&package.name).or_default().insert(&package.version);
    }
    let breaches: Vec<String> = SINGLE
        .iter()
        .filter_map(|name| versions.get(name).filter(|found| found.len() > 1).map(|found| (name, found)))
        .map(|(name, found)| {
            let found: Vec<&str> = found.iter().copied().collect();
            format!(
                "Cargo.lock: {name} is there as {}; `cargo tree -d` says who wants which",
                found.join(" and ")
            )
        })
        .collect();
    settle("one version of what the program is built on", &breaches);
}

#[test]
fn every_dependency_has_its_reason_in_the_list() {
    let text = tree::read(DEPENDENCIES);
    let metadata = metadata();
    let ours: BTreeSet<&str> = metadata.members().map(|package| package.name.as_str()).collect();
    let mut breaches = BTreeSet::new();
    for package in metadata.members() {
        for (name, _) in &package.asks_for {
            if !ours.contains(name.as_str()) && !text.contains(&format!("`{name}`")) {
                breaches.insert(format!(
                    "{DEPENDENCIES}:1: `{name}` is used by {} and not explained",
                    package.name
                ));
            }
        }
    }
    settle("a dependency is there for a reason", &breaches.into_iter().collect::<Vec<_>>());
}

/// Whether an SPDX expression can be met with licences that fit. The old form `MIT/Apache-2.0` is an OR.
fn allows(expression: &str, fits: &mut impl FnMut(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let met = either(&mut rest, fits);
    met && rest.is_empty()
}

fn either(words: &mut &[&str], fits: &mut impl FnMut(&str) -> bool) -> bool {
    let mut met = both(words, fits);
    while let Some(rest) = words.strip_prefix(&["OR"]) {
        *words = rest;
        met |= both(words, fits);
    }
    met
}

fn both(words: &mut &[&str], fits: &mut impl FnMut(&str) -> bool) -> bool {
    let mut met = one(words, fits);
    while let Some(rest) = words.strip_prefix(&["AND"]) {
        *words = rest;
        met &= one(words, fits);
    }
    met
}

fn one(words: &mut &[&str], fits: &mut impl FnMut(&str) -> bool) -> bool {
    match **words {
        ["(", ref rest @ ..] => {
            *words = rest;
            let met = either(words, fits);
            *words = words.strip_prefix(&[")"]).unwrap_or_default();
            met
        }
        [licence, "WITH", exception, ref rest @ ..] => {
            *words = rest;
            fits(&format!("{licence} WITH {exception}"))
        }
        [licence, ref rest @ ..] => {
            *words = rest;
            fits(licence)
        }
        [] => false,
    }
}

#[test]
fn licence_expressions_are_understood() {
    let mut fits = |licence: &str| ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "(GPL-3.0 OR MIT) AND Zlib",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(allows(good, &mut fits), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0", "(MIT OR Zlib) AND GPL-3.0", "MIT)"] {
        assert!(!allows(bad, &mut fits), "{bad}");
    }
}
