//! The words of the domain as an OpenAPI document: the one contract from which other languages get their
//! types.

use utoipa::OpenApi;

use crate::enablement::Enablement;
use crate::event::Event;
use crate::record::Record;
use crate::settings::CritiqueConfig;
use crate::theater::Board;

#[derive(OpenApi)]
#[openapi(
    info(title = "jury", description = "The words of jury: events, records, settings, the state of a run."),
    components(schemas(Record, Event, CritiqueConfig, Board, Enablement))
)]
struct Contract;

/// The document as pretty-printed JSON.
pub fn openapi() -> serde_json::Result<String> {
    Contract::openapi().to_pretty_json()
}
