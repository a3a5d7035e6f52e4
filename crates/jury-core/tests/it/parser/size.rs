//! The bound of a tag: a constant, unless blocks are bounded by less.

use jury_core::outcome::DegradedReason;
use jury_core::protocol::ParserLimits;
use jury_core::unit::Bytes;
use jury_testkit::cut::Cut;
use jury_testkit::oracle;

#[test]
fn a_tag_without_end_is_refused_by_the_smaller_of_two_bounds() {
    let long = "a".repeat(20_000);
    let run = "<CRITIQUE_RUN version=\"1\">";
    for (text, what) in [
        (format!("<CRITIQUE_RUN version=\"{long}"), "<CRITIQUE_RUN"),
        (format!("{run}<ROUND n=\"{long}"), "the tag <ROUND>"),
    ] {
        for (max_block, bound) in [
            (1_000_000, "16384 bytes".to_owned()),
            (2_000, "2000 bytes (OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES)".to_owned()),
        ] {
            let limits = ParserLimits { max_block: Bytes(max_block), ..ParserLimits::default() };
            let fault = oracle::feed(text.as_bytes(), limits, Cut::Whole, &mut |_| {});
            let found = fault.map(|fault| (fault.reason, fault.detail));
            let wanted = (DegradedReason::OversizeBlock, format!("{what} is larger than {bound}"));
            assert_eq!(found, Some(wanted));
        }
    }
}
