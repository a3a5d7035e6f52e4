//! Diffs that somebody wrote to break their reader.

use jury_text::diff::{BYTES_PER_TOKEN, Diff, DiffLimits, DiffReader, pack, pack_log, search};
use proptest::prelude::*;

/// Everything that is done with a diff; it must come back.
fn all(bytes: &[u8]) -> Diff {
    let diff = Diff::read(bytes);
    for found in search(&diff, "Change src/a.rs") {
        assert!(!found.text.contains('\n') && !found.quote.contains('\n'), "{found:?}");
    }
    for tokens in [0, 100, 8000] {
        let shown: usize = pack(&diff, tokens).parts.iter().map(|part| part.text.len()).sum();
        assert!(shown <= tokens * BYTES_PER_TOKEN, "{shown} bytes for {tokens} tokens");
    }
    let limits = DiffLimits { bytes: 4096, line: 256, file: 2048, files: 4 };
    let small = Diff::read_within(bytes, limits);
    assert!(small.files.len() <= limits.files && small.omitted.len() <= limits.files);
    let kept: usize = small.files.iter().flat_map(|file| &file.hunks).map(|hunk| hunk.lines.len()).sum();
    assert!(kept * 64 <= limits.bytes, "{kept} lines");
    diff
}

#[test]
fn paths_are_only_text() {
    let path = "$(touch x);`id`|&>../../etc/passwd";
    let text = format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(all(text.as_bytes()).files[0].path(), path);
    let broken = all(b"diff --git \"a/\\n\\177\\777\\\n--- \"\n+++ \"\\\n@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(broken.files.len(), 1);
    // A line break in a path does not begin a line of what is packed.
    let text = "diff --git \"a/x\\n+++ y\" \"b/x\\n+++ y\"\nold mode 1\nnew mode 2\n";
    let packed = pack(&Diff::read(text.as_bytes()), 100);
    assert_eq!(packed.parts[0].text.lines().count(), 1);
}

#[test]
fn numbers_have_no_end() {
    let nines = "9".repeat(400);
    let text = format!("--- a/x\n+++ b/x\n@@ -{nines},{nines} +{nines},{nines} @@\n-a\n+b\n c\n");
    let diff = all(text.as_bytes());
    assert_eq!(diff.files[0].hunks[0].lines.len(), 3);
    assert_eq!(diff.files[0].hunks[0].lines[2].new, u64::MAX);
    for head in ["@@ -1,-1 +1 @@", "@@ -a +b @@", "@@ -1", "@@ -1 +1", "@@ - + @@", "@@ -,1 +,1 @@"] {
        let text = format!("--- a/x\n+++ b/x\n{head}\n+a\n");
        assert_eq!(all(text.as_bytes()).notes.len(), 1, "{head}");
    }
}

#[test]
fn nesting_has_no_depth() {
    for (name, open) in
        [("a.rs", "fn a() { ("), ("a.py", "def a(): ("), ("a.ts", "it('a', () => {"), ("a.go", "func a() {")]
    {
        let count = 20_000;
        let mut text = format!("--- a/{name}\n+++ b/{name}\n@@ -0,0 +1,{count} @@\n");
        for _ in 0..count {
            text.push('+');
            text.push_str(open);
            text.push('\n');
        }
        assert_eq!(all(text.as_bytes()).files[0].hunks[0].lines.len(), count);
    }
    let deep = format!("--- a/a.rs\n+++ b/a.rs\n@@ -0,0 +1 @@\n+{}\n", "{(/*\"".repeat(100_000));
    all(deep.as_bytes());
}

#[test]
fn one_line_can_be_everything() {
    let mut text = b"--- a/a.js\n+++ b/a.js\n@@ -0,0 +1,2 @@\n+".to_vec();
    text.resize(50 << 20, b'x');
    text.extend_from_slice(b"\n+end\n");
    let diff = all(&text);
    let lines = &diff.files[0].hunks[0].lines;
    assert_eq!((lines[0].text.len(), lines[1].text.as_str()), (DiffLimits::default().line, "end"));
    assert_eq!(diff.omitted[0].why, "long lines are cut");
    let log = pack_log(&text, 2000);
    assert!(log.text.len() < 5000);
}

#[test]
fn many_files_are_counted_and_not_kept() {
    let mut text = String::new();
    for file in 0..300 {
        text += format!("--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n-a\n+b\n").as_str();
    }
    let diff = Diff::read_within(text.as_bytes(), DiffLimits { files: 100, ..DiffLimits::default() });
    assert_eq!((diff.files.len(), diff.omitted.len()), (100, 100));
    assert_eq!(diff.notes, ["100 more files are left out and not named"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        all(&bytes);
        let mut text = b"--- a/a.py\n+++ b/a.py\n@@ -1,500 +1,500 @@\n".to_vec();
        for piece in bytes.chunks(40) {
            text.push(b" +-"[usize::from(piece[0]) % 3]);
            text.extend_from_slice(piece);
            text.push(b'\n');
        }
        all(&text);
    }

    #[test]
    fn no_pieces_of_code_break_it(pieces in prop::collection::vec((0_usize..24, 0_usize..3), 0..60), language in 0_usize..6) {
        const PIECES: [&str; 24] = [
            "fn a() {", "}", "#[test]", "def test_a():", "    pass", "except:", "assert x == 1", "it('a', () => {", "});",
            "expect(x).toBe(1);", "func TestA(t *testing.T) {", "@Test", "void a() {", "\"\"\"", "`", "/*", "*/", "// todo x();",
            "if x == \"\u{fc}-1\" { return 1 }", "token = 'ghp_", "'", "\\", "catch (e) {", "assertEquals(1e-, 0x);",
        ];
        let name = ["a.rs", "a.py", "a_test.go", "a.test.ts", "ATest.java", "ci.yml"][language];
        let mut text = format!("--- a/{name}\n+++ b/{name}\n@@ -1,60 +1,60 @@ {}\n", PIECES[pieces.len() % 24]);
        for (piece, change) in &pieces {
            text.push([' ', '+', '-'][*change]);
            text.push_str(PIECES[*piece]);
            text.push('\n');
        }
        all(text.as_bytes());
    }
}

#[test]
fn a_diff_of_200_megabytes_costs_what_is_kept_of_it() {
    let line = b"+    let value = compute(first, second, third, fourth);\n";
    let mut text = b"--- a/a.rs\n+++ b/a.rs\n@@ -0,0 +1,99999999 @@\n".to_vec();
    text.reserve(200 << 20);
    while text.len() < 200 << 20 {
        text.extend_from_slice(line);
    }
    let limits = DiffLimits::default();
    let mut diff = Diff::default();
    let cost = allocation_counter::measure(|| diff = Diff::read(&text));
    assert!(cost.bytes_max < 4 * limits.bytes as u64, "{cost:?}");
    let kept: usize = diff.files[0].hunks[0].lines.len();
    let left = usize::try_from(diff.omitted[0].lines).expect("a count");
    assert_eq!((kept + left) * line.len(), text.len() - 45);
}

/// A line without an end comes in pieces, and nobody waits for its end in memory.
#[test]
fn a_line_without_an_end_costs_what_is_kept_of_it() {
    let piece = vec![b'+'; 64 << 10];
    let mut diff = Diff::default();
    let cost = allocation_counter::measure(|| {
        let mut reader = DiffReader::new(DiffLimits::default());
        reader.feed(b"--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n");
        for _ in 0..1024 {
            reader.feed(&piece);
        }
        diff = reader.finish();
    });
    assert!(cost.bytes_max < 256 << 10, "{cost:?}");
    assert_eq!(diff.files[0].hunks[0].lines[0].text.len(), 16 << 10);
    assert_eq!(diff.omitted[0].bytes, (64 << 20) - 1 - (16 << 10));
}
