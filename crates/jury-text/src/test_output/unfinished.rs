//! Test runs that began and did not end: what was started and is never heard of again.

use std::collections::BTreeSet;

use jury_core::line::counted;

/// What did not end, by these lines.
pub(super) fn of(lines: &[&str]) -> Option<String> {
    cargo(lines).or_else(|| go(lines)).or_else(|| nextest(lines))
}

/// `running 5 tests` without a `test result:`.
fn cargo(lines: &[&str]) -> Option<String> {
    let begun = lines.iter().filter(|line| is_beginning(line.trim())).count();
    let ended = lines.iter().filter(|line| line.trim().starts_with("test result: ")).count();
    (begun > ended).then(|| format!("{} of {begun} test programs did not end", begun - ended))
}

fn is_beginning(line: &str) -> bool {
    let number = line
        .strip_prefix("running ")
        .and_then(|rest| rest.strip_suffix(" tests").or(rest.strip_suffix(" test")));
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

/// `=== RUN   TestX` without how it went.
fn go(lines: &[&str]) -> Option<String> {
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for line in lines.iter().map(|line| line.trim()) {
        if let Some(name) = line.strip_prefix("=== RUN ") {
            open.insert(name.trim());
        } else if let Some(rest) = line.strip_prefix("--- ")
            && let Some((_, named)) = rest.split_once(": ")
        {
            open.remove(named.split(' ').next().unwrap_or(named));
        }
    }
    open.first().map(|name| format!("the test {} did not end", name.chars().take(80).collect::<String>()))
}

/// `Summary […] 3/5 tests run:`
fn nextest(lines: &[&str]) -> Option<String> {
    let counts = lines.iter().find_map(|line| line.split_once(" tests run: ").map(|(before, _)| before))?;
    let (ran, all) = counts.rsplit(' ').next()?.split_once('/')?;
    let (ran, all) = (ran.parse::<u64>().ok()?, all.parse::<u64>().ok()?);
    (ran < all).then(|| format!("{ran} of {} ran", counted(all, "test", "tests")))
}
