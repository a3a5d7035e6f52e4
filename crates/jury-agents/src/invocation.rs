//! How an agent is called.

use std::ffi::OsString;
use std::path::PathBuf;

/// A program, its arguments and its prompt.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables set beside the inherited ones.
    pub env: Vec<(OsString, OsString)>,
    /// The folder it works in; the current one when absent.
    pub dir: Option<PathBuf>,
    /// What it is asked, on its stdin.
    pub prompt: Vec<u8>,
}

impl Invocation {
    /// A call without arguments and with an empty prompt.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), args: Vec::new(), env: Vec::new(), dir: None, prompt: Vec::new() }
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
}
