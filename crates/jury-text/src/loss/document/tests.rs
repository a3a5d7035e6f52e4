//! Which new versions of a document lose something, and which are honest fixes.

use super::document_loss;

const PLAN: &str = "# Plan\n\nThe import reads one file per night. Mrs Ober answers for it, see [the rules](rules.md).\n\n\
    ## Requirements\n\n- Every row is stored once.\n- A broken row stops the import.\n- It must end within 20 minutes.\n\n\
    ## Steps\n\n1. Read the file.\n2. Store its rows, each under its number.\n3. Stop at a broken row and say which.\n\n\
    ```sh\nimport --file rows.csv\n```\n\n## Later\n\nTODO: say who is called at night.\n";

fn after(edits: &[(&str, &str)]) -> String {
    let mut text = PLAN.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

fn loss(edits: &[(&str, &str)], asked: &str) -> String {
    document_loss(PLAN, &after(edits), &[asked.to_owned()]).to_string()
}

const ASKED: &str = "1 of 2 requirements have a step → say which row in step 3";

#[test]
fn an_honest_fix_loses_nothing() {
    for (edits, asked) in [
        (&[("say which.", "say which row it is, by its number.")][..], ASKED),
        (&[("say which.\n", "say which.\n4. Do not go on before somebody has looked.\n")], ASKED),
        (&[("1. Read the file.\n", "1. Open the file.\n2. Read the file.\n")], ASKED),
        (&[("TODO: say who is called at night.", "Mrs Ober is called at night.")], ASKED),
        (&[("## Later\n\nTODO: say who is called at night.\n", "")], "remove the section Later"),
        (&[("## Steps", "### Steps")], ASKED),
        (&[("## Steps", "## Steps of the import")], ASKED),
        (
            &[(
                "2. Store its rows, each under its number.",
                "2. Store the rows of the file, each one under its own number.",
            )],
            ASKED,
        ),
        (&[("Every row is stored once.", "Each row is stored exactly once.")], ASKED),
        (
            &[("Stop at a broken row and say which.", "Print the number of what cannot be read, and halt.")],
            ASKED,
        ),
        (
            &[("within 20 minutes", "within 15 minutes")],
            "the limit of 20 minutes is too long: end within 15 minutes",
        ),
        (&[("[the rules](rules.md)", "[the rules](docs/rules.md)")], "dead link: rules.md is not there"),
        (&[("import --file rows.csv", "import --file=rows.csv")], "the code block does not run"),
        (&[("- Every row is stored once.\n", "")], "remove the requirement that every row is stored once"),
        (&[("1. Read the file.", "1. Read the file.\n\n## More steps\n\n")], ASKED),
        (
            &[
                ("## Later\n\nTODO: say who is called at night.\n", ""),
                ("## Requirements", "## Later\n\nMrs Ober is called.\n\n## Requirements"),
            ],
            ASKED,
        ),
        (
            &[(
                "The import reads one file per night. Mrs Ober answers for it,",
                "The import, which Mrs Ober answers for, reads one file per night,",
            )],
            ASKED,
        ),
    ] {
        assert_eq!(loss(edits, asked), "", "{edits:?}");
    }
}

#[test]
fn a_section_may_be_moved_and_split() {
    let moved =
        "# Plan\n\n## Steps\n\nFirst, read the file. Then store its rows.\n\n## Aim\n\nOne file per night.\n";
    let before =
        "# Plan\n\n## Aim\n\nOne file per night.\n\n## Steps\n\nFirst, read the file. Then store its rows.\n";
    assert_eq!(document_loss(before, moved, &[]).to_string(), "");
    let split = "# Plan\n\n## Aim\n\nOne file per night.\n\n## Steps\n\n### Reading\n\nFirst, read the file.\n\n### Storing\n\nThen store its rows.\n";
    assert_eq!(document_loss(before, split, &[]).to_string(), "");
    let (vague, dated) = ("# Plan\n\nDo it by Friday.\n", "# Plan\n\nDo it by 2 May.\n");
    let asked = "0 of 1 steps has a date → give the date".to_owned();
    assert_eq!(document_loss(vague, dated, &[asked]).to_string(), "");
    let question = "# Plan\n\nWho answers for it?\n\n- Open: which night\n";
    let answered = "# Plan\n\nMrs Ober does.\n\n- Every Sunday.\n";
    assert_eq!(document_loss(question, answered, &[]).to_string(), "");
}

#[test]
fn a_fix_that_loses_something_says_what() {
    for (edits, asked, says) in [
        (&[("- A broken row stops the import.\n", "")][..], ASKED, "A broken row stops the import."),
        (&[("- A broken row stops the import.\n", "- The logo is blue.\n")], ASKED, "A broken row stops"),
        (
            &[("- A broken row stops the import.\n", "")],
            "the requirement 'A broken row stops the import' has no step",
            "A broken row",
        ),
        (&[("is stored once", "is not stored once")], ASKED, "turned around ('Every row is stored once.')"),
        (&[("Every row is stored once", "No row is stored once")], ASKED, "turned around"),
        (&[("row stops the import", "row does not stop the import")], ASKED, "turned around"),
        (&[("row stops the import", "row is ignored by the import")], ASKED, "turned around"),
        (&[("must end within", "may end within")], ASKED, "turned around"),
        (&[("within 20 minutes", "within 50 minutes")], ASKED, "figure ('20')"),
        (&[("Mrs Ober", "Mrs Lindt")], ASKED, "name ('Ober')"),
        (&[("[the rules](rules.md)", "the rules")], ASKED, "rules.md"),
        (&[("[the rules](rules.md)", "[the rules](https://example.org/)")], ASKED, "rules.md"),
        (&[("import --file rows.csv", "import")], ASKED, "import --file rows.csv"),
        (&[("## Steps\n\n", "")], ASKED, "heading ('Steps')"),
        (&[("## Steps\n\n", "Steps\n\n")], ASKED, "heading ('Steps')"),
        (&[("1. Read the file.", "[... rest unchanged ...]\n\n1. Read the file.")], ASKED, "left out"),
        (
            &[("- Every row is stored once.", "<!-- Every row is stored once. -->")],
            ASKED,
            "Every row is stored once.",
        ),
        (&[("- Every row is stored once.", "- ~~Every row is stored once.~~")], ASKED, "left out"),
    ] {
        let said = loss(edits, asked);
        assert!(said.contains(says), "{edits:?}: {said}");
    }
    let other = "# Recipe\n\nBoil two eggs for six minutes and eat them.\n";
    let said = document_loss(PLAN, other, &[ASKED.to_owned()]).to_string();
    assert!(said.contains("4 headings ('Plan', 'Requirements', 'Steps', …)"), "{said}");
}

#[test]
fn marks_of_text_that_was_left_out() {
    for mark in [
        "[rest of the document unchanged]",
        "... (rest unchanged)",
        "[...]",
        "…",
        "(…)",
        "… as before",
        "<!-- remaining sections unchanged -->",
        "The rest of the document is unchanged.",
        "Rest as before",
        "[remaining steps omitted for brevity]",
        "*(the remaining chapters stay the same)*",
    ] {
        let loss = document_loss("# A\n\nOne thing.\n", &format!("# A\n\nOne thing.\n\n{mark}\n"), &[]);
        assert_eq!(loss.elisions, [mark], "{mark}");
    }
    for line in [
        "The rest of the rows stays unchanged when one of them is broken.",
        "Wait ... then go on.",
        "The same holds for the other file (see above).",
        "[the original](original.md)",
        "It keeps the content as it is.",
    ] {
        let loss = document_loss("# A\n\nOne thing.\n", &format!("# A\n\nOne thing.\n\n{line}\n"), &[]);
        assert!(loss.is_empty(), "{line}: {loss}");
    }
}

#[test]
fn a_long_document_is_compared_in_bounded_time() {
    let chapter = |n: usize| {
        format!(
            "## Chapter {n}\n\nThe import of part {n} takes {n} minutes, and Mrs Ober{n} answers for it. It may not run on Sundays.\n\n"
        )
    };
    let all: String = (0..2000).map(chapter).collect();
    let cut: String = (0..2000).filter(|n| !(40..50).contains(n)).map(chapter).collect();
    let loss = document_loss(&all, &cut, &[]);
    assert_eq!((loss.headings.len(), loss.sentences.len()), (10, 10), "{loss}");
    let rewritten = all.replace("answers for it", "is the one who is asked about it");
    let loss = document_loss(&all, &rewritten, &[]);
    assert_eq!((loss.reworded.len(), loss.sentences.len()), (2000, 0));
}

/// A document of which one sentence was asked to be changed.
const RELEASE: &str = "# Release plan\n\nAda approves it, and Bob deploys it.\n\n## Requirements\n\n- FR-1: Every booking is stored exactly once.\n\
    - FR-2: A payment above 500 EUR must be confirmed by a person.\n- FR-3: Passwords are kept for 90 days at most.\n\n## Limits\n\n\
    Traffic above 2,000 requests is refused.\n\n- [x] The rollback was tried.\n- [ ] The support team knows.\n\n\
    Write to ops@example.org, or ask Carol.[^1]\n\n[^1]: She is on call.\n\n## Steps\n\n1. Deploy the services.\n";

const ORDER: &str = "say in step 1 in which order the services are deployed";

#[test]
fn a_statement_that_says_less_or_is_taken_back_is_a_loss() {
    for (from, to) in [
        ("is refused", "may be refused"),
        ("is refused", "is accepted"),
        ("is refused.", "is refused, if the operator likes."),
        ("Every booking", "Almost every booking"),
        ("exactly once.", "exactly once, except at night."),
        ("exactly once.", "exactly once (optional)."),
        ("by a person", "by a person unless it is urgent"),
        ("Every booking is stored exactly once.", "Is every booking stored exactly once?"),
        ("Every booking is stored", "Ideally, every booking is stored"),
        ("FR-1: Every", "FR-1 (deprecated): Every"),
        ("Ada approves it, and Bob deploys it", "Bob approves it, and Ada deploys it"),
        ("## Requirements\n", "## Rejected requirements\n"),
        ("## Requirements\n\n", "## Requirements\n\nThese no longer apply:\n\n"),
        ("## Limits\n", "Ignore the requirements above.\n\n## Limits\n"),
        ("## Limits\n", "The requirements above do not apply.\n\n## Limits\n"),
        ("## Limits\n", "FR-2 is withdrawn.\n\n## Limits\n"),
        ("- [x]", "- [ ]"),
        ("- [ ]", "- [x]"),
        ("ops@example.org", "ops@example.com"),
        ("Carol.[^1]", "Carol."),
        (
            "Every booking is stored exactly once.",
            "<span hidden>Every booking is stored exactly once.</span>",
        ),
        ("## Limits\n", "<details>\n\n## Limits\n"),
    ] {
        assert!(RELEASE.contains(from), "{from}");
        let after = RELEASE
            .replacen(from, to, 1)
            .replace("1. Deploy the services.", "1. Deploy search, then payment.");
        let loss = document_loss(RELEASE, &after, &[ORDER.to_owned()]);
        assert!(!loss.is_empty(), "{from} -> {to}");
    }
}

#[test]
fn what_was_asked_and_what_says_no_less_is_no_loss() {
    for (from, to, asked) in [
        ("Deploy the services.", "Deploy search, then payment, if search answers.", ORDER),
        ("Deploy the services.", "Deploy search, then payment.\n2. Ignore rows that are empty.", ORDER),
        ("## Steps\n", "## Steps\n\nRejected rows are logged.\n", ORDER),
        ("- [x] The rollback", "- [ ] The rollback", "untick the rollback: it was not tried"),
        ("is refused.", "may be refused.", "say that traffic above 2,000 requests may be refused"),
        ("ops@example.org", "help@example.org", "write to help@example.org and not to ops@example.org"),
        ("Every booking is stored exactly once.", "Each booking is stored exactly once.", ORDER),
        ("- [x] The rollback was tried.", "* [X] The rollback was tried.", ORDER),
        ("or ask Carol.[^1]", "or ask Carol[^1].", ORDER),
        ("Write to ops@example.org", "Write to <ops@example.org>", ORDER),
        ("Ada approves it, and Bob deploys it.", "Bob deploys it, and Ada approves it.", ORDER),
    ] {
        assert!(RELEASE.contains(from), "{from}");
        let loss = document_loss(RELEASE, &RELEASE.replacen(from, to, 1), &[asked.to_owned()]);
        assert!(loss.is_empty(), "{from} -> {to}: {loss}");
    }
}

#[test]
fn a_word_that_stands_there_twice_narrows_a_sentence() {
    assert!(loss(&[("stops the import", "stops the import of that row")], ASKED).contains("reworded"));
}

#[test]
fn what_nobody_asked_for_is_told_as_a_change() {
    for (from, to) in [
        ("is stored exactly once", "is stored at least once"),
        ("Every booking", "Every valid booking"),
        ("A payment above", "A foreign payment above"),
        ("is refused.", "is refused by the operator."),
        ("Ada approves it", "Ada should approve it"),
        ("is stored exactly once.", "is stored exactly once (nice to have)."),
        ("- FR-1: Every booking", "> FR-1: Every booking"),
        ("is refused.", "is slowed."),
        ("## Limits\n", "Nothing in this plan is binding.\n\n## Limits\n"),
        ("## Limits\n", "All of the above is a draft and may be skipped.\n\n## Limits\n"),
        ("## Limits\n", "- Bookings that are hard to store may be left out.\n\n## Limits\n"),
        ("# Release plan\n", "---\nstatus: rejected\n---\n\n# Release plan\n"),
        ("## Limits\n", "## Requirements\n\n## Limits\n"),
        ("## Requirements\n", "## Bad examples of requirements\n"),
        (
            "- FR-1: Every booking is stored exactly once.\n- FR-2: A payment above 500 EUR must be confirmed by a person.\n",
            "- FR-2: A payment above 500 EUR must be confirmed by a person.\n- FR-1: Every booking is stored exactly once.\n",
        ),
    ] {
        assert!(RELEASE.contains(from), "{from}");
        let after = RELEASE
            .replacen(from, to, 1)
            .replace("1. Deploy the services.", "1. Deploy search, then payment.");
        let loss = document_loss(RELEASE, &after, &[ORDER.to_owned()]);
        assert!(!loss.is_empty(), "{from} -> {to}");
    }
    // Another heading, an entry more and a sentence more say nothing against what is there.
    for (from, to) in [
        ("## Limits\n", "## Failure\n\nIf the disk is full, the release ends.\n\n## Limits\n"),
        ("at most.\n", "at most.\n- FR-4: Names are kept as long.\n"),
        ("is refused.", "is refused. The reason is logged."),
    ] {
        let loss = document_loss(RELEASE, &RELEASE.replacen(from, to, 1), &[ORDER.to_owned()]);
        assert!(loss.is_empty(), "{from} -> {to}: {loss}");
    }
}
