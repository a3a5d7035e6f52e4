//! What a single line of Markdown is by itself.

/// What may stand around words on a line.
pub(crate) const BLANK: [char; 2] = [' ', '\t'];

/// The level of a heading and its text, for a line that begins with hashes.
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_matches(BLANK);
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let fits = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with(BLANK));
    fits.then(|| (level, heading_text(rest, level)))
}

/// The text of a heading without the hashes that may close it.
pub(crate) fn heading_text(text: &str, level: usize) -> &str {
    let mut text = text.trim_matches(BLANK);
    let closing = "#".repeat(level);
    while let Some(before) = text.strip_suffix(&closing) {
        if !before.is_empty() && !before.ends_with(BLANK) {
            break;
        }
        text = before.trim_matches(BLANK);
    }
    text
}

/// The level of the heading that a line makes of the line above it.
pub(crate) fn underline(line: &str) -> Option<usize> {
    let of = |mark: u8| line.bytes().all(|byte| byte == mark);
    if line.len() < 2 {
        (line == "=").then_some(1)
    } else if of(b'=') {
        Some(1)
    } else {
        of(b'-').then_some(2)
    }
}

/// What a line says that is bold as a whole, with or without a colon: it stands for a heading.
pub(crate) fn bold(line: &str) -> Option<&str> {
    let inner = line.trim().trim_end_matches(':').strip_prefix("**")?.strip_suffix("**")?;
    (!inner.is_empty() && !inner.contains("**")).then(|| inner.trim_end_matches(':'))
}

/// Whether a line divides what stands above it from what stands below.
pub(crate) fn is_rule(line: &str) -> bool {
    let of = |mark: char| {
        line.chars().all(|c| c == mark || BLANK.contains(&c))
            && line.chars().filter(|c| *c == mark).count() > 2
    };
    of('-') || of('*') || of('_')
}

/// An entry of a list.
pub(crate) struct Item<'a> {
    /// Its number, in a list with numbers.
    pub(crate) number: Option<u32>,
    pub(crate) text: &'a str,
}

/// The entry that a line begins.
pub(crate) fn item(line: &str) -> Option<Item<'_>> {
    let behind = |rest: &str| rest.is_empty() || rest.starts_with(BLANK);
    if let Some(text) = line.strip_prefix(['-', '*', '+'])
        && behind(text)
    {
        return Some(Item { number: None, text: text.trim_matches(BLANK) });
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let number = line.get(..digits)?.parse().ok().filter(|_| digits < 4)?;
    let text = line.get(digits..)?.strip_prefix(['.', ')'])?;
    behind(text).then(|| Item { number: Some(number), text: text.trim_matches(BLANK) })
}

/// The cells of a row of a table, as they are written. A bar behind a backslash divides nothing.
pub(crate) fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, byte) in line.bytes().enumerate() {
        if byte == b'|' && !escaped {
            cells.push(line.get(start..at).unwrap_or_default().trim());
            start = at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    // Behind the bar that closes a row is no cell.
    let last = line.get(start..).unwrap_or_default();
    if !last.is_empty() || cells.is_empty() {
        cells.push(last.trim());
    }
    cells
}

/// Whether a line stands between the head of a table and its rows.
pub(crate) fn is_table_rule(line: &str) -> bool {
    line.contains('-')
        && line.contains('|')
        && line.chars().all(|c| matches!(c, '-' | ':' | '|') || BLANK.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_hashes_with_a_space_behind_them() {
        assert_eq!(heading("## Who it is for ##"), Some((2, "Who it is for")));
        assert_eq!(heading("  ### C#"), Some((3, "C#")));
        assert_eq!(heading("#"), Some((1, "")));
        assert_eq!((heading("#bikeshop"), heading("####### x"), heading("x # y")), (None, None, None));
        assert_eq!(
            (underline("==="), underline("--"), underline("-"), underline("=-")),
            (Some(1), Some(2), None, None)
        );
        assert_eq!(
            (bold("**Not for:**"), bold("**Not for**:"), bold("**a** b **c**")),
            (Some("Not for"), Some("Not for"), None)
        );
    }

    #[test]
    fn the_cells_of_a_row_are_between_its_bars() {
        assert_eq!(cells("| a | b\\|c | |"), ["a", "b\\|c", ""]);
        assert_eq!(cells("a | b"), ["a", "b"]);
        assert_eq!(cells("|"), [""]);
        assert_eq!(cells("| a \\\\| b"), ["a \\\\", "b"]);
        assert!(is_table_rule("|:--|--:|") && is_table_rule("--- | ---") && !is_table_rule("---"));
    }
}
