//! Who reviews a piece: chosen by a vote of the clauses of what a recipe needs, or by a model whose answer is read here.
//!
//! The vote needs nobody. Each clause of the needs is compared with what every candidate evaluates, and elects the one who
//! knows most about it. A clause is vetoed for whoever says that they leave just that to others; the rest of the needs is
//! still theirs. Comparing the needs as a whole would do neither: an advisor with a narrow field loses against whoever
//! uses many words, and nearly everybody leaves something to others that the same recipe asks somebody else for.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use thiserror::Error;

use super::advisor::{Advisor, AdvisorId};
use super::panel::{ContentSeat, How, PanelSelection};
use super::recipe::Recipe;
use super::registry::AdvisorRegistry;
use super::stem::stems;
use crate::lenient_json;
use crate::line;

/// The score that a clause has to reach to elect somebody.
pub const ELECTING_SCORE: f64 = 1.0;
/// The most critics that are elected; those whom the recipe names come on top.
pub const MOST_ELECTED: usize = 5;
/// How many words of a clause somebody has to leave to others to be out for it.
const VETO: usize = 2;
/// How many advisors a word is measured against at the least: in a registry of one or two, every word would be usual.
const BACKGROUND: usize = 8;
/// The two numbers of BM25: how soon a repeated word stops counting, and how much a long text is held back.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// Words of reviewing itself: they stand in every need and say nothing about whose it is.
const USUAL: &str = "review reviewed reviewer evaluate evaluates evaluation check checks assess need needs content piece look \
                     looks read reads ask asks whether leave leaves others";

/// Why there is no panel. Nobody chosen on purpose is not among these.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// The recipe names somebody who cannot sit.
    #[error("the recipe names '{id}' as a critic, but {why}")]
    Named {
        /// The id that was named.
        id: AdvisorId,
        /// Why it cannot sit on this panel.
        why: &'static str,
    },
    /// There are advisors, but none for these needs.
    #[error(
        "no advisor evaluates what the recipe needs: name critics in named_critics, or reword evaluation_needs"
    )]
    Nobody,
    /// The model's answer is no list.
    #[error("the choice of critics cannot be read: {0}")]
    Unreadable(String),
    /// The model's answer has nobody who could sit.
    #[error("the choice of critics names nobody who can review: {0}")]
    AllUnknown(String),
}

impl SelectionError {
    /// The label for logs and metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Named { .. } => "named_critic",
            Self::Nobody => "no_critic_fits",
            Self::Unreadable(_) => "selection_unreadable",
            Self::AllUnknown(_) => "selection_unknown",
        }
    }
}

/// What a clause of the needs said.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ballot {
    /// The clause of the recipe that was scored.
    pub clause: String,
    /// The advisor that the clause elected, if it elected one.
    pub elected: Option<AdvisorId>,
    /// How well that fits.
    pub score: f64,
    /// Who would have been better, but leaves it to others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vetoed: Vec<AdvisorId>,
}

/// The clauses of what a recipe needs: what stands between colons, commas, semicolons, brackets, full stops and "and".
pub fn clauses(needs: &str) -> Vec<String> {
    let mut all = Vec::new();
    for sentence in needs.split_inclusive(char::is_whitespace).fold(vec![String::new()], |mut parts, word| {
        let plain = word.trim();
        let ends = plain.ends_with(['.', '!', '?']);
        if plain.eq_ignore_ascii_case("and") {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push_str(plain.trim_end_matches(['.', '!', '?']));
            part.push(' ');
            if ends {
                parts.push(String::new());
            }
        }
        parts
    }) {
        for clause in sentence.split([':', ',', ';', '(', ')', '[', ']']) {
            let clause = clause.split_whitespace().collect::<Vec<_>>().join(" ");
            if clause.chars().any(char::is_alphanumeric) {
                all.push(clause);
            }
        }
    }
    all
}

/// What every clause of the needs says about the candidates.
pub fn ballots(recipe: &Recipe, registry: &AdvisorRegistry) -> Vec<Ballot> {
    let candidates = registry.candidates(&recipe.author_advisor);
    let hall = Hall::of(&candidates);
    clauses(&recipe.evaluation_needs).into_iter().map(|clause| hall.ballot(clause)).collect()
}

/// The panel by the clauses of the needs, without a model.
///
/// Without a single candidate there is nobody to choose, and the panel is empty. With candidates of whom none fits there
/// is an error: words were compared, and that nobody is needed is nothing that words can say.
pub fn vote(recipe: &Recipe, registry: &AdvisorRegistry) -> Result<PanelSelection, SelectionError> {
    let candidates = registry.candidates(&recipe.author_advisor);
    let named = named(recipe, registry)?;
    let mut elected: BTreeMap<AdvisorId, Vec<String>> = BTreeMap::new();
    for ballot in ballots(recipe, registry) {
        if let Some(id) = ballot.elected {
            elected.entry(id).or_default().push(ballot.clause);
        }
    }
    let mut seats: Vec<ContentSeat> = candidates
        .iter()
        .filter_map(|advisor| Some(seat(advisor, &named, elected.remove(&advisor.id)?)))
        .collect();
    // The sort is stable: of those with as many clauses, the order of the registry counts.
    seats.sort_by_key(|seat| std::cmp::Reverse(seat.clauses.len()));
    seats.truncate(MOST_ELECTED);
    if seats.is_empty() && named.is_empty() && !candidates.is_empty() {
        return Err(SelectionError::Nobody);
    }
    Ok(PanelSelection { seats: with_named(seats, &named, &candidates), how: How::Vote, warnings: Vec::new() })
}

/// The longest answer that is read.
const LONGEST_ANSWER_BYTES: usize = 64 * 1024;
/// The most places in an answer where a list may begin.
const MOST_PLACES: usize = 256;
/// The most of somebody else's words in a message, in characters.
const LONGEST_SHOWN: usize = 80;

/// The panel that a model chose: a JSON list of ids, with a fence or prose around it or not.
///
/// A list without anybody is a choice, if it is all that was answered. An answer without a list, or with nobody in it who
/// could sit, is an error.
pub fn read_choice(
    text: &str,
    candidates: &[&Advisor],
    named: &[AdvisorId],
) -> Result<PanelSelection, SelectionError> {
    for id in named {
        if !candidates.iter().any(|advisor| advisor.id == *id) {
            return Err(SelectionError::Named {
                id: id.clone(),
                why: "it is not among those who can review",
            });
        }
    }
    if text.len() > LONGEST_ANSWER_BYTES {
        let what = format!("it is longer than {LONGEST_ANSWER_BYTES} bytes");
        return Err(SelectionError::Unreadable(what));
    }
    let find = |said: &str| {
        let said = said.trim();
        candidates.iter().find(|advisor| {
            advisor.id.as_str().eq_ignore_ascii_case(said) || advisor.name.eq_ignore_ascii_case(said)
        })
    };
    let lists = lists(text);
    let has_known = |list: &&Vec<String>| list.iter().any(|said| find(said).is_some());
    // Who thinks aloud ends with what they mean.
    let chosen = match lists.iter().rfind(has_known) {
        Some(list) => list.clone(),
        None => match lists.iter().rfind(|list| !list.is_empty()) {
            Some(strangers) => {
                let said: Vec<String> = strangers.iter().map(|said| shown(said)).collect();
                return Err(SelectionError::AllUnknown(shown(&said.join(", "))));
            }
            None if says_nobody(text, candidates) => Vec::new(),
            None if text.trim().is_empty() => {
                return Err(SelectionError::Unreadable("there is no answer".to_owned()));
            }
            None => {
                let what = format!("there is no JSON list of ids in '{}'", shown(text));
                return Err(SelectionError::Unreadable(what));
            }
        },
    };
    let (mut seats, mut warnings): (Vec<ContentSeat>, Vec<String>) = (Vec::new(), Vec::new());
    for said in chosen {
        match find(&said) {
            Some(advisor) if seats.iter().any(|seat| seat.advisor_id == advisor.id) => {}
            Some(advisor) => seats.push(seat(advisor, named, Vec::new())),
            None => {
                warnings.push(format!("'{}' is nobody who can review this, and is left out", shown(&said)));
            }
        }
    }
    Ok(PanelSelection { seats: with_named(seats, named, candidates), how: How::Model, warnings })
}

/// Those whom the recipe names, if every one of them can sit.
fn named(recipe: &Recipe, registry: &AdvisorRegistry) -> Result<Vec<AdvisorId>, SelectionError> {
    let mut all: Vec<AdvisorId> = Vec::new();
    for id in &recipe.named_critics {
        let wrong = |why| Err(SelectionError::Named { id: id.clone(), why });
        match registry.get(id) {
            None => return wrong("there is no such advisor"),
            Some(_) if *id == recipe.author_advisor => return wrong("it is the author, who does not review"),
            Some(advisor) if !advisor.can_review() => return wrong("it has no evaluation_expertise"),
            Some(_) if all.contains(id) => {}
            Some(_) => all.push(id.clone()),
        }
    }
    Ok(all)
}

fn seat(advisor: &Advisor, named: &[AdvisorId], clauses: Vec<String>) -> ContentSeat {
    let named = named.contains(&advisor.id);
    let (advisor_id, name, domain) = (advisor.id.clone(), advisor.name.clone(), advisor.domain());
    ContentSeat { advisor_id, name, domain, named, clauses }
}

/// These and those who are named, in the order of the registry, whoever chose them.
fn with_named(mut seats: Vec<ContentSeat>, named: &[AdvisorId], candidates: &[&Advisor]) -> Vec<ContentSeat> {
    let sits = |advisor: &&Advisor| {
        let at = seats.iter().position(|seat| seat.advisor_id == advisor.id);
        let seated = at.map(|at| seats.swap_remove(at));
        seated.or_else(|| named.contains(&advisor.id).then(|| seat(advisor, named, Vec::new())))
    };
    candidates.iter().filter_map(sits).collect()
}

/// Every list of names in an answer, in order. A name is a text, or the `id` of an object.
fn lists(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut rest = text;
    for _ in 0..MOST_PLACES {
        let Some(start) = rest.find('[') else { break };
        rest = rest.get(start..).unwrap_or_default();
        let list = lenient_json::first_value::<Vec<serde_json::Value>>(rest).and_then(Result::ok);
        let (list, length) = list.map_or((None, 1), |(list, length)| (Some(list), length));
        let name = |value: serde_json::Value| {
            value.as_str().or_else(|| value.get("id")?.as_str()).map(ToOwned::to_owned)
        };
        if let Some(names) = list.and_then(|list| list.into_iter().map(name).collect::<Option<Vec<_>>>()) {
            all.push(names);
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    all
}

/// Whether the answer says that nobody is needed: an empty list on a line of its own, or as the only thing in an object,
/// and no word about any candidate. A box to tick, or the details of an error, are no such thing.
fn says_nobody(text: &str, candidates: &[&Advisor]) -> bool {
    let low = text.to_lowercase();
    let mentioned = candidates.iter().any(|advisor| {
        low.contains(&advisor.id.as_str().to_lowercase()) || low.contains(&advisor.name.to_lowercase())
    });
    if mentioned {
        return false;
    }
    let alone = text.lines().any(|line| line.trim().trim_matches('`') == "[]");
    let only = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(unfenced(text)).is_ok_and(
        |fields| {
            fields.len() == 1 && fields.values().all(|value| value.as_array().is_some_and(Vec::is_empty))
        },
    );
    alone || only
}

/// What stands in a fence, if nothing stands around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.map_or(text, |inner| inner.trim_start_matches(char::is_alphanumeric).trim())
}

/// Somebody else's words in a message: one line, nothing that moves the cursor, not long.
fn shown(text: &str) -> String {
    line::cut(&line::joined(text), LONGEST_SHOWN)
}

/// Everybody who can be elected, and how usual each word is among them.
struct Hall<'a> {
    members: Vec<Member<'a>>,
    /// In how many of the texts a word stands.
    spread: BTreeMap<String, usize>,
    /// The mean length of the texts.
    length: f64,
    usual: BTreeSet<String>,
}

struct Member<'a> {
    advisor: &'a Advisor,
    words: Vec<String>,
    left: BTreeSet<String>,
}

impl<'a> Hall<'a> {
    fn of(candidates: &[&'a Advisor]) -> Self {
        let usual: BTreeSet<String> = stems(USUAL).into_iter().collect();
        let words = |text: Option<&str>| -> Vec<String> {
            stems(text.unwrap_or_default()).into_iter().filter(|word| !usual.contains(word)).collect()
        };
        let members: Vec<Member<'a>> = candidates
            .iter()
            .map(|advisor| Member {
                advisor,
                words: words(advisor.evaluation_expertise.as_deref()),
                left: words(advisor.does_not_evaluate.as_deref()).into_iter().collect(),
            })
            .collect();
        let mut spread: BTreeMap<String, usize> = BTreeMap::new();
        for member in &members {
            let words: BTreeSet<&String> = member.words.iter().collect();
            for word in words {
                *spread.entry(word.clone()).or_default() += 1;
            }
        }
        let total: usize = members.iter().map(|member| member.words.len()).sum();
        let length = number(total) / number(members.len().max(1));
        Self { members, spread, length, usual }
    }

    fn ballot(&self, clause: String) -> Ballot {
        let words: BTreeSet<String> =
            stems(&clause).into_iter().filter(|word| !self.usual.contains(word)).collect();
        let mut vetoed = Vec::new();
        let mut best: Option<(f64, &Member<'_>)> = None;
        for member in &self.members {
            let score = self.score(&words, member);
            if score <= ELECTING_SCORE {
                continue;
            }
            if words.intersection(&member.left).count() >= VETO {
                vetoed.push(member.advisor.id.clone());
            } else if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, member));
            }
        }
        let (score, elected) =
            best.map_or((0.0, None), |(score, member)| (score, Some(member.advisor.id.clone())));
        Ballot { clause, elected, score, vetoed }
    }

    /// BM25 of the words of a clause in what a member evaluates; nothing when they share no more than a third of the
    /// clause and it is nothing that the member speaks of more than once: a "post for social media" is not about "social
    /// proof".
    fn score(&self, words: &BTreeSet<String>, member: &Member<'_>) -> f64 {
        let everybody = number(self.members.len().max(BACKGROUND));
        let long = 1.0 - B + B * number(member.words.len()) / self.length.max(1.0);
        let (mut score, mut shared, mut stressed) = (0.0, 0, false);
        for word in words {
            let times = member.words.iter().filter(|own| *own == word).count();
            if times == 0 {
                continue;
            }
            shared += 1;
            stressed |= times > 1;
            let spread = number(self.spread.get(word).copied().unwrap_or_default());
            let rare = (1.0 + (everybody - spread + 0.5) / (spread + 0.5)).ln();
            let times = number(times);
            score += rare * times * (K1 + 1.0) / (times + K1 * long);
        }
        if stressed || shared * 3 > words.len() { score } else { 0.0 }
    }
}

fn number(of: usize) -> f64 {
    f64::from(u32::try_from(of).unwrap_or(u32::MAX))
}
