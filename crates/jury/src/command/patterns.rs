//! `jury patterns`: in which ways runs fail again and again, and what is done about it.

use std::fmt::Write as _;

use jury_core::judge::RecordReading;
use jury_learning::files::{
    LearningError, LearningPaths, PatternRegistryFile, count, each_feedback, find_record, mitigate,
    read_record_of_anybody, read_registry,
};
use jury_learning::{
    Feedback, FeedbackLine, JudgingResult, Pattern, PatternEntry, PatternRegistry, is_infra, message,
};
use serde_json::json;

use super::feedback::told;
use super::templates::learning_paths;
use crate::cli::{
    DetailArgs, DetectArgs, EffectivenessArgs, ListFormat, MitigateArgs, PatternListArgs, PatternsArgs,
    PatternsCommand,
};
use crate::clock;
use crate::output::Output;
use crate::refusal::{NOT_DONE, Refusal};
use crate::render::printable;

/// The longest text that is noted as a mitigation.
const LONGEST_MITIGATION: usize = 2000;

pub(crate) fn patterns(args: &PatternsArgs, output: Output) -> Result<u8, Refusal> {
    match &args.command {
        PatternsCommand::Detect(args) => detect(args, output),
        PatternsCommand::List(args) => list(args, output),
        PatternsCommand::Detail(args) => detail(args, output),
        PatternsCommand::Mitigate(args) => note_mitigation(args, output),
        PatternsCommand::Effectiveness(args) => effectiveness(args, output),
    }
}

fn detect(args: &DetectArgs, output: Output) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let paths = learning_paths()?;
    let result = match find_record(&paths, &args.run) {
        None => Err(LearningError::NoRecord(args.run.clone())),
        Some(place) => read_record_of_anybody(&place),
    };
    let run = match result {
        Ok(RecordReading::Finished(run)) => run,
        // A run that goes on has shown nothing yet.
        Ok(RecordReading::Running) => {
            Output::result("[]");
            return Ok(0);
        }
        Err(error) => {
            Output::say(&told(&error));
            return Ok(NOT_DONE);
        }
    };
    if args.update_registry {
        let feedback = Feedback::collect(&run, &JudgingResult::Not, None, now);
        match count(&paths, &run.bead, &FeedbackLine::from(&feedback)) {
            Ok(warnings) => warnings.iter().for_each(|warning| output.note(warning)),
            Err(error) => {
                Output::say(&told(&error));
                return Ok(NOT_DONE);
            }
        }
    }
    let names: Vec<&str> = Pattern::detect(&run).iter().map(|pattern| pattern.as_str()).collect();
    Output::result(&json!(names).to_string());
    Ok(0)
}

/// The registry, as far as there is one that can be read. Nothing is changed by looking.
fn registry(paths: &LearningPaths, output: Output) -> Result<PatternRegistry, Refusal> {
    match read_registry(&paths.registry) {
        Ok(PatternRegistryFile::Read(registry)) => Ok(registry),
        Ok(PatternRegistryFile::Missing) => Ok(PatternRegistry::default()),
        Ok(PatternRegistryFile::Broken(why)) => {
            let place = paths.registry.display();
            output.note(&format!(
                "{place} cannot be read ({why}); the next 'jury feedback collect' makes it again"
            ));
            Ok(PatternRegistry::default())
        }
        Err(error) => Err(Refusal::not_done(error.to_string())),
    }
}

fn list(args: &PatternListArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let registry = registry(&paths, output)?;
    let mut entries: Vec<(&String, &PatternEntry)> = registry.0.iter().collect();
    entries.sort_by(|one, two| two.1.count.cmp(&one.1.count).then_with(|| one.0.cmp(two.0)));
    match args.format {
        ListFormat::Json => {
            let entries: Vec<_> = entries.iter().map(|(name, entry)| document(name, entry)).collect();
            Output::result(&serde_json::to_string_pretty(&entries).unwrap_or_default());
        }
        ListFormat::Human if entries.is_empty() => Output::result(message::NO_PATTERNS),
        ListFormat::Human => {
            let lines: Vec<String> = entries
                .iter()
                .map(|(name, entry)| message::pattern_line(&printable(name, 200), entry))
                .collect();
            Output::result(&lines.join("\n"));
        }
    }
    Ok(0)
}

fn document(name: &str, entry: &PatternEntry) -> serde_json::Value {
    let mut document = json!({"pattern": name, "infra": is_infra(name)});
    if let (Some(document), Ok(serde_json::Value::Object(entry))) =
        (document.as_object_mut(), serde_json::to_value(entry))
    {
        document.extend(entry);
    }
    document
}

fn detail(args: &DetailArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let registry = registry(&paths, output)?;
    let Some(entry) = registry.0.get(&args.pattern) else { return Ok(unknown(&args.pattern)) };
    if args.format == ListFormat::Json {
        let document = document(&args.pattern, entry);
        Output::result(&serde_json::to_string_pretty(&document).unwrap_or_default());
        return Ok(0);
    }
    let beads: Vec<String> = entry.last_beads.iter().map(|bead| printable(bead, 200)).collect();
    let mut text = printable(&args.pattern, 200);
    if is_infra(&args.pattern) {
        text.push_str("  (infra: excluded from template scoring)");
    }
    let rows = [
        ("count", entry.count.to_string()),
        ("first_seen", printable(&entry.first_seen, 60)),
        ("last_seen", printable(&entry.last_seen, 60)),
        ("last_beads", beads.join(", ")),
        ("mitigation", entry.mitigation.as_deref().map_or_else(String::new, |what| printable(what, 2000))),
        ("mitigated_at", entry.mitigated_at.as_deref().map_or_else(String::new, |at| printable(at, 60))),
        (
            "count_at_mitigation",
            entry.count_at_mitigation.map_or_else(String::new, |count| count.to_string()),
        ),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        write!(text, "\n  {name:<19}  {value}").ok();
    }
    Output::result(&text);
    Ok(0)
}

fn note_mitigation(args: &MitigateArgs, output: Output) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let paths = learning_paths()?;
    let length = args.text.chars().count();
    if args.text.trim().is_empty() || length > LONGEST_MITIGATION {
        return Err(Refusal::not_done(format!(
            "a mitigation has between 1 and {LONGEST_MITIGATION} characters, and this one has {length}"
        )));
    }
    let known = registry(&paths, output)?.0.contains_key(&args.pattern);
    if !known && !paths.feedback.exists() {
        return Ok(unknown(&args.pattern));
    }
    let mitigated = mitigate(&paths, &args.pattern, &args.text, now)
        .map_err(|error| Refusal::not_done(error.to_string()))?;
    mitigated.warnings.iter().for_each(|warning| output.note(warning));
    if !mitigated.known {
        return Ok(unknown(&args.pattern));
    }
    Output::result(&format!("Mitigation of {} recorded", printable(&args.pattern, 200)));
    Ok(0)
}

fn effectiveness(args: &EffectivenessArgs, output: Output) -> Result<u8, Refusal> {
    let paths = learning_paths()?;
    let registry = registry(&paths, output)?;
    let Some(entry) = registry.0.get(&args.pattern) else { return Ok(unknown(&args.pattern)) };
    // Only what came after it says anything about it.
    let mut since = message::Since::new(&args.pattern, entry);
    let left_out = each_feedback(&paths, |line| since.see(line));
    for file in left_out.map_err(|error| Refusal::not_done(error.to_string()))?.named {
        output.note(&file.to_string());
    }
    Output::result(&message::effectiveness(&printable(&args.pattern, 200), entry, &since));
    Ok(0)
}

/// Says that there is no such pattern.
fn unknown(pattern: &str) -> u8 {
    Output::say(&format!("Error: pattern not found: {}; see 'jury patterns list'", printable(pattern, 200)));
    NOT_DONE
}
