//! The program: commands, settings, wiring. It decides nothing about reviews.
//!
//! Results go to stdout, progress and messages to stderr. An error is one line: what, where, what to do.

mod agent;
mod cli;
mod command;
mod output;
mod refusal;
mod render;
mod settings;

use std::process::ExitCode;

use clap::Parser as _;
use tokio::runtime::Handle;

use cli::{Cli, Command};
use output::Output;
use refusal::Refusal;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return cli::usage(&error),
    };
    let output = Output::new(&cli.global);
    match dispatch(cli, output) {
        Ok(code) => ExitCode::from(code),
        Err(refusal) => {
            output.error(&refusal);
            ExitCode::from(refusal.code)
        }
    }
}

fn dispatch(cli: Cli, output: Output) -> Result<u8, Refusal> {
    let global = cli.global;
    match cli.command {
        Command::Run(args) => blocking(command::run::run(*args, &global, output)),
        Command::Parse(args) => command::parse::parse(&args),
        Command::Replay(args) => blocking(command::replay::replay(args, &global, output)),
        Command::Report(args) => blocking(command::report::report(args, &global)),
        Command::Runs(args) => blocking(command::runs::runs(args, &global, output)),
        Command::Serve(args) => serving(|runs| command::serve::serve(args, &global, output, runs)),
        Command::Agents(args) => blocking(command::agents::agents(args, &global, output)),
        Command::Doctor(args) => blocking(command::doctor::doctor(args, &global, output)),
        Command::Reindex => blocking(command::reindex::reindex(&global, output)),
        Command::HouseAgent => command::house_agent::house_agent(),
    }
}

/// Runs the daemon, with one set of threads for those who ask and look on and one for the runs, each as many as
/// there are cores: the system shares the machine between them, however long a page takes to check.
fn serving<F: Future<Output = Result<u8, Refusal>>>(serve: impl FnOnce(Handle) -> F) -> Result<u8, Refusal> {
    let threads = |name: &'static str| {
        tokio::runtime::Builder::new_multi_thread()
            .thread_name(name)
            .enable_all()
            .build()
            .map_err(|error| Refusal::inconclusive(format!("cannot start: {error}")))
    };
    let (runs, doors) = (threads("jury-runs")?, threads("jury-doors")?);
    let ended = doors.block_on(serve(runs.handle().clone()));
    // Whatever still blocks there is not waited for.
    runs.shutdown_background();
    ended
}

/// Runs a command that waits for things. One thread is enough: the heavy work is in other processes.
fn blocking(future: impl Future<Output = Result<u8, Refusal>>) -> Result<u8, Refusal> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Refusal::inconclusive(format!("cannot start: {error}")))?;
    runtime.block_on(future)
}
