//! What the document on the brand's voice forbids: words, and examples of how it does not sound.

use std::collections::BTreeSet;

use super::outline;
use super::prose;

/// The most of either that is looked for.
const MOST_PHRASES: usize = 60;

/// What the voice is not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BrandVoice {
    /// Words and phrases, each as its words in lower case.
    pub(crate) banned: Vec<Vec<String>>,
    /// Sentences, with what they are about.
    pub(crate) counter_examples: Vec<CounterExample>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CounterExample {
    pub(crate) text: String,
    pub(crate) stems: BTreeSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Everything in it is a word that is not to be used.
    Words,
    /// Quotations in it are, the rest is advice.
    Avoid,
    /// Sentences that are not to be written.
    Counter,
}

/// Reads the document on the voice.
pub(crate) fn read(text: &str) -> BrandVoice {
    let mut voice = BrandVoice::default();
    for line in outline::read(text).into_iter().filter(|line| !line.heading) {
        let of_label = line.label.as_deref().and_then(section);
        let of_heading = line.above.iter().rev().find_map(|heading| section(heading));
        let Some(found) = of_label.or(of_heading) else { continue };
        let whole = match &line.label {
            Some(label) if of_label.is_none() => format!("{label}: {}", line.text),
            _ => line.text.clone(),
        };
        let quoted = outline::quoted(&whole);
        match found {
            Section::Words if quoted.is_empty() => {
                let words = line.label.as_deref().filter(|_| of_label.is_none()).unwrap_or(&line.text);
                words.split([',', ';']).for_each(|phrase| voice.ban(before_advice(phrase)));
            }
            Section::Words | Section::Avoid => {
                for phrase in &quoted {
                    if prose::words(phrase).len() > 5 { voice.counter(phrase) } else { voice.ban(phrase) }
                }
            }
            Section::Counter if quoted.is_empty() => voice.counter(&whole),
            Section::Counter => quoted.iter().for_each(|text| voice.counter(text)),
        }
    }
    voice.banned.sort();
    voice.banned.dedup();
    voice.banned.truncate(MOST_PHRASES);
    voice
}

impl BrandVoice {
    fn ban(&mut self, phrase: &str) {
        let words: Vec<String> = prose::words(phrase).into_iter().map(|word| word.lower).collect();
        if (1..=5).contains(&words.len()) && self.banned.len() < MOST_PHRASES * 4 {
            self.banned.push(words);
        }
    }

    fn counter(&mut self, text: &str) {
        let stems: BTreeSet<String> = prose::topics(text).into_iter().collect();
        // Of a few words, any sentence has most.
        if stems.len() >= 3 && self.counter_examples.len() < MOST_PHRASES {
            self.counter_examples.push(CounterExample { text: text.to_owned(), stems });
        }
    }
}

/// "leverage → use", "leverage (say: use)": what stands before is the word.
fn before_advice(phrase: &str) -> &str {
    let ends = ["→", "->", " (", " – ", " — ", " - ", " instead"];
    let end = ends.iter().filter_map(|end| phrase.find(end)).min().unwrap_or(phrase.len());
    phrase.get(..end).unwrap_or_default()
}

/// Whether a line of a document is an example of what not to write. Only the document on the voice lists words as well.
pub(crate) fn is_warned_against(document: &str, line: &outline::Line) -> bool {
    let named = line.above.iter().map(String::as_str).chain(line.label.as_deref());
    let mut sections = named.filter_map(section);
    sections.any(|found| match found {
        Section::Counter => true,
        Section::Words | Section::Avoid => document == "brand-voice",
    })
}

fn section(heading: &str) -> Option<Section> {
    let is = |words: &[&str]| words.iter().any(|word| heading.contains(word));
    if is(&[
        "counter-example",
        "counterexample",
        "counter example",
        "bad example",
        "not this",
        "not like this",
        "how we don",
        "we do not sound",
        "don't sound",
        "what we are not",
    ]) {
        return Some(Section::Counter);
    }
    let words = is(&["word", "phrase", "term", "vocabulary", "language", "say", "use", "write"]);
    let never =
        is(&["avoid", "banned", "forbidden", "never", "don't", "don’t", "do not", "off-limits", "no-go"]);
    match (never, words) {
        (true, true) => Some(Section::Words),
        (true, false) if heading.contains("banned") => Some(Section::Words),
        (true, false) => Some(Section::Avoid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_voice_is_not_is_read() {
        let text = "# Voice\n\n## Words we avoid\n\n- leverage → use\n- hustle, crush it\n\n## Don't\n\n- Jargon of any kind\n- Never \"circle back\"\n\n## Counter-examples\n\n> Unlock your financial freedom with our revolutionary platform\n\nBanned words: synergy\n";
        let voice = read(text);
        let banned: Vec<String> = voice.banned.iter().map(|words| words.join(" ")).collect();
        assert_eq!(banned, ["circle back", "crush it", "hustle", "leverage", "synergy"]);
        assert_eq!(voice.counter_examples.len(), 1);
        assert!(voice.counter_examples[0].stems.contains("freedom"));
        assert_eq!(read("# Voice\n\nWarm and plain.\n"), BrandVoice::default());
    }
}
