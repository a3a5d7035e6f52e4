//! What a colour is for, as far as its name tells.

use crate::colour::Rgb;

/// The jobs a palette has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaletteJob {
    /// Behind the whole page.
    Background,
    /// Behind a card or a panel.
    Surface,
    /// The colour of the text.
    Foreground,
    /// Text that stands back.
    Muted,
    /// The lines around boxes and fields.
    Border,
    /// What should be noticed first.
    Accent,
    /// What warns of a danger.
    Danger,
}

impl PaletteJob {
    /// Every job, in the order of a palette.
    pub const ALL: [Self; 7] = [
        Self::Background,
        Self::Surface,
        Self::Foreground,
        Self::Muted,
        Self::Border,
        Self::Accent,
        Self::Danger,
    ];

    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Surface => "surface",
            Self::Foreground => "text",
            Self::Muted => "muted text",
            Self::Border => "border",
            Self::Accent => "accent",
            Self::Danger => "danger",
        }
    }
}

/// A name that is the job and nothing else.
pub(super) const EXACT: u8 = 3;
/// A word in a description.
pub(super) const SAID: u8 = 1;

/// The colour of each job, by the best name that was offered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Jobs([Option<(u8, Rgb)>; 7]);

impl Jobs {
    pub(super) fn offer(&mut self, job: PaletteJob, strength: u8, colour: Rgb) {
        if let Some(place) = self.0.get_mut(job as usize)
            && place.is_none_or(|(known, _)| known < strength)
        {
            *place = Some((strength, colour));
        }
    }

    /// The colour of a job, by the best name that was offered.
    pub fn get(&self, job: PaletteJob) -> Option<Rgb> {
        self.0.get(job as usize).copied().flatten().map(|(_, colour)| colour)
    }

    /// The colour of a job that its own name gives it.
    pub fn named(&self, job: PaletteJob) -> Option<Rgb> {
        self.0
            .get(job as usize)
            .copied()
            .flatten()
            .filter(|(strength, _)| *strength > SAID)
            .map(|(_, colour)| colour)
    }
}

/// Words for each job. A name with words of several belongs to the first: `text-muted` is muted, `surface-border` a
/// border.
const WORDS: &[(PaletteJob, &[&str])] = &[
    (PaletteJob::Danger, &["danger", "error", "destructive", "critical", "negative"]),
    (PaletteJob::Muted, &["muted", "tertiary", "caption", "placeholder", "faint", "meta", "helper"]),
    (
        PaletteJob::Border,
        &["border", "borders", "hairline", "divider", "dividers", "outline", "stroke", "separator"],
    ),
    (
        PaletteJob::Foreground,
        &["fg", "foreground", "ink", "text", "heading", "headings", "headlines", "copy"],
    ),
    (PaletteJob::Surface, &["surface", "surfaces", "card", "cards", "panel", "elevated", "raised"]),
    (PaletteJob::Background, &["bg", "background", "backgrounds", "canvas", "page", "paper"]),
    (
        PaletteJob::Accent,
        &["accent", "primary", "brand", "cta", "ctas", "action", "link", "links", "interactive"],
    ),
];

/// Words that make a name a variant of the job.
const VARIANTS: &[&str] = &[
    "hover",
    "active",
    "disabled",
    "focus",
    "pressed",
    "soft",
    "subtle",
    "strong",
    "light",
    "dark",
    "alt",
    "inverse",
    "secondary",
    "visited",
    "weak",
    "dim",
    "bright",
    "container",
    "fixed",
    "variant",
];

/// The words of a name: `textMuted`, `--text-muted` and `Text muted` are the same.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for ch in name.chars().take(200) {
        let ends = !ch.is_alphanumeric() || (ch.is_uppercase() && was_lower);
        if ends && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if ch.is_alphanumeric() {
            word.extend(ch.to_lowercase());
        }
        was_lower = ch.is_lowercase() || ch.is_ascii_digit();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words.retain(|word| {
        !matches!(word.as_str(), "color" | "colors" | "colour" | "colours" | "default" | "base")
    });
    words
}

/// The job that a name says, and how clearly.
pub(super) fn of_name(name: &str) -> Option<(PaletteJob, u8)> {
    let words = words(name);
    // What stands on a colour is not that colour.
    if words.iter().any(|word| word == "on") {
        return None;
    }
    let (job, word) = WORDS.iter().find_map(|(job, known)| {
        let word = words.iter().find(|word| known.contains(&word.as_str()))?;
        Some((*job, word.as_str()))
    })?;
    // Secondary text is muted text.
    if job == PaletteJob::Foreground && words.iter().any(|word| matches!(word.as_str(), "secondary" | "2")) {
        return Some((PaletteJob::Muted, 2));
    }
    let alone = words.len() == 1;
    let variant = words
        .iter()
        .any(|other| VARIANTS.contains(&other.as_str()) || other.chars().all(|ch| ch.is_ascii_digit()));
    let strength = match (alone, variant) {
        // A palette that has an accent has a primary beside it that may be its ink.
        (true, _) if word == "accent" => EXACT + 1,
        (true, _) => EXACT,
        (false, false) => 2,
        (false, true) => SAID,
    };
    Some((job, strength))
}

/// The job that the beginning of a description says.
pub(super) fn of_description(text: &str) -> Option<(PaletteJob, u8)> {
    let beginning = text.split(['.', ',', ';', '—']).next().unwrap_or_default();
    let beginning: Vec<&str> = beginning.split_whitespace().take(6).collect();
    of_name(&beginning.join(" ")).map(|(job, _)| (job, SAID))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_colour_is_for() {
        for (name, job) in [
            ("--bg", Some(PaletteJob::Background)),
            ("canvas", Some(PaletteJob::Background)),
            ("surface-card", Some(PaletteJob::Surface)),
            ("textMuted", Some(PaletteJob::Muted)),
            ("text secondary", Some(PaletteJob::Muted)),
            ("Primary text", Some(PaletteJob::Foreground)),
            ("hairline-strong", Some(PaletteJob::Border)),
            ("accent", Some(PaletteJob::Accent)),
            ("error", Some(PaletteJob::Danger)),
            ("on-primary", None),
            ("accent-on", None),
            ("lavender", None),
        ] {
            assert_eq!(of_name(name).map(|(job, _)| job), job, "{name}");
        }
        let mut jobs = Jobs::default();
        let (ink, pink) = (Rgb::from_bytes([1; 3]), Rgb::from_bytes([200, 0, 100]));
        for (name, colour) in [("primary", ink), ("accent-hover", ink), ("accent", pink)] {
            let (job, strength) = of_name(name).expect("a job");
            jobs.offer(job, strength, colour);
        }
        assert_eq!(jobs.get(PaletteJob::Accent), Some(pink));
    }
}
