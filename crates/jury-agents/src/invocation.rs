//! How an agent is called.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use crate::AgentError;
use crate::adapter::Folder;

/// A program, its arguments, its surroundings and its prompt.
#[derive(Clone)]
pub struct Invocation {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What it inherits of our environment.
    pub inherit: Inherit,
    /// Variables set beside the inherited ones.
    pub env: Vec<(OsString, OsString)>,
    /// The folder it works in; the current one when absent.
    pub dir: Option<PathBuf>,
    /// What it is asked, on its stdin.
    pub prompt: Vec<u8>,
    /// Its stdin stays open after the prompt, for a dialogue.
    pub dialogue: bool,
    /// A folder of its own, which lives as long as anybody may still call it this way.
    pub folder: Option<Arc<Folder>>,
}

/// What an agent inherits of our environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inherit {
    /// All of it: a command that somebody wrote down runs as it would in their shell.
    All,
    /// All of it but these.
    AllBut(Vec<OsString>),
    /// The [`SAFE`] names, and these. A name that ends in `*` stands for all that begin like it.
    Only(Vec<String>),
}

/// What every agent needs to find its way: no keys, no tokens.
pub const SAFE: [&str; 23] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TERM",
    "TMPDIR",
    "TZ",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    // Behind a proxy that opens TLS, nothing works without its certificate.
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
];

/// The longest argument that Linux takes, without its terminator. Other systems take longer ones.
pub const ARGUMENT_LIMIT: usize = 128 * 1024 - 1;

impl Invocation {
    /// A call without arguments and with an empty prompt.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            inherit: Inherit::All,
            env: Vec::new(),
            dir: None,
            prompt: Vec::new(),
            dialogue: false,
            folder: None,
        }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// The same with this prompt.
    #[must_use]
    pub fn prompt(mut self, prompt: impl Into<Vec<u8>>) -> Self {
        self.prompt = prompt.into();
        self
    }

    /// Whether the system would take it.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        let too_long = self.args.iter().enumerate().find(|(_, arg)| arg.len() > ARGUMENT_LIMIT);
        too_long.map_or(Ok(()), |(index, arg)| {
            Err(AgentError::ArgumentTooLong {
                program: self.program.clone(),
                position: index + 1,
                size: arg.len(),
                limit: ARGUMENT_LIMIT,
            })
        })
    }
}

impl Inherit {
    /// Whether this variable is passed on.
    pub fn passes(&self, name: &OsStr) -> bool {
        let names = match self {
            Self::All => return true,
            Self::AllBut(names) => return !names.iter().any(|other| other == name),
            Self::Only(names) => names,
        };
        let Some(name) = name.to_str() else {
            return false;
        };
        SAFE.into_iter()
            .chain(names.iter().map(String::as_str))
            .any(|pattern| pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start)))
    }
}

/// Arguments and values of variables may hold keys and prompts: they are not shown.
impl fmt::Debug for Invocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&OsString> = self.env.iter().map(|(name, _)| name).collect();
        formatter
            .debug_struct("Invocation")
            .field("program", &self.program)
            .field("args", &self.args.len())
            .field("inherit", &self.inherit)
            .field("env", &names)
            .field("dir", &self.dir)
            .field("prompt", &self.prompt.len())
            .field("dialogue", &self.dialogue)
            .finish_non_exhaustive()
    }
}
