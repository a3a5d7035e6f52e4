//! Evals: what is asked of those who choose, review and revise, in scenarios with a known answer.
//!
//! Four groups. *Selection*: who sits on a panel and who does not. *Critique*: a draft with a known flaw, and whether the
//! critic whose field it is finds it; or a good one, and whether it is left in peace. *Guard*: rounds of a draft, and whether
//! what was mended comes into the brief and stays. *Comparison*: a draft before and after the cycle, scored by the same
//! critics. Files are TOML; whoever has a reader hands over the [`EvalFile`] and its text.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::advisor::{Advisor, AdvisorId};
use super::critique::{ContentIssue, Critique};
use super::panel::PanelSelection;
use super::protected::Lost;
use super::recipe::ContentType;
use super::registry::{AdvisorRegistry, Entry, checked};
use super::stem::stems;
use super::summary::RoundSummary;
use crate::score::EPSILON;
use crate::severity::{self, Severity, THREE};
use crate::toml_lines::{Mistake, TomlLines};

/// The files that come with the program: the name, and the text.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("selection", include_str!("../../../../evals/content/selection.toml")),
    ("critique", include_str!("../../../../evals/content/critique.toml")),
    ("guard", include_str!("../../../../evals/content/guard.toml")),
    ("comparison", include_str!("../../../../evals/content/comparison.toml")),
];

/// A file as it is written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvalFile {
    #[serde(default)]
    guest: Vec<Entry>,
    /// Scenarios about the choice of the panel.
    #[serde(default)]
    pub selection: Vec<SelectionCase>,
    /// Scenarios about the issues that critics find.
    #[serde(default)]
    pub critique: Vec<CritiqueCase>,
    /// Scenarios about passages that a revision must keep.
    #[serde(default)]
    pub guard: Vec<ProtectionCase>,
    /// What the cycle is worth.
    #[serde(default)]
    pub comparison: Vec<ComparisonCase>,
}

/// Who sits on a panel.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectionCase {
    /// What it is about.
    pub name: String,
    /// The recipe whose panel is chosen.
    pub recipe: ContentType,
    /// Guests of the registry.
    #[serde(default)]
    pub add: Vec<AdvisorId>,
    /// Who has to be there.
    #[serde(default)]
    pub includes: Vec<AdvisorId>,
    /// Who must not be.
    #[serde(default)]
    pub excludes: Vec<AdvisorId>,
    /// A recipe whose panel has to be larger.
    pub smaller_than: Option<ContentType>,
}

/// A piece of a draft that is put in the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// What stands there, letter for letter.
    pub from: String,
    /// What stands there instead.
    pub to: String,
}

/// A draft with a known flaw, or without one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CritiqueCase {
    /// What it is about.
    pub name: String,
    /// The id of the idea.
    pub idea: String,
    /// The recipe of the draft.
    pub recipe: ContentType,
    /// The draft, by its name.
    pub draft: String,
    /// What is changed in it.
    #[serde(default)]
    pub change: Vec<Replacement>,
    /// Whose field it is.
    pub critic: AdvisorId,
    /// The critic has to raise something at least as grave.
    #[serde(default, deserialize_with = "severity::three::some")]
    pub finds: Option<Severity>,
    /// And it has to speak of one of these.
    #[serde(default)]
    pub words: Vec<String>,
    /// The critic must not raise anything as grave.
    #[serde(default, deserialize_with = "severity::three::some")]
    pub quiet: Option<Severity>,
    /// The score has to be lower than that of the draft without the change.
    #[serde(default)]
    pub lower: bool,
    /// Only a model can be expected to see it.
    #[serde(default)]
    pub only_model: bool,
}

/// Rounds of a draft.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtectionCase {
    /// What it is about.
    pub name: String,
    /// The id of the idea.
    pub idea: String,
    /// The recipe of the draft.
    pub recipe: ContentType,
    /// The draft, by its name.
    pub draft: String,
    /// The rounds, in their order.
    pub round: Vec<ProtectionRound>,
}

/// A round of a draft, and what has to come of it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtectionRound {
    /// What is changed in the draft.
    #[serde(default)]
    pub change: Vec<Replacement>,
    /// What has to be among the mended, each by one of its words.
    #[serde(default)]
    pub fixed: Vec<String>,
    /// What must not be among the mended.
    #[serde(default)]
    pub not_fixed: Vec<String>,
    /// What the brief has to say.
    #[serde(default)]
    pub brief: Vec<String>,
    /// What the revision changed without being asked to.
    #[serde(default)]
    pub lost: Vec<String>,
    /// Whether something that was mended is back.
    #[serde(default)]
    pub regressed: bool,
}

/// A draft before and after the cycle.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparisonCase {
    /// What it is about.
    pub name: String,
    /// The id of the idea.
    pub idea: String,
    /// The recipe of both drafts.
    pub recipe: ContentType,
    /// The draft to begin with; without one, the author's first.
    pub draft: Option<String>,
    /// What is changed in it.
    #[serde(default)]
    pub change: Vec<Replacement>,
    /// The mean that the critics of the run itself have to come to.
    pub mean: Option<f64>,
    /// By this round at the latest; without one, by the last.
    pub by_round: Option<u32>,
}

/// The result of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioResult {
    /// The group of scenarios it belongs to.
    pub group: &'static str,
    /// The name of the scenario.
    pub name: String,
    /// Whether it passed, failed or was skipped.
    pub result: Went,
    /// What was seen, for a person.
    pub detail: String,
}

/// How a scenario went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Went {
    /// The result is the expected one.
    Passed,
    /// The result is not the expected one.
    Failed,
    /// It was not tried: nothing that can be measured tells it.
    Skipped,
    /// It was tried, and nobody answered.
    Absent,
}

impl Went {
    /// The result of a scenario that was tried.
    pub fn of(passed: bool) -> Self {
        if passed { Self::Passed } else { Self::Failed }
    }
}

impl ScenarioResult {
    /// A scenario for which there is no answer.
    pub fn without(group: &'static str, name: &str, result: Went, detail: String) -> Self {
        Self { group, name: name.to_owned(), result, detail }
    }
}

impl EvalFile {
    /// The same, if it can be used, with its guests. The text is for the lines of what is wrong.
    pub fn check(self, text: &str) -> Result<(Self, Vec<Advisor>), Mistake> {
        let place = TomlLines::of(text);
        let guests = checked(self.guest.clone(), "guest", text)?;
        let names = [
            ("selection", self.selection.iter().map(|case| &case.name).collect::<Vec<_>>()),
            ("critique", self.critique.iter().map(|case| &case.name).collect()),
            ("guard", self.guard.iter().map(|case| &case.name).collect()),
            ("comparison", self.comparison.iter().map(|case| &case.name).collect()),
        ];
        for (group, names) in names {
            let mut seen = BTreeSet::new();
            for (index, name) in names.into_iter().enumerate() {
                let wrong = |what: String| Err(Mistake { line: place.entry(group, index, "name"), what });
                if name.trim().is_empty() || name.chars().any(char::is_control) {
                    return wrong("a name is one line with words".to_owned());
                }
                if !seen.insert(name) {
                    return wrong(format!("'{name}' is there twice"));
                }
            }
        }
        for (index, case) in self.critique.iter().enumerate() {
            let wrong =
                |key: &str, what: String| Err(Mistake { line: place.entry("critique", index, key), what });
            if case.finds.is_none() && case.quiet.is_none() && !case.lower {
                return wrong("name", format!("'{}' expects nothing: give finds, quiet or lower", case.name));
            }
            if !case.words.is_empty() && case.finds.is_none() {
                return wrong("words", format!("'{}': words belong to finds, and there is none", case.name));
            }
            if case.lower && case.change.is_empty() {
                return wrong(
                    "lower",
                    format!("'{}': lower compares with the draft before a change", case.name),
                );
            }
        }
        for (index, case) in self.comparison.iter().enumerate() {
            let wrong =
                |key: &str, what: String| Err(Mistake { line: place.entry("comparison", index, key), what });
            if case.mean.is_some_and(|mean| !(1.0..=10.0).contains(&mean)) {
                return wrong("mean", format!("'{}': mean is a score from 1 to 10", case.name));
            }
            if case.by_round.is_some_and(|round| round == 0 || case.mean.is_none()) {
                let what = "by_round is a round from 1 on, and belongs to mean";
                return wrong("by_round", format!("'{}': {what}", case.name));
            }
        }
        Ok((self, guests))
    }
}

/// The draft with what is changed in it.
pub fn changed(draft: &str, changes: &[Replacement]) -> Result<String, String> {
    changes.iter().try_fold(draft.to_owned(), |text, change| {
        if change.from.is_empty() || !text.contains(&change.from) {
            let from: String = change.from.chars().take(60).collect();
            return Err(format!("the draft has no '{from}' that could be changed"));
        }
        Ok(text.replace(&change.from, &change.to))
    })
}

impl SelectionCase {
    /// The registry with the guests that it adds.
    pub fn registry(&self, registry: &AdvisorRegistry, guests: &[Advisor]) -> AdvisorRegistry {
        let added = guests.iter().filter(|guest| self.add.contains(&guest.id));
        AdvisorRegistry::new(registry.iter().chain(added).cloned())
    }

    /// What several answers to the same come to: all of them have to fit. The first that does not is told.
    pub fn all(&self, results: &[ScenarioResult]) -> ScenarioResult {
        let count = |went: Went| results.iter().filter(|result| result.result == went).count();
        let (times, passed) = (results.len(), count(Went::Passed));
        // One that did not fit says more than one that is missing.
        let worst = [Went::Failed, Went::Absent, Went::Skipped, Went::Passed];
        let told =
            worst.iter().find_map(|went| results.iter().find(|result| result.result == *went)).cloned();
        let told = told.unwrap_or_else(|| {
            ScenarioResult::without("selection", &self.name, Went::Absent, "nobody was asked".to_owned())
        });
        if times <= 1 {
            return told;
        }
        ScenarioResult { detail: format!("{passed} of {times} fit; {}", told.detail), ..told }
    }

    /// Whether the panel is as it should be, and what it is.
    pub fn judge(&self, panel: &PanelSelection, larger: Option<&PanelSelection>) -> ScenarioResult {
        let sits = |id: &AdvisorId| panel.seats.iter().any(|seat| seat.advisor_id == *id);
        let names: Vec<&str> = panel.seats.iter().map(|seat| seat.advisor_id.as_str()).collect();
        let mut detail = names.join(", ");
        let missing: Vec<&str> = self.includes.iter().filter(|id| !sits(id)).map(AdvisorId::as_str).collect();
        let extra: Vec<&str> = self.excludes.iter().filter(|id| sits(id)).map(AdvisorId::as_str).collect();
        let large = larger.is_some_and(|larger| larger.seats.len() <= panel.seats.len());
        for (what, ids) in [("missing", missing.join(", ")), ("should not be there", extra.join(", "))] {
            if !ids.is_empty() {
                detail = format!("{detail}; {what}: {ids}");
            }
        }
        if large {
            detail.push_str("; not a smaller panel");
        }
        let passed = missing.is_empty() && extra.is_empty() && !large;
        ScenarioResult { group: "selection", name: self.name.clone(), result: Went::of(passed), detail }
    }
}

impl CritiqueCase {
    /// Whether the critique is as it should be, and what it said. `before` is that of the draft without the change.
    pub fn judge(&self, critique: &Critique, before: Option<&Critique>) -> ScenarioResult {
        let mut said = vec![format!("{:.1}", critique.score)];
        let mut passed = true;
        if let Some(severity) = self.finds {
            let found = critique.issues.iter().find(|issue| issue.severity >= severity && self.speaks(issue));
            passed &= found.is_some();
            said.push(found.map_or_else(
                || format!("raises nothing {} about it", THREE.word(severity)),
                |issue| format!("{}: {}", THREE.word(issue.severity), issue.description),
            ));
        }
        if let Some(severity) = self.quiet {
            let loud = critique.issues.iter().find(|issue| issue.severity >= severity);
            passed &= loud.is_none();
            said.push(loud.map_or_else(
                || format!("raises nothing {}", THREE.word(severity)),
                |issue| format!("should be quiet, but {}: {}", THREE.word(issue.severity), issue.description),
            ));
        }
        if self.lower {
            let lower = before.is_some_and(|before| critique.score < before.score);
            passed &= lower;
            let was = before.map_or_else(|| "unknown".to_owned(), |before| format!("{:.1}", before.score));
            said.push(format!("{} {was} without the change", if lower { "below" } else { "not below" }));
        }
        ScenarioResult {
            group: "critique",
            name: self.name.clone(),
            result: Went::of(passed),
            detail: said.join("; "),
        }
    }

    /// Whether an issue is about what was changed, as far as its words tell.
    fn speaks(&self, issue: &ContentIssue) -> bool {
        let parts =
            [Some(&issue.description), Some(&issue.suggestion), issue.quote.as_ref(), issue.rule.as_ref()];
        let said: BTreeSet<String> = parts.into_iter().flatten().flat_map(|text| stems(text)).collect();
        self.words.is_empty()
            || self.words.iter().any(|word| stems(word).iter().all(|stem| said.contains(stem)))
    }
}

impl ComparisonCase {
    /// Whether a run came to the mean that is wanted, in time. `means` are those of its rounds. None when none is wanted.
    pub fn reaches(&self, means: &[Option<f64>]) -> Option<bool> {
        let wanted = self.mean?;
        let last = self.by_round.and_then(|round| usize::try_from(round).ok()).unwrap_or(usize::MAX);
        Some(means.iter().take(last).flatten().any(|mean| *mean >= wanted - EPSILON))
    }
}

impl ProtectionRound {
    /// What is not as it should be after a round; empty when everything is.
    pub fn judge(&self, summary: &RoundSummary, lost: &[Lost]) -> Vec<String> {
        let round = summary.round.0;
        let mut wrong = Vec::new();
        let mended = |words: &String| {
            summary.fixed_items.iter().any(|item| {
                item.description.to_lowercase().contains(&words.to_lowercase())
                    || item.quote.as_ref().is_some_and(|quote| quote.contains(words.as_str()))
            })
        };
        let all =
            summary.fixed_items.iter().map(|item| item.description.as_str()).collect::<Vec<_>>().join(" | ");
        for words in self.fixed.iter().filter(|words| !mended(words)) {
            wrong.push(format!("round {round}: '{words}' is not among the mended: {all}"));
        }
        for words in self.not_fixed.iter().filter(|words| mended(words)) {
            wrong.push(format!("round {round}: '{words}' is among the mended: {all}"));
        }
        for words in self.brief.iter().filter(|words| !summary.brief.contains(words.as_str())) {
            wrong.push(format!("round {round}: the brief does not say '{words}'"));
        }
        let passages: Vec<&str> = lost.iter().map(|lost| lost.passage.as_str()).collect();
        for words in &self.lost {
            if !passages.iter().any(|passage| passage.contains(words.as_str())) {
                wrong.push(format!("round {round}: '{words}' was changed, and that was not seen"));
            }
        }
        if self.lost.is_empty() && !passages.is_empty() {
            wrong.push(format!("round {round}: changed without being asked to: {}", passages.join(" | ")));
        }
        if self.regressed == summary.regressed.is_empty() {
            let what = if self.regressed { "nothing came back" } else { "something came back" };
            wrong.push(format!("round {round}: {what}"));
        }
        wrong
    }
}
