//! Whether the figures of a PASS are of its matter: they count what the question asks about, in this document, and say that
//! it holds.
//!
//! A figure is read with the sentence around it. It counts something of the question or of the document, and as many as
//! there are, as far as that can be counted again. What is said of it is that it holds: of what has been, may be, is wanted
//! or was told by somebody, nothing is known. A figure that cannot be read so is no look, and the critic is asked again.

use super::direction::{BAD, GOOD, LOOKED, SAYING, THINGS, is_not};
use super::{
    ALL, COUNTING, End, NOT_COUNTED, OF, PRAISE, Token, UNCOUNTABLE, UNITS, Value, has, tokens, whole,
};
use crate::content::stem::{is_stop_word, stem};
use crate::critic::contents::{Contents, stems};

/// What a verdict is about.
#[derive(Debug, Clone, Copy)]
pub(in crate::critic) struct Matter<'a> {
    /// What the criterion asks.
    pub(in crate::critic) question: &'a str,
    /// What the critic had before it, if that is known.
    pub(in crate::critic) contents: Option<&'a Contents>,
}

/// What parts of any text may be called.
const PARTS: &str = "place places point points item items entry entries case cases occurrence occurrences passage passages part \
    parts mention mentions statement statements instance instances piece pieces position positions aspect aspects check checks \
    thing things spot spots stelle stellen punkt punkte eintrag einträge fall fälle";

/// The whole of what is reviewed. To have it is to have looked at nothing in it yet.
const DOCUMENTS: &str = "document documents file files text texts dokument dokumente datei dateien";

/// What is not so now: what is to come, may be, is wanted, was once, or is kept from being so.
const NOT_NOW: &str = "will would shall should may might could must can ought gonna going had used yet soon later eventually \
    someday await awaits awaiting wait waits waiting want wants wanted wish wishes deserve deserves expect expects expected hope \
    hopes intend intends plan plans planned promise promises propose proposes proposed pending due scheduled upcoming future \
    outstanding blocked stopped postponed deferred delayed excluded formerly previously earlier wird werden würde würden sollte \
    sollten soll sollen könnte könnten muss müssen müsste darf dürfte hatte hatten";

/// What holds in part.
const IN_PART: &str = "half halfway part partly partially some somewhat almost nearly barely hardly scarcely mostly largely partial \
    halb teilweise fast beinahe kaum";

/// What takes something out of what was said before it.
const RESERVED: &str = "but except excepting excluding although though however unless save apart aside nonetheless nevertheless \
    aber außer jedoch obwohl allerdings bis";

/// What somebody else is said to have said, or somebody feels.
const HEARSAY: &str = "according said claimed claims claim reported reportedly supposedly sure certain confident think thinks \
    believe believes feel feels suspect author authors laut angeblich sicher";

/// A part of what should have been looked at.
const SAMPLED: &str =
    "sample sampled samples sampling random excerpt excerpts first another different elsewhere stichprobe";

/// Where no answer stands.
const NO_ANSWER: &str = "unknown unclear undetermined undecided unsure na tbd todo above below ditto same see unbekannt siehe oben";

/// What says of a thing that it has, says or does what is asked for, beside what is [good](super::direction::GOOD).
const FULFILS: &str = "contain contains include includes included carry carries keep keeps say says name names list lists listed give \
    gives given define defines describe describes described specify specifies specified explain explains explained mention \
    mentions mentioned show shows shown tell tells note notes noted record records recorded mark marks marked label labels \
    labelled labeled cite cites cited quote quotes quoted point points refer refers state states agree agrees match matches \
    matched fit fits fitting map maps mapped follow follows followed correspond corresponds trace traces traced lead leads link \
    links linked take takes treat treats treated solve solves solved support supports implement implements check checks cover \
    find finds found use uses used read reads end ends begin begins start starts stay stays fulfil fulfils fulfill fulfills \
    come comes consistent accurate clear sound unique accounted measurable testable readable explicit unambiguous precise \
    concrete dated owned numbered assigned accepted correctly identical equal alike done fixed closed answered \
    erfüllen erfüllt nennen nennt beschreiben beschreibt enthalten enthält decken abgedeckt stimmen passen geben gibt führen führt";

/// What says that something is there.
const THERE: &str = "exist exists existed existing there present available vorhanden";

/// What stands before what is said of something, and says nothing itself.
const BETWEEN: &str = "also each all both now actually really in fact indeed clearly fully properly explicitly correctly the a an \
    their its own alle jeweils auch";

/// What begins a part of a name behind its noun.
const PREPOSITIONS: &str =
    "of in on from for with to under at by within across about into von in aus für mit auf unter";

/// From here on something else is spoken of.
const ASIDE: &str = "what when how whether if who where why which that because since wenn ob was wie wo weil";

/// What one asks after a whole with.
const EVERY: &str = "every each all any jede jeder jedes alle";

/// What a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    /// The part, and the whole if it is one of it.
    number: u64,
    whole: Option<u64>,
    /// Its last token.
    end: usize,
    /// A label stands before it: `Requirements: 2`.
    labelled: bool,
}

/// Whether a figure that should rule a way to fail out says that it comes about: `40 of 90 files are larger`.
pub(in crate::critic) fn affirms(rationale: &str, scenario: &str) -> bool {
    let told: Vec<String> = stems(scenario).collect();
    let all = tokens(rationale);
    statements(&all).any(|statement| {
        (0..statement.len()).any(|at| {
            let Some(own) = count(statement, at).filter(|own| own.whole.is_some() && own.number > 0) else {
                return false;
            };
            let Counted { said, .. } = counted(statement, own.end);
            let said = said_of(statement, at, own, said);
            let mut words =
                said.iter().map(|token| token.word.as_str()).filter(|word| !is_stop_word(word)).peekable();
            words.peek().is_some()
                && words.all(|word| told.contains(&stem(word)))
                && !said.iter().any(|token| is_not(&token.word) || has("no none without", &token.word))
        })
    })
}

/// What one sentence is worth for a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// Something was looked at, and it holds.
    Look,
    /// Nothing that counts: no figure, or none of what is asked about.
    Nothing,
    /// It takes back what else is said.
    Against,
}

/// Whether an answer rests on a figure of the matter, and nothing in it takes that back.
pub(in crate::critic) fn is_look(answer: &str, matter: Matter<'_>) -> bool {
    let all = tokens(answer);
    let several = all.iter().filter(|token| token.value != Value::Word).count() > 1;
    statements(&all).any(|statement| worth(statement, several, matter) == Worth::Look)
        && !is_against(answer, matter)
}

/// Whether a sentence with a figure takes a PASS back.
pub(in crate::critic) fn is_against(answer: &str, matter: Matter<'_>) -> bool {
    let all = tokens(answer);
    let several = all.iter().filter(|token| token.value != Value::Word).count() > 1;
    statements(&all).any(|statement| worth(statement, several, matter) == Worth::Against)
}

/// The sentences of an answer.
fn statements(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    tokens.split_inclusive(|token| matches!(token.end, End::Sentence | End::Question))
}

fn worth(statement: &[Token], several: bool, matter: Matter<'_>) -> Worth {
    let counts: Vec<(usize, Count)> =
        (0..statement.len()).filter_map(|at| Some((at, count(statement, at)?))).collect();
    if counts.is_empty() {
        // `… have a step. Not verified.` is read elsewhere; here only figures are.
        return Worth::Nothing;
    }
    if statement.last().is_some_and(|token| token.end == End::Question) || is_taken_back(statement, matter) {
        return Worth::Against;
    }
    let mut worth = Worth::Nothing;
    let mut taken = None;
    for (at, own) in counts {
        if taken.is_some_and(|taken| at <= taken) {
            continue;
        }
        taken = Some(own.end);
        match of_count(statement, at, own, several, matter) {
            Worth::Against => return Worth::Against,
            Worth::Look => worth = Worth::Look,
            Worth::Nothing => {}
        }
    }
    worth
}

/// Whether a sentence says that what it counts is not so, or not so by the looks of the critic.
fn is_taken_back(statement: &[Token], matter: Matter<'_>) -> bool {
    let asked: Vec<String> = stems(matter.question).collect();
    let question: Vec<String> = tokens(matter.question).into_iter().map(|token| token.word).collect();
    let is_asked = |word: &str| asked.contains(&stem(word)) || question.iter().any(|own| own == word);
    let own = statement.iter().enumerate().take_while(|(at, token)| *at == 0 || !has(ASIDE, &token.word));
    let mut said = own.map(|(_, token)| token.word.as_str());
    let unlooked = statement.split_inclusive(Token::ends).any(|part| {
        // `0 of 2 steps are not checked` is a figure, and `2 of 2 requirements, steps not checked` is one with a hole.
        let denied = part.iter().position(|token| is_not(&token.word));
        part.iter().all(|token| token.value == Value::Word)
            && denied.is_some_and(|at| part.iter().skip(at + 1).take(3).any(|token| has(LOOKED, &token.word)))
    });
    // Whoever asks whether something can be done is told that it can.
    unlooked
        || said.any(|word| {
            [NOT_NOW, IN_PART, RESERVED, HEARSAY, SAMPLED].iter().any(|list| has(list, word))
                && !is_asked(word)
        })
}

/// A figure that counts, if one begins here.
fn count(tokens: &[Token], at: usize) -> Option<Count> {
    let token = tokens.get(at)?;
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let labelled = before.is_some_and(|before| before.labels);
    match token.value {
        Value::Digits(number) | Value::Named(number) => {
            if let Some((all, end)) = whole(tokens, at) {
                return Some(Count { number, whole: Some(all), end, labelled });
            }
            let each = before.is_some_and(|before| !before.ends() && has(ALL, &before.word));
            let small = matches!(token.value, Value::Named(0 | 1));
            if small && !labelled && !each && !is_alone(&token.word) {
                return None;
            }
            Some(Count { number, whole: each.then_some(number), end: at, labelled })
        }
        Value::Part(all) => {
            let number = token.word.split_once('/').and_then(|(part, _)| part.parse().ok())?;
            Some(Count { number, whole: Some(all), end: at, labelled })
        }
        Value::Share { .. } => {
            let number: f64 = token.word.trim_end_matches('%').replace(',', ".").parse().ok()?;
            Some(Count { number: if number > 0.0 { 100 } else { 0 }, whole: Some(100), end: at, labelled })
        }
        Value::Word | Value::Ratio | Value::Amount => None,
    }
}

/// `zero`, and not `none` or `one`, which are more often something else.
fn is_alone(word: &str) -> bool {
    word == "zero" || word == "null"
}

/// What is counted behind a figure, and where what is said of it begins.
struct Counted<'t> {
    noun: Vec<&'t Token>,
    said: usize,
}

fn counted(tokens: &[Token], end: usize) -> Counted<'_> {
    let ends = |at: usize| tokens.get(at).is_none_or(Token::ends);
    let mut at = end;
    let mut noun = Vec::new();
    // `100 % of the 2 requirements`
    while !ends(at) {
        let Some(next) = tokens.get(at + 1) else { break };
        let is_little =
            has(OF, &next.word) || next.value != Value::Word || has("the these those that", &next.word);
        if !noun.is_empty() || !is_little {
            break;
        }
        at += 1;
    }
    while !ends(at) {
        let Some(next) = tokens.get(at + 1) else { break };
        let word = next.word.as_str();
        let is_plural = is_several(word) || next.capital && !noun.is_empty();
        let after = noun.last().is_some_and(|last: &&Token| is_several(&last.word) || last.capital);
        let is_verb =
            has(SAYING, word) || has(NOT_COUNTED, word) || is_not(word) || has("each all both", word);
        if next.value != Value::Word || is_verb || after && !is_plural || after && is_said(word) {
            break;
        }
        noun.push(next);
        at += 1;
    }
    // `requirements in the summary have`
    if !ends(at) && tokens.get(at + 1).is_some_and(|next| has(PREPOSITIONS, &next.word)) {
        let rest = tokens.iter().enumerate().skip(at + 1);
        let mut within = rest.take_while(|(at, _)| !ends(at - 1) || *at == end + 1);
        let verb = within.find(|(_, token)| has(SAYING, &token.word) || is_not(&token.word));
        if let Some((verb, _)) = verb {
            return Counted { noun, said: verb };
        }
    }
    Counted { noun, said: at + 1 }
}

fn is_several(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss")
}

/// Whether a word says of something that it holds or does not.
fn is_said(word: &str) -> bool {
    [GOOD, BAD, FULFILS, THERE, LOOKED, SAYING].iter().any(|list| has(list, word))
}

fn of_count(tokens: &[Token], at: usize, own: Count, several: bool, matter: Matter<'_>) -> Worth {
    let Counted { noun, said } = counted(tokens, own.end);
    let label = at.checked_sub(1).and_then(|at| tokens.get(at)).filter(|_| own.labelled);
    let named: Vec<&str> = noun.iter().map(|token| token.word.as_str()).collect();
    if named.iter().any(|word| has(UNITS, word)) {
        return Worth::Nothing;
    }
    let all = own.whole.unwrap_or(own.number);
    let label_word =
        label.map(|label| label.word.as_str()).filter(|word| !has(COUNTING, word) && named.is_empty());
    if !is_of_matter(&named, tokens, own, label_word, matter) {
        return Worth::Nothing;
    }
    if differs(&named, label_word, all, own, matter) {
        return Worth::Against;
    }
    let rest = said_of(tokens, at, own, said);
    if all == 0 {
        // Of what is not there nothing can be looked at, and that it is not there was counted.
        let none_there = matter.contents.is_some_and(|contents| {
            named
                .iter()
                .chain(&label_word)
                .any(|word| contents.number_of(word).is_some_and(|number| *number.end() == 0))
        });
        return if none_there { Worth::Look } else { Worth::Nothing };
    }
    if own.number == 0 {
        return if own.whole.is_some() && !has_good(&rest) { Worth::Look } else { Worth::Nothing };
    }
    holds(&rest, own, several, matter)
}

/// Whether what is counted is of the question or of the document. A count of nothing named is one of what is asked about.
fn is_of_matter(
    named: &[&str],
    tokens: &[Token],
    own: Count,
    label: Option<&str>,
    matter: Matter<'_>,
) -> bool {
    let names: Vec<&str> = named.iter().copied().chain(label).collect();
    if names.is_empty() {
        return true;
    }
    if names.iter().any(|word| has(DOCUMENTS, word) || has(UNCOUNTABLE, word)) {
        return false;
    }
    let is_said_only = names.iter().all(|word| is_said(word));
    let foreign = tokens.get(own.end.saturating_sub(2)..=own.end).unwrap_or_default();
    let is_foreign = foreign.iter().any(|token| has("von aus der den", &token.word));
    let Some(contents) = matter.contents else { return true };
    let asked: Vec<String> = stems(matter.question).collect();
    let is_known = |word: &&str| {
        has(PARTS, word)
            || own.whole.is_some() && has(THINGS, word)
            || asked.contains(&stem(word))
            || contents.has(word)
            || contents.number_of(word).is_some()
    };
    // Somebody who answers in another language than the document names its parts otherwise.
    is_said_only || is_foreign || names.iter().any(is_known)
}

/// Whether there are not so many of it in the document.
fn differs(named: &[&str], label: Option<&str>, all: u64, own: Count, matter: Matter<'_>) -> bool {
    let Some(contents) = matter.contents.filter(|_| all != 100 || own.whole != Some(100)) else {
        return false;
    };
    let Some(noun) = named.last().copied().or(label) else { return false };
    let is_structure = has(
        "heading headings section sections link links list lists table tables bullet bullets paragraph paragraphs word words \
         line lines sentence sentences",
        noun,
    ) || named.ends_with(&["code", "blocks"]);
    let is_whole =
        named.len() == 1 && population(matter.question).is_some_and(|asked| stem(&asked) == stem(noun));
    (is_structure && named.len() == 1 || is_whole || named.ends_with(&["code", "blocks"]))
        && (own.whole.is_some() || own.number > 0)
        && contents.number_of(noun).is_some_and(|number| !number.contains(&all))
}

/// What a question asks every one of.
fn population(question: &str) -> Option<String> {
    let words = tokens(question);
    let at = words.iter().position(|token| has(EVERY, &token.word))?;
    words.get(at + 1).map(|token| token.word.clone())
}

/// What is said of what a figure counts: behind it, or behind the brackets that it stands in.
fn said_of(tokens: &[Token], at: usize, own: Count, said: usize) -> Vec<&Token> {
    let in_brackets = tokens.get(at).is_some_and(|token| token.opens);
    if !in_brackets && tokens.get(said - 1).is_none_or(Token::ends) {
        return Vec::new();
    }
    let from = if in_brackets { own.end + 1 } else { said };
    let mut rest = Vec::new();
    for token in tokens.iter().skip(from) {
        if has(ASIDE, &token.word) {
            break;
        }
        rest.push(token);
        if token.ends() || token.labels {
            break;
        }
    }
    rest
}

fn has_good(rest: &[&Token]) -> bool {
    let has_none = |token: &&&Token| {
        is_not(&token.word)
            || has("no without kein keine keinen ohne zero", &token.word)
            || has(BAD, &token.word)
    };
    let foreign = rest.iter().any(|token| has("haben hat", &token.word)) && rest.len() > 1;
    foreign && !rest.iter().any(|token| has_none(&token))
}

/// What is said of some or all of what was looked at.
fn holds(rest: &[&Token], own: Count, several: bool, matter: Matter<'_>) -> Worth {
    let asks_for_none =
        tokens(matter.question).iter().any(|token| has("no not nothing none never without any", &token.word));
    let words: Vec<&str> = rest.iter().map(|token| token.word.as_str()).collect();
    let is_none =
        |word: &str| is_not(word) || has("no without zero 0 none kein keine keinen keiner ohne", word);
    let denied = words.iter().filter(|word| is_none(word)).count();
    let bad = words.iter().filter(|word| has(BAD, word)).count();
    if !asks_for_none && denied > 0 && bad == 0 {
        return Worth::Against;
    }
    if words.iter().all(|word| has(NO_ANSWER, word)) && !words.is_empty() {
        return Worth::Against;
    }
    if asks_for_none && denied > 0 || bad > 0 {
        return if own.whole.is_some() || several { Worth::Look } else { Worth::Nothing };
    }
    let mut said = words.iter().copied().skip_while(|word| {
        has(BETWEEN, word)
            || has("is are was were be been have has got get gets ist sind war waren haben hat", word)
    });
    let has_verb = words.iter().any(|word| has("have has got get gets haben hat", word));
    let asked: Vec<String> = stems(matter.question).collect();
    let is_there = words.iter().any(|word| has(THERE, word));
    let asks_there = tokens(matter.question).iter().any(|token| has(THERE, &token.word));
    let Some(first) = said.next() else {
        // Nothing is said of it: so many of so many are.
        return if own.whole.is_some() || own.labelled || several { Worth::Look } else { Worth::Nothing };
    };
    if is_there {
        return if asks_there { Worth::Look } else { Worth::Nothing };
    }
    let is_known = has_verb
        || has(GOOD, first)
        || has(FULFILS, first)
        || has(LOOKED, first)
        || has(PRAISE, first)
        || first.ends_with("ly")
        || words.iter().any(|word| has(SAYING, word)) && asked.contains(&stem(first));
    match own.whole {
        Some(_) if is_known => Worth::Look,
        // A word that is not known says nothing, for or against.
        Some(_) => Worth::Nothing,
        // So many of something are counted and no whole: it is a look when it is said to be one, or says what is asked.
        None if has(LOOKED, first) || several => Worth::Look,
        None => {
            let about = words.iter().any(|word| asked.contains(&stem(word)));
            if is_known && about { Worth::Look } else { Worth::Nothing }
        }
    }
}
