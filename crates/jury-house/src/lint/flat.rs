//! The words of a page as they are read, across its tags and without its styles.

use jury_core::markup::{MarkupPiece, Scanner};
use jury_text::loss::{BlockKind, Sight, TextBlock};

use crate::checks::LOREM;

/// Elements that are part of a word or a line.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "del", "dfn", "em", "font", "i", "ins", "mark", "q", "s",
    "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
];

/// Where lorem ipsum begins.
pub(super) fn lorem(page: &str) -> Vec<usize> {
    let flat = Flat::of(page);
    let mut found: Vec<usize> = LOREM
        .iter()
        .flat_map(|words| flat.text.match_indices(words))
        .filter_map(|(at, _)| flat.offset(at))
        .collect();
    found.sort_unstable();
    found
}

/// Whether the page itself speaks of things to do.
pub(super) fn is_about_todos(page: &str) -> bool {
    let text = Flat::of(page).text;
    ["todo", "to-do", "to do"].iter().any(|words| text.contains(words))
}

/// The texts of a page, one for each block, for two pages to be compared.
pub(super) fn blocks(page: &str) -> Vec<TextBlock> {
    let text = Flat::of(page);
    let end = text.text.len();
    let texts = text.blocks.iter().zip(text.blocks.iter().skip(1).chain([&end]));
    texts
        .filter_map(|(start, end)| text.text.get(*start..*end))
        .filter(|text| text.chars().any(char::is_alphanumeric))
        .map(|text| TextBlock {
            sight: Sight::Shown,
            texts: vec![(BlockKind::Running, text.to_owned())],
            about: String::new(),
        })
        .collect()
}

/// The text of a page in lower case, with one space between words.
#[derive(Default)]
struct Flat {
    text: String,
    /// Places in the text and in the page, in order.
    places: Vec<(usize, usize)>,
    /// Where blocks begin in the text.
    blocks: Vec<usize>,
}

impl Flat {
    fn of(page: &str) -> Self {
        let mut flat = Self { blocks: vec![0], ..Self::default() };
        let mut scanner = Scanner::new(page);
        let (mut at, mut in_code) = (0, 0_usize);
        while let Some(piece) = scanner.next() {
            let (span, opens) = match &piece {
                MarkupPiece::Start(tag) => (tag.span.clone(), Some((tag.name.as_str(), true))),
                MarkupPiece::End(tag) => (tag.span.clone(), Some((tag.name.as_str(), false))),
                MarkupPiece::Comment(span) | MarkupPiece::Declaration(span) => (span.clone(), None),
            };
            if in_code == 0 {
                flat.push(page, at..span.start);
            }
            at = span.end;
            let Some((name, opens)) = opens else { continue };
            if matches!(name, "code" | "pre" | "kbd" | "samp") {
                in_code = if opens { in_code + 1 } else { in_code.saturating_sub(1) };
            }
            if !INLINE.contains(&name) {
                flat.space();
                flat.blocks.push(flat.text.len());
            }
            if opens
                && matches!(
                    name,
                    "script" | "style" | "title" | "textarea" | "xmp" | "iframe" | "noembed" | "noframes"
                )
            {
                at = scanner.raw_text(name).end;
            }
        }
        if in_code == 0 {
            flat.push(page, at..page.len());
        }
        flat
    }

    fn push(&mut self, page: &str, span: std::ops::Range<usize>) {
        let text = page.get(span.clone()).unwrap_or_default();
        self.places.push((self.text.len(), span.start + (text.len() - text.trim_start().len())));
        for ch in decoded(text).chars() {
            match ch {
                '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => {}
                _ if ch.is_whitespace() => self.space(),
                _ => self.text.extend(ch.to_lowercase()),
            }
        }
    }

    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// Where in the page a place of the text is.
    fn offset(&self, at: usize) -> Option<usize> {
        let behind = self.places.partition_point(|(place, _)| *place <= at);
        self.places.get(behind.checked_sub(1)?).map(|(_, offset)| *offset)
    }
}

/// The references to characters that may stand inside of words or between them.
fn decoded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        plain.push_str(before);
        let name = behind.split(';').next().filter(|name| name.len() <= 8 && name.len() < behind.len());
        let ch = name.and_then(|name| match name {
            "nbsp" | "ensp" | "emsp" | "thinsp" => Some(' '),
            "shy" => Some('\u{ad}'),
            "zwnj" | "zwj" | "ZeroWidthSpace" => Some('\u{200b}'),
            _ => {
                let digits = name.strip_prefix('#')?;
                let code = match digits.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => digits.parse().ok()?,
                };
                char::from_u32(code)
            }
        });
        if let (Some(ch), Some(name)) = (ch, name) {
            plain.push(ch);
            rest = behind.get(name.len() + 1..).unwrap_or_default();
        } else {
            plain.push('&');
            rest = behind;
        }
    }
    plain.push_str(rest);
    plain
}
