//! The pixels behind text: where the pixel pass begins once the first window is laid out.

use blitz_dom::{BaseDocument, NodeId as EngineId};

use crate::snapshot::{Behind, NodeId, Snapshot};

/// The colours behind the text of each wanted node. `ids` are the engine's names for the nodes of the snapshot.
///
/// The document is laid out in the window of the snapshot and must be left as it is found: the next window is
/// laid out from it. Nothing is painted yet, so nothing is known.
pub(crate) fn behind(
    _document: &mut BaseDocument,
    _ids: &[EngineId],
    _snapshot: &Snapshot,
    _wanted: &[NodeId],
) -> Vec<(NodeId, Behind)> {
    Vec::new()
}
