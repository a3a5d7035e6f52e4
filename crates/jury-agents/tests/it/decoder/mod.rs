//! Decoders: what programs print, and what must come out. Samples are written by hand in the shape that the
//! programs give them.

mod any;
mod claude;
mod dialogues;
mod findings;
mod json;
mod limits;
mod recorded;
mod simple;
mod transcripts;

use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, Format, SelfReport};
use jury_core::event::{AgentNote, AgentNoteKind, Usage};
use jury_testkit::cut::Cut;

/// What came out, in words: one line each, adjacent texts joined.
pub(super) fn words(
    format: Format,
    limits: DecodeLimits,
    pieces: impl Iterator<Item = impl AsRef<[u8]>>,
) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let mut talking = false;
    let mut sink = |decoded: Decoded<'_>| {
        if let Decoded::Text(text) = decoded {
            assert!(!text.is_empty(), "an empty text means nothing");
            match said.last_mut().filter(|_| talking) {
                Some(last) => last.push_str(text),
                None => said.push(format!("text {text}")),
            }
            talking = true;
        } else {
            talking = false;
            said.push(word(&decoded));
        }
    };
    let mut decoder = Decoder::new(format, limits);
    decoder.start("Judge \"it\".", "/work", &mut sink);
    let mut result = Ok(());
    for piece in pieces {
        result = decoder.feed(piece.as_ref(), &mut sink);
        if result.is_err() {
            break;
        }
    }
    if let Err(error) = result.and_then(|()| decoder.finish(&mut sink)) {
        assert_eq!(
            decoder.feed(b"{}\n", &mut |_| panic!("nothing comes after an error")),
            Err(error.clone())
        );
        said.push(format!("error {error}"));
    } else {
        assert!(decoder.is_over());
    }
    said
}

fn word(decoded: &Decoded<'_>) -> String {
    match decoded {
        Decoded::Text(text) => format!("text {text}"),
        Decoded::Restart => "restart".to_owned(),
        Decoded::Note(AgentNote { kind, detail, status, usage }) => {
            let kind = match kind {
                AgentNoteKind::Session => "session",
                AgentNoteKind::Usage => "usage",
                AgentNoteKind::Retry => "retry",
                AgentNoteKind::Restart => "restarted",
                AgentNoteKind::Error => "trouble",
                AgentNoteKind::Tool => "tool",
            };
            let status = status.map(|status| format!(" {status}")).unwrap_or_default();
            let usage = usage.map(|Usage { input_tokens, output_tokens, cost_usd }| {
                let cost = cost_usd.map(|cost| format!(" ${cost}")).unwrap_or_default();
                format!(" {input_tokens} {output_tokens}{cost}")
            });
            let detail = if detail.is_empty() { String::new() } else { format!(" {detail}") };
            format!("{kind}{status}{}{detail}", usage.unwrap_or_default())
        }
        Decoded::Reply(bytes) => format!("reply {}", String::from_utf8_lossy(bytes).trim_end()),
        Decoded::Over(SelfReport::Fine) => "fine".to_owned(),
        Decoded::Over(SelfReport::Failed { status, detail }) => {
            format!("failed{} {detail}", status.map(|status| format!(" {status}")).unwrap_or_default())
        }
    }
}

/// What comes out of this output, however it is cut.
pub(super) fn decoded(format: Format, output: &[u8]) -> Vec<String> {
    let limits = DecodeLimits::default();
    let whole = words(format, limits, std::iter::once(output));
    if output.len() <= 40 << 10 {
        cut_at_every_byte(format, output);
    }
    for cut in Cut::USUAL {
        assert_eq!(words(format, limits, cut.pieces(output)), whole, "{format}, cut like {cut:?}");
    }
    whole
}

/// Cuts every line in two, at every byte. Before and after a line the decoder is in the same state, so this is
/// as good as cutting the whole output, and takes much less time. Of long lines only some bytes are tried.
fn cut_at_every_byte(format: Format, output: &[u8]) {
    let mut decoder = Decoder::new(format, DecodeLimits::default());
    decoder.start("Judge \"it\".", "/work", &mut |_| {});
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        let before = decoder.clone();
        let said = fed(&mut decoder, &[line]);
        for at in (0..line.len()).step_by(1 + line.len() / 400) {
            let mut other = before.clone();
            let (first, second) = line.split_at(at);
            assert_eq!(fed(&mut other, &[first, second]), said, "{format}, cut at byte {at} of {line:?}");
            assert_eq!(
                format!("{other:?}"),
                format!("{decoder:?}"),
                "{format}, cut at byte {at} of {line:?}"
            );
        }
    }
}

/// What these pieces add, texts joined.
fn fed(decoder: &mut Decoder, pieces: &[&[u8]]) -> (String, Vec<String>) {
    let (mut text, mut rest) = (String::new(), Vec::new());
    for piece in pieces {
        let result = decoder.feed(piece, &mut |decoded| {
            if let Decoded::Text(more) = decoded {
                text.push_str(more);
            } else {
                rest.push(word(&decoded));
            }
        });
        rest.extend(result.err().map(|error| error.to_string()));
    }
    rest.dedup();
    (text, rest)
}

/// Checks what comes out of these lines.
pub(super) fn check(format: Format, lines: &[&str], expected: &[&str]) {
    let output = [&lines.join("\n"), "\n"].concat();
    assert_eq!(decoded(format, output.as_bytes()), expected);
    // Without its last line feed the last line means the same.
    let cut = Cut::Every(3).pieces(output.trim_end().as_bytes());
    assert_eq!(words(format, DecodeLimits::default(), cut), expected);
}
