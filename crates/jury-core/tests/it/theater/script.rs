//! Beginnings of scripts that several tests share.

use jury_core::outcome::FallbackPolicy;
use jury_core::settings::CritiqueConfig;

/// Two rounds below the bar; the first is the better one.
const TWO_ROUNDS: &str = "
    start
    run
    round 1
    designer A
    critic 7.0 ! One
    brand 7.0 ! Two
    a11y 7.0
    copy 7.0
    end 1
    round 2
    designer B
    critic 6.0 ! One
    brand 6.0 ! Two
    a11y 6.0
    copy 6.0
    end 2
";

pub(crate) fn with(fallback_policy: FallbackPolicy) -> CritiqueConfig {
    CritiqueConfig { fallback_policy, ..CritiqueConfig::default() }
}

pub(crate) fn two_rounds_and(then: &str) -> String {
    format!("{TWO_ROUNDS}\n{then}")
}

/// One round that clears the bar.
pub(crate) fn cleared_and(then: &str) -> String {
    format!("start\n run\n round 1\n designer A\n panel 9.0\n end 1 ship\n {then}")
}

/// A round with these panelists, closed as a ship, and shipped.
pub(crate) fn round(panelists: &str) -> String {
    format!(
        "start\n run\n round 1\n designer A\n {panelists}\n end 1 ship\n ship 1 A\n linted\n close\n linted"
    )
}
