//! Words that stand where a name should be and name nothing: the words an editor puts there, file names, and words that
//! say what kind of thing it is instead of which one. Whether words are *true* is not judged.

use std::collections::BTreeMap;

use jury_core::line::shortened;
use jury_eye::{NameSource, Node, NodeId};

use super::causes::Causes;
use super::names;
use super::structure::headings;
use super::view::children;
use crate::finding::{Finding, Outcome, Severity};
use crate::page::{Page, selector};

/// Titles that nobody gave: what editors leave behind, as WCAG's failure F25 lists it.
const NO_TITLES: &[&str] = &[
    "document",
    "untitled",
    "untitled document",
    "untitled page",
    "title",
    "page title",
    "new page",
    "new document",
    "no title",
    "unbenannt",
    "unbenanntes dokument",
    "ohne titel",
    "titel",
    "neue seite",
    "sans titre",
    "titre",
    "sin título",
    "título",
    "sem título",
    "senza titolo",
    "titolo",
    "naamloos",
];

/// Titles that may be meant, and say only what every page is.
const EMPTY_TITLES: &[&str] = &[
    "index",
    "page",
    "web page",
    "webpage",
    "website",
    "react app",
    "vite app",
    "test",
    "test page",
    "dokument",
    "seite",
    "página",
    "home page title",
];

/// Headings that only say that they are one.
const HEADINGS: &[&str] = &[
    "heading",
    "headline",
    "header",
    "title",
    "subtitle",
    "subheading",
    "section",
    "section heading",
    "section title",
    "your heading",
    "your title",
    "heading here",
    "title here",
    "untitled",
    "text",
    "überschrift",
    "titel",
    "abschnitt",
    "titre",
    "título",
    "titolo",
    "kop",
];

/// Labels that only say that there is a field.
const LABELS: &[&str] = &[
    "label",
    "field",
    "input",
    "text",
    "textbox",
    "text field",
    "text box",
    "input field",
    "form field",
    "value",
    "edit",
    "enter text",
    "enter text here",
    "checkbox",
    "option",
    "select",
    "dropdown",
    "menu",
    "choose",
    "placeholder",
    "feld",
    "eingabe",
    "eingabefeld",
    "textfeld",
    "auswahl",
    "champ",
    "campo",
];

/// Words for a picture that do not say of what.
const PICTURES: &[&str] = &[
    "image",
    "img",
    "photo",
    "picture",
    "pic",
    "graphic",
    "icon",
    "figure",
    "illustration",
    "screenshot",
    "spacer",
    "placeholder",
    "alt",
    "alt text",
    "image alt",
    "image here",
    "untitled",
    "blank",
    "bild",
    "foto",
    "grafik",
    "abbildung",
    "photographie",
    "imagen",
    "imagem",
    "immagine",
    "afbeelding",
];

/// Endings of files of pictures.
const ENDINGS: &[&str] = &["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "tif", "tiff", "ico"];

/// A name without what stands around its words, in lower case.
fn bare(name: &str) -> String {
    let name = name.to_lowercase();
    name.trim_matches(|ch: char| !ch.is_alphanumeric()).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a name is one of some words, alone or with a number: `Heading 2`, `image-01`.
fn is_one_of(name: &str, words: &[&str]) -> bool {
    let name = bare(name);
    let unnumbered =
        name.trim_end_matches(|ch: char| ch.is_ascii_digit() || matches!(ch, ' ' | '-' | '_' | '.' | '#'));
    words.contains(&name.as_str()) || (!unnumbered.is_empty() && words.contains(&unnumbered))
}

/// Whether a name is that of a file, or a path to one.
fn is_file_name(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        ENDINGS.contains(&ending) && !stem.is_empty() && !stem.contains(char::is_whitespace)
    })
}

/// Whether a name is what a camera calls its files: `IMG_2041`, `DSC00012`, `dcim-4`.
fn is_camera_name(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    ["img", "dsc", "dscn", "dscf", "dcim", "pxl", "mvi"].iter().any(|maker| {
        name.strip_prefix(maker).is_some_and(|rest| {
            let rest = rest.trim_start_matches(['_', '-', ' ']);
            rest.len() > 2 && rest.chars().all(|ch| ch.is_ascii_digit() || matches!(ch, '_' | '-'))
        })
    })
}

/// The name of the file that an address ends in, without its ending, when it is one word of a machine and not of a person.
fn stem_of(address: &str) -> Option<String> {
    let path = address.split(['?', '#']).next()?;
    let file = path.rsplit('/').next()?;
    let (stem, _) = file.rsplit_once('.')?;
    let machine = stem.contains(['_', '-']) || stem.bytes().any(|byte| byte.is_ascii_digit());
    (machine && !address.starts_with("data:")).then(|| stem.to_lowercase())
}

/// Images whose name is no description.
pub(super) fn images(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    for node in page.exposed().filter(|node| matches!(node.tag.as_str(), "img" | "canvas" | "svg")) {
        if node.name.is_empty() || !node.shown {
            continue;
        }
        total += 1;
        let name = node.name.trim();
        let own_file =
            node.attribute("src").and_then(stem_of).is_some_and(|stem| name.to_lowercase() == stem);
        let reason = if is_file_name(name) || own_file || is_camera_name(name) {
            "is the name of a file"
        } else if is_one_of(name, PICTURES) {
            "does not say what is to be seen"
        } else {
            continue;
        };
        let cause = format!("{} is called \"{}\", which {reason}", selector(node), shortened(name, 60));
        wrong.add(Severity::Moderate, cause, node.id);
    }
    outcome(page, wrong, total, "images whose name describes nothing")
}

/// Headings whose words name nothing.
pub(super) fn heading_words(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let all = headings(page);
    for node in all.iter().filter(|node| !node.name.is_empty()) {
        let says = node.name.chars().any(char::is_alphanumeric);
        if !says || is_one_of(&node.name, HEADINGS) {
            let cause =
                format!("the heading \"{}\" says nothing about what follows", shortened(&node.name, 60));
            wrong.add(Severity::Moderate, cause, node.id);
        }
    }
    outcome(page, wrong, all.len(), "headings that name nothing")
}

/// A title that says nothing about its page.
pub(super) fn title_words(page: &Page<'_>) -> Outcome {
    let Some(title) = page.snapshot.page.title.as_deref().map(str::trim).filter(|title| !title.is_empty())
    else {
        return Outcome::not_applicable();
    };
    if page.snapshot.coverage.js_rendered {
        return Outcome::not_applicable();
    }
    // A page that is about the word says it again: an index, a document.
    let main = headings(page).into_iter().find(|heading| !heading.name.is_empty());
    let is_meant = main.is_some_and(|heading| bare(&heading.name) == bare(title));
    let nobodys =
        !title.chars().any(char::is_alphanumeric) || is_one_of(title, NO_TITLES) || is_file_title(title);
    if is_meant || !(nobodys || is_one_of(title, EMPTY_TITLES)) {
        return Outcome::not_applicable();
    }
    let severity = if nobodys { Severity::Serious } else { Severity::Moderate };
    let what = format!("the title \"{}\" says nothing about the page", shortened(title, 60));
    Outcome::binary(what.clone(), Some(Finding::page(severity, what.clone()).because(what)))
}

/// Whether a title is the name of the file of a page.
fn is_file_title(title: &str) -> bool {
    let title = title.to_lowercase();
    !title.contains(char::is_whitespace)
        && ["html", "htm", "php", "aspx"].iter().any(|ending| {
            title.strip_suffix(ending).is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
        })
}

/// Fields whose visible label names nothing, and fields of one label in one place.
pub(super) fn label_words(page: &Page<'_>) -> Outcome {
    let mut wrong = Causes::default();
    let mut total = 0;
    let mut alike: BTreeMap<(String, String, Option<NodeId>), Vec<NodeId>> = BTreeMap::new();
    let places = places(page);
    for field in names::fields(page).filter(|field| field.shown) {
        if !matches!(field.name_source, NameSource::Native | NameSource::LabelledBy) {
            continue;
        }
        total += 1;
        if is_one_of(&field.name, LABELS) {
            let cause =
                format!("the label \"{}\" does not say what belongs there", shortened(&field.name, 60));
            wrong.add(Severity::Moderate, cause, field.id);
        } else if matches!(field.role.as_deref(), Some("textbox" | "searchbox" | "combobox" | "spinbutton")) {
            let kind = field.attribute("type").unwrap_or_default().to_owned();
            let place = places.get(field.id.index()).copied().flatten();
            alike.entry((bare(&field.name), kind, place)).or_default().push(field.id);
        }
    }
    for ((name, _, _), fields) in alike.into_iter().filter(|(_, fields)| fields.len() > 1) {
        for id in fields {
            let cause =
                format!("the label \"{}\" stands for several fields in one place", shortened(&name, 60));
            wrong.add(Severity::Moderate, cause, id);
        }
    }
    outcome(page, wrong, total, "labels that do not tell their field")
}

/// For each element, what a reader understands its label by: the row, the item, the group with a legend or the form it is
/// in, or the visible heading before it, whichever is nearest.
fn places(page: &Page<'_>) -> Vec<Option<NodeId>> {
    let nodes = &page.snapshot.nodes;
    let mut around: Vec<Option<NodeId>> = Vec::with_capacity(nodes.len());
    // The last heading or other bold line that was passed, and the element at whose end it stops to count.
    let mut heading: Option<NodeId> = None;
    for node in nodes {
        let inherited = node.parent.and_then(|parent| around.get(parent.index()).copied().flatten());
        let holds = match node.tag.as_str() {
            "tr" | "li" | "form" | "dialog" | "article" => true,
            "fieldset" => children(&page.snapshot, node).any(|legend| legend.tag == "legend" && legend.shown),
            _ => {
                matches!(node.role.as_deref(), Some("group" | "radiogroup" | "row" | "listitem" | "dialog"))
                    && !node.name.is_empty()
            }
        };
        if node.shown && (node.role.as_deref() == Some("heading") || is_lead(node)) {
            heading = Some(node.id);
        }
        // A heading inside of a group stands for what comes behind it there.
        let later = heading.filter(|heading| inherited.is_none_or(|group| *heading > group));
        around.push(if holds { Some(node.id) } else { later.or(inherited) });
    }
    around
}

/// Text of its own between fields, which may tell them apart as well as a heading.
fn is_lead(node: &Node) -> bool {
    matches!(node.tag.as_str(), "p" | "legend" | "strong" | "b" | "caption" | "summary" | "dt" | "th")
        && node.text.chars().any(char::is_alphanumeric)
}

fn outcome(page: &Page<'_>, wrong: Causes, total: usize, noun: &str) -> Outcome {
    let failing = wrong.elements();
    if failing == 0 {
        return Outcome::not_applicable();
    }
    Outcome::share(failing, total, 0.5, format!("{failing} of {total} {noun}"), wrong.findings(page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_no_words() {
        for file in ["loaf.png", "img/loaf-2.JPG", "IMG_2041", "DSC00012"] {
            assert!(is_file_name(file) || is_camera_name(file), "{file}");
        }
        for words in [
            "A loaf of bread",
            "Bread. Png is a kind of file",
            "node.js",
            "Image of a loaf",
            "image processing",
        ] {
            assert!(!is_file_name(words) && !is_camera_name(words) && !is_one_of(words, PICTURES), "{words}");
        }
        for empty in ["Image", "image-01", "Photo 3", "[image]"] {
            assert!(is_one_of(empty, PICTURES), "{empty}");
        }
    }
}
