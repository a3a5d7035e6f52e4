//! What holds for every document: it says what its model says, and no cut and no accident confuses the parser.

use jury_core::protocol::ParserLimits;
use jury_testkit::cut::Cut;
use jury_testkit::mutate::mutate;
use jury_testkit::oracle;
use jury_testkit::random::TestRandom;
use proptest::collection::vec;
use proptest::prelude::*;

use super::model::{Found, document};

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_document_says_what_its_model_says(document in document(), seed in any::<u64>()) {
        let written = document.written();
        for cut in [Cut::Whole, Cut::Every(1), Cut::Every(7), Cut::Random(seed)] {
            let mut found = Vec::new();
            let fault = oracle::feed(&written, ParserLimits::default(), cut, &mut |signal| {
                found.extend(Found::of(&signal));
            });
            // A run without a round or an end is one that was only mentioned.
            prop_assert_eq!(fault.is_some(), document.is_empty(), "{}", written.escape_ascii());
            prop_assert_eq!(&found, &document.found(), "{}", written.escape_ascii());
        }
    }

    #[test]
    fn the_oracle_accepts_documents(document in document()) {
        prop_assert_eq!(oracle::check(&document.written()), Ok(()));
    }

    #[test]
    fn the_oracle_accepts_documents_after_accidents(document in document(), seed in any::<u64>()) {
        let mut written = document.written();
        mutate(&mut written, &mut TestRandom::new(seed));
        prop_assert_eq!(oracle::check(&written), Ok(()), "{}", written.escape_ascii());
    }

    #[test]
    fn the_oracle_accepts_any_bytes(bytes in vec(any::<u8>(), 0..600)) {
        prop_assert_eq!(oracle::check(&bytes), Ok(()));
        let inside = [b"<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"critic\">", &bytes[..]].concat();
        prop_assert_eq!(oracle::check(&inside), Ok(()));
    }
}
