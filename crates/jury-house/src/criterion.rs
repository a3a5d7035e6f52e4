//! Success criteria of WCAG 2.2 at level A and AA: which one a check stands for, and the words by which a request to fix
//! what it finds can be told. The criterion is the first that the check's own sources name, so that there is one list.

use crate::checks::Check;
use crate::finding::{Finding, Severity};

/// A success criterion of WCAG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Criterion {
    /// The number, such as `1.4.3`.
    number: &'static str,
    /// The level, such as `AA`.
    level: &'static str,
    /// Words of whoever asks for it. They are looked for as whole words; plurals and the like are found too.
    pub(crate) words: &'static [&'static str],
}

impl Criterion {
    /// The name for people, such as `WCAG 1.4.3 AA`.
    pub(crate) fn name(&self) -> String {
        format!("WCAG {} {}", self.number, self.level)
    }
}

const fn criterion(number: &'static str, level: &'static str, words: &'static [&'static str]) -> Criterion {
    Criterion { number, level, words }
}

const ALL: &[Criterion] = &[
    criterion("1.1.1", "A", &["alt", "alternative", "accessible name", "description", "describe"]),
    criterion(
        "1.3.1",
        "A",
        &["label", "no name", "heading", "list", "table", "structure", "semantic", "aria"],
    ),
    criterion("1.3.4", "AA", &["orientation", "landscape", "portrait", "rotate"]),
    criterion("1.3.5", "AA", &["autocomplete"]),
    criterion("1.4.1", "A", &["underline", "link", "colour alone", "color alone"]),
    criterion("1.4.2", "A", &["autoplay", "sound", "audio"]),
    criterion("1.4.3", "AA", &["contrast", ":1"]),
    criterion(
        "1.4.4",
        "AA",
        &["zoom", "user-scalable", "maximum-scale", "resize", "resizing", "clip", "cut off"],
    ),
    criterion("1.4.10", "AA", &["reflow", "scroll", "overflow", "320", "320px"]),
    criterion("1.4.11", "AA", &["contrast", ":1", "border", "boundary", "boundaries", "edge"]),
    criterion("1.4.12", "AA", &["line-height", "line height", "spacing"]),
    criterion("2.1.1", "A", &["keyboard", "focus", "focusable", "tabindex", "scroll"]),
    criterion("2.2.1", "A", &["refresh", "redirect", "timing"]),
    criterion("2.2.2", "A", &["motion", "animation", "autoplay", "blink", "marquee"]),
    criterion("2.4.1", "A", &["skip", "bypass", "landmark"]),
    criterion("2.4.2", "A", &["title"]),
    criterion("2.4.3", "A", &["tabindex", "focus order", "tab order"]),
    criterion("2.4.4", "A", &["link text", "accessible name", "no name", "label"]),
    criterion("2.4.6", "AA", &["heading", "label"]),
    criterion("2.4.7", "AA", &["focus", "focusable", "outline"]),
    criterion("2.5.3", "A", &["label", "name", "aria-label"]),
    criterion("2.5.8", "AA", &["target", "24x24", "24px", "tap", "tappable", "touch"]),
    criterion("3.1.1", "A", &["lang", "language"]),
    criterion("3.1.2", "AA", &["lang", "language"]),
    criterion(
        "4.1.2",
        "A",
        &["accessible name", "aria-label", "no name", "without a name", "label", "unnamed", "aria", "role"],
    ),
];

/// Checks whose sources say the criterion in another way, or several of which another comes first.
const BY_CHECK: &[(&str, &str)] = &[
    ("a11y/contrast", "1.4.3"),
    ("a11y/nontext-contrast", "1.4.11"),
    ("a11y/zoom", "1.4.4"),
    ("a11y/target", "2.5.8"),
    ("a11y/focus", "2.4.7"),
    ("a11y/reflow", "1.4.10"),
    ("a11y/scroll-focus", "2.1.1"),
    ("a11y/link-in-text", "1.4.1"),
    ("a11y/motion", "2.2.2"),
];

/// The criterion that a finding fails, if it fails one: what is only doubtful (a language that seems to be another one)
/// does not.
pub(crate) fn failed(check: &Check, finding: &Finding) -> Option<Criterion> {
    let of_check = BY_CHECK.iter().find(|(id, _)| *id == check.id).map(|(_, number)| *number);
    let bar = if of_check.is_some() { check.severity } else { Severity::Serious.max(check.severity) };
    if !check.id.starts_with("a11y/") || finding.severity < bar {
        return None;
    }
    let number = of_check.or_else(|| check.about.sources.iter().find_map(|source| number_in(source)))?;
    ALL.iter().find(|criterion| criterion.number == number).copied()
}

/// `1.1.1` in `WCAG 2.2 SC 1.1.1 (A) ...`.
fn number_in(source: &'static str) -> Option<&'static str> {
    let (_, after) = source.split_once(" SC ")?;
    let (number, level) = after.split_once(' ')?;
    (level.starts_with("(A)") || level.starts_with("(AA)")).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_criterion_that_a_check_names_is_known() {
        for check in crate::checks::all() {
            for source in check.about.sources {
                if let Some(number) = number_in(source) {
                    let known = ALL.iter().find(|criterion| criterion.number == number);
                    let level = format!("SC {number} ({})", known.map_or("", |known| known.level));
                    assert!(source.contains(&level), "{} names {source}", check.id);
                }
            }
        }
    }

    #[test]
    fn a_finding_fails_a_criterion_when_it_is_bad_enough() {
        let check = crate::checks::find("a11y/img-alt").expect("it is in the table");
        let failed_by = |severity| failed(check, &Finding::page(severity, "x"));
        assert_eq!(failed_by(Severity::Critical).map(|known| known.name()).as_deref(), Some("WCAG 1.1.1 A"));
        assert_eq!(failed_by(Severity::Minor), None);
        let copy = crate::checks::find("copy/links").expect("it is in the table");
        assert_eq!(failed(copy, &Finding::page(Severity::Critical, "x")), None);
    }
}
