//! The words of the static part. They are English, as every report is; the script puts them into the reader's language,
//! which is why each carries its name. A test of the page compares both.

use std::fmt::Write as _;

use super::escape;
use crate::outcome::TheaterStatus;
use crate::report::ReportCase;
use crate::role::Role;

/// A phrase.
pub(super) fn say(key: &str, english: &str) -> String {
    say_with(key, english, &[])
}

/// A phrase with holes.
pub(super) fn say_with(key: &str, english: &str, values: &[(&str, String)]) -> String {
    let mut html = format!("<span data-t=\"{key}\"");
    let mut text = english.to_owned();
    for (name, value) in values {
        write!(html, " data-{name}=\"{}\"", escape::text(value)).ok();
        text = text.replace(&format!("{{{name}}}"), value);
    }
    write!(html, ">{}</span>", escape::text(&text)).ok();
    html
}

/// A number that languages write differently.
pub(super) fn number(value: &str) -> String {
    format!("<span data-score=\"{value}\">{value}</span>")
}

pub(super) fn role(role: Role) -> String {
    match role {
        Role::Designer => say("role.designer", "Designer"),
        Role::Critic => say("role.critic", "Critic"),
        Role::Brand => say("role.brand", "Brand"),
        Role::A11y => say("role.a11y", "Accessibility"),
        Role::Copy => say("role.copy", "Copy"),
        // A name of the user's has no other language.
        Role::Seat(name) => escape::text(name.as_str()),
    }
}

/// How the run stands: the word of the page for it, the name of the phrase, and the phrase.
pub(super) fn phase(case: &ReportCase) -> (&'static str, &'static str, &'static str) {
    match case.status() {
        Some(TheaterStatus::Shipped) => ("shipped", "status.shipped", "Shipped"),
        Some(TheaterStatus::BelowThreshold) => ("below_threshold", "status.below_threshold", "Not shipped"),
        Some(TheaterStatus::TimedOut) => ("timed_out", "status.timed_out", "Timed out"),
        Some(TheaterStatus::Interrupted) => ("interrupted", "status.interrupted", "Interrupted"),
        Some(TheaterStatus::Degraded) => ("degraded", "status.degraded", "Degraded"),
        Some(TheaterStatus::Failed) => ("failed", "status.failed", "Failed"),
        Some(TheaterStatus::Legacy) => ("legacy", "status.legacy", "Unreviewed"),
        None if case.board.fallback.is_some() => ("fallback", "status.fallback", "No panel"),
        None if case.board.started.is_some() => ("running", "status.running", "Running"),
        None => ("queued", "status.queued", "Queued"),
    }
}
