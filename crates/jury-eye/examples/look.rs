//! Looks at pages from outside of the program: what a look costs and, with `--json`, what it sees.
//!
//! `look [--json] [--windows N] [--times N] PAGE...` measures each page in the first N of the usual windows (1 unless
//! told) and prints the CPU time of the fastest of N looks (1 unless told).

use std::io::{self, Write as _};

use jury_eye::{Beside, Sight, Viewport, look_at, nanoseconds_spent};

const WINDOWS: [Viewport; 4] = [Viewport::DESKTOP, Viewport::TABLET, Viewport::PHONE, Viewport::NARROW];

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).peekable();
    let (mut json, mut windows, mut times) = (false, 1, 1);
    let mut pages = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => json = true,
            "--windows" => windows = arguments.next().and_then(|value| value.parse().ok()).unwrap_or(1),
            "--times" => times = arguments.next().and_then(|value| value.parse().ok()).unwrap_or(1),
            _ => pages.push(argument),
        }
    }
    let mut out = io::stdout().lock();
    for path in pages {
        let bytes = std::fs::read(&path)?;
        let html = String::from_utf8_lossy(&bytes);
        let viewports = WINDOWS.get(..windows).unwrap_or(&WINDOWS);
        let sight = Sight { html: &html, beside: &Beside::nothing(), viewports, pixels: None };
        let mut fastest = u64::MAX;
        for _ in 0..times {
            let before = nanoseconds_spent();
            let seen = look_at(sight);
            fastest = fastest.min(nanoseconds_spent() - before);
            match seen {
                Err(error) => writeln!(out, "{path}: {}: {error}", error.kind())?,
                Ok(snapshots) if json => {
                    serde_json::to_writer(&mut out, &snapshots)?;
                    writeln!(out)?;
                }
                Ok(_) => {}
            }
        }
        if !json {
            let kilobytes = bytes.len().div_ceil(1024);
            writeln!(out, "{path}: {kilobytes} KB, {} ms in {windows} windows", fastest / 1_000_000)?;
        }
    }
    Ok(())
}
