//! What holds for any text: no panic, places within it, the same answer every time, work in proportion to it.

use std::collections::BTreeSet;

use jury_text::document::{CHECKS, Check, Document, NearbyFiles, info, measure, measure_all};
use proptest::prelude::*;

/// Pieces that mean something to one check or another.
const PIECES: &[&str] = &[
    "# A\n",
    "### B\n",
    "#\n",
    "- item\n",
    "  - [ ] x\n",
    "1. one\n",
    "> q\n",
    "```json\n",
    "```\n",
    "~~~sh\n",
    "| a | b |\n|---|---|\n| FR-001 | 3 s |\n",
    "[x](y.md#z)",
    "[x][y]",
    "[y]: z\n",
    "[^1]",
    "[^1]: note\n",
    "![i](p.png)",
    "<a id=\"q\">",
    "<!-- TODO: x -->",
    "TODO: x ",
    "??? ",
    "FR-001: must be fast. ",
    "FR-002 to FR-009 ",
    "As a user I want ",
    "Given x, then y. ",
    "timeout is 30 s. ",
    "timeout: 5 s\n",
    "three steps:\n\n",
    "\n\n",
    "\n",
    "\"",
    "'",
    "`",
    "``",
    "é",
    "🦀",
    "\u{301}",
    "\r\n",
    "\t",
    "{",
    "(",
    "<<EOF\n",
    "[",
    "]",
    "<",
    "&amp;",
    "\\*",
    "**",
    "__",
    "ABC ",
    "(ABC) ",
    "## Glossary\n\n",
    "- **Term**: meaning\n",
    "---\n",
    "+++\n",
    "https://x.y/#z ",
    "\u{0}",
    "1.2.3 ",
    "99999999999999999999 ",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat()),
        prop::collection::vec(any::<u8>(), 0..300)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn any_text_is_measured_and_places_lie_within_it(text in text()) {
        let surroundings = NearbyFiles::known(["y.md"]);
        let document = Document::read(&text, &surroundings);
        let lines: Vec<&str> = text.split('\n').collect();
        for measurement in measure_all(&document) {
            let mut ids = BTreeSet::new();
            for finding in &measurement.affected {
                let line = lines.get(finding.line - 1);
                prop_assert!(line.is_some(), "line {} of {}", finding.line, lines.len());
                prop_assert!(finding.column <= line.map_or(0, |line| line.chars().count()) + 1, "{finding:?}");
                prop_assert!(ids.insert(&finding.id), "two findings are {}", finding.id);
                prop_assert!(!finding.text.contains('\n') && !finding.quote.contains('\n'), "{finding:?}");
            }
            prop_assert!(measurement.affected.is_empty() || measurement.examined > 0, "{measurement:?}");
        }
    }

    #[test]
    fn the_order_of_checks_does_not_matter(text in text(), order in Just(Check::ALL.to_vec()).prop_shuffle()) {
        let surroundings = NearbyFiles::Unknown;
        let document = Document::read(&text, &surroundings);
        let all = measure_all(&document);
        for check in order {
            let again = measure(&Document::read(&text, &surroundings), check);
            prop_assert_eq!(all.iter().find(|one| one.check == check), Some(&again));
            prop_assert_eq!(&measure(&document, check), &again);
        }
    }
}

#[test]
fn every_check_has_a_row_and_its_name_leads_back() {
    assert_eq!(CHECKS.iter().map(|info| info.check).collect::<Vec<_>>(), Check::ALL);
    for check in Check::ALL {
        assert_eq!(check.as_str().parse(), Ok(*check));
        let info = info(*check);
        assert!(
            info.rule.title.ends_with('?') && !info.rule.measures.is_empty() && !info.rule.exempt.is_empty()
        );
        let json = serde_json::to_string(&check).expect("a name");
        assert_eq!(json, format!("\"{}\"", check.as_str()));
    }
}

/// Bytes that are asked for are a measure of work that a busy machine does not change.
#[test]
fn work_grows_with_the_text() {
    let once = PIECES.concat();
    let work = |times: usize| {
        let text = once.repeat(times);
        let surroundings = NearbyFiles::Unknown;
        let spent = allocation_counter::measure(|| drop(measure_all(&Document::read(&text, &surroundings))));
        spent.bytes_total
    };
    let (small, large) = (work(50), work(200));
    assert!(large <= small * 5, "{small} bytes for one part, {large} for four");
}
