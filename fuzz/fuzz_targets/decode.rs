//! Any bytes in any format, cut in any way, decode to the same, within bounds. The first byte picks the format.
#![no_main]

use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, Format};
use jury_testkit::cut::Cut;

const LIMITS: DecodeLimits = DecodeLimits { line: 1 << 12, steps: 8 };

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((first, output)) = input.split_first() else { return };
    let format = Format::ALL[usize::from(*first) % Format::ALL.len()];
    let whole = decode(format, output, Cut::Whole);
    for cut in [Cut::Every(1), Cut::Random(u64::from(*first))] {
        assert_eq!(decode(format, output, cut), whole, "{format}, cut like {cut:?}");
    }
});

/// What comes out, adjacent texts joined.
fn decode(format: Format, output: &[u8], cut: Cut) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let mut talking = false;
    let mut ends = 0;
    let mut sink = |decoded: Decoded<'_>| match decoded {
        Decoded::Text(text) if talking => {
            if let Some(last) = said.last_mut() {
                last.push_str(text);
            }
        }
        Decoded::Text(text) => {
            talking = true;
            said.push(text.to_owned());
        }
        other => {
            talking = false;
            ends += usize::from(matches!(other, Decoded::Over(_)));
            said.push(format!("{other:?}"));
        }
    };
    let mut decoder = Decoder::new(format, LIMITS);
    decoder.start("prompt", "/", &mut sink);
    let fed = cut.pieces(output).try_for_each(|piece| decoder.feed(piece, &mut sink));
    let result = fed.and_then(|()| decoder.finish(&mut sink));
    assert_eq!(ends, usize::from(result.is_ok()), "there is one end, unless there is an error");
    said.push(format!("{result:?}"));
    said
}
