//! The command line of reports about templates.

use clap::Args;
use jiff::civil::Date;

use super::ListFormat;

#[derive(Debug, Args)]
pub(crate) struct RetrospectiveArgs {
    /// The first day of the time after; otherwise that of the first run with a template
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) boundary: Option<Date>,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct WeeklyArgs {
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// How the report is printed
    #[arg(long, value_enum, default_value_t = ListFormat::Human)]
    pub(crate) format: ListFormat,
}
