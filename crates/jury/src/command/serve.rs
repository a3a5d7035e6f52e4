//! `jury serve`: many runs, many viewers, one process.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jury_agents::api::Secret;
use jury_core::id::ProjectId;
use jury_engine::Scheduler;
use jury_engine::content::site::Publishing;
use jury_learning::files::LearningPaths;
use jury_server::{AccessRules, AccessToken, Server, ServerLimits};
use jury_store::{Daemon, Mirror, MirrorAddress, MirrorState, Owner, Store};
use serde_json::Map;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::agents::nightly::every_night;
use super::casting::DaemonCasting;
use super::intake::DaemonIntake;
use super::server_context::server_context;
use crate::cli::{Global, ServeArgs};
use crate::output::{self, Output};
use crate::refusal::Refusal;
use crate::settings::{self, Settings};

/// How long runs have to end after the program was told to. Agents that do not end by then are killed with it.
const DRAIN: Duration = Duration::from_secs(10);

/// How long the Redis has to take what is left for it.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Mirrors content runs to a Redis, and says when it goes and when it is back.
fn mirror(store: &Store, address: MirrorAddress) -> Mirror {
    let shown = address.to_string();
    let herald = Box::new(move |state: &MirrorState| match state {
        MirrorState::Gone { why } => {
            tracing::warn!(address = %shown, why = %why, "the Redis is gone; runs go on, and it gets what it misses");
        }
        MirrorState::Reachable | MirrorState::Connecting => {
            tracing::warn!(address = %shown, "the Redis is back and has everything");
        }
    });
    Mirror::start(store.clone(), address, herald)
}

/// The settings as they are now: SIGHUP reads them again.
pub(super) type Current = Arc<RwLock<Arc<Settings>>>;

/// What the command line says, by the names of the variables.
type Flags = std::collections::BTreeMap<&'static str, String>;

pub(crate) async fn serve(args: ServeArgs, global: &Global, runs: Handle) -> Result<u8, Refusal> {
    let flags: Flags = args.evidence.clone().map(|mode| ("OD_CRITIQUE_EVIDENCE", mode)).into_iter().collect();
    let settings = settings::load(flags.clone())?;
    let address: SocketAddr = args.addr.parse().map_err(|_| {
        Refusal::usage(format!(
            "--addr is '{}': it must be an address and a port, such as 127.0.0.1:7878",
            args.addr
        ))
    })?;
    let mirrored = settings::mirror()?;
    let key = secret(args.token_file.as_deref());
    let token = token(args.token_file)?;
    if token.is_none() && !address.ip().is_loopback() {
        return Err(Refusal::usage(format!(
            "{address} can be reached by others and needs a token: set JURY_TOKEN or --token-file, such as JURY_TOKEN=$(openssl rand -hex 32)"
        )));
    }
    raise_file_limit();
    let store = Store::open(&global.data_dir).await?;
    let daemon = Daemon::register(&store)?;
    let since = store.head().await?;
    for (run, error) in store.recover().await?.troubled {
        tracing::error!(run = %run, error = %error, "a run that was cut off cannot be ended");
    }
    let owner = Owner::register(&store)?;
    store
        .create_project(&ProjectId::default_project(), "default", &Map::new(), jiff::Timestamp::now())
        .await?;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Refusal::usage(format!("cannot listen on {address}: {error}; choose another --addr"))
    })?;
    let address = listener.local_addr().unwrap_or(address);
    daemon.introduce(&format!("process {} at http://{address}", std::process::id()))?;

    let limits =
        limits(&args.limits, ServerLimits { body: body_limit(&settings), ..ServerLimits::default() })?;
    // Before anybody knows the address: who is told to end right after it must end in order.
    let signals =
        Signals::new().map_err(|error| Refusal::usage(format!("cannot listen for signals: {error}")))?;
    let slots = settings.critique.max_concurrent_runs;
    let current: Current = Arc::new(RwLock::new(Arc::new(settings)));
    // Before the first agent: if this process is killed, its guard ends what they left.
    let guard = crate::reaper::post();
    let casting = DaemonCasting::new(Arc::clone(&current), publishing(address, key), global.data_dir.clone());
    let scheduler = Scheduler::open_on(&runs, store.clone(), owner, slots, Arc::new(casting));
    crate::clock::now()?;
    let stop_nightly = CancellationToken::new();
    let nightly = runs.spawn(every_night(store.clone(), Arc::clone(&current), stop_nightly.clone()));
    let access = AccessRules::new(address, token, &args.allow_host);
    let here = std::env::current_dir()
        .map_err(|error| Refusal::usage(format!("the working directory cannot be found: {error}")))?;
    let mirror = mirrored.map(|address| mirror(&store, address));
    let learning = LearningPaths::read(|name| std::env::var_os(name), &here);
    let around = server_context(
        &current,
        learning.clone(),
        Arc::new(DaemonIntake::new(learning, &global.data_dir)),
        mirror.clone(),
    );
    let server = Server::new(store.clone(), scheduler.clone(), access, around, limits, since).await?;
    let shutdown = server.shutdown();
    let version = env!("CARGO_PKG_VERSION");
    tracing::info!(version, data_dir = %global.data_dir.display(), address = %address, "serving");
    Output::result(&format!("http://{address}\n"));
    output::delivered(0)?;
    let life = async {
        until_told_to_end(signals, &flags, &current, &scheduler).await;
        tracing::info!(running = scheduler.running(), "ending: runs that go on are stopped and kept");
        stop_nightly.cancel();
        let ended = async { tokio::join!(scheduler.close(), nightly) };
        // Streams stay open while runs end, so that viewers see how.
        if tokio::time::timeout(DRAIN, ended).await.is_err() {
            tracing::warn!("some runs did not end in time; the next start marks them as interrupted");
        }
        shutdown.now();
    };
    tokio::join!(server.serve(listener), life);
    if let Some(mirror) = mirror {
        mirror.settle(LAST_WORDS).await;
    }
    store.close().await.ok();
    drop(guard);
    drop(daemon);
    Ok(0)
}

/// What the program listens to while it serves.
struct Signals {
    term: Signal,
    int: Signal,
    hup: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
            hup: signal(SignalKind::hangup())?,
        })
    }
}

/// Waits for TERM or INT; reads the settings again on HUP.
async fn until_told_to_end(mut signals: Signals, flags: &Flags, current: &Current, scheduler: &Scheduler) {
    loop {
        tokio::select! {
            _ = signals.term.recv() => return,
            _ = signals.int.recv() => return,
            _ = signals.hup.recv() => match settings::load(flags.clone()) {
                Ok(settings) => {
                    scheduler.set_slots(settings.critique.max_concurrent_runs);
                    *current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
                    tracing::info!("settings were read again; runs that begin from now on use them");
                }
                Err(refusal) => tracing::error!(error = %refusal.message, "settings stay as they were"),
            },
        }
    }
}

/// The limits with what is given: `requests=1,head=200`, times in milliseconds. For tests, which have no time to
/// wait and no wish to open thousands of connections.
fn limits(given: &[String], mut limits: ServerLimits) -> Result<ServerLimits, Refusal> {
    for pair in given {
        let wrong = || Refusal::usage(format!("--limits is '{pair}': it must be a name and a number"));
        let (name, number) = pair.split_once('=').ok_or_else(wrong)?;
        let number: u32 = number.parse().map_err(|_| wrong())?;
        let (count, time) = (number as usize, Duration::from_millis(number.into()));
        match name {
            "body" => limits.body = count,
            "connections" => limits.connections = count,
            "viewers" => limits.viewers = count,
            "requests" => limits.requests = count,
            "head" => limits.head = time,
            "body_time" => limits.body_time = time,
            "heartbeat" => limits.heartbeat = time,
            "linger" => limits.linger = time,
            _ => return Err(wrong()),
        }
    }
    Ok(limits)
}

/// Every viewer and every pipe is an open file. Shells hand out a low limit, for programs of another time, and
/// allow a higher one to those who ask.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // Without it there is room for fewer, and who comes too many waits.
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).ok();
}

/// The token of the door, from the environment or a file.
fn token(file: Option<PathBuf>) -> Result<Option<AccessToken>, Refusal> {
    let wrong = |error: jury_server::TokenError| Refusal::usage(error.to_string());
    if let Some(path) = file {
        return AccessToken::read(&path).map(Some).map_err(wrong);
    }
    match std::env::var("JURY_TOKEN") {
        Ok(text) if !text.is_empty() => AccessToken::new(&text).map(Some).map_err(wrong),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// The same as it is shown at the door: the daemon looks at the sites that it serves as any reader does.
fn secret(file: Option<&Path>) -> Option<Secret> {
    let text =
        file.map(std::fs::read_to_string).transpose().ok()?.or_else(|| std::env::var("JURY_TOKEN").ok())?;
    Some(text.trim()).filter(|text| !text.is_empty()).map(Secret::new)
}

/// A page, a brand and a brief fit into a request, however much JSON adds to them.
fn body_limit(settings: &Settings) -> usize {
    let block = usize::try_from(settings.critique.parser_max_block_bytes.0).unwrap_or(usize::MAX);
    block.saturating_mul(4).saturating_add(256 * 1024)
}

/// Sites are served here, and looked at as any reader would: over this address.
fn publishing(address: SocketAddr, token: Option<Secret>) -> Publishing {
    let ip = if address.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { address.ip() };
    let origin = format!("http://{}", SocketAddr::new(ip, address.port()));
    Publishing { origin: Some(origin), token, ..Publishing::default() }
}
