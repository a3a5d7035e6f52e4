//! Output of the real programs, recorded: `tests/recorded/<adapter>.<case>.stdout`, and beside it what must come
//! out of it, `.decoded`. `JURY_UPDATE=1` writes the latter.

use std::fs;
use std::path::Path;

use jury_agents::decoder::Format;

use super::decoded;

#[test]
fn recorded_output_means_what_it_meant() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    let Ok(entries) = fs::read_dir(&dir) else { return };
    let mut wrong = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "stdout") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let output = fs::read(&path).unwrap();
        let mut words = decoded(format(&name), &output).join("\n");
        words.push('\n');
        let golden = path.with_extension("decoded");
        if std::env::var_os("JURY_UPDATE").is_some() {
            fs::write(&golden, words).unwrap();
        } else if fs::read_to_string(&golden).ok().as_deref() != Some(&*words) {
            wrong.push(format!("{name}:\n{words}"));
        }
    }
    assert!(wrong.is_empty(), "JURY_UPDATE=1 accepts these:\n{}", wrong.join("\n"));
}

/// How this adapter prints, as its file says.
pub(super) fn format(name: &str) -> Format {
    let adapter = name.split('.').next().unwrap_or(name);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("adapters/{adapter}.toml"));
    let text = fs::read_to_string(&file).unwrap_or_default();
    let decoder = text.lines().find_map(|line| line.strip_prefix("decoder = "));
    let decoder = decoder.map_or(adapter, |decoder| decoder.trim_matches('"'));
    decoder.parse().unwrap_or_else(|unknown| panic!("{name}: {unknown}"))
}
