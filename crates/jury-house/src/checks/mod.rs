//! The checks, each a pure function of a measured page. The table that says who reports what is in [`table`].

mod about;
mod aria;
mod aria_tree;
mod autocomplete;
mod brand;
mod causes;
mod claims;
mod contained;
mod contrast;
mod contrast_enhanced;
mod contrast_states;
mod copy;
mod distinct;
mod focus;
mod focus_order;
mod frames;
mod head;
mod hidden_focus;
mod hierarchy;
mod keys;
mod label_in_name;
mod landmarks;
mod link_context;
mod lists;
mod motion;
mod names;
mod notes;
mod operate;
mod orientation;
mod overlap;
mod placeholder;
mod reading;
mod reflow;
mod same_names;
mod seats;
mod sound;
mod space;
mod spacing;
mod structure;
mod table;
mod tables;
mod typesetting;
mod unmeasured;
mod view;
mod wording;

pub(crate) use about::About;
pub use about::CheckInfo;
pub(crate) use brand::{Scale, WrittenOut, tenths, written_out};
pub(crate) use copy::{DeadLink, dead_address, dead_links, has_no_host, is_nowhere};
pub(crate) use focus::unfocusable_rules;
pub(crate) use hierarchy::{ActionColours, faint_action, main_action};
pub(crate) use jury_core::rule::RepairKind;
pub(crate) use names::{nameless_fields, nameless_images};
pub(crate) use notes::{all_comments, is_bare_todo, is_note_to_oneself, says_todo};
pub(crate) use operate::forbids_zoom;
pub(crate) use placeholder::{LOREM, Placeholder, may_hold_placeholders, notes_in_comments, placeholder_in};
pub(crate) use space::{OFF_THE_MIDDLE, distances};
pub(crate) use structure::{body_text, headings};

use crate::finding::{Outcome, Panelist, Severity};
use crate::page::Page;

/// One check and its place in the panel.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) id: &'static str,
    pub(crate) panelist: Panelist,
    pub(crate) dimension: &'static str,
    /// Its weight in the dimension. Findings carry their own severity.
    pub(crate) severity: Severity,
    pub(crate) run: fn(&Page<'_>) -> Outcome,
    pub(crate) about: About,
}

impl Check {
    /// Its id without the panelist, which is known where this is used.
    pub(crate) fn short_id(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(_, short)| short)
    }
}

/// Every check of the house, panelist by panelist.
pub(crate) fn all() -> impl Iterator<Item = &'static Check> {
    [table::CRITIC, table::BRAND, table::A11Y, table::A11Y_LAYOUT, table::A11Y_MEANING, table::COPY]
        .into_iter()
        .flatten()
}

/// The checks of the measured seats, seat by seat. They are no part of the house's panel.
pub(crate) fn of_seats() -> impl Iterator<Item = &'static Check> {
    [table::PERF, table::I18N, table::MOTION].into_iter().flatten()
}

/// The check with this id.
pub(crate) fn find(id: &str) -> Option<&'static Check> {
    all().find(|check| check.id == id)
}
