//! `jury inspect`: what the eye sees of a page, before anybody judges it.

use std::fmt::Write as _;

use jury_core::unit::Bytes;
use jury_house::{Beside, Snapshot, Viewport};
use serde::Serialize;

use crate::beside;
use crate::cli::InspectArgs;
use crate::document::{self, Given};
use crate::output::{Output, Tone};
use crate::refusal::Refusal;
use crate::render::critic::counted;

/// How many windows a page is laid out in at most.
const MOST_WINDOWS: usize = 16;

/// The version of the form below. It changes when a field changes its meaning or goes away, not when one is added.
const FORM: u32 = 1;

/// The JSON that `--json` prints.
#[derive(Serialize)]
struct Inspection<'a> {
    version: u32,
    page: &'a str,
    beside: Vec<&'a str>,
    snapshots: &'a [Snapshot],
}

pub(crate) fn inspect(args: &InspectArgs, output: Output) -> Result<u8, Refusal> {
    let advice = "the eye does not look at larger pages; split it";
    let Given { shown, bytes, .. } = document::read(&args.page, "page", document::LARGEST_PAGE, advice)?;
    let html = String::from_utf8_lossy(&bytes);
    if let Some(root) = args.root.as_deref() {
        document::check_root(root)?;
    }
    let viewports =
        if args.viewports.is_empty() { &[Viewport::DESKTOP][..] } else { args.viewports.as_slice() };
    if viewports.len() > MOST_WINDOWS {
        return Err(Refusal::usage(format!("--viewport: at most {MOST_WINDOWS} windows at a time")));
    }
    let beside = if document::is_stdin(&args.page) {
        Beside::nothing()
    } else {
        beside::read(&args.page, &html, args.root.as_deref())
    };
    let snapshots = jury_house::inspect(&html, &beside, viewports)
        .map_err(|error| Refusal::inconclusive(format!("{shown} cannot be measured: {error}")))?;
    if args.json {
        let inspection = Inspection {
            version: FORM,
            page: &shown,
            beside: beside.iter().map(|(address, _)| address).collect(),
            snapshots: &snapshots,
        };
        let text = serde_json::to_string(&inspection)
            .map_err(|error| Refusal::inconclusive(format!("cannot write the snapshots: {error}")))?;
        Output::result(&text);
    } else {
        Output::result(summary(&shown, bytes.len(), &beside, &snapshots, output).trim_end());
    }
    Ok(0)
}

fn summary(page: &str, bytes: usize, beside: &Beside, snapshots: &[Snapshot], output: Output) -> String {
    let mut text = String::new();
    let Some(first) = snapshots.first() else {
        return text;
    };
    let facts = &first.page;
    // Writing to a string cannot fail.
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{} {value}", output.paint_result(Tone::Dim, &format!("{name:<9}")));
    };
    line("page", &format!("{page}, {}", Bytes(bytes as u64)));
    line("title", facts.title.as_deref().unwrap_or("none"));
    line("language", facts.lang.as_deref().unwrap_or("none"));
    line("viewport", facts.viewport_meta.as_deref().unwrap_or("none"));
    let files: Vec<&str> = beside.iter().map(|(address, _)| address).collect();
    line("beside", &if files.is_empty() { "nothing".to_owned() } else { files.join(", ") });
    line("coverage", &coverage(first));
    for snapshot in snapshots {
        let Viewport { width, height } = snapshot.viewport;
        line("window", &format!("{width}x{height}: {}", seen(snapshot)));
    }
    text
}

fn coverage(snapshot: &Snapshot) -> String {
    let coverage = &snapshot.coverage;
    let mut lacks = Vec::new();
    if coverage.js_rendered {
        lacks.push("built by scripts, which are not run".to_owned());
    }
    if coverage.external_css {
        lacks.push(format!("without {}", coverage.missing.join(", ")));
    }
    if lacks.is_empty() { "complete".to_owned() } else { format!("in part: {}", lacks.join("; ")) }
}

fn seen(snapshot: &Snapshot) -> String {
    let shown = snapshot.nodes.iter().filter(|node| node.shown).count();
    let lines: usize = snapshot.nodes.iter().filter(|node| node.shown).map(|node| node.lines.len()).sum();
    format!(
        "{:.0}x{:.0} of content, {}, {shown} shown, {} on {}",
        snapshot.page.scroll_width,
        snapshot.page.scroll_height,
        counted(snapshot.nodes.len(), "element", "elements"),
        counted(snapshot.page.visible_characters, "character", "characters"),
        counted(lines, "line", "lines"),
    )
}
