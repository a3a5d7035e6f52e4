//! Whether a text is a DESIGN.md at all. A page, a picture or a letter that is taken for a brand makes a brand of nothing,
//! and every page follows that.

use jury_core::fence::{CodeLine, Fences};

use super::front_matter;
use crate::css_colour;
use crate::markdown::line;

/// What a text is that is no DESIGN.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoDesign {
    /// There is nothing in it.
    Empty,
    /// It is a binary file, such as a picture.
    Binary,
    /// It is a page, a picture in SVG, or other markup.
    Markup,
    /// It is a JSON document.
    Json,
    /// It is a style sheet or another program.
    Code,
    /// It is text that says nothing about a brand.
    Undeclared,
}

impl NoDesign {
    /// What it is, as the end of a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Empty => "it is empty",
            Self::Binary => "it is a binary file",
            Self::Markup => "it is HTML or other markup",
            Self::Json => "it is JSON",
            Self::Code => "it is code",
            Self::Undeclared => "it declares nothing of a brand",
        }
    }
}

/// Words of headings under which a DESIGN.md declares, by what they are about. They may begin a longer word.
const TOPICS: [&[&str]; 9] = [
    &["color", "colour", "palette"],
    &["typograph", "typeface", "font"],
    &["spacing", "whitespace"],
    &["radius", "radii", "elevation", "shadow"],
    &["motion", "animation"],
    &["voice", "tone"],
    &["brand", "logo", "imagery", "iconograph", "identity"],
    &["visual", "aesthetic", "atmosphere"],
    &["anti-pattern", "do's", "dos", "don't"],
];

/// Words of headings that a DESIGN.md has and other documents have as well.
const COMMON_TOPICS: [&str; 9] =
    ["layout", "component", "grid", "theme", "type", "depth", "shape", "design", "style"];

/// Words that stand in a text about a brand, with or without headings, in the languages that are most written.
const BRAND_WORDS: [&str; 20] = [
    "color",
    "colour",
    "palette",
    "typograph",
    "font",
    "brand",
    "logo",
    "farbe",
    "schrift",
    "marke",
    "couleur",
    "police",
    "marque",
    "fuente",
    "tipograf",
    "marca",
    "colore",
    "carattere",
    "色",
    "字体",
];

/// The least colours of a text without such headings that is about a brand.
const LEAST_COLOURS: usize = 2;

/// A text that declares colours has one in so many lines at least; one that only mentions some has fewer.
const LINES_TO_A_COLOUR: usize = 12;

/// Of so many sections one at least is about the brand.
const SECTIONS_TO_A_TOPIC: usize = 4;

/// What the text is, if it is no DESIGN.md. One has tokens in its front matter, sections about colours, type and the like, or at
/// least says which colours or which type the brand has.
pub fn no_design(text: &str) -> Option<NoDesign> {
    let body = text.trim_matches(|ch: char| ch.is_whitespace() || ch == '\u{feff}');
    if body.is_empty() {
        return Some(NoDesign::Empty);
    }
    let unreadable = body.chars().filter(|ch| matches!(ch, '\u{fffd}' | '\0')).count();
    if body.contains('\0') || unreadable * 20 > body.chars().count() {
        return Some(NoDesign::Binary);
    }
    if !front_matter::read(text).is_empty() {
        return None;
    }
    let headings = headings(body);
    if is_markup(body, &headings) {
        return Some(NoDesign::Markup);
    }
    if headings.is_empty()
        && serde_json::from_str::<serde_json::Value>(body).is_ok_and(|value| !value.is_number())
    {
        return Some(NoDesign::Json);
    }
    let about = |words: &[&str]| headings.iter().any(|heading| has_word(&heading.text, words));
    let topics = TOPICS.iter().filter(|words| about(words)).count();
    let common = COMMON_TOPICS.iter().filter(|word| about(&[word])).count();
    let colours = written_colours(body);
    let lines = body.lines().filter(|line| !line.trim().is_empty()).count();
    let declares = colours > 0 && colours * LINES_TO_A_COLOUR >= lines;
    let sections = is_about_brand(&headings);
    if sections && (topics >= 2 || (topics == 1 && (common >= 2 || declares))) {
        return None;
    }
    if is_code(body) {
        return Some(NoDesign::Code);
    }
    let lower = body.to_lowercase();
    let says = BRAND_WORDS.iter().any(|word| lower.contains(word));
    if says && declares && colours >= LEAST_COLOURS { None } else { Some(NoDesign::Undeclared) }
}

/// A heading, in lower case.
#[derive(Debug)]
struct Heading {
    level: usize,
    text: String,
}

/// Whether enough sections are about what a DESIGN.md declares. A manual with a chapter on colours is none.
fn is_about_brand(headings: &[Heading]) -> bool {
    let sections: Vec<&Heading> = headings.iter().filter(|heading| heading.level == 2).collect();
    let sections = if sections.len() < 2 { headings.iter().collect() } else { sections };
    let is_topic = |heading: &&&Heading| {
        TOPICS.iter().any(|words| has_word(&heading.text, words)) || has_word(&heading.text, &COMMON_TOPICS)
    };
    sections.iter().filter(is_topic).count() * SECTIONS_TO_A_TOPIC >= sections.len()
}

/// The headings: lines that begin with `#`, are underlined, or are bold and nothing else.
fn headings(body: &str) -> Vec<Heading> {
    let mut all = Vec::new();
    let mut fences = Fences::default();
    let mut before = "";
    for text in body.lines().map(str::trim) {
        if fences.line(text) == CodeLine::Outside {
            let underlined =
                || line::underline(text).filter(|_| !before.is_empty()).map(|level| (level, before));
            let found =
                line::heading(text).or_else(underlined).or_else(|| line::bold(text).map(|title| (3, title)));
            all.extend(found.map(|(level, title)| Heading { level, text: title.to_lowercase() }));
        }
        before = text;
    }
    all
}

/// Whether a word of the heading begins like one of these.
fn has_word(heading: &str, words: &[&str]) -> bool {
    let heading = heading.replace('’', "'");
    heading
        .split(|ch: char| !ch.is_alphanumeric() && !matches!(ch, '\'' | '-'))
        .any(|own| words.iter().any(|word| own.starts_with(word)))
}

/// Whether it is a page or a picture: it begins as one, or it begins with a tag and has no heading of a document.
fn is_markup(body: &str, headings: &[Heading]) -> bool {
    let mut rest = body;
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->").map_or("", |(_, after)| after).trim_start();
    }
    let start: String = rest.chars().take(9).collect::<String>().to_ascii_lowercase();
    let page =
        ["<!doctype", "<html", "<head", "<body", "<?xml", "<svg"].iter().any(|tag| start.starts_with(tag));
    page || body.to_ascii_lowercase().contains("</html>") || (start.starts_with('<') && headings.is_empty())
}

/// Whether most of its lines end as lines of a program do.
fn is_code(body: &str) -> bool {
    let lines: Vec<&str> = body.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let code = lines.iter().filter(|line| line.ends_with(['{', '}', ';'])).count();
    code * 2 > lines.len()
}

/// How many colours are written in it. `#123` may be the number of an issue.
fn written_colours(body: &str) -> usize {
    let mut found: Vec<&str> = css_colour::find_all(body)
        .into_iter()
        .filter_map(|(start, end, _)| body.get(start..end))
        .filter(|written| match written.strip_prefix('#') {
            Some(digits) => digits.len() >= 6 || digits.contains(|ch: char| ch.is_ascii_alphabetic()),
            None => written.contains('('),
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_declares_a_brand_is_a_design() {
        for text in [
            "---\ncolors:\n  ink: \"#101010\"\n---\n",
            "---\nname: X\ncolors:\n  ink: \"#101010\"\n---\n<img src=logo.svg>\n",
            "# Brand\n- **Ink:** `#101010`",
            "# Larder\n\n## Colors\nInk on paper for everything that is read.\n\n## Typography\nOne family.\n",
            "# X\n\n## 1. Visual Theme & Atmosphere\nCalm.\n\n## 9. Do’s and Don’ts\n- Do.\n\n## Layout\nWide.\n",
            "Colours\n=======\n\n- ink `#101010`\n",
            "<p align=center><img src=logo.svg></p>\n\n# Acme\n\n## Colours\n- `#101010`\n\n## Fonts\n- Inter\n",
            "Our brand has two colours: #1f2a24 for text and #fbfaf6 behind it.",
            "# Marke\n\n## Farben\n- Tinte: `#1f2a24`\n- Papier: `#fbfaf6`\n\n## Schrift\nInter\n",
            "**Color palette**\n\n- Primary: `rgb(10, 20, 30)`\n",
        ] {
            assert_eq!(no_design(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_something_else_is_told_as_what_it_is() {
        let page = "<!doctype html><html lang=en><title>x</title><style>p{color:#123456;font-family:Inter}</style>\
                    <h1>Colors</h1><h2>Typography</h2></html>";
        for (text, expected) in [
            ("", NoDesign::Empty),
            (" \n\u{feff}\n", NoDesign::Empty),
            ("\u{fffd}PNG\r\n\u{1a}\n", NoDesign::Binary),
            ("x\0y", NoDesign::Binary),
            (page, NoDesign::Markup),
            ("<!-- made by hand -->\n<html>\n# Colors\n# Fonts\n</html>", NoDesign::Markup),
            ("<svg xmlns='http://www.w3.org/2000/svg'><rect fill='#123456'/></svg>", NoDesign::Markup),
            ("<div style='color:#123456'>brand colour #abcdef</div>", NoDesign::Markup),
            ("{\"colors\": {\"ink\": \"#101010\", \"paper\": \"#ffffff\"}}", NoDesign::Json),
            ("[\"#101010\", \"#ffffff\"]", NoDesign::Json),
            (":root {\n  --brand-ink: #101010;\n  --paper: #fafafa;\n}\n", NoDesign::Code),
            ("const color = '#101010';\nconst font = 'Inter';\n", NoDesign::Code),
            ("Dear Anna, see you on Friday.", NoDesign::Undeclared),
            ("# Notes\n\nFixes #123 and #456. The brand team asked for it.\n", NoDesign::Undeclared),
            (
                "# Install\n\n## Layout\n\nThe folders.\n\n## Components\n\nThe crates.\n",
                NoDesign::Undeclared,
            ),
            ("# Design\n\nWhy the parser is a table.\n\n## Components\n\n- lexer\n", NoDesign::Undeclared),
            (
                "# Manual\n\n## Install\n\n## Use\n\n## Colors\n\nThey are #112233.\n\n## Fonts\n\n## Errors\n\n## Tests\n\n\
              ## Speed\n\n## Size\n\n## Limits\n\n## Thanks\n",
                NoDesign::Undeclared,
            ),
            ("# Guide\n\n## Colors\n\nSet NO_COLOR to switch them off.\n", NoDesign::Undeclared),
        ] {
            assert_eq!(no_design(text), Some(expected), "{text}");
        }
    }
}
