//! Names in a text: words with a capital letter that are no beginning of a sentence, no little word and no role.

use super::prose::Word;

/// What people are called who have no name here: their roles.
const ROLES: &[&str] = &[
    "account",
    "accountant",
    "agency",
    "analyst",
    "architect",
    "author",
    "baker",
    "bookkeeper",
    "buyer",
    "ceo",
    "cfo",
    "chef",
    "chief",
    "client",
    "coach",
    "consultant",
    "coo",
    "creator",
    "cto",
    "customer",
    "designer",
    "developer",
    "director",
    "editor",
    "engineer",
    "executive",
    "founder",
    "freelance",
    "freelancer",
    "head",
    "lead",
    "manager",
    "marketer",
    "mechanic",
    "member",
    "officer",
    "operations",
    "operator",
    "owner",
    "partner",
    "photographer",
    "president",
    "printer",
    "producer",
    "product",
    "reader",
    "sales",
    "shop",
    "studio",
    "subscriber",
    "teacher",
    "team",
    "translator",
    "user",
    "vp",
    "writer",
];

/// Words with a capital letter that name nobody.
const NOBODY: &[&str] = &[
    "april",
    "august",
    "christmas",
    "december",
    "done",
    "easter",
    "english",
    "february",
    "friday",
    "here",
    "january",
    "july",
    "june",
    "march",
    "may",
    "monday",
    "never",
    "no",
    "november",
    "now",
    "october",
    "ok",
    "okay",
    "ready",
    "saturday",
    "september",
    "sunday",
    "sure",
    "thursday",
    "tuesday",
    "wednesday",
    "yes",
];

/// Little words that stand inside a name.
const PARTICLES: &[&str] = &[
    "al", "and", "at", "bin", "da", "de", "del", "der", "di", "dos", "du", "el", "for", "from", "in", "la",
    "le", "of", "the", "van", "von",
];

/// A word with how it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'w> {
    pub(super) word: &'w Word,
    /// It begins with a capital letter.
    pub(super) capital: bool,
}

impl Token<'_> {
    /// It names somebody or something.
    pub(super) fn is_name(&self) -> bool {
        let lower = self.word.lower.as_str();
        let plain = lower.strip_suffix("'s").unwrap_or(lower);
        self.capital
            && !ROLES.contains(&plain)
            && !NOBODY.contains(&plain)
            // A single letter is an initial, which stands beside a name.
            && (plain.chars().count() == 1 && plain != "i" && plain != "a" || !self.word.stop)
    }

    /// It may stand inside a name.
    pub(super) fn is_particle(&self) -> bool {
        PARTICLES.contains(&self.word.lower.as_str())
    }
}

/// Whether a word in small letters is what people are called by what they do.
pub(super) fn is_role(word: &str) -> bool {
    ROLES.contains(&word)
}

/// Whether most words have a capital letter, as in some headings: then it says nothing about a word.
pub(super) fn is_title_case(text: &str, words: &[Word]) -> bool {
    let capitals = tokens(text, words).iter().filter(|token| token.capital).count();
    words.len() >= 3 && capitals * 3 > words.len() * 2
}

/// The words with how they are written in this text.
pub(super) fn tokens<'w>(text: &str, words: &'w [Word]) -> Vec<Token<'w>> {
    let capital = |word: &Word| {
        text.get(word.range.clone()).and_then(|text| text.chars().next()).is_some_and(char::is_uppercase)
    };
    words.iter().map(|word| Token { word, capital: capital(word) }).collect()
}
