//! The red team: attackers from `redteam/` against the real program, and honest neighbours that must stay green.
//!
//! `make redteam` runs all of it and prints the table; `make test` runs it as one test per kind. See `docs/redteam.md`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking, and this one is its own harness"
)]

mod http;
mod kind;
mod play;
mod table;
mod vary;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kind::{Attempt, KindFile};
use play::Ending;
use table::Row;

/// The test that compares the document with the files.
const DOCUMENTED: &str = "the_document_has_every_kind";
/// The test of the bounds of the set.
const LARGE: &str = "there_are_enough_attackers";
/// What the tests of kinds begin with.
const HELD: &str = "held::";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let kinds = kind::load();
    if has("--list") {
        if !has("--ignored") {
            for name in names(&kinds) {
                println!("{name}: test");
            }
        }
        return;
    }
    let wanted: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let exact = has("--exact");
    let asked = |name: &str| {
        wanted.is_empty() || wanted.iter().any(|word| if exact { name == *word } else { name.contains(word) })
    };
    let chosen: Vec<&KindFile> = kinds.iter().filter(|kind| asked(&test_of(kind))).collect();
    let mut failed = false;
    if asked(DOCUMENTED) {
        failed |= !report(DOCUMENTED, &undocumented(&kinds));
    }
    if asked(LARGE) {
        failed |= !report(LARGE, &too_few(&kinds));
    }
    if !chosen.is_empty() {
        failed |= !attack(&chosen, exact, has("--publish"));
    }
    if failed {
        std::process::exit(1);
    }
}

fn test_of(kind: &KindFile) -> String {
    format!("{HELD}{}::{}", kind.workflow, kind.kind)
}

fn names(kinds: &[KindFile]) -> Vec<String> {
    kinds.iter().map(test_of).chain([DOCUMENTED.to_owned(), LARGE.to_owned()]).collect()
}

/// Says whether a test of the files is green.
fn report(name: &str, breaches: &[String]) -> bool {
    for breach in breaches {
        println!("{name}: {breach}");
    }
    breaches.is_empty()
}

/// The least that the set must have.
const LEAST_ATTACKS: usize = 500;
const LEAST_KINDS: usize = 40;

fn too_few(kinds: &[KindFile]) -> Vec<String> {
    let attempts: Vec<Attempt> = kinds.iter().flat_map(kind::expand).collect();
    let attacks = attempts.iter().filter(|attempt| !attempt.honest).count();
    let mut breaches = Vec::new();
    if attacks < LEAST_ATTACKS || kinds.len() < LEAST_KINDS {
        breaches.push(format!("{attacks} attacks of {} kinds", kinds.len()));
    }
    breaches
}

fn undocumented(kinds: &[KindFile]) -> Vec<String> {
    let count = |kind: &KindFile, honest: bool| {
        kind::expand(kind).iter().filter(|attempt| attempt.honest == honest).count()
    };
    let there: BTreeMap<String, (String, usize, usize)> = kinds
        .iter()
        .map(|kind| (kind.kind.clone(), (kind.never.clone(), count(kind, false), count(kind, true))))
        .collect();
    let published = table::published();
    let differs = there.iter().filter(|(name, row)| published.get(*name) != Some(row));
    let gone = published.keys().filter(|name| !there.contains_key(*name));
    differs
        .map(|(name, _)| name)
        .chain(gone)
        .map(|name| format!("{name} is not as docs/redteam.md says; run 'make redteam PUBLISH=1'"))
        .collect()
}

/// Runs these kinds and prints what came of them. Whether everything held.
fn attack(kinds: &[&KindFile], alone: bool, publish: bool) -> bool {
    let attempts: Vec<(usize, Attempt)> = kinds
        .iter()
        .enumerate()
        .flat_map(|(index, kind)| kind::expand(kind).into_iter().map(move |attempt| (index, attempt)))
        .collect();
    let next = AtomicUsize::new(0);
    let endings = Mutex::new(BTreeMap::new());
    // As a test it has other tests beside it.
    let workers = if alone { 1 } else { std::thread::available_parallelism().map_or(2, usize::from) };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((_, attempt)) = attempts.get(index) else { break };
                    let ending = play::play(attempt);
                    endings.lock().unwrap().insert(index, ending);
                }
            });
        }
    });
    let endings = endings.into_inner().unwrap();
    let mut rows = vec![Row::default(); kinds.len()];
    let mut wrong = Vec::new();
    for (index, (kind, attempt)) in attempts.iter().enumerate() {
        let row = &mut rows[*kind];
        let count = if attempt.honest {
            (&mut row.controls, &mut row.refused)
        } else {
            (&mut row.attacks, &mut row.broken)
        };
        *count.0 += 1;
        if let Some(Ending::Wrong(why)) = endings.get(&index) {
            *count.1 += 1;
            wrong.push(format!(
                "{} {}: {why}",
                if attempt.honest { "REFUSED" } else { "BROKEN " },
                attempt.name
            ));
        }
    }
    let rows: Vec<(&KindFile, Row)> = kinds.iter().copied().zip(rows).collect();
    println!("{}", table::plain(&rows));
    for line in &wrong {
        println!("{line}");
    }
    if publish {
        table::publish(&rows);
    }
    wrong.is_empty()
}
