//! How fast the decoders are, in bytes of program output per second of processor time.
//!
//! `cargo bench -p jury-agents --bench decoder` prints the table. The answer is a transcript, cut into deltas of
//! 24 bytes and wrapped as each program wraps it.

use std::hint::black_box;

use jury_agents::decoder::{DecodeLimits, Decoded, Decoder, Format};
use jury_core::protocol::{Parser, ParserLimits, Signal};
use jury_testkit::transcript::{TranscriptKind, transcript};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

/// How much output a program prints in one measurement.
const SIZE: usize = 16 << 20;
/// What one read of the spool gives.
const PIECE: usize = 64 << 10;
const DELTA: usize = 24;
const REPEATS: usize = 7;

/// An answer that comes in whole messages.
const WHOLE: usize = 4 << 20;

/// How a program wraps a delta: its number, the delta, the answer so far, both in quotes.
type Wrap = fn(usize, &str, &str) -> String;

fn main() {
    let mut lines =
        vec![format!("{:<20} {:>7} {:>9} {:>9} {:>9}", "format", "MB", "B/line", "MB/s", "CPU ms")];
    for (format, wrap, answer) in samples() {
        let input = stream(wrap, answer);
        let count = memchr::memchr_iter(b'\n', &input).count();
        let (seconds, _) = best(|| decode(format, &input));
        lines.push(format!(
            "{:<20} {:>7.1} {:>9} {:>9.0} {:>9.2}",
            format.as_str(),
            number(input.len()) / 1e6,
            input.len() / count.max(1),
            number(input.len()) / seconds / 1e6,
            seconds * 1e3,
        ));
    }
    lines.push(plain());
    lines.push(memory());
    print(&lines.join("\n"));
}

/// The formats, and how long an answer is: some programs repeat all of it in each line. The members stand in the
/// order in which the programs write them.
fn samples() -> Vec<(Format, Wrap, usize)> {
    vec![
        (Format::ClaudeStreamJson, claude, SIZE),
        (
            Format::Gemini,
            |_, text, _| {
                format!(
                    r#"{{"type":"message","timestamp":"2026-11-15T03:30:23.235Z","role":"assistant","content":{text},"delta":true}}"#
                )
            },
            SIZE,
        ),
        (
            Format::Goose,
            |_, text, _| {
                format!(
                    r#"{{"type":"message","message":{{"id":"chatcmpl-1","role":"assistant","created":1794713131,"content":[{{"type":"text","text":{text}}}],"metadata":{{"userVisible":true,"agentVisible":true}}}}}}"#
                )
            },
            SIZE,
        ),
        (
            Format::Copilot,
            |n, text, _| {
                format!(
                    r#"{{"type":"assistant.message_delta","data":{{"messageId":"d3d7469d-393b-4067-9fd6-4a55b5f69c70","deltaContent":{text}}},"id":"55f54ddd-176e-4066-86a2-{n:012}","timestamp":"2026-11-15T03:08:38.901Z","parentId":null,"ephemeral":true}}"#
                )
            },
            SIZE,
        ),
        (
            Format::CodexAppServer,
            |n, text, _| {
                format!(
                    r#"{{"method":"item/agentMessage/delta","params":{{"threadId":"01a1dd56-f1d4-70e1-bd63-c8359e3fddbe","turnId":"01a1dd56-f202-73d1-89d1-393388eb5d61","itemId":"msg_1","delta":{text}}},"emittedAtMs":{n}}}"#
                )
            },
            SIZE,
        ),
        (
            Format::Acp,
            |_, text, _| {
                format!(
                    r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"250cca97","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":{text}}}}}}}}}"#
                )
            },
            SIZE,
        ),
        (
            Format::Pi,
            |_, text, all| {
                let message = format!(
                    r#"{{"role":"assistant","content":[{{"type":"text","text":{all}}}],"usage":{{"input":0,"output":0}},"stopReason":"stop"}}"#
                );
                format!(
                    r#"{{"type":"message_update","assistantMessageEvent":{{"type":"text_delta","contentIndex":0,"delta":{text},"partial":{message}}},"message":{message}}}"#
                )
            },
            12 << 10,
        ),
        (
            Format::Cline,
            |_, text, all| {
                format!(
                    r#"{{"ts":"2026-11-15T03:28:23.541Z","type":"agent_event","event":{{"type":"content_start","contentType":"text","text":{text},"accumulated":{all}}}}}"#
                )
            },
            16 << 10,
        ),
        (Format::Kimi, |_, text, _| format!(r#"{{"role":"assistant","content":{text}}}"#), WHOLE),
        (
            Format::CodexExec,
            |n, text, _| {
                format!(
                    r#"{{"type":"item.completed","item":{{"id":"item_{n}","type":"agent_message","text":{text}}}}}"#
                )
            },
            WHOLE,
        ),
        (
            Format::Opencode,
            |n, text, _| {
                format!(
                    r#"{{"type":"text","timestamp":{n},"sessionID":"ses_1","part":{{"id":"prt_{n}","messageID":"msg_1","sessionID":"ses_1","type":"text","text":{text}}}}}"#
                )
            },
            WHOLE,
        ),
    ]
}

fn claude(number: usize, text: &str, _: &str) -> String {
    format!(
        r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":{text}}}}},"session_id":"efa6681a-65af-4ee0-bba9-fe7d177d742a","parent_tool_use_id":null,"uuid":"7d4a0888-bff6-4cd8-a238-{number:012}","api_message_id":"msg_000004"}}"#
    )
}

/// What a program prints for an answer of this length. Where it prints whole messages, they are of 16 KiB.
fn stream(wrap: Wrap, answer: usize) -> Vec<u8> {
    let transcript = String::from_utf8(transcript(TranscriptKind::Mix, answer)).unwrap_or_default();
    let size = if answer == WHOLE { 16 << 10 } else { DELTA };
    let (mut output, mut said) = (Vec::with_capacity(SIZE), String::new());
    let deltas = transcript.as_bytes().chunks(size).map(String::from_utf8_lossy);
    for (at, delta) in deltas.enumerate() {
        if answer < WHOLE {
            said.push_str(&delta);
        }
        let line = wrap(at, &quoted(&delta), &quoted(&said));
        output.extend_from_slice(line.as_bytes());
        output.push(b'\n');
        if output.len() > SIZE {
            break;
        }
    }
    output
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Decodes once and counts the bytes of the answer. The dialogues have come to their answer before.
fn decode(format: Format, input: &[u8]) -> usize {
    let mut answer = 0;
    let mut sink = |decoded: Decoded<'_>| {
        if let Decoded::Text(text) = decoded {
            answer += black_box(text).len();
        }
    };
    let mut decoder = Decoder::new(format, DecodeLimits { steps: u32::MAX, ..DecodeLimits::default() });
    let opening: [&[u8]; 2] = [
        b"{\"id\":1,\"result\":{}}\n",
        b"{\"id\":2,\"result\":{\"sessionId\":\"250cca97\",\"thread\":{\"id\":\"t\"}}}\n",
    ];
    for piece in opening.into_iter().filter(|_| format.is_dialogue()).chain(input.chunks(PIECE)) {
        if decoder.feed(black_box(piece), &mut sink).is_err() {
            return 0;
        }
    }
    answer
}

/// What decoding plain text adds to parsing it.
fn plain() -> String {
    let input = transcript(TranscriptKind::Mix, SIZE);
    let (alone, _) = best(|| {
        let mut parser = Parser::new(ParserLimits::default());
        let mut signals = 0;
        for piece in input.chunks(PIECE) {
            parser
                .feed(black_box(piece), &mut |signal: Signal<'_>| {
                    black_box(&signal);
                    signals += 1;
                })
                .unwrap_or_default();
        }
        signals
    });
    let (both, _) = best(|| {
        let mut parser = Parser::new(ParserLimits::default());
        let mut decoder = Decoder::new(Format::Plain, DecodeLimits::default());
        let mut signals = 0;
        for piece in input.chunks(PIECE) {
            let mut sink = |decoded: Decoded<'_>| {
                if let Decoded::Text(text) = decoded {
                    parser
                        .feed(text.as_bytes(), &mut |signal: Signal<'_>| {
                            black_box(&signal);
                            signals += 1;
                        })
                        .unwrap_or_default();
                }
            };
            decoder.feed(black_box(piece), &mut sink).unwrap_or_default();
        }
        signals
    });
    let (decoding, _) = best(|| decode(Format::Plain, &input));
    format!(
        "plain: the parser alone {:.2} ms, with the decoder {:.2} ms; the decoder alone {:.2} ms ({:.1} % of the parser)",
        alone * 1e3,
        both * 1e3,
        decoding * 1e3,
        decoding / alone * 100.0,
    )
}

/// How much a decoder grows while it reads a long answer.
fn memory() -> String {
    let input = stream(claude, SIZE);
    let mut decoder =
        Decoder::new(Format::ClaudeStreamJson, DecodeLimits { steps: u32::MAX, ..DecodeLimits::default() });
    let mut read = |times: usize| {
        for piece in (0..times).flat_map(|_| input.chunks(1000)) {
            decoder.feed(piece, &mut |decoded| drop(black_box(decoded))).unwrap_or_default();
        }
        resident()
    };
    let (before, after) = (read(1), read(15));
    format!(
        "memory: {before} KiB after {} MB of claude-stream-json, {after} KiB after 16 times as much",
        input.len() >> 20
    )
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The least processor time of several runs, in seconds.
fn best(mut run: impl FnMut() -> usize) -> (f64, usize) {
    let mut least = f64::INFINITY;
    let mut result = 0;
    for _ in 0..REPEATS {
        let start = cpu_seconds();
        result = black_box(run());
        least = least.min(cpu_seconds() - start);
    }
    (least, result)
}

#[expect(clippy::cast_precision_loss, reason = "nanoseconds of one process fit a double for weeks")]
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[expect(clippy::cast_precision_loss, reason = "a count shown to people")]
fn number(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]
fn print(text: &str) {
    println!("{text}");
}
