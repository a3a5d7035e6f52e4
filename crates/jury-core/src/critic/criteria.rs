//! Files of criteria: what they look like, what is wrong with one, and the sets that come with the program.
//!
//! A file is TOML. This crate has the shape and the rules; whoever has a TOML reader turns the text into
//! a [`CriteriaFile`] and hands both over:
//!
//! ```text
//! let file: CriteriaFile = toml::from_str(text).map_err(|error| …)?;
//! let set = file.check(text)?;
//! ```

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::criterion::{
    Adversary, Check, Command, CriteriaSet, Criterion, CriterionId, DefaultAnswer, FigureBound, Measure,
    Needs, Trigger,
};
use super::evidence::{AFFECTED, CHECKED};
use super::figure::pattern_trouble;
use crate::severity::{self, Severity};
use crate::toml_lines::TomlLines;

pub use crate::toml_lines::{Mistake as CriteriaError, line_at};

/// The most passes that a set may ask for.
pub const HIGHEST_CAP: u32 = 20;

/// The most criteria of a set.
pub const MOST_CRITERIA: usize = 50;

/// The longest question, in bytes.
const LONGEST_QUESTION: usize = 1000;

/// The sets that come with the program: the name, and the text of the file.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("spec", include_str!("../../../../criteria/spec.toml")),
    ("plan", include_str!("../../../../criteria/plan.toml")),
    ("tasks", include_str!("../../../../criteria/tasks.toml")),
    ("review", include_str!("../../../../criteria/review.toml")),
    ("test", include_str!("../../../../criteria/test.toml")),
    ("debug", include_str!("../../../../criteria/debug.toml")),
    ("architect", include_str!("../../../../criteria/architect.toml")),
    ("implement", include_str!("../../../../criteria/implement.toml")),
    ("docs", include_str!("../../../../criteria/docs.toml")),
];

/// The text of the built-in set of this name.
pub fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A file as it is written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriteriaFile {
    name: String,
    #[serde(default)]
    title: String,
    cap: i64,
    #[serde(default)]
    adversarial: AdversaryEntry,
    #[serde(default, rename = "criterion")]
    criteria: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AdversaryEntry {
    #[serde(default)]
    question: String,
    check: Option<Vec<String>>,
    shell: Option<String>,
    timeout_seconds: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    question: String,
    weight: Option<f64>,
    severity: Option<String>,
    needs: Option<String>,
    measure: Option<String>,
    check: Option<Vec<String>>,
    shell: Option<String>,
    #[serde(default)]
    figures: BTreeMap<String, String>,
    #[serde(default)]
    pass_when: PassWhen,
    timeout_seconds: Option<i64>,
    fix: Option<Vec<String>>,
    fix_shell: Option<String>,
    #[serde(default)]
    escalate_when: Vec<String>,
    default_answer: Option<AnswerEntry>,
}

#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
struct PassWhen {
    exit: Option<ExitCodes>,
    #[serde(flatten)]
    bounds: BTreeMap<String, FigureBound>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum ExitCodes {
    One(i32),
    Several(Vec<i32>),
}

/// `"skip"`, or the number of an option.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum AnswerEntry {
    Option(u32),
    Word(String),
}

impl CriteriaFile {
    /// The set, if the file can be used. The text is for the lines of what is wrong.
    pub fn check(self, text: &str) -> Result<CriteriaSet, CriteriaError> {
        let place = TomlLines::of(text);
        let wrong = |key: &str, what: String| CriteriaError { line: place.top(key), what };
        let name_fits = (1..=40).contains(&self.name.len())
            && self.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !name_fits {
            return Err(wrong(
                "name",
                format!("name '{}': use small letters, digits and '-', at most 40", self.name),
            ));
        }
        let cap = u32::try_from(self.cap).ok().filter(|cap| (1..=HIGHEST_CAP).contains(cap));
        let Some(cap) = cap else {
            return Err(wrong("cap", format!("cap {}: a whole number from 1 to {HIGHEST_CAP}", self.cap)));
        };
        if self.criteria.is_empty() || self.criteria.len() > MOST_CRITERIA {
            let what = format!(
                "{} criteria: from 1 to {MOST_CRITERIA}, each in a [[criterion]]",
                self.criteria.len()
            );
            return Err(CriteriaError { line: 1, what });
        }
        let adversary = self.adversarial.check(&place)?;
        let mut seen = BTreeSet::new();
        let mut criteria = Vec::with_capacity(self.criteria.len());
        for (index, entry) in self.criteria.into_iter().enumerate() {
            let at = |key: &str| place.entry("criterion", index, key);
            let criterion = entry.check(&at)?;
            if !seen.insert(criterion.id.clone()) {
                return Err(CriteriaError {
                    line: at("id"),
                    what: format!("{} is there twice", criterion.id),
                });
            }
            criteria.push(criterion);
        }
        let title = if self.title.is_empty() { self.name.clone() } else { self.title };
        Ok(CriteriaSet { name: self.name, title, cap, adversary, criteria })
    }
}

impl AdversaryEntry {
    fn check(self, place: &TomlLines<'_>) -> Result<Adversary, CriteriaError> {
        let at = |key: &str| place.table("adversarial", key);
        let command = command(self.check, self.shell, ("check", "shell"), &at)?;
        let timeout_seconds = timeout(self.timeout_seconds, &at)?;
        let check = command.map(|command| Check {
            command,
            figures: BTreeMap::new(),
            exit: vec![0],
            timeout_seconds,
        });
        Ok(Adversary { question: self.question, check })
    }
}

impl Entry {
    fn check(self, at: &dyn Fn(&str) -> usize) -> Result<Criterion, CriteriaError> {
        let wrong = |key: &str, what: String| CriteriaError { line: at(key), what };
        let id: CriterionId = self.id.parse().map_err(|error| wrong("id", format!("id {error}")))?;
        if id.is_adversarial() {
            return Err(wrong(
                "id",
                format!("{id} is the failure scenario of every pass: choose another name"),
            ));
        }
        let question = self.question.trim().to_owned();
        if question.is_empty() || question.len() > LONGEST_QUESTION || question.contains('\n') {
            let what = format!("{id}: a question is one line of at most {LONGEST_QUESTION} bytes");
            return Err(wrong("question", what));
        }
        let weight = self.weight.unwrap_or(1.0);
        if !(weight > 0.0 && weight <= 1000.0) {
            return Err(wrong("weight", format!("{id}: weight {weight}: a number above 0 and up to 1000")));
        }
        let word = |key: &str, error: &dyn std::fmt::Display| wrong(key, format!("{id}: {key} {error}"));
        let severity = match &self.severity {
            Some(text) => severity::THREE.read(text).map_err(|error| word("severity", &error))?,
            None => Severity::Moderate,
        };
        let measure: Option<Measure> = match &self.measure {
            Some(text) => Some(text.parse().map_err(|error| word("measure", &error))?),
            None => None,
        };
        let command = command(self.check, self.shell, ("check", "shell"), at)?;
        let fix = self::command(self.fix, self.fix_shell, ("fix", "fix_shell"), at)?;
        let measures = command.is_some() || measure.is_some();
        let needs = match &self.needs {
            Some(text) => text.parse().map_err(|error| word("needs", &error))?,
            None if measures => Needs::Measure,
            None => Needs::Opinion,
        };
        if needs == Needs::Measure && !measures {
            let what = format!("{id}: needs \"measure\", but has neither check nor shell nor measure");
            return Err(wrong("needs", what));
        }
        for (name, pattern) in &self.figures {
            if let Some(trouble) = pattern_trouble(pattern) {
                return Err(wrong("figures", format!("{id}: the pattern of {name}: {trouble}")));
            }
            if name == CHECKED || name == AFFECTED || name == "exit" {
                let what = format!("{id}: a figure cannot be called {name}; that name is taken");
                return Err(wrong("figures", what));
            }
        }
        if command.is_none() && (!self.figures.is_empty() || self.timeout_seconds.is_some()) {
            let what = format!("{id}: figures and timeout_seconds belong to a check, and there is none");
            return Err(wrong("figures", what));
        }
        let PassWhen { exit, bounds } = self.pass_when;
        for (name, bound) in &bounds {
            let measured = measure.is_some() && (name == CHECKED || name == AFFECTED);
            if !measured && !self.figures.contains_key(name) {
                let what = format!("{id}: pass_when names '{name}', which no figure is called");
                return Err(wrong("pass_when", what));
            }
            let empty = bound.min.is_none() && bound.max.is_none();
            let crossed = bound.min.zip(bound.max).is_some_and(|(min, max)| min > max);
            let finite = [bound.min, bound.max].into_iter().flatten().all(f64::is_finite);
            if empty || crossed || !finite {
                let what = format!("{id}: pass_when.{name} needs min, max or both, min no larger than max");
                return Err(wrong("pass_when", what));
            }
        }
        if exit.is_some() && command.is_none() {
            return Err(wrong(
                "pass_when",
                format!("{id}: pass_when.exit belongs to a check, and there is none"),
            ));
        }
        let exit = match exit {
            None => vec![0],
            Some(ExitCodes::One(code)) => vec![code],
            Some(ExitCodes::Several(codes)) if codes.is_empty() => {
                return Err(wrong("pass_when", format!("{id}: pass_when.exit has no code that passes")));
            }
            Some(ExitCodes::Several(codes)) => codes,
        };
        let timeout_seconds = timeout(self.timeout_seconds, at)?;
        let escalate_when: Vec<Trigger> = self
            .escalate_when
            .iter()
            .map(|text| text.parse().map_err(|error| word("escalate_when", &error)))
            .collect::<Result<_, _>>()?;
        let default_answer = match self.default_answer {
            None => None,
            Some(AnswerEntry::Option(number)) if number >= 1 => Some(DefaultAnswer::Option(number)),
            Some(AnswerEntry::Word(text)) if text == "skip" => Some(DefaultAnswer::Skip),
            Some(_) => {
                let what = format!("{id}: default_answer is \"skip\" or the number of an option, from 1");
                return Err(wrong("default_answer", what));
            }
        };
        let figures = self.figures;
        let check = command.map(|command| Check { command, figures, exit, timeout_seconds });
        Ok(Criterion {
            id,
            question,
            weight,
            severity,
            needs,
            check,
            measure,
            bounds,
            fix,
            escalate_when,
            default_answer,
        })
    }
}

/// A command, written as a list or as a line for the shell.
fn command(
    argv: Option<Vec<String>>,
    shell: Option<String>,
    keys: (&str, &str),
    at: &dyn Fn(&str) -> usize,
) -> Result<Option<Command>, CriteriaError> {
    match (argv, shell) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            let what = format!("give {} or {}, not both", keys.0, keys.1);
            Err(CriteriaError { line: at(keys.1), what })
        }
        (Some(argv), None) if argv.first().is_none_or(|program| program.trim().is_empty()) => {
            Err(CriteriaError { line: at(keys.0), what: format!("{} names no program", keys.0) })
        }
        (Some(argv), None) => Ok(Some(Command::Argv(argv))),
        (None, Some(line)) if line.trim().is_empty() => {
            Err(CriteriaError { line: at(keys.1), what: format!("{} is empty", keys.1) })
        }
        (None, Some(line)) => Ok(Some(Command::Shell(line))),
    }
}

fn timeout(seconds: Option<i64>, at: &dyn Fn(&str) -> usize) -> Result<Option<u32>, CriteriaError> {
    let Some(seconds) = seconds else { return Ok(None) };
    let fits = u32::try_from(seconds).ok().filter(|seconds| (1..=3600).contains(seconds));
    fits.map(Some).ok_or_else(|| CriteriaError {
        line: at("timeout_seconds"),
        what: format!("timeout_seconds {seconds}: a whole number from 1 to 3600"),
    })
}
