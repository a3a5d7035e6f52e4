//! Fencing: what users give is quoted so that nothing in it can end its block, begin a run, or be taken for a part
//! of the answer.
//!
//! A zero-width joiner behind the `<` breaks a tag for whoever reads it, parser or model, and leaves the text as it
//! looks. Only the tags of the prompt and of the protocol are broken; the markup of a page stays what it is. A tag is
//! one for whoever reads over what hides it: white space, slashes, characters that take no room, wide letters, angle
//! brackets that only look like one, and the entities of all of these.

use jury_core::legible::is_unseen;

/// The kind of text that is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FenceKind {
    /// A brief, a brand or a skill, for reading. Characters that no person can see are taken out.
    Words,
    /// A page, which is the work itself and stays as it is but for the tags.
    Page,
}

/// What breaks a tag.
pub(super) const JOINER: char = '\u{200d}';

/// The tags that are broken, opening or closing. `SUMMARY` is not among them: it is HTML, and it means nothing
/// outside a run.
const TAGS: &[&str] = &[
    "SKILL",
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
    "DOCUMENT",
    "MEASURED",
    "FINDINGS",
    "DECISIONS",
    "ORDERS",
];

/// What a model may take for the beginning of a tag.
const BRACKETS: [char; 8] =
    ['<', '\u{ff1c}', '\u{fe64}', '\u{2039}', '\u{2329}', '\u{27e8}', '\u{3008}', '\u{276e}'];

/// The longest name that is looked at; those of ours are shorter.
const LONGEST_NAME_BYTES: usize = 16;

/// The text with the tags of the prompt and of the protocol, and what opens CDATA, broken.
pub fn fenced(text: &str, kind: FenceKind) -> String {
    let safe: String = text.chars().filter(|character| is_kept(*character, kind)).collect();
    let mut out = String::with_capacity(safe.len() + 16);
    let mut rest = safe.as_str();
    while let Some((plain, length)) = next(rest) {
        let (seen, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(seen);
        if BRACKETS.contains(&plain) && is_of_ours(after) {
            out.push(JOINER);
        }
        rest = after;
    }
    out
}

/// The character that stands here, and how many bytes it takes: more than its own when it is written as an entity.
fn next(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    let entity = if first == '&' { entity(text) } else { None };
    entity.or(Some((first, first.len_utf8())))
}

/// The character that an entity stands for, however often its ampersand was escaped, and the length of it all.
fn entity(text: &str) -> Option<(char, usize)> {
    let mut rest = text.strip_prefix('&')?;
    while let Some(inner) = rest.strip_prefix("amp;") {
        rest = inner;
    }
    let (plain, length) = numbered(rest).or_else(|| named(rest))?;
    let after = rest.get(length..)?;
    let end = usize::from(after.starts_with(';'));
    Some((plain, text.len() - after.len() + end))
}

/// A number behind the ampersand: the character, and the length.
fn numbered(rest: &str) -> Option<(char, usize)> {
    let number = rest.strip_prefix('#')?;
    let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |digits| (digits, 16));
    let length = digits.chars().take(8).take_while(|c| c.is_digit(radix)).count();
    let code = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
    Some((char::from_u32(code)?, rest.len() - digits.len() + length))
}

/// A name behind the ampersand: the character, and the length. That of `<` counts without its semicolon too, as it
/// does in HTML.
fn named(rest: &str) -> Option<(char, usize)> {
    const NAMES: [(&str, char); 6] =
        [("sol", '/'), ("lowbar", '_'), ("underbar", '_'), ("excl", '!'), ("lsqb", '['), ("lbrack", '[')];
    let length = rest.chars().take(12).take_while(char::is_ascii_alphanumeric).count();
    let name = rest.get(..length)?.to_ascii_lowercase();
    let closed = rest.get(length..)?.starts_with(';');
    if let Some((_, plain)) = NAMES.iter().find(|(known, _)| closed && *known == name) {
        return Some((*plain, length));
    }
    (name.starts_with("lt") && (!closed || name == "lt")).then_some(('<', 2))
}

/// Whether what stands behind a bracket makes it a tag of ours. White space, slashes and invisible characters in
/// front of the name do not hide it: a model reads over them.
fn is_of_ours(mut after: &str) -> bool {
    let mut name = String::new();
    while let Some((character, length)) = next(after) {
        after = after.get(length..).unwrap_or_default();
        let plain = halfwidth(character);
        if is_unseen(plain) || (name.is_empty() && (plain.is_whitespace() || matches!(plain, '/' | '\\'))) {
            continue;
        }
        if matches!(plain, '-' | '.' | ':') {
            // The name goes on: an element of the page's own, such as `<page-header>`.
            return false;
        }
        if !(plain.is_ascii_alphanumeric() || matches!(plain, '_' | '!' | '[')) {
            break;
        }
        name.push(plain.to_ascii_uppercase());
        if name.len() > LONGEST_NAME_BYTES {
            break;
        }
    }
    name.starts_with("![CDATA[") || TAGS.contains(&name.as_str())
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

/// The text without what nobody can see: for blocks that are told apart by a number, where no tag needs to be broken.
pub(super) fn legible(text: &str) -> String {
    text.chars().filter(|character| is_kept(*character, FenceKind::Words)).collect()
}

/// Control characters never; in words, nothing that hides other words. The joiners of scripts and emoji stay.
fn is_kept(character: char, kind: FenceKind) -> bool {
    let control = character.is_control() && !matches!(character, '\n' | '\t' | '\r');
    let hides =
        matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e01ef}');
    !control && (kind == FenceKind::Page || !hides)
}
