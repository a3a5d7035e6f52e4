//! What the daemon bears: many runs, many viewers, a long history, a rough life. A client of the program as it
//! is built, over real sockets and with real child processes.
//!
//! `cargo bench --package jury --bench load -- WHAT… [--seconds N] [--seed N] [--runs N] [--viewers N]
//! [--places N] [--dir FOLDER] [--program FILE] [--strict]`, where WHAT is `burst`, `chat`, `idle`, `history`, `soak` or `all`.
//!
//! Events that are lost, repeated or out of order, runs without exactly one end and processes that are left
//! behind always fail. Bars on time and memory depend on the machine: they fail with `--strict` only.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod burst;
mod child;
mod daemon;
mod history;
mod http;
mod idle;
mod process;
mod soak;
mod table;
mod viewer;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use table::Table;

/// Whatever goes wrong here ends the benchmark with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// What was asked for.
#[derive(Debug, Clone)]
struct Ask {
    what: Vec<String>,
    seconds: u64,
    seed: u64,
    runs: Option<usize>,
    viewers: Option<usize>,
    places: Option<usize>,
    dir: PathBuf,
    program: PathBuf,
    strict: bool,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if words.first().is_some_and(|word| word == "child") {
        return child::play(&words[1..]);
    }
    match measure(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("the daemon's bench failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(words: &[String]) -> Outcome<bool> {
    let ask = ask(words)?;
    process::raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut table = Table::default();
    println!("load average {}", process::load_average());
    runtime.block_on(async {
        for what in &ask.what {
            match what.as_str() {
                "burst" => burst::burst(&ask, burst::Kind::Pages, &mut table).await?,
                "chat" => burst::burst(&ask, burst::Kind::Chat, &mut table).await?,
                "idle" => idle::idle(&ask, &mut table).await?,
                "history" => history::history(&ask, &mut table).await?,
                "soak" => soak::soak(&ask, &mut table).await?,
                other => return Err(format!("there is no '{other}'").into()),
            }
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
    })?;
    println!("{table}");
    println!("load average {}", process::load_average());
    Ok(table.is_correct() && (table.is_met() || !ask.strict))
}

fn ask(words: &[String]) -> Outcome<Ask> {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut ask = Ask {
        what: Vec::new(),
        seconds: 60,
        seed: clock.as_secs(),
        runs: None,
        viewers: None,
        places: None,
        dir: std::env::temp_dir(),
        program: PathBuf::from(env!("CARGO_BIN_EXE_jury")),
        strict: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--seconds" => ask.seconds = value()?.parse()?,
            "--seed" => ask.seed = value()?.parse()?,
            "--runs" => ask.runs = Some(value()?.parse()?),
            "--viewers" => ask.viewers = Some(value()?.parse()?),
            "--places" => ask.places = Some(value()?.parse()?),
            "--dir" => ask.dir = PathBuf::from(value()?),
            "--program" => ask.program = PathBuf::from(value()?),
            "--strict" => ask.strict = true,
            "all" => ask.what.extend(["burst", "chat", "idle", "history", "soak"].map(str::to_owned)),
            what => ask.what.push(what.to_owned()),
        }
    }
    Ok(ask)
}

/// Waits until something is so, and says whether it came to be.
async fn until(patience: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let end = tokio::time::Instant::now() + patience;
    while !is_so() {
        if tokio::time::Instant::now() > end {
            return false;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    true
}
