//! Whether a sentence that is still there says the opposite: one of a document, and one of a page.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::super::words::{Word, WordKind};
use super::passage::{is_little, stem};

const NEGATIONS: &str = "not no never none nobody nothing nor neither cannot without nicht kein keine keinen keiner nie niemals \
    ohne pas jamais sans aucun nunca sin";

/// Negations whose apostrophe was left out.
const WITHOUT_APOSTROPHE: &str =
    "wont dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wouldnt couldnt shouldnt mustnt";

/// A negation so near before a word says no to it.
const NEAR: usize = 3;

/// One so far before it may still do so.
const FAR: usize = 6;

/// Words of which one in the place of another turns a statement around or makes it weaker, by their sides.
const SIDES: &[&[&str]] = &[
    &[
        "must shall required require mandatory",
        "should ought recommended",
        "may can could might optional optionally",
    ],
    &[
        "every each all always any both",
        "some sometimes few occasionally rarely seldom often most mostly",
        "never none no",
    ],
    &["before until", "after since"],
    &["first", "last"],
    &["once", "twice", "repeatedly"],
    &["stop halt abort end cancel", "continue proceed skip ignore start begin resume"],
    &["allow permit accept approve grant", "forbid prohibit reject refuse deny block disallow"],
    &["enable activate on", "disable deactivate off"],
    &["include", "exclude omit"],
    &["increase raise grow", "decrease reduce lower shrink"],
    &["above more greater longer exceed", "below less fewer shorter"],
    &["minimum least", "maximum most"],
    &["true yes", "false no"],
    &["open", "closed close"],
    &["public", "private internal secret confidential"],
    &["add insert create keep retain store save preserve", "remove delete drop discard lose destroy"],
    &["pass succeed success", "fail failure"],
    &["encrypted encrypt", "unencrypted plain plaintext"],
    &["synchronous synchronously", "asynchronous asynchronously"],
    &["manual manually", "automatic automatically"],
    &["possible able", "impossible unable"],
    &["valid legal safe", "invalid illegal unsafe"],
    &["complete", "incomplete"],
    &["daily", "hourly", "weekly", "monthly", "yearly"],
    &["and", "or"],
    &["warm warmer hot hotter", "cold colder cool cooler"],
    &["free gratis", "paid fee surcharge"],
    &["confirm", "cancel"],
    &["up", "down"],
];

/// Words that bound a statement: without them it says more.
const BOUNDS: &str = "only solely exclusively exactly alone";

/// Words with which a statement says less than without them.
const LIMITS: &str = "except unless if optional optionally ideally almost nearly usually normally typically preferably hopefully \
    hope wish may might could deprecated obsolete withdrawn";

/// Words on which a sentence depends: with them it says less, and without them more.
const CONDITIONS: &str = "if unless until except provided providing subject while when whenever wenn falls sofern außer ausser solange \
    nur si sauf salvo seulement solo sólo se não nem só apenas non niet geen inte ikke";

/// Whether a sentence with this word says less than without it, or the opposite.
pub(in crate::loss) fn is_limiting(form: &str) -> bool {
    [NEGATIONS, BOUNDS, LIMITS, EXCEPTIONS, CONDITIONS].iter().any(|list| has(list, form))
        || form.ends_with("n't")
}

/// Words with which a heading takes back what stands under it.
const REVOKED: &str = "not no never dropped rejected withdrawn deprecated obsolete cancelled canceled removed old former outdated optional \
    superseded postponed excluded";

/// Verbs that take back what is named behind them.
const IGNORES: &str = "ignore ignores disregard disregards skip forget";

/// What a text is called in itself.
const ITSELF: &str =
    "above below following previous preceding requirement requirements section sections rule rules";

fn has(list: &str, form: &str) -> bool {
    list.split_whitespace().any(|word| word == form)
}

fn is_negation(word: &Word) -> bool {
    word.kind == WordKind::Plain
        && (has(NEGATIONS, &word.form) || word.form.ends_with("n't") || has(WITHOUT_APOSTROPHE, &word.form))
}

/// `Free of charge` is what has none.
fn is_free_of(words: &[Word], at: usize) -> bool {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    form(at) == "free" && matches!(form(at + 1), "of" | "from")
}

/// Whether a negation stands at most so many words before a word.
fn is_negated(words: &[Word], at: usize, reach: usize) -> bool {
    let mut before = at.saturating_sub(reach)..at;
    before.any(|at| words.get(at).is_some_and(is_negation) || is_free_of(words, at))
}

/// Whether the new words say the opposite of the old ones, or less.
pub(super) fn is_turned(old: &[Word], new: &[Word]) -> bool {
    is_flipped(old, new)
        || is_flipped(new, old)
        || is_swapped(old, new)
        || is_unbound(old, new)
        || is_limited(old, new)
        || has_changed_places(old, new)
}

/// A word has come that makes the statement say less: `except at night`, `may be refused`.
fn is_limited(old: &[Word], new: &[Word]) -> bool {
    let limits = |words: &[Word]| words.iter().any(|word| has(LIMITS, &word.form));
    !limits(old) && limits(new)
}

/// The same words stand in the same order, but for names or figures that have changed their places: who does what is another
/// one.
fn has_changed_places(old: &[Word], new: &[Word]) -> bool {
    let is_fact = |word: &&Word| {
        word.kind == WordKind::Figure
            || word.raw.chars().count() > 1 && word.raw.starts_with(char::is_uppercase)
    };
    let facts = |words: &[Word]| -> Vec<String> {
        words.iter().filter(is_fact).map(|word| word.form.clone()).collect()
    };
    let rest = |words: &[Word]| -> Vec<String> {
        words.iter().filter(|word| !is_fact(word)).map(|word| word.form.clone()).collect()
    };
    let (was, is) = (facts(old), facts(new));
    let sorted = |mut facts: Vec<String>| {
        facts.sort_unstable();
        facts
    };
    was != is && !rest(old).is_empty() && rest(old) == rest(new) && sorted(was) == sorted(is)
}

/// Whether the new words of a heading take back what stands under it: `Rejected requirements`.
pub(super) fn revokes(old: &[Word], new: &[Word]) -> bool {
    let revoked = |words: &[Word]| words.iter().any(|word| has(REVOKED, &word.form));
    !revoked(old) && revoked(new)
}

/// Whether a sentence takes back others: `These no longer apply`, `Ignore the requirements above`, `FR-2 is withdrawn`.
pub(super) fn takes_back(words: &[Word]) -> bool {
    let form = |at: usize| words.get(at).map_or("", |word| word.form.as_str());
    let pairs = |first: &str, second: &[&str]| {
        (0..words.len()).any(|at| form(at) == first && second.contains(&form(at + 1)))
    };
    let any = |list: &str| words.iter().any(|word| has(list, &word.form));
    pairs("no", &["longer"]) && any("apply applies hold holds valid needed required")
        || (pairs("not", &["apply"]) || pairs("n't", &["apply"]) || any("withdrawn superseded void"))
            && (any(ITSELF) || words.len() <= 5)
        || has(IGNORES, form(0)) && any(ITSELF)
}

/// Something that nothing said no to has a negation now.
fn is_flipped(old: &[Word], new: &[Word]) -> bool {
    let places = |words: &[Word], wanted: &str| -> Vec<usize> {
        let is = |word: &Word| word.kind == WordKind::Plain && stem(&word.form) == wanted;
        words.iter().enumerate().filter(|(_, word)| is(word)).map(|(at, _)| at).collect()
    };
    let about = |word: &&Word| word.kind == WordKind::Plain && !is_negation(word);
    // What says little is negated in one place and not in another. What is said of it counts.
    let strong = |word: &&Word| {
        !is_little(&word.form) || has("must shall should may can every each all any", &word.form)
    };
    old.iter().filter(about).filter(strong).any(|word| {
        let wanted = stem(&word.form);
        let (was, now) = (places(old, &wanted), places(new, &wanted));
        !now.is_empty()
            && was.iter().all(|at| !is_negated(old, *at, FAR))
            && now.iter().all(|at| is_negated(new, *at, NEAR))
    })
}

/// The sides that each word is on, by its stem: the group, and the side in it.
static BY_STEM: LazyLock<HashMap<String, Vec<(usize, usize)>>> = LazyLock::new(|| {
    let mut found: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    for (group, sides) in SIDES.iter().enumerate() {
        for (side, words) in sides.iter().enumerate() {
            for word in words.split_whitespace() {
                found.entry(stem(word)).or_default().push((group, side));
            }
        }
    }
    found
});

/// A word is gone, and one of another side stands there.
pub(super) fn is_swapped(old: &[Word], new: &[Word]) -> bool {
    let sides = |words: &[Word]| -> BTreeSet<(usize, usize)> {
        words.iter().filter_map(|word| BY_STEM.get(&stem(&word.form))).flatten().copied().collect()
    };
    let (was, is) = (sides(old), sides(new));
    let come: BTreeSet<usize> = is.difference(&was).map(|(group, _)| *group).collect();
    was.difference(&is).any(|(group, _)| come.contains(group))
}

/// Words that take something out of what is said, beside the negations. Two of them undo each other: what is `not refunded
/// unless` is `refunded only if`.
const EXCEPTIONS: &str = "unless except excepting exclude excludes excluded excluding non zero hardly außer ausser sauf salvo excepto";

/// Behind `not` these say more and not less: `not only bread`.
const NO_DENIAL: &str = "only just merely";

/// Words for everything there is. A `but` behind one of these takes something out of it.
const ALL: &str = "every each all any everything anything everyone anyone everybody anybody";

/// Of so many words that two sentences share, the sentences may differ in a few others.
const SHARED_WORDS: usize = 3;

/// So many other words make no new clause.
const FEW_WORDS: usize = 1;

/// Whether a sentence of a page says the opposite of the one in whose place it stands. Pages are written more freely than
/// requirements are, so that only sentences which share nearly all they are about are compared, and whatever turns a
/// sentence around twice leaves it as it was.
pub(in crate::loss) fn contradicts(old: &[Word], new: &[Word]) -> bool {
    let (was, now) = (Said::of(old), Said::of(new));
    let shared = was.about.iter().filter(|stem| now.about.contains(stem)).count();
    let alike = shared >= SHARED_WORDS && shared * 4 >= was.about.len() * 3
        || shared > 0 && shared == was.about.len() && new.len() <= old.len() + FEW_WORDS;
    if !alike {
        return false;
    }
    let no_new_clause = now.about.len() <= shared + FEW_WORDS;
    let denied =
        was.denials % 2 != now.denials % 2 && (no_new_clause || is_flipped(old, new) || is_flipped(new, old));
    let gone = was.sides.difference(&now.sides);
    let swaps: BTreeSet<usize> = gone
        .filter(|(group, _)| now.sides.difference(&was.sides).any(|(come, _)| come == group))
        .map(|(group, _)| *group)
        // What comes before something else may be told behind it.
        .filter(|group| !is_of_time(*group) || was.earlier() == now.earlier())
        .collect();
    (usize::from(denied) + swaps.len()) % 2 == 1
}

/// What a sentence says, for a sentence in its place.
struct Said {
    /// The stems of what it is about, in order.
    about: Vec<String>,
    /// How many words of it say no.
    denials: usize,
    sides: BTreeSet<(usize, usize)>,
    /// How much of what it is about stands in front of the first word for a time.
    time: usize,
}

impl Said {
    fn of(words: &[Word]) -> Self {
        let mut said = Self { about: Vec::new(), denials: 0, sides: BTreeSet::new(), time: 0 };
        let mut has_time = false;
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1);
            // `Every day but Monday`.
            let before = words.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
            let excepts = word.form == "but" && before.iter().any(|word| has(ALL, &word.form));
            let denies = word.kind == WordKind::Plain
                && (excepts
                    || is_free_of(words, at)
                    || has(EXCEPTIONS, &word.form)
                    || is_negation(word) && word.form != "nor")
                || word.kind == WordKind::Figure && word.form == "0";
            // `Not only bread`, `No. 5`.
            let more = next.is_some_and(|next| has(NO_DENIAL, &next.form) || next.kind == WordKind::Figure);
            if denies {
                said.denials += usize::from(!more);
            } else if word.kind == WordKind::Plain {
                let stem = stem(&word.form);
                let sides = BY_STEM.get(&stem).into_iter().flatten();
                let is_sided = BY_STEM.contains_key(&stem);
                let sides: Vec<(usize, usize)> = sides.copied().filter(|side| !is_told_else(*side)).collect();
                if !is_sided && !is_little(&word.form) && !said.about.contains(&stem) {
                    said.about.push(stem);
                }
                if !has_time && sides.iter().any(|(group, _)| is_of_time(*group)) {
                    (said.time, has_time) = (said.about.len(), true);
                }
                said.sides.extend(sides);
            } else if !said.about.contains(&word.form) {
                said.about.push(word.form.clone());
            }
        }
        // `Must not` and `may not` forbid the same.
        if said.denials > 0 {
            said.sides.retain(|(group, _)| *group != MODAL);
        }
        said
    }

    /// What it is about in front of the word for a time.
    fn earlier(&self) -> &[String] {
        self.about.get(..self.time).unwrap_or_default()
    }
}

/// The group of `must` and `may`.
const MODAL: usize = 0;

/// Whether a group is of words for earlier and later.
fn is_of_time(group: usize) -> bool {
    SIDES.get(group).is_some_and(|sides| sides.iter().any(|side| has(side, "after") || has(side, "last")))
}

/// Sides that are told by the negations already, and those that make no difference on a page.
fn is_told_else((group, side): (usize, usize)) -> bool {
    let sides = SIDES.get(group).copied().unwrap_or_default();
    sides.get(side).is_some_and(|words| has(words, "never"))
        || sides.iter().any(|words| has(words, "include") || has(words, "and") || has(words, "on"))
}

fn is_unbound(old: &[Word], new: &[Word]) -> bool {
    let bound = |words: &[Word]| words.iter().any(|word| has(BOUNDS, &word.form));
    bound(old) && !bound(new)
}

#[cfg(test)]
mod tests {
    use super::super::passage::words_of;
    use super::contradicts;

    #[test]
    fn what_is_free_of_something_has_none_and_an_apostrophe_may_be_left_out() {
        let says_else = |old: &str, new: &str| contradicts(&words_of(old), &words_of(new));
        assert!(!says_else("Postage is free of charge.", "There is no charge for postage."));
        assert!(!says_else("Our bowls won't break in the post.", "Our bowls wont break in the post."));
        assert!(says_else("Our bowls wont break in the post.", "Our bowls break in the post."));
        assert!(says_else("Our bowls are free of lead and tin.", "Our bowls are full of lead and tin."));
    }
}
