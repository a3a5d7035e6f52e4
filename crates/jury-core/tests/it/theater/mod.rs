//! The machine of the theater against everything that agents, clocks and people do to it.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod claims;
mod clock;
mod early_endings;
mod endings;
mod evidence;
mod fallback;
mod figures;
mod floods;
mod gate;
mod generate;
mod ledger;
mod loss;
mod pairs;
mod properties;
mod restart;
mod rounds;
mod run_state;
mod scoring;
pub(crate) mod script;
mod seats;
mod spoken;
pub(crate) mod stage;
mod verdicts;

/// Plays a script and compares every event and effect that comes of it. Without settings: the defaults.
macro_rules! check {
    ($script:expr, @$expected:literal) => {
        insta::assert_snapshot!(
            crate::theater::stage::whole(jury_core::settings::CritiqueConfig::default(), $script),
            @$expected
        )
    };
}
use check;

/// Like [`check!`], but leaves out what single panelists say.
macro_rules! gist {
    ($script:expr, @$expected:literal) => {
        gist!(jury_core::settings::CritiqueConfig::default(), $script, @$expected)
    };
    ($config:expr, $script:expr, @$expected:literal) => {
        insta::assert_snapshot!(crate::theater::stage::gist($config, $script), @$expected)
    };
}
use gist;
