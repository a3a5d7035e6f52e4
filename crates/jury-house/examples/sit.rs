//! Reads a page from a path (and a DESIGN.md from a second one) and writes the transcript; or, with `--cost`
//! first, how much of the work is the eye's.

use std::io::{self, Write as _};

#[derive(Debug)]
struct Usage;

impl std::fmt::Display for Usage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("usage: sit [--cost] page.html [DESIGN.md]")
    }
}

impl std::error::Error for Usage {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let cost = arguments.next_if(|argument| argument == "--cost").is_some();
    let page = std::fs::read(arguments.next().ok_or(Usage)?)?;
    let request = jury_house::Request {
        page: String::from_utf8_lossy(&page).into_owned(),
        design: arguments.next().map(std::fs::read_to_string).transpose()?,
        ..jury_house::Request::default()
    };
    let mut out = io::stdout().lock();
    if cost {
        jury_house::sit(&request, &mut io::sink())?;
        writeln!(out, "{{\"eyeNanoseconds\": {}}}", jury_eye::nanoseconds_spent())?;
        return Ok(());
    }
    jury_house::sit(&request, &mut out)?;
    out.flush()?;
    Ok(())
}
