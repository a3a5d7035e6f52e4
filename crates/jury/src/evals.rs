//! Scenarios of the content pipeline: those that come with the program, the user's own in `./evals/content/`, and the ideas
//! and drafts that they name.

use std::path::Path;

use jury_core::content::eval::{BUILT_IN, EvalFile, Replacement, changed};
use jury_core::content::{Advisor, Draft, Form, Foundation};
use jury_core::unit::Bytes;

use crate::document;
use crate::refusal::Refusal;
use crate::tables;

/// The folder of the user's own scenarios, beside `jury.toml`.
const FOLDER: &str = "evals/content";

macro_rules! example {
    ($path:literal) => {
        include_str!(concat!("../../../", $path))
    };
}

/// The documents of the idea of the examples.
const ACME: &[(&str, &str)] = &[
    ("positioning", example!("examples/ideas/acme/positioning.md")),
    ("brand-voice", example!("examples/ideas/acme/brand-voice.md")),
    ("seo-strategy", example!("examples/ideas/acme/seo-strategy.md")),
    ("social-media-strategy", example!("examples/ideas/acme/social-media-strategy.md")),
    ("strategy", example!("examples/ideas/acme/strategy.md")),
    ("design", example!("examples/ideas/acme/design.md")),
];

macro_rules! idea {
    ($name:literal) => {
        (
            $name,
            &[
                (
                    "positioning",
                    include_str!(concat!("../../../evals/content/ideas/", $name, "/positioning.md")),
                ),
                (
                    "brand-voice",
                    include_str!(concat!("../../../evals/content/ideas/", $name, "/brand-voice.md")),
                ),
                (
                    "seo-strategy",
                    include_str!(concat!("../../../evals/content/ideas/", $name, "/seo-strategy.md")),
                ),
                ("strategy", include_str!(concat!("../../../evals/content/ideas/", $name, "/strategy.md"))),
            ],
        )
    };
}

/// An idea by its name: the kind and the text of each document.
type BuiltInIdea = (&'static str, &'static [(&'static str, &'static str)]);

/// The ideas that come with the program.
const IDEAS: &[BuiltInIdea] = &[("acme", ACME), idea!("coldshelf"), idea!("loaf-lane")];

/// The drafts that come with the program.
const DRAFTS: &[(&str, &str)] = &[
    ("acme", example!("examples/drafts/acme.md")),
    ("acme-flawed", example!("examples/drafts/acme-flawed.md")),
    ("acme-article", example!("evals/content/drafts/acme-article.md")),
];

/// A file of scenarios, with the advisors that it adds.
pub(crate) struct Scenarios {
    pub(crate) file: EvalFile,
    pub(crate) guests: Vec<Advisor>,
}

/// Every file: the user's own in the place of those of the same name that come with the program, then the user's others.
pub(crate) fn all() -> Result<Vec<Scenarios>, Refusal> {
    let own = tables::files(FOLDER);
    let mut files = Vec::new();
    for (name, text) in BUILT_IN {
        let replaced = own.iter().any(|path| tables::name(path) == Some(*name));
        if !replaced {
            files.push(parse(text, &format!("{FOLDER}/{name}.toml (built in)"))?);
        }
    }
    for path in own {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Refusal::usage(format!("cannot read {shown}: {error}")))?;
        files.push(parse(&text, &shown)?);
    }
    Ok(files)
}

fn parse(text: &str, shown: &str) -> Result<Scenarios, Refusal> {
    let (file, guests) = tables::read(text, shown, |file: EvalFile| file.check(text))?;
    Ok(Scenarios { file, guests })
}

/// The documents of an idea: one that comes with the program, or a folder.
pub(crate) fn foundation(idea: &str) -> Result<Foundation, Refusal> {
    if let Some((_, docs)) = IDEAS.iter().find(|(name, _)| *name == idea) {
        let docs = docs.iter().filter_map(|(kind, text)| Some((kind.parse().ok()?, (*text).to_owned())));
        return Ok(Foundation::new(docs));
    }
    jury_engine::content::read_foundation(Path::new(idea)).map_err(|error| Refusal::usage(error.to_string()))
}

/// A draft with what is changed in it: one that comes with the program, or a file.
pub(crate) fn draft(name: &str, changes: &[Replacement], form: Form) -> Result<Draft, Refusal> {
    let text = if let Some((_, text)) = DRAFTS.iter().find(|(known, _)| *known == name) {
        (*text).to_owned()
    } else {
        let largest = Bytes(jury_core::content::draft::LARGEST_DRAFT as u64);
        let given = document::read(Path::new(name), "draft", largest, "shorten it")?;
        String::from_utf8(given.bytes).map_err(|_| Refusal::usage(format!("{name} is not UTF-8")))?
    };
    let wrong = |what: String| Refusal::usage(format!("{name}: {what}"));
    let text = changed(&text, changes).map_err(wrong)?;
    jury_text::content::read::draft(text.as_bytes(), form)
        .map(|(draft, _)| draft)
        .map_err(|error| wrong(error.to_string()))
}
