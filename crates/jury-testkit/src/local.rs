//! A real, small model on this machine, for tests: llama.cpp's own server, as `scripts/agents` installs it.
//!
//! It proves that the pipe holds, and nothing about taste.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A server that ends with this value, and with the process that holds it.
#[derive(Debug)]
pub struct LocalModel {
    child: Child,
    url: String,
    log: PathBuf,
}

impl LocalModel {
    /// Starts the server on a free port, and waits until its model is loaded. Its log goes to this folder.
    pub fn start(folder: &Path) -> io::Result<Self> {
        let program = installed().join("local-model");
        let log = folder.join("local-model.log");
        // It ends when its stdin does, which is when we do.
        let mut child = Command::new(&program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&log)?)
            .spawn()
            .map_err(|error| {
                let program = program.display();
                io::Error::other(format!(
                    "{program}: {error}; 'scripts/agents install local-model' installs it"
                ))
            })?;
        let mut url = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut url)?;
        }
        let server = Self { child, url: url.trim().to_owned(), log };
        if server.url.is_empty() {
            return Err(io::Error::other(format!("the server did not start: {}", server.log())));
        }
        Ok(server)
    }

    /// Where it is, without a path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The port of this machine that it is on.
    pub fn port(&self) -> Option<u16> {
        self.url.rsplit(':').next()?.parse().ok()
    }

    /// What it has said about its work.
    pub fn log(&self) -> String {
        std::fs::read(&self.log).map(|log| String::from_utf8_lossy(&log).into_owned()).unwrap_or_default()
    }
}

impl Drop for LocalModel {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Where `scripts/agents` puts commands.
fn installed() -> PathBuf {
    let default = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/jury-agents");
    std::env::var_os("JURY_AGENTS_DIR").map_or_else(default, PathBuf::from).join("bin")
}
