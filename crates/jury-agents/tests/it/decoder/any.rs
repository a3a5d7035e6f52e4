//! Any bytes at all: nothing panics, and cuts do not show.

use std::path::Path;

use jury_agents::decoder::{DecodeLimits, Format};
use jury_testkit::cut::Cut;
use proptest::prelude::*;

use super::words;

/// Pieces of lines that the decoders know, so that chance gets somewhere.
const SCRAPS: [&str; 40] = [
    "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}}\n",
    "{\"type\":\"stream_event\",\"event\":{\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}}\n",
    "{\"type\":\"stream_event\",\"event\":{\"type\":\"message_stop\"}}\n",
    "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"ab\"}]}}\n",
    "{\"type\":\"system\",\"subtype\":\"retry\",\"data\":{\"preserveText\":false}}\n",
    "{\"type\":\"result\",\"is_error\":true}\n",
    "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"a\\ud83e\",\"delta\":true}\n",
    "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"\\udd80\",\"delta\":true}\n",
    "{\"type\":\"message\",\"message\":{\"id\":\"x\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"☃\"}]}}\n",
    "{\"type\":\"complete\"}\n",
    "{\"type\":\"assistant.message_delta\",\"data\":{\"messageId\":\"m\",\"deltaContent\":\"[API Error]\"}}\n",
    "{\"type\":\"assistant.turn_retry\"}\n",
    "{\"type\":\"text\",\"part\":{\"id\":\"p\",\"messageID\":\"m\",\"text\":\"abc\"}}\n",
    "{\"type\":\"step_start\"}\n",
    "{\"type\":\"step_finish\",\"part\":{\"reason\":\"unknown\"}}\n",
    "{\"role\":\"assistant\",\"content\":\"abc\"}\n",
    "{\"type\":\"message_update\",\"assistantMessageEvent\":{\"type\":\"text_delta\",\"delta\":\"a\"}}\n",
    "{\"type\":\"message_end\",\"message\":{\"role\":\"assistant\",\"stopReason\":\"error\"}}\n",
    "{\"type\":\"agent_event\",\"event\":{\"type\":\"content_start\",\"contentType\":\"text\",\"text\":\"a\"}}\n",
    "{\"type\":\"run_result\"}\n",
    "{\"type\":\"item.completed\",\"item\":{\"id\":\"i\",\"type\":\"agent_message\",\"text\":\"abc\"}}\n",
    "{\"id\":1,\"result\":{}}\n",
    "{\"id\":2,\"result\":{\"sessionId\":\"s\",\"thread\":{\"id\":\"t\"}}}\n",
    "{\"id\":3,\"result\":{\"stopReason\":\"end_turn\"}}\n",
    "{\"id\":7,\"method\":\"session/request_permission\",\"params\":{\"options\":[{\"kind\":\"reject\",\"optionId\":1}]}}\n",
    "{\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"text\":\"a\"}}}}\n",
    "{\"method\":\"item/agentMessage/delta\",\"params\":{\"itemId\":\"i\",\"delta\":\"a\"}}\n",
    "{\"method\":\"error\",\"params\":{\"error\":{\"codexErrorInfo\":{\"x\":{\"httpStatusCode\":40}}},\"willRetry\":true}}\n",
    "{\"type\":",
    "\"text\"",
    "\"\\u12",
    "\\",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\n",
    "\u{FEFF}",
];

fn output() -> impl Strategy<Value = Vec<u8>> {
    let scrap = prop_oneof![
        8 => (0..SCRAPS.len()).prop_map(|at| SCRAPS[at].as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..8),
    ];
    proptest::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_in_any_pieces_mean_the_same(output in output(), seed in any::<u64>(), steps in 0_u32..6, line in 0_usize..400) {
        for format in Format::ALL {
            for limits in [DecodeLimits::default(), DecodeLimits { line, steps }] {
                let whole = words(format, limits, std::iter::once(&output));
                for cut in [Cut::Every(1), Cut::Random(seed)] {
                    prop_assert_eq!(&words(format, limits, cut.pieces(&output)), &whole, "{}", format);
                }
                let ends = whole.iter().filter(|word| *word == "fine" || word.starts_with("failed") || word.starts_with("error "));
                prop_assert_eq!(ends.count(), 1);
            }
        }
    }
}

/// An input of the fuzz target: the first byte picks the format. Its limits are small, so that they are met.
#[test]
fn what_fuzzing_kept_means_the_same_in_any_pieces() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/decode");
    let mut formats = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(&corpus).unwrap() {
        let path = entry.unwrap().path();
        let input = std::fs::read(&path).unwrap();
        let (first, output) = input.split_first().unwrap();
        let format = Format::ALL[usize::from(*first) % Format::ALL.len()];
        formats.insert(format.as_str());
        for limits in [DecodeLimits::default(), DecodeLimits { line: 1 << 12, steps: 8 }] {
            let whole = words(format, limits, std::iter::once(output));
            for cut in [Cut::Every(1), Cut::Random(u64::from(*first))] {
                assert_eq!(words(format, limits, cut.pieces(output)), whole, "{}", path.display());
            }
        }
    }
    assert_eq!(formats.len(), Format::ALL.len(), "a format has no input");
}
