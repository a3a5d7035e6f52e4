//! Lines without their decoration, and what a line is.

/// Text without ANSI sequences and control characters. Line breaks stay, as `\n`; invalid UTF-8 is replaced.
pub fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => skip_sequence(&mut characters),
            // The one-character form of what opens a sequence.
            '\u{9b}' => skip_parameters(&mut characters),
            '\r' => {
                if characters.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\n' => out.push('\n'),
            '\t' => out.push(' '),
            other if other.is_control() || matches!(other, '\u{feff}' | '\u{202a}'..='\u{202e}') => {}
            other => out.push(other),
        }
    }
    out
}

/// Behind an escape character: a sequence with parameters, a text up to its end, or one more character.
fn skip_sequence(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            skip_parameters(characters);
        }
        Some(']' | 'P' | '^' | '_') => {
            // A text of the terminal ends with BEL or ESC \. One that does not end on its line is not one.
            let mut ahead = characters.clone();
            ahead.next();
            for _ in 0..256 {
                match ahead.next() {
                    Some('\u{7}') => {
                        *characters = ahead;
                        return;
                    }
                    Some('\u{1b}') => {
                        ahead.next_if_eq(&'\\');
                        *characters = ahead;
                        return;
                    }
                    None | Some('\n' | '\r') => break,
                    Some(_) => {}
                }
            }
            characters.next();
        }
        Some('(' | ')') => {
            characters.next();
            characters.next_if(|c| !c.is_control());
        }
        Some(other) if !other.is_control() => {
            characters.next();
        }
        Some(_) | None => {}
    }
}

fn skip_parameters(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while characters.next_if(|c| matches!(c, '0'..='?' | ' '..='/')).is_some() {}
    characters.next_if(|c| matches!(c, '@'..='~'));
}

/// A line without quotation marks, headings, bullets and bold, or none for the edge of a code block.
pub(super) fn undecorated(line: &str) -> Option<String> {
    let mut rest = line.trim();
    if rest.starts_with("```") || rest.starts_with("~~~") {
        return None;
    }
    loop {
        let before = rest;
        for mark in ["> ", "- ", "* ", "+ ", "• ", "– "] {
            rest = rest.strip_prefix(mark).unwrap_or(rest).trim_start();
        }
        rest = rest.trim_start_matches(['#', '>']).trim_start();
        if rest == before {
            break;
        }
    }
    let bold = rest.replace("**", "");
    let stripped = bold.trim().trim_start_matches(['`', '_']);
    // An asterisk at the beginning that is no bullet is emphasis.
    Some(stripped.trim_start_matches('*').trim().to_owned())
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// `=== CRITIC {N} ===`
    Pass(Option<u32>),
    /// `=== CRITIC ESCALATION ({N}) ===`
    Escalation(Option<u32>),
    /// `=== Result: … ===`
    Result(&'a str),
    /// A verdict or an entry of a list: `[NAME] …`
    Item(&'a str, &'a str),
    /// A field with its value: `Name: …`
    Field(Field, &'a str),
    /// A choice of a question: `1. …`
    Choice(u32, &'a str),
    /// `✓ Critic converged (…)`, `⚠ Critic safety cap (…)`
    Summary(&'a str),
    /// A line of any other text.
    Text(&'a str),
}

/// A line that begins with a word of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Verdict,
    Realistic,
    Concern,
    Issue,
    Why,
    Trigger,
    Options,
    Pro,
    Con,
}

const FIELDS: &[(&str, Field)] = &[
    ("verdict:", Field::Verdict),
    ("realistic?", Field::Realistic),
    ("concern:", Field::Concern),
    ("issue:", Field::Issue),
    ("why escalation:", Field::Why),
    ("why escalate:", Field::Why),
    ("trigger:", Field::Trigger),
    ("options:", Field::Options),
    ("pro:", Field::Pro),
    ("con:", Field::Con),
];

pub(super) fn classify(line: &str) -> Line<'_> {
    if line.starts_with("==") {
        let inner = line.trim_matches(|c: char| c == '=' || c.is_whitespace() || c == '`' || c == '*');
        if let Some(rest) = after_word(inner, "critic escalation") {
            return Line::Escalation(first_number(rest));
        }
        if let Some(rest) = after_word(inner, "critic") {
            return Line::Pass(first_number(rest));
        }
        if let Some(rest) = after_word(inner, "result") {
            return Line::Result(rest.trim_start_matches([':', ' ', '*', '`']).trim());
        }
        return Line::Text(line);
    }
    if let Some((name, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        && (2..=48).contains(&name.trim().len())
        && !rest.starts_with(['(', '['])
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' '))
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        return Line::Item(name, rest.trim_start_matches(['`', '*', '_', ':', ' ']).trim_end());
    }
    let bare = strip_arrow(line).map_or(line, str::trim_start);
    for (word, field) in FIELDS {
        if let Some(rest) = after_field(bare, word) {
            return Line::Field(*field, rest);
        }
    }
    if let Some((number, rest)) = numbered(line) {
        return Line::Choice(number, rest);
    }
    let summary = line.trim_start_matches(['✓', '✔', '✅', '⚠', '\u{fe0f}', ' ']);
    if summary.len() < line.len() && after_word(summary, "critic").is_some() {
        return Line::Summary(summary);
    }
    Line::Text(line)
}

/// Whether a line could be taken for one that begins or ends a part of a report, or a document in an answer. It sees
/// what the reader sees, so that what is quoted to a critic can be kept from looking like an answer.
pub fn is_mark(line: &str) -> bool {
    plain(line.as_bytes()).split('\n').any(|line| {
        // The edge of a code block on the same line hides nothing from whoever looks for a document.
        let Some(line) = undecorated(line.trim().trim_start_matches(['`', '~'])) else { return false };
        match classify(&line) {
            Line::Pass(_) | Line::Escalation(_) | Line::Result(_) => true,
            Line::Text(text) => {
                let inner =
                    text.trim_matches(|c: char| c == '=' || c.is_whitespace() || c == '`' || c == '*');
                let document = ["document", "end of document"];
                text.starts_with("==") && document.iter().any(|word| after_word(inner, word).is_some())
            }
            Line::Item(..) | Line::Field(..) | Line::Choice(..) | Line::Summary(_) => false,
        }
    })
}

/// What stands behind a word, whatever its case. The word must end there.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric());
    (head.eq_ignore_ascii_case(word) && ends).then_some(rest)
}

/// What stands behind a word of the format, with emphasis around the word.
fn after_field<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (name, mark) = word.split_at_checked(word.len() - 1)?;
    let (head, rest) = text.split_at_checked(name.len())?;
    if !head.eq_ignore_ascii_case(name) {
        return None;
    }
    let rest = rest.trim_start_matches(['*', '_', '`', ' ']);
    let rest = rest.strip_prefix(mark)?;
    Some(rest.trim_start_matches(['*', '_', '`', ' ']).trim())
}

/// `1. text` and `1) text`.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at_checked(digits)?;
    let rest = rest.strip_prefix(['.', ')'])?;
    (digits <= 3 && rest.starts_with(' ')).then_some(())?;
    Some((number.parse().ok()?, rest.trim()))
}

/// The first whole number of a text.
pub(super) fn first_number(text: &str) -> Option<u32> {
    numbers(text).next()
}

/// The whole numbers of a text.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).filter_map(|run| run.parse().ok())
}

pub(super) const ARROWS: [&str; 5] = ["→", "->", "=>", "⇒", "⟶"];

/// What stands behind an arrow at the beginning.
pub(super) fn strip_arrow(text: &str) -> Option<&str> {
    ARROWS.iter().find_map(|arrow| text.strip_prefix(arrow))
}

/// What stands before and behind the first arrow.
pub(super) fn split_arrow(text: &str) -> Option<(&str, &str)> {
    let first = ARROWS.iter().filter_map(|arrow| text.find(arrow).map(|at| (at, arrow.len()))).min()?;
    let (before, rest) = text.split_at_checked(first.0)?;
    Some((before.trim(), rest.get(first.1..)?.trim()))
}
