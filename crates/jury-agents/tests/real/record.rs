//! Keeps what programs print, without what belongs to one machine.

use std::path::Path;

use crate::stage::{KEY, Ran, home};

/// A recording is read by people too.
const MOST: usize = 60 * 1024;

/// Lines of this length are left out.
const LONG: usize = 8 * 1024;

/// Whether recordings are made.
pub(crate) fn is_recording() -> bool {
    std::env::var_os("JURY_RECORD").is_some_and(|value| value == "1")
}

/// Keeps what was printed in this case, if recordings are made.
pub(crate) fn keep(id: &str, case: &str, ran: &Ran) {
    if !is_recording() || !["success", "401", "429", "500", "broken"].contains(&case) {
        return;
    }
    let text = scrub(&ran.stdout, ran);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/recorded/{id}.{case}.stdout"));
    // Lists of commands and models, which no decoder reads.
    let kept: String = text.split_inclusive('\n').filter(|line| line.len() < LONG).collect();
    assert!(kept.len() <= MOST, "{id} printed {} bytes", kept.len());
    std::fs::write(path, kept).unwrap();
}

fn scrub(bytes: &[u8], ran: &Ran) -> String {
    let folder = ran.folder.display().to_string();
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    for (what, with) in [
        (format!("{folder}/home"), "/agent"),
        (format!("{folder}/work"), "/desk"),
        (folder.clone(), "/run"),
        (folder.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"), "-run"),
        (home().display().to_string(), "/programs"),
        (ran.url.clone(), "http://127.0.0.1:8399"),
        (ran.url.trim_start_matches("http://").to_owned(), "127.0.0.1:8399"),
        (KEY.to_owned(), "key-0000"),
        (host, "host"),
    ] {
        if what.len() > 2 {
            text = text.replace(&what, with);
        }
    }
    text
}
