//! Changes that try to hide what they do: comments and regular expressions that mislead the reader, numbers that come back
//! where nothing is tested.

use jury_text::diff::{Detector, Diff, search};

/// A new file with these lines.
fn new_file(path: &str, text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("+{line}\n")).collect();
    format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{} @@\n{}", lines.len(), lines.concat())
}

/// Lines in the middle of a file, all new, below a line that stays.
fn in_the_middle(path: &str, text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("+{line}\n")).collect();
    let count = lines.len();
    format!(
        "--- a/{path}\n+++ b/{path}\n@@ -40,1 +40,{} @@\n const known = 1;\n{}",
        count + 1,
        lines.concat()
    )
}

fn found(diff: &str) -> Vec<Detector> {
    let mut found: Vec<Detector> =
        search(&Diff::read(diff.as_bytes()), "").into_iter().map(|fact| fact.detector).collect();
    found.dedup();
    found
}

const HIDDEN: &str = "export async function keep(store: Store): Promise<void> {\n  try {\n    await store.write();\n  } catch (e) {}\n}\n\nexport function next(): string {\n  throw new Error('Not implemented');\n}\n\n";

#[test]
fn a_comment_and_a_regular_expression_hide_nothing() {
    let ends = [
        "/** The names. */\nexport function names(text: string): string[] {\n  return all(text, /label: '([^']+)'/g);\n}\n",
        "/* eslint-env node */\nexport const bare = (s: string) => s.replace(/[\"'{]/g, '');\n",
        "/* a */\nconst quote = /[`\"']/;\nconst open = /[({[]/;\n",
        "const end = '*/';\nexport const bare = (s: string) => s.replace(/[\"'{]/g, '');\n",
        "// */\nconst close = /['\")}]/;\n",
        "const tick = /`/;\n",
    ];
    for end in ends {
        let text = format!("{HIDDEN}{end}");
        for diff in [new_file("src/keep.ts", &text), in_the_middle("src/keep.ts", &text)] {
            let found = found(&diff);
            assert!(found.contains(&Detector::SwallowedError), "{found:?}\n{diff}");
            assert!(found.contains(&Detector::Stub), "{found:?}\n{diff}");
            assert!(!found.contains(&Detector::CommentedOut), "{found:?}\n{diff}");
        }
    }
}

#[test]
fn a_hunk_that_begins_in_a_comment_is_still_read_as_one() {
    let diff = "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -10,4 +10,5 @@\n  * What it does:\n- * nothing;\n+ * it throws new Error('Not implemented');\n+ * later.\n  */\n export const a = 1;\n";
    assert_eq!(found(diff), []);
}

/// A test of Python that goes, and lines that come in another place.
fn gone(added_to: &str, added: &str) -> String {
    let lines: Vec<String> = added.lines().map(|line| format!("+{line}\n")).collect();
    format!(
        "--- a/tests/test_sum.py\n+++ b/tests/test_sum.py\n@@ -1,8 +1,5 @@\n from sums import add\n \n \n def test_small():\n     assert add(1, 2) == 3\n-\n-def test_large():\n-    assert add(20, 31) == 51\n\
         --- a/{added_to}\n+++ b/{added_to}\n@@ -30,1 +30,{} @@\n known = 1\n{}",
        lines.len() + 1,
        lines.concat()
    )
}

#[test]
fn a_test_does_not_come_back_as_numbers_in_the_code() {
    for (path, added) in [
        ("src/sums.py", "LIMITS = (20, 31, 51)\n"),
        ("src/sums.py", "def limits():\n    return [20, 31, 51]\n"),
        ("tests/test_other.py", "LIMITS = (20, 31, 51)\n"),
        ("tests/helper.py", "def limits():\n    return [20, 31, 51]\n"),
        ("docs/notes.md", "20, 31 and 51 are fine.\n"),
    ] {
        assert_eq!(found(&gone(path, added)), [Detector::TestsDeleted], "{path} {added}");
    }
}

#[test]
fn a_test_may_come_back_in_another_form() {
    for (path, added) in [
        ("tests/test_other.py", "def test_numbers():\n    assert add(20, 31) == 51\n"),
        (
            "tests/test_other.py",
            "def test_numbers():\n    for a, b, c in [(20, 31, 51), (2, 2, 4)]:\n        assert add(a, b) == c\n",
        ),
        (
            "tests/test_other.py",
            "@pytest.mark.parametrize(\"a, b, c\", [\n    (20, 31, 51),\n    (2, 2, 4),\n])\ndef test_numbers(a, b, c):\n    assert add(a, b) == c\n",
        ),
        (
            "tests/test_other.py",
            "CASES = [\n    (20, 31, 51),\n]\n\n\ndef test_numbers():\n    for a, b, c in CASES:\n        assert add(a, b) == c\n",
        ),
    ] {
        assert_eq!(found(&gone(path, added)), [], "{path} {added}");
    }
}

#[test]
fn an_assertion_does_not_come_back_as_a_constant() {
    let diff = "--- a/tests/test_sum.py\n+++ b/tests/test_sum.py\n@@ -4,3 +4,2 @@\n def test_sum():\n     assert add(1, 2) == 3\n-    assert add(20, 31) == 51\n\
        --- a/src/sums.py\n+++ b/src/sums.py\n@@ -1,1 +1,2 @@\n known = 1\n+MOST = (20, 31, 51)\n";
    assert_eq!(found(diff), [Detector::AssertionsWeakened]);
}
