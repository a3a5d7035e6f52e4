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
    /// The path of the program.
    pub program: PathBuf,
    /// The arguments behind the program.
    pub args: Vec<OsString>,
    /// What it inherits of our environment.
    pub inherit: Inherit,
    /// Variables set beside the inherited ones.
    pub env: Vec<(OsString, OsString)>,
    /// The folder it works in; the current one when absent.
    pub dir: Option<PathBuf>,
    /// What it is asked: on its stdin, or in a dialogue with the words of its decoder.
    pub prompt: Vec<u8>,
    /// Its stdin stays open for a dialogue, in which the prompt has its turn. It is not written as it is.
    pub dialogue: bool,
    /// A folder of its own, which lives as long as anybody may still call it this way.
    pub folder: Option<Arc<Folder>>,
}

/// What a program inherits of our environment. Whatever is asked for, the daemon's own secrets stay here; see
/// [`Inherit::passes`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inherit {
    /// What an agent gets: the [`SAFE`] names, and these. A name that ends in `*` stands for all that begin like it.
    Agent {
        /// What its adapter names, the keys of its own vendor among it.
        own: Vec<String>,
        /// What the user adds. A star does not pass a secret: that has to be named.
        added: Vec<String>,
    },
    /// What a program of the user's gets that is no agent, such as the check of a criterion or git: everything but
    /// secrets, as their names tell them.
    Users {
        /// Secrets that are passed all the same.
        named: Vec<String>,
        /// What is left out.
        without: Vec<OsString>,
    },
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

/// What a variable is called that holds a secret: it ends in one of these words.
const SECRETS: [&str; 10] =
    ["KEY", "KEYS", "APIKEY", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "CREDENTIALS"];

/// The longest argument that Linux takes, without its terminator. Other systems take longer ones.
pub const ARGUMENT_LIMIT: usize = 128 * 1024 - 1;

impl Invocation {
    /// A call without arguments and with an empty prompt.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            inherit: Inherit::agent(&[]),
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
    /// What an agent gets whose adapter names these.
    pub fn agent(own: &[&str]) -> Self {
        Self::Agent { own: own.iter().map(|name| (*name).to_owned()).collect(), added: Vec::new() }
    }

    /// What a program of the user's gets.
    pub fn users() -> Self {
        Self::Users { named: Vec::new(), without: Vec::new() }
    }

    /// Whether this variable is passed on.
    pub fn passes(&self, name: &OsStr) -> bool {
        let Some(text) = name.to_str() else {
            // What cannot be read cannot be known to be safe, and programs of the user's may need it.
            return matches!(self, Self::Users { without, .. } if !without.iter().any(|other| other == name));
        };
        if is_ours(text) {
            return false;
        }
        match self {
            Self::Agent { own, added } => {
                let names_it = |pattern: &str| fits(pattern, text) && (pattern != "*" || !is_secret(text));
                SAFE.into_iter().any(|pattern| fits(pattern, text))
                    || own.iter().any(|pattern| names_it(pattern))
                    || added
                        .iter()
                        .any(|pattern| pattern == text || (fits(pattern, text) && !is_secret(text)))
            }
            Self::Users { named, without } => {
                !without.iter().any(|other| other == name)
                    && (!is_secret(text) || named.iter().any(|own| own == text))
            }
        }
    }
}

/// Whether a variable belongs to the daemon alone: who has one of these can drive it, or pose as it.
pub fn is_ours(name: &str) -> bool {
    matches!(name, "JURY_TOKEN" | "JURY_REDIS_URL")
        || (name.starts_with("OTEL_") && name.ends_with("HEADERS"))
}

/// Whether a variable holds a secret, by its name.
fn is_secret(name: &str) -> bool {
    let last = name.rsplit('_').next().unwrap_or(name).to_ascii_uppercase();
    // `AWS_ACCESS_KEY_ID` is one half of a pair.
    SECRETS.contains(&last.as_str()) || name.to_ascii_uppercase().ends_with("_KEY_ID")
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
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
