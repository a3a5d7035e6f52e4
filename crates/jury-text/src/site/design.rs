//! What a design document says about a look: colours with their jobs, fonts, corners, light or dark. Lenient: a line that
//! says nothing understandable is passed over.

use jury_core::content::brand::Theme;
use jury_core::fence::{CodeLine, Fences};

use crate::brand::front_matter;
use crate::colour::Rgb;
use crate::css_colour;
use crate::markdown::line;

/// What a colour is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Background,
    Elevated,
    Tint,
    Text,
    TextSecondary,
    TextMuted,
    Primary,
    Accent,
    Border,
}

impl Role {
    pub(super) const ALL: [Self; 9] = [
        Self::Background,
        Self::Elevated,
        Self::Tint,
        Self::Text,
        Self::TextSecondary,
        Self::TextMuted,
        Self::Primary,
        Self::Accent,
        Self::Border,
    ];

    /// Its name in a brand.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Background => "background",
            Self::Elevated => "backgroundElevated",
            Self::Tint => "primaryLight",
            Self::Text => "textPrimary",
            Self::TextSecondary => "textSecondary",
            Self::TextMuted => "textMuted",
            Self::Primary => "primary",
            Self::Accent => "accent",
            Self::Border => "border",
        }
    }
}

/// The words that name a job, the particular ones before the general ones.
const JOBS: &[(&[&str], Role)] = &[
    (
        &["primary light", "primary tint", "primary container", "tint", "brand light", "wash", "pale"],
        Role::Tint,
    ),
    (
        &["secondary text", "text secondary", "ink secondary", "body secondary", "text soft"],
        Role::TextSecondary,
    ),
    (&["muted", "subtle text", "tertiary", "caption", "placeholder", "faint"], Role::TextMuted),
    (&["border", "outline", "stroke", "divider", "hairline", "rule", "line", "lines"], Role::Border),
    (&["elevated", "surface", "card", "panel", "raised"], Role::Elevated),
    (&["on primary", "on accent", "on surface", "on background"], Role::Text),
    (&["text", "ink", "foreground", "copy", "headline"], Role::Text),
    (&["background", "canvas", "paper", "page", "ground", "bg"], Role::Background),
    (&["accent", "secondary", "highlight", "spark"], Role::Accent),
    (&["primary", "brand", "button", "link", "action", "cta", "main"], Role::Primary),
];

/// What was found in a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct DesignRequests {
    /// Colours with a job, the first of each.
    pub(super) colours: Vec<(Role, Rgb)>,
    /// Colours without a job.
    pub(super) others: Vec<Rgb>,
    pub(super) heading: Option<String>,
    pub(super) body: Option<String>,
    pub(super) mono: Option<String>,
    pub(super) radius: Option<u8>,
    pub(super) theme: Option<Theme>,
}

impl DesignRequests {
    pub(super) fn get(&self, role: Role) -> Option<Rgb> {
        self.colours.iter().find(|(known, _)| *known == role).map(|(_, colour)| *colour)
    }

    /// Reads a document: its front matter first, then its prose.
    pub(super) fn read(document: &str) -> Self {
        let mut wishes = Self::default();
        let front = front_matter(document);
        let mut group = String::new();
        for line in front.map_or("", |front| front.text).lines() {
            let key = line.split(':').next().unwrap_or_default();
            if !line.starts_with([' ', '\t']) {
                group = key.trim().to_lowercase();
            }
            let is_value = line.split_once(':').is_some_and(|(_, value)| !value.trim().is_empty());
            if !is_value {
                // `body:` above `fontFamily:` says whose family it is.
                if line.starts_with([' ', '\t']) {
                    group = format!(
                        "{} {}",
                        group.split(' ').next().unwrap_or_default(),
                        key.trim().to_lowercase()
                    );
                }
                continue;
            }
            wishes.take(line, &group, true);
        }
        let mut section = String::new();
        let mut fences = Fences::default();
        let prose = document.get(front.map_or(0, |front| front.body)..).unwrap_or_default();
        for line in prose.lines() {
            if fences.line(line) == CodeLine::Outside
                && let Some((_, title)) = line::heading(line)
            {
                section = title.to_lowercase();
            }
            // What must not be used is no part of a look.
            if ["don't", "do not", "anti-pattern", "avoid", "never"].iter().any(|word| section.contains(word))
            {
                continue;
            }
            wishes.take(line, &section, false);
        }
        wishes
    }

    fn take(&mut self, line: &str, section: &str, front: bool) {
        self.take_colours(line, front);
        let lower = line.to_lowercase();
        self.take_family(line, &lower, section, front);
        if self.radius.is_none()
            && ["radius", "rounded", "corner"]
                .iter()
                .any(|word| lower.contains(word) || section.contains(word))
        {
            self.radius = lower.split([' ', ':', '`', ',', '"', '\'', '|', '(', ')']).find_map(pixels);
        }
        if self.theme.is_none() {
            let words = plain(&lower);
            let said = |theme: &str| {
                [format!("theme {theme}"), format!("{theme} theme"), format!("mode {theme}")]
                    .iter()
                    .any(|phrase| words.contains(phrase.as_str()))
            };
            self.theme = match (said("dark"), said("light")) {
                (true, false) => Some(Theme::Dark),
                (false, true) => Some(Theme::Light),
                (true, true) | (false, false) => None,
            };
        }
    }

    fn take_colours(&mut self, line: &str, front: bool) {
        if front {
            // A token is a colour as a whole: a key that is called blue, or a description with the word in it, is none.
            let Some((key, value)) = line.split_once(':') else { return };
            let value = value.trim().trim_matches(['"', '\'']).trim();
            if let [(0, end, colour)] = css_colour::find_all(value).as_slice()
                && *end == value.len()
                && colour.alpha >= 1.0
            {
                self.add(job(key), colour.rgb);
            }
            return;
        }
        let found = css_colour::find_all(line);
        let mut from = 0;
        for (index, (start, end, colour)) in found.iter().enumerate() {
            // In prose only hex and functions are colours; "white space" and "tan line" are words.
            let written = line.get(*start..*end).unwrap_or_default();
            if !(written.starts_with('#') || written.contains('(')) || colour.alpha < 1.0 {
                continue;
            }
            let before = line.get(from..*start).unwrap_or_default();
            let until = found.get(index + 1).map_or(line.len(), |(next, _, _)| *next);
            let after = line.get(*end..until).unwrap_or_default();
            from = *end;
            self.add(job(before).or_else(|| job(after)), colour.rgb);
        }
    }

    /// Takes a colour in. The first of a job counts.
    fn add(&mut self, role: Option<Role>, colour: Rgb) {
        match role {
            Some(role) if self.get(role).is_none() => self.colours.push((role, colour)),
            Some(_) => {}
            None if self.others.len() < 32 => self.others.push(colour),
            None => {}
        }
    }

    fn take_family(&mut self, line: &str, lower: &str, section: &str, front: bool) {
        let typographic = ["font", "typeface", "typograph", "type"].iter().any(|word| section.contains(word));
        let named = ["font-family", "font family", "fontfamily", "typeface", "font stack", "font:"]
            .iter()
            .any(|word| lower.contains(word));
        if !named && !typographic {
            return;
        }
        let whose = format!("{} {section}", plain(lower));
        let stack = if front {
            if !(lower.contains("family") || section.starts_with("fonts")) {
                return;
            }
            line.split_once(':').map(|(_, value)| value.to_owned())
        } else {
            // Families in prose stand in code marks, or behind the colon of a short line.
            line.split('`').nth(1).map(str::to_owned).or_else(|| {
                let (_, value) = line.split_once(':')?;
                (value.split_whitespace().count() <= 6).then(|| value.to_owned())
            })
        };
        let Some(family) = stack.as_deref().and_then(first_family) else {
            return;
        };
        let has = |words: &[&str]| words.iter().any(|word| whose.contains(word));
        let place = if has(&["mono", "code"]) {
            &mut self.mono
        } else if has(&["heading", "display", "headline", "title", "h1"]) {
            &mut self.heading
        } else {
            &mut self.body
        };
        if place.is_none() {
            *place = Some(family);
        }
    }
}

/// The job that these words give a colour, the nearest words first.
fn job(words: &str) -> Option<Role> {
    let words = plain(words);
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    let near = words.get(words.len().saturating_sub(6)..).unwrap_or_default().join(" ");
    let has = |phrase: &str| format!(" {near} ").contains(&format!(" {phrase} "));
    JOBS.iter().find(|(phrases, _)| phrases.iter().any(|phrase| has(phrase))).map(|(_, role)| *role)
}

/// Words in lower case with single spaces: `textSecondary`, `text-secondary` and `Text secondary` are one.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut was_lower = false;
    for ch in text.chars() {
        if ch.is_uppercase() && was_lower {
            out.push(' ');
        }
        was_lower = ch.is_lowercase();
        if ch.is_alphanumeric() {
            out.extend(ch.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.trim().to_owned()
}

/// Words that stand where the name of a family could stand.
const NOT_FAMILIES: &[&str] = &[
    "inherit",
    "initial",
    "none",
    "auto",
    "normal",
    "var",
    "system-ui",
    "sans-serif",
    "serif",
    "monospace",
    "ui-monospace",
    "ui-sans-serif",
    "ui-serif",
    "cursive",
    "fantasy",
    "-apple-system",
];

/// The first family of a stack that is a name and not a generic word.
pub(super) fn first_family(stack: &str) -> Option<String> {
    let clean =
        |family: &str| family.trim().trim_matches(['"', '\'', '`', '*', ' ', '.', ';', '|']).to_owned();
    stack.split(',').map(clean).find(|family| is_family(family))
}

/// Whether this can be written into a stylesheet as the name of a family.
pub(super) fn is_family(family: &str) -> bool {
    (2..=40).contains(&family.chars().count())
        && family.split(' ').count() <= 4
        && family.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, ' ' | '-' | '_'))
        && family.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && !NOT_FAMILIES.contains(&family.to_ascii_lowercase().as_str())
}

fn pixels(text: &str) -> Option<u8> {
    let number: f32 = text.strip_suffix("px")?.parse().ok()?;
    (0.0..=255.0).contains(&number).then_some(())?;
    // A pill is drawn by the stylesheet where it fits; everything else is a corner.
    (0..=24u8).find(|whole| f32::from(*whole) >= number.floor()).or(Some(24))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hexes(wishes: &DesignRequests) -> Vec<(&'static str, String)> {
        wishes.colours.iter().map(|(role, colour)| (role.name(), colour.hex())).collect()
    }

    #[test]
    fn tokens_of_the_front_matter_have_their_jobs() {
        let wishes = DesignRequests::read(
            "---\nname: Acme\ncolors:\n  primary: \"#0a5c4a\"\n  background: white\n  textMuted: '#667'\ntypography:\n  heading:\n    fontFamily: \"Fraunces, serif\"\n  body:\n    fontFamily: Inter\nrounded:\n  md: 8px\n---\n# Acme\n",
        );
        assert_eq!(
            hexes(&wishes),
            [
                ("primary", "#0a5c4a".to_owned()),
                ("background", "#ffffff".to_owned()),
                ("textMuted", "#666677".to_owned())
            ]
        );
        assert_eq!(wishes.heading.as_deref(), Some("Fraunces"));
        assert_eq!(wishes.body.as_deref(), Some("Inter"));
        assert_eq!(wishes.radius, Some(8));
    }

    #[test]
    fn names_of_tokens_and_words_of_a_description_are_no_colours() {
        let wishes = DesignRequests::read(
            "---\ndescription: One strong blue on white paper.\ncolors:\n  ink: \"#16202a\"\n  blue: \"#1c5d99\"\n  gold: none\n---\nBlue is for what can be pressed.\n",
        );
        assert_eq!(wishes.others.iter().map(|colour| colour.hex()).collect::<Vec<_>>(), ["#1c5d99"]);
        assert_eq!(hexes(&wishes), [("textPrimary", "#16202a".to_owned())]);
    }

    #[test]
    fn prose_and_tables_name_jobs_before_or_after_the_colour() {
        let wishes = DesignRequests::read(
            "# Look\n\nA dark theme.\n\n## Colour\n- **Ink** (`#f4f1ea`): text\n- `#101418` is the background\n| Accent | #e4572e |\n| Border | #445 |\n\nWe like #abcdef.\n\n## Type\n- Headings: `Space Grotesk`\n- Code: `JetBrains Mono`\n\n## Don't\n- primary `#00ff00`\n",
        );
        assert_eq!(
            hexes(&wishes),
            [
                ("textPrimary", "#f4f1ea".to_owned()),
                ("background", "#101418".to_owned()),
                ("accent", "#e4572e".to_owned()),
                ("border", "#444455".to_owned())
            ]
        );
        assert_eq!(wishes.others.len(), 1);
        assert_eq!(wishes.theme, Some(Theme::Dark));
        assert_eq!(wishes.heading.as_deref(), Some("Space Grotesk"));
        assert_eq!(wishes.mono.as_deref(), Some("JetBrains Mono"));
    }

    #[test]
    fn a_token_that_is_called_like_a_colour_is_not_that_colour() {
        let wishes = DesignRequests::read(
            "---\ncolors:\n  ink: \"#16202a\"\n  blue: \"#1c5d99\"\n  blue-pale: \"#e4eef7\"\n  line: \"#7d8894\"\n---\n",
        );
        assert_eq!(
            hexes(&wishes),
            [
                ("textPrimary", "#16202a".to_owned()),
                ("primaryLight", "#e4eef7".to_owned()),
                ("border", "#7d8894".to_owned())
            ]
        );
        assert_eq!(wishes.others.iter().map(|colour| colour.hex()).collect::<Vec<_>>(), ["#1c5d99"]);
    }

    #[test]
    fn words_without_a_look_are_no_wishes() {
        assert_eq!(DesignRequests::read("Be bold. Be kind to the text."), DesignRequests::default());
        assert_eq!(DesignRequests::read(""), DesignRequests::default());
        assert!(!is_family("x; } body { color: red"));
        assert!(!is_family("url(evil)"));
    }
}
