//! Reading the page that is to be reviewed, and refusing what is none.

use std::io::Read as _;
use std::path::Path;

use jury_core::settings::CritiqueConfig;
use jury_core::unit::Bytes;

use crate::output::Output;
use crate::refusal::Refusal;

/// A page and what it is called.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) text: String,
}

/// What a transcript needs in a block beside the page: tags, notes, what a repair adds.
const MARGIN: u64 = 16 * 1024;

/// The largest page that fits into a block of the protocol.
pub(super) fn largest(config: &CritiqueConfig) -> Bytes {
    let block = config.parser_max_block_bytes.0;
    Bytes(block.saturating_sub(MARGIN.min(block / 4)))
}

/// Reads a page from a file, or from stdin when the path is `-`.
pub(super) fn read(path: &Path, config: &CritiqueConfig, output: Output) -> Result<Page, Refusal> {
    let (title, bytes) = if path.as_os_str() == "-" {
        ("stdin".to_owned(), read_stdin(config)?)
    } else {
        let title = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        (title, read_file(path, config)?)
    };
    check(&title, path, bytes, output)
}

fn read_stdin(config: &CritiqueConfig) -> Result<Vec<u8>, Refusal> {
    let largest = largest(config);
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(largest.0 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Refusal::usage(format!("cannot read stdin: {error}")))?;
    if bytes.len() as u64 > largest.0 {
        return Err(too_large("stdin", None, largest));
    }
    Ok(bytes)
}

fn read_file(path: &Path, config: &CritiqueConfig) -> Result<Vec<u8>, Refusal> {
    let shown = path.display();
    let fail = |error: std::io::Error| {
        if error.kind() == std::io::ErrorKind::NotFound {
            Refusal::usage(format!("no such file: {shown}"))
        } else {
            Refusal::usage(format!("cannot read {shown}: {error}"))
        }
    };
    let metadata = std::fs::metadata(path).map_err(fail)?;
    if metadata.is_dir() {
        return Err(Refusal::usage(format!(
            "{shown} is a folder; name a page in it, such as {shown}/index.html"
        )));
    }
    let largest = largest(config);
    // A pipe or a device has no length; it is read up to the limit.
    if metadata.len() > largest.0 {
        return Err(too_large(&shown.to_string(), Some(Bytes(metadata.len())), largest));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(fail)?;
    file.take(largest.0 + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > largest.0 {
        return Err(too_large(&shown.to_string(), None, largest));
    }
    Ok(bytes)
}

fn too_large(name: &str, size: Option<Bytes>, largest: Bytes) -> Refusal {
    let size = size.map_or_else(|| "larger than that".to_owned(), |size| size.to_string());
    Refusal::usage(format!(
        "{name} is too large: the most is {largest}, it is {size}; raise OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES or split the page"
    ))
}

fn check(title: &str, path: &Path, bytes: Vec<u8>, output: Output) -> Result<Page, Refusal> {
    let shown = if path.as_os_str() == "-" { "stdin".to_owned() } else { path.display().to_string() };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Refusal::usage(format!("{shown} is empty; there is nothing to review")));
    }
    if bytes.contains(&0) {
        return Err(Refusal::usage(format!("{shown} is a binary file, not a page")));
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        output.note(&format!("{shown} is not valid UTF-8; what could not be read is shown as \u{fffd}"));
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    });
    Ok(Page { title: title.to_owned(), text })
}
