//! Any bytes are read as a run record, as the answer of a judge in either shape, and as the line of a command: an error is
//! one line of bounded length, and what is accepted keeps its rules.
#![no_main]

use jiff::Timestamp;
use jury_core::judge::{
    Bead, JudgeAnswer, JudgeDimension, OfflineGrounds, OpusJudgement, RecordReading, RunRecord, WorkCoverage,
    words,
};
use jury_text::diff::{Diff, search, unjudged};
use jury_text::{offline, test_output};

fn checked(answer: &JudgeAnswer) {
    for dimension in JudgeDimension::ALL {
        assert!((0.0..=1.0).contains(&answer.dimensions.of(*dimension)), "{answer:?}");
    }
    assert!(answer.issues.len() <= 100);
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    match RunRecord::read(input) {
        Ok(RecordReading::Finished(run)) => {
            assert!(!run.bead.as_str().contains('/') && !run.bead.as_str().starts_with('.'));
            let (diff, prompt) = (Diff::read(input), run.prompt.as_deref().unwrap_or_default());
            let facts = search(&diff, prompt);
            let grounds = OfflineGrounds {
                prompt: run.prompt.is_some(),
                tests: test_output::read(input).reading(),
                unjudged: unjudged(&diff, prompt),
            };
            let coverage = WorkCoverage::of(1, 0, false);
            if let Ok(answer) = offline::judge(&run, &facts, Some(&coverage), &grounds) {
                checked(&answer);
            }
        }
        Ok(RecordReading::Running) => {}
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
    let bead: Bead = "bd-1".parse().expect("a bead");
    let text = String::from_utf8_lossy(input);
    match JudgeAnswer::read(&text, &bead) {
        Ok(answer) => checked(&answer),
        Err(error) => assert!(!error.problems.is_empty()),
    }
    if let Ok(older) = OpusJudgement::read(input, &bead, Timestamp::UNIX_EPOCH) {
        checked(&older.answer());
    }
    if let Ok(words) = words::split(&text) {
        assert!(words.first().is_some_and(|program| !program.is_empty()));
    }
});
