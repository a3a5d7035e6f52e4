//! What `scripts/bench` holds `jury parse` against. `transcript KIND BYTES` writes a transcript. `transcript hash FILE PIECE`
//! hashes a file piece by piece: the least that has to be done with a draft.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use jury_testkit::transcript::{TranscriptKind, transcript};
use sha2::{Digest as _, Sha256};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [kind, bytes] => write(kind, bytes),
        [mode, file, piece] if mode == "hash" => hash(file, piece),
        _ => None,
    };
    if done.is_some() { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn write(kind: &str, bytes: &str) -> Option<()> {
    let kind = TranscriptKind::ALL.into_iter().find(|known| known.as_str() == kind)?;
    std::io::stdout().write_all(&transcript(kind, bytes.parse().ok()?)).ok()
}

fn hash(file: &str, piece: &str) -> Option<()> {
    let mut input = File::open(file).ok()?;
    let mut buffer = vec![0; piece.parse().ok()?];
    let mut hasher = Sha256::new();
    loop {
        let length = input.read(&mut buffer).ok()?;
        if length == 0 {
            break;
        }
        hasher.update(&buffer[..length]);
    }
    std::io::stdout().write_all(&hasher.finalize()).ok()
}
