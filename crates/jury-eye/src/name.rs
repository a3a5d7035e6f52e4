//! Roles and accessible names, as WAI-ARIA, HTML-AAM and the accessible name computation (accname 1.2) define them.

mod compute;
mod focus;
mod roles;

pub(crate) use focus::is_focusable;

use crate::snapshot::{Node, NodeId};

/// What stands directly inside an element, in order.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// A run of text.
    Text(String),
    /// Text that a style sheet puts before or after the content.
    Generated(String),
    /// The title of a drawing, which is its name.
    Title(String),
    /// Text drawn in a drawing.
    Drawn(String),
    /// A child element, by its node.
    Child(NodeId),
}

/// Fills in the role and the name of every element that has one.
pub(crate) fn give_roles_and_names(nodes: &mut [Node], pieces: &[Vec<Piece>]) {
    roles::give(nodes);
    compute::give(nodes, pieces);
    roles::take_from_the_nameless(nodes);
}
