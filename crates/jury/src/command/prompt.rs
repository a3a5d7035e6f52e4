//! What the house is asked: its request as JSON. What other agents are asked is in `jury_agents::prompt`.

use std::collections::BTreeMap;

use jury_core::role::Role;
use jury_core::settings::CritiqueConfig;
use jury_house::Beside;

/// The request to the built-in panel.
pub(crate) fn house_request(
    page: &str,
    design: Option<&str>,
    beside: &Beside,
    config: &CritiqueConfig,
) -> jury_house::Request {
    let weights: BTreeMap<String, f64> =
        Role::ALL.iter().map(|role| (role.as_str().to_owned(), config.weights.of(*role))).collect();
    jury_house::Request {
        page: page.to_owned(),
        design: design.map(ToOwned::to_owned),
        beside: beside.clone(),
        max_rounds: config.max_rounds,
        threshold: config.score_threshold.0,
        scale: config.score_scale.0,
        weights,
    }
}
