//! `jury content`: a piece written, reviewed by chosen advisors, revised, and published.

mod advisors;
mod drive;
mod eval;
mod recipes;
mod releases;
mod resume;
mod run;
mod show;

use crate::blocking;
use crate::cli::{ContentArgs, ContentCommand, Global};
use crate::output::Output;
use crate::refusal::Refusal;

pub(crate) fn content(args: ContentArgs, global: &Global, output: Output) -> Result<u8, Refusal> {
    match args.command {
        ContentCommand::Run(args) => blocking(run::run(*args, global, output)),
        ContentCommand::Status(args) => blocking(show::status(args, global, output)),
        ContentCommand::Resume(args) => blocking(resume::resume(args, global, output)),
        ContentCommand::Abandon(args) => blocking(resume::abandon(args, global, output)),
        ContentCommand::Draft(args) => blocking(show::draft(args, global)),
        ContentCommand::Brief(args) => blocking(show::brief(args, global)),
        ContentCommand::Page(args) => blocking(releases::page(args, global)),
        ContentCommand::Releases(args) => blocking(releases::releases(args, global, output)),
        ContentCommand::Rollback(args) => blocking(releases::rollback(args, global, output)),
        ContentCommand::Advisors(args) => advisors::advisors(&args, output),
        ContentCommand::Recipes(args) => recipes::recipes(&args, output),
        ContentCommand::Eval(args) => blocking(eval::eval(args, output)),
    }
}

/// JSON for people.
fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// How wide a text is set.
const WIDTH: usize = 100;

/// A text under its word, in lines that can be read.
fn wrapped(key: &str, text: &str) -> String {
    const INDENT: usize = 12;
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.split("\n\n") {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && INDENT + line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    let first = format!("  {key:<9} ");
    let rest = " ".repeat(INDENT);
    let set = |(at, line): (usize, &String)| format!("{}{line}", if at == 0 { &first } else { &rest });
    lines.iter().enumerate().map(set).collect::<Vec<_>>().join("\n")
}
