//! Transcripts with something wrong in them: what a stream looks like after an accident, or after malice.

use crate::random::TestRandom;

/// What an adversary would put in.
const TOKENS: [&[u8]; 46] = [
    b"<CRITIQUE_RUN version=\"1\">",
    b"<CRITIQUE_RUN version=\"1\" maxRounds=\"3\" threshold=\"8.0\" scale=\"10\">",
    b"<CRITIQUE_RUN ",
    b"</CRITIQUE_RUN>",
    b"<ROUND n=\"1\">",
    b"</ROUND>",
    b"<PANELIST role=\"critic\" score=\"9.0\">",
    b"<PANELIST role='designer'>",
    b"</PANELIST>",
    b"<PANELIST role=brand score=7/>",
    b"<NOTES>",
    b"</NOTES>",
    b"<ARTIFACT mime=\"text/html\">",
    b"<ARTIFACT><![CDATA[",
    b"]]></ARTIFACT>",
    b"</ARTIFACT>",
    b"<DIM name=\"type\" score=\"7\">",
    b"</DIM>",
    b"<MUST_FIX>",
    b"</MUST_FIX>",
    b"<ROUND_END n=\"1\" composite=\"6.18\" must_fix=\"7\" decision=\"continue\">",
    b"</ROUND_END>",
    b"<REASON>",
    b"</REASON>",
    b"<SHIP round=\"1\" composite=\"8.6\" status=\"shipped\">",
    b"</SHIP>",
    b"<SUMMARY>",
    b"</SUMMARY>",
    b"<![CDATA[",
    b"]]>",
    b"]]]]><![CDATA[>",
    b"]",
    b"<!--",
    b"-->",
    b"<",
    b">",
    b"/>",
    b"=\"",
    b"'",
    b"&#27;",
    b"&amp;",
    b"\x1b[31m",
    b"\x1b]0;",
    b"\xc2\x9b",
    b"\xc2",
    b"\x00",
];

/// Changes the input in one to eight places.
pub fn mutate(input: &mut Vec<u8>, random: &mut TestRandom) {
    for _ in 0..=random.below(8) {
        let at = random.below(input.len() + 1);
        let rest = input.len() - at;
        match random.below(10) {
            0 => input.truncate(at),
            1 => {
                let length = random.below(64).min(rest);
                input.drain(at..at + length);
            }
            2 => {
                let byte = random.number().to_le_bytes()[0];
                if let Some(slot) = input.get_mut(at) {
                    *slot = byte;
                }
            }
            3 => {
                if let Some(slot) = input.get_mut(at) {
                    *slot ^= 1 << random.below(8);
                }
            }
            4 => {
                // The agent repeats itself.
                let length = random.below(200).min(rest);
                let copy = input[at..at + length].to_vec();
                let to = random.below(input.len() + 1);
                input.splice(to..to, copy);
            }
            _ => {
                let token = random.one_of(&TOKENS);
                input.splice(at..at, token.iter().copied());
            }
        }
    }
}
