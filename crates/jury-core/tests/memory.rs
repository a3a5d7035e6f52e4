//! How much memory the parser takes, counted by an allocator of this binary's own.

use allocation_counter::measure;
use jury_core::protocol::{Parser, ParserLimits, Signal};
use jury_testkit::transcript::{TranscriptKind, transcript};

const SIZE: usize = 16 << 20;
const SMALL: u64 = 128 << 10;

/// Feeds a new parser in pieces of this size; the number of signals.
fn parse(input: &[u8], piece: usize) -> usize {
    let mut parser = Parser::new(ParserLimits::default());
    feed(&mut parser, input, piece)
}

fn feed(parser: &mut Parser, input: &[u8], piece: usize) -> usize {
    let mut signals = 0;
    let mut sink = |_: Signal<'_>| signals += 1;
    for piece in input.chunks(piece) {
        assert_eq!(parser.feed(piece, &mut sink), Ok(()));
    }
    signals
}

#[test]
fn a_long_transcript_takes_no_more_than_its_largest_block() {
    let cap = ParserLimits::default().max_block.0;
    for kind in TranscriptKind::ALL {
        let input = transcript(kind, SIZE);
        for piece in [64 << 10, 1 << 10] {
            let mut signals = 0;
            let memory = measure(|| signals = parse(&input, piece));
            assert!(signals > 100, "{signals} signals");
            assert!(
                memory.bytes_max <= cap + SMALL,
                "{} in pieces of {piece}: {} bytes",
                kind.as_str(),
                memory.bytes_max
            );
            assert_eq!(memory.bytes_current, 0);
        }
    }
}

#[test]
fn skipping_prose_allocates_nothing() {
    let prose =
        "Then 3 < 4, <b>so</b> <thinking>on</thinking> & on </ROUNDS> <!doctype> ]]> \n".repeat(SIZE / 70);
    let mut parser = Parser::new(ParserLimits::default());
    for before in
        ["", "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"> text <!-- comment -->", "</ROUND></CRITIQUE_RUN>"]
    {
        feed(&mut parser, before.as_bytes(), before.len().max(1));
        let skipped = measure(|| {
            feed(&mut parser, prose.as_bytes(), 1 << 16);
        });
        assert_eq!(skipped.count_total, 0, "after {before:?}");
    }
    assert_eq!(parser.finish(), Ok(()));
}

#[test]
fn the_worst_transcripts_take_a_few_blocks_at_most() {
    let cap = ParserLimits::default().max_block.0;
    let size = usize::try_from(cap).unwrap();
    let run = "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\">";
    let draft = format!(
        "<PANELIST role=\"designer\"><ARTIFACT><![CDATA[{}]]></ARTIFACT></PANELIST>",
        "x".repeat(size - 200)
    );
    let worst = [
        // One long text beside the buffer that the draft left.
        format!(
            "{run}{draft}<PANELIST role=\"critic\" score=\"1\"><NOTES>{}</NOTES></PANELIST>",
            "x ".repeat(size / 2 - 50)
        ),
        // Many texts that become one.
        format!(
            "{run}{draft}<PANELIST role=\"critic\" score=\"1\">{}</PANELIST>",
            format!("<NOTES>{}</NOTES>", "x".repeat(240)).repeat(size / 256)
        ),
        // A tag that does not end.
        format!("{run}{draft}<PANELIST role=\"{}", "x".repeat(16 << 10)),
        // Tags as long as they may be.
        format!(
            "{run}{draft}<PANELIST role=\"critic\">{}",
            format!("<DIM name=\"{}\"/>", "x &amp; ".repeat(2000)).repeat(16)
        ),
        // Beginning again and again.
        format!("{run}{draft}").repeat(32),
    ];
    for (number, input) in worst.iter().enumerate() {
        for piece in [1 << 16, 100] {
            let memory = measure(|| {
                parse(input.as_bytes(), piece);
            });
            assert!(memory.bytes_max <= 2 * cap + SMALL, "number {number}: {} bytes", memory.bytes_max);
        }
    }
}
