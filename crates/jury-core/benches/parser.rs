//! How fast the parser is, in bytes per second of processor time.
//!
//! `cargo bench -p jury-core --bench parser` prints the table. `-- callgrind` parses one small transcript per
//! kind and nothing else, for `instructions.sh`.

use std::hint::black_box;
use std::process::ExitCode;

use jury_core::protocol::{Parser, ParserLimits, Signal};
use jury_testkit::transcript::{TranscriptKind, page, transcript};
use rustix::time::{ClockId, clock_gettime};

const SIZE: usize = 16 << 20;
const PIECES: [(usize, &str); 4] = [(64 << 10, "64 KiB"), (4 << 10, "4 KiB"), (64, "64 B"), (1, "1 B")];
const REPEATS: usize = 7;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, rest @ ..] = arguments.as_slice()
        && mode == "callgrind"
    {
        return one(rest);
    }
    print(&table());
    ExitCode::SUCCESS
}

/// `callgrind KIND BYTES PIECE`: parses once. The difference between two sizes is the cost of the bytes.
fn one(arguments: &[String]) -> ExitCode {
    let [kind, bytes, piece, ..] = arguments else { return ExitCode::from(2) };
    let kind = TranscriptKind::ALL.into_iter().find(|known| known.as_str() == kind);
    let (Some(kind), Ok(bytes), Ok(piece)) = (kind, bytes.parse(), piece.parse()) else {
        return ExitCode::from(2);
    };
    // Always the same generated transcript, so that only the parsing differs.
    let whole = transcript(kind, 4 << 20);
    black_box(parse(&whole[..whole.len().min(bytes)], piece));
    ExitCode::SUCCESS
}

fn table() -> String {
    let mut lines =
        vec![format!("{:<6} {:>8} {:>10} {:>12} {:>10}", "input", "pieces", "MB/s", "signals/s", "CPU ms")];
    for kind in TranscriptKind::ALL {
        let input = transcript(kind, SIZE);
        for (piece, name) in PIECES {
            let (seconds, signals) = best(|| parse(&input, piece));
            lines.push(format!(
                "{:<6} {name:>8} {:>10.0} {:>12.0} {:>10.2}",
                kind.as_str(),
                count(input.len()) / seconds / 1e6,
                count(signals) / seconds,
                seconds * 1e3,
            ));
        }
    }
    let draft = format!(
        "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"designer\"><ARTIFACT><![CDATA[{}]]></ARTIFACT>\
         </PANELIST></ROUND></CRITIQUE_RUN>",
        page(250 << 10)
    );
    for piece in [16, 64] {
        let (seconds, _) = best(|| parse(draft.as_bytes(), piece));
        lines.push(format!("one artifact of 250 KiB, {piece} bytes at a time: {:.3} ms", seconds * 1e3));
    }
    lines.join("\n")
}

/// Parses the input in pieces of this size and counts what comes out.
fn parse(input: &[u8], piece: usize) -> usize {
    let mut parser = Parser::new(ParserLimits::default());
    let mut signals = 0;
    let mut sink = |signal: Signal<'_>| {
        signals += 1;
        black_box(&signal);
    };
    for piece in input.chunks(piece) {
        if parser.feed(black_box(piece), &mut sink).is_err() {
            return 0;
        }
    }
    signals
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
fn count(number: usize) -> f64 {
    number as f64
}

#[expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]
fn print(text: &str) {
    println!("{text}");
}
