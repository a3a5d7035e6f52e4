//! Which checks are meant: by id or by pattern.

use jury_house::Report;

use super::glob;
use crate::refusal::Refusal;

/// The checks that count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    only: Vec<String>,
    skip: Vec<String>,
}

impl Selection {
    /// What was asked for. A name that no check has is a mistake, and not an empty selection.
    pub(crate) fn new(only: &[String], skip: &[String]) -> Result<Self, Refusal> {
        for (flag, patterns) in [("--only", only), ("--skip", skip)] {
            for pattern in patterns {
                known(flag, pattern, page_checks())?;
            }
        }
        let selection = Self { only: only.to_vec(), skip: skip.to_vec() };
        if !page_checks().any(|check| selection.has(check)) {
            return Err(Refusal::usage("no check is left: --skip takes all of them away"));
        }
        Ok(selection)
    }

    /// Whether a check counts.
    pub(crate) fn has(&self, check: &str) -> bool {
        let named = |patterns: &[String]| patterns.iter().any(|pattern| glob::fits(pattern, check));
        (self.only.is_empty() || named(&self.only)) && !named(&self.skip)
    }

    /// Takes the rest out of a report. Scores stay those of the whole panel.
    pub(crate) fn narrow(&self, report: &mut Report) {
        report.checks.retain(|check| self.has(&check.id));
        report.findings.retain(|found| self.has(&found.check));
        report.undecided.retain(|found| self.has(&found.check));
    }
}

fn page_checks() -> impl Iterator<Item = &'static str> {
    jury_house::checks().map(|check| check.rule.id)
}

/// Refuses a pattern that none of these checks fits.
pub(crate) fn known(
    flag: &str,
    pattern: &str,
    checks: impl Iterator<Item = &'static str>,
) -> Result<(), Refusal> {
    let checks: Vec<&str> = checks.collect();
    if checks.iter().any(|check| glob::fits(pattern, check)) {
        return Ok(());
    }
    let near = nearest(pattern, checks.into_iter().map(ToOwned::to_owned));
    Err(Refusal::usage(format!(
        "{flag} {pattern}: there is no such check; the nearest {}; 'jury checks' lists them all",
        listed(&near)
    )))
}

/// `is a`, `are a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names {
        [] => "is none".to_owned(),
        [one] => format!("is {one}"),
        [first @ .., last] => format!("are {} and {last}", first.join(", ")),
    }
}

/// The three names nearest to one that does not exist.
pub(crate) fn nearest(wanted: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut near: Vec<(usize, String)> = names.map(|name| (distance(wanted, &name), name)).collect();
    near.sort();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many characters have to be changed, put in or taken out.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, character) in one.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(index + 1);
        for (place, against) in other.iter().enumerate() {
            let above = row.get(place + 1).copied().unwrap_or_default();
            let before = next.last().copied().unwrap_or_default();
            let across = row.get(place).copied().unwrap_or_default() + usize::from(*against != character);
            next.push(across.min(above + 1).min(before + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_meant() {
        let names = ["a11y/contrast", "a11y/lang", "copy/links"].map(ToOwned::to_owned);
        assert_eq!(
            nearest("a11y/contrst", names.into_iter()).first().map(String::as_str),
            Some("a11y/contrast")
        );
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_selection_takes_patterns() {
        let selection = Selection::new(&["a11y/*".to_owned()], &["a11y/lang".to_owned()]).unwrap();
        assert!(
            selection.has("a11y/contrast") && !selection.has("a11y/lang") && !selection.has("copy/links")
        );
        let refused = Selection::new(&["a11y/contrst".to_owned()], &[]).unwrap_err();
        assert!(
            refused
                .message
                .starts_with("--only a11y/contrst: there is no such check; the nearest are a11y/contrast,")
        );
    }
}
