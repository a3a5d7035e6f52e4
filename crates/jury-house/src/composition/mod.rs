//! Composition: how the blocks of a page stand to each other, from their boxes and styles.
//!
//! Every figure is a rate, so that a long page is not worse for being long, and says nothing where there are too few
//! members to speak of. The gate of [`substance`] stands before all of it: what is not there has no fault in it.

mod alignment;
mod blocks;
mod cards;
mod colour;
mod likeness;
mod reading;
mod spacing;
mod substance;

pub(crate) use alignment::{alignment, balance, tilt};
pub(crate) use cards::cards;
pub(crate) use colour::hues;
pub(crate) use likeness::likeness;
pub(crate) use reading::{setting, wall};
pub(crate) use spacing::{gaps, grouping, room};
pub(crate) use substance::substance;
