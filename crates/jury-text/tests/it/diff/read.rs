//! What is read out of a diff.

use jury_text::diff::{Diff, DiffLimits, DiffReader, FileStatus, LineChange};
use proptest::prelude::*;

#[test]
fn files_hunks_and_lines_have_their_numbers() {
    let diff = Diff::read(
        b"diff --git a/a.rs b/a.rs\nindex 1..2 100644\n--- a/a.rs\n+++ b/a.rs\n@@ -3,2 +3,3 @@ fn a() {\n x\n-y\n+z\n+w\n",
    );
    let hunk = &diff.files[0].hunks[0];
    assert_eq!((hunk.old_start, hunk.new_start, hunk.section.as_str()), (3, 3, "fn a() {"));
    let lines: Vec<_> =
        hunk.lines.iter().map(|line| (line.change, line.old, line.new, line.text.as_str())).collect();
    assert_eq!(
        lines,
        [
            (LineChange::Context, 3, 3, "x"),
            (LineChange::Removed, 4, 0, "y"),
            (LineChange::Added, 0, 4, "z"),
            (LineChange::Added, 0, 5, "w"),
        ]
    );
    assert_eq!(diff.notes, Vec::<String>::new());
}

#[test]
fn each_status_is_told() {
    let text = "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+a\n\
        diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
        diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n\
        diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n\
        diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n\
        diff --git a/c b/d\nsimilarity index 90%\ncopy from c\ncopy to d\n";
    let diff = Diff::read(text.as_bytes());
    let told: Vec<_> = diff
        .files
        .iter()
        .map(|file| (file.old_path.as_deref(), file.new_path.as_deref(), file.status, file.binary))
        .collect();
    assert_eq!(
        told,
        [
            (None, Some("new"), FileStatus::Added, false),
            (Some("gone"), None, FileStatus::Deleted, false),
            (Some("x"), Some("y"), FileStatus::Renamed, false),
            (Some("run.sh"), Some("run.sh"), FileStatus::Mode, false),
            (Some("p.png"), Some("p.png"), FileStatus::Modified, true),
            (Some("c"), Some("d"), FileStatus::Copied, false),
        ]
    );
}

#[test]
fn paths_with_spaces_quotes_and_other_scripts_are_read() {
    let text = "diff --git a/two words.txt b/two words.txt\nold mode 100644\nnew mode 100755\n\
        diff --git \"a/\\303\\274 \\\"q\\\".txt\" \"b/\\303\\274 \\\"q\\\".txt\"\nold mode 100644\nnew mode 100755\n\
        diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n\
        --- plain.txt\t2024-01-01\n+++ plain.txt\t2024-01-02\n@@ -1 +1 @@\n-a\n+b\n";
    let diff = Diff::read(text.as_bytes());
    let paths: Vec<_> = diff.files.iter().map(jury_text::diff::File::path).collect();
    assert_eq!(paths, ["two words.txt", "ü \"q\".txt", "z", "plain.txt"]);
}

#[test]
fn carriage_returns_missing_ends_and_cut_hunks_are_survived() {
    let diff = Diff::read(
        b"--- a/x\r\n+++ b/x\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n\\ No newline at end of file\r\n",
    );
    let lines = &diff.files[0].hunks[0].lines;
    assert_eq!(diff.files[0].path(), "x");
    assert_eq!((lines[2].text.as_str(), lines[2].unended), ("c", true));
    let cut = Diff::read(b"--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n");
    assert_eq!(cut.files[0].hunks[0].lines.len(), 2);
    assert_eq!(cut.notes, ["x: a hunk ends before its last line; the diff is cut or damaged"]);
}

#[test]
fn what_looks_like_a_head_within_a_hunk_is_a_line() {
    let diff = Diff::read(b"--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ new\n same\n");
    let texts: Vec<_> = diff.files[0].hunks[0].lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!((diff.files.len(), texts), (1, vec!["-- old comment", "++ new", "same"]));
}

#[test]
fn combined_diffs_are_passed_over_and_named() {
    let diff = Diff::read(b"diff --cc a.c\nindex 1,2..3\n--- a/a.c\n+++ b/a.c\n@@@ -1,1 -1,1 +1,2 @@@\n++x\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(diff.files.iter().map(jury_text::diff::File::path).collect::<Vec<_>>(), ["b"]);
    assert_eq!(diff.notes, ["a.c: a combined diff of a merge is passed over; compare with one parent"]);
}

#[test]
fn what_is_too_much_is_counted() {
    let mut text = String::from("--- a/big\n+++ b/big\n@@ -0,0 +1,1000 @@\n");
    for _ in 0..1000 {
        text.push_str("+0123456789\n");
    }
    text.push_str("--- a/small\n+++ b/small\n@@ -1 +1 @@\n-a\n+b\n");
    let limits = DiffLimits { bytes: 100_000, file: 7_400, line: 100, files: 10 };
    let diff = Diff::read_within(text.as_bytes(), limits);
    assert_eq!(diff.files[0].hunks[0].lines.len(), 100);
    assert_eq!(diff.files[1].hunks[0].lines.len(), 2);
    let left: Vec<_> = diff.omitted.iter().map(|left| (left.path.as_str(), left.lines, left.bytes)).collect();
    assert_eq!(left, [("big", 900, 9_000)]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// What is written from a change is read as that change.
    #[test]
    fn every_change_is_read_as_it_was_written(
        lines in prop::collection::vec((0_u8..3, "[ -~]{0,20}"), 1..30),
        start in 1_u64..1_000_000,
    ) {
        let old = lines.iter().filter(|(kind, _)| *kind != 1).count();
        let new = lines.iter().filter(|(kind, _)| *kind != 2).count();
        let mut text = format!("--- a/f\n+++ b/f\n@@ -{start},{old} +{start},{new} @@\n");
        for (kind, line) in &lines {
            text.push([' ', '+', '-'][usize::from(*kind)]);
            text.push_str(line);
            text.push('\n');
        }
        let diff = Diff::read(text.as_bytes());
        prop_assert_eq!(&diff.notes, &Vec::<String>::new());
        let read: Vec<_> = diff.files[0].hunks[0].lines.iter().map(|line| {
            let kind = match line.change { LineChange::Context => 0, LineChange::Added => 1, LineChange::Removed => 2 };
            (kind, line.text.clone())
        }).collect();
        prop_assert_eq!(read, lines);
    }
}

proptest! {
    /// However a diff is cut into pieces, it is the same diff: also where lines are longer than what is kept of them.
    #[test]
    fn pieces_make_the_same_diff(
        lines in proptest::collection::vec("(diff --git a/x b/x|--- a/x|\\+\\+\\+ b/x|@@ -1,9 \\+1,9 @@ f|[-+ ][a-z]{0,200}\r?|[a-z]{0,9})", 0..40),
        cuts in proptest::collection::vec(1_usize..90, 1..20),
    ) {
        let text = lines.join("\n").into_bytes();
        let limits = DiffLimits { bytes: 2000, line: 20, file: 900, files: 3 };
        let mut reader = DiffReader::new(limits);
        let mut rest = text.as_slice();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at((*cut).min(rest.len()));
            reader.feed(piece);
            rest = after;
        }
        prop_assert_eq!(reader.finish(), Diff::read_within(&text, limits));
    }
}

/// Heads of hunks without lines, and paths without end, cost memory too.
#[test]
fn heads_and_paths_have_a_bound() {
    let limits = DiffLimits { bytes: 64 << 10, line: 16 << 10, file: 32 << 10, files: 100 };
    let mut reader = DiffReader::new(limits);
    reader.feed(b"--- a/x\n+++ b/x\n");
    for _ in 0..200_000 {
        reader.feed(b"@@ -0,0 +0,0 @@\n");
    }
    for _ in 0..1000 {
        let path = "p".repeat(20_000);
        reader
            .feed(format!("diff --git a/{path} b/{path}\nrename from {path}\nrename to {path}\n").as_bytes());
    }
    let diff = reader.finish();
    let kept: usize = diff.files.iter().map(|file| file.path().len()).sum();
    assert!(diff.files.len() <= 100 && diff.omitted.len() <= 100);
    assert!(kept <= 100 * 1024, "{kept}");
}

#[test]
fn a_diff_with_the_same_lines_before_and_after_changes_nothing() {
    let nothing = |text: &str| Diff::read(text.as_bytes()).changes_nothing();
    let head = "--- a/x.rs\n+++ b/x.rs\n";
    for hunk in ["@@ -1,2 +1,2 @@\n a\n b\n", "@@ -1 +1 @@\n-a\n+a\n"] {
        assert!(nothing(&format!("{head}{hunk}")), "{hunk}");
    }
    for hunk in [
        "@@ -1 +1 @@\n-a\n+b\n",
        "@@ -1 +1 @@\n-a\n+ a\n",
        "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n",
    ] {
        assert!(!nothing(&format!("{head}{hunk}")), "{hunk}");
    }
    assert!(!nothing("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n"));
    assert!(!nothing(""));
}

const HUNK: &str = "--- a/x.rs\n+++ b/x.rs\n@@ -1,3 +1,4 @@\n a\n-b\n+c\n+d\n e\n";

#[test]
fn a_diff_that_ends_in_the_middle_is_not_whole() {
    let torn = |text: &str| Diff::read(text.as_bytes()).torn;
    let heads = [
        "--- a/x.rs\n+++ b/x.rs\n",
        "diff --git a/x.rs b/x.rs\n",
        "diff --git a/x.rs b/x.rs\nindex 1111111..2222222 100644\n",
        "diff --git a/x.rs b/x.rs\nnew file mode 100644\nindex 0000000..2222222\n",
        "diff --git a/x.rs b/x.rs\nindex 1111111..2222222 100644\n--- a/x.rs\n+++ b/x.rs\n",
    ];
    for head in heads {
        assert_eq!(torn(head), ["x.rs: its lines do not come"], "{head}");
    }
    // Wherever it is cut between its first and its last line.
    let lines: Vec<&str> = HUNK.lines().collect();
    for kept in 2..lines.len() {
        let text = lines[..kept].join("\n");
        assert_eq!(torn(&text).len(), 1, "{text}");
    }
    for (text, what) in [
        (HUNK.replace("+d\n", ""), "a hunk ends before its last line"),
        (HUNK.replace("+d\n", "+d\n+f\n"), "a hunk has other lines than its head says"),
        (HUNK.replace(" e\n", " e\n+f\n"), "a hunk has more lines than its head says"),
        (HUNK.replace(" e\n", " e\n f\n"), "a hunk has more lines than its head says"),
        (format!("{HUNK}[3 files omitted]\n"), "a mark stands for a part that is not there"),
        (format!("{HUNK}warning: 1 file was too large and is not shown\n"), "a mark stands for a part"),
        (HUNK.replace("-1,3", "-1,2"), "a hunk has other lines than its head says"),
        (HUNK.replace("@@ -1,3 +1,4 @@", "@@ -1,3 +1"), "the head of a hunk cannot be read"),
    ] {
        assert!(torn(&text).iter().any(|line| line.contains(what)), "{text}{:?}", torn(&text));
    }
}

#[test]
fn a_diff_with_all_its_lines_is_whole() {
    let whole = [
        HUNK.to_owned(),
        HUNK.trim_end().to_owned(),
        format!("{HUNK}{HUNK}"),
        format!("{HUNK}@@ -20 +21 @@ fn a()\n-x\n+y\n"),
        format!("{HUNK}\\ No newline at end of file\n"),
        // Mails and logs around it.
        format!("From 1111111 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n---\n x.rs | 3 ++-\n\n{HUNK}-- \n2.43.0\n"),
        format!("{HUNK}-- \n2.43.0\n\nFrom 2222222 Mon Sep 17 00:00:00 2001\n---\n x.rs | 3 ++-\n\n{HUNK}--\n2.43.0\n"),
        format!("commit 1111111\n\n    x\n\n{HUNK}\ncommit 2222222\n\n    - a list\n    + in a message\n\n{HUNK}"),
        // Nothing has to follow.
        "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n".to_owned(),
        "diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n".to_owned(),
        "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n".to_owned(),
        "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n".to_owned(),
        "diff --git a/x.png b/x.png\nindex 1111111..2222222 100644\nBinary files a/x.png and b/x.png differ\n".to_owned(),
    ];
    for text in whole {
        assert_eq!(Diff::read(text.as_bytes()).torn, Vec::<String>::new(), "{text}");
    }
}
