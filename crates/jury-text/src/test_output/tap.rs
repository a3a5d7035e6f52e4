//! The Test Anything Protocol: a plan, and a line for each test. A run that tests less than its plan says has broken off.

use jury_core::judge::TestSummary;
use jury_core::line::counted;

/// What a text says in this protocol.
#[derive(Debug, Default)]
pub(super) struct Tap {
    pub(super) summary: Option<TestSummary>,
    pub(super) trouble: Option<String>,
    /// The number of its last line.
    pub(super) last: Option<usize>,
}

/// The tests of the outermost level, and what is wrong with the plan. Nothing without a plan.
pub(super) fn read(lines: &[&str]) -> Tap {
    let mut plan: Option<u64> = None;
    let mut last = None;
    let (mut passed, mut failed, mut skipped) = (0_u64, 0_u64, 0_u64);
    for (at, line) in lines.iter().enumerate() {
        if let Some(most) = line.strip_prefix("1..") {
            let number = most.split_whitespace().next().and_then(|most| most.parse::<u64>().ok());
            plan = number.map(|number| plan.unwrap_or(0).saturating_add(number)).or(plan);
            last = Some(at);
        }
        let Some((good, rest)) = line
            .strip_prefix("not ok")
            .map(|rest| (false, rest))
            .or_else(|| line.strip_prefix("ok").map(|rest| (true, rest)))
        else {
            continue;
        };
        // `ok 1 - name`; a package of Go is `ok` as well, and has a name where this has a number.
        let mut words = rest.split_whitespace();
        let numbered = words.next().is_none_or(|word| word.parse::<u64>().is_ok() || word == "-");
        if !numbered || !rest.starts_with([' ', '\t']) {
            continue;
        }
        last = Some(at);
        let directive = rest.rsplit_once('#').map(|(_, note)| note.trim().to_ascii_lowercase());
        let is = |word: &str| directive.as_ref().is_some_and(|note| note.starts_with(word));
        if is("skip") || is("todo") {
            skipped += 1;
        } else if good {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    let Some(plan) = plan else { return Tap::default() };
    let ran = passed + failed + skipped;
    // Without a line of a test it may be anything that is counted.
    if ran == 0 && plan > 0 {
        return Tap::default();
    }
    let trouble =
        (ran != plan).then(|| format!("the plan has {}, and {ran} ran", counted(plan, "test", "tests")));
    Tap { summary: Some(TestSummary { runner: "TAP", passed, failed }), trouble, last }
}
