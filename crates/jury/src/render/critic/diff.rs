//! What a fix changed, as a unified diff of a bounded length.

use similar::{ChangeTag, TextDiff};

use crate::output::{Output, Tone};

/// The most lines of one diff that are shown.
const LONGEST_DIFF_LINES: usize = 60;

/// The most characters of a line.
const WIDEST_LINE_CHARS: usize = 200;

/// The lines around a change.
const CONTEXT: usize = 2;

/// A diff, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diff {
    lines: Vec<(Kind, String)>,
    /// How many lines are not shown.
    more: usize,
    /// How many lines came, and how many went.
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Place,
    Same,
    Added,
    Removed,
}

impl Diff {
    /// What is different.
    pub(crate) fn between(before: &[u8], after: &[u8]) -> Self {
        let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
        let diff = TextDiff::from_lines(before.as_ref(), after.as_ref());
        let (mut lines, mut added, mut removed) = (Vec::new(), 0, 0);
        for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
            lines.push((Kind::Place, hunk.header().to_string()));
            for change in hunk.iter_changes() {
                let (kind, mark) = match change.tag() {
                    ChangeTag::Equal => (Kind::Same, ' '),
                    ChangeTag::Insert => (Kind::Added, '+'),
                    ChangeTag::Delete => (Kind::Removed, '-'),
                };
                added += usize::from(kind == Kind::Added);
                removed += usize::from(kind == Kind::Removed);
                lines.push((
                    kind,
                    format!("{mark}{}", super::super::printable(change.value(), WIDEST_LINE_CHARS)),
                ));
            }
        }
        let more = lines.len().saturating_sub(LONGEST_DIFF_LINES);
        lines.truncate(LONGEST_DIFF_LINES);
        Self { lines, more, added, removed }
    }

    /// The lines, for stdout.
    pub(crate) fn show(&self, output: Output) -> Vec<String> {
        let mut shown: Vec<String> = self
            .lines
            .iter()
            .map(|(kind, line)| match kind {
                Kind::Place => output.paint_result(Tone::Dim, line),
                Kind::Same => line.clone(),
                Kind::Added => output.paint_result(Tone::Good, line),
                Kind::Removed => output.paint_result(Tone::Bad, line),
            })
            .collect();
        if self.more > 0 {
            shown.push(output.paint_result(Tone::Dim, &format!("… {} more lines", self.more)));
        }
        shown
    }

    /// The lines as one text, without colour.
    pub(crate) fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|(_, line)| line.as_str()).collect();
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_bounded_and_clean() {
        let before = "one\ntwo\n".repeat(200);
        let after = before.replace("two", "\u{1b}[31mthree");
        let diff = Diff::between(before.as_bytes(), after.as_bytes());
        assert_eq!(diff.lines.len(), LONGEST_DIFF_LINES);
        assert!(diff.more > 0 && !diff.text().contains('\u{1b}'));
        assert_eq!(Diff::between(b"a\nb\n", b"a\nc\n").text(), "@@ -1,2 +1,2 @@\n a\n-b\n+c");
        assert_eq!(Diff::between(b"a\n", b"a\n").text(), "");
    }
}
