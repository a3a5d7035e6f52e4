//! What collecting feedback costs: a thousand records in one process, one record as a process, sixteen processes at once.
//!
//! `cargo bench --package jury --bench judge` prints the table. The program is the one that is built with it.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// How many records one process collects.
const MANY: usize = 1000;
/// How many processes collect one record each.
const PROCESSES: usize = 100;
/// How many collect at once.
const AT_ONCE: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let records = write(folder.path(), MANY)?;
    println!("collecting feedback                           wall        cpu");
    let all: Vec<&str> = records.iter().map(String::as_str).collect();
    row(&format!("{MANY} records, one process"), 1, || collect(folder.path(), &[&all]))?;
    row(&format!("{MANY} records again"), 1, || collect(folder.path(), &[&all]))?;
    row("one record, one process", PROCESSES, || {
        records.iter().take(PROCESSES).try_for_each(|record| collect(folder.path(), &[&[record.as_str()]]))
    })?;
    let fresh = tempfile::tempdir()?;
    let records = write(fresh.path(), AT_ONCE * 125)?;
    let all: Vec<&str> = records.iter().map(String::as_str).collect();
    let parts: Vec<&[&str]> = all.chunks(125).collect();
    row(&format!("{} records, {AT_ONCE} processes at once", all.len()), 1, || collect(fresh.path(), &parts))
}

/// Records whose patterns overlap, so that the registry changes with most of them.
fn write(folder: &Path, count: usize) -> Result<Vec<String>, Box<dyn Error>> {
    (0..count)
        .map(|number| {
            let (attempt, tests) = (1 + number % 3, if number % 2 == 0 { "fail" } else { "pass" });
            let text = format!(
                r#"{{"bead":"bd-{number:05}","status":"done","exit_code":0,"agent":"a{}","model":"m","template_name":"t{}","prompt":"{}","prompt_hash":"h","attempt":{attempt},"duration_seconds":{},"finished_at":"2026-02-20T10:{:02}:{:02}Z","verification":{{"lint":"pass","tests":"{tests}","ubs":"clean","truthsayer":"pass"}}}}"#,
                number % 4,
                number % 6,
                "Mend what is broken. ".repeat(40),
                number % 4000,
                number / 60 % 60,
                number % 60
            );
            let name = format!("{number:05}.json");
            std::fs::write(folder.join(&name), text)?;
            Ok(name)
        })
        .collect()
}

/// Runs a collector for each part, all at once.
fn collect(folder: &Path, parts: &[&[&str]]) -> Result<(), Box<dyn Error>> {
    let start = |part: &&[&str]| {
        Command::new(env!("CARGO_BIN_EXE_jury"))
            .args(["--quiet", "feedback", "collect"])
            .args(*part)
            .current_dir(folder)
            .stdout(Stdio::null())
            .spawn()
    };
    let children: Vec<_> = parts.iter().map(start).collect();
    for child in children {
        if !child?.wait()?.success() {
            return Err("a collector failed".into());
        }
    }
    Ok(())
}

/// Measures the work, and divides by how often it was done.
fn row(
    what: &str,
    times: usize,
    work: impl FnOnce() -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (ticks, start) = (ticks()?, Instant::now());
    work()?;
    let times = f64::from(u32::try_from(times)?);
    let wall = start.elapsed().as_secs_f64() * 1e3 / times;
    // A tick is a hundredth of a second on every Linux there is.
    let cpu = (self::ticks()? - ticks) * 10.0 / times;
    println!("{what:<40} {wall:>8.2} ms {cpu:>7.2} ms");
    Ok(())
}

/// The time that children of this process have had of all processors, in ticks.
fn ticks() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').ok_or("no stat")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let field =
        |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).ok_or("no field");
    Ok(field(13)? + field(14)?)
}
