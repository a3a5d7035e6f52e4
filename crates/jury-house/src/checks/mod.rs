//! The checks, each a pure function of a measured page, and the table that says who reports what.

mod brand;
mod contrast;
mod copy;
mod hierarchy;
mod names;
mod operate;
mod reading;
mod space;
mod structure;
mod typesetting;

pub(crate) use copy::{
    DeadLink, dead_address, dead_links, is_note_to_oneself, may_hold_placeholders, placeholder_in,
};
pub(crate) use hierarchy::main_action;
pub(crate) use names::{nameless_controls, nameless_fields, nameless_images};
pub(crate) use operate::{forbids_zoom, unfocusable_rules};
pub(crate) use space::distances;
pub(crate) use structure::{body_text, heading_level, headings};

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
}

const fn check(
    id: &'static str,
    panelist: Panelist,
    dimension: &'static str,
    severity: Severity,
    run: fn(&Page<'_>) -> Outcome,
) -> Check {
    Check { id, panelist, dimension, severity, run }
}

use Panelist::{A11y, Brand, Copy, Critic};
use Severity::{Critical, Minor, Moderate, Serious};

/// Every check of the house.
pub(crate) const CHECKS: &[Check] = &[
    check("critic/hierarchy", Critic, "hierarchy", Moderate, hierarchy::hierarchy),
    check("critic/type-scale", Critic, "type", Minor, typesetting::scale),
    check("critic/small-text", Critic, "type", Moderate, typesetting::small_text),
    check("critic/measure", Critic, "type", Minor, typesetting::measure),
    check("critic/families", Critic, "type", Minor, typesetting::families),
    check("critic/caps", Critic, "type", Minor, typesetting::capitals),
    check("critic/contrast", Critic, "contrast", Moderate, contrast::legibility),
    check("critic/cta", Critic, "contrast", Moderate, hierarchy::call_to_action),
    check("critic/rhythm", Critic, "rhythm", Minor, space::rhythm),
    check("critic/symmetry", Critic, "space", Minor, space::symmetry),
    check("critic/overflow", Critic, "space", Moderate, space::overflow),
    check("critic/self-contained", Critic, "space", Serious, space::self_contained),
    check("brand/colour", Brand, "colour", Serious, brand::colour),
    check("brand/font", Brand, "type", Serious, brand::font),
    check("a11y/contrast", A11y, "perceive", Serious, contrast::contrast),
    check("a11y/img-alt", A11y, "perceive", Critical, names::image_alternatives),
    check("a11y/control-name", A11y, "names", Critical, names::control_names),
    check("a11y/field-label", A11y, "names", Critical, names::field_labels),
    check("a11y/lang", A11y, "structure", Serious, structure::language),
    check("a11y/title", A11y, "structure", Serious, structure::title),
    check("a11y/heading-order", A11y, "structure", Moderate, structure::heading_order),
    check("a11y/main", A11y, "structure", Moderate, structure::main_landmark),
    check("a11y/region", A11y, "structure", Moderate, structure::regions),
    check("a11y/viewport", A11y, "operate", Moderate, operate::viewport),
    check("a11y/zoom", A11y, "operate", Serious, operate::zoom),
    check("a11y/target", A11y, "operate", Moderate, operate::target_size),
    check("a11y/focus", A11y, "operate", Serious, operate::focus),
    check("copy/placeholder", Copy, "complete", Critical, copy::placeholders),
    check("copy/readability", Copy, "clear", Minor, reading::readability),
    check("copy/lengths", Copy, "clear", Minor, reading::lengths),
    check("copy/links", Copy, "links", Serious, copy::links),
    check("copy/cta-words", Copy, "links", Moderate, copy::vague_words),
];
