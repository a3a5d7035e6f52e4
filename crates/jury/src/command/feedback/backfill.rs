//! `jury feedback backfill`: a whole folder of run records, however often.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jury_learning::files::folder::{Lasting, lock, put};
use jury_learning::files::{LearningPaths, Scoring, find_record, score};
use jury_learning::message;

use super::super::templates::learning_paths;
use super::pile::Pile;
use crate::cli::BackfillArgs;
use crate::clock;
use crate::output::Output;
use crate::refusal::Refusal;

/// How deep folders of records may lie in each other.
const DEEPEST: usize = 32;
/// How many records that cannot be scored are named; the rest is counted.
const MOST_NAMED: usize = 10;

pub(super) fn backfill(args: &BackfillArgs, output: Output) -> Result<u8, Refusal> {
    let now = clock::now()?;
    let paths = learning_paths()?;
    let Some(dir) = find_record(&paths, &args.dir).filter(|dir| dir.is_dir()) else {
        return Err(Refusal::not_done(format!("folder not found: {}", args.dir.display())));
    };
    let mut records = Vec::new();
    let mut errors = Vec::new();
    walk(&dir, DEEPEST, &mut records, &mut errors);
    records.sort();
    let mut pile = Pile::new(&paths, now, output, false);
    for record in &records {
        pile.add(record);
    }
    pile.finish();
    errors.append(&mut pile.errors);
    log(&paths, &errors, output)?;
    score_all(&paths, now, output)?;
    Output::result(&message::processed(pile.collected, pile.running, errors.len() as u64));
    Ok(0)
}

/// The records in a folder and in the folders in it. Links to folders are not followed: they may lead back.
fn walk(folder: &Path, depth: usize, records: &mut Vec<PathBuf>, errors: &mut Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            errors.push(format!("Error: {}: {error}", folder.display()));
            return;
        }
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let kind = entry.file_type();
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) && !hidden {
            if depth == 0 {
                errors.push(format!("Error: {}: more than {DEEPEST} folders deep", path.display()));
            } else {
                walk(&path, depth - 1, records, errors);
            }
        } else if !hidden && path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            records.push(path);
        }
    }
}

/// What could not be collected, in the file that the next backfill writes anew. Each line is an error.
fn log(paths: &LearningPaths, errors: &[String], output: Output) -> Result<(), Refusal> {
    let path = paths.feedback.join("backfill-errors.log");
    if errors.is_empty() && !path.exists() {
        return Ok(());
    }
    let mut text = Vec::new();
    for error in errors {
        writeln!(text, "{error}").ok();
    }
    let _lock = lock(&[&paths.feedback]).map_err(|error| Refusal::not_done(error.to_string()))?;
    put(&path, &text, Lasting::No).map_err(|error| Refusal::not_done(error.to_string()))?;
    if !errors.is_empty() {
        output.note(&format!(
            "{} could not be collected; see {}",
            jury_core::line::counted(errors.len(), "record", "records"),
            path.display()
        ));
    }
    Ok(())
}

/// Scores everything that is there.
fn score_all(paths: &LearningPaths, now: Timestamp, output: Output) -> Result<(), Refusal> {
    // A folder without a single record may not be there yet.
    fs::create_dir_all(&paths.feedback)
        .map_err(|error| Refusal::not_done(format!("{}: {error}", paths.feedback.display())))?;
    let scored =
        score(paths, now, &Scoring::default()).map_err(|error| Refusal::not_done(error.to_string()))?;
    let left_out = &scored.left_out;
    for file in left_out.named.iter().take(MOST_NAMED) {
        output.note(&file.to_string());
    }
    let more = left_out.count.saturating_sub(MOST_NAMED as u64);
    if more > 0 {
        output.note(&format!("{more} more are left out"));
    }
    Ok(())
}
