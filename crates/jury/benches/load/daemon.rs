//! The daemon under test: the program as it is built, in a folder of its own.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::child::SCRIPTS;
use crate::http::Connection;
use crate::{Ask, Outcome};

/// A folder with settings in which a daemon can be started again and again.
#[derive(Debug)]
pub(crate) struct Home {
    dir: tempfile::TempDir,
    /// What tells the children of this daemon from all other processes.
    pub(crate) tag: String,
    places: usize,
    program: PathBuf,
}

impl Home {
    /// A new folder where it was asked for, for a daemon with so many places.
    pub(crate) fn new(ask: &Ask, places: usize) -> Outcome<Self> {
        let dir = tempfile::Builder::new().prefix("jury-load-").tempdir_in(&ask.dir)?;
        let tag = format!("load-{}-{}", std::process::id(), crate::process::micros());
        let program = std::env::current_exe()?;
        let mut settings = String::new();
        for script in SCRIPTS {
            let program = Value::from(program.to_string_lossy());
            writeln!(
                settings,
                "[agents.{script}]\ncommand = [{program}, \"child\", \"{script}\", \"{tag}\"]\n"
            )?;
        }
        std::fs::write(dir.path().join("jury.toml"), settings)?;
        Ok(Self { dir, tag, places, program: ask.program.clone() })
    }

    /// The data directory.
    pub(crate) fn data(&self) -> PathBuf {
        self.dir.path().join(".od")
    }

    /// Starts a daemon here and waits until it says that it takes work on.
    pub(crate) async fn start(&self) -> Outcome<Daemon> {
        let path = self.dir.path().join("daemon.log");
        let log = std::fs::File::options().create(true).append(true).open(&path)?;
        let began = Instant::now();
        let mut child = Command::new(&self.program)
            .args(["--quiet", "--data-dir"])
            .arg(self.data())
            .args(["serve", "--addr", "127.0.0.1:0"])
            .current_dir(self.dir.path())
            .env("OD_CRITIQUE_MAX_CONCURRENT_RUNS", self.places.to_string())
            // The load is that of runs; what is made of measurements is the same in all of them.
            .env("OD_CRITIQUE_EVIDENCE", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no stdout")?;
        let line = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            BufReader::new(stdout).read_line(&mut line).map(|_| line)
        })
        .await??;
        let address = line.trim().strip_prefix("http://").ok_or_else(|| {
            let said = std::fs::read_to_string(&path).unwrap_or_default();
            format!("the daemon did not say where it is; it said: {said}")
        })?;
        let mut daemon = Daemon { child, address: address.parse()?, ready: Duration::ZERO };
        let health = daemon.connect().await?.get("/api/health").await?;
        daemon.ready = began.elapsed();
        if health.status != 200 {
            return Err(format!("the daemon is not ready: {}", health.status).into());
        }
        Ok(daemon)
    }
}

/// A daemon that runs.
#[derive(Debug)]
pub(crate) struct Daemon {
    child: Child,
    pub(crate) address: SocketAddr,
    /// From its start to its first good answer.
    pub(crate) ready: Duration,
}

impl Daemon {
    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A connection to it.
    pub(crate) async fn connect(&self) -> Outcome<Connection> {
        Connection::open(self.address).await
    }

    /// Ends it as a person would, and says how long that took.
    pub(crate) async fn stop(mut self) -> Outcome<Duration> {
        let began = Instant::now();
        if let Some(pid) = Pid::from_raw(i32::try_from(self.child.id())?) {
            kill_process(pid, Signal::TERM)?;
        }
        let status = tokio::task::spawn_blocking(move || self.child.wait()).await??;
        if !status.success() {
            return Err(format!("the daemon ended with {status}").into());
        }
        Ok(began.elapsed())
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) -> Outcome<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

/// Asks for a run, and gives its id.
pub(crate) async fn submit(connection: &mut Connection, project: &str, agent: &str) -> Outcome<String> {
    let path = format!("/api/projects/{project}/runs");
    let answer = connection
        .ask("POST", &path, Some(&json!({ "agent": agent, "brief": agent, "critique": true })))
        .await?;
    if answer.status != 202 {
        return Err(format!("a run was refused: {}", String::from_utf8_lossy(&answer.body)).into());
    }
    answer.json()?["runId"].as_str().map(str::to_owned).ok_or_else(|| "no run id".into())
}
