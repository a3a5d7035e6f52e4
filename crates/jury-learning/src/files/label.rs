//! What people say about runs: `labels.ndjson`, appended to and never changed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use jury_store::StoreError;
use jury_store::file::io_error;

use super::document::lock_scores;
use super::paths::LearningPaths;
use crate::calibration::Label;

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 16;

/// The labels that count, and how many lines could not be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Labels {
    /// By run; the newest of each person, the newest first.
    pub by_bead: BTreeMap<String, Vec<Label>>,
    /// Lines that are no labels.
    pub unreadable: u64,
}

/// Where the labels are.
pub fn labels_file(paths: &LearningPaths) -> PathBuf {
    paths.state.join("labels.ndjson")
}

/// Appends a label, durably.
pub fn append_label(paths: &LearningPaths, label: &Label) -> Result<(), StoreError> {
    let _lock = lock_scores(paths)?;
    let place = labels_file(paths);
    let trouble = io_error(&place);
    std::fs::create_dir_all(&paths.state).map_err(io_error(&paths.state))?;
    let mut file = File::options().create(true).read(true).append(true).open(&place).map_err(trouble)?;
    let mut line = Vec::new();
    // Whoever was cut off in the middle of a line must not take ours along.
    let end = file.seek(SeekFrom::End(0)).map_err(trouble)?;
    if end > 0 {
        let mut last = [0];
        file.seek(SeekFrom::Start(end - 1)).and_then(|_| file.read_exact(&mut last)).map_err(trouble)?;
        if last != *b"\n" {
            line.push(b'\n');
        }
    }
    serde_json::to_writer(&mut line, label)
        .map_err(|error| StoreError::Corrupt { path: place.clone(), what: error.to_string() })?;
    line.push(b'\n');
    file.write_all(&line).and_then(|()| file.sync_all()).map_err(trouble)
}

/// Reads the labels: of each person the newest about a run counts.
pub fn labels(paths: &LearningPaths) -> Result<Labels, StoreError> {
    let place = labels_file(paths);
    let file = match File::open(&place) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Labels::default()),
        Err(error) => return Err(io_error(&place)(error)),
    };
    let mut labels = Labels::default();
    let mut newest: BTreeMap<(String, String), (usize, Label)> = BTreeMap::new();
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    for number in 0.. {
        line.clear();
        let read =
            reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(io_error(&place))?;
        if read == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let Ok(label) = serde_json::from_slice::<Label>(&line) else {
            labels.unreadable += 1;
            continue;
        };
        let key = (label.bead.as_str().to_owned(), label.rater.clone());
        // The later line wins where the times are the same.
        if newest.get(&key).is_none_or(|(_, known)| known.at <= label.at) {
            newest.insert(key, (number, label));
        }
    }
    let mut all: Vec<(usize, Label)> = newest.into_values().collect();
    all.sort_by_key(|(line, label)| std::cmp::Reverse((label.at, *line)));
    for (_, label) in all {
        labels.by_bead.entry(label.bead.as_str().to_owned()).or_default().push(label);
    }
    Ok(labels)
}
