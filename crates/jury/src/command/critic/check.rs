//! `jury critic check`: what is wrong with a transcript, line by line.

use jury_core::critic::format::{Rules, Violation, check_with};
use jury_core::unit::Bytes;
use serde_json::json;

use crate::cli::{CheckArgs, CheckFormat};
use crate::document::{self, Given};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::render::github::annotation;
use crate::render::sarif::{Outcome, log, result};

/// The largest transcript.
const LARGEST: Bytes = Bytes(16 * 1024 * 1024);

pub(super) fn check(args: &CheckArgs, output: Output) -> Result<u8, Refusal> {
    let loaded = args.criteria.as_deref().map(crate::criteria::load).transpose()?;
    let Given { shown, bytes, .. } =
        document::read(&args.transcript, "transcript", LARGEST, "check its parts one by one")?;
    let rules = Rules { cap: None, set: loaded.as_ref().map(|loaded| &loaded.set) };
    let found = check_with(&bytes, rules);
    let code = u8::from(!found.is_empty());
    let text = match args.format {
        CheckFormat::Human => human(&found, &shown, output),
        CheckFormat::Json => {
            let value = json!({ "file": shown, "valid": found.is_empty(), "violations": found });
            serde_json::to_string_pretty(&value).unwrap_or_default()
        }
        CheckFormat::Github => {
            let line = |one: &Violation| {
                let title = format!("jury {}", one.code);
                annotation("error", &shown, Some(one.line), &title, &one.message)
            };
            found.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        CheckFormat::Sarif => {
            let results: Vec<_> = found
                .iter()
                .map(|one| result(&shown, one.code.as_str(), "error", &one.message, Some(one.line)))
                .collect();
            let outcome = Outcome { code, word: None, trouble: None };
            log(&results, &outcome, &json!({ "violations": found.len() }))
        }
    };
    if !text.is_empty() {
        Output::result(&text);
    }
    Ok(code)
}

fn human(found: &[Violation], shown: &str, output: Output) -> String {
    if found.is_empty() {
        return format!("{shown}: nothing is wrong with it");
    }
    let line = |one: &Violation| {
        let code = output.paint_result(Tone::Bad, one.code.as_str());
        format!("{shown}:{}: {code}: {}", one.line, one.message)
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
