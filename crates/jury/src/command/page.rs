//! Reading the page that is to be reviewed, and refusing what is none.

use std::path::Path;

use jury_core::settings::CritiqueConfig;
use jury_core::unit::Bytes;

use crate::document::{self, Given};
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
    let advice = "raise OD_CRITIQUE_PARSER_MAX_BLOCK_BYTES or split the page";
    let Given { title, shown, bytes } = document::read(path, "page", largest(config), advice)?;
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        output.note(&format!("{shown} is not valid UTF-8; what could not be read is shown as \u{fffd}"));
        String::from_utf8_lossy(error.as_bytes()).into_owned()
    });
    Ok(Page { title, text })
}
