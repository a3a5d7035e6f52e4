//! Words without their endings, by Porter's rules (1980): "positioning" and "positioned" are one word.

/// Words that say nothing about what a text is about.
const STOP: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot",
    "could", "did", "do", "does", "doing", "don", "down", "during", "each", "few", "for", "from", "further",
    "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in",
    "into", "is", "it", "its", "just", "me", "more", "most", "my", "no", "nor", "not", "now", "of", "off",
    "on", "once", "only", "or", "other", "our", "ours", "out", "over", "own", "same", "she", "should", "so",
    "some", "such", "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they",
    "this", "those", "through", "to", "too", "under", "until", "up", "very", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "whom", "why", "will", "with", "would", "you", "your", "yours",
];

/// The longest word that has an ending, in bytes.
const LONGEST_WORD_BYTES: usize = 64;

/// Whether a word, in lower case, says nothing about what a text is about.
pub fn is_stop_word(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

/// The words of a text in order: lower case, without stop words, without their endings. Figures stay.
pub fn stems(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .map(|word| word.trim_matches(['\'', '’']).to_lowercase())
        .map(|word| match word.find(['\'', '’']) {
            // Possessives and short forms: what stands before is the word.
            Some(at) => word.get(..at).unwrap_or_default().to_owned(),
            None => word,
        })
        .filter(|word| !word.is_empty() && !is_stop_word(word))
        .map(|word| stem(&word))
        .collect()
}

/// A word without its ending. Words with letters other than a to z stay as they are, in lower case.
pub fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    // What is longer than any word is none, and a kilobyte of "y" would be looked at as often as it has letters.
    if word.len() <= 2
        || word.len() > LONGEST_WORD_BYTES
        || !word.bytes().all(|byte| byte.is_ascii_lowercase())
    {
        return word;
    }
    let mut letters = Letters(word.into_bytes());
    letters.plurals();
    letters.past();
    letters.final_y();
    letters.double_suffixes();
    letters.single_suffixes();
    letters.last_suffixes();
    letters.final_e();
    String::from_utf8(letters.0).unwrap_or_default()
}

struct Letters(Vec<u8>);

impl Letters {
    fn is_consonant(&self, at: usize) -> bool {
        match self.0.get(at) {
            Some(b'a' | b'e' | b'i' | b'o' | b'u') => false,
            Some(b'y') => at == 0 || !self.is_consonant(at - 1),
            _ => true,
        }
    }

    /// How many times a vowel is followed by a consonant in the first letters.
    fn measure(&self, length: usize) -> usize {
        let mut changes = 0;
        let mut vowel = false;
        for at in 0..length {
            let consonant = self.is_consonant(at);
            changes += usize::from(vowel && consonant);
            vowel = !consonant;
        }
        changes
    }

    fn has_vowel(&self, length: usize) -> bool {
        (0..length).any(|at| !self.is_consonant(at))
    }

    fn ends_double(&self) -> bool {
        let [.., before, last] = self.0.as_slice() else { return false };
        before == last && self.is_consonant(self.0.len() - 1)
    }

    /// Consonant, vowel, consonant other than w, x and y, at the end of the first letters.
    fn ends_cvc(&self, length: usize) -> bool {
        length >= 3
            && self.is_consonant(length - 3)
            && !self.is_consonant(length - 2)
            && self.is_consonant(length - 1)
            && !matches!(self.0.get(length - 1), Some(b'w' | b'x' | b'y'))
    }

    /// The length before this ending, if it ends so.
    fn before(&self, ending: &str) -> Option<usize> {
        self.0.ends_with(ending.as_bytes()).then(|| self.0.len() - ending.len())
    }

    fn replace(&mut self, length: usize, ending: &str) {
        self.0.truncate(length);
        self.0.extend_from_slice(ending.as_bytes());
    }

    /// Puts the new ending for the first of these endings, if enough is left before it.
    fn swap(&mut self, endings: &[(&str, &str)], least: usize) {
        for (ending, new) in endings {
            if let Some(length) = self.before(ending) {
                if self.measure(length) > least {
                    self.replace(length, new);
                }
                return;
            }
        }
    }

    fn plurals(&mut self) {
        for (ending, new) in [("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")] {
            if let Some(length) = self.before(ending) {
                self.replace(length, new);
                return;
            }
        }
    }

    fn past(&mut self) {
        if let Some(length) = self.before("eed") {
            if self.measure(length) > 0 {
                self.replace(length, "ee");
            }
            return;
        }
        let Some(length) = ["ed", "ing"].iter().find_map(|ending| self.before(ending)) else { return };
        if !self.has_vowel(length) {
            return;
        }
        self.0.truncate(length);
        if ["at", "bl", "iz"].iter().any(|ending| self.before(ending).is_some()) {
            self.0.push(b'e');
        } else if self.ends_double() && !matches!(self.0.last(), Some(b'l' | b's' | b'z')) {
            self.0.pop();
        } else if self.measure(self.0.len()) == 1 && self.ends_cvc(self.0.len()) {
            self.0.push(b'e');
        }
    }

    fn final_y(&mut self) {
        if let Some(length) = self.before("y")
            && self.has_vowel(length)
        {
            self.replace(length, "i");
        }
    }

    fn double_suffixes(&mut self) {
        let endings = [
            ("ational", "ate"),
            ("tional", "tion"),
            ("enci", "ence"),
            ("anci", "ance"),
            ("izer", "ize"),
            ("abli", "able"),
            ("alli", "al"),
            ("entli", "ent"),
            ("eli", "e"),
            ("ousli", "ous"),
            ("ization", "ize"),
            ("ation", "ate"),
            ("ator", "ate"),
            ("alism", "al"),
            ("iveness", "ive"),
            ("fulness", "ful"),
            ("ousness", "ous"),
            ("aliti", "al"),
            ("iviti", "ive"),
            ("biliti", "ble"),
        ];
        self.swap(&endings, 0);
    }

    fn single_suffixes(&mut self) {
        let endings = [
            ("icate", "ic"),
            ("ative", ""),
            ("alize", "al"),
            ("iciti", "ic"),
            ("ical", "ic"),
            ("ful", ""),
            ("ness", ""),
        ];
        self.swap(&endings, 0);
    }

    fn last_suffixes(&mut self) {
        if let Some(length) = self.before("ion") {
            if self.measure(length) > 1 && matches!(self.0.get(length - 1), Some(b's' | b't')) {
                self.0.truncate(length);
            }
            return;
        }
        let endings = [
            "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism",
            "ate", "iti", "ous", "ive", "ize",
        ];
        self.swap(&endings.map(|ending| (ending, "")), 1);
    }

    fn final_e(&mut self) {
        if let Some(length) = self.before("e") {
            let measure = self.measure(length);
            if measure > 1 || (measure == 1 && !self.ends_cvc(length)) {
                self.0.truncate(length);
            }
        }
        if self.0.ends_with(b"ll") && self.measure(self.0.len()) > 1 {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn words_lose_their_endings_as_porter_has_it() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("cats", "cat"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("conditional", "condit"),
            ("vietnamization", "vietnam"),
            ("triplicate", "triplic"),
            ("hopefulness", "hope"),
            ("adjustment", "adjust"),
            ("adoption", "adopt"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("controlling", "control"),
            ("positioning", "posit"),
            ("positioned", "posit"),
            ("a", "a"),
            ("naïve", "naïve"),
            ("ion", "ion"),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn what_is_longer_than_any_word_stays_as_it_is() {
        let long = "y".repeat(1 << 20);
        assert_eq!(stem(&long), long);
    }

    #[test]
    fn a_text_is_its_words() {
        assert_eq!(
            stems("The team's invoices, reconciled in 3 days!"),
            ["team", "invoic", "reconcil", "3", "dai"]
        );
        assert_eq!(stems("’’ ' -- the of"), Vec::<String>::new());
    }
}
