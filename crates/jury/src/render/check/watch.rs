//! What a change of a page came to, for people at work: short, and the news only.

use std::fmt::Write as _;
use std::path::Path;

use super::human::{finding, span};
use super::{Shown, human};
use crate::command::check::{Change, Checked};
use crate::output::{Output, Tone};
use crate::render::printable;

/// A page that is seen for the first time.
pub(crate) fn first(page: &Checked, shown: Shown, output: Output) -> String {
    human::page(page, shown, output)
}

/// Everything has been measured once.
pub(crate) fn waiting(pages: usize, output: Output) -> String {
    output.paint_result(Tone::Dim, &format!("watching {}; Ctrl-C ends it", super::pages(pages)))
}

/// A page that is there no more.
pub(crate) fn gone(page: &Path) -> String {
    format!("{}  is gone", page.display())
}

/// `page.html  6.4 → 7.9  2 fixed, 1 new`, and which.
pub(crate) fn changed(change: &Change<'_>, output: Output) -> String {
    let after = change.after;
    let path = output.paint_result(Tone::Bold, &after.path);
    if let Err(why) = &after.report {
        let mark = output.paint_result(Tone::Bad, "NOT MEASURED");
        return format!("{path}  {mark}: {}", printable(why, 200));
    }
    let score = |page: &Checked| page.composite.map_or_else(|| "no score".to_owned(), span);
    let (old, new) = (score(change.before), score(after));
    let mut text = if old == new { format!("{path}  {new}") } else { format!("{path}  {old} → {new}") };
    let open = after.report.as_ref().map_or(0, |report| report.findings.len());
    if change.fixed.is_empty() && change.new.is_empty() {
        write!(text, "  nothing fixed, nothing new, {open} open").ok();
    } else {
        write!(text, "  {} fixed, {} new, {open} open", change.fixed.len(), change.new.len()).ok();
    }
    for found in &change.fixed {
        let mark = output.paint_result(Tone::Good, "fixed   ");
        write!(text, "\n  {mark} {}  {}", found.id, printable(&found.what, 200)).ok();
    }
    for found in &change.new {
        write!(text, "\n{}", finding(after, found, output)).ok();
    }
    if let Some(gap) = after.gap.as_ref().filter(|_| change.before.gap.is_none()) {
        write!(text, "\n  {} {}", output.paint_result(Tone::Bad, "in part:"), printable(gap, 200)).ok();
    }
    text
}
