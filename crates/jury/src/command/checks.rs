//! `jury checks`: everything that is measured, from the tables that jury works by.

use super::check::{glob, selection};
use crate::cli::ChecksArgs;
use crate::output::Output;
use crate::refusal::Refusal;
use crate::render::check::table;
use crate::rules::{self, Listed};

pub(crate) fn checks(args: &ChecksArgs, output: Output) -> Result<u8, Refusal> {
    if let Some(pattern) = &args.check {
        selection::known("jury checks", pattern, rules::all().map(|listed| listed.rule.id))?;
    }
    let wanted =
        |listed: &Listed| args.check.as_ref().is_none_or(|pattern| glob::fits(pattern, listed.rule.id));
    let checks: Vec<Listed> = rules::all().filter(wanted).collect();
    let text = if args.json {
        let checks: Vec<_> = checks.iter().map(|listed| &listed.json).collect();
        serde_json::to_string_pretty(&checks).unwrap_or_default()
    } else if args.markdown {
        table::markdown(&checks)
    } else if let ([check], Some(_)) = (checks.as_slice(), &args.check) {
        table::one(check, output)
    } else {
        table::human(&checks, output)
    };
    Output::result(text.trim_end());
    Ok(0)
}
