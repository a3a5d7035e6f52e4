//! The API as an OpenAPI document, generated from the handlers and the words of the domain. It is the one
//! contract from which other languages get their types.

use utoipa::OpenApi;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa_axum::router::OpenApiRouter;

use jury_core::enablement::Enablement;
use jury_core::event::Event;
use jury_core::judge::{self, JudgeState};
use jury_core::record::Record;
use jury_core::settings::CritiqueConfig;
use jury_core::theater::Board;

use crate::router::api;
use crate::server::Shared;

#[derive(OpenApi)]
#[openapi(
    info(title = "jury", description = "The API of jury: projects, runs, live events, verdicts, artifacts."),
    components(schemas(Record, Event, CritiqueConfig, Board, JudgeState, judge::JudgeStatus, Enablement)),
    tags(
        (name = "critique", description = "Runs of the theater"),
        (name = "critic", description = "Runs of the critic"),
        (name = "content", description = "Runs of the content pipeline"),
        (name = "decisions", description = "What runs ask people"),
        (name = "judge", description = "What the judge's learning loop has come to")
    )
)]
struct Contract;

/// The document as pretty-printed JSON.
pub fn openapi() -> serde_json::Result<String> {
    let router: OpenApiRouter<Shared> = OpenApiRouter::with_openapi(Contract::openapi()).merge(api());
    let mut document = router.into_openapi();
    for family in ["CriticEvent", "JudgeEvent", "ContentEvent"] {
        name_the_family(&mut document, family);
    }
    document.to_pretty_json()
}

/// The events of the other workflows stand among the others under names of their own. The derived schema would
/// have them named after their variant.
fn name_the_family(document: &mut utoipa::openapi::OpenApi, family: &str) {
    let schemas = document.components.as_mut().map(|components| &mut components.schemas);
    if let Some(RefOr::T(Schema::OneOf(events))) = schemas.and_then(|schemas| schemas.get_mut("Event")) {
        let family = Ref::from_schema_name(family);
        let is_derived = |item: &RefOr<Schema>| {
            matches!(item, RefOr::T(Schema::AllOf(all)) if all.items.iter().any(
                |part| matches!(part, RefOr::Ref(part) if part.ref_location == family.ref_location)))
        };
        if let Some(item) = events.items.iter_mut().find(|item| is_derived(item)) {
            *item = RefOr::Ref(family.clone());
        }
    }
}
