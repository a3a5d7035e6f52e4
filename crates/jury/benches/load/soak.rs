//! The soak: a rough life, made of random runs, interrupts, viewers that come and go, and a daemon that is
//! killed and started again; then a long steady stretch in which nothing may grow.
//!
//! What is done, and when, follows from the seed. What the scheduler makes of it does not.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jury_testkit::random::TestRandom;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use crate::daemon::{Daemon, Home, submit};
use crate::http::Connection;
use crate::table::Table;
use crate::viewer::{Seen, transcript};
use crate::{Ask, Outcome, process, until};

const PROJECTS: [&str; 3] = ["default", "north", "south"];
const PLACES: usize = 4;
const VIEWERS: usize = 9;

/// The most runs that wait or go on.
const MOST_OPEN: usize = 24;

/// How long everything may take to come to rest.
const REST: Duration = Duration::from_mins(1);

/// What everybody shares.
#[derive(Debug)]
struct World {
    /// Where the daemon is now; nowhere while it is dead.
    address: watch::Sender<Option<SocketAddr>>,
    /// The runs that were accepted, each with its project.
    accepted: Mutex<Vec<(String, &'static str)>>,
    /// Nobody asks for anything new.
    resting: AtomicBool,
    /// Viewers stay where they are.
    leaving: AtomicBool,
    over: AtomicBool,
    interrupts: AtomicUsize,
    cuts: AtomicUsize,
    /// How many events each viewer has seen.
    watched: [AtomicUsize; VIEWERS],
}

impl World {
    fn accepted(&self) -> std::sync::MutexGuard<'_, Vec<(String, &'static str)>> {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Waits until the daemon is there, and connects to it.
    async fn connect(&self) -> Option<Connection> {
        while !self.is_over() {
            let address = *self.address.borrow();
            if let Some(address) = address
                && let Ok(connection) = Connection::open(address).await
            {
                return Some(connection);
            }
            sleep(Duration::from_millis(20)).await;
        }
        None
    }
}

/// Soaks for as long as was asked.
pub(crate) async fn soak(ask: &Ask, table: &mut Table) -> Outcome<()> {
    println_seed(ask);
    let mut random = TestRandom::new(ask.seed);
    let home = Home::new(ask, ask.places.unwrap_or(PLACES))?;
    let mut daemon = home.start().await?;
    let mut connection = daemon.connect().await?;
    for project in &PROJECTS[1..] {
        connection.ask("POST", "/api/projects", Some(&serde_json::json!({ "id": project }))).await?;
    }
    let world = Arc::new(World {
        address: watch::Sender::new(Some(daemon.address)),
        accepted: Mutex::default(),
        resting: AtomicBool::new(false),
        leaving: AtomicBool::new(false),
        over: AtomicBool::new(false),
        interrupts: AtomicUsize::new(0),
        cuts: AtomicUsize::new(0),
        watched: Default::default(),
    });
    let mut tasks = JoinSet::new();
    for _ in 0..2 {
        tasks.spawn(ask_for_runs(Arc::clone(&world), TestRandom::new(random.number())));
    }
    tasks.spawn(interrupt(Arc::clone(&world), TestRandom::new(random.number())));
    let mut viewers = JoinSet::new();
    for number in 0..VIEWERS {
        let (world, random) = (Arc::clone(&world), TestRandom::new(random.number()));
        viewers.spawn(view(world, number, random));
    }

    let began = Instant::now();
    let whole = Duration::from_secs(ask.seconds);
    let (mut kills, mut stops, mut orphans) = (0_usize, 0_usize, 0_usize);
    // The rough half.
    while began.elapsed() < whole / 2 {
        sleep(Duration::from_millis(1000 + random.below(5000) as u64)).await;
        world.address.send_replace(None);
        let gentle = random.below(4) == 0;
        if gentle {
            daemon.stop().await?;
            stops += 1;
            // Whoever was told to end has ended before the daemon did.
            orphans += process::carrying(&home.tag).len();
        } else {
            daemon.kill()?;
            kills += 1;
        }
        sleep(Duration::from_millis(random.below(300) as u64)).await;
        daemon = home.start().await?;
        world.address.send_replace(Some(daemon.address));
    }
    // The steady half.
    let steady = Instant::now();
    let (half, pid) = (whole / 2, daemon.pid());
    sleep(half / 3).await;
    let early = rest(&world, &daemon).await?;
    world.resting.store(false, Ordering::Relaxed);
    world.leaving.store(false, Ordering::Relaxed);
    sleep(half.saturating_sub(steady.elapsed())).await;
    let late = rest(&world, &daemon).await?;

    // The last word: everything has ended, and the daemon is killed once more.
    daemon.kill()?;
    daemon = home.start().await?;
    world.leaving.store(false, Ordering::Relaxed);
    world.address.send_replace(Some(daemon.address));
    let left = !until(Duration::from_secs(10), || process::carrying(&home.tag).is_empty()).await;
    orphans += if left { process::carrying(&home.tag).len() } else { 0 };
    let mut connection = daemon.connect().await?;
    let (mut transcripts, mut unended) = (HashMap::new(), 0);
    for project in PROJECTS {
        for run in runs_of(&mut connection, project).await? {
            let sum = transcript(&mut connection, project, &run).await?;
            unended += usize::from(sum.ends != 1 || !sum.ended);
            transcripts.insert((project, run), sum);
        }
    }
    let accepted = world.accepted().clone();
    let vanished =
        accepted.iter().filter(|(run, project)| !transcripts.contains_key(&(*project, run.clone()))).count();
    // Viewers go on until they have seen the end of everything, or for as long as is fair.
    let expected: HashMap<&str, usize> = PROJECTS
        .map(|project| {
            let events = transcripts
                .iter()
                .filter(|((of, _), _)| *of == project)
                .map(|(_, sum)| sum.events)
                .sum::<u64>();
            (project, usize::try_from(events).unwrap_or(usize::MAX))
        })
        .into();
    until(REST, || {
        world
            .watched
            .iter()
            .zip(0..)
            .all(|(seen, viewer)| seen.load(Ordering::Relaxed) >= expected[project_of(viewer)])
    })
    .await;
    world.over.store(true, Ordering::Relaxed);
    let (mut differ, mut wrong, mut watched) = (0, 0, 0);
    while let Some(seen) = viewers.join_next().await {
        let (project, seen) = seen?;
        watched += seen.events;
        wrong += seen.wrong + expected[project].abs_diff(seen.events);
        differ += transcripts
            .iter()
            .filter(|((of, run), sum)| *of == project && seen.runs.get(run) != Some(sum))
            .count();
    }
    while let Some(ended) = tasks.join_next().await {
        ended?;
    }

    println!(
        "soak: {} runs, {} interrupts, {} cut connections, {kills} kills and {stops} stops in {} s; daemon {pid}",
        transcripts.len(),
        world.interrupts.load(Ordering::Relaxed),
        world.cuts.load(Ordering::Relaxed),
        ask.seconds
    );
    table.none("soak: runs that were accepted and are not there", vanished);
    table.none("soak: runs without exactly one end", unended);
    table.none("soak: logs of viewers that differ from a transcript", differ);
    table.none("soak: events lost, repeated or out of order", wrong);
    table.none("soak: processes left behind", orphans);
    #[expect(clippy::cast_precision_loss, reason = "counts for a table")]
    {
        table.note("soak: runs", transcripts.len() as f64, "");
        table.note("soak: events seen by viewers", watched as f64, "");
        table.note("soak: open files, early in the steady half", early.files as f64, "");
        table.below("soak: open files, at its end", late.files as f64, early.files as f64 + 3.0, "");
    }
    table.note("soak: memory, early in the steady half", early.memory, "MB");
    // Caches have their bounds, and fill during the first minutes.
    let filling = if ask.seconds < 300 { 12.0 } else { 4.0 };
    table.below("soak: memory, at its end", late.memory, early.memory * 1.1 + filling, "MB");
    daemon.stop().await?;
    Ok(())
}

fn println_seed(ask: &Ask) {
    println!("soak: --seconds {} --seed {}", ask.seconds, ask.seed);
}

/// What the daemon has while nothing goes on.
#[derive(Debug)]
struct Plateau {
    files: usize,
    memory: f64,
}

/// Lets everything come to rest: no new runs, all of them ended, no viewers.
async fn rest(world: &World, daemon: &Daemon) -> Outcome<Plateau> {
    world.resting.store(true, Ordering::Relaxed);
    let mut connection = daemon.connect().await?;
    let end = Instant::now() + REST;
    loop {
        let health = connection.get("/api/health").await?.json()?;
        if health["running"] == 0 && health["waiting"] == 0 {
            break;
        }
        // Hanging ones hang until somebody stops them.
        for (run, project) in open(&mut connection).await? {
            connection
                .ask("POST", &format!("/api/projects/{project}/critique/{run}/interrupt"), None)
                .await?;
        }
        if Instant::now() > end {
            return Err(format!("the daemon does not come to rest: {health}").into());
        }
        sleep(Duration::from_millis(100)).await;
    }
    // Viewers see the last of it, and leave.
    sleep(Duration::from_millis(500)).await;
    world.leaving.store(true, Ordering::Relaxed);
    loop {
        let health = connection.get("/api/health").await?.json()?;
        if health["viewers"] == 0 {
            break;
        }
        if Instant::now() > end {
            return Err("viewers that left are still counted".into());
        }
        sleep(Duration::from_millis(100)).await;
    }
    sleep(Duration::from_millis(500)).await;
    Ok(Plateau { files: process::files(daemon.pid()), memory: process::megabytes(daemon.pid(), "VmRSS") })
}

/// The runs that have not ended.
async fn open(connection: &mut Connection) -> Outcome<Vec<(String, &'static str)>> {
    let mut open = Vec::new();
    for project in PROJECTS {
        for state in ["running", "queued"] {
            let path = format!("/api/projects/{project}/critique?state={state}&limit=200");
            let page = connection.get(&path).await?.json()?;
            let runs = page["runs"].as_array().into_iter().flatten();
            open.extend(runs.filter_map(|run| Some((run["runId"].as_str()?.to_owned(), project))));
        }
    }
    Ok(open)
}

/// Every run of a project.
async fn runs_of(connection: &mut Connection, project: &str) -> Outcome<Vec<String>> {
    let mut runs = Vec::new();
    let first = format!("/api/projects/{project}/critique?limit=200");
    let mut path = first.clone();
    loop {
        let page = connection.get(&path).await?.json()?;
        let found = page["runs"].as_array().into_iter().flatten();
        runs.extend(found.filter_map(|run| run["runId"].as_str().map(str::to_owned)));
        let Some(next) = page["next"].as_str() else { return Ok(runs) };
        path = format!("{first}&before={next}");
    }
}

async fn ask_for_runs(world: Arc<World>, mut random: TestRandom) {
    while !world.is_over() {
        sleep(Duration::from_millis(10 + random.below(190) as u64)).await;
        if world.resting.load(Ordering::Relaxed) {
            continue;
        }
        let Some(mut connection) = world.connect().await else { return };
        let project = *random.one_of(&[&PROJECTS[0], &PROJECTS[1], &PROJECTS[2]]);
        let agent = random.one_of(&[
            "quick", "quick", "quick", "quick", "slow", "slow", "broken", "hanging", "forking", "pages",
        ]);
        let Ok(Ok(health)) = timeout(REST, connection.get("/api/health")).await else { continue };
        let waiting = health.json().ok().and_then(|health| health["waiting"].as_u64()).unwrap_or(u64::MAX);
        if waiting > MOST_OPEN as u64 {
            continue;
        }
        // What was not answered may or may not be there; what was, must.
        if let Ok(Ok(run)) = timeout(REST, submit(&mut connection, project, agent)).await {
            world.accepted().push((run, project));
        }
    }
}

/// Stops runs: those that go on, and sometimes any of the last ones, twice.
async fn interrupt(world: Arc<World>, mut random: TestRandom) {
    while !world.is_over() {
        sleep(Duration::from_millis(50 + random.below(450) as u64)).await;
        let Some(mut connection) = world.connect().await else { return };
        let Ok(Ok(open)) = timeout(REST, open(&mut connection)).await else { continue };
        if open.is_empty() {
            continue;
        }
        let (run, project) = &open[random.below(open.len())];
        let path = format!("/api/projects/{project}/critique/{run}/interrupt");
        for _ in 0..=random.below(2) {
            if let Ok(Ok(answer)) = timeout(REST, connection.ask("POST", &path, None)).await
                && answer.status == 202
            {
                world.interrupts.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// What a viewer looks at.
fn project_of(viewer: usize) -> &'static str {
    PROJECTS[viewer % PROJECTS.len()]
}

/// Looks on, over as many connections as it takes: leaves in the middle, stalls, comes back where it was.
async fn view(world: Arc<World>, number: usize, mut random: TestRandom) -> (&'static str, Seen) {
    let project = project_of(number);
    let mut seen = Seen::default();
    while !world.is_over() {
        if world.leaving.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(50)).await;
            continue;
        }
        let Some(connection) = world.connect().await else { break };
        let path = format!("/api/projects/{project}/events?after=0");
        let Ok(mut stream) = connection.stream(&path, Some(seen.last).filter(|last| *last > 0)).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        seen.begin();
        let most = 1 + random.below(400);
        let patience = Duration::from_millis(200 + random.below(8000) as u64);
        let (before, until) = (seen.events, Instant::now() + patience);
        while !world.is_over() && !world.leaving.load(Ordering::Relaxed) {
            let resting = world.resting.load(Ordering::Relaxed);
            if !resting && (seen.events - before >= most || Instant::now() > until) {
                break;
            }
            match timeout(Duration::from_millis(100), stream.more(seen.text())).await {
                Ok(Ok(true)) => {
                    seen.take();
                    world.watched[number].store(seen.events, Ordering::Relaxed);
                }
                Ok(Ok(false) | Err(_)) => break,
                Err(_) => {}
            }
            // One in fifty reads nothing for a while.
            if !resting && random.below(50) == 0 {
                sleep(Duration::from_millis(random.below(1500) as u64)).await;
            }
        }
        seen.take();
        world.cuts.fetch_add(1, Ordering::Relaxed);
        if !world.resting.load(Ordering::Relaxed) {
            sleep(Duration::from_millis(random.below(200) as u64)).await;
        }
    }
    (project, seen)
}
