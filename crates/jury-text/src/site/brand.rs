//! The look of a site: what a design document asks for as far as it can be read, the rest from a hue, all of it solved for
//! contrast. What could not be kept is said.

use std::fmt;

use jury_core::artifact::Digest;
use jury_core::content::brand::{Colors, SiteBrand, Theme, Typography};
use jury_core::line;
use serde::{Deserialize, Serialize};

use super::design::{DesignRequests, Role, is_family};
use crate::colour::{Rgb, contrast, nearest_lightness};
use crate::css_colour;

/// Text, whatever its size, on every ground.
const TEXT: f64 = 4.5;
/// What is seen and not read: edges of controls, marks.
const SHAPE: f64 = 3.0;
/// What black or white reaches on a ground, so that every other text has room beneath it.
const ROOM: f64 = 10.0;
/// The largest radius of a corner, in pixels.
const ROUNDEST: u8 = 24;

/// What was asked for and is not as it was asked for, or was decided because nobody said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// Which part of the brand.
    pub about: String,
    /// What was asked for.
    pub said: String,
    /// The value that is used instead.
    pub used: String,
    /// The reason, for a person.
    pub why: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.said == self.used {
            return write!(f, "{}: {}: {}", self.about, self.used, self.why);
        }
        write!(f, "{}: {} became {}: {}", self.about, self.said, self.used, self.why)
    }
}

fn note(about: &str, said: &str, used: &str, why: &str) -> Note {
    // What a document or a model wrote is quoted in part: a note is a line.
    let said = line::cut(said, 80);
    Note { about: about.to_owned(), said, used: used.to_owned(), why: why.to_owned() }
}

/// The look that a design document describes; what it leaves open follows from its main colour, or else from `seed`.
pub fn design_brand(design: Option<&str>, seed: &str) -> (SiteBrand, Vec<Note>) {
    let mut notes = Vec::new();
    let mut wishes = DesignRequests::read(design.unwrap_or_default());
    if wishes.get(Role::Primary).is_none() {
        let chroma = |colour: &Rgb| colour.hue_and_chroma().1;
        let strongest =
            wishes.others.iter().copied().max_by(|one, other| chroma(one).total_cmp(&chroma(other)));
        if let Some(colour) = strongest.filter(|colour| chroma(colour) >= 0.05) {
            wishes.colours.push((Role::Primary, colour));
            let hex = colour.hex();
            notes.push(note(
                "primary",
                &hex,
                &hex,
                "no colour is called the main one; this is the strongest",
            ));
        }
    }
    let digest = Digest::of(seed.as_bytes()).to_string();
    let part = |from: usize| u32::from_str_radix(digest.get(from..from + 4).unwrap_or("0"), 16).unwrap_or(0);
    let of_seed = f64::from(part(0)) / 65536.0 * std::f64::consts::TAU;
    let (theme, colors) = solve(&wishes, of_seed, &mut notes);
    let pair = &PAIRS[part(4) as usize % PAIRS.len()];
    let brand = SiteBrand {
        theme,
        colors,
        typography: Typography {
            heading_font: stack(
                "headingFont",
                wishes.heading.as_deref().or(wishes.body.as_deref()),
                pair.0,
                &mut notes,
            ),
            body_font: stack("bodyFont", wishes.body.as_deref(), pair.1, &mut notes),
            mono_font: stack("monoFont", wishes.mono.as_deref(), MONO, &mut notes),
        },
        radius: wishes.radius.unwrap_or_else(|| u8::try_from(part(8) % 4 * 4).unwrap_or_default()),
    };
    (brand, notes)
}

/// A brand that somebody else made for this document. What the document says of a look holds, whoever says otherwise.
pub fn check_against(brand: &SiteBrand, design: Option<&str>) -> (SiteBrand, Vec<Note>) {
    const WHY: &str = "the design document says so";
    let wishes = DesignRequests::read(design.unwrap_or_default());
    let (mut brand, mut said) = (brand.clone(), Vec::new());
    for role in Role::ALL {
        let Some(colour) = wishes.get(role) else { continue };
        let (written, wanted) = (of(&brand.colors, role).to_owned(), colour.hex());
        if hex(&written).map(Rgb::bytes) != Some(colour.bytes()) {
            said.push(note(role.name(), &written, &wanted, WHY));
            set(&mut brand.colors, role, wanted);
        }
    }
    let heading = wishes.heading.as_deref().or(wishes.body.as_deref());
    let fonts = &mut brand.typography;
    for (about, family, place) in [
        ("headingFont", heading, &mut fonts.heading_font),
        ("bodyFont", wishes.body.as_deref(), &mut fonts.body_font),
        ("monoFont", wishes.mono.as_deref(), &mut fonts.mono_font),
    ] {
        let first = place.split(',').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        if family.is_some_and(|family| is_family(family) && !first.eq_ignore_ascii_case(family)) {
            let wanted = stack(about, family, place, &mut Vec::new());
            said.push(note(about, place, &wanted, WHY));
            *place = wanted;
        }
    }
    if let Some(wanted) = wishes.radius.filter(|wanted| *wanted != brand.radius) {
        said.push(note("radius", &brand.radius.to_string(), &wanted.to_string(), WHY));
        brand.radius = wanted;
    }
    if let Some(wanted) = wishes.theme {
        brand.theme = wanted;
    }
    let (brand, notes) = check(&brand);
    said.extend(notes);
    (brand, said)
}

/// A brand that somebody else made, with everything that cannot stand put right.
pub fn check(brand: &SiteBrand) -> (SiteBrand, Vec<Note>) {
    let mut notes = Vec::new();
    let mut wishes = DesignRequests { theme: Some(brand.theme), ..DesignRequests::default() };
    let mut unreadable = Vec::new();
    for role in Role::ALL {
        let written = of(&brand.colors, role);
        match hex(written) {
            Some(colour) => wishes.colours.push((role, colour)),
            None => unreadable.push((role, written)),
        }
    }
    let (theme, colors) = solve(&wishes, 4.2, &mut notes);
    for (role, written) in unreadable {
        notes.push(note(role.name(), written, of(&colors, role), "not a colour as #rrggbb"));
    }
    let mut families = |about: &str, written: &str, generic: &str| {
        let kept = checked_stack(written, generic);
        if kept != written {
            notes.push(note(about, written, &kept, "only names of families, with a generic one at the end"));
        }
        kept
    };
    let typography = Typography {
        heading_font: families("headingFont", &brand.typography.heading_font, SANS),
        body_font: families("bodyFont", &brand.typography.body_font, SANS),
        mono_font: families("monoFont", &brand.typography.mono_font, MONO),
    };
    if brand.radius > ROUNDEST {
        let (said, used) = (brand.radius.to_string(), ROUNDEST.to_string());
        notes.push(note("radius", &said, &used, "rounder corners do not fit the parts of a page"));
    }
    (SiteBrand { theme, colors, typography, radius: brand.radius.min(ROUNDEST) }, notes)
}

/// A contrast of a brand: between what, how much, and how much is needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Contrast {
    /// The colour in front.
    pub front: &'static str,
    /// The colour behind it.
    pub ground: &'static str,
    /// The ratio, 1 to 21.
    pub ratio: f64,
    /// What it has to be.
    pub needed: f64,
}

/// Every contrast that a site relies on. A colour that cannot be read counts as 1.
pub fn contrasts(brand: &SiteBrand) -> Vec<Contrast> {
    let read = |role: Role| hex(of(&brand.colors, role));
    let between = |front: Option<Rgb>, ground: Option<Rgb>| match (front, ground) {
        (Some(front), Some(ground)) => contrast(front, ground),
        _ => 1.0,
    };
    let mut all = Vec::new();
    for (role, needed) in FRONTS {
        for ground in GROUNDS {
            let ratio = between(read(role), read(ground));
            all.push(Contrast { front: role.name(), ground: ground.name(), ratio, needed });
        }
    }
    let primary = read(Role::Primary);
    let ratio = between(primary.map(ink_on), primary);
    all.push(Contrast { front: "button text", ground: "primary", ratio, needed: TEXT });
    all
}

/// What stands on something, and the contrast that it needs there.
const FRONTS: [(Role, f64); 6] = [
    (Role::Text, TEXT),
    (Role::TextSecondary, TEXT),
    (Role::TextMuted, TEXT),
    (Role::Primary, TEXT),
    (Role::Accent, SHAPE),
    (Role::Border, SHAPE),
];
/// What something stands on.
const GROUNDS: [Role; 3] = [Role::Background, Role::Elevated, Role::Tint];

/// Black or white, whichever is read better on this colour. One of the two always reaches 4.58.
pub(super) fn ink_on(ground: Rgb) -> Rgb {
    if contrast(Rgb::WHITE, ground) >= TEXT { Rgb::WHITE } else { Rgb::from_bytes([0; 3]) }
}

/// A colour as `#rrggbb`, read strictly.
pub(super) fn hex(text: &str) -> Option<Rgb> {
    let plain = text.len() == 7 && text.starts_with('#');
    plain.then(|| css_colour::parse(text)).flatten().map(|written| written.rgb)
}

pub(super) fn of(colors: &Colors, role: Role) -> &str {
    match role {
        Role::Background => &colors.background,
        Role::Elevated => &colors.background_elevated,
        Role::Tint => &colors.primary_light,
        Role::Text => &colors.text_primary,
        Role::TextSecondary => &colors.text_secondary,
        Role::TextMuted => &colors.text_muted,
        Role::Primary => &colors.primary,
        Role::Accent => &colors.accent,
        Role::Border => &colors.border,
    }
}

fn set(colors: &mut Colors, role: Role, colour: String) {
    *match role {
        Role::Background => &mut colors.background,
        Role::Elevated => &mut colors.background_elevated,
        Role::Tint => &mut colors.primary_light,
        Role::Text => &mut colors.text_primary,
        Role::TextSecondary => &mut colors.text_secondary,
        Role::TextMuted => &mut colors.text_muted,
        Role::Primary => &mut colors.primary,
        Role::Accent => &mut colors.accent,
        Role::Border => &mut colors.border,
    } = colour;
}

/// Nine colours that keep every bound, as near as can be to what is wished for.
fn solve(wishes: &DesignRequests, of_seed: f64, notes: &mut Vec<Note>) -> (Theme, Colors) {
    let hue_of = |role: Role| wishes.get(role).map(Rgb::hue_and_chroma).filter(|(_, chroma)| *chroma > 0.02);
    let hue = hue_of(Role::Primary).or_else(|| hue_of(Role::Accent)).map_or(of_seed, |(hue, _)| hue);
    let black = Rgb::from_bytes([0; 3]);
    let is_dark = |colour: Rgb| contrast(Rgb::WHITE, colour) > contrast(black, colour);
    let theme = match (wishes.get(Role::Background), wishes.theme, wishes.get(Role::Text)) {
        (Some(background), _, _) if is_dark(background) => Theme::Dark,
        (Some(_), _, _) => Theme::Light,
        (None, Some(theme), _) => theme,
        (None, None, Some(text)) if !is_dark(text) => Theme::Dark,
        (None, None, _) => Theme::Light,
    };
    if let Some(said) = wishes.theme.filter(|said| *said != theme) {
        let word = |theme: Theme| if theme == Theme::Dark { "dark" } else { "light" };
        notes.push(note("theme", word(said), word(theme), "the background decides"));
    }
    let dark = theme == Theme::Dark;
    let ink = if dark { Rgb::WHITE } else { black };
    let colour = |light: (f64, f64), night: (f64, f64)| {
        let (lightness, chroma) = if dark { night } else { light };
        Rgb::from_oklch(lightness, chroma, hue)
    };
    let mut settle = |role: Role, otherwise: Rgb, why: &str, passes: &dyn Fn(Rgb) -> bool| {
        let wished = wishes.get(role);
        let start = wished.unwrap_or(otherwise).rounded();
        let used = if passes(start) { start } else { nearest_lightness(start, passes).unwrap_or(ink) };
        if let Some(said) = wished.filter(|said| said.bytes() != used.bytes()) {
            notes.push(note(role.name(), &said.hex(), &used.hex(), why));
        }
        used
    };
    let roomy = |ground: Rgb| contrast(ink, ground) >= ROOM;
    let room = "text needs more room on it";
    let background = settle(Role::Background, colour((0.987, 0.006), (0.17, 0.014)), room, &roomy);
    let lightness = background.oklab().lightness;
    let raised = if dark { lightness + 0.05 } else { (lightness - 0.026).max(0.0) };
    let elevated = settle(Role::Elevated, background.with_lightness(raised.min(1.0)), room, &roomy);
    let tint = settle(Role::Tint, colour((0.94, 0.035), (0.27, 0.05)), room, &roomy);
    let grounds = [background, elevated, tint];
    let clears =
        |needed: f64| move |front: Rgb| grounds.iter().all(|ground| contrast(front, *ground) >= needed);
    let (text, shape) = (clears(TEXT), clears(SHAPE));
    let (to_read, to_see) =
        ("text needs a contrast of 4.5 on every ground", "edges and marks need a contrast of 3");
    let colors = Colors {
        text_primary: settle(Role::Text, colour((0.21, 0.025), (0.96, 0.01)), to_read, &text).hex(),
        text_secondary: settle(Role::TextSecondary, colour((0.37, 0.028), (0.84, 0.018)), to_read, &text)
            .hex(),
        text_muted: settle(Role::TextMuted, colour((0.47, 0.026), (0.74, 0.02)), to_read, &text).hex(),
        primary: settle(Role::Primary, colour((0.47, 0.15), (0.78, 0.13)), to_read, &text).hex(),
        accent: settle(Role::Accent, beside(hue, dark), to_see, &shape).hex(),
        border: settle(Role::Border, colour((0.6, 0.03), (0.6, 0.03)), to_see, &shape).hex(),
        primary_light: tint.hex(),
        background: background.hex(),
        background_elevated: elevated.hex(),
    };
    (theme, colors)
}

/// A second hue that goes with the first.
fn beside(hue: f64, dark: bool) -> Rgb {
    let hue = hue + std::f64::consts::TAU * 0.42;
    if dark { Rgb::from_oklch(0.76, 0.13, hue) } else { Rgb::from_oklch(0.6, 0.16, hue) }
}

const SANS: &str = "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", Arial, sans-serif";
const HUMANIST: &str =
    "Seravek, \"Gill Sans Nova\", Ubuntu, Calibri, \"DejaVu Sans\", source-sans-pro, sans-serif";
const GEOMETRIC: &str = "Avenir, Montserrat, Corbel, \"URW Gothic\", source-sans-pro, sans-serif";
const BOOK: &str = "\"Iowan Old Style\", \"Palatino Linotype\", \"URW Palladio L\", P052, Georgia, serif";
const MONO: &str = "ui-monospace, SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", monospace";

/// Headings and body, from fonts that readers have: nothing is loaded.
const PAIRS: [(&str, &str); 4] = [(SANS, SANS), (BOOK, SANS), (GEOMETRIC, SANS), (HUMANIST, HUMANIST)];

/// Names in which a family with serifs gives itself away.
const SERIFS: &[&str] = &[
    "serif",
    "fraunces",
    "georgia",
    "lora",
    "merriweather",
    "playfair",
    "garamond",
    "times",
    "newsreader",
    "crimson",
    "baskerville",
    "palatino",
    "bodoni",
    "caslon",
    "tiempos",
    "canela",
];

/// A family of the document in front of fonts that readers have.
fn stack(about: &str, family: Option<&str>, otherwise: &str, notes: &mut Vec<Note>) -> String {
    let Some(family) = family.filter(|family| is_family(family)) else {
        return otherwise.to_owned();
    };
    let lower = family.to_lowercase();
    let serif = !lower.contains("sans") && SERIFS.iter().any(|word| lower.contains(word));
    let rest = if about == "monoFont" {
        MONO
    } else if serif {
        BOOK
    } else {
        SANS
    };
    let stack = format!("\"{family}\", {rest}");
    notes.push(note(about, family, &stack, "a site loads no fonts: readers who have it see it"));
    stack
}

/// The families of a stack that can be written into a stylesheet, with a generic one at the end.
fn checked_stack(written: &str, otherwise: &str) -> String {
    const GENERIC: &[&str] = &["sans-serif", "serif", "monospace", "system-ui"];
    const OTHER_WORDS: &[&str] = &["-apple-system", "ui-monospace", "ui-sans-serif", "ui-serif"];
    let mut kept = Vec::new();
    for family in written.split(',').take(12) {
        let family = family.trim();
        let bare = family.trim_matches(['"', '\'']);
        if GENERIC.contains(&family) || OTHER_WORDS.contains(&family) {
            kept.push(family.to_owned());
        } else if is_family(bare) {
            kept.push(if bare == family && !bare.contains(' ') {
                bare.to_owned()
            } else {
                format!("\"{bare}\"")
            });
        }
    }
    if kept.is_empty() {
        return otherwise.to_owned();
    }
    if !kept.last().is_some_and(|last| GENERIC.contains(&last.as_str())) {
        kept.push(otherwise.rsplit(", ").next().unwrap_or("sans-serif").to_owned());
    }
    kept.join(", ")
}

/// Two colours mixed, so much of the first: lines that only divide are fainter than edges of controls.
pub(super) fn mixed(front: &str, ground: &str, share: f64) -> String {
    match (hex(front), hex(ground)) {
        (Some(front), Some(ground)) => ground.under(front, share).hex(),
        _ => front.to_owned(),
    }
}
