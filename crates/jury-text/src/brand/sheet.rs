//! What one source declares: the tokens of a front matter, a `tokens.css`, a tokens file or a text.

use std::collections::BTreeSet;

use super::role::{self, Jobs, PaletteJob};
use super::value;
use crate::colour::Rgb;
use crate::css_colour::Written;

/// More tokens of a kind than this are no brand; the rest is passed over, with a word.
const MOST_TOKENS: usize = 400;

/// More warnings than this say nothing new.
const MOST_WARNINGS: usize = 24;

/// Where tokens came from, which decides how much they prove. The first that has any is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Declared as tokens in the front matter of DESIGN.md.
    FrontMatter,
    /// Declared in a `tokens.css`, which the page takes its properties from.
    TokensCss,
    /// Declared in a tokens file (DTCG or plain JSON).
    TokensJson,
    /// Found in sentences and tables of DESIGN.md.
    Prose,
}

impl Origin {
    /// The file, for warnings and findings.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::FrontMatter | Self::Prose => "DESIGN.md",
            Self::TokensCss => "tokens.css",
            Self::TokensJson => "design-tokens.json",
        }
    }

    /// Which part of which file it is.
    pub fn words(self) -> &'static str {
        match self {
            Self::FrontMatter => "the front matter of DESIGN.md",
            Self::TokensCss => "tokens.css",
            Self::TokensJson => "design-tokens.json",
            Self::Prose => "the prose of DESIGN.md",
        }
    }

    /// Whether it declares, rather than describes.
    pub fn declares(self) -> bool {
        self != Self::Prose
    }
}

/// A colour of the brand.
#[derive(Debug, Clone, PartialEq)]
pub struct ColourToken {
    /// As its source calls it; empty when it has no name.
    pub name: String,
    /// The colour, its opacity left aside.
    pub colour: Rgb,
    /// Its opacity, 0 to 1.
    pub alpha: f64,
}

/// Lengths in pixels, each once, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Lengths {
    pub(crate) list: Vec<f32>,
    seen: BTreeSet<u32>,
}

impl Lengths {
    pub(super) fn add(&mut self, pixels: f32) {
        let rounded = (pixels * 100.0).round() / 100.0;
        if rounded.is_finite() && self.list.len() < MOST_TOKENS && self.seen.insert(rounded.to_bits()) {
            self.list.push(rounded);
        }
    }
}

/// What one source declares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sheet {
    pub(crate) origin: Origin,
    pub(crate) colours: Vec<ColourToken>,
    seen_colours: BTreeSet<([u8; 3], u8)>,
    pub(crate) families: Vec<String>,
    seen_families: BTreeSet<String>,
    pub(crate) sizes: Lengths,
    pub(crate) radii: Lengths,
    pub(crate) spacings: Lengths,
    /// The grid that distances are multiples of.
    pub(crate) base: Option<f32>,
    /// Colours that must not be used.
    pub(crate) banned: Vec<ColourToken>,
    pub(crate) jobs: Jobs,
    pub(crate) warnings: Vec<String>,
}

impl Sheet {
    pub(super) fn new(origin: Origin) -> Self {
        Self {
            origin,
            colours: Vec::new(),
            seen_colours: BTreeSet::new(),
            families: Vec::new(),
            seen_families: BTreeSet::new(),
            sizes: Lengths::default(),
            radii: Lengths::default(),
            spacings: Lengths::default(),
            base: None,
            banned: Vec::new(),
            jobs: Jobs::default(),
            warnings: Vec::new(),
        }
    }

    /// Whether there is nothing in it that a page can be held against.
    pub(super) fn is_empty(&self) -> bool {
        self.colours.is_empty() && self.families.is_empty()
    }

    /// Says that a line was not understood.
    pub(super) fn warn(&mut self, line: usize, what: &str) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(format!("{} line {line}: {what}, passed over", self.origin.file()));
        }
    }

    /// Takes a colour in; the job it has in the brand follows from its name.
    pub(super) fn colour(&mut self, name: &str, written: Written) {
        self.colour_with_job(name, written, role::of_name(name));
    }

    pub(super) fn colour_with_job(&mut self, name: &str, written: Written, job: Option<(PaletteJob, u8)>) {
        if written.alpha <= 0.0 {
            return;
        }
        if let Some((job, strength)) = job
            && written.alpha >= 1.0
        {
            self.jobs.offer(job, strength, written.rgb);
        }
        let key = (written.rgb.bytes(), value::eighth(written.alpha));
        if self.colours.len() < MOST_TOKENS && self.seen_colours.insert(key) {
            self.colours.push(ColourToken {
                name: value::shortened(name),
                colour: written.rgb,
                alpha: written.alpha,
            });
        }
    }

    pub(super) fn ban(&mut self, name: &str, written: Written) {
        if self.banned.len() < MOST_TOKENS && !self.banned.iter().any(|known| known.colour == written.rgb) {
            self.banned.push(ColourToken {
                name: value::shortened(name),
                colour: written.rgb,
                alpha: written.alpha,
            });
        }
    }

    /// Takes the families of a stack in: a generic one only when it leads, because behind a name it is what is left when
    /// the brand's own face is not there.
    pub(super) fn stack(&mut self, stack: &str) {
        for (index, family) in value::families(stack).into_iter().enumerate() {
            if index == 0 || !value::is_generic(&family) {
                self.family(family);
            }
        }
    }

    fn family(&mut self, family: String) {
        if self.families.len() < MOST_TOKENS && self.seen_families.insert(family.to_lowercase()) {
            self.families.push(family);
        }
    }
}
