//! Whether an issue is still there, against a table of pairs: `matching.toml`.

use jury_core::content::matching::{SAME, is_among, likeness};
use serde::Deserialize;

use super::rule::issue;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    pair: Vec<Pair>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    earlier: String,
    now: String,
    same: bool,
}

/// To call something mended that is still there is the costly mistake, so none of these may be missed.
#[test]
fn what_is_still_there_is_not_called_mended() {
    let table: Table = toml::from_str(include_str!("matching.toml")).unwrap();
    assert!(table.pair.len() >= 40);
    for pair in &table.pair {
        let (_, earlier) = issue(&format!("a high {}", pair.earlier));
        let (_, now) = issue(&format!("a high {}", pair.now));
        let found = is_among(&earlier, std::slice::from_ref(&now));
        let likeness = likeness(&pair.earlier, &pair.now);
        assert_eq!(found, pair.same, "{likeness:.2} of {SAME}: {:?} and {:?}", pair.earlier, pair.now);
    }
}

#[test]
fn what_was_measured_is_told_by_its_identity_alone() {
    let (_, mut earlier) = issue("a high the title is longer than sixty characters");
    earlier.rule = Some("seo.title-long".to_owned());
    let (_, now) = issue("b high the title is longer than sixty characters");
    assert!(!is_among(&earlier, std::slice::from_ref(&now)), "another critic has another identity");
    assert!(is_among(&earlier, std::slice::from_ref(&earlier)));
}

#[test]
fn the_same_words_of_the_draft_are_the_same_matter() {
    let (_, mut earlier) = issue("a high vague");
    let (_, mut now) = issue("a high says nothing");
    earlier.quote = Some("The best tool".to_owned());
    now.quote = Some("The best tool".to_owned());
    assert!(is_among(&earlier, &[now]));
}

#[test]
fn nothing_is_like_nothing() {
    assert!(likeness("", "") < SAME);
    assert!(likeness("the of and", "the of and") < SAME);
}
