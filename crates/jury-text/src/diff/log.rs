//! The output of a test run, cut to what a judge needs: how it began, how it ended, and the lines about failures.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::authorship::says_author;
use super::redact::Redactor;

/// What is kept of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackedLog {
    /// The lines that are kept, with a line for each gap.
    pub text: String,
    /// How many lines the log has.
    pub lines: usize,
    /// How many of them are left out.
    pub omitted: usize,
}

/// The most bytes of a line.
const LONGEST_LINE_BYTES: usize = 1000;

/// What a line about a failure has in it.
const FAILING: &[&str] = &[
    "FAIL",
    "Fail:",
    "failed",
    "ERROR",
    "Error:",
    "error:",
    "error[",
    "panicked",
    "Traceback",
    "AssertionError",
    "assertion",
    "✗",
    "✕",
    "×",
    "not ok",
    "fatal:",
    "Exception",
    "undefined:",
    "--- FAIL",
];

/// Keeps at most so many lines: a quarter from the beginning, a quarter from the end, and the first lines about failures
/// with what stands around them. What they leave free goes to the end.
pub fn pack_log(bytes: &[u8], most: usize) -> PackedLog {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let count = if lines.last().is_some_and(|last| last.is_empty()) { lines.len() - 1 } else { lines.len() };
    let mut kept: BTreeSet<usize> = (0..count.min(most / 4)).collect();
    kept.extend(count.saturating_sub(most / 4)..count);
    if count <= most {
        kept = (0..count).collect();
    }
    for (index, line) in lines.iter().enumerate().take(count) {
        if kept.len() + 4 > most {
            break;
        }
        let start = String::from_utf8_lossy(line.get(..LONGEST_LINE_BYTES).unwrap_or(line));
        if FAILING.iter().any(|word| start.contains(word)) {
            kept.extend(index.saturating_sub(1)..(index + 3).min(count));
        }
    }
    let mut last = count;
    while kept.len() < most.min(count) && last > 0 {
        last -= 1;
        kept.insert(last);
    }
    let mut packed = PackedLog { lines: count, omitted: count - kept.len(), ..PackedLog::default() };
    let mut next = 0;
    let mut redactor = Redactor::default();
    for index in kept {
        packed.gap(index - next);
        packed.push(lines.get(index).copied().unwrap_or_default(), &mut redactor);
        next = index + 1;
    }
    packed.gap(count - next);
    packed
}

impl PackedLog {
    fn gap(&mut self, lines: usize) {
        if lines > 0 {
            self.text.extend(["[", &lines.to_string(), " lines left out]\n"]);
        }
    }

    fn push(&mut self, line: &[u8], redactor: &mut Redactor) {
        let shown = String::from_utf8_lossy(line.get(..LONGEST_LINE_BYTES).unwrap_or(line));
        if says_author(&shown) {
            self.text.push_str("[a line about authors left out]\n");
            return;
        }
        let shown = redactor.line(shown.trim_end_matches('\r'));
        // What moves the cursor or rings a bell has no business in a prompt.
        self.text.extend(shown.chars().filter(|character| !character.is_control() || *character == '\t'));
        if line.len() > LONGEST_LINE_BYTES {
            self.text.extend([" [", &(line.len() - LONGEST_LINE_BYTES).to_string(), " bytes left out]"]);
        }
        self.text.push('\n');
    }
}
