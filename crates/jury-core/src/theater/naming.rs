//! Which texts of a page a panelist means by the name that it gives them.

use crate::evidence::TextMeasure;

/// The texts that go by a name.
#[derive(Debug, Default)]
pub(super) struct Named<'a> {
    /// Those that are meant.
    pub(super) shown: Vec<&'a TextMeasure>,
    /// Those that might be meant: what is true of one of them is not called false.
    pub(super) alike: Vec<&'a TextMeasure>,
    /// Whether nothing else can be meant.
    pub(super) certain: bool,
    /// The name goes for any text.
    pub(super) any: bool,
}

/// The texts that these words name; all of them, and none for certain, when there are no words.
pub(super) fn named<'a>(texts: &'a [TextMeasure], words: &[String]) -> Named<'a> {
    if words.is_empty() {
        return Named {
            shown: texts.iter().collect(),
            alike: texts.iter().collect(),
            certain: false,
            any: true,
        };
    }
    let mut found = Named { certain: true, ..Named::default() };
    for word in words {
        let Named { shown, alike, certain, any } = by_word(texts, word);
        found.certain &= certain && !shown.is_empty();
        found.any |= any;
        found.shown.extend(shown);
        found.alike.extend(alike);
    }
    found
}

fn by_word<'a>(texts: &'a [TextMeasure], word: &str) -> Named<'a> {
    let which = |wanted: &dyn Fn(&TextMeasure) -> bool| -> Vec<&'a TextMeasure> {
        texts.iter().filter(|text| wanted(text)).collect()
    };
    let button = |text: &TextMeasure| text.tag == "button" || has_name(text, &["btn", "button", "cta"]);
    let (shown, alike, certain) = match word {
        "cta" | "ctas" | "action" => {
            (which(&|text| text.is_action), which(&|text| text.is_action || button(text)), true)
        }
        "button" | "buttons" | "knopf" | "schaltfläche" => {
            (which(&button), which(&|text| text.is_action || button(text)), true)
        }
        "body" | "paragraph" | "paragraphs" | "fließtext" | "absatz" | "absätze" => {
            (which(&|text| text.tag == "p"), which(&|text| !is_heading(text)), true)
        }
        "label" | "labels" | "beschriftung" => {
            let labels = which(&|text| text.tag == "label");
            (labels.clone(), labels, true)
        }
        // What is in them is often the text of another element.
        "footer" | "nav" | "header" | "li" => (which(&|text| text.tag == word), which(&|_| true), false),
        "navigation" | "fußzeile" => (Vec::new(), which(&|_| true), false),
        "link" | "links" => (which(&|text| text.tag == "a"), which(&|_| true), false),
        "heading" | "headings" | "headline" | "headlines" | "überschrift" | "überschriften" => {
            (which(&is_heading), which(&is_heading), false)
        }
        "text" | "texts" | "texte" | "copy" | "words" => {
            return Named { shown: which(&|_| true), alike: which(&|_| true), certain: true, any: true };
        }
        _ if word.contains(['.', '#']) => {
            let by_selector = which(&|text| selects(word, &text.selector));
            (by_selector.clone(), by_selector, true)
        }
        _ => {
            let by_tag = which(&|text| text.tag == word);
            (by_tag.clone(), by_tag, true)
        }
    };
    Named { shown, alike, certain, any: false }
}

fn is_heading(text: &TextMeasure) -> bool {
    matches!(text.tag.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

fn has_name(text: &TextMeasure, names: &[&str]) -> bool {
    let (_, rest) = text.selector.split_once(['.', '#']).unwrap_or_default();
    let rest = rest.to_lowercase();
    names.iter().any(|name| rest.contains(name))
}

/// Whether the name of an element has every part of this one: `p.lead` those of `p.lead.big`.
fn selects(word: &str, selector: &str) -> bool {
    let selector = selector.to_lowercase();
    let parts = |text: &str| -> Vec<String> {
        let marked = text.replace('.', "\n.").replace('#', "\n#");
        marked.split('\n').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let has = parts(&selector);
    parts(word).iter().all(|part| has.contains(part))
}
