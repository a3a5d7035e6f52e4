//! Whether a sentence that is still there says the opposite.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use super::super::words::{Word, WordKind};
use super::passage::{is_little, stem};

const NEGATIONS: &str = "not no never none nobody nothing nor neither cannot without nicht kein keine keinen keiner nie niemals \
    ohne pas jamais sans aucun nunca sin";

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
];

/// Words that bound a statement: without them it says more.
const BOUNDS: &str = "only solely exclusively exactly alone";

fn has(list: &str, form: &str) -> bool {
    list.split_whitespace().any(|word| word == form)
}

fn is_negation(word: &Word) -> bool {
    word.kind == WordKind::Plain && (has(NEGATIONS, &word.form) || word.form.ends_with("n't"))
}

/// Whether a negation stands at most so many words before a word.
fn is_negated(words: &[Word], at: usize, reach: usize) -> bool {
    words.get(at.saturating_sub(reach)..at).unwrap_or_default().iter().any(is_negation)
}

/// Whether the new words say the opposite of the old ones, or less.
pub(super) fn is_turned(old: &[Word], new: &[Word]) -> bool {
    is_flipped(old, new) || is_flipped(new, old) || is_swapped(old, new) || is_unbound(old, new)
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
fn is_swapped(old: &[Word], new: &[Word]) -> bool {
    let sides = |words: &[Word]| -> BTreeSet<(usize, usize)> {
        words.iter().filter_map(|word| BY_STEM.get(&stem(&word.form))).flatten().copied().collect()
    };
    let (was, is) = (sides(old), sides(new));
    let come: BTreeSet<usize> = is.difference(&was).map(|(group, _)| *group).collect();
    was.difference(&is).any(|(group, _)| come.contains(group))
}

fn is_unbound(old: &[Word], new: &[Word]) -> bool {
    let bound = |words: &[Word]| words.iter().any(|word| has(BOUNDS, &word.form));
    bound(old) && !bound(new)
}
