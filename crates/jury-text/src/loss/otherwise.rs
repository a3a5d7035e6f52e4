//! Sentences of a page that are still there, nearly word for word, and read otherwise.
//!
//! Whoever puts a sentence in other words changes much of it. Where nearly all of it stands as it stood and one word is another
//! one, a clause is gone or has come, or two words have changed places, that is either a slip of the pen that was mended or
//! another statement. What mends is told by its shape: an ending, a letter, a short form, another spelling of a unit. The rest
//! is told, and its author decides.

use super::align::{Alignment, Fate, NEIGHBOURS, Unit, joined};
use super::document::opposite::is_limiting;
use super::document::passage::stem;
use super::words::{WordKind, plain, sentences, words};
use super::{BlockKind, Missing, Sight, TextBlock};
use crate::language;

/// A sentence that keeps less than this share of its words is put in other words.
const SAME_SENTENCE: f64 = 0.6;

/// Fewer words are a label, which tells no statement by itself.
const FEWEST_WORDS: usize = 3;

/// Longer sentences are no sentences.
const MOST_WORDS: usize = 300;

/// Languages whose small words are known here.
const KNOWN: [&str; 6] = ["en", "de", "fr", "es", "it", "pt"];

/// Spellings of one word: those of units, of short forms, and of what bends in itself.
const SAME: &[&[&str]] = &[
    &["km", "kilometre", "kilometres", "kilometer", "kilometers"],
    &["m", "metre", "metres", "meter", "meters"],
    &["cm", "centimetre", "centimetres", "centimeter", "centimeters"],
    &["mm", "millimetre", "millimetres", "millimeter", "millimeters"],
    &["kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes"],
    &["g", "gram", "grams", "gramme", "grammes", "gramm"],
    &["mg", "milligram", "milligrams", "milligramm"],
    &["l", "litre", "litres", "liter", "liters"],
    &["ml", "millilitre", "millilitres", "milliliter", "milliliters"],
    &["h", "hour", "hours", "hr", "hrs"],
    &["min", "mins", "minute", "minutes"],
    &["s", "sec", "second", "seconds"],
    &["ft", "foot", "feet"],
    &["mi", "mile", "miles"],
    &["lb", "lbs", "pound", "pounds"],
    &["oz", "ounce", "ounces"],
    &["is", "are"],
    &["was", "were"],
    &["has", "have"],
    &["does", "do"],
    &["we", "us"],
    &["i", "me"],
    &["he", "him"],
    &["they", "them"],
    &["not", "never", "no", "zero", "0", "without"],
    &["and", "&", "plus"],
    &["okay", "ok"],
    &["mail", "email", "e-mail", "mails", "emails", "e-mails"],
    &["per", "each", "every"],
];

/// Words that only hold others together.
const ARTICLES: &str = "a an the der die das den dem des ein eine einen einem einer le la les un une el los las il lo gli i o os as um uma";

/// Small words that a sentence may have more or fewer of without saying anything else.
const IDLE: &str = "it its is are be being been am was were do does did has have had will would that which who there so then than just also too \
    both very really please our your my their his her own this these those by";

/// Words with which a label binds whoever uses it to something more.
const BINDING: &str = "with without for if and including unless against from at mit ohne für wenn und gegen avec sans pour si et contre con \
    sin para con y contra com sem e";

/// Words behind which an addition stands for itself.
const JOINING: &str = "and und et y e ed och en og";

/// A word as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    form: String,
    /// As it stands in the sentence.
    raw: String,
    figure: bool,
    /// What stands between it and the word before: a comma, a bracket, a colon.
    behind_mark: bool,
}

impl Piece {
    fn is_idle(&self) -> bool {
        IDLE.split_whitespace().any(|word| word == self.form)
    }
}

/// A sentence of the draft.
struct Sentence {
    block: usize,
    index: usize,
    sight: Sight,
    text: String,
    pieces: Vec<Piece>,
}

/// What differs between two sentences in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    was: Vec<Piece>,
    is: Vec<Piece>,
    /// Whether it is at the beginning, and at the end.
    first: bool,
    last: bool,
}

/// A passage, the sentence in its place, and how the two differ.
struct Difference<'a> {
    unit: &'a Unit,
    now: &'a Sentence,
    hunks: Vec<Hunk>,
}

/// The sentences that read otherwise, each with what stands there now.
pub(super) fn otherwise(
    given: &[TextBlock],
    draft: &[TextBlock],
    language: Option<&str>,
    alignment: &Alignment,
) -> Vec<Missing> {
    let known = language.is_none_or(|tag| KNOWN.contains(&language::primary(tag).as_str()));
    let there: Vec<Sentence> =
        draft.iter().enumerate().flat_map(|(at, block)| sentences_of(at, block, language)).collect();
    let page: Vec<String> = given
        .iter()
        .flat_map(|block| pieces(&joined(block), language))
        .map(|piece| stem(&piece.form))
        .collect();
    let mut indices: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let mut differences: Vec<Difference<'_>> = Vec::new();
    for (unit, fate) in alignment.units.iter().zip(&alignment.fates) {
        let index = *indices.entry(unit.block).and_modify(|index| *index += 1).or_insert(0);
        let Fate::Kept { block, .. } = *fate else { continue };
        if unit.sight != Sight::Shown || unit.kind == BlockKind::Heading {
            continue;
        }
        let own = pieces(&unit.text, language);
        let near = || {
            there
                .iter()
                .filter(|other| other.block.abs_diff(block) <= NEIGHBOURS && other.sight >= unit.sight)
        };
        // Where it stands word for word, wherever that is, it is kept.
        let seen = there.iter().filter(|other| other.sight >= unit.sight);
        if own.len() < 2
            || own.len() > MOST_WORDS
            || seen.into_iter().any(|other| is_same(&own, &other.pieces))
        {
            continue;
        }
        let rank = |other: &&Sentence| {
            let away = other.block.abs_diff(block) * 8 + other.index.abs_diff(index);
            (shared(&own, &other.pieces), usize::MAX - away)
        };
        let Some(now) = near().max_by_key(rank) else { continue };
        if now.pieces.len() > MOST_WORDS {
            continue;
        }
        differences.push(Difference { unit, now, hunks: hunks(&own, &now.pieces) });
    }
    let around = |difference: &Difference<'_>| -> Vec<Piece> {
        let block = difference.now.block;
        let near =
            there.iter().filter(|other| other.block.abs_diff(block) <= 1 && other.sight == Sight::Shown);
        near.flat_map(|other| other.pieces.iter().cloned()).collect()
    };
    let mut found = Vec::new();
    for difference in &differences {
        let own = pieces(&difference.unit.text, language);
        let reads_otherwise = is_exchanged_with(difference, &differences)
            || is_other(&own, difference, &around(difference), &page, known);
        if reads_otherwise {
            found.push(Missing {
                text: format!("{} → {}", difference.unit.text, difference.now.text),
                about: format!("{} {}", difference.unit.text, difference.unit.about(given)),
            });
        }
    }
    found
}

fn sentences_of(at: usize, block: &TextBlock, language: Option<&str>) -> Vec<Sentence> {
    let whole = joined(block);
    let parts = whole.split('\n').flat_map(sentences).enumerate();
    parts
        .map(|(index, part)| Sentence {
            block: at,
            index,
            sight: block.sight,
            text: part.trim().to_owned(),
            pieces: pieces(part, language),
        })
        .collect()
}

/// The words of a text without articles, in the one spelling of each.
fn pieces(text: &str, language: Option<&str>) -> Vec<Piece> {
    let text = plain(text).replace('\n', " ");
    let text = written_out(&text);
    let mut found: Vec<Piece> = Vec::new();
    let mut end = 0;
    for word in words(&text, language).into_iter().filter(|word| !word.idle) {
        let gap = text.get(end..word.at).unwrap_or_default();
        end = word.at + word.raw.len();
        let behind_mark =
            gap.contains([',', ';', ':', '(', ')', '–', '—', '、', '，']) || gap.contains(" - ");
        // A sign of money that is no word belongs to what stands beside it.
        let signs = gap.chars().filter(|ch| matches!(ch, '\u{20a0}'..='\u{20cf}' | '¢' | '°')).map(|sign| {
            Piece { form: sign.to_string(), raw: sign.to_string(), figure: true, behind_mark: false }
        });
        found.extend(signs);
        if ARTICLES.split_whitespace().any(|article| article == word.form) {
            continue;
        }
        let figure = word.kind != WordKind::Plain;
        for form in word.form.split(' ').flat_map(parted) {
            let form = SAME
                .iter()
                .find(|same| same.contains(&form.as_str()))
                .map_or(form, |same| same.first().copied().unwrap_or_default().to_owned());
            found.push(Piece { form, raw: word.raw.clone(), figure, behind_mark });
        }
    }
    forbidden(&mut found);
    found
}

/// Times of the day in one spelling: `9:00 a.m.` is `9 am`.
fn written_out(text: &str) -> String {
    let mut text = text.replace("a.m.", "am").replace("p.m.", "pm").replace("o'clock", "");
    while let Some(at) = text.find(":00") {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + 3..).and_then(|behind| behind.chars().next());
        if !before.is_some_and(|ch| ch.is_ascii_digit())
            || behind.is_some_and(|ch| ch.is_ascii_digit() || ch == ':')
        {
            break;
        }
        text.replace_range(at..at + 3, "");
    }
    text
}

/// A short form as the words that it is short for.
fn parted(form: &str) -> Vec<String> {
    const BARE: [(&str, &str); 8] = [
        ("wont", "will"),
        ("cant", "can"),
        ("dont", "do"),
        ("isnt", "is"),
        ("arent", "are"),
        ("doesnt", "does"),
        ("didnt", "did"),
        ("cannot", "can"),
    ];
    if let Some((_, verb)) =
        BARE.iter().find(|(short, _)| *short == form || short.replace("nt", "n't") == form)
    {
        return vec![(*verb).to_owned(), "not".to_owned()];
    }
    if let Some(verb) = form.strip_suffix("n't") {
        return vec![verb.to_owned(), "not".to_owned()];
    }
    for (ending, verb) in [("'re", "are"), ("'ll", "will"), ("'ve", "have"), ("'m", "am")] {
        if let Some(subject) = form.strip_suffix(ending) {
            return vec![subject.to_owned(), verb.to_owned()];
        }
    }
    vec![form.to_owned()]
}

/// `Must not`, `may not` and `cannot` forbid the same.
fn forbidden(pieces: &mut [Piece]) {
    for at in 1..pieces.len() {
        let not = pieces.get(at).is_some_and(|piece| piece.form == "not");
        if let Some(verb) = pieces.get_mut(at - 1)
            && not
            && matches!(verb.form.as_str(), "must" | "may" | "can" | "shall")
        {
            "must".clone_into(&mut verb.form);
        }
    }
}

fn is_same(one: &[Piece], other: &[Piece]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_alike(one, other))
}

/// Whether two words are one, or one is the other bent or mended.
fn is_alike(one: &Piece, other: &Piece) -> bool {
    if one.form == other.form {
        return true;
    }
    if one.figure || other.figure {
        return false;
    }
    let (one, other) = (one.form.replace('-', ""), other.form.replace('-', ""));
    one == other || stem(&one) == stem(&other) || is_mended(&one, &other) || is_bent(&one, &other)
}

/// One letter more, less or another, in a word that begins as it did.
fn is_mended(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let longer = one.len().max(other.len());
    if one.first() != other.first() || longer < 5 || one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let rest = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    // Two letters in each other's place are one slip.
    let swapped = one.len() == other.len()
        && same + 2 + rest >= longer
        && one.get(same) == other.get(same + 1)
        && one.get(same + 1) == other.get(same);
    same + rest + 1 >= longer || swapped
}

/// Another ending of the same word.
fn is_bent(one: &str, other: &str) -> bool {
    const TURNS: [&str; 2] = ["less", "free"];
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let (one, other): (String, String) =
        (one.chars().skip(same).collect(), other.chars().skip(same).collect());
    let longest = one.chars().count().max(other.chars().count());
    same >= 4
        && longest <= 4
        && same > longest
        && !TURNS.contains(&one.as_str())
        && !TURNS.contains(&other.as_str())
}

fn shared(one: &[Piece], other: &[Piece]) -> usize {
    one.iter().filter(|piece| other.iter().any(|other| is_alike(piece, other))).count()
}

/// Where two sentences differ, by their longest common row of words.
fn hunks(was: &[Piece], is: &[Piece]) -> Vec<Hunk> {
    let width = is.len() + 1;
    let mut table = vec![0_usize; (was.len() + 1) * width];
    for (row, one) in was.iter().enumerate().rev() {
        for (column, other) in is.iter().enumerate().rev() {
            let at = row * width + column;
            let next = |index: usize| table.get(index).copied().unwrap_or_default();
            let value = if is_alike(one, other) {
                next(at + width + 1) + 1
            } else {
                next(at + width).max(next(at + 1))
            };
            if let Some(cell) = table.get_mut(at) {
                *cell = value;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut found: Vec<Hunk> = Vec::new();
    let mut open = false;
    while row < was.len() || column < is.len() {
        let at = row * width + column;
        let cell = |index: usize| table.get(index).copied().unwrap_or_default();
        if let (Some(one), Some(other)) = (was.get(row), is.get(column))
            && is_alike(one, other)
        {
            (row, column, open) = (row + 1, column + 1, false);
            continue;
        }
        if !open {
            found.push(Hunk { was: Vec::new(), is: Vec::new(), first: row == 0 && column == 0, last: false });
            open = true;
        }
        let Some(hunk) = found.last_mut() else { break };
        let drop = row < was.len() && (column >= is.len() || cell(at + width) >= cell(at + 1));
        if drop {
            hunk.was.extend(was.get(row).cloned());
            row += 1;
        } else {
            hunk.is.extend(is.get(column).cloned());
            column += 1;
        }
    }
    if open && let Some(hunk) = found.last_mut() {
        hunk.last = true;
    }
    found
}

/// Whether what is gone here stands in the place of what is gone from another passage, and the other way round.
fn is_exchanged_with(own: &Difference<'_>, all: &[Difference<'_>]) -> bool {
    let same = |one: &[Piece], other: &[Piece]| !one.is_empty() && is_same(one, other);
    own.hunks.iter().any(|hunk| {
        all.iter().any(|other| {
            let near = other.unit.block.abs_diff(own.unit.block) <= 1 && !std::ptr::eq(other, own);
            near && other
                .hunks
                .iter()
                .any(|theirs| same(&hunk.was, &theirs.is) && same(&hunk.is, &theirs.was))
        })
    })
}

#[expect(clippy::cast_precision_loss, reason = "words of a sentence are few")]
fn is_other(
    own: &[Piece],
    difference: &Difference<'_>,
    around: &[Piece],
    page: &[String],
    known: bool,
) -> bool {
    let (now, hunks) = (&difference.now.pieces, &difference.hunks);
    if difference.unit.kind == BlockKind::Running && own.len() < FEWEST_WORDS {
        return false;
    }
    // A sentence of which a part is gone, or that a part has come to, is the same as far as there is one of the two.
    let one_sided =
        hunks.iter().all(|hunk| hunk.is.is_empty()) || hunks.iter().all(|hunk| hunk.was.is_empty());
    let size = if one_sided { own.len().min(now.len()) } else { own.len() };
    let kept = shared(own, now);
    if kept < 2 || (kept as f64) < SAME_SENTENCE * size as f64 {
        return false;
    }
    let moved = |piece: &Piece, others: &[Piece]| others.iter().any(|other| is_alike(piece, other));
    let same_words = own.iter().all(|piece| moved(piece, now)) && now.iter().all(|piece| moved(piece, own));
    if same_words && own.len() == now.len() {
        return has_changed_places(own, now);
    }
    let (lost, new) = (surplus(own, now), surplus(now, own));
    hunks.iter().any(|hunk| {
        // What has only moved is neither gone nor has it come.
        let was: Vec<&Piece> = hunk.was.iter().filter(|piece| moved(piece, &lost)).collect();
        let is: Vec<&Piece> = hunk.is.iter().filter(|piece| moved(piece, &new)).collect();
        is_other_here(hunk, &was, &is, difference.unit.kind, around, page, known)
    })
}

/// The words of one sentence that another has fewer of.
fn surplus(of: &[Piece], than: &[Piece]) -> Vec<Piece> {
    let mut left: Vec<&Piece> = than.iter().collect();
    let mut found = Vec::new();
    for piece in of {
        match left.iter().position(|other| is_alike(piece, other)) {
            Some(at) => drop(left.swap_remove(at)),
            None => found.push(piece.clone()),
        }
    }
    found
}

fn is_other_here(
    hunk: &Hunk,
    was: &[&Piece],
    is: &[&Piece],
    kind: BlockKind,
    around: &[Piece],
    page: &[String],
    known: bool,
) -> bool {
    let counts = |pieces: &[&Piece]| pieces.iter().filter(|piece| !piece.is_idle()).count();
    let limits = |pieces: &[&Piece]| pieces.iter().any(|piece| is_limiting(&piece.form));
    let near = |piece: &&&Piece| around.iter().any(|other| is_alike(piece, other));
    let joins = |piece: Option<&&Piece>| {
        piece.is_some_and(|piece| JOINING.split_whitespace().any(|word| word == piece.form))
    };
    // What has moved to the sentence beside is not gone.
    let gone = was.iter().filter(|piece| !near(piece)).count();
    match (was.len(), is.len()) {
        (0, 0) => false,
        (0, added) => {
            let new = is.iter().any(|piece| !page.contains(&stem(&piece.form)));
            // `…, and you need no stamp` is a statement of its own.
            let own = hunk.last && is.first().is_some_and(|piece| piece.behind_mark) && joins(is.first());
            let only_more =
                is.iter().any(|piece| piece.form == "only") && is.iter().any(|piece| piece.form == "not");
            let led =
                is.first().is_some_and(|piece| BINDING.split_whitespace().any(|word| word == piece.form));
            // `Not only bread but also cake`.
            if own || only_more {
                return false;
            }
            !known
                || limits(is) && kind == BlockKind::Running
                || kind == BlockKind::Control && added >= 2 && new && led
                || kind == BlockKind::Running
                    && (counts(is) >= 2 && new || hunk.first && added == 1 && counts(is) > 0)
                || kind == BlockKind::Running
                    && new
                    && is.first().is_some_and(|piece| piece.behind_mark)
                    && hunk.last
        }
        (_, 0) => {
            kind == BlockKind::Running
                && gone > 0
                && (!known
                    || limits(was)
                    || gone >= 2 && counts(was) > 0
                    || (hunk.first || hunk.last) && counts(was) > 0)
        }
        // One word for another, in its place.
        (one, other) if one == other => {
            let moved = was.iter().all(|piece| near(&piece))
                && is.iter().all(|piece| page.contains(&stem(&piece.form)));
            let idle = counts(was) == 0 && counts(is) == 0 && !limits(was) && !limits(is);
            kind == BlockKind::Running && !idle && !(moved && one > 2)
        }
        (_, _) => !known && kind == BlockKind::Running,
    }
}

/// Whether the same words in another order say something else. A sentence may begin with what it ended with, and what `and`
/// joins may stand in any order; two words around others that stay have changed places.
fn has_changed_places(was: &[Piece], is: &[Piece]) -> bool {
    let before = was.iter().zip(is).take_while(|(one, other)| is_alike(one, other)).count();
    let behind =
        was.iter().rev().zip(is.iter().rev()).take_while(|(one, other)| is_alike(one, other)).count();
    let end = was.len().saturating_sub(behind).max(before);
    let (old, new) = (was.get(before..end).unwrap_or_default(), is.get(before..end).unwrap_or_default());
    let rotated = (1..old.len()).any(|at| {
        let (front, back) = old.split_at(at);
        let turned: Vec<Piece> = back.iter().chain(front).cloned().collect();
        let short = if front.len() <= back.len() { front } else { back };
        is_same(&turned, new) && !(short.len() == 1 && short.iter().any(|piece| is_limiting(&piece.form)))
    });
    let joined = old
        .iter()
        .any(|piece| JOINING.split_whitespace().any(|word| word == piece.form) || piece.form == "or");
    let plain = old.iter().all(|piece| !piece.is_idle() || piece.form == "and");
    let list = joined && plain && old.iter().filter(|piece| piece.form.chars().count() <= 3).count() <= 2;
    !(old.is_empty() || rotated || list)
}

#[cfg(test)]
mod tests {
    use super::super::{BlockKind, Sight, TextBlock, compare};

    fn page(text: &str, kind: BlockKind) -> Vec<TextBlock> {
        let filler = "The workshop in Tarbert has made bowls and cups by hand for a long time.";
        let block = |text: &str, kind| TextBlock {
            sight: Sight::Shown,
            texts: vec![(kind, text.to_owned())],
            about: String::new(),
        };
        vec![block(filler, BlockKind::Running), block(text, kind)]
    }

    fn reads_otherwise(was: &str, is: &str) -> bool {
        let loss = compare(&page(was, BlockKind::Running), &page(is, BlockKind::Running), Some("en"), &[]);
        !(loss.otherwise.is_empty()
            && loss.turned.is_empty()
            && loss.figures.is_empty()
            && loss.names.is_empty())
    }

    #[test]
    fn one_word_for_another_is_another_statement() {
        for (was, is) in [
            ("Turn the left valve before lunch.", "Turn the right valve before lunch."),
            ("Our soap is free of palm oil.", "Our soap is full of palm oil."),
            ("The lift is accessible from the yard.", "The lift is inaccessible from the yard."),
            ("A spoon weighs 40 grams in all.", "A spoon weighs 40 kilograms in all."),
            ("The oven is at 200 °C all day.", "The oven is at 200 °F all day."),
            ("Tickets cost 40 pounds at the door.", "Tickets cost 40 rand at the door."),
            ("You lend your boat to us.", "We lend your boat to you."),
            ("The train goes from Bern to Basel daily.", "The train goes from Basel to Bern daily."),
            ("Anna owes Ben for the paint.", "Ben owes Anna for the paint."),
            ("Members may leave the hall, provided they return.", "Members may leave the hall."),
            ("Jars are for jam only.", "Jars are for jam."),
            ("The hall opens at noon.", "On request the hall opens at noon."),
            ("We return your money if it breaks.", "We return your money if it breaks and you pay the post."),
            ("The pool is open.", "Formerly: the pool is open."),
        ] {
            assert!(reads_otherwise(was, is), "{was} / {is}");
        }
    }

    #[test]
    fn a_sentence_that_was_mended_or_put_in_other_words_is_none() {
        for (was, is) in [
            ("We has been baking since 1990.", "We have been baking since 1990."),
            ("Dont put it in the fire.", "Do not put it in the fire."),
            ("The lake is 5 km away from here.", "The lake is 5 kilometres away from here."),
            ("We open at 9 am on all days.", "We open at 9:00 a.m. on all days."),
            ("You can cancel at any time.", "Cancel whenever you like."),
            ("Near the fire guests must wear shoes.", "Guests must wear shoes near the fire."),
            ("The jars are cheap and good.", "The jars are good and cheap."),
            ("Bread is included in every price.", "Bread is included in every price, and you need no coin."),
            ("We recieve every parcel by hand.", "We receive every parcel by hand."),
            ("Guests under the age of ten need an adult.", "Guests younger than ten need an adult."),
            ("The letter is free and comes monthly.", "The letter is free, and it comes each month."),
            ("The best loaf from the market.", "The best loaf from the big market."),
            ("We bake all night. Then we sleep.", "We bake all night, and then we sleep."),
        ] {
            assert!(!reads_otherwise(was, is), "{was} / {is}");
        }
    }
}
