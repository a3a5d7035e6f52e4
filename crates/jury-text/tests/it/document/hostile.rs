//! Documents that are made to take long. Bytes that are asked for count where the trouble is memory; elsewhere the
//! sizes are such that work in proportion to them is done at once, and work in proportion to their square takes
//! minutes.

use std::fmt::Write as _;

use jury_text::document::{Check, Document, NearbyFiles, measure, measure_all};

use super::{lines, measured};

#[test]
fn attributes_end_at_white_space() {
    let work = |times: usize| {
        let text = format!("<div{}>\n", "\tid=x\thref=y".repeat(times));
        let spent = allocation_counter::measure(|| drop(Document::read(&text, &NearbyFiles::Unknown)));
        spent.bytes_total
    };
    let (small, large) = (work(500), work(2000));
    assert!(large <= small * 5, "{small} bytes for one part, {large} for four");
    let text = "<div\tid=here\tclass=x></div>\n\n[a](#here) [b](#there)\n";
    assert_eq!(measured(text, Check::DeadAnchor).affected.len(), 1, "only #there leads nowhere");
    let text = "<div\thref=there.md\tid=x></div>\n\n<div\thref=gone.md\tid=y></div>\n";
    assert_eq!(lines(text, Check::DeadLink), [3]);
}

#[test]
fn marks_without_white_space_behind_them_are_passed_over() {
    for piece in ["a.", ".", "?!", "x.\t", "a.\u{a0}"] {
        let text = format!("It MUST {} be fast.\n", piece.repeat(200_000));
        let document = Document::read(&text, &NearbyFiles::Unknown);
        assert!(measure(&document, Check::VagueWord).examined > 0, "{piece:?}");
    }
}

#[test]
fn brackets_without_a_definition_do_not_look_for_the_beginning_of_their_line() {
    let text = format!(
        "[1.0.0]: a\n[1.1.0]: b\n\n## [1.2.0]\n\n# [1.3.0] and\n\ntext [1.2.0]\n\n{}\n",
        "[1.4.0] [x] ".repeat(50_000)
    );
    assert_eq!(lines(&text, Check::DeadLink), [4, 6]);
}

#[test]
fn expressions_without_an_end_are_looked_for_once_in_a_line() {
    let text = format!("```js\n{}\n```\n", "=/[".repeat(200_000));
    assert_eq!(lines(&text, Check::CodeBlock).len(), 1, "the brackets are open");
    let text = "```js\nconst a = /[/(]/;\nconst b = /\\(/;\n```\n";
    assert_eq!(lines(text, Check::CodeBlock), [] as [usize; 0]);
}

#[test]
fn phrases_in_a_long_entry_do_not_count_its_words_each_time() {
    let text = format!("- {}\n", "x to be defined. ".repeat(40_000));
    let document = Document::read(&text, &NearbyFiles::Unknown);
    assert!(measure(&document, Check::UnfinishedMarker).examined > 0);
}

#[test]
fn many_facts_with_two_values_are_compared_in_proportion_to_them() {
    let mut text = String::new();
    for number in 0..20_000 {
        let _ =
            write!(text, "## Part {number}\n\n- timeout: 5 s\n\n## Other {number}\n\n- timeout: 30 s\n\n");
    }
    let found = measured(&text, Check::ContradictoryNumber);
    assert!(found.examined >= 40_000, "{}", found.examined);
}

#[test]
fn a_long_glossary_does_not_read_the_document_for_each_entry() {
    let mut text = "# Words\n\nA service level objective is kept, and a third-party's part.\n\n".to_owned();
    text.push_str("## Glossary\n\n");
    for number in 0..20_000 {
        let _ = writeln!(text, "- **long term {number}**: what it is");
    }
    text.push_str("- **Service level objectives**: kept\n- **third-party**: somebody\n");
    assert_eq!(measured(&text, Check::UnusedDefinition).affected.len(), 20_000);
}

#[test]
fn all_of_it_at_once() {
    let text = ["a.a.", "=/[", "[x]", "\tid=", "to be defined ", "<div\t", "`", "("].concat().repeat(5_000);
    let all = measure_all(&Document::read(&text, &NearbyFiles::Unknown));
    assert_eq!(all.len(), Check::ALL.len());
}
