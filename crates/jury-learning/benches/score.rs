//! How long scoring a folder of feedback takes: all of it, then with nothing new, one new record, and one changed.
//!
//! A million files of their own would take gigabytes of disk: beyond ten thousand, names are links to the same files. That
//! saves the disk and not the work: each name is opened, read and parsed.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jury_learning::files::{LearningPaths, Scoring, ScoringResult, score};

const OWN_FILES: u32 = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    println!("scoring feedback: seconds on the clock, seconds of work, files that were opened");
    for records in [10_000_u32, 1_000_000] {
        let dir = tempfile::tempdir()?;
        let paths = LearningPaths::read(|_| None, dir.path());
        fs::create_dir_all(&paths.feedback)?;
        fill(&paths.feedback, records)?;
        // The newest of them must be older than what comes next, by the clock that stamps files.
        tick(dir.path())?;
        let (all, whole) = timed(&paths)?;
        let (same, idle) = timed(&paths)?;
        fs::write(paths.feedback.join("new.json"), record(records))?;
        let (new, one) = timed(&paths)?;
        tick(dir.path())?;
        timed(&paths)?;
        fs::write(paths.feedback.join("new.json"), record(records + 1))?;
        let (changed, other) = timed(&paths)?;
        let rows = [
            ("all", all, whole),
            ("nothing new", same, idle),
            ("one new", new, one),
            ("one changed", changed, other),
        ];
        for (what, took, scored) in rows {
            println!(
                "{records:>9} records, {what:<11} {:>7.3} {:>6.2} {:>8}",
                took.wall, took.cpu, scored.opened
            );
        }
        println!("{records:>9} records, at most {} of memory", peak());
    }
    Ok(())
}

fn fill(folder: &Path, records: u32) -> Result<(), Box<dyn Error>> {
    for number in 0..records.min(OWN_FILES) {
        fs::write(folder.join(format!("bd-{number}.json")), record(number))?;
    }
    for number in OWN_FILES..records.max(OWN_FILES) {
        let own = folder.join(format!("bd-{}.json", number % OWN_FILES));
        fs::hard_link(own, folder.join(format!("bd-{number}.json")))?;
    }
    Ok(())
}

fn timed(paths: &LearningPaths) -> Result<(Took, ScoringResult), Box<dyn Error>> {
    let (began, worked) = (Instant::now(), cpu());
    let scored = score(paths, Timestamp::UNIX_EPOCH, &Scoring { full: false, settled: Duration::ZERO })?;
    Ok((Took { wall: began.elapsed().as_secs_f64(), cpu: cpu() - worked }, scored))
}

struct Took {
    wall: f64,
    cpu: f64,
}

/// The seconds that this process has worked, as the system tells it, to a hundredth.
fn cpu() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which ends with a bracket: the twelfth and thirteenth are the ticks of the program and of the system.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn tick(folder: &Path) -> Result<(), Box<dyn Error>> {
    let probe = folder.join("probe");
    let stamp = || fs::write(&probe, "x").and_then(|()| fs::metadata(&probe)?.modified());
    let before = stamp()?;
    while stamp()? == before {}
    Ok(())
}

/// The most memory that this process ever had, as the system tells it.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}

fn record(number: u32) -> String {
    let outcome = ["full_pass", "partial_pass", "agent_failure", "timeout", "full_pass"][pick(number, 5)];
    let template = ["bug-fix", "feature", "docs", "script", "refactor", "code-review"][pick(number / 7, 6)];
    let score = if number.is_multiple_of(4) { "0.82" } else { "null" };
    let (day, hour, minute) = (number / 1440 % 28 + 1, number / 60 % 24, number % 60);
    format!(
        r#"{{"schema_version":"1.0.0","bead":"bd-{number}","timestamp":"2026-02-{day:02}T{hour:02}:{minute:02}:00Z","template":"{template}","agent":"agent-{}","model":"m","outcome":"{outcome}","signals":{{"exit_clean":true,"tests_pass":true,"lint_pass":true,"ubs_clean":true,"truthsayer_clean":true,"duration_ratio":0.5,"retried":false}},"failure_patterns":["scope-creep"],"opus_quality_score":{score},"opus_judge":null,"prompt_hash":"h","judgment":null}}"#,
        number % 5
    )
}

fn pick(number: u32, of: usize) -> usize {
    usize::try_from(number).unwrap_or(0) % of
}
