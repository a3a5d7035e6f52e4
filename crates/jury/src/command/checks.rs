//! `jury checks`: what the house looks at, from the table that it works by.

use jury_house::CheckInfo;

use super::check::{glob, selection};
use crate::cli::ChecksArgs;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::check::table;

pub(crate) fn checks(args: &ChecksArgs, output: Output) -> Result<u8, Refusal> {
    if let Some(pattern) = &args.check {
        selection::known("jury checks", pattern)?;
    }
    let wanted = |check: &CheckInfo| args.check.as_ref().is_none_or(|pattern| glob::fits(pattern, check.id));
    let checks: Vec<CheckInfo> = jury_house::checks().filter(wanted).collect();
    let text = if args.json {
        serde_json::to_string_pretty(&checks).unwrap_or_default()
    } else if args.markdown {
        table::markdown(&checks)
    } else if checks.len() == 1 && args.check.is_some() {
        checks.first().map(|check| table::one(check, output)).unwrap_or_default()
    } else {
        table::human(&checks, output)
    };
    Output::result(text.trim_end());
    Ok(0)
}
