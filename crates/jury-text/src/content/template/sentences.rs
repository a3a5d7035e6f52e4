//! Sentences: where they end, how long they are, and which of a document's are meant for its readers alone.

/// Ends of abbreviations that end no sentence.
const ABBREVIATIONS: [&str; 8] = ["e.g.", "i.e.", "etc.", "vs.", "Mr.", "Ms.", "Mrs.", "Dr."];

/// Words that only somebody who plans a product uses about it.
const INTERNAL: [&str; 11] = [
    "todo",
    "tbd",
    "tbc",
    "fixme",
    "assumption",
    "positioning",
    "persona",
    "icp",
    "messaging",
    "stakeholder",
    "roadmap",
];

/// The sentences of a text, in order.
pub(in crate::content) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut indices = text.char_indices().peekable();
    while let Some((index, c)) = indices.next() {
        if !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let mut end = index + c.len_utf8();
        while let Some((at, mark)) =
            indices.next_if(|(_, mark)| matches!(mark, '.' | '!' | '?' | '"' | '”' | '’' | ')'))
        {
            end = at + mark.len_utf8();
        }
        if !indices.peek().is_none_or(|(_, next)| next.is_whitespace()) {
            continue;
        }
        let behind = text.get(end..).unwrap_or_default().trim_start();
        let sentence = text.get(start..end).unwrap_or_default();
        let goes_on = behind.starts_with(char::is_lowercase)
            || ABBREVIATIONS.iter().any(|short| sentence.ends_with(short));
        if !goes_on {
            found.push(sentence.trim());
            start = end;
        }
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// The number of words in a text.
pub(in crate::content) fn count(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A text without marks of emphasis, code and links.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        out.push_str(before);
        let link = behind.find(['[', ']']).and_then(|end| {
            let (label, behind) = behind.split_at_checked(end)?;
            let (_, behind) = behind.strip_prefix("](")?.split_once(')')?;
            Some((label, behind))
        });
        if let Some((label, behind)) = link {
            out.push_str(label);
            rest = behind;
        } else {
            out.push('[');
            rest = behind;
        }
    }
    out.push_str(rest);
    out.retain(|c| !matches!(c, '*' | '`'));
    out.trim().to_owned()
}

/// What of a paragraph can stand before a reader: its sentences without those that only plan.
pub(super) fn public(paragraph: &str) -> String {
    let paragraph = plain(paragraph);
    let is_public = |sentence: &&str| {
        let is_note = sentence.split_once(": ").is_some_and(|(label, _)| count(label) <= 2);
        let word = |word: &str| INTERNAL.contains(&word.to_lowercase().as_str());
        !is_note && !sentence.split(|c: char| !c.is_alphanumeric()).any(word)
    };
    sentences(&paragraph).into_iter().filter(is_public).collect::<Vec<_>>().join(" ")
}

/// Whether a text has these words one after the other, whatever their case.
pub(in crate::content) fn contains(text: &str, words: &str) -> bool {
    use crate::content::read::section::spaced;
    let words = spaced(words);
    !words.is_empty() && format!(" {} ", spaced(text)).contains(&format!(" {words} "))
}

/// The same with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The longest beginning of a text that has at most so many characters and ends well: with a sentence, else before a mark,
/// else with a word that something can end with. None when there is no such beginning of half that length.
pub(in crate::content) fn clipped(text: &str, most: usize) -> Option<String> {
    let text = text.trim();
    if text.chars().count() <= most {
        return Some(text.to_owned());
    }
    let room: String = text.chars().take(most + 1).collect();
    let least = most / 2;
    let fits = |end: &str| (least..=most).contains(&end.chars().count());
    let mut whole = String::new();
    for sentence in sentences(text) {
        let longer = if whole.is_empty() { sentence.to_owned() } else { format!("{whole} {sentence}") };
        if longer.chars().count() > most {
            break;
        }
        whole = longer;
    }
    if fits(&whole) {
        return Some(whole);
    }
    for mark in [" | ", ": ", "; ", ", ", " – ", " — ", " - "] {
        if let Some((before, _)) = room.rsplit_once(mark)
            && fits(before.trim_end())
        {
            return Some(before.trim_end().to_owned());
        }
    }
    // Before a word that begins something that can be missed: "… at four | and brought to your door".
    let mut words: Vec<&str> = room.split(' ').collect();
    let begins = |word: &&str| BEGINNING.contains(&word.to_lowercase().as_str());
    if let Some(end) = words.iter().rposition(begins) {
        let cut = words.get(..end).unwrap_or_default().join(" ").trim_end_matches([',', ';', ':']).to_owned();
        if fits(&cut) {
            return Some(cut);
        }
    }
    words.pop();
    let dangling = |word: &&str| {
        let word = word.trim_end_matches([',', ';', ':']).to_lowercase();
        DANGLING.contains(&word.as_str()) || word.is_empty() || !word.contains(char::is_alphanumeric)
    };
    while words.last().is_some_and(dangling) {
        words.pop();
    }
    let cut = words.join(" ").trim_end_matches([',', ';', ':', ' ']).to_owned();
    fits(&cut).then_some(cut)
}

/// Words that begin what a sentence can do without.
const BEGINNING: [&str; 14] =
    ["and", "at", "because", "but", "by", "for", "from", "in", "into", "or", "so", "when", "which", "with"];

/// Words that something must follow.
const DANGLING: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "but", "by", "can", "every", "for", "from", "has", "have", "if",
    "in", "into", "is", "its", "no", "not", "of", "on", "or", "our", "so", "than", "that", "the", "their",
    "they", "this", "to", "was", "we", "when", "which", "with", "without", "your",
];
