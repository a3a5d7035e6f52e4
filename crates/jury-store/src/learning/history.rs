//! Judgements as they are kept: the newest of a run in its own file, all of them, one on each line, in `history/`.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;

use jury_core::judge::{Bead, Judgement};

use super::document::load;
use super::places::Places;
use crate::error::{StoreError, io as io_error};

/// The longest judgement that is read.
const LONGEST_LINE: u64 = 4 << 20;

/// The newest judgement of a run. A file that is none counts as none: it may be in the older shape.
pub fn newest_judgement(places: &Places, bead: &Bead) -> Option<Judgement> {
    let place = places.judgements.join(format!("{bead}.json"));
    let fits = fs::metadata(&place).is_ok_and(|found| found.is_file() && found.len() <= LONGEST_LINE);
    let judgement: Judgement = fits.then(|| load(&place).ok().flatten()).flatten()?;
    (judgement.bead == *bead).then_some(judgement)
}

fn history_file(places: &Places, bead: &Bead) -> PathBuf {
    places.judgements.join("history").join(format!("{bead}.ndjson"))
}

/// All judgements of a run, the oldest first. Lines that are none are passed over. Without a history there is the newest,
/// if that is there.
pub fn judgements(places: &Places, bead: &Bead) -> Result<Vec<Judgement>, StoreError> {
    let place = history_file(places, bead);
    let file = match File::open(&place) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(newest_judgement(places, bead).into_iter().collect());
        }
        Err(error) => return Err(io_error(&place)(error)),
    };
    let mut reader = BufReader::new(file);
    let (mut found, mut line) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(io_error(&place))? == 0 {
            break;
        }
        let judgement = serde_json::from_slice::<Judgement>(&line).ok();
        found.extend(judgement.filter(|judgement| judgement.bead == *bead));
    }
    // A stable sort: where a time is missing or the same, the order of the lines is the order of time.
    found.sort_by_key(|judgement| judgement.judged_at);
    Ok(found)
}
