//! How long an agent's first words take to the log: from the write on its socket or pipe until the observer sees
//! the first event that stems from it, which is after the append. Nothing is subtracted: the wire, the wake-ups
//! and the disk are in it.
//!
//! `cargo bench -p jury-engine --bench first_event` prints the table. `-- speak FILE` is the agent program that it
//! starts: it says when it wrote into the file.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use jury_agents::Invocation;
use jury_agents::api::{Client, ModelPrompt, Secret, Settings, Vendor};
use jury_agents::decoder::Format;
use jury_core::event::{Event, TheaterEvent};
use jury_core::id::{AgentId, ArtifactId, ProjectId, RunId};
use jury_core::record::Record;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::TheaterSetup;
use jury_engine::{Agent, TheaterJob};
use jury_store::{Owner, Store};
use jury_testkit::model::{BreakKind, ModelServer, Script, ScriptedAnswer};
use rustix::time::{ClockId, clock_gettime};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// What the agent says first. The machine opens a panelist for it.
const OPENING: &str = "<CRITIQUE_RUN version=\"1\"><ROUND n=\"1\"><PANELIST role=\"designer\"><NOTES>";

/// Longer than everything that happens before an agent speaks, so that none of it is measured.
const BEFORE: Duration = Duration::from_millis(25);

const RUNS: usize = 200;

/// The median that must not be exceeded.
const BAR: Duration = Duration::from_millis(5);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [mode, file, ..] if mode == "speak" => speak(Path::new(file)),
        _ => measure(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("first_event: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The agent program: reads its prompt, thinks, speaks, and waits to be ended.
fn speak(file: &Path) -> Result<(), Box<dyn Error>> {
    std::io::stdin().read_to_end(&mut Vec::new())?;
    let mut file = std::fs::File::create(file)?;
    let mut stdout = std::io::stdout().lock();
    std::thread::park_timeout(BEFORE);
    // Written down before it is said: afterwards there may be no time.
    file.write_all(clock().as_nanos().to_string().as_bytes())?;
    stdout.write_all(OPENING.as_bytes())?;
    stdout.flush()?;
    loop {
        std::thread::park();
    }
}

/// A clock that every process reads alike.
fn clock() -> Duration {
    let now = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or_default())
}

/// The runtime of the program, and a store on a disk.
fn measure() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let dir = tempfile::tempdir()?;
        let store = Store::open(dir.path().join(".od")).await?;
        let owner = Owner::register(&store)?;
        println!("first words to log      runs   median ms    p95 ms    max ms   bar ms   of the bar");
        for vendor in ["anthropic", "openai"] {
            report(&format!("service, {vendor}"), service(vendor, &store, &owner).await?);
        }
        report("program, plain text", program(dir.path(), &store, &owner).await?);
        Ok(())
    })
}

/// A model behind a socket. Over and over the same connection, as a service is asked.
async fn service(vendor: &str, store: &Store, owner: &Owner) -> Result<Vec<Duration>, Box<dyn Error>> {
    let delay = u64::try_from(BEFORE.as_millis())?;
    let answer = ScriptedAnswer::text(OPENING.repeat(2))
        .chunk(OPENING.len())
        .delay_ms(delay)
        .breaks(BreakKind::Stall, 1);
    let server = ModelServer::start(Script::new([answer]))?;
    let settings = Settings {
        base_url: Some(format!("{}/v1", server.url())),
        allow_hosts: vec!["127.0.0.1".to_owned()],
        ..Settings::default()
    };
    let client = Client::with_key(Vendor::find(vendor)?, settings, Some(Secret::new("sk-0123456789")))?;
    let mut samples = Vec::with_capacity(RUNS);
    for run in 0..RUNS {
        let prompt = ModelPrompt::new("Play the jury.").max_tokens(4_000);
        let agent = Agent::Model { client: Box::new(client.clone()), prompt };
        let seen = first_event(agent, store, owner).await?;
        let written = server.first_deltas().get(run).copied().ok_or("the service was not asked")?;
        samples.push(seen.0.saturating_duration_since(written));
    }
    Ok(samples)
}

/// A program that prints.
async fn program(dir: &Path, store: &Store, owner: &Owner) -> Result<Vec<Duration>, Box<dyn Error>> {
    let said = dir.join("said");
    let program = std::env::current_exe()?;
    let mut samples = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let invocation = Invocation::new(&program).arg("speak").arg(&said).prompt(b"Play the jury.".to_vec());
        let agent = Agent::Program { invocation, format: Format::Plain, silence: None };
        let seen = first_event(agent, store, owner).await?;
        let written = Duration::from_nanos(std::fs::read_to_string(&said)?.parse()?);
        samples.push(seen.1.saturating_sub(written));
    }
    Ok(samples)
}

/// When the first event that the agent's words made was in the log, on both clocks.
async fn first_event(
    agent: Agent,
    store: &Store,
    owner: &Owner,
) -> Result<(Instant, Duration), Box<dyn Error>> {
    let job = TheaterJob {
        run: RunId(Uuid::now_v7()),
        subject: TheaterSetup {
            project: ProjectId::default_project(),
            artifact: ArtifactId(Uuid::now_v7()),
            agent: AgentId::house(),
        },
        title: "bench".to_owned(),
        config: CritiqueConfig::default(),
        agent,
        request: None,
        panel: jury_engine::Panel::SitsRegardless,
        legacy: None,
        grace: Duration::from_secs(1),
        measuring: jury_engine::Measuring::default(),
    };
    let interrupt = CancellationToken::new();
    let mut seen = None;
    let mut observer = |records: &[Record]| {
        let opened = |record: &Record| matches!(record.event, Event::Theater(TheaterEvent::PanelistOpen(_)));
        if seen.is_none() && records.iter().any(opened) {
            seen = Some((Instant::now(), clock()));
            interrupt.cancel();
        }
    };
    let board = jury_engine::run(store, owner, job, &mut observer, interrupt.clone()).await?;
    seen.ok_or_else(|| format!("nothing was opened: {:?}", board.ended).into())
}

fn report(name: &str, mut samples: Vec<Duration>) {
    samples.sort_unstable();
    let at = |percent: usize| samples.get((samples.len() * percent / 100).min(samples.len() - 1));
    let milliseconds = |sample: Option<&Duration>| sample.map_or(f64::NAN, |time| time.as_secs_f64() * 1e3);
    let (median, p95, max) = (milliseconds(at(50)), milliseconds(at(95)), milliseconds(samples.last()));
    let bar = milliseconds(Some(&BAR));
    println!(
        "{name:<22} {:>5} {median:>11.2} {p95:>9.2} {max:>9.2} {bar:>8.1} {:>11.2}x  {}",
        samples.len(),
        median / bar,
        if median <= bar { "pass" } else { "FAIL" }
    );
}
