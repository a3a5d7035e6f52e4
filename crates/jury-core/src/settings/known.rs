//! Every variable that jury knows. One that begins like them and is not known is a mistake in its name, and a setting that
//! was meant and has no effect could open the gate.

use thiserror::Error;

use super::VARIABLES;
use crate::conformance::NIGHTLY_VARIABLES;
use crate::judge::settings::VARIABLES as JUDGE_VARIABLES;

/// How the names of jury's variables begin.
const PREFIXES: [&str; 3] = ["OD_CRITIQUE_", "JUDGE_", "JURY_"];

/// Variables of the program that are in no table of settings.
pub const PROGRAM_VARIABLES: [&str; 9] = [
    "JURY_FILE",
    "JURY_IDEAS_DIR",
    "JURY_LOCAL_PORTS",
    "JURY_LOG",
    "JURY_NOW",
    "JURY_REDIS_URL",
    "JURY_SESSION",
    "JURY_STOP_MOST",
    "JURY_TOKEN",
];

/// Variables that only scripts and tests read. The program does not complain about them and never suggests them. One that
/// ends in `*` stands for all that begin like it.
pub const TEST_VARIABLES: [&str; 11] = [
    "JURY_AGENTS_DIR",
    "JURY_API_TEST_DIR",
    "JURY_API_TEST_SEED",
    "JURY_ENGINE_TEST_*",
    "JURY_EYE_TEST_*",
    "JURY_RECORD",
    "JURY_REDTEAM_*",
    "JURY_STORE_TEST_*",
    "JURY_TEST_*",
    "JURY_TRUTH_DIR",
    "JURY_UPDATE",
];

/// A variable that begins like one of jury's and is none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name} is not a variable of jury; did you mean {nearest}?")]
pub struct UnknownVariable {
    /// The name as it is set.
    pub name: String,
    /// The known name that is most like it.
    pub nearest: &'static str,
}

/// Which of these names begin like variables of jury and are not known, in their order.
pub fn unknown_variables<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<UnknownVariable> {
    names
        .into_iter()
        .filter(|name| {
            PREFIXES.iter().any(|prefix| name.len() > prefix.len() && name.starts_with(prefix))
                && !is_known(name)
        })
        .filter_map(|name| {
            Some(UnknownVariable { name: name.to_owned(), nearest: most_like(name, names_of_users())? })
        })
        .collect()
}

/// The candidate that is most like a word. Of several the first.
pub fn most_like<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let mut best: Option<(f64, &'c str)> = None;
    for candidate in candidates {
        let likeness = likeness(word, candidate);
        if best.is_none_or(|(known, _)| likeness > known) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The names that a user may set.
fn names_of_users() -> impl Iterator<Item = &'static str> {
    let critique = VARIABLES.iter().map(|variable| variable.name);
    critique
        .chain(JUDGE_VARIABLES.iter().map(|variable| variable.name))
        .chain(NIGHTLY_VARIABLES.iter().map(|variable| variable.name))
        .chain(PROGRAM_VARIABLES)
}

fn is_known(name: &str) -> bool {
    names_of_users().any(|known| known == name)
        || TEST_VARIABLES
            .iter()
            .any(|known| known.strip_suffix('*').map_or(*known == name, |start| name.starts_with(start)))
}

/// How much of two words is the same, from 0 to 1: the characters that both have in the same order.
fn likeness(one: &str, two: &str) -> f64 {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let mut row = vec![0_u32; two.len() + 1];
    for a in &one {
        let mut diagonal = 0;
        for (index, b) in two.iter().enumerate() {
            let (left, above) =
                (row.get(index).copied().unwrap_or(0), row.get(index + 1).copied().unwrap_or(0));
            let here = if a == b { diagonal + 1 } else { left.max(above) };
            diagonal = above;
            if let Some(cell) = row.get_mut(index + 1) {
                *cell = here;
            }
        }
    }
    let common = f64::from(row.last().copied().unwrap_or(0));
    #[expect(clippy::cast_precision_loss, reason = "names are short")]
    let all = (one.len() + two.len()) as f64;
    if all > 0.0 { 2.0 * common / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(names: &[&str]) -> Vec<String> {
        unknown_variables(names.iter().copied()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_variable_that_is_not_known_is_named_with_the_one_that_is_most_like_it() {
        let nearest = |name: &str| unknown_variables([name]).first().map(|unknown| unknown.nearest);
        for (name, expected) in [
            ("OD_CRITIQUE_TRESHOLD", "OD_CRITIQUE_SCORE_THRESHOLD"),
            ("OD_CRITIQUE_THRESHOLD", "OD_CRITIQUE_SCORE_THRESHOLD"),
            ("OD_CRITIQUE_SCALE", "OD_CRITIQUE_SCORE_SCALE"),
            ("OD_CRITIQUE_EVIDANCE", "OD_CRITIQUE_EVIDENCE"),
            ("OD_CRITIQUE_ROUNDS", "OD_CRITIQUE_MAX_ROUNDS"),
            ("JUDGE_SAMPEL_RATE", "JUDGE_SAMPLE_RATE"),
            ("JUDGE_MODELL", "JUDGE_MODEL"),
            ("JURY_TOKN", "JURY_TOKEN"),
            ("JURY_IDEAS", "JURY_IDEAS_DIR"),
            ("JURY_CONFORMANCE_HOURS", "JURY_CONFORMANCE_HOUR"),
        ] {
            assert_eq!(nearest(name), Some(expected), "{name}");
        }
        assert_eq!(
            told(&["OD_CRITIQUE_TRESHOLD"]),
            ["OD_CRITIQUE_TRESHOLD is not a variable of jury; did you mean OD_CRITIQUE_SCORE_THRESHOLD?"]
        );
    }

    #[test]
    fn known_variables_and_those_of_others_are_left_alone() {
        for name in names_of_users() {
            assert!(told(&[name]).is_empty(), "{name}");
        }
        let others = ["PATH", "OD_DATA_DIR", "JURYRIG", "JUDGEMENT", "JURY", "MY_JURY_TOKN", "od_critique_x"];
        assert!(told(&others).is_empty());
        let tests = ["JURY_UPDATE", "JURY_TEST_KEY", "JURY_STORE_TEST_CONTENT_CHILD", "JURY_TRUTH_DIR"];
        assert!(told(&tests).is_empty());
    }

    #[test]
    fn a_variable_of_the_tests_is_never_suggested() {
        assert_ne!(
            unknown_variables(["JURY_TRUTH_DIRS"]).first().map(|unknown| unknown.nearest),
            Some("JURY_TRUTH_DIR")
        );
    }
}
