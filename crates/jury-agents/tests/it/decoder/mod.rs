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

use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, Format, Verdict};
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
        Decoded::Over(Verdict::Fine) => "fine".to_owned(),
        Decoded::Over(Verdict::Failed { status, detail }) => {
            format!("failed{} {detail}", status.map(|status| format!(" {status}")).unwrap_or_default())
        }
    }
}

/// What comes out of this output, however it is cut.
pub(super) fn decoded(format: Format, output: &[u8]) -> Vec<String> {
    let limits = DecodeLimits::default();
    let whole = words(format, limits, std::iter::once(output));
    if output.len() <= 40 << 10 {
        for at in 0..=output.len() {
            let (first, second) = output.split_at(at);
            let halves = words(format, limits, [first, second].into_iter());
            assert_eq!(halves, whole, "{format}, cut at byte {at}");
        }
    }
    for cut in Cut::USUAL {
        assert_eq!(words(format, limits, cut.pieces(output)), whole, "{format}, cut like {cut:?}");
    }
    whole
}

/// Checks what comes out of these lines.
pub(super) fn check(format: Format, lines: &[&str], expected: &[&str]) {
    let output = [&lines.join("\n"), "\n"].concat();
    assert_eq!(decoded(format, output.as_bytes()), expected);
    // Without its last line feed the last line means the same.
    let cut = Cut::Every(3).pieces(output.trim_end().as_bytes());
    assert_eq!(words(format, DecodeLimits::default(), cut), expected);
}
