//! `jury check`, `jury explain` and `jury checks`: pages as they stand, measured and not changed.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use jury_core::severity::Severity;

use super::{Format, GateArgs};

#[derive(Debug, Args)]
pub(crate) struct PageCheckArgs {
    /// Pages: files, folders, patterns such as 'site/**/*.html', or `-` for stdin
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookOptions,
    /// The least score that a page may have, 0 to 10; without it only findings count
    #[arg(long, value_name = "N")]
    pub(crate) threshold: Option<f64>,
    /// Take a --threshold below 5
    #[arg(long)]
    pub(crate) force: bool,
    /// The least severity that fails a page
    #[arg(long, value_name = "SEVERITY", value_parser = severity(), default_value = "serious")]
    pub(crate) fail_on: Severity,
    /// How the result is printed
    #[arg(long, value_name = "FORMAT", value_parser = Format::parser(&[]), default_value = "human")]
    pub(crate) format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Only these checks, such as `a11y/contrast` or 'a11y/*'; may be given again
    #[arg(long, value_name = "CHECK")]
    pub(crate) only: Vec<String>,
    /// All checks but these; may be given again
    #[arg(long, value_name = "CHECK")]
    pub(crate) skip: Vec<String>,
    /// The most findings to print of one page, 0 for all [default: 20 for people, all for programs]
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<usize>,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// Repair what a machine may repair, and write the pages that changed to this folder; what is left is judged
    #[arg(long, value_name = "DIR")]
    pub(crate) repair: Option<PathBuf>,
    /// Go on, and measure a page again when it changes
    #[arg(long, conflicts_with_all = ["baseline", "json", "repair"])]
    pub(crate) watch: bool,
    /// How many pages are measured at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// How long one page may take, in seconds, and ten times as long with --repair [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u16).range(1..=3600))]
    pub(crate) page_timeout: Option<u16>,
}

/// How a page is looked at.
#[derive(Debug, Args)]
pub(crate) struct LookOptions {
    /// The brand: a DESIGN.md to measure colours and fonts against
    #[arg(long, value_name = "FILE")]
    pub(crate) design: Option<PathBuf>,
    /// The folder of the site: addresses that begin with `/` are looked up there, and nothing outside it is loaded
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A finding such as `a11y/contrast#1a2b3c`, a check such as `a11y/contrast`, or the id of a finding of a run
    #[arg(value_name = "FINDING")]
    pub(crate) finding: String,
    /// The page that has it; `-` reads it from stdin
    #[arg(value_name = "PAGE")]
    pub(crate) page: Option<PathBuf>,
    /// The run that has it, or whose last page has it: its id, the beginning of it, or `last`
    #[arg(long, value_name = "RUN", conflicts_with = "page")]
    pub(crate) run: Option<String>,
    #[command(flatten)]
    pub(crate) look: LookOptions,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The words of `--fail-on`.
fn severity() -> impl TypedValueParser<Value = Severity> {
    let help = |severity: &Severity| match severity {
        Severity::Minor => "Worth knowing",
        Severity::Moderate => "Lowers the score",
        Severity::Serious => "Must be fixed",
        Severity::Critical => "Must be fixed, and first",
    };
    PossibleValuesParser::new(
        Severity::ALL.iter().map(|severity| PossibleValue::new(severity.as_str()).help(help(severity))),
    )
    .try_map(|word| word.parse())
}

#[derive(Debug, Args)]
pub(crate) struct ChecksArgs {
    /// Only this check, or those of a pattern such as 'a11y/*'
    #[arg(value_name = "CHECK")]
    pub(crate) check: Option<String>,
    /// As JSON
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// As the document that docs/checks.md is
    #[arg(long)]
    pub(crate) markdown: bool,
}
