//! The program: commands, settings, wiring. It decides nothing about reviews.
//!
//! Results go to stdout, progress and messages to stderr. An error is one line: what, where, what to do.

mod agent;
mod beside;
mod cli;
mod clock;
mod command;
mod criteria;
mod document;
mod evals;
mod gate;
mod library;
mod output;
mod reaper;
mod refusal;
mod registry;
mod render;
mod rules;
mod seats;
mod settings;
mod tables;
mod telemetry;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Parser as _;

use cli::{Cli, Command, Global, ServeArgs};
use output::Output;
use refusal::Refusal;
use telemetry::LogFormat;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = cli::usage(&error);
            // A wrong call has its line already.
            return ended(if code == 0 { output::delivered(code) } else { Ok(code) }, Output::plain());
        }
    };
    let output = Output::new(&cli.global);
    ended(dispatch(cli, output).and_then(output::delivered), output)
}

/// The exit code, after the line about what went wrong.
fn ended(result: Result<u8, Refusal>, output: Output) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(refusal) => {
            output.error(&refusal);
            ExitCode::from(refusal.code)
        }
    }
}

fn dispatch(cli: Cli, output: Output) -> Result<u8, Refusal> {
    let global = cli.global;
    // The doctor lists them; the other two are parts of the program and take no settings.
    if !matches!(cli.command, Command::Doctor(_) | Command::House | Command::Guard(_)) {
        settings::refuse_unknown()?;
    }
    match cli.command {
        Command::Run(args) => blocking(command::run::run(*args, &global, output)),
        Command::Check(args) => blocking(command::check::check(*args, output)),
        Command::Explain(args) => blocking(command::explain::explain(*args, &global, output)),
        Command::Checks(args) => command::checks::checks(&args, output),
        Command::Critic(args) => command::critic::critic(args, &global, output),
        Command::Content(args) => command::content::content(args, &global, output),
        Command::Judge(args) => blocking(command::judge::judge(*args, &global, output)),
        Command::Decisions(args) => blocking(command::decisions::decisions(args, &global, output)),
        Command::Feedback(args) => command::feedback::feedback(&args, output),
        Command::Patterns(args) => command::patterns::patterns(&args, output),
        Command::Templates(args) => command::templates::templates(args, output),
        Command::Label(args) => blocking(command::label::label(args, &global, output)),
        Command::Calibrate(args) => blocking(command::calibrate::calibrate(args, &global, output)),
        Command::Inspect(args) => command::inspect::inspect(&args, output),
        Command::Parse(args) => command::parse::parse(&args),
        Command::Replay(args) => blocking(command::replay::replay(args, &global, output)),
        Command::Compare(args) => blocking(command::compare::compare(args, &global, output)),
        Command::Report(args) => blocking(command::report::report(args, &global, output)),
        Command::Runs(args) => blocking(command::runs::runs(args, &global, output)),
        Command::Serve(args) => serving(args, &global),
        Command::Agents(args) => blocking(command::agents::agents(args, &global, output)),
        Command::Doctor(args) => blocking(command::doctor::doctor(args, &global, output)),
        Command::Reindex => blocking(command::reindex::reindex(&global, output)),
        Command::Store(args) => blocking(command::store::store(args, &global, output)),
        Command::House => command::house::house(),
        Command::Guard(args) => {
            reaper::stand(args.program);
            Ok(0)
        }
    }
}

/// Runs the daemon, with one set of threads for those who ask and look on and one for the runs, each as many as
/// there are cores: the system shares the machine between them, however long a page takes to check.
fn serving(args: ServeArgs, global: &Global) -> Result<u8, Refusal> {
    let terminal = std::io::stderr().is_terminal();
    let format = args.log_format.unwrap_or(if terminal { LogFormat::Text } else { LogFormat::Json });
    let telemetry = telemetry::start(&telemetry::Options::from_env(format))?;
    let threads = |name: &'static str| {
        tokio::runtime::Builder::new_multi_thread()
            .thread_name(name)
            .enable_all()
            .build()
            .map_err(|error| Refusal::inconclusive(format!("cannot start: {error}")))
    };
    let (runs, doors) = (threads("jury-runs")?, threads("jury-doors")?);
    let code = doors.block_on(command::serve::serve(args, global, runs.handle().clone()));
    // Whatever still blocks there is not waited for.
    runs.shutdown_background();
    telemetry.shutdown();
    code
}

/// Runs a command that waits for things. One thread is enough: the heavy work is in other processes.
fn blocking(future: impl Future<Output = Result<u8, Refusal>>) -> Result<u8, Refusal> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Refusal::inconclusive(format!("cannot start: {error}")))?;
    runtime.block_on(future)
}
