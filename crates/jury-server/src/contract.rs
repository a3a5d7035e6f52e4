//! The API as an OpenAPI document, generated from the handlers and the words of the domain. It is the one
//! contract from which other languages get their types.

use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use jury_core::enablement::Enablement;
use jury_core::event::Event;
use jury_core::record::Record;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::Board;

use crate::router::api;
use crate::server::Shared;

#[derive(OpenApi)]
#[openapi(
    info(title = "jury", description = "The API of jury: projects, runs, live events, verdicts, artifacts."),
    components(schemas(Record, Event, CritiqueConfig, Board, Enablement)),
    tags(
        (name = "critique", description = "Runs of the theater"),
        (name = "critic", description = "Runs of the critic"),
        (name = "decisions", description = "What runs ask people")
    )
)]
struct Contract;

/// The document as pretty-printed JSON.
pub fn openapi() -> serde_json::Result<String> {
    let router: OpenApiRouter<Shared> = OpenApiRouter::with_openapi(Contract::openapi()).merge(api());
    router.into_openapi().to_pretty_json()
}
