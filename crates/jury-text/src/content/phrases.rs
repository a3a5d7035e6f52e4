//! Words and phrases that weaken copy, with what to write instead where there is something to put in their place as they
//! stand. English only.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::prose::Word;

/// What is wrong with a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhraseKind {
    /// Words that sellers say and buyers do not.
    Jargon,
    /// It sounds like evidence and names none.
    FakeSpecificity,
    /// It can go, and nothing is lost.
    Filler,
    /// It makes a strong word weaker.
    Intensifier,
    /// A stiff way from one sentence to the next.
    Transition,
    /// It leaves open who, how many, or whether.
    Weasel,
    /// It takes back what it says.
    Hedge,
    /// More words than it needs.
    Wordy,
    /// Everybody has read it too often.
    Cliche,
}

/// A phrase that is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrase {
    /// Its words in lower case, between spaces; a hyphen in the draft counts as a space.
    pub words: &'static str,
    /// What is wrong with it.
    pub kind: PhraseKind,
    /// What can stand in its place without another change; empty when it can be left out.
    pub instead: Option<&'static str>,
}

/// Each line: the phrase, and what to write instead. `=` with nothing behind it: leave it out.
const LISTS: &[(PhraseKind, &str)] = &[
    (
        PhraseKind::Jargon,
        "10x your|actionable insights|ai powered platform|all in one solution|best in class|best of breed|\
        bleeding edge|cutting edge|data driven insights|deep dive|democratize|digital transformation|disrupt|disruptive|\
        ecosystem of|elevate your|empower|empowering|empowers|end to end solution|frictionless|future proof|game changer|\
        game changing|holistic|hyper personalized|ideate|industry leading|innovative solution|innovative solutions|\
        leverage=use|leverages=uses|leveraging=using|market leading|mission critical|next gen|next generation|\
        next level|paradigm|paradigm shift|pain points=problems|revolutionary|revolutionise|revolutionize|\
        revolutionizing|robust solution|scalable solution|seamless|seamlessly|solutioning|state of the art|\
        supercharge|supercharges|synergies|synergy|thought leader|thought leadership|transformative|turnkey|\
        unleash|unlock the power|unlock your|utilise=use|utilised=used|utilises=uses|utilising=using|\
        utilize=use|utilized=used|utilizes=uses|utilizing=using|value add|world class",
    ),
    (
        PhraseKind::FakeSpecificity,
        "according to experts|ai driven results|countless hours|experts agree|experts say|hundreds of hours|\
        industry studies|it has been proven|it is proven|many customers say|most experts|proven results|\
        research has shown|research proves|research shows|research suggests|scientifically proven|\
        statistics show|studies have shown|studies prove|studies show|studies suggest|surveys show|\
        thousands of businesses|thousands of companies|thousands of happy|up to 10x",
    ),
    (
        PhraseKind::Filler,
        "as a matter of fact|at the end of the day|for all intents and purposes|in the world of|\
        in this day and age|in today's digital age|in today's digital world|in today's fast paced world|in today's world|\
        it goes without saying|it is important to note that=|it is worth noting that=|it's important to note that=|\
        it's no secret that=|it's worth noting that=|look no further|needless to say|the fact of the matter is|\
        the fact that|we are proud to|we're excited to|we are excited to|we've got you covered|what if we told you|\
        when all is said and done|without further ado",
    ),
    (
        PhraseKind::Intensifier,
        "absolutely=|amazingly=|awesome|basically=|completely=|definitely=|essentially=|extremely=|\
        highly|honestly=|hugely=|incredible|incredibly=|insanely=|literally=|massively=|really=|remarkably=|\
        super easy=easy|super fast=fast|super simple=simple|totally=|truly=|ultra|utterly=|very=",
    ),
    (
        PhraseKind::Transition,
        "additionally|all in all|by the same token|consequently|furthermore|hence|henceforth|in conclusion|in summary|\
        lastly|moreover|nevertheless|notwithstanding|that being said|that said|thus|to sum up|with that being said",
    ),
    (
        PhraseKind::Weasel,
        "a number of=several|a variety of|as much as possible|can help to=|can help you to|considerable|fairly|\
        many people|most people agree|numerous=many|quite|rather|relatively|some people say|somewhat|\
        surprisingly|various|virtually|a wide range of|a wide variety of",
    ),
    (
        PhraseKind::Hedge,
        "appears to be=is|arguably|could potentially=could|hopefully|i believe|i think|in our opinion|in some ways|\
        it seems that=|kind of|might possibly=might|perhaps|possibly|potentially|seemingly|seems to be=is|sort of|\
        we believe that=|we believe|we feel that=|we hope|we think that=|we think",
    ),
    (
        PhraseKind::Wordy,
        "a large number of=many|a majority of=most|accompany|accordingly=so|ascertain=find out|\
        at the present time=now|at this point in time=now|by means of=by|commence=begin|commences=begins|\
        despite the fact that=although|due to the fact that=because|during the course of=during|\
        endeavor=try|endeavour=try|expedite=speed up|facilitate=ease|facilitates=eases|for the purpose of=for|\
        has the ability to=can|have the ability to=can|in a timely manner=on time|in addition to=besides|\
        in close proximity to=near|in order to=to|in spite of the fact that=although|in the event that=if|\
        in the near future=soon|is able to=can|are able to=can|methodology=method|on a daily basis=daily|\
        on a monthly basis=monthly|on a regular basis=regularly|on a weekly basis=weekly|on account of=because of|\
        prior to=before|provide assistance to=help|subsequent to=after|subsequently=later|terminate=end|\
        the majority of=most|until such time as=until|whether or not=whether|with reference to=about|\
        with regard to=about|with respect to=about|with the exception of=except",
    ),
    (
        PhraseKind::Cliche,
        "a breath of fresh air|above and beyond|back to the drawing board|bang for your buck|\
        best kept secret|elephant in the room|gone are the days|hit the ground running|in a nutshell|in your pocket|\
        level up|low hanging fruit|magic bullet|move the needle|needle in a haystack|on steroids|one stop shop|\
        one size fits all|one stop solution|out of the box thinking|push the envelope|raise the bar|reinvent the wheel|\
        rest assured|say goodbye to|silver bullet|sky's the limit|sleep like a baby|take it to the next level|\
        take your business to|the best of both worlds|the holy grail|the possibilities are endless|\
        the tip of the iceberg|think outside the box|time is money|tried and true|we live and breathe|win win",
    ),
];

/// All phrases that are looked for.
pub fn phrases() -> &'static [Phrase] {
    static ALL: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
        let of = |(kind, list): &(PhraseKind, &'static str)| {
            let kind = *kind;
            list.split('|').map(move |entry| match entry.split_once('=') {
                Some((words, instead)) => Phrase { words, kind, instead: Some(instead) },
                None => Phrase { words: entry, kind, instead: None },
            })
        };
        LISTS.iter().flat_map(of).collect()
    });
    &ALL
}

/// Finds phrases in sentences, in one pass.
#[derive(Debug)]
pub(crate) struct Matcher {
    phrases: Vec<Vec<String>>,
    /// Phrases by their first word, the longest first.
    by_first: HashMap<String, Vec<usize>>,
}

/// Where a phrase stands: which, and its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) phrase: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Matcher {
    pub(crate) fn new<'p>(phrases: impl IntoIterator<Item = &'p str>) -> Self {
        Self::of(phrases.into_iter().map(|phrase| phrase.split(' ').map(str::to_owned).collect()).collect())
    }

    pub(crate) fn of(phrases: Vec<Vec<String>>) -> Self {
        let mut by_first: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, phrase) in phrases.iter().enumerate() {
            if let Some(first) = phrase.first() {
                by_first.entry(first.clone()).or_default().push(index);
            }
        }
        for indices in by_first.values_mut() {
            indices.sort_by_key(|index| std::cmp::Reverse(phrases.get(*index).map_or(0, Vec::len)));
        }
        Self { phrases, by_first }
    }

    /// The phrases in a sentence that do not overlap, from left to right, the longest that fits.
    pub(crate) fn find(&self, words: &[Word]) -> Vec<Match> {
        let mut found = Vec::new();
        let mut start = 0;
        while let Some(word) = words.get(start) {
            let candidates = self.by_first.get(&word.lower).map(Vec::as_slice).unwrap_or_default();
            let fits = candidates.iter().find_map(|index| {
                let phrase = self.phrases.get(*index)?;
                let here = words.get(start..start + phrase.len())?;
                here.iter()
                    .zip(phrase)
                    .all(|(word, wanted)| word.lower == *wanted)
                    .then_some((*index, phrase.len()))
            });
            if let Some((phrase, length)) = fits {
                found.push(Match { phrase, start, end: start + length });
                start += length;
            } else {
                start += 1;
            }
        }
        found
    }

    /// Whether any of the phrases is there.
    pub(crate) fn any(&self, words: &[Word]) -> bool {
        !self.find(words).is_empty()
    }
}

/// The matcher of [`phrases()`], with the same indices.
pub(crate) fn matcher() -> &'static Matcher {
    static MATCHER: LazyLock<Matcher> =
        LazyLock::new(|| Matcher::new(phrases().iter().map(|phrase| phrase.words)));
    &MATCHER
}

#[cfg(test)]
mod tests {
    use super::super::prose;
    use super::*;

    #[test]
    fn every_phrase_is_found_and_none_is_listed_twice() {
        let mut seen = std::collections::BTreeSet::new();
        for (index, phrase) in phrases().iter().enumerate() {
            assert!(seen.insert(phrase.words), "{} is there twice", phrase.words);
            let words = prose::words(phrase.words);
            let found = matcher().find(&words);
            assert!(found.iter().any(|found| found.phrase == index), "{} is not found", phrase.words);
        }
    }

    #[test]
    fn the_longest_phrase_wins() {
        let words = prose::words("A paradigm shift in best-in-class tools");
        let found: Vec<&str> =
            matcher().find(&words).iter().map(|found| phrases()[found.phrase].words).collect();
        assert_eq!(found, ["paradigm shift", "best in class"]);
    }
}
