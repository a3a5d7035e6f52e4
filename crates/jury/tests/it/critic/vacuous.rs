//! Documents in which there is nothing to review, and checks that look at nothing.

use crate::harness::Context;

/// The exit code, and everything that is said about a file.
fn reviewed(name: &str, text: &str, criteria: &str) -> (i32, String) {
    let cx = Context::new();
    cx.write(name, text);
    std::fs::create_dir(cx.path("criteria")).unwrap();
    cx.write(
        "criteria/code.toml",
        "name = \"code\"\ncap = 2\n[adversarial]\ncheck = [\"true\"]\n[[criterion]]\nid = \"CODE\"\n\
         question = \"Can every block be read?\"\nmeasure = \"code-block\"\n",
    );
    cx.write(
        "criteria/own.toml",
        "name = \"own\"\ncap = 2\n[adversarial]\ncheck = [\"true\"]\n[[criterion]]\nid = \"LINES\"\n\
         question = \"Is it short?\"\nshell = \"wc -l < {file}\"\n",
    );
    cx.write(
        "criteria/absent.toml",
        "name = \"absent\"\ncap = 2\n[adversarial]\ncheck = [\"true\"]\n[[criterion]]\nid = \"LINES\"\n\
         question = \"Is it short?\"\ncheck = [\"no-such-program\", \"{file}\"]\n",
    );
    let output =
        cx.jury().args(["critic", "run", name, "--criteria", criteria, "--no-fix"]).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code().unwrap(), said)
}

const PAGE: &str = "<!doctype html>\n<html><body><h1>A tool</h1><p>It counts words.</p></body></html>\n";
const SOURCE: &str = "use std::fs;\n\nfn main() {\n    let text = fs::read(\"x\");\n    drop(text);\n}\n";
const DATA: &str = "{\"name\": \"tool\", \"about\": \"it counts the words of a file\"}\n";

#[test]
fn what_is_no_document_is_inconclusive() {
    for criteria in ["docs", "plan"] {
        for (name, text, why) in [
            ("main.rs", SOURCE, "source code"),
            ("data.json", DATA, "data"),
            ("page.html", PAGE, "HTML"),
            ("notes.md", SOURCE, "source code"),
            ("notes.md", DATA, "JSON"),
            ("notes.md", PAGE, "HTML"),
            ("notes.md", "x", "1 word"),
            ("notes.md", "# x\n", "1 word"),
            ("notes.md", "---\n", "0 words"),
        ] {
            let (code, said) = reviewed(name, text, criteria);
            assert_eq!(code, 3, "{criteria} {name}: {said}");
            assert!(said.contains(why), "{criteria} {name}: {said}");
        }
    }
}

#[test]
fn a_short_document_without_links_is_reviewed() {
    for (name, text) in [
        ("README.md", "# Tool\n\nCounts the words of a file.\n"),
        ("README", "# Tool\n\nCounts the words of a file.\n"),
        ("notes.txt", "# Notes\n\nWe meet on Friday at ten.\n"),
    ] {
        let (code, said) = reviewed(name, text, "docs");
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("The file is empty. (looked for by a command)"), "{said}");
        assert!(!said.contains("plays the failure"), "{said}");
    }
}

#[test]
fn checks_that_look_at_nothing_or_do_not_run_are_inconclusive() {
    let document = "# Tool\n\nCounts the words of a file.\n";
    let (code, said) = reviewed("README.md", document, "code");
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("nothing was reviewed: CODE had nothing to look at"), "{said}");
    let (code, said) = reviewed("README.md", document, "absent");
    assert!(code == 3 && said.contains("no-such-program"), "{said}");
    // Commands of the user's look at whatever they like.
    for (name, text) in [("README.md", document), ("main.rs", SOURCE)] {
        let (code, said) = reviewed(name, text, "own");
        assert_eq!(code, 0, "{said}");
    }
}
