//! Any bytes are read as a report, in time, and what was read is written and read again without losing its shape.
#![no_main]

use jury_core::critic::format::{Transcript, check_transcript, parse, plain, read, write_transcript};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let transcript = parse(input);
    let lines = plain(input).split('\n').count();
    for violation in check_transcript(input) {
        let line = usize::try_from(violation.line).unwrap_or(usize::MAX);
        assert!((1..=lines).contains(&line), "{violation:?} of {lines}");
        assert!(!violation.message.is_empty());
    }
    let again = parse(write_transcript(&transcript).as_bytes());
    assert_eq!(shape(&again), shape(&transcript));
    let reading = read(input);
    assert!(reading.verdicts.len() <= lines);
});

fn shape(transcript: &Transcript) -> Vec<String> {
    let shape = transcript.passes.iter().map(|pass| {
        let verdicts: Vec<_> = pass.verdicts.iter().map(|said| (&said.criterion, said.verdict)).collect();
        let options: Vec<usize> = pass.escalations.iter().map(|raised| raised.options.len()).collect();
        let realistic = pass.scenario.as_ref().map(|own| own.realistic);
        format!("{verdicts:?} {realistic:?} {options:?} {:?}", pass.result)
    });
    shape.collect()
}
