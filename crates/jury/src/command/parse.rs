//! `jury parse`: what the parser sees, one event per line. No scoring and no round limit; of the settings only
//! the scale and the largest block matter.

use std::fs::File;
use std::io::{BufWriter, Read, Write as _};

use jury_core::protocol::{Fault, Parser, ParserLimits, SeenPrinter, Signal};

use crate::cli::ParseArgs;
use crate::output::{self, Stdout};
use crate::refusal::{INCONCLUSIVE, Refusal};

/// As much as a pipe takes at once.
const PIPE: usize = 64 * 1024;

pub(crate) fn parse(args: &ParseArgs) -> Result<u8, Refusal> {
    let settings = crate::settings::load(std::collections::BTreeMap::new())?;
    let mut input: Box<dyn Read> = match args.file.as_deref().filter(|path| path.as_os_str() != "-") {
        Some(path) => Box::new(
            File::open(path)
                .map_err(|error| Refusal::usage(format!("cannot read {}: {error}", path.display())))?,
        ),
        None => Box::new(std::io::stdin().lock()),
    };
    let mut sink = BufWriter::with_capacity(PIPE, Stdout);
    let mut parser = Parser::new(ParserLimits::of(&settings.critique));
    let mut printer = SeenPrinter::default();
    let mut lines = Vec::new();
    let mut buffer = vec![0; args.chunk as usize];
    let outcome = loop {
        let length = read_whole(&mut input, &mut buffer)
            .map_err(|error| Refusal::usage(format!("cannot read the answer: {error}")))?;
        if length == 0 {
            break parser.finish();
        }
        let fed =
            parser.feed(&buffer[..length], &mut |signal: Signal<'_>| printer.print(&signal, &mut lines));
        if let Err(error) = sink.write_all(&lines) {
            output::missed(&error);
            return Ok(0);
        }
        lines.clear();
        if fed.is_err() {
            break fed;
        }
    };
    match outcome {
        Ok(()) => {
            flush(sink);
            Ok(0)
        }
        Err(fault) => {
            SeenPrinter::print_fault(&fault, &mut lines);
            if let Err(error) = sink.write_all(&lines) {
                output::missed(&error);
            }
            flush(sink);
            output::usage_error(&degraded(&fault));
            Ok(INCONCLUSIVE)
        }
    }
}

fn flush(mut sink: BufWriter<Stdout>) {
    if let Err(error) = sink.flush() {
        output::missed(&error);
        // What is left in it is not tried again.
        drop(sink.into_parts());
    }
}

fn degraded(fault: &Fault) -> String {
    format!("degraded ({}): {fault}", fault.reason)
}

/// Fills the buffer, so that a chunk is a chunk however the pipe delivers it.
fn read_whole(input: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match input.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
