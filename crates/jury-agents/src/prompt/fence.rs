//! Fencing: what users give is quoted so that nothing in it can end its block, begin a run, or be taken for a part
//! of the answer.
//!
//! A zero-width joiner behind the `<` breaks a tag for whoever reads it, parser or model, and leaves the text as it
//! looks. Only the tags of the prompt and of the protocol are broken; the markup of a page stays what it is.

/// What is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A brief or a brand, for reading. Characters that no person can see are taken out.
    Words,
    /// A page, which is the work itself and stays as it is but for the tags.
    Page,
}

/// What breaks a tag.
pub(super) const JOINER: char = '\u{200d}';

/// The tags that are broken, opening or closing. `SUMMARY` is not among them: it is HTML, and it means nothing
/// outside a run.
const TAGS: &[&str] = &[
    "BRIEF",
    "BRAND_SOURCE",
    "PAGE",
    "CRITIQUE_RUN",
    "ROUND",
    "ROUND_END",
    "PANELIST",
    "NOTES",
    "ARTIFACT",
    "DIM",
    "MUST_FIX",
    "SHIP",
    "REASON",
];

/// The text with the tags of the prompt and of the protocol, and what opens CDATA, broken.
pub fn fenced(text: &str, kind: Kind) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars().filter(|character| is_kept(*character, kind)) {
        safe.push(character);
    }
    let mut out = String::with_capacity(safe.len() + 16);
    let mut rest = safe.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        out.push('<');
        if is_of_ours(after) {
            out.push(JOINER);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether what stands behind a `<` makes it a tag of ours. White space, slashes and invisible characters in
/// front of the name do not hide it: a model reads over them.
fn is_of_ours(after: &str) -> bool {
    let mut name = String::new();
    for character in after.chars() {
        if name.is_empty() && (is_blank(character) || character == '/') {
            continue;
        }
        if is_invisible(character) {
            continue;
        }
        let plain = halfwidth(character);
        if matches!(plain, '-' | '.' | ':') {
            // The name goes on: an element of the page's own, such as `<page-header>`.
            return false;
        }
        if !(plain.is_ascii_alphanumeric() || matches!(plain, '_' | '!' | '[')) {
            break;
        }
        name.push(plain.to_ascii_uppercase());
        if name.len() > 16 {
            break;
        }
    }
    name.starts_with("![CDATA[") || TAGS.contains(&name.as_str())
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() || is_invisible(character)
}

/// Letters that only look wider.
fn halfwidth(character: char) -> char {
    let wide = u32::from(character);
    if (0xff01..=0xff5e).contains(&wide) {
        char::from_u32(wide - 0xfee0).unwrap_or(character)
    } else {
        character
    }
}

/// Characters that take no room on a screen and can hide words from a person but not from a model.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Control characters never; in words, nothing that hides other words. The joiners of scripts and emoji stay.
fn is_kept(character: char, kind: Kind) -> bool {
    let control = character.is_control() && !matches!(character, '\n' | '\t' | '\r');
    let hides =
        matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}');
    !control && (kind == Kind::Page || !hides)
}
