//! `jury serve`: many runs, many viewers, one process.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jury_agents::api::Budget;
use jury_agents::prompt::Material;
use jury_core::id::ProjectId;
use jury_core::request::{BadRequest, RunRequest};
use jury_engine::{Docket, Part, Prepare};
use jury_server::{Door, Limits, Server, Token};
use jury_store::{Daemon, Owner};
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::agent::{self, Task};
use crate::cli::{Global, ServeArgs};
use crate::output::Output;
use crate::refusal::Refusal;
use crate::settings::{self, Settings};

/// How long runs have to end after the program was told to. Agents that do not end by then are killed with it.
const DRAIN: Duration = Duration::from_secs(10);

/// The settings as they are now: SIGHUP reads them again.
type Current = Arc<RwLock<Arc<Settings>>>;

pub(crate) async fn serve(
    args: ServeArgs,
    global: &Global,
    output: Output,
    runs: Handle,
) -> Result<u8, Refusal> {
    let settings = settings::load(std::collections::BTreeMap::new())?;
    let address: SocketAddr = args.addr.parse().map_err(|_| {
        Refusal::usage(format!(
            "--addr is '{}': it must be an address and a port, such as 127.0.0.1:7878",
            args.addr
        ))
    })?;
    let token = token(args.token_file)?;
    if token.is_none() && !address.ip().is_loopback() {
        return Err(Refusal::usage(format!(
            "{address} can be reached by others and needs a token: set JURY_TOKEN or --token-file, such as JURY_TOKEN=$(openssl rand -hex 32)"
        )));
    }
    raise_file_limit();
    let signals = Signals::listen()?;
    let store = super::open_to_write(global, output).await?;
    let daemon = Daemon::register(&store)?;
    let owner = Owner::register(&store)?;
    store
        .create_project(
            &ProjectId::default_project(),
            "default",
            &serde_json::Map::new(),
            jiff::Timestamp::now(),
        )
        .await?;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Refusal::usage(format!("cannot listen on {address}: {error}; choose another --addr"))
    })?;
    let address = listener.local_addr().unwrap_or(address);
    daemon.introduce(&format!("process {} at http://{address}", std::process::id()))?;

    let limits = Limits { body: body_limit(&settings), ..Limits::default() };
    let places = settings.critique.max_concurrent_runs;
    let current: Current = Arc::new(RwLock::new(Arc::new(settings)));
    let docket = Docket::open_on(&runs, store.clone(), owner, places, prepare(Arc::clone(&current)));
    let door = Door::new(address, token, &args.allow_host);
    let server = Server::new(store.clone(), docket.clone(), door, limits).await?;
    let shutdown = server.shutdown();
    output.note(&format!("jury {} serves {}", env!("CARGO_PKG_VERSION"), global.data_dir.display()));
    Output::result(&format!("http://{address}\n"));
    let life = async {
        signals.until_told_to_end(&current, &docket, output).await;
        output.note("ending: runs that go on are stopped and kept");
        // Streams stay open while runs end, so that viewers see how.
        if tokio::time::timeout(DRAIN, docket.close()).await.is_err() {
            output.note("some runs did not end in time; the next start marks them as interrupted");
        }
        shutdown.now();
    };
    tokio::join!(server.serve(listener, |_| {}), life);
    store.close().await.ok();
    drop(daemon);
    Ok(0)
}

/// What the system tells the daemon. Listened to before anybody is told that it is there: a signal that comes
/// earlier would end it on the spot.
struct Signals {
    term: Signal,
    int: Signal,
    hup: Signal,
}

impl Signals {
    fn listen() -> Result<Self, Refusal> {
        let listen = |kind| {
            signal(kind).map_err(|error| Refusal::inconclusive(format!("cannot listen to signals: {error}")))
        };
        Ok(Self {
            term: listen(SignalKind::terminate())?,
            int: listen(SignalKind::interrupt())?,
            hup: listen(SignalKind::hangup())?,
        })
    }

    /// Waits for TERM or INT; reads the settings again on HUP.
    async fn until_told_to_end(mut self, current: &Current, docket: &Docket, output: Output) {
        loop {
            tokio::select! {
                _ = self.term.recv() => return,
                _ = self.int.recv() => return,
                _ = self.hup.recv() => match settings::load(std::collections::BTreeMap::new()) {
                    Ok(settings) => {
                        docket.set_places(settings.critique.max_concurrent_runs);
                        *current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
                        output.note("settings were read again; runs that begin from now on use them");
                    }
                    Err(refusal) => output.note(&format!("settings stay as they were: {}", refusal.message)),
                },
            }
        }
    }
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
fn token(file: Option<PathBuf>) -> Result<Option<Token>, Refusal> {
    let wrong = |error: jury_server::TokenError| Refusal::usage(error.to_string());
    if let Some(path) = file {
        return Token::read(&path).map(Some).map_err(wrong);
    }
    match std::env::var("JURY_TOKEN") {
        Ok(text) if !text.is_empty() => Token::new(&text).map(Some).map_err(wrong),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// A page, a brand and a brief fit into a request, however much JSON adds to them.
fn body_limit(settings: &Settings) -> usize {
    let block = usize::try_from(settings.critique.parser_max_block_bytes.0).unwrap_or(usize::MAX);
    block.saturating_mul(4).saturating_add(256 * 1024)
}

/// How requests become runs: with the settings of the moment.
fn prepare(current: Current) -> Prepare {
    Arc::new(move |request, _project| {
        let settings = Arc::clone(&current.read().unwrap_or_else(PoisonError::into_inner));
        part(request, &settings)
    })
}

fn part(request: &RunRequest, settings: &Settings) -> Result<Part, BadRequest> {
    let config = request.settings(&settings.critique)?;
    let budget = (request.max_cost_usd.is_some() || request.max_tokens.is_some())
        .then(|| Budget::new(request.max_cost_usd, request.max_tokens));
    let scratch = std::env::temp_dir();
    let task = Task {
        material: Material {
            page: request.page.as_deref(),
            brief: request.brief.as_deref(),
            design: request.design.as_deref(),
        },
        model: request.model.as_deref(),
        budget,
        scratch: &scratch,
    };
    let settings = Settings { critique: config.clone(), ..settings.clone() };
    let agent = agent::find(&request.agent(), &settings, &task)
        .map_err(|refusal| BadRequest { field: "agent", problem: refusal.message })?;
    Ok(Part { config, agent })
}
