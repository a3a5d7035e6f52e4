//! `jury check`, `jury explain` and `jury checks`: pages as they stand, measured and not changed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct PageCheckArgs {
    /// Pages: files, folders, patterns such as 'site/**/*.html', or `-` for stdin
    #[arg(value_name = "PAGE", required = true)]
    pub(crate) pages: Vec<PathBuf>,
    /// The brand: a DESIGN.md to measure colours and fonts against
    #[arg(long, value_name = "FILE")]
    pub(crate) design: Option<PathBuf>,
    /// The folder that addresses beginning with `/` are looked up in; a page loads nothing from outside it
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// The least score that a page may have, 0 to 10; without it only findings count
    #[arg(long, value_name = "N")]
    pub(crate) threshold: Option<f64>,
    /// The least severity that fails a page
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = SeverityName::Serious)]
    pub(crate) fail_on: SeverityName,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
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
    /// How many pages are measured at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityName {
    /// Worth knowing
    Minor,
    /// Lowers the score
    Moderate,
    /// Must be fixed
    Serious,
    /// Must be fixed, and first
    Critical,
}

impl From<SeverityName> for jury_house::Severity {
    fn from(name: SeverityName) -> Self {
        match name {
            SeverityName::Minor => Self::Minor,
            SeverityName::Moderate => Self::Moderate,
            SeverityName::Serious => Self::Serious,
            SeverityName::Critical => Self::Critical,
        }
    }
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
