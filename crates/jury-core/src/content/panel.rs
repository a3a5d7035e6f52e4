//! The panel of a run: who reviews, why, and how that was found. It is chosen once.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::advisor::AdvisorId;

/// The critics of a run, and how they were chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ContentSelection)]
pub struct PanelSelection {
    /// The critics, the named ones first. Empty when nobody's expertise is asked for, which is not a failure.
    pub seats: Vec<ContentSeat>,
    /// How they were found.
    pub how: How,
    /// What was odd about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A critic of the panel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentSeat {
    /// The advisor that sits there.
    pub advisor_id: AdvisorId,
    /// The same for people.
    pub name: String,
    /// The field that it looks at. Logs from before there were fields have none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub domain: String,
    /// Whether the recipe names it: no round counts without it.
    pub named: bool,
    /// The clauses of the needs that it was chosen for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
}

impl ContentSeat {
    /// The field that it looks at; its name, where no field was written down.
    pub fn field(&self) -> &str {
        if self.domain.is_empty() { &self.name } else { &self.domain }
    }
}

/// How a panel was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SelectionMethod)]
pub enum How {
    /// Each clause of the needs elects whoever knows most about it.
    Vote,
    /// A model was asked.
    Model,
}
