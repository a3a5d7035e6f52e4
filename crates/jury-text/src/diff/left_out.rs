//! Marks between the files of a diff that stand for a part of it: whoever shortened it says so there.

/// What says that something is not there.
const WORDS: &[&str] = &[
    "omitted",
    "truncated",
    "not shown",
    "is not displayed",
    "too large",
    "too long",
    "too big",
    "left out",
    "cut off",
    "more lines",
    "more files",
    "remaining files",
    "files skipped",
];

/// Whether a line outside of all hunks says that a part is not there. It stands in brackets, behind dots or as a warning:
/// messages of commits have sentences of their own.
pub(super) fn is_mark(line: &[u8]) -> bool {
    // `[ada: that line was too long]` is a remark in the message of a commit.
    let is_remark = line.starts_with(b"[") && line.contains(&b':');
    let is_marked =
        [b"[".as_slice(), b"(", b"...", "…".as_bytes(), b"***", b"warning:", b"Warning:", b"note:", b"<"]
            .iter()
            .any(|mark| line.starts_with(mark));
    if !is_marked || is_remark || line.len() > 300 {
        return false;
    }
    let lower = String::from_utf8_lossy(line).to_lowercase();
    WORDS.iter().any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::is_mark;

    #[test]
    fn whoever_shortened_a_diff_says_so() {
        for line in [
            "[3 files omitted]",
            "warning: 1 file was too large and is not shown",
            "[This diff is too long to show. View the whole diff on the site.]",
            "... 12 more files",
            "(diff truncated)",
        ] {
            assert!(is_mark(line.as_bytes()), "{line}");
        }
        for line in [
            "",
            "-- ",
            "2.43.0",
            "Subject: [PATCH] names that were truncated are shown",
            "    the table was too large",
            "index 1111111..2222222 100644",
            "[PATCH 2/3]",
            "[ada: that line was too long]",
            " src/price.rs | 6 +++++-",
        ] {
            assert!(!is_mark(line.as_bytes()), "{line}");
        }
    }
}
