//! A positive and a negative for each check.

use jury_text::document::{Check, Document, NearbyFiles, measure};

use super::{lines, measured};

#[test]
fn dead_links() {
    let bad = "# A\n\n[x](gone.md) and ![i](img/y.png)\n\n[a][nowhere], a note[^1]\n\n<img src=\"no.png\">\n";
    assert_eq!(lines(bad, Check::DeadLink), [3, 3, 5, 5, 7]);
    let good = "# A\n\n[x](there.md), ![i](./img/x.png), [h](https://x.y/z), [m](mailto:a@b.c), `[x](gone.md)`,\n\
                table[i][j], [`A`][crate::A], [s](/docs/x), [text] alone, [t]({{url}}), [n](there.html), note[^n]\n\n[^n]: a note\n";
    assert_eq!(lines(good, Check::DeadLink), [0; 0]);
}

#[test]
fn a_version_without_its_link_is_dead_where_others_have_one() {
    let text =
        "# Log\n\n## [3.0.0]\n\n## [2.0.0]\n\n## [1.0.0]\n\n[2.0.0]: https://x.y\n[1.0.0]: https://x.y\n";
    assert_eq!(lines(text, Check::DeadLink), [3]);
    assert_eq!(lines("# Log\n\n## [2.0.0]\n\n## [1.0.0]\n", Check::DeadLink), [0; 0]);
}

#[test]
fn dead_anchors() {
    let bad = "# A b\n\n## Usage\n\n## Usage\n\n[1](#usage-2) [2](#A-b) [3](there.md#part-two)\n";
    assert_eq!(lines(bad, Check::DeadAnchor), [7, 7, 7]);
    let good = "# A b\n\n## Usage\n\n## Usage\n\n## `code` & *more*: 1.2\n\n## Ünï\n\n<a name=\"here\"></a>\n\n\
                [1](#usage-1) [2](#a-b) [3](there.md#part-one) [4](#here) [5](#code--more-12) [6](#ünï) [7](#%C3%BCn%C3%AF) [8](https://x.y/#z) [9](x.rs#L10)\n";
    assert_eq!(lines(good, Check::DeadAnchor), [0; 0]);
    assert_eq!(measured(good, Check::DeadAnchor).examined, 7);
}

#[test]
fn headings_out_of_order() {
    assert_eq!(lines("# A\n\n### B\n\n#\n", Check::HeadingOrder), [3, 5, 5]);
    assert_eq!(lines("## A\n\n## B\n\n## A\n", Check::HeadingOrder), [1, 5]);
    assert_eq!(lines("# A\n\n## B\n\n### C\n\n## D\n\n### C\n", Check::HeadingOrder), [0; 0]);
    assert_eq!(lines("---\ntitle: A\n---\n\n## B\n\n## C\n", Check::HeadingOrder), [0; 0]);
    // A habit is one finding.
    assert_eq!(
        lines(
            "# A\n\n## 1\n\n#### x\n\n## 2\n\n#### x\n\n## 3\n\n#### x\n\n## 4\n\n#### x\n",
            Check::HeadingOrder
        ),
        [5]
    );
}

#[test]
fn unfinished_markers() {
    let bad = "# A\n\nTODO: write\n\nOwner: TBD\n\nThe size is to be defined.\n\nLorem ipsum dolor.\n\nCall [insert name] or <insert number>.\n\n???\n\n```\nTODO\n```\n\n<!-- FIXME: x -->\n";
    assert_eq!(lines(bad, Check::UnfinishedMarker), [3, 5, 7, 9, 11, 11, 13, 15, 19]);
    let good = "# A\n\nThe TODO list is empty, \"TBD\" is a joke, `FIXME` is code. It finds TODO comments.\n\nA schema needs to be defined. Really???\n\n- [ ] open box\n\n## TODO\n\n- paint the door\n\n```rust\n// TODO: later\nfn f() {}\n```\n\nSee TODO.md and XXX-12.\n";
    assert_eq!(lines(good, Check::UnfinishedMarker), [0; 0]);
}

#[test]
fn undefined_terms() {
    let bad = "# A\n\nThe QZX sends it. The QZX waits.\n\n- FR-001: a\n- FR-002: b\n\nSee FR-001 and FR-007.\n\n## Glossary\n\n- **Frame**:\n\nA [packet](#glossary).\n";
    assert_eq!(lines(bad, Check::UndefinedTerm), [3, 8, 12, 14]);
    let good = "# A\n\nThe quick zone exchange (QZX) and the HTTP API. The QZX MUST NOT wait. `ABQ` is code, and ABQ too. RFC-2119, UTF-8, JIRA-12.\n\n- FR-001: a\n- FR-002: b\n\nFR-001 to FR-002.\n";
    assert_eq!(lines(good, Check::UndefinedTerm), [0; 0]);
}

#[test]
fn unused_definitions() {
    let bad = "# A\n\n[x][used] a[^1]\n\n- R-1: a\n- R-2: b\n- R-3: c\n\nR-1 and R-3 matter.\n\n## Glossary\n\n- **Frame**: a piece\n\n[used]: https://x.y\n[other]: https://x.y\n\n[^1]: n\n[^2]: m\n";
    assert_eq!(lines(bad, Check::UnusedDefinition), [6, 13, 16, 19]);
    let good = "# A\n\n[X]\n\nFrames are sent.\n\n## Glossary\n\n- **Frame**: a piece\n\n[x]: https://x.y\n[//]: # (a comment)\n";
    assert_eq!(lines(good, Check::UnusedDefinition), [0; 0]);
}

#[test]
fn requirements_without_acceptance() {
    let bad = "# A\n\n## Requirements\n\n- FR-001: The door must open.\n  - Acceptance: it opens.\n- FR-002: The door must close.\n- FR-003: The door must lock.\n\n## Tests\n\n- T1 covers FR-003.\n";
    assert_eq!(lines(bad, Check::NoAcceptance), [7]);
    let table = "# A\n\n## Requirements\n\n| Id | What | Acceptance |\n|---|---|---|\n| FR-001 | open | opens |\n| FR-002 | close | |\n";
    assert_eq!(lines(table, Check::NoAcceptance), [8]);
    let prose = "# A\n\nYou must install it first. It must be there.\n";
    assert_eq!(measured(prose, Check::NoAcceptance).summary, "not applicable: no requirements to examine");
}

#[test]
fn vague_words() {
    let bad = "# A\n\n## Requirements\n\n- FR-001: It must be fast and user-friendly.\n- FR-002: Errors are handled as needed.\n\nIt shall support several formats.\n";
    assert_eq!(lines(bad, Check::VagueWord), [5, 5, 6, 8]);
    let good = "# A\n\nIt is fast, easy and robust, with several formats.\n\n## Requirements\n\n- FR-001: It must be fast: 95% within 200 ms.\n- FR-002: The word \"easy\" must not appear.\n\nIs it, as it must be, fast?\n";
    assert_eq!(lines(good, Check::VagueWord), [0; 0]);
}

#[test]
fn contradictory_numbers() {
    let bad = "# A\n\n## Limits\n\nThe session timeout is 30 s.\n\n| Name | Default |\n|---|---|\n| Session timeout | 60 s |\n| `retries` | 3 |\n\nThere are three steps:\n\n1. a\n2. b\n\nThe value of `retries` is 5.\n";
    assert_eq!(lines(bad, Check::ContradictoryNumber), [9, 12, 17]);
    let good = "# A\n\nThe session timeout is 60 s. The session timeout was 30 s before. For example, a session timeout of 5 s.\n\nSession timeout: 1 minute\n\n## Staging\n\nThe session timeout is 5 s.\n\n## North\n\n- Depth limit: 3 m\n\n## South\n\n- Depth limit: 4 m\n\nTwo steps:\n\n- a\n- b\n\nAt least three of them:\n\n- a\n- b\n";
    assert_eq!(lines(good, Check::ContradictoryNumber), [0; 0]);
}

#[test]
fn numbered_sections_are_not_versions() {
    let text = "# A\n\n## 1.1.1 One\n\nThe session timeout is 30 s.\n\n## 1.1.2 Two\n\nThe session timeout is 60 s.\n\n## 1.1.3 Three\n";
    assert_eq!(lines(text, Check::ContradictoryNumber), [9]);
    let log = "# Log\n\n## 1.1.3 - 2024-05-01\n\nThe session timeout is 30 s.\n\n## v1.1.2\n\nThe session timeout is 60 s.\n\n## 1.1.1\n";
    assert_eq!(lines(log, Check::ContradictoryNumber), [0; 0]);
}

#[test]
fn code_blocks() {
    let bad = "# A\n\n```json\n{\"a\": 1,}\n```\n\n```toml\na = \n```\n\n```yaml\na: [1\n```\n\n```sh\necho \"x\n```\n\n```rust\nfn f() {\n```\n\n```html\n<div><b></div>\n```\n";
    assert_eq!(lines(bad, Check::CodeBlock).len(), 6);
    let good = "# A\n\n```json\n{ ... }\n```\n\n```json\n\"a\": 1\n```\n\n```jsonc\n{\"a\": 1, // x\n}\n```\n\n```toml\n[target.<triple>]\n```\n\n```sh\n$ echo it\nit's\n```\n\n```bash\ncat <<EOF\n(\nEOF\nfor f in *; do if [ \"$f\" ]; then case $f in a) ;; esac; fi; done # it's\n```\n\n```rust\nlet c = '{'; let s: &'static str = r#\"\"(\"#; /* ( */\n```\n\n```html\n<ul><li>a<li>b</ul><br>\n```\n\n```python\n\"\"\" ( \"\"\"\n```\n\n```js\nconst r = /[(]/; `${a}(`;\n```\n\n```text\n(\n```\n";
    assert_eq!(measured(good, Check::CodeBlock).affected, []);
    assert_eq!(measured(good, Check::CodeBlock).examined, 10);
}

#[test]
fn an_id_stays_when_its_line_moves() {
    let text = "# A\n\n[x](gone.md)\n\nTODO: write\n";
    let moved = format!("# Before\n\nWords.\n\n{}", text.replace("# A", "## A"));
    for check in [Check::DeadLink, Check::UnfinishedMarker] {
        let (before, after) = (measured(text, check), measured(&moved, check));
        assert_eq!(before.affected[0].id, after.affected[0].id);
        assert_ne!(before.affected[0].line, after.affected[0].line);
    }
}

#[test]
fn files_are_not_examined_when_nobody_looked() {
    let document = Document::read("[x](gone.md)", &NearbyFiles::Unknown);
    assert_eq!(
        measure(&document, Check::DeadLink).summary,
        "not applicable: no links and references to examine"
    );
    assert_eq!(
        NearbyFiles::targets("[x](a/../b.md#c) [y](http://z) ![i](c.html)"),
        ["b.md", "c.html", "c.md"].map(str::to_owned).into()
    );
}
